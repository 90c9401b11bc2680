"""Finding the one option that a model's reply names, and refusing to guess when it names none or several."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from data.answers.answer_type import Option
from data.composed_text import composed
from data.limits import nested

LETTERS = ("абвгдежзик", "abcdefghij")
# A server may have put the opening tag into the prompt, so a closing one alone ends thinking too.
THOUGHT = r"(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad|размышлени[ея])"
THINKING = re.compile(
    rf"\A.*[<◁]/{THOUGHT}[>▷]|[<◁]{THOUGHT}[>▷].*|\A.*<\|channel\|>final<\|message\|>|<\|channel\|>.*",
    re.DOTALL | re.IGNORECASE,
)
TAG = re.compile(r"<(/?)(answer|ответ)>", re.IGNORECASE)
FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
OBJECT = re.compile(r"\{[^{}]*\}")
ANSWER_KEYS = ("answer", "ответ", "label", "option", "вариант", "choice", "выбор")
MARKER = re.compile(r"(?<!\w)(?:ответ|выбор|answer)(?: на вопрос| is)?[^\w\n]*?[:=—–-][\s*_]*", re.IGNORECASE)
BOXED = re.compile(r"\\boxed\{(?:\\\w+\{)?([^{}]*)\}")
# Possessive: "варианта" is not the word "вариант" and the letter "а".
OPTION_WORD = r"(?<!\w)(?:вариант\w*+|ответ\w*+|номер\w*+|пункт\w*+|выбираю|option|answer|choice|choose|select|pick|№)"
# A small letter before a word is itself a word: "the answer is a matter of taste", "вариант в тексте".
LETTER_AS_WORD = re.compile(r"(?<!\w)[aiаиве](?=[ \t]+(?!(?:или|and|or|потому|because|since)(?!\w))[^\W\d_]{2})")
BECAUSE = r"(?:потому|так как|поскольку|because|since)(?!\w)"
LINK = r"(?:\s{1,20}(?:это|под|номер\w{0,3}|явля[ею]тся|is|number)){0,4}[ \t*_№#(\[«\":—–-]{0,20}"
AND = r"[ \t*_)\]»\"]*(?:,|/|-|–|—|и|или|or|and)[ \t*_(\[«\"]*"
BEFORE = r"^[ \t]*+(?:[-–—•+*][ \t]++)?+[ \t*_#>(\[«\"`$]*+"
AFTER = rf"[*_`$]*(?:[.):\]»\"]+[*_`$]*(?=[\s,;]|$)|[ \t]*$|(?:,|[ \t]+[—–-])[ \t]+{BECAUSE}|[ \t]+because(?!\w))"
ORDINALS = ((r"перв\w+|first", "1"), (r"втор\w+|second", "2"), (r"трет\w+|third", "3"), (r"четв[её]рт\w+|fourth", "4"))
# "Нет данных", "no answer": that something is not there, which answers nothing.
THERE_IS_NONE = re.compile(
    rf"(?<!\w)(?:нет\s+(?!{BECAUSE}|(?:это|он|она|оно|они|согласно)(?!\w))|"
    rf"no\s+(?!{BECAUSE}|(?:it|this|that|the|he|she|they|there)(?!\w)))(?=[^\W\d_])"
)
CLAUSE = re.compile(r"[.,;!?\n(]|\s(?:а|но|but)\s")
NEGATION = re.compile(
    r"(?<!\w)(?:не|ни|нет|not|isn't|never|невер\w*|неправ\w*|ошибочн\w*|wrong|incorrect|исключ\w*|отпада\w*)(?!\w)"
)
CLAUSE_LENGTH = 80
EDGES = " \t\r\n.,;:!?*_`'\"«»“”()[]{}<>#-–—"
YES_OR_NO = ("да", "нет", "yes", "no")
TICKS = "✅✔✓\ufe0f"


def named_once(reply: str, options: Sequence[Option]) -> str | None:
    """Return the label of the one option that `reply` names by key, letter, label or words, else None.

    Thinking text is dropped, fenced, bare or embedded JSON is opened, and what follows "Ответ:" wins over the prose
    before it. The key comes first: where an option's words are the number of another one, "1" is the first option.
    JSON that was cut off names nothing.
    """
    text = opened(reply)
    if cut_off(text):
        return None
    stated = from_json(text)
    if stated is None:
        marked = [part.split("\n", 1)[0] for part in (*MARKER.split(text)[1:], *BOXED.findall(text))]
        named = {label for part in set(marked) for label in _named(part, options) or _bare(part, options)}
        named = named if marked else _named(text, options)
        if len(named) > 1 and not marked:
            named = _headed(text, options) or _concluded(text, options) or named
    else:
        named = {label for part in set(stated) for label in _named(part, options)}
    return named.pop() if len(named) == 1 else None


def opened(reply: str) -> str:
    """Return a reply without its thinking and fences; of one with tags around its answer, what stands in them."""
    bare = reply.strip()
    if bare.startswith(("{", "[")) and isinstance(loaded(bare), dict | list):
        return bare  # what looks like a tag or a fence in there is part of an answer
    text = FENCE.sub(r"\1", THINKING.sub("", reply)).strip()
    tagged = [tagged.strip() for tagged in in_tags(text)]
    return "\n".join(tagged) if tagged else text


def in_tags(text: str) -> list[str]:
    """Return what stands between each <answer> and the next </answer>, <ответ> alike."""
    tags = list(TAG.finditer(text))
    last = {tag[2].casefold(): tag.start() for tag in tags if tag[1]}
    inner_texts: list[str] = []
    begin: re.Match[str] | None = None
    for tag in tags:
        name = tag[2].casefold()
        if begin is None:
            begin = tag if not tag[1] and tag.end() <= last.get(name, -1) else None
        elif tag[1] and name == begin[2].casefold():
            inner_texts.append(text[begin.end() : tag.start()])
            begin = None
    return inner_texts


def stretch(text: str, opening: str, closing: str) -> str:
    """Return a text from the first of the signs in `opening` to the last of those in `closing`, "" where it has none.

    >>> stretch("so: [1, 2], yes", "[{", "]}")
    '[1, 2]'
    """
    begin = min((place for sign in opening if (place := text.find(sign)) >= 0), default=len(text))
    return text[begin : max(map(text.rfind, closing)) + 1]


def cut_off(text: str) -> bool:
    """Return whether a text begins as JSON does and ends before it is closed: what it would have said is not known."""
    return text.startswith(("{", "[")) and sum(map(text.count, "{[")) > sum(map(text.count, "}]"))


def from_json(text: str) -> list[str] | None:
    """Return the answers inside a reply that is JSON or has JSON objects with an answer; None where there is none."""
    value = loaded(text)
    if value is not None:
        return answers_in(value)
    stated = [answer for stretch in OBJECT.findall(text) for answer in answers_in(loaded(stretch))]
    return stated or None


def loaded(text: str) -> object:
    """Return a text as JSON, None where it is none, and where it is nested deeper than any answer."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return None if nested(value) else value


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
    name = folded(text)
    exact = (
        {option.label for option in options if name == option.key}
        or {option.label for option in options if name in names_of(option)}
        or _by_place(name, options)
    )
    pointed = LETTER_AS_WORD.sub("~", text).casefold()
    return exact or {*_pointed(pointed, options), *phrases(name, options)}


def _by_place(name: str, options: Sequence[Option]) -> set[str]:
    """Return the option that is called by its place and nothing else: "первый вариант", "the second one"."""
    for ordinal, key in ORDINALS:
        if re.fullmatch(
            rf"(?:the |вариант |ответ )?(?:{ordinal})(?: вариант| ответ| option| one| answer| choice)?", name
        ):
            return {option.label for place, option in enumerate(options, 1) if option.key == key == str(place)}
    return set()


def _headed(text: str, options: Sequence[Option]) -> set[str]:
    """Return the option that the first line is, where the rest explains it: "C. Insulin", "B because Paris ...".

    The words of other options may stand in the rest, but nothing there may point at one.
    """
    head = re.split(rf"(?<![\s,—–-])[\s,—–-]++{BECAUSE}", text.split("\n", 1)[0], maxsplit=1)[0]
    key, _, words = re.sub(r"^(\w+)[.):]+ ?", r"\1 ", folded(head)).partition(" ")
    named = {names[key] for names in short_names(options) if key in names}
    entire = {
        option.label for option in options if option.label in named and (not words or folded(words) in names_of(option))
    }
    pointed = {*_pointed(LETTER_AS_WORD.sub("~", text).casefold(), options)}
    return pointed if len(pointed) == 1 and pointed == entire else set()


def _concluded(text: str, options: Sequence[Option]) -> set[str]:
    """Return what a reply that weighs several options says that the answer is: "... The answer is B"."""
    parts = re.split(r"(?<!\w)answer is[\s:]+", text, flags=re.IGNORECASE)[1:]
    return {label for part in parts for label in _named(part.split("\n", 1)[0], options)}


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
            if not is_negated(text, *match.span()):
                yield from (names[name] for name in re.findall(rf"(?<!\w)(?:{short})(?!\w)", match[1]))


def is_negated(text: str, start: int, end: int) -> bool:
    """Whether the clause around a stretch of text has a negation."""
    before = CLAUSE.split(text[max(0, start - CLAUSE_LENGTH) : start])[-1]
    after = CLAUSE.split(text[end : end + CLAUSE_LENGTH].lstrip(")]»\"'*_ "))[0]
    return bool(NEGATION.search(f"{before} | {after}"))


def _bare(text: str, options: Sequence[Option]) -> set[str]:
    """Return the labels whose numbers stand in what follows "Ответ:", "не 1" apart: "2, а не 1"."""
    keys = {option.key: option.label for option in options}
    numbers = re.finditer(r"(?<![\w.,])(?<!не )(?<!not )\d+(?!\w)", text.casefold())
    return {keys[match[0]] for match in numbers if match[0] in keys}


def phrases(text: str, options: Sequence[Option]) -> Iterator[str]:
    """Yield the labels whose words stand in the text, longer ones first so that "не следует" hides "следует"."""
    owners: dict[str, list[str]] = {}
    for option in options:
        for name in names_of(option):
            owners.setdefault(name, []).append(option.label)
    for phrase in sorted(owners, key=len, reverse=True):
        if len(phrase) == 1 or phrase.isdecimal() or phrase not in text:
            continue
        pattern = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
        if phrase in ("нет", "no"):
            text = THERE_IS_NONE.sub(" ", text)
        is_negated = re.compile(rf"(?<!\w)(?:не|not) (?:{OPTION_WORD} )?[«\"']*{re.escape(phrase)}(?!\w)")
        if pattern.search(is_negated.sub(" ", text)):
            yield from owners[phrase]
        text = pattern.sub(" ", text)


def folded(text: str) -> str:
    """Return the text in one case, white space and outer punctuation folded away, but for the minus of a number."""
    text = " ".join(composed(text).casefold().replace("ё", "е").split()).strip(TICKS + " ")
    bare = text.strip(EDGES)
    signed = bare[:1].isdecimal() and re.match(r"[^\w-]*[-\u2212]\d", text)
    return f"-{bare}" if signed else bare


def names_of(option: Option) -> set[str]:
    """Return every full name of an option, folded. A label that counts from 0 is no name: "1" would be two options.

    An option that begins with yes or no ("Да, об одном и том же") is named by that word too.
    """
    label = "" if option.label.isdecimal() else option.label
    words = option.words.values()
    begun = [word.partition(",")[0] for word in words]
    names = (
        option.key,
        label,
        label.replace("_", " "),
        *words,
        *(start for start in begun if folded(start) in YES_OR_NO),
    )
    return {folded(name) for name in names} - {""}


def short_names(options: Sequence[Option]) -> Iterator[Mapping[str, str]]:
    """Yield the short names of the options, one alphabet at a time: keys, then а б в, then a b c."""
    yield {option.key: option.label for option in options}
    for alphabet in LETTERS:
        yield {letter: option.label for letter, option in zip(alphabet, options, strict=False)}
