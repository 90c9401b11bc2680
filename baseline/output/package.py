"""The package of a study: its report, scores, judgments without names, settings, and how to read them."""

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import pandas as pd

from baseline.comparison.evidence import Evidence
from baseline.comparison.repeating import to_repeat
from baseline.human.released import released
from baseline.output.document import drawn
from baseline.output.rendering import drawn_plain
from baseline.output.score_files import as_json, latex_table, score_frame
from baseline.output.study_report import study_report
from data.tables import write_frame
from db.engine import Session

MADE = (1980, 1, 1, 0, 0, 0)


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
        "results.json": as_json_bytes(as_json(evidence)),
        "judgments.csv": write_frame(judgments, "csv"),
        "settings.json": as_json_bytes(to_repeat(evidence)),
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


def as_json_bytes(found: Mapping[str, Any]) -> bytes:
    """Return plain data as the JSON of a file."""
    return json.dumps(found, ensure_ascii=False, indent=1).encode()
