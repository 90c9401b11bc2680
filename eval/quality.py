"""Rules on workers, used live and in re-analysis: each says whom it finds and which judgments show it."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from operator import eq
from typing import Any

import numpy as np
import pandas as pd

from data.errors import BadSetting
from eval.control_rules import ControlRule
from eval.gold import Asked, right_rows
from eval.open_votes import code_answers
from eval.votes import Votes


@dataclass(frozen=True)
class Finding:
    """One worker whom a rule has found.

    `value` is what was measured over `n` judgments, `limit` what it was held against; `evidence` are the index labels,
    in the frame given, of the judgments that show it.
    """

    rule: str
    worker: str
    value: float
    limit: float
    n: int
    evidence: tuple[Hashable, ...]


def control_accuracy(
    judgments: pd.DataFrame,
    items: pd.DataFrame,
    rule: ControlRule,
    *,
    window: int | None = None,
    asked: Asked | None = None,
) -> list[Finding]:
    """Workers who fail the control items by `rule`, over their last `window` control answers (None: all of them).

    Frames are those of `eval.panel.panel`, rows in the order of answering. A control without gold does not count, one
    answered again counts again. `value` is the share right, the evidence all control answers looked at.
    """
    _check_window(window)
    gold = items.set_index("item")["gold"]
    answers = counted(judgments, "control")
    truth = answers["item"].map(gold)
    found = []
    for worker, mine in _by_worker(answers[truth.notna()]):
        last = mine if window is None else mine[-window:]
        right = int(right_rows(last, truth[last.index], asked).sum())
        if rule.stops(np.array([right]), np.array([len(last)]))[0]:
            share = right / len(last)
            found.append(Finding("control_accuracy", worker, share, rule.limit, len(last), tuple(last.index)))
    return found


def too_fast(
    judgments: pd.DataFrame,
    *,
    seconds: float | None = None,
    of_median: float | None = None,
    window: int = 20,
    at_least: int = 5,
) -> list[Finding]:
    """Workers with `at_least` main judgments among their last `window` that took less than a limit.

    The limit is `seconds`, or the share `of_median` of the median time of all main judgments: name one of the two. The
    frame has the column seconds; judgments without a time do not count. `value` is the number of fast ones.
    """
    _check_window(window)
    if (seconds is None) == (of_median is None):
        raise BadSetting("Name either the seconds or the share of the median that is too fast, not both or neither.")
    main = counted(judgments, "main")
    times = pd.to_numeric(main["seconds"]).dropna()
    if times.empty:
        return []
    limit = float(times.median() * of_median) if of_median is not None else float(seconds or 0)
    found = []
    for worker, mine in _by_worker(main.loc[times.index]):
        last = times[mine.index][-window:]
        fast = last[last < limit]
        if len(fast) >= at_least:
            found.append(Finding("too_fast", worker, float(len(fast)), limit, len(last), tuple(fast.index)))
    return found


def constant_answers(
    judgments: pd.DataFrame, *, share: float = 0.95, minimum: int = 10, crowd: float = 0.8
) -> list[Finding]:
    """Workers who give one answer in `share` or more of at least `minimum` main judgments, where others do not.

    "Do not": that answer is less than the share `crowd` of everybody else's main judgments; a worker alone has no
    crowd and is not found. `value` is the worker's share of the answer, the evidence the judgments that give it.
    """
    main = counted(judgments, "main")
    everybody = main["label"].value_counts()
    found = []
    for worker, mine in _by_worker(main):
        answers = mine["label"].value_counts()
        top, number = answers.index[0], int(answers.iloc[0])
        others = len(main) - len(mine)
        if len(mine) < minimum or number < share * len(mine) or not others:
            continue
        if (everybody[top] - number) / others < crowd:
            same = mine.index[mine["label"] == top]
            found.append(Finding("constant_answers", worker, number / len(mine), share, len(mine), tuple(same)))
    return found


def repeating_pattern(
    judgments: pd.DataFrame, *, longest: int = 6, minimum: int = 20, share: float = 0.95
) -> list[Finding]:
    """Workers whose answers to main and control items, as they came, repeat with a period of 2 to `longest` answers.

    At least `minimum` answers of which the share `share` equals the one a period before. One answer all along is not
    a pattern but `constant_answers`; nor is one that a single answer makes up to that share. `value` is the shortest
    such period, the evidence all these judgments.
    """
    found = []
    for worker, mine in _by_worker(counted(judgments, "main", "control")):
        period = repeats_every(mine["label"].tolist(), longest=longest, minimum=minimum, share=share)
        if period is not None:
            found.append(Finding("repeating_pattern", worker, period, longest, len(mine), tuple(mine.index)))
    return found


def repeats_every(labels: Sequence[str], *, longest: int, minimum: int, share: float) -> int | None:
    """The shortest period, from 2 to `longest` answers, with which one worker's answers repeat; None where none does.

    `labels` (J,) as they came; what counts as repeating is said at `repeating_pattern`.
    """
    if len(labels) < max(minimum, 2 * longest) or Counter(labels).most_common(1)[0][1] >= share * len(labels):
        return None
    for period in range(2, longest + 1):
        equal = sum(map(eq, labels[period:], labels))
        if equal / (len(labels) - period) >= share:
            return period
    return None


def control_votes(judgments: pd.DataFrame, items: pd.DataFrame, *, asked: Asked | None = None) -> Votes:
    """The counted answers to control items as votes, for agreement on these alone.

    A worker who gave the same answer to a control twice counts once, so that nobody agrees with themselves; two
    different answers both count.
    """
    answers = counted(judgments, "control")[["item", "worker", "label"]].drop_duplicates()
    names = items["item"][items["role"] == "control"]
    return code_answers(answers, items=sorted(names), labels=None, asked=asked)


def counted(judgments: pd.DataFrame, *roles: str) -> pd.DataFrame:
    """The counted judgments on items of these roles; a frame whose rows cannot be told apart is refused."""
    if not judgments.index.is_unique:
        raise BadSetting("The rows of the frame of judgments must have different index labels to be evidence.")
    kept = (judgments["status"] == "counted").to_numpy() & judgments["role"].isin(roles).to_numpy()
    return judgments if kept.all() else judgments[kept]


def _by_worker(frame: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    """Each worker with their rows in order, by name."""
    for worker, mine in frame.groupby("worker", sort=True):
        yield str(worker), mine


def _check_window(window: int | None) -> None:
    if window is not None and window < 1:
        raise BadSetting(f"A window must hold at least 1 judgment, got {window!r}.")
