"""Agreement inside composite answers, against hand-counted coincidences."""

import pytest

from data.answers.answer_type import packed
from data.answers.choice import Choice
from data.answers.form import Form, Part
from data.answers.text import Text
from data.wording import same
from eval.agreement.by_part import part_agreement
from eval.consensus.composite import unanimous
from eval.consensus.majority import majority
from eval.intervals.clusters import Clusters, Resampling
from tests.helpers.opened import MARKS, SETS, voted

FORM = Form(
    parts=(
        Part("kind", same("Kind"), Choice(choices={"a": same("a"), "b": same("b")})),
        Part("name", same("Name"), Text(), when=("kind", "b")),
    )
)


def test_each_part_of_a_form_has_its_own_alpha() -> None:
    said = {
        "q1": [{"kind": "a"}, {"kind": "a"}],
        "q2": [{"kind": "b", "name": "Кот"}, {"kind": "b", "name": "кот."}],
        "q3": [{"kind": "a"}, {"kind": "b", "name": "пёс"}],
        "q4": [{"kind": "b", "name": "сова"}, {"kind": "b", "name": "сыч"}],
    }
    votes = voted(FORM, said)
    found = {part.name: part for part in part_agreement(votes, Resampling(draws=50))}
    # Kind: one of four pairs differs; 3 a and 5 b: observed 2, expected (64 - 9 - 25) / 7.
    assert found["kind"].alpha == pytest.approx(1 - 2 / (30 / 7))
    assert (found["kind"].pairwise, found["kind"].n) == (0.75, 4)
    # Name: two pairs, spelling apart one is equal; labels 2, 1, 1: observed 2, expected (16 - 6) / 3.
    assert found["name"].alpha == pytest.approx(1 - 2 / (10 / 3))
    assert (found["name"].pairwise, found["name"].n) == (0.5, 2)


def test_labels_of_a_part_that_mean_the_same_are_one_camp() -> None:
    said = [{"kind": "b", "name": "Кот"}, {"kind": "b", "name": "кот."}, {"kind": "a"}]
    found = majority(voted(FORM, {"q": said}))
    assert found.status.tolist() == ["won"]
    assert unanimous(voted(FORM, {"q": said[:2]})).tolist() == [True]


def test_each_element_of_spans_is_compared_character_by_character() -> None:
    votes = voted(MARKS, {"q": [packed({"R": [[0, 4]]}), packed({"R": [[2, 4]]})]}, text="abcdefghij")
    found = {part.name: part for part in part_agreement(votes, Resampling(draws=50))}
    # Ten characters: two differ; marked 4 + 2, outside 6 + 8: observed 4, expected (400 - 36 - 196) / 19.
    assert found["R"].alpha == pytest.approx(1 - 4 / (168 / 19))
    assert found["R"].n == 10
    assert found["R"].pairwise == pytest.approx(0.8)
    # Both leave the place out, and that is one answer.
    assert (found["V"].n, found["V"].alpha) == (1, 1)
    assert found["R"].alpha_ci != found["R"].alpha_ci or found["R"].as_dict()["alpha_ci"] == [None, None]


def test_intervals_resample_what_the_task_binds() -> None:
    named = {"kind": "b", "name": "x"}
    said = {f"q{n}": [{"kind": "a"}, named if n % 2 else {"kind": "a"}] for n in range(6)}
    bound = Clusters("book", dict.fromkeys(said, "one"))
    found = part_agreement(voted(FORM, said), Resampling(bound, draws=50))[0]
    assert (found.unit, found.as_dict()["alpha_ci"]) == ("book", [None, None])
    free = part_agreement(voted(FORM, said), Resampling(draws=50))[0]
    assert free.alpha_ci[0] < free.alpha < free.alpha_ci[1]


def test_other_answers_have_no_parts() -> None:
    assert part_agreement(voted(SETS, {"q": [["a"], ["b"]]})) == ()


def test_parts_stand_in_their_order_and_one_that_nobody_answered_has_no_number() -> None:
    found = part_agreement(voted(FORM, {"q": [{"kind": "a"}, {"kind": "a"}]}), Resampling(draws=20))
    assert [part.name for part in found] == ["kind", "name"]
    assert found[0].alpha == 1
    assert found[1].as_dict() == {
        "name": "name",
        "pairwise": None,
        "alpha": None,
        "alpha_ci": [None, None],
        "n": 0,
        "unit": "item",
        "pairwise_ci": [None, None],
    }
