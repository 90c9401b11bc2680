"""What a model's reply gives as a typed answer: JSON opened, "Ответ:" found, quotes and emphasis taken off."""

import re

from data.answers.composite import packed
from data.answers.numerals import of_value
from data.answers.option_replies import ANSWER_KEYS, cut_off, from_json, marked_in, opened

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
    marked = marked_in(text, MARKER, LAST_LINE, many_lines=lines > 1)
    unmarked = [text] if lines > 1 or "\n" not in text else []
    return [bare for part in marked or unmarked if (bare := unquoted(part))]


def unquoted(text: str) -> str:
    """Return a text without the quotes, brackets and emphasis that stand around the whole of it."""
    text = text.strip().strip("*_").strip()
    while text[:1] + text[-1:] in PAIRS and len(text) > 1 and not {text[0], text[-1]} & set(text[1:-1]):
        text = text[1:-1].strip()
    return text


def as_json(answer: str) -> str:
    """Return a reply in JSON that is read as `answer` whatever it holds, thinking marks and fences among it."""
    return packed({"answer": answer}).replace("<", "\\u003c").replace("`", "\\u0060")


def told_in_json(text: str, *also: str) -> list[str] | None:
    """Return the texts and numbers inside a reply in JSON, of which a bare number is none; `also` are more keys."""
    return from_json(text, _typed, keys=(*ANSWER_KEYS, *also), opens=(str, list, dict))


def _typed(value: object) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    return of_value(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
