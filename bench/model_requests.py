"""CPU, rate, memory and start-up of asking a model, beside other programs against the same local server.

python bench/model_requests.py --openai PYTHON --inspect PYTHON --lm-eval PYTHON

Each PYTHON is that of an environment in which the other program is installed (`make bench-models` makes them); what is
not given is left out. Every program asks the same number of questions, 50 at a time, of a server that takes 200 ms
(`--after 0`: one that replies at once, where the rate says nothing).
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.model_askers import PROMPT, script

ROOT = Path(__file__).parent.parent
AT_ONCE = 50
SERVER = """
import sys, time
from tests.helpers.model_server import ModelServer, Say
with ModelServer(lambda _: Say("1", after=float(sys.argv[1]))) as server:
    print(server.base_url, flush=True)
    sys.stdin.read()
"""
GOALS = "goals: CPU <= 0.6 ms a request and half of bare openai's, >= 0.90 of the ideal rate, peak <= 150 MB"


def main(
    openai: Annotated[str | None, typer.Option(help="Python with openai[aiohttp].")] = None,
    inspect: Annotated[str | None, typer.Option(help="Python with inspect-ai and openai.")] = None,
    lm_eval: Annotated[str | None, typer.Option(help="Python with lm-eval[api].")] = None,
    number: Annotated[int, typer.Option(help="Questions of each program.")] = 1000,
    rounds: Annotated[int, typer.Option(help="How often each program runs, by turns.")] = 3,
    after: Annotated[float, typer.Option(help="Seconds that a reply takes.")] = 0.2,
) -> None:
    """Print one row for each program: medians over the rounds, and how many times ours they are."""
    pythons = {"ours": sys.executable, "openai": openai, "inspect": inspect, "lm_eval": lm_eval}
    found: dict[str, list[dict[str, float]]] = {}
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(after)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout
        address = server.stdout.readline().strip()
        for _ in range(rounds):
            for name, python in pythons.items():
                if python:
                    found.setdefault(name, []).append(measured(name, python, address, number))
    finally:
        server.communicate()
    print(table(found, number, after))
    print(GOALS)
    for name, python in pythons.items():
        if not python:
            print(f"{name}: left out, no environment of it was given (make bench-models)")


def measured(name: str, python: str, address: str, number: int) -> dict[str, float]:
    """Return what one process of a program says of itself; raises where it did not answer everything."""
    with tempfile.TemporaryDirectory() as folder:
        program = [str(Path(python).absolute()), "-c", script(name)]
        command = [*program, address, str(number), str(AT_ONCE), str(time.time()), PROMPT]
        environment = os.environ | ({"PYTHONPATH": str(ROOT)} if name == "ours" else {})
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name} failed:\n{done.stderr[-3000:]}")
    told: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return told


def table(found: dict[str, list[dict[str, float]]], number: int, after: float) -> str:
    """Return the medians as Markdown."""
    middle = {
        name: {key: statistics.median(one[key] for one in told) for key in told[0]} for name, told in found.items()
    }
    ours = middle["ours"]
    rows = ["| program | CPU a request, ms | x ours | of the ideal rate | peak, MB | start-up, s |", "|---" * 6 + "|"]
    ideal = number / AT_ONCE * after
    for name, one in middle.items():
        cpu = 1000 * one["cpu"] / number
        rows.append(
            f"| {name} | {cpu:.2f} | {one['cpu'] / ours['cpu']:.2f} | {ideal / one['seconds']:.2f} | "
            f"{one['peak']:.0f} | {one['startup']:.1f} |"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    typer.run(main)
