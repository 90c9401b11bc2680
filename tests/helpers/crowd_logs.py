"""The raw crowd logs and pools of the shared data as votes and panels, with the gold that is known of them."""

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from eval.panel import Panel, PanelRules, StudyData, panel
from eval.votes import Votes, code
from human_baseline.published import balanced, common_subsequence

# Columns that make an item, and the one with the answer.
LOGS = {
    "PARus": (["INPUT:premise", "INPUT:question", "INPUT:sent1", "INPUT:sent2"], "OUTPUT:variant"),
    "LiDiRus": (["INPUT:sent1", "INPUT:sent2"], "OUTPUT:result"),
    "RWSD": (["INPUT:text", "INPUT:span1"], "OUTPUT:result"),
}
POOLS = {
    "BPS": (["INPUT:parentheses"], "correct"),
    "LCS": (["INPUT:string1", "INPUT:string2"], "length"),
    "RCB": (["INPUT:premise", "INPUT:hypothesis"], "answer"),
}


@cache
def table(path: Path, separator: str) -> pd.DataFrame:
    with path.open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines, delimiter=separator)
    return pd.DataFrame(rows, columns=header)


@cache
def log(shared: Path, name: str) -> Votes:
    fields, answer = LOGS[name]
    rows = table(shared / "toloka_logs" / name / f"assign_{name}.tsv", ";")
    items = rows[fields].agg("\t".join, axis=1)
    return code(pd.DataFrame({"item": items, "worker": rows["ASSIGNMENT:worker_id"], "label": rows[answer]}))


def reference(shared: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "toloka_logs/reference.json").read_text(encoding="utf-8"))
    return found["tasks"][name]  # type: ignore[no-any-return]


def parus_gold(shared: Path) -> dict[str, str]:
    rows = table(shared / "toloka_logs/PARus/gold.csv", ",")
    keys = rows[["premise", "question", "sent1", "sent2"]].agg("\t".join, axis=1)
    return dict(zip(keys, rows["variant"], strict=True))


GOLD = {"BPS": balanced, "LCS": lambda strings: common_subsequence(*strings.split("\t"))}


def pool_frames(shared: Path, name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    fields, answer = POOLS[name]
    (path,) = (shared / "toloka_pools" / name).glob("assignments*.tsv")
    rows = table(path, "\t")
    control = rows[f"GOLDEN:{answer}"] != ""
    judged = pd.DataFrame({"item": rows[fields].agg("\t".join, axis=1), "worker": rows["ASSIGNMENT:worker_id"]})
    judged = judged.assign(label=rows[f"OUTPUT:{answer}"], role=np.where(control, "control", "main"))
    judged = judged.assign(status="counted", reason="", gold=rows[f"GOLDEN:{answer}"].where(control, None))
    items = judged.drop_duplicates("item")[["item", "role", "gold"]]
    if name in GOLD:
        items["gold"] = items["gold"].where(items["role"] == "control", items["item"].map(GOLD[name]))
    return judged, items


def pool(shared: Path, name: str, rules: PanelRules) -> Panel:
    judged, items = pool_frames(shared, name)
    return panel(StudyData(judged, items), rules, draws=200)
