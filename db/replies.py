"""What earlier predictions hold: the places already answered, replies that need not be paid for again, sums."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import case, func, update
from sqlmodel import Session, col, select

from db.runs import Prediction, PredictionStatus, Run
from db.tables import PredictionRow

Place = tuple[int, int]
"""An item's key and a sample."""


@dataclass(frozen=True)
class Totals:
    """What a run came to so far: its predictions by status, those taken from earlier replies, tokens and money paid.

    `seconds` is what a reply that was asked for took on average, None where none was; `reasoning_tokens` are those of
    the completions that were thinking; `wordless` counts the replies that ended at the limit of tokens before a word.
    """

    statuses: Mapping[str, int]
    cached: int = 0
    cut: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float | None = None
    reasoning_tokens: int = 0
    wordless: int = 0


WORDLESS = (col(PredictionRow.status) == "truncated") & (func.trim(PredictionRow.raw) == "")
"""A reply that ended at the limit of tokens with nothing to show for it."""


def totals(session: Session, *, run: Run) -> Totals:
    """Return the sums over all that is stored of a run; what came from earlier replies was not paid again."""
    return totals_of(session, runs=[run])[run.id]


def totals_of(session: Session, *, runs: Sequence[Run]) -> dict[int, Totals]:
    """Return the sums of each of these runs by its number, in one look."""
    paid = col(PredictionRow.cached).is_(False)
    timed = case((paid, PredictionRow.seconds), else_=None)
    statement = (
        select(  # type: ignore[call-overload]
            PredictionRow.run_id,
            PredictionRow.status,
            func.count(),
            func.sum(case((paid, 0), else_=1)),
            func.sum(case((col(PredictionRow.cut), 1), else_=0)),
            func.sum(case((paid, PredictionRow.prompt_tokens), else_=0)),
            func.sum(case((paid, PredictionRow.completion_tokens), else_=0)),
            func.sum(case((paid, PredictionRow.reasoning_tokens), else_=0)),
            func.sum(case((WORDLESS, 1), else_=0)),
            func.count(timed),
            func.sum(PredictionRow.cost),
            func.sum(timed),
        )
        .where(col(PredictionRow.run_id).in_([run.id for run in runs]))
        .group_by(PredictionRow.run_id, PredictionRow.status)
    )
    rows: dict[int, list[Sequence[Any]]] = {run.id: [] for run in runs}
    for run, *sums in session.exec(statement):
        rows[int(run)].append(sums)
    return {run: _summed(sums) for run, sums in rows.items()}


def _summed(rows: Sequence[Sequence[Any]]) -> Totals:
    cached, cut, prompt, completion, reasoning, wordless, timed = (
        sum(int(row[place] or 0) for row in rows) for place in range(2, 9)
    )
    cost, seconds = (sum(float(row[place] or 0) for row in rows) for place in (9, 10))
    statuses = {str(row[0]): int(row[1]) for row in rows}
    each = seconds / timed if timed else None
    return Totals(statuses, cached, cut, prompt, completion, cost, each, reasoning, wordless)


def thinking(session: Session, *, runs: Sequence[Run]) -> dict[int, tuple[int, int]]:
    """Return of each of these runs that has any the tokens of thinking, and all of its replies they are part of."""
    summed = func.sum(PredictionRow.reasoning_tokens), func.sum(PredictionRow.completion_tokens)
    statement = select(PredictionRow.run_id, *summed).where(col(PredictionRow.run_id).in_([run.id for run in runs]))
    rows = session.exec(statement.group_by(col(PredictionRow.run_id)))
    return {run: (int(part), int(of or 0)) for run, part, of in rows if part}


def wordless(session: Session, *, runs: Sequence[Run]) -> dict[int, int]:
    """Return how many replies of each of these runs ended at the limit of tokens before a word of an answer."""
    of_runs = col(PredictionRow.run_id).in_([run.id for run in runs])
    statement = select(PredictionRow.run_id, func.count()).where(of_runs, WORDLESS).group_by(PredictionRow.run_id)  # type: ignore[arg-type]
    return {int(run): int(number) for run, number in session.exec(statement)}


def answered(session: Session, *, run: Run) -> set[Place]:
    """Return the places of a run that have an answer; an error is none."""
    statement = select(PredictionRow.item_id, PredictionRow.sample)
    return set(session.exec(statement.where(PredictionRow.run_id == run.id, PredictionRow.status != "error")).all())


def earlier_replies(session: Session, *, requests: Collection[str], run: Run | None = None) -> dict[str, Prediction]:
    """Return the newest reply to each of these requests that has one, of any run or of `run` alone; never an error."""
    statement = (
        select(PredictionRow)
        .where(col(PredictionRow.request).in_(requests), PredictionRow.status != "error")
        .order_by(col(PredictionRow.id))
    )
    if run is not None:
        statement = statement.where(PredictionRow.run_id == run.id)
    return {str(row.request): prediction_of(row) for row in session.exec(statement)}


def predictions_of(session: Session, *, run: Run) -> list[tuple[int, Prediction]]:
    """Return every prediction of a run with the number of its row."""
    statement = select(PredictionRow).where(PredictionRow.run_id == run.id).order_by(col(PredictionRow.id))
    return [(cast(int, row.id), prediction_of(row)) for row in session.exec(statement)]


def read_anew(session: Session, *, changed: Iterable[tuple[int, str | None, PredictionStatus]]) -> None:
    """Store what replies were read into this time: (row, label, status)."""
    for row, label, status in changed:
        values = {"label": label, "status": status}
        session.exec(update(PredictionRow).where(col(PredictionRow.id) == row).values(**values))


def prediction_of(row: PredictionRow) -> Prediction:
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
