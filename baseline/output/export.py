"""What a study holds as a file: its tables, predictions or soft labels in formats that other programs read."""

from collections.abc import Callable
from typing import Literal, get_args

import pandas as pd

from baseline.human.baseline import stored_rules
from baseline.human.soft_labels import soft_label_rows
from baseline.runs.chosen import chosen_runs
from data.errors import BadSetting
from data.tables import write_frame, write_log
from db import frames
from db.engine import Session
from db.exports import decision_rows, event_rows, item_rows, judgment_rows, plain_rows, report_rows, toloka_rows
from db.replies import totals_of
from db.studies import Study
from eval.panel import Rules

What = Literal["judgments", "plain", "items", "decisions", "reports", "events", "predictions", "soft-labels"]
Format = Literal["csv", "jsonl", "parquet", "toloka"]
TABLES: dict[str, Callable[..., pd.DataFrame]] = {
    "judgments": judgment_rows,
    "plain": plain_rows,
    "items": item_rows,
    "decisions": decision_rows,
    "reports": report_rows,
    "events": event_rows,
}


def export(
    session: Session,
    *,
    study: Study,
    what: str,
    fmt: str,
    respondent: str | None = None,
    rules: Rules | None = None,
    smoothing: float = 0.0,
) -> bytes:
    """Return one table of a study as the bytes of a file; raises BadSetting for what cannot be asked for.

    Soft labels come under `rules`, None being those stored with the study, and with `smoothing`.
    """
    if what not in get_args(What):
        known = ", ".join([*get_args(What), "submission"])
        raise BadSetting(f"--what {what!r} cannot be exported; use one of {known}")
    if fmt not in get_args(Format):
        raise BadSetting(f"--format {fmt!r} is not known; use one of {', '.join(get_args(Format))}")
    if fmt == "toloka":
        if what != "judgments":
            raise BadSetting("the format toloka is one of judgments; choose csv, jsonl or parquet for the rest")
        return write_log(toloka_rows(session, study=study))
    if what == "soft-labels":
        chosen = stored_rules(study) if rules is None else rules
        return write_frame(soft_label_rows(session, study=study, rules=chosen, smoothing=smoothing), fmt)
    if what == "predictions":
        return write_frame(_predictions(session, study, respondent), fmt)
    return write_frame(TABLES[what](session, study=study), fmt)


def _predictions(session: Session, study: Study, respondent: str | None) -> pd.DataFrame:
    runs = [one.run for one in chosen_runs(session, study=study)]
    sums = totals_of(session, runs=runs)
    runs = [run for run in runs if sums[run.id].statuses]
    named = [run for run in runs if respondent in (None, f"model:{run.model}")]
    if not named:
        known = ", ".join(f"model:{run.model}" for run in runs) or "none yet; `run` makes one"
        raise BadSetting(f"study {study.name!r} has no predictions of {respondent or 'any model'}; known are: {known}")
    parts = [
        frames.predictions(session, run_id=run.id).assign(respondent=f"model:{run.model}", run=run.id) for run in named
    ]
    return pd.concat(parts, ignore_index=True).rename(columns={"item": "task"})
