"""What differs between two folders that `same.py` wrote, with what differs between two runs of one checkout masked."""

import difflib
import io
import re
import zipfile
from pathlib import Path

import pandas as pd

LINES = 12  # of a difference that are shown
LONGEST = 220  # characters of a line that are shown
MASKS: tuple[tuple[str, str, str], ...] = ()
"""What is masked: why, the pattern, and what stands in its place."""


def compare(before: Path, after: Path) -> int:
    """Print what differs and return how a program is to end: 0 where nothing does, else 1."""
    names = [{str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()} for folder in (before, after)]
    for words, only in (("gone", names[0] - names[1]), ("new", names[1] - names[0])):
        for name in sorted(only):
            print(f"{words}: {name}")
    changed = 0
    for name in sorted(names[0] & names[1]):
        one, other = (masked((folder / name).read_bytes()) for folder in (before, after))
        if one != other:
            changed += 1
            tell(name, one, other)
    apart = len(names[0] ^ names[1])
    print(f"{len(names[0] & names[1])} things compared: {changed} differ, {apart} are only in one of both")
    return 1 if changed or apart else 0


def masked(content: bytes) -> bytes:
    """Return what a file says without what differs from run to run."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content
    for _, pattern, word in MASKS:
        text = re.sub(pattern, word, text)
    return text.encode()


def tell(name: str, one: bytes, other: bytes) -> None:
    """Print how two files differ, a few lines of it."""
    found = difflib.unified_diff(readable(one), readable(other), "before", "after", n=0, lineterm="")
    lines = [line[:LONGEST] for line in found][2:]
    more = [f"... {len(lines) - LINES} lines more"] if len(lines) > LINES else []
    print("\n".join([f"differs: {name}", *(f"    {line}" for line in [*lines[:LINES], *more])]))


def readable(content: bytes) -> list[str]:
    """Return a file as lines; what is packed is opened."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return [line for name in archive.namelist() for line in [f"--- {name}", *readable(archive.read(name))]]
    if content.startswith(b"PAR1"):
        return pd.read_parquet(io.BytesIO(content)).to_csv(index=False).splitlines()
    return content.decode(errors="backslashreplace").splitlines()
