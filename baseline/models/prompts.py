"""Prompts: a task and an item become a model's messages, in the words that people read, after worked examples."""

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import Formatter
from typing import Any

from data.answers import answer_values
from data.errors import BadSetting, BadTask, Fault
from data.field_text import as_text
from data.task import UNSEEN_KINDS, Item, PublicItem, Task
from data.wording import MODEL_LANGUAGE, MODELS_READ, Language

TRAIN = "“Train split” on the page, --train in a terminal"
"""Where a train split is given."""
FERTILITY = 3.0
"""Tokens a word, as LIBRA (section 3.3) reckons for Russian."""
WORD = re.compile(r"\S+")
PARTS: Mapping[str, Callable[[Task, Mapping[str, str], Language], str]] = {
    "instruction": lambda task, _fields, language: task.instruction.within(language),
    "question": lambda task, fields, language: task.legend(fields).within(language),
    "options": lambda task, fields, language: task.answer_for(fields).listing(fields, language),
    "answer_format": lambda task, fields, language: task.answer_for(fields).answer_format(fields, language),
}
"""What of a task a prompt may name beside its fields."""


AUTHORS = "authors:"
"""What the names begin with of fields that an item has for one run: texts of its authors' record by their own names."""
OWN_TEMPLATE, LATER, RIGHT = f"{AUTHORS}{{}}", f"{AUTHORS}+", f"{AUTHORS}="
"""The fields with a template that the record brings, with the one of messages after the first worked example, and, of
worked examples alone, with the right answer."""
ITS_OWN = "{each item's own instruction}"


@dataclass(frozen=True)
class PublishedPrompts:
    """The authors' own words: templates by the value of the field `by`, none where the record of each item has its own.

    What they name is filled in as Python writes it. `file` and `digest` say whence they are; `from_zero` that they
    count the options of an item from 0, `once` that after the first worked example they ask without the instruction.
    """

    templates: Mapping[str, tuple[str, ...]]
    by: str
    file: str
    digest: str
    from_zero: bool = False
    once: bool = False

    def number(self, fields: Mapping[str, str]) -> int:
        """Return how many prompts there are for an item with these fields."""
        return len(self.templates.get(fields.get(self.by, ""), ())) if self.templates else 1

    def text(self, task_id: str, fields: Mapping[str, str], variant: int = 0, *, later: bool = False) -> str:
        """Return what is asked of an item, `later` than the first message where the authors then ask otherwise.

        Raises BadTask where its record lacks what the prompt names.
        """
        own = fields.get(OWN_TEMPLATE, "")
        own = fields.get(LATER, own) if later else own
        template = self.templates[fields.get(self.by, "")][variant] if self.templates else own
        filled = []
        for literal, name in _pieces(task_id, template):
            if name is not None and AUTHORS + name not in fields:
                known = ", ".join(f"{{{each.removeprefix(AUTHORS)}}}" for each in fields if each.startswith(AUTHORS))
                raise BadTask(
                    f"{self.file}: its prompt for {task_id!r} names {{{name}}}, which the items of the study do not "
                    f"tell; they have {known}. Make the study from the authors' own file"
                )
            filled += [literal] if name is None else [literal, fields[AUTHORS + name]]
        return "".join(filled)


@dataclass(frozen=True)
class PromptOptions:
    """How every item of a run is asked.

    `variant` is the number of the task's prompt, `shots` are train items whose answers are shown first. A prompt of
    more than `context` tokens, reckoned as words x `fertility`, is cut: the item's long text at its end, or with
    `as_published` the whole prompt at its end, as LIBRA's script does. `system` is what stands before everything,
    `published` asks in the authors' words instead of the task's.
    """

    variant: int = 0
    shots: tuple[Item, ...] = ()
    context: int | None = None
    fertility: float = FERTILITY
    as_published: bool = False
    language: Language = MODELS_READ
    system: str = ""
    published: PublishedPrompts | None = None

    @property
    def settings(self) -> dict[str, object]:
        """What of it is stored with a run: of the shots their number and a hash of what they hold."""
        stored: dict[str, object] = {"variant": self.variant, "shots": len(self.shots), "context": self.context}
        if self.shots:
            held = json.dumps([[dict(shot.fields), shot.gold] for shot in self.shots], sort_keys=True)
            stored["shots_hash"] = hashlib.sha256(held.encode()).hexdigest()[:12]
        if self.context:
            stored |= {"fertility": self.fertility, "as_published": self.as_published}
        if self.language != MODELS_READ:
            stored[MODEL_LANGUAGE] = self.language
        if self.system:
            stored["system"] = self.system
        if self.published:
            stored |= {"published": self.published.digest[:12], "prompt": self.published.digest[:12]}
            stored |= {"from_zero": True} if self.published.from_zero else {}
            stored |= {"instruction_once": True} if self.published.once and self.shots else {}
        return stored


AS_IT_IS = PromptOptions()
"""The task's own prompt and nothing else."""


@dataclass(frozen=True)
class Prompt:
    """The messages of a request, and whether something was cut to make them fit."""

    messages: list[dict[str, str]]
    cut: bool = False

    @cached_property
    def words(self) -> int:
        """How many words it has."""
        return sum(len(message["content"].split()) for message in self.messages)


def prompt_of(task: Task, item: PublicItem, options: PromptOptions) -> Prompt:
    """Return the messages that ask about an item: the system prompt, each shot with its answer, then the item.

    Raises BadTask where a prompt cannot be made, BadSetting where it cannot be cut to fit.
    """
    system = [{"role": "system", "content": options.system}] if options.system else []
    shown = [*system, *_shown(task, options)]
    text = _asked(task, item.fields, options, later=bool(options.shots))
    words = sum(len(message["content"].split()) for message in shown) if options.context else 0
    fitting = _fitting(task, item.fields, text, options, words)
    return Prompt([*shown, {"role": "user", "content": fitting}], cut=fitting != text)


def _asked(task: Task, fields: Mapping[str, str], options: PromptOptions, *, later: bool) -> str:
    """Return the text of a prompt before it is cut, `later` than the first message."""
    if options.published:
        return options.published.text(task.id, fields, options.variant, later=later)
    return prompt_text(task, fields, options.variant, options.language)


def check_shots(task: Task, shots: Sequence[Item]) -> None:
    """Refuse (BadTask) worked examples for a task whose texts carry their own."""
    if shots and not task.shots:
        raise BadTask(f"task {task.id!r}: its texts carry their worked examples themselves; ask for none")


def _shown(task: Task, options: PromptOptions) -> Iterator[dict[str, str]]:
    check_shots(task, options.shots)
    for place, shot in enumerate(options.shots):
        answer = task.answer_for(shot.fields)
        right = answer.best(str(shot.gold), shot.fields)
        yield {"role": "user", "content": _asked(task, shot.fields, options, later=place > 0)}
        told = shot.fields.get(RIGHT) or answer.show(right, shot.fields, options.language)
        yield {"role": "assistant", "content": told}


def _fitting(task: Task, fields: Mapping[str, str], text: str, options: PromptOptions, before: int) -> str:
    """Return the prompt, cut where it and the `before` words of the shots are over the limit."""
    if options.context is None:
        return text
    room = math.floor(options.context / options.fertility) - before
    over = len(text.split()) - room
    if over <= 0:
        return text
    if (options.as_published or options.published) and room > 0:
        return without_end(text, over)
    long = {f.name: len(fields[f.name].split()) for f in task.fields if f.kind == "long"}
    name = max(long, key=lambda name: long[name], default=None)
    if name is None or long[name] < over:
        raise BadSetting(
            f"a prompt of task {task.id!r} has {over + room} words where {options.context} tokens leave room for "
            f"{max(0, room)}, and the question is never cut; allow a prompt more tokens"
        )
    return prompt_text(task, {**fields, name: without_end(fields[name], over)}, options.variant, options.language)


def without_end(text: str, words: int) -> str:
    """Return the text without its last `words` words, white space before them as it stands; all of it may go."""
    ends = list(WORD.finditer(text))
    kept = len(ends) - words
    return text[: ends[kept - 1].end()] if kept > 0 else ""


def messages(task: Task, item: PublicItem, variant: int = 0, language: Language = MODELS_READ) -> list[dict[str, str]]:
    """Return one user message: the task's template filled in, or its parts in order where it has no template.

    `variant` is the number of the template: 0 for the task's own, from 1 for its other wordings.
    A text is put in as it stands: braces inside it mean nothing. Raises BadTask for a template that names what the
    task does not have, and for an item without one of the task's fields.
    """
    return [{"role": "user", "content": prompt_text(task, item.fields, variant, language)}]


def prompt_text(task: Task, fields: Mapping[str, str], variant: int = 0, language: Language = MODELS_READ) -> str:
    """Return the text that a model is asked with about an item with these fields; raises BadTask as `messages` does."""
    for field in task.fields:
        if field.name not in fields:
            has = ", ".join(map(repr, fields)) or "none"
            raise BadTask(f"task {task.id!r}: the item has no field {field.name!r}; its fields are {has}")
    template = task.template(fields, variant, language)
    return _filled(task, template, fields, language) if template else _composed(task, fields, language)


def prompt_hash(task: Task, item: PublicItem, variant: int = 0, language: Language = MODELS_READ) -> str:
    """Return 12 hexadecimal digits that change whenever some item's prompt would; raises BadTask as `messages` does.

    What is hashed is the prompt of `item` (any item of the study, always the same one), so that the sentence of the
    answer type counts, the words that stand for closed values, and the answer type, since other items may use what
    this one does not. Wordings in other languages do not count.
    """
    words = {
        task_field.name: {value: said.within(language) for value, said in task_field.values.items()}
        for task_field in task.fields
    }
    asked = [messages(task, item, variant, language), words, answer_values(task.answer)]
    text = json.dumps(asked, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def prompt_faults(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield every name in the prompts of a task file that nothing stands for, and the prompts that are no templates.

    `values` are those of the file; what is no prompt there is left for others to refuse.
    """
    named = [{"name": field} if isinstance(field, str) else field for field in values.get("fields") or ()]
    seen = [field for field in named if isinstance(field, dict) and field.get("kind", "plain") not in UNSEEN_KINDS]
    known = [*PARTS, *(str(field.get("name")) for field in seen)]
    variants = values.get("variants")
    lists = variants.items() if isinstance(variants, dict) else ()
    others = [(("variants", key, n), text) for key, texts in lists for n, text in enumerate(texts)]
    own = values.get("prompt")
    prompts = (
        [(("prompt", code), text) for code, text in own.items()] if isinstance(own, dict) else [(("prompt",), own)]
    )
    for at, template in [*prompts, *others]:
        try:
            names = {name for _, name in _pieces(str(values.get("id")), str(template or "")) if name is not None}
        except BadTask as error:
            yield Fault(at, str(error))
        else:
            yield from (Fault(at, _unknown(str(values.get("id")), name, known)) for name in sorted(names - {*known}))


def _unknown(task_id: str, name: str, known: Iterable[str]) -> str:
    has = ", ".join(known)
    return f"task {task_id!r}: its prompt names {name!r}, which is not there; use {has}, and {{{{ }}}} for plain braces"


def _filled(task: Task, template: str, fields: Mapping[str, str], language: Language) -> str:
    text_fields = {field.name: field for field in task.fields if field.above_question}
    if both := PARTS.keys() & text_fields.keys():
        raise BadTask(
            f"task {task.id!r}: {{{min(both)}}} in a prompt is a part of the task, and there is a field "
            f"{min(both)!r}; give the field another name or kind"
        )
    filled = []
    for literal, name in _pieces(task.id, template):
        filled.append(literal)
        if name is None:
            continue
        if name in text_fields:
            filled.append(as_text(text_fields[name], fields, language))
        elif name in PARTS:
            filled.append(PARTS[name](task, fields, language))
        else:
            raise BadTask(_unknown(task.id, name, (*PARTS, *text_fields)))
    return "".join(filled)


@lru_cache(maxsize=256)
def _pieces(task_id: str, template: str) -> tuple[tuple[str, str | None], ...]:
    """Return the template's literal stretches, each with the name in braces behind it."""
    try:
        # There is no formatting here: "INPUT:text" is a column's name, which Python would take for a format.
        return tuple(
            (literal, name and name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else ""))
            for literal, name, form, conversion in Formatter().parse(template)
        )
    except ValueError as error:
        raise BadTask(
            f"task {task_id!r}: its prompt is not a template ({error}); write {{{{ and }}}} for plain braces"
        ) from error


def _composed(task: Task, fields: Mapping[str, str], language: Language) -> str:
    parts = {name: part(task, fields, language) for name, part in PARTS.items()}
    options = getattr(task.answer_for(fields), "option_fields", ())
    seen = [field for field in task.fields if field.above_question and field.name not in options]
    texts = [f"{field.title.within(language)}: {as_text(field, fields, language)}" for field in seen]
    asked = "\n".join(filter(None, (parts["question"], parts["options"])))
    return "\n\n".join(filter(None, (parts["instruction"], *texts, asked, parts["answer_format"])))
