"""The items of a log and which answers to them count; duplicates and refused work are kept void with a reason."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from annotate.imports.labels import Labels
from annotate.imports.log_reading import LogRow
from data.errors import BadFile, UnknownName
from data.files.item_files import content_id
from data.task import Item, Role
from db.judgments import DUPLICATE

ItemKey = tuple[Role, str]
Controls = Literal["apart", "both"]


@dataclass(frozen=True)
class Answer:
    """A row of the log, the item it answers and the label as it is stored; `again` beside its control's own answer."""

    row: LogRow
    item: ItemKey
    label: str
    again: bool = False


def item_key(row: LogRow) -> ItemKey:
    """Return what tells the item of a row from others: its role, and the log's id or all its fields as they are."""
    return row.role, row.item_id or content_id(row.fields)


def gather(
    rows: Sequence[LogRow], labels: Labels, *, controls: Controls = "apart"
) -> tuple[dict[ItemKey, Item], list[Answer]]:
    """Return the items in the order of their first rows, main before controls, and the answers in the log's order.

    A control's gold is its GOLDEN cell; two different ones for the same fields are refused. Where
    `controls` are "both" each control is a main item as well, with its gold and the same answers.
    """
    items: dict[ItemKey, Item] = {}
    answers = []
    for row in rows:
        key = item_key(row)
        gold = labels.gold(row.golden, row.fields) if row.golden else None
        known = items.setdefault(key, Item(key[1], row.fields, gold, row.role))
        if gold and known.gold and gold != known.gold:
            raise BadFile(
                f"{row.where}: GOLDEN is {gold!r:.60}, but {known.gold!r:.60} earlier for the same item; keep one"
            )
        if gold and known.gold is None:
            items[key] = replace(known, gold=gold)
        label = labels.answer(row.answer, row.fields)
        answers.append(Answer(row, key, label))
        if controls == "both" and key[0] == "control":
            items.setdefault(("main", key[1]), Item(key[1], row.fields))
            answers.append(Answer(row, ("main", key[1]), label, again=True))
    gathered = _golden_too(items) if controls == "both" else items
    return dict(sorted(gathered.items(), key=lambda pair: pair[0][0] != "main")), answers


def _golden_too(items: Mapping[ItemKey, Item]) -> dict[ItemKey, Item]:
    """Return the items, main ones with the right answer that the control of the same id has."""
    twins = {name: item.gold for (role, name), item in items.items() if role == "control"}
    return {
        key: replace(item, gold=item.gold or twins.get(key[1])) if key[0] == "main" else item
        for key, item in items.items()
    }


def with_clusters(items: Mapping[ItemKey, Item], rows: Sequence[LogRow], name: str) -> dict[ItemKey, Item]:
    """Return the items with what binds them to others in the field `name`; raises BadFile where an item has two."""
    clusters: dict[ItemKey, str] = {}
    for row in rows:
        key = item_key(row)
        if clusters.setdefault(key, row.cluster) != row.cluster:
            raise BadFile(
                f"{row.where}: the cluster of this item is {row.cluster!r:.60}, but {clusters[key]!r:.60} in an "
                "earlier row; keep one"
            )
    bound = {item[1]: cluster for item, cluster in clusters.items()}
    return {
        key: replace(item, fields={**item.fields, name: item.fields.get(name, bound[key[1]])})
        for key, item in items.items()
    }


Policy = Literal["first", "last", "keep", "error"]
POLICIES: tuple[Policy, ...] = ("first", "last", "keep", "error")
KEPT_STATUSES = ("APPROVED", "SUBMITTED")


@dataclass(frozen=True)
class Verdict:
    """What becomes of one answer: its repeat number, and the reason where it is void."""

    repeat: int
    reason: str | None = None


@dataclass(frozen=True)
class Conflict:
    """A worker who gave different answers to the same main item."""

    item: ItemKey
    worker: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Settled:
    """Answers, a verdict for each of them in turn, and what there was to settle.

    `duplicates` counts answers beyond a worker's first to a main item, `repeats` those to a control.
    """

    answers: tuple[Answer, ...]
    verdicts: tuple[Verdict, ...]
    duplicates: int
    repeats: int
    conflicts: tuple[Conflict, ...]

    def judged(self) -> Iterator[tuple[Answer, Verdict]]:
        """Yield each answer with its verdict."""
        return zip(self.answers, self.verdicts, strict=True)

    def counted(self) -> Counter[ItemKey]:
        """Return how many answers to each item count."""
        return Counter(answer.item for answer, verdict in self.judged() if verdict.reason is None)

    def void(self) -> Counter[str]:
        """Return how many answers are void for which reason."""
        return Counter(verdict.reason for verdict in self.verdicts if verdict.reason)


def policy_named(name: str) -> Policy:
    """Return the policy of that name; raises UnknownName."""
    for policy in POLICIES:
        if name == policy:
            return policy
    raise UnknownName("policy for --duplicates", name, POLICIES)


def verdicts_of(answers: Sequence[Answer], *, policy: Policy = "first") -> Settled:
    """Return a verdict for every answer; under the policy `error` a duplicate raises BadFile.

    An answer counts when its status is APPROVED, SUBMITTED or not given. Of several that would count from one worker to
    one main item, `first` and `last` (in the order of the log) count one, `keep` all; to a control all count.
    """
    groups: dict[tuple[ItemKey, str], list[int]] = {}
    for place, answer in enumerate(answers):
        groups.setdefault((answer.item, answer.row.worker), []).append(place)
    verdicts = [Verdict(0)] * len(answers)
    duplicates, repeats, conflicts = [], 0, []
    for (item, worker), places in groups.items():
        kept = [place for place in places if _refused(answers[place]) is None]
        labels = tuple(answers[place].label for place in kept)
        if item[0] != "main":
            repeats += max(len(kept) - 1, 0)
        elif len(kept) > 1:
            duplicates.append(kept)
            conflicts += [Conflict(item, worker, labels)] if len(set(labels)) > 1 else []
        for place, verdict in _verdicts(answers, places, "keep" if item[0] != "main" else policy):
            verdicts[place] = verdict
    if policy == "error" and duplicates:
        raise BadFile(_duplicate_sentence(answers, duplicates))
    return Settled(
        tuple(answers), tuple(verdicts), sum(len(kept) - 1 for kept in duplicates), repeats, tuple(conflicts)
    )


def _verdicts(answers: Sequence[Answer], places: Sequence[int], policy: Policy) -> list[tuple[int, Verdict]]:
    """Return the verdicts on one worker's answers to one item: those that count come first in the numbering."""
    reasons = {place: _refused(answers[place]) for place in places}
    kept = [place for place in places if reasons[place] is None]
    surplus = [] if policy == "keep" else kept[:-1] if policy == "last" else kept[1:]
    reasons |= dict.fromkeys(surplus, DUPLICATE)
    ranked = sorted(places, key=lambda place: (reasons[place] is not None, reasons[place] != DUPLICATE))
    return [(place, Verdict(repeat, reasons[place])) for repeat, place in enumerate(ranked)]


def _refused(answer: Answer) -> str | None:
    status = (answer.row.status or "").strip().upper()
    return None if not status or status in KEPT_STATUSES else f"status:{status}"


def _duplicate_sentence(answers: Sequence[Answer], duplicates: Sequence[Sequence[int]]) -> str:
    first, second = (answers[place].row for place in duplicates[0][:2])
    more = f", and there are {len(duplicates) - 1} more such pairs" if len(duplicates) > 1 else ""
    return (
        f"{second.where}: worker {second.worker!r:.60} answered the same item before ({first.where}){more}; choose "
        "--duplicates first, last or keep"
    )
