"""PARus: which of two sentences is the more plausible cause or effect of a situation."""

from data.answers.choice import Choice
from data.task import Aliases, Breakdown, Example, Field, Task
from data.wording import Wording

INSTRUCTION = Wording(
    ru="""Прочитайте ситуацию и вопрос под ней. Вас спрашивают либо о причине (что было раньше и привело к этому), \
либо о следствии (что из этого вышло). Выберите тот из двух вариантов, который лучше отвечает на вопрос.

Будьте внимательны: неверный вариант бывает на ту же тему, а иногда называет следствие вместо причины или наоборот.

Если возможными кажутся оба, выберите то, что чаще бывает в обычной жизни. Не придумывайте особых обстоятельств.""",
    en="""Read the situation and the question below it. You are asked either for the cause (what came first and led to \
this) or for the effect (what came of it). Choose the one of the two options that answers the question better.

Take care: the wrong option may be on the same topic, and sometimes it names an effect instead of a cause or the other \
way round.

If both seem possible, choose the one that happens more often in ordinary life. Do not invent special circumstances.""",
)

EXAMPLES = (
    Example(
        fields={
            "premise": "Хлеб на столе зачерствел.",
            "question": "cause",
            "choice1": "Его забыли убрать в хлебницу.",
            "choice2": "Его намазали маслом.",
        },
        answer="0",
        explanation=Wording(
            ru="Спрашивают о причине. Без хлебницы хлеб сохнет, а масло не делает его чёрствым.",
            en="You are asked for the cause. Left in the open, bread dries out; butter does not make it stale.",
        ),
    ),
    Example(
        fields={
            "premise": "В подъезде погас свет.",
            "question": "effect",
            "choice1": "В подъезде перегорела лампочка.",
            "choice2": "Соседка достала фонарик.",
        },
        answer="1",
        explanation=Wording(
            ru="Спрашивают о следствии. Лампочка тоже подходит по смыслу, но это причина: она перегорела раньше.",
            en="You are asked for the effect. The bulb fits the topic too, but it is the cause: it burnt out before.",
        ),
    ),
)

PROMPT = """{instruction}

Ситуация: {premise}

Вопрос: {question}
{options}

{answer_format}"""

VARIANTS = (
    """{instruction}

{premise}

{question}
{options}

{answer_format}""",
    """{instruction}

{answer_format}

Случилось вот что: {premise}

{question}
Варианты:
{options}""",
)

TASK = Task(
    id="rsg/parus",
    title=Wording(ru="PARus: причина или следствие", en="PARus: cause or effect"),
    description=Wording(
        ru="Здравый смысл: дана ситуация, нужно выбрать из двух предложений её более вероятную причину или следствие.",
        en="Common sense: given a situation, choose the more plausible of two sentences as its cause or its effect.",
    ),
    fields=(
        Field("premise", Wording(ru="Ситуация", en="Situation")),
        Field(
            "question",
            Wording(ru="Вопрос", en="Question"),
            kind="question",
            values={
                "cause": Wording(ru="Что стало причиной этого?", en="What was the cause of this?"),
                "effect": Wording(ru="Что случилось в результате?", en="What happened as a result?"),
            },
        ),
        Field("choice1", Wording(ru="Вариант 1", en="Option 1"), kind="option"),
        Field("choice2", Wording(ru="Вариант 2", en="Option 2"), kind="option"),
    ),
    question=Wording(ru="Какой вариант лучше отвечает на вопрос?", en="Which option answers the question better?"),
    instruction=INSTRUCTION,
    answer=Choice(option_fields=("choice1", "choice2")),
    prompt=PROMPT,
    metrics=("accuracy",),
    official=("accuracy",),
    aliases=Aliases(
        columns={"sent1": "choice1", "sent2": "choice2", "variant": "label"},
        values={"question": {"Что стало причиной этого?": "cause", "Что случилось в результате?": "effect"}},
        answers={"0": "0", "1": "1"},
    ),
    source="RussianSuperGLUE (Shavrina et al., EMNLP 2020), https://russiansuperglue.com/tasks/task_info/PARus",
    licence="MIT",
    examples=EXAMPLES,
    variants={"": VARIANTS},
    breakdowns=(Breakdown("question", Wording(ru="О чём спрашивают", en="What is asked for")),),
    # The paper's table prints 500/100/400; the authors' repository, their files and their log say 400/100/500.
    splits={"train": 400, "val": 100, "test": 500, "train (paper)": 500, "test (paper)": 400},
)
