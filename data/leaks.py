"""A field that shows people the right answer: by its name, or because it holds the same in item after item."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from data.task import Field, Item, Task

SHARE = 0.9
"""Of the items with a right answer, so many must show it for a field to give it away."""
FEWEST = 2  # items with different right answers: in fewer it may be chance
LIKE_GOLD = re.compile(
    r"(?:gold|label|target|truth|correct|expected|expert|эталон|эксперт|метк|разметк|правильн|верный|верная|верное)\w*"
    r"|answers?|ответы?|ключ"
)


@dataclass(frozen=True)
class Leak:
    """A shown field that gives the right answer away: on `equal` of the `of` items that were looked at and have one.

    `named`: it is its name that says so; then `equal` may be 0.
    """

    field: str
    equal: int
    of: int
    named: bool = False

    def __str__(self) -> str:
        """Return it as a sentence."""
        if self.named:
            return f"{self.field!r} is shown to people and is called like a right answer"
        return f"{self.field!r} is shown to people and holds the right answer of {self.equal} of {self.of} items"


def like_gold(name: str) -> bool:
    """Return whether a column is called as columns of right answers are: "Метка эксперта / gold", "goldLabel"."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-zа-яё])(?=[A-ZА-ЯЁ])", " ", name))
    return any(LIKE_GOLD.fullmatch(word.casefold()) for word in words)


def same_text(value: object) -> str:
    """Return a text as it is compared here: without regard to case, ё and spaces."""
    return " ".join(str(value).casefold().replace("ё", "е").split())


def leaks(task: Task, items: Iterable[Item]) -> list[Leak]:
    """Return the fields that people are shown and that hold what is right; those of the answer's options are none."""
    golden = [item for item in items if item.gold is not None]
    found = []
    for field in _shown(task, golden):
        equal = [item for item in golden if same_text(item.fields.get(field.name, "")) in _said(task, item)]
        several = len({item.gold for item in equal}) >= FEWEST
        if several and len(equal) >= SHARE * len(golden):
            found.append(Leak(field.name, len(equal), len(golden)))
    return found


def _shown(task: Task, items: Sequence[Item]) -> list[Field]:
    drawn = {name for item in items[:1] for name in task.answer_for(item.fields).drawn_fields()}
    return [
        field
        for field in task.fields
        if field.drawn and field.kind not in ("option", "options") and field.name not in drawn
    ]


def _said(task: Task, item: Item) -> set[str]:
    """Return the ways in which an item's right answer may be written."""
    gold = item.gold or ""
    words = task.answer_for(item.fields).gold_words(gold, item.fields)
    others = (name for name, label in task.aliases.answers.items() if label == gold)
    return {same_text(one) for one in (gold, words.ru, words.en, *others) if one.strip()}
