"""Orders for models: the published one, a drawn one, both of a pair; and how often the first shown is chosen."""

import json
from dataclasses import replace
from random import Random

import pytest

from baseline.comparison.position_bias import first_by_criterion
from baseline.comparison.results import Results, results
from baseline.comparison.score_columns import results_dict, score_table
from baseline.human.baseline import stored_rules
from baseline.runs.dispatcher import rescore
from baseline.runs.run_prompts import check_orders
from data.answers.choices import Choices
from data.answers.form import Form, Part
from data.answers.pairwise import Pairwise
from data.errors import BadSetting
from data.option_order import drawn_orders
from data.task import Field, Item, Task
from data.wording import same
from db.engine import Database, reading, writing
from db.items import add_items
from db.studies import Study, create_study, get_study
from db.study_settings import StudySettings
from tests.helpers.asking_models import chat, predictions, run
from tests.helpers.collection import TASK, arrive, make_service
from tests.helpers.model_server import Behaviour, Messages, ModelServer, Say, always

PAIR = Task(
    id="test/pair",
    title=same("Pair"),
    fields=(
        Field("prompt", same("Prompt")),
        Field("one", same("One"), "option"),
        Field("other", same("Other"), "option"),
    ),
    question=same("Which is better?"),
    instruction=same("Compare the two."),
    answer=Pairwise(option_fields=("one", "other"), tie=same("Tie")),
    metrics=("accuracy",),
)
NO_TIE = replace(PAIR, answer=Pairwise(option_fields=("one", "other")))
ITEMS = [Item(str(n), {"prompt": f"p{n}", "one": f"good {n}", "other": f"bad {n}"}, "0") for n in range(40)]


def knows(asked: Messages) -> Behaviour:
    """Says where the good one stands."""
    lines = asked[-1]["content"].splitlines()
    return Say(next(line[0] for line in lines if ". good" in line))


def found(database: Database) -> Results:
    with reading(database) as session:
        study = get_study(session, name="colours")
        return results(session, study=study, rules=stored_rules(study))


def study_of(database: Database, task: Task, items: list[Item] = ITEMS) -> Study:
    with writing(database) as session:
        study = create_study(session, name="colours", task=task, settings=StudySettings(page_controls=0))
        add_items(session, study=study, items=items)
    return study


def test_a_drawn_order_shows_who_takes_the_first_and_costs_who_knows_nothing(sqlite: Database) -> None:
    study = study_of(sqlite, PAIR)
    with ModelServer(knows) as server:
        good = run(sqlite, study=study, model=chat(server), order="drawn").run
        assert set(predictions(sqlite, good)["label"]) == {"0"}
        firsts = {prompt.index("good") < prompt.index("bad") for prompt in server.prompts()}
    assert firsts == {True, False}
    (row,) = found(sqlite).models
    assert row.scores["accuracy"].value == 1
    assert row.first is not None
    assert row.first.ci[0] < 0.5 < row.first.ci[1]
    with ModelServer(always(Say("1"))) as server:
        lazy = run(sqlite, study=study, model=chat(server), order="drawn", fresh=True).run
        labels = predictions(sqlite, lazy)["label"]
    assert 8 < (labels == "0").sum() < 32
    (row,) = found(sqlite).models
    assert (row.first and row.first.value, found(sqlite).first_by_chance) == (1.0, 0.5)
    with writing(sqlite) as session:
        assert [read.changed for read in rescore(session, study=study)] == [0, 0]


def test_the_published_order_stays_and_says_nothing_of_position(sqlite: Database) -> None:
    study = study_of(sqlite, PAIR)
    with ModelServer(always(Say("1"))) as server:
        made = run(sqlite, study=study, model=chat(server)).run
        assert all(prompt.index("good") < prompt.index("bad") for prompt in server.prompts())
    assert "order" not in made.settings
    table = found(sqlite)
    assert table.models[0].first is None
    assert "first_shown" not in results_dict(table)["rows"][0]


@pytest.mark.parametrize(("task", "worth"), [(PAIR, 0.0), (NO_TIE, 0.5)])
def test_both_orders_are_a_tie_where_they_disagree(sqlite: Database, task: Task, worth: float) -> None:
    """The first one always: the two replies name different texts. Gold is the first text, so a tie is wrong."""
    study = study_of(sqlite, task)
    with ModelServer(always(Say("1"))) as server:
        made = run(sqlite, study=study, model=chat(server), both_orders=True).run
        assert len(server.prompts()) == 80
    said = predictions(sqlite, made)
    assert said.groupby("item")["label"].agg(set).map(sorted).tolist() == [["0", "1"]] * 40
    (row,) = found(sqlite).models
    assert row.scores["accuracy"].value == worth
    assert row.first is not None
    assert row.first.value == 1
    ties = row.ballots.weights[:, row.ballots.labels.index("tie")].sum() if task is PAIR else 40
    assert ties == 40


def test_both_orders_that_agree_are_one_answer(sqlite: Database) -> None:
    study = study_of(sqlite, NO_TIE)
    with ModelServer(knows) as server:
        run(sqlite, study=study, model=chat(server), both_orders=True)
    (row,) = found(sqlite).models
    assert row.scores["accuracy"].value == 1
    assert row.first is not None
    assert row.first.value == 0.5


def test_several_options_are_read_back_from_a_drawn_order(sqlite: Database) -> None:
    task = replace(PAIR, answer=Choices(option_fields=("one", "other")), metrics=("accuracy",))
    study = study_of(sqlite, task)
    with ModelServer(knows) as server:
        made = run(sqlite, study=study, model=chat(server), order="drawn").run
    assert set(predictions(sqlite, made)["label"]) == {'["0"]'}


def test_what_has_no_two_orders_is_refused() -> None:
    with pytest.raises(BadSetting, match="--both-orders is for pairs"):
        check_orders(TASK, {"both_orders": True})
    check_orders(TASK, {"order": "drawn"})


def test_people_stand_beside_with_their_share(sqlite: Database) -> None:
    study_of(sqlite, PAIR)
    for _ in range(6):
        person = arrive(make_service(sqlite), "colours", ready=False)
        view = person.enter()
        while view.stage in ("training", "feedback", "work"):
            order = view.orders.get("", ("0",))
            view = person.answer(view, order[0])
    share = next(row for row in found(sqlite).rows if row.name == "human:individual").first
    assert share is not None
    assert share.value == 1
    title = next(column.help for column in score_table(found(sqlite), "text").columns if column.key == "first_shown")
    assert "50%" in title


def test_of_several_criteria_each_has_a_share_of_its_own(sqlite: Database) -> None:
    """Whoever takes the first by one and the second by the other has 1 and 0; ties tell nothing."""
    pair = Pairwise(option_fields=("one", "other"), tie=same("Tie"))
    form = Form((Part("a", same("Truer?"), pair), Part("b", same("Clearer?"), pair)))
    study = study_of(sqlite, replace(PAIR, answer=form), [replace(item, gold=None) for item in ITEMS])
    for tied in (False, False, False, True):
        person = arrive(make_service(sqlite), "colours", ready=False)
        view = person.enter()
        while view.stage in ("training", "feedback", "work"):
            first, second = view.orders["a"][:2] if view.orders else ("0", "1")
            label = {"a": "tie", "b": "tie"} if tied else {"a": first, "b": second}
            view = person.answer(view, json.dumps(label))
    with reading(sqlite) as session:
        shares = first_by_criterion(session, study, found(sqlite).panel)
    assert {words: share.value for words, share in shares.items()} == {"Truer?": 1.0, "Clearer?": 0.0}


def test_orders_of_models_are_drawn_by_the_seed() -> None:
    def of(seed: int) -> list[object]:
        return [drawn_orders(PAIR, item.fields, lambda of: Random(f"{seed}:0:{of}")) for item in ITEMS]

    assert of(1) == of(1) != of(2)
