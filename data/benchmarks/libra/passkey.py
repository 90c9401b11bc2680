"""Passkey of LIBRA: find the one number that a very long text asks to remember."""

from data.answers.number import Number
from data.task import Example, Field, Task
from data.wording import Wording

INSTRUCTION = Wording(
    ru="""Перед вами длинный текст. Где-то в нём один раз назван ключ доступа — целое число. Найдите его и введите \
цифрами.

Читать всё подряд не обязательно: поищите слово «ключ» в строке над текстом (клавиша «/»). Полоса справа показывает, \
где есть совпадения; нажмите на неё, чтобы перейти туда.

Перепишите число ровно так, как оно стоит в тексте, цифра за цифрой. Слова «ключ доступа» и пояснения вводить не \
нужно.""",
    en="""This is a long text. Somewhere in it an access key, a whole number, is named once. Find it and type it in \
digits.

You need not read everything: look for the word «ключ» (key) with the field above the text (the “/” key). The bar at \
the right shows where there are matches; press it to go there.

Copy the number exactly as it stands in the text, digit by digit. Do not type the words «ключ доступа» (access key) or \
an explanation.""",
)

EXAMPLES = (
    Example(
        fields={
            "context": "По субботам катер возил на остров почту и хлеб. На пристани его ждали заранее.\n"
            "Запомните: ключ доступа — 40717. К обеду туман рассеялся, и над водой закричали чайки.",
            "input": "Какой ключ доступа указан в тексте?",
            "length": "",
            "depth": "",
            "negative_outputs": "",
            "family": "",
        },
        answer="40717",
        explanation=Wording(
            ru="Нужно само число: 40717, а не «ключ доступа — 40717» и не 40771.",
            en="What is needed is the number itself: 40717, not «ключ доступа — 40717» and not 40771.",
        ),
    ),
)

PROMPT = """Ниже дан длинный текст. Где-то в нём назван ключ доступа. Запомни только этот ключ.

{context}

В ответе нужен один лишь ключ доступа.
Вопрос: {question}
{answer_format}"""

TASK = Task(
    id="libra/passkey",
    title=Wording(ru="Passkey: ключ в длинном тексте", en="Passkey: a key in a long text"),
    description=Wording(
        ru="Длинный контекст: в тексте до 128 тысяч токенов нужно найти число, названное в нём один раз.",
        en="Long context: find the number that a text of up to 128 thousand tokens names once.",
    ),
    fields=(
        Field("context", Wording(ru="Текст", en="Text"), kind="long"),
        Field("input", Wording(ru="Вопрос", en="Question"), kind="question"),
        Field("length", Wording(ru="Длина", en="Length"), kind="hidden", optional=True),
        Field("depth", Wording(ru="Глубина", en="Depth"), kind="hidden", optional=True),
        Field("negative_outputs", Wording(ru="Неверные ответы", en="Wrong answers"), kind="hidden", optional=True),
        Field("family", Wording(ru="Семейство", en="Family"), kind="hidden", optional=True),
    ),
    question=Wording(ru="Какой ключ доступа указан в тексте?", en="Which access key does the text name?"),
    instruction=INSTRUCTION,
    answer=Number(whole=True, low=0),
    prompt=PROMPT,
    metrics=("em", "em_code"),
    official=("em",),
    answer_column="positive_outputs",
    shape="libra",
    cluster="family",
    source="LIBRA (Churin et al., 2024), https://huggingface.co/datasets/ai-forever/LIBRA",
    licence="MIT",
    examples=EXAMPLES,
)
