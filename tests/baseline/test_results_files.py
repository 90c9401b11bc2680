"""The downloads of the results: who may have them, what is in the package, what a leaderboard takes, hostile names."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine

from baseline.output.computed_exports import FOR_VIEWERS
from baseline.pages.result_files import results_files
from data.catalogue.catalog import get_task, samples
from data.submissions import needed_leaderboard
from db.engine import reading, writing
from db.exports import ComputedFiles
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.study_pages import study_page

SECRET = "Озадаченный сосед"


@pytest.fixture
def client(sqlite: Engine) -> Iterator[TestClient]:
    """A study of USE-like length: TERRa's samples with the authors' numbers, three people who agree and one model."""
    task = get_task("rsg/terra")
    items = [item for item in samples(task) if item.role == "main"][:4]
    with writing(sqlite) as session:
        study = create_study(session, name="исследование", task=task, settings=StudySettings())
        numbered = [type(item)(str(n), item.fields, item.gold) for n, item in enumerate(items)]
        add_items(session, study=study, items=numbered)
        stored = list_items(session, study=study, role="main")
        workers = [add_worker(session) for _ in range(3)]
        given = [Judgment(e.key, w, str(e.item.gold)) for e in stored for w in workers]
        add_judgments(session, study=study, judgments=given)
        run = create_run(session, study=study, model="openai:a/b", kind="model", settings={"temperature": 0})
        said = [Prediction(e.key, 0, SECRET, str(e.item.gold), "ok") for e in stored[:3]]
        add_predictions(session, run=run, predictions=said)
        finish_run(session, run=run)
    app = FastAPI()
    app.include_router(results_files(ComputedFiles(sqlite), lambda request: request.headers.get("x-who")))
    with TestClient(app) as opened:
        opened.headers["x-who"] = "ann"
        yield opened


def got(client: TestClient, file: str, **query: str) -> Any:
    return client.get(f"/results-files/исследование/{file}", params=query)


def plain(html: str) -> str:
    """A page with spaces where short words are tied to the next one."""
    return html.replace("\u00a0", " ")


def test_nobody_gets_a_file_without_signing_in(client: TestClient) -> None:
    del client.headers["x-who"]
    assert got(client, "report.zip").status_code == 401


def test_the_package_holds_everything_but_texts_gold_and_names(client: TestClient) -> None:
    reply = got(client, "report.zip")
    assert reply.headers["content-disposition"].startswith("attachment; filename*=UTF-8''%D0%B8")
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert sorted(files) == [
        "README.md", "judgments.csv", "report.html", "report.md", "report.tex", "results.json", "scores.csv",
        "scores.tex", "settings.json",
    ]  # fmt: skip
    everything = "".join(files.values())
    assert not re.search(r"w-[0-9a-f]{8}", everything)
    item = next(item for item in samples(get_task("rsg/terra")) if item.role == "main")
    assert item.fields["premise"] not in everything
    assert SECRET not in everything
    settings = json.loads(files["settings.json"])
    assert settings["task"]["id"] == "rsg/terra"
    assert settings["runs"][0]["settings"] == {"temperature": 0}
    assert {"python", "numpy", "scipy"} <= set(settings["versions"])
    assert settings["items"]["sha256"] in files["README.md"]
    assert settings["items"]["sha256"] in files["report.html"]
    assert "\\toprule" in files["scores.tex"]
    assert files["judgments.csv"].count("\r\n") == 1 + 12
    assert "Reporting checklist of Wei et al. 2025" in files["report.html"]
    assert "What people and models were given differently" in files["report.html"]


def test_scores_are_rows_with_intervals_and_the_difference_from_people(client: TestClient) -> None:
    read = csv.DictReader(io.StringIO(got(client, "scores.csv").text))
    columns = ["respondent", "kind", "metric", "value", "low", "high", "unit", "method", "n", "difference"]
    assert [name for name in read.fieldnames or () if name in columns] == columns
    rows = [[line[name] for name in columns[:4]] for line in read]
    assert [row for row in rows if "people:" not in row[2]] == [
        ["human:majority", "human", "accuracy", "1.0"],
        ["human:individual", "human", "accuracy", "1.0"],
        ["model:openai:a/b", "model", "accuracy", "1.0"],
    ]
    agreement = [row[2:] for row in rows if row[0] == "human:individual" and "people:" in row[2]]
    assert agreement == [["people:equal", "1.0"], ["people:kappa", "1.0"]]


def test_people_have_a_submission_and_a_model_that_lacks_an_answer_is_told_so(client: TestClient) -> None:
    people = got(client, "submission.zip", respondent="human")
    with zipfile.ZipFile(io.BytesIO(people.content)) as archive:
        assert archive.read("TERRa.jsonl").count(b"\n") >= 3
    model = got(client, "submission.zip", respondent="model:openai:a/b")
    assert (model.status_code, model.text.count("1 of 4 items have no answer")) == (409, 1)
    assert "<h1>This file cannot be made</h1>" in model.text
    assert f'href="/results/?study={quote("исследование")}"' in model.text
    assert got(client, "submission.zip", respondent="model:<b>").status_code == 409


@pytest.mark.parametrize(
    "file", ["report.pdf", "released-judgments.html", "judgments.csv", "nothing.csv", "submission.exe"]
)
def test_another_file_is_a_sentence(client: TestClient, file: str) -> None:
    reply = got(client, file)
    assert reply.status_code == 404
    assert "did you mean" in reply.text or "known are" in reply.text


def test_an_unknown_study_is_a_sentence(client: TestClient) -> None:
    reply = client.get("/results-files/<b>nothing/report.html")
    assert (reply.status_code, "<b>" in reply.text) == (404, False)
    assert reply.headers["content-type"].startswith("text/html")


def test_the_page_links_to_every_file_and_to_each_submission(client: TestClient, sqlite: Engine) -> None:
    with reading(sqlite) as session:
        study = get_study(session, name="исследование")
        html = study_page(sqlite, study.name, tab="download")
    links = [link for link in re.findall(r'href="([^"]+)"', html) if "/results-files/" in link]
    files = [link.rpartition("/")[2].split(".") for link in links if "submission" not in link]
    assert re.search(r'<form[^>]*action="[^"]+/dataset\.zip"', html)
    elsewhere = ("submission", "ranking", "model-pairs", "dataset", "benchmark")
    viewers = {key: export for key, export in FOR_VIEWERS.items() if key not in elsewhere}
    assert [tuple(file) for file in files] == [(key, form) for key, one in viewers.items() for form in one.forms]
    assert {"soft-labels", "predictions", "settings"} <= set(viewers)
    assert client.get(next(link for link in links if link.endswith("judgments.csv"))).status_code == 200
    assert [link.split("respondent=")[1] for link in links if "submission" in link] == [
        "human",
        "model%3Aopenai%3Aa%2Fb",
    ]


def test_where_no_leaderboard_knows_the_items_the_reason_stands_in_the_place_of_the_links(sqlite: Engine) -> None:
    task = get_task("rsg/terra")
    with writing(sqlite) as session:
        study = create_study(session, name="samples", task=task, settings=StudySettings())
        add_items(session, study=study, items=[item for item in samples(task) if item.role == "main"])
        (first, *_), worker = list_items(session, study=study, role="main"), add_worker(session)
        add_judgments(session, study=study, judgments=[Judgment(first.key, worker, str(first.item.gold))])
    html = study_page(sqlite, study.name, tab="download")
    assert "submission" not in html
    assert "is no number of a leaderboard; make the study" in plain(html)


def test_numbers_of_items_are_read_as_each_leaderboard_has_them() -> None:
    rucos, use, agrr = (get_task(name) for name in ("rsg/rucos", "use", "agrr/full"))
    assert needed_leaderboard("rsg/rucos").unknown(rucos, ["7-12", "8-13"]) == ""
    assert needed_leaderboard("use").unknown(use, ["0", "1"]) == ""
    assert "'x' is no number" in needed_leaderboard("use").unknown(use, ["0", "x"])
    assert needed_leaderboard("agrr/full").unknown(agrr, ["any id"]) == ""
