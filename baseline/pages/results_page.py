"""The results page: all studies at a glance; one study: change its rules, look at its table, pictures and items."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr

from baseline.output.overview_page import OverviewView
from baseline.output.rendering import TEMPLATES
from baseline.output.sections import SECTIONS
from baseline.output.study_page import draw_waiting
from baseline.pages.shown_errors import QUIETLY, UNCHANGED, Updates, shows_errors
from baseline.pages.study_cache import NotComputed, Opened, OverviewCache, StudyCache, StudyKey, changed, nothing_open
from data.declared import Setting
from data.drawing.page_header import draw_masthead
from data.errors import UnknownName
from data.human_rules import HUMAN_RULES, USUAL
from eval.consensus.rules import CONSENSUS, EXPERT, METHODS, OPEN_CONSENSUS
from eval.named_rules import NAMED_RULES, name_of_rules, rules_named
from eval.panel import PanelRules

ACTS = (TEMPLATES / "acts.js").read_text("utf8")
OVERVIEW = (TEMPLATES / "overview.js").read_text("utf8")
KEEP_IN_ADDRESS = (TEMPLATES / "address.js").read_text("utf8")


WIDEST = 420  # pixels
SOMETIMES = ("gold", "allowed_share")
"""The rules whose controls are in sight only where experts decided, and where the rules ask for agreement."""


@dataclass(frozen=True)
class RuleControls:
    """The fold of the rules: `procedure` takes those of a published one, `of` has the control of each by its name."""

    fold: gr.Accordion
    procedure: gr.Dropdown
    of: Mapping[str, gr.Dropdown | gr.Number]

    def values(self, opened: Opened) -> Updates:
        """Return the rules of a study as the values of their controls, with what its answers allow."""
        rules = opened.rules
        allowed: dict[str, dict[str, Any]] = {
            "consensus": {
                "choices": [(f"{rule}: {METHODS[rule].explanation}", rule) for rule in consensus_rules(opened)]
            },
            "gold": {"visible": bool(opened.results.human.panel.decisions) or rules.gold != USUAL["gold"]},
            "allowed_share": {"visible": rules.agreement_min is not None},
        }
        return {self.procedure: name_of_rules(rules)} | {
            control: gr.update(value=getattr(rules, name), **allowed.get(name, {})) for name, control in self.of.items()
        }

    def chosen(self, given: Mapping[Any, Any], rules: PanelRules) -> PanelRules:
        """Return rules as the controls change them."""
        return changed(rules, **{name: given[control] for name, control in self.of.items()})


@dataclass(frozen=True)
class ResultsHandlers:
    """What happens on the page; each returns what its components show now. `key` says what is open in a tab."""

    studies: StudyCache
    key: gr.State
    study: gr.Dropdown
    controls: RuleControls
    overview: gr.HTML
    report: gr.HTML
    parts: Mapping[str, gr.HTML]
    items: gr.HTML

    @property
    def shown(self) -> list[Any]:
        """The components that show the results of a study."""
        return [self.key, self.report, *self.parts.values(), self.controls.fold]

    @property
    def ruled(self) -> list[Any]:
        """The components that show what is computed under other rules, and these rules."""
        return [self.controls.procedure, *self.controls.of.values(), *self.shown]

    def arrive(self, request: gr.Request) -> Updates:
        """Draw the study in the address, or nothing but the overview."""
        names, asked = self.studies.studies(), request.query_params.get("study")
        try:
            opened = self.studies.open(asked) if asked else None
            mistake = None
        except (UnknownName, NotComputed) as error:
            opened, mistake = None, error
        picker = {self.study: gr.update(choices=names, value=asked if opened else None, visible=bool(names))}
        if opened:
            return picker | self.controls.values(opened) | self.results(opened)
        said = nothing_open(asked if names else None, mistake) if asked else ""
        nothing = dict.fromkeys(self.parts.values(), "")
        return picker | nothing | {self.key: None, self.report: said, self.controls.fold: gr.update(visible=False)}

    @shows_errors
    def pick(self, name: str) -> Updates:
        """Compute another study under its own rules."""
        opened = self.studies.open(name)
        return self.controls.values(opened) | self.results(opened) | {self.overview: ""}

    @shows_errors
    def follow(self, key: StudyKey | None, procedure: str) -> Updates:
        """Take the rules of a procedure, or the study's own again."""
        if key is None:
            return UNCHANGED
        rules = rules_named(procedure).on(key.rules) if procedure else None
        opened = self.studies.open(key.name, rules, consensus_only=key.consensus_only)
        return self.controls.values(opened) | self.results(opened)

    @shows_errors
    def rule(self, given: Mapping[Any, Any]) -> Updates:
        """Compute the study in sight under the rules of the controls, which stay as they are."""
        key: StudyKey | None = given[self.key]
        if key is None:
            return UNCHANGED
        rules = self.controls.chosen(given, key.rules)
        opened = self.studies.open(key.name, rules, consensus_only=key.consensus_only)
        return {self.controls.procedure: name_of_rules(rules)} | self.results(opened)

    @shows_errors
    def scope(self, key: StudyKey | None, event: gr.EventData) -> Updates:
        """Score other items: all with gold, or those people have one answer to."""
        if key is None:
            return UNCHANGED
        return self.results(self.studies.open(key.name, key.rules, consensus_only=event_data(event)["show"] == "kept"))

    def unfolding(self, name: str) -> Callable[[StudyKey | None, gr.EventData], Any]:
        """Return what happens when a part of the results is opened or folded."""

        @shows_errors
        def unfold(key: StudyKey | None, event: gr.EventData) -> Any:
            shown = event_data(event)["show"] == name
            return str(self.studies.section(self.studies.at(key), name, shown=shown)) if key else gr.skip()

        return unfold

    def list_items(self, key: StudyKey | None) -> str:
        """List the items of the study in sight."""
        return str(self.studies.items(self.studies.at(key))) if key else ""

    def look(self, key: StudyKey | None, event: gr.EventData) -> Any:
        """List other items."""
        return str(self.studies.items(self.studies.at(key), **event_data(event))) if key else gr.skip()

    def results(self, opened: Opened) -> Updates:
        """Return where a study is open, its report, its other parts folded, and the rules in a few words."""
        ruled = opened.results.study.task.answer.has_right
        return {
            self.key: opened.key,
            self.report: str(opened.report),
            **{part: str(self.studies.section(opened, name)) for name, part in self.parts.items()},
            self.controls.fold: gr.update(label=rules_in_words(opened.rules), visible=ruled),
        }


def build_page(studies: StudyCache) -> gr.Blocks:
    """Return the page over these studies: all of them at a glance, or one of them."""
    glance = OverviewCache(studies.database)
    page: gr.Blocks = gr.Blocks(title="Results · Etalon", analytics_enabled=False, fill_width=True)
    with page:
        gr.HTML(draw_masthead("Results"), apply_default_css=False)
        with gr.Column(elem_classes="requester-page tools"):
            study = gr.Dropdown([], label="Study", elem_classes="pick")
            controls = build_rules()
        overview = gr.HTML("", js_on_load=OVERVIEW, apply_default_css=False)
        report = gr.HTML(draw_waiting(), js_on_load=ACTS, apply_default_css=False)
        parts = {section.name: gr.HTML("", js_on_load=ACTS, apply_default_css=False) for section in SECTIONS}
        items = gr.HTML("", js_on_load=ACTS, apply_default_css=False)
        at = ResultsHandlers(studies, gr.State(None), study, controls, overview, report, parts, items)
        arrived = page.load(at.arrive, None, [study, *at.ruled], **QUIETLY)
        page.load(overview_event(glance), None, overview, **QUIETLY)
        overview.look(overview_as_asked(glance), None, overview, queue=False, **QUIETLY)
        picked = study.input(at.pick, study, [*at.ruled, overview], js=KEEP_IN_ADDRESS, **QUIETLY)
        changes = _connect_rules(at)
        scoped = report.scope(at.scope, at.key, at.shown, **QUIETLY)
        # The items are listed after the report stands: it does not wait for them.
        for drawn_first in (arrived, picked, *changes, scoped):
            drawn_first.then(at.list_items, at.key, items, **QUIETLY)
        for drawing in (report, items):
            drawing.look(at.look, at.key, items, queue=False, **QUIETLY)
        for name, part in parts.items():
            part.look(at.unfolding(name), at.key, part, **QUIETLY)
    return page


def _connect_rules(at: ResultsHandlers) -> tuple[Any, ...]:
    """Connect the controls of the rules; return the events by which they change."""
    controls = at.controls
    named = controls.procedure.input(at.follow, [at.key, controls.procedure], at.ruled, **QUIETLY)
    given = {at.key, *controls.of.values()}
    changes = [control.input for control in controls.of.values()]
    ruled = gr.on(changes, at.rule, given, [controls.procedure, *at.shown], trigger_mode="always_last", **QUIETLY)
    return named, ruled


def build_rules() -> RuleControls:
    """Build the controls of the rules; they are filled when a study is opened."""
    procedures = [("this study's own", ""), *((row.title, name) for name, row in NAMED_RULES.items())]
    with gr.Accordion("Rules", open=False, elem_classes="rules", visible=False) as fold:
        procedure = gr.Dropdown(procedures, value="", label="Procedure")
        with gr.Row():
            controls = {name: _control(rule) for name, rule in HUMAN_RULES.items()}
    return RuleControls(fold, procedure, controls)


def _control(rule: Setting) -> gr.Dropdown | gr.Number:
    """Return the control of a rule."""
    seen: dict[str, Any] = {"label": rule.title, "visible": rule.name not in SOMETIMES}
    if rule.choices:
        longest = max(map(len, rule.choices.values()))
        return gr.Dropdown(rule.options, value=rule.default, min_width=min(WIDEST, 60 + 8 * longest), **seen)
    precision = 0 if rule.kind is int else None
    return gr.Number(placeholder=rule.asked.placeholder or None, precision=precision, **seen)


def overview_event(glance: OverviewCache) -> Callable[[gr.Request], Iterator[str]]:
    """Return what happens when the page is opened without a study: the overview, as fast as it is computed."""

    def look(request: gr.Request) -> Iterator[str]:
        if request.query_params.get("study"):
            yield ""
        else:
            yield from map(str, glance.drawings(OverviewView.of(request.query_params)))

    return look


def overview_as_asked(glance: OverviewCache) -> Callable[[gr.EventData], str]:
    """Return what happens when the address of the overview changes; a browser may send anything."""

    def look(event: gr.EventData) -> str:
        sent: Any = event._data if isinstance(event._data, dict) else {}
        return str(glance.html(OverviewView.of(dict(parse_qsl(str(sent.get("query", ""))[1:2000])))))

    return look


def consensus_rules(opened: Opened) -> tuple[str, ...]:
    """Return the rules by which answers of this study may become one."""
    panel = opened.results.human.panel
    numbers = opened.results.study.task.answer.kind == "number"
    known = CONSENSUS if panel.votes.names is None else OPEN_CONSENSUS
    rules = tuple(rule for rule in known if numbers or not METHODS[rule].numbers_only)
    return (*rules, EXPERT) if panel.decisions or opened.rules.consensus == EXPERT else rules


def rules_in_words(rules: PanelRules) -> str:
    """Return the rules as their fold is called."""
    least = "everybody counts" if rules.control_min is None else f"controls at least {rules.control_min:.0%} right"
    procedure = NAMED_RULES.get(name_of_rules(rules))
    rule_title = procedure.title if procedure else ", then ".join((rules.consensus, *rules.then))
    words = f"Rules: {rule_title}, ties {rules.ties}, {rules.min_votes} or more votes, {least}"
    words += ", intervals for these people" if rules.interval == "items" else ""
    return words + (", gold as experts decided" if rules.gold == "decisions" else "")


def event_data(event: gr.EventData) -> dict[str, Any]:
    """Return which items a press in the drawing asks for; a browser may send anything."""
    sent: Any = event._data if isinstance(event._data, dict) else {}
    page = str(sent.get("page", ""))
    number = int(page) if page.isascii() and page.isdecimal() and len(page) < 9 else 0
    return {"show": str(sent.get("show", "")), "model": str(sent.get("model", "")), "page": number}
