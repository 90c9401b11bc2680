"""Competitors ranked from judgments of pairs."""

from typing import Any

import numpy as np
import pandas as pd

from data.errors import BadSetting
from eval.ranking.pairs import Comparisons
from eval.ranking.ranking import ELO
from eval.ranking.ranking import ranking as ranking_of
from human_baseline.given_frames import check_columns, text_of
from human_baseline.result import Result, ends, table

TIE = "tie"


def ranking(df: pd.DataFrame) -> Result:
    """Competitors by Bradley-Terry strengths on Elo's scale, with 95% intervals and ranks.

    Args:
        df: A row for each judgment: `left`, `right`, and `label`, the better of the two or "tie". `worker` says who
            judged: of five or more, intervals hold for other people too. `task` says what the two answered; without
            it each row is taken for a pair of its own, so give it where several people judged the same pair.

    Returns:
        `value` is the rating, `best` and `worst` are between which ranks it may be, `win_rate` is the mean over
        opponents.

    >>> games = pd.DataFrame({"left": list("aab"), "right": list("bcc"), "label": list("aab")})
    >>> ranking(pd.concat([games] * 9 + [games.assign(label=list("bcc"))])).to_frame()["rank"].to_dict()
    {'a': 1, 'b': 2, 'c': 3}
    """
    check_columns(df, "left", "right", "label")
    sides = [df[name].map(text_of).to_numpy(dtype=object) for name in ("left", "right", "label")]
    left, right, label = sides
    score = np.select([label == left, label == right, label == TIE], [1.0, 0.0, 0.5], default=np.nan)
    for wrong, what in ((np.isnan(score), f"is neither of its two nor {TIE!r}"), (left == right, "is a pair of one")):
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise BadSetting(f"Row {row} ({left[row]!r}, {right[row]!r}, {label[row]!r}) {what}; correct or drop it.")
    codes, names = pd.factorize(np.concatenate([left, right]), sort=True)
    first, second = np.split(codes.astype(np.int32), 2)
    pair = _numbers(df["task"] if "task" in df else pd.Series(range(len(df))))
    couple = np.minimum(first, second).astype(np.int64) * len(names) + np.maximum(first, second)
    pair = _numbers(pd.Series(pair.astype(np.int64) * len(names) ** 2 + couple))
    worker = _numbers(df["worker"]) if "worker" in df else np.zeros(len(df), dtype=np.int32)
    judged = Comparisons(tuple(names), first, second, score, pair, worker, int(pair.max(initial=-1)) + 1)
    found = ranking_of(judged)
    rows = {}
    for place in np.lexsort((found.rank, found.groups.of)).tolist():
        low, high = (1000 + ELO * found.ci[place]).tolist()
        rows[found.names[place]] = {
            "value": float(found.elo[place]),
            **ends((low, high), "pair", found.people is not None),
            "rank": int(found.rank[place]),
            "best": int(found.ranges[place][0]),
            "worst": int(found.ranges[place][1]),
            "win_rate": float(found.average[place]),
            "games": int(found.games[place]),
        }
    apart = found.groups.number > 1
    return Result("Ranking", table(rows), ("Some never met, even through others: ranks count within groups.",) * apart)


def _numbers(column: "pd.Series[Any]") -> Any:
    return pd.factorize(column)[0].astype(np.int32)
