"""A study as a worker will see it, drawn by the workers' own templates; nothing is stored, nobody is enrolled."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from markupsafe import Markup

from annotate.consent import terms_of
from annotate.page_templates import template
from annotate.worker import screens
from annotate.worker.view import Feedback, Progress, View, earnings
from annotate.workload import Workload, workload_of
from data.answers.answer_type import AnswerType
from data.errors import BadAnswer
from data.task import Item, Task
from data.wording import Language
from db.engine import Database, reading
from db.items import first_items
from db.studies import get_study
from db.study_settings import StudySettings

Screen = Literal["consent", "instructions", "training", "feedback", "work"]


@dataclass(frozen=True)
class Scene:
    """What a preview shows: a task, the settings, an item to be answered, a practice item and how many there are.

    `workload` is what consent tells of the items.
    """

    name: str
    task: Task
    settings: StudySettings
    item: Item | None = None
    practice: Item | None = None
    trainings: int = 0
    workload: Workload = field(default_factory=Workload)


def scene_of(database: Database, name: str) -> Scene:
    """Return what the preview of a study shows; raises UnknownName."""
    with reading(database) as session:
        study = get_study(session, name=name)
        practice = first_items(session, study=study, role="training", most=100)
        main = first_items(session, study=study, role="main", most=1)
        workload = workload_of(session, study)
    return Scene(name, study.task, study.settings, _first(main), _first(practice), len(practice), workload)


def document(scene: Scene, screen: Screen, language: Language) -> str:
    """Return one screen as a page of its own; a screen for which there is no item says so."""
    view = _view(scene, screen, language)
    shown, guide = (Markup(screens.html(view)), Markup(screens.guide(view))) if view else ("", "")
    page = template("preview.html")
    return page.render(language=language, screen=shown, guide=guide, what=screen)


def _view(scene: Scene, screen: Screen, language: Language) -> View | None:
    plain = View(stage=screen, study=scene.name, task=scene.task, language=language)
    earned = earnings(scene.settings)
    if screen in ("consent", "instructions"):
        terms = terms_of(scene.settings, scene.workload, language)
        return replace(plain, earnings=earned, terms=terms, trains=scene.trainings > 0)
    item = scene.item if screen == "work" else scene.practice
    if item is None:
        return None
    size = _page(scene.settings) if screen == "work" else max(1, scene.trainings)
    shown = replace(plain, item=item.public(), token="preview", progress=Progress(1, size, 1, 0))
    if screen != "work" and scene.settings.training_price:
        shown = replace(shown, earnings=earned)
    if screen == "feedback":
        return replace(shown, feedback=_feedback(scene.task, item))
    if screen == "work":
        return replace(shown, earnings=earned, skips_left=scene.settings.max_skips)
    return shown


def _page(settings: StudySettings) -> int:
    return settings.page_main + (0 if settings.sitting else settings.page_controls)


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


def _first(items: Sequence[Item]) -> Item | None:
    return items[0] if items else None
