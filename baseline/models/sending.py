"""One POST after another to a server that speaks the OpenAI chat API, over connections that stay open."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from openai import APIConnectionError, APIStatusError, AsyncOpenAI, DefaultAioHttpClient


class HttpError(Exception):
    """A reply with a status from 400 on; `wait` is its Retry-After, the rest what the API says of the error."""

    def __init__(self, status: int, body: bytes, wait: str) -> None:
        told = _told(body)
        self.status, self.wait = status, wait
        self.message = str(told.get("message") or body.decode("utf8", "replace"))
        self.code, self.kind = str(told.get("code")), str(told.get("type"))
        super().__init__(self.message)


class Line:
    """Sends requests to one address with one key; opened by the first of them, in the event loop it is then in."""

    def __init__(self, base_url: str, key: str, *, timeout: float) -> None:
        self._url, self._key, self._timeout = base_url, key, timeout
        self._client: AsyncOpenAI | None = None

    async def post(self, sent: Mapping[str, Any]) -> bytes:
        """Return the body of the reply; raises HttpError, OSError, or TimeoutError however slowly bytes come."""
        if self._client is None:
            # Attempts are counted by who asks. Another address than the one that was named is never asked.
            transport = DefaultAioHttpClient(timeout=self._timeout, follow_redirects=False)
            self._client = AsyncOpenAI(api_key=self._key, base_url=self._url, http_client=transport, max_retries=0)
        try:
            async with asyncio.timeout(self._timeout):
                # The body as it is: the package's own objects more than double the CPU of a request, and they would
                # take HTML for a reply.
                return await self._client.post("/chat/completions", cast_to=bytes, body=sent)
        except APIStatusError as error:
            told = error.response
            raise HttpError(told.status_code, told.content, told.headers.get("Retry-After", "")) from error
        except APIConnectionError as error:
            if isinstance(error.__cause__, TimeoutError):
                raise TimeoutError from error
            raise ConnectionError(str(error.__cause__ or error)) from error

    async def close(self) -> None:
        """Close the connections; another `post` opens them anew."""
        client, self._client = self._client, None
        if client:
            await client.close()


def _told(body: bytes) -> Mapping[str, Any]:
    """Return what an error's body says under "error", or the whole of it; empty where it is no such thing."""
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    inner = values.get("error", values) if isinstance(values, dict) else {}
    return inner if isinstance(inner, dict) else {"message": inner}
