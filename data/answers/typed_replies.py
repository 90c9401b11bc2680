"""What a model's reply gives as a typed answer: JSON opened, "Ответ:" found, quotes and emphasis taken off."""

import re
from collections.abc import Collection, Iterator

from data.answers.composite import packed
from data.answers.numerals import of_value
from data.answers.option_replies import ANSWER_KEYS, BOXED, OBJECT, cut_off, loaded, opened

# Stricter than what is enough for choosing: in a text of one's own "ответ" may be an ordinary word.
MARKER = re.compile(
    r"(?<![\w-])(?:ответ|answer)(?: на вопрос| is)?[*_»\"]{0,3}[ \t]*(?:[:=]|[—–-](?=[ \t]))[\s*_]*", re.IGNORECASE
)
# GSM8K's way: the last line is the number alone.
LAST_LINE = re.compile(r"^####[ \t]*([-\u2212]?\$?\d[\d., \u00a0]*)\Z", re.MULTILINE)
PAIRS = ("«»", "“”", "„“", '""', "''", "``", "()", "[]")


def candidates(reply: str, *, lines: int = 1) -> list[str]:
    """Return what a reply may have given as its answer, each without quotes and emphasis around it.

    JSON wins (its string, its only element, what stands under "answer"), then what follows "Ответ:" to the end of the
    line (of the reply where `lines` is more than 1), then the whole of it, which may have no more than `lines` lines.
    """
    text = opened(reply)
    stated = told_in_json(text)
    if stated is not None or cut_off(text):
        return stated or []
    marked = marked_in(text, many_lines=lines > 1)
    unmarked = [text] if lines > 1 or "\n" not in text else []
    return [bare for part in marked or unmarked if (bare := unquoted(part))]


def marked_in(text: str, *, many_lines: bool = False) -> list[str]:
    """Return what follows each "Ответ:", to the end of its line, or to the next such where it has `many_lines`."""
    parts = [*MARKER.split(text)[1:], *BOXED.findall(text), *LAST_LINE.findall(text)]
    return [part.strip() if many_lines else part.split("\n", 1)[0].strip() for part in parts]


def unquoted(text: str) -> str:
    """Return a text without the quotes, brackets and emphasis that stand around the whole of it."""
    text = text.strip().strip("*_").strip()
    while len(text) > 1 and any(_wraps(pair, text) for pair in PAIRS):
        text = text[1:-1].strip()
    return text


def as_json(answer: str) -> str:
    """Return a reply in JSON that is read as `answer` whatever it holds, thinking marks and fences among it."""
    return packed({"answer": answer}).replace("<", "\\u003c").replace("`", "\\u0060")


def _wraps(pair: str, text: str) -> bool:
    return text[0] == pair[0] and text[-1] == pair[1] and not set(pair) & set(text[1:-1])


def told_in_json(text: str, *, also: Collection[str] = ()) -> list[str] | None:
    """Return the texts inside a reply that is a JSON text, list or object, or has objects with an answer.

    An answer stands under one of the usual keys, or one of those in `also`.
    """
    keys, value = {*ANSWER_KEYS, *also}, loaded(text)
    if isinstance(value, str | list | dict):
        return list(_texts(value, keys))
    stated = [answer for stretch in OBJECT.findall(text) for answer in _texts(loaded(stretch), keys)]
    return stated or None


def _texts(value: object, keys: Collection[str]) -> Iterator[str]:
    if isinstance(value, dict):
        for key in value:
            if key.casefold() in keys:
                yield from _texts(value[key], keys)
    elif isinstance(value, list):
        if len(value) == 1:
            yield from _texts(value[0], keys)
    elif isinstance(value, str) and value.strip():
        yield value.strip()
    elif isinstance(value, int | float) and not isinstance(value, bool) and (number := of_value(value)):
        yield number
