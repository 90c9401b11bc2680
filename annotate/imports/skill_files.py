"""Files of the skills that another platform has given its workers, as shares: one or several pools' own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

from annotate.imports.item_fields import sound_rows
from annotate.imports.log_columns import listed
from annotate.imports.log_values import Cells
from data.errors import BadFile
from data.files.column_names import OF_ANSWERS, column_of


@dataclass(frozen=True)
class Skills:
    """The skill of each worker, a share from 0 to 1; of `several` files' skills of a worker there is the mean."""

    of: dict[str, float] = field(default_factory=dict)
    several: int = 0


def read_skills(paths: Sequence[Path]) -> Skills:
    """Return the skills of workers in these files; raises BadFile where a number is no share and no percentage."""
    given: dict[str, list[float]] = {}
    for path in paths:
        for worker, skill in _of_file(path).items():
            given.setdefault(worker, []).append(skill)
    several = sum(len(set(skills)) > 1 for skills in given.values())
    return Skills({worker: mean(skills) for worker, skills in given.items()}, several)


def _of_file(path: Path) -> dict[str, float]:
    """Return the skills of one file as shares: where one is above 1, all of them are percentages."""
    rows, header = sound_rows(path)
    worker, column = (column_of(header, OF_ANSWERS[use]) for use in ("worker", "skill"))
    if worker is None or column is None:
        raise BadFile(
            f"{path.name}: a file of skills has a column of workers and one of skills ({listed(OF_ANSWERS['skill'])}); "
            f"it has {listed(header)}"
        )
    skills: dict[str, float] = {}
    for row in rows:
        cells = Cells(row)
        skill = cells.price(column)
        if skill is None or skill > 100:
            raise BadFile(
                f"{path.name}, line {row.line}: the skill {cells.text(column)!r} is no share from 0 to 1 and no "
                "percentage from 0 to 100"
            )
        skills[cells.text(worker)] = skill
    whole = 100 if any(skill > 1 for skill in skills.values()) else 1
    return {worker: skill / whole for worker, skill in skills.items()}
