"""How models stand to people beside the difference: Holm's p, equivalence, an annotator's place."""

import json
from dataclasses import replace
from typing import Any

import pytest
from scipy.stats import norm
from sqlalchemy import Engine

from baseline.comparison.results import Results, results
from baseline.comparison.score_columns import results_dict
from baseline.comparison.verdicts import standings
from baseline.human.baseline import stored_rules
from baseline.human.interval_scope import ONE_PERSON_IS_PEOPLE
from data.errors import BadSetting
from data.task import Item
from db.engine import reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run
from db.studies import create_study
from db.study_settings import StudySettings
from db.workers import add_worker
from eval.comparison.paired_bootstrap import PairedCounts
from tests.helpers.collection import TASK
from tests.helpers.details import results_markdown, results_text

RIGHT, WRONG = "red", "green"
FIVE = StudySettings(overlap=5)


def room(
    database: Engine,
    votes: list[str],
    models: dict[str, list[str]],
    *,
    gold: bool = True,
    settings: StudySettings = FIVE,
    name: str = "room",
    **more: Any,
) -> Results:
    """The results of a study: a string of r (right) and g for each item's votes, and for each model's samples."""
    label = {"r": RIGHT, "g": WRONG}
    with writing(database) as session:
        study = create_study(session, name=name, task=TASK, settings=settings)
        fields = dict.fromkeys((field.name for field in TASK.fields), "x")
        names = [f"q{place:03}" for place in range(len(votes))]
        add_items(session, study=study, items=[Item(name, fields, RIGHT if gold else None) for name in names])
        workers = [add_worker(session) for _ in range(max(map(len, votes)))]
        key = {entry.item.id: entry.key for entry in list_items(session, study=study)}
        given = [
            Judgment(key[name], workers[place], label[letter])
            for name, letters in zip(names, votes, strict=True)
            for place, letter in enumerate(letters)
        ]
        add_judgments(session, study=study, judgments=given)
        for model, said in models.items():
            naive = model.startswith("naive")
            run = create_run(session, study=study, model=model, kind="naive" if naive else "model", settings={})
            rows = [
                Prediction(key[name], sample, "", label[letter], "ok")
                for name, letters in zip(names, said, strict=True)
                for sample, letter in enumerate(letters)
            ]
            add_predictions(session, run=run, predictions=rows)
    with reading(database) as session:
        return results(session, study=study, rules=stored_rules(study), **more)


def test_the_keys_beside_the_fixed_ones_say_how_a_model_stands(sqlite: Engine) -> None:
    # Of 40 items people have 36 right by two of three votes; one model differs on none of them, one on 20.
    votes = ["rrg", "grr"] * 18 + ["ggr"] * 4
    found = room(sqlite, votes, {"same": ["r"] * 36 + ["g"] * 4, "worse": ["r"] * 16 + ["g"] * 24}, margin=0.1)
    rows = {row["respondent"]: row for row in json.loads(json.dumps(results_dict(found), allow_nan=False))["rows"]}
    assert set(rows["human:majority"]) >= {"respondent", "kind", "scores", "covers", "n", "statuses", "vs_human"}
    assert not {"void", "p_holm", "p_person_holm", "equivalence", "alternative", "run"} & set(rows["human:majority"])
    same, worse = rows["model:same"], rows["model:worse"]
    # McNemar without correction: 0 against 20 gives z = sqrt(20); Holm doubles the smaller of two, leaves the other.
    assert worse["p_holm"] == pytest.approx(2 * 2 * norm.sf(20**0.5))
    assert same["p_holm"] == 1
    # 40 differences of zero: the score interval is +-z^2 / (n + z^2), and z at the margin m is sqrt(n m / (1 - m)).
    bound = 1.644854**2 / (40 + 1.644854**2)
    assert same["equivalence"]["ci90"] == pytest.approx([-bound, bound], abs=1e-5)
    assert same["equivalence"]["p"] == pytest.approx(norm.sf((40 * 0.1 / 0.9) ** 0.5))
    assert same["equivalence"]["p_holm"] == pytest.approx(2 * same["equivalence"]["p"])
    assert (same["equivalence"]["equivalent"], same["equivalence"]["margin"]) == (True, 0.1)
    assert not worse["equivalence"]["equivalent"]
    # One person always says what "same" says: a tie on every item is a win of the model.
    assert same["alternative"]["refused"] is None
    assert [each["rejected"] for each in same["alternative"]["annotators"] if each["p"] == 0] == [True]
    assert worse["alternative"]["epsilon"] == 0.1


def test_a_wider_margin_makes_equals_of_what_a_narrow_one_does_not(sqlite: Engine) -> None:
    found = room(sqlite, ["rrr"] * 60, {"close": ["r"] * 57 + ["g"] * 3}, margin=0.2)
    assert results_dict(found)["margin"] == 0.2
    # Nothing is right for the model alone: the ends solve (3 - 60 d)^2 = 1.6449^2 * 60 * (2 q + d (1 - d)).
    equal = results_dict(found)["rows"][-1]["equivalence"]
    assert equal["ci90"] == pytest.approx(PairedCounts(0, 3, 60).interval(0.9))
    assert equal["equivalent"]


def test_a_verdict_of_equivalence_is_for_these_people_and_says_so_beside_a_wider_difference(sqlite: Engine) -> None:
    votes = ["rrrrr", "rgrrr", "rrrgr", "grrrr"] * 15
    found = room(sqlite, votes, {"close": ["r"] * 57 + ["g"] * 3}, margin=0.2)
    row = results_dict(found)["rows"][-1]
    assert row["vs_human"]["test"] == "people"
    assert row["equivalence"]["covers"] == "other items, these people"
    assert row["equivalence"]["ci90"] == pytest.approx(PairedCounts(0, 3, 60).interval(0.9))
    note = next(note for note in found.human.notes() if note.startswith("People's intervals"))
    assert "equivalence is for these people alone" in note
    assert "choose “these people, other items” on the results page" in note


def test_beside_one_person_nobody_is_taken_at_random_and_there_is_no_average(sqlite: Engine) -> None:
    shown = results_text(room(sqlite, ["r", "r", "g", "r"] * 15, {"close": ["r"] * 57 + ["g"] * 3}))
    assert "both ask whether a model is better or worse than that person" in shown
    for words in ("taken at random", "One person, on average", "and of agreement are too narrow"):
        assert words not in shown


def test_two_votes_that_share_an_item_are_one_comparison_and_no_difference(sqlite: Engine) -> None:
    model = {"close": ["r"] * 57 + ["g"] * 3}
    two, three = (
        room(sqlite, votes, model, settings=StudySettings(overlap=len(votes[0])), name=f"room{len(votes[0])}")
        for votes in (["rg", "rr", "rr"] * 20, ["rrr"] * 60)
    )
    one_answer, single, close = two.rows
    assert single.scores["accuracy"].ci == pytest.approx(one_answer.scores["accuracy"].ci)
    assert single.vs_human is None
    assert close.vs_human == close.vs_person
    assert ONE_PERSON_IS_PEOPLE in results_text(two)
    # Where three have all agreed, the next item could set one person apart from most.
    assert three.rows[1].vs_human is not None
    assert three.rows[1].vs_human.value == 0
    assert three.rows[1].vs_human.ci[1] > 0
    assert ONE_PERSON_IS_PEOPLE not in results_text(three)


def test_without_a_margin_that_somebody_chose_nothing_is_said_of_equivalence(sqlite: Engine) -> None:
    found = room(sqlite, ["rrr"] * 60, {"close": ["r"] * 60})
    shown = results_dict(found)
    assert shown["margin"] is None
    assert "no margin was chosen" in shown["rows"][-1]["equivalence"]["refused"]
    for text in (results_text(found), results_markdown(found)):
        assert "equivalent" not in text.lower().replace("equivalence", "")
        assert "cannot be had: nobody" not in text


def test_the_margin_is_the_studys_own_where_none_is_typed(sqlite: Engine) -> None:
    found = room(sqlite, ["rrr"] * 60, {"close": ["r"] * 60}, settings=StudySettings(overlap=5, margin=0.1))
    assert results_dict(found)["margin"] == 0.1
    assert results_dict(found)["rows"][-1]["equivalence"]["equivalent"]
    found_standings = standings(found)
    assert found_standings
    assert [row.verdict for row in found_standings.models] == ["as good"]


def test_naive_baselines_are_corrected_for_each_other_alone(sqlite: Engine) -> None:
    said = {"one": ["r"] * 12 + ["g"] * 8, "two": ["r"] * 20}
    alone = room(sqlite, ["rrr"] * 20, said, margin=0.3)
    naive = dict.fromkeys(("naive-a", "naive-b", "naive-c"), ["g"] * 20)
    beside = room(sqlite, ["rrr"] * 20, said | naive, margin=0.3, name="beside")
    for name in ("model:one", "model:two"):
        assert beside.against_people[name].as_dict()["p_holm"] == alone.against_people[name].as_dict()["p_holm"]
        assert beside.against_people[name].equivalence == alone.against_people[name].equivalence
    assert beside.against_people["model:naive-a"].p_holm == pytest.approx(3 * 2 * norm.sf(20**0.5))


@pytest.mark.parametrize("margin", [0, -0.1, float("nan")])
def test_a_margin_that_is_none_is_refused(sqlite: Engine, margin: float) -> None:
    found = room(sqlite, ["rrr"] * 3, {"m": ["r"] * 3}, margin=margin)
    with pytest.raises(BadSetting, match="choose it before looking at the scores"):
        results_dict(found)


def test_what_cannot_be_had_has_a_sentence(sqlite: Engine) -> None:
    found = room(sqlite, ["rrg"] * 4, {"level": ["rg"] * 4, "plain": ["r"] * 4}, gold=False, margin=0.1)
    rows = {row["respondent"]: row for row in results_dict(found)["rows"]}
    assert rows["model:plain"]["p_holm"] is None
    assert rows["model:plain"]["equivalence"] == {"refused": "no item has gold, so there is no score to compare."}
    assert "samples are level" in rows["model:level"]["alternative"]["refused"]
    text = results_text(found)
    assert "The alternative-annotator test cannot be had for level: its samples are level on some items" in text
    assert (
        "The alternative-annotator test cannot be had for plain: 0 of 3 annotators can be tested and it takes 3; "
        "collect more judgments from the same people."
    ) in text


def test_epsilon_is_the_studys_own_or_the_one_that_is_typed(sqlite: Engine) -> None:
    votes = ["rrg", "grr"] * 18 + ["ggr"] * 4
    settings = StudySettings(overlap=5, epsilon=0.15)
    found = room(sqlite, votes, {"same": ["r"] * 36 + ["g"] * 4}, settings=settings)
    assert results_dict(found)["rows"][-1]["alternative"]["epsilon"] == 0.15
    typed = replace(found, epsilon=0.2)
    assert results_dict(typed)["rows"][-1]["alternative"]["epsilon"] == 0.2


def test_without_models_there_is_no_second_table(sqlite: Engine) -> None:
    found = room(sqlite, ["rrr"] * 3, {})
    assert "annotator" not in results_text(found)
    assert found.against_people == {}
