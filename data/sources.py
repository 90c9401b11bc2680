"""The public raw logs behind printed human scores, as `sources.toml` declares them."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parent / "sources.toml"


@dataclass(frozen=True)
class Source:
    """A raw log that is public, what was printed about it, and why other figures come out; see data/sources.toml."""

    title: str
    address: str
    sha256: str
    size: int
    fields: Sequence[str]
    answer: str
    printed: Mapping[str, float]
    items: int
    where: str
    why: str
    separator: str = "\t"
    gold: str = ""
    metrics: Sequence[str] = ("accuracy",)
    rules: Mapping[str, Any] = field(default_factory=dict)

    def file(self, folder: Path) -> Path:
        """Return where the log is kept: under its digest, as names repeat."""
        return folder / f"{self.sha256[:12]}-{self.address.rpartition('/')[2]}"


@cache
def sources() -> Mapping[str, Source]:
    """Return the sources by their names."""
    return {name: Source(**keys) for name, keys in tomllib.loads(SOURCES.read_text("utf8")).items()}
