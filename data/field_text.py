"""A field as plain text: what a model reads where a person sees the same thing drawn."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from data.answers.answer_type import unpacked
from data.task import Field
from data.wording import MODELS_READ, Language, texts

MARKS = ("⟦", "⟧")


def as_text(field: Field, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
    """Return the text of a drawn field in a language: marked stretches in ⟦ ⟧, a table with a line for each row."""
    value = fields[field.name]
    if field.kind == "table":
        return "\n".join(" | ".join(row) for row in unpacked(value))
    if field.kind == "chat":
        roles = texts(language)["chat"]
        return "\n\n".join(f"{roles[turn['role']]}: {turn['content']}" for turn in unpacked(value))
    if field.kind == "marked":
        return with_marks(value, unpacked(fields[field.marks] or "[]"))
    if field.sentence and value:
        return field.sentence.within(language).replace("{value}", value)
    return field.values[value].within(language) if value in field.values else value


def with_marks(text: str, marks: Iterable[Sequence[Any]]) -> str:
    """Return `text` with ⟦ and ⟧ at the ends of each marked stretch [begin, end] in code points; they may nest."""
    ends = [(begin, 1, -end, MARKS[0]) for begin, end, *_ in marks]
    ends += [(end, 0, -begin, MARKS[1]) for begin, end, *_ in marks]
    for place, _, _, sign in sorted(ends, reverse=True):
        text = text[:place] + sign + text[place:]
    return text
