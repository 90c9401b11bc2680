"""Nothing a worker receives depends on gold, on an explanation not yet due, or on which items are the checks."""

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import count
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import update

from annotate.accounts.signer import worker_cookie_name
from annotate.worker.api import Acts, worker_routes
from annotate.worker.assignment import Draws
from data.catalogue.catalog import get_task, samples
from data.task import Item, Task
from db.engine import open_database, writing
from db.items import add_items
from db.studies import create_study
from db.study_settings import StudySettings
from db.tables import ENROLMENT, WORKER
from db.workers import add_worker, enrol
from tests.helpers.collection import SIGNER, make_service

NUMBERS = count(1)
SECRET_WORDS = ("gold", "control", "main-", "training", "explanation", "is-right", "is-wrong", "answer_column")


@dataclass(frozen=True)
class Session:
    """What one worker received, reply by reply, with the stage each brought and the text it showed."""

    replies: tuple[bytes, ...]

    @property
    def stages(self) -> list[str]:
        return [json.loads(reply).get("stage", "mistake") for reply in self.replies]

    @property
    def shown(self) -> list[str]:
        """The text of each item in the order it was met; the instruction shows examples, which are no items."""
        met = [html for stage, html in zip(self.stages, self.html, strict=True) if stage != "instructions"]
        texts = [re.findall(r'<div class="text"[^>]*>(.*?)</div>', html) for html in met]
        return [unescape(text) for found in texts for text in found[:1]]

    @property
    def html(self) -> list[str]:
        return [json.loads(reply).get("html", "") for reply in self.replies]


@pytest.fixture
def session(tmp_path: Path, empty_sqlite: Path) -> Callable[..., Session]:
    """Walks one worker through a study in a database of its own: same secret, name and keys every time."""

    def walked(items: Sequence[Item], *, seed: int = 5, task: str = "rsg/parus", **settings: object) -> Session:
        database = open_database(f"sqlite:///{shutil.copy(empty_sqlite, tmp_path / f'{next(NUMBERS)}.db')}")
        service = make_service(database)
        values = {"page_main": 2, "page_controls": 1, "overlap": 1, "training_pass": 0} | settings
        with writing(database) as writer:
            study = create_study(
                writer, name="same", task=get_task(task), settings=StudySettings.model_validate(values), seed=seed
            )
            add_items(writer, study=study, items=items)
            joined = enrol(writer, study=study, worker_id=add_worker(writer), language="ru")
            writer.execute(update(WORKER).values(name="w-same"))
            writer.execute(update(ENROLMENT).values(nonce="same"))
            cookie = service.signer.worker_cookie(joined._replace(nonce="same"))
        app = FastAPI()
        app.include_router(worker_routes(Acts(service)))
        with TestClient(app, cookies={worker_cookie_name("same"): cookie}) as client:
            found = Session(tuple(replies(client)))
        database.dispose()
        return found

    return walked


def replies(client: TestClient) -> Iterator[bytes]:
    """Yield every reply of the way: the first option is always chosen, and a wrong one is tried as well."""
    acts = {"consent": "consent", "instructions": "begin", "training": "answer", "feedback": "next", "work": "answer"}
    reply = client.post("/api/annotate/same/state", json={})
    while True:
        yield reply.content
        stage, html = reply.json()["stage"], reply.json()["html"]
        if stage not in acts:
            return
        token = re.findall(r'data-token="([^"]*)"', html)[0]
        value = re.findall(r'name="answer" value="([^"]*)"', html)[:1] if acts[stage] == "answer" else [None]
        for sent in ("", value[0]):
            reply = client.post(
                "/api/annotate/same/act", json={"kind": acts[stage], "token": token, "value": sent, "seconds": 1}
            )
            if reply.status_code == 422:
                yield reply.content


def permuted(task: Task, items: Sequence[Item]) -> list[Item]:
    """Return the items with every gold turned and every explanation replaced."""
    labels = task.answer.labels()
    return [
        replace(
            item,
            gold=labels[(labels.index(item.gold or labels[0]) + 1) % len(labels)],
            explanation="совсем другое объяснение" if item.explanation else "",
        )
        for item in items
    ]


def some(task_id: str, **numbers: int) -> list[Item]:
    every = samples(get_task(task_id))
    return [item for role, number in numbers.items() for item in [i for i in every if i.role == role][:number]]


@pytest.mark.parametrize("task", ["rsg/parus", "rsg/terra"])
def test_other_golds_and_explanations_change_no_byte_but_training_feedback(
    session: Callable[..., Session], task: str
) -> None:
    items = some(task, training=2, main=5, control=3)
    one, other = session(items, task=task), session(permuted(get_task(task), items), task=task)
    assert one.stages == other.stages
    assert one.stages.count("work") > 5
    untold = [[re.sub(rb',"note":"[^"]*"', b"", reply) for reply in walk.replies] for walk in (one, other)]
    differing = {stage for stage, a, b in zip(one.stages, *untold, strict=True) if a != b}
    assert differing == {"feedback"}


def test_no_reply_before_feedback_tells_a_gold_an_id_a_role_or_an_explanation(session: Callable[..., Session]) -> None:
    items = some("rsg/parus", training=2, main=5, control=3)
    walked = session(items)
    before = [html for stage, html in zip(walked.stages, walked.html, strict=True) if stage != "feedback"]
    assert len(before) > 10
    for html in before:
        bare = re.sub(r'data-stage="training"', "", html).lower()
        assert [word for word in SECRET_WORDS if word in bare] == []
        assert [item.id for item in items if item.id in html] == []
        assert [item.id for item in items if item.explanation and item.explanation in unescape(html)] == []


def test_a_check_and_an_ordinary_item_that_change_places_change_no_byte(session: Callable[..., Session]) -> None:
    """Two studies show the same texts in the same order; in one the first is the check, in the other the second."""
    first, second, third = some("rsg/parus", main=3)
    settings = {"page_main": 1, "page_controls": 1}
    check_first = [replace(second, id="m1"), replace(third, id="m2"), replace(first, id="k1", role="control")]
    check_second = [replace(first, id="m1"), replace(third, id="m2"), replace(second, id="k1", role="control")]
    wanted = [first.fields["premise"], second.fields["premise"], third.fields["premise"]]
    one = first_that(session, check_first, ("control", "main", "main"), wanted, settings)
    other = first_that(session, check_second, ("main", "control", "main"), wanted, settings)
    assert one.stages == other.stages
    assert one.replies == other.replies


def first_that(
    session: Callable[..., Session],
    items: list[Item],
    kinds: tuple[str, ...],
    wanted: list[str],
    settings: dict[str, int],
) -> Session:
    """Return the session under the first seed that serves these kinds of items and these texts in this order."""
    for seed in random.Random(1).sample(range(1000), 400):
        draws = Draws(SIGNER, "same", seed, 1)
        drawn = tuple(draws.kind(served=place, **settings) for place in range(len(kinds)))
        if drawn == kinds and (walked := session(items, seed=seed, **settings)).shown == wanted:
            return walked
    raise AssertionError("no seed serves the items in this order")
