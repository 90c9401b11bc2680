"""What differs between two folders that `same.py` wrote, byte by byte but for the two things of MASKS."""

import difflib
import io
import re
import zipfile
from pathlib import Path

import pandas as pd

LINES = 12  # of a difference that are shown
LONGEST = 220  # characters of a line that are shown
MASKS = (
    (r"asked/|made/", rb"(?m)^\S+: \d+ of \d+ answers.*\n", b"", "how fast a run is going on is told by the second"),
    (r"asked/|made/", rb'"seconds": [\d.]+', b'"seconds": 0', "how long a run took is measured"),
)
"""What differs between two runs of one checkout: where, the pattern, what stands in its place, and why it differs."""


def compare(before: Path, after: Path) -> int:
    """Print what differs and return how a program is to end: 0 where nothing does, else 1."""
    names = [
        {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} for folder in (before, after)
    ]
    for words, only in (("gone", names[0] - names[1]), ("new", names[1] - names[0])):
        for name in sorted(only):
            print(f"{words}: {name}")
    changed = 0
    for name in sorted(names[0] & names[1]):
        said, says = (masked(name, (folder / name).read_bytes()) for folder in (before, after))
        if said != says:
            changed += 1
            show(name, said, says)
    apart = len(names[0] ^ names[1])
    print(f"{len(names[0] & names[1])} things compared: {changed} differ, {apart} are only in one of both")
    return 1 if changed or apart else 0


def masked(name: str, content: bytes) -> bytes:
    """Return what a file says without what differs from run to run."""
    for where, pattern, word, _ in MASKS:
        content = re.sub(pattern, word, content) if re.match(where, name) else content
    return content


def show(name: str, before: bytes, after: bytes) -> None:
    """Print how two files differ, a few lines of it."""
    differing = difflib.unified_diff(readable(before), readable(after), "before", "after", n=0, lineterm="")
    lines = [line[:LONGEST] for line in differing][2:] or ["the same to read: it is packed differently"]
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
