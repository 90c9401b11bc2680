"""JSON: the overview, and a report with what it takes to repeat it: task, rules, seeds, prompts, settings, versions."""

import json
from collections.abc import Mapping
from typing import Any

from baseline.comparison.judging import judge_dict, judging, why_no_judges
from baseline.comparison.pair_rankings import ranking_dict, rankings_or_none
from baseline.comparison.published_scores import published_people, published_scores_of
from baseline.comparison.report_evidence import Evidence, versions
from baseline.comparison.results import Respondent, Results
from baseline.comparison.run_pairs import pairs_dict
from baseline.comparison.score_breakdowns import error_kinds, error_table, of_results
from baseline.comparison.score_columns import results_dict
from baseline.comparison.writer_scores import writer_records
from baseline.human.baseline import pseudonymised, pseudonyms
from baseline.runs.run_history import ELSEWHERE
from baseline.runs.run_prompts import (
    kept_shots,
    kept_with,
    language_asked,
    stored_templates,
    template_asked,
    templates_of,
    variant_of,
)
from data.human_rules import RESULTS
from data.task import as_dict
from db.engine import Session
from db.studies import Study
from db.study_settings import SETTINGS


def report_dict(session: Session, evidence: Evidence) -> dict[str, Any]:
    """Return all that was computed of a study and all its settings as one object; workers go by numbers."""
    results, answered = evidence.results, len(evidence.results.panel.votes) > 0
    kinds, ranked = error_kinds(session, results), rankings_or_none(session, results)
    numbers = pseudonyms(evidence.baseline.collected.judgments["worker"], seed=evidence.study.seed)
    return {
        "results": pseudonymised(results_dict(evidence.results), numbers) | {"pairs": pairs_dict(evidence.results)},
        "human": pseudonymised(evidence.baseline.as_dict(), numbers),
        "given_differently": evidence.given.records if evidence.given else None,
        "groups": [each.as_dict() for each in of_results(session, results)],
        "mistakes": error_table(kinds).records if kinds else None,
        "ranking": ranking_dict(ranked) if ranked else None,
        "writers": writer_records(session, results),
        "judges": judge_dict(judging(results)) if answered and not why_no_judges(results) else None,
        "published": published_dict(results),
        "repeat": settings_dict(evidence),
    }


def published_dict(results: Results) -> dict[str, Any] | None:
    """Return what is printed of a study's task, and its people beside those of the paper; None for no benchmark."""
    published = published_scores_of(results.study.task)
    people = published_people(results)
    return published.as_dict() | {"people": people.as_dict() if people else None} if published else None


def settings_dict(evidence: Evidence) -> dict[str, Any]:
    """Return it as plain data; `prompts` of a run are its templates, {} for a naive one, None where not stored.

    `examples` are the train items that its prompts show with their answers, [] for none, None where not stored.
    """
    study, task = evidence.study, as_dict(evidence.study.task)
    rules = evidence.baseline.human.panel.rules
    return {
        "study": study.name,
        "origin": study.origin,
        "created": study.created_at.isoformat(),
        "task": task,
        "task_sha256": evidence.task_digest(),
        "items": {"main": len(evidence.main), "sha256": evidence.fingerprint()},
        "settings": _applied(study, evidence.baseline.human.pay),
        "seed": study.seed,
        "rules": rules.as_dict() | {"seed": rules.seed},
        "margin": evidence.results.margin,
        "epsilon": evidence.results.epsilon,
        "runs": [_run(evidence, row) for row in evidence.results.models if row.run],
        "versions": versions(),
    }


def _applied(study: Study, pay: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a study that ever applied: of an imported log those of its results, and its currency."""
    settings = study.settings.model_dump(mode="json")
    if study.origin != "imported":
        return settings
    known = {name for name, setting in SETTINGS.items() if setting.asked.group == RESULTS}
    known |= {"currency"} if pay["total"] is not None else set()
    return {name: value for name, value in settings.items() if name in known}


def _run(evidence: Evidence, row: Respondent) -> dict[str, Any]:
    run = row.run
    assert run is not None
    shots = kept_with(kept_shots(run.settings))
    return {
        "respondent": row.name,
        "model": run.model,
        "kind": run.kind,
        "status": run.status,
        "started": run.started_at.isoformat(),
        "finished": run.finished_at.isoformat() if run.finished_at else None,
        "settings": {name: value for name, value in run.settings.items() if name not in ELSEWHERE},
        "prompts": _prompts(evidence, row),
        "examples": None if run.settings.get("shots") and not shots else shots,
        "statuses": row.statuses,
    }


def _prompts(evidence: Evidence, row: Respondent) -> dict[str, str] | None:
    """Return the templates by the value of the task's `variants_by`, under "" the one that all items share."""
    if row.kind != "model":
        return {}
    settings = row.settings
    stored = stored_templates(settings)
    if stored is not None:
        return stored
    if template_asked(evidence.study.task, settings, next(iter(evidence.main), None)) is None:
        return None
    return templates_of(evidence.study.task, variant_of(settings), language_asked(settings))


def json_bytes(values: Mapping[str, Any]) -> bytes:
    """Return plain data as the JSON of a file."""
    return json.dumps(values, ensure_ascii=False, indent=1).encode()
