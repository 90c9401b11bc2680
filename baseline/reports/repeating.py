"""What it takes to repeat a study and its report: task, rules, seeds, prompts, models' settings, versions."""

import hashlib
import json
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from baseline.people.evidence import Evidence
from baseline.results import Respondent
from baseline.side.equality import prompt_known, settings_of, variant_of
from data.custom import as_dict
from data.task import Item

PACKAGES = ("numpy", "scipy", "pandas", "krippendorff", "scikit-learn", "openai", "gradio", "fastapi", "sqlmodel")


def to_repeat(evidence: Evidence) -> dict[str, Any]:
    """Return it as plain data; `prompt` of a run is its template, None where only its hash is known."""
    study, task = evidence.study, as_dict(evidence.study.task)
    rules = evidence.full.human.panel.rules
    return {
        "study": study.name,
        "origin": study.origin,
        "created": study.created_at.isoformat(),
        "task": task,
        "task_sha256": hashlib.sha256(_in_order(task).encode()).hexdigest(),
        "items": {"main": len(evidence.main), "sha256": evidence.fingerprint()},
        "settings": study.settings.model_dump(mode="json"),
        "seed": study.seed,
        "rules": rules.as_dict() | {"seed": rules.seed},
        "margin": evidence.results.margin,
        "runs": [_run(evidence, row) for row in evidence.models if row.run],
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Return the version of Python and of the packages that numbers depend on, those that are installed."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _run(evidence: Evidence, row: Respondent) -> dict[str, Any]:
    run, first = row.run, next(iter(evidence.main), None)
    assert run is not None
    return {
        "model": run.model,
        "kind": run.kind,
        "status": run.status,
        "started": run.started_at.isoformat(),
        "finished": run.finished_at.isoformat() if run.finished_at else None,
        "settings": dict(run.settings),
        "prompt": _prompt(evidence, settings_of(row), first),
        "statuses": row.statuses,
    }


def _prompt(evidence: Evidence, settings: Mapping[str, Any], first: Item | None) -> str | None:
    if first is None or not prompt_known(evidence.study, settings, first):
        return None
    return evidence.study.task.template(first.fields, variant_of(settings))


def _in_order(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True)
