"""What a worker agrees to: the built-in points, the study's own text, its notice, and under which version."""

from hashlib import sha256

from annotate.texts import CONSENT_VERSION
from annotate.view import Bonus, Earnings, Terms
from data.errors import BadAnswer
from db.studies import StudySettings
from db.workers import Enrolment


def version_of(settings: StudySettings) -> str:
    """Return the version of what is agreed to: "5", or "5-1a2b3c4d" where the study has a text or a notice.

    The second half follows from both texts: the same texts have the same version in every study.
    """
    own = f"{settings.consent}\0{settings.notice}"
    return CONSENT_VERSION if own == "\0" else f"{CONSENT_VERSION}-{sha256(own.encode()).hexdigest()[:8]}"


def terms_of(settings: StudySettings) -> Terms:
    """Return what a study asks its workers to agree to."""
    return Terms(version_of(settings), settings.language, settings.consent, settings.notice)


def agreed(settings: StudySettings, said: object) -> bool:
    """Return whether the notice was acknowledged with a consent, False where there is none; raises BadAnswer.

    `said` is what the page sends with the consent: {"version": of what was read, "notice": whether it was ticked}.
    Without a version what is asked now is taken as read.
    """
    told = said if isinstance(said, dict) else {}
    if told.get("version", version_of(settings)) != version_of(settings):
        raise BadAnswer("terms_changed")
    if settings.notice and told.get("notice") is not True:
        raise BadAnswer("notice_open")
    return bool(settings.notice)


def earnings(settings: StudySettings, enrolment: Enrolment | None = None) -> Earnings:
    """Return what somebody has done so far, nothing before the enrolment, and what the study pays."""
    done = (enrolment.answers, enrolment.seconds, enrolment.earned) if enrolment else (0, 0.0, 0.0)
    rule = Bonus(settings.bonus, settings.bonus_accuracy, settings.bonus_after) if settings.bonus else None
    return Earnings(*done, settings.price, settings.currency, practice=settings.training_price, bonus=rule)
