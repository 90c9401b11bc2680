"""What a worker takes back to the platform: the study's code, or a link that opens with it; another for a part."""

from urllib.parse import quote

from annotate.stages import Stage
from annotate.view import Completion
from db.study_settings import StudySettings
from db.workers import Enrolment


def completion_of(
    stage: Stage, *, settings: StudySettings, enrolment: Enrolment, part: bool = False
) -> Completion | None:
    """Return what the worker takes along, None where there is nothing yet or nothing was agreed.

    Whoever has answered gets it when nothing is left or the study is closed; who failed the training only the code for
    that. Who was stopped, or has done only a `part`, gets the code for a part.
    """
    if stage == "failed" and settings.failure_code:
        return Completion(code=settings.failure_code)
    if not enrolment.answers:
        return None
    if stage == "stopped" or (part and stage in ("done", "closed")):
        return _for_a_part(settings, enrolment)
    code, url = settings.completion_code, settings.completion_url
    if stage not in ("done", "closed") or not (code or url):
        return None
    return Completion(code=code, url=_filled(url, code, enrolment))


def _for_a_part(settings: StudySettings, enrolment: Enrolment) -> Completion | None:
    """Return the code for a part, and the link where it holds a code: one without would say that all is done."""
    code, whole, url = settings.partial_code, settings.completion_code, settings.completion_url
    if not code:
        return None
    if "{code}" not in url:
        url = url.replace(whole, "{code}") if whole and whole in url else ""
    return Completion(code=code, url=_filled(url, code, enrolment), part=True)


def _filled(url: str, code: str, enrolment: Enrolment) -> str:
    for name, value in (("{code}", code), ("{worker}", enrolment.worker)):
        url = url.replace(name, quote(value, safe=""))
    return url
