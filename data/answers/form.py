"""Fill in a form: several named answers, asked once or anew for each question that the item brings."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from data.answers import AnyAnswer
from data.answers.answer_type import AnswerType, of_object, packed, prompt_words, unpacked
from data.answers.replies import ANSWER_KEYS, loaded, opened, stretch
from data.errors import BadAnswer, BadTask
from data.limits import nested
from data.task_keys import Flag, key
from data.wording import MODELS_READ, Language, Wording, worded

Given = Mapping[str, str]


@dataclass(frozen=True)
class Part:
    """One named answer of a form."""

    name: str
    """Its name in files: small letters, digits and _.

    Example: "polarity"
    """
    title: Wording
    """What people read above it.

    Example: {"ru": "Оценка", "en": "Assessment"}
    """
    answer: AnyAnswer
    """How it is answered: any type but a form.

    Example: {"kind": "rating"}
    """
    scored: Flag = True
    """Whether it is worth points; one that is not is marked so.

    Example: false
    """
    when: tuple[str, str] | None = None
    """An earlier part and one of its answers: this part is asked only after that answer.

    Example: ["polarity", "yes"]
    """
    optional: Flag = False
    """It may stay empty.

    Example: true
    """
    without_gold: Annotated[Flag, key(left_out=True)] = False
    """Files may lack its right answer; it is worth nothing there.

    Example: true
    """
    called: Annotated[tuple[str, ...], key(left_out=True)] = ()
    """Other names of it in a reply's JSON.

    Example: ["score"]
    """

    def applies(self, given: Given) -> bool:
        """Return whether the part is asked after these answers to earlier parts."""
        return self.when is None or given.get(self.when[0]) == self.when[1]

    def chosen(self, answer: str) -> frozenset[str]:
        """Return the labels that a canonical answer chooses; for what chooses no labels, the folded answer."""
        content = self.answer.content(answer)
        return content if isinstance(content, frozenset) else frozenset([self.answer.folded(answer)])


def needed(parts: Sequence[Part], given: Given) -> set[str]:
    """Return the names of the parts without which these answers are worth nothing."""
    free = {part.name for part in parts if not part.scored or part.optional or part.without_gold}
    return {part.name for part in parts if part.name not in free and part.applies(given)}


def checked(parts: Sequence[Part]) -> None:
    """Refuse (BadTask) parts of which no form can be made."""
    names = [part.name for part in parts]
    wrong = [name for name in names if not re.fullmatch(r"[a-z0-9_]+", name) or names.count(name) > 1]
    if not parts or wrong:
        raise BadTask(f"form: parts {names!r} need names that differ, of small letters, digits and _, at least one")
    if not any(part.scored for part in parts):
        raise BadTask("form: no part is scored; leave at least one that is worth points")
    for place, part in enumerate(parts):
        earlier = {part.name: part for part in parts[:place]}
        if part.answer.kind == "form":
            raise BadTask(f"form: part {part.name!r} is a form itself; ask its parts one after another instead")
        if part.when and part.when[0] not in earlier:
            raise BadTask(f"form: part {part.name!r} depends on {part.when[0]!r}, which is not an earlier part")
        if part.when and part.scored and not earlier[part.when[0]].scored:
            raise BadTask(f"form: part {part.name!r} is scored, so it cannot depend on one that is not")


def criteria(answer: AnswerType) -> list[tuple[str, str, AnswerType]]:
    """Return the name, the words and the type of each answer with points: the parts of a form, or the whole."""
    parts = answer.scored if isinstance(answer, Form) else ()
    return [(part.name, part.title.for_requesters, part.answer) for part in parts] or [("", "reply", answer)]


def by_criterion(answer: AnswerType, label: str, name: str) -> str | None:
    """Return what a canonical answer says by one of `criteria`, None for nothing."""
    return answer.sets(label)[0].get(name) if isinstance(answer, Form) else label


Seen = Mapping[str, str]


def question_list(parts: Sequence[Part], sets: Sequence[Seen], question: str, language: Language) -> str:
    """Return the questions in their order (`question` names their text; "" where the parts are asked once)."""
    questions = []
    for place, seen in enumerate(sets, 1):
        head = prompt_words(language, "form", "question", place=place, question=seen[question]) if question else ""
        lines = [head] if question else []
        for part in parts:
            lines += [f"{part.title.within(language)}:"] if len(parts) > 1 else []
            lines += filter(None, [part.answer.of(seen).listing(seen, language)])
        questions.append("\n".join(lines))
    return "\n\n".join(questions)


def in_lines(part: Part, sets: Sequence[Seen], language: Language) -> str:
    """Return the sentences that ask for a line for each question, the part's own format once where all are alike."""
    each = [part.answer.of(seen).answer_format(seen, language) for seen in sets]
    several = [prompt_words(language, "form", "line", place=n, format=question) for n, question in enumerate(each, 1)]
    return "\n".join([prompt_words(language, "form", "lines"), *(each[:1] if len(set(each)) == 1 else several)])


def in_json(parts: Sequence[Part], seen: Seen, language: Language, *, many: bool) -> str:
    """Return the sentences that ask for JSON with the parts' names as keys, `many`: an object for each question."""
    head = prompt_words(language, "form", "objects" if many else "object")
    return "\n".join([head, *(_key(part, parts, seen, language) for part in parts)])


def in_schema(parts: Sequence[Part], sets: Sequence[Seen], *, many: bool) -> dict[str, object]:
    """Return the JSON schema of the parts by their names; where there are `many` sets, of such objects by number."""
    each = [of_object({part.name: _schema(part, seen) for part in parts}) for seen in sets]
    return of_object({str(place): question for place, question in enumerate(each, 1)}) if many else each[0]


def _schema(part: Part, seen: Seen) -> dict[str, object]:
    """Return the schema of a part's answer; what may be left out may be null."""
    asked = part.answer.of(seen).value_schema(seen)
    return {"anyOf": [asked, {"type": "null"}]} if part.optional or part.when else asked


def _key(part: Part, parts: Sequence[Part], seen: Seen, language: Language) -> str:
    condition = ""
    if part.when:
        earlier = next(other_part for other_part in parts if other_part.name == part.when[0]).answer.of(seen)
        answer = earlier.words(part.when[1], seen).within(language)
        condition = prompt_words(language, "form", "when", part=f'"{part.when[0]}"', answer=answer)
    asked = part.answer.of(seen).answer_format(seen, language)
    return f'"{part.name}" ({part.title.within(language)}{condition}): {asked}'


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
    sets = _elements(_own_names(_json(text), parts), [part.name for part in parts], size)
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


def _own_names(value: object, parts: Sequence[Part]) -> object:
    """Return a JSON object with the parts' own names for what they are `called`."""
    own = {name: part.name for part in parts for name in part.called}
    return {own.get(name, name): told for name, told in value.items()} if isinstance(value, dict) else value


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


Give = Callable[[int, Part, Seen], str | None]


@dataclass(frozen=True)
class Form(AnswerType):
    """Answers to `parts`, in their order; a part that does not apply is left out.

    Without `over` the canonical answer is a packed mapping from the names of the parts to their canonical answers. With
    `over` it is a packed list of such mappings, and a part sees the item's fields and what its question carries, lists
    packed. Models are asked for scored parts only, and people compared by Jaccard's distance over everything they chose
    in these: differing in one of two they agree by half, which MASI would punish more.
    """

    kind: Literal["form"] = field(default="form", kw_only=True)
    script: ClassVar[str] = "form"
    roomy: ClassVar[bool] = True
    distance: ClassVar[str] = "jaccard"
    parts: tuple[Part, ...] = ()
    """The answers that are asked for, in their order.

    Example: [{"name": "fits"}]
    """
    over: str = ""
    """The field of kind `questions`: all parts are asked anew for each of its elements.

    Example: "questions"
    """
    carries: tuple[str, ...] = ("question", "options")
    """What each element of `over` holds, the question itself first.

    Example: ["question", "options"]
    """

    def __post_init__(self) -> None:
        checked(self.parts)
        if self.over and not self.carries:
            raise BadTask("form: say what each question carries, first the name of the question itself")

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the parts."""
        return tuple(part.name for part in self.parts)

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse a task without the field of questions, and parts that need what is not there."""
        if self.over and self.over not in names:
            raise BadTask(f"task {task_id!r}: its form asks about each of {self.over!r}, but there is no such field")
        for part in self.parts:
            part.answer.check_fields(task_id, (*names, *(self.carries if self.over else ())))

    def drawn_fields(self) -> tuple[str, ...]:
        """Return the fields that the parts draw."""
        return tuple(name for part in self.parts for name in part.answer.drawn_fields())

    def question_fields(self, fields: Seen) -> tuple[dict[str, str], ...]:
        """Return the fields that each set of parts sees: one set, or one for each question of the item."""
        if not self.over:
            return (dict(fields),)
        brought = (
            {k: v if isinstance(v, str) else packed(v) for k, v in e.items()} for e in unpacked(fields[self.over])
        )
        return tuple({**fields, **element} for element in brought)

    def sets(self, answer: str) -> list[dict[str, str]]:
        """Return a canonical answer as one mapping from part to canonical part answer for each set of parts."""
        decoded = unpacked(answer)
        return decoded if self.over else [decoded]

    def path(self, place: int, part: Part) -> str:
        """Return the name of a part within an answer: "0/answers", or "answers" where parts are asked once."""
        return f"{place}/{part.name}" if self.over else part.name

    def marked(self, marks: Mapping[Any, Any], path: str) -> dict[str, Any]:
        """Return the marks of one part, by label; `marks` are by what `content` holds."""
        return {key[1]: mark for key, mark in marks.items() if isinstance(key, tuple) and key[0] == path}

    @property
    def scored(self) -> tuple[Part, ...]:
        """The parts that are worth points."""
        return tuple(part for part in self.parts if part.scored)

    def validate(self, value: object, fields: Seen) -> str:
        """Return the canonical answer; the mistake names the question that is not answered.

        Everything that applies must be answered, unless it is optional. What comes as one string (a file, a stored
        answer) may leave out what is not scored.
        """
        given = self._read(value, fields)
        return self._packed(
            self._made(fields, lambda place, part, seen: self._validated(given[place], place, part, seen, value))
        )

    def _validated(self, given: Mapping[str, Any], place: int, part: Part, seen: Seen, value: object) -> str | None:
        given_value = given.get(part.name)
        try:
            return part.answer.of(seen).validate(given_value, seen)
        except BadAnswer as mistake:
            if given_value not in (None, "", []):
                raise
            if part.optional or (isinstance(value, str) and not part.scored):
                return None
            raise self._unanswered(place, part) from mistake

    def _unanswered(self, place: int, part: Part) -> BadAnswer:
        """Return the mistake that names a part as the screen does: by number only where there is one."""
        if self.over and len(self.parts) > 1:
            return BadAnswer("part_unanswered", number=place + 1, part=part.title)
        if self.over or (part.scored and len(self.scored) > 1):
            return BadAnswer("question_unanswered", number=1 + (place if self.over else self.scored.index(part)))
        return BadAnswer("title_unanswered", part=part.title)

    def _read(self, value: object, fields: Seen) -> list[Mapping[str, Any]]:
        """Return what was sent as one mapping for each set of parts; a lone scored part may come without its name."""
        size = len(self.question_fields(fields))
        if value in (None, ""):
            return [{}] * size
        elements = decoded(value) if self.over else [decoded(value)]
        if not isinstance(elements, list) or len(elements) != size:
            raise BadAnswer("not_a_form")
        alone = self.scored[0].name if len(self.scored) == 1 else ""
        named = [{alone: element} if alone and not isinstance(element, dict) else element for element in elements]
        if not all(isinstance(named_value, dict) for named_value in named):
            raise BadAnswer("not_a_form")
        return named

    def _made(self, fields: Seen, give: Give) -> list[dict[str, str]]:
        """Return every set of parts with what `give` answers to those that apply, None left out."""
        sets = []
        for place, seen in enumerate(self.question_fields(fields)):
            given: dict[str, str] = {}
            for part in self.parts:
                answer = give(place, part, seen) if part.applies(given) else None
                if answer is not None:
                    given[part.name] = answer
            sets.append(given)
        return sets

    def _packed(self, sets: Sequence[Given]) -> str:
        return packed(list(sets) if self.over else sets[0])

    def _complete(self, sets: Sequence[Given]) -> str | None:
        """Return the canonical answer of these sets, None where a scored part that applies is missing."""
        return self._packed(sets) if all(needed(self.parts, given) <= given.keys() for given in sets) else None

    def _each(self, answer: str, fields: Seen) -> Iterator[tuple[int, Part, AnswerType, str, Seen]]:
        """Yield place, part, type, canonical answer and fields of each part that was answered."""
        for place, (given, seen) in enumerate(zip(self.sets(answer), self.question_fields(fields), strict=True)):
            for part in self.parts:
                if part.name in given:
                    yield place, part, part.answer.of(seen), given[part.name], seen

    def parse(self, reply: str, fields: Seen) -> str | None:
        """Return the answer a reply gives: JSON as `answer_format` asks for it, or a line for each question.

        None where a scored part has no answer, or two.
        """
        replies = part_replies(reply, self.parts, len(self.question_fields(fields)) if self.over else None)
        return self._complete(self._made(fields, lambda place, part, seen: _parsed(replies, place, part, seen)))

    def show(self, answer: str, fields: Seen, language: Language = MODELS_READ) -> str:
        """Return `answer` as a model is asked to write it: numbered lines where one part is asked, else JSON."""
        sets = self._mapped(answer, fields, lambda asked, part_answer, seen: asked.show(part_answer, seen, language))
        return written(sets, self.parts, many=bool(self.over))

    def answer_format(self, fields: Seen, language: Language = MODELS_READ) -> str:
        """Return the sentences that tell a model how to write its answers to the scored parts."""
        sets = self.question_fields(fields)
        if self.over and len(self.parts) == 1:
            return in_lines(self.parts[0], sets, language)
        return in_json(self.scored, sets[0], language, many=bool(self.over))

    def listing(self, fields: Seen, language: Language = MODELS_READ) -> str:
        """Return the questions in their order, each with what a model chooses from."""
        return question_list(self.scored, self.question_fields(fields), self.carries[0] if self.over else "", language)

    def seconds(self, answer: str | None, fields: Seen) -> float:
        """Return the time for all parts, of all questions."""
        if answer:
            return sum(asked.seconds(given, seen) for _, _, asked, given, seen in self._each(answer, fields))
        sets = self.question_fields(fields)
        return sum(part.answer.of(seen).seconds(None, seen) for seen in sets for part in self.parts if part.applies({}))

    def words(self, answer: str, fields: Seen) -> Wording:
        """Return what was answered to each question, in one line."""
        return self._joined(answer, fields, lambda asked, part_answer, seen: asked.words(part_answer, seen))

    def gold_words(self, gold: str, fields: Seen) -> Wording:
        """Return what is right for each question, in one line."""
        return self._joined(gold, fields, lambda asked, part_answer, seen: asked.gold_words(part_answer, seen))

    def _joined(self, answer: str, fields: Seen, say: Callable[[AnswerType, str, Seen], Wording]) -> Wording:
        said: list[list[tuple[Part, Wording]]] = [[] for _ in self.question_fields(fields)]
        for place, part, asked, part_answer, seen in self._each(answer, fields):
            said[place].append((part, say(asked, part_answer, seen)))
        titles = [part.title for part in self.parts]
        return worded(partial(self._line, said), *titles, *(words for text in said for _, words in text))

    def _line(self, said: Sequence[Sequence[tuple[Part, Wording]]], language: Language) -> str:
        titled = [[(part.title.within(language), words.within(language)) for part, words in text] for text in said]
        alone = len(self.parts) == 1
        sets = [
            "; ".join(text if alone else f"{title}: {text}" for title, text in titled_text) for titled_text in titled
        ]
        return " · ".join(f"{place}) {text}" for place, text in enumerate(sets, 1)) if self.over else sets[0]

    def schema(self, fields: Seen) -> dict[str, object]:
        """Return the JSON schema of the scored parts by their names; with `over`, of such objects by their numbers."""
        return in_schema(self.scored, self.question_fields(fields), many=bool(self.over))

    def draw(self, fields: Seen, random: Random) -> str:
        """Return the parts' own draws, in their order, those that apply."""
        return self._packed(self._made(fields, lambda _, part, seen: part.answer.of(seen).draw(seen, random)))

    def content(self, answer: str) -> frozenset[tuple[str, str]]:
        """Return what was chosen in the scored parts: a pair (path of the part, label or folded answer) for each."""
        return frozenset(
            (self.path(place, part), label)
            for place, given in enumerate(self.sets(answer))
            for part in self.scored
            if part.name in given
            for label in part.chosen(given[part.name])
        )

    def folded(self, answer: str) -> str:
        """Return the answer with every part folded."""
        folds = {part.name: part.answer.folded for part in self.parts}
        return self._packed(
            [{name: folds[name](part_answer) for name, part_answer in given.items()} for given in self.sets(answer)]
        )

    def units(self, answer: str, fields: Seen) -> tuple[tuple[str, str], ...]:
        """Return the parts' own units under the path of their part: ("0/answers/2", label)."""
        return tuple(
            ("/".join(filter(None, (self.path(place, part), unit))), label)
            for place, part, asked, part_answer, seen in self._each(answer, fields)
            for unit, label in asked.units(part_answer, seen)
        )

    def scored_unit(self, unit: str) -> bool:
        """Return whether a unit belongs to a scored part."""
        name = unit.split("/")[1 if self.over else 0]
        return any(part.name == name for part in self.scored)

    def join(self, units: Mapping[str, str], fields: Seen) -> str | None:
        """Return the answer that the decided units make; an undecided part without points is left out."""
        return self._complete(self._made(fields, lambda place, part, seen: self._decided(units, place, part, seen)))

    def _decided(self, units: Mapping[str, str], place: int, part: Part, seen: Seen) -> str | None:
        head = self.path(place, part)
        mine = {unit[len(head) + 1 :]: label for unit, label in units.items() if f"{unit}/".startswith(f"{head}/")}
        return part.answer.of(seen).join(mine, seen) if mine else None

    def gold(self, value: object, fields: Seen) -> str:
        """Return the canonical gold; parts without points need none."""
        given = self._read(value, fields)

        def gold_of(place: int, part: Part, seen: Seen) -> str | None:
            if part.name in given[place]:
                return part.answer.of(seen).gold(given[place][part.name], seen)
            if part.scored and not (part.optional or part.without_gold):
                raise self._unanswered(place, part)
            return None

        return self._packed(self._made(fields, gold_of))

    def right_questions(self, answer: str, gold: str, fields: Seen) -> list[bool]:
        """Return for each set of parts whether its scored parts are all right."""
        return [
            all(_right(part, given, wanted, seen) for part in self.scored)
            for given, wanted, seen in zip(
                self.sets(answer), self.sets(gold), self.question_fields(fields), strict=True
            )
        ]

    def right(self, answer: str, gold: str, fields: Seen) -> bool:
        """Return whether all scored parts of all questions are right."""
        return all(self.right_questions(answer, gold, fields))

    def best(self, gold: str, fields: Seen) -> str:
        """Return one right answer, without parts for which there is no gold."""
        return self._packed(self._mapped(gold, fields, lambda asked, part_answer, seen: asked.best(part_answer, seen)))

    def as_gold(self, answer: str, fields: Seen) -> str:
        """Return an answer as gold, each part as its own type says."""
        return self._packed(
            self._mapped(answer, fields, lambda asked, part_answer, seen: asked.as_gold(part_answer, seen))
        )

    def _mapped(self, answer: str, fields: Seen, turn: Callable[[AnswerType, str, Seen], str]) -> list[dict[str, str]]:
        sets: list[dict[str, str]] = [{} for _ in self.question_fields(fields)]
        for place, part, asked, part_answer, seen in self._each(answer, fields):
            sets[place][part.name] = turn(asked, part_answer, seen)
        return sets


def _parsed(replies: PartReplies, place: int, part: Part, seen: Seen) -> str | None:
    reply = replies.get((place, part.name))
    return None if reply is None else part.answer.of(seen).parse(reply, seen)


def _right(part: Part, given: Given, wanted: Given, seen: Seen) -> bool:
    if part.without_gold and part.name not in wanted:
        return True
    if part.name not in given or part.name not in wanted:
        return part.name not in given and part.name not in wanted
    return part.answer.of(seen).right(given[part.name], wanted[part.name], seen)
