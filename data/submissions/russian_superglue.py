"""RussianSuperGLUE: a zip with a file of JSON lines for each task, sorted by `idx`.

The records are those of the authors' own baselines (`tfidf_baseline` and `jiant-russian-v2` of their repository); where
these differ, as in what a yes is, those of the TF-IDF baseline.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from data.answers.answer_type import unpacked
from data.catalogue.families import Submitted
from data.errors import BadSetting, UnknownName
from data.submissions.leaderboard import SubmissionFormat, SubmissionSheet, check_unique, in_json, number_of
from data.table_files import archived
from data.task import Item, Task

Record = Mapping[str, Any]
Writer = Callable[[Task, Item, str], Record]


def _options(task: Task, item: Item, answer: str) -> Record:
    """Return a passage with a 1 for each option that is chosen and a 0 for each other one."""
    questions, given = unpacked(item.fields["questions"]), unpacked(answer)
    asked = [_question(task, item, *both) for both in zip(questions, given, strict=True)]
    return {"passage": {"questions": asked}}


def _question(task: Task, item: Item, question: Mapping[str, Any], given: Mapping[str, str]) -> Record:
    if "numbers" not in question:
        raise BadSetting(
            f"{task.id}: the questions of {item.id!r} have no numbers; make the study from the authors' own file."
        )
    chosen = set(unpacked(given["answers"]))
    answers = [{"idx": number, "label": int(str(place) in chosen)} for place, number in enumerate(question["numbers"])]
    return {"idx": question["idx"], "answers": answers}


def number(task: Task, name: str) -> int:
    """Return the number of an item by its id: of a query of RuCoS, the part of the id behind the passage's."""
    return number_of(task, name.rpartition("-")[2] if task.file_format == "rucos" else name)


def _entity(_: Task, item: Item, answer: str) -> Record:
    """Return the text of the chosen name, the first where several are."""
    first, *_others = unpacked(answer)
    return {"label": unpacked(item.fields["entities"])[int(first)]}


AS_IT_IS = ""
ANSWERS: dict[str, Writer] = {
    AS_IT_IS: lambda _task, _item, answer: {"label": answer},
    "number": lambda _task, _item, answer: {"label": int(answer)},
    "truth": lambda _task, _item, answer: {"label": answer == "true"},
    "options": _options,
    "entity": _entity,
}
"""What a record says beside its number, by the name that `family.toml` has under `submission.answers`."""


def records(takes: Submitted, sheet: SubmissionSheet) -> list[Record]:
    """Return what a leaderboard reads of a sheet, sorted by `idx`; raises BadSetting for items without numbers."""
    name = takes.answers.get(sheet.task.id, AS_IT_IS)
    if name not in ANSWERS:
        raise UnknownName("the way to write answers", name, filter(None, ANSWERS))
    written: list[Record] = [
        {"idx": number(sheet.task, item.id), **ANSWERS[name](sheet.task, item, answer)} for item, answer in sheet.rows
    ]
    written.sort(key=lambda record: record["idx"])
    check_unique(sheet.task, [record["idx"] for record in written])
    return written


def write(takes: Submitted, sheets: Sequence[SubmissionSheet]) -> bytes:
    """Return the zip of these sheets, a file each."""
    texts = {sheet.task.id: "".join(in_json(record) + "\n" for record in records(takes, sheet)) for sheet in sheets}
    return archived({takes.files[task_id]: text.encode() for task_id, text in texts.items()})


FORMAT = SubmissionFormat(write, number=number)
