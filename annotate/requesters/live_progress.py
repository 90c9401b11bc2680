"""How a study is going right now: its answers by the hour, when it will be full, how far people agree."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from annotate.requesters.by_name import ByName, T
from annotate.requesters.study_card import StudyCard
from db import frames
from db.arrivals import Burst, RefusedArrivals, bursts, refused_arrivals
from db.cache import Cache, good_for_share
from db.engine import Session
from db.item_lookup import main_items
from db.studies import Study
from db.study_progress import HOUR, FillRate, fill_rate
from eval.agreement.coefficients import Agreement
from eval.agreement.of_votes import agreement_of
from eval.gold import TaskItems
from eval.intervals.clusters import Resampling
from eval.votes import code_answers

MOST_JUDGMENTS = 500_000  # beyond, reading them takes longer than a page may make anybody wait
MOST_OPEN = 300  # items with open answers: comparing these takes far longer than counting labels
DRAWS = 500


@dataclass(frozen=True)
class CurrentAgreement:
    """Agreement of counted judgments on `items` main items out of the `known` that have any."""

    agreement: Agreement
    items: int
    known: int


def current_agreement(session: Session, *, study: Study) -> CurrentAgreement | None:
    """Return how far people agree on the main items so far; None where nobody has answered.

    Who is shut out of the study does not count. Open answers are compared on at most MOST_OPEN items, drawn by the
    study's seed.
    """
    judged = frames.judgments(session, study=study).query("status == 'counted' and role == 'main'")
    judged = judged[~judged["worker"].isin(frames.excluded_workers(session, study=study))]
    names = sorted(set(judged["item"]))
    if not names:
        return None
    answer = study.task.answer
    chosen = names
    if not answer.labels() and len(names) > MOST_OPEN:
        chosen = sorted(Random(study.seed).sample(names, MOST_OPEN))
        judged = judged[judged["item"].isin(chosen)]
    items = {} if answer.labels() else main_items(session, study=study, ids=chosen)
    asked = TaskItems(answer, {name: item.fields for name, item in items.items()})
    votes = code_answers(judged, items=chosen, labels=answer.labels() or None, asked=asked)
    return CurrentAgreement(
        agreement_of(votes, Resampling(draws=DRAWS, seed=study.seed), asked=asked), len(chosen), len(names)
    )


HOURS = 24
AGAIN = 5.0  # seconds that a number is good for at least
MOST = 200  # numbers that are kept


def live_numbers() -> Cache:
    """Return what keeps the numbers of running studies, each made anew now and then."""
    return Cache(MOST, good_for_share(least=AGAIN))


@dataclass(frozen=True)
class LiveNumbers:
    """What moves while a study runs. `missing` judgments are still wanted; `agreement` is None where nobody answered.

    `too_many`: there are more judgments than agreement is followed for here. `bursts`: many new places in a short time,
    `refused`: those who found none.
    """

    pace: FillRate
    missing: int
    running: bool
    agreement: CurrentAgreement | None = None
    too_many: bool = False
    bursts: list[Burst] = field(default_factory=list)
    refused: RefusedArrivals = field(default_factory=RefusedArrivals)

    @property
    def time_left(self) -> timedelta | None:
        """How long the rest takes at the pace of the last hour; None where that cannot be told or nothing is left."""
        if not (self.running and self.missing and self.pace.last_hour):
            return None
        return timedelta(hours=self.missing / self.pace.last_hour)

    @property
    def bars(self) -> list[tuple[datetime, int]]:
        """The last HOURS hours with the answers of each, the present one last."""
        begins = self.pace.at.replace(minute=0, second=0, microsecond=0)
        hours = [begins - timedelta(hours=back) for back in range(HOURS - 1, -1, -1)]
        return [(hour, self.pace.hours.get(hour, 0)) for hour in hours]


@dataclass(frozen=True)
class LiveProgress(ByName):
    """What the panel of a study asks for again and again; each number costs a small share of the time at most."""

    numbers: Cache = field(default_factory=live_numbers)

    def live(self, card: StudyCard) -> LiveNumbers:
        """Return how the study of this card is going; raises UnknownName."""
        name, moment, many = card.name, self.clock(), card.counted > MOST_JUDGMENTS

        def kept(what: str, state: object, look: Callable[..., T], **given: Any) -> T:
            return self.numbers.get((what, name), state, lambda: self._read(name, look, **given))

        state = card.created_at, card.counted, card.turnout.workers
        return LiveNumbers(
            pace=kept("pace", None, fill_rate, moment=moment, hours=HOURS),
            missing=max(0, card.wanted - card.counted),
            running=card.status == "open",
            agreement=None if many else kept("current_agreement", state, current_agreement),
            too_many=many,
            bursts=kept("bursts", None, bursts, moment=moment),
            refused=self._read(name, refused_arrivals, moment=moment),
        )


def spoken(left: timedelta) -> str:
    """Return a time that is only about right, in words: minutes below two hours, hours below two days, else days."""
    seconds = left.total_seconds()
    if seconds < 2 * HOUR:
        return f"{max(1, round(seconds / 60))} min"
    return f"{round(seconds / HOUR)} h" if seconds < 48 * HOUR else f"{round(seconds / HOUR / 24)} days"
