"""Predictions of LIBRA's script: one JSON file with a list for each dataset, without ids and without texts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from baseline.imports.files import read_whole
from baseline.imports.record import Dropped, Log, Outputs, Record
from baseline.models.base import Reply
from data.answers.composite import unpacked
from data.errors import BadFile
from data.task import Task


def read_libra(path: Path, task: Task) -> Log:
    """Return the predictions for the dataset of `task`; raises BadFile where the file has none."""
    found = read_whole(path)
    name = task.id.rpartition("/")[2]
    given = found.get(name) if isinstance(found, Mapping) else None
    if not isinstance(given, list):
        has = ", ".join(map(repr, list(found)[:30])) if isinstance(found, Mapping) and found else "none"
        raise BadFile(
            f"{path.name}: has no predictions for {name!r}; the datasets it has are: {has}. Give what LIBRA's "
            "predict.py saved"
        )
    read = [_record(values, place) for place, values in enumerate(given, 1)]
    return Log(
        model=None,
        records=[one for one in read if isinstance(one, Record)],
        dropped=[one for one in read if isinstance(one, Dropped)],
        settings={"dataset": name},
    )


def _record(values: Any, place: int) -> Record | Dropped:
    where = f"prediction {place}"
    if not isinstance(values, Mapping) or not isinstance(values.get("model_answer"), str):
        return Dropped(where, "has no text model_answer")
    outputs = Outputs(
        str(values.get("length", "")), _listed(values.get("positive_outputs")), _listed(values.get("negative_outputs"))
    )
    return Record(where=where, reply=Reply(values["model_answer"]), outputs=outputs)


def _listed(outputs: Any) -> tuple[str, ...]:
    if isinstance(outputs, str) and outputs.startswith("["):
        outputs = unpacked(outputs)
    if isinstance(outputs, list):
        return tuple(map(str, outputs))
    return () if outputs in (None, "") else (str(outputs),)
