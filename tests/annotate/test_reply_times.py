"""How long a reply takes does not tell a check from another item, though more is done after a check."""

import time
from collections import defaultdict
from dataclasses import dataclass, field
from statistics import median

import pytest
from fastapi.testclient import TestClient

from annotate.accounts.signer import worker_cookie_name
from annotate.worker import api
from annotate.worker.service import Service
from annotate.worker.stages import Act
from annotate.worker.view import View
from db.engine import Database
from tests.helpers.browsing import Browser, application, token
from tests.helpers.collection import SIGNER, Watch, arrive, make_study

STEP = 0.15  # seconds: longer than a reply takes to make where others use the machine as well
MORE = STEP / 3  # seconds that a check is made to take more: far more than it does


@dataclass(frozen=True)
class Slow(Service):
    """The program, slower after a check; it remembers which item each token was for."""

    shown: dict[str, str] = field(default_factory=dict)

    def act(self, study_name: str, cookie: str | None, act: Act, *, source: str = "") -> View:
        view = super().act(study_name, cookie, act, source=source)
        if self.shown.get(act.token) == "control":
            time.sleep(MORE)
        if view.item:
            self.shown[view.token] = view.item.fields["thing"].split()[0]
        return view


def test_an_answer_to_a_check_takes_as_long_as_any_other(sqlite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "STEP", STEP)
    make_study(sqlite, main=15, control=15, overlap=1, page_main=1, page_controls=1)
    service = Slow(sqlite, SIGNER, Watch())
    took: defaultdict[str, list[float]] = defaultdict(list)
    cookies = {worker_cookie_name("colours"): arrive(service).cookie}
    with TestClient(application(service), cookies=cookies) as client:
        browser = Browser(client, "colours")
        reply = browser.act("language", value="en")
        while reply.json()["stage"] == "work":
            kind, begun = service.shown[token(reply)], time.perf_counter()
            reply = browser.answer(reply)
            took[kind].append(time.perf_counter() - begun)
    assert len(took["control"]) > 10
    assert abs(median(took["control"]) - median(took["main"])) < MORE / 2
