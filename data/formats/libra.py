"""LIBRA's records (context, input, positive_outputs, negative_outputs, length), and what its tasks make of them."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from data.answers.answer_type import packed, unpacked
from data.answers.replies import folded
from data.errors import quoted_names
from data.formats.record_format import AS_PUBLISHED, NAMED, RecordFormat, Values, as_field, with_right

TEXTS = ("context", "input")
OUTPUTS = ("positive_outputs", "negative_outputs")
CALL = re.compile(r"\A\s*(?:вопрос|question)\s*:\s*", re.IGNORECASE)
CALLED = re.compile(r"(?<!\s)\s*+(?:тип|type|ответ|answer)\s*+:\s*+\Z", re.IGNORECASE)
TYPE = re.compile(r"(?<!\w)(?:тип|type)(?:\s+вопроса)?[ \t]*:[ \t]*(\S.*)", re.MULTILINE | re.IGNORECASE)
ANSWER = re.compile(r"^[ \t]*(?:ответ|answer)[ \t]*:[ \t]*(\S.*)", re.MULTILINE | re.IGNORECASE)
YES_NO = {"да": "Да", "yes": "Да", "нет": "Нет", "no": "Нет"}
TRUE, FALSE = "Правда", "Ложь"
TRUTHS = {"правда": TRUE, "истина": TRUE, "верно": TRUE, "true": TRUE, "ложь": FALSE, "неверно": FALSE, "false": FALSE}
BOTH = re.compile(r"\W*(\w+)\s*\[[^\]:]*:\s*(\w+)\s*\]\W*")


def read(values: Values, *, of_text: bool = False) -> dict[str, Any]:
    """Return the record as one row; raises ValueError where it has no context or no question.

    The negatives are kept as a compact JSON list. Where the record does not name its `family`, those are one that ask
    the same question and accept the same answers, as they do at several lengths, or, `of_text`, all about one text.
    """
    for name in TEXTS:
        if not isinstance(values.get(name), str):
            raise ValueError(
                f"has no text {name!r}; a record of LIBRA holds {', '.join((*TEXTS, *OUTPUTS))} and length"
            )
    accepted, negatives = (as_list(values.get(name)) for name in OUTPUTS)
    shared = (values["context"],) if of_text else (values["input"], accepted)
    return {
        **values,
        "positive_outputs": accepted,
        "negative_outputs": packed(negatives) if negatives else "",
        "family": values.get("family") or hashlib.sha256(packed(shared).encode()).hexdigest()[:12],
    }


def bare(question: str) -> str:
    """Return a question without the "Вопрос:" before it and the "Ответ:" or "Тип:" behind it.

    >>> bare("Вопрос: Кто открыл полоний? Тип:")
    'Кто открыл полоний?'
    """
    return CALLED.sub("", CALL.sub("", question))


def agreed(answers: Sequence[str]) -> str:
    """Return the one answer that all accepted outputs come to, "" where there are none; raises ValueError for two."""
    if len(set(answers)) > 1:
        raise ValueError(f"accepts {quoted_names(dict.fromkeys(answers))}, but only one answer can be chosen")
    return answers[0] if answers else ""


def as_list(outputs: object) -> list[object]:
    """Return outputs as a list: one stands for a list of it, a text that is such a list for what it holds."""
    if isinstance(outputs, str) and outputs.startswith("["):
        outputs = unpacked(outputs)
    if isinstance(outputs, list):
        return outputs
    return [] if outputs is None or outputs == "" else [outputs]


def labelled(
    values: Values, labels: Sequence[str], as_label: Callable[[str], str], *, of_text: bool
) -> Iterable[Values]:
    """Return the record as one row with its right answer as one of the labels; `as_label` refuses other answers."""
    row = read(values, of_text=of_text)
    outputs = list(map(str, row["positive_outputs"]))
    right = agreed([as_label(output) for output in outputs])
    named = {} if values.get(NAMED) else with_right(labels, right, outputs)
    return ({**row, **named, "positive_outputs": right},)


def yes_or_no(output: str) -> str:
    """Return MatreshkaYesNo's answer, whether there was a talk on a topic; raises ValueError for another one."""
    if folded(output) not in YES_NO:
        raise ValueError(f"has the right answer {output[:80]!r}; it must be 'Да' or 'Нет'")
    return YES_NO[folded(output)]


def truth(output: str) -> str:
    """Return ruSciFi's answer, whether a statement is true in the text and in the real world, as its authors write it.

    Raises ValueError for what is none, in any case, in Russian or in English.
    """
    both = BOTH.fullmatch(output)
    in_text, in_world = (TRUTHS.get(part.casefold()) for part in both.groups()) if both else (None, None)
    if not (in_text and in_world):
        raise ValueError(f"has the right answer {output[:80]!r}; it must be like {_truths(TRUE, FALSE)!r}")
    return _truths(in_text, in_world)


def _truths(in_text: str, in_world: str) -> str:
    return f"{in_text} [в реальном мире: {in_world}]"


def types(values: Values) -> Iterable[Values]:
    """Return a record of ruTREC as one row: the question, the types in alphabetical order, the place of the right one.

    Questions with their types stand in the context. A type that is right although none of them has it is offered as
    well, since it could not be chosen otherwise. A record that has its types already is in our own form. Raises
    ValueError where the context shows no types.
    """
    row = read(values)
    outputs = list(map(str, row["positive_outputs"]))
    if values.get("types"):
        return ({**row, "positive_outputs": agreed(outputs)},)
    shown = [met.rstrip(" \t\r") for met in TYPE.findall(row["context"]) or ANSWER.findall(row["context"])]
    first: dict[str, str] = {}
    for question_type in (*shown, *outputs):
        first.setdefault(folded(question_type), question_type.strip())
    names = sorted(first)
    if not shown or len(names) < 2:
        raise ValueError("has no examples 'Вопрос: ... Тип: ...' with at least two types in its context")
    offered = [first[name] for name in names]
    gold = agreed([str(names.index(folded(output))) for output in outputs])
    named = with_right(offered, offered[int(gold)] if gold else "", outputs)
    asked = {"input": bare(row["input"]), AS_PUBLISHED: {"input": row["input"]}}
    return ({**row, **asked, "types": offered, **named, "positive_outputs": gold},)


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


def options(values: Values) -> Iterable[Values]:
    """Return a record of ruTPO ("А. ...") or ruQuALITY ("(A) ..."): its options, their names, the right one's place.

    A record that has its options already is in our own form. Questions about one text are a family, where the record
    does not name it. Raises ValueError where the options or the right one cannot be told.
    """
    row = read(values, of_text=True)
    outputs = list(map(str, row["positive_outputs"]))
    if all(isinstance(values.get(name), str) for name in OPTIONS):
        yield {**row, "positive_outputs": agreed(outputs)}
        return
    question, letters, texts = split(row["input"])
    places = [str(place(output, letters, texts)) for output in outputs]
    right = agreed(places)
    named = called(outputs, int(right), letters, texts) if right else [[letter] for letter in letters]
    offered = dict(zip(OPTIONS, texts, strict=True))
    asked = {"input": question, AS_PUBLISHED: {"input": row["input"]}}
    yield {**row, **asked, **offered, **as_field(named), "positive_outputs": right}


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
        alphabets = ("".join(letters), *ALPHABETS)
        alphabet = next((signs for signs in alphabets if signs[right : right + 1] == letter), "")
        changed = output.replace(letter, alphabet[number], 1) if alphabet else output
        return changed.replace(text, texts[number]) if text in changed else changed

    return [[in_the_way_of(output, number) for output in outputs] for number in range(len(texts))]


def split(asked: str) -> tuple[str, Sequence[str], Sequence[str]]:
    """Return the question, the four letters as they stand and the four texts behind them; raises ValueError.

    Letters at the beginnings of lines count; where there are not four in order, those within lines do.
    """
    text = bare(asked)
    marks = next(filter(None, (_four(text, pattern) for pattern in (LINES, *IN_LINE))), None)
    if marks is None:
        raise ValueError(f"has no four options 'А. ...' to 'Г. ...' (or A to D) in its input {asked[:80]!r}")
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    question, letters = text[: marks[0].start()].strip(), [mark[1] for mark in marks]
    texts = [text[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
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


FORMATS = {
    "libra": RecordFormat(lambda values: (read(values),)),
    "libra_types": RecordFormat(types, reworded=True),
    "libra_options": RecordFormat(options, reworded=True),
    "libra_yes_no": RecordFormat(partial(labelled, labels=("Да", "Нет"), as_label=yes_or_no, of_text=False)),
    "libra_truth": RecordFormat(
        partial(
            labelled,
            labels=[_truths(in_text, in_world) for in_text in (TRUE, FALSE) for in_world in (TRUE, FALSE)],
            as_label=truth,
            of_text=True,
        )
    ),
}
