"""Logs of Inspect AI: one JSON file, or a .eval archive with a file for each sample."""

import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from baseline.imports.log_records import (
    DroppedRecord,
    Record,
    RunLog,
    flat,
    ids_in,
    integer,
    object_in,
    parted,
    read_whole,
    texts,
)
from baseline.models.reply import Reply, Status
from data.errors import BadFile
from data.files.text_files import BROKEN_ARCHIVE
from data.limits import GB, LARGEST_MEMBER, LARGEST_UNPACKED, MB
from data.task import Task

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
    records, dropped = parted(_record(sample, place) for place, sample in enumerate(samples, 1))
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


def _record(sample: Any, place: int) -> Record | DroppedRecord:
    if not isinstance(sample, Mapping) or "id" not in sample:
        return DroppedRecord(f"sample {place}", "is no sample: it has no id")
    epoch = integer(sample.get("epoch", 1), 1)
    where = f"sample {str(sample['id'])[:60]!r}, epoch {epoch}"
    if epoch is None:
        return DroppedRecord(f"sample {place}", "its epoch is no number from 1 on")
    reply = _reply(sample)
    if reply is None:
        return DroppedRecord(where, "the model's output is not there, and no error is told")
    values = flat({name: sample[name] for name in ("metadata",) if isinstance(sample.get(name), Mapping)})
    values.pop("metadata", None)
    asked = (sample.get("input"), sample.get("choices"), sample.get("metadata"))
    return Record(
        where=where,
        reply=reply,
        ids=tuple(dict.fromkeys([str(sample["id"]), *ids_in(values)])),
        sample=epoch - 1,
        values=values,
        text="\n".join(texts(asked)),
    )


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
