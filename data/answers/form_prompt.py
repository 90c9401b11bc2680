"""How a form is put to a model: its questions with what is chosen from, and the way to write the answers."""

from collections.abc import Mapping, Sequence

from data.answers.answer_type import of_object
from data.answers.form_parts import Part
from data.answers.prompt_words import prompt_words
from data.wording import Language

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
