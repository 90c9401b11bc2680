"""The files that a requester takes away from a study, each made when it is asked for."""

from collections.abc import Callable

import pandas as pd

from annotate.access import Signer
from annotate.invitations import personal_link, signed_link
from annotate.staff.cards import Download
from annotate.staff.oversight import Oversight
from data.errors import BadSetting, UnknownName
from data.tables import FORMATS, media_type, write_frame, write_log
from data.task_files import task_text
from db import exports, frames
from db.engine import reading
from db.studies import get_study

MOST_PEOPLE = 10_000
LONGEST_PERSON = 200
TOLOKA = "tsv"
TOML = "application/toml; charset=utf-8"
FILES: dict[str, Callable[..., pd.DataFrame]] = {
    "judgments": frames.judgments,
    "plain": exports.plain_rows,
    "items": exports.item_rows,
    "decisions": exports.decision_rows,
    "reports": exports.report_rows,
    "appeals": exports.appeal_rows,
    "events": exports.event_rows,
    "consents": exports.consent_rows,
}


def download(oversight: Oversight, name: str, what: str, form: str) -> Download:
    """Return a table of FILES, or the payments, as a file; raises UnknownName for what there is not."""
    if (what, form) == ("task", "toml"):
        return Download(f"{name}-task.toml", task_text(oversight.study(name).task).encode(), TOML)
    if what == "payments":
        return _made(name, what, form, oversight.payments(name).frame)
    if what not in FILES:
        raise UnknownName("the file", what, [*FILES, "payments"])
    with reading(oversight.database) as session:
        study = get_study(session, name=name)
        if form == TOLOKA and what == "judgments":
            content = write_log(exports.toloka_rows(session, study=study))
            return Download(f"{name}-toloka.tsv", content, "text/tab-separated-values; charset=utf-8")
        if form not in FORMATS:
            raise UnknownName("the format", form, FORMATS)
        frame = FILES[what](session, study=study)
    return _made(name, what, form, frame)


def links_download(signer: Signer, address: str, name: str, people: str, parameter: str = "") -> Download:
    """Return a CSV of `person,link`, one line for each of `people`, who stand one on a line; raises EtalonError."""
    links = links_of(signer, address, name, people, parameter)
    return Download(f"{name}-links.csv", write_frame(links_frame(links), "csv"), media_type("csv"))


def links_of(signer: Signer, address: str, name: str, people: str, parameter: str = "") -> list[tuple[str, str]]:
    """Return each of `people`, who stand one on a line, with a link; raises BadSetting, UnknownName.

    The link is the person's own; with a `parameter` of PLATFORM_IDS it is that which all share, with the platform's id
    of the person in it, and signed.
    """
    known = list(dict.fromkeys(one.strip() for one in people.replace("\0", "").splitlines() if one.strip()))
    if not known:
        raise BadSetting("Nobody is named yet: write one person on a line, by a name or number that you know them by.")
    if len(known) > MOST_PEOPLE:
        raise BadSetting(f"{len(known)} people are named; {MOST_PEOPLE} at a time get a link.")
    if long := next((one for one in known if len(one) > LONGEST_PERSON), None):
        raise BadSetting(f"The line that begins with {long[:30]!r} is longer than {LONGEST_PERSON} characters.")
    if parameter:
        return [(one, signed_link(signer, address, name, parameter, one)) for one in known]
    return [(one, personal_link(signer, address, name, one)) for one in known]


def links_frame(links: list[tuple[str, str]]) -> pd.DataFrame:
    """Return links as a table of `person` and `link`."""
    return pd.DataFrame(links, columns=["person", "link"], dtype=object)


def _made(name: str, what: str, form: str, frame: pd.DataFrame) -> Download:
    return Download(f"{name}-{what}.{form}", write_frame(frame, form), media_type(form))
