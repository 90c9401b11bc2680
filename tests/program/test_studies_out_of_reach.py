"""An account for named studies: every route and every function of a page treats any other study as one there is not."""

import asyncio
import gc
import inspect
import json
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
import httpx2
import pytest
import uvicorn
from fastapi import FastAPI
from sqlalchemy import select

from annotate.accounts.guard import LEAST, OPEN
from annotate.accounts.login import COOKIE
from annotate.accounts.register import Register
from annotate.accounts.signer import Signer
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService
from annotate.worker.service import Service
from baseline.output.computed_exports import EXPORTS, FOR_VIEWERS
from baseline.pages.model_jobs import Job
from baseline.pages.models_service import ModelsService
from baseline.pages.results_page import OverviewCache, StudyCache
from data.errors import BadSetting, UnknownName
from data.task import Item
from db.access import limit_to
from db.accounts import add_account, ensure_owner, find_account, set_password, set_studies
from db.cache import fingerprints
from db.engine import Database, open_database, read, reading, writing
from db.events import list_events
from db.items import add_items
from db.settings import Settings
from db.studies import get_study, list_studies
from db.tables import STUDY
from eval.panel import PanelRules
from server import build_app
from tests.helpers.collection import arrive, make_study
from tests.helpers.routes import filled, routes_of
from tests.helpers.waiting import LONGEST, until

SIGNER = Signer("a secret for tests")
PASSWORD = "a password for tests"
OWN, FOREIGN, ABSENT = "colours", "zq-hidden-1", "zq-absent-1"
SECRET = "zqsecret"
"""Stands in an item of the foreign study."""
PEOPLE = {"max": "manager", "lena": "viewer", "mary": "manager", "vera": "viewer"}
LIMITED = ("max", "lena")
NAMES = ("name", "study", "study_name")
PAGES = tuple(page for page in OPEN if page != "/accounts")


@dataclass
class Site:
    """The running program, what it keeps, and the cookies of people."""

    address: str
    database: Database
    home: Path
    application: FastAPI
    pages: dict[str, Any]
    cookies: dict[str, str]

    def client(self, who: str) -> httpx2.Client:
        headers = {"origin": self.address, "cookie": f"{COOKIE}={self.cookies[who]}"}
        return httpx2.Client(base_url=self.address, headers=headers, timeout=LONGEST, trust_env=False)

    def key(self, who: str) -> int | None:
        with reading(self.database) as session:
            account = find_account(session, name=who)
        assert account is not None
        return account.limit

    def kept(self, study: str) -> dict[str, Any]:
        """Return every row that there is of a study."""
        with reading(self.database) as session:
            key = get_study(session, name=study).id
            tables = [table for table in STUDY.metadata.sorted_tables if "study_id" in table.c]
            of: dict[str, Any] = {
                table.name: read(session, select(table).where(table.c.study_id == key)).all() for table in tables
            }
            return {**of, "study": read(session, select(STUDY).where(STUDY.c.id == key)).all()}

    def downloads(self, study: str) -> list[tuple[str, str]]:
        with reading(self.database) as session:
            happened = list_events(session, study=get_study(session, name=study), kinds=["downloaded"])
        return [(event.who, str(event.details["file"])) for event in happened]


def make_hidden(database: Database) -> None:
    """Make the foreign study, with somebody in it who has answered."""
    study = make_study(database, main=2, name=FOREIGN)
    with writing(database) as session:
        add_items(session, study=study, items=[Item("secret", {"thing": SECRET}, "red", "main", "")])
    person = arrive(Service(database, SIGNER), FOREIGN)
    person.answer(person.look())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("reach")
    database = open_database(f"sqlite:///{home / 'etalon.db'}")
    make_study(database, main=6, name=OWN)
    make_hidden(database)
    cookies = {}
    with writing(database) as session:
        ensure_owner(session, PASSWORD)
        cookies["owner"] = SIGNER.sign_in_cookie("owner")
        for name, role in PEOPLE.items():
            add_account(session, name=name, role=role)  # type: ignore[arg-type]
            account = set_password(session, name=name, version=0, password=PASSWORD)
            cookies[name] = SIGNER.sign_in_cookie(name, account.version)
        for name in LIMITED:
            set_studies(session, name=name, studies=[OWN])
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        settings = Settings(home=home, port=listener.getsockname()[1])
        with warnings.catch_warnings():
            # Gradio leaves event loops behind when pages are built; what the collector says of them is not ours.
            warnings.simplefilter("ignore")
            guard = build_app(database, SIGNER, settings)
            asyncio.run(asyncio.sleep(0))
            gc.collect()
        assert isinstance(guard.app, FastAPI)
        pages = {
            str(getattr(route, "path", "")): route.app
            for route in guard.app.routes
            if hasattr(route, "app") and hasattr(route.app, "get_blocks")
        }
        server = uvicorn.Server(uvicorn.Config(guard, log_config=None, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        until(lambda: server.started)
        yield Site(settings.address, database, home, guard.app, pages, cookies)
        server.should_exit = True
        thread.join()
    database.dispose()


@pytest.fixture
def limit() -> Iterator[Callable[[int | None], None]]:
    """Give what limits this test to an account's studies, and lift that after it."""
    yield limit_to
    limit_to(None)


def addresses(site: Site, study: str) -> Iterator[tuple[str, str]]:
    """Yield the method and the address of every route that names a study and is not a worker's, every file apart."""
    for method, path, _ in sorted(set(routes_of(site.application.routes))):
        if "{study}" not in path or path.startswith(("/join", "/api/annotate")):
            continue
        exports = FOR_VIEWERS if path.startswith("/results") else EXPORTS
        files = [{"what": key, "form": form} for key, export in exports.items() for form in export.forms]
        for values in files if "{what}" in path else [{"run": "1", "name": "requests.jsonl"}]:
            yield method, filled(path, {"study": study, **values})


def without_name(text: str) -> str:
    return text.replace(FOREIGN, "NAME").replace(ABSENT, "NAME")


@pytest.mark.parametrize("who", LIMITED)
def test_every_route_answers_as_for_a_study_that_there_is_not(site: Site, who: str) -> None:
    before, tried = site.kept(FOREIGN), 0
    with site.client(who) as client:
        for (method, foreign), (_, absent) in zip(addresses(site, FOREIGN), addresses(site, ABSENT), strict=True):
            replies = [client.request(method, address) for address in (foreign, absent)]
            assert replies[0].status_code in (403, 404, 422), foreign
            told = [(reply.status_code, without_name(reply.text)) for reply in replies]
            assert told[0] == told[1], foreign
            tried += 1
    assert tried > 40
    assert site.kept(FOREIGN) == before, "no event of a refused request"


def seeded(site: Site, page: str, session: str, study: str) -> None:
    """Let the states of a session hold what they hold while a study is in sight."""
    app = site.pages[page]
    for number, block in app.get_blocks().blocks.items():
        if isinstance(block, gr.State) and block.value is None:
            value = (study, PanelRules(), False) if page == "/results" else study
            app.state_holder[session][number] = value


def called(site: Site, client: httpx2.Client, page: str, number: int, study: str, inputs: list[Any]) -> tuple[int, str]:
    """Call a function of a page with a study in sight, in the address, in the fields and in the event."""
    session = f"{page}{study}{client.headers['cookie'][-12:]}"  # Gradio describes a page anew for each session
    seeded(site, page, session, study)
    sent = {"study": study, "query": f"?study={study}", "show": "all", "worker": "worker-1", "act": "pin", "number": 1}
    body = {"fn_index": number, "data": inputs, "session_hash": session, "trigger_id": None, "event_data": sent}
    reply = client.post(f"{page}/gradio_api/run/predict?study={study}", json=body)
    told = reply.json()
    for measured in ("duration", "average_duration"):
        told.pop(measured, None)
    return reply.status_code, json.dumps(told)


def functions(site: Site, page: str) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the functions that run on the server, each with how many inputs it has."""
    for number, function in site.pages[page].get_blocks().fns.items():
        if function.fn:
            yield number, len(function.inputs)


@pytest.mark.parametrize("who", PEOPLE)
def test_every_function_of_a_page_does_as_with_a_study_that_there_is_not(site: Site, who: str) -> None:
    before, told_apart, seen = site.kept(FOREIGN), set(), set()
    with site.client(who) as client:
        for page in PAGES:
            if LEAST[page] == "manager" and PEOPLE[who] == "viewer":
                continue
            for number, inputs in functions(site, page):
                for filling in (None, "all", FOREIGN) if who in LIMITED else (None, FOREIGN):
                    replies = [
                        called(site, client, page, number, study, [study if filling == FOREIGN else filling] * inputs)
                        for study in (FOREIGN, ABSENT)
                    ]
                    if len({(status, without_name(text)) for status, text in replies}) > 1:
                        told_apart.add((page, number))
                    if SECRET in replies[0][1] or FOREIGN in replies[1][1]:
                        seen.add((page, number))
    if who in LIMITED:
        assert (told_apart, seen) == (set(), set())
        assert site.kept(FOREIGN) == before
    else:
        least = {"manager": 20, "viewer": 1}[PEOPLE[who]]
        assert min(len(told_apart), len(seen)) >= least, "these very calls do show it to who reaches it"


def handlers(site: Site, page: str) -> dict[str, Any]:
    return {one.fn.__qualname__: one for one in site.pages[page].get_blocks().fns.values() if one.fn}


def queued(client: httpx2.Client, page: str, number: int, session: str, sent: Any, data: Any = ()) -> str:
    """Call a function of a page through its queue and return all that is told of it."""
    body = {"fn_index": number, "data": [*data], "session_hash": session, "trigger_id": None, "event_data": sent}
    assert client.post(f"{page}/gradio_api/queue/join", json=body).status_code == 200
    told = ""
    with client.stream("GET", f"{page}/gradio_api/queue/data", params={"session_hash": session}) as stream:
        for line in stream.iter_lines():
            told += line
            if "process_completed" in line:
                return told
    raise AssertionError(told)


def test_events_that_wait_in_a_queue_are_done_as_who_sent_them_whoever_came_first(site: Site) -> None:
    pick = handlers(site, "/manage")["StudiesHandlers.pick"]._id
    for turn, who in enumerate(["mary", "max", "mary", "max", "owner", "max"]):
        with site.client(who) as client:
            told = queued(client, "/manage", pick, f"q{turn}", {"study": FOREIGN})
            assert ('"success":true' in told) == (who != "max")
            assert '"success":true' in queued(client, "/manage", pick, f"p{turn}", {"study": OWN})


def services(site: Site) -> list[Any]:
    """Return all that pages reach studies by."""
    of, home = site.database, Settings(home=site.home)
    return [
        *(kind(of) for kind in (Oversight, StudyCache)),
        RequesterService(of, SIGNER, site.address),
        ModelsService.of(of, home),
    ]


def named_methods(service: Any) -> Iterator[tuple[Callable[..., Any], list[str], str]]:
    """Yield the methods that take the name of a study, the names of their needed parameters, and which it is."""
    for name, method in inspect.getmembers(service, callable):
        parameters = {} if name.startswith("_") else inspect.signature(method).parameters
        for parameter in [each for each in NAMES if each in parameters]:
            if parameters[parameter].annotation is str:
                needed = [key for key, one in parameters.items() if one.default is one.empty and key != parameter]
                yield method, needed, parameter


def refusal(method: Callable[..., Any], given: dict[str, str]) -> tuple[type[Exception], str]:
    try:
        method(**given)
    except Exception as error:  # noqa: BLE001  what it is, is compared
        return type(error), without_name(str(error))
    raise AssertionError(f"{method} refuses nothing")


def test_every_service_of_the_pages_refuses_a_study_out_of_reach_as_an_unknown_one(
    site: Site, limit: Callable[[int | None], None]
) -> None:
    before, tried = site.kept(FOREIGN), []
    limit(site.key("max"))
    for service in services(site):
        for method, needed, parameter in named_methods(service):
            if method.__name__ in ("expect", "invitation"):  # tell nothing; a link is made of any name
                continue
            told = [
                refusal(method, {parameter: study, **dict.fromkeys(needed, "reason")}) for study in (FOREIGN, ABSENT)
            ]
            assert told[0] == told[1], method
            tried.append((method.__name__, told[0][0]))
    limit(None)
    assert site.kept(FOREIGN) == before
    assert len(tried) > 40
    assert sum(kind is UnknownName for _, kind in tried) > 35


def test_lists_overview_and_live_numbers_hold_the_named_studies_alone(
    site: Site, limit: Callable[[int | None], None]
) -> None:
    requesters = RequesterService(site.database, SIGNER, "")
    models = ModelsService.of(site.database, Settings(home=site.home))
    card = requesters.study(FOREIGN)
    limit(site.key("lena"))
    assert [each.study.name for each in requesters.studies()] == models.studies()
    *_, last = OverviewCache(site.database).steps()
    assert [row.study for row in last.rows] == [OWN]
    assert models.studies() == [OWN]
    with pytest.raises(UnknownName):
        requesters.live(card)


def test_a_run_under_way_elsewhere_is_not_paused_by_its_number(site: Site) -> None:
    of = handlers(site, "/models")
    act, arrive_first = of["ModelsHandlers.act"], of["ModelsHandlers.arrive"]._id
    running = act.fn.__wrapped__.__self__.service.running
    with reading(site.database) as session:
        foreign = get_study(session, name=FOREIGN)
    job = running._jobs[7] = Job(7, foreign, "a model", (), "mary", 1, None)
    try:
        with site.client("max") as client:
            for name in (OWN, FOREIGN):
                queued(client, "/models", arrive_first, f"j{name}", None)
                told = queued(client, "/models", act._id, f"j{name}", {"act": "stop", "number": 7}, [name])
                assert '"success":false' in told, told
        assert job.state == "running"
        assert not job.stop.is_set()
        with site.client("mary") as client:
            queued(client, "/models", arrive_first, "jmary", None)
            queued(client, "/models", act._id, "jmary", {"act": "stop", "number": 7}, [FOREIGN])
        assert job.stop.is_set()
    finally:
        del running._jobs[7]


def test_a_study_that_a_limited_manager_makes_is_theirs_and_leaves_their_list_when_it_is_deleted(
    site: Site, limit: Callable[[int | None], None]
) -> None:
    limit(site.key("max"))
    make_study(site.database, name="made-by-max")
    requesters = RequesterService(site.database, SIGNER, "")
    assert {card.study.name for card in requesters.studies()} == {OWN, "made-by-max"}
    requesters.delete("made-by-max")
    limit(site.key("lena"))
    assert {card.study.name for card in requesters.studies()} == {OWN}
    limit(None)
    make_study(site.database, name="made-by-max")
    limit(site.key("max"))
    assert {card.study.name for card in requesters.studies()} == {OWN}, "a new study of that name is another one"


def test_a_file_that_was_sent_is_an_event_and_its_cache_stays_good(site: Site) -> None:
    def mark() -> Any:
        with reading(site.database) as session:
            return fingerprints(session, study_id=get_study(session, name=OWN).id)

    before, known = mark(), site.downloads(OWN)
    with site.client("lena") as lena, site.client("max") as manager:
        assert lena.get(f"/results-files/{OWN}/labelled.csv").status_code == 200
        assert lena.get(f"/results-files/{OWN}/nothing.csv").status_code == 404
        assert lena.get(f"/manage-files/{OWN}/payments.csv").status_code == 403
        assert manager.get(f"/manage-files/{OWN}/payments.csv").status_code == 200
        assert manager.post(f"/manage-files/{OWN}/links", data={"people": "ann"}).status_code == 200
        assert manager.post(f"/manage-files/{OWN}/links", data={"people": ""}).status_code == 422
    with httpx2.Client(base_url=site.address, trust_env=False) as nobody:
        assert nobody.get(f"/manage-files/{OWN}/payments.csv").status_code == 401
    new = site.downloads(OWN)[: -len(known) or None]
    assert new[::-1] == [("lena", f"{OWN}-labelled.csv"), ("max", f"{OWN}-payments.csv"), ("max", f"{OWN}-links.csv")]
    assert mark() == before, "what was computed of the study is not computed again"


def test_studies_of_an_account_change_at_once_for_who_is_signed_in(site: Site) -> None:
    register = Register(site.database, SIGNER, site.address)
    with site.client("lena") as client:
        address = f"/results-files/{FOREIGN}/labelled.csv"
        assert client.get(address).status_code == 404
        register.set_studies("lena", None, who="owner")
        assert client.get(address).status_code == 200
        register.set_studies("lena", [OWN], who="owner")
        assert client.get(address).status_code == 404
    assert [(event.kind, event.note) for event in register.events()[:2]] == [
        ("studies", "all → colours"),
        ("studies", "colours → all"),
    ]


def test_an_owner_reaches_all_studies_and_others_those_that_they_were_given(
    engine: Database, limit: Callable[[int | None], None]
) -> None:
    make_study(engine, name=OWN)
    make_study(engine, name="shapes")
    register = Register(engine, SIGNER, "")
    register.invite("eve", "manager", studies=[OWN])
    register.invite("ida", "viewer", studies=[])
    assert {account.name: account.studies for account in register.accounts()} == {"eve": (OWN,), "ida": ()}
    with pytest.raises(BadSetting, match="owner"):
        register.invite("una", "owner", studies=[OWN])
    with pytest.raises(UnknownName):
        register.set_studies("eve", ["nothing"])
    assert register.set_role("eve", "owner").studies is None
    assert register.set_role("eve", "viewer").studies is None, "said anew where it is to be limited again"
    assert register.set_studies("eve", ["shapes", OWN]).studies == (OWN, "shapes")
    with reading(engine) as session:
        eve = find_account(session, name="eve")
        assert eve is not None
        limit(eve.limit)
        assert [study.name for study in list_studies(session)] == ["shapes", OWN]
    limit(None)
    register.set_studies("eve", [])
    limit(eve.limit)
    with reading(engine) as session:
        assert list_studies(session) == []
        with pytest.raises(UnknownName):
            get_study(session, name=OWN)
