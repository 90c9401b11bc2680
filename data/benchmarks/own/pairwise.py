"""Two retellings of one text: which of them is truer to it."""

from data.answers.pairwise import Pairwise
from data.task import Aliases, Example, Field, Task
from data.wording import Wording

INSTRUCTION = Wording(
    ru="""Прочитайте текст и два его пересказа. Выберите тот, который вернее передаёт главное: кто что сделал, почему \
и чем всё кончилось.

Ошибка хуже пропуска: пересказ, в котором спутаны люди, причины или исход, проигрывает пересказу, который просто \
короче. Если ошибок нет в обоих, лучше тот, в котором есть главное. Если оба передают одно и то же и ошибок нет, они \
одинаково хороши.

Красота слога и порядок фраз не важны.""",
    en="""Read the text and two retellings of it. Choose the one that is truer to what matters: who did what, why, and \
how it ended.

A mistake is worse than an omission: a retelling that mixes up people, causes or the outcome loses to one that is just \
shorter. If neither has a mistake, the better one is the one that has the main thing. If both tell the same and have \
no mistakes, they are equally good.

Beauty of style and the order of phrases do not matter.""",
)

EXAMPLES = (
    Example(
        fields={
            "source": "Лена забыла дома ключи и полчаса ждала на лестнице. Первым пришёл брат и открыл ей дверь.",
            "first": "Лена ждала брата, потому что у неё не было ключей. Он пришёл и впустил её.",
            "second": "Лена ждала брата, который забыл дома ключи. Через полчаса она открыла ему дверь.",
        },
        answer="0",
        explanation=Wording(
            ru="Во втором пересказе спутано, кто забыл ключи и кто открыл дверь.",
            en="The second retelling mixes up who forgot the keys and who opened the door.",
        ),
    ),
)

PROMPT = """{instruction}

Текст: {source}

{question}
{options}

{answer_format}"""

VARIANTS = (
    """Прочитай текст и сравни два его пересказа.

Текст:
{source}

Варианты ответа:
{options}

{instruction}

{question} {answer_format}""",
    """Ты судья, перед которым два пересказа одного текста.

Как судить:
{instruction}

Варианты ответа:
{options}

Текст, который пересказывали:
{source}

{question}
{answer_format}""",
)

TASK = Task(
    id="own/pairwise",
    title=Wording(ru="Какой пересказ вернее", en="Which retelling is truer"),
    description=Wording(
        ru="Сравнение: какой из двух пересказов вернее передаёт текст. Образец своего исследования.",
        en="A comparison: which of two retellings is truer to a text. A pattern for a study of one's own.",
    ),
    fields=(
        Field("source", Wording(ru="Текст", en="Text")),
        Field("first", Wording(ru="Пересказ 1", en="Retelling 1"), kind="option"),
        Field("second", Wording(ru="Пересказ 2", en="Retelling 2"), kind="option"),
    ),
    question=Wording(ru="Какой пересказ лучше?", en="Which retelling is better?"),
    instruction=INSTRUCTION,
    aliases=Aliases(answers={"0": "0", "1": "1", "tie": "tie"}),
    answer=Pairwise(option_fields=("first", "second"), tie=Wording("Одинаково хороши", "Equally good")),
    prompt=PROMPT,
    variants={"": VARIANTS},
    metrics=("accuracy",),
    official=("accuracy",),
    source="Etalon",
    licence="MIT",
    examples=EXAMPLES,
)
