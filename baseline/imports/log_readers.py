"""Logs of other harnesses as records, each a reply with what tells which item it answers."""

import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from baseline.models.reply import Reply, Status
from data.errors import BadFile, FileProblem
from data.files.prediction_files import ITEM_COLUMNS, UNSET, Given, answer_in, given_in, gold_columns
from data.files.rows import Row, read_rows
from data.files.text_files import BROKEN_ARCHIVE, read_text
from data.limits import GB, LARGEST_MEMBER, LARGEST_UNPACKED, MB
from data.task import Task
from db.items import StoredItem


@dataclass(frozen=True)
class LibraOutputs:
    """By what a prediction of LIBRA tells its item: its length, what is accepted and what costs."""

    length: str
    accepted: tuple[str, ...]
    negative: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """One reply of a log; `where` is its place there, for people.

    `ids` are the names that its item may have, the likeliest first, `values` the item's own columns where the log keeps
    them, `text` all that the model read or the log says of the item. `stated` is the record of a file of plain answers,
    which states an answer besides the reply or in its place.
    """

    where: str
    reply: Reply
    ids: tuple[str, ...] = ()
    sample: int = 0
    values: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    outputs: LibraOutputs | None = None
    stated: Given | None = None


@dataclass(frozen=True)
class Joined:
    """A record with its item and by what it was found (id, fields, text, outputs, order); else why it has none."""

    record: Record
    item: StoredItem | None
    way: str = ""
    reason: str = ""


@dataclass(frozen=True)
class DroppedRecord:
    """A record that gave no prediction, and why."""

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(frozen=True)
class RunLog:
    """A log as it was read. `model` is None where it does not name one, `settings` what it says of how it was asked.

    `read` names the columns of a file of plain answers that were taken for the predictions, `unreadable` what is wrong
    with rows of one of which not even the item can be read.
    """

    model: str | None
    records: Sequence[Record]
    dropped: Sequence[DroppedRecord] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    read: str = ""
    unreadable: Sequence[FileProblem] = ()


def flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with what stands in its inner objects beside its own columns, which go before those."""
    flattened = dict(values)
    for inner in values.values():
        if isinstance(inner, Mapping):
            for name, value in flat(inner).items():
                flattened.setdefault(name, value)
    return flattened


def texts(value: Any) -> Iterator[str]:
    """Yield every text in nested data, the deepest ones too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)


def integer(value: Any, least: int = 0) -> int | None:
    """Return a whole number of at least `least`, None for anything else."""
    return value if type(value) is int and least <= value < 2**31 else None


def object_in(value: Any) -> Mapping[str, Any]:
    """Return what is an object of JSON, an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def ids_in(values: Mapping[str, Any], names: Iterable[str] = ("id", "idx")) -> list[str]:
    """Return the names of an item in its columns."""
    return [str(values[name]) for name in names if isinstance(values.get(name), str | int)]


def parted(read: Iterable[Record | DroppedRecord]) -> tuple[list[Record], list[DroppedRecord]]:
    """Return the records, and those that gave none."""
    all_read = list(read)
    return [r for r in all_read if isinstance(r, Record)], [r for r in all_read if isinstance(r, DroppedRecord)]


def read_whole(path: Path) -> Any:
    """Return the JSON value that a file holds; raises BadFile where it holds none, or more than one."""
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise BadFile(
            f"{path.name}: is not JSON ({error}); it may have been cut off on its way here, or written by another "
            "program than was named"
        ) from error


def read_lines(path: Path) -> tuple[list[Row], list[DroppedRecord]]:
    """Return the records of a file and the lines that are none; raises BadFile where not one line is a record."""
    rows, problems = read_rows(path)
    if problems and not rows:
        raise BadFile(str(problems[0]))
    return rows, [DroppedRecord(f"line {problem.line}", problem.message) for problem in problems]


ZSTANDARD = 93  # APPNOTE.TXT of PKWARE, section 4.4.5
LOCAL_HEADER = 30  # bytes before the file's name, section 4.3.7; the lengths of name and extra field are its last four


def members(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, Any]]:
    """Yield the name and the content of each JSON file of an archive that is wanted, in the archive's order.

    Raises BadFile for what is no archive, a file that is too large, damaged, no JSON, or holds a NUL character.
    """
    unpacked = 0
    try:
        with path.open("rb") as source, zipfile.ZipFile(source) as archive:
            for member in archive.infolist():
                if member.filename.endswith(".json") and wanted(member.filename):
                    unpacked += member.file_size
                    if unpacked > LARGEST_UNPACKED:
                        raise ValueError(f"it holds more than {LARGEST_UNPACKED // GB} GB")
                    yield member.filename, _read(archive, source, member)
    except BROKEN_ARCHIVE as error:
        raise BadFile(f"{path.name}: cannot be read as an archive of JSON files ({error}); give it whole") from error


def _read(archive: zipfile.ZipFile, source: IO[bytes], member: zipfile.ZipInfo) -> Any:
    if member.file_size > LARGEST_MEMBER:
        raise ValueError(f"{member.filename} is larger than {LARGEST_MEMBER // MB} MB")
    packed = member.compress_type == ZSTANDARD
    text = (_unpacked(source, member) if packed else archive.read(member)).decode("utf8")
    if "\0" in text:
        raise ValueError(f"{member.filename} has a NUL character, which no database can keep")
    return json.loads(text)


def _unpacked(source: IO[bytes], member: zipfile.ZipInfo) -> bytes:
    source.seek(member.header_offset)
    name, extra = struct.unpack("<HH", source.read(LOCAL_HEADER)[-4:])
    source.seek(name + extra, io.SEEK_CUR)
    with pa.CompressedInputStream(io.BytesIO(source.read(member.compress_size)), "zstd") as stream:
        return bytes(stream.read(LARGEST_MEMBER))


STATUSES: Mapping[str, Status] = {"max_tokens": "truncated", "model_length": "truncated", "content_filter": "refused"}
ASKED = ("temperature", "max_tokens", "seed", "top_p", "system_message", "reasoning_effort", "num_choices")
Values = Mapping[str, Any]


def read_inspect(path: Path, task: Task) -> RunLog:
    """Return the samples of a log with one record for each epoch; raises BadFile for what is no such log."""
    del task  # the log itself says what was asked
    if path.suffix.lower() == ".eval":
        read = dict(members(path, lambda name: name == "header.json" or name.startswith("samples/")))
        head = {**object_in(read.pop("header.json", {})), "samples": list(read.values())}
    else:
        head = dict(object_in(read_whole(path)))
    about, samples = head.get("eval"), head.get("samples")
    if not isinstance(about, Mapping) or not isinstance(samples, list):
        raise BadFile(
            f"{path.name}: is no log of Inspect AI: it has no {'samples' if isinstance(about, Mapping) else 'eval'}; "
            "write it with --log-format json, or give the .eval file"
        )
    records, dropped = parted(_inspect_record(sample, place) for place, sample in enumerate(samples, 1))
    config, status = object_in(about.get("model_generate_config")), head.get("status")
    asked = {name: config[name] for name in ASKED if config.get(name) is not None}
    named = {name: str(about[name]) for name in ("task", "run_id", "created") if about.get(name)}
    well = status in (None, "success")
    return RunLog(
        model=str(about["model"]) if about.get("model") else None,
        records=records,
        dropped=dropped,
        settings={**asked, **named},
        notes=() if well else (f"Inspect AI says that its run ended as {str(status)[:40]!r}.",),
    )


def _inspect_record(sample: Any, place: int) -> Record | DroppedRecord:
    if not isinstance(sample, Mapping) or "id" not in sample:
        return DroppedRecord(f"sample {place}", "is no sample: it has no id")
    epoch = integer(sample.get("epoch", 1), 1)
    where = f"sample {str(sample['id'])[:60]!r}, epoch {epoch}"
    if epoch is None:
        return DroppedRecord(f"sample {place}", "its epoch is no number from 1 on")
    reply = _reply(sample)
    if reply is None:
        return DroppedRecord(where, "the model's output is not there, and no error is told")
    values = flat(object_in(sample.get("metadata")))
    asked = (sample.get("input"), sample.get("choices"), sample.get("metadata"))
    ids = tuple(dict.fromkeys([str(sample["id"]), *ids_in(values)]))
    return Record(where, reply, ids, epoch - 1, values, "\n".join(texts(asked)))


def _reply(sample: Values) -> Reply | None:
    """Return what the model replied in the end, an `error` where the sample has none but says why."""
    output = object_in(sample.get("output"))
    choices = output.get("choices")
    first = object_in(choices[0]) if isinstance(choices, list) and choices else {}
    failed = sample.get("error") or output.get("error")
    if failed:
        said = failed.get("message") if isinstance(failed, Mapping) else failed
        reason = " ".join(str(said).split())[:400] or "Inspect AI reports an error without a message"
        return Reply(reason, "error")
    if not first and not output.get("completion"):
        return None
    usage, seconds = object_in(output.get("usage")), output.get("time")
    return Reply(
        text=_text(output, first),
        status=STATUSES.get(str(first.get("stop_reason")), "ok"),
        seconds=float(seconds) if isinstance(seconds, int | float) else None,
        prompt_tokens=integer(usage.get("input_tokens")),
        completion_tokens=integer(usage.get("output_tokens")),
    )


def _text(output: Values, first: Values) -> str:
    """Return the reply without what the model thought: content is a text, or parts of which some are text."""
    message = first.get("message")
    content = message.get("content") if isinstance(message, Mapping) else output.get("completion")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") == "text"]
        return "\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else str(output.get("completion") or "")


NEEDED = ("doc_id", "doc", "resps")
CHOSEN = "Documents answered by likelihood: the likeliest continuation is taken for the reply."


def read_lm_eval(path: Path, task: Task) -> RunLog:
    """Return the replies of samples as they came, before any filter; raises BadFile for what are no such samples."""
    del task  # the log itself says what was asked
    rows, dropped = read_lines(path)
    if not any(all(name in row.values for name in NEEDED) for row in rows):
        raise BadFile(
            f"{path.name}: are no samples of lm-evaluation-harness: no line has {', '.join(NEEDED)}; give the "
            "samples_*.jsonl that --log_samples writes"
        )
    records: list[Record] = []
    by_likelihood = False
    by_key: dict[str, Row] = {}  # every filter writes the same replies again
    for row in rows:
        by_key.setdefault(repr([row.values.get(name) for name in ("doc_id", "doc_hash", "resps")]), row)
    for row in by_key.values():
        likelihoods = _likelihoods(row.values)
        by_likelihood |= likelihoods is not None
        replies = _likeliest(row.values, likelihoods) if likelihoods is not None else _generated(row.values)
        if isinstance(replies, str):
            dropped.append(DroppedRecord(f"line {row.line}", replies))
        else:
            records += [_lm_eval_record(row, text, sample) for sample, text in enumerate(replies)]
    filters = sorted({str(row.values["filter"]) for row in rows if row.values.get("filter")})
    settings = {"filters": filters} if filters else {}
    return RunLog(None, records, dropped, settings, (CHOSEN,) if by_likelihood else ())


def _lm_eval_record(row: Row, text: str, sample: int) -> Record:
    doc = row.values.get("doc")
    values = flat(object_in(doc))
    # What the model was given to read; the messages of a chat stand there as JSON.
    read = [_messages(text) for call in _parts(row.values.get("arguments")) for text in texts(_parts(call)[:1])]
    ids = tuple(dict.fromkeys((*ids_in(values), str(row.values["doc_id"]))))
    return Record(f"line {row.line}", Reply(text), ids, sample, values, "\n".join(texts((doc, read))))


def _messages(text: str) -> Any:
    try:
        return json.loads(text) if text.startswith("[{") else text
    except ValueError:
        return text


def _parts(given: Any) -> list[Any]:
    """Return the calls of `arguments`, or the parts of one of them: newer versions name them, others list them."""
    return list(given.values()) if isinstance(given, Mapping) else given if isinstance(given, list) else []


def _generated(values: Values) -> list[str] | str:
    """Return the replies to one document, one for each repeat; a sentence where they cannot be read."""
    if any(name not in values for name in NEEDED):
        return f"is no sample: it needs {', '.join(NEEDED)}"
    given = values["resps"]
    repeats = given[0] if isinstance(given, list) and len(given) == 1 else None
    if not isinstance(repeats, list) or not repeats or not all(isinstance(text, str) for text in repeats):
        return "its resps hold no reply in words"
    return repeats


def _likelihoods(values: Values) -> list[float] | None:
    """Return the log-likelihood of each continuation of a document, None where replies were written."""
    given = values.get("resps")
    answers = given if isinstance(given, list) else ()
    firsts = [answer[0] if isinstance(answer, list) and answer else None for answer in answers]
    pairs = [answer for answer in firsts if isinstance(answer, list) and len(answer) == 2]
    if not pairs or len(pairs) != len(firsts):
        return None
    try:
        return [float(pair[0]) for pair in pairs]
    except (TypeError, ValueError):
        return None


def _likeliest(values: Values, likelihoods: Sequence[float]) -> list[str] | str:
    words = [parts[1] if len(parts := _parts(call)) > 1 else None for call in _parts(values.get("arguments"))]
    if len(words) != len(likelihoods) or not all(isinstance(word, str) for word in words):
        return "its arguments do not name the continuations that were rated"
    if "doc_id" not in values or len(words) < 2:
        return "it rates one continuation only, which is no choice"
    best = max(likelihoods)
    if likelihoods.count(best) != 1:
        return "two continuations are equally likely, which is no choice"
    return [str(words[likelihoods.index(best)]).strip()]


def read_plain(path: Path, task: Task) -> RunLog:
    """Return the answers of a file; raises BadFile where no record has both an item and an answer or a reply."""
    given_file = given_in(path, task)
    given, problems = given_file.records, given_file.problems
    if problems and not given:
        raise BadFile(str(problems[0]))
    models = {str(record.values["model"]) for record in given if record.values.get("model")}
    if len(models) > 1:
        raise BadFile(f"{path.name}: holds answers of {len(models)} models; give a file for each")
    records, dropped = parted(_plain_record(record, task) for record in given)
    return RunLog(
        model=next(iter(models), None),
        records=records,
        dropped=[*(DroppedRecord(f"line {problem.line}", problem.message) for problem in problems), *dropped],
        read=str(given_file.columns),
        unreadable=problems,
    )


def _plain_record(given: Given, task: Task) -> Record | DroppedRecord:
    where, values, columns = f"line {given.line}", given.values, given.columns
    if given.item and not columns.predicted:
        said = "" if given.gold is None else str(given.gold)
        return Record(where, Reply(said), ids=(given.item.id,), values=given.item.fields, stated=given)
    stated, raw = answer_in(given), values.get(columns.reply)
    sample = _number(values.get("sample", 0))
    if sample is None:
        return DroppedRecord(where, "its sample is no number from 0 on")
    if raw is None and (stated is UNSET or stated is None):
        return DroppedRecord(where, "has neither an answer nor a reply")
    reply = Reply(str(stated if raw is None else raw))
    if given.item:
        return Record(where, reply, ids=(given.item.id,), sample=sample, values=given.item.fields, stated=given)
    known = {*ITEM_COLUMNS, *columns.read, *gold_columns(task), "sample", "model"}
    others = {name: value for name, value in values.items() if name not in known}
    ids, text = tuple(ids_in(values, ITEM_COLUMNS)), "\n".join(texts(others))
    return Record(where, reply, ids, sample, others, text, stated=given)


def _number(value: Any) -> int | None:
    """Return a sample's number, from a table as well, where it is a text."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 9:
        return int(value)
    return integer(value)
