"""Reading the answers of a file as gold is read: by its own coding, and never by a guess between two readings."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from data.answers.answer_options import Offered
from data.answers.answer_type import AnswerType, Option
from data.answers.choices import Choices
from data.answers.form import Form
from data.answers.replies import ANSWER_KEYS, loaded
from data.answers.spans import EMPTY, Spans, short
from data.composed_text import composed
from data.errors import BadAnswer, EtalonError
from data.files.item_files import predicted_label
from data.formats.record_format import names_in, place_of
from data.task import Task

Fields = Mapping[str, str]
WORD = re.compile(r"\w+")
INSTEAD = "write the text of the option, or the model's whole reply in a column `raw`"


class Unreadable(EtalonError):
    """What cannot be an answer; `str(error)` is the half of a sentence that says so."""


class Ambiguous(Unreadable):
    """What could be two answers: it puts the coding of its whole file in doubt."""


@dataclass(frozen=True)
class Coding:
    """How the files of a task call its answers.

    First come the names that the item's file has for its options (`data.formats`) and those that the task states
    (`aliases`), then our labels, then the very texts of options. The number that an option has in the prompt is read
    only where no name is a number. `from_zero` tells whether the file of items counts an item's options from 0 as we
    do; it is asked only when a number turns up that could be that or a number of the prompt.
    """

    task: Task
    from_zero: Callable[[], bool] = lambda: False

    def read(self, value: object, fields: Fields) -> str | None:
        """Return the canonical answer, None for a text that is none: a model's reply perhaps, or an empty cell.

        Raises Ambiguous for a number that could be two options and for the text of several, Unreadable for what is no
        answer and no text.
        """
        own, listed_value = self.task.answer_for(fields), list_or_value(value)
        if listed_value is None or listed_value in ("", []):
            return None
        try:
            if isinstance(own, Choices):
                return self._several(own, listed_value, fields)
            if isinstance(own, Offered):
                return own.validate(self._single(own, alone(listed_value), fields), fields)
            if isinstance(own, Spans) and own.unmarked(value, fields):
                return EMPTY
            if isinstance(own, Form):
                self._check_lists(own, listed_value, fields)
            return own.best(str(predicted_label(listed_value, self.task, fields)), fields)
        except BadAnswer as error:
            if not isinstance(value, str):
                raise Unreadable(f"{value!r:.80} is not an answer; {_allowed(own, fields, self.task)}") from error
            return None

    def parse(self, value: str, fields: Fields) -> str | None:
        """Return the answer that a text names which is no code; raises Ambiguous where only a number tells which.

        "1." is the first option in a reply, and might be the code 1. Words decide where they say the same without it.
        """
        own, codes = self.task.answer_for(fields), self._digits(fields)
        label = own.parse(value, fields)
        if not codes or not isinstance(own, Offered):
            return label
        keys = {*codes, *(option.key for option in own.options(fields))}
        numbers = [word for word in WORD.findall(value) if word in keys]
        words = [word for word in WORD.findall(value) if word.casefold() not in ANSWER_KEYS]
        bare = re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, keys))})(?!\w)", " ", value)
        if numbers and (words == numbers[:1] or (label is not None and own.parse(bare, fields) != label)):
            raise Ambiguous(
                f"{value!r:.80} has the number {numbers[0]}, which could be that of an option in the prompt or a "
                f"code {self._codes_owner(codes)}; write the code alone, or name the column `raw` if it holds replies"
            )
        return label

    def is_code(self, value: str, fields: Fields) -> bool:
        """Return whether a text is a code and not what somebody wrote: a stated one, one of our labels, or a list."""
        listed_value, own = list_or_value(value), self.task.answer_for(fields)
        labels = {option.label for option in own.options(fields)}
        return isinstance(listed_value, list) or listed_value in self.task.aliases.answers or listed_value in labels

    def _several(self, own: Choices, value: object, fields: Fields) -> str:
        each = value if isinstance(value, list) else self._split(value)
        if _are_flags(each, len(own.offered(fields))):
            return own.gold(each, fields)
        return own.validate([self._single(own, label, fields) for label in each], fields)

    def _split(self, value: object) -> list[Any]:
        several = self.task.several
        parted = isinstance(value, str) and several and several in value
        return [part.strip() for part in str(value).split(several) if part.strip()] if parted else [value]

    def _single(self, own: Offered, value: object, fields: Fields) -> object:
        """Return the label of the option that a value names, or the value itself for `own` to judge."""
        if isinstance(value, dict | list):
            raise BadAnswer("not_an_option", value=str(value)[:80], allowed="")
        text = _plain(value)
        if not (is_number(value) and self._counts(own)):
            place = place_of(text, fields)
            if place is not None:
                return own.offered(fields)[place]
            aliases = self.task.aliases.answers
            if (
                name := next((spelling for spelling in (text, composed(text)) if spelling in aliases), None)
            ) is not None:
                return aliases[name]
        if is_number(value):
            return text if own.named_by_labels else self._numbered(own, value, fields)
        try:
            return own.label_told(value, fields)
        except BadAnswer as error:
            equal = error.parameters["equal"]
            raise Ambiguous(f"{text!r:.80} is the text of several equal options ({equal}); they must differ") from error

    def _numbered(self, own: Offered, value: object, fields: Fields) -> str:
        """Return the label that a number names, which is no name of the file's for an option; raises Unreadable."""
        text, options, codes = _plain(value), own.options(fields), self._digits(fields)
        if text in codes:
            return text
        numbered = [option for option in options if option.key == text]
        counted = [option for option in options if option.label == text]
        if codes and not (numbered or counted):
            words = [option.label for option in options if not option.label.isdecimal()]
            instead = ", or ".join(filter(None, ("use those", ", ".join(words))))
            raise Ambiguous(f"{value!r:.80} is none of the codes {self._codes_owner(codes)}; {instead}")
        ways = [f"{_shown(numbered_option)} by its number in the prompt" for numbered_option in numbered]
        ways += [f"{_shown(counted_option)} by its place from 0" for counted_option in counted]
        if codes and ways:
            raise Ambiguous(
                f"{value!r:.80} is none of the codes {self._codes_owner(codes)}, and without them it would be "
                f"{' or '.join(ways)}; write those codes, or else {INSTEAD}"
            )
        exact = [option for option in options if text in option.words.values()]
        ways += [f"{_shown(exact_option)} by its text" for exact_option in exact]
        if ways and len(ways) > len(exact):
            raise Ambiguous(
                f"{value!r:.80} could be {', or '.join(ways)}, or something else: the file of items has no "
                f"numbers for options that tell; {INSTEAD}"
            )
        return exact[0].label if len(exact) == 1 else text

    def _codes_owner(self, codes: Sequence[str]) -> str:
        """Return whose codes these are: an item's file has them, or the task knows them and the file may have words."""
        known = any(self.task.aliases.answers.get(code, code) != code for code in codes)
        files = f"that {self.task.id} knows in files of items" if known else "of the file of items"
        return f"{files} ({', '.join(codes)})"

    def _digits(self, fields: Fields) -> Sequence[str]:
        """Return the numbers that are codes of the item's options in its file."""
        own = self.task.answer_for(fields)
        if isinstance(own, Offered) and self._counts(own):
            return own.offered(fields)
        return self._numbers(fields)

    def _counts(self, own: Offered) -> bool:
        """Return whether the file of items counts the item's own options from 0 although the task states no codes."""
        return own.positional and not self.task.aliases.answers and self.from_zero()

    def _numbers(self, fields: Fields) -> list[str]:
        """Return the names that are numbers, of those by which files call the options of an item."""
        names = [*self.task.aliases.answers, *(name for each in names_in(fields) for name in each)]
        return [name for name in dict.fromkeys(names) if name.isdecimal()]

    def _check_lists(self, form: Form, value: object, fields: Fields) -> None:
        """Refuse numbers that stand for options of a form's questions: files have a flag for each option there."""
        elements = value if form.over and isinstance(value, list) else [value]
        for element, seen in zip(elements, form.question_fields(fields), strict=False):
            for part in form.scored:
                own, given = part.answer.of(seen), element.get(part.name) if isinstance(element, dict) else element
                if not isinstance(own, Offered) or not own.positional or not isinstance(given, list):
                    continue
                options, number = own.options(seen), next((entry for entry in given if is_number(entry)), None)
                if number is not None and not _are_flags(given, len(options)) and not self.from_zero():
                    raise Ambiguous(
                        f"{given!r:.80} could be numbers of options from 1, as the prompt has them, or from 0; give a "
                        f"flag (0 or 1) for each of the {len(options)} options, or {INSTEAD}"
                    )


def list_or_value(value: object) -> Any:
    """Return a list for a text that is one in JSON, anything else as it is."""
    decoded = loaded(value) if isinstance(value, str) and value.lstrip().startswith("[") else None
    return decoded if isinstance(decoded, list) else value.strip() if isinstance(value, str) else value


def alone(value: object) -> object:
    """Return the element of a list of one: files of gold list all that is right."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _plain(value: object) -> str:
    """Return a value as files name options: without the idle zero that tables give to numbers ("1.0")."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    digits = text.removesuffix(".0")
    return digits if digits.isascii() and digits.isdecimal() else text


def is_number(value: object) -> bool:
    """Return whether a value is a whole number, or a text that is one."""
    return _plain(value).removeprefix("-").isdecimal() and not isinstance(value, bool)


def _are_flags(given: Sequence[object], options: int) -> bool:
    return len(given) == options and all(type(flag) in (int, bool) and flag in (0, 1) for flag in given)


def _shown(option: Option) -> str:
    return f"option {option.key} ({short(option.words.for_models)!r})"


def _allowed(own: AnswerType, fields: Fields, task: Task) -> str:
    """Return the half of a sentence that says what may be written."""
    labels = [option.label for option in own.options(fields)]
    names = [each[0] for each in names_in(fields)] or list(task.aliases.answers) or labels
    return f"use one of {', '.join(names)}, or {INSTEAD}" if names else "write it as the file of items has its answers"
