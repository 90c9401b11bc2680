"""The items of a log: one per role and content, whatever page or file its answers stand in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from annotate.imports.answer_log import LogRow
from annotate.imports.labels import Labels
from data.errors import BadFile
from data.files.item_files import content_id
from data.task import Item, Role

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
                f"{row.where}: GOLDEN is {gold!r:.60}, but {known.gold!r:.60} stood at the same item before; keep one"
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
                f"{row.where}: the item is bound to others by {row.cluster!r:.60}, but {clusters[key]!r:.60} stood "
                "at it before; an item is of one cluster"
            )
    bound = {item[1]: cluster for item, cluster in clusters.items()}
    return {
        key: replace(item, fields={**item.fields, name: item.fields.get(name, bound[key[1]])})
        for key, item in items.items()
    }
