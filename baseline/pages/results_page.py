"""The results page: all studies at a glance; one study: change its rules, look at its table, pictures and items."""

from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr

from baseline.output.rendering import TEMPLATES
from baseline.output.sections import SECTIONS
from baseline.output.study_page import draw_waiting
from baseline.pages.shown_errors import QUIETLY, shows_errors
from baseline.pages.study_cache import Opened, OverviewCache, StudyCache, StudyKey, changed, nothing_open
from data.drawing.page_header import draw_masthead
from data.errors import UnknownName
from data.human_rules import INTERVALS
from db.study_settings import SETTINGS
from eval.consensus.rules import CONSENSUS, EXPERT, METHODS, OPEN_CONSENSUS
from eval.named_rules import NAMED_RULES, name_of_rules, rules_named

ACTS = (TEMPLATES / "acts.js").read_text("utf8")
OVERVIEW = (TEMPLATES / "overview.js").read_text("utf8")
KEEP_IN_ADDRESS = (TEMPLATES / "address.js").read_text("utf8")


def build_page(studies: StudyCache) -> gr.Blocks:
    """Return the page over these studies: all of them at a glance, or one of them."""
    glance = OverviewCache(studies.database)
    page: gr.Blocks = gr.Blocks(title="Results · Etalon", analytics_enabled=False, fill_width=True)
    with page:
        gr.HTML(draw_masthead("Results"), apply_default_css=False)
        key = gr.State(None)
        with gr.Column(elem_classes="requester-page tools"):
            study = gr.Dropdown([], label="Study", elem_classes="pick")
            with gr.Accordion("Rules", open=False, elem_classes="rules", visible=False) as panel:
                published = published_rules()
                controls = rule_controls()
        overview = gr.HTML("", js_on_load=OVERVIEW, apply_default_css=False)
        report = gr.HTML(draw_waiting(), js_on_load=ACTS, apply_default_css=False)
        parts = [gr.HTML("", js_on_load=ACTS, apply_default_css=False) for _ in SECTIONS]
        items = gr.HTML("", js_on_load=ACTS, apply_default_css=False)
        shown = [key, report, *parts, panel]

        def list_items(key: StudyKey | None) -> str:
            return str(studies.items(studies.at(key))) if key else ""

        def look(key: StudyKey | None, event: gr.EventData) -> Any:
            return str(studies.items(studies.at(key), **asked(event))) if key else gr.skip()

        arrived = page.load(arriving(studies), None, [study, published, *controls, *shown], **QUIETLY)
        page.load(overview_event(glance), None, overview, **QUIETLY)
        ruled_by = [published, *controls, *shown]
        picked = study.input(study_event(studies), study, [*ruled_by, overview], js=KEEP_IN_ADDRESS, **QUIETLY)
        named = published.input(naming(studies), [key, published], ruled_by, **QUIETLY)
        ruled = gr.on(
            [control.input for control in controls],
            rules_event(studies),
            [key, *controls],
            [published, *shown],
            trigger_mode="always_last",
            **QUIETLY,
        )
        scoped = report.scope(scoping(studies), key, shown, **QUIETLY)
        # The items are listed after the report stands: it does not wait for them.
        for drawn_first in (arrived, picked, named, ruled, scoped):
            drawn_first.then(list_items, key, items, **QUIETLY)
        for drawing in (report, items):
            drawing.look(look, key, items, queue=False, **QUIETLY)
        for section, part in zip(SECTIONS, parts, strict=True):
            part.look(unfolding(studies, section.name), key, part, **QUIETLY)
    return page


def published_rules() -> gr.Dropdown:
    """Return the control that takes the rules of somebody else's procedure, or the study's own."""
    choices = [("this study's own", ""), *((row.title, name) for name, row in NAMED_RULES.items())]
    return gr.Dropdown(choices, value="", label="Procedure")


def rule_controls() -> list[gr.Dropdown | gr.Number]:
    """Return the controls of the rules, in the order in which `rule_values` fills them."""
    with gr.Row():
        return [
            gr.Dropdown(SETTINGS["ties"].options, label=SETTINGS["ties"].title, min_width=240),
            gr.Number(label=SETTINGS["min_votes"].title, precision=0),
            gr.Number(label=SETTINGS["control_min"].title, placeholder="everybody counts"),
            gr.Dropdown(list(CONSENSUS), label=SETTINGS["consensus"].title, scale=2, min_width=320),
            gr.Dropdown(SETTINGS["gold"].options, value="file", label=SETTINGS["gold"].title, visible=False),
            gr.Dropdown(
                [(words, key) for key, words in INTERVALS.items()],
                value="people",
                label="Intervals of people hold for",
                min_width=240,
            ),
            gr.Number(label="Share of items that may be below the agreement", placeholder="no verdict", visible=False),
        ]


def arriving(studies: StudyCache) -> Callable[[gr.Request], tuple[Any, ...]]:
    """Return what happens when the page is opened: the study in its address is drawn, or nothing but the overview."""

    def arrive(request: gr.Request) -> tuple[Any, ...]:
        names, asked = studies.studies(), request.query_params.get("study")
        try:
            opened = studies.open(asked) if asked else None
            mistake = None
        except UnknownName as error:
            opened, mistake = None, error
        picker = gr.update(choices=names, value=asked if opened else None, visible=bool(names))
        if opened:
            return (picker, *rule_values(opened), *report_updates(studies, opened))
        said = nothing_open(asked if names else None, mistake) if asked else ""
        nothing = [gr.skip()] * (1 + len(rule_names()))
        return (picker, *nothing, None, said, *([""] * len(SECTIONS)), gr.update(visible=False))

    return arrive


def overview_event(glance: OverviewCache) -> Callable[[gr.Request], Iterator[str]]:
    """Return what happens beside it: without a study in the address the overview comes, as fast as it is computed."""

    def look(request: gr.Request) -> Iterator[str]:
        if request.query_params.get("study"):
            yield ""
        else:
            yield from map(str, glance.drawings())

    return look


def scoping(studies: StudyCache) -> Callable[..., tuple[Any, ...]]:
    """Return what happens when other items are to be scored: all with gold, or those people have one answer to."""

    @shows_errors
    def scope(key: StudyKey | None, event: gr.EventData) -> tuple[Any, ...]:
        if key is None:
            return (gr.skip(),) * (3 + len(SECTIONS))
        return report_updates(studies, studies.open(key.name, key.rules, kept=asked(event)["show"] == "kept"))

    return scope


def unfolding(studies: StudyCache, name: str) -> Callable[..., Any]:
    """Return what happens when a part of the results is opened or folded."""

    @shows_errors
    def unfold(key: StudyKey | None, event: gr.EventData) -> Any:
        return str(studies.section(studies.at(key), name, shown=asked(event)["show"] == name)) if key else gr.skip()

    return unfold


def study_event(studies: StudyCache) -> Callable[[str], tuple[Any, ...]]:
    """Return what happens when a study is picked: it is computed under its own rules."""

    @shows_errors
    def pick(name: str) -> tuple[Any, ...]:
        opened = studies.open(name)
        return (*rule_values(opened), *report_updates(studies, opened), "")

    return pick


def naming(studies: StudyCache) -> Callable[..., tuple[Any, ...]]:
    """Return what happens when a procedure is picked: its rules are taken, or the study's own again."""

    @shows_errors
    def name(key: StudyKey | None, procedure: str) -> tuple[Any, ...]:
        if key is None:
            return (gr.skip(),) * (4 + len(rule_names()) + len(SECTIONS))
        rules = rules_named(procedure).on(key.rules) if procedure else None
        opened = studies.open(key.name, rules, kept=key.kept)
        return (*rule_values(opened), *report_updates(studies, opened))

    return name


def rules_event(studies: StudyCache) -> Callable[..., tuple[Any, ...]]:
    """Return what happens when a rule is changed: the study in sight is computed anew."""

    @shows_errors
    def rule(key: StudyKey | None, *values: Any) -> tuple[Any, ...]:
        if key is None:
            return (gr.skip(),) * (4 + len(SECTIONS))
        rules = changed(key.rules, **dict(zip(rule_names(), values, strict=True)))
        return (name_of_rules(rules), *report_updates(studies, studies.open(key.name, rules, kept=key.kept)))

    return rule


def rule_names() -> tuple[str, ...]:
    """Return the names of the rules in the order of their controls."""
    return ("ties", "min_votes", "control_min", "consensus", "gold", "interval", "allowed_share")


def rule_values(opened: Opened) -> list[Any]:
    """Return the procedure of a study and its rules as the values of their controls, with what its answers allow."""
    *others, consensus, gold, interval, allowed = [getattr(opened.rules, name) for name in rule_names()]
    choices = [(f"{rule}: {METHODS[rule].explanation}", rule) for rule in consensus_rules(opened)]
    decided = bool(opened.results.human.panel.decisions) or gold != "file"
    return [
        name_of_rules(opened.rules),
        *others,
        gr.update(choices=choices, value=consensus),
        gr.update(value=gold, visible=decided),
        interval,
        gr.update(value=allowed, visible=opened.rules.agreement_min is not None),
    ]


def consensus_rules(opened: Opened) -> tuple[str, ...]:
    """Return the rules by which answers of this study may become one."""
    panel = opened.results.human.panel
    numbers = opened.results.study.task.answer.kind == "number"
    known = CONSENSUS if panel.votes.names is None else OPEN_CONSENSUS
    rules = tuple(rule for rule in known if numbers or not METHODS[rule].numbers_only)
    return (*rules, EXPERT) if panel.decisions or opened.rules.consensus == EXPERT else rules


def report_updates(studies: StudyCache, opened: Opened) -> tuple[Any, ...]:
    """Return where a study is open, its report, its other parts folded, and the rules in a few words."""
    rules = opened.rules
    least = "everybody counts" if rules.control_min is None else f"controls at least {rules.control_min:.0%} right"
    procedure = NAMED_RULES.get(name_of_rules(rules))
    rule_title = procedure.title if procedure else ", then ".join((rules.consensus, *rules.then))
    words = f"Rules: {rule_title}, ties {rules.ties}, {rules.min_votes} or more votes, {least}"
    ruled = opened.results.study.task.answer.has_right
    words += ", intervals for these people" if rules.interval == "items" else ""
    words += ", gold as experts decided" if rules.gold != "file" else ""
    parts = [studies.section(opened, section.name) for section in SECTIONS]
    return opened.key, str(opened.report), *map(str, parts), gr.update(label=words, visible=ruled)


def asked(event: gr.EventData) -> dict[str, Any]:
    """Return which items a press in the drawing asks for; a browser may send anything."""
    sent: Any = event._data if isinstance(event._data, dict) else {}
    page = str(sent.get("page", ""))
    number = int(page) if page.isascii() and page.isdecimal() and len(page) < 9 else 0
    return {"show": str(sent.get("show", "")), "model": str(sent.get("model", "")), "page": number}
