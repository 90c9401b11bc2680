"""What the tests that ask models share: a task of two colours, a study of it, a model that says what it is told."""

import asyncio
import time
from typing import Any

import pandas as pd

from baseline.models.base import Kind, Model, Question, Reply
from baseline.models.openai import ChatModel
from data.task import Item, Task
from db import frames
from db.engine import Database, reading, writing
from db.items import add_items
from db.runs import Run
from db.studies import Study, create_study
from db.study_settings import StudySettings
from tests.collection import TASK
from tests.model_server import ModelServer

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


def chat(server: ModelServer, **settings: Any) -> Model:
    limits: dict[str, Any] = {"attempts": 3, "first_pause": 0.01, "patience": 0.5, **settings}
    return ChatModel("test", base_url=server.base_url, api_key=KEY, **limits)


def stored_now(database: Database) -> int:
    with reading(database) as session:
        return int(session.connection().exec_driver_sql("SELECT count(*) FROM prediction").scalar_one())


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
