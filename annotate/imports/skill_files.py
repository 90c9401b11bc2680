"""Files of the skills that another platform has given its workers, as shares: one or several pools' own."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from annotate.imports.item_fields import sound_rows
from annotate.imports.log_values import Cells
from data.errors import BadFile, BadSetting, quoted_names
from data.files.column_names import OF_ANSWERS, column_of


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
