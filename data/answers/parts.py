"""The parts of a form: their names, what they ask, when they apply."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from data.answers.base import AnswerType
from data.errors import BadTask
from data.wording import Wording

Given = Mapping[str, str]


@dataclass(frozen=True)
class Part:
    """One named answer of a form.

    `when` (an earlier part, one of its canonical answers) says that the part is asked only after that answer. A part
    that is not `scored` is worth no points and is marked so; an `optional` one may stay empty.
    """

    name: str
    title: Wording
    answer: AnswerType
    scored: bool = True
    when: tuple[str, str] | None = None
    optional: bool = False

    def applies(self, given: Given) -> bool:
        """Return whether the part is asked after these answers to earlier parts."""
        return self.when is None or given.get(self.when[0]) == self.when[1]

    def chosen(self, answer: str) -> frozenset[str]:
        """Return the labels that a canonical answer chooses; for what chooses no labels, the folded answer."""
        content = self.answer.content(answer)
        return content if isinstance(content, frozenset) else frozenset([self.answer.folded(answer)])

    def as_dict(self) -> dict[str, object]:
        """Return the part as plain data."""
        return {
            "name": self.name,
            "title": {"ru": self.title.ru, "en": self.title.en},
            "answer": self.answer.as_dict(),
            "scored": self.scored,
            "when": list(self.when) if self.when else None,
            "optional": self.optional,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], answer: AnswerType) -> Self:
        """Return the part that `as_dict` described, with its answer type made already."""
        return cls(
            name=values["name"],
            title=Wording(**values["title"]),
            answer=answer,
            scored=values["scored"],
            when=tuple(values["when"]) if values.get("when") else None,
            optional=values["optional"],
        )


def path(place: int | None, part: Part) -> str:
    """Return the name of a part within an answer; `place` is that of its question, None where parts are asked once."""
    return part.name if place is None else f"{place}/{part.name}"


def needed(parts: Sequence[Part], given: Given) -> set[str]:
    """Return the names of the parts without which these answers are worth nothing."""
    return {part.name for part in parts if part.scored and not part.optional and part.applies(given)}


def checked(parts: Sequence[Part]) -> None:
    """Refuse (BadTask) parts of which no form can be made."""
    names = [part.name for part in parts]
    wrong = [name for name in names if not re.fullmatch(r"[a-z0-9_]+", name) or names.count(name) > 1]
    if not parts or wrong:
        raise BadTask(f"form: parts {names!r} need names that differ, of small letters, digits and _, at least one")
    if not any(part.scored for part in parts):
        raise BadTask("form: no part is scored; leave at least one that is worth points")
    for place, part in enumerate(parts):
        earlier = {one.name: one for one in parts[:place]}
        if part.answer.kind == "form":
            raise BadTask(f"form: part {part.name!r} is a form itself; ask its parts one after another instead")
        if part.when and part.when[0] not in earlier:
            raise BadTask(f"form: part {part.name!r} depends on {part.when[0]!r}, which is not an earlier part")
        if part.when and part.scored and not earlier[part.when[0]].scored:
            raise BadTask(f"form: part {part.name!r} is scored, so it cannot depend on one that is not")
