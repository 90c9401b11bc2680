"""What leaves a study as a table: judgments in several shapes, items, decisions, events, reports."""

import pandas as pd

from data.answers.composite import packed
from data.task import Item
from db import frames
from db.appeals import list_appeals
from db.decisions import list_decisions
from db.engine import Session
from db.events import list_events
from db.items import list_items
from db.people import works
from db.reports import list_reports
from db.studies import Study

PLAIN = ("task", "worker", "label")


def judgment_rows(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every judgment with the column `task` for the item's id, as aggregation libraries name it."""
    return frames.judgments(session, study=study).rename(columns={"item": "task"})


def plain_rows(session: Session, *, study: Study) -> pd.DataFrame:
    """Return the counted judgments on main items as `task, worker, label`, the table that crowd libraries exchange."""
    judged = judgment_rows(session, study=study).query("status == 'counted' and role == 'main'")
    return judged[list(PLAIN)].reset_index(drop=True)


def item_rows(session: Session, *, study: Study) -> pd.DataFrame:
    """Return the items with their fields, gold and role, in the form `create` reads."""
    column = study.task.answer_column
    rows = [
        {
            "id": entry.item.id,
            **entry.item.fields,
            column: entry.item.gold,
            "role": entry.item.role,
            "explanation": entry.item.explanation,
        }
        for entry in list_items(session, study=study)
    ]
    return pd.DataFrame(rows, dtype=object)


def toloka_rows(session: Session, *, study: Study) -> pd.DataFrame:
    """Return the main and control judgments that count, in the columns of a crowd platform's log."""
    answer = study.task.answer_column
    items = {_told_apart(entry.item): entry.item for entry in list_items(session, study=study)}
    judged = frames.judgments(session, study=study).query("status == 'counted' and role != 'training'")
    return pd.DataFrame(
        {
            **{f"INPUT:{name}": [items[key].fields[name] for key in judged["item"]] for name in _field_names(study)},
            f"OUTPUT:{answer}": judged["label"].to_list(),
            f"GOLDEN:{answer}": [items[key].gold if items[key].role == "control" else "" for key in judged["item"]],
            "HINT:text": "",
            "ASSIGNMENT:assignment_id": [page or f"row-{place}" for place, page in enumerate(judged["page"])],
            "ASSIGNMENT:worker_id": judged["worker"].to_list(),
            "ASSIGNMENT:status": "APPROVED",
            "ASSIGNMENT:reward": judged["price"].to_list(),
        }
    )


def decision_rows(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every decision of experts in the order they were made: item, label, who, blind, note, decided_at."""
    columns = ["item", "label", "who", "blind", "note", "decided_at"]
    made = [tuple(getattr(one, name) for name in columns) for one in list_decisions(session, study=study)]
    return pd.DataFrame(made, columns=columns, dtype=object)


def report_rows(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every report of a worker on an item: item, worker, reason, text, reported_at."""
    columns = ["item", "worker", "reason", "text", "reported_at"]
    told = [tuple(getattr(one, name) for name in columns) for one in list_reports(session, study=study)]
    return pd.DataFrame(told, columns=columns, dtype=object)


def appeal_rows(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every appeal of a worker, the oldest first: worker, text, sent_at, reply, who, replied_at, restored."""
    columns = ["worker", "text", "sent_at", "reply", "who", "replied_at", "restored"]
    told = [tuple(getattr(one, name) for name in columns) for one in reversed(list_appeals(session, study=study))]
    return pd.DataFrame(told, columns=columns, dtype=object)


def event_rows(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every event, the oldest first: at, kind, worker, rule, who, reason, details."""
    columns = ["at", "kind", "worker", "rule", "who", "reason", "details"]
    found = reversed(list_events(session, study=study, most=None))
    told = [
        (one.at, one.kind, one.worker, one.rule, one.who, one.reason, packed(dict(one.details)) if one.details else "")
        for one in found
    ]
    return pd.DataFrame(told, columns=columns, dtype=object)


def consent_rows(session: Session, *, study: Study) -> pd.DataFrame:
    """Return who agreed to what: worker, consent_version, language, consented_at, notice_acknowledged_at."""
    columns = ["worker", "consent_version", "language", "consented_at", "notice_acknowledged_at"]
    told = [
        (work.name, work.consent.version, work.consent.language, work.consent.at, work.consent.noticed_at)
        for work in works(session, study=study)
        if work.consent
    ]
    return pd.DataFrame(told, columns=columns, dtype=object)


def _told_apart(item: Item) -> str:
    return item.id if item.role == "main" else f"{item.role}:{item.id}"


def _field_names(study: Study) -> list[str]:
    return [field.name for field in study.task.fields]
