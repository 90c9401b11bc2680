"""The form of a study's rules on workers, with what they do to guessers and to good workers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr

from annotate.pages.manage.people_drawing import draw_gates, draw_odds
from annotate.pages.manage.rule_fields import FIELDS, OPTIONAL, SECTIONS, build_section, heading
from annotate.pages.manage.telling import QUIETLY, safe, told
from annotate.staff.odds import odds
from annotate.staff.oversight import Oversight, checked_rules
from data.errors import BadSetting
from db.study_settings import StudySettings

TRAPS = ("trap", "items")
PIECES = re.compile(r"[\s,;]+")


@dataclass(frozen=True)
class RulesForm:
    """The components: `inputs` in the order of FIELDS, the minimum pay per hour after them; what they do is drawn.

    `shown` holds the settings that the form was last filled with.
    """

    inputs: tuple[Any, ...]
    shown: gr.State
    gates: gr.HTML
    odds: gr.HTML

    @property
    def filled(self) -> list[Any]:
        """All of it, in the order of `values_of`."""
        return [*self.inputs, self.shown, self.gates, self.odds]


def build_rules(oversight: Oversight, name: gr.State) -> RulesForm:
    """Build the form; it is filled when its tab is opened."""
    control = build_section(SECTIONS[0])
    gates = gr.HTML(apply_default_css=False)
    others = [field for section in SECTIONS[1:] for field in build_section(section)]
    others_do = gr.HTML(apply_default_css=False)
    heading("Pay", "Payments carry a warning for whoever earns less per active hour.")
    with gr.Row(elem_classes="ends"):
        minimum = gr.Number(None, label="Minimum per hour", placeholder="none", scale=0, min_width=220)
        save = gr.Button("Save the rules", variant="primary", scale=0)
    form = RulesForm((*control, *others, minimum), gr.State(None), gates, others_do)
    _follow(form, oversight, name, save)
    return form


def values_of(oversight: Oversight, name: str) -> tuple[Any, ...]:
    """Return the values of the form for a study, its settings, and the drawings of what its rules do."""
    settings = oversight.study(name).settings
    stored = settings.quality.model_dump(mode="json")
    values = [gr.update(value=stored[rule][field]) for rule, field in FIELDS]
    for place, seen in _tests(settings.quality.control.test).items():
        values[place] = gr.update(value=stored["control"][FIELDS[place][1]], visible=seen)
    values[FIELDS.index(TRAPS)] = gr.update(value=", ".join(stored["trap"]["items"]))
    return (*values, settings.hourly_minimum, settings, *_drawn(oversight, name, stored))


def rules_of(values: tuple[Any, ...]) -> dict[str, dict[str, Any]]:
    """Return the rules as the form holds them; raises BadSetting for a field that must not be empty."""
    given: dict[str, dict[str, Any]] = {rule: {} for rule, _ in FIELDS}
    for (rule, field), value in zip(FIELDS, values, strict=True):
        if value is None and (rule, field) not in OPTIONAL:
            raise BadSetting(f"The field {field.replace('_', ' ')!r} of this rule is empty; fill it in.")
        given[rule][field] = [one for one in PIECES.split(value or "") if one] if (rule, field) == TRAPS else value
    return given


def _follow(form: RulesForm, oversight: Oversight, name: gr.State, save: gr.Button) -> None:
    control, now = form.inputs[:6], {"queue": False, "trigger_mode": "always_last", **QUIETLY}

    drawn = [form.gates, form.odds]

    def looked(study: str | None, *values: Any) -> Any:
        if study is None:
            return gr.skip()
        try:
            return _drawn(oversight, study, rules_of(values[:-1]))
        except BadSetting as error:
            return str(draw_gates(None, reason=str(error))), ""

    @told
    def saved(study: str | None, shown: StudySettings | None, request: gr.Request, *values: Any) -> Any:
        if study is None:
            return gr.skip()
        oversight.set_rules(study, rules_of(values[:-1]), values[-1], who=str(request.username), shown=shown)
        gr.Success(safe("The rules hold for every answer from now on."))
        return values_of(oversight, study)

    def tested(test: str) -> list[Any]:
        return [gr.update(visible=seen) for seen in _tests(test).values()]

    gr.on([one.input for one in form.inputs[:-1]], looked, [name, *form.inputs], drawn, **now)
    control[1].input(tested, control[1], list(control[2:4]), **now)
    save.click(saved, [name, form.shown, *form.inputs], form.filled, trigger_mode="once", **QUIETLY)


def _tests(test: str) -> dict[int, bool]:
    """Return whether the fields (by place) that only one test has are to be seen."""
    return {2: test == "posterior", 3: test == "threshold"}


def _drawn(oversight: Oversight, name: str, rules: Mapping[str, Any]) -> tuple[str, str]:
    """Return what the rule on controls does, and what the others do, drawn."""
    checked = checked_rules(rules)
    labels = oversight.labels(name)
    others = str(draw_odds(odds(checked, labels) if labels else (), labels))
    if checked.control.action == "none":
        return str(draw_gates(None, reason="The rule is off: whoever guesses works on to the end.")), others
    return str(draw_gates(oversight.gates(name, rules))), others
