"""Which answers a metric can score: of these kinds, of a closed list of labels, on items with these fields."""

from collections.abc import Collection
from dataclasses import dataclass

from data.answers.answer_type import AnswerType
from data.answers.spans import Spans


@dataclass(frozen=True)
class ScoredAnswers:
    """What a metric needs of a task, () and "" for nothing: each of these is asked for by some metric.

    `kinds` are those of answers. `listed` asks for a closed list of labels, `label` for a list with this one, `element`
    for spans with an element of this name, `fields` for items that have these.
    """

    kinds: tuple[str, ...] = ()
    closed: bool = False
    label: str = ""
    element: str = ""
    fields: tuple[str, ...] = ()

    def lacking(self, answer: AnswerType, fields: Collection[str]) -> str:
        """Return in words what a task with such answers and `fields` lacks, "" where it can be scored."""
        if self.kinds and answer.kind not in self.kinds:
            return f"it scores answers of kind {' or '.join(map(repr, self.kinds))}, and these are {answer.kind!r}"
        if self.closed and not answer.labels():
            return "it scores labels of a closed list, and these answers have none"
        if self.label and self.label not in answer.labels():
            return f"it scores how the label {self.label!r} is found, and the labels are {', '.join(answer.labels())}"
        if (
            self.element
            and isinstance(answer, Spans)
            and self.element not in [element.name for element in answer.elements]
        ):
            return f"there is no element {self.element!r} to mark"
        missing = [name for name in self.fields if name not in fields]
        return f"it needs the field {missing[0]!r} of each item" if missing else ""


ANY = ScoredAnswers()
LISTED = ScoredAnswers(closed=True)
WRITTEN = ScoredAnswers(("text", "number", "write", "varied"))
MARKED = ScoredAnswers(("spans",))
CHOSEN_OF_SEVERAL = ScoredAnswers(("choices", "form"))
ENTITIES = ScoredAnswers(("choices",))
EXAM = ScoredAnswers(("varied",), fields=("id_task", "type"))
POSITIVES = ScoredAnswers(label="1")
REPLIES = ScoredAnswers(("choice", "number", "sequence", "text"))
CHOSEN = ScoredAnswers(("choice",))
TYPED = ScoredAnswers(("text",))
