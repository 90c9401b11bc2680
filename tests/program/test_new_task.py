"""A new task is a TOML file and sample items: listed, asked of people and models, scored and reported, without code."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from app import cli
from data.catalogue.catalog import tasks
from db.engine import opened, reading
from db.studies import get_study
from tests.helpers.browsing import application, invited, token
from tests.helpers.collection import Watch, make_service

TASK = """
# Dishes: which meal of the day a dish is for.
id = "kitchen/dishes"
title = { ru = "Блюда", en = "Dishes" }
question = { ru = "Когда это едят?", en = "When is it eaten?" }
instruction = { ru = "Прочитайте название блюда и скажите, когда его едят.", en = "Say when the dish is eaten." }
prompt = "{instruction}\\n\\n{dish}\\n\\n{options}\\n{answer_format}"
fields = [{ name = "dish", title.ru = "Блюдо", title.en = "Dish" }]

[answer]
kind = "choice"

[answer.choices]
morning = { ru = "Утром", en = "In the morning" }
evening = { ru = "Вечером", en = "In the evening" }
"""
FAMILY = '[shared]\nmetrics = ["accuracy", "macro_f1"]\nlicence = "CC0"\n'
ITEMS = {"Каша на молоке": "morning", "Жаркое": "evening", "Яичница": "morning"}


@pytest.fixture
def kitchen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A catalogue of just this task, and its sample items."""
    folder = tmp_path / "tasks" / "kitchen"
    folder.mkdir(parents=True)
    (folder / "family.toml").write_text(FAMILY, "utf8")
    (folder / "dishes.toml").write_text(TASK, "utf8")
    rows = [{"id": f"{n}", "dish": dish, "label": label} for n, (dish, label) in enumerate(ITEMS.items())]
    (tmp_path / "items.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf8")
    monkeypatch.setattr("data.catalogue.catalog.FOLDERS", (tmp_path / "tasks",))
    tasks.cache_clear()
    yield tmp_path
    tasks.cache_clear()


def test_it_goes_from_the_catalogue_to_a_report(
    kitchen: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    items = kitchen / "items.jsonl"

    def said(*words: object) -> Any:
        result = CliRunner().invoke(cli, [*map(str, words), "--json"], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    assert [task["id"] for task in said("tasks")["tasks"]] == ["kitchen/dishes"]
    assert said("check", "kitchen/dishes", items)["gold"] == 3
    said("create", "dinner", "--task", "kitchen/dishes", "--items", items, "--overlap", 1)
    with opened(sqlite_url) as database:
        service = make_service(database, Watch())
        with reading(database) as session:
            study = get_study(session, name="dinner")
        worker = invited(service, TestClient(application(service), follow_redirects=False), study)
        reply = worker.enter()
        for _ in ITEMS:
            html = reply.json()["html"]
            assert "Когда это едят?" in html
            right = next(label for dish, label in ITEMS.items() if dish in html)
            reply = worker.act("answer", token=token(reply), value=right, seconds=2.0)
    said("run", "dinner", "--model", "majority", "--train", items)
    report = kitchen / "report.html"
    found = said("results", "dinner", "--report", report)
    scores = {row["respondent"]: {name: one["value"] for name, one in row["scores"].items()} for row in found["rows"]}
    assert scores["human:majority"] == {"accuracy": 1, "macro_f1": 1}
    # "morning" for all three: two are right; its F1 is 2 * 2 / (2 * 2 + 1), that of "evening" is 0.
    assert scores["model:majority"] == pytest.approx({"accuracy": 2 / 3, "macro_f1": (4 / 5 + 0) / 2})
    page = report.read_text("utf8")
    assert all(words in page for words in ("kitchen/dishes", "CC0", "majority"))
    answers = [json.dumps({"id": f"{n}", "answer": label}) for n, label in enumerate(ITEMS.values())]
    (kitchen / "right.jsonl").write_text("\n".join(answers), "utf8")
    scored = said("score", "kitchen/dishes", "--gold", items, "--predictions", kitchen / "right.jsonl")
    assert (scored["n"], scored["metrics"]["macro_f1"]["value"]) == (3, 1)
