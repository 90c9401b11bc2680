"""LIBRA's ruTREC: questions with their types stand in the context, and the answer is one of the types met there."""

import re
from collections.abc import Iterable, Sequence

from data.answers.option_replies import folded
from data.formats import libra
from data.formats.record_format import RecordFormat, Values
from data.option_names import with_right

TYPE = re.compile(r"(?<!\w)(?:тип|type)(?:\s+вопроса)?[ \t]*:[ \t]*(\S.*)", re.MULTILINE | re.IGNORECASE)
ANSWER = re.compile(r"^[ \t]*(?:ответ|answer)[ \t]*:[ \t]*(\S.*)", re.MULTILINE | re.IGNORECASE)


def unfold(values: Values) -> Iterable[Values]:
    """Return the record as one row: the question, the types in alphabetical order, the place of the right one.

    A type that is right although no example shows it is offered as well, since it could not be chosen otherwise. A
    record that has its types already is in our own form. Raises ValueError where the examples show no types.
    """
    (row,) = libra.unfold(values)
    outputs = [str(output) for output in row["positive_outputs"]]
    if values.get("types"):
        yield {**row, "positive_outputs": libra.agreed(outputs)}
        return
    met = TYPE.findall(row["context"]) or ANSWER.findall(row["context"])
    shown = [met_type.rstrip(" \t\r") for met_type in met]
    types = distinct([*shown, *outputs])
    if not shown or len(types) < 2:
        raise ValueError("has no examples 'Вопрос: ... Тип: ...' with at least two types in its context")
    names = [folded(question_type) for question_type in types]
    gold = libra.agreed([str(names.index(folded(output))) for output in outputs])
    named = with_right(types, types[int(gold)] if gold else "", outputs)
    yield {**row, "input": libra.bare(row["input"]), "types": types, **named, "positive_outputs": gold}


def distinct(types: Iterable[str]) -> Sequence[str]:
    """Return types in alphabetical order, each once as it is first written, case and outer punctuation apart."""
    first: dict[str, str] = {}
    for question_type in types:
        first.setdefault(folded(question_type), question_type.strip())
    return [first[name] for name in sorted(first)]


FORMAT = RecordFormat(unfold)
