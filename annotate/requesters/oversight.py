"""What requesters see of the people and the items of a study, and what they do about them; every act is an event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate import overlap
from annotate.requesters.adjudication import ItemTable, attention, listing
from annotate.requesters.by_name import ByName
from annotate.requesters.study_plan import plan
from data.errors import BadSetting, UnknownName
from data.limits import LONGEST_REASON
from db import events, exclusions, worker_summaries
from db.arrivals import LET_IN
from db.engine import Session, reading, writing
from db.erasure import Forgotten, clear_files, forget, list_erasure
from db.events import Cause, Event, add_event
from db.items import count_items, first_items, list_items
from db.payments import Payments, bonuses_of, controls_right, hourly, mark_paid, owed, unpaid
from db.records import ON_APPEAL, Appeal, Report, answer, list_appeals, list_reports
from db.settings import Settings
from db.statuses import EventKind, StudyStatus
from db.studies import Study, get_study, set_rules, set_status
from db.study_settings import StudySettings
from db.worker_summaries import WorkerAnswer, WorkerSummary
from eval.workers import QualityRules, checked_rules, rules_of
from eval.workers.frame import guess
from eval.workers.rule import Chances

MOST_REPORTS = 500
MOST_ANSWERS = 50
HASTY = 1.0
"""Seconds an item, on average, below which nobody has read what was asked."""
DONE: dict[StudyStatus, EventKind] = {"open": "opened", "paused": "paused", "closed": "closed"}


@dataclass(frozen=True)
class WorkerLine:
    """One worker in the table. `pace` is the mean of seconds per main item, `hourly` the pay per active hour.

    `fired` names the rules that have found the worker, with how often; `bonus` is what the study's rule gives.
    `appealed`: what the worker wrote waits for an answer.
    """

    work: WorkerSummary
    controls: int
    right: int
    fired: Mapping[str, int]
    bonus: float = 0.0
    appealed: bool = False

    @property
    def pace(self) -> float | None:
        """Mean seconds per answer to a main item, None where no time is known."""
        return self.work.main_seconds / self.work.main if self.work.main and self.work.main_seconds else None

    @property
    def hasty(self) -> bool:
        """Whether items are answered faster than anybody can read."""
        return self.pace is not None and self.pace < HASTY

    @property
    def hourly(self) -> float | None:
        """Pay per active hour, the bonus with it, None where there is none."""
        return hourly(self.work, self.bonus)


@dataclass(frozen=True)
class Oversight(ByName):
    """What requesters do about the people and the items of a study. `who` is always the account that acts."""

    def exclude(self, name: str, worker: str, *, who: str, reason: str) -> bool:
        """Exclude a worker from a study; return whether that changed anything. Raises UnknownName and BadSetting."""
        why = checked_reason(reason)

        def work(session: Session, study: Study) -> bool:
            enrolment = exclusions.enrolled(session, study=study, worker=worker)
            done = exclusions.exclude(session, enrolment=enrolment, cause=Cause(who, self.clock(), why))
            overlap.settle_all(session, study=study, worker_key=enrolment.worker_id)
            return done

        return self._write(name, work)

    def restore(self, name: str, worker: str, *, who: str, reason: str) -> bool:
        """Let a paused or excluded worker go on; return whether that changed anything. Raises as `exclude`."""
        why = checked_reason(reason)

        def work(session: Session, study: Study) -> bool:
            enrolment = exclusions.enrolled(session, study=study, worker=worker)
            cause, all_or_none = Cause(who, self.clock(), why), study.settings.sitting
            done = exclusions.restore(session, enrolment=enrolment, cause=cause, all_or_none=all_or_none)
            overlap.settle_all(session, study=study, worker_key=enrolment.worker_id)
            return done

        return self._write(name, work)

    def forget(self, name: str, worker: str, *, keep_answers: bool, who: str) -> Forgotten:
        """Erase what identifies a worker of a study (`db.erasure`); raises UnknownName. It cannot be undone."""

        def work(session: Session, study: Study) -> Forgotten:
            moment = self.clock()
            done = forget(session, study=study, worker=worker, keep_answers=keep_answers, who=who, moment=moment)
            list_erasure(Settings().home, done, moment)
            return done

        return replace(self._write(name, work), to_do=clear_files(self.database))

    def set_status(self, session: Session, study: Study, status: StudyStatus, *, who: str) -> None:
        """Open, pause or close a study within a transaction; nothing is written where it is so already."""
        if study.status == status:
            return
        set_status(session, study=study, status=status)
        add_event(session, study_id=study.id, kind=DONE[status], cause=Cause(who, self.clock()))

    def let_in(self, name: str, *, who: str) -> None:
        """Let LET_IN more people take new places for an hour, from whichever addresses; raises UnknownName."""
        with writing(self.database) as session:
            study, cause = get_study(session, name=name), Cause(who, self.clock())
            add_event(session, study_id=study.id, kind="let_in", cause=cause, details={"places": LET_IN})

    def set_rules(
        self,
        name: str,
        rules: Mapping[str, Any],
        hourly_minimum: float | None,
        *,
        who: str,
        shown: StudySettings | None = None,
    ) -> None:
        """Give a study other rules on workers, by their names in `QualityRules`; raises BadSetting.

        `shown` are the settings that the form was filled with: a field that still has its value was not touched, and
        keeps what another manager may have given it meanwhile.
        """
        if hourly_minimum is not None and not hourly_minimum >= 0:
            raise BadSetting(f"The minimum pay per hour must be 0 or more, got {hourly_minimum!r}.")
        with writing(self.database) as session:
            study = get_study(session, name=name)
            checked = checked_rules(_changed_rules(rules, study.settings, shown) if shown else rules)
            if shown and hourly_minimum == shown.hourly_minimum:
                hourly_minimum = study.settings.hourly_minimum
            _check_controls(session, study, checked)
            if (checked, hourly_minimum) == (rules_of(study.settings.quality), study.settings.hourly_minimum):
                return
            rules_now = checked.model_dump(mode="json")
            set_rules(session, study=study, quality=rules_now, hourly_minimum=hourly_minimum)
            details = {"quality": rules_now, "hourly_minimum": hourly_minimum}
            cause = Cause(who, self.clock())
            add_event(session, study_id=study.id, kind="rules", cause=cause, details=details)

    def workers(self, name: str) -> list[WorkerLine]:
        """Return every worker of a study, those to be looked at first: who appeals, found by rules, excluded."""
        with reading(self.database) as session:
            study = get_study(session, name=name)
            controls = controls_right(session, study=study)
            fired = events.rules_fired(session, study=study)
            waiting = {appeal.worker for appeal in list_appeals(session, study=study) if appeal.open}
            works = worker_summaries.worker_summaries(session, study=study)
        given = bonuses_of(works, study.settings, controls)
        lines = [
            WorkerLine(
                work,
                *controls.get(work.key, (0, 0)),
                fired.get(work.key, {}),
                given.get(work.key, 0.0),
                work.name in waiting,
            )
            for work in works
        ]
        return sorted(lines, key=_looked_at)

    def answers(self, name: str, worker: str) -> list[WorkerAnswer]:
        """Return the last answers of a worker, at most MOST_ANSWERS, the newest first, answers and gold in words."""
        with reading(self.database) as session:
            study = get_study(session, name=name)
            given = worker_summaries.worker_answers(session, study=study, worker=worker, most=MOST_ANSWERS)

        def words(answer: WorkerAnswer, label: str) -> str:
            said = study.task.answer_for(answer.fields).words(label, answer.fields)
            return said.within(study.settings.language) or label

        return [
            replace(each, label=words(each, each.label), gold=words(each, each.gold) if each.gold else None)
            for each in given
        ]

    def status(self, name: str, worker: str) -> str:
        """Return the status of a worker in a study, "" for who is not enrolled in it."""
        return self._read(name, exclusions.status_of, worker=worker) or ""

    def items(self, name: str, *, show: str = "all", page: int = 0) -> ItemTable:
        """Return one page of the main items of a study under a filter of `annotate.requesters.adjudication.SHOWS`."""
        with reading(self.database) as session:
            study = get_study(session, name=name)
            number = count_items(session, study=study, role="main")
            review = attention(session, study=study)
            return listing(session, study=study, items=number, attention=review, show=show, page=page)

    def reports(self, name: str) -> list[Report]:
        """Return what workers reported of the main items of a study, the newest first, at most MOST_REPORTS."""
        reports = self._read(name, list_reports)
        return [report for report in reversed(reports) if report.role == "main"][:MOST_REPORTS]

    def events(self, name: str, *, kinds: Sequence[str] = (), worker: str = "") -> list[Event]:
        """Return the last events of a study, the newest first; of these kinds, of this worker where any is named."""
        return self._read(name, events.list_events, kinds=kinds, worker=worker)

    def appeals(self, name: str) -> list[Appeal]:
        """Return what workers of a study wrote who were stopped: what waits for an answer, then the newest first."""
        with reading(self.database) as session:
            return sorted(
                list_appeals(session, study=get_study(session, name=name)), key=lambda appeal: not appeal.open
            )

    def answer_appeal(self, name: str, worker: str, text: str, *, who: str, restore: bool = False) -> bool:
        """Answer what a worker wrote, and let the worker go on with `restore`; False where nothing waits for an answer.

        Raises UnknownName, and BadSetting for an answer that says nothing or is too long.
        """
        said = checked_reply(text)

        def work(session: Session, study: Study) -> bool:
            enrolment = exclusions.enrolled(session, study=study, worker=worker)
            key, moment = enrolment.worker_id, self.clock()
            if not answer(session, enrolment=enrolment, text=said, restored=restore, who=who, moment=moment):
                return False
            if restore:
                back = Cause(who, moment, ON_APPEAL)
                exclusions.restore(session, enrolment=enrolment, cause=back, all_or_none=study.settings.sitting)
                overlap.settle_all(session, study=study, worker_key=key)
            add_event(session, study_id=study.id, worker_id=key, kind="replied", cause=Cause(who, self.clock()))
            return True

        return self._write(name, work)

    def payments(self, name: str, *, minimum: float | None = None) -> Payments:
        """Return what a study owes its workers; `minimum` per hour in the place of the study's own."""
        return self._read(name, owed, minimum=minimum)

    def unpaid(self, name: str) -> list[str]:
        """Return the workers of a study who are owed more than was marked as paid."""
        return self._read(name, unpaid)

    def mark_paid(self, name: str, totals: Mapping[str, float], *, who: str) -> int:
        """Write down that these workers were paid so much in all; return of how many that is more than before."""

        def work(session: Session, study: Study) -> int:
            return mark_paid(session, study=study, totals=totals, cause=Cause(who, self.clock()))

        return self._write(name, work)

    def study(self, name: str) -> Study:
        """Return a study with its task and its settings; raises UnknownName."""
        study: Study = self._read(name, lambda _, study: study)
        return study

    def labels(self, name: str) -> int:
        """Return among how many answers a worker of the study chooses, 0 where answers are open."""
        study = self.study(name)
        if labels := study.task.answer.labels():
            return len(labels)
        with reading(self.database) as session:
            seen = [item.fields for item in first_items(session, study=study, role="main", most=100)]
        chance = guess(study.task.answer, seen)
        return round(1 / chance) if chance else 0

    def control_chances(self, name: str) -> Chances | None:
        """Return for whom the power of a study's rule on controls is computed, None for a study without controls."""
        with reading(self.database) as session:
            study = get_study(session, name=name)
            controls = [item.item.fields for item in list_items(session, study=study, role="control") if item.item.gold]
            main = count_items(session, study=study, role="main")
        if not controls:
            return None
        met = _controls_met(study.settings, main, len(controls))
        return Chances(chance=guess(study.task.answer, controls), controls_met=met)


def _looked_at(line: WorkerLine) -> tuple[bool, int, bool, int]:
    """Return the order of the table: who appeals, whom rules have found, who is excluded, then by answers."""
    return not line.appealed, -len(line.fired), line.work.status != "excluded", -line.work.answers


def checked_reason(reason: str) -> str:
    """Return a reason as it is kept; raises BadSetting for one that says nothing or cannot be stored."""
    said = " ".join(reason.replace("\0", " ").split())
    if not said or len(said) > LONGEST_REASON:
        raise BadSetting(f"Give the reason in 1 to {LONGEST_REASON} characters. The event keeps it.")
    return said


def _changed_rules(given: Mapping[str, Any], now: StudySettings, shown: StudySettings) -> dict[str, dict[str, Any]]:
    """Return the rules of `now` with the fields that were changed in a form filled with those of `shown`."""
    rules = checked_rules(given), rules_of(now.quality), rules_of(shown.quality)
    typed, stored, before = (each.model_dump(mode="json") for each in rules)
    return {
        rule: stored[rule] | {name: typed[rule][name] for name in fields if before[rule][name] != typed[rule][name]}
        for rule, fields in given.items()
    }


def _check_controls(session: Session, study: Study, rules: QualityRules) -> None:
    """Refuse rules that name what is no control item of the study."""
    named = {item: rule.title for rule in rules.each() for item in rule.named_controls()}
    known = {item.item.id for item in list_items(session, study=study, role="control")} if named else set()
    if unknown := [item for item in named if item not in known]:
        raise UnknownName(f"control item under “{named[unknown[0]]}”", unknown[0], known)


def _controls_met(settings: StudySettings, main: int, control: int) -> int:
    """Return how many controls a worker who answers every main item meets."""
    return plan({"main": main, "control": control}, settings).controls if main else 0


LONGEST_REPLY = 1000


def checked_reply(text: str) -> str:
    """Return an answer as it is kept; raises BadSetting for one that says nothing or is too long."""
    said = "\n".join(text.replace("\0", "").splitlines()).strip()
    if not 0 < len(said) <= LONGEST_REPLY:
        raise BadSetting(f"Write the answer in 1 to {LONGEST_REPLY} characters. The worker reads it.")
    return said
