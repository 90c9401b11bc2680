"""Gold of typed answers: always a list of all that is accepted, the first of which stands for it."""

from collections.abc import Mapping
from typing import Any

from data.answers.answer_type import AnswerType
from data.answers.composite import packed, unpacked
from data.errors import BadAnswer
from data.wording import Wording, worded


class Typed(AnswerType):
    """A typed answer. Its gold is a compact JSON list, of one text as well: so a text may look like anything."""

    def gold(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the list of accepted answers; `value` is one of them, a list, or a text that is such a list."""
        answers = _as_list(value)
        return packed(list(dict.fromkeys(self.validate(answer, fields) for answer in answers)))

    def as_gold(self, answer: str, fields: Mapping[str, str]) -> str:
        """Return the list that accepts just this answer."""
        return packed([answer])

    def accepted(self, gold: str) -> tuple[str, ...]:
        """Return every answer that a gold accepts, the best one first."""
        return tuple(unpacked(gold))

    def right(self, answer: str, gold: str, fields: Mapping[str, str]) -> bool:
        """Return whether an answer means the same as one of those accepted."""
        return self.folded(answer) in {self.folded(accepted) for accepted in self.accepted(gold)}

    def best(self, gold: str, fields: Mapping[str, str]) -> str:
        """Return the first of the accepted answers."""
        return self.accepted(gold)[0]

    def gold_words(self, gold: str, fields: Mapping[str, str]) -> Wording:
        """Return all that is accepted, "a / b"."""
        texts = [self.words(accepted, fields) for accepted in self.accepted(gold)]
        return worded(lambda language: " / ".join(text.within(language) for text in texts), *texts)


def _as_list(value: object) -> list[Any]:
    values = value
    if isinstance(value, str) and value.strip().startswith("["):
        try:
            values = unpacked(value)
        except (ValueError, RecursionError):
            return [value]
    if isinstance(values, list) and not values:
        raise BadAnswer("nothing_typed")
    return values if isinstance(values, list) else [value]
