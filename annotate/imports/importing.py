"""A log becomes a closed study: items, workers and judgments in one transaction, with a report of what was done."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from annotate.imports.columns import NOTHING, Wanted
from annotate.imports.derived import derived_task
from annotate.imports.gold import Gold, content_of, read_gold
from annotate.imports.items import ItemKey, gather
from annotate.imports.labels import Labels
from annotate.imports.reading import read_log
from annotate.imports.report import ImportReport
from annotate.imports.settling import Policy, settle
from annotate.imports.storing import store_log
from data.catalog import get_task
from data.errors import BadFile
from data.task import Item
from db.engine import Session


def import_log(
    session: Session,
    *,
    name: str,
    files: Sequence[Path],
    task_id: str | None = None,
    columns: Wanted = NOTHING,
    gold: Path | None = None,
    duplicates: Policy = "first",
    mapping: Mapping[str, str] | None = None,
) -> ImportReport:
    """Store the answers of `files` as the study `name` and return what was read, dropped, merged and stored.

    The task comes from the catalogue by `task_id`, or is derived from the log. `columns` are named where the header
    does not tell; `mapping` turns written labels into stored ones. Raises an EtalonError with one sentence; the
    caller's transaction then keeps nothing.
    """
    labels = Labels(mapping or {}, get_task(task_id) if task_id else None)
    log = read_log(files, wanted=columns, task=labels.task)
    where = ", ".join(log.files)
    items, answers = gather(log.rows, labels)
    labels.check(where)
    known = None
    if gold:
        known = read_gold(gold, log, items.values(), wanted=columns, labels=labels)
        items = with_gold(items, known, log.field_names)
    labels.check_mapping()
    task = labels.task or derived_task(name, log.field_names, labels.stored, where=where)
    settled = settle(answers, policy=duplicates)
    store_log(session, name=name, task=task, log=log, items=items, settled=settled)
    counted: Counter[str] = Counter()
    for (role, _), number in settled.counted().items():
        counted[role] += number
    return ImportReport(
        study=name,
        task=task.id,
        log=log,
        labels=labels,
        settled=settled,
        policy=duplicates,
        items={role: sum(key[0] == role for key in items) for role in ("main", "control")},
        judgments={role: counted[role] for role in ("main", "control")},
        workers=len({answer.row.worker for answer in answers}),
        missing=sum(item.gold is None for item in items.values() if item.role == "main"),
        gold=known,
    )


def with_gold(items: Mapping[ItemKey, Item], gold: Gold, names: Sequence[str]) -> dict[ItemKey, Item]:
    """Return the items with the right answers of a gold file; one that contradicts a control's GOLDEN is refused."""
    found = {}
    for key, item in items.items():
        label = gold.labels.get(content_of(item.fields, names))
        if label and item.gold and label != item.gold:
            raise BadFile(
                f"{gold.file}: says {label!r} where the log's GOLDEN says {item.gold!r} (item "
                f"{' | '.join(item.fields.values())[:80]!r}); make them agree"
            )
        found[key] = replace(item, gold=item.gold or label)
    return found
