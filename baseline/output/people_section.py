"""What people score, whether or not a model has answered: the score, one person alone, agreement, rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from baseline.comparison.document import Document, Section
from baseline.comparison.verdicts import Scale, scale_of, whose_answer
from baseline.human.baseline import HumanBaseline
from baseline.human.rules_and_agreement import rule_table
from baseline.output.headline import grounds, people_warnings, score_notes, score_words
from data.numbers import DASH, counted, interval, number
from data.tables import Column, Table
from db.engine import Session
from db.items import coverage
from db.payments import pay_and_time
from db.studies import Study
from eval.estimate import Estimate
from eval.metrics.table import metric_named

MOST_NOTES = 3


@dataclass(frozen=True)
class PeopleFigure:
    """A figure of people as it is read: its value, its interval and over how much."""

    name: str
    value: str
    interval: str
    over: str


FIGURES: tuple[Column[PeopleFigure], ...] = (
    Column("figure", "", "", lambda row: row.name),
    Column("value", "value", "", lambda row: row.value),
    Column("interval", "95% interval", "", lambda row: row.interval),
    Column("over", "over", "", lambda row: row.over),
)


def people_document(session: Session, study: Study, human: HumanBaseline) -> Document:
    """Return what `human` prints: what people score, the rules, pay and time."""
    effort = Section(lines=(f"Pay and time: {pay_and_time(human.pay)}.",), tables=(rule_table(human),))
    about_it = about(study, len(human.panel.votes.items))
    first = people_section(session, study, human)
    return Document(f"Human baseline: {study.task.title.for_requesters}", about_it, (first, effort))


def about(study: Study, items: int) -> str:
    """Return what stands under the title of a report."""
    return f"Study {study.name}, task {study.task.id}, {counted(items, 'item')}"


def people_section(session: Session, study: Study, human: HumanBaseline) -> Section:
    """Return what people score, and how far they agree, with the rules that this stands on."""
    warnings = (*people_warnings(human, study, coverage(session, study=study)), *score_notes(human, study))
    return Section(
        lead=people_words(human),
        lines=(grounds(human),) if len(human.panel.votes) else (),
        notes=warnings[:MOST_NOTES],
        tables=(Table("", FIGURES, tuple(_figures(human))),),
    )


def people_words(human: HumanBaseline) -> str:
    """Return what people score together and one alone; without gold how often one gives the answer of most others."""
    if not len(human.panel.votes):
        return "Nobody has answered yet."
    primary = human.task.primary
    if primary in human.majority:
        scale = scale_of(human.task)
        people, alone = (score_words(scale, each[primary]) for each in (human.majority, human.individual))
        return Markup('<b class="people">People: {}{}</b>{}. One person alone: {}{}{}.').format(*people, *alone)
    share = score_words(Scale("", ""), human.leave_one_out["accuracy"])
    return Markup('<b class="people">One person gives the answer of most others: {}{}</b>{}.').format(*share)


def _figures(human: HumanBaseline) -> Iterator[PeopleFigure]:
    metric, agreement = metric_named(human.task.primary), human.panel.agreement
    scale = scale_of(human.task)
    if metric.name in human.majority:
        yield _score(f"{whose_answer(human)}, {scale.name}", scale, human.majority[metric.name], "item")
        yield _score(f"one person alone, {scale.name}", scale, human.individual[metric.name], "judgment")
    else:
        alone = "one person with most others, %"
        yield _score(alone, Scale("", ""), human.leave_one_out["accuracy"], "judgment")
    for name, key in (("Krippendorff’s alpha", "alpha"), ("pairwise agreement", "pairwise")):
        over = counted(human.panel.votes.compared, "item")
        value, ends = number(agreement.values[key]), interval(agreement.cis[key])
        yield PeopleFigure(name, value, agreement.why_not.get(key, ends), over)


def _score(name: str, scale: Scale, score: Estimate, of: str) -> PeopleFigure:
    value = scale.score(score.value) if score.n else DASH
    return PeopleFigure(name, value, scale.between(score.ci) or DASH, counted(score.n, of))
