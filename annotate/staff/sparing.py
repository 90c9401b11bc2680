"""Numbers that cost something: computed anew only now and then, the more seldom the more they cost."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")
SHARE = 0.05  # of the time may go into computing one number again and again


@dataclass
class Kept:
    """A value, what it was made for, when it was ready and how many seconds it took."""

    value: Any
    of: Hashable
    ready: float
    took: float


@dataclass
class Sparing:
    """Values by name. Each is good for `least` seconds, or for as long as it must be to take SHARE of the time.

    What took less than `cheap` seconds is computed again whenever it is asked for. What two people ask for at once is
    computed once; a value that is there is given while another is being made.
    """

    least: float = 5.0
    cheap: float = 0.0
    most: int = 200
    clock: Callable[[], float] = time.monotonic
    kept: dict[Hashable, Kept] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def get(self, name: Hashable, of: Hashable, make: Callable[[], T]) -> T:
        """Return `make()`, or what it gave before: always where `of` is the same as then, else while it is good."""
        found = self.kept.get(name)
        if found is not None and (found.of == of or self._good(found)):
            return found.value  # type: ignore[no-any-return]
        waits = found is None or found.took < self.cheap
        if not self.lock.acquire(blocking=waits) and found is not None:
            return found.value  # type: ignore[no-any-return]
        try:
            begun = self.clock()
            value = make()
            ended = self.clock()
            if len(self.kept) >= self.most:
                self.kept.clear()
            self.kept[name] = Kept(value, of, ended, ended - begun)
            return value
        finally:
            self.lock.release()

    def _good(self, found: Kept) -> bool:
        age = self.clock() - found.ready
        return found.took >= self.cheap and age < max(self.least, found.took / SHARE)
