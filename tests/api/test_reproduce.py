"""Printed human scores come out of their raw logs, downloaded from a server that can fail, and verified."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli
from data import sources as declared
from data.errors import BadFile, UnknownName
from data.sources import Source
from human_baseline import published as api
from human_baseline.published import balanced, common_subsequence, download, reproduce

LOG = (
    "INPUT:parentheses\tOUTPUT:correct\tGOLDEN:correct\tASSIGNMENT:worker_id\r\n"
    + "".join(f"( )\t1\t\tw{n}\r\n) (\t{int(n > 2)}\t\tw{n}\r\n[ ]\t1\t1\tw{n}\r\n" for n in range(5))
).encode()


class Server(ThreadingHTTPServer):
    """Serves files by name; what is in `cut` ends after so many bytes, once. `ranges` were asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.cut: dict[str, int] = {}
        self.ranges: list[str] = []

    def address(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{name}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        name, asked = self.path.strip("/"), self.headers.get("Range", "")
        self.server.ranges.append(asked)
        whole = self.server.files[name]
        content = whole[int(asked.removeprefix("bytes=").rstrip("-")) :] if asked else whole
        self.send_response(206 if asked else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: self.server.cut.pop(name, len(content))])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


Serve = Callable[[str, bytes], Source]


@pytest.fixture
def serve(server: Server, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Return what lets the server have the log of a source, in place of the public address."""
    known = dict(declared.sources())

    def served(name: str, content: bytes) -> Source:
        server.files[name] = content
        digest = hashlib.sha256(content).hexdigest()
        known[name] = replace(known[name], address=server.address(name), sha256=digest, size=len(content))
        return known[name]

    monkeypatch.setattr(api, "sources", lambda: known)
    return served


def test_a_download_that_was_cut_goes_on_where_it_ended(server: Server, serve: Serve, tmp_path: Path) -> None:
    source = serve("bps", LOG)
    server.cut["bps"] = 100
    with pytest.raises(BadFile, match="goes on where it ended"):
        list(download(source, tmp_path))
    assert sum(download(source, tmp_path)) == len(LOG)
    assert server.ranges == ["", "bytes=100-"]
    assert source.file(tmp_path).read_bytes() == LOG
    assert list(download(source, tmp_path)) == [len(LOG)]
    assert len(server.ranges) == 2, "what is there is not asked for again"


@pytest.mark.parametrize("other", [LOG.replace(b"w1", b"w9"), LOG + b"more" * 100_000])
def test_another_file_than_the_one_that_was_read_is_refused_and_not_kept(
    server: Server, serve: Serve, tmp_path: Path, other: bytes
) -> None:
    source = serve("bps", LOG)
    server.files["bps"] = other
    with pytest.raises(BadFile, match="SHA-256"):
        list(download(source, tmp_path))
    assert not list(tmp_path.iterdir())


def test_the_command_downloads_and_sets_the_figure_beside_the_printed_one(serve: Serve, tmp_path: Path) -> None:
    serve("bps", LOG)
    ran = CliRunner().invoke(cli, ["reproduce", "bps", "--folder", str(tmp_path)], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    # ( ) is balanced and everybody says so; ) ( is not, and three of five say so.
    assert "MERA, BPS: majority, accuracy  1.000    1.000" in ran.stdout
    ran = CliRunner().invoke(cli, ["reproduce", "bps", "--folder", str(tmp_path), "--json"], catch_exceptions=False)
    assert json.loads(ran.stdout)["figures"][0]["n"] == 2


def test_a_source_that_is_not_known_is_refused() -> None:
    with pytest.raises(UnknownName, match="bps"):
        reproduce("bsp")


def test_brackets_and_subsequences_by_hand() -> None:
    assert [balanced(each) for each in ("", "( )", "( ]", "( [ ] { } )", "(", ") (")] == ["1", "1", "0", "1", "0", "0"]
    assert [common_subsequence(*each) for each in (("", "A"), ("ABC", "ABC"), ("AXB", "AB"), ("AB", "BA"))] == [
        "0", "3", "2", "1",
    ]  # fmt: skip


@pytest.mark.real_data
def test_the_public_logs_give_the_printed_scores(server: Server, serve: Serve, shared: Path, tmp_path: Path) -> None:
    for name, source in declared.sources().items():
        (path,) = shared.glob(f"toloka_*/*/{source.address.rpartition('/')[2]}")
        served = serve(name, path.read_bytes())
        assert (served.sha256, served.size) == (source.sha256, source.size)
    gold = {"parus": shared / "toloka_logs" / "PARus" / "gold.csv"}
    result = reproduce(folder=tmp_path, gold=gold)
    shown = {name: (round(row["value"], 3), row["n"]) for name, row in result.frame.to_dict("index").items()}
    assert shown["MERA, BPS: majority, accuracy"] == (1.0, 100)
    assert shown["MERA, LCS: majority, accuracy"] == (0.704, 54)
    assert shown["RussianSuperGLUE, PARus: majority, accuracy"] == (0.984, 500)
    assert sum("not public" in note for note in result.notes) == 3
