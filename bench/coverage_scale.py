"""Recovery and coverage of abilities and difficulties on one scale, suspects false and found: tables of coverage.py.

Every study draws respondents and items anew from normal populations; the truth is relative to the mean ability of the
respondents in it, as the scale is.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from bench.coverage_paired import Row
from eval.arrays import Floats
from eval.item_response.item_fit import item_fit
from eval.item_response.one_parameter import one_parameter
from eval.item_response.scored_responses import ScoredResponses

FLIPPED = 0.05


@dataclass(frozen=True)
class Test:
    """So many respondents, each asked a share of the items; how steeply items tell apart varies by `steepness`."""

    respondents: int
    items: int
    asked: float = 1.0
    steepness: float = 0.0

    @property
    def words(self) -> str:
        steep = f", slopes ± {self.steepness:g}" if self.steepness else ""
        return f"{self.respondents} respondents, {self.items} items, {self.asked:.0%} asked{steep}"

    def study(self, generator: np.random.Generator, flipped: float = 0.0) -> tuple[Floats, Floats, ScoredResponses]:
        """Abilities and difficulties, then the answers, with the first items' right answers turned round."""
        ability, difficulty = generator.normal(size=self.respondents), generator.normal(0, 1.2, size=self.items)
        slope = np.exp(self.steepness * generator.normal(size=self.items))
        chance = expit(slope * (ability[:, None] - difficulty))
        wrong = round(flipped * self.items)
        chance[:, :wrong] = 1 - chance[:, :wrong]
        right = (generator.random(chance.shape) < chance).astype(float)
        right[generator.random(right.shape) >= self.asked] = np.nan
        names = tuple(map(str, range(self.respondents))), tuple(map(str, range(self.items)))
        return ability - ability.mean(), difficulty - ability.mean(), ScoredResponses(*names, right)


WORLDS = (Test(90, 1000), Test(90, 150), Test(20, 100, 0.7), Test(8, 60), Test(60, 300, 0.2), Test(90, 150, 1, 0.3))


def of_scales(studies: int) -> Iterator[Row]:
    """Yield how well abilities and difficulties are recovered, and how often their intervals hold the truth."""
    for world in WORLDS:
        number = studies if world.items < 1000 else studies // 4
        generator, found = np.random.default_rng(1), []
        for _ in range(number):
            ability, difficulty, responses = world.study(generator)
            scale = one_parameter(responses)
            apart = np.abs(scale.ability - ability), np.abs(scale.difficulty - difficulty)
            found.append(
                (
                    np.corrcoef(scale.ability, ability)[0, 1],
                    (apart[0] < 1.96 * scale.ability_error).mean(),
                    np.corrcoef(scale.difficulty, difficulty)[0, 1],
                    (apart[1] < 1.96 * scale.difficulty_error).mean(),
                )
            )
        like, held, alike, kept = np.array(found).T
        yield world.words, f"{like.mean():.3f}", _share(held), f"{alike.mean():.3f}", _share(kept)


def of_suspects(studies: int) -> Iterator[Row]:
    """Yield how often any item is a suspect where none is wrong, and how many of the wrong ones are found."""
    for world in WORLDS[1:]:
        generator, found = np.random.default_rng(2), []
        for _ in range(studies):
            _, _, plain = world.study(generator)
            false = len(item_fit(plain, one_parameter(plain)).suspects) > 0
            _, _, wrong = world.study(generator, FLIPPED)
            fit, number = item_fit(wrong, one_parameter(wrong)), round(FLIPPED * world.items)
            first = np.argsort(fit.slope)[: world.items // 10]
            among = (first < number).sum() / number
            found.append((false, among, (fit.suspects < number).sum() / number))
        yield world.words, *(_share(each) for each in np.array(found, dtype=float).T)


def _share(held: Floats) -> str:
    """A mean in per cent with its own Monte Carlo error: what belongs to one study goes together."""
    return f"{100 * held.mean():.1f} ±{196 * held.std() / len(held) ** 0.5:.1f}"
