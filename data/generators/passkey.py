"""Passkey: a number said once, somewhere in a long text that has nothing to do with it."""

from collections.abc import Iterator
from itertools import accumulate, repeat
from random import Random

from data.generators.base import Record
from data.generators.filler import sentences, words_in

QUESTION = "Какой ключ доступа указан в тексте?"
LINE = "Запомните: ключ доступа — {key}."
PUBLISHED_LINE = "Ключ доступа — {key}. Запомните его: {key} — это ключ доступа."
PUBLISHED_NOISE = "Снег белый. Ночь тёмная. Печь горячая. Пора в путь, а потом снова домой. "
KEYS = (10_000, 99_999)


def passkey(random: Random, words: int) -> Record:
    """Return a record of at most `words` words whose key is said once, in a text drawn from a grammar."""
    return _hidden(random, words, LINE)


def published_passkey(random: Random, words: int) -> Record:
    """Return a record as the published set has them: a short stretch repeated, and a key that is said twice.

    That is the recipe of LongLLaMA's `examples/utils/landmark_prompt.py`, which LIBRA (section 3.4) took over; the
    words are our own, and no sentence is cut.
    """
    return _hidden(random, words, PUBLISHED_LINE, noise=repeat(PUBLISHED_NOISE))


def _hidden(random: Random, words: int, line: str, noise: Iterator[str] | None = None) -> Record:
    """Return a record whose key stands at a depth drawn uniformly; the key and the depth do not depend on `words`."""
    key, depth = str(random.randint(*KEYS)), random.random()
    said = line.format(key=key)
    parts = _filled(noise or sentences(Random(f"{key} {words}")), words - words_in(said))
    ends = list(accumulate(map(words_in, parts)))
    place = sum(end <= depth * ends[-1] for end in ends)
    return {
        "context": "".join([*parts[:place], f"{said} ", *parts[place:]]).strip(),
        "input": QUESTION,
        "positive_outputs": [key],
        "negative_outputs": [],
        "depth": round(depth, 3),
    }


def _filled(noise: Iterator[str], words: int) -> list[str]:
    """Return stretches of noise up to the last that still fits into so many words."""
    parts: list[str] = []
    for part in noise:
        words -= words_in(part)
        if words < 0:
            break
        parts.append(part)
    return parts
