"""The templates that a run is asked with: those of a TOML file, and the very ones that are stored with a run."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from baseline.models.prompts import prompt_hash
from baseline.models.run_fields import Fact
from baseline.runs.prompt_languages import language_asked, variant_of
from data.errors import BadFile, BadTask
from data.files.toml_files import read_toml
from data.task import Item, PublicItem, Task
from data.wording import MODELS_READ, Language

NOT_STORED = "not stored"
"""What is said of a run that was made before templates were stored, where the task's own are not those it had."""


def templates_of(task: Task, variant: int, language: Language = MODELS_READ) -> dict[str, str]:
    """Return the templates of a prompt by the value of `variants_by`, under "" the one that all items share.

    A template is "" where the task's parts are put together in their order.
    """
    if not variant:
        return {"": task.own_prompt(language)}
    return {value: others[variant - 1] for value, others in task.variants.items() if len(others) >= variant}


def stored_templates(settings: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the templates that are stored with a run, None where there are none."""
    stored = settings.get(Fact.TEMPLATES)
    return {str(value): str(text) for value, text in stored.items()} if isinstance(stored, dict) and stored else None


def template_asked(task: Task, settings: Mapping[str, Any], item: Item | None) -> str | None:
    """Return the template that a run asked about an item with: the stored one, else the task's own where it was that.

    It is "" where the task's parts are put together in their order, None where the run has only a hash of another one.
    """
    if item is None:
        return None
    stored = stored_templates(settings)
    asked = variant_of(settings), language_asked(settings)
    if stored is not None:
        return stored.get("", stored.get(item.fields.get(task.variants_by, "")))
    try:
        own = prompt_hash(task, PublicItem(dict(item.fields)), *asked) == settings.get("prompt")
    except BadTask:
        return None
    return task.template(item.fields, *asked) if own else None


def asked_task(task: Task, settings: Mapping[str, Any]) -> Task:
    """Return the task with the templates stored with a run as its prompt of the run's number, so that it can go on."""
    templates, variant = stored_templates(settings), settings.get("variant") or 0
    if templates is None:
        return task
    if not variant:
        return replace(task, prompt=templates[""])
    others = {value: (text,) * variant for value, text in templates.items()}
    return replace(task, variants=others, variants_by="" if "" in others else task.variants_by)


def with_prompts(task: Task, path: Path) -> Task:
    """Return the task with the prompts that a file gives it: a template, or a list of them, under the task's id.

    The first is prompt 0, the others are its variants. Raises BadFile where the file has none for this task.
    """
    values = read_toml(path, f"write \"{task.id}\" = '''the prompt'''")
    given = values.get(task.id)
    templates = [given] if isinstance(given, str) else given
    if (
        not isinstance(templates, list)
        or not templates
        or not all(isinstance(template, str) and template for template in templates)
    ):
        named = ", ".join(map(repr, values)) or "nothing"
        raise BadFile(
            f"{path.name}: has no prompt for {task.id!r}, it names {named}; write \"{task.id}\" = '''the prompt''', or "
            "a list of several"
        )
    return replace(task, prompt=templates[0], variants={"": tuple(templates[1:])}, variants_by="")
