"""LIBRA's records: context, input, positive_outputs, negative_outputs, length."""

import hashlib
import re
from collections.abc import Iterable, Sequence

from data.answers.composite import packed, unpacked
from data.errors import quoted_names
from data.formats.record_format import RecordFormat, Values

TEXTS = ("context", "input")
OUTPUTS = ("positive_outputs", "negative_outputs")
CALL = re.compile(r"\A\s*(?:вопрос|question)\s*:\s*", re.IGNORECASE)
CALLED = re.compile(r"(?<!\s)\s*+(?:тип|type|ответ|answer)\s*+:\s*+\Z", re.IGNORECASE)


def unfold(values: Values) -> Iterable[Values]:
    """Return the record as one row; raises ValueError where it has no context or no question.

    The negatives are kept as a compact JSON list. Records that ask the same question and accept the same answers, as
    they do at several lengths, are one `family`, where the record does not name it.
    """
    for name in TEXTS:
        if not isinstance(values.get(name), str):
            raise ValueError(
                f"has no text {name!r}; a record of LIBRA holds {', '.join((*TEXTS, *OUTPUTS))} and length"
            )
    accepted, negatives = (_as_list(values.get(name)) for name in OUTPUTS)
    yield {
        **values,
        "positive_outputs": accepted,
        "negative_outputs": packed(negatives) if negatives else "",
        "family": values.get("family") or family_of(values["input"], accepted),
    }


def family_of(*shared: object) -> str:
    """Return the name of the family whose items have all of this in common."""
    return hashlib.sha256(packed(shared).encode()).hexdigest()[:12]


def bare(question: str) -> str:
    """Return a question without the "Вопрос:" before it and the "Ответ:" or "Тип:" behind it.

    >>> bare("Вопрос: Кто открыл полоний? Тип:")
    'Кто открыл полоний?'
    """
    return CALLED.sub("", CALL.sub("", question))


def agreed(answers: Sequence[str]) -> str:
    """Return the one answer that all accepted outputs come to, "" where there are none; raises ValueError for two."""
    if len(set(answers)) > 1:
        raise ValueError(f"accepts {quoted_names(dict.fromkeys(answers))}, but only one answer can be chosen")
    return answers[0] if answers else ""


def _as_list(outputs: object) -> list[object]:
    """Return outputs as a list: one stands for a list of it, a text that is such a list for what it holds."""
    if isinstance(outputs, str) and outputs.startswith("["):
        outputs = unpacked(outputs)
    if isinstance(outputs, list):
        return outputs
    return [] if outputs is None or outputs == "" else [outputs]


FORMAT = RecordFormat(unfold)
