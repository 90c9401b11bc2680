"""How far a worker has come: the place on the page, what is still ahead, what was done and earned."""

from annotate.serving import FARTHEST, Serving
from annotate.terms import earnings
from annotate.view import Earnings, Progress
from db import sittings
from db.engine import Session
from db.items import count_items
from db.studies import Study
from db.workers import Enrolment


def progress_of(session: Session, *, study: Study, enrolment: Enrolment, serving: Serving) -> Progress | None:
    """Return where the worker is in training or at work, None in the other stages."""
    if serving.stage in ("training", "feedback") and serving.attempt:
        answered = serving.attempt.answered
        size = count_items(session, study=study, role="training")
        return Progress(place=answered + (serving.stage == "training"), size=size, page=0, answered=answered)
    if serving.stage != "work":
        return None
    if study.settings.sitting:
        sitting = sittings.standing(session, enrolment=enrolment)
        return Progress(place=sitting.answered + 1, size=sitting.size, page=1, answered=sitting.answered)
    whole = study.settings.page_main + study.settings.page_controls
    page, place = divmod(max(serving.served - 1, 0), whole)
    return Progress(
        place=place + 1,
        size=max(place + 1, min(whole, serving.ahead or whole)),
        page=page + 1,
        answered=serving.served - 1,
        pages_left=max(0, -(-serving.ahead // whole) - 1),
        or_more=serving.ahead == FARTHEST,
    )


def earnings_of(*, study: Study, enrolment: Enrolment, serving: Serving) -> Earnings | None:
    """Return what the worker has done so far and, before that, what it will pay; None in unpaid practice."""
    practising = serving.stage in ("training", "feedback", "again", "failed")
    return None if practising and not study.settings.training_price else earnings(study.settings, enrolment)
