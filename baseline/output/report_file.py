"""A report in the form that the ending of its file names, with its figures beside it where that form links them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from baseline.comparison.document import Document
from baseline.output.html import figure_file, report_html
from baseline.output.latex import report_latex
from baseline.output.markdown import report_markdown
from data.errors import BadSetting
from data.files.saving import write_to


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


FORMATS: dict[str, Callable[[Document], str]] = {".md": report_markdown, ".html": report_html, ".tex": report_latex}
