"""Fill in a form: several named answers, asked once or anew for each question that the item brings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from data.answers.answer_type import AnswerType
from data.answers.composite import packed, unpacked
from data.answers.form_parts import Given, Part, checked, needed
from data.answers.form_parts import path as path_of
from data.answers.form_prompt import in_json, in_lines, in_schema, question_list
from data.answers.form_replies import PartReplies, decoded, part_replies, written
from data.errors import BadAnswer, BadTask
from data.task_keys import key
from data.wording import MODELS_READ, Language, Wording, worded

Seen = Mapping[str, str]
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
    parts: Annotated[tuple[Part, ...], key("The answers that are asked for, in their order.", [{"name": "fits"}])] = ()
    over: Annotated[
        str, key("The field of kind `questions`: all parts are asked anew for each of its elements.", "questions")
    ] = ""
    carries: Annotated[
        tuple[str, ...], key("What each element of `over` holds, the question itself first.", ["question", "options"])
    ] = ("question", "options")

    def __post_init__(self) -> None:
        checked(self.parts)
        if self.over and not self.carries:
            raise BadTask("form: say what each question carries, first the name of the question itself")

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse a task without the field of questions, and parts that need what is not there."""
        if self.over and self.over not in names:
            raise BadTask(f"task {task_id!r}: its form asks about each of {self.over!r}, but there is no such field")
        for part in self.parts:
            part.answer.check_fields(task_id, (*names, *(self.carries if self.over else ())))

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
        return path_of(place if self.over else None, part)

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
            if part.scored and not part.optional:
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
    if part.name not in given or part.name not in wanted:
        return part.name not in given and part.name not in wanted
    return part.answer.of(seen).right(given[part.name], wanted[part.name], seen)
