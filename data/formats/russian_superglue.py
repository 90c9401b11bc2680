"""RussianSuperGLUE as its authors distribute it: DaNetQA, MuSeRC, RuCoS, RUSSE and RWSD."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from data.answers.answer_type import unpacked
from data.formats.record_format import Labelled, RecordFormat, Values, inside_word


def danetqa_collected(items: Labelled) -> list[Values]:
    """Return the questions that people answered, each with its passage and a truth."""
    return [{**fields, "label": label == "true", "idx": number} for number, (fields, label) in enumerate(items)]


def muserc(values: Values) -> Iterable[Values]:
    """Return the passage as one row: its text, its questions with their options, a flag for each option where known.

    Questions keep their number (`idx`) and those of their options (`numbers`), which submissions name. A test set has
    no labels, so its rows have no gold. A question as somebody wrote it has an answer on each line of `right` and
    `wrong`; its options stand in the order of the alphabet, which tells nothing. Raises ValueError for a record that is
    no passage.
    """
    if "right" in values and "wrong" in values:
        right, wrong = ({line.strip() for line in values[name].splitlines()} for name in ("right", "wrong"))
        options = sorted({*right, *wrong} - {""})
        asked = {"question": values["question"], "options": options}
        return ({**values, "questions": [asked], "label": [[int(option in right) for option in options]]},)
    if "questions" in values and isinstance(values.get("passage"), str):
        return (values,)
    passage = values.get("passage")
    if not isinstance(passage, Mapping) or not isinstance(passage.get("questions"), list):
        raise ValueError('is no passage of MuSeRC; it needs {"idx", "passage": {"text", "questions": [...]}}')
    try:
        questions = [_question(question) for question in passage["questions"]]
        flags = [[answer.get("label") for answer in question["answers"]] for question in passage["questions"]]
        row: dict[str, Any] = {"id": str(values["idx"]), "passage": passage["text"], "questions": questions}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"is a passage of MuSeRC that lacks {error}") from error
    if all(flag is not None for is_right in flags for flag in is_right):
        row["label"] = flags
    return (row,)


def _question(question: Mapping[str, Any]) -> dict[str, Any]:
    asked = {"question": question["question"], "options": [answer["text"] for answer in question["answers"]]}
    numbers = [answer.get("idx") for answer in question["answers"]]
    return asked if "idx" not in question or None in numbers else asked | {"idx": question["idx"], "numbers": numbers}


def muserc_submitted(values: Values) -> Values:
    """Return a record of the leaderboard's form, numbers and labels without texts, as an id and a prediction."""
    passage = values.get("passage")
    if not isinstance(passage, Mapping) or "text" in passage or "idx" not in values:
        return values
    return {"id": str(values["idx"]), "prediction": {"questions": passage.get("questions")}}


def muserc_ordered(answer: Any, fields: Mapping[str, str]) -> Any:
    """Return the labels of a submission as the flags of each question's options, found by their numbers.

    What is no submission is given back as it stands. Raises ValueError where the numbers are not those of the item.
    """
    if not isinstance(answer, Mapping) or not isinstance(answer.get("questions"), list):
        return answer
    try:
        labels = {
            (str(question["idx"]), str(each["idx"])): each["label"]
            for question in answer["questions"]
            for each in question["answers"]
        }
        asked = unpacked(fields["questions"])
        wanted = [
            [(str(asked_question["idx"]), str(number)) for number in asked_question["numbers"]]
            for asked_question in asked
        ]
    except (KeyError, TypeError) as error:
        raise ValueError(f"is no submission about this passage: {error} is missing, here or among the items") from error
    missing = next((key for keys in wanted for key in keys if key not in labels), None)
    if missing:
        raise ValueError(f"has no label for answer {missing[1]} of question {missing[0]}; label every answer")
    return [[labels[key] for key in keys] for keys in wanted]


def muserc_collected(items: Labelled) -> list[Values]:
    """Return the passages with the questions people answered from several sentences; the others are left out.

    A question stays where nobody was asked how many sentences it takes.
    """
    passages, questions, answers = defaultdict[str, list[Values]](list), count(), count()
    for fields, label in items:
        for asked, given in zip(unpacked(fields["questions"]), unpacked(label), strict=True):
            if given.get("answerable") == "no" or given.get("sentences") == "one":
                continue
            flags = [int(str(place) in unpacked(given["answers"])) for place in range(len(asked["options"]))]
            pairs = zip(asked["options"], flags, strict=True)
            options = [{"idx": next(answers), "text": text, "label": flag} for text, flag in pairs]
            told = {"idx": next(questions), "question": asked["question"], "answers": options}
            passages[fields["passage"]].append(told)
    return [
        {"idx": number, "passage": {"text": text, "questions": asked}}
        for number, (text, asked) in enumerate(passages.items())
    ]


PLACEHOLDER, GAP = "@placeholder", "_____"
HIGHLIGHT = re.compile(r"@highlight\n?")


def rucos(values: Values) -> Iterable[Values]:
    """Yield a row for each query: the passage, the places of its entities, their distinct strings, the query.

    The lines "@highlight" mark where a summary sentence of the article begins; they are markup and left out, and the
    places move with them. The published readers disagree on whether the end of an entity belongs to it, so the record
    decides (`ends_after`). Raises ValueError for a record that is no passage.
    """
    if "query" in values and isinstance(values.get("passage"), str):
        yield values
        return
    passage = values.get("passage")
    if not isinstance(passage, Mapping) or not isinstance(values.get("qas"), list):
        raise ValueError('is no passage of RuCoS; it needs {"idx", "passage": {"text", "entities"}, "qas": [...]}')
    try:
        yield from [_rucos_row(values["idx"], passage, query) for query in values["qas"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"is a passage of RuCoS that lacks {error}") from error


def _rucos_row(number: object, passage: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    text, answers = passage["text"], asked.get("answers") or []
    entities = [(entity["start"], entity["end"]) for entity in passage["entities"]]
    after = ends_after(text, entities, answers)
    places = sorted({(begin, end + after) for begin, end in entities})
    golds = list(dict.fromkeys(answer["text"] for answer in answers))
    names = [text[begin:end] for begin, end in places]
    row = {
        "id": f"{number}-{asked['idx']}",
        "passage": HIGHLIGHT.sub("", text),
        "marks": [[_moved(text, begin), _moved(text, end)] for begin, end in places],
        "query": asked["query"].replace(PLACEHOLDER, GAP),
        "entities": list(dict.fromkeys([*names, *golds])),
    }
    return row | ({"label": golds} if golds else {})


def ends_after(text: str, entities: Sequence[tuple[int, int]], answers: Sequence[Mapping[str, Any]]) -> int:
    """Return 1 where the ends of a record's entities belong to them (as in ReCoRD), 0 where they stand behind them.

    The answers tell, since they hold their text beside their places. Without answers (a test set) an end inside a word
    tells: the reading that cuts fewer words is taken, and 0 where both cut as many.
    """
    for answer in answers:
        for after in (0, 1):
            if text[answer["start"] : answer["end"] + after] == answer["text"]:
                return after
    cut = [sum(inside_word(text, end + after) for _, end in entities) for after in (0, 1)]
    return int(cut[1] < cut[0])


def _moved(text: str, place: int) -> int:
    """Return where a place of the text is once the highlight lines are out."""
    return place - sum(
        min(place, match.end()) - match.start() for match in HIGHLIGHT.finditer(text) if match.start() < place
    )


def rucos_collected(items: Labelled) -> list[Values]:
    """Return the news with their queries: the places of all names, and of those that people put into the gap."""
    news, queries = defaultdict[tuple[str, str], list[Values]](list), count()
    for fields, label in items:
        entities = unpacked(fields["entities"])
        named = {entities[int(place)] for place in unpacked(label)}
        answers = [entity for entity in _entities(fields["passage"], fields["marks"]) if entity["text"] in named]
        query = fields["query"].replace(GAP, PLACEHOLDER)
        news[fields["passage"], fields["marks"]].append({"idx": next(queries), "query": query, "answers": answers})
    return [
        {"idx": number, "passage": {"text": text, "entities": _entities(text, marks)}, "qas": asked}
        for number, ((text, marks), asked) in enumerate(news.items())
    ]


def _entities(text: str, marks: str) -> list[dict[str, Any]]:
    return [{"start": begin, "end": end, "text": text[begin:end]} for begin, end, *_ in unpacked(marks)]


WORD = re.compile(r"[\w\u0301]+")
NEEDED = ("word", "sentence1", "sentence2", "start1", "end1", "start2", "end2")


def russe(values: Values) -> Iterable[Values]:
    """Return the record as one row, with the place of the word in either sentence as a mark.

    Fields of an item are what anybody may see, so that gold_sense1 and gold_sense2, which tell the answer, are none.
    Raises ValueError for a record that lacks a text or a place, and for a place where no word is.
    """
    if "marks1" in values and "marks2" in values:
        return (values,)
    missing = [name for name in NEEDED if values.get(name) in (None, "")]
    if missing:
        raise ValueError(f"has no {missing[0]!r}; a record of RUSSE holds {', '.join(NEEDED)}")
    return ({**values, "marks1": [_mark(values, "1")], "marks2": [_mark(values, "2")]},)


def word_at(text: str, begin: int, end: int) -> list[int]:
    """Return the begin and end of the whole words that share a character with text[begin:end].

    The published ends are one too far in the train set (a space or a comma is inside) and one too short in the test
    set (the last letter is outside), so that only whole words can be trusted. Raises ValueError where there is none.
    """
    met = [match.span() for match in WORD.finditer(text) if match.start() < end and begin < match.end()]
    if not met:
        raise ValueError(f"has no word at {begin}:{end} of {text[:60]!r}; places are counted in characters from 0")
    return [met[0][0], met[-1][1]]


def _mark(values: Values, number: str) -> list[int]:
    ends: list[int] = []
    for name in (f"start{number}", f"end{number}"):
        try:
            ends.append(int(values[name]))
        except (TypeError, ValueError) as error:
            raise ValueError(f"has {values[name]!r:.60} for {name!r}; a place is a whole number") from error
    return word_at(str(values[f"sentence{number}"]), *ends)


TextSpan = tuple[int, int]
EDGES = " \t\n.,;:!?…-–—\"'«»“”()"
TAG = re.compile(r"(</?b>)")


def rwsd(values: Values) -> Iterable[Values]:
    """Return the record as one row: the text with both spans marked, and their words.

    A record is a line of the authors' files or a row of their crowd's log, where the second span stands in <b></b>.
    Words that stand nowhere in the text in this form cannot be marked; `unmarked` says so. Raises ValueError for what
    is neither, and where not one of the two spans can be found.
    """
    if "marks" in values:
        return (values,)
    text = values.get("text")
    if isinstance(text, str) and "span1" in values:
        plain, bold = untagged(text)
        if not bold:
            raise ValueError(f"has no word in <b></b> in its text {text[:60]!r}; the second span stands there")
        first = str(values["span1"])
        return (_rwsd_row(values, plain, [(first, places(plain, first)), (plain[slice(*bold[0])], bold)]),)
    target = values.get("target", values)
    if not (isinstance(text, str) and isinstance(target, Mapping) and {"span1_text", "span2_text"} <= target.keys()):
        raise ValueError(
            'is no record of RWSD; it needs {"idx", "text", "target": {"span1_text", "span1_index", "span2_text", '
            '"span2_index"}}'
        )
    spans = [(str(target[f"{name}_text"]), target.get(f"{name}_index")) for name in ("span1", "span2")]
    return (_rwsd_row(values, text, [(words, places(text, words, number)) for words, number in spans]),)


def places(text: str, words: str, number: object = None) -> list[TextSpan]:
    """Return where `words` stand in the text as whole words, in any case: the place nearest to the word of that number.

    Words are counted from 0 between white space. Without a number all places are returned; none where there is none.
    """
    pattern = r"\s+".join(map(re.escape, words.strip(EDGES).split()))
    if not pattern:
        return []
    spans = [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)]
    if not spans or not isinstance(number, int):
        return spans
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return [min(spans, key=lambda place: abs(sum(end <= place[0] for end in ends) - number))]


def untagged(text: str) -> tuple[str, list[TextSpan]]:
    """Return a text without <b></b> and the places they enclosed.

    The tags were put around every string like the pronoun, inside other words too ("Джекс<b>он</b>а"): those are out.
    """
    plain, begin, bold = "", 0, []
    for piece in TAG.split(text):
        if piece == "<b>":
            begin = len(plain)
        elif piece == "</b>":
            bold.append((begin, len(plain)))
        else:
            plain += piece
    return plain, [(b, e) for b, e in bold if not (inside_word(plain, b) or inside_word(plain, e))]


def _rwsd_row(values: Values, text: str, spans: Sequence[tuple[str, list[TextSpan]]]) -> dict[str, Any]:
    (first, _), (second, _) = spans
    lost = [words for words, span_places in spans if not span_places]
    if len(lost) == len(spans):
        raise ValueError(f"has neither {first!r} nor {second!r} in its text {text[:60]!r}")
    rest = {name: value for name, value in values.items() if name not in ("span1", "target")}
    return {
        **rest,
        "text": text,
        "span1_text": first,
        "span2_text": second,
        "marks": sorted(list(place) for _, span_places in spans for place in span_places),
        "unmarked": "".join(lost),
    }


FORMATS = {
    "danetqa": RecordFormat(collected=danetqa_collected),
    "muserc": RecordFormat(muserc, submitted=muserc_submitted, ordered=muserc_ordered, collected=muserc_collected),
    "rucos": RecordFormat(rucos, collected=rucos_collected),
    "russe": RecordFormat(russe),
}
