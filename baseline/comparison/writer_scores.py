"""What people make of the single replies of models: the mean of each model by each criterion, with its interval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from baseline.comparison.pair_rankings import PEOPLE, competitors, rankings_or_none, ranks_words
from baseline.comparison.results import Results, results
from baseline.human.baseline import stored_rules
from baseline.runs.reply_queue import JudgedReplies, judging_of, writers_of
from data.answers.answer_type import AnswerType
from data.answers.form import by_criterion, criteria
from data.answers.rating import Rating
from data.numbers import number, with_interval
from data.tables import Column, Table
from db import frames
from db.engine import Session
from eval.arrays import Floats
from eval.estimate import Estimate
from eval.intervals.jackknife import judgment_mean
from eval.votes import Votes


@dataclass(frozen=True)
class WriterScore:
    """What one model's replies are worth by one criterion, in points or as the share of its first answer."""

    model: str
    criterion: str
    estimate: Estimate


WRITERS: tuple[Column[WriterScore], ...] = (
    Column("criterion", "criterion", "", lambda row: row.criterion),
    Column("model", "model", "", lambda row: row.model),
    Column(
        "value",
        "mean",
        "Points; of answers without points the share of the first one",
        lambda row: row.estimate.value,
        read=lambda row: with_interval(row.estimate.value, row.estimate.ci),
    ),
    Column("ci", "", "", lambda row: list(row.estimate.ci), forms=("json",)),
    Column("n", "judgments", "", lambda row: row.estimate.n),
)


def writer_scores(session: Session, results: Results) -> Table[WriterScore] | None:
    """Return what people think of each model's replies, the best first; None for a study that judges no replies."""
    task, votes = results.study.task, results.panel.votes
    judging = judging_of(session, results.study)
    if judging is None or "writers" not in [each.name for each in task.fields] or not len(votes):
        return None
    fields = frames.fields_of_items(session, study=results.study)
    rows: list[WriterScore] = []
    for name, criterion, asked in criteria(task.answer):
        points = _points(votes, task.answer, name, asked)
        found = [_score(results, points, fields, model, asked) for model in judging.runs.values()]
        scores = zip(judging.runs.values(), found, strict=True)
        known = [WriterScore(model, criterion, estimate) for model, estimate in scores if estimate.n]
        rows += sorted(known, key=lambda row: -row.estimate.value)
    return Table("Models by what people say of their replies", WRITERS, rows)


def _points(votes: Votes, answer: AnswerType, name: str, asked: AnswerType) -> Floats:
    """Return what each judgment (J,) is worth from 0 to 1, NaN where it says nothing of this criterion."""
    low, high = _scale(asked)
    first = next(iter(asked.labels()), None)

    def worth(label: str) -> float:
        said = by_criterion(answer, label, name)
        if said is None or first is None:
            return np.nan
        return (float(said) - low) / (high - low) if isinstance(asked, Rating) else float(said == first)

    known = [[worth(label) for label in votes.named(row)] for row in range(len(votes.items))]
    return np.array([known[item][label] for item, label in zip(votes.item, votes.label, strict=True)])


def _scale(asked: AnswerType) -> tuple[float, float]:
    return (asked.low, asked.high) if isinstance(asked, Rating) else (0.0, 1.0)


def _score(
    results: Results, points: Floats, fields: Mapping[str, Mapping[str, str]], model: str, asked: AnswerType
) -> Estimate:
    """Return the mean of a model's judgments, for other items and other people."""
    votes, (low, high) = results.panel.votes, _scale(asked)
    theirs = np.array([model in writers_of(fields[item], "writers") for item in votes.items])
    found = judgment_mean(votes, np.where(theirs[votes.item], points, np.nan), results.panel.resampling)
    ends = (low + (high - low) * found.ci[0], low + (high - low) * found.ci[1])
    return replace(found, value=low + (high - low) * found.value, ci=ends, ci_items=None)


def writer_records(session: Session, results: Results) -> list[dict[str, Any]] | None:
    """Return the scores of the models that wrote what a study judges as JSON has them, None for no such study."""
    scores = writer_scores(session, results)
    return scores.within("json").records if scores else None


def said_by_people(session: Session, judged: Sequence[JudgedReplies]) -> dict[int, list[tuple[str, str]]]:
    """Return for each run the studies in which its replies are judged, the newest first, each with what people say."""
    said: dict[int, list[tuple[str, str]]] = {}
    for judging in judged:
        found = results(session, study=judging.study, rules=stored_rules(judging.study))
        words: dict[str, list[str]] = {}
        if ranked := rankings_or_none(session, found):
            for one in (judged for judged in ranked.judged if judged.kind == PEOPLE):
                for row in competitors(one.ranking):
                    wins = number(row.ranking.points[row.at] / row.ranking.games[row.at])
                    told = f"wins {wins}, rank {ranks_words(row.ranks)}{one.words.removeprefix(PEOPLE)}"
                    words.setdefault(row.ranking.names[row.at], []).append(told)
        for score in table.rows if (table := writer_scores(session, found)) else ():
            words.setdefault(score.model, []).append(
                f"{score.criterion} {with_interval(score.estimate.value, score.estimate.ci)}"
            )
        for run, name in judging.runs.items():
            told = "; ".join(words.get(name, ())) or "no judgments yet"
            said.setdefault(run, []).append((judging.study.name, told))
    return said
