"""What is decided about runs on the page of models: which one counts, which are deleted; and several compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from markupsafe import Markup

from baseline.comparison.run_pairs import RunComparison, changed_table, pair_notes, pair_table, setting_table
from baseline.output.html import drawn_with
from baseline.pages.models_service import DECISIONS, ModelsService
from baseline.pages.shown_errors import Updates, safe
from data.errors import BadSetting, UnknownName
from data.limits import LONGEST_REASON

MOST_COMPARED = 6


@dataclass(frozen=True)
class RunDecisions:
    """The components: `asking` asks before anything is done, `what` holds the act and the run; `comparing` compares."""

    asking: gr.Column
    question: gr.HTML
    what: gr.State
    reason: gr.Textbox
    go: gr.Button
    back: gr.Button
    comparing: gr.Column
    compared: gr.HTML
    leave: gr.Button

    @property
    def views(self) -> list[gr.Column]:
        """The two views."""
        return [self.asking, self.comparing]

    @property
    def filled(self) -> list[Any]:
        """The components that are filled when one of them comes into sight."""
        return [self.question, self.what, self.reason, self.go, self.compared]


def build_decisions() -> RunDecisions:
    """Return the two views, empty and out of sight."""
    with gr.Column(elem_classes="requester-page", visible=False) as asking:
        question = gr.HTML("", apply_default_css=False)
        reason = gr.Textbox(label="Why", info="Kept with the event", max_length=LONGEST_REASON, lines=1, max_lines=1)
        with gr.Row(elem_classes="ends"):
            go = gr.Button("Do it", variant="primary", scale=0)
            back = gr.Button("Back to the runs", scale=0)
    with gr.Column(elem_classes="requester-page", visible=False) as comparing:
        compared = gr.HTML("", apply_default_css=False)
        with gr.Row(elem_classes="ends"):
            leave = gr.Button("Back to the runs", scale=0)
    return RunDecisions(asking, question, gr.State(None), reason, go, back, comparing, compared, leave)


@dataclass(frozen=True)
class RunDecisionHandlers:
    """What happens in the two views, each with one call of the service."""

    service: ModelsService
    decisions: RunDecisions

    def ask(self, study: str, act: str, number: int) -> Updates:
        """Show what an act would do, and ask."""
        if act not in DECISIONS:
            raise UnknownName("act", act[:40], DECISIONS)
        title, words = self.service.decision(study, act, number)
        heading = '<div class="look report decision"><h1 tabindex="-1">{}</h1><p class="told">{}</p></div>'
        return {
            self.decisions.question: str(Markup(heading).format(title, words)),
            self.decisions.what: (act, number),
            self.decisions.reason: "",
            self.decisions.go: gr.update(value=title, variant="stop" if act == "delete" else "primary"),
        }

    def decide(self, study: str, given: Mapping[Any, Any], *, who: str) -> None:
        """Do what was asked about."""
        act, number = given[self.decisions.what]
        done = self.service.decide(study, act, number, who=who, reason=given[self.decisions.reason] or "")
        gr.Success(safe(done))

    def compare(self, study: str, runs: Sequence[int]) -> Updates:
        """Show several runs in pairs."""
        if not 2 <= len(runs) <= MOST_COMPARED:
            raise BadSetting(f"tick from 2 to {MOST_COMPARED} runs to compare; {len(runs)} are ticked")
        return {self.decisions.compared: str(draw_comparison(self.service.compare(study, runs)))}


def draw_comparison(comparison: RunComparison) -> Markup:
    """Return runs in pairs: a row for each pair, and folded below the settings and items that differ."""
    changed = [(pair, changed_table(pair)) for pair in comparison.pairs if pair.changed]
    runs = [row.run.id for row in comparison.rows if row.run]
    return drawn_with(
        "run_comparison.html",
        study=comparison.study.name,
        runs=runs,
        table=pair_table(comparison.pairs),
        notes=pair_notes(comparison.pairs),
        settings=setting_table(comparison),
        changed=changed,
    )
