"""RusConText's files on coreference, ellipsis and idioms."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from data.answers.answer_type import packed
from data.errors import BadFile
from data.formats.record_format import AS_PUBLISHED, RecordFormat, Values, as_field

CODES = ("1", "2", "3")
"""What the file on anaphora calls the three options; we count from 0."""
WHOLE = ("first", "second", "anaphoric span", "variants")


class OtherCoding(ValueError):
    """An answer that is none of the codes of the authors' file."""


def with_ids(records: Sequence[Values]) -> list[Values]:
    """Return the records with ids: the files have none, and a record may stand in one of them twice.

    An id is made of the document, the number of the paragraph and what is asked of it, so that it does not depend on
    the order of the file nor on the gold; of equal records the second has "-2" behind it.
    """
    times: Counter[str] = Counter()
    named: list[Values] = []
    for record in records:
        paragraph = record.get("paragraph")
        if isinstance(paragraph, Mapping) and not record.get("id"):
            asked = packed([paragraph.get("text"), *(record.get(name) for name in WHOLE)])
            stem, digest = PurePath(str(paragraph.get("filename"))).stem, hashlib.sha256(asked.encode()).hexdigest()[:8]
            base = f"{stem}-{paragraph.get('index')}-{digest}"
            times[base] += 1
            record = {**record, "id": base if times[base] == 1 else f"{base}-{times[base]}"}
        named.append(record)
    return named


def coref(values: Values) -> Iterable[Values]:
    """Return the record as one row with the places of its strings.

    A string is marked wherever it stands as a whole word: the file does not tell which of several places is meant, so
    people and models see all of them, and `ambiguous` is "yes". Raises ValueError for a record that is neither this
    nor our own, and for a string that its paragraph does not hold.
    """
    if "marks" in values:
        yield values
        return
    paragraph = values.get("paragraph")
    if not isinstance(paragraph, Mapping) or not isinstance(paragraph.get("text"), str):
        raise ValueError("has no 'paragraph' with a 'text'; a record of RusConText's coreference holds one")
    if "anaphoric span" in values:
        yield _row(values, paragraph, {"span": values["anaphoric span"]}) | _choice(values)
    elif {"first", "second"} <= values.keys():
        strings = {name: values[name] for name in ("first", "second")}
        yield _row(values, paragraph, strings) | ({"label": values["gold"]} if "gold" in values else {})
    else:
        raise ValueError("has neither 'anaphoric span' nor 'first' and 'second'; one of them is asked about")


def _row(values: Values, paragraph: Mapping[str, Any], strings: Mapping[str, str]) -> dict[str, Any]:
    text = paragraph["text"]
    strings_places = [places(text, string) for string in strings.values()]
    labels = ("",) if len(strings_places) == 1 else tuple(str(place) for place in range(1, len(strings_places) + 1))
    marks = [
        [*pair, *filter(None, (label,))] for label, pairs in zip(labels, strings_places, strict=True) for pair in pairs
    ]
    return {
        **{name: values[name] for name in ("id", "explanation") if name in values},
        **strings,
        "text": text,
        "marks": marks,
        "ambiguous": "yes" if max(map(len, strings_places)) > 1 else "",
        "document": str(paragraph.get("filename") or ""),
        AS_PUBLISHED: _as_published(values, text),
    }


def _as_published(values: Values, text: str) -> dict[str, str]:
    """Return what the prompts on coreference name, options in numbered lines, as the authors' script writes them."""
    if "anaphoric span" not in values:
        return {"paragraph": text, "first RE span": values["first"], "second RE span": values["second"]}
    lines = [f"{number}. {option}" for number, option in enumerate(values.get("variants") or (), 1)]
    return {"paragraph": text, "anaphoric span": values["anaphoric span"], "variants": ";\n".join(lines)}


def places(text: str, string: object) -> list[tuple[int, int]]:
    """Return where a string stands in a text as a whole word, as (begin, end) in code points; ValueError if nowhere.

    >>> places("Он сказал, что он видел: он там.", "он")
    [(15, 17), (25, 27)]
    """
    if not isinstance(string, str) or not string:
        raise ValueError(f"has {string!r:.60} where a string of its paragraph is needed")
    spans = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(string)}(?!\w)", text)]
    if not spans:
        raise ValueError(f"asks about {string[:60]!r}, which does not stand in its paragraph")
    return spans


def _choice(values: Values) -> dict[str, Any]:
    """Return the three options, what the file calls them, and the gold as our position."""
    options = values.get("variants")
    if not isinstance(options, list) or len(options) != 3:
        raise ValueError("has no list 'variants' of three strings to choose from")
    stated = values.get("gold answer")
    gold = "" if stated is None else str(stated)
    if gold and gold not in CODES:
        raise OtherCoding(f"has {stated!r:.60} for 'gold answer', which is none of the file's codes {', '.join(CODES)}")
    label = {"label": str(CODES.index(gold))} if gold else {}
    named = as_field([[code] for code in CODES])
    return {f"option{number}": option for number, option in enumerate(options, 1)} | named | label


def coref_predicted(values: Values) -> Iterable[Values]:
    """Return the rows of a record of predictions; raises BadFile where its codes are others than the file's."""
    try:
        return list(coref(values))
    except OtherCoding as error:
        raise BadFile(f"a record {error}, so the others may mean another option too; use those codes") from error


TYPES = {
    "gapping": "gapping",
    "np ellipsis": "np",
    "vp ellipsis": "vp",
    "sluicing": "sluicing",
    "polarity ellipsis": "polarity",
    "answer ellipsis": "answer",
    "stripping": "stripping",
    "verb stranding": "verb_stranding",
}
OTHER_TYPE = "other"
ALONE_IN_FRONT = re.compile(r"^__+[^\S\n]?", re.MULTILINE)
BEFORE_A_STOP = re.compile(r"[^\S\n]?(?<!_)__++(?=[\s.,:;?!…)»]|$)")
WITHIN = re.compile(r"__+")


def ellipsis(values: Values) -> Iterable[Values]:
    """Return the record as one row, without the mark of the gap: its place is a part of the answer.

    Spellings of a type are joined ("NP_ellipsis", "NP-ellipsis"); several types at once, and types with a single
    sentence, are "other". Raises ValueError for a record that is neither this nor our own.
    """
    if "suggested ellipsis resolution" not in values:
        if "sentence" not in values or "type" not in values:
            raise ValueError("has no 'suggested ellipsis resolution'; a line has sentence, resolution, type and id")
        yield values
        return
    yield {
        **values,
        "sentence": without_marks(values["sentence"]),
        AS_PUBLISHED: {"text": re.sub(" _|_", "", values["sentence"]).replace("\n", " ")},
        "answer": values["suggested ellipsis resolution"],
        "type": TYPES.get(re.sub("[_-]", " ", values.get("ellipsis type", "").strip().lower()), OTHER_TYPE),
    }


def ellipsis_whole(values: Values) -> Iterable[Values]:
    """Return the record as one row whose gold has the words and, as far as the marks of the gaps tell, place and text.

    In several gaps stand the words between commas, in one all of them; where the numbers differ there is no full text.
    """
    for row in ellipsis(values):
        marked, given = str(values.get("sentence", "")), row.get("answer")
        if not isinstance(given, str) or given.startswith("{"):
            yield row
            continue
        gaps = len(WITHIN.findall(marked))
        pieces = [given] if gaps == 1 else [piece.strip() for piece in given.split(",")]
        label = {"place": WITHIN.sub("_", marked)} if gaps else {}
        label |= {"full": without_gaps(marked, pieces)} if gaps == len(pieces) else {}
        yield {**row, "answer": {**label, "ellipsis": given}}


def without_gaps(marked: str, pieces: Sequence[str]) -> str:
    """Return a sentence with a piece in each of its gaps, parted from what stands beside it.

    >>> without_gaps("делегаций —__ до 15 минут", ["длится"])
    'делегаций — длится до 15 минут'
    """
    left = iter(pieces)

    def put(gap: re.Match[str]) -> str:
        begun, after = marked[: gap.start()], marked[gap.end() :]
        apart = " " if begun and not begun[-1].isspace() and begun[-1] not in "«(" else ""
        return f"{apart}{next(left)}{' ' if after[:1].isalnum() else ''}"

    return WITHIN.sub(put, marked)


def without_marks(text: str) -> str:
    """Return a sentence without its marks, the space before or behind each going with it.

    >>> without_marks("Я откликнусь на дурака, ты __ на дуру, а он __.")
    'Я откликнусь на дурака, ты на дуру, а он.'
    """
    for mark in (ALONE_IN_FRONT, BEFORE_A_STOP, WITHIN):
        text = mark.sub("", text)
    return text


PLACES = ("0", "1", "2")
OWN, OTHER = "own", "other"


def with_origins(records: Sequence[Values]) -> list[Values]:
    """Return the records with `origins`, where they have meanings to choose from.

    An option is "own" if it is a meaning of the record's idiom anywhere in the file, else "other": a meaning of some
    other idiom, taken at random. So a wrong answer tells of which kind it was, and the origins do not tell the gold.
    """
    meanings: dict[str, set[str]] = defaultdict(set)
    for record in records:
        if isinstance(record.get("current_meaning"), str):
            meanings[named(record.get("idiom"))].add(record["current_meaning"])
    known: list[Values] = []
    for record in records:
        options, own = record.get("possible_meanings"), meanings[named(record.get("idiom"))]
        if isinstance(options, Mapping) and "origins" not in record:
            origins = (OWN if options.get(place) in own else OTHER for place in PLACES)
            record = {**record, "origins": ";".join(origins)}
        known.append(record)
    return known


def named(idiom: object) -> str:
    """Return an idiom in small letters, its white space folded: the files write it in capitals.

    >>> named("РАЗВЕСТИ РУКАМИ  / РУКИ")
    'развести руками / руки'
    """
    return " ".join(str(idiom or "").lower().split())


def idioms(values: Values) -> Iterable[Values]:
    """Return the record as one row; raises ValueError for one that is neither this nor our own."""
    row = {**values, "idiom": named(values.get("idiom"))}
    if "option1" in values:
        yield row
        return
    row[AS_PUBLISHED] = {"idiom": values.get("idiom")}
    if "correct_label" in values:
        row["label"] = values["correct_label"]
    name = next((name for name in ("possible_meanings", "texts") if name in values), None)
    if name is None:
        raise ValueError("has neither 'possible_meanings' nor 'texts'; one of them is chosen from")
    options = values[name]
    if not isinstance(options, Mapping) or set(options) != set(PLACES):
        raise ValueError(f"has no three {name!r} under {', '.join(map(repr, PLACES))}")
    yield row | {f"option{number}": options[place] for number, place in enumerate(PLACES, 1)}


FORMATS = {
    "ruscontext_coref": RecordFormat(coref, surveyed=with_ids, predicted=coref_predicted, reworded=True),
    "ruscontext_ellipsis": RecordFormat(ellipsis, reworded=True),
    "ruscontext_ellipsis_whole": RecordFormat(ellipsis_whole, reworded=True),
    "ruscontext_idioms": RecordFormat(idioms, surveyed=with_origins, reworded=True),
}
