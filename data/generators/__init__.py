"""Generators of synthetic items, by the id of their task."""

from data.errors import UnknownName
from data.generators.base import Generator
from data.generators.passkey import passkey, published_passkey

GENERATORS = {"libra/passkey": Generator(passkey, as_published=published_passkey)}


def generator_of(task_id: str) -> Generator:
    """Return the generator of a task; raises UnknownName with the tasks that have one."""
    if task_id not in GENERATORS:
        raise UnknownName("the generator", task_id, GENERATORS)
    return GENERATORS[task_id]
