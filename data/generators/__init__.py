"""Generators of synthetic items by their names; `family.toml` of a benchmark says which makes items of a task."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from data.catalogue.families import families
from data.errors import BadSetting, look_up
from data.generators.babilong import BABILONG
from data.generators.generator import Draw, Generator
from data.generators.matreshka import names, talks_from, whether
from data.generators.passages import count, retrieval
from data.generators.passkey import passkey, published_passkey, stretches_of

GENERATORS = {
    "passkey": Generator(passkey, as_published=published_passkey),
    "passkey_in_book": Generator(passkey, made_from={"background": stretches_of}),
    "matreshka_names": Generator(names, made_from={"dialogues": talks_from}),
    "matreshka_yes_no": Generator(
        partial(whether, there=True), others=(partial(whether, there=False),), made_from={"dialogues": talks_from}
    ),
    **BABILONG,
    "passage_count": Generator(count),
    "abstract_retrieval": Generator(retrieval),
}


def generated() -> dict[str, str]:
    """Return the tasks of which items can be made, each with the name of its generator."""
    return {task: name for family in families().values() for task, name in family.generators.items()}


def generator_of(task_id: str) -> Generator:
    """Return the generator of a task; raises UnknownName with the tasks that have one."""
    return generator_named(look_up("the generator", task_id, generated()))


def generator_named(name: str) -> Generator:
    """Return the generator of that name; raises UnknownName."""
    return look_up("the generator", name, GENERATORS)


def draws_of(task_id: str, *, as_published: bool, files: Mapping[str, Path]) -> tuple[Draw, ...]:
    """Return the draws that make a task's items, over the files given by the names of their options.

    Raises UnknownName, BadFile, and BadSetting for an option that the task's generator does not have.
    """
    generator, given = generator_of(task_id), dict[str, Any]()
    for name, file in files.items():
        if name not in generator.made_from:
            able = ", ".join(other for other, maker in generated().items() if name in generator_named(maker).made_from)
            raise BadSetting(f"--{name}: {task_id!r} takes no such file; {able} would")
        given |= generator.made_from[name](file)
    if not as_published:
        return tuple(partial(draw, **given) for draw in generator.draws)
    if generator.as_published is None:
        raise BadSetting(f"--as-published: {task_id!r} is made as published already; leave the option out")
    return (generator.as_published,)
