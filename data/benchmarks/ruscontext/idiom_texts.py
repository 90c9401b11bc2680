"""RusConText, idioms: in which of three texts an idiom has the meaning that is asked for."""

from data.answers.choice import Choice
from data.benchmarks.ruscontext.common import FROM_ZERO, LICENCE, METRICS, OFFICIAL, SOURCE, published
from data.task import Aliases, Example, Field, Task
from data.wording import Wording

INSTRUCTION = Wording(
    ru="""Одно и то же выражение стоит в трёх текстах и в каждом значит своё. Прочитайте толкование и выберите текст, \
в котором выражение имеет именно это значение.

• Сначала найдите выражение в каждом тексте. Оно может стоять в другой форме, с другим порядком слов, неполностью.

• Подставьте толкование вместо выражения. В верном тексте смысл не меняется.

• Прочитайте все три текста, даже если подошёл первый: другой может подойти точнее.""",
    en="""One idiom stands in three texts and means something else in each of them. Read the explanation and choose \
the text in which the idiom has exactly this meaning.

• First find the idiom in every text. It may stand in another form, in another order, not in full.

• Put the explanation in place of the idiom. In the right text the sense does not change.

• Read all three texts even if the first one fits: another may fit better.""",
)

EXAMPLES = (
    Example(
        {
            "idiom": "открыть глаза",
            "meaning": "помочь кому-либо понять, что происходит на самом деле",
            "option1": "Больной открыл глаза только под утро и попросил воды.",
            "option2": "Открой наконец глаза! Перед тобой лучшая работа на выставке, а ты прошёл мимо.",
            "option3": "Эта книга открыла нам глаза: оказалось, река обмелела вовсе не из-за засухи.",
        },
        "2",
        Wording(
            ru="Из книги люди узнали настоящую причину. В первом тексте больной проснулся, во втором — просят смотреть "
            "внимательнее.",
            en="From the book people learnt the true cause. In the first text a patient woke up, in the second "
            "somebody is asked to look better.",
        ),
    ),
    Example(
        {
            "idiom": "открыть глаза",
            "meaning": "проснуться или прийти в себя",
            "option1": "Я открыл глаза от запаха блинов: на кухне уже хлопотала тётя.",
            "option2": "Письмо открыло мне глаза: друг, которому я верил, всё это время лгал.",
            "option3": "Открой глаза пошире: очки лежат у тебя под носом.",
        },
        "0",
        Wording(ru="Рассказчика разбудил запах блинов.", en="The smell of pancakes woke the narrator up."),
    ),
)

PROMPT = """{instruction}

Выражение: {idiom}

Значение: {meaning}

{question}
{options}

{answer_format}"""

VARIANTS = (
    """Ниже три отрывка с выражением «{idiom}».
{options}

В одном из них оно значит: «{meaning}». В каком? {answer_format}""",
    """Фразеологизм «{idiom}» многозначен. Нас интересует такое его значение: {meaning}.

Найди отрывок, в котором фразеологизм употреблён в этом значении:
{options}

{answer_format}""",
)

TASK = Task(
    id="ruscontext/idiom_texts",
    title=Wording(ru="RusConText: текст с этим значением идиомы", en="RusConText: the text with this meaning"),
    description=Wording(
        ru="Идиомы: выбрать из трёх текстов тот, в котором выражение имеет данное значение.",
        en="Idioms: of three texts choose the one in which an idiom has the given meaning.",
    ),
    fields=(
        Field("idiom", Wording(ru="Выражение", en="Idiom"), kind="title"),
        Field("meaning", Wording(ru="Значение", en="Meaning")),
        Field("option1", Wording(ru="Текст 1", en="Text 1"), kind="option"),
        Field("option2", Wording(ru="Текст 2", en="Text 2"), kind="option"),
        Field("option3", Wording(ru="Текст 3", en="Text 3"), kind="option"),
    ),
    question=Wording(
        ru="В каком тексте выражение имеет это значение?", en="In which text does the idiom have this meaning?"
    ),
    instruction=INSTRUCTION,
    answer=Choice(option_fields=("option1", "option2", "option3")),
    prompt=PROMPT,
    variants={"": VARIANTS},
    metrics=METRICS,
    official=OFFICIAL,
    published=published("numbers"),
    aliases=Aliases(columns={"current_meaning": "meaning"}, answers=FROM_ZERO),
    shape="ruscontext_idioms",
    cluster="idiom",
    splits={"test": 360},
    source=SOURCE,
    licence=LICENCE,
    examples=EXAMPLES,
)
