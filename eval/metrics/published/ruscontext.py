"""RusConText exactly as its published script (`model_interface/run_scoring.py`) reads and counts replies."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from data.answers.answer_type import AnswerType
from data.answers.form import Form
from data.answers.replies import from_json, loaded, opened
from eval.arrays import Floats
from eval.metrics.metric import WORDS, OfAnswer, mean_credit
from eval.metrics.rouge import common_subsequence, pairs
from eval.metrics.texts import as_written, bare_of_signs, right_texts, runs, shared

Fields = Mapping[str, str]
_BRACKETS = re.compile(r"[\"'{}\[\]()]")
_TOLD = re.compile(r"(?:Ответ|ответ|Answer|answer|ans|ANS)[:\s]*(\d+)", re.IGNORECASE)
_NUMBERS = (re.compile(r"\b(\d+)\b"), re.compile(r"[^0-9]([01])(?![0-9])"))


def read_tag(answer: AnswerType, fields: Fields, text: str) -> str | None:
    """The tag of a reply in small letters (rudabank, disrpt), None for a reply that the script drops.

    The script asks for JSON and takes its `answer`, whatever it says: one that is no tag becomes a class of its own,
    and so does here a reply of one word. Any other reply that names no tag could not be read, and its row is dropped.
    """
    label = answer.of(fields).read_reply(text, fields)
    if label is not None:
        return as_written(answer, label, fields).lower()
    stated = from_json(opened(text)) or [text]
    word = stated[0].strip().lower()
    return word if word and (stated != [text] or len(word.split()) == 1) else None


def read_number(_answer: AnswerType, _fields: Fields, text: str) -> str | None:
    """The number of a reply (idioms) as `extract_answer` finds it: the first one anywhere, None where there is none.

    The rows without a number are dropped (`df.dropna()`).
    """
    cleaned = _BRACKETS.sub("", text.strip())
    if cleaned.isdecimal():
        return str(int(cleaned))
    number = next((met for each in (_TOLD, *_NUMBERS) if (met := each.search(cleaned))), None)
    return str(int(number[1])) if number else None


def read_as_it_stands(_answer: AnswerType, _fields: Fields, text: str) -> str | None:
    """The reply letter by letter (coref_anaphora): "1." is not "1", it is wrong and one more class."""
    return text


def always_false(answer: AnswerType, fields: Fields, gold: str, _text: str | None) -> tuple[float, ...]:
    """Of a reply of coref_nps: whether its gold is "false", and the one.

    The script compares the reply, an object, with "true", so that its answer is False whatever a model says.
    """
    return float(answer.of(fields).best(gold, fields) == "false"), 1.0


def halved(value: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """Return a value of "false" as the script's macro-average: halved where a "true" is gold, a class worth 0.

    Gold and answers are swapped there: what it prints as precision is the recall of False everywhere.
    """
    return lambda sums: np.asarray(value(sums) / np.where(mean_credit(sums) < 1, 2.0, 1.0))


def matches(answer: AnswerType, fields: Fields, gold: str, text: str | None) -> tuple[float, ...]:
    """Of a reply to ellipsis: whether it equals the gold, and the one.

    Both in lower case, ё as е, without ASCII punctuation; white space, guillemets and long dashes count.
    """
    return float(text is not None and _clean(_stated(text)) == _clean(_right(answer, fields, gold))), 1.0


def match_precision(sums: Floats) -> Floats:
    """What the script prints as precision of ellipsis: 1 as soon as one reply matches, 0 where none does."""
    share = mean_credit(sums)
    return np.asarray(np.where(share > 0, 1.0, share))


def match_f1(sums: Floats) -> Floats:
    """What the script prints as F1 of ellipsis: 2a / (1 + a) of the accuracy a, its precision being always 1."""
    share = mean_credit(sums)
    return np.asarray(2 * share / (1 + share))


def rouge_part(size: int, part: str) -> OfAnswer:
    """Return the credit of a reply in one part of ROUGE and the one, as the script prints it.

    `size` is 1, 2, or 0 for ROUGE-L; `part` is "precision", "recall" or "f1". The script gives the reply as the target
    and the gold as the prediction, so that precision is out of the gold's tokens and recall out of the reply's. Its
    tokens are those of a Russian RoBERTa, ours are runs of letters and digits: the values are near, not equal.
    """

    def of_text(answer: AnswerType, fields: Fields, gold: str, text: str | None) -> tuple[float, ...]:
        given, wanted = (runs(_clean(part)) for part in (_stated(text or ""), _right(answer, fields, gold)))
        if size == 2:
            given, wanted = pairs(given), pairs(wanted)
        common = shared(given, wanted) if size else common_subsequence(wanted, given)
        wholes = {"precision": len(wanted), "recall": len(given), "f1": (len(wanted) + len(given)) / 2}
        return common / wholes[part] if common else 0.0, 1.0

    return of_text


def _stated(text: str) -> str:
    """The elided words of a reply: what its JSON has under «эллипсис», or we asked for, else the reply as it stands."""
    parts: Sequence[str] = text.split("json")
    stated = loaded(parts[1].strip("`") if len(parts) > 1 else text)
    named = [stated[name] for name in ("эллипсис", WORDS) if name in stated] if isinstance(stated, dict) else []
    return str(named[0]) if named else text


def _right(answer: AnswerType, fields: Fields, gold: str) -> str:
    """The elided words of a gold, which may be a part of a form."""
    own = answer.of(fields)
    if not isinstance(own, Form):
        return right_texts(own, fields, gold)[0]
    words = next(part.answer for part in own.parts if part.name == WORDS)
    return right_texts(words, fields, own.sets(gold)[0][WORDS])[0]


def _clean(text: str) -> str:
    return bare_of_signs(text).replace("ё", "е")
