"""The board: public studies without gold, items, workers or contacts; submissions checked, limited, let in by hand."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine

from annotate.demo_studies import Simulated, simulate
from annotate.worker.service import Service
from baseline.output.computed_exports import report_in
from baseline.pages.board import Board, board_routes
from baseline.pages.results_page import StudyCache
from data.answers.choice import Choice
from data.limits import LARGEST_SUBMISSION, SUBMISSIONS_A_DAY
from data.task import Field, Item, Task
from data.wording import same
from db.engine import reading, writing
from db.events import list_events
from db.exports import ExportRequest
from db.items import add_items
from db.runs import list_runs, submitted_runs
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from db.worker_summaries import worker_summaries
from tests.helpers.collection import SIGNER

LABELS = ("vermilion", "cerulean")
TASK = Task(
    id="own/hues",
    title=same("Hues"),
    fields=(Field("thing", same("Thing")),),
    question=same("Which hue?"),
    instruction=same("Say which."),
    answer=Choice(choices={label: same(f"{label} hue") for label in LABELS}),
    metrics=("accuracy",),
)
ITEMS = [Item(f"thing-{n}", {"thing": f"Some object {n}"}, LABELS[n % 2]) for n in range(12)]
CONTACT, ME = "boss@lab.example", "me@lab.example"


@dataclass
class Site:
    database: Engine
    client: TestClient

    def send(
        self,
        content: bytes,
        name: str = "New model",
        contact: str = "me@lab.example",
        file: str = "p.jsonl",
        who: str = "",
    ) -> tuple[int, str]:
        """Return the status and what is said of the submission."""
        sent = self.client.post(
            "/board/hues",
            data={"name": name, "contact": contact},
            files={"file": (file, content)},
            headers={"who": who},
        )
        return sent.status_code, sent.text.partition('role="status">')[2].partition("</p>")[0]

    def post(self, path: str, **form: object) -> None:
        assert self.client.post(path, data=form, follow_redirects=False).status_code == 303


def predictions(answers: list[str], **beside: object) -> bytes:
    return "\n".join(
        json.dumps({"id": f"thing-{n}", "answer": said, **beside}) for n, said in enumerate(answers)
    ).encode()


RIGHT = [str(item.gold) for item in ITEMS]


def application(database: Engine) -> FastAPI:
    """Return the board for an owner; the guard, which lets in nobody else, is tested with all routes."""
    app, board = FastAPI(), Board(database, StudyCache(database))
    app.include_router(board_routes(board, lambda request: request.headers.get("who", ""), *[lambda _: "olga"] * 2))
    return app


@pytest.fixture
def site(sqlite: Engine, tmp_path: object) -> Iterator[Site]:
    """A public study that five people and one model answered."""
    settings = StudySettings(overlap=5, contact=CONTACT)
    service = Service(sqlite, SIGNER)
    with writing(sqlite) as session:
        study = create_study(session, name="hues", task=TASK, settings=settings)
        create_study(session, name="secret", task=TASK, settings=StudySettings())
        add_items(session, study=study, items=ITEMS)
    simulate(service, study, [Simulated(ability=1.5)] * 5, start=datetime(2026, 11, 1, tzinfo=UTC))
    with TestClient(application(sqlite)) as client:
        yield Site(sqlite, client)


def test_nothing_is_public_before_an_owner_says_so(site: Site) -> None:
    assert site.client.get("/board").status_code == 404
    assert site.client.get("/board/hues").status_code == 404
    assert site.send(predictions(RIGHT))[0] == 404
    site.post("/board-studies", study="hues", public="1")
    assert "Hues" in site.client.get("/board").text
    assert site.client.get("/board/hues").status_code == 200
    assert site.client.get("/board/secret").status_code == 404
    site.post("/board-studies", study="hues", public="")
    assert site.client.get("/board/hues").status_code == 404
    with reading(site.database) as session:
        study = get_study(session, name="hues")
        assert [event.kind for event in list_events(session, study=study)][:2] == ["unpublished", "published"]


def test_a_submission_is_shown_after_a_yes_and_gold_is_in_no_byte(site: Site) -> None:
    site.post("/board-studies", study="hues", public="1")
    pages = [site.client.get("/board").text, site.client.get("/board/hues").text]
    status, said = site.send(predictions(RIGHT[:9] + RIGHT[:3]))
    assert (status, said) == (
        200,
        "Received: 12 answers of &#39;New model&#39;. A manager looks at it before it is shown here.",
    )
    site.send(predictions([LABELS[0]] * 12), name="Other model")
    with reading(site.database) as session:
        study = get_study(session, name="hues")
        assert list_runs(session, study=study) == []
        workers = [line.name for line in worker_summaries(session, study=study)]
        waiting = {run.model: run.id for run in submitted_runs(session, study=study)}
    shown = site.client.get("/board-submissions").text
    assert ME in shown
    assert "75.0% (" in shown  # 9 of 12; of the last three the hues are the other ones
    assert "50.0% (" in shown
    site.post("/board-submissions", study="hues", run=waiting["New model"], accept="1")
    site.post("/board-submissions", study="hues", run=waiting["Other model"], accept="")
    site.post("/board-submissions", study="hues", run=waiting["Other model"], accept="1")  # decided already
    app = FastAPI()
    app.include_router(
        board_routes(Board(site.database, StudyCache(site.database)), lambda _: "", *[lambda _: None] * 2)
    )
    with TestClient(app) as later:
        pages += [later.get("/board").text, later.get("/board/hues").text]
    assert "New model" not in pages[0] + pages[1]
    assert all("New model" in page and "Other model" not in page for page in pages[2:])
    with reading(site.database) as session:
        report = report_in(".html")(ExportRequest(session, study)).decode()
    assert CONTACT not in "".join(pages)
    hidden = [*LABELS, *workers, "Some object", "thing-", CONTACT, ME]
    assert [(word, place) for word in hidden for place, page in enumerate([*pages, said]) if word in page] == []
    assert len(workers) == 5
    assert "Reporting checklist" in report
    assert "Reporting checklist" not in "".join(pages)
    with reading(site.database) as session:
        assert [(run.model, run.contact) for run in list_runs(session, study=study)] == [
            ("New model", "me@lab.example")
        ]


GOOD = predictions(RIGHT)
FORM = "Give an email address or a web page"
HOSTILE: list[tuple[str, dict[str, object]]] = [
    ("Give the model a name of 1 to 80", {"name": ""}),
    ("Give the model a name of 1 to 80", {"name": "x" * 81}),
    ("Give the model a name of 1 to 80", {"name": "a\u202eb\u0000"}),
    ("is there already", {"name": "TAKEN"}),
    (FORM, {"contact": ""}),
    (FORM, {"contact": "javascript:alert(1)"}),
    (FORM, {"contact": "<script>alert(1)</script>@x.org"}),
    (FORM, {"contact": "https://x.org/" + "y" * 400}),
    ("Send a file that ends in .jsonl", {"file": "p.exe"}),
    ("Send a file that ends in .jsonl", {"file": "../../etc/passwd"}),
    ("Send a file that ends in .jsonl", {"file": ""}),
    ("The file is empty", {"content": b""}),
    ("larger than 3 MB", {"content": GOOD + b" " * LARGEST_SUBMISSION}),
    ("predictions.jsonl", {"content": b"\x00\xff\xfe PK\x03\x04 not a table"}),
    ("predictions.json", {"content": b"[" * 100_000, "file": "p.json"}),
    ("named no item of this task, first line 1", {"content": GOOD.replace(b"thing-", b"control-")}),
    ("have no answer. Answer all of them", {"content": predictions(RIGHT[:11])}),
    ("an item is answered several times", {"content": GOOD + b"\n" + predictions([LABELS[1]])}),
    ("an item is answered several times", {"content": GOOD + b"\n" + predictions([LABELS[0]], sample=1)}),
    ("line 1: this may be several answers", {"content": GOOD.replace(b'"vermilion"', b"[1]")}),
    ("6 answers cannot be read, first line 1", {"content": GOOD.replace(b'"vermilion"', b'{"a": 1}')}),
    ("predictions.csv", {"content": b"id,answer,prediction\nthing-0,vermilion,cerulean\n", "file": "p.csv"}),
    ("holds answers of 2 models", {"content": predictions(RIGHT, model="a") + predictions(RIGHT, model="b")}),
]  # fmt: skip


def test_hostile_submissions_are_refused_with_a_sentence(site: Site) -> None:
    site.post("/board-studies", study="hues", public="1")
    assert site.send(GOOD, name="Taken", who="a friend")[0] == 200
    for number, (expected, sent) in enumerate(HOSTILE):
        given = {"content": GOOD, "who": f"network {number}"} | sent
        status, said = site.send(**given)  # type: ignore[arg-type]
        assert status == 422, (expected, said)
        assert expected in said, (expected, said)
        assert said.rstrip().endswith((".", ")")) or ";" in said, said
        assert not any(label in said for label in LABELS if label not in str(sent)), said
    assert (
        site.client.post(
            "/board/hues", content=b"--x\r\n\r\nnothing", headers={"content-type": "multipart/form-data; boundary=x"}
        ).status_code
        == 422
    )
    with reading(site.database) as session:
        assert [run.model for run in submitted_runs(session, study=get_study(session, name="hues"))] == ["Taken"]


def test_a_network_sends_five_files_a_day(site: Site) -> None:
    site.post("/board-studies", study="hues", public="1")
    sent = [site.send(GOOD, name=f"Model {n}") for n in range(SUBMISSIONS_A_DAY + 1)]
    assert [status for status, _ in sent] == [200] * SUBMISSIONS_A_DAY + [422]
    assert "came 5 files within a day" in sent[-1][1]
    assert site.send(GOOD, name="Model of others", who="another network")[0] == 200
