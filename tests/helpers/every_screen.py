"""Every screen that workers and those who sign in see, drawn in a language; as a program it prints them."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, get_args

from annotate.accounts import login
from annotate.consent import Workload, terms_of
from annotate.worker import screens
from annotate.worker.page_files import document
from annotate.worker.stages import Stage
from annotate.worker.view import (
    Completion,
    Earnings,
    Feedback,
    Grade,
    LeaseTime,
    NoRoom,
    OpenAnswer,
    Progress,
    Sheet,
    Stop,
    Tried,
    View,
)
from data.answers.replies import loaded
from data.catalogue.catalog import get_task, samples
from data.drawing.answer_form import draw_review
from data.task import Item, as_dict
from data.wording import Language, Wording, texts
from db.accounts import ROLES, Account
from db.records import Appeal
from db.study_settings import StudySettings
from eval.metrics.use_points import FULL, ExamPoints
from eval.workers.table import RULES

TASKS = (
    "rsg/terra", "rsg/rucos", "rsg/muserc", "agrr/full", "libra/passkey", "own/rating", "own/pairwise", "use",
    "writing/abstract", "ruscontext/ellipsis", "writing/validate",
)  # fmt: skip
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
PAYS = {"price": 2.0, "bonus": 1.0, "training_price": 1.0, "max_hours": 2.0}
EARNED = Earnings(3, 4000.0, 6.0, StudySettings(**PAYS))
WROTE = (Appeal("w-1", "a", MOMENT, "b", "anna", MOMENT), Appeal("w-1", "c", MOMENT))
REFUSED = ("uninvited", "wrong_link", "needs_platform", "needs_personal", "needs_signature")


def every_screen(language: Language) -> dict[str, str]:
    """Return all screens by a name."""
    return {name: html for draw in (of_workers, of_items, of_others) for name, html in draw(language)}


def of_workers(language: Language) -> Iterator[tuple[str, str]]:
    task = get_task(TASKS[0])
    item = next(one for one in samples(task) if one.role == "main")
    plain = View("work", "s", task, language, token="1.a", earnings=EARNED, worker="w-1", return_path="/join/s/k")
    plain = replace(plain, completion=Completion("CODE", "https://example.org", part=True), trains=True)
    plain = replace(plain, terms=terms_of(StudySettings(), Workload(), language))
    for stage in get_args(Stage):
        view = replace(plain, stage=stage, **asked(stage, item))
        yield stage, screens.html(view)
        yield f"{stage} of a newcomer", screens.html(replace(view, newcomer=True, earnings=None, capped=True))
    for settings in ({}, PAYS, {"sitting": True}, {"contact": "a@example.org", "notice": "¤", "consent": "¤"} | PAYS):
        terms = terms_of(StudySettings.model_validate(settings), Workload(20, 5, 5, variant=20), language)
        yield f"consent {settings}", screens.html(replace(plain, stage="consent", terms=terms))
    for why in {"people", *(rule.stopped_text for rule in RULES.values())}:
        for said in (WROTE, WROTE[:1], ()):
            stop = Stop(why, "w-1", decide=not said, messages=said, often=len(said) == 1, a_day=3)
            yield f"stopped {why} {len(said)}", screens.html(replace(plain, stage="stopped", stop=stop))
    for most in (5, int(FULL)):
        grade = Grade(ExamPoints(3, most), (("1", ExamPoints(1, 1)),))
        yield f"grade of {most}", screens.html(replace(plain, stage="done", grade=grade))
    for left in (3, 1):
        sat = replace(plain, item=item.public(), lease_time=LeaseTime(600, 600, 900, whole=True, ends=True))
        yield f"exam {left}", screens.html(replace(sat, progress=Progress(2, 8, 1, 8 - left, left)))
    for minutes in (0, 70):
        yield f"again {minutes}", screens.html(replace(plain, stage="again", tried=Tried(1, 5, 4, 1, minutes)))


def asked(stage: Stage, item: Item) -> dict[str, Any]:
    """Return what belongs to a stage besides."""
    if stage in ("stopped", "on_hold"):
        return {"stop": Stop("people", "w-1", "lab@example.org")}
    if stage == "no_room":
        return {"no_room": NoRoom(30, 12, "v1")}
    if stage == "again":
        return {"tried": Tried(1, 5, 4, 1)}
    if stage in ("training", "feedback", "work"):
        wrong = Feedback("not_entailment" if item.gold == "entailment" else "entailment", item.gold or "", False, "")
        shown = {"item": item.public(), "progress": Progress(2, 8, 2, 9, 3, or_more=True)}
        return shown | {"skips_left": 3, "can_undo": True, "feedback": wrong if stage == "feedback" else None}
    return {}


def of_items(language: Language) -> Iterator[tuple[str, str]]:
    for task in map(get_task, TASKS):
        item = next(one for one in samples(task) if one.role == "main" or task.answer.kind == "write")
        view = View("work", "s", task, language, item=item.public(), token="1.a", progress=Progress(1, 8, 1, 0))
        yield f"{task.id} work", screens.html(view)
        beside = View("work", "s", task, language, worker="w-1", earnings=EARNED, progress=Progress(2, 8, 2, 9, 3))
        given = OpenAnswer(item.public(), "", "1.b"), OpenAnswer(item.public(), "", "")
        terms = terms_of(StudySettings(), Workload(), language)
        yield f"{task.id} sheet", screens.sheet(Sheet(beside, terms, given))
        for stands in ("open", "answered"):
            yield (
                f"{task.id} map {stands}",
                screens.sheet(Sheet(beside, terms, tasks=(("1.a", "now"), ("1.b", stands)))),
            )
        if item.gold is not None:
            best = task.answer_for(item.fields).best(item.gold, item.fields)
            for right in (True, False):
                feedback = Feedback(best, item.gold, right, "")
                yield f"{task.id} feedback {right}", screens.html(replace(view, stage="feedback", feedback=feedback))
            yield f"{task.id} review", str(draw_review(task, item, language, votes={best: 2}))


def of_others(language: Language) -> Iterator[tuple[str, str]]:
    for reason in REFUSED:
        yield reason, screens.uninvited_page(language, reason)
    for back in ("https://example.org/join/s/k", ""):
        yield f"occupied {back}", screens.occupied_page(language, "s", back)
    for mistake in ("", *texts(language)["account_mistakes"]):
        yield f"login {mistake}", drawn(login.login_page(language, "/manage/", mistake=mistake))
        yield f"password {mistake}", drawn(login.password_page(language, "KEY", "vera", mistake))
    for role in ROLES:
        account = Account("vera", role, 1, "active", datetime(2026, 11, 22, tzinfo=UTC))
        yield f"account {role}", drawn(login.account_page(language, account, changed=True))
        yield f"refused {role}", drawn(login.refused_page(language, account, "owner", ["anna"]))
    yield "gone", drawn(login.notice_page(language, "gone"))


def drawn(reply: Any) -> str:
    return str(reply.body.decode())


def said(language: Language) -> dict[str, str]:
    """Return what the page itself says in a language."""
    says = re.search(r"data-says>(.*?)</script>", document(language), re.DOTALL)
    return dict(json.loads(says[1])[language]) if says else {}


def own_task(language: Language) -> str:
    """Return the instruction of a task that has one text in the new language and another in Russian alone."""
    task = replace(get_task(TASKS[0]), title=Wording(en="Title", kk="Тақырып"), instruction=Wording(ru="Только так."))
    return screens.html(View("instructions", "s", task, language))


def brought() -> list[str]:
    """Return all texts that the tasks and their items bring along, in every language."""
    found = [text for task in map(get_task, TASKS) for text in every_text(as_dict(task))]
    items = [item for task in map(get_task, TASKS) for item in samples(task)]
    return found + [text for item in items for text in every_text([item.fields, item.gold])]


def every_text(value: Any) -> Iterator[str]:
    """Yield the texts within a value, those of packed lists and tables too."""
    if isinstance(value, str):
        yield value
        yield from every_text(loaded(value)) if value[:1] in ("[", "{") else ()
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from every_text(one)


if __name__ == "__main__":
    spoken = [{"says": said(code), "screens": every_screen(code), "own": own_task(code)} for code in sys.argv[1:]]
    sys.stdout.write(json.dumps({"spoken": spoken, "brought": brought()}))
