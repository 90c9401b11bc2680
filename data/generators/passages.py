"""Passages of science: how many different paragraphs there are, and which one a short description fits."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random

from data.errors import BadSetting
from data.generators.abstracts import FACTS, MOST_NEUTRAL, InventedStudy, paragraph, random_study, studies, summary
from data.generators.generator import Record
from data.generators.haystack import words_in
from data.generators.needle_placement import fitting, put_at

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
