"""Pieces of a screen that many workers see alike: drawn once, kept, and put into the next screen as they are."""

from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from annotate.page_templates import template
from data.answers.answer_type import AnswerType, Option
from data.answers.form import Form
from data.drawing.answer_form import draw_form
from data.limits import LONGEST_MESSAGE
from data.task import PublicItem, Task
from data.wording import Language, languages, texts

SHORT = 2_000  # characters of an item whose pieces are kept; a long text would fill the memory


@dataclass(frozen=True, eq=False)
class Same:
    """A task told apart by identity: the studies of one snapshot share one task, and hashing its parts costs time."""

    task: Task

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.task is self.task

    def __hash__(self) -> int:
        return id(self.task)


def form(task: Task, item: PublicItem, language: Language) -> Markup:
    """Return the form of an item in which nothing is answered yet."""
    if not _is_short(item):
        return draw_form(task, item, language)
    return _form(Same(task), tuple(item.fields.items()), language)


def bar(place: int, size: int, *, past: int) -> Markup:
    """Return the marks of a page of `size` items: `past` are behind, the worker is at `place` (from 1)."""
    return _piece("bar.html", languages()[0], ("place", place), ("size", size), ("past", past))


def hints(task: Task, item: PublicItem, language: Language) -> Markup:
    """Return what the keys do at an item."""
    if not _is_short(item):
        return _piece("keys.html", language, ("keys", keys(task, item)))
    return _hints(Same(task), tuple(item.fields.items()), language)


def keys(task: Task, item: PublicItem) -> tuple[str, ...]:
    """Return the keys that choose an option of the item, or of a form's first question: one digit or two."""
    keys_shown = (option.key for option in _options(task, item) if len(option.key) <= 2)
    return tuple(sorted(keys_shown, key=lambda key: (len(key), key)))


def language_buttons(language: Language) -> Markup:
    """Return the buttons that show the page in each of the other languages."""
    others = ((code, texts(code)["language"]) for code in languages() if code != language)
    return _piece("tongue.html", language, ("others", tuple((code, own["short"], own["name"]) for code, own in others)))


def return_link(return_path: str, language: Language) -> Markup:
    """Return the way back from another device."""
    return _piece("return.html", language, ("return_path", return_path))


def skip(task: Task, item: PublicItem, skips_left: int, language: Language) -> Markup:
    """Return the panel in which an item is given back; so many may still be.

    That no option is right can be said only where options are offered, and a point of a scale is none of these.
    """
    offered = _first(task, item).level == "nominal" and bool(_options(task, item))
    return _piece("skip.html", language, ("skips_left", skips_left), ("offered", offered), ("longest", LONGEST_MESSAGE))


def _first(task: Task, item: PublicItem) -> AnswerType:
    """Return what the item asks, of a form what its first scored part does."""
    asked = task.answer_for(item.fields)
    return asked.scored[0].answer if isinstance(asked, Form) else asked


def _options(task: Task, item: PublicItem) -> tuple[Option, ...]:
    """Return what that can be answered with, where it can be listed."""
    asked, fields = task.answer_for(item.fields), item.fields
    return _first(task, item).options(asked.question_fields(fields)[0] if isinstance(asked, Form) else fields)


def _is_short(item: PublicItem) -> bool:
    return sum(map(len, item.fields.values())) <= SHORT


@lru_cache(maxsize=1_000)
def _form(same: Same, fields: tuple[tuple[str, str], ...], language: Language) -> Markup:
    return draw_form(same.task, PublicItem(dict(fields)), language)


@lru_cache(maxsize=1_000)
def _hints(same: Same, fields: tuple[tuple[str, str], ...], language: Language) -> Markup:
    return _piece("keys.html", language, ("keys", keys(same.task, PublicItem(dict(fields)))))


@lru_cache(maxsize=1_000)
def _piece(name: str, language: Language, *seen: tuple[str, object]) -> Markup:
    return Markup(template(name).render(t=texts(language), **dict(seen)))
