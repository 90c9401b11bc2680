"""The verdict on each model, and the figure and the first lines that show it."""

import re

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from sqlalchemy import Engine

from baseline.comparison.verdicts import standings, verdict_words
from baseline.output.plots import difference_figure, fitted_axis
from eval.agreement.at_chance import at_chance
from eval.votes import code
from tests.baseline.test_against_people import room
from tests.baseline.test_results_page import make_room, things
from tests.helpers.study_pages import lead, notes, scores, study_page, warnings, words

VOTES = ["rrg", "grr"] * 40 + ["ggr"] * 20
"""People are right on 80 of 100 items."""
SAID = {
    "better": ["r"] * 100,
    "worse": ["r"] * 40 + ["g"] * 60,
    "same": ["r"] * 80 + ["g"] * 20,
    "far": ["g"] * 100,
    "naive-one": ["g"] * 100,
}


def test_models_are_better_worse_or_show_no_clear_difference_and_naive_baselines_are_no_models(sqlite: Engine) -> None:
    found = standings(room(sqlite, VOTES, SAID))
    assert found
    assert {row.called: row.verdict for row in found.rows if row.kind != "human"} == {
        "better": "better",
        "same": "no clear difference",
        "worse": "worse",
        "far": "worse",
        "naive-one": "",
    }
    assert {row.called for row in found.models} == {"better", "same", "worse", "far"}
    html = study_page(sqlite, "room")
    assert re.search(
        r"better is better\. same shows no clear difference\. (worse and far|far and worse) are worse", lead(html)
    )
    assert "naive" not in lead(html)
    assert scores(html)["naive-one"]["verdict"] == "naive baseline"
    assert "One person alone" in scores(html)


def test_within_a_margin_a_model_is_as_good(sqlite: Engine) -> None:
    found = standings(room(sqlite, VOTES, {"same": SAID["same"]}, margin=0.1))
    assert found
    assert dict(verdict_words(found))["as good"] == ["same"]


@pytest.mark.parametrize("gold", [True, False])
def test_a_score_minus_that_of_people_is_the_difference_beside_them(sqlite: Engine, gold: bool) -> None:
    found = standings(room(sqlite, VOTES, SAID | {"part": ["r"] * 50 + [""] * 50}, gold=gold))
    assert found
    assert len(found.rows) >= 5
    for row in found.rows:
        assert row.score - row.people == pytest.approx(row.difference.value, abs=1e-12)


def test_models_far_off_are_marked_at_the_edge_and_dots_are_filled_where_the_difference_is_significant(
    sqlite: Engine,
) -> None:
    near = {"same": SAID["same"], "near": ["r"] * 78 + ["g"] * 22, "far": ["g"] * 100}
    found = standings(room(sqlite, VOTES, near))
    assert found
    axis = fitted_axis(found)
    assert axis.low > -0.7 < 0 < axis.high
    drawn = str(difference_figure(found))
    assert "\u25c2 \u221280.0" in drawn
    dots = dict(re.findall(r"<title>(\w+): [^<]*</title>\s*<line[^>]*/><circle class=\"([^\"]+)\"", drawn))
    assert dots["same"] == "dot hollow"
    alone = standings(room(sqlite, VOTES, {"better": SAID["better"]}, name="two"))
    assert alone
    assert re.search(r'<title>better: [^<]*</title>\s*<line[^>]*/><circle class="dot"', str(difference_figure(alone)))


def test_who_is_at_chance_has_a_kappa_that_scikit_learn_does_not_find_above_it(sqlite: Engine) -> None:
    chance = np.random.default_rng(3)
    truth = chance.choice(["r", "g"], 200)
    answers = {"ann": truth, "bob": truth, "dan": truth, "eve": chance.choice(["r", "g"], 200)}
    rows = [(f"q{n}", who, str(said[n])) for who, said in answers.items() for n in range(200)]
    votes = code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)))
    kappa = {who: cohen_kappa_score(said, truth) for who, said in answers.items()}
    assert [votes.workers[person] for person in at_chance(votes)] == ["eve"]
    assert abs(kappa["eve"]) < 1.645 / np.sqrt(200)
    assert min(kappa[who] for who in ("ann", "bob", "dan")) == 1
    made = make_room(sqlite, things(200))
    made.votes(*("".join(str(said[n]) for said in answers.values()) for n in range(200)))
    (note,) = [each for each in notes(study_page(sqlite, "colours")) if "no better than chance" in each]
    assert note.endswith("agrees no better than chance; without them alpha is 1.000.")


def test_notes_are_few_and_short_and_the_first_lines_are_within_a_hundred_words(sqlite: Engine) -> None:
    room(sqlite, VOTES, {name: SAID[name] for name in ("better", "same", "worse")})
    for tab in ("scores", "agreement", "models"):
        told = notes(study_page(sqlite, "room", tab=tab))
        assert len(told) <= 3
        assert all(len(note.split()) <= 25 for note in told)
    html = study_page(sqlite, "room")
    first = words(html.split('class="narrow-only"')[0].replace("<title>", "<title hidden>"))
    seen = re.sub(r"<title[^>]*>.*?</title>", "", html.split('class="narrow-only"')[0])
    assert len(re.findall(r"[^\W\d_]+\S*", words(seen))) <= 100, first
    assert "Only 3 people answered: intervals hold for them, not for other people." in warnings(html)


def test_pages_have_no_russian_of_their_own(sqlite: Engine) -> None:
    room(sqlite, VOTES, {"same": SAID["same"]})
    for tab in ("scores", "agreement", "models", "download"):
        assert not re.search("[\u0400-\u04ff]", words(study_page(sqlite, "room", tab=tab)))
