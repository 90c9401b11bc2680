"""The texts workers read: the same keys in both languages, a sentence for every mistake, clean typography."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from annotate.texts import sentence, texts
from data.drawing.environment import NO_BREAK, tied
from data.errors import BadAnswer
from data.wording import LANGUAGES, Language, Wording

ROOT = Path(__file__).parent.parent
SAMPLES: dict[str, dict[str, object]] = {
    "nothing_chosen": {},
    "nothing_ticked": {},
    "nothing_rated": {},
    "nothing_matched": {},
    "not_an_option": {"value": "{7}", "allowed": "0, 1"},
    "unknown_item": {},
    "unknown_language": {"allowed": "ru, en"},
    "not_written": {},
    "entries": {"wanted": 4, "got": 3},
    "written_twice": {"number": 2, "first": 1},
    "piece_missing": {"number": 1, "piece": Wording("Вопрос", "Question")},
    "piece_starts": {"number": 1, "piece": Wording("Вопрос", "Question"), "start": "Описывает"},
    "piece_ends": {"number": 1, "piece": Wording("Вопрос", "Question"), "end": "?"},
    "piece_words": {"number": 1, "piece": Wording("Вопрос", "Question"), "most": 30},
    "piece_sentences": {"number": 1, "piece": Wording("Вопрос", "Question"), "wanted": 2},
    "piece_characters": {"number": 1, "piece": Wording("Вопрос", "Question"), "most": 200},
    "nothing_typed": {},
    "not_an_answer": {},
    "not_a_text": {},
    "forbidden_character": {},
    "text_too_long": {"length": 210, "limit": 200},
    "not_a_number": {"value": "{много}"},
    "not_whole": {"value": "1.5"},
    "too_many_decimals": {"decimals": 2},
    "number_too_low": {"low": "0"},
    "number_too_high": {"high": "100"},
    "too_few_chosen": {"least": 2},
    "too_many_chosen": {"most": 3},
    "too_many_numbers": {"given": 5, "needed": 4},
    "position_empty": {"position": "Б"},
    "number_repeated": {"value": "3"},
    "question_unanswered": {"number": 2},
    "part_unanswered": {"number": 2, "part": Wording("Можно ли ответить?", "Can it be answered?")},
    "title_unanswered": {"part": Wording("Подходит ли?", "Does it fit?")},
    "not_a_form": {},
    "nothing_marked": {},
    "not_spans": {"value": "[1]"},
    "unknown_element": {"value": "{7}", "allowed": "cV, V"},
    "outside_text": {"element": "cV", "begin": 3, "end": 90, "length": 60},
    "empty_span": {"element": "cV"},
    "not_a_place": {"element": "V"},
    "one_span_only": {"element": "cV"},
    "element_missing": {"element": "cV"},
    "notice_open": {},
    "terms_changed": {},
    "nothing_written": {},
    "too_often": {"limit": 3},
    "too_many_places": {"most": 30, "minutes": 12},
    "no_reason": {},
}


def flat(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value


def codes_raised() -> Iterator[str]:
    """Yield the code of every BadAnswer that our sources raise."""
    for room in ("data", "annotate"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "BadAnswer":
                    (code,) = node.args
                    assert isinstance(code, ast.Constant), f"{path}: a code is a plain string"
                    yield str(code.value)


def test_both_languages_have_the_same_keys_in_the_same_order() -> None:
    assert [key for key, _ in flat(texts("ru"))] == [key for key, _ in flat(texts("en"))]


def test_both_languages_have_the_same_places_to_fill_in() -> None:
    english = dict(flat(texts("en")))
    for key, text in flat(texts("ru")):
        assert places(text) == places(english[key]), key


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_mistake_an_answer_can_be_has_its_sentence(language: Language) -> None:
    raised = set(codes_raised())
    assert raised == set(texts(language)["mistakes"]) == set(SAMPLES)
    for code in raised:
        told = sentence(BadAnswer(code, **SAMPLES[code]), language)
        assert told.endswith(".")
        given = SAMPLES[code].values()
        assert all((v.within(language) if isinstance(v, Wording) else str(v)) in told for v in given)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_or_padded_or_set_with_a_typewriters_marks(language: Language) -> None:
    for key, text in flat(texts(language)):
        assert text == text.strip() != "", key
        assert not re.search(r"""["'`]| - | -- |\.\.\.|  """, text), key
        assert not re.search(r"\S[—]|[—]\S", text), f"{key}: a dash stands between spaces"
    if language == "ru":
        assert not [key for key, text in flat(texts("ru")) if re.search("[“”]", text)]


def test_short_words_stay_with_the_next_and_dashes_with_the_one_before() -> None:
    assert tied("Мы и не в лесу — дома") == f"Мы{NO_BREAK}и{NO_BREAK}не{NO_BREAK}в{NO_BREAK}лесу{NO_BREAK}— дома"
    assert tied("кто-то ушёл") == "кто-то ушёл"
    assert tied("Знал бы он то же, сам ли ушёл же бы") == "Знал+бы он+то+же, сам+ли ушёл+же+бы".replace("+", NO_BREAK)
    assert tied("желание липы") == "желание липы"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_consent_text_says_what_it_has_to(language: Language) -> None:
    said = " ".join(text for key, text in flat(texts(language)) if key.startswith("consent."))
    needed = {
        "ru": ["ответы", "время", "псевдоним", "исследований", "добровольное", "в любую минуту", "Мы не спрашиваем",
               "правильный ответ известен", "остановить вашу работу", "cookie"],
        "en": ["answers", "time", "pseudonym", "research", "voluntary", "at any moment", "We do not ask",
               "right answer is known", "may stop your work", "cookie"],
    }  # fmt: skip
    assert [words for words in needed[language] if words not in said] == []
