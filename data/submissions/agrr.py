"""AGRR-2019: one table with the text, the class and the offsets of six elements, in the order of the authors' file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from data.answers.answer_type import unpacked
from data.bracket_markup import ELEMENTS, Spans, from_brackets, to_brackets
from data.catalogue.families import Submitted
from data.errors import BadSetting
from data.submissions.leaderboard import SubmissionFormat, SubmissionSheet
from data.task import Item

COLUMNS = ("text", "class", *ELEMENTS)
NO_GAPPING, GAPPING = "0", "1"


@dataclass(frozen=True)
class Sentence:
    """A sentence, its class (NO_GAPPING, GAPPING, or "" where it is not known) and its spans in code points."""

    text: str
    label: str
    spans: Spans

    @classmethod
    def of_brackets(cls, marked: str, label: str) -> Self:
        """Return the sentence of a text in brackets; one without gapping loses its marks."""
        text, spans = from_brackets(marked)
        return cls(text, label, spans if label == GAPPING else {})


def columns(sentences: Iterable[Sentence]) -> str:
    """Return the eight columns, a line each and a header; several spans of an element are separated by spaces.

    Raises ValueError for a text that the table cannot hold, since its cells are not quoted.
    """
    lines = ["\t".join(COLUMNS)]
    for each in sentences:
        cells = (" ".join(f"{begin}:{end}" for begin, end in each.spans.get(name, ())) for name in ELEMENTS)
        lines.append("\t".join([_plain(each.text), each.label, *cells]))
    return "\n".join(lines) + "\n"


def brackets(sentences: Iterable[Sentence]) -> str:
    """Return class and text with brackets, a line each and a header; raises ValueError for what they cannot tell."""
    lines = ["class\tmark_up"]
    lines += [f"{each.label}\t{to_brackets(_plain(each.text), each.spans)}" for each in sentences]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    if "\t" in text or "\n" in text or "\r" in text:
        raise ValueError(f"{text[:40]!r} has a tab or a line break, and the cells of these files are not quoted")
    return text


def sentence_of(sheet: SubmissionSheet, item: Item, answer: str) -> Sentence:
    """Return a line: a class alone, or spans, of which nothing marked means no gapping; other columns stay empty."""
    text = item.fields["sentence"]
    if sheet.task.answer.labels():
        return Sentence(text, answer, {})
    marks = unpacked(answer)
    spans = {name: [(begin, end) for begin, end in places] for name, places in marks.items()}
    return Sentence(text, GAPPING if marks else NO_GAPPING, spans)


def write(_: Submitted, sheets: Sequence[SubmissionSheet]) -> bytes:
    """Return the table of one sheet; raises BadSetting for several, and for a text that the table cannot hold."""
    if len(sheets) > 1:
        raise BadSetting("AGRR-2019 takes one table for each of its tasks; export the studies one by one.")
    (sheet,) = sheets
    try:
        return columns(sentence_of(sheet, item, answer) for item, answer in sheet.rows).encode()
    except ValueError as error:
        raise BadSetting(f"{sheet.task.id}: {error}.") from error


FORMAT = SubmissionFormat(write, zipped=False)
