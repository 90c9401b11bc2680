"""A model whose replies stand in files of results: what was written into a batch is answered from there."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from baseline.models.chat.served_model import ServedModel
from baseline.models.model import Kind, Model, Question, Request, Stopped
from baseline.models.purse import Bill
from baseline.models.reply import KEY_LENGTH, Reply
from data.errors import BadFile
from data.limits import GB, LARGEST_RESULTS, LONGEST_LINE, MOST_ROWS

PLACE_BITS = 40
"""A place of a line: the number of its file, and in so many bits behind it where it begins there."""
NEVER_RUN = 0
"""In the place of a status: the request was not run at all, since its batch expired or was cancelled before."""


@dataclass(frozen=True)
class BatchResult:
    """What a line of results says of one request: the status of HTTP and the body that the server would have sent."""

    key: str
    status: int
    body: Any


def read_result(line: bytes) -> BatchResult:
    """Return what a line of results says; raises ValueError for a line that is none.

    OpenAI's output and error files and LiteLLM's have a response, or an error with `code` and `message` alone where
    the request was never run; `vllm run-batch` has a response without a body beside an error.
    """
    try:
        values = json.loads(line)
        key, response, error = values["custom_id"], values.get("response") or {}, values.get("error")
        status, body = response.get("status_code"), response.get("body")
        if body is None:
            body = error if isinstance(error, dict) and "error" in error else {"error": error or {}}
            status = status if isinstance(status, int) and status >= 300 else NEVER_RUN
        if not isinstance(key, str) or type(status) is not int:
            raise ValueError("no custom_id or status")
    except (LookupError, TypeError, AttributeError, RecursionError) as wrong:
        raise ValueError("no line of results") from wrong
    return BatchResult(key, status, body)


class BatchResults:
    """The results of files by the keys of their requests; of each only the place is kept in memory.

    Of several results of one request the first reply counts, else the last error: so it is paid for once. `lines`
    counts all, `repeated` those of requests that had one before, `unread` those that are no results at all.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.lines = self.repeated = self.unread = 0
        self._places: dict[bytes, int] = {}
        self._failed: set[bytes] = set()
        self._files: list[BinaryIO] = []
        for path in paths:
            if path.stat().st_size > LARGEST_RESULTS:
                raise BadFile(f"{path.name}: has more than {LARGEST_RESULTS // GB} GB; split the file of results")
            self._files.append(path.open("rb"))
            self._index(path)

    def __len__(self) -> int:
        return len(self._places)

    def unknown(self, requests: Iterable[str]) -> int:
        """Return how many results are of none of the requests with these keys."""
        return len(self._places.keys() - map(_packed, requests))

    def holds(self, key: str) -> bool:
        """Return whether there is a result of the request of that key."""
        return _packed(key) in self._places

    def result(self, keys: Sequence[str]) -> BatchResult | None:
        """Return the result of the first of these keys that has one."""
        place = next((self._places[packed] for packed in map(_packed, keys) if packed in self._places), None)
        if place is None:
            return None
        file = self._files[place >> PLACE_BITS]
        file.seek(place & ((1 << PLACE_BITS) - 1))
        return read_result(file.readline(LONGEST_LINE))

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()

    def _index(self, path: Path) -> None:
        file, number = self._files[-1], len(self._files) - 1
        place = 0
        for count, line in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), 1):
            if count > MOST_ROWS or len(line) > LONGEST_LINE:
                raise BadFile(
                    f"{path.name}, line {count}: is too long, or one of more than {MOST_ROWS}; split the file"
                )
            if line.strip():
                self._take(line, number << PLACE_BITS | place)
            place += len(line)

    def _take(self, line: bytes, place: int) -> None:
        self.lines += 1
        try:
            result = read_result(line)
        except ValueError:
            self.unread += 1
            return
        key = _packed(result.key)
        known = key in self._places
        self.repeated += known
        if not known or key in self._failed:
            self._places[key] = place
            (self._failed.discard if 200 <= result.status < 300 else self._failed.add)(key)


class BatchModel(Model):
    """A served model that is asked nothing: its replies stand in results, read, paid and known as live ones are."""

    kind: Kind = "model"

    def __init__(self, served: ServedModel, results: BatchResults) -> None:
        self.name, self.settings = served.name, served.settings
        self._served, self._results = served, results

    @property
    def sent(self) -> Mapping[str, Any]:
        """What is really sent, as earlier runs found it."""
        return self._served.sent

    def remember(self, runs: Sequence[Mapping[str, Any]], *, fresh: bool = False, samples: int = 1) -> None:
        """Begin with what earlier runs at the same address have found."""
        self._served.remember(runs, fresh=fresh, samples=samples)

    def request(self, question: Question) -> Request:
        """Return what stands in the file of requests."""
        return self._served.request(question)

    def holds(self, request: Request | None) -> bool:
        """Return whether there is a result of a request, in the form that is sent now or in another."""
        return request is not None and any(map(self._results.holds, _keys(request)))

    async def reply(self, question: Question) -> Reply:
        """Return the reply of the results."""
        request = self.request(question)
        result = self._results.result(_keys(request))
        if result is None:
            raise Stopped("the files of results changed while they were read; collect them again")
        bill = Bill(self.purse, question.prompt.words, request.most)
        async with bill.attempt(asyncio.sleep):
            reply = self._served.replied(bill, result.status, json.dumps(result.body).encode())
        return replace(reply, seconds=None, cut=question.prompt.cut, key=result.key, cost=bill.total)

    async def close(self) -> None:
        """Close the files."""
        self._results.close()
        await self._served.close()


def _keys(request: Request) -> tuple[str, ...]:
    return (request.key, request.asked_key, *request.others)


def _packed(key: str) -> bytes:
    """Return a key in half of its bytes; one that is none of ours as it is."""
    try:
        return bytes.fromhex(key) if len(key) == KEY_LENGTH else key.encode("utf8", "replace")
    except ValueError:
        return key.encode("utf8", "replace")
