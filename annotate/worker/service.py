"""The workers' only way in: join, see where one is, act. Every act is one transaction; its reply is the next screen."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from math import ceil

from annotate import overlap
from annotate.accounts.signer import Invitation, Signer
from annotate.answer_errors import checked_message, known_language
from annotate.consent import agreed, asked_in, version_of, workload_of
from annotate.invitations import NotInvited, Occupied, admit, invitation, known_before, place_of
from annotate.worker import live_rules
from annotate.worker.assignment import (
    GRACE,
    advance,
    answer_times,
    attempt_of,
    earnings_of,
    exam_end,
    extend_lease,
    facts_of,
    feedback_of,
    give_back_what_ran_out,
    is_capped,
    lapse_of,
    late_of,
    lease_end,
    lease_time,
    open_answers,
    orders_of,
    outcome_of_answer,
    outcome_of_item,
    price_of,
    progress_of,
    skips_left,
    tried_of,
    try_again,
)
from annotate.worker.completion import appeal, ending_of, graded, note_of, passed_note
from annotate.worker.stages import ACTS, ENDINGS, Act, EnrolmentFacts, stage_of
from annotate.worker.view import LeaseTime, NoRoom, OpenAnswer, Sheet, Stop, View, earnings
from data.errors import BadAnswer
from data.option_order import Orders, as_stored
from data.wording import Language
from db import assignments, sittings, workers
from db.arrivals import MINUTE, add_arrival, admit_refused, is_full, places_full, refusal_of, refuse
from db.assignments import SubmittedAnswer
from db.cache import Cache
from db.clock import Clock, now
from db.engine import Database, Session, reading, transact, writing
from db.items import StoredItem
from db.judgments import label_taken_back, last_label
from db.records import REASONS, GivenReport, add_report, reported_by
from db.studies import Study, get_study
from db.tables import COMEBACKS, PlaceKey
from db.workers import Enrolment


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
        if consent is not None and not is_full(session, study=study):
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


def withdraw(
    session: Session, study: Study, enrolment: Enrolment, act: Act, *, place: int | None, moment: datetime
) -> None:
    """Skip or report the item in hand; nothing where another item is in hand.

    `place` is that of the item on the page. Raises BadAnswer for a report without a reason.
    """
    lease = assignments.current(session, enrolment=enrolment, lock=True)
    attempt = attempt_of(session, study=study, enrolment=enrolment)
    stage = stage_of(facts_of(study=study, enrolment=enrolment, lease=lease, attempt=attempt))
    if lease is None or act.kind not in ACTS.get(stage, ()) or place != lease.place:
        return
    if act.kind == "report":
        given = checked_report(act.value, moment)
        _report(session, given, study=study, enrolment=enrolment, lease=lease, instead=stage == "work")
    elif skips_left(study, enrolment):
        assignments.skip(session, enrolment=enrolment, assignment=lease)
        live_rules.after_skip(session, study=study, enrolment=enrolment, moment=moment)


PAID_REPORTS = 3  # in place of an answer, of one worker in a study: who finds more writes to the researchers
MOST_REPORTS = 20
MOST_DRAWN = 10_000  # items on screens whose orders are kept until they are answered


def _report(
    session: Session,
    given: GivenReport,
    *,
    study: Study,
    enrolment: Enrolment,
    lease: assignments.Assignment,
    instead: bool,
) -> None:
    """Keep a report on the item in hand, which it takes away where it comes `instead` of an answer and may do so.

    The first PAID_REPORTS of these are paid as an answer; of one item that stays, one is kept. Raises BadAnswer.
    """
    earlier = reported_by(session, enrolment=enrolment)
    if not (given.instead and instead) or study.settings.sitting:
        if lease.item.key not in {item for item, _ in earlier}:
            add_report(session, replace(given, instead=False), enrolment=enrolment, item_key=lease.item.key)
        return
    before = sum(in_place for _, in_place in earlier)
    if before >= MOST_REPORTS:
        raise BadAnswer("too_many_reports", limit=MOST_REPORTS)
    price = study.settings.price if before < PAID_REPORTS else 0.0
    add_report(session, replace(given, price=price), enrolment=enrolment, item_key=lease.item.key)
    assignments.pass_over(session, enrolment=enrolment, assignment=lease, price=price)


def checked_report(value: object, moment: datetime) -> GivenReport:
    """Return a report, with a text, which only "other" needs; raises BadAnswer."""
    report = value if isinstance(value, dict) else {}
    reason, text = report.get("reason"), report.get("text", "")
    if reason not in REASONS or not isinstance(text, str) or (reason == "other" and not text.strip()):
        raise BadAnswer("no_reason")
    return GivenReport(reason, checked_message(text), moment, instead=report.get("instead") is not False)


@dataclass(frozen=True)
class Service:
    """What workers can do. Who they are comes from the signed cookie alone, what they hold from the database alone."""

    database: Database
    signer: Signer
    clock: Clock = field(default=now)
    drawn: Cache = field(default_factory=lambda: Cache(MOST_DRAWN))

    def invite(
        self,
        study_name: str,
        key: str,
        *,
        given: Mapping[str, str] | None = None,
        cookie: str | None = None,
        language: Language | None = None,
        replacing: bool = False,
    ) -> str:
        """Return the cookie of somebody who opens an invitation link; raises NotInvited, UnknownName, Occupied.

        `given` are the parameters of the link, `cookie` is the one the browser has: it stays where the link says
        nothing of who comes. A place it holds is replaced by another one only with `replacing`. Nothing is stored
        before consent: programs that look at links enrol nobody.
        """

        def work(session: Session) -> str:
            study = get_study(session, name=study_name)
            came = invited_by(session, self.signer, study, key, given or {}, language or study.settings.language)
            return cookie_for(session, self.signer, study, came, cookie=cookie, replacing=replacing)

        return transact(self.database, work, opens=reading)

    def join(self, study_name: str, key: str, *, language: Language | None = None, simulated: bool = False) -> str:
        """Enrol a new worker by the study's invitation and return the cookie's value; raises NotInvited.

        For programs and tests: people are enrolled when they consent (`invite`).
        """
        if not self.signer.invited(study_name, key):
            raise NotInvited(f"this link does not open the study {study_name!r}; ask for a new invitation")
        with writing(self.database) as session:
            study = get_study(session, name=study_name)
            worker = workers.add_worker(session, simulated=simulated)
            spoken: Language = language or study.settings.language
            return self.signer.worker_cookie(workers.enrol(session, study=study, worker_id=worker, language=spoken))

    def state(self, study_name: str, cookie: str | None, *, token: str = "") -> View:
        """Return the worker's present screen, with an item leased if one is due; raises NotInvited.

        `token` is that of the item the page shows: the view says what became of it.
        """

        def work(session: Session) -> View:
            came, kept = came_as(session, self.signer, study_name, cookie)
            if came:
                return self._welcome(session, came)
            study, enrolment = self._who(session, study_name, kept)
            kept = self._current(enrolment, kept)
            view = self._view(session, study, enrolment)
            lease = self._lease(session, enrolment, token)
            outcome = outcome_of_item(lease, on_screen=token == view.token, moment=self.clock())
            if lease is not None and self._exam_over(study, enrolment):
                outcome = "exam_over"
            note = note_of(session, enrolment, view.stage)
            given = self._given(session, enrolment, view)
            return replace(view, given=given, item_outcome=outcome, note=note, cookie=kept if kept != cookie else "")

        return transact(self.database, work)

    def act(self, study_name: str, cookie: str | None, act: Act, *, source: str = "") -> View:
        """Do one thing and return the next screen. Doing it twice gives the same screen and changes nothing more.

        `source` is a digest of where a consent comes from, "" where new places are not counted. Raises NotInvited, and
        BadAnswer for an answer the task does not allow.
        """

        def work(session: Session) -> View:
            consent = GivenConsent(self.clock(), act.value, source) if act.kind == "consent" else None
            came, kept = came_as(session, self.signer, study_name, cookie, consent=consent)
            if came:
                spoken = known_language(act.value) if act.kind == "language" else came.language
                return self._welcome(session, replace(came, language=spoken))
            study, enrolment = self._who(session, study_name, kept)
            kept = self._current(enrolment, kept)
            if act.kind == "answer":
                view = self._answer(session, study, enrolment, act)
                return view if kept == cookie else replace(view, cookie=kept)
            if act.kind == "language":
                workers.set_columns(session, enrolment_id=enrolment.id, language=known_language(act.value))
            elif act.kind == "appeal":
                appeal(session, study=study, enrolment=enrolment, value=act.value, moment=self.clock())
            elif act.kind in ("undo", "go"):
                self._take_back(session, study, enrolment, act)
            elif act.kind in ("skip", "report"):
                place = self.signer.place(enrolment.id, act.token)
                withdraw(session, study, enrolment, act, place=place, moment=self.clock())
            else:
                self._move(session, study, enrolment, act)
            view = self._view(session, *self._who(session, study_name, kept))
            if act.kind in ("undo", "go"):
                view = replace(view, given=self._given(session, enrolment, view))
            if act.kind == "next" and view.stage == "work":
                view = replace(view, note=passed_note(session, study, enrolment))
            return view if kept == cookie else replace(view, cookie=kept)

        return transact(self.database, work)

    def sheet(self, study_name: str, cookie: str | None) -> Sheet:
        """Return what lies beside a worker's screen; raises NotInvited."""

        def work(session: Session) -> Sheet:
            view = self._view(session, *self._who(session, study_name, cookie))
            study, enrolment = self._who(session, study_name, cookie)
            terms = asked_in(session, study, enrolment.language)
            if view.stage != "work":
                return Sheet(view, terms)
            if study.settings.sitting:
                return Sheet(view, terms, tasks=self._tasks(session, enrolment))
            behind = open_answers(session, study=study, enrolment=enrolment)
            return Sheet(view, terms, tuple(self._open_answer(session, study, enrolment, one) for one in behind))

        return transact(self.database, work)

    def _tasks(self, session: Session, enrolment: Enrolment) -> tuple[tuple[str, str], ...]:
        """Return the map of a sitting."""
        stands = {"held": "now", "reserved": "open"}
        rows = sittings.leases(session, enrolment=enrolment)
        return tuple((self.signer.token(enrolment.id, row.at), stands.get(row.status, "answered")) for row in rows)

    def _open_answer(
        self, session: Session, study: Study, enrolment: Enrolment, before: assignments.Assignment
    ) -> OpenAnswer:
        answered = before.status == "done"
        label = last_label(session, item_key=before.item.key, worker_key=enrolment.worker_id) if answered else None
        changes = answered and before.undone < assignments.MOST_UNDONE
        token = self.signer.token(enrolment.id, before.place) if changes else ""
        orders = self._orders(study, enrolment, before.item)
        return OpenAnswer(before.item.item.public(), label or "", token, orders)

    def _take_back(self, session: Session, study: Study, enrolment: Enrolment, act: Act) -> None:
        """Take back an answer of the open page, by default the last one, so that it can be given anew.

        `act.value` is the token of its item. Nothing happens where another item is in hand than on the page. In a
        sitting one may go to any item; an answer that was not changed counts on when another is gone to.
        """
        moment, lease = self.clock(), assignments.current(session, enrolment=enrolment)
        attempt = attempt_of(session, study=study, enrolment=enrolment)
        stage = stage_of(facts_of(study=study, enrolment=enrolment, lease=lease, attempt=attempt))
        if stage != "work" or lease is None or self.signer.place(enrolment.id, act.token) != lease.place:
            return
        sitting, place = study.settings.sitting, enrolment.undoable if act.kind == "undo" else None
        lasting = lease_end(study, enrolment, leased_at=moment, moment=moment) - moment
        if isinstance(act.value, str):
            place = self.signer.place(enrolment.id, act.value)
            theirs = sittings.leases(session, enrolment=enrolment) if sitting else ()
            behind = [row.at for row in theirs] or [
                one.place for one in open_answers(session, study=study, enrolment=enrolment)
            ]
            if place not in behind:
                return
        if sitting and act.kind == "go":
            sittings.go(session, enrolment=enrolment, place=place, moment=moment, lease=lasting)
        if place is None:
            return
        hand = next((row for row in sittings.leases(session, enrolment=enrolment) if row.status == "held"), None)
        back = assignments.undo(
            session, enrolment=enrolment, place=place, sitting=sitting, moment=moment, lease=lasting
        )
        if back is not None and hand is not None and sitting:
            sittings.keep_given(session, enrolment=enrolment, row=hand)
        if back is not None and back.item.role == "main":
            overlap.adjust_target(session, study=study, item_key=back.key)

    def _orders(self, study: Study, enrolment: Enrolment, asked: StoredItem) -> Orders:
        """Return the orders of an item's options, drawn once for the screen and the answer to it."""
        key = (study.id, study.created_at, enrolment.id, asked.key)
        return self.drawn.get(key, study.instruction, lambda: orders_of(self.signer, study, enrolment, asked))

    def _given(self, session: Session, enrolment: Enrolment, view: View) -> str:
        """Return the answer to the item on the screen that its worker took back to change, "" for none."""
        lease = self._lease(session, enrolment, view.token) if view.stage == "work" else None
        if lease is None:
            return ""
        return label_taken_back(session, item_key=lease.item.key, worker_key=enrolment.worker_id)

    def alive(self, study_name: str, cookie: str | None, *, token: str) -> LeaseTime:
        """Keep the item on the page for its worker, who is reading it; return for how long. Raises NotInvited."""

        def work(session: Session) -> LeaseTime:
            study, enrolment = self._who(session, study_name, cookie)
            place = self.signer.place(enrolment.id, token)
            return extend_lease(session, study=study, enrolment=enrolment, place=place, moment=self.clock())

        return transact(self.database, work)

    def _welcome(self, session: Session, came: Invitation) -> View:
        """Return the screen of somebody who has not agreed yet."""
        study = get_study(session, name=came.study)
        stage = stage_of(EnrolmentFacts(study_open=not is_full(session, study=study), paused=study.paused))
        if stage == "consent" and not assignments.any_left(session, study_id=study.id, moment=self.clock()):
            stage = "done"  # nobody need agree to anything, and practise, for work that is not there
        no_room = no_room_for(session, study, came, self.clock()) if stage == "consent" else None
        if no_room:
            stage = "no_room"
        return View(
            stage=stage,
            study=study.name,
            task=study.task,
            language=came.language,
            newcomer=True,
            earnings=earnings(study.settings),
            terms=asked_in(session, study, came.language) if stage == "consent" else None,
            no_room=no_room,
            stop=Stop(contact=study.settings.contact) if stage in ENDINGS else None,
            cookie=self.signer.invitation_cookie(came),
        )

    def _who(self, session: Session, study_name: str, cookie: str | None) -> tuple[Study, Enrolment]:
        """Return whom the cookie stands for, locked: two requests of one worker follow each other."""
        key = self.signer.enrolment(cookie)
        placed = workers.placed(session, enrolment_id=key.id) if key is not None else None
        if not key or not placed or placed[0].name != study_name or not key.opens(placed[1].nonce):
            raise NotInvited(f"this browser has no place in the study {study_name!r}; open your invitation link again")
        return placed

    def _current(self, enrolment: Enrolment, cookie: str) -> str:
        """Return a worker's cookie, made anew where its secret is an earlier one or it names no nonce."""
        return cookie if self.signer.is_current(cookie) else self.signer.worker_cookie(enrolment.key)

    def _answer(self, session: Session, study: Study, enrolment: Enrolment, act: Act) -> View:
        """Store an answer, let everything look that it concerns, and return the next screen."""
        if over := self._exam_over(study, enrolment, grace=GRACE):
            self._view(session, study, enrolment)  # hands it in
        lease, moment = self._lease(session, enrolment, act.token, lock=True), self.clock()
        if lease is not None and lease.status == "expired":
            # Whether the answer is still wanted depends on leases of others, which may have run out as well.
            give_back_what_ran_out(session, study=study, enrolment=enrolment, moment=moment)
            lease = self._lease(session, enrolment, act.token, lock=True)
        if lease is None:
            raise BadAnswer("unknown_item")
        asked = lease.item.item
        label = study.task.answer_for(asked.fields).accept(act.value, asked.fields)
        active, clocked = answer_times(
            act.seconds,
            enrolment=enrolment,
            leased_at=lease.leased_at,
            moment=moment,
            lease_minutes=study.settings.lease_minutes,
        )
        shown = as_stored(self._orders(study, enrolment, lease.item))
        given = SubmittedAnswer(label, active, moment, clocked, act.pasted, act.away, shown)
        taken_away = lease.taken_away(moment)
        price, late = price_of(study, lease), late_of(study, enrolment, taken_away=taken_away)
        status, after = assignments.answer(
            session, given, enrolment=enrolment, assignment=lease, price=price, late=late
        )
        acted = live_rules.after_answer(
            session, given, study=study, enrolment=enrolment, assignment=lease, status=status
        )
        if asked.role == "main" and status == "counted":
            overlap.adjust_target(session, study=study, item_key=lease.item.key)
        if lease.status != "held" and is_capped(study, after):
            self._let_go(session, study, enrolment)
        if acted:
            _, after = self._who(session, study.name, self.signer.worker_cookie(enrolment.key))
        # A worker holds one item at a time: who has just answered it holds none.
        view = self._view(session, study, after, empty_handed=lease.status == "held" and asked.role != "training")
        if status is None:  # the same answer may be sent again, where its reply was lost: that one is saved
            kept = last_label(session, item_key=lease.item.key, worker_key=enrolment.worker_id)
            return view if kept == label else replace(view, item_outcome="exam_over" if over else "elsewhere")
        outcome = outcome_of_answer(status, study=study, enrolment=enrolment, late=late, taken_away=taken_away)
        return replace(view, item_outcome=outcome) if outcome else view

    def _exam_over(self, study: Study, enrolment: Enrolment, *, grace: timedelta = timedelta(0)) -> bool:
        """Return whether the time of a sitting is over, so long ago at least; in a pause its clock stands still."""
        end = exam_end(study, enrolment, self.clock())
        return end is not None and not study.paused and self.clock() >= end + grace

    def _let_go(self, session: Session, study: Study, enrolment: Enrolment) -> None:
        """Put back the item in hand of a worker whose late answer was the last that a limit leaves room for."""
        hand = assignments.current(session, enrolment=enrolment, lock=True)
        if hand is not None and hand.item.item.role != "training":
            assignments.let_go(session, assignment=hand, sitting=study.settings.sitting)

    def _lease(
        self, session: Session, enrolment: Enrolment, token: str, *, lock: bool = False
    ) -> assignments.Assignment | None:
        """Return the lease that a page's token names, whatever became of it."""
        place = self.signer.place(enrolment.id, token)
        if place is None:
            return None
        return assignments.at_place(session, enrolment=enrolment, place=place, lock=lock)

    def _move(self, session: Session, study: Study, enrolment: Enrolment, act: Act) -> None:
        """Record a step that the present stage allows; a step that was done already changes nothing.

        Raises BadAnswer for a consent without all that it takes.
        """
        lease = assignments.current(session, enrolment=enrolment)
        lapse = None if lease else lapse_of(session, study=study, enrolment=enrolment)
        attempt = attempt_of(session, study=study, enrolment=enrolment)
        stage = stage_of(facts_of(study=study, enrolment=enrolment, lease=lease, attempt=attempt, lapse=lapse))
        if act.kind not in ACTS.get(stage, ()):
            return
        moment, become = self.clock(), partial(workers.set_columns, session, enrolment_id=enrolment.id)
        if act.kind == "consent":
            version = version_of(study.settings, workload_of(session, study))
            noticed_at = moment if agreed(study.settings, version, act.value) else None
            become(consent_version=version, consented_at=moment, noticed_at=noticed_at)
        elif act.kind == "begin":
            become(instruction=study.instruction, instructed_at=moment)
        elif act.kind == "present":
            become(comebacks=COMEBACKS)
        elif act.kind in ("finish", "resume"):
            become(status="finished" if act.kind == "finish" else "active")
        elif act.kind == "hand_in":
            if study.settings.sitting and graded(study.task):
                sittings.hand_in(session, enrolment=enrolment, moment=moment)
        elif act.kind == "again" and attempt:
            try_again(session, study=study, enrolment=enrolment, attempt=attempt, moment=moment)
        elif lease:
            assignments.set_status(session, assignment=lease, became="done")

    def _view(self, session: Session, study: Study, enrolment: Enrolment, *, empty_handed: bool = False) -> View:
        moment = self.clock()
        assigned = advance(
            session, study=study, enrolment=enrolment, signer=self.signer, moment=moment, empty_handed=empty_handed
        )
        shown = assigned.lease if assigned.stage in ("training", "feedback", "work") else None
        return View(
            stage=assigned.stage,
            study=study.name,
            task=study.task,
            language=enrolment.language,
            item=shown.item.item.public() if shown else None,
            token=self.signer.token(enrolment.id, shown.place) if shown else "",
            orders=self._orders(study, enrolment, shown.item) if shown else {},
            return_path=f"/join/{study.name}/{self.signer.return_key(study.name, enrolment.key)}"
            if enrolment.stranger and assigned.stage in ("work", "done")
            else "",
            progress=progress_of(session, study=study, enrolment=enrolment, assigned=assigned),
            earnings=earnings_of(study=study, assigned=assigned),
            skips_left=skips_left(study, enrolment) if assigned.stage == "work" else 0,
            lease_time=lease_time(
                study, enrolment, leased_at=shown.leased_at, moment=moment, passes=assigned.stage == "work"
            )
            if shown and shown.status == "held"
            else None,
            feedback=feedback_of(session, study=study, enrolment=enrolment, lease=shown),
            tried=tried_of(study=study, stage=assigned.stage, attempt=assigned.attempt, moment=moment),
            terms=asked_in(session, study, enrolment.language) if assigned.stage == "consent" else None,
            can_undo=assigned.undoable,
            worker=enrolment.worker,
            trains=assigned.attempt is not None and assigned.attempt.next_item is not None,
            capped=assigned.capped,
            timed=enrolment.qualified and exam_end(study, enrolment, moment) is not None,
            corrected=assigned.stage == "instructions" and enrolment.instructed,
            **ending_of(
                session,
                study=study,
                enrolment=replace(enrolment, earned=assigned.paid.earned),
                stage=assigned.stage,
                moment=moment,
            )
            if assigned.stage in ENDINGS
            else {},
        )
