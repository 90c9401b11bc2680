"""The order of options: whose is drawn, that it stays, what is kept of it, and what rules on workers make of it."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pandas as pd
import pytest

from data.answers.choice import Choice
from data.answers.form import Form, Part
from data.answers.pairwise import Pairwise
from data.answers.rating import Rating
from data.catalogue.catalog import get_task
from data.drawing.answer_form import draw_form
from data.option_order import as_stored, drawn_orders, place_shown
from data.task import Field, Item, PublicItem, Task
from data.wording import same
from db import frames
from db.engine import Database, reading, writing
from db.items import add_items
from db.studies import Study, create_study, get_study
from db.study_settings import StudySettings
from tests.helpers.collection import TASK, arrive, make_service

PAIR = Task(
    id="test/pair",
    title=same("Pair"),
    fields=(
        Field("prompt", same("Prompt")),
        Field("one", same("One"), "markdown"),
        Field("other", same("Other"), "option"),
    ),
    question=same("Which is better?"),
    instruction=same("Compare the two."),
    answer=Pairwise(option_fields=("one", "other"), tie=same("Tie")),
    metrics=("accuracy",),
)
FIELDS = {"prompt": "What is snow?", "one": "Frozen water.", "other": "A kind of salt."}


def of(
    task: Task, fields: dict[str, str] = FIELDS, *, seed: str = "a", explanation: str = ""
) -> dict[str, tuple[str, ...]]:
    return dict(drawn_orders(task, fields, lambda of: Random(f"{seed}{of}"), explanation=explanation))


def ever_moves(task: Task, fields: dict[str, str] = FIELDS, **more: str) -> bool:
    published = tuple(option.label for option in task.answer_for(fields).options(fields))
    return any(of(task, fields, seed=str(n), **more).get("", published) != published for n in range(20))


def test_sides_change_and_a_tie_stays_last() -> None:
    assert {of(PAIR, seed=str(n))[""] for n in range(20)} == {("0", "1", "tie"), ("1", "0", "tie")}


def test_fixed_labels_have_one_order_for_all_items_of_a_worker() -> None:
    orders = {of(TASK, {"thing": f"thing {n}"})[""] for n in range(20)}
    assert len(orders) == 1
    assert ever_moves(TASK, {"thing": "a thing"})


@pytest.mark.parametrize(
    "answer",
    [
        Rating(),
        Choice(choices={"low": same("Low"), "mid": same("Middle"), "high": same("High")}, ordered=True),
        Choice(choices={"1": same("One"), "2": same("Two"), "3": same("Three")}),
    ],
)
def test_scales_degrees_and_numbers_stay_as_they_are(answer: Rating | Choice) -> None:
    assert not ever_moves(replace(PAIR, answer=answer))


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("instruction", "Prefer the first option where both are level."),
        ("instruction", "При равенстве выберите второй ответ."),
        ("instruction", "Press 1 for the better one."),
        ("question", "Is answer A better than answer B?"),
        ("prompt", "Сравните: 1) снег; 2) соль."),
        ("one", "All of the above"),
        ("explanation", "Вариант 2 путает снег с солью."),
    ],
)
def test_where_a_text_names_positions_they_stay(part: str, text: str) -> None:
    if part == "explanation":
        assert not ever_moves(PAIR, explanation=text)
    elif part in FIELDS:
        one_of_two = replace(PAIR, answer=Choice(option_fields=("one", "other")))
        assert ever_moves(one_of_two)
        assert not ever_moves(one_of_two, FIELDS | {part: text})
        assert ever_moves(PAIR, FIELDS | {part: text})  # of texts that are compared they speak of something else
    elif part == "question":
        assert not ever_moves(replace(PAIR, question=same(text)))
    else:
        assert not ever_moves(replace(PAIR, instruction=same(text)))


@pytest.mark.parametrize(
    "text", ["Choose the right answer.", "Выберите правильный ответ.", "Ответьте на 5 вопросов.", "Answer: which one?"]
)
def test_a_text_that_only_speaks_of_answers_names_no_position(text: str) -> None:
    assert ever_moves(replace(PAIR, instruction=same(text)))


def test_a_task_may_keep_its_order_and_the_exam_does() -> None:
    assert not ever_moves(replace(PAIR, order="fixed"))
    assert get_task("use").order == "fixed"


def test_each_question_of_a_form_has_its_own_order() -> None:
    labels = Choice(choices={"yes": same("Yes"), "no": same("No")})
    pair = Choice(option_fields=("one", "other"))
    form = Form(
        parts=(
            Part("better", same("Better"), pair),
            Part("sure", same("Sure"), labels),
            Part("how", same("How"), Rating()),
        )
    )
    orders = of(replace(PAIR, answer=form))
    assert set(orders) == {"better", "sure"}
    assert json.loads(as_stored(orders) or "") == {path: list(labels) for path, labels in orders.items()}
    html = draw_form(
        replace(PAIR, answer=form), PublicItem(FIELDS), "en", orders={"better": ("1", "0"), "sure": ("no", "yes")}
    )
    assert re.findall(r'value="(\w+)" data-key="(\w+)"', html)[:4] == [
        ("1", "1"),
        ("0", "2"),
        ("no", "1"),
        ("yes", "2"),
    ]


def test_keys_follow_the_places_and_values_the_options() -> None:
    html = draw_form(PAIR, PublicItem(FIELDS), "en", orders={"": ("1", "0", "tie")})
    assert re.findall(r'value="(\w+)" data-key="(\w+)"', html) == [("1", "1"), ("0", "2"), ("tie", "0")]
    assert html.index("A kind of salt.") < html.index("Frozen water.")


def pairs(database: Database, number: int = 12, **settings: object) -> Study:
    chosen = StudySettings.model_validate({"overlap": 8, "language": "en", "page_controls": 0} | settings)
    with writing(database) as session:
        study = create_study(session, name="pairs", task=PAIR, settings=chosen)
        add_items(session, study=study, items=[Item(str(n), FIELDS | {"prompt": f"Prompt {n}"}) for n in range(number)])
    return study


def judged(database: Database) -> pd.DataFrame:
    with reading(database) as session:
        return frames.judgments(session, study=get_study(session, name="pairs"))


def test_the_order_that_was_shown_is_kept_with_the_judgment(engine: Database) -> None:
    pairs(engine)
    shown: dict[tuple[str, str], list[str]] = {}
    for place in range(4):
        person = arrive(make_service(engine), "pairs")
        for view in person.work("0"):
            assert view.item is not None
            assert person.look().orders == view.orders  # the same when the page is loaded again
            shown[str(place), view.item.fields["prompt"]] = list(view.orders[""])
    kept = judged(engine)
    workers = {name: str(place) for place, name in enumerate(dict.fromkeys(kept["worker"]))}
    asked = {str(n): f"Prompt {n}" for n in range(12)}
    rows = zip(kept["worker"], kept["item"], kept["options_shown"], strict=True)
    assert {(workers[worker], asked[item]): json.loads(order) for worker, item, order in rows} == shown
    assert set(kept["label"]) == {"0"}  # what is stored is the option, wherever it stood
    assert Counter(order[0] for order in shown.values()).keys() == {"0", "1"}
    assert (
        len(
            {shown["0", "Prompt 3"][0], shown["1", "Prompt 3"][0], shown["2", "Prompt 3"][0]}
            | {shown["3", "Prompt 3"][0]}
        )
        >= 1
    )


def test_a_study_that_had_answers_before_keeps_its_order(sqlite: Database) -> None:
    pairs(sqlite, order_drawn=False)
    views = list(arrive(make_service(sqlite), "pairs").work("0"))
    assert all(not view.orders for view in views)
    assert judged(sqlite)["options_shown"].isna().all()


def always_first(database: Database) -> Iterator[str]:
    """Somebody takes what stands first, whatever it is; the others take what is better."""
    service = make_service(database)
    lazy = arrive(service, "pairs")
    view = lazy.look()
    while view.stage == "work":
        yield view.orders[""][0]
        view = lazy.answer(view, view.orders[""][0])


def test_who_always_takes_the_first_is_found_though_labels_differ(sqlite: Database) -> None:
    pairs(sqlite, number=20, quality=json.dumps({"constant": {"action": "flag", "minimum": 10}}))
    for _ in range(2):
        list(arrive(make_service(sqlite), "pairs").work("0"))
    assert set(always_first(sqlite)) == {"0", "1"}
    with reading(sqlite) as session:
        rows = session.exec_driver_sql("SELECT rule, worker_id FROM event WHERE kind = 'rule'").all()
    assert {(rule, worker) for rule, worker in rows} == {("constant", 3)}


def test_a_place_stands_for_the_label_only_where_options_are_the_item_s_own() -> None:
    labels = Choice(choices={"yes": same("Yes"), "no": same("No")})
    assert place_shown(labels, "no", '["no","yes"]') == "no"
    assert place_shown(PAIR.answer, "1", '["1","0","tie"]') == "0"
    assert place_shown(PAIR.answer, "tie", '["1","0","tie"]') == "2"
