"""Short talks of two people, each on one topic: of a grammar with hundreds of topics, or from a file of the user's."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Protocol

from data.answers.option_replies import folded
from data.errors import BadFile
from data.files.rows import Row, read_rows

Remark = tuple[int, str]
"""Who of the two speaks, 0 or 1, and what is said."""
FEWEST_TOPICS = 4


class Talks(Protocol):
    """Where talks come from."""

    @property
    def topics(self) -> Sequence[str]:
        """Every topic, each once."""

    def on(self, topic: str, random: Random) -> Sequence[Remark]:
        """Return one of the talks on a topic."""

    def near(self, topic: str) -> Sequence[str]:
        """Return the topics that are most like this one, itself left out."""


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

    @property
    def topics(self) -> Sequence[str]:
        """Every topic, each once."""
        return tuple(self.subjects)

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

    @property
    def topics(self) -> Sequence[str]:
        """Every topic, each once."""
        return tuple(self.talks)

    def near(self, topic: str) -> Sequence[str]:  # noqa: ARG002  (nobody knows which topics of a file are alike)
        """Return nothing."""
        return ()

    def on(self, topic: str, random: Random) -> Sequence[Remark]:
        """Return one of the talks that the file has on a topic."""
        return random.choice(self.talks[topic])


@cache
def grammar() -> Grammar:
    """Return the talks that come with the project."""
    return Grammar(tomllib.loads((Path(__file__).parent / "dialogues.toml").read_text("utf8")))


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
