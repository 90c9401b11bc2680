"""RusConText, anaphora: which of three expressions names what a pronoun of the text stands for."""

from data.answers.choice import Choice
from data.benchmarks.ruscontext.common import LICENCE, METRICS, OFFICIAL, SOURCE, published
from data.named import NAMED, NAMES
from data.task import Breakdown, Example, Field, Task
from data.wording import Wording

INSTRUCTION = Wording(
    ru="""В тексте выделено слово, которое заменяет название: «он», «её», «который», «там». Выберите из трёх выражений \
то, которое называет того же человека, тот же предмет или то же место.

• Подставьте каждое выражение вместо выделенного слова и прочитайте, что получилось. Верное сохраняет смысл.

• Одного рода и числа мало: часто они подходят всем трём. Решает смысл: кто мог это сделать, с чем это могло случиться.

• «Свой» и «себя» обычно относятся к тому, кто совершает действие: «Лена встретила Аню со своей собакой» — собака Лены.

• Если такое же слово стоит в тексте несколько раз, выделены все места. Выберите то, что подходит к ним лучше всего.""",
    en="""A word in the text is marked that stands for a name: «он», «её», «который», «там». Of three expressions \
choose the one that names the same person, thing or place.

• Put each expression in place of the marked word and read the result. The right one keeps the meaning.

• Gender and number are not enough: often they fit all three. The meaning decides: who could have done this, to what \
could this have happened.

• «Свой» and «себя» usually belong to the one who acts: in «Лена встретила Аню со своей собакой» the dog is Лена's.

• If the same word stands in the text several times, all places are marked. Choose what fits them best.""",
)

EXAMPLES = (
    Example(
        {
            "text": "Сестра подарила бабушке платок, но он оказался слишком ярким.",
            "span": "он",
            "marks": "[[35,37]]",
            "option1": "Сестра",
            "option2": "бабушке",
            "option3": "платок",
            "ambiguous": "",
            "document": "example",
            NAMED: "",
        },
        "2",
        Wording(
            ru="«Платок оказался слишком ярким»: других слов мужского рода здесь нет, и по смыслу ярким бывает платок.",
            en="“The scarf turned out too bright”: no other noun is masculine, and it is a scarf that can be bright.",
        ),
    ),
    Example(
        {
            "text": "Тренер объяснил нападающему, что до конца месяца тот будет выходить только на замену. Он тяжело "
            "перенёс операцию на колене и ещё не набрал форму.",
            "span": "Он",
            "marks": "[[86,88]]",
            "option1": "Тренер",
            "option2": "нападающему",
            "option3": "конца месяца",
            "ambiguous": "",
            "document": "example",
            NAMED: "",
        },
        "1",
        Wording(
            ru="По роду подходят и тренер, и нападающий. Но форму набирает тот, кто выходит на поле: нападающий.",
            en="Both coach and striker fit by gender. But who has to get fit is the one who plays: the striker.",
        ),
    ),
)

PROMPT = """{instruction}

Текст (слово выделено скобками ⟦ ⟧): {text}

Слово: {span}

{question}
{options}

{answer_format}"""

VARIANTS = (
    """Прочитай текст. Слово «{span}» стоит в нём в скобках ⟦ ⟧.

{text}

Кого или что обозначает это слово? Выбери выражение, которое называет то же самое:
{options}

{answer_format}""",
    """Местоимение и то, что оно заменяет.

Местоимение: {span}
Варианты замены:
{options}

Отрывок, в котором местоимение взято в скобки ⟦ ⟧:
{text}

Какой из вариантов можно поставить на место местоимения, не изменив смысла? {answer_format}""",
)

TASK = Task(
    id="ruscontext/coref_anaphora",
    title=Wording(ru="RusConText: к чему относится местоимение", en="RusConText: what a pronoun stands for"),
    description=Wording(
        ru="Анафора: выбрать из трёх выражений текста то, которое называет то же, что и местоимение.",
        en="Anaphora: of three expressions of a text choose the one that names what the pronoun stands for.",
    ),
    fields=(
        Field("text", Wording(ru="Текст", en="Text"), kind="marked", marks="marks"),
        Field("span", Wording(ru="Выделенное слово", en="Marked word")),
        Field("marks", Wording(ru="Места слова", en="Places of the word"), kind="offsets"),
        Field("option1", Wording(ru="Вариант 1", en="Option 1"), kind="option"),
        Field("option2", Wording(ru="Вариант 2", en="Option 2"), kind="option"),
        Field("option3", Wording(ru="Вариант 3", en="Option 3"), kind="option"),
        Field(
            "ambiguous",
            Wording(ru="Слово встречается несколько раз", en="The word occurs several times"),
            kind="hidden",
            values={"yes": Wording(ru="несколько раз", en="several times")},
            optional=True,
        ),
        Field("document", Wording(ru="Документ", en="Document"), kind="hidden"),
        NAMES,
    ),
    question=Wording(ru="Кого или что обозначает выделенное слово?", en="What does the marked word stand for?"),
    instruction=INSTRUCTION,
    answer=Choice(option_fields=("option1", "option2", "option3")),
    prompt=PROMPT,
    variants={"": VARIANTS},
    metrics=METRICS,
    official=OFFICIAL,
    published=published("raw"),
    shape="ruscontext_coref",
    cluster="document",
    breakdowns=(Breakdown("ambiguous", Wording(ru="Место слова в тексте", en="Place of the word")),),
    splits={"test": 500},
    source=SOURCE,
    licence=LICENCE,
    examples=EXAMPLES,
)
