"""What waits for a requester: refused arrivals, appeals, items for an expert to decide, a contact that is missing."""

from dataclasses import dataclass
from datetime import datetime

from annotate.requesters.adjudication import attention
from data.numbers import counted
from db.arrivals import LET_IN, refused_arrivals
from db.engine import Session
from db.records import count_open
from db.studies import Study

NO_CONTACT = "Contact for workers is empty. The consent text refers workers to whoever invited them."
LET = "let"
"""What is done at once; anything else is the tab where it is done."""


@dataclass(frozen=True)
class Waiting:
    """One thing that waits, the words of what to do about it, and where that is done: a tab's name, or LET."""

    what: str
    act: str
    place: str


def waiting(session: Session, *, study: Study, moment: datetime) -> tuple[Waiting, ...]:
    """Return what waits in a study in which people answer, the most urgent first."""
    if study.origin != "collected" or study.archived:
        return ()
    refused, appeals = refused_arrivals(session, study=study, moment=moment), count_open(session, study=study)
    reviews = attention(session, study=study).reviews.values() if study.status != "draft" else ()
    undecided = [review for review in reviews if review.decision is None]
    enough = study.settings.overlap
    tied = sum(review.tied and sum(review.votes.values()) >= enough for review in undecided)
    reported = sum(review.reports > 0 for review in undecided)
    people = "1 person was" if refused.number == 1 else f"{refused.number} people were"
    found = {
        Waiting(f"{people} refused: their address reached its hourly limit", f"Let {LET_IN} more in", LET): (
            refused.number if study.status == "open" and not refused.until else 0
        ),
        Waiting(f"{counted(appeals, 'appeal')} to answer", "Answer", "workers"): appeals,
        Waiting(f"{counted(tied, 'item')} without a majority", "Decide", "decide"): tied,
        Waiting(f"{counted(reported, 'item')} reported by workers", "Decide", "decide"): reported,
        Waiting("Workers have nobody to write to: no contact is set", "Add one", "settings"): not study.settings.contact
        and study.status != "closed",
    }
    return tuple(one for one, there in found.items() if there)
