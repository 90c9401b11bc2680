"""Uses all ten changes as a user would, in a copy of the program that has them, and prints what was seen as JSON."""

import json
import sys
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from app import cli
from baseline.output.study_address import StudyAddress
from baseline.pages.result_files import results_files
from baseline.pages.results_page import StudyCache
from data.catalogue.sample_items import SAMPLES
from db.engine import Database, opened, reading
from db.exports import ComputedFiles
from db.settings import variable
from db.studies import get_study
from tests.helpers.browsing import application, invited, token
from tests.helpers.collection import Watch, make_service
from tests.program.ten_changes.given_answers import ALL_RIGHT, LAST_WRONG, SURE

DISHES, HOW_SURE = "kitchen/dishes", "kitchen/sure"
FORMS = {"text": ("--details",), "markdown": ("--details", "--markdown")}


def said(*words: object) -> str:
    """Return what a command prints."""
    done = CliRunner().invoke(cli, [*map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def told(*words: object) -> Any:
    """Return the JSON that a command prints."""
    return json.loads(said(*words, "--json"))


def create(study: str, task: str) -> None:
    said("create", study, "--task", task, "--items", SAMPLES / task / "main.jsonl", "--overlap", 2)


def answered(database: Database, study: str, answers: dict[str, str], query: str = "") -> list[str]:
    """Let one more worker give these answers, by what stands in the item; return the screens."""
    service = make_service(database, Watch())
    with reading(database) as session:
        chosen = get_study(session, name=study)
    worker = invited(service, TestClient(application(service), follow_redirects=False), chosen, query)
    reply, screens = worker.enter(), []
    for _ in answers:
        screens.append(reply.json()["html"])
        value = next(label for dish, label in answers.items() if dish in screens[-1])
        reply = worker.act("answer", token=token(reply), value=value, seconds=9.0)
    return screens


def downloaded(database: Database, what: str) -> dict[str, Any]:
    """Return how an export stands on the results page, what its link gives, and what the command writes."""
    app = FastAPI()
    app.include_router(results_files(ComputedFiles(database), lambda _: "ann"))
    page = StudyCache(database).draw(StudyAddress("dinner", "download"))
    address = f"/results-files/dinner/{what}.csv"
    with TestClient(app) as client:
        sent = client.get(address)
    said("export", "dinner", "--what", what, "--to", to := Path(f"{what}.csv"))
    return {"linked": f'href="{address}"' in page, "sent": sent.text, "written": to.read_bytes().decode()}


def dinner(database: Database) -> dict[str, Any]:
    """Return what is seen of the task, of the language, and of all that is computed of a study of dishes."""
    create("dinner", DISHES)
    screens = [*answered(database, "dinner", ALL_RIGHT), *answered(database, "dinner", LAST_WRONG, "?lang=kk")]
    ran = told("run", "dinner", "--model", "echo:loud", "--word", "1")
    predictions = Path("predictions.jsonl")
    predictions.write_text("\n".join(json.dumps({"id": f"{n}", "answer": "morning"}) for n in range(1, 8)), "utf8")
    to = Path("scores.csv")
    said("export", "dinner", "--what", "scores", "--to", to)
    gold = SAMPLES / DISHES / "main.jsonl"
    return {
        "tasks": [one["id"] for one in told("tasks")["tasks"]],
        "screens": screens,
        "run": ran,
        "human": told("human", "dinner"),
        "human_text": said("human", "dinner", "--details"),
        "unanimous": told("results", "dinner", "--consensus", "unanimous"),
        "unanimous_page": said("results", "dinner", "--consensus", "unanimous", "--html"),
        "results": told("results", "dinner"),
        "shown": {form: said("results", "dinner", *words) for form, words in FORMS.items()},
        "scores": to.read_text("utf8"),
        "scored": told("score", DISHES, "--gold", gold, "--predictions", predictions),
        "live": told("events", "dinner"),
        "afterwards": told("quality", "dinner", "--rule", "many"),
        "export": downloaded(database, "voters"),
    }


def sure(database: Database) -> dict[str, Any]:
    """Return what is seen of the answer type."""
    create("sure", HOW_SURE)
    screens = answered(database, "sure", SURE)
    said("run", "sure", "--model", "echo:loud", "--word", "I am 1% sure.")
    return {"screens": screens, "results": told("results", "sure")}


if __name__ == "__main__":
    with opened(variable("DATABASE_URL")) as everything:
        sys.stdout.write(json.dumps({"dinner": dinner(everything), "sure": sure(everything)}) + "\n")
