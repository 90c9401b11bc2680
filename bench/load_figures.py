"""The figures of a load and the table they are printed in, each beside the floor of the same run and the goal."""

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from bench.load_browser import Tally
from bench.load_servers import Site
from data.tables import aligned

LATENCY_GOAL, LATENCY_RATIO_GOAL = 10.0, 4.0  # ms, times the floor
RATE_GOAL, RATE_RATIO_GOAL = 500.0, 0.35  # answers per second, share of the floor
CPU_GOAL, CPU_RATIO_GOAL = 2.0, 4.4  # ms per answer, times the floor: it took 0.45 where the goal was set
SATURATED = 0.85  # of one core: the client itself may be what is waited for


@dataclass(frozen=True)
class Figures:
    """One stretch of load. Latencies in ms, rates per second, CPU in ms per answer.

    `client`: share of one core that the program of the people used itself.
    """

    answers: int
    seconds: float
    p50: float
    p95: float
    p99: float
    cpu: float
    database_cpu: float
    client: float

    @property
    def rate(self) -> float:
        return self.answers / self.seconds if self.seconds else 0.0

    @property
    def all_cpu(self) -> float:
        return self.cpu + self.database_cpu


@dataclass
class Stretch:
    """What was measured in one part of a run, or in several that belong together. Times in seconds."""

    latencies: list[float] = field(default_factory=list)
    seconds: float = 0.0
    servers: float = 0.0
    database: float = 0.0
    client: float = 0.0

    def figures(self) -> Figures:
        if not self.latencies:
            raise RuntimeError("not one answer arrived; give the run more --seconds")
        answers = len(self.latencies)
        p50, p95, p99 = (float(value) * 1000 for value in np.percentile(self.latencies, (50, 95, 99)))
        servers, database = (1000 * one / answers for one in (self.servers, self.database))
        return Figures(answers, self.seconds, p50, p95, p99, servers, database, self.client / self.seconds)


def client_cpu() -> float:
    """The CPU seconds that this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@contextmanager
def measuring(stretch: Stretch, tally: Tally, site: Site) -> Iterator[None]:
    """Add what happens inside to a stretch: the answers that came back, the time, the CPU of everybody."""
    tally.latencies.clear()
    servers, database = site.cpu()
    begun, mine = time.monotonic(), client_cpu()
    yield
    stretch.seconds += time.monotonic() - begun
    stretch.client += client_cpu() - mine
    after = site.cpu()
    stretch.servers += after[0] - servers
    stretch.database += after[1] - database
    stretch.latencies += tally.latencies


def crowd_table(ours: Figures, floor: Figures) -> str:
    """People who think: latency and CPU per answer."""
    rows = [
        row(name, getattr(ours, field), getattr(floor, field), "")
        for name, field in (("act p50, ms", "p50"), ("act p95, ms", "p95"), ("act p99, ms", "p99"))
    ]
    rows[1][-1] = ", ".join(
        (
            verdict(f"<= {LATENCY_GOAL:g}", ours.p95 <= LATENCY_GOAL),
            verdict(f"<= {LATENCY_RATIO_GOAL:g}x", ours.p95 <= LATENCY_RATIO_GOAL * floor.p95),
        )
    )
    rows += [
        row("server CPU per answer, ms", ours.cpu, floor.cpu, ""),
        row("with the database server, ms", ours.all_cpu, floor.all_cpu, ""),
        row("answers per second", ours.rate, floor.rate, "as the think time allows"),
        row("client, share of a core", ours.client, floor.client, ""),
    ]
    rows[4][-1] = ", ".join(
        (
            verdict(f"<= {CPU_GOAL:g}", ours.all_cpu <= CPU_GOAL),
            verdict(f"<= {CPU_RATIO_GOAL:g}x", ours.all_cpu <= CPU_RATIO_GOAL * floor.cpu),
        )
    )
    return aligned(["people who think", "ours", "floor", "ratio", "goal"], rows)


def rush_table(ours: Figures, floor: Figures) -> str:
    """No think time: how many answers a second, and what each costs. Says so where the client was the limit."""
    rows = [
        row("answers per second", ours.rate, floor.rate, ""),
        row("act p50, ms", ours.p50, floor.p50, ""),
        row("act p95, ms", ours.p95, floor.p95, ""),
        row("CPU per answer, all servers, ms", ours.all_cpu, floor.all_cpu, ""),
        row("client, share of a core", ours.client, floor.client, ""),
    ]
    rows[0][-1] = ", ".join(
        (
            verdict(f">= {RATE_GOAL:g}", ours.rate >= RATE_GOAL),
            verdict(f">= {RATE_RATIO_GOAL:g}x", ours.rate >= RATE_RATIO_GOAL * floor.rate),
        )
    )
    limited = [name for name, one in (("ours", ours), ("floor", floor)) if one.client > SATURATED]
    note = f"the client was the limit of: {', '.join(limited)}; there the CPU row says more than the rate"
    return aligned(["no think time", "ours", "floor", "ratio", "goal"], rows) + (f"\n{note}" if limited else "")


def row(name: str, ours: float, floor: float, goal: str) -> list[str]:
    return [name, f"{ours:.2f}", f"{floor:.2f}", f"{ours / floor:.2f}" if floor else "-", goal]


def verdict(goal: str, reached: bool) -> str:
    return f"{goal}: {'reached' if reached else 'MISSED'}"
