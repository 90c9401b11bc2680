"""What a model's reply answers: the options, numbers or texts it names; None where it names none or is unclear."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from data.answers.answer_type import Option, packed
from data.answers.numerals import of_value
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
    exact = _called(name, options) or _by_place(name, options)
    pointed = LETTER_AS_WORD.sub("~", text).casefold()
    return exact or {*_pointed(pointed, options), *phrases(name, options)}


def _called(name: str, options: Sequence[Option]) -> set[str]:
    """Return the labels of the options of just this key, or else of this full name."""
    by_key = {option.label for option in options if name == option.key}
    return by_key or {option.label for option in options if name in names_of(option)}


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


# Stricter than what is enough for choosing: in a text of one's own "ответ" may be an ordinary word.
LINE_MARKER = re.compile(
    r"(?<![\w-])(?:ответ|answer)(?: на вопрос| is)?[*_»\"]{0,3}[ \t]*(?:[:=]|[—–-](?=[ \t]))[\s*_]*", re.IGNORECASE
)
# GSM8K's way: the last line is the number alone.
LAST_LINE = re.compile(r"^####[ \t]*([-\u2212]?\$?\d[\d., \u00a0]*)\Z", re.MULTILINE)
QUOTES = ("«»", "“”", "„“", '""', "''", "``", "()", "[]")


def candidates(reply: str, *, lines: int = 1) -> list[str]:
    """Return what a reply may have given as its answer, each without quotes and emphasis around it.

    JSON wins (its string, its only element, what stands under "answer"), then what follows "Ответ:" to the end of the
    line (of the reply where `lines` is more than 1), then the whole of it, which may have no more than `lines` lines.
    """
    text = opened(reply)
    stated = told_in_json(text)
    if stated is not None or cut_off(text):
        return stated or []
    marked = marked_in(text, many_lines=lines > 1)
    unmarked = [text] if lines > 1 or "\n" not in text else []
    return [bare for part in marked or unmarked if (bare := unquoted(part))]


def marked_in(text: str, *, many_lines: bool = False) -> list[str]:
    """Return what follows each "Ответ:", to the end of its line, or to the next such where it has `many_lines`."""
    parts = [*LINE_MARKER.split(text)[1:], *BOXED.findall(text), *LAST_LINE.findall(text)]
    return [part.strip() if many_lines else part.split("\n", 1)[0].strip() for part in parts]


def unquoted(text: str) -> str:
    """Return a text without the quotes, brackets and emphasis that stand around the whole of it."""
    text = text.strip().strip("*_").strip()
    while len(text) > 1 and any(_wraps(pair, text) for pair in QUOTES):
        text = text[1:-1].strip()
    return text


def as_json(answer: str) -> str:
    """Return a reply in JSON that is read as `answer` whatever it holds, thinking marks and fences among it."""
    return packed({"answer": answer}).replace("<", "\\u003c").replace("`", "\\u0060")


def _wraps(pair: str, text: str) -> bool:
    return text[0] == pair[0] and text[-1] == pair[1] and not set(pair) & set(text[1:-1])


def told_in_json(text: str, *, also: Collection[str] = ()) -> list[str] | None:
    """Return the texts inside a reply that is a JSON text, list or object, or has objects with an answer.

    An answer stands under one of the usual keys, or one of those in `also`.
    """
    keys, value = {*ANSWER_KEYS, *also}, loaded(text)
    if isinstance(value, str | list | dict):
        return list(_texts(value, keys))
    stated = [answer for stretch in OBJECT.findall(text) for answer in _texts(loaded(stretch), keys)]
    return stated or None


def _texts(value: object, keys: Collection[str]) -> Iterator[str]:
    if isinstance(value, dict):
        for key in value:
            if key.casefold() in keys:
                yield from _texts(value[key], keys)
    elif isinstance(value, list):
        if len(value) == 1:
            yield from _texts(value[0], keys)
    elif isinstance(value, str) and value.strip():
        yield value.strip()
    elif isinstance(value, int | float) and not isinstance(value, bool) and (number := of_value(value)):
        yield number


NUMBERS_AND = r"(?:\s*+[,;]\s*+(?:(?:и|and)\s*+)?|\s++(?:(?:и|and)\s++)?)"
RUN = re.compile(rf"(?<![\w.,/–-])\d+(?:{NUMBERS_AND}\d+)*(?![\w/–-]|[.,]\d)", re.ASCII)
LINE = re.compile(r"\W*(\d+)[.)](?:\s|$)", re.ASCII)
HEAD = re.compile(r"\W*([^\W\d_])[.)]\s")
END = re.compile(r"(?<=\s)[—–-]\s*+(\d++)\W*+$")
OR = re.compile(r"(?<!\w)(?:или|or)(?!\w)")
WRAPPING = str.maketrans(dict.fromkeys("()[]{}«»\"'`*_", " "))


def numbers_of_set(reply: str, offered: Sequence[str]) -> list[str] | None:
    """Return the numbers that a reply enumerates ("134", "1, 3 и 4", lines that begin so), None where it is unclear."""
    return _agreed([_set_of_numbers(stretch, offered) for stretch in stretches(reply)])


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


def _set_of_numbers(text: str, offered: Sequence[str]) -> list[str] | None:
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
    marked = [part.strip() for part in LINE_MARKER.split(text)[1:]]
    named = [_several_named(part, options) for part in marked] if marked else []
    if not marked or None in named:
        named = [_several_named(part, options) for part in dict.fromkeys(stated)]
    first = named[0] if named else None
    if first is None or any(labels != first for labels in named):
        return None
    return [option.label for option in options if option.label in first]


def _several_named(text: str, options: Sequence[Option]) -> set[str] | None:
    """Return the labels that one stretch of text names, None where that is not clear."""
    name = folded(text)
    if NONE_OF_THEM.fullmatch(name):
        return set()
    if exact := _called(name, options):
        return exact if len(exact) == 1 else None
    for way in (_verdicts, _each_line, _enumerated, _digits):
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


def _each_line(text: str, options: Sequence[Option]) -> set[str] | None:
    """Return the options whose numbered, lettered or bare texts stand on lines of their own, where no line is else."""
    lines = [folded(line) for line in text.split("\n") if line.strip()]
    named = [_of_line(line, options) for line in dict.fromkeys(lines)]
    return {option for option in named if option} if len(lines) > 1 and all(named) else None


def _of_line(line: str, options: Sequence[Option]) -> str | None:
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
