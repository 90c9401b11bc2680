"""What somebody wants of a study as a file: from what it is to be made, and which of the files it is."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from data.table_files import MEDIA_TYPES, Download, Export, needed_form
from db.cache import fingerprints
from db.engine import Database, Session, reading
from db.studies import Study, get_study


@dataclass(frozen=True)
class ExportRequest:
    """From what a file is made: a study, and for what is computed the choices of whoever asks.

    `respondent` is whose answers are wanted (`human`, `model:NAME`), None for all that there are; `rules` are changes
    by name to those stored with the study; `smoothing` is added to the votes of soft labels; a submission holds the
    `others` beside the study. A dataset has tables of the form `table`, the `hidden` columns too, and a `split` of its
    rows. `tell` is given what is to be said beside the file.
    """

    session: Session
    study: Study
    respondent: str | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    smoothing: float = 0.0
    others: Sequence[Study] = ()
    table: str = "csv"
    hidden: bool = False
    split: bool = False
    tell: Callable[[str], None] = lambda _: None


@dataclass(frozen=True)
class FileRequest:
    """Which file of which study: one of `exports`; `choices` are fields of ExportRequest by name."""

    exports: Mapping[str, Export[ExportRequest]]
    study: str
    what: str
    form: str
    choices: Mapping[str, Any] = field(default_factory=dict)

    def key(self, database: Database) -> Hashable:
        """Return what tells this file of the study as it is now from all others; raises UnknownName."""
        needed_form(self.exports, self.what, self.form)
        with reading(database) as session:
            study = get_study(session, name=self.study)
            mark = fingerprints(session, study_id=study.id).get(study.id, ())
        return study.id, self.what, self.form, *sorted(self.choices.items()), mark

    def made(self, database: Database) -> Download:
        """Return the file; raises EtalonError."""
        with reading(database) as session:
            study = get_study(session, name=self.study)
            asked = ExportRequest(session, study, **self.choices)
            content = needed_form(self.exports, self.what, self.form)(asked)
        whose = f"-{asked.respondent.removeprefix('model:')}" if asked.respondent else ""
        name = f"{self.study}-{self.what}{whose}.{self.form}".replace("/", "-")
        return Download(name, content, MEDIA_TYPES[self.form])
