"""Background text, from a small grammar of Russian or a book of the user's, and how a text is put together of parts."""

import re
import tomllib
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, count
from pathlib import Path
from random import Random
from typing import Any

from data.errors import BadFile
from data.files.text_files import read_text

Scene = Mapping[str, Sequence[str]]
GENDERS = ("masculine", "feminine", "plural")
PATTERNS = (
    "{when} {kind} {who} {does}.",
    "{where} {who} {does}.",
    "{when} {where} {who} {does}, {ends}.",
    "{kind} {who} {does}, {ends}.",
    "{kind} {who} {where} {does}.",
)
PARAGRAPH = (4, 8)
"""How many sentences a paragraph has, least and most."""


def sentences(random: Random) -> Iterator[str]:
    """Yield sentences without end, each with what follows it: a space, or a line end where its paragraph ends.

    The sentences of a paragraph are of one scene; the grammar holds hundreds of thousands of them.
    """
    while True:
        scene = random.choice(scenes())
        length = random.randint(*PARAGRAPH)
        for place in range(length):
            yield sentence(scene, random) + ("\n" if place == length - 1 else " ")


def sentence(scene: Scene, random: Random) -> str:
    """Return one sentence of a scene, its subject and its verb in the same gender and number."""
    form = random.randrange(len(GENDERS))
    parts = {name: random.choice(scene[name]) for name in ("when", "where", "ends")}
    parts |= {name: random.choice(scene[name]).split("|")[form] for name in ("kind", "does")}
    text = random.choice(PATTERNS).format(who=random.choice(scene[GENDERS[form]]), **parts)
    return text[0].upper() + text[1:].lower()  # a part may stand anywhere


@cache
def words_of(name: str) -> dict[str, Any]:
    """Return what the TOML file of that name in this folder declares."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text("utf8"))


def scenes() -> Sequence[Scene]:
    """Return the scenes of the grammar."""
    declared: Sequence[Scene] = words_of("scenes")["scene"]
    return declared


def words_in(text: str) -> int:
    """Return how many words a text has: what stands between white space."""
    return len(text.split())


STOP = r"[.!?…]++[»”\")\]]*+"
SENTENCE = re.compile(rf"\S(?:[^.!?…\n]++|(?!{STOP}\s)[.!?…]++|\n(?!\s*\n))*+(?:{STOP}\s+|\n\s*\n|\Z)")
STRETCH = re.compile(r"(?:\S+\s+){1,30}|\S+\Z")
"""What a sentence of more than thirty words is cut into."""
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Book:
    """A text as stretches of at most thirty words, each with the white space behind it, and the numbers it names.

    It is a background: calling it yields its stretches without end, from the beginning of some sentence on.
    """

    stretches: tuple[str, ...]
    numbers: frozenset[str]

    def __call__(self, random: Random) -> Iterator[str]:
        """Yield stretches without end, the first again after the last."""
        starts = [place for place in range(len(self.stretches)) if ended(self.stretches[place - 1])]
        return (self.stretches[place % len(self.stretches)] for place in count(random.choice(starts or [0])))


def ended(part: str) -> bool:
    """Whether a sentence or a paragraph ends with this stretch."""
    words = part.rstrip()
    gap = part[len(words) :]
    return "\n" in gap or bool(gap and words.rstrip('»”")]').endswith(tuple(".!?…")))


def read_book(path: Path) -> Book:
    """Return a plain text file as a background; raises BadFile where it has no words or is no UTF-8."""
    text = read_text(path).replace("\r\n", "\n").strip()
    if not text:
        raise BadFile(f"{path.name}: there is not one word in it; give a book or another long text")
    sentences = SENTENCE.findall(f"{text}\n")
    return Book(
        tuple(part for sentence in sentences for part in STRETCH.findall(sentence)), frozenset(NUMBER.findall(text))
    )


Background = Callable[[Random], Iterator[str]]
"""Text without end from a source of chance, sentence by sentence, each with the white space behind it."""
MISFITS = 40


def leading(parts: Iterable[str], words: int) -> list[str]:
    """Return the parts of a running text up to the last that still fits into so many words."""
    chosen: list[str] = []
    for part in parts:
        words -= words_in(part)
        if words < 0:
            break
        chosen.append(part)
    return chosen


def fitting(parts: Iterable[str], words: int) -> list[str]:
    """Return the parts, none twice, that fit into so many words, in their order; what does not fit is passed over.

    The end is near where MISFITS parts in a row do not fit.
    """
    chosen: dict[str, None] = {}
    misfits = 0
    for part in parts:
        needed = words_in(part)
        if needed <= words and part not in chosen:
            chosen[part] = None
            words -= needed
            misfits = 0
        elif (misfits := misfits + 1) == MISFITS:
            break
    return list(chosen)


def put_at(depth: float, part: str, parts: Sequence[str]) -> list[str]:
    """Return the parts with one more after the share `depth` (0 to below 1) of them: anywhere, the ends included."""
    place = int(depth * (len(parts) + 1))
    return [*parts[:place], part, *parts[place:]]


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
