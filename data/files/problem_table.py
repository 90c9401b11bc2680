"""Everything that is wrong with a file, as a table that can be saved."""

import re
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from data.errors import BadFile, FileProblem

OWN = ["file", "line", "column", "problem"]


def problem_frame(problems: Iterable[FileProblem]) -> pd.DataFrame:
    """Return problems as a table: file, line, column, problem, and the row itself as far as it is known."""
    rows = [
        dict(zip(OWN, (problem.file, problem.line, problem.field, problem.message), strict=True))
        | {f"{name} (row)" if name in OWN else name: value for name, value in (problem.source or {}).items()}
        for problem in problems
    ]
    return pd.DataFrame(rows, columns=None if rows else OWN, dtype=object)


def unread(path: Path, error: BadFile) -> FileProblem:
    """Return why a file cannot be read at all as a problem of it, on the line that the sentence names."""
    sentence = str(error).removeprefix(path.name)
    line = re.match(r", line (\d{1,12}): ", sentence)
    return FileProblem(
        path.name, sentence[line.end() :] if line else sentence.lstrip(": "), int(line[1]) if line else None
    )
