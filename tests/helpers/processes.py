"""Processes that begin with the program imported: to start Python and import all of it takes seconds each time."""

import os
import runpy
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

import pytest
from argon2 import PasswordHasher

from tests.helpers.waiting import LONGEST, until

ROOT = Path(__file__).parents[2]
FORKS = get_context("forkserver")
PRELOADED = ("tests.helpers.quick_gradio", "server", "annotate.commands.import_log", "baseline.commands.baselines")
FORKS.set_forkserver_preload([*PRELOADED])
QUICK_PASSWORDS = {"db.accounts:_HASHER": PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)}
"""As little work as argon2 allows: hundreds of tests sign in, and hardly one is of its strength."""


class Ended(NamedTuple):
    """What a process printed, its exit code, the processor's seconds it took and the most memory it held, in KB."""

    printed: str
    code: int
    seconds: float
    memory: int


@contextmanager
def running(
    function: Callable[..., object],
    *given: object,
    printed: Path,
    environment: Mapping[str, str] | None = None,
) -> Iterator[BaseProcess]:
    """Call a function of a module in a process of its own, which is killed at the end if it is still there.

    `printed`: the file that gets all that it prints. `environment`: all its variables; the test's unless given.
    """
    process = started(function, *given, printed=printed, environment=environment)
    try:
        yield process
    finally:
        process.kill()
        process.join()
        process.close()


def started(
    function: Callable[..., object],
    *given: object,
    printed: Path,
    environment: Mapping[str, str] | None = None,
) -> BaseProcess:
    """Call a function of a module in a process of its own, which whoever asked ends."""
    variables = dict(os.environ if environment is None else environment)
    process = FORKS.Process(target=_call, args=(function, given, printed, variables))
    process.start()
    return process


def ended(
    function: Callable[..., object], *given: object, printed: Path, environment: Mapping[str, str] | None = None
) -> Ended:
    """Call a function of a module in a process of its own and wait until it ends."""
    with running(function, *given, printed=printed, environment=environment) as process:
        process.join(LONGEST)
        code = process.exitcode
    assert code is not None, f"the process took more than {LONGEST} s"
    seconds, memory = _taken_by(printed).read_text().split()
    return Ended(printed.read_text("utf8"), code, float(seconds), int(memory))


@contextmanager
def serving(
    home: Path,
    port: int,
    settings: Mapping[str, str],
    changed: Mapping[str, object] = QUICK_PASSWORDS,
) -> Iterator[Path]:
    """Let the program serve with these settings, from when it answers; gives the file of what it prints.

    `changed`: what stands at "module:name" there instead of what the program has.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ETALON_", "DATABASE_"))}
    environment |= {"ETALON_HOME": str(home), "ETALON_PORT": str(port), **settings}
    printed = home.parent / f"printed-{port}.txt"
    with running(served, changed, printed=printed, environment=environment) as server:
        until(lambda: _answers(server.is_alive(), port, printed))
        yield printed


@contextmanager
def at_a_terminal(home: Path, port: int) -> Iterator[str]:
    """Start `python app.py` at a terminal of its own; gives what it has printed there when it answers."""
    ours, theirs = os.openpty()
    os.set_blocking(ours, False)
    terminal = Path(os.ttyname(theirs))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ETALON_", "DATABASE_"))}
    environment |= {"ETALON_HOME": str(home), "ETALON_PORT": str(port)}
    begun = [sys.executable, str(ROOT / "app.py")]
    with subprocess.Popen(begun, env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as server:
        try:
            until(lambda: _answers(server.poll() is None, port, terminal))
            yield os.read(ours, 65536).decode().replace("\r\n", "\n")
        finally:
            server.kill()
    os.close(ours)
    os.close(theirs)


def _answers(alive: bool, port: int, printed: Path) -> bool:
    if not alive:
        pytest.fail(f"the server ended by itself: {printed.read_text()}")
    # A client of httpx2 reads the certificates of all authorities first: looking again and again would fill a core.
    with closing(HTTPConnection("127.0.0.1", port, timeout=5)) as asked:
        try:
            asked.request("GET", "/login")
            asked.getresponse()
        except (OSError, HTTPException):  # nobody listens yet, or who listens is too busy to answer soon
            return False
    return True


def served(changed: Mapping[str, object]) -> None:
    """Do what `python app.py` does, with something changed in it."""
    for place, value in changed.items():
        module, _, name = place.partition(":")
        setattr(import_module(module), name, value)
    command()


def command(*words: str) -> None:
    """Do what `python app.py` does with these words."""
    sys.argv = ["app.py", *words]
    runpy.run_path(str(ROOT / "app.py"), run_name="__main__")


def _taken_by(printed: Path) -> Path:
    return printed.with_name(f"{printed.name}-taken")


def _call(
    function: Callable[..., object], given: Sequence[object], printed: Path, environment: Mapping[str, str]
) -> None:
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    with printed.open("wb") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
    try:
        function(*given)
    finally:
        status = Path("/proc/self/status").read_text()  # ru_maxrss would be that of the process that started this one
        _taken_by(printed).write_text(f"{time.process_time()} {status.split('VmHWM:')[1].split()[0]}")
