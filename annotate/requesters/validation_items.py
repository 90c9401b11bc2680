"""What people wrote in one study becomes the items that other people validate in the next."""

from collections.abc import Mapping
from typing import Any

from data.answers.write import Write
from data.errors import BadSetting
from data.task import Task
from db import frames
from db.engine import Session
from db.item_lookup import MODELS_MAY_READ
from db.items import list_items
from db.studies import Study


def validation_items(session: Session, *, study: Study, task: Task) -> list[dict[str, Any]]:
    """Return one record of `task` for each entry of each counted judgment of a writing study, in the items' order.

    A record has the fields of the item that was written about, so far as `task` shows them, and the pieces of the
    entry under their names. Its id names item, writer and entry; workers never see an id. Models may read it if the
    consent of the study said so (`texts_to_models`), or its writer never had one here: programs and imported logs.
    Raises BadSetting for a study in which nothing is written, and for a task that shows what is not there.
    """
    answer = study.task.answer
    if not isinstance(answer, Write):
        raise BadSetting(
            f"nothing is written in the study {study.name!r}: its answers are {answer.kind!r}; name another one"
        )
    fields = {entry.item.id: entry.item.fields for entry in list_items(session, study=study, role="main")}
    names = [field.name for field in task.fields]
    known = {field.name for field in study.task.fields} | {piece.name for piece in answer.pieces}
    missing = [name for name in names if name not in known]
    if missing:
        raise BadSetting(
            f"task {task.id!r} shows {missing[0]!r}, and the study {study.name!r} has only {', '.join(sorted(known))}"
        )
    judged = frames.judgments(session, study=study)
    counted = judged[(judged["status"] == "counted") & (judged["role"] == "main")]
    ours = ~counted["simulated"].astype(bool) & (study.origin != "imported") & (not study.settings.texts_to_models)
    columns = (counted["item"], counted["worker"], counted["label"], ours)
    given = sorted(zip(*columns, strict=True), key=_place(fields))
    return [
        {
            "id": f"{item}-{worker}-{number}",
            **{name: {**fields[item], **entry}[name] for name in names},
            MODELS_MAY_READ: "no" if withheld else "yes",
        }
        for item, worker, label, withheld in given
        for number, entry in enumerate(answer.written(label), 1)
    ]


def _place(fields: Mapping[str, Any]) -> Any:
    """Return the order of judgments: that of the study's items, then of the writers' pseudonyms."""
    place = {item: number for number, item in enumerate(fields)}
    return lambda judgment: (place[judgment[0]], judgment[1])
