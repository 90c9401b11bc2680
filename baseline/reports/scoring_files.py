"""Scoring two files against each other without a database: gold and predictions of one task."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from baseline.human import clusters_of, needs_fields
from baseline.side.breakdowns import BrokenDown, broken_down
from data.errors import BadAnswer, BadFile
from data.reading import ID_COLUMNS, read_items
from data.rows import Problem, read_rows
from data.task import Item, Task
from eval import ballots
from eval.ballots import Ballots
from eval.gold import Asked, gold_of
from eval.scoring import Estimate, score

ANSWER_COLUMNS = ("answer", "label", "prediction")


@dataclass(frozen=True)
class FileScore:
    """What a file of predictions scored. `statuses` counts ok, unparsable (wrong) and missing (wrong) items."""

    task: str
    n: int
    metrics: dict[str, Estimate]
    statuses: dict[str, int]
    breakdowns: tuple[BrokenDown, ...] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the score in the fixed shape of `score --json`; `breakdowns` only where they were asked for."""
        metrics = {name: estimate.as_dict() for name, estimate in self.metrics.items()}
        shown: dict[str, Any] = {"task": self.task, "n": self.n, "metrics": metrics, "statuses": self.statuses}
        if self.breakdowns is not None:
            shown["breakdowns"] = [one.as_dict() for one in self.breakdowns]
        return shown


@dataclass(frozen=True)
class Told:
    """What a record of predictions says: the canonical answer, None where it names none; the text as it stands.

    The text is None where the record names an answer of a closed list, or holds no text: it is written as people's is.
    """

    label: str | None
    text: str | None


def score_files(task: Task, gold_file: Path, predictions_file: Path, *, by_group: bool = False) -> FileScore:
    """Return the score of a predictions file (an id and an answer per record) on a gold file of the task.

    An item of the gold file without a prediction counts as wrong under `missing`; a prediction for an item that is not
    there is refused. With `by_group` it is broken down into the task's groups of items.
    """
    items = {item.id: item for item in read_items(gold_file, task) if item.gold is not None}
    if not items:
        raise BadFile(f"{gold_file.name}: no item has gold; a score needs the right answers in {task.answer_column!r}")
    given = _predictions(task, predictions_file, items)
    statuses = {
        "ok": sum(told.label is not None for told in given.values()),
        "unparsable": sum(told.label is None for told in given.values()),
        "missing": len(items) - len(given),
    }
    said = _said(task, items, given)
    fields = {item.id: item.fields for item in items.values()} if needs_fields(task) else {}
    asked = Asked(task.answer, fields, tuple(task.splits))
    gold = gold_of({item.id: str(item.gold) for item in items.values()}, asked)
    found = score(task.metrics, gold, said, clusters=clusters_of(task, fields))
    every = {item.id: item.fields for item in items.values()}
    parts = broken_down(task, gold, {"predictions": said}, every) if by_group else None
    return FileScore(task.id, len(items), found, {k: n for k, n in statuses.items() if n}, parts)


def _said(task: Task, items: dict[str, Item], given: dict[str, Told]) -> Ballots:
    labels = {item: given[item].label if item in given else None for item in items}
    said = ballots.answers(labels, items=tuple(items), labels=task.answer.labels() or None)
    return said.wrote({item: told.text for item, told in given.items() if told.text is not None})


def _predictions(task: Task, file: Path, items: dict[str, Item]) -> dict[str, Told]:
    rows, problems = read_rows(file)
    if problems:
        raise BadFile(str(problems[0]))
    given: dict[str, Told] = {}
    for row in rows:
        item = _column(row.values, ("item", *ID_COLUMNS), file, row.line)
        if str(item) not in items:
            raise BadFile(str(Problem(file.name, f"the gold file has no item {str(item)!r}", row.line)))
        if str(item) in given:
            raise BadFile(str(Problem(file.name, f"item {str(item)!r} is answered twice", row.line)))
        answer = _column(row.values, (*ANSWER_COLUMNS, task.answer_column), file, row.line)
        given[str(item)] = _told(task, answer, items[str(item)])
    return given


def _told(task: Task, answer: object, item: Item) -> Told:
    label = label_of(task, answer, item)
    chosen = answer in {option.label for option in task.answer_for(item.fields).options(item.fields)}
    return Told(label, answer if isinstance(answer, str) and not chosen else None)


def label_of(task: Task, answer: object, item: Item) -> str | None:
    """Return the canonical label of a prediction: a label as it stands, or a model's reply that names one."""
    try:
        return task.answer_for(item.fields).validate(answer, item.fields)
    except BadAnswer:
        return task.answer_for(item.fields).parse(answer, item.fields) if isinstance(answer, str) else None


def _column(values: Any, names: tuple[str, ...], file: Path, line: int) -> object:
    found = next((name for name in names if name in values), None)
    if found is None:
        has = ", ".join(map(repr, values))
        raise BadFile(str(Problem(file.name, f"needs one of the fields {', '.join(names)}; it has {has}", line)))
    return values[found]
