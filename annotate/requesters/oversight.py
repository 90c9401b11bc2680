"""What requesters see of the people and the items of a study, and what they do about them; every act is an event."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from annotate import overlap
from annotate.consent import asked_in, version_of, workload_of
from annotate.requesters.adjudication import (
    Case,
    ItemsAsked,
    ItemTable,
    case_of,
    checked_answer,
    checked_note,
    listing,
    majority,
)
from annotate.requesters.study_creation import NO_CONTROLS, check_filled, check_reached, cleaned, fitted, titled
from annotate.requesters.study_plan import plan
from data.declared import Setting, shortened, validated
from data.errors import BadSetting, UnknownName, look_up
from data.limits import LONGEST_REASON
from data.task import ROLES
from db import events, exclusions, sittings, training_attempts, worker_summaries
from db.arrivals import LET_IN
from db.clock import Clock, now
from db.engine import Database, Session, alone, reading, transact, writing
from db.erasure import Forgotten, clear_files, forget, kept_rows, list_erasure, not_forgotten
from db.events import Cause, Event, add_event, list_events
from db.item_lookup import votes_by_item
from db.items import count_items, first_items, list_items, set_targets
from db.judgments import main_answers
from db.payments import Payments, bonuses_of, controls_right, hourly, mark_paid, owed, unpaid
from db.records import ON_APPEAL, Appeal, Decision, Report, add_decision, answer, list_appeals, list_reports, uphold
from db.settings import Settings
from db.statuses import EventKind, StudyStatus
from db.studies import Study, change_settings, get_study, list_studies, set_status, study_of
from db.study_settings import AGREED, BONUS, NUMBERS, SETTINGS, StudySettings
from db.worker_summaries import WorkerAnswer, WorkerSummary
from db.workers import anybody_agreed, set_columns
from eval.workers.frame import guess
from eval.workers.rule import Chances
from eval.workers.table import QualityRules, checked_rules, rules_of

T = TypeVar("T")


EDITABLE = {
    name: setting for name, setting in SETTINGS.items() if not (setting.asked.change and setting.asked.change.under)
}
"""The settings of a draft."""
CHANGEABLE = {name: setting for name, setting in EDITABLE.items() if setting.asked.change}
"""Those of them that may change once people answer."""


def editable(study: Study) -> dict[str, Setting]:
    """Return the settings that may change in a study as it stands."""
    return EDITABLE if study.status == "draft" else CHANGEABLE


def fixed_words() -> str:
    """Return the sentence on what a study keeps once it was opened: question, answers and what declares no change."""
    titles = [setting.title for setting in SETTINGS.values() if setting.asked.change is None]
    return (
        "Fixed since the study was opened, as answers before and after would not be answers to the same question: "
        f"title, question and answers, items that are there, {', '.join(map('“{}”'.format, titles))}. "
        "To change one of these, duplicate the study."
    )


def change_rows(changes: Mapping[str, Sequence[Any]]) -> list[tuple[str, str, str]]:
    """Return the title, the value before and the value after of each setting of a change, as people read them."""
    return [
        (SETTINGS[name].title if name in SETTINGS else name, _read(before), _read(after))
        for name, (before, after) in changes.items()
    ]


def _read(value: Any) -> str:
    return "none" if value in (None, "") else str(shortened(value))


def checked(study: Study, given: Mapping[str, Any]) -> StudySettings:
    """Return the study's settings with these changed; raises BadSetting for what may not be."""
    if fixed := next((name for name in given if name not in editable(study)), None):
        raise BadSetting(f"{fixed} of a study cannot be changed here. {fixed_words()}")
    check_filled(given)
    values = {name: cleaned(value) for name, value in given.items()}
    other = {name for name in values if values[name] != getattr(study.settings, name)}
    if study.origin == "imported" and not all(SETTINGS[name].asked.imported for name in other):
        may = [
            f"“{setting.title}”" for key, setting in SETTINGS.items() if setting.asked.imported and key not in NUMBERS
        ]
        raise BadSetting(
            "This study was imported, so nobody answers in it. Besides the texts of the report, you can set "
            f"{', '.join(may)}."
        )
    made = validated(StudySettings, {**study.settings.model_dump(mode="json"), **values}, titled)
    if made.bonus and not made.page_controls:
        raise BadSetting(f"{SETTINGS['bonus'].title} {made.bonus:g}: {NO_CONTROLS}")
    return made


def _check_ways(before: StudySettings, after: StudySettings, holds: Mapping[str, bool]) -> None:
    """Refuse what goes another way than its setting declares while its conditions hold; `holds` says which do."""
    for name, setting in CHANGEABLE.items():
        change, old, new = setting.asked.change, getattr(before, name), getattr(after, name)
        if change and all(holds[way] for way in change.once) and not setting.allows_change(old, new):
            why = change.why.format(**before.model_dump())
            raise BadSetting(f"{setting.title}: {why}; it {setting.way}, got {new!r}. {change.advice}".strip())


MOST_REPORTS = 500
MOST_ANSWERS = 50
HASTY = 1.0
"""Seconds an item, on average, below which nobody has read what was asked."""
DONE: dict[StudyStatus, EventKind] = {"open": "opened", "paused": "paused", "closed": "closed"}
"""What has happened to a study that stands so now; none goes back to a draft."""


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
class WorkerRecord:
    """One worker: the line of the table, the last answers and events, the median of the last seconds per main item.

    The worker `agreed` with the others' majority on so many of the `compared` items that have one.
    """

    line: WorkerLine
    answers: Sequence[WorkerAnswer]
    events: Sequence[Event]
    median: float | None
    agreed: int
    compared: int


@dataclass(frozen=True)
class Oversight:
    """What requesters do about a study, its people and its items, by its name; all of it raises UnknownName.

    `who` is always the account that acts.
    """

    database: Database
    clock: Clock = field(default=now)

    def read(self, name: str, look: Callable[..., T], **given: Any) -> T:
        """Return what a function reads of the study of that name."""
        with reading(self.database) as session:
            return look(session, study=get_study(session, name=name), **given)

    def _write(self, name: str, work: Callable[..., T], **given: Any) -> T:
        return transact(self.database, lambda session: work(session, study=get_study(session, name=name), **given))

    def settings(self, name: str) -> dict[str, Any]:
        """Return the settings that may change, by name; raises UnknownName."""
        study = self.study(name)
        return {key: getattr(study.settings, key) for key in editable(study)}

    def change(
        self, name: str, given: Mapping[str, Any], *, who: str, shown: Mapping[str, Any] | None = None
    ) -> dict[str, list[Any]]:
        """Give a study other settings; return what changed, as name -> [before, after], and write an event.

        `shown` are the values of the form when it was opened: a field that still has its value was not touched, and
        keeps what another manager may have given it meanwhile.

        Of a draft everything may change. A price holds for answers from now on. What people have agreed to be paid for
        an answer never becomes less: once somebody has, a price may only grow, and answers of who is stopped stay paid.
        How much work there is may become less, as consent says. The bonus, which is reckoned over all answers, may only
        become easier to earn, and has to stay within reach. Another notice or consent text holds for who comes from now
        on: nobody is asked anew. The overlap may only grow: places that people have answered, or hold, are never taken
        back. Raises UnknownName, and BadSetting with the field as the form names it.
        """
        seen = shown or {}

        def work(session: Session, study: Study) -> dict[str, list[Any]]:
            before, workload = study.settings, workload_of(session, study)
            touched = {key: value for key, value in given.items() if key not in seen or seen[key] != value}
            after = checked(study, touched)
            if study.status == "draft":
                after = fitted(
                    after, study.task, {role: count_items(session, study=study, role=role) for role in ROLES}
                )
            else:
                _check_ways(before, after, {AGREED: anybody_agreed(session, study=study), BONUS: before.bonus > 0})
            if not before.bonus or workload.rewarded(before):
                check_reached(after, workload)
            changes = {
                key: [getattr(before, key), getattr(after, key)]
                for key in editable(study)
                if getattr(before, key) != getattr(after, key)
            }
            if not changes:
                return {}
            change_settings(session, study=study, values={key: value for key, (_, value) in changes.items()})
            if "overlap" in changes:
                set_targets(session, study=study, target=after.overlap)
            details: dict[str, Any] = {"settings": changes}
            versions = [version_of(settings, workload) for settings in (before, after)]
            if versions[0] != versions[1]:
                details["consent_version"] = versions
            cause = Cause(who, self.clock())
            add_event(session, study_id=study.id, kind="settings", cause=cause, details=details)
            return changes

        return self._write(name, work)

    def case(self, name: str, key: int, *, who: str) -> Case:
        """Return an item as this expert may see it now; raises UnknownName and BadSetting."""
        return self.read(name, case_of, key=key, who=who)

    def decide(self, name: str, *keys: int, who: str, value: object, note: str = "", votes_seen: bool = False) -> Case:
        """Store what an expert holds to be the right answer of these items, and return the last one with the votes.

        `votes_seen`: they were decided in the table, where the votes stand. Confirming an earlier decision is a
        decision as well. Raises BadSetting for an answer that the task does not allow and for a note that cannot be
        kept.
        """
        said, moment = checked_note(note), self.clock()

        def work(session: Session, study: Study) -> Case:
            for key in keys:
                case = case_of(session, study=study, key=key, who=who)
                label, blind = checked_answer(case, value), case.blind and not votes_seen
                add_decision(session, Decision(case.item.id, label, who, said, blind, moment, key), study=study)
            return case_of(session, study=study, key=keys[-1], who=who)

        return self._write(name, work)

    def uphold(self, name: str, key: int, *, who: str, broken: bool = True) -> bool:
        """Uphold the reports on an item, which counts for nothing then, or let it count again; False if so already.

        Raises UnknownName, and BadSetting for an item that nobody has reported.
        """

        def work(session: Session, study: Study) -> bool:
            reports = list_reports(session, study=study, item_key=key)
            if not reports:
                raise BadSetting(f"No worker has reported the item {key}; choose one of the list of reports.")
            changed = uphold(session, study=study, item_key=key, broken=broken)
            if changed:
                kind: EventKind = "upheld" if broken else "dismissed"
                details = {"item": reports[0].item}
                add_event(session, study_id=study.id, kind=kind, cause=Cause(who, self.clock()), details=details)
            return changed

        return self._write(name, work)

    def exclude(self, name: str, worker: str, *, who: str, reason: str) -> bool:
        """Exclude a worker from a study; return whether that changed anything. Raises UnknownName and BadSetting."""
        cause = Cause(who, self.clock(), checked_reason(reason))
        return self._write(name, _excluded, worker=worker, cause=cause)

    def restore(self, name: str, worker: str, *, who: str, reason: str) -> bool:
        """Let a paused or excluded worker go on; return whether that changed anything. Raises as `exclude`."""
        cause = Cause(who, self.clock(), checked_reason(reason))
        return self._write(name, _restored, worker=worker, cause=cause)

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
        if study.settings.sitting and study.paused:
            for pause in list_events(session, study=study, most=1, kinds=["paused"]):  # of a draft there is none
                sittings.put_off(session, study=study, by=self.clock() - pause.at)
        set_status(session, study=study, status=status)
        if status == "closed":
            training_attempts.pay_all(session, study=study)
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
            changed = {"quality": checked.model_dump(mode="json"), "hourly_minimum": hourly_minimum}
            change_settings(session, study=study, values=changed)
            add_event(session, study_id=study.id, kind="rules", cause=Cause(who, self.clock()), details=changed)

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
                given.get(work.key, 0),
                work.name in waiting,
            )
            for work in works
        ]
        return sorted(
            lines,
            key=lambda line: (not line.appealed, -len(line.fired), line.work.status != "excluded", -line.work.answers),
        )

    def record(self, name: str, worker: str) -> WorkerRecord:
        """Return what is known of a worker of a study; raises UnknownName."""
        lines = {line.work.name: line for line in self.workers(name)}
        line = look_up(f"worker of the study {name!r}:", worker, lines)
        with reading(self.database) as session:
            study = get_study(session, name=name)
            given = main_answers(session, study=study, worker_key=line.work.key)
            votes = votes_by_item(session, study=study, keys=[each.item_id for each in given])
        window = rules_of(study.settings.quality).fast.window
        times = [each.seconds for each in given if each.seconds is not None][-window:]
        others = [
            (each.label, Counter(votes[each.item_id]) - Counter([each.label]))
            for each in given
            if each.item_id in votes
        ]
        clear = [(label, won) for label, each in others if (won := majority(each)) is not None]
        return WorkerRecord(
            line,
            self.answers(name, worker),
            self.events(name, worker=worker),
            median(times) if times else None,
            sum(label == won for label, won in clear),
            len(clear),
        )

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

    def items(self, name: str, asked: ItemsAsked = ItemsAsked()) -> ItemTable:
        """Return one page of the main items of a study."""
        return self.read(name, listing, asked=asked)

    def reports(self, name: str) -> list[Report]:
        """Return what workers reported of the main items of a study, the newest first, at most MOST_REPORTS."""
        reports = self.read(name, list_reports)
        return reports[::-1][:MOST_REPORTS]

    def events(self, name: str, *, kinds: Sequence[str] = (), worker: str = "") -> list[Event]:
        """Return the last events of a study, the newest first; of these kinds, of this worker where any is named."""
        return self.read(name, events.list_events, kinds=kinds, worker=worker)

    def appeals(self, name: str) -> list[Appeal]:
        """Return what workers of a study wrote who were stopped: what waits for an answer, then the newest first."""
        with reading(self.database) as session:
            return sorted(
                list_appeals(session, study=get_study(session, name=name)), key=lambda appeal: not appeal.open
            )

    def missed(self, name: str, lines: Iterable[WorkerLine]) -> dict[str, list[WorkerAnswer]]:
        """Return the wrong practice answers, in words, of each of these workers who failed the training."""
        failed = [line.work.name for line in lines if line.work.status == "failed"]
        return {
            worker: [
                each
                for each in reversed(self.answers(name, worker))
                if each.role == "training" and each.gold != each.label
            ]
            for worker in failed
        }

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
                _restored(session, study=study, worker=worker, cause=Cause(who, moment, ON_APPEAL))
            add_event(session, study_id=study.id, worker_id=key, kind="replied", cause=Cause(who, self.clock()))
            return True

        return self._write(name, work)

    def payments(self, name: str) -> Payments:
        """Return what a study owes its workers."""
        return self.read(name, owed)

    def mark_paid(self, name: str, totals: Mapping[str, float], *, who: str) -> int:
        """Write down that these workers were paid so much in all; return of how many that is more than before."""
        return self._write(name, mark_paid, totals=totals, cause=Cause(who, self.clock()))

    def study(self, name: str) -> Study:
        """Return a study with its task and its settings; raises UnknownName."""
        study: Study = self.read(name, lambda _, study: study)
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
        planned = plan({"main": main, "control": len(controls)}, study.settings)
        met = planned.controls if main else 0  # by a worker who answers every main item
        return Chances(chance=guess(study.task.answer, controls), controls_met=met)


def _excluded(session: Session, *, study: Study, worker: str, cause: Cause) -> bool:
    enrolment = exclusions.enrolled(session, study=study, worker=worker)
    done = exclusions.exclude(session, enrolment=enrolment, cause=cause)
    overlap.settle_all(session, study=study, worker_key=enrolment.worker_id)
    return done


def _restored(session: Session, *, study: Study, worker: str, cause: Cause) -> bool:
    enrolment = exclusions.enrolled(session, study=study, worker=worker)
    done = exclusions.restore(session, enrolment=enrolment, cause=cause, all_or_none=study.settings.sitting)
    if enrolment.status == "failed":  # the objection was right: the training counts as passed
        set_columns(session, enrolment_id=enrolment.id, qualified_at=cause.at)
        training_attempts.pay(session, study=study, enrolment=enrolment)
    overlap.settle_all(session, study=study, worker_key=enrolment.worker_id)
    return done


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


LONGEST_REPLY = 1000


def checked_reply(text: str) -> str:
    """Return an answer as it is kept; raises BadSetting for one that says nothing or is too long."""
    said = "\n".join(text.replace("\0", "").splitlines()).strip()
    if not 0 < len(said) <= LONGEST_REPLY:
        raise BadSetting(f"Write the answer in 1 to {LONGEST_REPLY} characters. The worker reads it.")
    return said


_PSEUDONYM = re.compile(r"\bw-[0-9a-f]{8}\b")


def everything_about(session: Session, *, study: Study, worker: str) -> dict[str, Any]:
    """Return all that is kept about a worker of a study, as JSON has it; raises UnknownName.

    An item is named by its key. Other workers whom an event mentions are left out. The text of consent is there while
    it is the one that the worker agreed to.
    """
    records = kept_rows(session, study=study, worker=worker)
    (enrolment,) = records["enrolment"] or [{}]
    terms = asked_in(session, study, enrolment["language"]) if enrolment else None
    changes = list_events(session, study=study, most=None, kinds=("settings",))
    records["events"] = json.loads(_without_others(json.dumps(records["events"]), worker))
    lines = owed(session, study=study).frame.to_dict("records")
    return {
        "study": study.name,
        **records,
        "agreed_to": asdict(terms) if terms and terms.version == enrolment["consent_version"] else None,
        "consent_changes": [
            {"at": event.at.isoformat(), "versions": event.details["consent_version"]}
            for event in reversed(changes)
            if "consent_version" in event.details
        ],
        "payment": next((line for line in lines if line["worker"] == worker), None),
    }


def _without_others(text: str, worker: str) -> str:
    return _PSEUDONYM.sub(lambda name: name[0] if name[0] == worker else "(another worker)", text)


def erase_people(home: Path, database: Database, moment: datetime) -> int:
    """Erase the people of studies whose retention period is over; their answers stay. Return how many these were.

    Each is erased in a transaction of its own, and by one server of several.
    """
    gone: Counter[tuple[int, int | None]] = Counter()
    try:
        with alone(database):
            with reading(database) as session:
                due = [
                    (study, worker)
                    for study in list_studies(session)
                    if _is_over(session, study, moment)
                    for worker in not_forgotten(session, study=study)
                ]
            for study, worker in due:
                if transact(database, partial(_erase, home=home, study_id=study.id, worker=worker, moment=moment)):
                    gone[study.id, study.settings.retention_days] += 1
    finally:
        cause = Cause("retention", moment, clear_files(database) if gone else "")
        for (study_id, days), people in gone.items():
            said = {"people": people, "days": days}
            transact(database, partial(add_event, study_id=study_id, kind="retention", cause=cause, details=said))
    return sum(gone.values())


def _is_over(session: Session, study: Study, moment: datetime) -> bool:
    """Return whether the retention period of a study is over, and everybody is paid."""
    days = study.settings.retention_days
    closed = list_events(session, study=study, most=1, kinds=("closed",)) if days and study.status == "closed" else []
    if not days or not closed or moment < closed[0].at + timedelta(days=days):
        return False
    return not unpaid(session, study=study)


def _erase(session: Session, *, home: Path, study_id: int, worker: str, moment: datetime) -> bool:
    """Erase one person, unless the study was opened meanwhile or somebody else has erased the person."""
    study = study_of(session, study_id=study_id)
    if study.status != "closed" or worker not in not_forgotten(session, study=study):
        return False
    done = forget(session, study=study, worker=worker, keep_answers=True, who="retention", moment=moment)
    list_erasure(home, done, moment)
    return True
