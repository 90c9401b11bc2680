"""A model on 127.0.0.1 for `same.py`: its replies follow from what it is asked alone, and what it is asked is kept."""

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PORT = 17861
LONGEST_WAIT = 600.0  # seconds
REPLIES = ("1", "2", "Ответ: 1", "Да", "нет", "Не знаю, что сказать", "Думаю, что верно второе.\n\nОтвет: 2", "")


def reply_to(prompt: str) -> str:
    """Return what is said to a prompt: one of a few replies, or the last line or word of the prompt itself."""
    number = int.from_bytes(hashlib.sha256(prompt.encode()).digest()[:4])
    lines = [line for line in prompt.splitlines() if line.strip()]
    known = [*REPLIES, lines[-1], lines[0].split()[0], prompt.split()[-1]]
    return known[number % len(known)]


class Asked(BaseHTTPRequestHandler):
    """Answers one request as an OpenAI-compatible server does."""

    asked: list[str]  # the bodies that came, for the server's class
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Say which models there are."""
        self._send({"object": "list", "data": [{"id": "scripted", "object": "model", "created": 0, "owned_by": "us"}]})

    def do_POST(self) -> None:
        """Keep what is asked and answer it."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(json.dumps(body, ensure_ascii=False, sort_keys=True))
        prompt = body["messages"][-1]["content"]
        text = reply_to(prompt + str(body.get("seed", "")))
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": len(text.split())}
        self._send(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                "usage": {**usage, "total_tokens": sum(usage.values())},
            }
        )

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def _send(self, said: dict[str, Any]) -> None:
        content = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def model_server() -> Iterator[tuple[str, list[str]]]:
    """Run the model for as long as this lasts; gives where it is and what it was asked.

    The address is kept with every run, so it is always the same: who finds it taken waits for whoever compares there.
    """
    asked: list[str] = []
    server = listening(type("Kept", (Asked,), {"asked": asked}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{PORT}/v1", asked
    finally:
        server.shutdown()
        server.server_close()


def listening(handler: type[Asked]) -> ThreadingHTTPServer:
    """Return a server on the port once that is free."""
    until = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            return ThreadingHTTPServer(("127.0.0.1", PORT), handler)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(1)
