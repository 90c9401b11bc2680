"""Adjudication: which items need an expert, and what the expert decides, first blind, then with the votes."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import log2

from annotate.answer_errors import sentence
from data.errors import BadAnswer, BadSetting
from data.limits import LONGEST_NOTE
from data.task import Item, Task
from data.wording import Language
from db import item_lookup
from db.engine import Session
from db.item_lookup import QueuedItem
from db.items import count_items
from db.records import Decision, Report, list_decisions, list_reports
from db.studies import Study

SORTS = ("", "agreement", "-agreement")
PER_PAGE = 50
MOST_RANKED = 500_000  # judgments: beyond, counting the votes of all items would take seconds
MOST_QUEUED = 5_000  # items that an expert walks through in one go


@dataclass(frozen=True)
class ItemsAsked:
    """Which items are asked for: a filter of SHOWS, words that stand in them, an order of SORTS, a page from 0 on."""

    show: str = "all"
    find: str = ""
    sort: str = ""
    page: int = 0


@dataclass(frozen=True)
class ItemReview:
    """How an item stands that somebody has answered, reported or decided."""

    key: int
    votes: Mapping[str, int]
    reports: int
    decision: str | None

    @property
    def agreement(self) -> float | None:
        """The share of the votes that the leading answer has, None without votes."""
        return max(self.votes.values()) / sum(self.votes.values()) if self.votes else None


_FILTERS: dict[str, Callable[[ItemReview], bool]] = {
    "undecided": lambda review: review.decision is None and (review.reports > 0 or len(review.votes) > 1),
    "tied": lambda review: is_tied(review.votes),
    "disputed": lambda review: len(review.votes) > 1,
    "reported": lambda review: review.reports > 0,
    "decided": lambda review: review.decision is not None,
}
SHOWS = ("all", *_FILTERS)


@dataclass(frozen=True)
class ItemLine(QueuedItem):
    """One main item in the table."""

    review: ItemReview

    @property
    def status(self) -> str:
        """What the item waits for."""
        return "complete" if self.filled >= self.target else "at work" if self.held else "open"


@dataclass(frozen=True)
class ItemTable:
    """One page of a study's main items as `asked`: `number` in all, `counts` by filter, None where not `ranked`.

    `ranked`: votes were counted for all items; where there are too many of them only reports and decisions are known.
    """

    task: Task
    lines: list[ItemLine]
    asked: ItemsAsked
    number: int
    counts: Mapping[str, int | None]
    ranked: bool

    @property
    def pages(self) -> int:
        """How many pages there are, at least 1."""
        return max(1, -(-self.number // PER_PAGE))


@dataclass(frozen=True)
class Attention:
    """The reviews of all items that somebody has answered, reported or decided, by the item's key."""

    reviews: Mapping[int, ItemReview]
    ranked: bool

    def keys(self, show: str) -> list[int]:
        """Return the keys under a filter other than "all": the most divided first, decisions in the items' order."""
        chosen = list(filter(_FILTERS[show], self.reviews.values()))
        if show == "decided":
            return sorted(review.key for review in chosen)
        chosen.sort(key=lambda one: (not is_tied(one.votes), not one.reports, -entropy(one.votes), one.key))
        return [review.key for review in chosen]

    def place(self, key: int, *, falling: bool) -> tuple[bool, float]:
        """Return what orders items by agreement; those without votes come last."""
        agreement = self.reviews[key].agreement if key in self.reviews else None
        return agreement is None, (agreement or 0.0) * (-1 if falling else 1)


def attention(session: Session, *, study: Study) -> Attention:
    """Return how the items stand that an expert may want to look at; votes are counted up to MOST_RANKED judgments."""
    ranked = item_lookup.count_judgments(session, study=study) <= MOST_RANKED
    votes = item_lookup.votes_by_item(session, study=study) if ranked else {}
    reports = item_lookup.reports_by_item(session, study=study)
    said = {one.key: one.label for one in list_decisions(session, study=study)}
    folded = study.task.answer.folded
    reviews = {
        key: ItemReview(key, merged(votes.get(key, {}), folded), reports.get(key, 0), said.get(key))
        for key in {*votes, *reports, *said}
    }
    return Attention(reviews, ranked)


def listing(session: Session, *, study: Study, asked: ItemsAsked) -> ItemTable:
    """Return one page of the study's main items; what is not offered is taken for what stands first."""
    number, review = count_items(session, study=study, role="main"), attention(session, study=study)
    show, sort = asked.show if asked.show in SHOWS else "all", asked.sort if asked.sort in SORTS else SORTS[0]
    chosen = None if show == "all" else review.keys(show)
    counts: dict[str, int | None] = {"all": number}
    for name in _FILTERS:
        counts[name] = len(review.keys(name)) if review.ranked or name in ("reported", "decided") else None
    if asked.find.strip():
        found = item_lookup.found_items(session, study=study, words=asked.find)
        there = set(found)
        chosen = found if chosen is None else [key for key in chosen if key in there]
    if sort and review.ranked:
        keys = item_lookup.main_keys(session, study=study, first=0, most=number) if chosen is None else chosen
        chosen = sorted(keys, key=lambda key: review.place(key, falling=sort.startswith("-")))
    if chosen is not None:
        number = len(chosen)
    page = min(max(asked.page, 0), max(0, (number - 1) // PER_PAGE))
    first = page * PER_PAGE
    if chosen is None:
        keys = item_lookup.main_keys(session, study=study, first=first, most=PER_PAGE)
    else:
        keys = chosen[first : first + PER_PAGE]
    votes = {} if review.ranked else item_lookup.votes_by_item(session, study=study, keys=keys)
    lines = [_line(study, row, review, votes) for row in item_lookup.queued_items(session, study=study, keys=keys)]
    return ItemTable(study.task, lines, ItemsAsked(show, asked.find, sort, page), number, counts, review.ranked)


def queue(session: Session, *, study: Study) -> list[int]:
    """Return the keys of the items that wait for a decision, the most divided first; MOST_QUEUED at most."""
    return attention(session, study=study).keys("undecided")[:MOST_QUEUED]


def merged(votes: Mapping[str, int], folded: Callable[[str], str]) -> Mapping[str, int]:
    """Return votes with answers that mean the same as one, named by its most frequent spelling."""
    if len(votes) < 2:
        return votes
    forms: dict[str, Counter[str]] = {}
    for answer, number in votes.items():
        forms.setdefault(folded(answer), Counter())[answer] += number
    return {min(each, key=lambda label: (-each[label], label)): sum(each.values()) for each in forms.values()}


def most_first(votes: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return answers with their votes, the most frequent first."""
    return sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))


def entropy(votes: Mapping[str, int]) -> float:
    """Return the entropy of votes in bits; 0 where all agree and where there are none."""
    total = sum(votes.values())
    return -sum(n / total * log2(n / total) for n in votes.values() if n) + 0.0 if total else 0.0


def is_tied(votes: Mapping[str, int]) -> bool:
    """Return whether two answers or more have the most votes."""
    ranked = sorted(votes.values(), reverse=True)
    return len(ranked) > 1 and ranked[0] == ranked[1]


def majority(votes: Mapping[str, int]) -> str | None:
    """Return the answer that more votes have than any other, None where there is none."""
    return None if not votes or is_tied(votes) else max(votes, key=lambda label: votes[label])


def _line(study: Study, row: QueuedItem, attention: Attention, votes: Mapping[int, Mapping[str, int]]) -> ItemLine:
    known = attention.reviews.get(row.key) or ItemReview(row.key, {}, 0, None)
    given = merged(votes.get(row.key, known.votes), study.task.answer_for(row.item.fields).folded)
    return ItemLine(**vars(row), review=replace(known, votes=given))


SECONDS = 1.0
"""So soon after the one before, a decision was hardly thought of."""


def carried_over(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that one expert gave within SECONDS of one on another item, the note the same.

    `decisions` come in the order they were made. No note at all is the same note as none. Those of one moment were
    chosen together in the table.
    """
    before: dict[str, Decision] = {}
    carried = []
    for decision in decisions:
        last = before.get(decision.who)
        after = (decision.decided_at - last.decided_at).total_seconds() if last else 0
        if last and last.key != decision.key and last.note == decision.note and 0 < after <= SECONDS:
            carried.append(decision)
        before[decision.who] = decision
    return carried


@dataclass(frozen=True)
class Case:
    """An item before an expert. `blind`: the expert has not decided it yet, and is shown nothing but the item.

    Afterwards there are the `votes` (answer -> number, the most frequent first), the `reports` of workers and every
    decision so far, the newest last; the item carries its gold then and not before.
    """

    task: Task
    language: Language
    key: int
    item: Item
    blind: bool
    votes: Mapping[str, int] = field(default_factory=dict)
    reports: tuple[Report, ...] = ()
    decisions: tuple[Decision, ...] = ()


def checked_answer(case: Case, value: object) -> str:
    """Return the canonical answer for what the page sent; raises BadSetting with what is wrong in it."""
    if value is None:
        raise BadSetting("Answer the item first, then decide.")
    fields = case.item.fields
    try:
        return case.task.answer_for(fields).accept(value, fields)
    except BadAnswer as mistake:
        raise BadSetting(sentence(mistake, "en")) from mistake


def checked_note(note: str) -> str:
    """Return a note as it is kept; raises BadSetting for one that is too long."""
    said = "".join(sign for sign in note if sign in "\n\t" or (ord(sign) >= 32 and not 0xD800 <= ord(sign) < 0xE000))
    if len(said) > LONGEST_NOTE:
        raise BadSetting(f"The note has {len(said)} characters; at most {LONGEST_NOTE} are allowed.")
    return said.strip()


def case_of(session: Session, *, study: Study, key: int, who: str) -> Case:
    """Return an item as this expert may see it now; raises BadSetting for what is no main item."""
    rows = item_lookup.queued_items(session, study=study, keys=[key])
    if not rows:
        raise BadSetting(f"The study {study.name!r} has no main item with the number {key}; open it from the list.")
    item = rows[0].item
    made = tuple(list_decisions(session, study=study, item_key=key))
    case = Case(study.task, study.settings.language, key, Item(item.id, item.fields, role=item.role), blind=True)
    if not any(decision.who == who for decision in made):
        return case
    votes = item_lookup.votes_by_item(session, study=study, keys=[key]).get(key, Counter())
    shown = dict(most_first(merged(votes, study.task.answer_for(item.fields).folded)))
    reports = tuple(list_reports(session, study=study, item_key=key))
    return replace(case, item=item, blind=False, votes=shown, reports=reports, decisions=made)
