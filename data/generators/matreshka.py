"""Matreshka: many short talks in a row, and a question about one topic: who talked of it, or whether anyone did."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from data.answers.replies import folded
from data.errors import BadFile, BadSetting
from data.files.rows import Row, read_rows
from data.generators.generator import Record
from data.generators.haystack import fitting, put_at, words_in, words_of

Remark = tuple[int, str]
"""Who of the two speaks, 0 or 1, and what is said."""
FEWEST_TOPICS = 4


@dataclass(frozen=True)
class Subject:
    """What a topic of the grammar is made of: the thing talked about, in its cases, and the turn of the talk."""

    thing: Mapping[str, str]
    aspect: Mapping[str, Any]


class Grammar:
    """The talks that can be put together from `dialogues.toml`; no remark tells the speakers' gender."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.greetings: Sequence[str] = parts["greetings"]
        self.closings: Sequence[str] = parts["closings"]
        self.subjects: dict[str, Subject] = {}
        for kind in parts["kind"]:
            for forms, aspect in product(kind["things"], kind["aspect"]):
                thing = dict(zip(kind["forms"].split("|"), forms.split("|"), strict=True))
                self.subjects[aspect["topic"].format(**thing)] = Subject(thing, aspect)
        self.topics: Sequence[str] = tuple(self.subjects)

    def near(self, topic: str) -> Sequence[str]:
        """Return the other topics about the same thing: "продажа велосипеда" for "ремонт велосипеда"."""
        thing = self.subjects[topic].thing
        return [other for other, subject in self.subjects.items() if subject.thing == thing and other != topic]

    def on(self, topic: str, random: Random) -> Sequence[Remark]:
        """Return two to six remarks: a question and what is said to it, perhaps another, perhaps a goodbye."""
        subject = self.subjects[topic]
        exchanges = (("open", "reply"), ("more", "answer"))[: random.choice((1, 2, 2))]
        said = []
        for asking, answering in exchanges:
            pairs = list(zip(subject.aspect[asking], subject.aspect[answering], strict=True))
            said += [text.format(**subject.thing) for text in random.choice(pairs)]
        if random.random() < 0.5:
            said[0] = f"{random.choice(self.greetings)} {said[0]}"
        if random.random() < 0.5:
            said += random.choice(self.closings).split("|")
        return [(place % 2, text) for place, text in enumerate(said)]


class Listed:
    """The talks of a file."""

    def __init__(self, talks: Mapping[str, Sequence[Sequence[Remark]]]) -> None:
        self.talks = talks
        self.topics: Sequence[str] = tuple(talks)

    def near(self, topic: str) -> Sequence[str]:  # noqa: ARG002  (nobody knows which topics of a file are alike)
        """Return nothing."""
        return ()

    def on(self, topic: str, random: Random) -> Sequence[Remark]:
        """Return one of the talks that the file has on a topic."""
        return random.choice(self.talks[topic])


Talks = Grammar | Listed
"""Where talks come from: every topic once, one of the talks on it, and the topics that are most like it."""


@cache
def grammar() -> Grammar:
    """Return the talks that come with the project."""
    return Grammar(words_of("dialogues"))


def read_talks(path: Path) -> Listed:
    """Return the talks of a file as Matreshka has them: `topic` and `dialog`, a list of {"role", "content"}.

    Topics that differ in case or outer punctuation only are one. Raises BadFile with the first line that holds no talk
    of two people, and for a file of fewer than FEWEST_TOPICS topics.
    """
    rows, problems = read_rows(path)
    if problems:
        raise BadFile(str(problems[0]))
    names: dict[str, str] = {}
    talks: dict[str, list[Sequence[Remark]]] = defaultdict(list)
    for row in rows:
        topic, remarks = str(row.values.get("topic") or "").strip(), list(_remarks(row))
        if not folded(topic) or {who for who, _ in remarks} != {0, 1}:
            raise BadFile(
                f"{path.name}, line {row.line}: is no talk of two people; a record holds a topic and a dialog, a list "
                'of {"role", "content"} with two roles'
            )
        talks[names.setdefault(folded(topic), topic)].append(remarks)
    if len(talks) < FEWEST_TOPICS:
        raise BadFile(f"{path.name}: has {len(talks)} topics; at least {FEWEST_TOPICS} are needed to ask about one")
    return Listed(talks)


def _remarks(row: Row) -> Iterator[Remark]:
    """Yield the remarks of a record, their line ends made spaces; nothing where it has none that can be read."""
    remarks = row.values.get("dialog")
    roles: list[str] = []
    for remark in remarks if isinstance(remarks, list) else []:
        values = remark if isinstance(remark, dict) else {}
        role, content = str(values.get("role") or ""), " ".join(str(values.get("content") or "").split())
        if role and role not in roles:
            roles.append(role)
        if role and content:
            yield roles.index(role), content


HARD_START = re.compile(r"[СЗШЖ][бвгджзклмнпрстфхцчшщ]|Вс|Мс|Ль|Щ")
"""Beginnings of a name before which "с" becomes "со"."""


@dataclass(frozen=True)
class Speaker:
    """A name in the nominative and in the instrumental."""

    name: str
    instrumental: str

    @property
    def beside(self) -> str:
        """The name after "with": "с Анной", "со Степаном"."""
        return f"{'со' if HARD_START.match(self.name) else 'с'} {self.instrumental}"


@cache
def speakers() -> Sequence[Speaker]:
    """Return everyone there is: women and men in equal numbers, no name inside another."""
    return tuple(Speaker(*forms.split("|")) for names in words_of("names").values() for forms in names)


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


def whether(random: Random, words: int, *, there: bool, talks: Talks | None = None) -> Record:
    """Return a record that asks whether there was a talk on a topic, which is `there` or not; raises BadSetting."""
    source = talks or grammar()
    topic, depth = random.choice(source.topics), random.random()
    own = talk_text(source, topic, random.sample(speakers(), 2), random) if there else ""
    others = _others(source, topic, words - words_in(own), Random(f"{topic} {depth} {words}"))
    return {
        "context": "".join(put_at(depth, own, others)).strip(),
        "input": WHETHER.format(topic=topic),
        "positive_outputs": [YES if there else NO],
        "negative_outputs": [NO if there else YES],
    }


def talk_text(source: Talks, topic: str, pair: list[Speaker], random: Random) -> str:
    """Return a talk on a topic, a remark a line with its speaker's name before it, and a blank line behind it."""
    remarks = source.on(topic, random)
    return "".join(f"{pair[who].name}: {text}\n" for who, text in remarks) + "\n"


def talks_from(file: Path) -> dict[str, Talks]:
    """Return the talks of a file as the draws above take them; raises BadFile."""
    return {"talks": read_talks(file)}


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
