"""A study as a worker will see it, drawn by the workers' own templates; nothing is stored, nobody is enrolled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import gradio as gr
from markupsafe import Markup

from annotate.consent import Workload, terms_of, workload_of
from annotate.page_templates import template
from annotate.worker import screens
from annotate.worker.view import Feedback, Progress, Sheet, View, earnings
from data.answers.answer_type import AnswerType
from data.drawing.gradio_events import AT_ONCE
from data.errors import BadAnswer, EtalonError
from data.task import Item, Task
from data.wording import Language
from db.engine import Database, reading
from db.items import first_items
from db.studies import get_study
from db.study_settings import SETTINGS, StudySettings

Screen = Literal["consent", "instructions", "training", "feedback", "work"]


@dataclass(frozen=True)
class Scene:
    """What a preview shows: a task, the settings, an item to be answered, a practice item, and how many there are."""

    name: str
    task: Task
    settings: StudySettings
    item: Item | None = None
    practice: Item | None = None
    workload: Workload = field(default_factory=Workload)


def scene_of(database: Database, name: str) -> Scene:
    """Return what the preview of a study shows; raises UnknownName."""
    with reading(database) as session:
        study = get_study(session, name=name)
        main = first_items(session, study=study, role="main", most=1)
        practice = first_items(session, study=study, role="training", most=1)
        workload = workload_of(session, study)
    shown = (main[0] if main else None, practice[0] if practice else None)
    return Scene(name, study.task, study.settings, *shown, workload)


def document(scene: Scene, screen: Screen, language: Language) -> str:
    """Return one screen as a page of its own; a screen for which there is no item says so."""
    view = _view(scene, screen, language)
    terms = terms_of(scene.settings, scene.workload, language)
    shown, sheet = (screens.html(view), screens.sheet(Sheet(view, terms, ()))) if view else ("", "")
    page = template("preview.html")
    return page.render(language=language, screen=Markup(shown), sheet=Markup(sheet), what=screen)


def _view(scene: Scene, screen: Screen, language: Language) -> View | None:
    plain = View(stage=screen, study=scene.name, task=scene.task, language=language)
    earned = earnings(scene.settings)
    if screen in ("consent", "instructions"):
        terms = terms_of(scene.settings, scene.workload, language)
        return replace(plain, earnings=earned, terms=terms, trains=scene.workload.training > 0)
    item = scene.item if screen == "work" else scene.practice
    if item is None:
        return None
    settings, size = scene.settings, max(1, scene.workload.training)
    if screen == "work":
        size = settings.page_main + (0 if settings.sitting else settings.page_controls)
    left = scene.workload.answers(scene.settings) if screen == "work" else size
    shown = replace(plain, item=item.public(), token="preview", progress=Progress(1, size, 1, 0, left))
    if screen != "work" and scene.settings.training_price:
        shown = replace(shown, earnings=earned)
    if screen == "feedback":
        return replace(shown, feedback=_feedback(scene.task, item))
    if screen == "work":
        return replace(shown, earnings=earned, skips_left=scene.settings.max_skips)
    return shown


def _feedback(task: Task, item: Item) -> Feedback:
    """Return what somebody is told who was wrong, where a wrong answer can be thought of; else who was right."""
    asked, gold = task.answer_for(item.fields), item.gold or ""
    wrong = (label for label in _answers(asked, item) if not asked.right(label, gold, item.fields))
    given = next(wrong, None) or asked.best(gold, item.fields)
    return Feedback(given, gold, asked.right(given, gold, item.fields), item.explanation)


def _answers(asked: AnswerType, item: Item) -> Sequence[str]:
    """Return the answers that name one option of an item each, as they are stored."""
    answers = []
    for option in asked.options(item.fields):
        try:
            answers.append(asked.validate(option.label, item.fields))
        except BadAnswer:
            continue
    return answers


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


class Preview:
    """The components of a preview, empty: what is chosen, and the frame; a `narrow` one stands beside a form."""

    def __init__(self, screen: str = "work", *, narrow: bool = False) -> None:
        listed, width = (gr.Dropdown, (130, 130, 120)) if narrow else (gr.Radio, (820, 260, 260))
        with gr.Row(elem_classes="preview-choices"):
            self.choices = (
                listed(SCREENS, value=screen, label="Seen by a worker", min_width=width[0], scale=2),
                listed(WIDTHS, value="wide", label="Width", min_width=width[1]),
                listed(LANGUAGE.options, value="ru", label=LANGUAGE.title, min_width=width[2]),
            )
        self.frame = gr.HTML(apply_default_css=False)


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
        preview = Preview("instructions")

    def html(study: str | None, *chosen: Any) -> Any:
        return draw_preview(lambda: scene_of(database, study), chosen) if study else ""

    begins = [fold.expand, *(choice.input for choice in preview.choices)]
    gr.on(begins, html, [name, *preview.choices], preview.frame, **AT_ONCE)
    fold.collapse(lambda: "", None, preview.frame, **AT_ONCE)
    name.change(lambda: gr.Accordion(open=False), None, fold, **AT_ONCE)
