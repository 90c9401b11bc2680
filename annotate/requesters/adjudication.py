"""Adjudication: an expert decides an item, first blind, then with the votes and what was decided before."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotate.answer_errors import sentence
from annotate.requesters.study_items import attention, merged, queue
from data.errors import BadAnswer, BadSetting
from data.limits import LONGEST_NOTE
from data.task import Item, Task
from data.wording import Language
from db import item_lookup
from db.clock import Clock, now
from db.engine import Database, Session, reading, transact
from db.records import Decision, Report, add_decision, decisions_on, list_reports
from db.studies import Study, get_study


@dataclass(frozen=True)
class Case:
    """An item before an expert. `blind`: the expert has not decided it yet, and is shown nothing but the item.

    Afterwards there are the `votes` (answer -> number, the most frequent first), the `reports` of workers and every
    decision so far, the newest last; the item carries its gold then and not before.
    """

    study: str
    task: Task
    language: Language
    key: int
    item: Item
    blind: bool
    votes: Mapping[str, int] = field(default_factory=dict)
    reports: tuple[Report, ...] = ()
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True)
class Adjudication:
    """What experts do about items. `who` is always the account that decides."""

    database: Database
    clock: Clock = field(default=now)

    def queue(self, name: str, show: str = "undecided") -> list[int]:
        """Return the keys of the items to look at under a filter, the most divided first; raises UnknownName."""
        with reading(self.database) as session:
            study = get_study(session, name=name)
            return queue(session, study=study, attention=attention(session, study=study), show=show)

    def case(self, name: str, key: int, *, who: str) -> Case:
        """Return an item as this expert may see it now; raises UnknownName and BadSetting."""
        with reading(self.database) as session:
            return _case(session, get_study(session, name=name), key, who)

    def decide(self, name: str, key: int, *, who: str, value: object, note: str = "") -> Case:
        """Store what an expert holds to be the right answer, and return the item with the votes.

        Confirming an earlier decision is a decision as well. Raises BadSetting for an answer that the task does not
        allow and for a note that cannot be kept.
        """
        checked = checked_note(note)

        def work(session: Session) -> Case:
            study = get_study(session, name=name)
            before = _case(session, study, key, who)
            label = checked_answer(before, value)
            made = Decision(before.item.id, label, who, checked, before.blind, self.clock(), key)
            add_decision(session, made, study=study)
            return _case(session, study, key, who)

        return transact(self.database, work)


def checked_answer(case: Case, value: object) -> str:
    """Return the canonical answer for what the page sent; raises BadSetting with what is wrong in it."""
    if value is None:
        raise BadSetting("Nothing is answered yet: answer as a worker would, then decide.")
    fields = case.item.fields
    try:
        return case.task.answer_for(fields).accept(value, fields)
    except BadAnswer as mistake:
        raise BadSetting(sentence(mistake, "en")) from mistake


def checked_note(note: str) -> str:
    """Return a note as it is kept; raises BadSetting for one that is too long."""
    said = "".join(sign for sign in note if sign in "\n\t" or (ord(sign) >= 32 and not 0xD800 <= ord(sign) < 0xE000))
    if len(said) > LONGEST_NOTE:
        raise BadSetting(f"The note has {len(said)} characters; {LONGEST_NOTE} are kept at most.")
    return said.strip()


def _case(session: Session, study: Study, key: int, who: str) -> Case:
    rows = item_lookup.queued_items(session, study=study, keys=[key])
    if not rows:
        raise BadSetting(f"The study {study.name!r} has no main item with the number {key}; open it from the list.")
    item = rows[0].stored.item
    made = tuple(decisions_on(session, study=study, item_key=key))
    language = study.settings.language
    if not any(decision.who == who for decision in made):
        hidden = Item(item.id, item.fields, None, item.role, "")
        return Case(study.name, study.task, language, key, hidden, blind=True)
    votes = merged(
        item_lookup.votes_by_item(session, study=study, keys=[key]).get(key, {}),
        study.task.answer_for(item.fields).folded,
    )
    ranked = dict(sorted(votes.items(), key=lambda vote: (-vote[1], vote[0])))
    reports = tuple(list_reports(session, study=study, item_key=key))
    return Case(study.name, study.task, language, key, item, blind=False, votes=ranked, reports=reports, decisions=made)
