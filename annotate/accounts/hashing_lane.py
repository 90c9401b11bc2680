"""A lane in which passwords are hashed one at a time, which bounds the memory: who failed least goes first."""

from asyncio import wrap_future
from bisect import insort
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

MOST_WAITING = 100  # of more, who has failed most gives up
T = TypeVar("T")


class Crowded(Exception):
    """Too many wait, and most of them have failed less often."""


@dataclass
class Lane:
    """Whoever comes goes before those who failed more often or came earlier: a crowd holds up nobody who comes after.

    One thread hashes, one says who is next, one counts failures: nobody who waits holds a thread that pages need.
    """

    waiting: list[tuple[int, int, Future[Any], Callable[[], Any]]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    counting: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "counting"))
    calling: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "calling"))
    hashing: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "hashing"))

    async def aside(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, which looks at no password and waits for none."""
        return await wrap_future(self.counting.submit(work))

    async def turn(self, failures: int, work: Callable[[], T]) -> T:
        """Return what `work` returns when the turn of somebody with so many failures has come; raises Crowded."""
        job: Future[T] = Future()
        insort(self.waiting, (failures, -next(self.numbers), job, work))
        if len(self.waiting) > MOST_WAITING:
            self.waiting.pop()[2].set_exception(Crowded())
        else:
            self.calling.submit(self._next)
        return await wrap_future(job)

    def _next(self) -> None:
        """Do the work of who is first, and let them know what came of it."""
        _, _, job, work = self.waiting.pop(0)
        if not job.set_running_or_notify_cancel():
            return
        done = self.hashing.submit(work)
        if error := done.exception():
            job.set_exception(error)
        else:
            job.set_result(done.result())
