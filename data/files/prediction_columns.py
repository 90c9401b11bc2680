"""Which column of a file of predictions is the prediction: decided by its name, once for the whole file."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from data.bracket_markup import ELEMENTS
from data.errors import BadFile, quoted_names
from data.files.item_files import ID_COLUMNS
from data.task import Task

ITEM_COLUMNS = ("item", *ID_COLUMNS)
REPLIES = ("raw", "reply", "response")
"""Names of columns that hold whole replies of a model."""
ANSWERS = (
    "prediction", "predictions", "pred", "preds", "predicted", "predicted_label", "pred_label", "y_pred", "y_hat",
    "answer", "model_answer", "model_prediction", "model_output", "model_response", "output", "completion",
    "generated", "generation", "generated_text", "result",
)  # fmt: skip
"""Names of columns that state an answer. Case, spaces and hyphens do not matter in either list."""
GOLDS = (
    "label", "gold", "gold answer", "correct_label", "suggested ellipsis resolution", "positive_outputs", "outputs",
    "class", *ELEMENTS, "mark_up", "marked", "assessment",
)  # fmt: skip
"""Columns of published files that hold the right answers."""
OTHERS = (
    *ITEM_COLUMNS, "sample", "model", "role", "explanation", "text", "named", "family", "paragraph", "anaphoric span",
    "variants", "current_meaning", "possible_meanings", "texts", "example", "choices", "ellipsis type", "source",
    "inputs", "meta", "instruction", "passage", "qas", "target", "span1_index", "span2_index", "gold_sense1",
    "gold_sense2", "start1", "end1", "start2", "end2", "context", "input", "negative_outputs", "length", "supporting",
)  # fmt: skip
"""Columns of published files that are no predictions and no fields of ours."""


SHOWN = 3


@dataclass(frozen=True)
class PredictionColumns:
    """The columns of one file that say something: whole replies, stated answers, right answers; "" for none.

    `gold` is a column of right answers under a name that every record may have beside its id; `read` names the
    columns that are read.
    """

    reply: str = ""
    answer: str = ""
    gold: str = ""
    read: tuple[str, ...] = ()

    @property
    def predicted(self) -> bool:
        """Whether there is a column of predictions, so that right answers in the file are none."""
        return bool(self.reply or self.answer)

    def __str__(self) -> str:
        """Return the words in which a report names what was read."""
        names = quoted_names(self.read)
        return f"column{'s' if len(self.read) > 1 else ''} {names}" if names else ""


def columns_of(task: Task, present: Iterable[str], *, name: str, of_items: Collection[str] = ()) -> PredictionColumns:
    """Return which columns of the file called `name` say something; `of_items` are those of the file of items.

    A column of predictions goes before one of right answers. Raises BadFile where two may be the prediction, and where
    an unknown column stands beside right answers and may be it.
    """
    columns = list(dict.fromkeys(present))
    replies, answers = (_called(table, columns, task, of_items) for table in (REPLIES, ANSWERS))
    for candidates in (replies, answers):
        if len(candidates) > 1:
            raise BadFile(
                f"{name}: {_columns(candidates)} may each be the prediction; "
                "keep the one that is meant and remove the other"
            )
    gold = next((column for column in gold_columns(task) if column in columns), "")
    reply, answer = "".join(replies), "".join(answers)
    if reply or answer:
        return PredictionColumns(reply, answer, gold, tuple(filter(None, (reply, answer))))
    golds = (
        (gold,)
        if gold
        else tuple(gold_name for gold_name in GOLDS if gold_name in columns and not _is_field(gold_name, task))
    )
    unknown = [column for column in columns if column and not _known(column, task, of_items)]
    if golds and unknown:
        raise BadFile(
            f"{name}: {_columns(unknown)} {'is' if len(unknown) == 1 else 'are'} not known, beside the answers in "
            f"{_columns(golds)}; call the column of predictions 'prediction', and remove what is none"
        )
    if not golds:
        field = next((column for column in columns if _plain(column) in ANSWERS), "")
        return PredictionColumns(answer=field, read=(field,) if field else ())
    return PredictionColumns(gold=gold, read=golds)


def gold_columns(task: Task) -> list[str]:
    """Return the names of the column that holds the one right answer of an item, ours first; no field is among them."""
    theirs = [name for name, ours in task.aliases.columns.items() if ours == task.answer_column]
    return [name for name in dict.fromkeys((task.answer_column, *theirs, "label")) if not _is_field(name, task)]


def _called(table: Collection[str], columns: Iterable[str], task: Task, of_items: Collection[str]) -> list[str]:
    """Return the columns of a name in a table; what the file of items has as well counts only where nothing else does.

    Fields of the item and its right answer are none of them.
    """
    own = {*gold_columns(task), *task.aliases.columns}
    named = [
        column for column in columns if _plain(column) in table and column not in own and not _is_field(column, task)
    ]
    return [column for column in named if column not in of_items] or named


def _known(column: str, task: Task, of_items: Collection[str]) -> bool:
    names = {*OTHERS, *GOLDS, *gold_columns(task), *task.aliases.columns, *of_items}
    return column in names or _is_field(column, task)


def _is_field(column: str, task: Task) -> bool:
    return any(field.name == column for field in task.fields)


def _plain(column: str) -> str:
    return column.strip().casefold().replace(" ", "_").replace("-", "_")


def _columns(columns: Iterable[str]) -> str:
    *before, last = (f"column {column!r:.60}" for column in columns)
    return " and ".join([*before[:SHOWN], *(["others"] if len(before) > SHOWN else [last])])
