"""RusConText's files on idioms with several meanings: a text with three meanings, or a meaning with three texts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from data.formats.record_format import RecordFormat, Values

PLACES = ("0", "1", "2")
OWN, OTHER = "own", "other"


def surveyed(records: Sequence[Values]) -> list[Values]:
    """Return the records with `origins`, where they have meanings to choose from.

    An option is "own" if it is a meaning of the record's idiom anywhere in the file, else "other": a meaning of some
    other idiom, taken at random. So a wrong answer tells of which kind it was, and the origins do not tell the gold.
    """
    meanings: dict[str, set[str]] = defaultdict(set)
    for record in records:
        if isinstance(record.get("current_meaning"), str):
            meanings[named(record.get("idiom"))].add(record["current_meaning"])
    return [_with_origins(record, meanings[named(record.get("idiom"))]) for record in records]


def _with_origins(record: Values, own: set[str]) -> Values:
    options = record.get("possible_meanings")
    if not isinstance(options, Mapping) or "origins" in record:
        return record
    return {**record, "origins": ";".join(OWN if options.get(place) in own else OTHER for place in PLACES)}


def named(idiom: object) -> str:
    """Return an idiom in small letters, its white space folded: the files write it in capitals.

    >>> named("РАЗВЕСТИ РУКАМИ  / РУКИ")
    'развести руками / руки'
    """
    return " ".join(str(idiom or "").lower().split())


def unfold(values: Values) -> Iterable[Values]:
    """Return the record as one row; raises ValueError for one that is neither this nor our own."""
    row = {**values, "idiom": named(values.get("idiom"))}
    if "option1" in values:
        yield row
        return
    if "correct_label" in values:
        row["label"] = values["correct_label"]
    for name in ("possible_meanings", "texts"):
        if name in values:
            yield row | _options(values[name], name)
            return
    raise ValueError("has neither 'possible_meanings' nor 'texts'; one of them is chosen from")


def _options(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, Mapping) or set(value) != set(PLACES):
        raise ValueError(f"has no three {name!r} under {', '.join(map(repr, PLACES))}")
    return {f"option{number}": value[place] for number, place in enumerate(PLACES, 1)}


FORMAT = RecordFormat(unfold, surveyed=surveyed)
