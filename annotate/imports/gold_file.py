"""Files beside a log: right answers, joined to its items and never by a guess, and the skills of its workers."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, TypeVar

from annotate.imports.log_items import Labels
from annotate.imports.log_reading import (
    GOLDEN,
    INPUT,
    OUTPUT,
    AnswerLog,
    Cells,
    Wanted,
    not_shown,
    own_fields,
    sound_rows,
)
from annotate.imports.log_reading import LABEL as ANSWER
from data.errors import BadFile, BadSetting, quoted_names
from data.files.column_names import OF_ANSWERS, column_of
from data.task import Item, Task

Content = tuple[str, ...]
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class GoldRow:
    """One right answer of a gold file, with the item's fields in the order of the log's."""

    line: int
    content: Content
    label: str


@dataclass(frozen=True)
class GoldFile:
    """What a gold file gave: the right answers by the items' contents, and the lines of the rows that gave none.

    Contents are the texts of the fields `names`; where there are none, the items' ids.
    `matched` and `folded` count items joined exactly and with white space folded. `ambiguous` rows contradict each
    other or fit several items, `unmatched` ones fit none, `empty` ones hold no answer.
    """

    file: str
    rows: int
    labels: Mapping[Content, str]
    matched: int
    folded: int
    names: tuple[str, ...]
    ambiguous: tuple[int, ...]
    unmatched: tuple[int, ...]
    empty: tuple[int, ...]

    def content(self, item: Item) -> Content:
        """Return what an item is known by here."""
        return known_by(item, self.names)


def read_gold(path: Path, log: AnswerLog, items: Iterable[Item], *, wanted: Wanted, labels: Labels) -> GoldFile:
    """Return the right answers for the items of a log; raises BadFile for a label that is not known.

    Where log and file name items by ids they are joined by these, else by their fields.
    """
    sound, header = sound_rows(path)
    items = list(items)
    named = column_of(header, OF_ANSWERS["item"]) if "item" in log.recognised else None
    columns = {} if named else _field_columns(header, log.field_names, labels.task, path.name)
    answer = _answer_column(header, columns, log, wanted, labels.task, path.name)
    of_id = {item.id: item.fields for item in items}
    names = () if named else log.field_names
    rows, empty = [], []
    for row in sound:
        cells = Cells(row)
        if named:
            content: Content = (cells.text(named),)
            fields = of_id.get(content[0], {})
        else:
            fields = own_fields(_sentence_of(cells, columns, labels.task), labels.task, path.name, row.line)
            content = content_of(fields, names)
        if written := cells.filled(answer):
            rows.append(GoldRow(row.line, content, labels.gold(written, fields)))
        else:
            empty.append(row.line)
    labels.check(path.name)
    return join(rows, [known_by(item, names) for item in items], file=path.name, empty=empty, names=names)


def join(
    rows: Sequence[GoldRow],
    contents: Iterable[Content],
    *,
    file: str,
    empty: Sequence[int] = (),
    names: Sequence[str] = (),
) -> GoldFile:
    """Return what gold rows say about items of these contents, which are the fields `names` or else ids."""
    wanted = set(contents)
    exact = _grouped((row.content, row) for row in rows if row.content in wanted)
    spare = _grouped((folded(row.content), row) for row in rows if row.content not in wanted)
    alike = _grouped((folded(content), content) for content in wanted if content not in exact)
    near = {alike[key][0]: group for key, group in spare.items() if len(alike.get(key, ())) == 1}
    several = [row for key, group in spare.items() if len(alike.get(key, ())) > 1 for row in group]
    unsure = [row for group in [*exact.values(), *near.values()] if not _agree(group) for row in group]
    return GoldFile(
        file=file,
        rows=len(rows) + len(empty),
        labels={content: group[0].label for content, group in (exact | near).items() if _agree(group)},
        matched=sum(map(_agree, exact.values())),
        folded=sum(map(_agree, near.values())),
        names=tuple(names),
        ambiguous=tuple(sorted(row.line for row in [*several, *unsure])),
        unmatched=tuple(sorted(row.line for key, group in spare.items() if key not in alike for row in group)),
        empty=tuple(empty),
    )


def known_by(item: Item, names: Sequence[str]) -> Content:
    """Return the texts of these fields of an item; of none, its id."""
    return content_of(item.fields, names) if names else (item.id,)


def content_of(fields: Mapping[str, str], names: Sequence[str]) -> Content:
    """Return the texts of an item's fields in the order of `names`."""
    return tuple(fields[name] for name in names)


def folded(content: Content) -> Content:
    """Return texts with every run of white space as one space and none at the ends."""
    return tuple(" ".join(text.split()) for text in content)


def _agree(group: Sequence[GoldRow]) -> bool:
    return len({row.label for row in group}) == 1


def _grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    groups: dict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return dict(groups)


def _field_columns(header: Sequence[str], names: Sequence[str], task: Task | None, file: str) -> dict[str, str]:
    """Return field -> column; where a task is known every column is offered to its aliases."""
    if task:
        bare = {column.removeprefix(INPUT): column for column in header}
        unshown = set(not_shown(bare, task))
        return {name: column for name, column in bare.items() if column not in unshown} or bare
    columns = {name: column for name in names for column in (INPUT + name, name) if column in header}
    absent = [name for name in names if name not in columns]
    if absent:
        raise BadFile(f"{file}: has no column for {quoted_names(absent)} of the items; it has {quoted_names(header)}")
    return columns


def _sentence_of(cells: Cells, columns: Mapping[str, str], task: Task | None) -> dict[str, Any]:
    """Return what a row says of its item; a format is offered the whole record, objects within it too."""
    if task and task.file_format:
        return {name.removeprefix(INPUT): value for name, value in cells.row.values.items()}
    return {name: cells.text(column) for name, column in columns.items()}


def _answer_column(
    header: Sequence[str], fields: Mapping[str, str], log: AnswerLog, wanted: Wanted, task: Task | None, file: str
) -> str:
    """Return the column of the right answers: named like the log's answer, the task's, `label`, or as golds are."""
    names = [(wanted.answer or "").removeprefix(OUTPUT), log.answer_name, "label"]
    if task:
        ours = [theirs for theirs, name in task.aliases.columns.items() if name == task.answer_column]
        names[2:2] = [task.answer_column, *ours]
    for name in filter(None, names):
        for column in (name, OUTPUT + name, GOLDEN + name):
            if column in header and column not in fields.values():
                return column
    if gold := column_of([column for column in header if column not in fields.values()], OF_ANSWERS["gold"]):
        return gold
    named = [name for name in (*names, OF_ANSWERS["gold"][0]) if name and name != ANSWER]
    known = quoted_names(list(dict.fromkeys(named)))
    raise BadFile(f"{file}: has no column of right answers; call it one of {known}; it has {quoted_names(header)}")


@dataclass(frozen=True)
class Skills:
    """The skills of workers, shares from 0 to 1, in each pool (file) of a log.

    `several` workers have skills that differ; they are `merged` into their mean where all are about one pool.
    """

    of_pools: tuple[Mapping[str, float], ...]
    several: int = 0
    merged: bool = False


def read_skills(paths: Sequence[Path], *, pools: int, workers: Collection[str]) -> Skills:
    """Return the skills that these files state of `workers`: one file for all pools, or one for each in their order.

    Of several files about one pool a worker has the mean. Raises BadSetting for another number of files, and BadFile
    where a number is no share and no percentage.
    """
    if len(paths) > 1 and pools > 1 and len(paths) != pools:
        raise BadSetting(
            f"--skills is given {len(paths)} times for {pools} files of the log; give one for all of them, or one for "
            "each in the same order"
        )
    files = [{name: skill for name, skill in _of_file(path).items() if name in workers} for path in paths]
    given: dict[str, list[float]] = {}
    for stated in files:
        for worker, skill in stated.items():
            given.setdefault(worker, []).append(skill)
    several = sum(len(set(skills)) > 1 for skills in given.values())
    if len(files) == pools:
        return Skills(tuple(files), several)
    mean_of = {worker: mean(skills) for worker, skills in given.items()}
    return Skills((mean_of,) * pools, several, merged=True)


def _of_file(path: Path) -> dict[str, float]:
    """Return the skills of one file as shares: where one is above 1, all of them are percentages."""
    rows, header = sound_rows(path)
    worker, column = (column_of(header, OF_ANSWERS[use]) for use in ("worker", "skill"))
    if worker is None or column is None:
        raise BadFile(
            f"{path.name}: a file of skills has a column of workers and one of skills "
            f"({quoted_names(OF_ANSWERS['skill'])}); it has {quoted_names(header)}"
        )
    skills: dict[str, float] = {}
    for row in rows:
        cells = Cells(row)
        skill = cells.amount(column)
        if skill is None or skill > 100:
            raise BadFile(
                f"{path.name}, line {row.line}: the skill {cells.text(column)!r:.60} is no share from 0 to 1 and no "
                "percentage from 0 to 100"
            )
        skills[cells.text(worker)] = skill
    scale = 100 if any(skill > 1 for skill in skills.values()) else 1
    return {worker: skill / scale for worker, skill in skills.items()}
