"""What a worker is told before agreeing, in a break, and where an item is given back; the screens as they are drawn."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from annotate.worker.screens import html
from annotate.worker.stages import Stage
from annotate.worker.view import Earnings, Progress, View
from data.catalogue.catalog import get_task, samples
from data.drawing.environment import NO_BREAK, tied
from data.wording import FALLBACK, Language, texts
from db.engine import writing
from db.studies import set_status
from tests.helpers.collection import arrive, make_service, make_study

NO_OPTION = 'value="no_answer"'


def drawn_work(task_id: str, *, skips_left: int = 3) -> str:
    """A screen of work at the first sample item of a task."""
    task = get_task(task_id)
    item = next(item for item in samples(task) if item.role == "main")
    plain = View(stage="work", study="s", task=task, language="en", progress=Progress(1, 3, 1, 0))
    return html(replace(plain, item=item.public(), skips_left=skips_left))


@pytest.mark.parametrize("language", FALLBACK)
@pytest.mark.parametrize("price", [0.0, 2.5])
def test_what_an_answer_pays_is_said_before_somebody_agrees(sqlite: Engine, price: float, language: Language) -> None:
    study = make_study(sqlite, price=price)
    service = make_service(sqlite)
    cookie = service.invite(study.name, service.signer.invitation(study.name), language=language)
    page = html(service.state(study.name, cookie))
    said = {"ru": f"2,50{NO_BREAK}₽ за{NO_BREAK}каждый", "en": f"₽2.50{NO_BREAK}for every answer"}[language]
    unpaid = tied(texts(language)["consent"]["pay_none"]) in page
    assert ((said in page), unpaid) == (price > 0, price == 0)


def test_that_no_option_is_right_can_be_said_only_where_options_are_offered() -> None:
    offered = [task for task in ("rsg/parus", "rsg/rucos", "rsg/muserc", "own/rating") if NO_OPTION in drawn_work(task)]
    made = [
        task
        for task in ("ruscontext/ellipsis", "agrr/full", "libra/passkey", "own/rating")
        if NO_OPTION in drawn_work(task)
    ]
    assert (offered, made) == (["rsg/parus", "rsg/rucos", "rsg/muserc"], [])
    assert 'value="mistake"' in drawn_work("ruscontext/ellipsis")
    assert 'value="skip"' in drawn_work("rsg/parus")
    assert 'value="skip"' not in drawn_work("rsg/parus", skips_left=0)


@pytest.mark.parametrize(("status", "stage"), [("paused", "paused"), ("closed", "closed")])
def test_what_was_earned_so_far_is_in_sight_in_a_break_and_at_the_end(
    sqlite: Engine, status: Stage, stage: Stage
) -> None:
    study = make_study(sqlite, price=2.5)
    person = arrive(make_service(sqlite))
    person.answer(person.look(), seconds=0)
    with writing(sqlite) as session:
        set_status(session, study=study, status=status)  # type: ignore[arg-type]
    view = person.look()
    assert (view.stage, view.earnings) == (stage, Earnings(1, 0.0, 2.5, study.settings))
    assert f"<dd>2,50{NO_BREAK}₽</dd>" in html(view)
