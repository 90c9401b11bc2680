"""MuSeRC with the two questions its authors asked of every new question: can it be answered, and from how much."""

from dataclasses import replace

from data.answers.choice import Choice
from data.answers.composite import packed
from data.answers.form import Form
from data.answers.parts import Part
from data.benchmarks.russian_superglue.muserc import ANSWERS, EXAMPLES, INSTRUCTION
from data.benchmarks.russian_superglue.muserc import TASK as MUSERC
from data.task import Example, Task
from data.wording import Wording

ANSWERABLE = Part(
    "answerable",
    Wording(ru="Можно ли ответить по тексту?", en="Does the text answer it?"),
    Choice(choices={"yes": Wording(ru="Да", en="Yes"), "no": Wording(ru="Нет", en="No")}),
    scored=False,
)
SENTENCES = Part(
    "sentences",
    Wording(ru="Сколько предложений для этого нужно?", en="How many sentences does it take?"),
    Choice(
        choices={
            "one": Wording(ru="Одно", en="One"),
            "several": Wording(ru="Несколько", en="Several"),
        }
    ),
    scored=False,
    when=("answerable", "yes"),
)
EXTRA = Wording(
    ru="""О каждом вопросе скажите ещё, можно ли ответить на него по тексту, и если можно, хватает ли одного \
предложения. На оценку это не влияет: так проверяют сами вопросы.""",
    en="""Of every question also say whether the text answers it and, if it does, whether one sentence is enough. This \
is not scored: it is how the questions themselves are checked.""",
)


def with_extras(task: Task) -> Task:
    """Return MuSeRC with the two unscored parts; people answer them, models are not asked."""
    given = {"answers": packed(["0", "2"]), "answerable": "yes", "sentences": "several"}
    return replace(
        task,
        id="rsg/muserc_extended",
        title=Wording(ru="MuSeRC: вопросы к тексту и о вопросах", en="MuSeRC: questions about a text, and about them"),
        description=Wording(
            ru="Проверка новых вопросов: верные варианты, можно ли ответить и сколько предложений нужно.",
            en="Checking new questions: the right options, whether the text answers, how many sentences it takes.",
        ),
        instruction=Wording(ru=f"{INSTRUCTION.ru}\n\n{EXTRA.ru}", en=f"{INSTRUCTION.en}\n\n{EXTRA.en}"),
        answer=Form(parts=(ANSWERS, ANSWERABLE, SENTENCES), over="questions"),
        examples=tuple(Example(one.fields, packed([given]), one.explanation) for one in EXAMPLES),
    )


TASK = with_extras(MUSERC)
