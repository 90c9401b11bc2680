"""The templates of this room, drawn."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from data.drawing.environment import environment

TEMPLATES = Path(__file__).parent / "templates"


def drawn_with(template: str, **seen: Any) -> Markup:
    """Return a template of this room filled in, everything escaped."""
    return Markup(environment(TEMPLATES).get_template(template).render(**seen))


def drawn_plain(template: str, **seen: Any) -> str:
    """Return a template of plain text filled in, where nothing is to be escaped."""
    return _plain().get_template(template).render(**seen)


@cache
def _plain() -> Environment:
    return Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=False)
