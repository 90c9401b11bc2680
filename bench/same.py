"""Says whether two checkouts of the program still say the same: commands, files, pages, byte by byte.

    python bench/same.py OTHER                    this checkout against another one
    python bench/same.py write CHECKOUT FOLDER    what one checkout says, a file for each thing
    python bench/same.py compare FOLDER FOLDER    what differs between two such folders; exit code 1 if anything does
    python bench/same_tasks.py CHECKOUT FOLDER    only what a checkout makes of the tasks of the catalogue

The demo studies are made, and others from the folder of real data (`ETALON_SHARED`, else `../shared` beside this
checkout). Each checkout runs as programs of its own with the same secret, a clock that stands and tokens that repeat
(`same_process.py`), so that next to nothing has to be masked (`MASKS` in `same_compare.py`).
"""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.same_compare import compare
from bench.same_given import write_given
from bench.same_model import model_server
from bench.same_pages import PASSWORD, write_pages
from bench.same_people import worker_of, write_people
from bench.same_studies import (
    DEMOS,
    Words,
    after_people,
    before_people,
    commands_of,
    general,
    makings,
    names_of,
    readings,
    who_answered,
)
from tests.helpers.ports import free_port

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("ETALON_SHARED", HERE.parents[1] / "shared"))
SECRET = "the secret of two checkouts, forty letters at least"
TOGETHER = 2  # commands at once
LONGEST_START = 600.0  # seconds
READ_AT = "2026-02-03T10:00:00"
OURS = ("ETALON_", "OPENAI_", "SPACE_", "DATABASE_URL")  # what the names of settings begin with


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", help="write, compare, or the folder of another checkout")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--studies", help="only these, divided by commas: quicker")
    chosen = parser.parse_args()
    only = chosen.studies.split(",") if chosen.studies else None
    if chosen.what == "write":
        write(*chosen.folders, only=only)
    elif chosen.what == "compare":
        sys.exit(compare(*chosen.folders))
    else:
        with tempfile.TemporaryDirectory() as folder:
            before, after = Path(folder, "before"), Path(folder, "after")
            write(Path(chosen.what), before, only=only)
            write(HERE.parent, after, only=only)
            sys.exit(compare(before, after))


def write(checkout: Path, folder: Path, *, only: Sequence[str] | None) -> None:
    """Write all that a checkout says into a folder, which is emptied before."""
    began = time.monotonic()
    if folder.exists():
        shutil.rmtree(folder)
    (folder / "files").mkdir(parents=True)
    with tempfile.TemporaryDirectory() as home:
        write_all(Program(checkout.resolve(), folder.resolve(), Path(home)), only)
    count = sum(path.is_file() for path in folder.rglob("*"))
    print(f"{checkout}: {count} files in {folder}, {time.monotonic() - began:.0f} s", flush=True)


def write_all(program: "Program", only: Sequence[str] | None) -> None:
    """Make the studies, let people and models answer, then let commands and pages show them all."""
    with program.serving("2026-02-01T10:00:00"):
        pass  # the first start makes the demo studies
    subprocess.run(
        [sys.executable, program.checkout / "bench" / "same_tasks.py", program.checkout, program.said / "tasks"],
        check=True,
    )
    write_given(SHARED / "data", program.said / "given")
    made = [making for making in makings(SHARED / "data") if only is None or making.study in only]
    program.run([words for making in made for words in making.commands], "made", hour=1)
    answered = [making.study for making in made if making.people]
    program.run([words for study in answered for words in before_people(study)], "made", hour=2)
    with program.serving("2026-02-02T03:00:00") as address:
        write_people(address, program.said, answered)
    program.run([who_answered(study) for study in answered], "made", hour=4)
    acts = [words for study in answered for words in after_people(study, worker_of(program.said, study))]
    program.run(acts, "made", hour=5)
    with model_server() as (where, asked):
        words = [[where if word == "MODEL" else word for word in run] for making in made for run in making.models]
        program.run(words, "asked", hour=6)
        (program.said / "requests").write_text("\n".join(asked), "utf8")
    studies = [*(demo for demo in DEMOS if only is None or demo in only), *(making.study for making in made)]
    program.run([("--help",)], "commands")
    names = commands_of((program.said / "commands" / "--help").read_text("utf8"))
    program.run([*general(names), *(words for study in studies for words in readings(study))], "commands")
    with program.serving(READ_AT) as address:
        write_pages(address, program.said / "pages", studies)


@dataclass(frozen=True)
class Program:
    """A checkout, the folder that keeps all that it says, and its home, which is thrown away."""

    checkout: Path
    said: Path
    home: Path

    def run(self, commands: Sequence[Words], under: str, hour: int | None = None) -> None:
        """Run commands; what each says is a file in the folder `under`.

        From an `hour` on one after the other, a minute apart; without one several at once, as they only read.
        """
        (self.said / under).mkdir(exist_ok=True)
        moments = [READ_AT if hour is None else f"2026-02-02T{hour:02}:{n % 60:02}:00" for n in range(len(commands))]
        outs = [str(self.said / under / name) for name in names_of(commands)]
        jobs = [
            {"argv": list(words), "moment": moment, "out": out}
            for words, moment, out in zip(commands, moments, outs, strict=True)
        ]
        together = TOGETHER if hour is None else 1
        load = sorted({words[0] for words in commands if not words[0].startswith("-")})
        lines = json.dumps({"load": load, "together": together, "jobs": jobs}) + "\n"
        started = self._start("commands", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # A command that opens the database while another is the last to leave it finds no file that it wants to close.
        with closing(sqlite3.connect(self.home / "etalon.db")) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            if "done" not in started.communicate(lines)[0]:
                raise RuntimeError(f"the commands of {self.checkout} did not end")

    @contextmanager
    def serving(self, moment: str) -> Iterator[str]:
        """Run the server for as long as this lasts; gives where it is."""
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        with (self.home / "log").open("w") as log:
            server = self._start("serve", moment, stdout=log, stderr=log, port=port)
            try:
                until = time.monotonic() + LONGEST_START
                while not answers(address):
                    if server.poll() is not None or time.monotonic() > until:
                        raise RuntimeError(f"the server does not answer:\n{(self.home / 'log').read_text()}")
                    time.sleep(0.3)
                yield address
            finally:
                server.terminate()
                server.wait()

    def _start(self, *words: str, port: int = 7860, **how: Any) -> "subprocess.Popen[str]":
        settings = {
            "ETALON_HOME": str(self.home),
            "ETALON_SECRET": SECRET,
            "ETALON_OWNER_PASSWORD": PASSWORD,
            "ETALON_PUBLIC_URL": "http://127.0.0.1:7860",
            "ETALON_PORT": str(port),
            "ETALON_REQUEST_SECONDS": "900",
            "COLUMNS": "120",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        others = {key: value for key, value in os.environ.items() if not key.startswith(OURS)}
        command = [sys.executable, str(HERE / "same_process.py"), str(self.checkout), *words]
        return subprocess.Popen(command, cwd=self.said, env=others | settings, text=True, **how)


def answers(address: str) -> bool:
    """Tell whether a server answers there."""
    try:
        return httpx2.get(f"{address}/login", trust_env=False).is_success
    except httpx2.TransportError:
        return False


if __name__ == "__main__":
    main()
