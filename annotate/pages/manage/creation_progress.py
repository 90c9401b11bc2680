"""The making of a study from the form, in a thread of its own: what is said of it until it is there."""

from collections.abc import Callable, Iterator
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread

from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_card import Draft, StudyCard
from data.errors import EtalonError

Step = str | StudyCard | EtalonError


def creation_progress(requesters: RequesterService, draft: Callable[[], Draft]) -> Iterator[Step]:
    """Yield a sentence once in a while, and in the end the new study, or the error that kept it from being made.

    It is made in a thread of its own, as who asks: a page that is left meanwhile does not end it half way.
    """
    said: SimpleQueue[Step] = SimpleQueue()

    def work() -> None:
        try:
            said.put(requesters.create(draft(), said.put))
        except EtalonError as error:
            said.put(error)

    thread = Thread(target=copy_context().run, args=(work,), daemon=True)
    thread.start()
    while True:
        try:
            step = said.get(timeout=1.0)
        except Empty:
            if thread.is_alive() or not said.empty():
                continue
            raise RuntimeError("a study could not be made; the server's log says why") from None
        yield step
        if not isinstance(step, str):
            return
