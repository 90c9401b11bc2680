"""The words of bAbI's small world in Russian: every form that a sentence needs is declared, none is guessed."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

GENDERS = ("masculine", "feminine", "neuter")


@dataclass(frozen=True)
class StoryPerson:
    """Somebody: the name in the nominative and the dative, the gender of verbs."""

    name: str
    gender: str
    dative: str


@dataclass(frozen=True)
class Thing:
    """Something that may be carried."""

    name: str
    gender: str
    accusative: str


@dataclass(frozen=True)
class Direction:
    """A quarter of the compass, its dative and the quarter opposite."""

    name: str
    dative: str
    opposite: str


@dataclass(frozen=True)
class StoryPlace:
    """A part of the house; `preposition` goes with the accusative (where to) and the prepositional (where)."""

    name: str
    genitive: str
    accusative: str
    prepositional: str
    preposition: str
    others: tuple[str, ...] = ()

    @property
    def into(self) -> str:
        """Where somebody goes to: "на кухню"."""
        return f"{self.preposition} {self.accusative}"

    @property
    def within(self) -> str:
        """Where somebody is: "на кухне"."""
        return f"{self.preposition} {self.prepositional}"

    @property
    def where(self) -> tuple[str, ...]:
        """What answers the question where, the best first: with the preposition, and in every case without it."""
        bare = (self.name, self.prepositional, self.accusative)
        return tuple(dict.fromkeys((self.within, *bare, *self.others)))

    @property
    def beyond(self) -> tuple[str, ...]:
        """What answers "north of what", the best first."""
        return (self.genitive, f"от {self.genitive}", self.name)


@dataclass(frozen=True)
class Words:
    """The vocabulary: who and what there is, verbs by gender, patterns of sentences and questions."""

    people: tuple[StoryPerson, ...]
    places: tuple[StoryPlace, ...]
    things: tuple[Thing, ...]
    directions: Mapping[str, Direction]
    verbs: Mapping[str, tuple[str, ...]]
    sentences: Mapping[str, tuple[str, ...]]
    questions: Mapping[str, str]

    def verb(self, kind: str, gender: str, random: Random | None = None) -> str:
        """Return the form of a verb of this kind for a gender: the first of the kind, or one by chance."""
        forms = random.choice(self.verbs[kind]) if random else self.verbs[kind][0]
        return forms.split("|")[GENDERS.index(gender)]

    def sentence(self, kind: str, random: Random, **parts: str) -> str:
        """Return a sentence of this kind, in one of its patterns by chance, with a capital letter at its head."""
        text = random.choice(self.sentences[kind]).format(**parts)
        return text[0].upper() + text[1:]

    def question(self, kind: str, **parts: str) -> str:
        """Return the question of this kind."""
        return self.questions[kind].format(**parts)


@cache
def vocabulary() -> Words:
    """Return the words that `babilong.toml` declares."""
    words: dict[str, Any] = tomllib.loads((Path(__file__).parent / "babilong.toml").read_text("utf8"))
    return Words(
        people=tuple(StoryPerson(**person) for person in words["person"]),
        places=tuple(StoryPlace(**{**place, "others": tuple(place.get("others", ()))}) for place in words["place"]),
        things=tuple(Thing(**thing) for thing in words["thing"]),
        directions={direction["name"]: Direction(**direction) for direction in words["direction"]},
        verbs={kind: tuple(forms) for kind, forms in words["verbs"].items()},
        sentences={kind: tuple(patterns) for kind, patterns in words["sentences"].items()},
        questions=words["questions"],
    )
