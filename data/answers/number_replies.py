"""The numbers of options in a model's reply: an enumeration without order, or one number for each position."""

import re
from collections.abc import Sequence

from data.answers.composite import packed
from data.answers.option_replies import ANSWER_KEYS, loaded, opened
from data.answers.typed_replies import marked_in

AND = r"(?:\s*+[,;]\s*+(?:(?:и|and)\s*+)?|\s++(?:(?:и|and)\s++)?)"
RUN = re.compile(rf"(?<![\w.,/–-])\d+(?:{AND}\d+)*(?![\w/–-]|[.,]\d)", re.ASCII)
LINE = re.compile(r"\W*(\d+)[.)](?:\s|$)", re.ASCII)
HEAD = re.compile(r"\W*([^\W\d_])[.)]\s")
END = re.compile(r"(?<=\s)[—–-]\s*+(\d++)\W*+$")
OR = re.compile(r"(?<!\w)(?:или|or)(?!\w)")
WRAPPING = str.maketrans(dict.fromkeys("()[]{}«»\"'`*_", " "))


def numbers_of_set(reply: str, offered: Sequence[str]) -> list[str] | None:
    """Return the numbers that a reply enumerates ("134", "1, 3 и 4", lines that begin so), None where it is unclear."""
    return _agreed([_enumerated(stretch, offered) for stretch in stretches(reply)])


def numbers_in_order(reply: str, letters: Sequence[str], offered: Sequence[str]) -> list[str] | None:
    """Return the number of each position ("2514", "2, 5, 1, 4", "А-2, Б-5, ..."), None where one is unclear."""
    return _agreed([_in_order(stretch, letters, offered) for stretch in stretches(reply)])


def run_of(text: str, highest: int) -> list[str] | None:
    """Return the numbers of the only enumeration in a text; digits that stand together are apart up to nine options."""
    runs = RUN.findall(text.translate(WRAPPING))
    if len(runs) != 1 or OR.search(text.casefold()):
        return None
    numbers = re.findall(r"\d+", runs[0])
    return list("".join(numbers)) if highest <= 9 else numbers


def stretches(reply: str) -> list[str]:
    """Return what may hold the answer: what JSON gives, written as an enumeration; what is marked; the whole of it."""
    text = opened(reply)
    decoded = loaded(text)
    if isinstance(decoded, dict):
        stated = [decoded[key] for key in decoded if key.casefold() in ANSWER_KEYS]
        return [written(value) for value in stated] or [written(decoded)]
    if isinstance(decoded, list):
        return [written(decoded)]
    return marked_in(text) or [text]


def written(value: object) -> str:
    """Return a JSON value as a person would write it: lists with commas, objects with "key - value"."""
    if isinstance(value, list):
        return ", ".join(map(written, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} - {written(value[key])}" for key in value)
    return value if isinstance(value, str) else packed(value)


def _enumerated(text: str, offered: Sequence[str]) -> list[str] | None:
    lines = [line for line in text.split("\n") if line.strip()]
    begun = [match[1] for line in lines if (match := LINE.match(line))]
    numbers = begun if len(begun) == len(lines) > 1 else run_of(text, int(offered[-1]))
    if numbers is None or not set(numbers) <= set(offered) or len(begun) == len(offered):
        return None
    return sorted(set(numbers), key=int)


def _in_order(text: str, letters: Sequence[str], offered: Sequence[str]) -> list[str] | None:
    paired = _paired(text.upper(), letters) or _tabled(text.upper(), letters)
    numbers = [paired[letter] for letter in letters] if paired else run_of(text, int(offered[-1]))
    return numbers if numbers and len(numbers) == len(letters) and set(numbers) <= set(offered) else None


def _paired(text: str, letters: Sequence[str]) -> dict[str, str] | None:
    """Return the number beside each letter, Cyrillic or Latin, where every letter has exactly one."""
    latin = [chr(ord("A") + place) for place in range(len(letters))]
    for names, heard in ((letters, text.replace("A", "А")), (latin, text.replace("А", "A"))):
        pairs = re.findall(rf"(?<![^\W\d_])([{''.join(names)}])(?![^\W\d_])[^\w\n]{{0,8}}(\d+)", heard, re.MULTILINE)
        ends = [
            (begun[1], end[1])
            for line in heard.split("\n")
            if (begun := HEAD.match(line)) and (end := END.search(line, begun.end())) and begun[1] in names
        ]
        pairings = {(letters[names.index(name)], number) for name, number in pairs or ends}
        if len(pairings) == len({letter for letter, _ in pairings}) == len(letters):
            return dict(pairings)
    return None


def _tabled(text: str, letters: Sequence[str]) -> dict[str, str] | None:
    """Return the number under each letter of a table of two rows, as exams have them."""
    rows = [
        [cell.strip(" *") for cell in line.strip().strip("|").split("|")] for line in text.split("\n") if "|" in line
    ]
    rows = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    if len(rows) != 2 or rows[0] != list(letters) or len(rows[1]) != len(letters):
        return None
    return dict(zip(letters, rows[1], strict=True))


def _agreed(readings: list[list[str] | None]) -> list[str] | None:
    """Return what all stretches say, None where they differ or one says nothing."""
    first = readings[0] if readings else None
    return first if all(reading == first for reading in readings) else None
