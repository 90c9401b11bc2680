"""Whether a question that somebody wrote to a text is a good one, and whether its answer is right."""

from data.answers.choice import Choice
from data.answers.form import Form
from data.answers.parts import Part
from data.task import Field, Task
from data.wording import Wording

YES_NO = {"yes": Wording("Да", "Yes"), "no": Wording("Нет", "No")}

INSTRUCTION = Wording(
    ru="""Вопрос к тексту и ответ на него написал другой человек. Проверьте их.

Сначала найдите в тексте место, где говорится об ответе. Если такого места нет или ответ можно только додумать, \
выберите «Нет» в первом вопросе: остальные тогда не нужны.

Если ответ в тексте есть, решите, верно ли он записан и только ли один ответ подходит. Короткий ответ верен, даже если \
он не повторяет текст слово в слово.""",
    en="""Somebody wrote a question about the text and an answer to it. Check them.

First find the place in the text that tells the answer. If there is none, or if the answer can only be guessed, choose \
“No” in the first question: the others are not needed then.

If the text has the answer, decide whether it was written down correctly and whether it is the only one that fits. A \
short answer is right even if it does not repeat the text word by word.""",
)

PROMPT = """{instruction}

Текст: {text}

Вопрос: {question}
Ответ автора: {answer}

{options}

{answer_format}"""

TASK = Task(
    id="writing/validate",
    title=Wording(ru="Проверка вопросов к тексту", en="Checking questions about a text"),
    description=Wording(
        ru="Люди проверяют вопросы и ответы, которые другие люди написали к тексту.",
        en="People check questions and answers that other people wrote about a text.",
    ),
    fields=(
        Field("text", Wording(ru="Текст", en="Text"), kind="long"),
        Field("question", Wording(ru="Вопрос", en="Question"), kind="question"),
        Field("answer", Wording(ru="Ответ автора", en="The author's answer")),
    ),
    question=Wording(ru="Хорош ли этот вопрос?", en="Is this a good question?"),
    instruction=INSTRUCTION,
    answer=Form(
        parts=(
            Part(
                "answerable",
                Wording(ru="Есть ли ответ в самом тексте?", en="Is the answer in the text itself?"),
                Choice(choices=YES_NO),
            ),
            Part(
                "right",
                Wording(ru="Верен ли ответ автора?", en="Is the author's answer right?"),
                Choice(choices=YES_NO),
                when=("answerable", "yes"),
            ),
            Part(
                "single",
                Wording(ru="Подходит только один ответ?", en="Does only one answer fit?"),
                Choice(choices=YES_NO),
                when=("answerable", "yes"),
            ),
        )
    ),
    prompt=PROMPT,
    metrics=("em",),
    official=("em",),
    source="After LIBRA (Churin et al., 2024), appendix A",
    licence="MIT",
)
