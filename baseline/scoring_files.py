"""Scoring two files against each other without a database: gold and predictions of one task."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from baseline.human import clusters_of, needs_fields
from data.errors import BadAnswer, BadFile
from data.reading import ID_COLUMNS, read_items
from data.rows import Problem, read_rows
from data.task import Item, Task
from eval import ballots
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

    def as_dict(self) -> dict[str, Any]:
        """Return the score in the fixed shape of `score --json`."""
        metrics = {name: estimate.as_dict() for name, estimate in self.metrics.items()}
        return {"task": self.task, "n": self.n, "metrics": metrics, "statuses": self.statuses}


def score_files(task: Task, gold_file: Path, predictions_file: Path) -> FileScore:
    """Return the score of a predictions file (an id and an answer per record) on a gold file of the task.

    An item of the gold file without a prediction counts as wrong under `missing`; a prediction for an item that is not
    there is refused.
    """
    items = {item.id: item for item in read_items(gold_file, task) if item.gold is not None}
    if not items:
        raise BadFile(f"{gold_file.name}: no item has gold; a score needs the right answers in {task.answer_column!r}")
    given = _predictions(task, predictions_file, items)
    statuses = {
        "ok": sum(label is not None for label in given.values()),
        "unparsable": sum(label is None for label in given.values()),
        "missing": len(items) - len(given),
    }
    labels = task.answer.labels() or None
    said = ballots.answers({item: given.get(item) for item in items}, items=tuple(items), labels=labels)
    fields = {item.id: item.fields for item in items.values()} if needs_fields(task) else {}
    gold = gold_of({item.id: str(item.gold) for item in items.values()}, Asked(task.answer, fields))
    found = score(task.metrics, gold, said, clusters=clusters_of(task, fields))
    return FileScore(task.id, len(items), found, {k: n for k, n in statuses.items() if n})


def _predictions(task: Task, file: Path, items: dict[str, Item]) -> dict[str, str | None]:
    rows, problems = read_rows(file)
    if problems:
        raise BadFile(str(problems[0]))
    given: dict[str, str | None] = {}
    for row in rows:
        item = _column(row.values, ("item", *ID_COLUMNS), file, row.line)
        if str(item) not in items:
            raise BadFile(str(Problem(file.name, f"the gold file has no item {str(item)!r}", row.line)))
        if str(item) in given:
            raise BadFile(str(Problem(file.name, f"item {str(item)!r} is answered twice", row.line)))
        answer = _column(row.values, (*ANSWER_COLUMNS, task.answer_column), file, row.line)
        given[str(item)] = _label(task, answer, items[str(item)])
    return given


def _label(task: Task, answer: object, item: Item) -> str | None:
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
