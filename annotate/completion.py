"""What a worker takes back to the platform at the end: the study's code, or a link that opens with it."""

from urllib.parse import quote

from annotate.stages import Stage
from annotate.view import Completion
from db.studies import StudySettings
from db.workers import Enrolment


def completion_of(stage: Stage, *, settings: StudySettings, enrolment: Enrolment) -> Completion | None:
    """Return what the worker takes along, None where there is nothing yet or nothing was agreed.

    Whoever has answered gets it when nothing is left or the study is closed; who failed the training only the code for
    that; who was excluded gets nothing.
    """
    if stage == "failed" and settings.failure_code:
        return Completion(code=settings.failure_code)
    code, url = settings.completion_code, settings.completion_url
    if stage not in ("done", "closed") or not enrolment.answers or not (code or url):
        return None
    for name, value in (("{code}", code), ("{worker}", enrolment.worker)):
        url = url.replace(name, quote(value, safe=""))
    return Completion(code=code, url=url)
