"""A submission: the answers of one respondent to one or more studies as the file that a leaderboard takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from baseline.human.baseline import Collected, changed_rules, collected
from baseline.runs.result_runs import result_runs
from data.errors import BadSetting
from data.submissions import needed_leaderboard, submission
from data.submissions.leaderboard import SubmissionSheet, sheet_of
from db import frames
from db.engine import Session
from db.items import list_items
from db.studies import Study
from eval.ballots import Ballots
from eval.consensus.majority import majority
from eval.consensus.ties import WinningRule
from eval.panel import PanelRules, panel
from eval.votes import code_answers

HUMAN, MODEL = "human", "model:"
WHOLE = 1 - 1e-9


@dataclass(frozen=True)
class Submission:
    """The bytes of a file for a leaderboard, and the files that the leaderboard expects beside those in it."""

    content: bytes
    absent: list[str]

    def note(self) -> str:
        """Return the sentence that says what is not there; "" where everything is."""
        if not self.absent:
            return ""
        return f"not in it, and wanted for a whole submission: {', '.join(self.absent)} (--also STUDY adds more)"


def submission_of(
    session: Session, *, studies: Sequence[Study], respondent: str | None, changes: Mapping[str, Any]
) -> Submission:
    """Return the file of what `respondent` ("human", or "model:NAME" with its chosen run) answered to these studies.

    People answer with their consensus, under the rules stored with each study and the `changes` to them. Raises
    BadSetting where an item has no answer (nobody gave one, a reply could not be read, votes are tied and the rules do
    not decide it), and for whatever else the leaderboard would refuse.
    """
    for study in studies:
        needed_leaderboard(study.task.id)
    sheets = [_sheet(session, study, respondent, changed_rules(study, **changes)) for study in studies]
    return Submission(submission(sheets), needed_leaderboard(studies[0].task.id).absent(sheets))


def decided(ballots: Ballots) -> dict[str, str]:
    """Return the answer of each item whose whole ballot goes to one."""
    answers: dict[str, str] = {}
    for row, item in enumerate(ballots.items):
        (columns,) = np.nonzero(ballots.weights[row, :-1] >= WHOLE)
        if len(columns) == 1:
            answers[item] = ballots.named(row)[columns[0]]
    return answers


def _sheet(session: Session, study: Study, respondent: str | None, rules: PanelRules) -> SubmissionSheet:
    data = collected(session, study=study)
    if respondent == HUMAN:
        said, remedy = _human(data, rules), "collect more answers, or settle ties with --ties random or --ties skill"
    elif respondent and respondent.startswith(MODEL):
        said, remedy = _model(session, data, respondent, rules), "`run` the model again, on all items"
    else:
        raise BadSetting(f"--respondent {respondent or ''!r} has no submission; choose human or model:NAME")
    items = [entry.item for entry in list_items(session, study=study, role="main")]
    return sheet_of(study.task, items, decided(said), remedy=remedy)


def _human(answers: Collected, rules: PanelRules) -> Ballots:
    return panel(answers, rules).consensus.ballots


def _model(session: Session, answers: Collected, respondent: str, rules: PanelRules) -> Ballots:
    """Return what a model answered; of several samples the majority, ties by lot where the rules say so."""
    runs = {result_run.name: result_run.run for result_run in result_runs(session, study=answers.study)}
    if respondent not in runs:
        known = ", ".join(runs) or "none yet; `run` makes one"
        raise BadSetting(f"study {answers.study.name!r} has no predictions of {respondent}; known are: {known}")
    predictions = frames.predictions(session, run_id=runs[respondent].id)
    answered = predictions[predictions["status"] == "ok"].rename(columns={"sample": "worker"})
    items = sorted(answers.items["item"][answers.items["role"] == "main"])
    votes = code_answers(
        answered[["item", "worker", "label"]].astype({"worker": str}),
        items=items,
        labels=answers.labels,
        asked=answers.asked,
    )
    return majority(votes, WinningRule("random" if rules.ties == "random" else "fractional"), seed=rules.seed).ballots
