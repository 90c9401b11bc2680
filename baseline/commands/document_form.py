"""The forms in which a command prints a document, or writes it to a file: options, and what is done with them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from baseline.comparison.document import Document
from baseline.output.report_file import check_ending, rendered, write_report
from data.console import print_json, print_text, tell
from data.declared import option


class DocumentForm(BaseModel):
    """In which form a document is printed, or the file it is written to."""

    markdown: bool = option("--markdown", False, "Print Markdown")
    html: bool = option("--html", False, "Print a page of HTML")
    latex: bool = option("--latex", False, "Print LaTeX")
    report: Path | None = option("--report", None, "Write a file: .md, .html or .tex")

    def check(self) -> None:
        """Refuse a file whose ending names no form, before anything is computed."""
        if self.report:
            check_ending(self.report)

    def show(self, document: Callable[[], Document], words: Callable[[], str], data: Mapping[str, Any] | None) -> None:
        """Print or write the document as was asked for: as `data` where there is some, in `words` without a form."""
        forms = {".md": self.markdown, ".html": self.html, ".tex": self.latex}
        form = next((ending for ending, wanted in forms.items() if wanted), "")
        if self.report:
            made = document()
            write_report(self.report, made)
            tell(f"{self.report}: {made.title}")
        if data is not None:
            print_json(data)
        elif form:
            print_text(rendered(document(), form))
        elif not self.report:
            print_text(words())
