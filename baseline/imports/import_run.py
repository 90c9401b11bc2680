"""A log of another harness becomes a run: each record is joined with its item, read, stored, and reported."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from baseline.imports import log_readers
from baseline.imports.log_readers import DroppedRecord, Joined, LibraOutputs, Record, RunLog
from baseline.models.reply import Reply
from baseline.runs.dispatcher import read
from baseline.runs.run_prompts import prompt_language
from baseline.runs.run_state import IMPORTED, imported_from, imported_words, status_words
from data.answers.answer_type import packed
from data.catalogue.catalog import tasks
from data.errors import BadAnswer, BadFile, BadSetting, FileProblem, look_up, quoted_names
from data.files import prediction_files
from data.files.answer_coding import Ambiguous, Coding, Unreadable
from data.files.item_files import gold_label, items_of
from data.files.prediction_files import UNSET, Content, PredictionColumns
from data.files.rows import Row
from data.formats.libra import OUTPUTS, as_list
from data.formats.libra import place as place_named
from data.task import DATA_KINDS, Task
from data.wording import in_a_line
from db.engine import Session
from db.items import StoredItem, list_items
from db.runs import Prediction, PredictionStatus, Run, add_predictions, create_run, finish_run, list_runs
from db.studies import Study
from eval.metrics.texts import as_written

NOBODY = "no item of its length accepts the same answers"
SEVERAL = "several predictions or items of its length accept the same answers, and their order is not the study's"


def read_libra(path: Path, task: Task) -> RunLog:
    """Return the predictions for the dataset of `task`; raises BadFile where the file has none."""
    content, name = log_readers.object_in(log_readers.read_whole(path)), task.id.rpartition("/")[2]
    given = content.get(name)
    if not isinstance(given, list):
        has = quoted_names(content) if content else "none"
        raise BadFile(
            f"{path.name}: has no predictions for {name!r}; the datasets it has are: {has}. Give what LIBRA's "
            "predict.py saved"
        )
    records, dropped = log_readers.parted(_record(values, place) for place, values in enumerate(given, 1))
    return RunLog(None, records, dropped, {"dataset": name})


def _record(values: Any, place: int) -> Record | DroppedRecord:
    where = f"prediction {place}"
    if not isinstance(values, Mapping) or not isinstance(values.get("model_answer"), str):
        return DroppedRecord(where, "has no text model_answer")
    accepted, negative = (tuple(map(str, as_list(values.get(name)))) for name in OUTPUTS)
    outputs = LibraOutputs(str(values.get("length", "")), accepted, negative)
    return Record(where=where, reply=Reply(values["model_answer"]), outputs=outputs)


def match_libra(task: Task, items: Sequence[StoredItem], records: Sequence[Record]) -> list[Joined]:
    """Return predictions with their items, in the order of the file.

    Within a length the only item that accepts the same answers is taken ("outputs"). Where several do, the order of the
    file decides ("order"), and only if it is wholly the study's: as many predictions as items, and each accepts what
    the item in its place does.
    """
    lengths: dict[str, list[int]] = defaultdict(list)
    for place, record in enumerate(records):
        lengths[record.outputs.length if record.outputs else ""].append(place)
    joined: dict[int, Joined] = {}
    for length, places in lengths.items():
        same = [stored for stored in items if stored.item.fields.get("length", "") == length]
        group = [records[place] for place in places]
        joined |= dict(zip(places, _of_length(task, same, group), strict=True))
    return [joined[place] for place in range(len(records))]


def _of_length(task: Task, items: Sequence[StoredItem], records: Sequence[Record]) -> list[Joined]:
    fits = [[stored for stored in items if _accepts(task, stored, record.outputs)] for record in records]
    wanted = Counter(stored.key for fitting in fits for stored in fitting)
    alone = [len(fitting) == 1 and wanted[fitting[0].key] == 1 for fitting in fits]
    if len(items) == len(records):
        pairs = list(zip(records, items, strict=True))
        if all(
            _accepts(task, stored, prediction.outputs) or _same_shape(task, stored, prediction.outputs)
            for prediction, stored in pairs
        ):
            ways = ["outputs" if single else "order" for single in alone]
            return [Joined(prediction, stored, way) for (prediction, stored), way in zip(pairs, ways, strict=True)]
    return [
        Joined(record, fitting[0], "outputs") if single else Joined(record, None, reason=SEVERAL if fitting else NOBODY)
        for record, fitting, single in zip(records, fits, alone, strict=True)
    ]


def _accepts(task: Task, stored: StoredItem, outputs: LibraOutputs | None) -> bool:
    """Return whether an item accepts these outputs, as they stand or spelt as its answers are."""
    if outputs is None or stored.item.gold is None or not _costs(stored, outputs):
        return False
    only = outputs.accepted[0] if len(set(outputs.accepted)) == 1 else None
    if only and _option(task, stored, only) == stored.item.gold:
        return True
    return stored.item.gold == packed(list(outputs.accepted)) or any(
        _gold(task, stored, value) == stored.item.gold for value in (list(outputs.accepted), only) if value
    )


def _option(task: Task, stored: StoredItem, output: str) -> str | None:
    """Return the label of the item's option that an output names by its words or its letter, None for none."""
    options = task.answer_for(stored.item.fields).options(stored.item.fields)
    try:
        return (
            options[place_named(output, "", [option.words.for_models for option in options])].label if options else None
        )
    except (ValueError, IndexError):
        return None


def _costs(stored: StoredItem, outputs: LibraOutputs) -> bool:
    return outputs.negative == tuple(map(str, as_list(stored.item.fields.get("negative_outputs"))))


def _gold(task: Task, stored: StoredItem, value: object) -> str | None:
    try:
        return gold_label(value, task, stored.item.fields)
    except BadAnswer:
        return None


def _same_shape(task: Task, stored: StoredItem, outputs: LibraOutputs | None) -> bool:
    """Return whether the authors' record with these outputs would be the item: some tasks number what it spells out."""
    if outputs is None or not _costs(stored, outputs):
        return False
    derived = {field.name for field in task.fields if field.kind in DATA_KINDS}
    kept = {name: text for name, text in stored.item.fields.items() if name not in derived}
    items, problems = items_of([Row(1, {**kept, "positive_outputs": list(outputs.accepted)})], task)
    return not problems and len(items) == 1 and items[0].gold == stored.item.gold


WORD = re.compile(r"\w+")
BEGINS = 60  # words of a text that are looked for in what a model read: its end may have been cut
PROBE = 8  # words by which the items that may stand in a text are found before they are looked for as a whole
UNKNOWN = "no item of the study has its id, its fields or its texts"


def matched_items(task: Task, items: Sequence[StoredItem], records: Sequence[Record]) -> list[Joined]:
    """Return every record with its item, in the order of the log.

    An id counts only where what else the record tells of its item fits: harnesses number samples themselves. Then the
    item is the only one with the very fields of the record, else the only one all of whose texts stand in what the
    model read, white space and punctuation aside. Predictions of LIBRA have neither: see `match_libra`.
    """
    if records and all(record.outputs for record in records):
        return match_libra(task, items, records)
    index = Index(task, items)
    return [index.joined(record) for record in records]


class Index:
    """The items of a study by everything they can be found by."""

    def __init__(self, task: Task, items: Sequence[StoredItem]) -> None:
        self._task = task
        self._ids = {stored.item.id: stored for stored in items}
        self._fields: dict[Content, list[StoredItem]] = defaultdict(list)
        self._words = {stored.key: _words_of(task, stored.item.fields) for stored in items}
        self._probes: dict[int, dict[tuple[str, ...], list[StoredItem]]] = defaultdict(lambda: defaultdict(list))
        for stored in items:
            self._fields[prediction_files.content_of(task, stored.item.fields)].append(stored)
            if texts := self._words[stored.key]:
                probe = tuple(max(texts, key=len)[:PROBE])
                self._probes[len(probe)][probe].append(stored)

    def joined(self, record: Record) -> Joined:
        """Return the record with its item, or with the reason it has none."""
        named = [self._ids[name] for name in record.ids if name in self._ids]
        text = _spaced(WORD.findall(record.text))
        certain = next((stored for stored in named if not text.strip() or self._stands_in(stored, text)), None)
        if certain:
            return Joined(record, certain, "id")
        for way, items in (("fields", self._with_fields(record)), ("text", self._in_text(text))):
            if len(items) == 1:
                return Joined(record, items[0], way)
            if items:
                ids = quoted_names(stored.item.id for stored in items[:3])
                return Joined(record, None, reason=f"{len(items)} items have its {way}: {ids}")
        if named:
            return Joined(record, None, reason=f"its id is that of item {named[0].item.id!r:.60}, its text is not")
        return Joined(record, None, reason=UNKNOWN)

    def _with_fields(self, record: Record) -> list[StoredItem]:
        fields = _fields_of(record.values, self._task)
        return self._fields.get(prediction_files.content_of(self._task, fields), []) if fields else []

    def _in_text(self, text: str) -> list[StoredItem]:
        words, items = text.split(), {}
        for size, probes in self._probes.items():
            for start in range(len(words) - size + 1):
                for stored in probes.get(tuple(words[start : start + size]), ()):
                    items[stored.key] = stored
        return [stored for stored in items.values() if self._stands_in(stored, text)]

    def _stands_in(self, stored: StoredItem, text: str) -> bool:
        """Return whether every text of an item stands in what a model read, as words in the same order."""
        return all(_spaced(words[:BEGINS]) in text for words in self._words[stored.key])


def _words_of(task: Task, fields: Mapping[str, str]) -> list[list[str]]:
    """Return the words of each text that a model reads as it stands: values with words of their own are none."""
    kinds = {*DATA_KINDS, "hidden", "markup"}
    seen = [field.name for field in task.fields if field.kind not in kinds and not field.values]
    return [words for name in seen if (words := WORD.findall(fields.get(name, "")))]


def _spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _fields_of(values: Mapping[str, Any], task: Task) -> Mapping[str, str] | None:
    """Return the fields of the one item that a record's columns make, as a file of items is read; None for none."""
    without = {name: value for name, value in values.items() if name != task.answer_column}
    for columns in (values, without):
        items, problems = items_of([Row(1, columns)], task)
        if len(items) == 1 and not problems:
            return items[0].fields
    return None


LISTED = 10
LONGEST = 80
EXAMPLES = 3
Place = tuple[int, int]
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
class SortedPredictions:
    """The predictions of a log: one for each item and sample, and the records that gave none.

    `repeated` counts the records that say again what another one says, `differently` those in whose reply something
    else was read than the log took for the answer; `unreadable` rows count as wrong where their item is known.
    """

    joined: Mapping[Place, tuple[Joined, Prediction]]
    dropped: tuple[DroppedRecord, ...]
    unreadable: tuple[FileProblem, ...]
    repeated: int
    differently: int


@dataclass(frozen=True)
class ImportedRun(SortedPredictions):
    """An import in all its numbers: the run it became, the log as it was read, how many `items` the study has."""

    run: Run
    study: Study
    log: RunLog
    items: int

    @property
    def answered(self) -> int:
        """How many items have a prediction."""
        return len({item for item, _ in self.joined})

    @property
    def ways(self) -> dict[str, int]:
        """How many predictions were joined by what."""
        return dict(Counter(joined.way for joined, _ in self.joined.values()))

    @property
    def statuses(self) -> dict[str, int]:
        """How many predictions ended how, in the order of the statuses."""
        counts = Counter(prediction.status for _, prediction in self.joined.values())
        return {status: counts[status] for status in get_args(PredictionStatus) if counts[status]}

    @property
    def examples(self) -> list[ReplyExample]:
        """The first replies, and what was read in them."""
        return [_example(self.study, *pair) for pair in islice(self.joined.values(), EXAMPLES)]

    @property
    def _counts(self) -> tuple[int, int, int]:
        """How many records were read, how many of them were kept, and how many gave no prediction."""
        return len(self.log.records) + len(self.log.dropped), len(self.joined), len(self.dropped)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as `import-run --json` prints it."""
        read, kept, dropped = self._counts
        return {
            "study": self.study.name,
            "run": self.run.id,
            "model": self.run.model,
            "status": self.run.status,
            "from": self.run.settings[IMPORTED],
            "file": self.run.settings["file"],
            "records": {"read": read, "kept": kept, "repeated": self.repeated, "dropped": dropped},
            "joined": self.ways,
            "dropped": [asdict(record) for record in self.dropped],
            "items": {"total": self.items, "answered": self.answered, "missing": self.items - self.answered},
            "samples": self.run.settings["samples"],
            "statuses": self.statuses,
            "read_differently": self.differently,
            "examples": [asdict(example) for example in self.examples],
            "notes": list(self.log.notes),
            **({"read": self.log.read} if self.log.read else {}),
            **({"unreadable": list(map(str, self.unreadable))} if self.unreadable else {}),
        }

    def text(self) -> str:
        """Return the report for a terminal; what did not occur is not mentioned."""
        file, harness = self.run.settings["file"], imported_words(self.run)
        head = f"run {self.run.id} of {self.run.model}, imported from {file} ({harness})"
        return "\n".join([head, *(f"  {name:<10}{words}" for name, words in self.facts() if words)])

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield what there is to tell, each as a word and a sentence; an empty sentence is for what did not occur."""
        left, samples = self.items - self.answered, self.run.settings["samples"]
        read, kept, dropped = self._counts
        again = f", {self.repeated} say again what others say" if self.repeated else ""
        yield "records", f"{read} read, {kept} kept, {dropped} dropped{again}"
        yield "read:", self.log.read
        yield "joined", ", ".join(f"{number} {WAYS[way]}" for way, number in self.ways.items())
        without = f"; {left} {'has' if left == 1 else 'have'} no answer" if left else ""
        yield "items", f"{self.answered} of {self.items} answered{without}"
        yield "samples", f"up to {samples} for an item" if samples > 1 else ""
        yield "statuses", status_words(self.statuses)
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
        for note in self.log.notes:
            yield "note", note


def _short(text: str | None) -> str:
    return "" if text is None else repr(in_a_line(text, LONGEST))


READERS: Mapping[str, Callable[[Path, Task], RunLog]] = {
    "inspect": log_readers.read_inspect,
    "lm-eval": log_readers.read_lm_eval,
    "libra": read_libra,
    "jsonl": log_readers.read_plain,
}
"""What reads a log, by the name of its form in LOG_FORMS."""


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
    log = look_up("the form of logs", form, READERS)(path, study.task)
    name = _name(path, log, model)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    for run in list_runs(session, study=study):
        if run.model == name and run.settings.get("digest") == digest and imported_from(run):
            again = "`rescore` reads its replies anew"
            raise BadSetting(f"{path.name} was imported already, as run {run.id} of {name!r}; {again}")
    items = list_items(session, study=study, role="main")
    sorted_log = sorted_predictions(study.task, log, matched_items(study.task, items, log.records), path.name)
    prediction_files.check_readable(
        sorted_log.unreadable, len(log.records) + len(log.unreadable), accepted=accept_unreadable
    )
    if not sorted_log.joined:
        first = f"; {sorted_log.dropped[0]}" if sorted_log.dropped else ""
        raise BadFile(f"{path.name}: none of its {len(log.records)} records answers an item of {study.name!r}{first}")
    predictions = [prediction for _, prediction in sorted_log.joined.values()]
    samples = 1 + max(prediction.sample for prediction in predictions)
    settings = {**log.settings, IMPORTED: form, "file": path.name, "digest": digest, "samples": samples}
    run = create_run(session, study=study, model=name, kind="model", settings=settings)
    add_predictions(session, run=run, predictions=predictions)
    return ImportedRun(**vars(sorted_log), run=finish_run(session, run=run), study=study, log=log, items=len(items))


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
    if record.stated is None or prediction_files.reply_in(record.stated) is not None:
        return read(task, stored, record.sample, record.reply)
    stated = prediction_files.stated_answer(record.stated, coding, fields)
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
    if not given.columns.reply or prediction_files.answer_in(stated := replace(given, columns=columns)) is UNSET:
        return False
    try:
        return (
            prediction_files.stated_answer(replace(stated, item=None), coding, stored.item.fields).label
            != prediction.label
        )
    except Unreadable:
        return True


def _name(path: Path, log: RunLog, model: str | None) -> str:
    name = " ".join((model or log.model or "").split())
    if not name:
        raise BadSetting(f"{path.name} does not say which model replied; name the model")
    if len(name) > 200 or not name.isprintable():
        raise BadSetting("the name of a model has 200 characters at most, all of them printable; choose another name")
    return name


def _example(study: Study, joined: Joined, prediction: Prediction) -> ReplyExample:
    """Return what a file says of an item, as it says it, and how it is read, in the language of the prompts."""
    item, raw = joined.item.item if joined.item else None, joined.record.reply.text or prediction.raw
    if item is None or prediction.label is None:
        return ReplyExample(item.id if item else "", raw, None)
    words = study.task.answer_for(item.fields).words(prediction.label, item.fields)
    return ReplyExample(item.id, raw, words.within(prompt_language(study)))
