"""Payments by the ids of a platform: whoever has the ids finds the people behind the digests that are kept of them."""

from collections.abc import Sequence

import pandas as pd

from annotate.accounts.signer import Signer
from annotate.invitations import PLATFORM_IDS, told_id
from data.errors import BadSetting
from db import workers
from db.engine import Session
from db.payments import Payments
from db.studies import Study

COLUMNS = ("id", "worker", "status", "answers", "pay", "bonus", "total", "currency")


def ids_in(text: str) -> list[str]:
    """Return the ids that stand one on a line, each once; raises BadSetting where there is none."""
    ids = list(dict.fromkeys(told_id(line) for line in text.splitlines() if told_id(line)))
    if not ids:
        raise BadSetting("No id is given: write one on a line, as the platform or your personal links have it.")
    return ids


def owed_by_id(session: Session, signer: Signer, *, study: Study, owed: Payments, ids: Sequence[str]) -> pd.DataFrame:
    """Return what is owed to these ids, in their order, columns COLUMNS; who is owed nothing is left out.

    An id is what a platform put into the invitation link (PROLIFIC_PID and its like), or the name that a personal link
    was made for. Nothing but this program's secret leads from an id to its digest, and nothing leads back.
    """
    people = workers.known_as(session, study=study)
    lines = {line["worker"]: line for line in owed.frame.to_dict("records")}
    lines_of_ids = (
        (platform_id, lines.get(people.get(digest, "")))
        for platform_id in ids
        for digest in _digests(signer, platform_id)
    )
    rows = [{"id": platform_id, **line} for platform_id, line in lines_of_ids if line]
    return pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)


def worker_by_id(session: Session, signer: Signer, *, study: Study, known_as: str) -> str:
    """Return the name of the worker whom a platform or a personal link calls so; raises BadSetting for nobody."""
    people = workers.known_as(session, study=study)
    worker = next((people[digest] for digest in _digests(signer, known_as) if digest in people), None)
    if worker is None:
        raise BadSetting(
            f"nobody came to the study {study.name!r} as {known_as!r}; write the id as the platform has it"
        )
    return worker


def _digests(signer: Signer, platform_id: str) -> list[str]:
    return [
        f"p.{signer.digest_of('personal', platform_id)}",
        *(f"x.{signer.digest_of(name, platform_id)}" for name in PLATFORM_IDS),
    ]
