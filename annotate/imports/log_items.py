"""The labels and items of a log, the task they make, and which answers count; others are void with a reason."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from annotate.imports.import_settings import AS_IT_IS, Controls, ImportSettings, Policy
from annotate.imports.log_reading import LogRow
from data.answers.answer_type import AnswerType
from data.answers.choice import Choice
from data.answers.number import Number
from data.composed_text import composed
from data.errors import BadAnswer, BadFile, BadSetting
from data.files.item_files import answer_label, content_id, gold_label
from data.task import Field, Item, Role, Task
from data.wording import own_wording, same
from db.judgments import DUPLICATE

SHOWN = 10


@dataclass
class Labels:
    """Reads labels under a mapping and the task's own aliases, and remembers what it met.

    Of a log of `numbers` without a task "1,5" is stored as 1.5. `label_counts` counts the stored labels of answers,
    `renamed` the answers by (written, stored) label where the two differ.
    `written` holds all labels, and so does `stored` where they are of a list, right answers included.
    """

    mapping: Mapping[str, str]
    task: Task | None
    numbers: bool = False
    label_counts: Counter[str] = field(default_factory=Counter)
    renamed: Counter[tuple[str, str]] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    written: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)

    def answer(self, written: str, fields: Mapping[str, str]) -> str:
        """Return the stored label of an answer; an unknown one is remembered until `check`."""
        label = self._stored(composed(written), fields, answer_label)
        self.written.add(composed(written))
        self.stored.add(label)
        self.label_counts[label] += 1
        if label != composed(written):
            self.renamed[composed(written), label] += 1
        return label

    def gold(self, written: str, fields: Mapping[str, str]) -> str:
        """Return the stored label of a right answer; an unknown one is remembered until `check`."""
        label = self._stored(composed(written), fields, gold_label)
        self.written.add(composed(written))
        if self.task is None or self.task.answer.labels():
            self.stored.add(label)
        return label

    def counts(self) -> dict[str, int]:
        """Return how many answers each stored label has, in the labels' order; 0 where only gold bears it."""
        return {label: self.label_counts[label] for label in in_order(self.stored)}

    def check(self, where: str) -> None:
        """Refuse labels that the task does not know, with the options that would map them."""
        if self.unknown and self.task:
            raise BadFile(f"{where}: {unknown_labels(self.unknown, self.task)}")

    def check_mapping(self) -> None:
        """Refuse a mapping of a label that stands nowhere: it would be a typing mistake without effect."""
        for written in self.mapping:
            if written not in self.written:
                raise BadSetting(
                    f"--map: no answer is {written!r}; there are {shortened_list(sorted(map(repr, self.written)))}"
                )

    def _stored(self, written: str, fields: Mapping[str, str], read: Callable[..., str | None]) -> str:
        label = self.mapping.get(written, written)
        if self.task is None:
            return (Number().parse(label, {}) or label) if self.numbers else label
        try:
            return read(label, self.task, fields) or label
        except BadAnswer:
            self.unknown[written] += 1
            return label


def in_order(labels: Collection[str]) -> list[str]:
    """Return labels sorted; where all are whole numbers, by their size."""
    numeric = all(label.isascii() and label.isdecimal() for label in labels)
    return sorted(labels, key=lambda label: (int(label) if numeric else 0, label))


def unknown_labels(unknown: Mapping[str, int], task: Task) -> str:
    """Return the half of a sentence that names labels a task does not know and how to map each."""
    allowed = task.answer.labels()
    counts = shortened_list([f"{label!r:.60} ({number} times)" for label, number in sorted(unknown.items())])
    options = " ".join(f"--map '{label}={_nearest(label, allowed)}'" for label in sorted(unknown)[:SHOWN])
    answers = f" ({', '.join(allowed)})" if allowed else ""
    return f"these are no answers of task {task.id!r}{answers}: {counts}; say what they mean with {options}"


def lookalikes(labels: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return labels that are another one but for case or what trails it: `entailment6` beside `entailment`."""
    bases: dict[str, str] = {}
    for label in sorted(labels, key=lambda label: (-labels[label], label)):
        if _core(label) == label.casefold():
            bases.setdefault(_core(label), label)
    pairs = [(label, bases.get(_core(label), label)) for label in sorted(labels)]
    return [(label, base) for label, base in pairs if label != base]


def _core(label: str) -> str:
    return re.sub(r"[\W\d_]+$", "", label.strip()).casefold()


def _nearest(label: str, allowed: Sequence[str]) -> str:
    near = get_close_matches(label, allowed, n=1)
    return near[0] if near else "LABEL"


def shortened_list(words: Sequence[str]) -> str:
    """Return the first of these words, and how many more there are."""
    more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more


def derived_task(
    name: str, fields: Mapping[str, bool], labels: Collection[str], *, where: str, given: ImportSettings = AS_IT_IS
) -> Task:
    """Return the task `log/<name>`; raises BadFile where fewer than two labels leave nothing to choose.

    Of `fields` those are optional that are empty somewhere.
    On an "ordinal" scale answers are labels in order, on an "interval" scale numbers; BadFile where labels are not.
    """
    if len(labels) < 2:
        only = f"the only label is {min(labels)!r:.60}" if labels else "there is no label"
        raise BadFile(
            f"{where}: {only} in answers and gold alike, so nothing was chosen; check the answer's column, add a gold "
            "file with the other labels, or name the task with --task"
        )
    return Task(
        # A name that is unfit for a study is refused by the study itself, with the sentence about names.
        id="log/" + (re.sub(r"[^\w.-]", "_", name) or "_"),
        title=same(name),
        description=own_wording("proposals", "of_a_log"),
        fields=tuple(Field(field, same(field), optional=empty) for field, empty in fields.items()),
        question=own_wording("proposals", "question"),
        instruction=own_wording("proposals", "choose"),
        answer=_answer(labels, given, where),
        # No template: a column may bear the name of one of a template's own parts, as PARus' `question` does.
        prompt="",
        metrics=("accuracy",),
    )


def clustered(task: Task, columns: Sequence[str]) -> Task:
    """Return a task whose items are bound together by a field: that of this column, or a hidden one of its own."""
    if not columns:
        return task
    name = "+".join(task.aliases.columns.get(column, column) for column in columns)
    known = any(field.name == name for field in task.fields)
    hidden = () if known else (Field(name, same(name), kind="hidden", optional=True),)
    return replace(task, fields=(*task.fields, *hidden), cluster=name)


def _answer(labels: Collection[str], given: ImportSettings, where: str) -> AnswerType:
    if given.compared == "nominal":
        return Choice(choices={label: same(label) for label in in_order(labels)})
    if given.compared == "ordinal":
        return Choice(choices={label: same(label) for label in _degrees(labels, given.order, where)}, ordered=True)
    _check_numbers(labels, where, "on an interval scale")
    return Number(measured=True)


def _degrees(labels: Collection[str], order: Sequence[str], where: str) -> list[str]:
    """Return the labels of an ordinal scale, the least first: as they are stated, else numbers by their size."""
    if order:
        if strange := sorted(set(labels) - set(order)):
            raise BadFile(f"{where}: the answer {strange[0]!r:.60} is not in --order {','.join(order)}; add it there")
        return list(order)
    _check_numbers(labels, where, "in an order that they tell themselves; say --order LEAST,…,MOST")
    if all(len(label) == 1 for label in labels):  # digits tell the points between them too
        return [str(point) for point in range(int(min(labels)), int(max(labels)) + 1)]
    return sorted(labels, key=float)


def _check_numbers(labels: Collection[str], where: str, what: str) -> None:
    number = Number()
    if strange := [label for label in in_order(labels) if number.parse(label, {}) != label]:
        raise BadFile(f"{where}: the answer {strange[0]!r:.60} is not a number, so answers cannot be ordered {what}")


ItemKey = tuple[Role, str]


@dataclass(frozen=True)
class Answer:
    """A row of the log, the item it answers and the label as it is stored; `again` beside its control's own answer.

    Once it is settled, `repeat` numbers its worker's answers to the item, and `reason` says why it is void.
    """

    row: LogRow
    item: ItemKey
    label: str
    again: bool = False
    repeat: int = 0
    reason: str | None = None


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


KEPT_STATUSES = ("APPROVED", "SUBMITTED")


@dataclass(frozen=True)
class Conflict:
    """A worker who gave different answers to the same main item."""

    item: ItemKey
    worker: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Settled:
    """The answers with what becomes of each, and what there was to settle.

    `duplicates` counts answers beyond a worker's first to a main item, `repeats` those to a control.
    """

    answers: tuple[Answer, ...]
    duplicates: int
    repeats: int
    conflicts: tuple[Conflict, ...]

    def counted(self) -> Counter[ItemKey]:
        """Return how many answers to each item count."""
        return Counter(answer.item for answer in self.answers if answer.reason is None)

    def void(self) -> Counter[str]:
        """Return how many answers are void for which reason."""
        return Counter(answer.reason for answer in self.answers if answer.reason)


def settled(answers: Sequence[Answer], *, policy: Policy = "first") -> Settled:
    """Return what becomes of every answer; under the policy `error` a duplicate raises BadFile.

    An answer counts when its status is APPROVED, SUBMITTED or not given. Of several that would count from one worker to
    one main item, `first` and `last` (in the order of the log) count one, `keep` all; to a control all count.
    """
    groups: dict[tuple[ItemKey, str], list[int]] = {}
    for place, answer in enumerate(answers):
        groups.setdefault((answer.item, answer.row.worker), []).append(place)
    judged = list(answers)
    duplicates, repeats, conflicts = [], 0, []
    for (item, worker), places in groups.items():
        kept = [place for place in places if _refused(answers[place]) is None]
        labels = tuple(answers[place].label for place in kept)
        if item[0] != "main":
            repeats += max(len(kept) - 1, 0)
        elif len(kept) > 1:
            duplicates.append(kept)
            conflicts += [Conflict(item, worker, labels)] if len(set(labels)) > 1 else []
        for place, answer in _judged(answers, places, "keep" if item[0] != "main" else policy):
            judged[place] = answer
    if policy == "error" and duplicates:
        raise BadFile(_duplicate_sentence(answers, duplicates))
    return Settled(tuple(judged), sum(len(kept) - 1 for kept in duplicates), repeats, tuple(conflicts))


def _judged(answers: Sequence[Answer], places: Sequence[int], policy: Policy) -> list[tuple[int, Answer]]:
    """Return what becomes of one worker's answers to one item: those that count come first in the numbering."""
    reasons = {place: _refused(answers[place]) for place in places}
    kept = [place for place in places if reasons[place] is None]
    surplus = [] if policy == "keep" else kept[:-1] if policy == "last" else kept[1:]
    reasons |= dict.fromkeys(surplus, DUPLICATE)
    ranked = sorted(places, key=lambda place: (reasons[place] is not None, reasons[place] != DUPLICATE))
    return [(place, replace(answers[place], repeat=n, reason=reasons[place])) for n, place in enumerate(ranked)]


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
