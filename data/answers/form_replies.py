"""Forms as models write them: a line for each question, or JSON with the names of the parts."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from data.answers.form_parts import Part
from data.answers.option_replies import ANSWER_KEYS, loaded, opened, stretch
from data.errors import BadAnswer
from data.limits import nested

PartReplies = Mapping[tuple[int, str], str]
LISTS = ("answers", "ответы", "questions", "вопросы")
BREAKS = re.compile(r"\n|;\s+(?=\d+\s*[:.)])")
LINE = r"^[\s*_#>•-]*+(?:(?:вопрос|question|№)\s*+){{0,4}}[\"«*_]*+({names})[\"»*_]*+\s*+(?:[:.)—–]|-\s)[*_]*+\s*+(.*)"
TRAILING = re.compile(r"(?<![\s,])[\s,]+\Z")


def written(sets: Sequence[Mapping[str, str]], parts: Sequence[Part], *, many: bool) -> str:
    """Return part answers, as their own types show them, the way `part_replies` reads them."""
    lines = [text for given in sets for text in given.values()]
    if many and len(parts) == 1 and len(lines) == len(sets) and not any("\n" in text for text in lines):
        return "\n".join(f"{place}: {text}" for place, text in enumerate(lines, 1))
    return json.dumps(list(sets) if many else sets[0], ensure_ascii=False)


def part_replies(reply: str, parts: Sequence[Part], questions: int | None) -> PartReplies:
    """Return what a reply says of each part, as (place of the question, name of the part) -> text for the part's type.

    `questions` is their number, None where the parts are asked once. What is said twice in different words is left out.
    """
    text = opened(reply)
    size = 1 if questions is None else questions
    sets = _elements(_json(text), [part.name for part in parts], size)
    if sets is not None:
        return {(place, name): said for place, given in enumerate(sets) for name, said in given.items()}
    if len(parts) == 1 and size == 1:
        lines = _lines(text, {"1": (0, parts[0].name)}) if questions else {}
        return lines or {(0, parts[0].name): text}
    if questions is None:
        return _lines(text, {name: (0, part.name) for n, part in enumerate(parts, 1) for name in _names(part, n)})
    return _lines(text, {str(n): (n - 1, parts[0].name) for n in range(1, size + 1)}) if len(parts) == 1 else {}


def _names(part: Part, number: int) -> tuple[str, ...]:
    return str(number), part.name, *map(str.casefold, part.title.values())


def _lines(text: str, keys: Mapping[str, tuple[int, str]]) -> PartReplies:
    """Return what stands behind each key at the beginning of a line; a key that says two things is left out."""
    names = "|".join(re.escape(name) for name in sorted(keys, key=len, reverse=True))
    line = re.compile(LINE.format(names=names), re.IGNORECASE)
    answers: dict[tuple[int, str], set[str]] = {}
    for piece in BREAKS.split(text):
        match = line.match(piece)
        said = TRAILING.sub("", match[2]) if match else ""
        if match and said:
            answers.setdefault(keys[match[1].casefold()], set()).add(said)
    return {key: said.pop() for key, said in answers.items() if len(said) == 1}


def _json(text: str) -> object:
    """Return the JSON that a reply is, or the one that stands in it between the first bracket and the last."""
    value = loaded(text)
    return loaded(stretch(text, "[{", "]}")) if value is None else value


def _elements(value: object, names: Sequence[str], size: int) -> list[dict[str, str]] | None:
    """Return a JSON value as `size` mappings from names of parts to texts; None where it is nothing like it."""
    if isinstance(value, dict) and not value.keys() & set(names):
        numbered = [value.get(str(place)) for place in range(1, size + 1)]
        inner = next((v for k, v in value.items() if k.casefold() in LISTS and isinstance(v, list)), None)
        value = inner if inner is not None else numbered
    elif isinstance(value, dict):
        lists = [v for v in value.values() if isinstance(v, list) and len(names) == 1 and len(v) == size > 1]
        value = lists[0] if lists else [value]
    if not isinstance(value, list) or len(value) != size:
        return None
    sets = [_named(element, names) for element in value]
    return sets if all(sets) else None


def _named(element: object, names: Sequence[str]) -> dict[str, str]:
    """Return one element as texts by the names of parts; a lone part may go without its name."""
    if isinstance(element, dict):
        given = {name: element[name] for name in names if name in element}
        alone = [v for k, v in element.items() if k.casefold() in ANSWER_KEYS] if len(names) == 1 else []
        given = given or dict(zip(names, alone, strict=False))
    else:
        given = {names[0]: element} if len(names) == 1 else {}
    return {name: _text(value) for name, value in given.items() if value is not None}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value == []:
        return "[]"
    return ", ".join(map(_text, value)) if isinstance(value, list) else str(value)


def decoded(value: object) -> object:
    """Return what a page or a file sent, out of its JSON where it is a text; raises BadAnswer."""
    try:
        decoded_value = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError) as error:
        raise BadAnswer("not_a_form") from error
    if nested(decoded_value):
        raise BadAnswer("not_a_form")
    return decoded_value
