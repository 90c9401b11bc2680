"""BenchmarkTotals of benchmarks over studies of their tasks, and the printed rows beside them."""

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from app import cli
from baseline.commands.baselines import published_in
from baseline.comparison.published_scores import published_scores_of
from baseline.comparison.results import Kind
from baseline.comparison.totals import (
    BenchmarkTotals,
    Scored,
    by_length,
    mean_of,
    total_notes,
    total_rows,
    total_tables,
    totals,
)
from baseline.output.report_file import text
from data.catalogue.catalog import get_task, samples, tasks
from data.catalogue.families import get_family
from data.errors import BadSetting
from data.task import Item
from db.engine import Database, opened, reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.workers import add_worker
from eval.estimate import Estimate
from tests.helpers.asking_models import model_named, run

KIND: Kind = "model"


def judged(database: Database, task_id: str, *, wrong: int, name: str = "", simulated: bool = False) -> Study:
    """A study of a task's samples that one person answered, the first `wrong` of them wrongly, and `random` all."""
    task = get_task(task_id)
    main = [item for item in samples(task) if item.role == "main"]
    with writing(database) as session:
        study = create_study(session, name=name or task_id.replace("/", "-"), task=task, settings=StudySettings())
        add_items(session, study=study, items=main)
        worker = add_worker(session, simulated=simulated)
        labels = {item.id: answered(item, task_id, right=place >= wrong) for place, item in enumerate(main)}
        given = [Judgment(e.key, worker, labels[e.item.id]) for e in list_items(session, study=study)]
        add_judgments(session, study=study, judgments=given)
    run(database, study=study, model=model_named("random", task=task))
    return study


def answered(item: Item, task_id: str, *, right: bool) -> str:
    asked = get_task(task_id).answer_for(item.fields)
    best = asked.best(item.gold or "", item.fields)
    return best if right else next(label for label in asked.labels() if label != best)


def found(database: Database, family: str, *names: str) -> BenchmarkTotals:
    with reading(database) as session:
        return totals(session, family=get_family(family), names=names)


def test_a_total_is_the_mean_of_the_tasks_it_has_and_says_which_are_missing(sqlite: Engine) -> None:
    judged(sqlite, "rsg/parus", wrong=4, simulated=True)
    judged(sqlite, "rsg/danetqa", wrong=0)
    here = found(sqlite, "rsg")
    people = here.rows[0]
    parus, danetqa = (sum(i.role == "main" for i in samples(get_task(name))) for name in ("rsg/parus", "rsg/danetqa"))
    assert (people.respondent, people.kind, people.over) == ("human:majority", "human", 2)
    assert people.scores["rsg/parus"].value == pytest.approx(1 - 4 / parus)
    assert people.value == pytest.approx((1 - 4 / parus + 1) / 2)
    assert danetqa == people.scores["rsg/danetqa"].n
    for end in (0, 1):
        apart = [score.ci[end] - score.value for score in people.scores.values()]
        assert abs(people.ci[end] - people.value) == pytest.approx((apart[0] ** 2 + apart[1] ** 2) ** 0.5 / 2)
    assert [row.respondent for row in here.rows] == ["human:majority", "model:random"]
    told = text(total_tables(here), total_notes(here))
    assert "There is no study of rsg/lidirus, rsg/rcb" in told
    assert "In rsg-parus judgments are simulated: programs answered, not people" in told
    assert "mean over 2 tasks" in told
    assert "The mean is over what everybody here has, rsg/parus and rsg/danetqa: it is no total." in told
    assert "Published, over all 9 tasks: " in told
    assert "people 0.802 (table 2)" in told
    assert here.as_dict()["missing"][0] == "rsg/lidirus"


def first_words(made: BenchmarkTotals) -> list[list[str]]:
    return [[str(cell).split(" ")[0] for cell in row] for row in total_tables(made)[0].cells]


def test_means_over_different_tasks_never_stand_side_by_side() -> None:
    family = get_family("rsg")
    good, bad = (mean_of({"accuracy": Estimate(value, (0.4, 1.0), "item", "wilson", 9)}, 9) for value in (0.9, 0.5))
    scored: dict[str, list[tuple[str, Kind, Scored]]] = {
        "rsg/parus": [("model:a", KIND, good), ("model:b", KIND, bad)],
        "rsg/terra": [("model:a", KIND, bad)],
    }
    made = BenchmarkTotals(family, {}, total_rows(family, scored))
    assert first_words(made)[-2] == ["mean", "", "0.900", "0.500"], "over the task that both have"
    assert [row["mean"]["value"] for row in made.as_dict()["over_shared_tasks"]] == [0.9, 0.5]
    apart = {"rsg/parus": scored["rsg/parus"][1:], "rsg/terra": scored["rsg/terra"]}
    made = BenchmarkTotals(family, {}, total_rows(family, apart))
    assert first_words(made)[-1] == ["total", "", "—", "—"]
    assert "There is no task that everybody here has" in " ".join(total_notes(made))
    everything = {task: scored["rsg/parus"][: 1 + (task == "rsg/parus")] for task in family.tasks}
    made = BenchmarkTotals(family, {}, total_rows(family, everything))
    total, holds, shared, _ = first_words(made)[-4:]
    assert (total[2:], holds[3], shared[2:]) == (["0.900", "—"], "—", ["0.900", "0.500"])


def test_two_official_metrics_of_a_task_are_averaged_first() -> None:
    f1 = Estimate(0.68, (0.6, 0.76), "item", "bootstrap", 215)
    accuracy = Estimate(0.702, (0.66, 0.74), "item", "wilson", 215)
    found = mean_of({"macro_f1": f1, "accuracy": accuracy}, 215)
    assert found.value == pytest.approx(0.691)
    assert found.ci == pytest.approx((0.63, 0.75))


def test_the_interval_of_a_mean_never_leaves_the_scale() -> None:
    parus = mean_of({"accuracy": Estimate(1.0, (0.9, 1.0), "item", "wilson", 35)}, 35)
    terra = mean_of({"accuracy": Estimate(0.98, (0.9, 1.0), "item", "wilson", 50)}, 50)
    scored = {"rsg/parus": [("model:m", KIND, parus)], "rsg/terra": [("model:m", KIND, terra)]}
    (row,) = total_rows(get_family("rsg"), scored)
    # Below: the root of 0.1^2 + 0.08^2, halved; above nothing but the 0.02 of the second task, halved.
    assert row.ci == pytest.approx((0.99 - 0.0640312, 1.0), abs=1e-6)


def test_long_texts_count_by_length_whatever_the_number_of_items(sqlite: Engine) -> None:
    task = get_task("libra/ru_tpo")
    main = [item for item in samples(task) if item.role == "main"]
    lengths = {item.fields["length"] for item in main}
    judged(sqlite, "libra/ru_tpo", wrong=1)
    here = found(sqlite, "libra")
    (people, _) = here.rows
    each = [[i for i in main if i.fields["length"] == one] for one in sorted(lengths)]
    shares = [sum(item is not main[0] for item in items) / len(items) for items in each]
    assert people.scores["libra/ru_tpo"].value == pytest.approx(sum(shares) / len(shares))
    assert set(people.scores["libra/ru_tpo"].parts) == lengths
    (table, _) = by_length(here)
    (name, header, rows) = table.caption.rpartition(",")[0], table.header, table.cells
    assert (name, header[0], header[-1]) == ("People, majority", "task", "mean")
    group, overall = (next(row for row in rows if row[0] == label) for label in ("group II", "overall"))
    assert group[1:] == overall[1:] == rows[0][1:], "one task is its group and all there is"
    assert [row[-1] for row in rows if row[0] == "group IV"] == ["—"]


def test_what_has_no_total_and_studies_that_do_not_fit_get_a_sentence(sqlite: Engine) -> None:
    judged(sqlite, "rsg/parus", wrong=0)
    judged(sqlite, "rsg/parus", wrong=1, name="again")
    with pytest.raises(BadSetting, match="define no total"):
        found(sqlite, "agrr")
    with pytest.raises(BadSetting, match="There is no study of LIBRA yet"):
        found(sqlite, "libra")
    with pytest.raises(BadSetting, match="has the task 'rsg/parus', which is not part of LIBRA"):
        found(sqlite, "libra", "again")
    with pytest.raises(BadSetting, match="Two of the studies have the task 'rsg/parus'"):
        found(sqlite, "rsg", "again", "rsg-parus")
    assert found(sqlite, "rsg").studies == {"rsg/parus": "again"}, "the newest, where none is named"
    with writing(sqlite) as session:
        create_study(session, name="empty", task=get_task("rsg/parus"), settings=StudySettings())
    assert found(sqlite, "rsg").studies == {"rsg/parus": "again"}, "of those that somebody has answered in"


def test_printed_rows_are_marked_and_a_missing_human_row_is_said() -> None:
    table = published_scores_of(get_task("rsg/rcb"))
    assert table is not None
    assert table.rows[0].respondent == "people"
    assert table.rows[0].scores == {"macro_f1": 0.68, "accuracy": 0.702}
    told = published_in(text, table)
    assert "\npeople " in told
    assert "weighted by class" in told
    assert "never tested against ours" in told
    assert "prints no score of people" in published_in(text, published_scores_of(get_task("libra/passkey")))
    assert published_scores_of(get_task("own/rating")) is None
    assert "belongs to no benchmark" in published_in(text, None)
    assert all(published_scores_of(task) for task in tasks().values() if task.id in get_family("ruscontext").tasks)


def test_totals_are_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'etalon.db'}")
    with opened(f"sqlite:///{tmp_path / 'etalon.db'}") as database:
        judged(database, "rsg/parus", wrong=0)
    told = json.loads(CliRunner().invoke(cli, ["total", "rsg", "--json"]).stdout)
    assert told["rows"][0]["tasks"]["rsg/parus"]["value"] == 1
    assert "total" in CliRunner().invoke(cli, ["total", "rsg"]).stdout
    wrong = CliRunner().invoke(cli, ["total", "rs"])
    assert (wrong.exit_code, "did you mean 'rsg'" in wrong.output) == (2, True)


def wide_score(value: float, people: str) -> Scored:
    """A score whose interval over items reaches .03 either way, and over people, who gave ten answers each, .04."""
    answers = dict.fromkeys(people, 10.0)
    return Scored(value, (value - 0.05, value + 0.05), 50, {"accuracy": value}, (value - 0.03, value + 0.03), answers)


@pytest.mark.parametrize(
    ("second", "apart"),
    [
        ("abcde", (0.03**2 * 2 + (0.04 * 2) ** 2) ** 0.5 / 2),  # the same people: their part adds up as it is
        ("fghij", (0.05**2 * 2) ** 0.5 / 2),  # others: in squares
        ("abxyz", (0.03**2 * 2 + 0.04**2 * (2 + 2 * 0.4)) ** 0.5 / 2),  # two of five are the same
    ],
)
def test_people_who_answered_several_tasks_make_their_total_as_uncertain_as_they_are(second: str, apart: float) -> None:
    each = wide_score(0.8, "abcde"), wide_score(0.9, second)
    kind: Kind = "human"
    scored = {
        f"rsg/{name}": [("human:majority", kind, one)] for name, one in zip(("parus", "terra"), each, strict=True)
    }
    (row,) = total_rows(get_family("rsg"), scored)
    assert row.ci == pytest.approx((0.85 - apart, 0.85 + apart))
    assert row.ci_items == pytest.approx((0.85 - 0.0212132, 0.85 + 0.0212132))
    assert (row.holds_for, row.narrow_tasks) == ("other items, other people", ())
    assert row.as_dict()["mean"]["holds_for"] == "other items, other people"


def test_a_total_holds_for_these_people_where_one_of_its_tasks_does() -> None:
    kind: Kind = "human"
    narrow = Scored(0.9, (0.86, 0.94), 50, {"accuracy": 0.9})
    scored = {
        "rsg/parus": [("human:majority", kind, wide_score(0.8, "abcde"))],
        "rsg/terra": [("human:majority", kind, narrow)],
    }
    rows = total_rows(get_family("rsg"), scored)
    assert rows[0].ci == pytest.approx((0.85 - 0.025, 0.85 + 0.025)), "the parts over items alone, .03 and .04"
    assert (rows[0].ci_items, rows[0].holds_for) == (None, "other items, these people")
    made = BenchmarkTotals(get_family("rsg"), {"rsg/parus": "one", "rsg/terra": "two"}, rows)
    assert "in rsg/terra the interval holds for these people alone" in " ".join(total_notes(made))
    assert "and so it does over tasks" in " ".join(total_notes(made))
    assert total_tables(made)[0].cells[-1][2:] == ["other items, these people"]
    shared = {**scored, "rsg/parus": [*scored["rsg/parus"], ("model:m", KIND, narrow)]}
    beside = BenchmarkTotals(made.family, made.studies, total_rows(made.family, shared))
    assert "and so it does over tasks" not in " ".join(total_notes(beside)), "their mean is over rsg/parus alone"
