"""ruBABILong: the facts of a small story hidden, in their order, in a text that has nothing to do with them."""

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from random import Random

from data.errors import BadFile, BadSetting
from data.generators.babilong_stories import Story, beside, giving_story, where_before, where_person, where_thing
from data.generators.babilong_words import vocabulary
from data.generators.generator import Generator, Record
from data.generators.haystack import Background, ended, leading, read_book, sentences, words_in

STORIES: dict[str, Callable[[Random], Story]] = {
    "babilong_qa1": where_person,
    "babilong_qa2": where_thing,
    "babilong_qa3": where_before,
    "babilong_qa4": beside,
    "babilong_qa5": giving_story,
}
"""The kind of story of each generator, in the order of the first five tasks of bAbI (Weston et al., 2016)."""


def hidden(
    tell: Callable[[Random], Story], random: Random, words: int, *, background: Background = sentences
) -> Record:
    """Return a record of at most `words` words; facts keep their order, their depths are drawn uniformly.

    That is the recipe of BABILong (Kuratov et al., 2024). The story and the depths do not depend on `words`.
    `supporting` are the facts that the answer follows from. Raises BadSetting where the facts alone are longer.
    """
    story = tell(random)
    depths = sorted(random.random() for _ in story.facts)
    room = words - sum(map(words_in, story.facts))
    if room < 0:
        raise BadSetting(
            f"--lengths: {words} words have no room for {words - room} words of facts; ask for longer texts"
        )
    noise = leading(background(Random(f"{random.random()} {words}")), room)
    return {
        "context": insert_facts(story.facts, depths, noise),
        "input": story.question,
        "positive_outputs": list(story.answers),
        "negative_outputs": [],
        "supporting": [story.facts[number] for number in story.supporting],
    }


def insert_facts(facts: Sequence[str], depths: Sequence[float], noise: Sequence[str]) -> str:
    """Return a text of noise with every fact at its depth (0 to 1, rising), where a sentence ends or at the head."""
    ends = list(accumulate(map(words_in, noise)))
    total = ends[-1] if ends else 0
    parts = list(noise)
    for fact, depth in reversed(list(zip(facts, depths, strict=True))):
        place = bisect(ends, depth * total)
        while place and not ended(noise[place - 1]):
            place -= 1
        parts.insert(place, f"{fact} ")
    return "".join(parts).strip()


def hidden_in(tell: Callable[[Random], Story], book: Path) -> Generator:
    """Return the generator that hides stories in stretches of a book, as ruBABILong does; raises BadFile.

    Sentences of the book that name somebody or something of the small world are left out: only facts tell of them.
    """
    book_text = read_book(book)
    unnamed = tuple(part for sentence in _by_sentence(book_text.stretches) if not _named(sentence) for part in sentence)
    if not unnamed:
        raise BadFile(f"{book.name}: every sentence names a person or a thing of the facts; give another book")
    return Generator(partial(hidden, tell, background=replace(book_text, stretches=unnamed)))


def _by_sentence(stretches: Iterable[str]) -> Iterator[list[str]]:
    """Yield the stretches of every sentence."""
    sentence: list[str] = []
    for part in stretches:
        sentence.append(part)
        if ended(part):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _named(sentence: Iterable[str]) -> bool:
    """Whether a sentence names a person, a thing or a quarter of the compass in a form that facts use."""
    words = vocabulary()
    forms = {form for person in words.people for form in (person.name, person.dative)}
    forms |= {form for thing in words.things for form in (thing.name, thing.accusative)}
    forms |= {direction.dative for direction in words.directions.values()}
    return not {form.lower() for form in forms}.isdisjoint(re.findall(r"\w+", "".join(sentence).lower()))


BABILONG = {
    name: Generator(partial(hidden, tell), made_from={"background": partial(hidden_in, tell)})
    for name, tell in STORIES.items()
}
"""The generators of the five tasks, by their names."""
