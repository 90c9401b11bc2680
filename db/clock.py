"""The application's time: UTC, handed in so that tests and simulations can set it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def now() -> datetime:
    """Return the present moment in UTC."""
    return datetime.now(UTC)
