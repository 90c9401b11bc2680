"""Uses all sixteen changes as a user would, in a copy of the program with them, and prints what was seen as JSON."""

import json
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import tests.helpers.quick_gradio  # noqa: F401
from app import cli
from baseline.output.study_address import StudyAddress
from baseline.pages.result_files import results_files
from baseline.pages.results_page import StudyCache
from data.catalogue.catalog import SAMPLES
from db.engine import Database, opened, reading
from db.exports import ComputedFiles
from db.settings import variable
from db.studies import get_study
from tests.helpers.browsing import application, invited, token
from tests.helpers.collection import Watch, make_service
from tests.helpers.model_server import ModelServer, Request, Say, always
from tests.program.ten_changes.given_answers import ALL_RIGHT, HOURS, LAST_WRONG, REST, SURE
from tests.program.ten_changes.new_setting import seen_of_rest

DISHES, HOW_SURE, WHICH_HOURS = "kitchen/dishes", "kitchen/sure", "kitchen/hours"
FORMS = {"text": ("--details",), "markdown": ("--details", "--markdown")}


class OllamaServer(ModelServer):
    """Ollama's own API."""

    path = "/api/chat"

    def said(self, say: Say, request: Request) -> bytes:
        message = {"role": "assistant", "content": say.text}
        counted = {"prompt_eval_count": 30, "eval_count": 4}
        return json.dumps({"message": message, "done": True, "done_reason": "stop", **counted}).encode()


def said(*words: object) -> str:
    """Return what a command prints."""
    done = CliRunner().invoke(cli, [*map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def told(*words: object) -> Any:
    """Return the JSON that a command prints."""
    return json.loads(said(*words, "--json"))


def create(study: str, task: str, overlap: int = 2) -> None:
    said("create", study, "--task", task, "--items", SAMPLES / task / "main.jsonl", "--overlap", overlap)


def answered(
    database: Database, study: str, answers: Mapping[str, object], query: str = "", pause: float = 0
) -> list[str]:
    """Let one more worker give these answers, by what stands in the item; return the screens."""
    service = make_service(database, watch := Watch())
    with reading(database) as session:
        chosen = get_study(session, name=study)
    worker = invited(service, TestClient(application(service), follow_redirects=False), chosen, query)
    reply, screens = worker.enter(), []
    for _ in answers:
        screens.append(reply.json()["html"])
        value = next(label for dish, label in answers.items() if dish in screens[-1])
        watch.passes(seconds=pause)
        reply = worker.act("answer", token=token(reply), value=value, seconds=9.0)
    return screens


def downloaded(database: Database, what: str) -> dict[str, Any]:
    """Return how an export stands on the results page, what its link gives, and what the command writes of it."""
    app = FastAPI()
    app.include_router(results_files(ComputedFiles(database), lambda _: "ann"))
    page = StudyCache(database).draw(StudyAddress("dinner", "download"))
    address = f"/results-files/dinner/{what}.csv"
    with TestClient(app) as client:
        sent = client.get(address)
    return {"linked": f'href="{address}"' in page, "sent": sent.text, "written": exported("dinner", what)}


def exported(study: str, what: str) -> str:
    """Return what the command writes."""
    said("export", study, "--what", what, "--to", to := Path(f"{what}.csv"))
    return to.read_bytes().decode()


def dinner(database: Database) -> dict[str, Any]:
    """Return what is seen of the task, of the language, and of all that is computed of a study of dishes."""
    create("dinner", DISHES)
    screens = answered(database, "dinner", ALL_RIGHT, pause=30)
    screens += answered(database, "dinner", LAST_WRONG, "?lang=kk")
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
        "bursts": told("quality", "dinner", "--rule", "burst"),
        "export": downloaded(database, "voters"),
        "workers": exported("dinner", "workers"),
    }


def sure(database: Database) -> dict[str, Any]:
    """Return what is seen of the answer type."""
    create("sure", HOW_SURE)
    screens = answered(database, "sure", SURE)
    said("run", "sure", "--model", "echo:loud", "--word", "I am 1% sure.")
    return {"screens": screens, "results": told("results", "sure")}


def hours(database: Database) -> dict[str, Any]:
    """Return what is seen of the answer with two parts, and of a provider with a wire format of its own."""
    create("hours", WHICH_HOURS, overlap=3)
    screens = [answered(database, "hours", each | REST) for each in HOURS]
    with OllamaServer(always(Say("I think 9-12."))) as server:
        address = server.base_url.removesuffix("/v1")
        ran = told("run", "hours", "--model", "ollama:tiny", "--base-url", address, "--temperature", "0.5")
        sent = server.requests[0]
    return {
        "screen": screens[0][0],
        "run": ran,
        "sent": {"body": sent.body, "headers": sorted(sent.headers)},
        "human": told("human", "hours"),
        "results": told("results", "hours"),
        "soft": exported("hours", "soft-labels"),
    }


def rested(database: Database) -> dict[str, Any]:
    """Return what is seen of the setting."""
    items = SAMPLES / "rsg" / "parus" / "main.jsonl"
    said("create", "rested", "--task", "rsg/parus", "--items", items, "--set", "rest=2.5")
    return seen_of_rest(database, "rested")


def samples_tested() -> dict[str, Any]:
    """Return how the tests of samples end for those of the guide, and what they say."""
    tests = [f"tests/data/test_{name}.py" for name in ("data_samples", "hostile_texts")]
    with redirect_stdout(StringIO()) as told:
        code = pytest.main(["-q", "-k", "kitchen", "-p", "no:cacheprovider", *tests])
    return {"code": code, "told": told.getvalue()}


if __name__ == "__main__":
    with opened(variable("DATABASE_URL")) as everything:
        seen = {"dinner": dinner(everything), "sure": sure(everything), "hours": hours(everything)}
        seen["rested"] = rested(everything)
    seen["samples"] = samples_tested()
    sys.stdout.write(json.dumps(seen) + "\n")
