"""Tables, sections and documents in every form: text for a terminal, Markdown, HTML and LaTeX, and files of reports."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

from baseline.comparison.document import Document, Section
from baseline.output.html import TEMPLATES, bare, figure_file, report_environment, styles
from baseline.output.latex import latex_environment
from data.drawing.environment import environment
from data.errors import BadSetting
from data.files.saving import write_to
from data.tables import Table, markdown_table, text_table

SIGNS = re.compile(r"([\\`*_\[\]<>|#~$&])")


def text(tables: Iterable[Table[Any]], notes: Sequence[str] = ()) -> str:
    """Return tables, each under its caption where it has one, and then the notes."""
    parts = [f"{each.caption}\n" * bool(each.caption) + text_table(each) for each in tables]
    return "\n\n".join([*parts, *(["\n".join(f"note: {note}" for note in notes)] if notes else [])])


def markdown(tables: Iterable[Table[Any]], notes: Sequence[str] = ()) -> str:
    """Return the same as Markdown."""
    parts = [f"**{each.caption}**\n\n" * bool(each.caption) + markdown_table(each) for each in tables]
    return "\n\n".join([*parts, *(["\n".join(f"- {note}" for note in notes)] if notes else [])])


def section_text(section: Section) -> str:
    """Return an analysis as a command of its own prints it: what it says, its tables, and notes below them."""
    return "\n\n".join(filter(None, ("\n".join(section.lines), text(section.tables, section.notes))))


def document_text(document: Document) -> str:
    """Return a document as it is read in a terminal."""
    parts = [f"{document.title}\n{document.about}"]
    for section in document.sections:
        head = filter(None, (section.title, bare(section.lead)))
        lines = [*head, *map(bare, section.lines), *(f"note: {note}" for note in section.notes)]
        parts.append("\n\n".join(filter(None, ("\n".join(lines), text(section.tables)))))
    return "\n\n".join(parts)


def rendered(document: Document, ending: str) -> str:
    """Return the document in the format of a file's ending, one of FORMATS; HTML opens without a network."""
    return FORMATS[ending]().get_template(f"report{ending}.jinja").render(document=document, **styles())


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


def escaped(text: object) -> str:
    """Return `text` so that Markdown shows it as it is, in a cell of a table too; line breaks become spaces."""
    return SIGNS.sub(r"\\\1", " ".join(str(text).split()))


@cache
def _markdown_environment() -> Environment:
    filters: dict[str, Callable[[Any], str]] = {
        "plain": Markup,
        "bare": bare,
        "markdown": lambda table: Markup(markdown_table(table, escaped)),
    }
    return report_environment(escaped, filters)


FORMATS: dict[str, Callable[[], Environment]] = {
    ".md": _markdown_environment,
    ".html": partial(environment, TEMPLATES),
    ".tex": latex_environment,
}
"""What fills in the template of a report, by the ending of its file."""
