"""Reports and tables as text for a terminal, Markdown, HTML and LaTeX, and as a file with its figures beside it."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

from baseline.comparison.document import Document
from baseline.output.html import bare, figure_file, report_environment, report_html
from baseline.output.latex import report_latex
from data.errors import BadSetting
from data.files.saving import write_to
from data.table_text import markdown_table
from data.tables import Table


def rendered(document: Document, ending: str) -> str:
    """Return the document in the format of a file's ending, one of FORMATS."""
    return FORMATS[ending](document)


def check_ending(path: Path) -> None:
    """Refuse (BadSetting) a file whose ending names no format, before anything is computed for it."""
    if path.suffix.lower() not in FORMATS:
        raise BadSetting(f"{path}: a report ends in {', '.join(FORMATS)}; name the file so.")


def write_report(path: Path, document: Document) -> None:
    """Write a report in the format that the file's ending names; Markdown links figures, which are files beside it."""
    check_ending(path)
    ending = path.suffix.lower()
    beside = _with_images(document, path.with_name(f"{path.stem}-figures")) if ending == ".md" else document
    write_to(path, rendered(beside, ending).encode())


def _with_images(document: Document, folder: Path) -> Document:
    """Return a document whose sections name the files of their figures, which are written into a folder."""
    sections = []
    for number, section in enumerate(document.sections, 1):
        svg = figure_file(section.figure) if section.figure else None
        file = folder / f"{number:02d}.svg"
        if svg:
            folder.mkdir(exist_ok=True)
            write_to(file, svg.encode())
        sections.append(replace(section, image=quote(f"{folder.name}/{file.name}") if svg else ""))
    return replace(document, sections=tuple(sections))


SIGNS = re.compile(r"([\\`*_\[\]<>|#~$&])")


def markdown(tables: Iterable[Table[Any]], notes: Sequence[str] = (), *, captions: bool = True) -> str:
    """Return tables, each under its caption where it has one and `captions` are wanted, and then the notes."""
    parts = [
        f"**{each.caption}**\n\n{markdown_table(each)}" if captions and each.caption else markdown_table(each)
        for each in tables
    ]
    return "\n\n".join([*parts, *(["\n".join(f"- {note}" for note in notes)] if notes else [])])


def escaped(text: object) -> str:
    """Return `text` so that Markdown shows it as it is, in a cell of a table too; line breaks become spaces."""
    return SIGNS.sub(r"\\\1", " ".join(str(text).split()))


def report_markdown(document: Document) -> str:
    """Return a report as Markdown."""
    return _environment().get_template("report.md.jinja").render(document=document)


@cache
def _environment() -> Environment:
    filters: dict[str, Callable[[Any], str]] = {
        "plain": Markup,
        "bare": bare,
        "markdown": lambda table: Markup(markdown_table(table, escaped)),
    }
    return report_environment(escaped, filters)


FORMATS: dict[str, Callable[[Document], str]] = {".md": report_markdown, ".html": report_html, ".tex": report_latex}
