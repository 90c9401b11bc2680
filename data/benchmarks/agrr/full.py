"""AGRR-2019, full annotation: the gap, its predicate, the remnants around it and their matches."""

from data.answers.spans import Spans
from data.benchmarks.agrr.common import (
    GAPPING,
    GENRE,
    LICENCE,
    NO_GAPPING,
    ONE_WORD_LEFT,
    SENTENCE,
    SOURCE,
    SPLITS,
    elements,
    marked_example,
)
from data.markup import ELEMENTS
from data.task import Task
from data.wording import Wording

INSTRUCTION = Wording(
    ru=f"""{GAPPING.ru}

{ONE_WORD_LEFT.ru}

Если гэппинг есть, сравните полную часть с неполной.

В неполной части отметьте:

• R1 — слова перед пропуском, которые противопоставлены чему-то в полной части («Петя»).

• V — место пропуска: метка прямо перед R2, после тире и пробела, если там тире.

• R2 — слова после пропуска, которые тоже чему-то противопоставлены («груши»).

В полной части отметьте:

• cV — одно слово: сказуемое, которое дальше пропущено («купила»). У составного сказуемого это главный глагол: \
«стала» тише, «может» спать, «была» высокой; но был «построен».

• cR1 и cR2 — слова, которым соответствуют R1 («Маша») и R2 («яблоки»). Порядок у них бывает другой.

Отмечайте группу слов целиком, с предлогом и определениями, но без союзов «а», «и» и без знаков препинания по краям. \
Если пропусков несколько, отметьте R1, V и R2 у каждого. Если у пропуска есть пара только одна, это R1: метка V стоит \
перед R1, а меток cR2 и R2 нет.""",
    en=f"""{GAPPING.en}

{ONE_WORD_LEFT.en}

If there is gapping, compare the full part with the one that is not full.

In the part with the gap mark:

• R1: the words before the gap that are set against something in the full part («Петя»).

• V: the place of the gap, a mark right before R2; if there is a dash, after the dash and the space.

• R2: the words after the gap that are set against something as well («груши»).

In the full part mark:

• cV: one word, the predicate that is left out later («купила»). Of a compound predicate it is the head verb: «стала» \
тише, «может» спать, «была» высокой; but был «построен».

• cR1 and cR2: the words that R1 («Маша») and R2 («яблоки») match. They may come in another order.

Mark a whole group of words, with its preposition and attributes, but without the conjunctions «а», «и» and without \
punctuation at its ends. If there are several gaps, mark R1, V and R2 of each. If a gap has one pair only, that is \
R1: the mark V stands before R1, and there are no marks cR2 and R2.""",
)

EXAMPLES = (
    marked_example(
        "cR1[Утром cR1] дед cV[читал cV] cR2[газету cR2], а R1[вечером R1] — V[] R2[толстый роман R2].",
        Wording(
            ru="Пропущено «читал». Вечер противопоставлен утру, роман — газете. «Дед» общий, его не отмечают.",
            en="«Читал» is left out. Evening is set against morning, novel against newspaper. «Дед» is in both.",
        ),
    ),
    marked_example(
        "cR1[В мае cR1] здесь cV[цветёт cV] cR2[сирень cR2], R1[в июне R1] — V[] R2[жасмин R2], R1[в июле R1] — V[] "
        "R2[липа R2].",
        Wording(
            ru="«Цветёт» пропущено дважды: R1, V и R2 отмечены у каждого пропуска, cV, cR1 и cR2 — один раз.",
            en="«Цветёт» is left out twice: R1, V and R2 are marked at each gap, cV, cR1 and cR2 once.",
        ),
    ),
    marked_example(
        "Лучший подарок — хорошая книга, а её ещё надо найти.",
        Wording(
            ru="Тире стоит на месте «это», которого раньше не было, а во второй части своё сказуемое: «надо найти».",
            en="The dash stands for “is”, which was not said before, and the second part has a predicate of its own.",
        ),
    ),
)

WORKED = """Примеры.
«Утром дед читал газету, а вечером — толстый роман.»
{{"cV": ["читал"], "cR1": ["Утром"], "cR2": ["газету"], "V": ["вечером — |толстый"], "R1": ["вечером"], \
"R2": ["толстый роман"]}}
«В мае здесь цветёт сирень, в июне — жасмин, в июле — липа.»
{{"cV": ["цветёт"], "cR1": ["В мае"], "cR2": ["сирень"], "V": ["июне — |жасмин", "июле — |липа"], \
"R1": ["в июне", "в июле"], "R2": ["жасмин", "липа"]}}
«Лучший подарок — хорошая книга, а её ещё надо найти.»
{{}}"""

PROMPT = (
    "{instruction}\n\n"
    + WORKED
    + """

Предложение: {sentence}

{question}

{answer_format}"""
)

VARIANTS = (
    "{instruction}\n\n{answer_format}\n\n"
    + WORKED
    + """

А теперь вот это предложение.
«{sentence}»

{question}""",
    """Предложение для разметки: «{sentence}»

Как его размечать:

{instruction}

"""
    + WORKED
    + """

{question}

{answer_format}""",
)

TASK = Task(
    id="agrr/full",
    title=Wording(ru="AGRR: полная разметка гэппинга", en="AGRR: full annotation"),
    description=Wording(
        ru="Гэппинг: найти пропуск, пропущенное сказуемое и части предложения, которые соответствуют друг другу.",
        en="Gapping: find the gap, the predicate that is left out and the parts of the sentence that match each other.",
    ),
    fields=(SENTENCE, GENRE),
    question=Wording(
        ru="Есть ли здесь гэппинг? Если есть, отметьте все его элементы.",
        en="Is there gapping? If there is, mark all its elements.",
    ),
    instruction=INSTRUCTION,
    answer=Spans("sentence", elements(*ELEMENTS), none=NO_GAPPING),
    prompt=PROMPT,
    variants={"": VARIANTS},
    metrics=("symbol_f", "symbol_f_near", *(f"symbol_f_{name.lower()}" for name in ELEMENTS), "accuracy"),
    official=("symbol_f",),
    answer_column="full",
    shape="agrr",
    source=SOURCE,
    licence=LICENCE,
    examples=EXAMPLES,
    splits=SPLITS,
)
