"""MERA's folder `hb/`: raw and aggregated answers, a notebook that aggregates them anew, cost, and the card's text."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from baseline.comparison.report_evidence import Evidence
from baseline.human.baseline import deidentified_judgments, needs_texts
from baseline.output.html import drawn_plain
from data.errors import BadSetting
from data.numbers import with_interval
from data.table_files import archived, write_frame
from db.engine import Session
from eval.consensus.majority import votes_for
from eval.gold import right_rows
from eval.panel import Panel, StudyData, panel
from eval.votes import code_answers

OPENED = '''import pandas as pd

import human_baseline as hb


def table(name):
    return pd.read_csv(f"{name}.csv", dtype=str, keep_default_na=False)


raw, gold = table("raw"), table("gold").set_index("item")
votes = raw[raw["counted"] == "yes"].drop(columns="label").rename(columns={"item": "task", "counted_as": "label"})
controls = gold.loc[gold["role"] == "control", "gold"]
f"{len(votes)} of {len(raw)} answers count"'''
AGGREGATED = """rules = {rules}
answers = hb.consensus(votes, controls=controls, **rules).to_frame()
answers["status"].value_counts()"""
COMPARED = '''published = table("aggregated").set_index("item")["label"]
computed = answers["label"].reindex(published.index).fillna("")
assert (computed == published).all(), computed.compare(published)
f"the {len(published)} answers of aggregated.csv"'''
SCORED = """right = gold.loc[gold["role"] == "main", "gold"]
hb.human_baseline(votes, right, metrics={metrics}, controls=controls, **rules)"""


@dataclass(frozen=True)
class Group:
    """The people of one study, as a crowd or as experts."""

    evidence: Evidence

    @property
    def people(self) -> Panel:
        """Their panel under the rules."""
        return self.evidence.baseline.human.panel

    @property
    def rules(self) -> dict[str, Any]:
        """The rules by which answers are aggregated; where the gold comes from is no part of that."""
        rules = self.people.rules
        return {name: value for name, value in rules.as_dict().items() if name != "gold"} | {"seed": rules.seed}

    def tables(self, session: Session) -> dict[str, pd.DataFrame]:
        """Return raw and aggregated answers and the gold; raises BadSetting where the first do not give the second."""
        data, people = self.evidence.baseline.collected, self.people
        counted = data.judgments["status"].eq("counted") & data.judgments["role"].isin(["main", "control"])
        counted &= ~data.judgments["worker"].isin(data.excluded)
        plain = data.judgments[counted].assign(label=pd.Series(dict(self._labels(data.judgments[counted]))))
        known = data.items[data.items["role"].isin(["main", "control"]) & data.items["gold"].notna()]
        try:
            anew = panel(StudyData(plain, data.items), people.rules, draws=1).consensus
        except BadSetting as error:
            raise BadSetting(f"{self._refusal}: {error}") from error
        if anew.winner != people.consensus.winner:
            raise BadSetting(f"{self._refusal}; --consensus majority --ties drop always can")
        raw = deidentified_judgments(session, study=self.evidence.study)
        raw.insert(3, "counted_as", plain["label"].reindex(raw.index))
        raw.insert(4, "counted", np.where(counted, "yes", "no"))
        decided: list[Any] = [people.decisions.get(item) for item in people.votes.items]
        found = people.consensus
        aggregated = pd.DataFrame({"item": people.votes.items, "label": found.winner, "status": found.status})
        aggregated = aggregated.assign(**votes_for(found, people.votes), expert=decided)
        return {"raw": raw, "aggregated": aggregated, "gold": known[["item", "role", "gold"]]}

    @property
    def _refusal(self) -> str:
        rules = ", ".join(f"{name} {value}" for name, value in self.rules.items())
        name = self.evidence.study.name
        return f"study {name!r}: its answers alone do not give people’s one answer by these rules ({rules})"

    def _labels(self, judgments: pd.DataFrame) -> Iterator[tuple[Any, str]]:
        """Yield by row what an answer counts as: an open one as the spelling of it, a right control as its gold."""
        data = self.evidence.baseline.collected
        gold = dict(zip(data.items["item"], data.items["gold"], strict=True))
        for role, rows in judgments.groupby("role"):
            if role == "main":
                votes = code_answers(rows, items=None, labels=data.labels, asked=data.asked)
                yield from zip(
                    rows.index,
                    (votes.named(item)[code] for item, code in zip(votes.item, votes.label, strict=True)),
                    strict=True,
                )
            else:
                right = rows["item"].map(gold)
                yield from rows["label"].where(~right_rows(rows, right, data.asked), right).items()

    def notebook(self) -> bytes:
        """Return the notebook that aggregates the raw answers and compares what comes out."""
        task, name = self.evidence.study.task, self.evidence.study.name
        texts = [OPENED, AGGREGATED.format(rules=self.rules), COMPARED]
        if not needs_texts(task) and self.people.gold:
            texts.append(SCORED.format(metrics=[*task.metrics]))
        heading = f"# {name}: people’s one answer to each item\n\nIt needs `pip install human-baseline`."
        first = {"cell_type": "markdown", "id": "c0", "metadata": {}, "source": heading.splitlines(True)}
        unrun: dict[str, Any] = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
        cells = [unrun | {"id": f"c{n}", "source": text.splitlines(True)} for n, text in enumerate(texts, 1)]
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        content = {"cells": [first, *cells], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
        return json.dumps(content, ensure_ascii=False, indent=1).encode()


def hb_folder(session: Session, groups: Sequence[Group]) -> bytes:
    """Return the folder as a zip: a folder of each group, so that crowd and experts stay apart, and the card's text."""
    card = drawn_plain("hb.md", groups=groups, with_interval=with_interval)
    files = {"hb/README.md": card.encode()}
    for group in groups:
        place = f"hb/{group.evidence.study.name}"
        tables = group.tables(session)
        files |= {f"{place}/{name}.csv": write_frame(table, "csv") for name, table in tables.items()}
        files[f"{place}/aggregation.ipynb"] = group.notebook()
    return archived(files)
