"""Uses the setting of a study that was added, wherever settings of studies stand."""

from dataclasses import replace
from runpy import run_path
from typing import Any

import gradio as gr

from annotate.accounts.signer import Signer
from annotate.pages.manage.rules_tab import RulesForm
from annotate.pages.manage.study_form import StudyForm
from annotate.pages.manage.study_tabs import SettingsTab
from annotate.pages.manage.workers_tab import draw_events
from annotate.requesters.requester_service import RequesterService
from db.engine import Database
from db.study_settings import SETTINGS


def seen_of_rest(database: Database, study: str) -> dict[str, Any]:
    """Return what is seen of it in a study that was created with 2.5 minutes of rest."""
    requesters = RequesterService(database, Signer("a secret for tests"), "https://etalon.example")
    with gr.Blocks():
        new = StudyForm().parts["rest"]
        with gr.Tabs(), gr.Tab() as settings:
            tab = SettingsTab(requesters, gr.State(None), settings)
        running = tab.fields["rest"]
        minimum = RulesForm(requesters.oversight, gr.State(None)).minimum.label
    values = requesters.oversight.settings(study) | {"ethics": "Exempted by our board."}
    drawn = tab.filled(replace(requesters.oversight.study(study), origin="imported"), values)
    changed = requesters.oversight.change(study, {"rest": None}, who="anna")
    documentation = run_path("docs/tables.py")["current"]("settings.md")
    return {
        "new": [type(new).__name__, new.label, new.info],
        "running": [type(running).__name__, running.label, running.info],
        "changed": changed,
        "counted": [drawn[fold]["label"] for fold in tab.describing.folds.values()],
        "questions": drawn[tab.note],
        "of_imported": sorted(name for name in tab.collecting.of if drawn[tab.fields[name]]["visible"]),
        "folds_of_imported": [name for name, fold in tab.collecting.folds.items() if drawn[fold]["visible"]],
        "minimum": minimum == SETTINGS["hourly_minimum"].title,
        "event": "Minutes of rest: <bdi>2.5</bdi> → <bdi>none</bdi>" in draw_events(requesters.oversight.events(study)),
        "documented": [row for row in documentation.splitlines() if "`rest`" in row],
    }
