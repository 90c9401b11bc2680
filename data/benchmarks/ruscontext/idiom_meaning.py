"""RusConText, idioms: which of three meanings an idiom has in this text."""

from data.answers.choice import Choice
from data.benchmarks.ruscontext.common import FROM_ZERO, LICENCE, METRICS, OFFICIAL, SOURCE, published
from data.task import Aliases, Example, Field, Task
from data.wording import Wording

INSTRUCTION = Wording(
    ru="""У многих устойчивых выражений не одно значение. Найдите выражение в тексте и выберите из трёх толкований то, \
которое подходит к нему именно здесь.

• Обычно одно из неверных толкований — другое значение того же выражения. Оно правильное, но для другого текста.

• Подставьте толкование вместо выражения. Верное не спорит ни с одним словом вокруг.

• Выражение может стоять в другой форме, с другим порядком слов и со вставленным словом; косая черта в нём показывает, \
что слова взаимозаменяемы: «есть / пожирать взглядом».

• Если подходят два толкования, выберите более точное.""",
    en="""Many idioms have more than one meaning. Find the idiom in the text and choose, of three explanations, the \
one that fits it here.

• One of the wrong explanations is usually another meaning of the same idiom. It is right, but for another text.

• Put the explanation in place of the idiom. The right one agrees with every word around it.

• The idiom may stand in another form, in another order, with a word put in; a slash in it shows words that may stand \
for each other: «есть / пожирать взглядом».

• If two explanations fit, choose the more exact one.""",
)

EXAMPLES = (
    Example(
        {
            "idiom": "открыть глаза",
            "example": "Соседка долго молчала, а потом открыла Вере глаза: квартиру давно переписали на племянника.",
            "option1": "проснуться или прийти в себя",
            "option2": "помочь кому-либо понять, что происходит на самом деле",
            "option3": "очень быстро убежать",
            "origins": "own;own;other",
        },
        "1",
        Wording(
            ru="Соседка рассказала правду. «Проснуться» — тоже значение этого выражения, но Вера не спала.",
            en="The neighbour told the truth. “To wake up” is a meaning of the idiom too, but Вера was not asleep.",
        ),
    ),
    Example(
        {
            "idiom": "открыть глаза",
            "example": "Когда больной наконец открыл глаза, за окном уже рассвело, и сиделка поправила ему подушку.",
            "option1": "помочь кому-либо понять, что происходит на самом деле",
            "option2": "сделать вид, что ничего не замечаешь",
            "option3": "проснуться или прийти в себя",
            "origins": "own;other;own",
        },
        "2",
        Wording(
            ru="Больной очнулся: рассвет и подушка говорят об этом прямо.",
            en="The patient came round: the dawn and the pillow say so plainly.",
        ),
    ),
)

PROMPT = """{instruction}

Выражение: {idiom}

Текст: {example}

{question}
{options}

{answer_format}"""

VARIANTS = (
    """{example}

В каком значении здесь употреблено выражение «{idiom}»?
{options}

{answer_format}""",
    """Фразеологизм: «{idiom}».

Его возможные толкования:
{options}

Отрывок:
{example}

Выбери толкование, которое верно для этого отрывка. {answer_format}""",
)

TASK = Task(
    id="ruscontext/idiom_meaning",
    title=Wording(ru="RusConText: значение идиомы в тексте", en="RusConText: the meaning of an idiom"),
    description=Wording(
        ru="Идиомы: выбрать из трёх значений то, в котором выражение употреблено в тексте.",
        en="Idioms: of three meanings choose the one that an idiom has in a text.",
    ),
    fields=(
        Field("idiom", Wording(ru="Выражение", en="Idiom"), kind="title"),
        Field("example", Wording(ru="Текст", en="Text")),
        Field("option1", Wording(ru="Значение 1", en="Meaning 1"), kind="option"),
        Field("option2", Wording(ru="Значение 2", en="Meaning 2"), kind="option"),
        Field("option3", Wording(ru="Значение 3", en="Meaning 3"), kind="option"),
        Field("origins", Wording(ru="Чьи это значения", en="Whose meanings these are"), kind="hidden", optional=True),
    ),
    question=Wording(ru="Что значит выражение в этом тексте?", en="What does the idiom mean in this text?"),
    instruction=INSTRUCTION,
    answer=Choice(option_fields=("option1", "option2", "option3")),
    prompt=PROMPT,
    variants={"": VARIANTS},
    metrics=METRICS,
    official=OFFICIAL,
    published=published("numbers"),
    aliases=Aliases(answers=FROM_ZERO),
    shape="ruscontext_idioms",
    cluster="idiom",
    splits={"test": 500},
    source=SOURCE,
    licence=LICENCE,
    examples=EXAMPLES,
)
