"""The parts of a study's results that take time, each under the question it answers; drawn when they are asked for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from baseline.comparison.against_people_table import TITLE as AGAINST_PEOPLE_TITLE
from baseline.comparison.confusion import Confused, confusions, has_confusion
from baseline.comparison.error_kinds import carries_kinds, error_kinds, error_table, share
from baseline.comparison.gold_error_table import TITLE as GOLD_TITLE
from baseline.comparison.judge_tables import TITLE as JUDGE_TITLE
from baseline.comparison.judging import why_no_judges
from baseline.comparison.peer_tables import TITLE as PEERS_TITLE
from baseline.comparison.results import Results
from baseline.comparison.run_pair_tables import TITLE as MODELS_TITLE
from baseline.comparison.run_pair_tables import compared_models, matrix, matrix_note, pair_notes, pair_table
from baseline.comparison.score_breakdowns import of_results
from baseline.human.baseline import collected
from baseline.human.detailed_baseline import strip_of
from baseline.human.procedure import followed_procedure, procedure_source, procedure_table
from baseline.human.sensitivity_strip import picture, strip_remarks, strip_table
from baseline.output.against_people_section import draw_against_people
from baseline.output.cost_section import draw_cost
from baseline.output.gold_section import draw_gold_errors
from baseline.output.group_section import about_groups, draw_group_tables
from baseline.output.html import draw_order, drawn_with
from baseline.output.judge_section import draw_judges
from baseline.output.peer_section import draw_peers
from baseline.output.score_table import CLASSES
from data.numbers import interval, number
from data.tables import Table
from db.engine import Session
from eval.named_rules import name_of_rules


def draw_models(results: Results) -> Markup:
    """Return the section: how many pairs of models differ, the matrix of models, their table."""
    pairs = compared_models(results)
    markup = draw_order([matrix_note(results, pairs)], Markup(), [pair_table(pairs)], pair_notes(pairs))
    return draw_matrix(matrix(results, pairs)) + markup


def draw_matrix(table: Table[Any]) -> Markup:
    """Return the matrix of models against each other in sight."""
    return drawn_with("model_matrix.html", table=table, kinds=CLASSES)


Draw = Callable[[Session, Results], Markup]


@dataclass(frozen=True)
class ResultsSection:
    """One part: the question it answers, what it shows of a study, whether it has something to show, its drawing."""

    name: str
    title: str
    about: Callable[[Results], str]
    applies: Callable[[Results], bool]
    draw: Draw


def draw_section(session: Session | None, results: Results, section: ResultsSection) -> Markup:
    """Return a part folded where there is no session to compute it in; nothing where it does not apply."""
    if not section.applies(results):
        return Markup()
    return drawn_with(
        "section.html",
        name=section.name,
        title=section.title,
        about=section.about(results),
        open=session is not None,
        body=section.draw(session, results) if session else "",
    )


def _scored(results: Results) -> bool:
    return bool(results.human.panel.gold) and bool(results.rows) and results.study.task.answer.has_right


def _judged(results: Results) -> bool:
    return _scored(results) and len(results.human.panel.votes) > 0


def _both(results: Results) -> bool:
    return _judged(results) and bool(results.models)


def _groups(session: Session, results: Results) -> Markup:
    return draw_group_tables(results, of_results(session, results))


def draw_confusion(results: Results) -> Markup:
    """Return a matrix for each respondent; the labels that stand in no gold and no answer are left out."""
    tables = [(row.called, CLASSES[row.kind], table) for row, table in confusions(results)]
    return drawn_with("confusion.html", tables=tables, says=_says, shade=_shade)


def _says(confusion: Confused) -> str:
    """Return what is said of a cell on hover."""
    if not confusion.total:
        return f"no item is {confusion.gold}"
    return (
        f"of {confusion.total:g} answers to items that are {confusion.gold}, "
        f"{confusion.count:.1f} say {confusion.answer}: {number(confusion.share)}, "
        f"95% interval {interval(confusion.ci)}"
    )


def _shade(confusion: Confused) -> str:
    """Return the class of a cell's shade: five steps, and none for no answer at all."""
    return f"deep-{min(5, int(confusion.share * 5 + 0.999)) if confusion.count else 0}"


def draw_errors(session: Session, results: Results) -> Markup:
    """Return the section "What do they get wrong?"; nothing where options carry no kinds."""
    kinds = error_kinds(session, results)
    if not kinds:
        return Markup()
    offered = {words: share(n, sum(kinds.offered)) for words, n in zip(kinds.words, kinds.offered, strict=True)}
    table = error_table(kinds).titled({words: words for words in offered})
    return drawn_with("errors.html", table=replace(table, caption=""), offered=offered, kinds=CLASSES)


def _about_rules(results: Results) -> str:
    """Return what the section on rules shows: other rules, or a procedure without each of its steps."""
    if name_of_rules(results.human.panel.rules):
        return "The same votes without each step of the procedure"
    return "The same votes under every threshold of controls, number of votes and rule of ties"


def draw_sensitivity(session: Session, results: Results) -> Markup:
    """Return the section: a picture with a dot for each choice of rules, and its figures; a procedure's steps first."""
    data, people = collected(session, study=results.study, briefly=True), results.human.panel
    procedure = followed_procedure(data, people)
    if procedure:
        source = procedure_source(procedure)
        return drawn_with("sensitivity.html", procedure=procedure_table(procedure), source=source)
    strip, own = strip_of(data, people), people.rules
    table = replace(strip_table(strip, own), caption="")
    return drawn_with("sensitivity.html", picture=picture(strip, own), table=table, remarks=strip_remarks(strip))


SECTIONS = (
    ResultsSection(
        "peers",
        PEERS_TITLE,
        lambda _: "Each person beside the others, each model beside all of them: the same items without gold",
        lambda results: _scored(results) and results.peers is not None,
        lambda _, results: draw_peers(results),
    ),
    ResultsSection(
        "groups",
        "By group of items",
        about_groups,
        lambda results: _scored(results) and bool(results.study.task.breakdowns),
        _groups,
    ),
    ResultsSection(
        "people",
        AGAINST_PEOPLE_TITLE,
        lambda results: (
            "The adjusted difference of each model, "
            f"{'equivalence, ' if results.margin is not None else ''}and the alternative-annotator test"
        ),
        _both,
        lambda _, results: draw_against_people(results),
    ),
    ResultsSection(
        "models",
        MODELS_TITLE,
        lambda _: "Every two models on the same items: who is ahead, and whether chance explains it",
        lambda results: _scored(results) and len(results.models) > 1,
        lambda _, results: draw_models(results),
    ),
    ResultsSection(
        "judges",
        JUDGE_TITLE,
        lambda _: (
            "How far each model agrees with people, and what they would say of items that only a model has judged"
        ),
        lambda results: not why_no_judges(results) and results.study.task.answer.has_right,
        lambda _, results: draw_judges(results),
    ),
    ResultsSection(
        "gold",
        GOLD_TITLE,
        lambda _: "Gold answers that people and models contradict",
        _judged,
        lambda _, results: draw_gold_errors(results),
    ),
    ResultsSection(
        "rule",
        "Does the rule decide the score?",
        _about_rules,
        _judged,
        draw_sensitivity,
    ),
    ResultsSection(
        "confusion",
        "Which answers are confused?",
        lambda _: "Confusion matrices of people and of each model",
        lambda results: _scored(results) and has_confusion(results),
        lambda _, results: draw_confusion(results),
    ),
    ResultsSection(
        "mistakes",
        "What do they get wrong?",
        lambda _: "Wrong answers by the kind of the option taken",
        lambda results: _scored(results) and carries_kinds(results.study.task),
        draw_errors,
    ),
    ResultsSection(
        "money",
        "What does an answer cost?",
        lambda _: "Time and cost of an item, and the score against the cost",
        lambda results: bool(results.rows) and results.study.task.answer.has_right,
        draw_cost,
    ),
)
BY_NAME = {section.name: section for section in SECTIONS}
