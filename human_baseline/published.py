"""Printed human scores computed anew from the public raw logs behind them, beside what was printed."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pandas as pd

from data.errors import BadFile, look_up
from data.sources import Source, sources
from human_baseline.analyses import human_baseline
from human_baseline.result import Result

PIECE = 64 * 1024  # bytes
PATIENCE = 30  # seconds without a byte


def needed(names: Sequence[str]) -> dict[str, Source]:
    """Return the sources of these names, all of them for none; raises UnknownName."""
    known = sources()
    return {name: look_up("the source", name, known) for name in names or known}


def download(source: Source, folder: Path) -> Iterator[int]:
    """Download a log unless it is there; yield the bytes of each piece, those of an earlier try first.

    Raises BadFile where the server does not answer, or sends another file than the one that `sources` names.
    """
    file = source.file(folder)
    part = file.with_suffix(".part")
    if file.exists():
        yield source.size
        return
    folder.mkdir(parents=True, exist_ok=True)
    begun = part.stat().st_size if part.exists() else 0
    try:
        request = Request(source.address, headers={"Range": f"bytes={begun}-"} if begun else {})
        with urlopen(request, timeout=PATIENCE) as reply, part.open("ab" if reply.status == 206 else "wb") as kept:
            yield kept.tell()
            while piece := reply.read(min(PIECE, source.size + 1 - kept.tell())):
                kept.write(piece)
                yield len(piece)
    except (URLError, OSError) as error:
        raise BadFile(f"{source.address}: {error!s:.200}; the same command goes on where it ended") from error
    if part.stat().st_size < source.size:
        raise BadFile(f"{source.address}: the connection ended early; the same command goes on where it ended")
    if hashlib.sha256(part.read_bytes()).hexdigest() != source.sha256:
        part.unlink()
        raise BadFile(f"{source.address}: is not the file that was read when this program was made (SHA-256)")
    part.rename(file)


def reproduce(*names: str, folder: str | Path = "sources", gold: Mapping[str, str | Path] | None = None) -> Result:
    """Printed human scores beside those computed here, from raw logs that are downloaded once and verified.

    Args:
        names: Some of `sources()`; none: all of them.
        folder: Where logs are kept.
        gold: Files of right answers by source, where these are not public: CSV with the log's fields and its answer.
    """
    rows: dict[str, dict[str, Any]] = {}
    notes = []
    for name, source in needed(names).items():
        for _ in download(source, Path(folder)):
            pass
        result = _computed(source, source.file(Path(folder)), (gold or {}).get(name))
        for row, printed in source.printed.items():
            here = vars(result[row]) if row in result.frame.index else {}
            rows[f"{source.title}: {row}"] = {
                "printed": printed, "value": float("nan"), "low": float("nan"), "high": float("nan"), "n": None, **here
            }  # fmt: skip
        answers = (
            ""
            if result.frame.index.str.startswith("majority").any()
            else " Right answers are not public: give them as gold."
        )
        notes.append(f"{source.title} ({source.where}, {source.items} items): {source.why}{answers}")
    frame = pd.DataFrame(list(rows.values()), index=list(rows), dtype=object)  # n stays a whole number beside none
    return Result("Printed human scores, computed anew", frame, tuple(notes))


def _computed(source: Source, log: Path, gold: str | Path | None) -> Result:
    """Return the human baseline of a downloaded log; without right answers people's agreement alone."""
    rows = pd.read_csv(log, sep=source.separator, dtype=str, keep_default_na=False)
    inputs, answer = [f"INPUT:{name}" for name in source.fields], f"OUTPUT:{source.answer}"
    frame = rows.rename(columns={"ASSIGNMENT:worker_id": "worker", answer: "label"}).assign(task=_joined(rows[inputs]))
    marks = frame.get(f"GOLDEN:{source.answer}", pd.Series("", frame.index))
    controls = marks[marks != ""].groupby(frame["task"]).first()
    right = None
    if gold is not None:
        told = pd.read_csv(gold, dtype=str, keep_default_na=False)
        if missing := {*source.fields, source.answer} - {*told.columns}:
            raise BadFile(
                f"{gold}: has no column {min(missing)!r}; it needs {', '.join([*source.fields, source.answer])}"
            )
        right = told.set_axis(_joined(told[[*source.fields]]))[source.answer]
    elif source.gold:
        items = rows[inputs].drop_duplicates()
        right = pd.Series([resolve_name(source.gold)(*row) for row in items.itertuples(index=False)], _joined(items))
    return human_baseline(
        frame[["task", "worker", "label"]],
        right,
        metrics=source.metrics,
        controls=controls if len(controls) else None,
        **source.rules,
    )


def _joined(fields: pd.DataFrame) -> "pd.Series[str]":
    return fields.agg("\t".join, axis=1)


def balanced(brackets: str) -> str:
    """Return "1" where every bracket is closed by its own kind, in order; else "0".

    >>> balanced("( [ ] )"), balanced("( [ ) ]")
    ('1', '0')
    """
    opened: list[str] = []
    for bracket in brackets.split():
        if bracket in "([{":
            opened.append(bracket)
        elif not opened or opened.pop() + bracket not in ("()", "[]", "{}"):
            return "0"
    return "0" if opened else "1"


def common_subsequence(one: str, two: str) -> str:
    """Return the length of the longest common subsequence of two strings.

    >>> common_subsequence("ABCBDAB", "BDCABA")
    '4'
    """
    best = [0] * (len(two) + 1)
    for letter in one:
        row = [0]
        for place, other in enumerate(two):
            row.append(best[place] + 1 if letter == other else max(best[place + 1], row[place]))
        best = row
    return str(best[-1])
