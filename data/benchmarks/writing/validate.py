"""Whether a question that somebody wrote to a text is a good one, and whether its answer is right."""

from data.answers.choice import Choice
from data.answers.composite import packed
from data.answers.form import Form
from data.answers.parts import Part
from data.task import Example, Field, Task
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

STORY = (
    "Паром задержался: капитан ждал невесту с гостями. В половине пятого на пристань въехали две тройки, и с первой "
    "спрыгнул гармонист Влас. Невеста приехала на второй, в синем платье, и сразу спросила, не укачает ли её."
)

EXAMPLES = (
    Example(
        fields={"text": STORY, "question": "Кто спрыгнул с первой тройки?", "answer": "Гармонист"},
        answer=packed({"answerable": "yes", "right": "yes", "single": "yes"}),
        explanation=Wording(
            ru="Место в тексте есть: «с первой спрыгнул гармонист Влас». Имя можно и не называть.",
            en="The text has the place: the accordionist Vlas jumped off the first. His name need not be given.",
        ),
    ),
    Example(
        fields={"text": STORY, "question": "Сколько гостей приехало на пристань?", "answer": "Двое"},
        answer=packed({"answerable": "no"}),
        explanation=Wording(
            ru="В тексте сказано, сколько было троек, а сколько гостей — нет. Остальные вопросы не нужны.",
            en="The text tells the number of troikas, not of guests. The other questions are not needed.",
        ),
    ),
)

PROMPT = """{instruction}

Текст: {text}

Вопрос: {question}
Ответ автора: {answer}

{options}

{answer_format}"""

VARIANTS = (
    """Прочитай текст, вопрос к нему и ответ на этот вопрос.

Текст:
{text}

Вопрос, который задал автор: {question}
Ответ, который он дал: {answer}

Оцени и то и другое.
{instruction}

{options}

{answer_format}""",
    """Ты проверяешь чужую работу: вопрос к тексту и ответ на него.

{instruction}

Проверяемый вопрос: {question}
Проверяемый ответ: {answer}

Текст, в котором должен быть ответ:
{text}

{options}

{answer_format}""",
)

TASK = Task(
    id="writing/validate",
    title=Wording(ru="Проверка вопросов к тексту", en="Checking questions about a text"),
    description=Wording(
        ru="Люди проверяют вопросы и ответы, которые другие люди написали к тексту.",
        en="People check questions and answers that other people wrote about a text.",
    ),
    fields=(
        Field("text", Wording(ru="Текст", en="Text"), kind="long"),
        Field("question", Wording(ru="Вопрос автора", en="The author's question"), kind="question"),
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
    variants={"": VARIANTS},
    metrics=("em",),
    official=("em",),
    source="After LIBRA (Churin et al., 2024), appendix A",
    licence="MIT",
    examples=EXAMPLES,
)
