"""Finding the options that a model's reply names where several may be right, and refusing to guess."""

import re
from collections.abc import Sequence

from data.answers.answer_type import Option
from data.answers.number_replies import LINE, OR, run_of, stretches
from data.answers.option_replies import NEGATION, OPTION_WORD, cut_off, folded, names_of, opened, phrases, short_names
from data.answers.typed_replies import MARKER

NONE_OF_THEM = re.compile(
    r"(?:(?:ответ\w*|вариант\w*) )?(?:ни (?:один|одного|одна|одной|одно|одну)(?!\w)|никак\w+|ничего|пусто|none(?!\w)|"
    r"нет (?:верн|правильн|подходящ|так)\w*|(?:верн|правильн|подходящ)\w+ (?:ответов |вариантов )?нет(?!\w)).{0,80}"
)
ABOUT = re.compile(
    r"(?:(?:только|лишь|only|the) )?(?:(?:верн|правильн|подход)\w+[ :]*|(?:correct|right|fitting)[ :]+)?"
    r"(?:(?:ответ\w*|вариант\w*|номер\w*|пункт\w*|options?|answers?|№)(?: (?:is|are)(?!\w))?[ :№—–-]*)*"
)
BETWEEN = re.compile(r"\s?(?:[,;&+\n]|(?<!\w)(?:и|а также|and)(?!\w))[\s,;]*")
POINTED = re.compile(rf"{OPTION_WORD}[ :№]{{0,20}}(\d+(?:(?:, ?| и | and |, и )\d+)*)(?![\w.,]{{0,40}}\d)")
YES, NO = (
    r"(?:да|верно|правильно|подходит|true|yes|\+|✓|✔|✅)",
    r"(?:нет|не ?верно|неправильно|не подходит|false|no|-|✕|✗|❌)",
)
VERDICT = re.compile(rf"\W*?(\d{{1,6}})(?:[.):]|\s*[—–-])?\s*(?:({YES})|{NO})[.;,]?")


def named_several(reply: str, options: Sequence[Option]) -> list[str] | None:
    """Return the labels of all options that `reply` names, in canonical order; [] where it says that none is right.

    None where it is not clear. JSON wins, then what follows "Ответ:", then the whole of it: an enumeration of keys,
    letters or texts, a verdict for every option, or prose that points at options and denies nothing.
    """
    text = opened(reply)
    if cut_off(text):
        return None
    stated = stretches(reply)
    if stated == ["", *stated[1:]] and text.startswith(("[", "{")):
        return []
    marked = [part.strip() for part in MARKER.split(text)[1:]]
    named = [_named(part, options) for part in marked] if marked else []
    if not marked or None in named:
        named = [_named(part, options) for part in dict.fromkeys(stated)]
    first = named[0] if named else None
    if first is None or any(labels != first for labels in named):
        return None
    return [option.label for option in options if option.label in first]


def _named(text: str, options: Sequence[Option]) -> set[str] | None:
    """Return the labels that one stretch of text names, None where that is not clear."""
    name = folded(text)
    if NONE_OF_THEM.fullmatch(name):
        return set()
    exact = {option.label for option in options if name == option.key} or {
        option.label for option in options if name in names_of(option)
    }
    if exact:
        return exact if len(exact) == 1 else None
    for way in (_verdicts, _lines, _enumerated, _digits):
        named = way(text, options)
        if named is not None:
            return named
    return _in_prose(text.casefold(), options)


def _verdicts(text: str, options: Sequence[Option]) -> set[str] | None:
    """Return what has a yes where every option has a verdict: "1 — да, 2 — нет, 3 — да"."""
    parts = [part for part in re.split(r"[\n;,]", text.casefold().replace("*", "")) if part.strip()]
    verdicts = [VERDICT.fullmatch(part.strip()) for part in parts]
    label = {option.key: option.label for option in options}
    if {match[1] for match in verdicts if match} != set(label) or len(parts) != len(label):
        return None
    return {label[match[1]] for match in verdicts if match and match[2]}


def _lines(text: str, options: Sequence[Option]) -> set[str] | None:
    """Return the options whose numbered, lettered or bare texts stand on lines of their own, where no line is else."""
    lines = [folded(line) for line in text.split("\n") if line.strip()]
    named = [_line(line, options) for line in dict.fromkeys(lines)]
    return {option for option in named if option} if len(lines) > 1 and all(named) else None


def _line(line: str, options: Sequence[Option]) -> str | None:
    named = {option.label for option in options if line in names_of(option)}
    for names in short_names(options):
        short, _, rest = re.sub(r"^(\w+)[.):]+ ?", r"\1 ", line).partition(" ")
        option = next((option for option in options if option.label == names.get(short)), None)
        if option and (not rest or folded(rest) in names_of(option)):
            named.add(option.label)
    return named.pop() if len(named) == 1 else None


def _enumerated(text: str, options: Sequence[Option]) -> set[str] | None:
    """Return what an enumeration of keys, letters of one alphabet, or whole texts names."""
    enumeration = folded(text)
    for stretch in (enumeration, folded(ABOUT.sub("", enumeration, count=1))):
        pieces = [folded(piece) for piece in BETWEEN.split(stretch)]
        texts = {name: option.label for option in options for name in names_of(option)}
        for names in (*short_names(options), texts):
            if all(piece in names for piece in pieces):
                return {names[piece] for piece in pieces}
    return None


def _digits(text: str, options: Sequence[Option]) -> set[str] | None:
    """Return what a run of numbers alone names: "134", "1 3 4"."""
    label = {option.key: option.label for option in options}
    if not re.fullmatch(r"[\d\s,;.]+", ABOUT.sub("", folded(text), count=1)):
        return None
    numbers = run_of(text, len(options))
    return {label[number] for number in numbers} if numbers and all(number in label for number in numbers) else None


def _in_prose(text: str, options: Sequence[Option]) -> set[str] | None:
    """Return what prose points at: "варианты 1 и 3", or the texts themselves; None where something is denied."""
    if OR.search(text) or NEGATION.search(text) or any(LINE.match(line) for line in text.split("\n")[1:]):
        return None
    label = {option.key: option.label for option in options}
    keys = [key for match in POINTED.finditer(text) for key in re.findall(r"\d+", match[1])]
    if keys:
        return {label[key] for key in keys} if all(key in label for key in keys) else None
    return set(phrases(folded(text), options)) or None
