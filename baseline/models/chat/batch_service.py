"""OpenAI's Files and Batches by its own package, over connections that never reach an address where no model is asked.

It is imported where batches are sent or fetched and nowhere else: the package takes tens of megabytes.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self, cast

from aiohttp import ClientError, ClientResponse, ClientSession
from httpx2 import AsyncBaseTransport, AsyncByteStream, AsyncClient, ConnectError, Request, Response
from openai import APIConnectionError, APIStatusError, AsyncOpenAI

from baseline.models.chat.transport import Connections
from baseline.models.hosts import NEVER
from baseline.models.model import Stopped
from data.errors import BadFile
from data.files.saving import taking_place
from data.limits import GB, LARGEST_RESULTS

LONGEST = 3600.0
"""Seconds for a file to go up or down."""
ENDED = ("completed", "failed", "expired", "cancelled")
NAME, LISTED = "etalon", 100
LONGEST_REASON = 400
Endpoint = Literal["/v1/chat/completions", "/v1/responses"]


@dataclass(frozen=True)
class BatchOutcome:
    """How a batch stands: its state, the files of replies and of errors, and what is wrong with it as a batch."""

    state: str
    files: dict[str, str]
    reason: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in ENDED


class BatchService:
    """The batches of one account; to be used with `async with`. Raises Stopped with what the server says."""

    def __init__(self, url: str, key: str) -> None:
        self._url, self._key = url, key
        self._connections = Connections(url, LONGEST)

    async def __aenter__(self) -> Self:
        """Open the connections in this event loop."""
        self._session = self._connections.session()
        http = AsyncClient(transport=CheckedTransport(self._session, self._connections), timeout=LONGEST)
        self._client = AsyncOpenAI(api_key=self._key, base_url=self._url, http_client=http)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close them."""
        await self._client.close()
        await self._session.close()

    async def start(self, path: Path, url: str, name: str) -> str:
        """Upload a file of requests and start its batch under a name; return the batch's id."""
        with self._said():
            uploaded = await self._client.files.create(file=path, purpose="batch")
            # Tried again, a batch that was made although no reply came would be made twice, and be paid twice.
            once = self._client.with_options(max_retries=0)
            made = await once.batches.create(
                input_file_id=uploaded.id, endpoint=cast(Endpoint, url), completion_window="24h", metadata={NAME: name}
            )
        return made.id

    async def find(self, name: str) -> str:
        """Return the id of the batch that was started under a name, "" where there is none."""
        with self._said():
            async for batch in self._client.batches.list(limit=LISTED):
                if (batch.metadata or {}).get(NAME) == name:
                    return batch.id
        return ""

    async def outcome(self, batch: str) -> BatchOutcome:
        """Return how a batch stands."""
        with self._said():
            batch_state = await self._client.batches.retrieve(batch)
        files = {"results": batch_state.output_file_id, "errors": batch_state.error_file_id}
        wrong = batch_state.errors.data or [] if batch_state.errors else []
        reason = "; ".join(
            f"line {error.line}: {error.message}" if error.line else str(error.message) for error in wrong
        )
        return BatchOutcome(
            str(batch_state.status), {kind: key for kind, key in files.items() if key}, reason[:LONGEST_REASON]
        )

    async def fetch(self, file: str, path: Path) -> None:
        """Write a file of results to `path`, which appears when it is complete; raises BadFile for one too large."""
        size = 0
        with self._said(), taking_place(path) as part, part.open("wb") as written:
            async with self._client.files.with_streaming_response.content(file) as reply:
                async for piece in reply.iter_bytes():
                    size += written.write(piece)
                    if size > LARGEST_RESULTS:
                        most = f"{LARGEST_RESULTS // GB} GB"
                        raise BadFile(f"{path.name}: the provider's file has more than {most}")

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Raise Stopped with what the server says where it fails at something."""
        try:
            yield
        except (APIConnectionError, APIStatusError) as error:
            raise self._stopped(error) from error

    def _stopped(self, error: APIConnectionError | APIStatusError) -> Stopped:
        if denied := self._connections.denied:
            return Stopped(f"the name of the base URL leads to {denied}, {NEVER}")
        what = (
            f"HTTP {error.status_code}: {error.message}" if isinstance(error, APIStatusError) else str(error.__cause__)
        )
        reason = " ".join(what.replace(self._key, "***").split())[:LONGEST_REASON]
        return Stopped(f"the batches stopped here ({reason}); what was sent is kept; repeat the command to continue")


class CheckedTransport(AsyncBaseTransport):
    """Sends the package's requests over a session of ours; a redirect is never followed."""

    def __init__(self, session: ClientSession, connections: Connections) -> None:
        self._session, self._connections = session, connections

    async def handle_async_request(self, request: Request) -> Response:
        """Return the reply with its body still to be read."""
        headers = {**dict(request.headers), "accept-encoding": "identity"}
        sent = request.stream if request.headers.get("content-length", "0") != "0" else None
        try:
            reply = await self._session.request(
                request.method,
                str(request.url),
                data=sent,
                headers=headers,
                allow_redirects=False,
                proxy=self._connections.proxy,
            )
        except (ClientError, TimeoutError, OSError) as error:
            raise ConnectError(str(error) or type(error).__name__, request=request) from error
        return Response(reply.status, headers=list(reply.headers.items()), stream=_Body(reply), request=request)


class _Body(AsyncByteStream):
    """The body of a reply, piece by piece."""

    def __init__(self, reply: ClientResponse) -> None:
        self._reply = reply

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._reply.content.iter_any():
            yield piece

    async def aclose(self) -> None:
        self._reply.close()
