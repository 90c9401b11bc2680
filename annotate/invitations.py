"""Who comes with an invitation link: a person with a link of their own, somebody a platform sends, or nobody known.

An id that a platform puts into the link that all share says who comes back as whom, and no more: whoever has the link
can write another id into it, and nothing can tell, unless the link is signed for that very id (`signed_link`) and the
study asks for it. A link of one's own (`personal_link`) is signed always. Of neither kind do we keep more than a digest
made with this installation's secret; the redirect to the page takes both out of the address bar.
"""

import secrets
from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode

import pandas as pd

from annotate.accounts.signer import Invitation, Signer
from data.errors import BadSetting, EtalonError, UnknownName
from data.wording import Language
from db import workers
from db.engine import Session
from db.payments import Payments
from db.studies import Study
from db.study_settings import StudySettings
from db.tables import PlaceKey
from db.workers import STRANGER, Enrolment

PLATFORM_IDS = ("PROLIFIC_PID", "workerId", "worker", "pid")
"""Parameters in which platforms tell who comes: Prolific, Toloka and Mechanical Turk, others.

STUDY_ID, SESSION_ID and assignmentId tell of a visit, not of a person: they are dropped.
"""
PROLIFIC = "&".join(f"{name}={{{{%{name}%}}}}" for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"))
"""What Prolific fills in, in the link of a study there."""
SIGNATURE = "sig"
LONGEST_ID = 200
MOST_PEOPLE = 10_000  # who get a link at a time
LONGEST_PERSON = 200
PERSONAL = "p."  # what a person's digest begins with where the link was the person's own


class NotInvited(EtalonError):
    """Somebody without an invitation to this study; `words` names the text that says what to do."""

    def __init__(self, message: str, words: str = "uninvited") -> None:
        super().__init__(message)
        self.words = words


class Occupied(EtalonError):
    """A link that would replace the place this browser holds, by that of another person or another place."""

    def __init__(self, held: Enrolment) -> None:
        super().__init__("this browser holds another place in the study already")
        self.held = held


def invitation(signer: Signer, study: str, key: str, given: Mapping[str, str], language: Language) -> Invitation:
    """Return who comes with the link of that key and these parameters; raises NotInvited."""
    if person := signer.person(study, key):
        return Invitation(study, person, language, signed=True)
    if not signer.invited(study, key):
        raise NotInvited(f"this link does not open the study {study!r}; ask for a new invitation", "wrong_link")
    for name in PLATFORM_IDS:
        if value := told_id(given.get(name, "")):
            signature = given.get(SIGNATURE)
            signed = signature is not None and signer.signs(signature, study, name, value)
            if signature is not None and not signed:
                raise NotInvited(f"this link is not signed for its {name}; open it as it was sent", "wrong_link")
            return Invitation(study, f"x.{signer.digest_of(PLATFORM_IDS[0], value)}", language, signed=signed)
    return Invitation(study, STRANGER + secrets.token_urlsafe(12), language)


def shared_link(signer: Signer, address: str, study: str, settings: StudySettings) -> str:
    """Return the link that all share; for Prolific with the parameters that it fills in for each participant."""
    link = _open_link(signer, address, study)
    return f"{link}?{PROLIFIC}" if settings.entry == "prolific" else link


def _open_link(signer: Signer, address: str, study: str) -> str:
    return f"{address}/join/{quote(study)}/{signer.invitation(study)}"


def told_id(value: str) -> str:
    """Return an id as it is known: without spaces around it and signs nobody sees, LONGEST_ID characters at most."""
    return "".join(sign for sign in value if sign.isprintable()).strip()[:LONGEST_ID]


def known_before(signer: Signer, given: Mapping[str, str]) -> list[str]:
    """Return by what earlier versions knew the person of these parameters: the same id was another in another one."""
    values = ((name, told_id(given.get(name, ""))) for name in PLATFORM_IDS)
    return [f"x.{signer.digest_of(name, value)}" for name, value in values if value]


def admit(settings: StudySettings, came: Invitation) -> None:
    """Raise NotInvited where the study takes no new place from whoever comes like that."""
    personal, stranger = came.person.startswith(PERSONAL), came.person.startswith(STRANGER)
    if settings.entry == "personal" and not personal:
        raise NotInvited("the study takes personal links alone", "needs_personal")
    if settings.entry in ("platform", "prolific") and stranger:
        raise NotInvited("the study takes people with a platform's id alone", "needs_platform")
    if settings.signed_ids and not stranger and not came.signed:
        raise NotInvited("the study takes ids with a signature alone", "needs_signature")


def place_of(session: Session, study: Study, key: PlaceKey | None) -> Enrolment | None:
    """Return the place in this study of which a cookie or a link has that key, None for none."""
    held = workers.get_enrolment(session, enrolment_id=key.id) if key is not None else None
    return held if key and held is not None and held.study_id == study.id and key.opens(held.nonce) else None


def personal_link(signer: Signer, address: str, study: str, person: str) -> str:
    """Return the invitation link of one person, whom the requester knows by `person`.

    It opens the same place on every device, and nobody can make one for somebody else. `address` is that of the server.
    """
    return f"{address}/join/{quote(study)}/{signer.personal_key(study, person)}"


def signed_link(signer: Signer, address: str, study: str, parameter: str, value: str) -> str:
    """Return the link that all share with somebody's id in a parameter of PLATFORM_IDS, signed; raises UnknownName."""
    if parameter not in PLATFORM_IDS:
        raise UnknownName("the parameter", parameter, PLATFORM_IDS)
    known = told_id(value)
    query = urlencode({parameter: known, SIGNATURE: signer.signature(study, parameter, known)})
    return f"{_open_link(signer, address, study)}?{query}"


def links_of(signer: Signer, address: str, name: str, people: str, parameter: str = "") -> list[tuple[str, str]]:
    """Return each of `people`, who stand one on a line, with a link; raises BadSetting, UnknownName.

    The link is the person's own; with a `parameter` of PLATFORM_IDS it is that which all share, with the platform's id
    of the person in it, and signed.
    """
    known = list(dict.fromkeys(line.strip() for line in people.replace("\0", "").splitlines() if line.strip()))
    if not known:
        raise BadSetting("Nobody is named yet: write one person on a line, by a name or number that you know them by.")
    if len(known) > MOST_PEOPLE:
        raise BadSetting(f"{len(known)} people are named; {MOST_PEOPLE} at a time get a link.")
    if long := next((person for person in known if len(person) > LONGEST_PERSON), None):
        raise BadSetting(f"The line that begins with {long[:30]!r} is longer than {LONGEST_PERSON} characters.")
    if parameter:
        return [(person, signed_link(signer, address, name, parameter, person)) for person in known]
    return [(person, personal_link(signer, address, name, person)) for person in known]


def links_frame(links: list[tuple[str, str]]) -> pd.DataFrame:
    """Return links as a table of `person` and `link`."""
    return pd.DataFrame(links, columns=["person", "link"], dtype=object)


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


def prolific_bonuses(owed: pd.DataFrame) -> str:
    """Return Prolific's bonus file: `id,amount` for each id that is owed a bonus."""
    lines = zip(owed["id"], owed["bonus"], strict=True)
    return "".join(f"{participant},{bonus:.2f}\n" for participant, bonus in lines if bonus)


def _digests(signer: Signer, platform_id: str) -> list[str]:
    return [
        f"p.{signer.digest_of('personal', platform_id)}",
        *(f"x.{signer.digest_of(name, platform_id)}" for name in PLATFORM_IDS),
    ]
