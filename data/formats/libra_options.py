"""LIBRA's questions that hold their own four options: ruTPO ("А. ...", gold "Б"), ruQuALITY ("(A) ...", "(B) ...")."""

import re
from collections.abc import Iterable, Sequence

from data.answers.option_replies import folded
from data.formats import libra
from data.formats.record_format import RecordFormat, Values
from data.option_names import as_field

OPTIONS = ("option_a", "option_b", "option_c", "option_d")
LETTERS = ("AА", "BБВ", "CВС", "DГД")
"""The letters that may stand before each option: Latin, Russian, or Russian ones that look like the Latin."""
FIFTH = "EДЕ"
ALPHABETS = ("АБВГ", "ABCD", "АВСД")
GOLD = re.compile(r"\(?\s*([A-DА-ДС])\s*(?:[).:]\s*(.*))?", re.DOTALL | re.IGNORECASE)


LETTER = f"([{''.join(LETTERS)}])"
LINES = re.compile(rf"^[ \t]*+\(?{LETTER}[).:]", re.MULTILINE | re.IGNORECASE)
IN_LINE = tuple(re.compile(rf"(?:\(|(?<![\w(])){LETTER}{closing}") for closing in (r"\)", r"\.", ":"))
FIFTH_LINE = re.compile(rf"^[ \t]*\(?[{FIFTH}][).:]", re.MULTILINE)


def unfold(values: Values) -> Iterable[Values]:
    """Return the record as one row: the question, its four options, what the file calls each, the right one's place.

    A record that has its options already is in our own form. Questions about one text are a family, where the record
    does not name it. Raises ValueError where the options or the right one cannot be told.
    """
    (row,) = libra.unfold({**values, "family": values.get("family") or libra.family_of(values.get("context"))})
    outputs = [str(output) for output in row["positive_outputs"]]
    if all(isinstance(values.get(name), str) for name in OPTIONS):
        yield {**row, "positive_outputs": libra.agreed(outputs)}
        return
    question, letters, texts = split(row["input"])
    places = [str(place(output, letters, texts)) for output in outputs]
    right = libra.agreed(places)
    named = (
        as_field(called(outputs, int(right), letters, texts)) if right else as_field([[letter] for letter in letters])
    )
    yield {**row, "input": question, **dict(zip(OPTIONS, texts, strict=True)), **named, "positive_outputs": right}


def called(outputs: Sequence[str], right: int, letters: Sequence[str], texts: Sequence[str]) -> list[list[str]]:
    """Return what the file calls each option: the right one as it stands, the others in the same way.

    >>> called(["(B) нет"], 1, "ABCD", ["да", "нет", "часто", "редко"])
    [['(A) да'], ['(B) нет'], ['(C) часто'], ['(D) редко']]
    """

    def in_the_way_of(output: str, number: int) -> str:
        named, text = GOLD.fullmatch(output.strip()), texts[right]
        if number == right or not (named or output == text):
            return output if number == right else texts[number]
        letter = named[1] if named and output != text else ""
        alphabet = next(
            (alphabet for alphabet in ("".join(letters), *ALPHABETS) if alphabet[right : right + 1] == letter), ""
        )
        changed = output.replace(letter, alphabet[number], 1) if alphabet else output
        return changed.replace(text, texts[number]) if text in changed else changed

    return [[in_the_way_of(output, number) for output in outputs] for number in range(len(texts))]


def split(asked: str) -> tuple[str, Sequence[str], Sequence[str]]:
    """Return the question, the four letters as they stand and the four texts behind them; raises ValueError.

    Letters at the beginnings of lines count; where there are not four in order, those within lines do.
    """
    bare = libra.bare(asked)
    options = next(filter(None, (_four(bare, pattern) for pattern in (LINES, *IN_LINE))), None)
    if options is None:
        raise ValueError(f"has no four options 'А. ...' to 'Г. ...' (or A to D) in its input {asked[:80]!r}")
    ends = [*(mark.start() for mark in options[1:]), len(bare)]
    question, letters = bare[: options[0].start()].strip(), [mark[1] for mark in options]
    texts = [bare[mark.end() : end].strip() for mark, end in zip(options, ends, strict=True)]
    if FIFTH_LINE.search(texts[-1]):
        raise ValueError(f"has more than four options in its input {asked[:80]!r}; there must be four")
    return question, letters, texts


def _four(text: str, pattern: re.Pattern[str]) -> list[re.Match[str]] | None:
    """Return the marks of the four options, each with a text behind it, None where there are not four in order.

    The last run of four such letters counts: a question may hold an "А." of its own.
    """
    marks = list(pattern.finditer(text))
    last = len(text)
    for letters in reversed(LETTERS):
        before = (mark for mark in reversed(marks) if mark.end() <= last and mark[1].upper() in letters)
        fitting = next((mark for mark in before if text[mark.end() : last].strip()), None)
        if fitting is None:
            return None
        last = fitting.start()
    matches: list[re.Match[str]] = []
    for mark in marks:
        begun = matches[-1].end() if matches else 0
        fits = mark.start() >= last and len(matches) < 4 and mark[1].upper() in LETTERS[len(matches)]
        if fits and text[begun : mark.start()].strip():
            matches.append(mark)
    return matches if len(matches) == 4 else None


def place(output: str, letters: Sequence[str], texts: Sequence[str]) -> int:
    """Return the place, from 0, of the option that an output names by its text, or else by its letter.

    A letter is one of those that stand in the question, else Russian, else Latin: "В" is the third of А, Б, В, Г and of
    A, B, C, D, but the second of А, В, С, D, where it stands for "B". Raises ValueError where it is none of them.
    """
    named = GOLD.fullmatch(output.strip())
    for text in (output, (named[2] or "") if named else ""):
        same = [number for number, option in enumerate(texts) if text and folded(option) == folded(text)]
        if len(same) == 1:
            return same[0]
    letter = named[1].upper() if named else ""
    for alphabet in ("".join(letters).upper(), *ALPHABETS):
        if letter and letter in alphabet:
            return alphabet.index(letter)
    raise ValueError(f"has the right answer {output[:80]!r}, which is none of its options {', '.join(letters)}")


FORMAT = RecordFormat(unfold)
