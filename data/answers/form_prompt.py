"""How a form is put to a model: its questions with what is chosen from, and the way to write the answers."""

from collections.abc import Mapping, Sequence

from data.answers.base import of_object
from data.answers.parts import Part

Seen = Mapping[str, str]


def listed(parts: Sequence[Part], sets: Sequence[Seen], question: str) -> str:
    """Return the questions in their order (`question` names their text; "" where the parts are asked once)."""
    blocks = []
    for place, seen in enumerate(sets, 1):
        lines = [f"Вопрос {place}. {seen[question]}"] if question else []
        for part in parts:
            lines += [f"{part.title.ru}:"] if len(parts) > 1 else []
            lines += filter(None, [part.answer.of(seen).listing(seen)])
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def in_lines(part: Part, sets: Sequence[Seen]) -> str:
    """Return the sentences that ask for a line for each question, the part's own format once where all are alike."""
    head = "Ответь на каждый вопрос отдельной строкой вида «номер вопроса: ответ»."
    each = [part.answer.of(seen).answer_format(seen) for seen in sets]
    alike = len(set(each)) == 1
    return "\n".join([head, *(each[:1] if alike else (f"Вопрос {n}: {one}" for n, one in enumerate(each, 1)))])


def in_json(parts: Sequence[Part], seen: Seen, *, many: bool) -> str:
    """Return the sentences that ask for JSON with the parts' names as keys, `many`: an object for each question."""
    head = "Ответь списком JSON: по объекту на каждый вопрос" if many else "Ответь одним объектом JSON"
    return "\n".join([f"{head}, значения — строки. Ключи:", *(_key(part, parts, seen) for part in parts)])


def in_schema(parts: Sequence[Part], sets: Sequence[Seen], *, many: bool) -> dict[str, object]:
    """Return the JSON schema of the parts by their names; where there are `many` sets, of such objects by number."""
    each = [of_object({part.name: _schema(part, seen) for part in parts}) for seen in sets]
    return of_object({str(place): one for place, one in enumerate(each, 1)}) if many else each[0]


def _schema(part: Part, seen: Seen) -> dict[str, object]:
    """Return the schema of a part's answer; what may be left out may be null."""
    asked = part.answer.of(seen).value_schema(seen)
    return {"anyOf": [asked, {"type": "null"}]} if part.optional or part.when else asked


def _key(part: Part, parts: Sequence[Part], seen: Seen) -> str:
    condition = ""
    if part.when:
        earlier = next(one for one in parts if one.name == part.when[0]).answer.of(seen)
        condition = f'; только если "{part.when[0]}" — «{earlier.words(part.when[1], seen).ru}»'
    return f'"{part.name}" ({part.title.ru}{condition}): {part.answer.of(seen).answer_format(seen)}'
