"""The options that several commands share: the rules by which many answers become one, and the form of a document."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel, field_validator

from baseline.comparison.document import Document
from baseline.comparison.published_scores import as_published
from baseline.human.baseline import changed_rules
from baseline.output.report_file import check_ending, rendered, write_report
from data.commands.options import Command, option_help, with_parameters
from data.console import print_json, print_text, tell
from data.declared import Setting, option
from data.files.prediction_files import ACCEPT_UNREADABLE
from data.human_rules import HUMAN_RULES, choices_in_words
from db.engine import Session, opened, reading
from db.settings import Settings
from db.studies import Study, get_study
from eval.consensus.rules import METHODS
from eval.named_rules import NAMED_RULES
from eval.panel import PanelRules

Rules = Annotated[
    str | None,
    typer.Option(help=f"Published rules, instead of the study's: {', '.join(NAMED_RULES)}. Other options change them."),
]
Seed = Annotated[int | None, typer.Option(help="Seed of random ties and of resampling.")]
ACCEPTED = "Let rows that cannot be read count as wrong, however many there are"
AcceptUnreadable = Annotated[bool, typer.Option(ACCEPT_UNREADABLE, help=f"{ACCEPTED}.")]


NO_CHANGES: Mapping[str, Any] = {}


def _help(rule: Setting) -> str:
    """Return what `--help` says of a rule; more kinds of consensus can be asked for than are stored with a study."""
    choices = rule.choices
    if rule.name == "consensus":
        choices = {name: method.explanation for name, method in METHODS.items()}
    if not choices:
        return option_help(rule, stored=True)
    return ". ".join(filter(None, (f"{rule.title}: {choices_in_words(choices)}", rule.help))) + "."


RULES: dict[str, Any] = {
    "rules": Rules,
    **{name: Annotated[rule.kind | None, typer.Option(help=_help(rule))] for name, rule in HUMAN_RULES.items()},
    "seed": Seed,
}
"""The rules by which judgments become one answer, each with its option."""


def with_rules(*names: str) -> Callable[[Command], Command]:
    """Give a command, which takes `**rules`, the options of these RULES, of all where none is named.

    They stand before those that the command takes by name only. What was not typed is None.
    """
    return with_parameters(
        [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=RULES[name]) for name in names or RULES]
    )


@contextmanager
def study_under(
    name: str, changes: Mapping[str, Any] = NO_CHANGES, *, published: bool = False
) -> Iterator[tuple[Session, Study, PanelRules]]:
    """Read a study of this name and its rules with these changes; its task is scored as `published` if asked for."""
    with opened(Settings().database) as database, reading(database) as session:
        study = get_study(session, name=name)
        study = replace(study, task=as_published(study.task)) if published else study
        yield session, study, changed_rules(study, **changes)


class DocumentForm(BaseModel):
    """In which form a document is printed, or the file it is written to."""

    markdown: bool = option("--markdown", False, "Print Markdown")
    html: bool = option("--html", False, "Print a page of HTML")
    latex: bool = option("--latex", False, "Print LaTeX")
    report: Path | None = option("--report", None, "Write a file: .md, .html or .tex")

    @field_validator("report")
    @classmethod
    def _of_a_form(cls, given: Path | None) -> Path | None:
        """Refuse a file whose ending names no form, before anything is computed."""
        if given:
            check_ending(given)
        return given

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
