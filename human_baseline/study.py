"""A study of an installation, read from its database."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from baseline.comparison.results import results as results_of
from baseline.comparison.verdicts import standings
from baseline.human.baseline import changed_rules
from baseline.human.baseline import human_baseline as baseline_of
from data.errors import UnknownName
from db import frames
from db.engine import opened, reading
from db.studies import get_study, list_studies
from human_baseline.analyses import baseline_result, notes_of, row_of
from human_baseline.result import Result, table


@dataclass(frozen=True)
class InstalledStudy:
    """A study of the database at `url`: SQLite or PostgreSQL, as DATABASE_URL has it.

    Study.open("sqlite:///var/etalon.db", "parus").results()
    """

    url: str
    name: str

    @classmethod
    def open(cls, url: str, name: str | None = None) -> "InstalledStudy":
        """Return the study of this name; of a database with one study no name is needed."""
        with opened(url) as database, reading(database) as session:
            names = [study.name for study in list_studies(session)]
        if name not in names and (name is not None or len(names) != 1):
            raise UnknownName("the study", name or "", names)
        return cls(url, name or names[0])

    def judgments(self) -> pd.DataFrame:
        """Return people's counted answers to main items: task, worker, label."""
        with opened(self.url) as database, reading(database) as session:
            given = frames.judgments(session, study=get_study(session, name=self.name))
        counted = given[(given["status"] == "counted") & (given["role"] == "main")]
        return counted.rename(columns={"item": "task"})[["task", "worker", "label"]].reset_index(drop=True)

    def gold(self) -> "pd.Series[str]":
        """Return the right answers of its main items that have one, by task."""
        with opened(self.url) as database, reading(database) as session:
            items = frames.items(session, study=get_study(session, name=self.name))
        known = items[(items["role"] == "main") & items["gold"].notna()]
        return known.rename(columns={"item": "task"}).set_index("task")["gold"]

    def human(self, *, rules: str | None = None, **changes: Any) -> Result:
        """Return the human baseline by the study's rules with these changes, as the command `human` has it."""
        with opened(self.url) as database, reading(database) as session:
            study = get_study(session, name=self.name)
            found = baseline_of(session, study=study, rules=changed_rules(study, rules=rules, **changes))
        return baseline_result(found.panel, found.majority, found.individual, found.leave_one_out)

    def results(self, *, rules: str | None = None, **changes: Any) -> Result:
        """Return people and every model's chosen run, as the command `results` has them."""
        with opened(self.url) as database, reading(database) as session:
            study = get_study(session, name=self.name)
            found = results_of(session, study=study, rules=changed_rules(study, rules=rules, **changes))
        stood = standings(found)
        verdicts = {row.respondent.name: row.verdict for row in stood.models} if stood else {}
        rows = {}
        for row in found.rows:
            against, people = found.against_people.get(row.name), row.kind == "human"
            p, score = against.p_holm if against else None, row.scores.get(study.task.primary)
            rows[row.name] = row_of(score, row.vs_human, p, of_people=people) | {"verdict": verdicts.get(row.name, "")}
        return Result(f"People and models, {study.task.primary}", table(rows), notes_of(found.panel))
