"""What an answer costs the server here and in another checkout, by turns in one run: the ratio is what counts.

    python bench/answer_cost.py --against ../other-checkout --rounds 25

Each checkout answers through its guard, its route, its service and SQLite with full sync, without a socket, in a
process of its own, by its own copy of this file; every round both do the same number of answers, one after the other,
and CPU seconds are compared.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from html import escape, unescape
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
STUDY = "load"
ANSWERS_EACH = 40  # answers of one worker, who then leaves
SECONDS_EACH = 3.0  # of an answer, by the page and by the server's clock


def main() -> None:
    """Compare two checkouts, or be one of them (`--child`)."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--against", type=Path, help="the other checkout")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--answers", type=int, default=100, help="answers of a round")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        answer_when_asked(Path(chosen.child), chosen.answers)
        return
    with tempfile.TemporaryDirectory() as folder:
        sides = [
            started(path.resolve(), Path(folder) / str(n), chosen.answers)
            for n, path in enumerate((HERE, chosen.against))
        ]
        ask(sides[0]), ask(sides[1])  # what is loaded with the first answers is not counted
        rounds = [
            [ask(side) for side in (sides if n % 2 else sides[::-1])][:: 1 if n % 2 else -1]
            for n in range(chosen.rounds)
        ]
        for side in sides:
            side.communicate()
    ours, theirs = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratios = sorted(mine / other for mine, other in rounds)
    low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
    print(f"CPU an answer: {1000 * ours:.3f} ms here, {1000 * theirs:.3f} ms there (medians of {len(rounds)} rounds)")
    print(f"ratio {statistics.median(ratios):.3f}, half of the rounds between {low:.3f} and {high:.3f}")


def started(checkout: Path, folder: Path, answers: int) -> "subprocess.Popen[str]":
    """Start a checkout on an empty database in a new folder."""
    folder.mkdir()
    command = [
        sys.executable,
        str(checkout / "bench" / "answer_cost.py"),
        "--child",
        str(folder),
        "--answers",
        str(answers),
    ]
    environment = {"PYTHONPATH": str(checkout), "PATH": "/usr/bin:/bin", "ETALON_HOME": str(folder)}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=checkout, env=environment, **pipes)


def ask(side: "subprocess.Popen[str]") -> float:
    """Let a checkout do one round; the CPU seconds of an answer."""
    assert side.stdin is not None
    assert side.stdout is not None
    side.stdin.write("go\n")
    side.stdin.flush()
    return float(json.loads(side.stdout.readline()))


def answer_when_asked(folder: Path, answers: int) -> None:
    """Be a checkout: for each line that comes in answer a round of items and print what an answer cost."""
    sys.path[0] = str(Path.cwd())
    from annotate.accounts.guard import Guard  # noqa: PLC0415
    from annotate.accounts.signer import Signer  # noqa: PLC0415
    from annotate.worker import api  # noqa: PLC0415
    from annotate.worker.service import Service  # noqa: PLC0415
    from bench.load_study import make_study, right_answers  # noqa: PLC0415
    from db.clock import now  # noqa: PLC0415
    from db.engine import open_database  # noqa: PLC0415

    if hasattr(api, "STEP"):
        api.STEP = 1e-6  # who waits between answers finds cold caches, and only one of the two would wait
    database = open_database(f"sqlite:///{folder / 'etalon.db'}")
    make_study(database, STUDY, items=20_000, overlap=5, lease=900)
    # Answers take the time that the page says: rules on haste would else look after every one.
    service = Service(
        database,
        Signer("a secret for the measurement, long enough"),
        clock=lambda: now() + timedelta(seconds=SECONDS_EACH * worker.given),
    )
    program = Guard(None, database, service.signer, workers=api.Acts(service))  # type: ignore[arg-type]
    right = {escape(text, quote=False): label for text, label in right_answers().items()}
    worker = Worker(service, program, right)
    with asyncio.Runner() as runner:
        for _ in sys.stdin:
            print(json.dumps(runner.run(worker.round(answers))), flush=True)


class Worker:
    """Workers one after the other, each of whom answers some items."""

    def __init__(self, service: Any, program: Callable[..., Any], right: dict[str, str]) -> None:
        self.service, self.program, self.right = service, program, right
        self.cookie, self.left, self.screen, self.given = "", 0, "", 0

    async def round(self, answers: int) -> float:
        """Answer so many items; the CPU seconds of each."""
        spent = 0.0
        for _ in range(answers):
            if not self.left:
                await self.arrive()
            label = next((label for text, label in self.right.items() if text in self.screen), "0")
            sent = {"kind": "answer", "token": self.token(), "value": label, "seconds": SECONDS_EACH}
            before = time.process_time()
            reply = await self.act(sent)
            spent += time.process_time() - before
            assert reply["stage"] == "work", reply["stage"]
            self.screen, self.left = reply["html"], self.left - 1
        return spent / answers

    async def arrive(self) -> None:
        """Become a new worker, agree, and pass the training."""
        self.cookie = self.service.join(STUDY, self.service.signer.invitation(STUDY))
        self.left = ANSWERS_EACH
        await self.act({"kind": "consent"})
        reply = await self.act({"kind": "begin"})
        while reply["stage"] != "work":
            self.screen = reply["html"]
            label = next((label for text, label in self.right.items() if text in self.screen), "0")
            answer = {"kind": "answer", "token": self.token(), "value": label, "seconds": SECONDS_EACH}
            reply = await self.act({"kind": "next"} if reply["stage"] == "feedback" else answer)
        self.screen = reply["html"]

    def token(self) -> str:
        """The token of the item on the screen."""
        return unescape(self.screen.split('data-token="')[1].split('"')[0])

    async def act(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Send an act as a browser does and return the reply."""
        from annotate.accounts.signer import worker_cookie_name  # noqa: PLC0415

        self.given += sent["kind"] == "answer"
        body, replied = json.dumps(sent).encode(), bytearray()
        path = f"/api/annotate/{STUDY}/act"
        headers = {
            "host": "127.0.0.1", "origin": "http://127.0.0.1", "content-type": "application/json",
            "content-length": str(len(body)), "cookie": f"{worker_cookie_name(STUDY)}={self.cookie}",
        }  # fmt: skip
        scope = {
            "type": "http", "http_version": "1.1", "method": "POST", "scheme": "http", "path": path,
            "raw_path": path.encode(), "root_path": "", "query_string": b"",
            "client": ("127.0.0.1", 5), "server": ("127.0.0.1", 80),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()], "state": {},
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            replied.extend(message.get("body", b""))

        await self.program(scope, receive, send)
        reply: dict[str, Any] = json.loads(bytes(replied))
        return reply


if __name__ == "__main__":
    main()
