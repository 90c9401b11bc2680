"""Enrolment: how somebody comes into a study, from a link to a cookie, and with the consent from that to a place."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil

from annotate.accounts.signer import Invitation, Signer
from annotate.consent import agreed, version_of, workload_of
from annotate.invitations import NotInvited, Occupied, admit, invitation, known_before, place_of
from annotate.worker.view import NoRoom
from data.wording import Language
from db import workers
from db.arrivals import MINUTE, add_arrival, admit_refused, places_full, refusal_of, refuse
from db.engine import Session
from db.place_keys import PlaceKey
from db.studies import Study, get_study


@dataclass(frozen=True)
class GivenConsent:
    """When somebody agreed, what was `said` with it, and a digest of where it comes from, "" where none counts."""

    given_at: datetime
    said: object
    source: str = ""


def invited_by(
    session: Session, signer: Signer, study: Study, key: str, given: Mapping[str, str], language: Language
) -> Invitation | PlaceKey:
    """Return who comes with the link of that key and these parameters; raises NotInvited.

    It is an enrolment where the link leads back to one.
    """
    back = signer.returning(study.name, key)
    if back is not None:
        return back
    came = invitation(signer, study.name, key, given, language)
    if came.person.startswith("x.") and not workers.enrolment_of(session, study=study, external=came.person):
        before = known_before(signer, given)
        here = (earlier for earlier in before if workers.enrolment_of(session, study=study, external=earlier))
        came = replace(came, person=next(here, came.person))
    return came


def cookie_for(
    session: Session, signer: Signer, study: Study, came: Invitation | PlaceKey, *, cookie: str | None, replacing: bool
) -> str:
    """Return the cookie to go on with of a browser in which somebody comes; raises NotInvited, Occupied.

    `cookie` is the one it has. A link that says nothing of who comes changes nothing for a browser that was here
    before.
    """
    held = place_of(session, study, signer.enrolment(cookie))
    if isinstance(came, PlaceKey):
        theirs = place_of(session, study, came)
        if theirs is None:
            raise NotInvited("this link leads to a place that is no more", "wrong_link")
        _ask(held, theirs.key, replacing)
        return signer.worker_cookie(theirs.key)
    stranger = came.person.startswith(workers.STRANGER)
    if stranger and held is not None:
        return cookie or ""
    target = None if stranger else workers.enrolment_of(session, study=study, external=came.person)
    if held is not None and target == held.key:
        return cookie or ""
    admit(study.settings, came)
    if stranger and _pending(signer, study.name, cookie):
        return cookie or ""
    _ask(held, target, replacing)
    return signer.invitation_cookie(came)


def came_as(
    session: Session, signer: Signer, study_name: str, cookie: str | None, *, consent: GivenConsent | None = None
) -> tuple[Invitation | None, str]:
    """Return the invitation of somebody not yet enrolled, or None; and the cookie to go on with.

    Who gives `consent` is enrolled where the study is open, once however often it is asked, unless too many came from
    that source. Raises NotInvited where the study takes nobody any more who comes
    like that, and BadAnswer for a consent without all that it takes.
    """
    came = _pending(signer, study_name, cookie)
    if came is None:
        return None, cookie or ""
    study = get_study(session, name=study_name)
    enrolment = workers.enrolment_of(session, study=study, external=came.person)
    if enrolment is None:
        admit(study.settings, came)
        if consent is not None and study.status == "open":
            enrolment = _enrolled(session, study, came, consent)
    return (came, cookie or "") if enrolment is None else (None, signer.worker_cookie(enrolment))


def _pending(signer: Signer, study: str, cookie: str | None) -> Invitation | None:
    """Return the invitation of somebody whom no enrolment is known of yet, None for everybody else."""
    came = signer.invitation_of(cookie) if signer.enrolment(cookie) is None else None
    return came if came is not None and came.study == study else None


def _enrolled(session: Session, study: Study, came: Invitation, consent: GivenConsent) -> PlaceKey | None:
    """Give somebody a new place, None where there is none left for the address; raises BadAnswer."""
    source, moment = consent.source, consent.given_at
    if places_full(session, study=study, source=source, moment=moment):
        version = version_of(study.settings, workload_of(session, study))
        agreed(study.settings, version, consent.said)
        refuse(session, study=study, person=came.person, source=source, version=version, moment=moment)
        return None
    made = workers.enrol_person(session, study=study, external=came.person, language=came.language)
    admit_refused(session, study=study, person=came.person)
    if source:
        add_arrival(session, study=study, enrolment=made.id, source=source, moment=moment)
    return made


def no_room_for(session: Session, study: Study, came: Invitation, moment: datetime) -> NoRoom | None:
    """Return why somebody has no place who has agreed to what is asked now, None where there is one again."""
    source, version = refusal_of(session, study=study, person=came.person) or ("", "")
    if version != version_of(study.settings, workload_of(session, study)):
        return None
    left = places_full(session, study=study, source=source, moment=moment)
    return NoRoom(study.settings.places_an_hour, ceil(left / MINUTE), version) if left else None


def _ask(held: workers.Enrolment | None, target: PlaceKey | None, replacing: bool) -> None:
    """Raise Occupied where a browser would lose the place it holds without anybody having said so."""
    if held is not None and held.key != target and not replacing:
        raise Occupied(held)
