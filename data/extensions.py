"""What other packages add to our tables: tasks, metrics, providers of models and rules on workers, by entry points."""

import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Literal, TypeVar

from data.errors import BadSetting

T = TypeVar("T")
GROUP = "human_baseline."
Kind = Literal["tasks", "metrics", "providers", "rules"]


def extended(kind: Kind, own: Iterable[T], name_of: Callable[[T], str]) -> dict[str, T]:
    """Return the rows of a table of ours by their names, and after them those that installed packages add.

    Raises BadSetting for what cannot be loaded, has no name, or one that is taken.

    >>> extended("metrics", ["accuracy"], str)
    {'accuracy': 'accuracy'}
    """
    table = {name_of(row): row for row in own}
    for entry in entry_points(group=f"{GROUP}{kind}") if _any_installed() else ():
        place = f"{entry.dist.name if entry.dist else 'a package'} adds {entry.value!r} to {entry.group}"
        remedy = f"mend that package or uninstall it: pip uninstall {entry.dist.name if entry.dist else 'PACKAGE'}"
        try:
            added = entry.load()
            name = name_of(added)
        except Exception as error:
            raise BadSetting(f"{place}, which fails: {type(error).__name__}: {error}; {remedy}") from error
        if name in table:
            raise BadSetting(f"{place}, and there is a {name!r} already; {remedy}")
        table[name] = added
    return table


@cache
def _any_installed() -> bool:
    """Return whether a package names a table of ours; to parse what all packages declare takes ten times as long."""
    files = (file for place in sys.path for file in Path(place).glob("*.*-info/entry_points.txt"))
    return any(f"[{GROUP}" in file.read_text("utf8", errors="replace") for file in files)
