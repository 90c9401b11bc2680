"""A Task as plain data and back: the snapshot stored on every study, so that a study is reproducible for ever."""

from collections.abc import Mapping
from typing import Any

from data.answers import answer_type
from data.task import Aliases, Breakdown, Example, Field, Task
from data.wording import Wording

ADDED = ("shape", "cluster", "variants_by", "splits", "shots", "several")


def as_dict(task: Task) -> dict[str, Any]:
    """Return the task as data that JSON can hold; `from_dict` gives an equal task back."""
    return {
        "id": task.id,
        "title": _words(task.title),
        "description": _words(task.description),
        "fields": [
            {
                "name": f.name,
                "title": _words(f.title),
                "kind": f.kind,
                "values": {k: _words(w) for k, w in f.values.items()},
                "marks": f.marks,
                "optional": f.optional,
                "separator": f.separator,
            }
            for f in task.fields
        ],
        "question": _words(task.question),
        "instruction": _words(task.instruction),
        "answer": task.answer.as_dict(),
        "prompt": task.prompt,
        "metrics": list(task.metrics),
        "official": list(task.official),
        "aliases": {
            "columns": dict(task.aliases.columns),
            "values": {name: dict(values) for name, values in task.aliases.values.items()},
            "answers": dict(task.aliases.answers),
        },
        "answer_column": task.answer_column,
        "shape": task.shape,
        "cluster": task.cluster,
        "source": task.source,
        "licence": task.licence,
        "version": task.version,
        "examples": [
            {"fields": dict(e.fields), "answer": e.answer, "explanation": _words(e.explanation)} for e in task.examples
        ],
        "variants": {value: list(prompts) for value, prompts in task.variants.items()},
        "variants_by": task.variants_by,
        "published": list(task.published),
        "breakdowns": [{"field": b.field, "title": _words(b.title), "several": b.several} for b in task.breakdowns],
        "splits": dict(task.splits),
        "shots": task.shots,
        "several": task.several,
    }


def from_dict(values: Mapping[str, Any]) -> Task:
    """Return the task that `as_dict` described; raises BadTask where it contradicts itself."""
    plain = {name: values[name] for name in ("id", "prompt", "answer_column", "source", "licence", "version")}
    added = {name: values[name] for name in ADDED if name in values}
    return Task(
        **plain,
        **added,
        title=Wording(**values["title"]),
        description=Wording(**values["description"]),
        question=Wording(**values["question"]),
        instruction=Wording(**values["instruction"]),
        fields=tuple(_field(field) for field in values["fields"]),
        answer=answer_type(values["answer"]),
        metrics=tuple(values["metrics"]),
        official=tuple(values["official"]),
        aliases=Aliases(**values["aliases"]),
        examples=tuple(_example(example) for example in values.get("examples", ())),
        variants={value: tuple(prompts) for value, prompts in values.get("variants", {}).items()},
        published=tuple(values.get("published", ())),
        breakdowns=tuple(
            Breakdown(group["field"], Wording(**group["title"]), group["several"])
            for group in values.get("breakdowns", ())
        ),
    )


def _words(wording: Wording) -> dict[str, str]:
    return {"ru": wording.ru, "en": wording.en}


def _field(values: Mapping[str, Any]) -> Field:
    words = {value: Wording(**wording) for value, wording in values.get("values", {}).items()}
    added = {name: values[name] for name in ("marks", "optional", "separator") if name in values}
    return Field(values["name"], Wording(**values["title"]), values.get("kind", "plain"), words, **added)


def _example(values: Mapping[str, Any]) -> Example:
    return Example(values["fields"], values["answer"], Wording(**values["explanation"]))
