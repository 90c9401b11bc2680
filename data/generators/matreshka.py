"""Matreshka: many short talks in a row, and a question about one topic: who talked of it, or whether anyone did."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random

from data.errors import BadSetting
from data.generators.dialogues import Talks, grammar, read_talks
from data.generators.generator import Generator, Record
from data.generators.haystack import words_in
from data.generators.needle_placement import fitting, put_at

HARD_START = re.compile(r"[СЗШЖ][бвгджзклмнпрстфхцчшщ]|Вс|Мс|Ль|Щ")
"""Beginnings of a name before which "с" becomes "со"."""


@dataclass(frozen=True)
class Speaker:
    """A name in the nominative and in the instrumental, and whether it is a woman's."""

    name: str
    instrumental: str
    feminine: bool

    @property
    def beside(self) -> str:
        """The name after "with": "с Анной", "со Степаном"."""
        return f"{'со' if HARD_START.match(self.name) else 'с'} {self.instrumental}"


@cache
def speakers() -> Sequence[Speaker]:
    """Return everyone there is: women and men in equal numbers, no name inside another."""
    by_gender = tomllib.loads((Path(__file__).parent / "names.toml").read_text("utf8"))
    divided = [(*forms.split("|"), gender) for gender, names in by_gender.items() for forms in names]
    return tuple(Speaker(name, instrumental, gender == "feminine") for name, instrumental, gender in divided)


WHO = "Кто говорил {beside} на тему «{topic}»?"
WHETHER = "Был ли в диалогах разговор на тему «{topic}»?"
YES, NO = "Да", "Нет"
NEAR = 3
"""How many of the other talks are about the same thing as the one asked for, where there are so many."""


def names(random: Random, words: int, *, talks: Talks | None = None) -> Record:
    """Return a record that asks for the partner of someone in the only talk on a topic; raises BadSetting.

    Every other speaker's name is a wrong answer.
    """
    source = talks or grammar()
    topic, depth = random.choice(source.topics), random.random()
    asked, known = random.sample(speakers(), 2)
    own = talk_text(source, topic, random.sample([asked, known], 2), random)
    others = _others(source, topic, words - words_in(own), Random(f"{topic} {depth} {words}"))
    wrong = {line.split(":", 1)[0] for talk in others for line in talk.strip().split("\n")} - {asked.name, known.name}
    return {
        "context": "".join(put_at(depth, own, others)).strip(),
        "input": WHO.format(beside=known.beside, topic=topic),
        "positive_outputs": [asked.name],
        "negative_outputs": sorted(wrong),
    }


def yes(random: Random, words: int, *, talks: Talks | None = None) -> Record:
    """Return a record with one talk on the topic that is asked about; raises BadSetting."""
    source = talks or grammar()
    topic, depth = random.choice(source.topics), random.random()
    own = talk_text(source, topic, random.sample(speakers(), 2), random)
    others = _others(source, topic, words - words_in(own), Random(f"{topic} {depth} {words}"))
    return _whether(topic, put_at(depth, own, others), YES, NO)


def no(random: Random, words: int, *, talks: Talks | None = None) -> Record:
    """Return a record without a talk on the topic that is asked about."""
    source = talks or grammar()
    topic, depth = random.choice(source.topics), random.random()
    return _whether(topic, _others(source, topic, words, Random(f"{topic} {depth} {words}")), NO, YES)


def talk_text(source: Talks, topic: str, pair: list[Speaker], random: Random) -> str:
    """Return a talk on a topic, a remark a line with its speaker's name before it, and a blank line behind it."""
    remarks = source.on(topic, random)
    return "".join(f"{pair[who].name}: {text}\n" for who, text in remarks) + "\n"


def names_from(file: Path) -> Generator:
    """Return the generator of `names` over the talks of a file; raises BadFile."""
    return Generator(partial(names, talks=read_talks(file)))


def yes_no_from(file: Path) -> Generator:
    """Return the generator of `yes` and `no` over the talks of a file; raises BadFile."""
    talks = read_talks(file)
    return Generator(partial(yes, talks=talks), others=(partial(no, talks=talks),))


def _others(source: Talks, topic: str, words: int, random: Random) -> list[str]:
    """Return talks on other topics that fit into so many words, in an order left to chance; raises BadSetting."""
    if words < 0:
        raise BadSetting("--lengths: the talk that is asked about does not fit; ask for longer texts")
    others = fitting(_talks(source, topic, random), words)
    random.shuffle(others)
    return others


def _talks(source: Talks, topic: str, random: Random) -> Iterator[str]:
    """Yield talks without end: first some on the nearest topics, then on any, all once before one comes again."""
    near = source.near(topic)
    far = [other for other in source.topics if other != topic]
    for other in random.sample(near, min(NEAR, len(near))):
        yield talk_text(source, other, random.sample(speakers(), 2), random)
    while True:
        for other in random.sample(far, len(far)):
            yield talk_text(source, other, random.sample(speakers(), 2), random)


def _whether(topic: str, talks: list[str], answer: str, wrong: str) -> Record:
    return {
        "context": "".join(talks).strip(),
        "input": WHETHER.format(topic=topic),
        "positive_outputs": [answer],
        "negative_outputs": [wrong],
    }
