"""Rules on what workers do beside answering: items they skip, and answers pasted or given with the page hidden."""

import pandas as pd

from data.errors import BadSetting
from eval.quality import Finding


def skips(
    events: pd.DataFrame, *, in_a_row: int = 10, share: float = 0.5, window: int = 20, minimum: int = 10
) -> list[Finding]:
    """Workers who skipped `in_a_row` items one after another, or more than `share` of their last `window`.

    `events` has the columns worker and skipped (truths), a row for each item met, in the order in which they were met;
    its index labels are the evidence. The share asks for at least `minimum` items met. `value` is the longest row of
    skips where that is what is found, the first of several, and the evidence that row; else it is the share, and the
    evidence what was skipped of the last `window`.
    """
    if in_a_row < 1 or window < 1 or not 0 <= share <= 1:
        raise BadSetting(
            f"Skips are found by 1 or more in a row and by a share from 0 to 1 of a window of 1 or more, got "
            f"{in_a_row!r}, {share!r}, {window!r}."
        )
    found = []
    for worker, mine in _checked(events, "skipped").groupby("worker", sort=True):
        skipped = mine["skipped"].to_numpy(dtype=bool)
        row = (~skipped).cumsum()
        runs = pd.Series(skipped).groupby(row).sum()
        longest, last = int(runs.max()), skipped[-window:]
        if longest >= in_a_row:
            evidence = tuple(mine.index[skipped & (row == runs.idxmax())])
            found.append(Finding("skips", str(worker), float(longest), float(in_a_row), len(mine), evidence))
        elif len(mine) >= minimum and last.mean() > share:
            evidence = tuple(mine.index[-window:][last])
            found.append(Finding("skips", str(worker), float(last.mean()), share, len(last), evidence))
    return found


def inattention(events: pd.DataFrame, *, share: float = 0.2, minimum: int = 10) -> list[Finding]:
    """Workers of whose answers more than `share` came after a paste or with the page out of sight: to be looked at.

    `events` has the columns worker, pasted and hidden (truths), a row for each answer. There are honest reasons for
    both, so this flags and never excludes.
    """
    if not 0 <= share < 1:
        raise BadSetting(f"The share of inattentive answers lies from 0 to below 1, got {share!r}.")
    found = []
    for worker, mine in _checked(events, "pasted", "hidden").groupby("worker", sort=True):
        away = mine["pasted"].to_numpy(dtype=bool) | mine["hidden"].to_numpy(dtype=bool)
        if len(mine) >= minimum and away.mean() > share:
            evidence = tuple(mine.index[away])
            found.append(Finding("inattention", str(worker), float(away.mean()), share, len(mine), evidence))
    return found


def _checked(events: pd.DataFrame, *columns: str) -> pd.DataFrame:
    missing = [column for column in ("worker", *columns) if column not in events.columns]
    if missing:
        raise BadSetting(f"The frame of events lacks the column {missing[0]!r}; it needs worker and {columns}.")
    return events
