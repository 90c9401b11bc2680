"""Passages of science: how many different paragraphs there are, and which one a short description fits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from random import Random

from data.errors import BadSetting
from data.generators.generator import Record
from data.generators.haystack import fitting, put_at, words_in, words_of

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


def fields() -> Sequence[Mapping[str, Sequence[str]]]:
    """Return the fields of research with their facts, each "as in the abstract|as in the summary"."""
    declared: Sequence[Mapping[str, Sequence[str]]] = words_of("abstracts")["field"]
    return declared


def patterns() -> Mapping[str, Sequence[str]]:
    """Return the sentences that take the facts, by what they tell, and those that tell nothing (`neutral`)."""
    return words_of("abstracts")


HOW_MANY = "Сколько в тексте уникальных параграфов?"
LABEL, OPEN = "Параграф", "№"
TOO_SHORT = "--lengths: so short a text has no room for two different paragraphs; ask for 500 tokens or more"
REPEATS = (1, 5)
"""How many times more the repeated paragraph stands there, least and most."""
SHARE = 0.6
"""Which share of a short text the copies of one paragraph may take, so that others have room."""
SHORT = 400
"""Words of a text below which the repeated paragraph tells its facts only."""


def count(random: Random, words: int) -> Record:
    """Return a record whose answer is the number of different paragraphs; one of them stands there several times.

    That is LIBRA's recipe (section 3.4): one paragraph and how often it is repeated are drawn, others fill the text up,
    all are shuffled. Only the answer depends on `words`. Raises BadSetting.
    """
    repeated, wanted = random_study(random), 1 + random.randint(*REPEATS)
    text = labelled(paragraph(repeated, random, MOST_NEUTRAL if words > SHORT else 0))
    copies = max(2, min(wanted, int(words * SHARE / words_in(text))))
    filling = Random(f"{repeated} {wanted} {words}")
    others = fitting(_paragraphs((), {repeated}, filling), words - copies * words_in(text))
    if not others:
        raise BadSetting(TOO_SHORT)
    parts = [text] * copies + others
    filling.shuffle(parts)
    return {
        "context": numbered(parts),
        "input": HOW_MANY,
        "positive_outputs": [str(1 + len(others))],
        "negative_outputs": [],
        "copies": copies,
    }


def retrieval(random: Random, words: int) -> Record:
    """Return a record whose answer is the number of the only paragraph that tells all facts of a short description.

    For each fact another paragraph differs in that one alone, as long as there is room; the rest are drawn by chance.
    The description and the depth of its paragraph do not depend on `words`. Raises BadSetting.
    """
    asked, depth = random_study(random), random.random()
    description, own = summary(asked, random), labelled(paragraph(asked, random))
    near = [asked.neighbour(fact, random) for fact in random.sample(range(len(FACTS)), len(FACTS))]
    filling = Random(f"{asked} {depth} {words}")
    others = fitting(_paragraphs(near, {asked}, filling), words - words_in(own))
    if not others:
        raise BadSetting(TOO_SHORT)
    filling.shuffle(others)
    parts = put_at(depth, own, others)
    return {
        "context": numbered(parts),
        "input": description,
        "positive_outputs": [str(1 + parts.index(own))],
        "negative_outputs": [],
        "depth": round(depth, 3),
    }


def labelled(text: str) -> str:
    """Return a paragraph with its label before it, whose number is still open."""
    return f"{LABEL} {OPEN}: {text}"


def numbered(parts: Sequence[str]) -> str:
    """Return the labelled paragraphs with their numbers from 1, a blank line between them."""
    return "\n\n".join(part.replace(OPEN, str(number), 1) for number, part in enumerate(parts, 1))


def _paragraphs(first: Iterable[InventedStudy], known: set[InventedStudy], random: Random) -> Iterator[str]:
    """Yield labelled paragraphs about different studies without end, none of them `known`."""
    for study in chain(first, studies(random)):
        if study not in known:
            known.add(study)
            yield labelled(paragraph(study, random))
