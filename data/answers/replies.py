"""Finding the one option that a model's reply names, and refusing to guess when it names none or several."""

import json
import re
from collections.abc import Iterator, Sequence

from data.answers.base import Option

LETTERS = ("абвгдежзик", "abcdefghij")
THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
UNFINISHED_THINKING = re.compile(r"<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE)
FENCE = re.compile(r"```\w*\n?(.*?)```", re.DOTALL)
ANSWER_KEYS = ("answer", "ответ", "label", "option", "вариант")
MARKER = re.compile(r"(?:ответ|answer)\W*?[:=—–-][\s*_]*([^\n]+)", re.IGNORECASE)
OPTION_WORD = r"(?:вариант\w*|ответ\w*|option|answer|choice|№)"
EDGES = " \t\r\n.,;:!?*_`'\"«»“”()[]{}<>#-–—"


def named_once(reply: str, options: Sequence[Option]) -> str | None:
    """Return the label of the one option that `reply` names by key, letter, label or words, else None.

    Thinking text is dropped, fenced or bare JSON is opened, and what follows "Ответ:" wins over the prose before it.
    """
    text = UNFINISHED_THINKING.sub("", THINKING.sub("", reply))
    fenced = FENCE.findall(text)
    text = _from_json(fenced[-1] if fenced else text)
    marked = MARKER.findall(text)
    named = {label for part in marked or [text] for label in _named(part, options)}
    return named.pop() if len(named) == 1 else None


def _from_json(text: str) -> str:
    """Return the answer inside a JSON reply, or the text as it is."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if isinstance(value, dict):
        value = next((value[key] for key in value if key.casefold() in ANSWER_KEYS), "")
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, str | int) else ""


def _named(text: str, options: Sequence[Option]) -> Iterator[str]:
    """Yield the labels that one stretch of text names: the whole of it, else each that it points at."""
    whole = _folded(text)
    exact = [option.label for option in options if whole in _names(option)]
    if exact:
        yield from exact
        return
    numbered = {name: option.label for place, option in enumerate(options) for name in _short_names(place, option)}
    short = "|".join(sorted(map(re.escape, numbered), key=len, reverse=True))
    lines = rf"^[\s*_#>(\[«\"]*({short})[*_]*(?:[.):\]»\"]+[*_]*(?=\s|$)|\s*$)"
    pointed = rf"(не |not )?{OPTION_WORD}[\s*_№(\[«\"]*({short})(?![\w])"
    for match in re.finditer(lines, text.casefold(), re.MULTILINE):
        yield numbered[match[1]]
    for match in re.finditer(pointed, text.casefold()):
        if not match[1]:
            yield numbered[match[2]]
    yield from _phrases(_folded(text), options)


def _phrases(text: str, options: Sequence[Option]) -> Iterator[str]:
    """Yield the labels whose words stand in the text, longer ones first so that "не следует" hides "следует"."""
    phrases = [(phrase, option.label) for option in options for phrase in _names(option) if len(phrase) > 1]
    for phrase, label in sorted(phrases, key=lambda pair: -len(pair[0])):
        found = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
        negated = re.compile(rf"(?<!\w)(?:не|not) {re.escape(phrase)}(?!\w)")
        if found.search(negated.sub(" ", text)) and not phrase.isdecimal():
            yield label
        text = found.sub(" ", text)


def _folded(text: str) -> str:
    """Return the text in one case, with white space and outer punctuation folded away."""
    return " ".join(text.casefold().replace("ё", "е").split()).strip(EDGES)


def _names(option: Option) -> set[str]:
    """Return every full name of an option, folded. A label that counts from 0 is no name: "1" would be two options."""
    label = "" if option.label.isdecimal() else option.label
    return {_folded(name) for name in (option.key, label, option.words.ru, option.words.en)} - {""}


def _short_names(place: int, option: Option) -> list[str]:
    """Return the key of an option and the letters that stand for its place: а, a."""
    return [option.key, *(alphabet[place] for alphabet in LETTERS if place < len(alphabet))]
