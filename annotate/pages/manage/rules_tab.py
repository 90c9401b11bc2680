"""The form of a study's rules on workers, made from their declarations, with what they do to whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr

from annotate.pages.manage.gradio_events import QUIETLY, UNCHANGED, Updates, errors_shown, escaped, in_study
from annotate.pages.manage.workers_drawing import draw_control_power, draw_power, draw_reason
from annotate.requesters.oversight import Oversight
from data.declared import Setting
from data.errors import BadSetting
from db.study_settings import SETTINGS
from eval.workers import RULES, QualityRules, checked_rules, rules_of
from eval.workers.rule import Action, AskedNumber, WorkerRule

ACTIONS: dict[Action, str] = {
    "none": "Do nothing",
    "flag": "Write an event",
    "pause": "Pause the worker",
    "exclude": "Exclude the worker",
}
Values = dict[Any, Any]
"""What components hold, by the component."""


@dataclass(frozen=True)
class RulesForm:
    """The components: `fields` by the rule and its number, the minimum pay per hour, and what the rules do, drawn.

    `study` holds the name of the study in sight, `shown` the settings that the form was last filled with.
    """

    oversight: Oversight
    study: gr.State
    fields: Mapping[tuple[str, str], Any]
    minimum: gr.Number
    shown: gr.State
    control_power: gr.HTML
    power: gr.HTML

    @property
    def filled(self) -> list[Any]:
        """All that `values` fills."""
        return [*self.fields.values(), self.minimum, self.shown, self.control_power, self.power]

    @in_study
    def show(self, name: str) -> Updates:
        """Show the rules as they are now."""
        return self.values(name)

    def values(self, name: str) -> Updates:
        """Return what the form shows of a study."""
        settings = self.oversight.study(name).settings
        rules = rules_of(settings.quality)
        stored = rules.model_dump(mode="json")
        updates: Updates = {
            field: gr.update(
                value=_written(stored[rule][each]), visible=_when(rule, each) in ("", stored[rule].get("test"))
            )
            for (rule, each), field in self.fields.items()
        }
        return {**updates, self.minimum: settings.hourly_minimum, self.shown: settings, **self._power_html(name, rules)}

    def rules(self, values: Values) -> dict[str, dict[str, Any]]:
        """Return the rules as the form holds them; raises BadSetting for a field that must not be empty."""
        given: dict[str, dict[str, Any]] = {key: {} for key in RULES}
        for (rule, each), field in self.fields.items():
            value, declared = values[field], RULES[rule].numbers().get(each)
            if isinstance(field, gr.Textbox):
                value = value or ""
            if value is None and not (declared and declared[0].optional):
                raise BadSetting(f"The field {each.replace('_', ' ')!r} of this rule is empty; fill it in.")
            given[rule][each] = value
        return given

    def look(self, values: Values) -> Updates:
        """Draw what the rules do as they stand in the form."""
        if values[self.study] is None:
            return UNCHANGED
        try:
            return self._power_html(values[self.study], checked_rules(self.rules(values)))
        except BadSetting as error:
            return {self.control_power: str(draw_reason(str(error))), self.power: ""}

    @errors_shown
    def save(self, values: Values, request: gr.Request) -> Updates:
        """Give the study the rules of the form."""
        name, minimum, shown = (values[field] for field in (self.study, self.minimum, self.shown))
        if name is None:
            return UNCHANGED
        self.oversight.set_rules(name, self.rules(values), minimum, who=str(request.username), shown=shown)
        gr.Success(escaped("The rules apply to every answer from now on."))
        return self.values(name)

    def _power_html(self, name: str, rules: QualityRules) -> Updates:
        chances = self.oversight.control_chances(name)
        power = draw_power(rules, self.oversight.labels(name))
        return {self.control_power: str(draw_control_power(rules, chances)), self.power: str(power)}


def build_rules(oversight: Oversight, name: gr.State) -> RulesForm:
    """Build the form; it is filled when its tab is opened."""
    fields: dict[tuple[str, str], Any] = {}
    drawings = []
    for rule in QualityRules().each():
        fields |= {(rule.key, each): field for each, field in _section(rule).items()}
        if rule.by_controls:
            drawings.append(gr.HTML(apply_default_css=False))
    drawings.append(gr.HTML(apply_default_css=False))
    _heading("Pay", "Payments below this amount per active hour carry a warning.")
    with gr.Row(elem_classes="ends"):
        minimum = gr.Number(None, label=SETTINGS["hourly_minimum"].title, placeholder="none", scale=0, min_width=220)
        save = gr.Button("Save the rules", variant="primary", scale=0)
    form = RulesForm(oversight, name, fields, minimum, gr.State(None), *drawings)
    now: dict[str, Any] = {"queue": False, "trigger_mode": "always_last", **QUIETLY}
    inputs = {*fields.values(), minimum, name, form.shown}
    gr.on([field.input for field in fields.values()], form.look, inputs, drawings, **now)
    save.click(form.save, inputs, form.filled, trigger_mode="once", **QUIETLY)
    for (key, each), field in fields.items():
        if each == "test":
            asked = {
                other: when for (rule, field), other in fields.items() if rule == key and (when := _when(rule, field))
            }
            field.input(_by_test(asked), field, list(asked), **now)
    return form


def _by_test(asked: Mapping[Any, str]) -> Any:
    """Return what shows the fields that one test asks for and hides those of the others."""
    return lambda test: {field: gr.update(visible=when == test) for field, when in asked.items()}


def _written(value: Any) -> Any:
    """Return a number as its field shows it: several are parted by commas."""
    return ", ".join(value) if isinstance(value, list) else value


def _when(rule: str, each: str) -> str:
    declared = RULES[rule].numbers().get(each)
    return declared[1].when if declared else ""


def _section(rule: WorkerRule) -> dict[str, Any]:
    """Build the fields of a rule with their defaults: its action, then its numbers."""
    _heading(rule.title, rule.explanation)
    with gr.Row():
        actions = [(ACTIONS[action], action) for action in rule.actions()]
        action = gr.Dropdown(actions, value=rule.action, label="Action", min_width=240)
        shown = [(number, asked) for number, asked in rule.numbers().values() if not asked.hidden]
        return {"action": action} | {number.name: _field(rule, number, asked) for number, asked in shown}


def _heading(title: str, hint: str) -> None:
    """Say what the fields below are about."""
    gr.HTML(f'<div class="look report rule"><h2>{title}</h2><p class="hint">{hint}</p></div>', apply_default_css=False)


def _field(rule: WorkerRule, number: Setting, asked: AskedNumber) -> Any:
    value = getattr(rule, number.name)
    if number.choices:
        return gr.Dropdown(
            [(title, choice) for choice, title in number.choices.items()], value=value, label=number.title
        )
    if isinstance(value, tuple):
        return gr.Textbox("", label=number.title, placeholder=asked.empty, max_length=2000)
    kind: dict[str, Any] = {"precision": 0} if asked.step == 1 else {"step": asked.step}
    seen = not asked.when or asked.when == getattr(rule, "test", "")
    return gr.Number(value, label=number.title, placeholder=asked.empty or None, visible=seen, **kind)
