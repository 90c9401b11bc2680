"""Consent: what a worker agrees to, point by point as the study's settings have it, and under which version."""

import json
from dataclasses import dataclass
from hashlib import sha256

from annotate.consent_points import Points, consent_points
from annotate.workload import Workload, workload_of
from data.errors import BadAnswer
from data.wording import Language, languages, texts
from db.engine import Session
from db.studies import Study
from db.study_settings import StudySettings

DIGITS = 12  # of the digest that names what was agreed to
AROUND = ("heading", "lead", "own", "notice", "notice_seen", "agree", "decline")


@dataclass(frozen=True)
class Terms:
    """What a study asks its workers to agree to; `version` names all of it.

    `text` and `notice` ("" for none) are the study's own, in its `language`, whatever language the page speaks;
    `groups` are the points that follow from its settings, `contact` whom to write to ("" where it is not said).
    """

    version: str
    language: Language
    text: str = ""
    notice: str = ""
    groups: tuple[Points, ...] = ()
    contact: str = ""


def version_of(settings: StudySettings, workload: Workload) -> str:
    """Return the version of what is agreed to: a digest of all that is shown, in both languages.

    It changes by itself with every text and with every setting that a text says; the same words have the same version
    in every study.
    """
    shown = [
        [
            settings.consent,
            settings.notice,
            settings.contact,
            *(texts(language)["consent"][name] for name in AROUND),
            *([group.heading, *group.points] for group in consent_points(settings, workload, language)),
        ]
        for language in languages()
    ]
    return sha256(json.dumps(shown, ensure_ascii=False).encode()).hexdigest()[:DIGITS]


def terms_of(settings: StudySettings, workload: Workload, language: Language) -> Terms:
    """Return what a study asks its workers to agree to, in the language of the page."""
    points = consent_points(settings, workload, language)
    version = version_of(settings, workload)
    return Terms(version, settings.language, settings.consent, settings.notice, tuple(points), settings.contact)


def asked_in(session: Session, study: Study, language: Language) -> Terms:
    """Return what somebody reads before agreeing to take part in a study."""
    return terms_of(study.settings, workload_of(session, study), language)


def agreed(settings: StudySettings, version: str, said: object) -> bool:
    """Return whether the notice was acknowledged with a consent, False where there is none; raises BadAnswer.

    `said` is what the page sends with the consent: {"version": of what was read, "notice": whether it was ticked}.
    Without a version what is asked now (`version`) is taken as read.
    """
    terms = said if isinstance(said, dict) else {}
    if terms.get("version", version) != version:
        raise BadAnswer("terms_changed")
    if settings.notice and terms.get("notice") is not True:
        raise BadAnswer("notice_open")
    return bool(settings.notice)
