"""What the tests that ask models share: a task of two colours, a study of it, a model that says what it is told."""

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

import pandas as pd

from baseline.models.chat.served_model import Retries, ServedModel
from baseline.models.hosts import EVERYWHERE, ModelHosts
from baseline.models.model import Kind, Model, ModelContext, Question
from baseline.models.openai import ChatSettings
from baseline.models.prompts import AS_IT_IS, PromptOptions
from baseline.models.providers import make_model
from baseline.models.reply import Price, Reply
from baseline.runs import runner
from baseline.runs.dispatcher import Listener
from baseline.runs.planned_runs import PlannedRun
from baseline.runs.run_settings import run_settings
from baseline.runs.runner import RunEstimate, RunSummary
from data.task import Item, Task
from db import frames
from db.engine import Database, reading, writing
from db.items import add_items, list_items
from db.runs import Run, list_runs
from db.studies import Study, create_study
from db.study_settings import StudySettings
from tests.helpers.collection import TASK
from tests.helpers.model_server import ModelServer

KEY = "sk-very-secret-0123456789"
ITEMS = [Item(f"id-{n}", {"thing": f"предмет {n}"}, ("red", "green")[n % 2]) for n in range(40)]
OTHERS = [
    Item("secret-training", {"thing": "учебный"}, "red", "training", "потому что"),
    Item("secret-control", {"thing": "контрольный"}, "green", "control"),
]


def new_study(database: Database, items: list[Item] = ITEMS, task: Task = TASK) -> Study:
    with writing(database) as session:
        created = create_study(session, name="colours", task=task, settings=StudySettings())
        add_items(session, study=created, items=[*items, *OTHERS])
    return created


def predictions(database: Database, run: Run) -> pd.DataFrame:
    with reading(database) as session:
        return frames.predictions(session, run_id=run.id)


def chat(server: ModelServer, **settings: Any) -> ServedModel:
    limits: dict[str, Any] = {"attempts": 3, "first_pause": 0.01, "patience": 0.5, **settings}
    return chat_model("test", base_url=server.base_url, api_key=KEY, **limits)


def chat_model(
    called: str,
    *,
    api_key: str | None = None,
    seed: int | None = None,
    hosts: ModelHosts = EVERYWHERE,
    reveal: bool = True,
    **settings: Any,
) -> ServedModel:
    """Return a model behind a chat API: its own settings, and how often the same is tried, by their names."""
    own = {name: settings.pop(name) for name in ChatSettings.model_fields if name in settings}
    context = ModelContext(TASK, seed=seed, key=api_key, hosts=hosts, reveal=reveal)
    return ServedModel(f"openai:{called}", ChatSettings(**own), context, Retries(**settings))


def model_named(
    name: str,
    *,
    task: Task,
    train: Sequence[Item] | None = None,
    seed: int | None = None,
    api_key: str | None = None,
    **own: Any,
) -> Model:
    """Return a model by its full name, with its own settings by their names."""
    settings = run_settings(name, own).own
    return make_model(name, settings, ModelContext(task, train, seed, api_key))


def planned(
    database: Database,
    *,
    study: Study,
    model: Model,
    prompt_options: PromptOptions = AS_IT_IS,
    price: Price | None = None,
    **settings: Any,
) -> PlannedRun:
    """Return a run of a model that was made already, with the settings by their names."""
    asked = run_settings("random", settings).model_copy(update={"model": model.name})
    with reading(database) as session:
        items = list_items(session, study=study, role="main")[: asked.limit]
        runs = list_runs(session, study=study)
    return PlannedRun(study, items, model, asked, prompt_options, price, runs=runs)


def run(
    database: Database, *, progress: Listener | None = None, stop: threading.Event | None = None, **asked: Any
) -> RunSummary:
    """Do a `planned` run."""
    return runner.run(database, planned(database, **asked), progress=progress, stop=stop)


def estimate(database: Database, **asked: Any) -> RunEstimate:
    """Return what a `planned` run would come to."""
    return runner.estimate(database, planned(database, **asked))


def stored_now(database: Database) -> int:
    with reading(database) as session:
        return int(session.exec_driver_sql("SELECT count(*) FROM prediction").scalar_one())


class Told(Model):
    """A model that says what it is told to, after a while; it remembers what it was asked."""

    kind: Kind = "naive"

    def __init__(self, *replies: Reply, after: float = 0.0) -> None:
        self.name, self.settings = "told", {"after": after}
        self.asked: list[Question] = []
        self.replied: list[float] = []
        self.closed = 0
        self._replies, self._after = replies or (Reply("1"),), after

    async def reply(self, question: Question) -> Reply:
        self.asked.append(question)
        if self._after:
            await asyncio.sleep(self._after)
        self.replied.append(time.monotonic())
        return self._replies[(len(self.asked) - 1) % len(self._replies)]

    async def close(self) -> None:
        self.closed += 1
