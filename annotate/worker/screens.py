"""A worker's view as HTML: one template for each stage, and the pages of those whom no study knows."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from annotate.answer_errors import sentence
from annotate.formatting import duration, money, percent
from annotate.page_templates import template
from annotate.worker.completion import graded
from annotate.worker.stages import ACTS
from annotate.worker.view import OpenAnswer, Sheet, View
from data.answers.answer_type import AnswerType, Option
from data.answers.form import Form
from data.drawing.answer_form import (
    NO_MARKS,
    NO_ORDERS,
    OptionMark,
    OptionMarks,
    draw_answered,
    draw_form,
    drawn_parts,
    picked,
)
from data.errors import BadAnswer
from data.limits import LONGEST_MESSAGE
from data.option_order import Orders
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


def form_of(task: Task, item: PublicItem, language: Language, orders: Orders = NO_ORDERS, given: str = "") -> Markup:
    """Return the form of an item, with the canonical answer that is to be changed, if any."""
    if given or not _is_short(item):
        return draw_form(task, item, language, given=given, orders=orders)
    return _form(Same(task), tuple(item.fields.items()), language, tuple(orders.items()))


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


def skip(task: Task, item: PublicItem, skips_left: int, language: Language, *, instead: bool) -> Markup:
    """Return the panel in which an item is reported, `instead` of answering it too, or skipped; so many may still be.

    That no option is right can be said only where options are offered, and a point of a scale is none of these.
    """
    asked = _first(task, item)
    offered = asked.level == "nominal" and type(asked).options is not AnswerType.options
    seen = (("skips_left", skips_left), ("offered", offered), ("longest", LONGEST_MESSAGE), ("instead", instead))
    return _piece("skip.html", language, *seen)


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
def _form(
    same: Same, fields: tuple[tuple[str, str], ...], language: Language, orders: tuple[tuple[str, tuple[str, ...]], ...]
) -> Markup:
    return draw_form(same.task, PublicItem(dict(fields)), language, orders=dict(orders))


@lru_cache(maxsize=1_000)
def _hints(same: Same, fields: tuple[tuple[str, str], ...], language: Language) -> Markup:
    return _piece("keys.html", language, ("keys", keys(same.task, PublicItem(dict(fields)))))


@lru_cache(maxsize=1_000)
def _piece(name: str, language: Language, *seen: tuple[str, object]) -> Markup:
    return Markup(template(name).render(t=texts(language), **dict(seen)))


ASKING = ("training", "work")  # stages in which an item waits for its answer
DRAWN_RIGHT = ("form", "spans")  # kinds whose right answer stands drawn in its place: in words it would be a riddle


def html(view: View) -> str:
    """Return the screen of a view. Nothing but training feedback tells what is right."""
    name = named(view.task, view.language)
    place = f"{view.progress.place} / {view.progress.size} · " if view.item and view.progress else ""
    seen = vars(view) | {
        "no_room_sentence": no_room_sentence(view),
        "waits": bool(view.no_room or (view.tried and view.tried.minutes) or (view.stop and view.stop.waits)),
        "name": name,
        "title": place + name,
        "practice": view.stage in ("training", "feedback"),
        "exam": view.lease_time is not None and view.lease_time.whole,
        "leaves": "finish" in ACTS.get(view.stage, ()),
        "instruction": view.task.instruction.within(view.language),
        "examples": examples(view.task, view.language) if view.stage == "instructions" else [],
        "earnings": _earnings(view),
        "idle": view.stage == "done" and not view.capped and view.earnings is not None and not view.earnings.answers,
        "wait": duration(60 * view.tried.minutes, view.language) if view.tried and view.tried.minutes else "",
    }
    return _render(f"{view.stage}.html", **seen | _parts(view) | _feedback(view))


def named(task: Task, language: Language) -> str:
    """Return the title of a task as workers read it: without the benchmark's name before a colon.

    >>> from data.catalogue.catalog import get_task
    >>> named(get_task("rsg/parus"), "en")
    'Cause or effect'
    """
    title = task.title.within(language)
    plain = title.partition(": ")[2] or title
    return plain[0].upper() + plain[1:]


def no_room_sentence(view: View) -> str:
    """Return why somebody has no place yet, "" for everybody else."""
    full = view.no_room
    mistake = BadAnswer("too_many_places", most=full.most, minutes=full.minutes) if full else None
    return sentence(mistake, view.language) if mistake else ""


def sheet(beside: Sheet) -> str:
    """Return what lies beside every screen: instruction, own work, terms, keys."""
    view = beside.view
    asked = {view.task.answer.kind} | {part.answer.kind for part in getattr(view.task.answer, "parts", ())}
    seen = vars(view) | {
        "name": named(view.task, view.language),
        "practice": view.stage in ("training", "feedback"),
        "instruction": view.task.instruction.within(view.language),
        "examples": examples(view.task, view.language),
        "earnings": _earnings(view),
        "terms": beside.terms,
        "tasks": beside.tasks,
        "graded": graded(view.task),
        "blank": sum(stands != "answered" for _, stands in beside.tasks),
        "answers": [_open_answer(view, number, one) for number, one in enumerate(beside.answers, 1)],
        "carry": return_link(view.return_path, view.language) if view.return_path else "",
        "kinds": asked,
    }
    return _render("sheet.html", **seen)


def _open_answer(view: View, number: int, given: OpenAnswer) -> dict[str, Any]:
    """Return an answer of the open page in words, and its item drawn; a long text is not drawn again."""
    task, language, fields = view.task, view.language, given.item.fields
    words = task.answer_for(fields).words(given.answer, fields).within(language) if given.answer else ""
    form: Markup | str = ""
    if _is_short(given.item) and given.answer:
        name = f"given{number}"
        form = draw_answered(drawn_parts(task, fields, language, given=given.answer, orders=given.orders, name=name))
    return {"number": number, "words": words, "form": form, "token": given.token}


def examples(task: Task, language: Language) -> list[dict[str, Any]]:
    """Return the worked examples of a task: each drawn as an item with its answer given, and the reason."""
    drawn = (
        drawn_parts(task, example.fields, language, given=example.answer, name=f"example{number}")
        for number, example in enumerate(task.examples, 1)
    )
    reasons = (example.explanation.within(language) for example in task.examples)
    return [{"form": draw_answered(seen), "reason": reason} for seen, reason in zip(drawn, reasons, strict=True)]


def no_place(language: Language, reason: str = "uninvited") -> str:
    """Return the screen of somebody who has no place in the study: what happened and what to do."""
    return _render("uninvited.html", language, words=texts(language)[reason])


def uninvited_page(language: Language, reason: str) -> str:
    """Return the whole page for somebody whose link opens nothing, or who has none."""
    return _render("document.html", language, words=texts(language)[reason])


def occupied_page(language: Language, study: str, return_link: str) -> str:
    """Return the whole page that asks before a link replaces the place that the browser holds.

    `return_link` leads back to that place later; "" where the person's own link does.
    """
    seen = {"study": study, "return_link": return_link}
    return _render("occupied.html", language, words=texts(language)["occupied"], **seen)


def _render(file: str, language: Language, **seen: Any) -> str:
    return template(file).render(language=language, t=texts(language), **seen)


def _parts(view: View) -> dict[str, Markup | str | bool]:
    """Return the parts of a view's screen by their names, "" for those it does not have.

    The form is one in which nothing is answered: there is none where an answer is being explained, and of the bar such
    an answer is behind.
    """
    task, item, language, progress = view.task, view.item, view.language, view.progress
    explained = view.stage == "feedback"
    whole = view.lease_time is not None and view.lease_time.whole
    past = 0 if progress is None else progress.answered if whole else progress.place - (not explained)
    return {
        "tongue": language_buttons(language),
        "carry": return_link(view.return_path, language) if view.return_path and not item else "",
        "skip": skip(task, item, view.skips_left, language, instead=view.stage == "work" and not whole) if item else "",
        "form": form_of(task, item, language, view.orders, view.given) if item and not view.feedback else "",
        "hints": hints(task, item, language) if item and view.stage in ASKING else "",
        "folds": any(field.kind == "long" for field in view.task.fields),
        "bar": bar(progress.place, progress.size, past=past) if progress else "",
    }


def _earnings(view: View) -> dict[str, str] | None:
    """Return what a worker has done, in words; no pay where the study pays nothing."""
    done, language = view.earnings, view.language
    if done is None:
        return None
    settings = done.settings
    paid = settings.price > 0 or done.earned > 0 or settings.training_price > 0

    def words(amount: float | None) -> str:
        return money(amount, settings.currency, language) if amount else ""

    return {
        "answers": str(done.answers),
        "time": duration(done.seconds, language) if done.seconds else "",
        "earned": money(done.earned, settings.currency, language) if paid else "",
        "owed": words(done.earned),
        "failed_too": "yes" if settings.pay_failed_training else "",
        "most_answers": str(settings.max_items or ""),
        "most": words(settings.max_pay) if paid else "",
        "price": words(settings.price),
        "practice": words(settings.training_price),
        "bonus": words(settings.bonus),
        "share": percent(settings.bonus_accuracy, language) if settings.bonus else "",
        "after": str(settings.bonus_after) if settings.bonus else "",
    }


def _type(view: View) -> AnswerType:
    return view.task.answer_for(view.item.fields) if view.item else view.task.answer


def _option_marks(view: View) -> OptionMarks:
    """Return what stands beside the options once a training answer is given."""
    feedback, words = view.feedback, texts(view.language)["feedback"]
    if feedback is None or view.item is None:
        return NO_MARKS
    asked = _type(view)
    given = picked(asked, feedback.answer)
    right = given if feedback.right else picked(asked, asked.best(feedback.gold, view.item.fields))
    wrong = {label: OptionMark(right=False, words=words["your_wrong"]) for label in given - right}
    missed = {label: OptionMark(right=True, words=words["the_right"]) for label in right - given}
    return wrong | missed | {label: OptionMark(right=True, words=words["your_right"]) for label in given & right}


def _feedback(view: View) -> dict[str, Any]:
    """Return what the feedback on a training answer says, with the form in which that answer is given."""
    feedback = view.feedback
    if feedback is None or view.item is None:
        return {}
    asked = _type(view)
    words = (
        asked.gold_words(feedback.gold, view.item.fields).within(view.language) if asked.kind not in DRAWN_RIGHT else ""
    )
    drawn = drawn_parts(view.task, view.item.fields, view.language, given=feedback.answer, orders=view.orders)
    return {
        "form": draw_answered(drawn, _option_marks(view)),
        "right": feedback.right,
        "explanation": feedback.explanation,
        "right_words": words.rstrip(". "),
    }
