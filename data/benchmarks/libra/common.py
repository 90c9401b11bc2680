"""What all tasks of LIBRA share: a long text, a question about it, answers accepted and answers that cost."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from data.answers.base import AnswerType
from data.answers.offered import Offered
from data.named import NAMED, NAMES
from data.task import Breakdown, Example, Field, Task
from data.wording import Wording

SOURCE = "LIBRA (Churin et al., 2024), https://huggingface.co/datasets/ai-forever/LIBRA"
PUBLISHED = {
    "accuracy": "em_code",
    "em": "em_code",
    "em_words": "em_code",
    "token_f1": "f1_code",
    "count_score": "count_code",
}
"""The metrics of this project, each with the one that counts as LIBRA's script does."""
LENGTH = Wording(ru="Длина", en="Length")
UNSEEN = (
    Field("length", LENGTH, kind="hidden", optional=True),
    Field("negative_outputs", Wording(ru="Неверные ответы", en="Wrong answers"), kind="hidden", optional=True),
    Field("family", Wording(ru="Семейство", en="Family"), kind="hidden", optional=True),
)
"""What else a record may tell; nobody is shown it."""
TEXT = Wording(ru="Текст", en="Text")
ASKED = Field("input", Wording(ru="Вопрос", en="Question"), kind="question")
OPTIONS = tuple(
    Field(f"option_{latin}", Wording(ru=f"Вариант {russian}", en=f"Option {latin.upper()}"), kind="option")
    for latin, russian in zip("abcd", "АБВГ", strict=True)
)
"""The four options that the shape `libra_options` finds in a question."""


def libra(
    name: str,
    *,
    title: Wording,
    description: Wording,
    question: Wording,
    instruction: Wording,
    answer: AnswerType,
    metric: str,
    examples: tuple[Example, ...],
    prompt: str,
    variants: tuple[str, ...],
    splits: Mapping[str, int],
    text: Wording = TEXT,
    asked: Field = ASKED,
    fields: tuple[Field, ...] = (),
    shape: str = "libra",
    **others: Any,
) -> Task:
    """Return the task `libra/name`, whose records hold `context, input, positive_outputs, negative_outputs, length`.

    `text` is the title of the context, `asked` the field of a record's `input`; `question` is the legend where that is
    no question itself. `fields` are those that only this task has; `metric` is the official one, `splits` the published
    number of records of each length.
    """
    named = (NAMES,) if isinstance(answer, Offered) else ()
    worked = tuple(replace(one, fields={**one.fields, NAMED: ""}) if named else one for one in examples)
    return Task(
        id=f"libra/{name}",
        title=title,
        description=description,
        fields=(Field("context", text, kind="long"), asked, *fields, *UNSEEN, *named),
        question=question,
        instruction=instruction,
        answer=answer,
        prompt=prompt,
        variants={"": variants},
        metrics=(metric,),
        official=(metric,),
        published=(PUBLISHED[metric],),
        breakdowns=(Breakdown("length", LENGTH),),
        answer_column="positive_outputs",
        shape=shape,
        cluster="family",
        splits=splits,
        source=SOURCE,
        licence="MIT",
        examples=worked,
        **others,
    )


def example(context: str, question: str, answer: str, explanation: Wording, **fields: str) -> Example:
    """Return a worked example of a task: a short text instead of a long one."""
    return Example(
        fields={"context": context, "input": question, **{field.name: "" for field in UNSEEN}, **fields},
        answer=answer,
        explanation=explanation,
    )
