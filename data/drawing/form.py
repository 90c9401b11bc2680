"""An item as the form in which it is answered: it takes only what the public may see of an item."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from data.drawing.environment import environment
from data.task import PublicItem, Task
from data.wording import Language


@dataclass(frozen=True)
class Mark:
    """What is said beside an option once it is known to be right or wrong."""

    right: bool
    words: str


Marks = Mapping[str, Mark]
NO_MARKS: Marks = MappingProxyType({})


def draw_form(
    task: Task, item: PublicItem, language: Language, *, chosen: str = "", locked: bool = False, marks: Marks = NO_MARKS
) -> Markup:
    """Return the form of an item: its texts under their titles, the question as legend, one row for each option.

    `chosen` is the label of the answer already given, `locked` shows it without letting anybody change it, `marks` says
    what is right and wrong by label.
    """
    page = environment().get_template("form.html")
    seen = parts(task, item.fields, language)
    return Markup(page.render(**seen, answerable=True, chosen=chosen, locked=locked, marks=marks, votes=None))


def parts(task: Task, fields: Mapping[str, str], language: Language) -> dict[str, Any]:
    """Return what every drawing of an item is made of, for a template's context."""
    return {
        "language": language,
        "texts": [
            {"kind": declared.kind, "title": declared.title.within(language), "text": text.within(language)}
            for declared in task.fields
            if declared.kind not in ("question", "option")
            for text in [task.shown(declared.name, fields[declared.name])]
        ],
        "legend": task.legend(fields).within(language),
        "answer_kind": task.answer.kind,
        "options": [
            {"label": option.label, "key": option.key, "words": option.words.within(language)}
            for option in task.answer.options(fields)
        ],
    }
