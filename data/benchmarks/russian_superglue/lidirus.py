"""LiDiRus: whether one sentence follows from another, with the linguistic phenomena that decide it."""

from data.answers.choice import Choice
from data.benchmarks.russian_superglue.common import LICENCE, source_of
from data.task import Aliases, Breakdown, Example, Field, Task
from data.wording import Wording

INSTRUCTION = Wording(
    ru="""Прочитайте два предложения. Решите, следует ли второе из первого.

Выберите «Следует», если всякий раз, когда верно первое предложение, верно и второе. Выберите «Не следует», если \
второе может оказаться неверным, даже когда первое верно, или если они противоречат друг другу.

Предложения часто почти одинаковы, и всё решает мелочь: «не», «только», «или», падеж, порядок слов, число. Читайте \
буквально и опирайтесь на то, что знает каждый. Правда ли сказанное на самом деле, неважно.""",
    en="""Read two sentences. Decide whether the second follows from the first.

Choose “Follows” if the second sentence is true whenever the first is. Choose “Does not follow” if the second may turn \
out false even when the first is true, or if they contradict each other.

Often the sentences are almost the same, and a small thing decides: “not”, “only”, “or”, a case ending, the order of \
words, a number. Read literally and rely on what everybody knows. Whether it is true in fact does not matter.""",
)

EXAMPLES = (
    Example(
        fields={
            "sentence1": "Ни один билет на субботу не продан.",
            "sentence2": "Ни один дешёвый билет на субботу не продан.",
            "lexical_semantics": "",
            "predicate_argument_structure": "",
            "logic": "Negation;Downward monotone",
            "knowledge": "",
        },
        answer="entailment",
        explanation=Wording(
            ru="Если не продан ни один билет, то и среди дешёвых не продан ни один. Обратное было бы неверно.",
            en="If no ticket at all is sold, no cheap one is either. The other way round it would not hold.",
        ),
    ),
    Example(
        fields={
            "sentence1": "Вахтёр помнил, что дверь заперта.",
            "sentence2": "Вахтёр запер дверь.",
            "lexical_semantics": "Factivity",
            "predicate_argument_structure": "Core args",
            "logic": "",
            "knowledge": "",
        },
        answer="not_entailment",
        explanation=Wording(
            ru="Дверь и правда заперта, но кто её запер, не сказано: это мог сделать кто угодно.",
            en="The door is indeed locked, but who locked it is not said: it may have been anybody.",
        ),
    ),
)

PROMPT = """{instruction}

Первое предложение: {sentence1}

Второе предложение: {sentence2}

{question}
{options}

{answer_format}"""

VARIANTS = (
    """{instruction}

{question}

1-е предложение: {sentence1}
2-е предложение: {sentence2}

Варианты ответа:
{options}

{answer_format}""",
    """Дано: {sentence1}

Вывод: {sentence2}

Как судить о выводе:
{instruction}

{question}
{options}

{answer_format}""",
)

GROUPS = {
    "lexical_semantics": Wording(ru="Лексическая семантика", en="Lexical semantics"),
    "predicate_argument_structure": Wording(ru="Структура предложения", en="Predicate-argument structure"),
    "logic": Wording(ru="Логика", en="Logic"),
    "knowledge": Wording(ru="Знания", en="Knowledge"),
}
"""The four groups of tags, of which a pair may have several in each ("Negation;Quantifiers")."""

TASK = Task(
    id="rsg/lidirus",
    title=Wording(ru="LiDiRus: следует ли предложение", en="LiDiRus: does the sentence follow"),
    description=Wording(
        ru="Диагностика: следует ли второе предложение из первого. Пары размечены по языковым явлениям.",
        en="Diagnostics: does the second sentence follow from the first. The pairs are tagged by what decides them.",
    ),
    fields=(
        Field("sentence1", Wording(ru="Первое предложение", en="First sentence")),
        Field("sentence2", Wording(ru="Второе предложение", en="Second sentence")),
        *(Field(name, title, kind="hidden", optional=True) for name, title in GROUPS.items()),
    ),
    question=Wording(ru="Следует ли второе предложение из первого?", en="Does the second sentence follow?"),
    instruction=INSTRUCTION,
    answer=Choice(
        choices={
            "entailment": Wording(ru="Следует", en="Follows"),
            "not_entailment": Wording(ru="Не следует", en="Does not follow"),
        }
    ),
    prompt=PROMPT,
    metrics=("mcc", "accuracy"),
    official=("mcc",),
    aliases=Aliases(
        columns={
            "sent1": "sentence1",
            "sent2": "sentence2",
            # TERRa's own, whose train split a model learns from: LiDiRus has none (section 4.1.1).
            "premise": "sentence1",
            "hypothesis": "sentence2",
            "lexical-semantics": "lexical_semantics",
            "predicate-argument-structure": "predicate_argument_structure",
        }
    ),
    source=source_of("LiDiRus"),
    licence=LICENCE,
    examples=EXAMPLES,
    variants={"": VARIANTS},
    breakdowns=tuple(Breakdown(name, title, several=";") for name, title in GROUPS.items()),
    splits={"test": 1104},
)
