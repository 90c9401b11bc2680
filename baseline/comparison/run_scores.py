"""The score of each run of a study, and the verdict on those that results show."""

from dataclasses import dataclass

from baseline.comparison.results import Respondent, model_respondent, results
from baseline.comparison.verdicts import scale_of, standings
from baseline.human.baseline import stored_rules
from baseline.runs.result_runs import ResultRun, name_of_result
from db.engine import Session
from db.runs import list_runs
from db.studies import Study


@dataclass(frozen=True)
class RunScore:
    """What a run scored, how far that is from people, and the verdict; "" where there is none."""

    score: str
    difference: str = ""
    verdict: str = ""


def run_scores(session: Session, study: Study) -> dict[int, RunScore]:
    """Return the score of each run by its number, as it is read; without gold, of the runs that results show."""
    found = results(session, study=study, rules=stored_rules(study))
    stand = standings(found)
    scale = stand.scale if stand else scale_of(study.task)
    beside = {row.name: row for row in stand.rows} if stand else {}
    scores = {}
    for row in found.models:
        if row.run and (standing := beside.get(row.name)):
            difference = f"{scale.difference(standing.difference.value)} {scale.unit}".strip()
            verdict = standing.verdict or standing.why_not
            scores[row.run.id] = RunScore(f"{scale.score(standing.score)}{scale.sign}", difference, verdict)
    shown = {row.run.id: row for row in found.models if row.run}
    for run in list_runs(session, study=study) if found.human.panel.gold else ():
        if run.id not in scores:
            row = shown.get(run.id) or model_respondent(session, found.human, ResultRun(name_of_result(run), run))
            scores |= _alone(study, row)
    return scores


def _alone(study: Study, row: Respondent) -> dict[int, RunScore]:
    """Return the score of a run that nothing is compared with."""
    estimate, scale = row.scores.get(study.task.primary), scale_of(study.task)
    if row.run is None or estimate is None or estimate.value != estimate.value:
        return {}
    return {row.run.id: RunScore(f"{scale.score(estimate.value)}{scale.sign}")}
