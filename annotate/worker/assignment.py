"""The assignment of items: a worker's stage, lease, training, place on the page and pay."""

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from math import ceil
from random import Random
from typing import Literal

from annotate.accounts.signer import Signer
from annotate.consent import needed, passed
from annotate.worker.completion import graded
from annotate.worker.stages import EnrolmentFacts, Stage, stage_of
from annotate.worker.view import Earnings, Feedback, ItemOutcome, LeaseTime, Progress, Tried, earnings
from data.option_order import Orders, drawn_orders
from db import assignments, exclusions, judgments, sittings, workers
from db.assignments import Assignment, Late
from db.engine import Session
from db.items import SHUFFLE_RANGE, StoredItem, count_items
from db.judgments import last_label
from db.prepared_statements import Row
from db.statuses import JudgmentStatus
from db.studies import Study
from db.training_attempts import TrainingAttempt, begin_again, latest_attempt, pay
from db.workers import Enrolment
from eval.workers.skills import proven

GRACE = timedelta(minutes=1)  # in which an answer arrives that the page sends when the time of a sitting is over
MOST = 4  # lengths of a lease for which signs of life can make it last, counted from when the item was leased


def exam_end(study: Study, enrolment: Enrolment, moment: datetime) -> datetime | None:
    """Return when a sitting is handed in that began once the training was passed, or at `moment`; None: no limit.

    When a study goes on after a pause, the sittings have begun as much later (`sittings.put_off`).
    """
    minutes = study.settings.sitting_minutes if study.settings.sitting and graded(study.task) else None
    return (enrolment.qualified_at or moment) + timedelta(minutes=minutes) if minutes else None


def lease_end(
    study: Study, enrolment: Enrolment, *, leased_at: datetime, moment: datetime, passes: bool = False
) -> datetime:
    """Return until when a sign of life at `moment` makes a lease last; `passes`: the work of its worker begins now."""
    lease, end = _lease(study), exam_end(study, enrolment, moment)
    if end and (enrolment.qualified or passes):
        return end
    return min(moment + lease, leased_at + MOST * lease)


def lease_time(
    study: Study,
    enrolment: Enrolment,
    *,
    leased_at: datetime,
    moment: datetime,
    until: datetime | None = None,
    passes: bool = False,
) -> LeaseTime:
    """Return what a worker is told of a lease that lasts `until`, by default as long as a sign of life makes it."""
    lease = _lease(study)
    ends = until or lease_end(study, enrolment, leased_at=leased_at, moment=moment, passes=passes)
    return LeaseTime(
        seconds=_seconds(ends - moment),
        most=_seconds(leased_at + MOST * lease - moment),
        lease=_seconds(lease),
        whole=study.settings.sitting,
        ends=exam_end(study, enrolment, moment) is not None,
    )


def extend_lease(
    session: Session, *, study: Study, enrolment: Enrolment, place: int | None, moment: datetime
) -> LeaseTime:
    """Make the lease with that place last, if the worker holds it still, and return how long it is kept: 0 if not."""
    held = assignments.held_at(session, enrolment=enrolment, place=place) if place is not None else None
    if held is None or held.expires_at < moment:
        return lease_time(study, enrolment, leased_at=moment, moment=moment, until=moment)
    until = max(held.expires_at, lease_end(study, enrolment, leased_at=held.leased_at, moment=moment))
    if until > held.expires_at:
        assignments.extend(session, lease=held.id, until=until)
        if study.settings.sitting or not enrolment.qualified:
            sittings.extend(session, enrolment=enrolment, until=until)
    return lease_time(study, enrolment, leased_at=held.leased_at, moment=moment, until=until)


def _lease(study: Study) -> timedelta:
    return timedelta(minutes=study.settings.lease_minutes)


def _seconds(time: timedelta) -> int:
    return max(0, int(time.total_seconds()))


def outcome_of_item(lease: Assignment | None, *, on_screen: bool, moment: datetime) -> ItemOutcome:
    """Return what became of the item that a page asks about; `on_screen`: it is the one that the worker is to see."""
    if lease is None:
        return ""
    if lease.taken_away(moment) or (lease.status == "held" and not on_screen):
        return "interrupted"
    became: dict[str, ItemOutcome] = {"done": "elsewhere", "expired": "expired"}
    return became.get(lease.status, "")


def outcome_of_answer(
    status: JudgmentStatus, *, study: Study, enrolment: Enrolment, late: Late, taken_away: bool
) -> ItemOutcome:
    """Return what became of an answer; `enrolment` is as it was before it.

    `taken_away`: a stop had taken its item away before its time was over.
    """
    if enrolment.status == "excluded":
        return "" if taken_away else "stopped"
    if status != "surplus":
        return ""
    unpaid = study.settings.price > 0 and not late.paid
    if not late.allowed:
        return "over_limit_unpaid" if unpaid else "over_limit"
    return "surplus_unpaid" if unpaid else "surplus"


def feedback_of(session: Session, *, study: Study, enrolment: Enrolment, lease: Assignment | None) -> Feedback | None:
    """Return what the answer to a practice item was worth and why, None where none is being explained."""
    if lease is None or lease.status != "shown":
        return None
    key, item = lease.item.key, lease.item.item
    given = last_label(session, item_key=key, worker_key=enrolment.worker_id) or ""
    gold = item.gold or ""
    right = study.task.answer_for(item.fields).right(given, gold, item.fields)
    return Feedback(answer=given, gold=gold, right=right, explanation=item.explanation)


def tried_of(*, study: Study, stage: Stage, attempt: TrainingAttempt | None, moment: datetime) -> Tried | None:
    """Return how the training went for a worker who has not passed it, None where nothing was answered in it."""
    if stage not in ("again", "failed") or attempt is None or not attempt.answered:
        return None
    return Tried(
        right=attempt.right,
        answered=attempt.answered,
        needed=needed(attempt.answered, study.settings.training_pass),
        attempts_left=attempts_left(study, attempt) if stage == "again" else 0,
        minutes=minutes_left(study, attempt, moment),
    )


def attempts_left(study: Study, attempt: TrainingAttempt) -> int:
    """Return how many attempts a worker has after this one."""
    return max(0, study.settings.training_attempts - attempt.number)


def minutes_left(study: Study, attempt: TrainingAttempt, moment: datetime) -> int:
    """Return how many minutes, begun ones whole, it is until the next attempt opens; 0 when it is open."""
    if attempt.answered_at is None:
        return 0
    opens = attempt.answered_at + timedelta(minutes=study.settings.training_pause_minutes)
    return max(0, ceil((opens - moment) / timedelta(minutes=1)))


def try_again(
    session: Session, *, study: Study, enrolment: Enrolment, attempt: TrainingAttempt, moment: datetime
) -> None:
    """Begin the training anew after this attempt, for somebody in the stage "again"; too early, nothing changes."""
    if not minutes_left(study, attempt, moment):
        begin_again(session, enrolment=enrolment, number=attempt.number + 1, moment=moment)


Kind = Literal["main", "control"]


@dataclass(frozen=True)
class Draws:
    """What chance decides for one worker of one study; the same installation always draws the same.

    `served`, of all draws, is the number of the worker's item, from 0.
    """

    signer: Signer
    study: str
    seed: int
    enrolment: int

    def kind(self, *, served: int, page_main: int, page_controls: int) -> Kind:
        """Return the kind of an item.

        Work comes in pages of `page_main` main and `page_controls` control items; where in its page a control stands is
        drawn anew for every worker and page.
        """
        size = page_main + page_controls
        page, place = divmod(served, size)
        return "control" if place in _controls(self, page, size, page_controls) else "main"

    def probe(self, *, served: int) -> int:
        """Return the point of the study's shuffled order from which the next main item is looked for."""
        return self.of("probe", served).randrange(SHUFFLE_RANGE)

    def pick(self, keys: list[int], *, served: int) -> int:
        """Return one of several equally good control items."""
        return self.of("pick", served).choice(keys)

    def of(self, purpose: str, number: int) -> Random:
        """Return the draws of a purpose and number."""
        return self.signer.chance(purpose, self.study, self.seed, self.enrolment, number)


@lru_cache(maxsize=1_000)  # a page has its places from its first item to its last
def _controls(draws: Draws, page: int, size: int, controls: int) -> tuple[int, ...]:
    return tuple(draws.of("controls", page).sample(range(size), controls))


def orders_of(signer: Signer, study: Study, enrolment: Enrolment, asked: StoredItem) -> Orders:
    """Return the orders in which a worker sees an item's options, the same whenever the item is on the screen."""
    if not study.settings.order_drawn:
        return {}

    def chance(of: str) -> Random:
        return signer.chance("options", study.name, enrolment.id, of)

    told = asked.item.explanation if asked.item.role == "training" else ""
    return drawn_orders(study.task, asked.item.fields, chance, explanation=told)


UNQUESTIONED = 60.0  # seconds of an answer that count against `max_hours` whatever the browser says of them
FARTHEST = 100  # items counted ahead: beyond, it is enough to know that there is plenty


@dataclass(frozen=True)
class Assigned:
    """Where a worker is and which item is in hand.

    `served` counts the main and control items given so far, `ahead` is how many were to come when the page began.
    `undoable`: the last answer may be taken back; `capped`: the worker has done as much as one may do. `attempt` at the
    training is the latest one, None for who has passed it. `paid` is the enrolment with what has been earned by now.
    """

    stage: Stage
    lease: Assignment | None
    served: int
    to_come: int
    undoable: bool
    capped: bool
    attempt: TrainingAttempt | None
    paid: Enrolment


def advance(
    session: Session,
    *,
    study: Study,
    enrolment: Enrolment,
    signer: Signer,
    moment: datetime,
    empty_handed: bool = False,
) -> Assigned:
    """Return the worker's stage with its item leased; what ran out before `moment` is given back first.

    Any request of the worker is a sign of life and makes the lease in hand last (`lease_end`). `signer`
    has the secret that what comes next is drawn with; `empty_handed`: it is known that the worker holds nothing.
    """
    lasting = timedelta(minutes=study.settings.lease_minutes)
    give_back_what_ran_out(session, study=study, enrolment=enrolment, moment=moment)
    lease = None if empty_handed else assignments.current(session, enrolment=enrolment)
    lapse = None if lease or empty_handed else lapse_of(session, study=study, enrolment=enrolment)
    attempt = attempt_of(session, study=study, enrolment=enrolment)
    facts = facts_of(study=study, enrolment=enrolment, lease=lease, attempt=attempt, lapse=lapse)
    stage = stage_of(facts)
    until = lease_end(study, enrolment, leased_at=lease.leased_at if lease else moment, moment=moment)
    if lease and stage != "finished":
        assignments.extend(session, lease=lease.id, until=until)
    if (study.settings.sitting or not enrolment.qualified) and stage != "finished":
        sittings.extend(session, enrolment=enrolment, until=until)
    served, to_come, undoable = enrolment.worked, enrolment.to_come, enrolment.undoable is not None
    capped = is_capped(study, enrolment)
    page_size = study.settings.page_main + study.settings.page_controls
    if stage == "training" and not lease and attempt and attempt.next_item is not None:
        kept = _reserve(session, study, enrolment, signer, moment, lasting)
        if kept is None:
            stage, enrolment = "done", pay(session, study=study, enrolment=enrolment)
        else:
            lease = assignments.lease_item(
                session, enrolment=kept, item_key=attempt.next_item, moment=moment, lease=lasting
            )
    elif stage == "closed" and enrolment.status == "active" and not enrolment.qualified:
        enrolment = pay(session, study=study, enrolment=enrolment)
    elif stage == "failed" and enrolment.status == "active":
        exclusions.release(session, enrolment)
        workers.set_columns(session, enrolment_id=enrolment.id, status="failed")
    elif stage == "work":
        if not enrolment.qualified:
            workers.set_columns(session, enrolment_id=enrolment.id, qualified_at=moment)
            enrolment = replace(pay(session, study=study, enrolment=enrolment), qualified_at=moment)
            capped = is_capped(study, enrolment)
        if end := exam_end(study, enrolment, moment):
            lasting = end - moment
            if moment >= end:
                sittings.hand_in(session, enrolment=enrolment, moment=moment)
                lease = None
        if not lease and not capped:
            if lapse:  # its place on the page is still to be filled
                workers.come_back(session, enrolment_id=enrolment.id)
                enrolment = replace(enrolment, worked=enrolment.worked - 1)
                lease = assignments.claim_again(session, enrolment=enrolment, lapse=lapse, moment=moment, lease=lasting)
            elif not study.settings.sitting and enrolment.worked % page_size == 0:  # a sitting has no pages
                enrolment, undoable = _page_begun(session, study, enrolment), False
                to_come = enrolment.to_come
            lease = lease or _work_item(session, study, enrolment, signer, moment, lasting)
            served = enrolment.worked + (lease is not None)
        stage = stage_of(replace(facts, nothing_left=lease is None))
    return Assigned(stage, lease, served, to_come, undoable and stage == "work", capped, attempt, enrolment)


def give_back_what_ran_out(session: Session, *, study: Study, enrolment: Enrolment, moment: datetime) -> None:
    """Give back what ran out before `moment`; a sitting of the worker's own goes on, and in a pause all of them do."""
    if study.settings.sitting and study.paused:
        return
    if study.settings.sitting:
        late = GRACE if study.settings.sitting_minutes else timedelta()
        sittings.give_back_expired(session, study=study, enrolment=enrolment, moment=moment - late)
    else:
        assignments.settle_expired(session, study_id=study.id, moment=moment)


def attempt_of(session: Session, *, study: Study, enrolment: Enrolment) -> TrainingAttempt | None:
    """Return a worker's latest attempt at the training, None for who has passed it."""
    return None if enrolment.qualified else latest_attempt(session, study=study, enrolment=enrolment)


def lapse_of(session: Session, *, study: Study, enrolment: Enrolment) -> Row | None:
    """Return what `assignments.lapse_of` knows of a worker who holds nothing; the items of a sitting wait together."""
    return None if study.settings.sitting else assignments.lapse_of(session, enrolment=enrolment)


def facts_of(
    *,
    study: Study,
    enrolment: Enrolment,
    lease: Assignment | None,
    attempt: TrainingAttempt | None,
    lapse: Row | None = None,
) -> EnrolmentFacts:
    """Return what the stage machine asks about a worker with this latest attempt."""
    known = EnrolmentFacts(
        status=enrolment.status,
        study_open=study.status == "open",
        paused=study.paused,
        consented=enrolment.consented,
        instructed=enrolment.instructed and enrolment.instruction == study.instruction,
        explaining=lease is not None and lease.status == "shown",
        away=lapse is not None and enrolment.comebacks <= 0,
    )
    if attempt is None:
        return known
    return replace(
        known,
        training_left=attempt.next_item is not None,
        training_passed=passed(right=attempt.right, answered=attempt.answered, mark=study.settings.training_pass),
        attempts_left=attempts_left(study, attempt) > 0,
    )


def _page_begun(session: Session, study: Study, enrolment: Enrolment) -> Enrolment:
    """Begin a page: settle how many of its items are controls, and count the items that are to come.

    What is on the page before stays as it is. Counted only here, and main items and controls together, the number
    tells neither which of those given since are checks nor that there are none left.
    """
    settings, checks = study.settings, _checks(session, study, enrolment)
    usual = settings.page_controls if checks is None else checks
    again = settings.repeat_controls
    fresh = len(assignments.controls_for(session, enrolment=enrolment, again=again)) if usual else 0
    controls = math.inf if fresh and again else fresh
    main = assignments.items_ahead(session, enrolment=enrolment, most=FARTHEST)
    wanted = math.ceil(main / (settings.page_main + settings.page_controls - usual)) * usual
    to_come = int(min(main + min(wanted, controls), FARTHEST, *still_allowed(study, enrolment)))
    checks = fresh if controls < usual else checks
    workers.set_columns(session, enrolment_id=enrolment.id, ahead=to_come, checks=checks, undoable=None)
    return replace(enrolment, to_come=to_come, checks=checks)


def _checks(session: Session, study: Study, enrolment: Enrolment) -> int | None:
    """Return how many controls the page of a worker holds who has proven reliable, None for the usual number."""
    settings = study.settings
    if settings.page_controls_proven is None:
        return None
    right, answered = judgments.control_record(session, study=study, worker_key=enrolment.worker_id)
    reliable = proven(right, answered, accuracy=settings.proven_accuracy, at_least=settings.proven_after)
    return settings.page_controls_proven if reliable else None


def still_allowed(study: Study, enrolment: Enrolment) -> tuple[float, float]:
    """Return how many answers more a worker may give, by their number and by what they pay; infinite without limit."""
    settings = study.settings
    by_number = settings.max_items - enrolment.answers if settings.max_items else math.inf
    paid = settings.max_pay is not None and settings.price > 0
    # Sums of prices are sums of fractions: what is missing is rounded before it is divided.
    left = round((settings.max_pay or 0) - enrolment.earned, 6)
    return by_number, math.floor(round(left / settings.price, 6)) if paid else math.inf


def is_capped(study: Study, enrolment: Enrolment) -> bool:
    """Return whether a worker has done as much as one may do here: answers, active hours, or pay for one more."""
    limit = study.settings.max_hours
    return min(still_allowed(study, enrolment)) <= 0 or (limit is not None and enrolment.clocked >= limit * 3600)


def _work_item(
    session: Session, study: Study, enrolment: Enrolment, signer: Signer, moment: datetime, lasting: timedelta
) -> Assignment | None:
    """Lease a main item, or a control where the page wants one; controls are never served for their own sake.

    In a sitting there are no controls, and its items come in their order.
    """
    if study.settings.sitting:
        return sittings.next_item(session, study=study, enrolment=enrolment, moment=moment, lease=lasting)
    settings, served = study.settings, enrolment.worked
    first_page = served < settings.page_main + settings.page_controls
    draws = Draws(signer, study.name, study.seed, enrolment.id)
    size = settings.page_main + settings.page_controls
    checks = settings.page_controls if enrolment.checks is None else enrolment.checks
    kind = draws.kind(served=served, page_main=size - checks, page_controls=checks)
    again = settings.repeat_controls
    controls = assignments.controls_for(session, enrolment=enrolment, again=again) if kind == "control" else []
    if controls and assignments.can_claim(session, enrolment=enrolment):
        key = draws.pick(controls, served=served)
        return assignments.lease_item(session, enrolment=enrolment, item_key=key, moment=moment, lease=lasting)
    if first_page and (kept := assignments.take_up(session, enrolment=enrolment, moment=moment, lease=lasting)):
        return kept
    return assignments.claim_main(
        session,
        enrolment=enrolment,
        order=settings.order,
        probe=draws.probe(served=served),
        moment=moment,
        lease=lasting,
    )


def _reserve(
    session: Session, study: Study, enrolment: Enrolment, signer: Signer, moment: datetime, lasting: timedelta
) -> Enrolment | None:
    """Keep a place at the work for somebody in training; return the enrolment with it, None where none is left."""
    if study.settings.sitting:
        return sittings.reserve(session, study=study, enrolment=enrolment, moment=moment, lease=lasting)
    probe = Draws(signer, study.name, study.seed, enrolment.id).probe(served=0)
    return assignments.reserve(
        session, enrolment=enrolment, order=study.settings.order, probe=probe, moment=moment, lease=lasting
    )


def progress_of(session: Session, *, study: Study, enrolment: Enrolment, assigned: Assigned) -> Progress | None:
    """Return where the worker is in training or at work, None in the other stages."""
    if assigned.stage in ("training", "feedback") and assigned.attempt:
        answered = assigned.attempt.answered
        size = count_items(session, study=study, role="training")
        return Progress(place=answered + (assigned.stage == "training"), size=size, page=0, answered=answered)
    if assigned.stage != "work":
        return None
    if study.settings.sitting:
        tasks = [row.status for row in sittings.leases(session, enrolment=enrolment)]
        place, answered = tasks.index("held") + 1, tasks.count("done")
        return Progress(place, len(tasks), page=1, answered=answered, left=len(tasks) - answered)
    page_size = study.settings.page_main + study.settings.page_controls
    page, place = divmod(max(assigned.served - 1, 0), page_size)
    return Progress(
        place=place + 1,
        size=max(place + 1, min(page_size, assigned.to_come or page_size)),
        page=page + 1,
        answered=assigned.served - 1,
        left=max(1, assigned.to_come - place),
        or_more=assigned.to_come == FARTHEST,
        pages=True,
    )


def open_answers(session: Session, *, study: Study, enrolment: Enrolment) -> list[Assignment]:
    """Return what a worker has answered or skipped on the page that is open."""
    behind = max(enrolment.worked - 1, 0) % (study.settings.page_main + study.settings.page_controls)
    return assignments.latest(session, enrolment=enrolment, most=behind) if behind else []


def earnings_of(*, study: Study, assigned: Assigned) -> Earnings | None:
    """Return what the worker has done so far and, before that, what it will pay; None in unpaid practice."""
    practising = assigned.stage in ("training", "feedback", "again")
    return None if practising and not study.settings.training_price else earnings(study.settings, assigned.paid)


def skips_left(study: Study, enrolment: Enrolment) -> int:
    """Return how many items the worker may still skip or report; none of a sitting, which counts as a whole."""
    return 0 if study.settings.sitting else max(0, study.settings.max_skips - enrolment.skips)


def price_of(study: Study, lease: Assignment) -> float:
    """Return what an answer to a lease pays at once; of those to a practice item at most the first one does."""
    if lease.item.item.role != "training":
        return study.settings.price
    at_once = study.settings.pay_failed_training and lease.times == 0
    return study.settings.training_price if at_once else 0.0


def late_of(study: Study, enrolment: Enrolment, *, taken_away: bool) -> Late:
    """Return what holds for an answer of a worker, who stands like this, if it comes late.

    `taken_away`: it does not, but a stop took its item away before; what was promised for it is paid.
    """
    settings = study.settings
    paid = settings.pay_late or taken_away
    return Late(allowed=not is_capped(study, enrolment), paid=paid, again=settings.repeat_controls)


def answer_times(
    measured: float, *, enrolment: Enrolment, leased_at: datetime, moment: datetime, lease_minutes: float
) -> tuple[float, float]:
    """Return the active seconds of an answer, and those of it that count against `max_hours`.

    Both are at most what passed on the server since the item was served and since the worker's last answer: tabs side
    by side do not add up. What the page measured can only shorten that, and against `max_hours` only what is beyond
    UNQUESTIONED: somebody whose browser tells less than was worked may work no longer for it. Where the server's clock
    was set back meanwhile, nothing says what passed: then at most the time of a lease.
    """
    since = max(leased_at, enrolment.answered_at or leased_at)
    passed = (moment - since).total_seconds()
    passed = passed if passed >= 0 else lease_minutes * 60
    active = max(0.0, min(measured, passed))
    return active, max(active, min(passed, UNQUESTIONED))
