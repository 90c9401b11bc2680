"""Items as HTML: every text arrives exactly, nothing hidden is drawn, colours can be read."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import Markup

from data.answers.choice import Choice
from data.catalogue.catalog import get_task, samples, tasks
from data.drawing.answer_form import OptionMark, draw_answered, draw_form, draw_review, drawn_parts
from data.drawing.environment import LONG, STATIC, environment, stretches
from data.drawing.html_tables import draw
from data.tables import Column, Table
from data.task import Field, Item, PublicItem, Task
from data.wording import Language, Wording, languages, same

TEXTS = Task(
    id="test/texts",
    title=same("Texts"),
    description=same(""),
    fields=(
        Field("text", Wording(ru="Текст", en="Text")),
        Field("question", same("?"), kind="question"),
        Field("first", same("1"), kind="option"),
        Field("second", same("2"), kind="option"),
    ),
    question=same("?"),
    instruction=same("."),
    answer=Choice(option_fields=("first", "second")),
    prompt="",
    metrics=("accuracy",),
)
HOSTILE = {
    "markup": "<script>alert(1)</script><b onclick='x'>жирный</b>",
    "closing": "</form></fieldset></legend></div></span><input name=answer value=9 checked>",
    "quotes": "\"'`» “ ” &quot; &#34; &amp;amp;",
    "templates": "{{ 7 * 7 }} {% include 'x' %} ${7} `${document.cookie}`",
    "right to left": "\u202eабв\u202c שלום עולם \u2067مرحبا\u2069",
    "combining": "е\u0301й и\u0306 Z\u0351\u036b\u0343 👩‍👩‍👧 \u00ad\u200b",
    "line ends": "один\r\nдва\rтри\n\n  четыре\t\r",
    "comment": "--><!-- ]]> <![CDATA[ <?php",
    "spaces": "  a   b\u00a0\u3000 ",
}
texts_of_any_kind = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=200)


class Reader(HTMLParser):
    """Reads a drawing as a browser would: the texts by their class, every tag with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.found: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "input":
            name = dict(attrs).get("class") or ""
            self._open.append(name)
            self.found.setdefault(name, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for name in set(self._open):
            self.found[name][-1] += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def item_of(text: str) -> PublicItem:
    return PublicItem({"text": text, "question": text, "first": text, "second": f"{text}!"})


def drawn_texts(html: str) -> list[str]:
    found = Reader(html).found
    return [*found["text"], *found["legend"], *found["words"]]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_is_shown_and_does_nothing(text: str) -> None:
    html = draw_form(TEXTS, item_of(text), "ru")
    assert drawn_texts(html) == [text, text, text, f"{text}!"]
    assert [tag for tag, _ in Reader(html).tags] == [
        tag for tag, _ in Reader(draw_form(TEXTS, item_of("x"), "ru")).tags
    ]


@given(text=texts_of_any_kind)
def test_every_text_arrives_exactly_as_it_was_given(text: str) -> None:
    html = draw_form(TEXTS, item_of(text), "en")
    assert drawn_texts(html) == [text, text, text, f"{text}!"]
    assert "\r" not in html, "an HTML parser would turn it into LF and shift every offset behind it"


@given(label=texts_of_any_kind.filter(bool))
def test_a_label_arrives_exactly_in_the_value_that_is_sent_back(label: str) -> None:
    answer = Choice(choices={label: same("a"), f"{label}{label}": same("b")})
    task = Task(
        id="t",
        title=same("t"),
        fields=(Field("text", same("t")),),
        question=same("?"),
        instruction=same("."),
        answer=answer,
        metrics=("accuracy",),
    )
    inputs = Reader(draw_form(task, PublicItem({"text": "x"}), "ru", given=label)).named("input")
    assert [one["value"] for one in inputs] == [label, label * 2]
    assert ["checked" in one for one in inputs] == [True, False]


@given(text=st.text("ab \n\r", max_size=300).map(lambda text: text * 60))
def test_a_long_text_is_cut_between_lines_and_nothing_is_lost(text: str) -> None:
    parts = stretches(text)
    assert "".join(parts) == text
    assert all(part.endswith("\n") for part in parts[:-1])
    assert all(len(part) <= LONG or "\n" not in part[:-1] for part in parts)


def every_item() -> list[tuple[Task, Item]]:
    return [(task, item) for task in tasks().values() for item in samples(task)]


@pytest.mark.parametrize("language", languages())
def test_a_form_has_one_legend_and_one_group_and_every_option_once(language: Language) -> None:
    for task, item in every_item():
        if task.answer.kind != "choice":
            continue
        seen = Reader(draw_form(task, item.public(), language))
        options = task.answer.options(item.fields)
        assert len(seen.named("form")) == len(seen.named("fieldset")) == len(seen.named("legend")) == 1
        assert seen.found["legend"] == [task.legend(item.fields).within(language)]
        boxes = [one for one in seen.named("input") if one["type"] != "search"]
        assert {(one["type"], one["name"]) for one in boxes} == {("radio", "answer")}
        assert [one["value"] for one in boxes] == [option.label for option in options]
        assert [one["data-key"] for one in boxes] == [option.key for option in options]
        assert seen.found["words"] == [option.words.within(language) for option in options]


@pytest.mark.parametrize("language", languages())
def test_a_form_says_nothing_of_gold_explanation_id_or_role(language: Language) -> None:
    for task, item in every_item():
        html = draw_form(task, item.public(), language)
        assert "checked" not in html
        assert item.id not in html
        assert not item.explanation or item.explanation not in html
        own = re.sub(r' role="\w+"| aria-controls="[\w-]+"', "", html)
        assert not re.search("gold|role|control|training|explanation|is-right|is-wrong", own)


def test_a_locked_form_shows_what_was_given_and_what_is_right_in_words_and_signs() -> None:
    marks = {"0": OptionMark(right=False, words="ваш ответ"), "1": OptionMark(right=True, words="верный ответ")}
    html = draw_answered(drawn_parts(TEXTS, item_of("x").fields, "ru", given="0"), marks)
    seen = Reader(html)
    assert "disabled" in seen.named("fieldset")[0]
    assert ["checked" in one for one in seen.named("input")] == [True, False]
    assert seen.found["mark"] == ["✕ ваш ответ", "✓ верный ответ"]
    assert seen.named("kbd") == []


def test_a_review_marks_the_gold_and_shows_explanation_and_votes() -> None:
    item = Item("id-1", item_of("x").fields, "1", "training", "потому что <так>")
    seen = Reader(draw_review(TEXTS, item, "ru", votes={"1": 3}))
    assert seen.named("input") == seen.named("form") == []
    assert seen.found["option is-right"] == [seen.found["option is-right"][0]]
    assert "x!" in seen.found["option is-right"][0]
    assert seen.found["mark"] == ["✓ Right answer"]
    assert seen.found["count"] == ["0", "3"]
    assert seen.found["told"] == ["потому что <так>"]


def test_a_review_without_gold_or_votes_marks_nothing() -> None:
    seen = Reader(draw_review(TEXTS, Item("id-1", item_of("x").fields), "en"))
    assert "mark" not in seen.found
    assert "count" not in seen.found


def test_every_drawing_is_safe_to_put_into_another_page() -> None:
    drawn = draw_form(TEXTS, item_of("<b>"), "ru")
    assert isinstance(drawn, Markup)
    assert environment().from_string("{{ form }}").render(form=drawn) == drawn


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_the_tooltip_of_a_column_arrives_exactly_and_adds_nothing(text: str) -> None:
    drawn = draw(Table("", (Column("key", "Title", text, str),), ("row",)))
    assert Reader(drawn).tags[3] == ("th", {"scope": "col", "title": text})
    assert [tag for tag, _ in Reader(drawn).tags] == ["table", "thead", "tr", "th", "tbody", "tr", "th"]


def test_a_name_that_is_missing_in_a_template_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment().from_string("{{ not_there }}").render()


def tokens(look: str) -> list[dict[str, str]]:
    blocks = re.findall(r"\{([^{}]*--ground:[^{}]*)\}", look)
    return [dict(re.findall(r"--([\w-]+): ([^;]+);", block)) for block in blocks]


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colours written as #rrggbb."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_systems_dark_and_gradios_dark_are_the_same() -> None:
    light, wished, gradio = tokens((STATIC / "look.css").read_text("utf8"))
    assert wished == gradio
    assert light.keys() == wished.keys()


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_colour_can_be_read_on_every_ground(scheme: int) -> None:
    colours = tokens((STATIC / "look.css").read_text("utf8"))[scheme]
    inks = ("ink", "quiet", "accent", "accent-deep", "people", "models", "naive", "right", "wrong")
    grounds = ("ground", "paper", "soft", "right-soft", "wrong-soft")
    pairs = [(ink, ground) for ink in inks for ground in grounds]
    pairs += [("ink", "mark1"), ("ink", "mark2"), ("on-accent", "accent"), ("on-accent", "accent-deep")]
    weak = {pair: ratio for pair in pairs if (ratio := contrast(*(colours[name] for name in pair))) < 4.5}
    assert weak == {}
    assert contrast(colours["edge"], colours["paper"]) >= 3, "the ring of a radio button"


def test_where_a_form_asks_several_things_the_question_of_the_item_is_a_text_and_no_legend() -> None:
    task = get_task("writing/validate")
    item = next(item for item in samples(task) if item.role == "main")
    found = Reader(draw_form(task, item.public(), "ru")).found
    assert item.fields["question"] in found["text"]
    assert [text.strip() for text in found["legend"]] == [task.question.within("ru")]
