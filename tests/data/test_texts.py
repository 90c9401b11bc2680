"""The texts of every language: all of them there and read, a sentence for every mistake, clean typography."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from annotate.answer_errors import sentence
from data.drawing.environment import NO_BREAK, tied
from data.errors import BadAnswer
from data.wording import FALLBACK, Counted, Language, Wording, languages, own_texts, plural, texts

AS_IN_FALLBACK = ("language.plural", "numbers.", "units.")  # what a language may leave out for good
PROPOSED = ("columns.", "labels.")  # looked up by what a requester's table says
ROOT = Path(__file__).parents[2]
SAMPLES: dict[str, dict[str, object]] = {
    "nothing_chosen": {},
    "too_many_reports": {"limit": 20},
    "nothing_ticked": {},
    "nothing_rated": {},
    "nothing_matched": {},
    "not_an_option": {"value": "{7}", "allowed": "0, 1"},
    "unknown_item": {},
    "unknown_language": {"allowed": "ru, en"},
    "not_written": {},
    "entries": {"wanted": 4, "got": 3},
    "written_twice": {"number": 2, "first": 1},
    "piece_missing": {"number": 1, "piece": Wording(ru="Вопрос", en="Question")},
    "piece_starts": {"number": 1, "piece": Wording(ru="Вопрос", en="Question"), "start": "Описывает"},
    "piece_ends": {"number": 1, "piece": Wording(ru="Вопрос", en="Question"), "end": "?"},
    "piece_holds": {"number": 1, "piece": Wording(ru="Вопрос", en="Question"), "held": "_____"},
    "piece_words": {"number": 1, "piece": Wording(ru="Вопрос", en="Question"), "most": 30},
    "piece_sentences": {"number": 1, "piece": Wording(ru="Вопрос", en="Question"), "wanted": 2},
    "piece_characters": {"number": 1, "piece": Wording(ru="Вопрос", en="Question"), "most": 200},
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
    "part_unanswered": {"number": 2, "part": Wording(ru="Можно ли ответить?", en="Can it be answered?")},
    "title_unanswered": {"part": Wording(ru="Подходит ли?", en="Does it fit?")},
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
        elif isinstance(value, str):
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


def test_the_languages_that_others_fall_back_to_have_the_same_keys_in_the_same_order() -> None:
    first, *others = ([key for key, _ in flat(own_texts(language))] for language in FALLBACK)
    for keys in others:
        assert keys == first


@pytest.mark.parametrize("language", languages())
def test_no_text_of_ours_is_missing_in_a_language(language: Language) -> None:
    every = {key for one in FALLBACK for key, _ in flat(own_texts(one))}
    missing = sorted(every - {key for key, _ in flat(own_texts(language))})
    if language not in FALLBACK:
        missing = [key for key in missing if not key.startswith(AS_IN_FALLBACK)]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("language", languages())
def test_every_text_of_a_language_is_read_somewhere(language: Language) -> None:
    names, made = names_in_sources()
    spare = [
        key
        for key, _ in flat(own_texts(language))
        if (name := key.rpartition(".")[2]) not in names and not any(one.fullmatch(name) for one in made)
    ]
    assert [key for key in spare if not key.startswith(PROPOSED)] == []


def names_in_sources() -> tuple[set[str], list[re.Pattern[str]]]:
    """Return all names and words in quotes of our sources, and patterns of those that are put together there."""
    found = [path for room in ("annotate", "data", "db", "eval") for path in sorted((ROOT / room).rglob("*"))]
    sources = "\n".join(path.read_text("utf8") for path in found if path.suffix in (".py", ".html", ".js"))
    names = set(re.findall(r"""(?<=[."'])(\w+)(?=["'\W])""", sources))
    joined = re.findall(r"""(?:f["']|`)([a-z_]*\$?\{(?:[a-z_]|\$?\{|[^{}`\n]*\})*)["'`]""", sources)
    made = {re.sub(r"\$?\{([^{}]*)\}", part_of_a_name, one) for one in joined}
    return names, [re.compile(one) for one in made if re.search("[a-z]{3}", one.replace(r"\w+", ""))]


def part_of_a_name(place: re.Match[str]) -> str:
    """Return a pattern for what may stand in a place: the words that are quoted there, or any."""
    return "|".join(re.findall(r'"(\w+)"', place[1])).join(("(?:", ")")) if '"' in place[1] else r"\w+"


def test_every_language_has_the_same_places_to_fill_in() -> None:
    english = dict(flat(texts("en")))
    for language in languages():
        for key, text in flat(texts(language)):
            if key != "language.plural":
                assert places(text) == places(english[key]), (language, key)


@pytest.mark.parametrize("language", languages())
def test_a_word_has_as_many_forms_as_its_languages_plural_rule_tells_apart(language: Language) -> None:
    _, forms = plural(language)
    for key, text in flat(texts(language)):
        for _, _, given, _ in Formatter().parse(text) if key != "language.plural" else ():
            if "|" in (given or ""):
                assert (given or "").count("|") in (forms, forms + 1), f"{language}: {key}"


@pytest.mark.parametrize(
    ("number", "russian", "english"),
    [(1, "1 знак", "1 sign"), (2, "2 знака", "2 signs"), (5, "5 знаков", "5 signs"), (11, "11 знаков", "11 signs"),
     (14, "14 знаков", "14 signs"), (21, "21 знак", "21 signs"), (102, "102 знака", "102 signs"),
     (111, "111 знаков", "111 signs"), (0, "0 знаков", "0 signs")],
)  # fmt: skip
def test_a_number_chooses_its_word(number: int, russian: str, english: str) -> None:
    assert f"{Counted(number):ru|# знак|# знака|# знаков}" == russian
    assert f"{Counted(number):en|# sign|# signs}" == english


def test_one_alone_may_be_said_in_words() -> None:
    text = "{n:ru|один знак|# знак|# знака|# знаков}"
    assert [text.format(n=Counted(number)) for number in (1, 21, 3, 5)] == [
        "один знак",
        "21 знак",
        "3 знака",
        "5 знаков",
    ]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", languages())
def test_every_mistake_an_answer_can_be_has_its_sentence(language: Language) -> None:
    raised, said = set(codes_raised()), set(texts(language)["mistakes"])
    assert raised == said, "BadAnswer names sentences under [mistakes] in messages.toml (en, ru); each is one of these"
    assert raised == set(SAMPLES), "write what the sentence is filled with into SAMPLES"
    for code in raised:
        told = sentence(BadAnswer(code, **SAMPLES[code]), language)
        assert told.endswith(".")
        given = SAMPLES[code].values()
        assert all((v.within(language) if isinstance(v, Wording) else str(v)) in told for v in given)


@pytest.mark.parametrize("language", languages())
def test_no_text_is_empty_or_padded_or_set_with_a_typewriters_marks(language: Language) -> None:
    for key, text in flat(texts(language)):
        if key.startswith(("language.", "numbers.")):
            continue
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


@pytest.mark.parametrize("language", FALLBACK)
def test_the_consent_text_says_what_it_has_to(language: Language) -> None:
    said = " ".join(text for key, text in flat(texts(language)) if key.startswith("consent."))
    needed: dict[Language, list[str]] = {
        "ru": ["ответы", "время", "псевдоним", "исследований", "добровольное", "в любую минуту", "Мы не спрашиваем",
               "правильный ответ известен", "остановить вашу работу", "cookie"],
        "en": ["answers", "time", "pseudonym", "research", "voluntary", "at any moment", "We do not ask",
               "right answer is known", "may stop your work", "cookie"],
    }  # fmt: skip
    assert [words for words in needed[language] if words not in said] == []
