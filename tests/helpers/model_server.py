"""A server on 127.0.0.1 that speaks the OpenAI chat API and fails on demand: for the tests and for the benches.

with ModelServer(knowing(answer_sheet(task, items), accuracy=0.9)) as server:
    make_model("openai:test", task=task, base_url=server.base_url)
    ...
    server.requests, server.most_in_flight
"""

import asyncio
import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

from baseline.models.prompts import messages
from data.task import Item, Task
from tests.helpers.waiting import LONGEST

Messages = list[dict[str, str]]


@dataclass(frozen=True)
class Say:
    """A proper reply, `after` seconds."""

    text: str | None = "1"
    finish_reason: str = "stop"
    refusal: str | None = None
    after: float = 0.0
    thinking: int = 0

    def body(self, model: str, prompt: str) -> bytes:
        message = {"role": "assistant", "content": self.text, "refusal": self.refusal}
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": len((self.text or "").split())}
        return json.dumps(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 0,
                "model": model,
                "choices": [{"index": 0, "message": message, "finish_reason": self.finish_reason}],
                "usage": {**usage, "total_tokens": sum(usage.values())},
            }
        ).encode()


@dataclass(frozen=True)
class Send:
    """Any status, body and headers: errors, garbage."""

    body: bytes = b""
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0


@dataclass(frozen=True)
class HangUp:
    """A connection closed before the body is whole: after nothing at all, or after `part` of it."""

    part: bytes = b""
    after: float = 0.0


@dataclass(frozen=True)
class Drip:
    """A body that never ends: a space every tenth of a second."""

    after: float = 0.0


Behaviour = Say | Send | HangUp | Drip
Script = Callable[[Messages], Behaviour]


@dataclass
class Request:
    """One request as it came; times are `time.monotonic()`, `answered` is None where the client went away first."""

    body: dict[str, Any]
    headers: dict[str, str]
    arrived: float
    in_flight: int
    path: str = ""
    answered: float | None = None


def wrong(status: int, message: str, *, code: str | None = None, **headers: str) -> Send:
    """An error in the form of the OpenAI API; `retry_after="1"` becomes the header Retry-After."""
    body = json.dumps({"error": {"message": message, "type": "error", "param": None, "code": code}}).encode()
    return Send(body, status, headers={name.replace("_", "-"): value for name, value in headers.items()})


def too_many(retry_after: str = "0") -> Send:
    return wrong(429, "Rate limit reached", code="rate_limit_exceeded", retry_after=retry_after)


OUT_OF_QUOTA = wrong(429, "You exceeded your current quota", code="insufficient_quota")
BROKEN = wrong(500, "The server had an error")
NOT_JSON = Send(b'{"choices": [{"message":')
NO_CHOICES = Send(b'{"id": "x", "choices": []}')
HTML = Send(b"<html><body>502 Bad Gateway</body></html>", content_type="text/html")
CUT = HangUp(part=b'{"id": "chatcmpl-1", "choices": [{"mess')


def always(behaviour: Behaviour) -> Script:
    return lambda _: behaviour


def failing_first(fault: Behaviour, *, times: int = 1, then: Script | None = None) -> Script:
    """Each prompt meets `fault` the first `times` times, and what `then` says from there on."""
    seen: Counter[str] = Counter()

    def script(asked: Messages) -> Behaviour:
        prompt = asked[-1]["content"]
        seen[prompt] += 1
        return fault if seen[prompt] <= times else (then or always(Say()))(asked)

    return script


def answer_sheet(task: Task, items: Iterable[Item]) -> dict[str, tuple[str, str]]:
    """The right reply and a wrong one by the prompt's text, for items whose gold is known."""
    sheet = {}
    for item in items:
        options = [option.label for option in task.answer.options(item.fields)]
        other = options[(options.index(item.gold or "") + 1) % len(options)]
        prompt = messages(task, item.public())[-1]["content"]
        sheet[prompt] = (task.answer.show(item.gold or "", item.fields), task.answer.show(other, item.fields))
    return sheet


def knowing(sheet: Mapping[str, tuple[str, str]], *, accuracy: float = 1.0, after: float = 0.0) -> Script:
    """Right for a share of the prompts, which hashing chooses: the same prompt is always answered alike."""

    def script(asked: Messages) -> Behaviour:
        prompt = asked[-1]["content"]
        right, other = sheet[prompt]
        share = int.from_bytes(hashlib.sha256(prompt.encode()).digest()[:4]) / 2**32
        return Say(right if share < accuracy else other, after=after)

    return script


class ModelServer:
    """The server, from `with` on: `base_url`, every request it got, how many were under way at once at most.

    `with ModelServer(knowing(answer_sheet(task, items), accuracy=0.9)) as server:` answers nine of ten items right.
    """

    path = "/v1/chat/completions"

    def __init__(self, script: Script | None = None, *, models: Sequence[str] = ("test",), port: int = 0) -> None:
        self.script = script or always(Say())
        self.requests: list[Request] = []
        self.base_url = ""
        self._models, self._port = models, port
        self._in_flight = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._runner: web.AppRunner | None = None

    @property
    def most_in_flight(self) -> int:
        return max((request.in_flight for request in self.requests), default=0)

    def prompts(self) -> list[str]:
        return [self.messages(request.body)[-1]["content"] for request in self.requests]

    def messages(self, body: dict[str, Any]) -> Messages:
        """Return what a request asks."""
        found: Messages = body["messages"]
        return found

    def said(self, say: Say, request: Request) -> bytes:
        """Return the body of a proper reply."""
        return say.body(request.body["model"], self.messages(request.body)[-1]["content"])

    def refuses(self, request: Request) -> Send | None:
        """Return what is wrong with a request, None for nothing."""
        del request
        return None

    def routes(self) -> list[web.RouteDef]:
        """Return what else there is on the server."""
        return []

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(LONGEST)
        return self

    def __exit__(self, *_: object) -> None:
        if self._runner:
            asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(LONGEST)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LONGEST)
        self._loop.close()

    async def _start(self) -> None:
        app = web.Application(client_max_size=64 * 2**20)
        app.add_routes([web.post(self.path, self._complete), web.get("/v1/models", self._list), *self.routes()])
        # A client that went away is no longer in flight, so its handler ends with it.
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}/v1"

    async def _list(self, _: web.Request) -> web.Response:
        listed = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in self._models]
        return web.json_response({"object": "list", "data": listed})

    async def _complete(self, asked: web.Request) -> web.StreamResponse:
        self._in_flight += 1
        try:
            request = Request(await asked.json(), dict(asked.headers), time.monotonic(), self._in_flight, asked.path)
            self.requests.append(request)
            behaviour = self.refuses(request) or self.script(self.messages(request.body))
            if behaviour.after:
                await asyncio.sleep(behaviour.after)
            if isinstance(behaviour, Say):
                behaviour = Send(self.said(behaviour, request))
            response = await _answer(asked, behaviour)
            request.answered = time.monotonic()
            return response
        finally:
            self._in_flight -= 1


async def _answer(asked: web.Request, behaviour: Send | HangUp | Drip) -> web.StreamResponse:
    if isinstance(behaviour, Send):
        headers = dict(behaviour.headers)
        return web.Response(
            body=behaviour.body, status=behaviour.status, content_type=behaviour.content_type, headers=headers
        )
    if isinstance(behaviour, Drip):
        endless = web.StreamResponse(headers={"Content-Type": "application/json"})
        await endless.prepare(asked)
        while True:
            await endless.write(b" ")
            await asyncio.sleep(0.1)
    response = web.StreamResponse(headers={"Content-Length": "4096", "Content-Type": "application/json"})
    if behaviour.part:
        await response.prepare(asked)
        await response.write(behaviour.part)
    if asked.transport:
        asked.transport.close()
    return response
