"""What people and a model read, word by word: the same, only people, only the model; an item's texts by their names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from baseline.models.prompts import prompt_text
from data.task import Field, Item, Task
from data.wording import MODELS_READ, Language

WORD = re.compile(r"\w+|\s+|[^\w\s]")
MOST_WORDS = 6_000  # of a text, which is compared in a time that grows with the square


@dataclass(frozen=True)
class TextPiece:
    """A stretch of text, and who read it."""

    who: Literal["both", "people", "models"]
    text: str


def read_by_people(task: Task, item: Item, language: Language) -> str:
    """Return what stands before people: instruction, titles with ‹names› for the item's texts, question, options."""
    bare, fields = outlined(task, item.fields)
    titles = [f"{field.title.within(language)}: {fields[field.name]}" for field in bare.fields if field.above_question]
    options = [option.words.within(language) for option in bare.answer_for(fields).options(fields)]
    option_lines = "\n".join(f"{number}. {words}" for number, words in enumerate(options, 1))
    asked = "\n".join(filter(None, (bare.legend(fields).within(language), option_lines)))
    return "\n\n".join(filter(None, (task.instruction.within(language).strip(), *titles, asked)))


def read_by_model(task: Task, item: Item, template: str, language: Language = MODELS_READ) -> str:
    """Return the prompt that a template makes, with ‹names› for the item's texts; raises BadTask as prompts do."""
    bare, fields = outlined(task, item.fields)
    return prompt_text(replace(bare, prompt=template), fields, language=language)


def outlined(task: Task, fields: Mapping[str, str]) -> tuple[Task, dict[str, str]]:
    """Return the task and an item's fields with a ‹name› for each text that is shown above the question."""
    hollow = {field.name for field in task.fields if _is_text(field)}
    bare = tuple(
        replace(field, kind="plain", marks="") if field.name in hollow and field.above_question else field
        for field in task.fields
    )
    texts = {name: f"‹{name}›" if name in hollow else value for name, value in fields.items()}
    return replace(task, fields=bare), texts


def difference(people: str, models: str) -> tuple[TextPiece, ...]:
    """Return both texts as pieces in reading order; texts beyond MOST_WORDS words or signs are cut there."""
    theirs, its = _words(people), _words(models)
    return tuple(_joined(_pieces(theirs, its)))


def _is_text(field: Field) -> bool:
    return not field.values and (field.above_question or field.kind == "option")


def _words(text: str) -> list[str]:
    return WORD.findall(text)[:MOST_WORDS]


def _pieces(theirs: Sequence[str], its: Sequence[str]) -> Iterator[TextPiece]:
    for change, first, last, begin, end in SequenceMatcher(None, theirs, its, autojunk=False).get_opcodes():
        if change == "equal":
            yield TextPiece("both", "".join(theirs[first:last]))
            continue
        yield TextPiece("people", "".join(theirs[first:last]))
        yield TextPiece("models", "".join(its[begin:end]))


def _joined(pieces: Iterator[TextPiece]) -> Iterator[TextPiece]:
    """Yield the pieces without empty ones; a gap of white space between two changes is no agreement."""
    pending = {"people": "", "models": ""}
    for piece in pieces:
        if piece.who != "both":
            pending[piece.who] += piece.text
        elif any(pending.values()) and not piece.text.strip():
            pending = {who: text + piece.text for who, text in pending.items()}
        else:
            yield from _pending_pieces(pending)
            pending = {"people": "", "models": ""}
            yield piece
    yield from _pending_pieces(pending)


def _pending_pieces(pending: Mapping[str, str]) -> Iterator[TextPiece]:
    if pending["people"].strip():
        yield TextPiece("people", pending["people"])
    if pending["models"].strip():
        yield TextPiece("models", pending["models"])
