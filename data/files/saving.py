"""Writing a file: whole, or a sentence that says why it could not be written."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from data.errors import BadSetting


def write_to(path: Path, content: bytes) -> None:
    """Write a file; raises BadSetting where that cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise BadSetting(f"{path}: cannot be written ({error.strerror}); choose another place") from error


@contextmanager
def taking_place(path: Path) -> Iterator[Path]:
    """Give where to write a file that takes the place of `path` when it is whole; what fails leaves no half file.

    Raises BadSetting where it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield part
        part.replace(path)
    except OSError as error:
        raise BadSetting(f"{path}: cannot be written ({error.strerror}); choose another place") from error
    finally:
        part.unlink(missing_ok=True)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines, each with its line end, as they are made: one is held in memory at a time.

    Raises as `taking_place`; what `lines` raises is passed on.
    """
    with taking_place(path) as part, part.open("w", encoding="utf8", newline="") as file:
        file.writelines(lines)
