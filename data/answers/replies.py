"""Finding the one option that a model's reply names, and refusing to guess when it names none or several."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from data.answers.base import Option

LETTERS = ("абвгдежзик", "abcdefghij")
# A server may have put the opening tag into the prompt, so a closing one alone ends thinking too.
THINKING = re.compile(r"\A.*</think(?:ing)?>|<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE)
FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
OBJECT = re.compile(r"\{[^{}]*\}")
ANSWER_KEYS = ("answer", "ответ", "label", "option", "вариант", "choice", "выбор")
MARKER = re.compile(r"(?<!\w)(?:ответ|выбор|answer)(?: на вопрос| is)?[^\w\n]*?[:=—–-][\s*_]*", re.IGNORECASE)
OPTION_WORD = r"(?<!\w)(?:вариант\w*|ответ\w*|option|answer|choice|№)"
LINK = r"(?:\s+(?:это|под|номер\w*|явля[ею]тся|is|number))*[ \t*_№#(\[«\":—–-]*"
AND = r"[ \t*_)\]»\"]*(?:,|/|-|–|—|и|или|or|and)[ \t*_(\[«\"]*"
BEFORE, AFTER = r"^[ \t*_#>(\[«\"`-]*", r"[*_`]*(?:[.):\]»\"]+[*_`]*(?=[\s,;]|$)|[ \t]*$)"
CLAUSE = re.compile(r"[.,;!?\n(]|\s(?:а|но|but)\s")
NEGATION = re.compile(
    r"(?<!\w)(?:не|ни|нет|not|isn't|never|невер\w*|неправ\w*|ошибочн\w*|wrong|incorrect|исключ\w*|отпада\w*)(?!\w)"
)
CLAUSE_LENGTH = 80
EDGES = " \t\r\n.,;:!?*_`'\"«»“”()[]{}<>#-–—"


def named_once(reply: str, options: Sequence[Option]) -> str | None:
    """Return the label of the one option that `reply` names by key, letter, label or words, else None.

    Thinking text is dropped, fenced, bare or embedded JSON is opened, and what follows "Ответ:" wins over the prose
    before it. The key comes first: where an option's words are the number of another one, "1" is the first option.
    """
    text = opened(reply)
    told = from_json(text)
    if told is None:
        marked = [part.split("\n", 1)[0] for part in MARKER.split(text)[1:]]
        named = {label for part in marked for label in _named(part, options) or _bare(part, options)}
        named = named if marked else _named(text, options)
    else:
        named = {label for part in told for label in _named(part, options)}
    return named.pop() if len(named) == 1 else None


def opened(reply: str) -> str:
    """Return a reply without its thinking and without the fences around what it gives."""
    return FENCE.sub(r"\1", THINKING.sub("", reply)).strip()


def from_json(text: str) -> list[str] | None:
    """Return the answers inside a reply that is JSON or has JSON objects with an answer; None where there is none."""
    whole = loaded(text)
    if whole is not None:
        return answers_in(whole)
    told = [answer for stretch in OBJECT.findall(text) for answer in answers_in(loaded(stretch))]
    return told or None


def loaded(text: str) -> object:
    """Return a text as JSON, None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def answers_in(value: object) -> list[str]:
    """Return what a JSON value says: itself, its only element, or what stands under the keys of an answer."""
    if isinstance(value, dict):
        return [answer for key in value if key.casefold() in ANSWER_KEYS for answer in answers_in(value[key])]
    if isinstance(value, list):
        return answers_in(value[0]) if len(value) == 1 else []
    if isinstance(value, bool):
        return [str(value).lower()]
    return [str(value)] if isinstance(value, str | int) else []


def _named(text: str, options: Sequence[Option]) -> set[str]:
    """Return the labels that one stretch of text names: the whole of it, else each that it points at."""
    whole = folded(text)
    exact = {option.label for option in options if whole == option.key} or {
        option.label for option in options if whole in names_of(option)
    }
    return exact or {*_pointed(text.casefold(), options), *phrases(whole, options)}


def _pointed(text: str, options: Sequence[Option]) -> Iterator[str]:
    """Yield the labels whose key or letter begins a line, or is pointed at: "вариант 1", "вариант 1 или 2".

    A clause that denies ("вариант 1 не подходит") points at nothing. Numbers count in the middle of a line as well
    ("1. Нет. 2. Да."), letters do not: "а" is a word.
    """
    for names in short_names(options):
        short = "|".join(sorted(names, key=len, reverse=True))
        numbers = r"|(?<![\w.,])(" + short + r")[.)](?=\s)" if short.isascii() and short[0].isdecimal() else ""
        for match in re.finditer(rf"{BEFORE}({short}){AFTER}{numbers}", text, re.MULTILINE):
            yield names[match[1] or match[2]]
        for match in re.finditer(rf"{OPTION_WORD}{LINK}((?:{short})(?!\w)(?:{AND}(?:{short})(?!\w))*)", text):
            if not denied(text, *match.span()):
                yield from (names[name] for name in re.findall(rf"(?<!\w)(?:{short})(?!\w)", match[1]))


def denied(text: str, start: int, end: int) -> bool:
    """Whether the clause around a stretch of text has a negation."""
    before = CLAUSE.split(text[max(0, start - CLAUSE_LENGTH) : start])[-1]
    after = CLAUSE.split(text[end : end + CLAUSE_LENGTH].lstrip(")]»\"'*_ "))[0]
    return bool(NEGATION.search(f"{before} | {after}"))


def _bare(text: str, options: Sequence[Option]) -> set[str]:
    """Return the labels whose numbers stand in what follows "Ответ:", "не 1" apart: "2, а не 1"."""
    keys = {option.key: option.label for option in options}
    found = re.finditer(r"(?<![\w.,])(?<!не )(?<!not )\d+(?!\w)", text.casefold())
    return {keys[match[0]] for match in found if match[0] in keys}


def phrases(text: str, options: Sequence[Option]) -> Iterator[str]:
    """Yield the labels whose words stand in the text, longer ones first so that "не следует" hides "следует"."""
    owners: dict[str, list[str]] = {}
    for option in options:
        for name in names_of(option):
            owners.setdefault(name, []).append(option.label)
    for phrase in sorted(owners, key=len, reverse=True):
        if len(phrase) == 1 or phrase.isdecimal() or phrase not in text:
            continue
        found = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
        denied = re.compile(rf"(?<!\w)(?:не|not) (?:{OPTION_WORD} )?[«\"']*{re.escape(phrase)}(?!\w)")
        if found.search(denied.sub(" ", text)):
            yield from owners[phrase]
        text = found.sub(" ", text)


def folded(text: str) -> str:
    """Return the text in one case, with white space and outer punctuation folded away."""
    return " ".join(text.casefold().replace("ё", "е").split()).strip(EDGES)


def names_of(option: Option) -> set[str]:
    """Return every full name of an option, folded. A label that counts from 0 is no name: "1" would be two options."""
    label = "" if option.label.isdecimal() else option.label
    return {folded(name) for name in (option.key, label, option.words.ru, option.words.en)} - {""}


def short_names(options: Sequence[Option]) -> Iterator[Mapping[str, str]]:
    """Yield the short names of the options, one alphabet at a time: keys, then а б в, then a b c."""
    yield {option.key: option.label for option in options}
    for alphabet in LETTERS:
        yield {letter: option.label for letter, option in zip(alphabet, options, strict=False)}
