"""The fields of a study's rules on workers: one section for each rule, in the order of FIELDS."""

from typing import Any

import gradio as gr

from db.rules import QualityRules

ACTIONS = [
    ("Do nothing", "none"),
    ("Write an event", "flag"),
    ("Pause the worker", "pause"),
    ("Exclude the worker", "exclude"),
]
FLAGS = ACTIONS[:2]
TESTS = [("Probability", "posterior"), ("Plain share", "threshold")]
CONTROLS = (
    "Right answers are known; workers cannot tell these items from the others. By probability it finds who is unlikely "
    "to be better than half way from a guesser to a worker with 90%, by plain share who has fewer right."
)
TRAPS = (
    "Control items whose text says what to answer, as in “choose the second answer here”. Who reads them gets them "
    "right, so one wrong answer is enough to look."
)
FIELDS = (
    ("control", "action"),
    ("control", "test"),
    ("control", "doubt"),
    ("control", "share"),
    ("control", "minimum"),
    ("control", "window"),
    ("trap", "action"),
    ("trap", "items"),
    ("trap", "wrong"),
    ("fast", "action"),
    ("fast", "seconds"),
    ("fast", "at_least"),
    ("fast", "window"),
    ("constant", "action"),
    ("constant", "share"),
    ("constant", "minimum"),
    ("constant", "crowd"),
    ("pattern", "action"),
    ("pattern", "longest"),
    ("pattern", "share"),
    ("pattern", "minimum"),
    ("disagreement", "action"),
    ("disagreement", "tail"),
    ("disagreement", "minimum"),
    ("disagreement", "window"),
    ("copying", "action"),
    ("copying", "share"),
    ("copying", "minimum"),
    ("copying", "window"),
    ("skips", "action"),
    ("skips", "in_a_row"),
    ("skips", "share"),
    ("skips", "window"),
    ("skips", "minimum"),
    ("attention", "action"),
    ("attention", "share"),
    ("attention", "window"),
    ("attention", "minimum"),
)
OPTIONAL = (("control", "window"), ("fast", "seconds"))


def build_control() -> list[Any]:
    """Build the section of the rule on controls."""
    given = QualityRules().control
    heading("Control items", CONTROLS)
    with gr.Row():
        return [
            _action(given.action),
            gr.Dropdown(TESTS, value=given.test, label="Test"),
            gr.Number(given.doubt, label="Probability below", step=0.01),
            gr.Number(given.share, label="Share right below", step=0.05, visible=False),
            _whole(given.minimum, "Controls before it looks"),
            _whole(None, "Last controls only", placeholder="all"),
        ]


def build_others() -> list[Any]:
    """Build the sections of the other rules, in the order of FIELDS."""
    given = QualityRules()
    return [
        *_trap(given),
        *_fast(given),
        *_constant(given),
        *_pattern(given),
        *_disagreement(given),
        *_copying(given),
        *_skips(given),
        *_attention(given),
    ]


def heading(title: str, hint: str) -> None:
    """Say what the fields below are about."""
    gr.HTML(f'<div class="look report rule"><h2>{title}</h2><p class="hint">{hint}</p></div>', apply_default_css=False)


def _trap(given: QualityRules) -> list[Any]:
    heading("Trap items", TRAPS)
    with gr.Row():
        return [
            _action(given.trap.action),
            gr.Textbox("", label="Ids of such controls", placeholder="none; separated by commas", max_length=2000),
            _whole(given.trap.wrong, "Wrong answers"),
        ]


def _fast(given: QualityRules) -> list[Any]:
    heading("Too fast", "So many of the last answers took less than so many seconds of active time.")
    with gr.Row():
        return [
            _action(given.fast.action),
            gr.Number(None, label="Seconds", step=0.5, placeholder="off"),
            _whole(given.fast.at_least, "Fast answers"),
            _whole(given.fast.window, "Of the last"),
        ]


def _constant(given: QualityRules) -> list[Any]:
    heading("One answer all along", "One answer nearly always, where the others do not give it that often.")
    with gr.Row():
        return [
            _action(given.constant.action),
            _share(given.constant.share, "Share of one answer"),
            _whole(given.constant.minimum, "Answers before it looks"),
            _share(given.constant.crowd, "Others give it less than"),
        ]


def _pattern(given: QualityRules) -> list[Any]:
    heading("Repeating pattern", "The same few answers over and over, as in A, B, A, B.")
    with gr.Row():
        return [
            _action(given.pattern.action),
            _whole(given.pattern.longest, "Longest period"),
            _share(given.pattern.share, "Share that repeats"),
            _whole(given.pattern.minimum, "Answers before it looks"),
        ]


def _disagreement(given: QualityRules) -> list[Any]:
    heading(
        "Disagreement with others",
        "So rarely with the majority of the others that, by how workers differ on these items, chance hardly explains "
        "it. It needs no controls, but answers of others.",
    )
    with gr.Row():
        return [
            _action(given.disagreement.action),
            gr.Number(given.disagreement.tail, label="Chance below", step=0.01),
            _whole(given.disagreement.minimum, "Answers before it looks"),
            _whole(given.disagreement.window, "Of the last"),
        ]


def _copying(given: QualityRules) -> list[Any]:
    heading(
        "The same as another worker",
        "Two workers depart from the others’ majority together. Nothing tells who copied from whom, so nobody is "
        "stopped; who copies from somebody always right is not found.",
    )
    with gr.Row():
        return [
            _action(given.copying.action, FLAGS),
            _share(given.copying.share, "Share in common"),
            _whole(given.copying.minimum, "Departures"),
            _whole(given.copying.window, "Of the last"),
        ]


def _skips(given: QualityRules) -> list[Any]:
    heading("Skipped items", "Many in a row, or a large share of the last ones. Items that were reported do not count.")
    with gr.Row():
        return [
            _action(given.skips.action),
            _whole(given.skips.in_a_row, "In a row"),
            _share(given.skips.share, "Or a share above"),
            _whole(given.skips.window, "Of the last"),
            _whole(given.skips.minimum, "Items before it looks"),
        ]


def _attention(given: QualityRules) -> list[Any]:
    heading(
        "Paste and hidden page",
        "Answers with text pasted in, or given after the page was out of sight. There are honest reasons for both, so "
        "nobody is stopped.",
    )
    with gr.Row():
        return [
            _action(given.attention.action, FLAGS),
            _share(given.attention.share, "Share above"),
            _whole(given.attention.window, "Of the last"),
            _whole(given.attention.minimum, "Answers before it looks"),
        ]


def _action(value: str, actions: list[tuple[str, str]] = ACTIONS) -> gr.Dropdown:
    return gr.Dropdown(actions, value=value, label="When it finds somebody")


def _share(value: float, label: str) -> gr.Number:
    return gr.Number(value, label=label, step=0.05)


def _whole(value: int | None, label: str, placeholder: str | None = None) -> gr.Number:
    return gr.Number(value, label=label, precision=0, placeholder=placeholder)
