"""Judges in words: tables of their agreement with people and of corrected scores, and the sentences beside them."""

from collections.abc import Iterator
from typing import Any

from baseline.comparison.document import Document, Section
from baseline.comparison.judge_sentences import judge_sentences
from baseline.comparison.judging import LEAST_ITEMS, Judge, JudgedNumber, JudgedPair, Judging
from baseline.human.interval_scope import without_kappa
from data.numbers import DASH, number, with_interval
from data.tables import Column, Table
from data.wording import enumerated
from eval.arrays import number_or_none
from eval.estimate import Estimate
from eval.intervals.jackknife import why_these_people
from eval.intervals.wilson import Interval
from eval.judges.ppi import PredictionPowered

FEW, RARE = 50, 5
"""Items of people below which the interval of a mean of points, and answers of the rarer kind below which that of a
share may be too narrow."""
TITLE = "Does a model judge as people do?"
READ = ("read",)


def _estimate_words(estimate: Estimate) -> str:
    return with_interval(estimate.value, estimate.ci) if estimate.n else DASH


def _ends(ci: Interval) -> list[float | None]:
    return [number_or_none(end) for end in ci]


def _powered(estimate: PredictionPowered) -> dict[str, Any]:
    """Return a mean of people's points as JSON has it."""
    return {
        "value": number_or_none(estimate.value),
        "ci": _ends(estimate.ci),
        "method": estimate.method,
        "items_of_people": estimate.n,
        "items_of_judge_alone": estimate.alone,
        "weight": estimate.weight,
        "worth_items": round(estimate.worth, 3),
        "items_for_half": estimate.halving,
    }


def _in_words(estimate: PredictionPowered) -> str:
    return with_interval(estimate.value, estimate.ci) if estimate.method != "none" else DASH


def _halving_words(row: JudgedNumber) -> str:
    corrected = row.score.corrected
    if row.answers_more is None or corrected.halving is None:
        return DASH
    return f"{corrected.halving} items, {row.answers_more} more answers"


JUDGES: tuple[Column[Judge], ...] = (
    Column("judge", "judge", "", lambda judge: judge.row.name, read=lambda judge: judge.row.called),
    Column("items", "items in common", "", lambda judge: judge.agreement.equal.n),
    Column("ties", "ties among them", "Items on which people have no one answer", lambda judge: judge.agreement.ties),
    Column(
        "equal",
        "same answer as people",
        "The share of items on which it gives people's answer, ties between people shared out, with its 95% interval",
        lambda judge: judge.agreement.equal,
        _estimate_words,
    ),
    Column(
        "kappa",
        "Cohen's kappa",
        "The same beyond chance: 1 is always, 0 what chance gives",
        lambda judge: judge.agreement.kappa,
        _estimate_words,
    ),
    Column(
        "alpha_people",
        "alpha of people",
        "Krippendorff's alpha of people on the items that the judge answered",
        lambda judge: judge.alpha.people,
        _estimate_words,
    ),
    Column(
        "alpha_with",
        "alpha with the judge",
        "The same with the judge as one more annotator: not lower where it is one of them",
        lambda judge: judge.alpha.together,
        _estimate_words,
    ),
)
PAIRS: tuple[Column[JudgedPair], ...] = (
    Column("one", "one", "", lambda pair: pair.one, read=lambda pair: pair.called),
    Column("other", "other", "", lambda pair: pair.other),
    Column("items", "items in common", "", lambda pair: pair.agreement.equal.n),
    Column("equal", "same answer", "", lambda pair: pair.agreement.equal, _estimate_words),
    Column("kappa", "Cohen's kappa", "", lambda pair: pair.agreement.kappa, _estimate_words),
)
NUMBERS: tuple[Column[JudgedNumber], ...] = (
    Column("judge", "judge", "", lambda row: row.judge.name, read=lambda row: row.judge.called),
    Column("group", "group", "", lambda row: row.group),
    Column("what", "what", "", lambda row: row.what),
    Column(
        "judge_says",
        "the judge says",
        "Over all its items; a count, not what people would say",
        lambda row: number_or_none(row.score.judge),
        number,
    ),
    Column("judged", "items of the judge", "", lambda row: row.score.judged),
    Column(
        "people",
        "people alone",
        "From the items that people answered, with its 95% interval",
        lambda row: row.score.people,
        _in_words,
        READ,
    ),
    Column("people", "people alone", "", lambda row: _powered(row.score.people), forms=("json",)),
    Column("of_people", "items of people", "", lambda row: row.score.people.n),
    Column(
        "corrected",
        "people, with the judge",
        "What people would say of all items: prediction-powered inference (PPI++), with its 95% interval",
        lambda row: row.score.corrected,
        _in_words,
        READ,
    ),
    Column("corrected", "corrected", "", lambda row: _powered(row.score.corrected), forms=("json",)),
    Column(
        "worth",
        "worth",
        "How many items answered by people alone would give as narrow an interval",
        lambda row: row.score.corrected.worth,
        lambda worth: f"{worth:.0f} items",
        READ,
    ),
    Column(
        "halving",
        "half as wide",
        "On how many of these items people must have answered for an interval half as wide",
        lambda row: row,
        _halving_words,
        READ,
    ),
    Column("answers_more", "answers more", "", lambda row: row.answers_more, forms=("json",)),
)


def judge_tables(judged: Judging) -> list[Table[Any]]:
    """Return agreement with people, respondents in pairs, and corrected scores; a table without rows is left out."""
    held = [column for column in NUMBERS if column.key != "group" or judged.grouped]
    tables: list[Table[Any]] = [
        Table("How far judges agree with people", JUDGES, judged.judges),
        Table("Respondents in pairs", PAIRS, judged.pairs),
        Table("What people would say of all items", held, judged.numbers).within("read"),
    ]
    return [table for table in tables if table.rows]


def judge_notes(judged: Judging) -> list[str]:
    """Return how the tables are to be read, and what could not be had and why."""
    return [
        _held(judged),
        *_sampled(judged),
        *_all_judged(judged),
        *_corrected(judged),
        *without_kappa([(judge.row.called, judge.agreement.kappa) for judge in judged.judges]),
        *_few(judged),
        *_without_pairs(judged),
    ]


def _held(judged: Judging) -> str:
    """Return whom the intervals hold for."""
    panel = judged.results.human.panel
    unit = panel.resampling.unit
    if not judged.other_people:
        why = why_these_people(panel.votes, panel.resampling.clusters) if panel.rules.interval == "people" else ""
        none = f" There is none for other people: {why}" if why else ""
        return f"Intervals are 95%, for these people and other {unit}s of the same kind.{none}"
    return (
        f"Intervals are 95%. How far judges agree with people: for other people and other {unit}s. Pairs of "
        f"respondents, and what people would say of all items: for these people and other {unit}s; none is computed "
        "for other people."
    )


def judge_dict(judged: Judging) -> dict[str, Any]:
    """Return all of it in the shape of `judge --json`."""
    return {
        "study": judged.results.study.name,
        "task": judged.results.study.task.id,
        "sampled": judged.sampled,
        "judges": Table("", JUDGES, judged.judges).records,
        "pairs": Table("", PAIRS, judged.pairs).records,
        "scores": Table("", NUMBERS, judged.numbers).within("json").records,
        "notes": judge_notes(judged),
    }


def judge_document(judged: Judging) -> Document:
    """Return judges as a document of their own."""
    study = judged.results.study
    about = f"{study.task.title.for_requesters} ({study.task.id})"
    notes, tables = tuple(judge_notes(judged)), tuple(judge_tables(judged))
    section = Section(TITLE, lines=tuple(judge_sentences(judged)), notes=notes, tables=tables)
    return Document(f"Judges of {study.name}", about, (section,))


def _sampled(judged: Judging) -> Iterator[str]:
    if judged.sampled is not None:
        yield f"Of people's answers those to {judged.sampled} items drawn at random are used, as if there were no more."


def _all_judged(judged: Judging) -> Iterator[str]:
    """Yield which judges have nothing that people have not answered too."""
    names = {row.judge.called for row in judged.numbers if not row.score.corrected.alone}
    if names:
        yield (
            f"People answered every item of {enumerated(sorted(names))}: nothing is left to correct, and “people, with "
            "the judge” is “people alone”. judge --sample 100 shows what answers to 100 items would have told."
        )


def _corrected(judged: Judging) -> Iterator[str]:
    if any(row.score.corrected.alone for row in judged.numbers):
        yield (
            "People, with the judge: what the judge says of the items that only it has, moved by how far it is from "
            "people on the items of both. It holds where people's items are a random sample of all."
        )
        yield (
            "Half as wide: how many of these items people must have answered for an interval half as wide, and how "
            "many answers that is beside those there are; a dash where not even all these items would do."
        )


def _few(judged: Judging) -> Iterator[str]:
    corrected = [row for row in judged.numbers if row.score.corrected.alone and row.score.people.n]
    if any(not row.score.binary and row.score.people.n < FEW for row in corrected):
        yield f"Intervals of points from fewer than {FEW} items that people answered are somewhat too narrow."
    if rare := list(dict.fromkeys(row.what for row in corrected if round(row.score.rarer, 9) < RARE)):
        yield (
            f"Intervals may be too narrow until people answer more items, where fewer than {RARE} of their answers are "
            f"on one side: {', '.join(rare[:5])}{' and others' * (len(rare) > 5)}."
        )


def _without_pairs(judged: Judging) -> Iterator[str]:
    if len(judged.judges) and not judged.pairs:
        yield f"No two respondents can be compared: no person shares {LEAST_ITEMS} items with another or with a judge."
