"""What earlier predictions hold: the places already answered, replies that need not be paid for again, sums."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import bindparam, case, func, select, update

from db.column_types import texts_in
from db.engine import Session, read, write
from db.prepared_statements import Row
from db.run_tables import PREDICTION
from db.runs import Prediction, PredictionStatus, Run

ItemSample = tuple[int, int]
"""An item's key and a sample."""


@dataclass
class RunTotals:
    """What a run came to so far: its predictions by status, those taken from earlier replies, tokens and money paid.

    The money is that of all attempts, also of those that no prediction tells of.
    `seconds` is what a reply that was asked for took on average, None where none was; `reasoning_tokens` are those of
    the completions that were thinking; `wordless` counts the replies that ended at the limit of tokens before a word.
    """

    statuses: dict[str, int]
    cached: int = 0
    cut: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float | None = None
    reasoning_tokens: int = 0
    wordless: int = 0

    @property
    def predictions(self) -> int:
        """How many there are."""
        return sum(self.statuses.values())

    def count(self, prediction: Prediction) -> None:
        """Count one more."""
        self.statuses[prediction.status] = self.statuses.get(prediction.status, 0) + 1
        self.cut += prediction.cut
        self.cost += prediction.cost or 0
        self.wordless += prediction.status == "truncated" and not prediction.raw.strip()
        if prediction.cached:
            self.cached += 1
        else:
            self.prompt_tokens += prediction.prompt_tokens or 0
            self.completion_tokens += prediction.completion_tokens or 0
            self.reasoning_tokens += prediction.reasoning_tokens or 0


WORDLESS = (PREDICTION.c.status == "truncated") & (func.trim(PREDICTION.c.raw) == "")
"""A reply that ended at the limit of tokens with nothing to show for it."""
_READ_ANEW = (
    update(PREDICTION)
    .where(PREDICTION.c.id == bindparam("row"))
    .values(label=bindparam("read"), status=bindparam("found"))
)


def totals(session: Session, *, run: Run) -> RunTotals:
    """Return the sums over all that is stored of a run; what came from earlier replies was not paid again."""
    return totals_of(session, runs=[run])[run.id]


def totals_of(session: Session, *, runs: Sequence[Run]) -> dict[int, RunTotals]:
    """Return the sums of each of these runs by its number, in one look."""
    paid = PREDICTION.c.cached.is_(False)
    timed = case((paid, PREDICTION.c.seconds), else_=None)
    statement = (
        select(
            PREDICTION.c.run_id,
            PREDICTION.c.status,
            func.count(),
            func.sum(case((paid, 0), else_=1)),
            func.sum(case((PREDICTION.c.cut, 1), else_=0)),
            func.sum(case((paid, PREDICTION.c.prompt_tokens), else_=0)),
            func.sum(case((paid, PREDICTION.c.completion_tokens), else_=0)),
            func.sum(case((paid, PREDICTION.c.reasoning_tokens), else_=0)),
            func.sum(case((WORDLESS, 1), else_=0)),
            func.count(timed),
            func.sum(PREDICTION.c.cost),
            func.sum(timed),
        )
        .where(PREDICTION.c.run_id.in_([run.id for run in runs]))
        .group_by(PREDICTION.c.run_id, PREDICTION.c.status)
    )
    rows: dict[int, list[Sequence[Any]]] = {run.id: [] for run in runs}
    for number, *by_status in read(session, statement):
        rows[int(number)].append(by_status)
    return {run.id: _summed(rows[run.id], run.unanswered_cost) for run in runs}


def _summed(rows: Sequence[Sequence[Any]], unanswered_cost: float) -> RunTotals:
    cached, cut, prompt, completion, reasoning, wordless, timed = (
        sum(int(row[place] or 0) for row in rows) for place in range(2, 9)
    )
    cost, seconds = (sum(float(row[place] or 0) for row in rows) for place in (9, 10))
    statuses = {str(row[0]): int(row[1]) for row in rows}
    each = seconds / timed if timed else None
    return RunTotals(statuses, cached, cut, prompt, completion, cost + unanswered_cost, each, reasoning, wordless)


def thinking(session: Session, *, runs: Sequence[Run]) -> dict[int, tuple[int, int]]:
    """Return of each of these runs that has any the tokens of thinking, and all of its replies they are part of."""
    summed = func.sum(PREDICTION.c.reasoning_tokens), func.sum(PREDICTION.c.completion_tokens)
    statement = select(PREDICTION.c.run_id, *summed).where(PREDICTION.c.run_id.in_([run.id for run in runs]))
    rows = read(session, statement.group_by(PREDICTION.c.run_id))
    return {run: (int(part), int(of or 0)) for run, part, of in rows if part}


def wordless(session: Session, *, runs: Sequence[Run]) -> dict[int, int]:
    """Return how many replies of each of these runs ended at the limit of tokens before a word of an answer."""
    of_runs = PREDICTION.c.run_id.in_([run.id for run in runs])
    statement = select(PREDICTION.c.run_id, func.count()).where(of_runs, WORDLESS).group_by(PREDICTION.c.run_id)
    return {int(run): int(number) for run, number in read(session, statement)}


def answered_samples(session: Session, *, run: Run) -> set[ItemSample]:
    """Return the places of a run that have an answer; an error is none."""
    statement = select(PREDICTION.c.item_id, PREDICTION.c.sample)
    answered = read(session, statement.where(PREDICTION.c.run_id == run.id, PREDICTION.c.status != "error"))
    return {(item, sample) for item, sample in answered}


def earlier_replies(session: Session, *, requests: Collection[str], run: Run | None = None) -> dict[str, Prediction]:
    """Return the newest reply to each of these requests that has one, of any run or of `run` alone; never an error."""
    asked = PREDICTION.c.request.in_(texts_in("requests"))
    statement = select(PREDICTION).where(asked, PREDICTION.c.status != "error").order_by(PREDICTION.c.id)
    if run is not None:
        statement = statement.where(PREDICTION.c.run_id == run.id)
    rows = read(session, statement, requests=json.dumps(list(requests)))
    return {str(row.request): prediction_of(row) for row in rows}


def predictions_of(session: Session, *, run: Run) -> list[tuple[int, Prediction]]:
    """Return every prediction of a run with the number of its row."""
    statement = select(PREDICTION).where(PREDICTION.c.run_id == run.id).order_by(PREDICTION.c.id)
    return [(row.id, prediction_of(row)) for row in read(session, statement)]


def read_anew(session: Session, *, changed: Iterable[tuple[int, str | None, PredictionStatus]]) -> None:
    """Store what replies were read into this time: (row, label, status)."""
    rows = [{"row": row, "read": label, "found": status} for row, label, status in changed]
    if rows:
        write(session, _READ_ANEW, rows)


def prediction_of(row: Row) -> Prediction:
    """Return a stored row as the rest of the program sees it."""
    return Prediction(
        item_key=row.item_id,
        sample=row.sample,
        raw=row.raw,
        label=row.label,
        status=cast(PredictionStatus, row.status),
        seconds=row.seconds,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        reasoning_tokens=row.reasoning_tokens,
        request=row.request,
        cached=row.cached,
        cut=row.cut,
        cost=row.cost,
    )
