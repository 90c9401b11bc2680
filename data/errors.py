"""The errors a person may cause: each is one finished sentence, shown as it stands by the edges (CLI, API, page)."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any, NamedTuple, TypeVar

V = TypeVar("V")

LONGEST_LIST = 200  # characters of what one list in a sentence about a file names
LONGEST_SENTENCE = 500  # characters: an error may quote what somebody sent, however long that is


def brief(sentence: str) -> str:
    """Return a sentence about an error as it is printed and sent: of a long one its beginning and its end."""
    half = (LONGEST_SENTENCE - len(" … ")) // 2
    return sentence if len(sentence) <= LONGEST_SENTENCE else f"{sentence[:half]} … {sentence[-half:]}"


class EtalonError(Exception):
    """Something a person can put right; `str(error)` is the sentence that tells them how."""

    def __str__(self) -> str:
        return brief(super().__str__())


class Fault(NamedTuple):
    """One thing that is wrong with a task: the key it is said of, as the way to it, and a finished sentence."""

    at: tuple[str | int, ...]
    sentence: str


@dataclass(frozen=True)
class FileProblem:
    """One thing wrong in a file; `str(problem)` is the sentence about it. `source` is the row it is about, if known."""

    file: str
    message: str
    line: int | None = None
    field: str | None = None
    source: Mapping[str, Any] | None = dataclasses.field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", brief(self.message))

    def __str__(self) -> str:
        line = f", line {self.line}" if self.line else ""
        name = f", field {self.field!r:.60}" if self.field else ""
        return brief(f"{self.file}{line}{name}: {self.message}")


def quoted_names(names: Iterable[object]) -> str:
    """Return names as they stand in a sentence, without the last of them where they are too long for one."""
    text = ", ".join(f"{name!r:.60}" for name in islice(names, LONGEST_LIST))
    return text if len(text) <= LONGEST_LIST else f"{text[:LONGEST_LIST]}…"


class BadTask(EtalonError, ValueError):
    """A task description that contradicts itself, in one way or several; pydantic gathers it with other faults."""

    def __init__(self, first: str | Fault, *others: Fault) -> None:
        self.faults = (first if isinstance(first, Fault) else Fault((), first), *others)
        super().__init__(self.faults[0].sentence)


class BadFile(EtalonError):
    """A file that cannot be read as what it was given for."""


class BadSetting(EtalonError):
    """An option or a setting out of its range, or one that does not fit the others."""


class UnknownName(EtalonError):
    """A name that is not known, or not `any more`, and why; the sentence offers the nearest ones."""

    def __init__(self, what: str, name: str, known: Iterable[str], *, gone: str = "") -> None:
        names = sorted(known)
        near = get_close_matches(name, names, n=3, cutoff=0.5)
        hint = f"did you mean {quoted_names(near)}?" if near else f"known are: {', '.join(names) or 'none yet'}"
        since = f" any more: {gone}" if gone else ""
        super().__init__(f"{what} {name!r} is not known{since}; {hint}")


def look_up(what: str, name: str, table: Mapping[str, V]) -> V:
    """Return what a table has under a name; raises UnknownName, which says `what` it is the name of.

    >>> look_up("the letter", "b", {"a": 1, "b": 2})
    2
    """
    if name not in table:
        raise UnknownName(what, name, table)
    return table[name]


class BadAnswer(EtalonError):
    """A worker's answer that its task does not allow; `code` names the sentence among the `mistakes` of a language."""

    def __init__(self, code: str, **parameters: object) -> None:
        self.code = code
        self.parameters = parameters
        super().__init__(f"{code}: {parameters}" if parameters else code)
