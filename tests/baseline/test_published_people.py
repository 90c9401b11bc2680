"""People of a study beside those of the paper: both figures and what differs, on the page and in every form."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from app import cli
from baseline.comparison.published_scores import PublishedPeople, published_people
from baseline.comparison.results import results
from baseline.human.baseline import stored_rules
from baseline.output.computed_exports import FOR_VIEWERS
from db.engine import opened, reading
from db.exports import ExportRequest
from db.studies import get_study
from eval.estimate import wilson
from tests.baseline.test_totals import judged
from tests.helpers.study_pages import study_page

FORMS = ("html", "md", "tex")


def beside(database: Engine, task: str) -> PublishedPeople | None:
    """People of the study of a task beside those of its paper."""
    with reading(database) as session:
        study = get_study(session, name=task.replace("/", "-"))
        return published_people(results(session, study=study, rules=stored_rules(study)))


def test_both_figures_stand_beside_each_other_by_each_metric_that_both_have(sqlite: Engine) -> None:
    judged(sqlite, "rsg/rcb", wrong=1)
    found = beside(sqlite, "rsg/rcb")
    assert found is not None
    figures = [(one.source, one.metric) for one in found.figures]
    assert figures[-3:] == [("this study", "accuracy"), ("this study", "accuracy"), ("published", "accuracy")]
    ours, paper = found.figures[-3], found.figures[-1]
    assert (paper.respondent, paper.value, paper.ci, paper.n) == ("people", 0.702, None, None)
    assert ours.n is not None
    assert ours.value == pytest.approx(1 - 1 / ours.n)
    assert ours.ci == pytest.approx(wilson(ours.n - 1, ours.n))
    assert all("p" not in column.key.split("_") for column in found.tables[0].columns), "they are never tested"


def test_what_is_known_to_differ_is_said_of_items_rule_gold_and_metric(sqlite: Engine) -> None:
    judged(sqlite, "rsg/rcb", wrong=0)
    found = beside(sqlite, "rsg/rcb")
    assert found is not None
    said = {matter: (here, paper) for matter, here, paper in found.differences}
    assert list(said) == ["items", "one answer per item", "gold", "metric", "said beside the figure"]
    assert said["items"][1] == "the test set has 438 items"
    assert "not numbered as the benchmark's test set" in said["items"][0], "samples are written here"
    assert said["one answer per item"][0].startswith("majority of 1; 1 or more votes; ties ")
    assert "Toloka" in said["one answer per item"][1]
    assert said["gold"][0] == "the right answer is the gold in the items' file"
    assert "omputed on 215 items" in said["said beside the figure"][1]


def test_what_no_paper_prints_of_people_is_set_beside_nothing(sqlite: Engine) -> None:
    judged(sqlite, "libra/ru_tpo", wrong=0)
    assert beside(sqlite, "libra/ru_tpo") is None
    judged(sqlite, "own/rating", wrong=0)
    assert beside(sqlite, "own/rating") is None


def test_the_page_and_every_form_of_both_reports_have_them(sqlite: Engine) -> None:
    judged(sqlite, "rsg/parus", wrong=2)
    with reading(sqlite) as session:
        study = get_study(session, name="rsg-parus")
        page, files = (study_page(sqlite, "rsg-parus", tab=tab) for tab in ("scores", "download"))
        exported = {
            form: FOR_VIEWERS["report"].forms[form](ExportRequest(session, study)) for form in (*FORMS, "json", "zip")
        }
        table = FOR_VIEWERS["published"].forms["csv"](ExportRequest(session, study)).decode()
    assert "0.982" in page
    assert "500 items" in exported["json"].decode()
    assert 'href="/results-files/rsg-parus/published.csv"' in files
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [(row["source"], row["metric"]) for row in rows[:2]] == [("this study", "accuracy")] * 2
    assert {row["respondent"]: row["value"] for row in rows if row["source"] == "published"}["people"] == "0.982"
    (people,) = [one for one in json.loads(exported["json"])["published"]["people"]["figures"] if one["table"]]
    assert people["value"] == 0.982
    with zipfile.ZipFile(io.BytesIO(exported["zip"])) as archive:
        assert json.loads(archive.read("results.json"))["published"] == json.loads(exported["json"])["published"]


@pytest.mark.parametrize("form", [[], ["--markdown"], ["--json"]])
def test_the_command_prints_them_in_every_form(
    form: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{tmp_path / 'etalon.db'}"
    monkeypatch.setenv("DATABASE_URL", address)
    with opened(address) as database:
        judged(database, "rsg/parus", wrong=2)
    shown = CliRunner().invoke(cli, ["results", "rsg-parus", "--published", *form])
    assert shown.exit_code == 0, shown.output
    assert "0.982" in shown.stdout
    assert "one answer per item" in shown.stdout
