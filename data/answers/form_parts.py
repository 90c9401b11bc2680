"""The parts of a form: their names, what they ask, when they apply."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from data.answers import AnyAnswer
from data.errors import BadTask
from data.task_keys import Flag, key
from data.wording import Wording

Given = Mapping[str, str]


@dataclass(frozen=True)
class Part:
    """One named answer of a form."""

    name: Annotated[str, key("Its name in files: small letters, digits and _.", "polarity")]
    title: Annotated[Wording, key("What people read above it.", {"ru": "Оценка", "en": "Assessment"})]
    answer: Annotated[AnyAnswer, key("How it is answered: any type but a form.", {"kind": "rating"})]
    scored: Annotated[Flag, key("Whether it is worth points; one that is not is marked so.", False)] = True
    when: Annotated[
        tuple[str, str] | None,
        key("An earlier part and one of its answers: this part is asked only after that answer.", ["polarity", "yes"]),
    ] = None
    optional: Annotated[Flag, key("It may stay empty.", True)] = False

    def applies(self, given: Given) -> bool:
        """Return whether the part is asked after these answers to earlier parts."""
        return self.when is None or given.get(self.when[0]) == self.when[1]

    def chosen(self, answer: str) -> frozenset[str]:
        """Return the labels that a canonical answer chooses; for what chooses no labels, the folded answer."""
        content = self.answer.content(answer)
        return content if isinstance(content, frozenset) else frozenset([self.answer.folded(answer)])


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
        earlier = {part.name: part for part in parts[:place]}
        if part.answer.kind == "form":
            raise BadTask(f"form: part {part.name!r} is a form itself; ask its parts one after another instead")
        if part.when and part.when[0] not in earlier:
            raise BadTask(f"form: part {part.name!r} depends on {part.when[0]!r}, which is not an earlier part")
        if part.when and part.scored and not earlier[part.when[0]].scored:
            raise BadTask(f"form: part {part.name!r} is scored, so it cannot depend on one that is not")
