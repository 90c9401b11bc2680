"""Spans as they are drawn: the text stays the text, every span is told apart, words stand where colours do."""

import colorsys
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.answers.spans import Element, Spans
from data.bracket_markup import to_brackets
from data.drawing.answer_form import OptionMark, draw_answered, draw_form, draw_review, drawn_parts
from data.drawing.environment import STATIC
from data.drawing.marked_text import marked_text
from data.task import Field, Item, PublicItem, Task
from data.wording import Wording, same, texts

SENTENCE = "Я превращу твое сердце в траву, а все, что ты любишь, в овец."
BRACKETS = "Я cV[превращу cV] твое сердце в траву, а R1[все, что ты любишь R1], V[] в овец."
ANSWER = Spans(
    "text",
    (
        Element("cV", Wording(ru="глагол", en="verb"), "1"),
        Element("V", Wording(ru="пропуск", en="gap"), "2", point=True),
    ),
    none=Wording(ru="Нет", en="None"),
    prefill_field="given",
)
FIELDS = (
    Field("text", Wording(ru="Предложение", en="Sentence")),
    Field("given", same("given"), kind="offsets", optional=True),
    Field("shown", same("Размечено"), kind="markup", optional=True),
    Field("words", same("Слова"), kind="marked", marks="places", optional=True),
    Field("places", same("places"), kind="offsets", optional=True),
)
TASK = Task(
    id="test/spans",
    title=same("t"),
    fields=FIELDS,
    question=same("?"),
    instruction=same("."),
    answer=ANSWER,
    metrics=("accuracy",),
)
NOTHING = dict.fromkeys(("given", "shown", "words", "places"), "")
odd = st.text(st.sampled_from("Еж\u0301 \u00a0👩‍👧\u200b\r\n<&\"'[]{}"), min_size=1, max_size=30)


class Texts(HTMLParser):
    """The text of the elements of a class, everything inside it included."""

    def __init__(self, html: str, wanted: str) -> None:
        super().__init__(convert_charrefs=True)
        self.wanted, self.depth, self.found = wanted, 0, list[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.depth:
            self.depth += tag not in ("input", "br")
        elif self.wanted in (dict(attrs).get("class") or "").split():
            self.depth = 1
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= self.depth > 0

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.found[-1] += data


@st.composite
def texts_and_marks(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    text = draw(odd)
    ends = st.integers(0, len(text))
    pairs = st.tuples(ends, ends).map(sorted)
    marks = draw(st.lists(st.tuples(pairs, st.sampled_from("abV")), max_size=8))
    return text, [(begin, end, label) for (begin, end), label in marks]


def drawn(text: str = SENTENCE, answered: str = "", **fields: str) -> str:
    return str(draw_form(TASK, PublicItem({"text": text} | NOTHING | fields), "ru", given=answered))


@given(texts_and_marks())
def test_segments_make_the_text_and_hold_exactly_what_covers_them(
    drawing: tuple[str, list[tuple[int, int, str]]],
) -> None:
    text, marks = drawing
    made = marked_text(text, marks)
    assert "".join(segment.text for segment in made.segments) == text
    for segment in made.segments:
        assert segment.text == text[segment.begin : segment.end]
        over = sorted(
            label for begin, end, label in marks if begin < end and begin <= segment.begin < segment.end <= end
        )
        assert sorted(span.label for span in segment.spans) == over
        assert len({span.level for span in segment.spans}) == len(segment.spans)
        assert [span.level for span in segment.spans] == sorted((s.level for s in segment.spans), reverse=True)
    pinned = sorted((pin.begin, pin.end, pin.label) for segment in made.segments for pin in segment.pins)
    assert pinned == sorted(marks), "every label stands somewhere, once"


@given(texts_and_marks())
def test_a_drawn_text_is_the_text_and_nothing_else(drawing: tuple[str, list[tuple[int, int, str]]]) -> None:
    text, marks = drawing
    given = ANSWER.validate(
        {"cV": [m[:2] for m in marks if m[0] < m[1]], "V": [m[:2] for m in marks if m[0] == m[1]]}, {"text": text}
    )
    html = drawn(text, given, words=text, places=json.dumps(marks))
    assert Texts(html, "text").found == [text, text]
    assert "\r" not in html


def test_levels_and_tones_by_hand() -> None:
    made = marked_text("абвгдежз", [(0, 6, "a"), (2, 4, "b"), (4, 8, "b"), (1, 1, "V"), (6, 8)], ["b"])
    seen = [(segment.text, [(s.label, s.level, s.tone) for s in segment.spans]) for segment in made.segments]
    assert seen == [
        ("а", [("a", 0, 2)]),
        ("б", [("a", 0, 2)]),
        ("вг", [("b", 1, 1), ("a", 0, 2)]),
        ("де", [("b", 1, 1), ("a", 0, 2)]),
        ("жз", [("b", 1, 1), ("", 0, 0)]),
    ]
    assert [[pin.label for pin in segment.pins] for segment in made.segments] == [["a"], ["V"], ["b"], ["b"], []]
    assert made.depth == 2
    assert made.quoted() == [("a", "абвгде"), ("V", ""), ("b", "вг"), ("b", "дежз")]


def test_a_place_at_the_very_end_has_a_segment_of_its_own() -> None:
    (text, end) = marked_text("аб", [(2, 2, "V")]).segments
    assert (text.text, end.text, [pin.label for pin in end.pins]) == ("аб", "", ["V"])


def test_brackets_are_drawn_as_spans_and_told_in_words() -> None:
    html = drawn(shown=BRACKETS)
    assert SENTENCE in Texts(html, "text").found
    assert "cV[" not in html
    tones = re.findall(r'pin tone(\d)[ \w]*" data-tag="(\w+)"', html)
    assert sorted(tones) == [("1", "cV"), ("4", "V"), ("5", "R1")], "the tones of the elements where they are marked"
    assert [html.count(f'data-tag="{label}"') for label in ("cV", "R1", "V")] == [1, 1, 1]
    assert "<li>R1: «все, что ты любишь»</li>" in html
    assert f"<li>V: {texts('ru')['spans']['place']}</li>" in html


def test_brackets_that_do_not_close_are_shown_as_they_are() -> None:
    assert "Я cV[превращу." in Texts(drawn(shown="Я cV[превращу."), "text").found


def test_marks_without_labels_are_marked_and_nothing_more() -> None:
    html = drawn(words="Дом стоит.", places="[[0,3]]")
    assert '<mark class="layer tone0 line0">Дом</mark>' in html
    assert "data-tag" not in html


def test_the_text_to_mark_stands_once_with_a_button_for_each_element() -> None:
    html = drawn()
    assert html.count(SENTENCE) == 1
    assert re.findall(r'data-element="(\w+)" data-key="(\w)"( data-place)?', html) == [
        ("cV", "1", ""),
        ("V", "2", " data-place"),
    ]
    assert 'data-given="{}"' in html


def test_an_item_begins_with_what_was_given_or_with_what_it_brings() -> None:
    brought = '[[2,10,"cV"]]'
    assert 'data-given="{&#34;cV&#34;:[[2,10]]}"' in drawn(given=brought)
    assert 'data-given="{&#34;V&#34;:[[54,54]]}"' in drawn(given=brought, answered='{"V":[[54,54]]}')
    assert " checked" in drawn(answered="{}")


def test_feedback_shows_both_answers_drawn_and_named() -> None:
    mine, right = '{"cV":[[2,10]]}', '{"cV":[[2,10]],"V":[[54,54]]}'
    marks = {mine: OptionMark(False, "Ваш ответ"), right: OptionMark(True, "Верный ответ")}
    item = PublicItem({"text": SENTENCE} | NOTHING)
    html = str(draw_answered(drawn_parts(TASK, item.fields, "ru", given=mine), marks))
    assert Texts(html, "text").found == [SENTENCE, SENTENCE]
    assert [" ".join(one.split()) for one in Texts(html, "mark").found] == ["✕ Ваш ответ", "✓ Верный ответ"]
    assert "data-element" not in html


def test_staff_see_gold_and_what_people_gave() -> None:
    item = Item("a", {"text": SENTENCE} | NOTHING, '{"cV":[[2,10]]}')
    html = str(draw_review(TASK, item, "ru", votes={'{"cV":[[2,10]]}': 2, "{}": 1}))
    assert Texts(html, "text").found == [SENTENCE, SENTENCE]
    assert Texts(html, "count").found == ["2", "1"]
    assert Texts(html, "nothing-there").found == ["Нет"]


def test_what_brackets_can_tell_is_drawn_with_the_same_places() -> None:
    spans = {"cV": [(2, 10)], "V": [(54, 54)]}
    html = drawn(shown=to_brackets(SENTENCE, spans))
    assert html.count('<mark class="layer tone1 line0">превращу</mark>') == 1


@pytest.mark.parametrize(("paper", "which"), [("#ffffff", 0), ("#1a1d21", 1)])
def test_every_tone_can_be_read_on_paper_and_on_its_own_tint(paper: str, which: int) -> None:
    sheet = (STATIC / "items.css").read_text("utf8")
    found = re.findall(r"--tone(\d): (#\w{6})", sheet)
    tones = [dict(found[start : start + 9]) for start in (0, 9, 18)]
    assert tones[1] == tones[2], "dark by the system's wish and dark by Gradio's are the same"
    assert len(tones[which]) == 9
    for tone in tones[which].values():
        assert contrast(tone, paper) >= 4.5
        assert contrast(tone, mixed(tone, paper, 0.13)) >= 4.5
        ink = "#1c1e22" if which == 0 else "#eceae4"
        assert contrast(ink, mixed(tone, paper, 0.32)) >= 4.5
    hues = [colorsys.rgb_to_hls(*channels(tone)) for tone in tones[which].values()]
    assert len({(round(hue, 1), round(saturation, 1)) for hue, _, saturation in hues}) >= 7


def channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def mixed(colour: str, ground: str, share: float) -> str:
    parts = (share * one + (1 - share) * two for one, two in zip(channels(colour), channels(ground), strict=True))
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def contrast(one: str, two: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
