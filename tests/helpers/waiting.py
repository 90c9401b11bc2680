"""Waiting for what others do: the limit is there to end a hang, not to measure."""

import time
from collections.abc import Callable

LONGEST = 600.0  # seconds: a machine may be busy with much else


def until(fits: Callable[[], object]) -> None:
    """Wait until something is so."""
    last = time.monotonic() + LONGEST
    while not fits():
        assert time.monotonic() < last, f"it was not so within {LONGEST} s"
        time.sleep(0.02)
