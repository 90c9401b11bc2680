"""Samples of lm-evaluation-harness: the JSONL that `--log_samples` writes, one line for each document and filter."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from baseline.imports.log_records import DroppedRecord, Record, RunLog, flat, ids_in, object_in, read_lines, texts
from baseline.models.reply import Reply
from data.errors import BadFile
from data.files.rows import Row
from data.task import Task

NEEDED = ("doc_id", "doc", "resps")
CHOSEN = "Documents answered by likelihood: the likeliest continuation is taken for the reply."
Values = Mapping[str, Any]


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
            records += [_record(row, text, sample) for sample, text in enumerate(replies)]
    filters = sorted({str(row.values["filter"]) for row in rows if row.values.get("filter")})
    settings = {"filters": filters} if filters else {}
    return RunLog(None, records, dropped, settings, (CHOSEN,) if by_likelihood else ())


def _record(row: Row, text: str, sample: int) -> Record:
    doc = row.values.get("doc")
    values = flat(object_in(doc))
    # What the model was given to read; the messages of a chat stand there as JSON.
    read = [_messages(text) for call in _calls(row.values) for text in texts(_parts(call)[:1])]
    return Record(
        where=f"line {row.line}",
        reply=Reply(text),
        ids=tuple(dict.fromkeys((*ids_in(values), str(row.values["doc_id"])))),
        sample=sample,
        values=values,
        text="\n".join(texts((doc, read))),
    )


def _messages(text: str) -> Any:
    try:
        return json.loads(text) if text.startswith("[{") else text
    except ValueError:
        return text


def _calls(values: Values) -> list[Any]:
    """Return the calls of the model that a line tells of: `arguments` names them in newer versions, or lists them."""
    given = values.get("arguments")
    return list(given.values()) if isinstance(given, Mapping) else given if isinstance(given, list) else []


def _parts(call: Any) -> list[Any]:
    return list(call.values()) if isinstance(call, Mapping) else list(call) if isinstance(call, list) else []


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
    firsts = (
        [answer[0] if isinstance(answer, list) and answer else None for answer in given]
        if isinstance(given, list)
        else []
    )
    pairs = [answer for answer in firsts if isinstance(answer, list) and len(answer) == 2]
    if not pairs or len(pairs) != len(firsts):
        return None
    try:
        return [float(pair[0]) for pair in pairs]
    except (TypeError, ValueError):
        return None


def _likeliest(values: Values, likelihoods: Sequence[float]) -> list[str] | str:
    words = [parts[1] if len(parts := _parts(call)) > 1 else None for call in _calls(values)]
    if len(words) != len(likelihoods) or not all(isinstance(word, str) for word in words):
        return "its arguments do not name the continuations that were rated"
    if "doc_id" not in values or len(words) < 2:
        return "it rates one continuation only, which is no choice"
    best = max(likelihoods)
    if likelihoods.count(best) != 1:
        return "two continuations are equally likely, which is no choice"
    return [str(words[likelihoods.index(best)]).strip()]
