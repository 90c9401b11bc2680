"""USE: the test part of the Unified State Exam in Russian, as MERA asks it."""

from data.answers.sequence import Sequence
from data.answers.text import Text
from data.answers.varied import Varied
from data.task import Field, Task
from data.wording import Wording

INSTRUCTION = Wording(
    ru="""Это задания первой части ЕГЭ по русскому языку. Прочитайте задание и текст к нему, если он есть, и дайте \
ответ. Задания бывают трёх видов.

Слово. Напишите слово или несколько слов так, как требует задание. Пример: «Исправьте ошибку и запишите слово \
правильно: пара ВАЛЕНКОВ». Ответ: валенок.

Номера. Выберите все верные номера: варианты ответа, цифры в скобках или номера предложений. Порядок не важен, но \
лишний или пропущенный номер — это ошибка. Пример: «Укажите все цифры, на месте которых пишется НН: стекля(1)ый \
стакан, кожа(2)ый ремень, пусты(3)ый берег». Ответ: 1, 3.

Соответствие. Для каждой буквы укажите номер из списка. Здесь порядок важен, и каждый верный номер приносит балл.

Отвечайте по нормам современного литературного языка, как на экзамене: без словарей, справочников и подсказок.""",
    en="""These are tasks of the first part of the Unified State Exam in Russian. Read the task and the text that \
comes with it, if there is one, and give your answer. There are three kinds of tasks.

Words. Type a word or several words as the task requires. Example: «Исправьте ошибку и запишите слово правильно: пара \
ВАЛЕНКОВ». Answer: валенок.

Numbers. Choose all numbers that are right: options, figures in brackets or numbers of sentences. Their order does \
not matter, but one too many or too few is a mistake. Example: «Укажите все цифры, на месте которых пишется НН: \
стекля(1)ый стакан, кожа(2)ый ремень, пусты(3)ый берег». Answer: 1, 3.

Matching. Give a number from the list for every letter. Here the order matters, and every right number earns a point.

Follow the norms of modern standard Russian, as in the exam: without dictionaries, reference books or hints.""",
)

PROMPT = """{instruction}

Задание: {question}

{text}

{additional_text}

{options}

{answer_format}"""

SEVERAL = Sequence(choices_field="choices", numbers_field="text", ordered=False)

TASK = Task(
    id="use",
    title=Wording(ru="USE: ЕГЭ по русскому языку", en="USE: the state exam in Russian"),
    description=Wording(
        ru="Первая часть ЕГЭ по русскому языку: 26 заданий о нормах языка, правописании и тексте, 34 балла за вариант.",
        en="The first part of the Unified State Exam in Russian: 26 tasks on usage, spelling and text, 34 points.",
    ),
    fields=(
        Field("text", Wording(ru="Текст", en="Text"), optional=True),
        Field("additional_text", Wording(ru="Фрагмент рецензии", en="Fragment of a review"), optional=True),
        Field("task", Wording(ru="Задание", en="Task"), kind="question"),
        Field("choices", Wording(ru="Варианты ответа", en="Options"), kind="options", optional=True),
        Field(
            "type",
            Wording(ru="Вид задания", en="Kind of task"),
            kind="hidden",
            values={
                "text": Wording(ru="слово или слова", en="a word or words"),
                "matching": Wording(ru="соответствие", en="matching"),
                "multiple_choice_based_on_text": Wording(ru="номера, по тексту", en="numbers, based on a text"),
                "multiple_choice_options_within_text": Wording(ru="номера из текста", en="numbers within a text"),
                "multiple_choice_independent_options": Wording(ru="номера вариантов", en="numbers of options"),
            },
        ),
        Field("id_task", Wording(ru="Номер задания", en="Number of the task"), kind="hidden"),
        Field("variant", Wording(ru="Вариант экзамена", en="Exam variant"), kind="hidden"),
        Field("score", Wording(ru="Баллов, не больше", en="Points at most"), kind="hidden", optional=True),
        Field("instruction", Wording(ru="Подсказка MERA", en="MERA's prompt"), kind="hidden", optional=True),
    ),
    question=Wording(ru="Выполните задание.", en="Do the task."),
    instruction=INSTRUCTION,
    answer=Varied(
        field="type",
        types={
            "text": Text(spelling=False),
            "matching": Sequence(choices_field="choices", positions=("А", "Б", "В", "Г")),
            "multiple_choice_based_on_text": SEVERAL,
            "multiple_choice_options_within_text": SEVERAL,
            "multiple_choice_independent_options": SEVERAL,
        },
    ),
    prompt=PROMPT,
    metrics=("grade_norm", "use_points"),
    official=("grade_norm",),
    shape="mera",
    cluster="variant",
    source="MERA (Fenogenova et al., ACL 2024), https://mera.a-ai.ru",
    licence="MIT",
)
