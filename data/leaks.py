"""A field that shows people the right answer: by its name, or because it holds the same in item after item."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from data.task import Field, Item, Task

SHARE = 0.9
"""Of the items with a right answer, so many must show it for a field to give it away."""
FEWEST = 2  # different answers: what is the same everywhere tells nobody anything
LIKE_GOLD = re.compile(
    r"(?:gold|label|target|truth|correct|expected|expert|эталон|эксперт|метк|разметк|правильн|верный|верная|верное)\w*"
    r"|answers?|ответы?|ключ"
)


@dataclass(frozen=True)
class Leak:
    """A shown field that gives the right answer away, or may: `why` says how, with how many items were looked at."""

    field: str
    why: str

    def __str__(self) -> str:
        """Return it as a sentence."""
        return f"{self.field!r} is shown to people and {self.why}"


def like_gold(name: str) -> bool:
    """Return whether a column is called as columns of right answers are: "Метка эксперта / gold", "goldLabel"."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-zа-яё])(?=[A-ZА-ЯЁ])", " ", name))
    return any(LIKE_GOLD.fullmatch(word.casefold()) for word in words)


def same_text(value: object) -> str:
    """Return a text as it is compared here: without regard to case, ё and spaces."""
    return " ".join(str(value).casefold().replace("ё", "е").split())


def leaks(task: Task, items: Sequence[Item]) -> list[Leak]:
    """Return the fields that people are shown and that hold what is right; those of the answer's options are none."""
    golden = [item for item in items if item.gold is not None]
    told = [_said(task, item) for item in golden]
    return [
        Leak(field.name, f"holds the right answer of {equal} of {len(golden)} items")
        for field in _shown(task, golden)
        if (equal := _equal(field, golden, told))
    ]


def suspects(task: Task, items: Sequence[Item]) -> list[Leak]:
    """Return what `leaks` returns, and the shown fields that are called like right answers or hold answers only."""
    found = leaks(task, items)
    answers = [{same_text(one) for one in _answers(task, item)} for item in items]
    for field in _shown(task, items):
        if field.name in {leak.field for leak in found}:
            continue
        if like_gold(field.name):
            found.append(Leak(field.name, "is called like a right answer"))
        elif equal := _equal(field, items, answers):
            found.append(Leak(field.name, f"holds one of the answers to choose from in {equal} of {len(items)} items"))
    return found


def _equal(field: Field, items: Sequence[Item], told: Sequence[set[str]]) -> int:
    """Return in how many items a field says what is told there; 0 where too few, or it is the same everywhere."""
    said = [same_text(item.fields.get(field.name, "")) for item in items]
    equal = [one for one, here in zip(said, told, strict=True) if one in here]
    return len(equal) if len(set(equal)) >= FEWEST and len(equal) >= SHARE * len(items) else 0


def _answers(task: Task, item: Item) -> list[str]:
    options = task.answer_for(item.fields).options(item.fields)
    return [words for option in options for words in (option.label, option.words.ru, option.words.en) if words.strip()]


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
