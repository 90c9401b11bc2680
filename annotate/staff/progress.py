"""How far a worker has come: the place on the page, what is still ahead, what was done and earned."""

from annotate.serving import FARTHEST, Serving
from annotate.view import Earnings, Progress
from db import judgments, sittings
from db.engine import Session
from db.items import count_items
from db.studies import Study
from db.workers import Enrolment


def progress_of(session: Session, *, study: Study, enrolment: Enrolment, serving: Serving) -> Progress | None:
    """Return where the worker is in training or at work, None in the other stages."""
    if serving.stage in ("training", "feedback"):
        answered, _ = judgments.training_record(session, study=study, worker_key=enrolment.worker_id)
        size = count_items(session, study=study, role="training")
        return Progress(place=answered + (serving.stage == "training"), size=size, page=0, answered=answered)
    if serving.stage != "work":
        return None
    if study.settings.sitting:
        sitting = sittings.standing(session, enrolment=enrolment)
        return Progress(place=sitting.answered + 1, size=sitting.size, page=1, answered=sitting.answered)
    page, place = divmod(max(serving.served - 1, 0), study.settings.page_main + study.settings.page_controls)
    return Progress(
        place=place + 1,
        size=study.settings.page_main + study.settings.page_controls,
        page=page + 1,
        answered=serving.served - 1,
        pages_left=max(0, -(-serving.ahead // study.settings.page_main) - 1),
        or_more=serving.ahead == FARTHEST,
    )


def earnings_of(*, study: Study, enrolment: Enrolment, serving: Serving) -> Earnings | None:
    """Return what the worker has done so far and, with the consent, what it will pay; None on the way to the work."""
    if serving.stage not in ("consent", "work", "done", "paused", "closed", "stopped", "on_hold"):
        return None
    settings = study.settings
    return Earnings(enrolment.answers, enrolment.seconds, enrolment.earned, settings.price, settings.currency)
