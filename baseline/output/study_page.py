"""The results of a study as HTML: the verdict, then one tab; and the states with nothing to show."""

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from baseline.comparison.pair_rankings import why_no_ranking
from baseline.comparison.results import Results
from baseline.comparison.verdicts import standings
from baseline.output.computed_exports import FOR_VIEWERS
from baseline.output.headline import headline
from baseline.output.html import drawn_with
from baseline.output.result_tabs import ITEMS, TABS, StudyView, Tab
from baseline.output.study_address import StudyAddress
from data.declared import Setting
from data.human_rules import HUMAN_RULES, TIES
from db.engine import Session
from db.items import coverage
from eval.consensus.rules import CONSENSUS, EXPERT, METHODS, OPEN_CONSENSUS
from eval.named_rules import NAMED_RULES, name_of_rules
from eval.panel import PanelRules


def draw_study(
    session: Session,
    results: Results,
    at: StudyAddress,
    *,
    items: Markup | None,
    own: PanelRules,
    refused: str = "",
) -> Markup:
    """Return the results of a study with the tab that the address names.

    `items` is what the tab of items shows where that is in sight, `own` are the rules stored with the study,
    `refused` says why rules of the address are not used.
    """
    study, task = results.study, results.study.task
    view = StudyView(session, results, standings(results), FOR_VIEWERS.values())
    offered, number = [tab for tab in TABS if tab.applies(view)], f" {len(results.panel.votes.items)}"
    tab = next((tab for tab in offered if tab.name == at.tab), offered[0])
    return drawn_with(
        "study.html",
        title=task.title.for_requesters,
        study=study.name,
        headline=headline(results, view.standings, coverage(session, study=study), view.rankings),
        tabs=[(each.name, f"{each.title}{number * (each.name == ITEMS)}", at.to_tab(each.name)) for each in offered],
        here=tab.name,
        notes=list(tab.notes(view))[:3],
        message=_message(results, tab),
        parts=list(_parts(view, tab, at)) if tab.name != ITEMS else [],
        items=items or "",
        rules=list(rule_controls(results, own)) if tab is offered[0] and view.judged else [],
        procedures={"": "this study’s own"} | {name: row.title for name, row in NAMED_RULES.items()},
        procedure=name_of_rules(results.panel.rules),
        rules_words=rules_in_words(results.panel.rules),
        refused=refused,
        hidden=[("study", study.name), ("tab", tab.name)],
    )


def _parts(view: StudyView, tab: Tab, at: StudyAddress) -> Iterator[dict[str, Any]]:
    """Yield the parts of a tab that have something to show."""
    for part in tab.parts:
        if part.slow is None or part.slow(view):
            shown = not part.slow or part.name == at.shown
            link = at.link(tab=tab.name, shown="" if shown else part.name) if part.slow else ""
            body = part.body(view) if shown else Markup()
            if body or not shown:
                yield {"name": part.name, "title": part.title, "open": shown, "link": link, "body": body}


def _message(results: Results, tab: Tab) -> Markup:
    """Return what to do next where a tab has nothing to show yet."""
    judged, study = len(results.panel.votes) > 0, results.study
    if tab is not TABS[0]:
        return Markup()
    if not judged:
        return draw_message(
            "Nobody has answered yet",
            f"Open “{study.name}” under Studies, copy its invitation link and send it to people. Their answers "
            "are counted here as they come.",
        )
    if not study.task.answer.has_right:
        return draw_message(
            "What next: let others judge it",
            "What people wrote has no right answer. Make a file of all entries, and a new study of it in which other "
            "people check them:",
            f"python app.py written {study.name} --task {study.task.judged_by or 'TASK'} --to written.jsonl",
        )
    if not results.models and why_no_ranking(results):
        return draw_message(
            "No model has answered yet",
            "Run one over the same items. A random baseline costs nothing and shows where scores begin:",
            f"python app.py run {study.name} --model random",
        )
    return Markup()


def draw_message(heading: str, text: str, command: str = "") -> Markup:
    """Return a state with nothing to show: what happened, what to do next, the command that does it."""
    return drawn_with("message.html", heading=heading, text=text, command=command)


def rule_controls(results: Results, own: PanelRules) -> Iterator[tuple[Setting, str, str, Mapping[str, str]]]:
    """Yield the rules that results may be changed by: what is chosen, the study's `own`, and values with their words.

    Rules that make no sense here are left out.
    """
    rules, panel = results.panel.rules, results.panel
    absent = set() if panel.decisions or rules.gold != own.gold else {"gold"}
    absent |= {"allowed_share"} if rules.agreement_min is None else set()
    for name, rule in HUMAN_RULES.items():
        if name not in absent:
            choices = {each: METHODS[each].explanation for each in consensus_rules(results)}
            written, stored = (_written(getattr(each, name)) for each in (rules, own))
            yield rule, written, stored, choices if name == "consensus" else rule.choices


def _written(value: object) -> str:
    return "" if value is None else str(value)


def consensus_rules(results: Results) -> tuple[str, ...]:
    """Return the rules by which answers of a study may become one."""
    panel = results.panel
    numbers = results.study.task.answer.kind == "number"
    known = CONSENSUS if panel.votes.names is None else OPEN_CONSENSUS
    rules = tuple(rule for rule in known if numbers or not METHODS[rule].numbers_only)
    return (*rules, EXPERT) if panel.decisions or panel.rules.consensus == EXPERT else rules


def rules_in_words(rules: PanelRules) -> str:
    """Return the rules in a line."""
    procedure = NAMED_RULES.get(name_of_rules(rules))
    words = [
        procedure.title if procedure else ", then ".join((rules.consensus, *rules.then)),
        f"ties {TIES[rules.ties]}",
    ]
    words += [f"{rules.min_votes} votes needed"] if rules.min_votes > 1 else []
    words += [] if rules.control_min is None else [f"controls at least {rules.control_min:.0%} right"]
    words += ["intervals for these people"] if rules.interval == "items" else []
    words += ["gold as experts decided"] if rules.gold == "decisions" else []
    return f"Rules: {', '.join(words)}"
