"""Invented abstracts of research in Russian: five facts each, in a paragraph, or in one sentence in other words."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

FACTS = ("subject", "outcome", "factor", "place", "method")
MIDDLE = ("place", "method", "factor")
MOST_NEUTRAL = 3
"""How many sentences that tell no fact a paragraph has at most."""


@dataclass(frozen=True)
class InventedStudy:
    """What an abstract tells: a field of research, and for each of FACTS the number of one of the field's facts."""

    field: int
    facts: tuple[int, ...]

    def neighbour(self, fact: int, random: Random) -> "InventedStudy":
        """Return a study that differs in this one of the facts only."""
        values = range(len(fields()[self.field][FACTS[fact]]))
        other = random.choice([value for value in values if value != self.facts[fact]])
        return replace(self, facts=(*self.facts[:fact], other, *self.facts[fact + 1 :]))

    def words(self, telling: int) -> dict[str, str]:
        """Return the words of each fact: as the abstract has them (0), or as the summary does (1)."""
        own = fields()[self.field]
        return {name: own[name][value].split("|")[telling] for name, value in zip(FACTS, self.facts, strict=True)}


def random_study(random: Random) -> InventedStudy:
    """Return a study by chance; there are tens of thousands of them."""
    field = random.randrange(len(fields()))
    return InventedStudy(field, tuple(random.randrange(len(fields()[field][name])) for name in FACTS))


def studies(random: Random) -> Iterator[InventedStudy]:
    """Yield studies by chance without end."""
    while True:
        yield random_study(random)


def paragraph(study: InventedStudy, random: Random, neutral: int = MOST_NEUTRAL) -> str:
    """Return an abstract: its aim, then where, how and why in any order, with up to `neutral` sentences between."""
    words = study.words(0)
    facts = [random.choice(patterns()[part]) for part in random.sample(MIDDLE, len(MIDDLE))]
    for sentence in random.sample(patterns()["neutral"], random.randint(0, neutral)):
        facts.insert(random.randint(0, len(facts)), sentence)
    return " ".join([random.choice(patterns()["aim"]), *facts]).format(**words)


def summary(study: InventedStudy, random: Random) -> str:
    """Return one sentence that tells all facts of a study in other words; it begins with "Описывает"."""
    return random.choice(patterns()["summary"]).format(**study.words(1))


@cache
def fields() -> tuple[Mapping[str, Sequence[str]], ...]:
    """Return the fields of research with their facts, each "as in the abstract|as in the summary"."""
    return tuple(_grammar()["field"])


def patterns() -> Mapping[str, Sequence[str]]:
    """Return the sentences that take the facts, by what they tell, and those that tell nothing (`neutral`)."""
    return _grammar()


@cache
def _grammar() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "abstracts.toml").read_text("utf8"))
