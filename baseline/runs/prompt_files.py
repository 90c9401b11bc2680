"""Prompts from a TOML file, for instance a paper's exact wording, in the place of the task's own."""

from dataclasses import replace
from pathlib import Path

from data.errors import BadFile
from data.task import Task
from data.toml import read_toml


def with_prompts(task: Task, path: Path) -> Task:
    """Return the task with the prompts that a file gives it: a template, or a list of them, under the task's id.

    The first is prompt 0, the others are its variants. Raises BadFile where the file has none for this task.
    """
    values = read_toml(path, f"write \"{task.id}\" = '''the prompt'''")
    given = values.get(task.id)
    templates = [given] if isinstance(given, str) else given
    if not isinstance(templates, list) or not templates or not all(isinstance(one, str) and one for one in templates):
        named = ", ".join(map(repr, values)) or "nothing"
        raise BadFile(
            f"{path.name}: has no prompt for {task.id!r}, it names {named}; write \"{task.id}\" = '''the prompt''', or "
            "a list of several"
        )
    return replace(task, prompt=templates[0], variants={"": tuple(templates[1:])}, variants_by="")
