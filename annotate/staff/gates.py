"""How often a control rule stops whom: what the page that sets the rule shows before anybody is paid."""

from dataclasses import dataclass

import numpy as np

from annotate.rules.looks import tester
from db.rules import ControlRule
from eval.control_rules import ControlRule as Test
from eval.control_rules import ever_stopped

SIMULATED = 20_000
GOOD = 0.9


@dataclass(frozen=True)
class Gate:
    """After so many `controls`: the share of random guessers who still work, and of workers with GOOD who do not."""

    controls: int
    guesser_passes: float
    good_stopped: float


@dataclass(frozen=True)
class Gates:
    """A control rule by the numbers of controls. `chance` is a guesser's accuracy, `limit` what the rule asks for.

    `about`: with a window the shares are simulated (20,000 workers, seeded), else exact. Without `rows` the rule can
    tell nobody apart.
    """

    chance: float
    limit: float
    rows: tuple[Gate, ...]
    about: bool


def gates(rule: ControlRule, chance: float, *, met: int = 0) -> Gates:
    """Return what a rule does that looks after every control; `met` is how many a worker of the study meets."""
    test = tester(rule, chance)
    if test is None:
        return Gates(chance, rule.good, (), False)
    numbers = sorted({rule.minimum, 10, 20, 40} | ({met} if 0 < met <= 200 else set()))
    numbers = [number for number in numbers if number >= rule.minimum]
    rows = [
        Gate(number, 1 - _stopped(test, rule.window, chance, number), _stopped(test, rule.window, GOOD, number))
        for number in numbers
    ]
    return Gates(chance, test.limit, tuple(rows), rule.window is not None and rule.window < max(numbers))


def _stopped(test: Test, window: int | None, accuracy: float, controls: int) -> float:
    """Return how often a worker of this accuracy is stopped within so many controls."""
    if window is None or controls <= window:
        return ever_stopped(test, accuracy, controls)
    right = np.random.default_rng(controls).random((SIMULATED, controls)) < accuracy
    sums = np.concatenate([np.zeros((SIMULATED, 1), dtype=np.int64), right.cumsum(axis=1)], axis=1)
    stopped = np.zeros(SIMULATED, dtype=bool)
    for given in range(1, controls + 1):
        last = min(window, given)
        fails = test.stops(np.arange(last + 1), np.full(last + 1, last))
        stopped |= fails[sums[:, given] - sums[:, given - last]]
    return float(stopped.mean())
