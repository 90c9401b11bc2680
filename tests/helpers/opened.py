"""Open answers for the tests: small types, and the votes of letters on items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd

from data.answers.answer_type import AnswerType, packed
from data.answers.choices import Choices
from data.answers.spans import Element, Spans
from data.answers.text import Text
from data.wording import Wording, same
from eval.gold import Gold, TaskItems
from eval.votes import Votes, code_open

SETS = Choices(choices={letter: same(letter) for letter in "abcd"}, least=0)
MARKS = Spans(
    text_field="text",
    elements=(
        Element("R", same("remnant"), "1"),
        Element("V", same("gap"), "2", point=True),
    ),
    none=Wording(ru="нет", en="none"),
)


@dataclass(frozen=True)
class Word(Text):
    """A text that is equal or not, whose gold is one text as it is: what a label of a closed list would be."""

    distance: ClassVar[str] = "exact"

    def folded(self, answer: str) -> str:
        return answer

    def gold(self, value: object, fields: Mapping[str, str]) -> str:
        return str(value)

    def right(self, answer: str, gold: str, fields: Mapping[str, str]) -> bool:
        return answer == gold


def asked(answer: AnswerType, items: Sequence[str], **fields: str) -> TaskItems:
    return TaskItems(answer, dict.fromkeys(items, fields))


def voted(answer: AnswerType, given: Mapping[str, Sequence[Any]], **fields: str) -> Votes:
    """The votes of items, the n-th answer from worker n; an answer that is no string is packed."""
    rows = [
        (item, f"w{place}", label if isinstance(label, str) else packed(label))
        for item, labels in given.items()
        for place, label in enumerate(labels)
    ]
    frame = pd.DataFrame(rows, columns=["item", "worker", "label"], dtype=object)
    return code_open(frame, items=list(given), asked=asked(answer, list(given), **fields))


def gold_for(votes: Votes, gold: Mapping[str, Any]) -> Gold:
    assert votes.asked is not None
    return Gold({item: one if isinstance(one, str) else packed(one) for item, one in gold.items()}, votes.asked)
