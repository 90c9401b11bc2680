"""What docs/deploy.md rests on: the files in deploy/ are read by what will read them and name what exists."""

import re
import shutil
import subprocess
import sys
from ipaddress import ip_address
from pathlib import Path
from runpy import run_path

import pytest
import yaml  # type: ignore[import-untyped]
from sqlalchemy.pool import QueuePool

from annotate.accounts.guard import OPEN
from annotate.accounts.proxies import Proxies
from baseline.models.providers import PROVIDERS
from data.limits import LARGEST_UPLOAD
from db.engine import opened
from db.settings import Settings
from tests.conftest import fresh_postgres

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf8"))
NGINX = (DEPLOY / "nginx.conf").read_text("utf8")
SERVERS = ("etalon-1", "etalon-2")


def settings_known() -> set[str]:
    """The names of all environment variables that are settings, and those of the providers of models."""
    named = {f"ETALON_{name}".upper() for name in Settings.model_fields}
    aliases = [field.validation_alias for field in Settings.model_fields.values() if field.validation_alias]
    providers = {name for provider in PROVIDERS.values() for name in (provider.key, provider.address)} - {""}
    return named | providers | {str(choice) for alias in aliases for choice in alias.choices}  # type: ignore[union-attr]


@pytest.mark.parametrize("server", SERVERS)
def test_the_servers_of_compose_set_what_is_a_setting_and_share_their_secret(server: str) -> None:
    environment = COMPOSE["services"][server]["environment"]
    assert set(environment) <= settings_known()
    assert environment["DATABASE_URL"].startswith("postgresql+psycopg://etalon:${POSTGRES_PASSWORD:?")
    for name in ("ETALON_SECRET", "ETALON_OWNER_PASSWORD", "ETALON_PUBLIC_URL"):
        assert environment[name].startswith(f"${{{name}:?"), "without it nothing starts; there is no default to forget"
    assert environment == COMPOSE["services"]["etalon-1"]["environment"]
    providers = {name for provider in PROVIDERS.values() for name in (provider.key, provider.address)} - {""}
    lacking = [f"{name}: ${{{name}:-}}" for name in sorted(providers) if environment.get(name) != f"${{{name}:-}}"]
    assert not lacking, f"write these beside the variables of other providers in deploy/compose.yaml: {lacking}"


def test_the_servers_of_compose_and_of_a_space_believe_their_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = ip_address("10.3.4.5")
    assert Proxies.of(COMPOSE["services"]["etalon-1"]["environment"]["ETALON_PROXIES"]).trusts(inside)
    assert not Proxies.of(Settings().proxies).trusts(inside)
    monkeypatch.setenv("SPACE_ID", "ann/etalon")
    assert Proxies.of(Settings().proxies).trusts(inside)


def test_what_compose_names_is_there() -> None:
    services = COMPOSE["services"]
    assert set(services) == {"postgres", "nginx", *SERVERS}
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
    built = services["etalon-1"]["build"]
    assert (DEPLOY / built["context"] / built["dockerfile"]).is_file()
    assert (DEPLOY / services["nginx"]["volumes"][0].split(":")[0]).is_file()
    assert "ports" not in services["postgres"]
    assert all("ports" not in services[server] for server in SERVERS), "they are reached through nginx alone"


def test_compose_says_nothing_twice_which_docker_refuses() -> None:
    def unique(loader: yaml.SafeLoader, node: yaml.MappingNode) -> None:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), keys
        for _, value in node.value:
            loader.construct_object(value, deep=True)

    strict = type("Strict", (yaml.SafeLoader,), {})
    strict.add_constructor("tag:yaml.org,2002:map", unique)  # type: ignore[attr-defined]
    yaml.load((DEPLOY / "compose.yaml").read_text("utf8"), strict)


def test_nginx_speaks_https_and_writes_to_files_as_the_page_tells_its_operator(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "deploy.md").read_text("utf8")
    command = re.search(r"^(sed .*?deploy/nginx\.conf)", page, re.MULTILINE | re.DOTALL)
    assert command
    made = subprocess.run(["bash", "-c", command[1]], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for line in ("listen 443 ssl", "ssl_certificate /etc/letsencrypt/live/YOUR.NAME/", "return 301 https://YOUR.NAME"):
        assert re.search(rf"^[^#]*{re.escape(line)}", made, re.MULTILINE), line
    assert not re.search(r"resolve|/dev/std|etalon-[12]|etalon\.example", re.sub("#.*", "", made))
    assert made.count("server 127.0.0.1:7860") == 2


def test_containers_are_asked_whether_they_work() -> None:
    services = COMPOSE["services"]
    asked = {name: " ".join(services[name]["healthcheck"]["test"]) for name in ("nginx", *SERVERS)}
    assert "http://127.0.0.1/healthz" in asked["nginx"]
    assert all("http://127.0.0.1:7860/readyz" in asked[server] for server in SERVERS)


def test_postgres_has_connections_for_both_servers(postgres_uri: str) -> None:
    most = int(COMPOSE["services"]["postgres"]["command"][-1].removeprefix("max_connections="))
    with opened(fresh_postgres(postgres_uri)) as database:
        assert isinstance(database.pool, QueuePool)
        each = database.pool.size() + database.pool._max_overflow
    assert most >= len(SERVERS) * each + 10
    assert f"{each} connections" in (ROOT / "docs" / "deploy.md").read_text("utf8")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed here")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = (DEPLOY / "etalon.service").read_text("utf8")
    local = unit.replace("/opt/etalon/.venv/bin/python", sys.executable).replace("/opt/etalon", str(tmp_path))
    (tmp_path / "etalon.service").write_text(local, "utf8")
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "etalon.service")]
    told = subprocess.run(command, capture_output=True, text=True).stderr
    assert [line for line in told.splitlines() if "etalon.service" in line] == []


@pytest.mark.skipif(shutil.which("logrotate") is None, reason="logrotate is not installed here")
def test_logrotate_takes_its_file_about_the_log_of_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "etalon.logrotate").read_text("utf8")
    log = re.search(r"append:(\S+)", (DEPLOY / "etalon.service").read_text("utf8"))
    assert log
    assert f"{log[1]} {{" in text
    (tmp_path / "rotated").write_text(re.sub("su etalon etalon", "", text), "utf8")  # who is not there here
    command = ["logrotate", "-d", "-s", str(tmp_path / "state"), str(tmp_path / "rotated")]
    told = subprocess.run(command, capture_output=True, text=True).stderr
    assert "error:" not in told
    assert "Handling 1 logs" in told


def test_the_image_holds_what_runs() -> None:
    copied = set(re.findall(r"^COPY (\S+)", (DEPLOY / "Dockerfile").read_text("utf8"), re.MULTILINE))
    assert copied == {"requirements.lock", *run_path(str(ROOT / "setup.py"))["SHIPPED"]}
    assert all((ROOT / name).exists() for name in copied)


def test_the_image_begins_with_one_certain_base_and_installs_what_is_locked() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf8")
    assert re.search(r"^FROM python:3\.11\.\d+-slim\S*@sha256:[0-9a-f]{64}$", dockerfile, re.MULTILINE)
    assert "pip install --no-cache-dir --require-hashes -r requirements.lock" in dockerfile


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_all_that_is_installed_is_locked_with_its_digests(name: str) -> None:
    asked = re.findall(
        r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==([^\s;]+)", (ROOT / f"{name}.txt").read_text("utf8"), re.MULTILINE
    )
    locked = (ROOT / f"{name}.lock").read_text("utf8")
    versions = dict(re.findall(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==([^\s;]+)", locked, re.MULTILINE))
    assert asked
    assert {package: versions.get(package) for package, _ in asked} == dict(asked), "run `make lock`"
    for entry in re.split(r"^(?=\w)", locked, flags=re.MULTILINE):
        assert not entry.strip() or "--hash=sha256:" in entry
    run = (ROOT / "requirements.lock").read_text("utf8")
    assert set(re.findall(r"^\S+==\S+", run, re.MULTILINE)) <= set(re.findall(r"^\S+==\S+", locked, re.MULTILINE))


def test_nginx_knows_both_servers_every_page_and_the_largest_upload() -> None:
    for server in SERVERS:
        assert NGINX.count(f"server {server}:7860 resolve") == 2, "a container made anew has another address"
    sticky = re.search(
        r"location ~ \^/\(([a-z|]+)\)\(/\|\$\) \{\s+proxy_pass http://requesters;\s+proxy_buffering off;", NGINX
    )
    assert sticky
    assert {f"/{page}" for page in sticky[1].split("|")} == set(OPEN) - {"/annotate"} | {"/items"}
    assert f"client_max_body_size {LARGEST_UPLOAD // 1024**2}m;" in NGINX


def test_nginx_writes_neither_keys_nor_addresses_of_people() -> None:
    form = re.search(r"log_format failures (.*?);", NGINX, re.DOTALL)
    assert form
    written = set(re.findall(r"\$(\w+)", form[1]))
    assert written & {"request", "request_uri", "uri", "args", "query_string", "http_referer", "remote_addr"} == set()
    place = re.search(r"map \$uri \$place \{\s+~(\S+) \$known/\.\.\.;", NGINX)
    assert place
    for path in ("/join/study/KEY", "/account/new/KEY"):
        assert re.match(place[1].replace("?<", "?P<"), path)
    assert re.findall(r"error_log /dev/stderr (\w+);", NGINX) == ["notice", "emerg"]


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed here")
def test_nginx_takes_the_file(tmp_path: Path) -> None:
    # Addresses need no `resolve`, which nginx knows since 1.27.3.
    local = re.sub(r"etalon-[12]:7860 resolve", "127.0.0.1:7860", NGINX).replace(
        "/run/nginx.pid", str(tmp_path / "pid")
    )
    (tmp_path / "nginx.conf").write_text(local, "utf8")
    command = ["nginx", "-t", "-e", str(tmp_path / "log"), "-c", str(tmp_path / "nginx.conf")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "syntax is ok" in done.stderr, done.stderr
    assert "[warn]" not in done.stderr.replace('"user" directive', "")


def test_a_space_starts_the_program_with_the_versions_we_pin() -> None:
    _, front, _ = (DEPLOY / "space" / "README.md").read_text("utf8").split("---\n", 2)
    told = yaml.safe_load(front)
    pinned = re.search(r"^gradio==(\S+)", (ROOT / "requirements.txt").read_text("utf8"), re.MULTILINE)
    assert pinned
    assert (told["sdk"], told["sdk_version"], told["app_file"]) == ("gradio", pinned[1], "app.py")
    assert told["python_version"] == "3.11"
    assert Settings.model_fields["port"].default == 7860, "the port a Space looks at"


def test_the_page_about_it_names_settings_and_files_that_exist() -> None:
    page = (ROOT / "docs" / "deploy.md").read_text("utf8")
    known = settings_known()
    assert set(re.findall(r"\b(?:ETALON|SPACE)_[A-Z_]+\b", page)) <= known
    for path in re.findall(r"`(deploy/[\w./-]+)`", page):
        assert path == "deploy/.env" or (ROOT / path).exists(), path
