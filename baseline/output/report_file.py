"""A report in the form that the ending of its file names."""

from collections.abc import Callable
from pathlib import Path

from baseline.comparison.document import Document
from baseline.output.html import report_html
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
    """Write a report in the format that the file's ending names."""
    check_ending(path)
    write_to(path, rendered(document, path.suffix.lower()).encode())


FORMATS: dict[str, Callable[[Document], str]] = {".md": report_markdown, ".html": report_html, ".tex": report_latex}
