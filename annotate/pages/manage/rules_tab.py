"""The form of a study's rules on workers, made from their declarations, with what they do to whom."""

from collections.abc import Mapping, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from annotate.pages.manage.study_drawing import rendered
from annotate.requesters.oversight import Oversight
from data.declared import Setting
from data.drawing.gradio_events import AT_ONCE, QUIETLY, UNCHANGED, Updates, errors_shown, escaped, in_study
from data.errors import BadSetting
from data.tables import Column, Table, table_of
from db.study_settings import SETTINGS
from eval.workers.rule import GOOD, Action, AskedNumber, Chances, Power, WorkerRule
from eval.workers.table import RULES, QualityRules, checked_rules, rules_of

ACTIONS: dict[Action, str] = {
    "none": "Do nothing",
    "flag": "Write an event",
    "pause": "Pause the worker",
    "exclude": "Exclude the worker",
}
POWER: tuple[Column[tuple[str, Power]], ...] = (
    Column("rule", "rule", "", lambda row: row[0], style="start"),
    Column("answers", "answers", "", lambda row: row[1].answers),
    Column("guesser_passes", "random guessers who pass", "", lambda row: row[1].guesser_passes, "{:.1%}".format),
    Column("good_found", f"workers with {GOOD:.0%} who are found", "", lambda row: row[1].good_found, "{:.2%}".format),
)
Values = dict[Any, Any]
"""What components hold, by the component."""


class RulesForm:
    """The components: `fields` by the rule and its number, the minimum pay per hour, and what the rules do, drawn.

    `study` holds the name of the study in sight, `shown` the settings that the form was last filled with. It is filled
    when its tab is opened.
    """

    def __init__(self, oversight: Oversight, study: gr.State) -> None:
        self.oversight, self.study, self.shown = oversight, study, gr.State(None)
        self.fields: dict[tuple[str, str], Any] = {}
        drawings = []
        for rule in QualityRules().each():
            self.fields |= {(rule.key, each): field for each, field in _section(rule).items()}
            if rule.by_controls:
                drawings.append(gr.HTML(apply_default_css=False))
        self.control_power, self.power = *drawings, gr.HTML(apply_default_css=False)
        _heading("Pay", "Payments below this amount per active hour carry a warning.")
        with gr.Row(elem_classes="ends"):
            title = SETTINGS["hourly_minimum"].title
            self.minimum = gr.Number(None, label=title, placeholder="none", scale=0, min_width=220)
            save = gr.Button("Save the rules", variant="primary", scale=0)
        drawn = [self.control_power, self.power]
        self.filled: list[Any] = [*self.fields.values(), self.minimum, self.shown, *drawn]
        """All that `values` fills."""
        now: dict[str, Any] = {"trigger_mode": "always_last", **AT_ONCE}
        inputs = {*self.fields.values(), self.minimum, study, self.shown}
        gr.on([field.input for field in self.fields.values()], self.look, inputs, drawn, **now)
        save.click(self.save, inputs, self.filled, trigger_mode="once", **QUIETLY)
        for (key, each), field in self.fields.items():
            if each == "test":
                others = {other: _when(*name) for name, other in self.fields.items() if name[0] == key}
                asked = {other: when for other, when in others.items() if when}
                field.input(_by_test(asked), field, list(asked), **now)

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


def draw_control_power(rules: QualityRules, chances: Chances | None) -> Markup:
    """Return how often the control rule stops whom; `chances` is None for a study without controls."""
    if rules.control.action == "none":
        return draw_reason("The rule is off: it does not stop workers who guess.")
    test = rules.control.test_at(chances.chance) if chances else None
    rows = rules.control.power(chances) if chances else ()
    simulated = any(power.simulated for power in rows)
    seen = {"chances": chances, "simulated": simulated, "limit": test.limit if test else 0.0}
    return rendered("control_power.html", reason="", table=_shares(rows), **seen)


def _shares(rows: Sequence[Power]) -> Table[Sequence[object]]:
    """Return who is stopped by how many controls were answered: a column for each number of them."""
    lines = [
        ("random guessers who still work", *(f"{power.guesser_passes:.1%}" for power in rows)),
        (f"workers with {GOOD:.0%} who are stopped", *(f"{power.good_found:.2%}" for power in rows)),
    ]
    header = ["controls answered", *(str(power.answers) for power in rows)]
    return table_of("Shares by the number of controls answered", header, lines if rows else ())


def draw_reason(reason: str) -> Markup:
    """Return why it cannot be told how often the control rule stops whom."""
    return rendered("control_power.html", reason=reason)


def draw_power(rules: QualityRules, labels: int) -> Markup:
    """Return how often the other rules find whom where one of `labels` answers is chosen; 0 for open answers."""
    reason = "" if labels else "Answers are open, so figures for the other rules cannot be computed."
    chances = Chances(labels=max(2, labels))
    on = [rule for rule in rules.each() if rule.action != "none" and not rule.by_controls] if labels else []
    rows = [(rule.name(), power) for rule in on for power in rule.power(chances)]
    notes = " ".join(filter(None, (rule.power_note() for rule in RULES.values())))
    silent = [rule.name() for rule in RULES.values() if rule.power is WorkerRule.power]
    seen = {"labels": labels, "reason": reason, "notes": notes, "silent": silent}
    return rendered("power.html", table=Table("Shares by rule", POWER, rows), **seen)
