"""Scoring two files against each other without a database: gold and predictions of one task."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from baseline.comparison.score_breakdowns import BrokenDown, broken_down
from baseline.human.baseline import clusters_of, needs_fields
from baseline.runs.run_state import status_words
from data.answers.spans import Spans
from data.errors import BadFile, FileProblem
from data.files.answer_coding import Ambiguous, Coding, Unreadable
from data.files.item_files import read_items
from data.files.prediction_files import (
    ITEM_COLUMNS,
    Content,
    Given,
    Predictions,
    StatedAnswer,
    check_readable,
    columns_in,
    content_of,
    counts_from_zero,
    given_in,
    stated_answer,
)
from data.numbers import counted, interval, number
from data.tables import Table, table_of
from data.task import Item, Task
from eval import ballots
from eval.ballots import Ballots
from eval.estimate import Estimate
from eval.gold import TaskItems, gold_of
from eval.intervals.clusters import Resampling
from eval.scoring import score

LISTED = 10


@dataclass(frozen=True)
class FileScore:
    """What a file of predictions scored. `statuses` counts ok, unparsable (wrong) and missing (wrong) items.

    `read` says which column of the file was taken for the prediction, `unreadable` what is wrong with rows that cannot
    be read: they count as wrong.
    """

    task: str
    n: int
    metrics: dict[str, Estimate]
    statuses: dict[str, int]
    breakdowns: tuple[BrokenDown, ...] | None = None
    read: str = ""
    unreadable: Sequence[FileProblem] = ()

    def head(self) -> str:
        """Return what stands above the scores in a terminal."""
        head = f"{self.task}: {counted(self.n, 'item')}; statuses: {status_words(self.statuses)}"
        lines = [head, f"read: {self.read}"]
        if many := len(self.unreadable):
            lines.append(f"{counted(many, 'row')} cannot be read and count{'s' * (many == 1)} as wrong:")
            lines += [f"  {problem}" for problem in self.unreadable[:LISTED]] + ["  …"] * (many > LISTED)
        return "\n".join(lines)

    def table(self) -> Table[Sequence[object]]:
        """Return the score by each metric."""
        rows = ((name, number(each.value), interval(each.ci), each.method) for name, each in self.metrics.items())
        return table_of("", ["metric", "value", "95% interval", "method"], rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the score in the fixed shape of `score --json`; `breakdowns` only where they were asked for."""
        metrics = {name: estimate.as_dict() for name, estimate in self.metrics.items()}
        shown: dict[str, Any] = {"task": self.task, "n": self.n, "metrics": metrics, "statuses": self.statuses}
        shown["read"] = self.read
        if self.unreadable:
            shown["unreadable"] = [str(problem) for problem in self.unreadable]
        if self.breakdowns is not None:
            shown["breakdowns"] = [breakdown.as_dict() for breakdown in self.breakdowns]
        return shown


def score_files(
    task: Task, gold_file: Path, predictions_file: Path, *, by_group: bool = False, accept_unreadable: bool = False
) -> FileScore:
    """Return the score of a predictions file (an id and an answer per record) on a gold file of the task.

    Answers are read as the gold file's gold is (`Coding`), whole replies as a model's are (`stated_answer`). An item
    with gold and without a prediction counts as wrong under `missing`; a prediction for an item that is not there is
    refused. Rows that cannot be read count as wrong; where they are more than a fifth that has to be accepted. With
    `by_group` the score is broken down into the task's groups of items.
    """
    read = {item.id: item for item in read_items(gold_file, task)}
    items = {name: item for name, item in read.items() if item.gold is not None}
    if not items:
        raise BadFile(f"{gold_file.name}: no item has gold; a score needs the right answers in {task.answer_column!r}")
    coding = Coding(task, from_zero=cache(lambda: counts_from_zero(gold_file, task)))
    given_records = given_in(predictions_file, task, of_items=columns_in(gold_file, task))
    predicted, unreadable = _predictions(task, predictions_file.name, read, coding, given_records)
    rows = len(given_records.records) + len(given_records.problems)
    check_readable(unreadable, rows, accepted=accept_unreadable)
    given = {name: prediction for name, prediction in predicted.items() if name in items}
    answered = sum(_is_answer(task, prediction.label) for prediction in given.values())
    statuses = {"ok": answered, "unparsable": len(given) - answered, "missing": len(items) - len(given)}
    said = _ballots_of(task, items, given)
    fields = {item.id: item.fields for item in items.values()} if needs_fields(task) else {}
    asked = TaskItems(task.answer, fields, tuple(task.splits))
    gold = gold_of({item.id: str(item.gold) for item in items.values()}, asked)
    scores = score(task.metrics, gold, said, Resampling(clusters_of(task, fields)))
    every = {item.id: item.fields for item in items.values()}
    parts = broken_down(task, gold, {"predictions": said}, every) if by_group else None
    counts = {status: number for status, number in statuses.items() if number}
    return FileScore(task.id, len(items), scores, counts, parts, str(given_records.columns), unreadable)


def _is_answer(task: Task, label: str | None) -> bool:
    """Return whether a label is an answer: that something is to be marked and not where is none, but is scored."""
    return label is not None and not (isinstance(task.answer, Spans) and task.answer.unplaced(label))


def _ballots_of(task: Task, items: dict[str, Item], given: dict[str, StatedAnswer]) -> Ballots:
    labels = {item: given[item].label if item in given else None for item in items}
    said = ballots.answers(labels, items=tuple(items), labels=task.answer.labels() or None)
    return said.wrote({item: prediction.text for item, prediction in given.items() if prediction.text is not None})


def _predictions(
    task: Task, file: str, items: dict[str, Item], coding: Coding, given_records: Predictions
) -> tuple[dict[str, StatedAnswer], list[FileProblem]]:
    """Return what a file says of each item, nothing where that cannot be read, and what cannot."""
    problems = list(given_records.problems)
    contents = Counter(content_of(task, item.fields) for item in items.values())
    alone = {content: item.id for item in items.values() if contents[content := content_of(task, item.fields)] == 1}
    given: dict[str, StatedAnswer] = {}
    for record in given_records.records:
        name = _named(record, items, alone, task)
        if name not in items:
            raise BadFile(str(FileProblem(file, f"the gold file has no item {name!r:.80}", record.line)))
        if name in given:
            raise BadFile(str(FileProblem(file, f"item {name!r:.80} is answered twice", record.line)))
        try:
            given[name] = stated_answer(record, coding, items[name].fields)
        except Unreadable as error:
            problems.append(FileProblem(file, str(error), record.line))
            if isinstance(error, Ambiguous):
                raise BadFile(str(problems[-1])) from error
            given[name] = StatedAnswer(None, None)
    return given, sorted(problems, key=lambda problem: problem.line or 0)


def _named(record: Given, items: dict[str, Item], alone: dict[Content, str], task: Task) -> str:
    """Return the id of the item that a record answers; a record of an item may have another id and the same texts."""
    if record.item is None:
        return str(next(record.values[name] for name in ITEM_COLUMNS if name in record.values))
    if record.item.id in items:
        return record.item.id
    return alone.get(content_of(task, record.item.fields), record.item.id)
