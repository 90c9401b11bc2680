"""Templates of Markdown, LaTeX and plain text, filled in; `html` has those of pages."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"


def drawn_plain(template: str, **seen: Any) -> str:
    """Return a template of plain text filled in, where nothing is to be escaped."""
    return _plain().get_template(template).render(**seen)


def bare(text: str) -> str:
    """Return a text without the marks of HTML, where it has some."""
    return text.striptags() if isinstance(text, Markup) else text


@cache
def _plain() -> Environment:
    return Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=False)


def report_environment(escape: Callable[[object], str], filters: Mapping[str, Callable[..., Any]]) -> Environment:
    """Return an environment that escapes by `escape`; its signs are ones that neither Markdown nor LaTeX uses.

    What one of the `filters` has escaped already is marked, so that it is not escaped twice.
    """
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        finalize=lambda value: str(value) if isinstance(value, Markup) else escape(value),
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    made.filters |= filters
    return made
