"""A log of another harness becomes a run of a study, in one transaction, with a report of what was done."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, get_args

from baseline.imports.log_readers import DroppedRecord, Joined, Record, RunLog, read_inspect, read_lm_eval, read_plain
from baseline.imports.match_items import matched_items, read_libra
from baseline.models.reply import Reply
from baseline.runs.dispatcher import read
from baseline.runs.run_history import IMPORTED, LOG_FORMS, imported_from
from baseline.runs.run_prompts import prompt_language
from data.catalogue.catalog import tasks
from data.errors import BadFile, BadSetting, FileProblem, UnknownName
from data.files.answer_coding import Ambiguous, Coding, Unreadable
from data.files.prediction_files import UNSET, PredictionColumns, answer_in, check_readable, reply_in, stated_answer
from data.task import Task
from db.engine import Session
from db.items import StoredItem, list_items
from db.runs import Prediction, PredictionStatus, Run, add_predictions, create_run, finish_run, list_runs
from db.studies import Study
from eval.metrics.texts import as_written

LISTED = 10
LONGEST = 80
WAYS = {
    "id": "by id",
    "fields": "by their fields",
    "text": "by their texts",
    "outputs": "by what they accept",
    "order": "by their place in the file",
}


@dataclass(frozen=True)
class ReplyExample:
    """One reply as it came and what was read in it, None where nothing was."""

    item: str
    raw: str
    read: str | None


@dataclass(frozen=True)
class ImportedRun:
    """An import in all its numbers.

    `read` records gave predictions for `answered` of the study's `items`; `ways` counts by what they were joined,
    `repeated` those that say again what another one says, `differently` those in whose reply something else was read
    than the log took for the answer; `unreadable` rows count as wrong where their item is known; `columns` names those
    of plain answers that were read.
    """

    run: Run
    study: str
    file: str
    form: str
    read: int
    items: int
    answered: int
    samples: int
    ways: Mapping[str, int]
    statuses: Mapping[str, int]
    dropped: tuple[DroppedRecord, ...]
    unreadable: tuple[FileProblem, ...]
    repeated: int
    differently: int
    examples: tuple[ReplyExample, ...]
    notes: tuple[str, ...] = ()
    columns: str = ""

    @property
    def records_kept(self) -> int:
        """How many predictions were stored."""
        return sum(self.statuses.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the report as `import-run --json` prints it."""
        kept, dropped = self.records_kept, len(self.dropped)
        counts = {"read": self.read, "kept": kept, "repeated": self.repeated, "dropped": dropped}
        return {
            "study": self.study,
            "run": self.run.id,
            "model": self.run.model,
            "status": self.run.status,
            "from": self.form,
            "file": self.file,
            "records": counts,
            "joined": dict(self.ways),
            "dropped": [asdict(record) for record in self.dropped],
            "items": {"total": self.items, "answered": self.answered, "missing": self.items - self.answered},
            "samples": self.samples,
            "statuses": dict(self.statuses),
            "read_differently": self.differently,
            "examples": [asdict(example) for example in self.examples],
            "notes": list(self.notes),
            **({"read": self.columns} if self.columns else {}),
            **({"unreadable": list(map(str, self.unreadable))} if self.unreadable else {}),
        }

    def text(self) -> str:
        """Return the report for a terminal; what did not occur is not mentioned."""
        head = f"run {self.run.id} of {self.run.model}, imported from {self.file} ({LOG_FORMS[self.form].title})"
        return "\n".join([head, *(f"  {name:<10}{words}" for name, words in self.facts() if words)])

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield what there is to tell, each as a word and a sentence; an empty sentence is for what did not occur."""
        left = self.items - self.answered
        again = f", {self.repeated} say again what others say" if self.repeated else ""
        yield "records", f"{self.read} read, {self.records_kept} kept, {len(self.dropped)} dropped{again}"
        yield "read:", self.columns
        yield "joined", ", ".join(f"{number} {WAYS[way]}" for way, number in self.ways.items())
        without = f"; {left} {'has' if left == 1 else 'have'} no answer" if left else ""
        yield "items", f"{self.answered} of {self.items} answered{without}"
        yield "samples", f"up to {self.samples} for an item" if self.samples > 1 else ""
        yield "statuses", ", ".join(f"{name} {number}" for name, number in self.statuses.items())
        are = "reply is" if self.differently == 1 else "replies are"
        differ = f"{self.differently} {are} read differently than the file says"
        yield "readings", differ if self.differently else ""
        places: dict[str, list[str]] = {}
        for record in self.dropped:
            places.setdefault(record.reason, []).append(record.where)
        for reason, where in sorted(places.items(), key=lambda reason: -len(reason[1]))[:LISTED]:
            some = ", ".join(where[:LISTED]) + (", …" if len(where) > LISTED else "")
            yield "dropped", f"{len(where)} ({some}): {reason}"
        for problem in self.unreadable[:LISTED]:
            yield "wrong", f"cannot be read: {problem}"
        for example in self.examples:
            yield "for one", f"{example.item}: {_short(example.raw)} is read as {_short(example.read) or 'no answer'}"
        for note in self.notes:
            yield "note", note


def _short(text: str | None) -> str:
    if text is None:
        return ""
    line = " ".join(text.split())
    return repr(line if len(line) <= LONGEST else line[: LONGEST - 1] + "…")


READERS: Mapping[str, Callable[[Path, Task], RunLog]] = {
    "inspect": read_inspect,
    "lm-eval": read_lm_eval,
    "libra": read_libra,
    "jsonl": read_plain,
}
"""What reads a log, by the name of its form in LOG_FORMS."""
EXAMPLES = 3
Place = tuple[int, int]


@dataclass(frozen=True)
class SortedPredictions:
    """The predictions of a log: one for each item and sample, and the records that gave none."""

    joined: Mapping[Place, tuple[Joined, Prediction]]
    dropped: tuple[DroppedRecord, ...]
    unreadable: tuple[FileProblem, ...]
    repeated: int
    differently: int


def import_run(
    session: Session, *, study: Study, path: Path, form: str, model: str | None = None, accept_unreadable: bool = False
) -> ImportedRun:
    """Store the replies of a log as a run over the study's main items; return what was read, joined and dropped.

    `model` names the model where the log does not, or anew. Replies are read by the task's answer type as those of our
    own runs are. Raises an EtalonError with one sentence, and nothing is stored: UnknownName for a form that is none of
    LOG_FORMS, BadFile for a log that cannot be read or answers no item of the study, and where more than a fifth of its
    rows cannot be read and that was not said to be accepted, BadSetting where the model is not
    known or the very file was imported before.
    """
    if form not in READERS:
        raise UnknownName("the form of logs", form, READERS)
    log = READERS[form](path, study.task)
    name = _name(path, log, model)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    for run in list_runs(session, study=study):
        if run.model == name and run.settings.get("digest") == digest and imported_from(run):
            again = "`rescore` reads its replies anew"
            raise BadSetting(f"{path.name} was imported already, as run {run.id} of {name!r}; {again}")
    items = list_items(session, study=study, role="main")
    sorted_log = sorted_predictions(study.task, log, matched_items(study.task, items, log.records), path.name)
    check_readable(sorted_log.unreadable, len(log.records) + len(log.unreadable), accepted=accept_unreadable)
    if not sorted_log.joined:
        first = f"; {sorted_log.dropped[0]}" if sorted_log.dropped else ""
        raise BadFile(f"{path.name}: none of its {len(log.records)} records answers an item of {study.name!r}{first}")
    predictions = [prediction for _, prediction in sorted_log.joined.values()]
    samples = 1 + max(prediction.sample for prediction in predictions)
    settings = {**log.settings, IMPORTED: form, "file": path.name, "digest": digest, "samples": samples}
    run = create_run(session, study=study, model=name, kind="model", settings=settings)
    add_predictions(session, run=run, predictions=predictions)
    return _report(finish_run(session, run=run), study, path, log, items, sorted_log)


def sorted_predictions(task: Task, log: RunLog, joined: Sequence[Joined], file: str) -> SortedPredictions:
    """Return the predictions of joined records; two that contradict each other about one place are both dropped.

    A record that states an answer that is none is kept as one without an answer, which counts as wrong. Raises BadFile
    where an answer could be two.
    """
    coding = Coding(_with_codes(task))
    by_place: dict[Place, tuple[Joined, Prediction]] = {}
    dropped, unreadable, repeated, contradicted = list(log.dropped), list(log.unreadable), 0, set[Place]()
    for record in joined:
        if record.item is None:
            dropped.append(DroppedRecord(record.record.where, record.reason))
            continue
        place = record.item.key, record.record.sample
        try:
            prediction = _prediction(coding, record.record, record.item)
        except Unreadable as error:
            problem = FileProblem(file, str(error), record.record.stated.line if record.record.stated else None)
            if isinstance(error, Ambiguous):
                raise BadFile(str(problem)) from error
            unreadable.append(problem)
            reply = read(task, record.item, record.record.sample, record.record.reply)
            prediction = replace(reply, label=None, status="unparsable")
        if place not in by_place:
            by_place[place] = record, prediction
        elif (by_place[place][1].raw, by_place[place][1].status) == (prediction.raw, prediction.status):
            repeated += 1
        else:
            contradicted.add(place)
            why = f"another record replies differently about {record.item.item.id!r:.60}"
            dropped.append(DroppedRecord(record.record.where, why))
    for place in contradicted:
        first = by_place.pop(place)[0]
        dropped.append(DroppedRecord(first.record.where, "another record replies differently about the same item"))
    return SortedPredictions(
        by_place,
        tuple(dropped),
        tuple(sorted(unreadable, key=lambda problem: problem.line or 0)),
        repeated,
        sum(_differs(coding, *pair) for pair in by_place.values()),
    )


def _with_codes(task: Task) -> Task:
    """Return a stored task with the codes that the catalogue's states by now, where it was stored before they were."""
    known = tasks().get(task.id)
    if known is None or task.aliases.answers:
        return task
    return replace(task, aliases=replace(task.aliases, answers=known.aliases.answers))


def _prediction(coding: Coding, record: Record, stored: StoredItem) -> Prediction:
    task, fields = coding.task, stored.item.fields
    if record.stated is None or reply_in(record.stated) is not None:
        return read(task, stored, record.sample, record.reply)
    stated = stated_answer(record.stated, coding, fields)
    if stated.label is None:
        return replace(read(task, stored, record.sample, record.reply), label=None, status="unparsable")
    own = task.answer_for(fields)
    # It is kept as the file or a model would have written it, so that reading it anew gives the same.
    ways = (stated.text, as_written(own, stated.label, fields), own.show(stated.label, fields))
    for way in filter(None, ways):
        prediction = read(task, stored, record.sample, Reply(way))
        if prediction.label is not None and own.folded(prediction.label) == own.folded(stated.label):
            return prediction
    # No reply is read so: it is kept as it is stored, by which `rescore` knows that it was stated.
    return replace(read(task, stored, record.sample, Reply(stated.label)), label=stated.label, status="ok")


def _differs(coding: Coding, joined: Joined, prediction: Prediction) -> bool:
    """Return whether the log took something else for the answer than is read in the reply."""
    given, stored = joined.record.stated, joined.item
    if given is None or stored is None or prediction.status not in ("ok", "unparsable"):
        return False
    columns = PredictionColumns(answer=given.columns.answer, gold=given.columns.gold)
    if not given.columns.reply or answer_in(stated := replace(given, columns=columns)) is UNSET:
        return False
    try:
        return stated_answer(replace(stated, item=None), coding, stored.item.fields).label != prediction.label
    except Unreadable:
        return True


def _name(path: Path, log: RunLog, model: str | None) -> str:
    name = " ".join((model or log.model or "").split())
    if not name:
        raise BadSetting(f"{path.name} does not say which model replied; name the model")
    if len(name) > 200 or not name.isprintable():
        raise BadSetting("the name of a model has 200 characters at most, all of them printable; choose another name")
    return name


def _report(
    run: Run, study: Study, path: Path, log: RunLog, items: Sequence[StoredItem], sorted_predictions: SortedPredictions
) -> ImportedRun:
    pairs = list(sorted_predictions.joined.values())
    answered = {prediction.item_id for _, prediction in pairs}
    counts = Counter(prediction.status for _, prediction in pairs)
    return ImportedRun(
        run=run,
        study=study.name,
        file=path.name,
        form=run.settings[IMPORTED],
        read=len(log.records) + len(log.dropped),
        items=len(items),
        answered=len(answered),
        samples=int(run.settings["samples"]),
        ways=dict(Counter(joined.way for joined, _ in pairs)),
        statuses={status: counts[status] for status in get_args(PredictionStatus) if counts[status]},
        dropped=sorted_predictions.dropped,
        unreadable=sorted_predictions.unreadable,
        repeated=sorted_predictions.repeated,
        differently=sorted_predictions.differently,
        examples=tuple(_example(study, *pair) for pair in pairs[:EXAMPLES]),
        notes=log.notes,
        columns=log.read,
    )


def _example(study: Study, joined: Joined, prediction: Prediction) -> ReplyExample:
    """Return what a file says of an item, as it says it, and how it is read, in the language of the prompts."""
    item, raw = joined.item.item if joined.item else None, joined.record.reply.text or prediction.raw
    if item is None or prediction.label is None:
        return ReplyExample(item.id if item else "", raw, None)
    words = study.task.answer_for(item.fields).words(prediction.label, item.fields)
    return ReplyExample(item.id, raw, words.within(prompt_language(study)))
