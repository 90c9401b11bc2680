"""All that is known of a study's answers before any rule is applied to them."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from data.errors import BadSetting
from eval.gold import TaskItems
from eval.intervals.clusters import Clusters

_JUDGMENTS = ("item", "worker", "label", "role", "status", "reason")
_ITEMS = ("item", "role", "gold")


@dataclass(frozen=True, eq=False)
class StudyData:
    """The judgments and items of a study, and what its answers mean; BadSetting where a frame makes no sense.

    `judgments` has the columns item, worker, label, role (main, control, training), status (counted, surplus, void)
    and reason (of a void one); `items` has item, role and gold (or None), and may have `decision`, what an expert has
    decided (or None). `labels` are those that could be given; None takes those that occur.

    `asked` tells what the answers mean: where they are open they are coded item by item, a control is right as their
    type says, and agreement goes by its distance; of a closed list it is the level that matters. `clusters` are the
    items that belong together, None where each stands alone. `excluded` are workers the study itself has excluded:
    they count as excluded whatever the rules say. Judgments may have a `skill`, how able another platform held their
    worker to be, from 0 to 1 (or None): it takes the place of what controls tell.
    """

    judgments: pd.DataFrame
    items: pd.DataFrame
    labels: Sequence[str] | None = None
    asked: TaskItems | None = None
    clusters: Clusters | None = None
    excluded: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        _check_columns(self.judgments, _JUDGMENTS, "judgments")
        _check_columns(self.items, _ITEMS, "items")
        if not (twice := self.items["item"][self.items["item"].duplicated()]).empty:
            raise BadSetting(f"The item {twice.iloc[0]!r} is there twice; ids must differ.")


def _check_columns(frame: pd.DataFrame, columns: Sequence[str], what: str) -> None:
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise BadSetting(f"The frame of {what} lacks the column {missing[0]!r}; it needs {', '.join(columns)}.")
