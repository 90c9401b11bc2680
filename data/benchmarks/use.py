"""USE: the test part of the Unified State Exam in Russian, as MERA asks it."""

from data.answers.sequence import Sequence
from data.answers.text import Text
from data.answers.varied import Varied
from data.benchmarks.use_texts import EXAMPLES, INSTRUCTION, PROMPT, prompts
from data.exam import BETWEEN
from data.task import Breakdown, Field, Task
from data.wording import Wording

SKILL_WORDS = {
    "orthoepy": Wording(ru="ударение", en="stress"),
    "vocabulary": Wording(ru="лексика", en="vocabulary"),
    "grammar": Wording(ru="грамматика", en="grammar"),
    "spelling": Wording(ru="правописание", en="spelling"),
    "punctuation": Wording(ru="пунктуация", en="punctuation"),
    "text analysis": Wording(ru="анализ текста", en="text analysis"),
    "vocabulary;text analysis": Wording(ru="лексика; анализ текста", en="vocabulary; text analysis"),
}
"""The skills, and the two that tasks 3 and 24 test at once."""
KIND = Wording(ru="Вид задания", en="Kind of task")
NUMBER = Wording(ru="Задание экзамена", en="Task of the exam")
VARIANT = Wording(ru="Вариант экзамена", en="Exam variant")
SKILL = Wording(ru="Что проверяется", en="Skill")

SEVERAL = Sequence(choices_field="choices", numbers_field="text", ordered=False)

TASK = Task(
    id="use",
    title=Wording(ru="ЕГЭ по русскому языку", en="USE: the state exam in Russian"),
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
            KIND,
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
        Field("variant", VARIANT, kind="hidden"),
        Field("score", Wording(ru="Баллов, не больше", en="Points at most"), kind="hidden", optional=True),
        Field("instruction", Wording(ru="Подсказка MERA", en="MERA's prompt"), kind="hidden", optional=True),
        Field("exam_task", NUMBER, kind="hidden", optional=True),
        Field("skill", SKILL, kind="hidden", values=SKILL_WORDS, optional=True),
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
    variants=prompts(),
    variants_by="type",
    metrics=("grade_norm", "use_points"),
    official=("grade_norm",),
    published=("grade_norm_code", "use_points_code"),
    shape="mera",
    several=",",
    cluster="variant",
    breakdowns=(
        Breakdown("exam_task", NUMBER),
        Breakdown("type", KIND),
        Breakdown("skill", SKILL, several=BETWEEN),
        Breakdown("variant", VARIANT),
    ),
    splits={"train": 2622, "dev": 900, "test": 900},
    examples=EXAMPLES,
    source="MERA (Fenogenova et al., ACL 2024), https://mera.a-ai.ru",
    licence="MIT",
)
