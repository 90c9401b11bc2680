"""RWSD as its authors distribute it: a text and two spans, told by their words and the number of their first word."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from data.formats.record_format import RecordFormat, Values, inside_word

TextSpan = tuple[int, int]
EDGES = " \t\n.,;:!?…-–—\"'«»“”()"
TAG = re.compile(r"(</?b>)")


def unfold(values: Values) -> Iterable[Values]:
    """Return the record as one row: the text with both spans marked, and their words.

    A record is a line of the authors' files or a row of their crowd's log, where the second span stands in <b></b>.
    Words that stand nowhere in the text in this form cannot be marked; `unmarked` says so. Raises ValueError for what
    is neither, and where not one of the two spans can be found.
    """
    if "marks" in values:
        return (values,)
    text = values.get("text")
    if isinstance(text, str) and "span1" in values:
        return (_of_the_crowd(values, text),)
    target = values.get("target", values)
    if not (isinstance(text, str) and isinstance(target, Mapping) and {"span1_text", "span2_text"} <= target.keys()):
        raise ValueError(
            'is no record of RWSD; it needs {"idx", "text", "target": {"span1_text", "span1_index", "span2_text", '
            '"span2_index"}}'
        )
    spans = [(str(target[f"{name}_text"]), target.get(f"{name}_index")) for name in ("span1", "span2")]
    return (_row(values, text, [(words, places(text, words, number)) for words, number in spans]),)


def places(text: str, words: str, number: object = None) -> list[TextSpan]:
    """Return where `words` stand in the text as whole words, in any case: the place nearest to the word of that number.

    Words are counted from 0 between white space. Without a number all places are returned; none where there is none.
    """
    pattern = r"\s+".join(map(re.escape, words.strip(EDGES).split()))
    if not pattern:
        return []
    spans = [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)]
    if not spans or not isinstance(number, int):
        return spans
    return [min(spans, key=lambda place: abs(_word_number(text, place[0]) - number))]


def untagged(text: str) -> tuple[str, list[TextSpan]]:
    """Return a text without <b></b> and the places they enclosed.

    The tags were put around every string like the pronoun, inside other words too ("Джекс<b>он</b>а"): those are out.
    """
    plain, begin, bold = "", 0, []
    for piece in TAG.split(text):
        if piece == "<b>":
            begin = len(plain)
        elif piece == "</b>":
            bold.append((begin, len(plain)))
        else:
            plain += piece
    return plain, [(b, e) for b, e in bold if not (inside_word(plain, b) or inside_word(plain, e))]


def _of_the_crowd(values: Values, tagged: str) -> dict[str, Any]:
    text, bold = untagged(tagged)
    if not bold:
        raise ValueError(f"has no word in <b></b> in its text {tagged[:60]!r}; the second span stands there")
    first = str(values["span1"])
    return _row(values, text, [(first, places(text, first)), (text[slice(*bold[0])], bold)])


def _row(values: Values, text: str, spans: Sequence[tuple[str, list[TextSpan]]]) -> dict[str, Any]:
    (first, _), (second, _) = spans
    lost = [words for words, span_places in spans if not span_places]
    if len(lost) == len(spans):
        raise ValueError(f"has neither {first!r} nor {second!r} in its text {text[:60]!r}")
    rest = {name: value for name, value in values.items() if name not in ("span1", "target")}
    return {
        **rest,
        "text": text,
        "span1_text": first,
        "span2_text": second,
        "marks": sorted(list(place) for _, span_places in spans for place in span_places),
        "unmarked": "".join(lost),
    }


def _word_number(text: str, place: int) -> int:
    return sum(match.end() <= place for match in re.finditer(r"\S+", text))


FORMAT = RecordFormat(unfold)
