"""A study's report in one of its formats, and the package: report, scores, judgments, settings, how to read them."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from baseline.comparison.evidence import Evidence, gathered
from baseline.comparison.repeating import to_repeat
from baseline.human.baseline import stored_rules
from baseline.human.released import released
from baseline.output.document import drawn
from baseline.output.rendering import drawn_plain
from baseline.output.score_files import as_json, latex_table, score_frame
from baseline.output.study_report import study_report
from baseline.output.submission import submission_of
from data.errors import BadSetting, UnknownName
from data.submissions import family_of
from data.tables import MEDIA_TYPES, write_frame
from db.engine import Session
from db.studies import Study

MADE = (1980, 1, 1, 0, 0, 0)
TYPES = MEDIA_TYPES | {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "json": "application/json",
    "zip": "application/zip",
}


@dataclass(frozen=True)
class Wish:
    """Which file of a study is wanted, and whose submission."""

    session: Session
    study: Study
    form: str
    respondent: str | None

    def evidence(self) -> Evidence:
        """Return what the report of the study is written from, under its own rules."""
        return gathered(self.session, study=self.study, rules=stored_rules(self.study))


@dataclass(frozen=True)
class Made:
    """A file that was made: its name, its bytes and their type."""

    name: str
    content: bytes
    media_type: str


def file_of(session: Session, *, study: Study, what: str, form: str, respondent: str | None = None) -> Made:
    """Return a file of a study under its own rules; `respondent` is whose submission it is, `human` or `model:NAME`.

    Raises UnknownName for a file there is not, BadSetting for a submission that no leaderboard would take.
    """
    if form not in FORMS.get(what, ()):
        known = [f"{name}.{end}" for name, ends in FORMS.items() for end in ends]
        raise UnknownName("the file", f"{what}.{form}", known)
    content = MAKERS[what](Wish(session, study, form, respondent))
    whose = f"-{respondent.removeprefix('model:')}" if respondent and what == "submission" else ""
    return Made(f"{study.name}-{what}{whose}.{form}".replace("/", "-"), content, TYPES[form])


def package(session: Session, evidence: Evidence) -> bytes:
    """Return the zip of everything that a reader of the report may want, but for the items' texts and gold."""
    report, judgments = study_report(session, evidence), released(session, study=evidence.study)
    files = {
        "README.md": readme(evidence, judgments).encode(),
        "report.html": drawn(report, ".html").encode(),
        "report.md": drawn(report, ".md").encode(),
        "report.tex": drawn(report, ".tex").encode(),
        "scores.tex": latex_table(evidence.results).encode(),
        "scores.csv": write_frame(score_frame(evidence.results), "csv"),
        "results.json": _json(as_json(evidence)),
        "judgments.csv": write_frame(judgments, "csv"),
        "settings.json": _json(to_repeat(evidence)),
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, MADE), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def readme(evidence: Evidence, judgments: pd.DataFrame) -> str:
    """Return what stands beside the files of a package."""
    return drawn_plain(
        "package.md",
        study=evidence.study.name,
        task=evidence.study.task.title.en,
        judgments=len(judgments),
        workers=judgments["worker"].nunique(),
        simulated=evidence.full.human.simulated,
        items=len(evidence.main),
        fingerprint=evidence.fingerprint(),
        licence=evidence.study.task.licence,
        source=evidence.study.task.source,
    )


def _report(wish: Wish) -> bytes:
    evidence = wish.evidence()
    if wish.form == "zip":
        return package(wish.session, evidence)
    if wish.form == "json":
        return _json(as_json(evidence))
    return drawn(study_report(wish.session, evidence), f".{wish.form}").encode()


def _scores(wish: Wish) -> bytes:
    found = wish.evidence().results
    return latex_table(found).encode() if wish.form == "tex" else write_frame(score_frame(found), wish.form)


def _judgments(wish: Wish) -> bytes:
    return write_frame(released(wish.session, study=wish.study), wish.form)


def _settings(wish: Wish) -> bytes:
    return _json(to_repeat(wish.evidence()))


def _submission(wish: Wish) -> bytes:
    if (wish.form == "zip") != family_of(wish.study.task.id).zipped:
        raise BadSetting(f"the submission of {wish.study.task.id} is no .{wish.form} file; take the other ending")
    return submission_of(wish.session, studies=[wish.study], respondent=wish.respondent, changes={}).content


def _json(found: Mapping[str, Any]) -> bytes:
    return json.dumps(found, ensure_ascii=False, indent=1).encode()


MAKERS: dict[str, Callable[[Wish], bytes]] = {
    "report": _report,
    "scores": _scores,
    "judgments": _judgments,
    "settings": _settings,
    "submission": _submission,
}
FORMS: dict[str, tuple[str, ...]] = {
    "report": ("html", "md", "tex", "json", "zip"),
    "scores": ("csv", "jsonl", "parquet", "tex"),
    "judgments": ("csv", "jsonl", "parquet"),
    "settings": ("json",),
    "submission": ("zip", "tsv"),
}
