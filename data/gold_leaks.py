"""Gold leaks: a field that shows people the right answer, by its name or because it always holds the same."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from data.answers.answer_options import Offered
from data.catalogue.catalog import tasks
from data.composed_text import composed
from data.task import Field, Item, Task

ANYWHERE = re.compile(
    r"(?:gold|label|target|truth|correct|expected|expert|эталон|эксперт|метк|разметк|правильн|верный|верная|верное)\w*"
    r"|winners?|better|prefer(?:red|ences?)|победител\w*|лучш\w*|предпочт\w*|answers?|ответы?|keys?|ключи?|verdicts?|вердикты?|sentiments?|тональност[ьи]"
)
"""Words that say so wherever they stand in a name."""
ALONE = re.compile(
    r"class(?:es)?|класс[ыа]?|y|outputs?|solutions?|решени[ея]|scores?|ratings?|grades?|оценк[аи]|references?|верно"
)
"""Words that say so where nothing else stands in the name but what FILLING lists."""
FILLING = frozenset({"id", "idx", "index", "true", "name"})


def named_like_gold(name: str) -> bool:
    """Return whether a column is called as columns of right answers are: "Метка эксперта / gold", "goldLabel", "y"."""
    parted = re.sub(r"(?<=[a-zа-яё])(?=[A-ZА-ЯЁ])", " ", name)
    words = [word.casefold() for word in re.findall(r"[^\W\d_]+", parted)]
    if any(ANYWHERE.fullmatch(word) for word in words):
        return True
    rest = [word for word in words if word not in FILLING]
    return len(rest) == 1 and ALONE.fullmatch(rest[0]) is not None


SHARE = 0.9
"""Of the items with a right answer, so many must show it for a field to give it away."""
FEWEST = 2  # different answers: what is the same everywhere tells nobody anything


@dataclass(frozen=True)
class Leak:
    """A shown field that gives the right answer away, or may: `why` says how, with how many items were looked at."""

    field: str
    why: str

    def __str__(self) -> str:
        """Return it as a sentence."""
        return f"{self.field!r} is shown to people and {self.why}"


def same_text(value: object) -> str:
    """Return a text as it is compared here: without regard to case, ё and spaces."""
    return " ".join(composed(str(value)).casefold().replace("ё", "е").split())


def leaks(task: Task, items: Sequence[Item]) -> list[Leak]:
    """Return the fields that people are shown and that hold what is right; those of the answer's options are none."""
    golden = [item for item in items if item.gold is not None]
    return [
        Leak(field.name, f"holds the right answer of {equal} of {len(golden)} items")
        for field in _shown(task, golden)
        if (equal := _equal(field, golden, (_gold_spellings(task, item) for item in golden)))
    ]


def suspects(task: Task, items: Sequence[Item]) -> list[Leak]:
    """Return what `leaks` returns, and the shown fields that are called like right answers or hold answers only."""
    leaking = leaks(task, items)
    ways = _answers(task, items)
    for field in _shown(task, items):
        if field.name in {leak.field for leak in leaking}:
            continue
        if equal := max(_equal(field, items, way) for way in ways):
            leaking.append(
                Leak(field.name, f"holds one of the answers to choose from in {equal} of {len(items)} items")
            )
        elif named_like_gold(field.name):
            leaking.append(Leak(field.name, "is called like a right answer"))
    return leaking


def leaks_in(task: Task, items: Sequence[Item]) -> list[Leak]:
    """Return what gives right answers away: of a task of one's own the suspects too; people looked at the others."""
    return (leaks if task.id in tasks() else suspects)(task, items)


def _equal(field: Field, items: Sequence[Item], answers: Iterable[set[str]]) -> int:
    """Return in how many items a field says what is told there; 0 where too few, or it is the same everywhere."""
    equal, different = [], 0
    for item, here in zip(items, answers, strict=True):
        if (text := same_text(item.fields.get(field.name, ""))) in here:
            equal.append(text)
        elif len(items) - (different := different + 1) < SHARE * len(items):
            return 0  # as a field that tells nothing does after a tenth of the items
    return len(equal) if len(set(equal)) >= FEWEST else 0


def _answers(task: Task, items: Sequence[Item]) -> list[list[set[str]]]:
    """Return the ways to name an answer, each as what it would be in every item.

    The place of one of the item's own options says which is right only while nothing else does.
    """
    offered = [task.answer_for(item.fields).options(item.fields) for item in items]
    own = isinstance(task.answer, Offered) and not task.answer.choices
    words = [[word for here_word in here for word in here_word.words.values()] for here in offered]
    if not own:
        words = [[*said, *(word.label for word in here)] for said, here in zip(words, offered, strict=True)]
    ways: list[list[set[str]]] = [[{same_text(word) for word in said if word.strip()} for said in words]]
    if own and not any(item.gold is not None for item in items):
        for first in (0, 1):
            ways.append([{str(place) for place, _ in enumerate(here, first)} for here in offered])
        ways.append([{same_text(letter) for letter in ascii_uppercase[: len(here)]} for here in offered])
    return ways


def _shown(task: Task, items: Sequence[Item]) -> list[Field]:
    by_answer = {name for item in items[:1] for name in task.answer_for(item.fields).drawn_fields()}
    return [
        field
        for field in task.fields
        if field.above_question and field.kind not in ("option", "options") and field.name not in by_answer
    ]


def _gold_spellings(task: Task, item: Item) -> set[str]:
    """Return the ways in which an item's right answer may be written."""
    gold = item.gold or ""
    words = task.answer_for(item.fields).gold_words(gold, item.fields)
    others = (name for name, label in task.aliases.answers.items() if label == gold)
    return {same_text(text) for text in (gold, *words.values(), *others) if text.strip()}
