"""The preview: a screen of the study in a frame of its own, as wide as a computer or a phone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from markupsafe import Markup

from annotate.pages.manage.gradio_events import QUIETLY
from annotate.pages.manage.study_preview import Scene, document, scene_of
from data.errors import EtalonError
from db.engine import Database
from db.study_settings import SETTINGS

SCREENS = [
    ("Consent", "consent"),
    ("Instruction", "instructions"),
    ("Practice", "training"),
    ("Feedback", "feedback"),
    ("Item", "work"),
]
LANGUAGE = SETTINGS["language"]
WIDTHS = [("Computer", "wide"), ("Phone", "phone")]
FRAME = Markup(
    '<div class="preview {width}"><iframe title="Preview: the page of a worker" srcdoc="{page}"></iframe></div>'
)
NOTHING = Markup('<div class="look report"><p class="told">{}</p></div>')


@dataclass(frozen=True)
class Preview:
    """The components of a preview: what is chosen, and the frame."""

    choices: tuple[gr.Radio, ...]
    frame: gr.HTML


def build_preview(screen: str = "work") -> Preview:
    """Build a preview, empty."""
    with gr.Row(elem_classes="preview-choices"):
        choices = (
            gr.Radio(SCREENS, value=screen, label="Screen", min_width=820, scale=2),
            gr.Radio(WIDTHS, value="wide", label="Width", min_width=260),
            gr.Radio(LANGUAGE.options, value="ru", label=LANGUAGE.title, min_width=260),
        )
    return Preview(choices, gr.HTML(apply_default_css=False))


def draw_preview(scene: Callable[[], Scene], chosen: Sequence[Any]) -> str:
    """Return the frame with a screen of the scene, or the sentence that says why there is none."""
    screen, width, language = chosen
    try:
        page = document(scene(), screen, language)
    except EtalonError as error:
        return str(NOTHING.format(str(error)))
    return str(FRAME.format(width=width, page=page))


def build_study_preview(database: Database, name: gr.State) -> None:
    """Build the preview of the study whose name `name` holds, in a fold that is shut."""
    with gr.Accordion("Preview as a worker", open=False, elem_classes="fold") as fold:
        preview = build_preview("instructions")

    def html(study: str | None, *chosen: Any) -> Any:
        return draw_preview(lambda: scene_of(database, study), chosen) if study else ""

    begins = [fold.expand, *(choice.input for choice in preview.choices)]
    gr.on(begins, html, [name, *preview.choices], preview.frame, queue=False, **QUIETLY)
    fold.collapse(lambda: "", None, preview.frame, queue=False, **QUIETLY)
    name.change(lambda: gr.Accordion(open=False), None, fold, queue=False, **QUIETLY)
