"""The functions for data frames: equal to reference libraries, to hand calculation, and to the commands."""

import doctest
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import matthews_corrcoef
from typer.testing import CliRunner

import human_baseline as hb
from app import cli
from data.errors import EtalonError
from eval.agreement.coefficients import CLOSED_LIST

pytestmark = pytest.mark.wheel
ROOT = Path(__file__).parents[2]
SAID = pd.DataFrame({"task": [1, 1, 1, 2, 2], "worker": list("abcab"), "label": ["x", "x", "y", "y", "x"]})


def points(tasks: int = 60, workers: int = 6) -> pd.DataFrame:
    """Grades from 1 to 10 that differ by little from the right ones."""
    generator = np.random.default_rng(3)
    right = generator.integers(2, 10, tasks)
    rows = [
        (task, worker, int(right[task] + generator.integers(-1, 2)))
        for task in range(tasks)
        for worker in range(workers)
    ]
    return pd.DataFrame(rows, columns=["task", "worker", "label"])


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_of_numbers_is_that_of_the_package_at_each_level(level: Any) -> None:
    given = points()
    table = given.pivot_table(index="worker", columns="task", values="label")
    found = hb.agreement(given, level)["alpha"]
    assert found.value == pytest.approx(krippendorff.alpha(table.to_numpy(), level_of_measurement=level), abs=1e-12)
    assert found.low < found.value < found.high
    assert found.holds_for == "other people and items"


def test_words_are_ordered_as_is_said_or_by_their_category() -> None:
    given = points().assign(label=lambda frame: "g" + frame["label"].astype(str))
    order = [f"g{number}" for number in range(1, 12)]
    listed = given.assign(label=pd.Categorical(given["label"], order, ordered=True))
    by_number = hb.agreement(points(), "ordinal")["alpha"].value
    assert hb.agreement(given, "ordinal", order=order)["alpha"].value == pytest.approx(by_number, abs=1e-12)
    assert hb.agreement(listed, "ordinal")["alpha"].value == pytest.approx(by_number, abs=1e-12)


def test_the_consensus_keeps_ids_and_labels_as_they_came_and_a_tie_is_no_answer() -> None:
    given = pd.DataFrame(
        {"task": [10, 10, 10, 2, 2], "worker": [7, 8, 9, 7, 8], "label": [True, True, False, True, False]}
    )
    found = hb.consensus(given)
    assert found.labels.index.tolist() == [10, 2]
    assert found.labels[10] is True
    assert pd.isna(found.labels[2])
    assert found.to_frame()["status"].tolist() == ["won", "tied"]
    assert found.to_frame()["share"].tolist() == [pytest.approx(2 / 3), 0.5]


def test_texts_changed_between_two_calls_are_read_anew() -> None:
    given = SAID.astype({"task": str})
    assert hb.consensus(given).labels["1"] == "x"
    given.loc[1, "label"] = "y"
    assert hb.consensus(given).labels["1"] == "y"


def test_ids_are_coded_alike_whatever_numbers_they_are() -> None:
    generator = np.random.default_rng(4)
    given = pd.DataFrame(generator.integers(0, 9, (200, 3)), columns=["task", "worker", "label"])
    found = hb.agreement(given).to_frame()
    for other in (given.astype("int32"), given * 10**9, given - 4, given.astype(float), given.astype("Int64")):
        pd.testing.assert_frame_equal(hb.agreement(other).to_frame(), found)
        assert hb.consensus(other).labels.index.tolist() == other["task"].drop_duplicates().tolist()


def test_skills_decide_where_they_are_given() -> None:
    assert hb.consensus(SAID, "weighted", skills={"a": 0.9, "b": 0.6, "c": 0.5}).labels.to_dict() == {1: "x", 2: "y"}


def test_one_is_one_whether_number_or_text() -> None:
    gold, floats = {"1": "1", "2": "0"}, pd.Series([1.0, np.nan], index=[1, 2])
    found = hb.score(floats, gold, ["accuracy"])
    assert (found["accuracy"].value, found["accuracy"].n) == (0.5, 2)


def test_metrics_of_labels_are_those_of_scikit_learn() -> None:
    generator = np.random.default_rng(5)
    gold, said = (dict(enumerate(generator.choice(list("abc"), 80))) for _ in range(2))
    expected = matthews_corrcoef(list(gold.values()), list(said.values()))
    assert hb.score(said, gold, "mcc")["mcc"].value == pytest.approx(expected, abs=1e-12)


def test_a_model_is_worse_by_as_much_as_it_has_wrong_and_p_is_adjusted() -> None:
    tasks = range(100)
    people = pd.DataFrame(
        [(task, worker, "x") for task in tasks for worker in "abc"], columns=["task", "worker", "label"]
    )
    models = {"good": dict.fromkeys(tasks, "x"), "bad": {task: "y" if task < 30 else "x" for task in tasks}}
    found = hb.compare(people, dict.fromkeys(tasks, "x"), models, interval="items", margin=0.05)
    # McNemar without correction: z = (0 - 30) / sqrt(30); Holm doubles the smaller p of two.
    assert found["bad"].difference == pytest.approx(-0.3)
    assert found["bad"].p_holm == pytest.approx(2 * 4.32e-08, rel=0.01)
    assert (found["bad"].verdict, found["good"].verdict) == ("worse", "as good")


def test_ratings_are_those_of_three_wins_to_one() -> None:
    games = pd.DataFrame({"left": ["a"] * 40, "right": ["b"] * 40, "label": ["a", "a", "a", "b"] * 10})
    found = hb.ranking(games)
    assert found["a"].value - found["b"].value == pytest.approx(400 * np.log10(3), abs=0.01)
    assert (found["a"].rank, found["a"].win_rate, found["a"].games) == (1, 0.75, 40)


def test_a_judge_is_corrected_by_what_people_say_beside_it() -> None:
    generator = np.random.default_rng(2)
    truth = pd.Series(np.where(generator.random(1000) < 0.4, "yes", "no"))
    judge = truth.where(generator.random(1000) < 0.85, "yes")  # says yes too often
    people = pd.DataFrame({"task": range(200), "worker": "ann", "label": truth[:200]})
    found = hb.correct(people, judge)["yes"]
    assert found.judge == pytest.approx((judge == "yes").mean())
    assert found.low < (truth == "yes").mean() < found.high < found.judge
    assert found.high - found.low < found.people_high - found.people_low
    assert hb.correct(people, judge, points={"yes": 1})["mean points"].value == found.value


def test_a_frame_gives_what_the_commands_give_of_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'etalon.db'}"
    monkeypatch.setenv("DATABASE_URL", url)

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, list(words), catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    logs = ROOT / "data/samples/logs"
    run("import-log", "parus", f"{logs}/parus.tsv", "--task", "rsg/parus", "--gold", f"{logs}/parus_gold.csv")
    run("run", "parus", "--model", "random")
    study = hb.Study.open(url)
    human, shown = json.loads(run("human", "parus", "--json")), study.human()
    majority = human["scores"]["majority"]["accuracy"]
    assert [shown["majority, accuracy"].value, shown["majority, accuracy"].low] == [
        majority["value"],
        majority["ci"][0],
    ]
    assert shown["alpha"].value == human["agreement"]["alpha"]
    again = hb.human_baseline(study.judgments(), study.gold())
    pd.testing.assert_frame_equal(again.to_frame(), shown.to_frame())
    rows = {row["respondent"]: row for row in json.loads(run("results", "parus", "--json"))["rows"]}
    assert study.results()["model:random"].difference == rows["model:random"]["vs_human"]["difference"]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: hb.agreement(SAID, "ordinal"), r"'x' are ordered; give order="),
        (lambda: hb.agreement(SAID, "interval"), r"needs numbers as labels, got 'x'"),
        (
            lambda: hb.agreement(SAID.rename(columns={"label": "answer"})),
            r"no column 'label'.*has task, worker, answer",
        ),
        (
            lambda: hb.consensus(SAID.assign(label=SAID["label"].where(SAID["label"] != "y"))),
            r"2 rows have no label; .*dropna",
        ),
        (lambda: hb.consensus(SAID, "weighted"), r"skills="),
        (lambda: hb.human_baseline(SAID, min_vote=3), r"did you mean 'min_votes'"),
        (lambda: hb.compare(SAID, {}, {}), r"No task of these judgments has gold"),
        (lambda: hb.score(pd.DataFrame({"task": [1, 1], "label": ["x", "y"]}), {1: "x"}), r"task '1' twice"),
        (
            lambda: hb.ranking(pd.DataFrame({"left": ["a"], "right": ["b"], "label": ["c"]})),
            r"Row 0 .*neither of its two",
        ),
        (lambda: hb.agreement(SAID)["kappa"], r"the row 'kappa' is not known"),
    ],
)
def test_a_mistake_is_one_sentence_that_says_what_to_do(call: Any, says: str) -> None:
    with pytest.raises(EtalonError, match=says):
        call()


def test_a_result_is_a_table_in_a_terminal_and_in_a_notebook_and_a_figure(tmp_path: Path) -> None:
    found = hb.agreement(points().replace({"label": {1: "<b>"}}))
    assert repr(found).splitlines()[0] == "Agreement (nominal)"
    assert "<td>" in found._repr_html_()
    found.figure().save(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_text("utf8").count("<circle") == 2 + len(CLOSED_LIST)
    assert "<b>" not in hb.consensus(points().replace({"label": {5: "<b>"}}))._repr_html_().replace("<b>Consensus", "")


def test_the_examples_of_its_page_show_what_comes_out() -> None:
    ran = doctest.testfile(str(ROOT / "docs" / "api.md"), module_relative=False)
    assert ran.attempted > 10
    assert not ran.failed


def test_importing_it_imports_no_library_and_using_it_no_page_and_no_database() -> None:
    script = """
import sys
import human_baseline as hb
assert not {"numpy", "pandas", "scipy", "pydantic"} & set(sys.modules)
import pandas as pd
said = pd.DataFrame({"task": [1, 1, 2, 2], "worker": list("abab"), "label": list("xxyx")})
hb.agreement(said), hb.consensus(said), hb.compare(said, {1: "x", 2: "y"}, {"m": {1: "x"}}), hb.alt_test(said, {})
hb.correct(said, {1: "x", 2: "y"}), hb.ranking(pd.DataFrame({"left": ["a"], "right": ["b"], "label": ["a"]}))
unwanted = {"gradio", "sqlmodel", "sqlalchemy", "typer", "jinja2", "fastapi", "openai", "sklearn", "db", "scipy.stats"}
assert not unwanted & set(sys.modules), unwanted & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
