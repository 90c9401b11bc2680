"""The fields of a study's rules on workers: a table of sections, one for each rule, and what builds them."""

from dataclasses import dataclass
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
SHARE = 0.05


@dataclass(frozen=True)
class Entry:
    """A field after the action: a number in steps of `step`, 1 for a whole one; `empty` says what none means.

    `shown`: it is in sight before another field asks for it.
    """

    name: str
    label: str
    step: float = 1
    empty: str = ""
    shown: bool = True


@dataclass(frozen=True)
class Section:
    """A rule as the form shows it; `flags`: it can do no more than write an event."""

    rule: str
    title: str
    hint: str
    entries: tuple[Entry, ...]
    flags: bool = False


BEFORE, LAST = Entry("minimum", "Answers before it looks"), Entry("window", "Of the last")
SECTIONS = (
    Section(
        "control",
        "Control items",
        "Right answers are known; workers cannot tell these items from the others. By probability it finds who is "
        "unlikely to be better than half way from a guesser to a worker with 90%, by plain share who has fewer right.",
        (
            Entry("test", "Test"),
            Entry("doubt", "Probability below", 0.01),
            Entry("share", "Share right below", SHARE, shown=False),
            Entry("minimum", "Controls before it looks"),
            Entry("window", "Last controls only", empty="all"),
        ),
    ),
    Section(
        "trap",
        "Trap items",
        "Control items whose text says what to answer, as in “choose the second answer here”. Who reads them gets them "
        "right, so one wrong answer is enough to look.",
        (Entry("items", "Ids of such controls", empty="none; separated by commas"), Entry("wrong", "Wrong answers")),
    ),
    Section(
        "fast",
        "Too fast",
        "So many of the last answers took less active time than a limit: seconds, or a share of the median of the "
        "study’s last answers, from 50 of them on. Fill in one of the two; with neither it does not look.",
        (
            Entry("seconds", "Seconds", 0.5, "off"),
            Entry("of_median", "Or share of the median", SHARE, "off"),
            Entry("at_least", "Fast answers"),
            LAST,
        ),
    ),
    Section(
        "constant",
        "One answer all along",
        "One answer nearly always, where the others do not give it that often.",
        (Entry("share", "Share of one answer", SHARE), BEFORE, Entry("crowd", "Others give it less than", SHARE)),
    ),
    Section(
        "pattern",
        "Repeating pattern",
        "The same few answers over and over, as in A, B, A, B.",
        (Entry("longest", "Longest period"), Entry("share", "Share that repeats", SHARE), BEFORE),
    ),
    Section(
        "disagreement",
        "Disagreement with others",
        "So rarely with the majority of the others that, by how workers differ on these items, chance hardly explains "
        "it. It needs no controls, but answers of others.",
        (Entry("tail", "Chance below", 0.01), BEFORE, LAST),
    ),
    Section(
        "copying",
        "The same as another worker",
        "Two workers depart from the others’ majority together. Nothing tells who copied from whom, so nobody is "
        "stopped; who copies from somebody always right is not found.",
        (Entry("share", "Share in common", SHARE), Entry("minimum", "Departures"), LAST),
        flags=True,
    ),
    Section(
        "skips",
        "Skipped items",
        "Many in a row, or a large share of the last ones. Items that were reported do not count.",
        (
            Entry("in_a_row", "In a row"),
            Entry("share", "Or a share above", SHARE),
            LAST,
            Entry("minimum", "Items before it looks"),
        ),
    ),
    Section(
        "attention",
        "Paste and hidden page",
        "Answers with text pasted in, or given after the page was out of sight. There are honest reasons for both, so "
        "nobody is stopped.",
        (Entry("share", "Share above", SHARE), LAST, BEFORE),
        flags=True,
    ),
)
FIELDS = tuple((one.rule, name) for one in SECTIONS for name in ("action", *(entry.name for entry in one.entries)))
"""Every field of the form, in its order."""
OPTIONAL = tuple((one.rule, entry.name) for one in SECTIONS for entry in one.entries if entry.empty)


def build_section(section: Section) -> list[Any]:
    """Build the fields of a rule, with the values they have where nothing was chosen: its action, then its entries."""
    given = getattr(QualityRules(), section.rule)
    heading(section.title, section.hint)
    with gr.Row():
        actions = FLAGS if section.flags else ACTIONS
        action = gr.Dropdown(actions, value=given.action, label="When it finds somebody", min_width=240)
        return [action, *(_built(entry, getattr(given, entry.name)) for entry in section.entries)]


def heading(title: str, hint: str) -> None:
    """Say what the fields below are about."""
    gr.HTML(f'<div class="look report rule"><h2>{title}</h2><p class="hint">{hint}</p></div>', apply_default_css=False)


def _built(entry: Entry, value: Any) -> Any:
    if entry.name == "test":
        return gr.Dropdown(TESTS, value=value, label=entry.label)
    if entry.name == "items":
        return gr.Textbox("", label=entry.label, placeholder=entry.empty, max_length=2000)
    kind: dict[str, Any] = {"precision": 0} if entry.step == 1 else {"step": entry.step}
    return gr.Number(value, label=entry.label, placeholder=entry.empty or None, visible=entry.shown, **kind)
