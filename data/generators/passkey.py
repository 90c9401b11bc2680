"""Passkey: a number said once, somewhere in a long text that has nothing to do with it."""

from collections.abc import Collection, Iterator
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any

from data.generators.generator import Record
from data.generators.haystack import Background, insert_facts, leading, read_book, sentences, words_in

QUESTION = "Какой ключ доступа указан в тексте?"
LINE = "Запомните: ключ доступа — {key}."
PUBLISHED_LINE = "Ключ доступа — {key}. Запомните его: {key} — это ключ доступа."
PUBLISHED_NOISE = "Снег белый. Ночь тёмная. Печь горячая. Пора в путь, а потом снова домой. "
KEYS = (10_000, 99_999)


def passkey(
    random: Random, words: int, *, background: Background = sentences, taken: Collection[str] = frozenset()
) -> Record:
    """Return a record of at most `words` words whose key is said once, in a text drawn from a grammar.

    `background` gives other text instead, in which the numbers `taken` occur: no key is one of them.
    """
    return _hidden(random, words, LINE, background, taken)


def published_passkey(random: Random, words: int) -> Record:
    """Return a record as the published set has them: a short stretch repeated, and a key that is said twice.

    That is the recipe of LongLLaMA's `examples/utils/landmark_prompt.py`, which LIBRA (section 3.4) took over; the
    words are our own, and no sentence is cut.
    """
    return _hidden(random, words, PUBLISHED_LINE, _noise)


def stretches_of(book: Path) -> dict[str, Any]:
    """Return a book as `passkey` takes it, which hides keys in stretches of it; raises BadFile."""
    book_text = read_book(book)
    return {"background": book_text, "taken": book_text.numbers}


def _noise(random: Random) -> Iterator[str]:  # noqa: ARG001  (every background takes a source of chance)
    return repeat(PUBLISHED_NOISE)


def _hidden(
    random: Random, words: int, line: str, background: Background, taken: Collection[str] = frozenset()
) -> Record:
    """Return a record whose key stands at a depth drawn uniformly; the key and the depth do not depend on `words`."""
    key, depth = str(random.randint(*KEYS)), random.random()
    while key in taken:
        key = str(random.randint(*KEYS))
    said = line.format(key=key)
    parts = leading(background(Random(f"{key} {words}")), words - words_in(said))
    return {
        "context": insert_facts([said], [depth], parts),
        "input": QUESTION,
        "positive_outputs": [key],
        "negative_outputs": [],
        "depth": round(depth, 3),
    }
