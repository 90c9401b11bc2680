"""Write texts: one or several entries of a few named pieces each (a question, its answer), every piece under rules."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from data.answers.answer_type import AnswerType, of_object, packed, prompt_words, unpacked
from data.answers.effort import COMPOSED, DECIDE, USUAL_PIECE
from data.answers.replies import loaded, opened, stretch
from data.errors import BadAnswer, BadTask
from data.task_keys import Whole, key
from data.wording import MODELS_READ, Language, Wording, same

# A letter may carry combining marks, which Python does not count among letters: "за\u0301мок" is one word.
LETTERS = r"\w[\w\u0300-\u036f]*"
WORD = re.compile(rf"{LETTERS}(?:[-'’]{LETTERS})*")
SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]+[»”\")\]]*(?=\s+[«“\"(\[]*[A-ZА-ЯЁ\d]|\s*$)")


@dataclass(frozen=True)
class Rules:
    """What a written text must keep to; what is left out asks for nothing."""

    starts: str = ""
    """The word or words it begins with, in any case.

    Example: "Почему"
    """
    ends: str = ""
    """Its last character.

    Example: "?"
    """
    holds: Annotated[str, key(left_out=True)] = ""
    """What stands in it once, such as the sign of a gap.

    Example: "_____"
    """
    words: Whole | None = None
    """How many words it may have, hyphenated ones counting as one.

    Example: 12
    """
    sentences: Whole | None = None
    """How many sentences it has, exactly.

    Example: 1
    """
    characters: Whole = 2000
    """How many characters it may have.

    Example: 300
    """

    def __post_init__(self) -> None:
        for name in ("words", "sentences", "characters"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise BadTask(f"write: {name} is {number}; a text with less than 1 cannot be written")

    def broken(self, text: str, **where: Any) -> Iterator[BadAnswer]:
        """Yield the mistake of each rule that `text` breaks, in a fixed order; of one that is too long only that."""
        if len(text) > self.characters:
            yield BadAnswer("piece_characters", **where, most=self.characters)
            return
        if self.starts and not starts_with(text, self.starts):
            yield BadAnswer("piece_starts", **where, start=self.starts)
        if self.ends and not text.endswith(self.ends):
            yield BadAnswer("piece_ends", **where, end=self.ends)
        if self.holds and text.count(self.holds) != 1:
            yield BadAnswer("piece_holds", **where, held=self.holds)
        if self.words is not None and word_count(text) > self.words:
            yield BadAnswer("piece_words", **where, most=self.words)
        if self.sentences is not None and sentence_count(text) != self.sentences:
            yield BadAnswer("piece_sentences", **where, wanted=self.sentences)


def starts_with(text: str, start: str) -> bool:
    """Return whether a text begins with these words, whole ones, in any case."""
    return re.match(rf"{re.escape(start)}(?![\w\u0300-\u036f])", text, re.IGNORECASE) is not None


def word_count(text: str) -> int:
    """Return how many words a text has; numbers are words, a hyphen binds two into one, a dash does not."""
    return len(WORD.findall(text))


def sentence_count(text: str) -> int:
    """Return how many sentences a text has; the last one counts without its full stop, an empty text has none.

    A full stop ends a sentence where a capital letter or a digit follows, so "и т. д." does not.
    """
    text = text.strip()
    if not text:
        return 0
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    return len(ends) + (not ends or ends[-1] < len(text))


@dataclass(frozen=True)
class WrittenPiece:
    """One text of an entry."""

    name: str
    """Its name in files.

    Example: "question"
    """
    title: Wording
    """What people read above it.

    Example: {"ru": "Вопрос", "en": "Question"}
    """
    rules: Rules = field(default_factory=Rules)
    """What it has to keep to.

    Example: {"ends": "?", "words": 12}
    """
    lines: Whole = 1
    """How many lines its field shows.

    Example: 3
    """


@dataclass(frozen=True)
class Write(AnswerType):
    """Entries of the same pieces, all of them wanted. Canonical: a packed list of objects in their order.

    Two people seldom write the same, so people are compared by ROUGE-L, and what they wrote is judged by other people
    in a study of its own.
    """

    kind: Literal["write"] = field(default="write", kw_only=True)
    script: ClassVar[str] = "write"
    roomy: ClassVar[bool] = True
    distance: ClassVar[str] = "rouge_l"
    has_right: ClassVar[bool] = False
    pieces: tuple[WrittenPiece, ...] = ()
    """The texts of an entry, in their order.

    Example: [{"name": "question", "title": {"ru": "Вопрос", "en": "Question"}}]
    """
    text_field: str = ""
    """The field with the text that is written about; chance takes its words from there.

    Example: "text"
    """
    entries: Whole = 1
    """How many entries are wanted.

    Example: 4
    """

    def __post_init__(self) -> None:
        names = [piece.name for piece in self.pieces]
        if not names or len(set(names)) < len(names):
            raise BadTask(f"write: the pieces {names!r} must have names that differ, and there must be at least one")
        if self.entries < 1:
            raise BadTask(f"write: {self.entries} entries leave nothing to write; ask for at least one")

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse a text field that the task does not have."""
        if self.text_field not in names:
            raise BadTask(f"task {task_id!r}: people write about a text, but there is no field {self.text_field!r}")

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the canonical entries; raise BadAnswer that names the entry, the piece and the first rule broken."""
        decoded: object = loaded(value) if isinstance(value, str) and value else value
        if decoded in (None, "", []):
            decoded = [{}] * self.entries
        if not isinstance(decoded, list) or not all(isinstance(entry, dict) for entry in decoded):
            raise BadAnswer("not_written")
        if len(decoded) != self.entries:
            raise BadAnswer("entries", wanted=self.entries, got=len(decoded))
        written = [self._entry(entry, number) for number, entry in enumerate(decoded, 1)]
        folded = [_folded(entry[self.pieces[0].name]) for entry in written]
        twice = next((n for n, text in enumerate(folded, 1) if text in folded[: n - 1]), None)
        if twice is not None:
            raise BadAnswer("written_twice", number=twice, first=folded.index(folded[twice - 1]) + 1)
        return packed(written)

    def _entry(self, entry: Mapping[Any, Any], number: int) -> dict[str, str]:
        texts = {}
        for piece in self.pieces:
            text = entry.get(piece.name)
            where: dict[str, Any] = {"piece": piece.title, **({"number": number} if self.entries > 1 else {})}
            if not isinstance(text, str) or not text.strip():
                raise BadAnswer("piece_missing", **where)
            texts[piece.name] = text.strip()
            for mistake in piece.rules.broken(texts[piece.name], **where):
                raise mistake
        return texts

    def written(self, answer: str) -> list[dict[str, str]]:
        """Return the entries of an answer, none for the empty string that stands for no answer yet."""
        return [dict(entry) for entry in unpacked(answer or "[]")]

    def content(self, answer: str) -> str:
        """Return all that was written as one text."""
        return "\n".join(text for entry in self.written(answer) for text in entry.values())

    def seconds(self, answer: str | None, fields: Mapping[str, str]) -> float:
        """Return the time to settle on each piece and to write it."""
        if answer is None:
            return self.entries * len(self.pieces) * (DECIDE + USUAL_PIECE / COMPOSED)
        return sum(DECIDE + len(text) / COMPOSED for entry in unpacked(answer) for text in entry.values())

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the entries of a reply that is a JSON list of objects, or None where it breaks a rule."""
        entries = stretch(opened(reply), "[", "]")
        return self.valid_or_none(entries, fields) if entries else None

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the entries as JSON, one object a line."""
        lines = [json.dumps(entry, ensure_ascii=False) for entry in self.written(answer)]
        return "[" + ",\n".join(lines) + "]"

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return what was written, entries divided by semicolons."""
        return same("; ".join(" — ".join(entry.values()) for entry in self.written(answer)))

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that asks for JSON and states the rules."""
        keys = ", ".join(f'"{piece.name}" ({_rules_told(piece, language)})' for piece in self.pieces)
        return prompt_words(language, "write", "asked", entries=self.entries, keys=keys)

    def value_schema(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the JSON schema of a list of entries."""
        return {"type": "array", "items": of_object({piece.name: {"type": "string"} for piece in self.pieces})}

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return entries of words drawn from the text, as few as keep the rules: what no reading at all would write."""
        known = WORD.findall(fields[self.text_field]) or ["?"]
        return packed(
            [
                {piece.name: _random_text(piece.rules, known, random, number) for piece in self.pieces}
                for number in range(1, self.entries + 1)
            ]
        )


def _folded(text: str) -> str:
    return " ".join(WORD.findall(text.casefold().replace("ё", "е")))


def _rules_told(piece: WrittenPiece, language: Language) -> str:
    rules = piece.rules
    given = {name: getattr(rules, name) for name in ("starts", "ends", "holds", "words", "sentences")}
    sentences = [prompt_words(language, "write", name, rule=rule) for name, rule in given.items() if rule]
    return ", ".join([piece.title.within(language).lower(), *sentences])


def _random_text(rules: Rules, known: Sequence[str], random: Random, number: int) -> str:
    """Return a text of a few drawn words that keeps the rules; entries differ because the number of words does."""
    most = rules.words or number + 2
    words = [random.choice(known).lower() for _ in range(min(most - len(WORD.findall(rules.starts)), number + 2))]
    text = " ".join(filter(None, [rules.starts, rules.holds, *words]))
    return text[: rules.characters - len(rules.ends)] + rules.ends
