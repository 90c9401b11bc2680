"""RuCoS as its authors distribute it: a record is a passage with its entities and the queries about it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from data.formats.record_format import RecordFormat, Values, inside_word

PLACEHOLDER, GAP = "@placeholder", "_____"
HIGHLIGHT = re.compile(r"@highlight\n?")


def unfold(values: Values) -> Iterable[Values]:
    """Yield a row for each query: the passage, the places of its entities, their distinct strings, the query.

    The lines "@highlight" mark where a summary sentence of the article begins; they are markup and left out, and the
    places move with them. The published readers disagree on whether the end of an entity belongs to it, so the record
    decides (`ends_after`). Raises ValueError for a record that is no passage.
    """
    if "query" in values and isinstance(values.get("passage"), str):
        yield values
        return
    passage = values.get("passage")
    if not isinstance(passage, Mapping) or not isinstance(values.get("qas"), list):
        raise ValueError('is no passage of RuCoS; it needs {"idx", "passage": {"text", "entities"}, "qas": [...]}')
    try:
        yield from [_row(values["idx"], passage, query) for query in values["qas"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"is a passage of RuCoS that lacks {error}") from error


def _row(number: object, passage: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    text, answers = passage["text"], asked.get("answers") or []
    entities = [(entity["start"], entity["end"]) for entity in passage["entities"]]
    after = ends_after(text, entities, answers)
    places = sorted({(begin, end + after) for begin, end in entities})
    golds = list(dict.fromkeys(answer["text"] for answer in answers))
    names = [text[begin:end] for begin, end in places]
    row = {
        "id": f"{number}-{asked['idx']}",
        "passage": HIGHLIGHT.sub("", text),
        "marks": [[_moved(text, begin), _moved(text, end)] for begin, end in places],
        "query": asked["query"].replace(PLACEHOLDER, GAP),
        "entities": list(dict.fromkeys([*names, *golds])),
    }
    return row | ({"label": golds} if golds else {})


def ends_after(text: str, entities: Sequence[tuple[int, int]], answers: Sequence[Mapping[str, Any]]) -> int:
    """Return 1 where the ends of a record's entities belong to them (as in ReCoRD), 0 where they stand behind them.

    The answers tell, since they hold their text beside their places. Without answers (a test set) an end inside a word
    tells: the reading that cuts fewer words is taken, and 0 where both cut as many.
    """
    for answer in answers:
        for after in (0, 1):
            if text[answer["start"] : answer["end"] + after] == answer["text"]:
                return after
    cut = [sum(inside_word(text, end + after) for _, end in entities) for after in (0, 1)]
    return int(cut[1] < cut[0])


def _moved(text: str, place: int) -> int:
    """Return where a place of the text is once the highlight lines are out."""
    return place - sum(
        min(place, match.end()) - match.start() for match in HIGHLIGHT.finditer(text) if match.start() < place
    )


FORMAT = RecordFormat(unfold=unfold)
