"""A study while it runs: its pace and agreement, changed settings, personal links, files that are read back."""

import csv
import io
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine

from annotate.accounts.login import COOKIE
from annotate.accounts.signer import Signer
from annotate.invitations import links_of
from annotate.requesters.oversight import CHANGEABLE
from annotate.requesters.requester_service import RequesterService, file_routes, spoken
from baseline.output.computed_exports import EXPORTS as COMPUTED_TOO
from data.errors import BadSetting, UnknownName
from db.accounts import ensure_owner
from db.cache import Cache, good_for_share
from db.engine import reading, writing
from db.exports import EXPORTS, ComputedFiles, FileRequest
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.records import Decision, add_decision
from db.studies import Study, get_study
from db.study_progress import fill_rate
from db.workers import named_workers
from tests.helpers.collection import Watch, arrive, make_service, make_study
from tests.helpers.importing import imported

SIGNER = Signer("a secret for tests")


def requester_service(database: Engine, clock: Watch | None = None) -> RequesterService:
    return RequesterService(database, SIGNER, "https://etalon.example", clock or Watch())


def judged(engine: Engine, labels: list[tuple[str, ...]], clock: Watch) -> Study:
    """A study in which the n-th worker answers n minutes apart; one tuple of labels for each item."""
    study = make_study(engine, main=len(labels), overlap=3)
    with writing(engine) as session:
        items = list_items(session, study=study, role="main")
        workers = list(named_workers(session, names=["a", "b", "c"]).values())
        given = [
            Judgment(item.key, worker, label, submitted_at=clock() - timedelta(minutes=40 * place))
            for item, said in zip(items, labels, strict=True)
            for place, (worker, label) in enumerate(zip(workers, said, strict=False))
        ]
        add_judgments(session, study=study, judgments=given)
    return study


def test_the_pace_counts_answers_by_the_hour_and_tells_an_end(engine: Engine) -> None:
    clock = Watch()  # 12:00: answers came at 12:00, 11:20 and 10:40
    study = judged(engine, [("red", "red", "green"), ("red", "green")], clock)
    with reading(engine) as session:
        found = fill_rate(session, study=study, moment=clock())
    assert {hour.hour: number for hour, number in found.hours.items()} == {12: 2, 11: 2, 10: 1}
    assert found.last_hour == 4
    requesters = requester_service(engine, clock)
    live = requesters.live(requesters.study("colours"))
    assert (live.missing, live.time_left) == (1, timedelta(minutes=15))
    assert [number for _, number in live.bars][-3:] == [1, 2, 2]
    assert len(live.bars) == 24
    assert requester_service(engine, clock).live(requesters.set_status("colours", "closed")).time_left is None


def test_agreement_so_far_is_that_of_who_is_not_shut_out(engine: Engine) -> None:
    # Pairs of item 1: 1 of 3 equal; of item 2: 1 of 1. The mean is 2/3; alpha = 1 - (2/5)/(0.6) for 3+2 votes.
    requesters = requester_service(engine)
    judged(engine, [("red", "red", "green"), ("green", "green")], Watch())
    found = requesters.live(requesters.study("colours")).agreement
    assert found is not None
    assert (found.items, found.known) == (2, 2)
    assert found.agreement.pairwise == pytest.approx((1 / 3 + 1) / 2)
    # Coincidences: item 1 gives red-green 2 of 6 pairs x 2 / 2 = 2, item 2 none. Expected: (2*3*2)/(5-1) = 3.
    assert found.agreement.alpha == pytest.approx(1 - 2 / 3)
    low, high = found.agreement.alpha_ci
    assert low <= high


def test_numbers_that_cost_something_are_computed_now_and_then() -> None:
    now, made = [0.0], []

    def make() -> int:
        now[0] += 1.0  # it takes a second, so it is good for 20
        made.append(now[0])
        return len(made)

    numbers = Cache(200, good_for_share(least=5.0), lambda: now[0])
    assert [numbers.get("a", 1, make), numbers.get("a", 1, make), numbers.get("a", 2, make)] == [1, 1, 1]
    now[0] += 20
    assert numbers.get("a", 2, make) == 2
    assert numbers.get("b", 2, make) == 3
    cheap = Cache(200, good_for_share(cheap=2.0), lambda: now[0])
    assert [cheap.get("a", None, make), cheap.get("a", None, make)] == [4, 5]


def test_a_time_is_said_as_exactly_as_it_is_known() -> None:
    said = [spoken(timedelta(seconds=one)) for one in (5, 900, 3 * 3600, 72 * 3600)]
    assert said == ["1 min", "15 min", "3 h", "3 days"]


def test_settings_change_with_an_event_and_the_overlap_only_grows(engine: Engine) -> None:
    requesters = requester_service(engine)
    make_study(engine, main=2, overlap=1)
    service = make_service(engine)
    list(arrive(service).work())
    assert requesters.study("colours").coverage.complete == 2
    given = requesters.oversight.settings("colours")
    assert list(given) == list(CHANGEABLE)
    changed = requesters.oversight.change("colours", given | {"overlap": 2, "price": 3.5}, who="anna")
    assert changed == {"overlap": [1, 2], "price": [0.0, 3.5]}
    card = requesters.study("colours")
    assert (card.coverage.target, card.coverage.filled, card.coverage.complete) == (4, 2, 0)
    assert len(list(arrive(service).work())) == 2
    assert requesters.study("colours").coverage.complete == 2
    (event,) = requesters.oversight.events("colours", kinds=["settings"])
    assert (event.who, dict(event.details)["settings"]["price"]) == ("anna", [0.0, 3.5])
    assert requesters.oversight.change("colours", {"price": 3.5}, who="anna") == {}
    assert requesters.oversight.events("colours", kinds=["excluded"]) == []
    assert requesters.oversight.events("colours", worker="nobody") == []


def test_what_a_form_did_not_touch_stays_as_another_manager_left_it(sqlite: Engine) -> None:
    requesters = requester_service(sqlite)
    make_study(sqlite, price=2.0)
    shown = requesters.oversight.settings("colours")
    requesters.oversight.change("colours", shown | {"price": 5.0}, who="ann", shown=shown)
    changes = requesters.oversight.change("colours", shown | {"max_items": 7}, who="bob", shown=shown)
    assert changes == {"max_items": [None, 7]}
    kept = requesters.oversight.settings("colours")
    assert (kept["price"], kept["max_items"]) == (5.0, 7)


def test_the_caps_of_a_running_study_hold_at_once_and_may_be_taken_away(sqlite: Engine) -> None:
    requesters = requester_service(sqlite)
    make_study(sqlite, main=6, overlap=2, price=2.0)
    service = make_service(sqlite)
    worker = arrive(service)
    requesters.oversight.change("colours", {"max_pay": 4.0}, who="anna")
    assert len(list(worker.work())) == 2
    changed = requesters.oversight.change("colours", {"max_pay": None, "max_hours": 2.5}, who="anna")
    assert changed == {"max_hours": [None, 2.5], "max_pay": [4.0, None]}
    assert len(list(worker.work())) == 4


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"overlap": 2}, "may only grow"),
        ({"language": "en"}, "duplicate the study"),
        ({"price": -1}, "Price per answer -1"),
        ({"price": None}, "Price per answer is empty"),
        ({"completion_url": "javascript:alert(1)"}, "Completion link 'javascript"),
        ({"max_items": 0}, "Maximum answers per worker 0"),
    ],
)
def test_what_may_not_change_is_one_sentence(sqlite: Engine, given: dict[str, object], words: str) -> None:
    make_study(sqlite, main=1, overlap=3)
    with pytest.raises(BadSetting, match=words):
        requester_service(sqlite).oversight.change("colours", given, who="anna")
    assert requester_service(sqlite).oversight.events("colours") == []


def test_everybody_gets_a_link_that_only_they_could_have() -> None:
    links = links_of(SIGNER, "https://etalon.example", "colours", " anna \n=1+1\n\nanna\nОля\n")
    assert [person for person, _ in links] == ["anna", "=1+1", "Оля"]
    keys = [link.rsplit("/", 1)[1] for _, link in links]
    assert len(set(keys)) == 3
    assert all(SIGNER.person("colours", key) for key in keys)
    assert not any(SIGNER.person("others", key) for key in keys)
    many = "\n".join(map(str, range(10_001)))
    for people, words in (("\n \n", "Nobody is named"), ("x" * 300, "longer than 200"), (many, "10001 people")):
        with pytest.raises(BadSetting, match=words):
            links_of(SIGNER, "", "colours", people)


HOSTILE = ("=1+1", "'quoted", "-ab", "@x\ty", "a\r\nb", "right \u202e left", "plain")


def test_a_toloka_log_is_read_back_as_it_was_and_runs_nothing_in_a_spreadsheet(sqlite: Engine, tmp_path: Path) -> None:
    from data.task import Item
    from db.items import add_items
    from db.studies import create_study
    from db.study_settings import StudySettings
    from tests.helpers.collection import TASK

    with writing(sqlite) as session:
        study = create_study(session, name="hostile", task=TASK, settings=StudySettings(), seed=1)
        items = [Item(f"m{n}", {"thing": text}, None, "main") for n, text in enumerate(HOSTILE)]
        add_items(session, study=study, items=[*items, Item("c0", {"thing": "=control"}, "red", "control")])
        workers = list(named_workers(session, names=["=w", "b"]).values())
        stored = list_items(session, study=study)
        said = list(zip(workers, ("red", "green"), strict=True))
        pairs = [(one, worker, label) for one in stored for worker, label in said]
        given = [Judgment(one.key, worker, label, price=0.5) for one, worker, label in pairs]
        add_judgments(session, study=study, judgments=given)
    content = FileRequest(EXPORTS, "hostile", "judgments", "tsv").made(sqlite).content
    path = tmp_path / "log.tsv"
    path.write_bytes(content)
    for row in csv.reader(io.StringIO(content.decode(), newline=""), delimiter="\t"):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)
    found = imported(sqlite, path, name="again")
    assert sorted(item.fields["thing"] for item in found.of_role("main")) == sorted(HOSTILE)
    assert [(item.fields["thing"], item.gold) for item in found.of_role("control")] == [("=control", "red")]
    assert set(found.judgments["worker"]) == {"=w", "b"}
    assert len(found.counted()) == 2 * len(HOSTILE)


def test_every_file_leaves_in_every_format(sqlite: Engine) -> None:
    study = judged(sqlite, [("red", "green")], Watch())
    requesters = requester_service(sqlite)
    with writing(sqlite) as session:
        (entry,) = list_items(session, study=study, role="main")
        made = Decision(entry.item.id, "red", "olga", "=1+1", True, Watch()(), entry.key)
        add_decision(session, made, study=study)
    requesters.set_status("colours", "paused", who="anna")
    for export in EXPORTS.values():
        what = export.key
        for form in export.forms:
            assert (
                FileRequest(requesters.exports, "colours", what, form).made(requesters.database).name
                == f"colours-{what}.{form}"
            )
    computed = replace(requesters, exports=COMPUTED_TOO)
    rows = list(
        csv.DictReader(
            io.StringIO(
                FileRequest(computed.exports, "colours", "plain", "csv").made(computed.database).content.decode()
            )
        )
    )
    assert rows == [
        {"task": "main-0", "worker": "a", "label": "red"},
        {"task": "main-0", "worker": "b", "label": "green"},
    ]
    (row,) = csv.DictReader(
        io.StringIO(
            FileRequest(requesters.exports, "colours", "decisions", "csv").made(requesters.database).content.decode()
        )
    )
    assert (row["item"], row["label"], row["note"], row["blind"]) == ("main-0", "red", "'=1+1", "true")
    for what, form in (("secrets", "csv"), ("items", "tsv"), ("judgments", "exe")):
        with pytest.raises(UnknownName):
            FileRequest(requesters.exports, "colours", what, form).made(requesters.database)


def test_links_are_made_for_who_is_signed_in_and_came_from_here(sqlite: Engine) -> None:
    make_study(sqlite)
    with writing(sqlite) as session:
        ensure_owner(session, "a password for tests")
    app = FastAPI()
    app.include_router(file_routes(requester_service(sqlite), ComputedFiles(sqlite)))
    client = TestClient(app, base_url="https://etalon.example")
    here = {"origin": "https://etalon.example"}
    assert client.post("/manage-files/colours/links", data={"people": "a"}, headers=here).status_code == 401
    client.cookies.set(COOKIE, SIGNER.sign_in_cookie("owner"))
    assert client.post("/manage-files/colours/links", data={"people": "a"}).status_code == 401
    reply = client.post("/manage-files/colours/links", data={"people": "a\nb"}, headers=here)
    assert [row["person"] for row in csv.DictReader(io.StringIO(reply.text))] == ["a", "b"]
    assert client.post("/manage-files/colours/links", data={"people": ""}, headers=here).status_code == 422
    with reading(sqlite) as session:
        assert get_study(session, name="colours").status == "open"
