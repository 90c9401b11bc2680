"""Where a model may be asked: never at metadata addresses, however they are written or resolved; what bodies show."""

import json
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result

from baseline.models.hosts import ModelHosts
from baseline.models.model import Stopped
from baseline.pages.model_jobs import Running
from baseline.pages.models_service import ModelsService
from data.catalogue.catalog import get_task
from data.errors import BadSetting
from db.engine import Database, opened, reading
from db.runs import list_runs
from db.settings import Settings
from tests.helpers.asking_models import KEY, chat, chat_model, new_study, predictions, run
from tests.helpers.model_server import ModelServer, Say, Send, always, wrong
from tests.helpers.waiting import until

PARUS = get_task("rsg/parus")
INSIDE = "<title>Payroll</title> db-password=hunter2"
FORBIDDEN = [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.0.1:8000",
    "2852039166",
    "0xa9fea9fe",
    "0xa9.0xfe.0xa9.0xfe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "169.254.169.254.",
    "169\u3002254\u3002169\u3002254",
    "100.100.100.200",
    "168.63.129.16",
    "metadata.google.internal",
    "METADATA.google.internal.",
    "[fe80::1]",
    "[fe80::1%25eth0]:8000",
    "[fd00:ec2::254]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[2002:a9fe:a9fe::1]",
    "[64:ff9b::a9fe:a9fe]",
    "[::169.254.169.254]",
    "[::ffff:0:a9fe:a9fe]",
    "[64:ff9b:1::a9fe:a9fe]",
    "[64:ff9b:1:a9fe:a9:fe00::]",
    "[64:ff9b:1:a9:fe:a9fe::]",
    "[64:ff9b:1:abcd:a9:fea9:fe00:0]",
    "[2001:0:a9fe:a9fe::1]",
    "[2001:0:808:808:0:0:5601:5601]",
    "[2001:db8::5efe:a9fe:a9fe]",
    "[2001:db8::200:5efe:a9fe:a9fe]",
]


@pytest.fixture
def command(command: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return command


@pytest.mark.parametrize("host", FORBIDDEN)
def test_link_local_and_metadata_addresses_are_refused_in_every_form(host: str) -> None:
    with pytest.raises(BadSetting, match="no model is ever asked there"):
        chat_model("m", base_url=f"http://{host}/v1")


@pytest.mark.parametrize("host", ["１６９.254.169.254", "①⑥⑨.254.169.254", "ｅxample.org"])
def test_an_address_in_signs_that_stand_for_others_is_one_sentence(command: Callable[..., Result], host: str) -> None:
    refused = command("run", "parus", "--model", "openai:m", "--base-url", f"http://{host}/v1")
    assert refused.exit_code == 2
    assert "http" in refused.stderr


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost", "10.1.2.3", "[::1]:8000", "[fd12::1]", "api.openai.com", "[2001:db8::1]"]
)
def test_loopback_private_and_public_hosts_are_asked_unless_the_owner_lists_others(host: str) -> None:
    chat_model("m", base_url=f"http://{host}/v1")
    with pytest.raises(BadSetting, match=r"ETALON_MODEL_HOSTS: gpu\.example"):
        chat_model("m", base_url=f"http://{host}/v1", hosts=ModelHosts.of("gpu.example"))


def test_the_command_and_the_page_refuse_before_anything_is_reckoned(
    command: Callable[..., Result], sqlite_url: str
) -> None:
    words = ("run", "parus", "--model", "openai:m", "--base-url", "http://169.254.169.254/latest")
    for result in (command(*words), command(*words, "--dry-run")):
        assert (result.exit_code, result.stdout) == (2, "")
        assert "no model is ever asked there" in result.stderr
    values = {"provider": "openai", "model": "m", "base_url": "http://[::ffff:169.254.169.254]/v1"}
    with opened(sqlite_url) as database:
        desk = ModelsService.of(database, Settings())
        for asked in (desk.preview, lambda *given: desk.start(*given, who="owner")):
            with pytest.raises(BadSetting, match="no model is ever asked there"):
                asked("parus", values, KEY)


def test_the_list_of_the_owner_holds_for_the_command_and_the_page(
    command: Callable[..., Result], sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ETALON_MODEL_HOSTS", "127.0.0.1:1, *.example.org")
    with ModelServer() as server:
        words = ("run", "parus", "--model", "openai:m", "--limit", 1, "--json", "--base-url", server.base_url)
        assert "ETALON_MODEL_HOSTS" in command(*words).stderr
        values = {"provider": "openai", "model": "m", "base_url": server.base_url}
        refused = pytest.raises(BadSetting, match="ask the owner of this server to add it")
        with opened(sqlite_url) as database, refused:
            ModelsService.of(database, Settings()).preview("parus", values, KEY)
        assert server.requests == []
        monkeypatch.setenv("ETALON_MODEL_HOSTS", server.base_url.removeprefix("http://").removesuffix("/v1"))
        assert json.loads(command(*words).stdout)["status"] == "complete"


@pytest.mark.parametrize(
    ("listed", "url", "fits"),
    [
        ("gpu", "http://GPU/v1", True),
        ("gpu", "https://gpu/v1", True),
        ("gpu", "https://gpu:80/v1", True),
        ("gpu", "http://gpu:8000/v1", False),
        ("*.example.org", "https://llm.example.org:8443/v1", False),
        ("gpu:8000", "http://gpu:8000/v1", True),
        ("gpu:8000", "http://gpu:8001/v1", False),
        ("gpu:443", "https://gpu/v1", True),
        ("*.example.org", "https://llm.example.org/v1", True),
        ("*.example.org", "https://example.org/v1", False),
        ("*.example.org", "https://badexample.org/v1", False),
        ("::1", "http://[::1]/v1", True),
        ("::1", "http://[::1]:8000/v1", False),
        ("[::1]:8000", "http://[::1]:8000/v1", True),
        ("[::1]:8000", "http://[::1]:8001/v1", False),
    ],
)
def test_a_host_is_listed_by_name_by_port_or_with_all_below_it(listed: str, url: str, fits: bool) -> None:
    assert ModelHosts.of(f"other, {listed}").names(url) is fits


def test_a_name_that_leads_to_a_metadata_address_ends_the_run_before_anything_is_sent(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    _resolve(monkeypatch, "169.254.169.254")
    began = time.monotonic()
    with pytest.raises(Stopped, match=r"base URL leads to 169\.254\.169\.254.*no model is ever asked there"):
        run(sqlite, study=new_study(sqlite), model=chat_model("m", base_url="http://gpu.example/v1"))
    assert time.monotonic() - began < 10


def test_a_name_that_leads_elsewhere_the_second_time_is_looked_at_again(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = new_study(sqlite)
    with ModelServer() as server:
        port = int(server.base_url.rsplit(":", 1)[1].removesuffix("/v1"))
        model = chat_model("m", base_url=f"http://gpu.example:{port}/v1")
        _resolve(monkeypatch, "127.0.0.1")
        assert run(sqlite, study=study, model=model, limit=2).statuses == {"ok": 2}
        _resolve(monkeypatch, "fe80::1")
        with pytest.raises(Stopped, match="no model is ever asked there"):
            run(sqlite, study=study, model=model, limit=4)
        assert len(server.requests) == 2


def test_a_proxy_of_the_environment_is_used_and_what_is_written_in_the_address_still_looked_at(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def proxied(server: ModelServer) -> None:
        monkeypatch.setenv("http_proxy", server.base_url.removesuffix("/v1"))
        monkeypatch.setenv("no_proxy", "")

    with ModelServer() as proxy:
        proxied(proxy)
        model = chat_model("m", base_url="http://gpu.example/v1")
        assert run(sqlite, study=new_study(sqlite), model=model, limit=2).statuses == {"ok": 2}
        assert {request.headers["Host"] for request in proxy.requests} == {"gpu.example"}
        with pytest.raises(BadSetting, match="no model is ever asked there"):
            chat_model("m", base_url="http://169.254.169.254/v1")


def test_a_redirect_is_not_followed(sqlite: Database) -> None:
    with ModelServer() as other:
        redirect = Send(b"", 307, headers={"Location": f"{other.base_url}/chat/completions"})
        with ModelServer(always(redirect)) as server:
            model = chat_model("m", base_url=server.base_url)
            study = new_study(sqlite)
            with pytest.raises(Stopped, match=r"answers with a redirect .*none is followed"):
                run(sqlite, study=study, model=model, limit=1)
            hidden = Send(b"", 307, headers={"Location": "http://inner.example/"})
            server.script = always(hidden)
            with pytest.raises(Stopped) as stopped:
                run(sqlite, study=study, model=chat_model("m", base_url=server.base_url, reveal=False), limit=1)
    assert "inner.example" not in str(stopped.value)
    assert other.requests == []


BODIES = [
    (Send(INSIDE.encode(), 404, "text/html"), "HTTP 404"),
    (Send(INSIDE.encode(), 400, "text/html"), "HTTP 400"),
    (Send(json.dumps({"message": INSIDE}).encode(), 400), "HTTP 400"),
    (Send(json.dumps({"error": INSIDE}).encode(), 400), "HTTP 400"),
]
NO_REPLIES = [
    (Send(INSIDE.encode(), 200, "text/html"), "the body is not a chat completion"),
    (Send(json.dumps({"choices": [{"message": {"content": [INSIDE]}}]}).encode()), "not a text but a list"),
    (Send(INSIDE.encode(), 503, "text/html"), "HTTP 503"),
]


@pytest.mark.parametrize(("body", "shown"), BODIES)
def test_a_manager_sees_no_body_of_an_internal_address(body: Send, shown: str, sqlite: Database) -> None:
    new_study(sqlite)
    said = _said_by_the_page(sqlite, body)
    assert shown in said
    assert "hunter2" not in said
    assert "Payroll" not in said


@pytest.mark.parametrize(("body", "shown"), NO_REPLIES)
def test_nor_is_a_body_told_that_is_asked_for_again(body: Send, shown: str, sqlite: Database) -> None:
    with ModelServer(always(body)) as server:
        summary = run(sqlite, study=new_study(sqlite), model=chat(server, reveal=False), limit=1)
        assert summary.trouble == f"{shown} (attempt 3 of 3)" or summary.trouble.startswith(f"the content is {shown}")
        assert "hunter2" not in predictions(sqlite, summary.run)["raw"][0]


def test_a_manager_sees_the_message_of_an_error_in_the_form_of_the_api(sqlite: Database) -> None:
    # The form is that of openai.types.shared.ErrorObject: code, message, param, type.
    new_study(sqlite)
    said = _said_by_the_page(sqlite, wrong(400, "too long by 7 tokens"))
    assert "HTTP 400: too long by 7 tokens" in said


def test_what_a_host_says_that_the_owner_has_named_is_shown_whole(sqlite: Database) -> None:
    new_study(sqlite)
    assert "Payroll" in _said_by_the_page(sqlite, BODIES[1][0], named=True)


def _said_by_the_page(database: Database, body: Send, *, named: bool = False) -> str:
    """Return all that the page tells and the database keeps of a run whose first answer is this one.

    `named`: the owner has listed the server that answers so.
    """
    script = iter([body])
    with ModelServer(lambda _: next(script, Say("1"))) as server:
        listed = server.base_url.removeprefix("http://").removesuffix("/v1") if named else ""
        desk = ModelsService(database, Running(database), hosts=ModelHosts.of(listed))
        values: dict[str, Any] = {"provider": "openai", "model": "m", "base_url": server.base_url, "limit": 1}
        job = desk.start("colours", values, KEY, who="owner")
        until(lambda: not job.live or (job.progress and job.progress.trouble))
        said = [job.message, job.progress.trouble if job.progress else ""]
        until(lambda: not job.live)
    with reading(desk.database) as session:
        (made,) = list_runs(session, study=job.study)
    return " ".join([*said, job.message, *predictions(desk.database, made)["raw"]])


def _resolve(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Let every name lead to one address, as a name server of somebody else's can."""

    def found(host: str, port: int, **_: object) -> list[tuple[Any, ...]]:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        place = (address, port, 0, 0) if ":" in address else (address, port)
        return [(family, socket.SOCK_STREAM, 6, "", place)]

    monkeypatch.setattr(socket, "getaddrinfo", found)
