"""An item whose time runs out is there again when its worker comes back, and nothing of it tells what it is."""

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from annotate.accounts.signer import worker_cookie_name
from annotate.worker.service import Service
from annotate.worker.stages import Act
from annotate.worker.view import View
from db.engine import Database, reading
from db.items import coverage
from db.studies import Study
from tests.helpers.browsing import Browser, Reply, application, token
from tests.helpers.collection import Watch, arrive, make_service, make_study

LEASE = 16  # minutes after which an item of these studies has run out
THING = re.compile(r"(?:main|control) thing \d+")
Seen = tuple[str, tuple[float, ...]]  # the thing, and all that can be seen of it besides


@pytest.fixture
def browser(service: Service) -> Iterator[Callable[[], Browser]]:
    """A maker of browsers whose worker is at work."""
    with TestClient(application(service)) as client:

        def opened() -> Browser:
            client.cookies.set(worker_cookie_name("colours"), arrive(service).cookie)
            return Browser(client, "colours")

        yield opened


def thing(view: View) -> str:
    return view.item.fields["thing"] if view.item else ""


def name(reply: Reply) -> str:
    return str(THING.findall(reply.json()["html"])[0])


def visible(reply: Reply) -> tuple[float, ...]:
    """All that a script can read off a reply with an item, the item's text and its token apart, as numbers."""
    body = reply.json()
    html = THING.sub("", body["html"]).replace(token(reply), "")
    counts = [float(number) for number in re.findall(r"\d+", re.sub(r"<[^>]+>", " ", html))]
    kept = body["kept"]
    return (len(html), len(body), *counts, *(float(kept[key]) for key in ("seconds", "most", "lease")), kept["whole"])


def walk(browser: Browser, watch: Watch, expiries: int, *, late: bool, meanwhile: Callable[[], Any]) -> list[Seen]:
    """Let the time of every item run out before it is answered, by its old token if `late`."""
    seen: list[Seen] = []
    while len(seen) < expiries:
        before = browser.state()
        if before.json()["stage"] == "presence":
            before = browser.act("present")
        watch.passes(minutes=LEASE)
        meanwhile()
        told = browser.state(json={"token": token(before)})
        after = browser.act("present") if told.json()["stage"] == "presence" else told
        came_back = float(name(after) == name(before))
        again = [number for number, (one, _) in enumerate(seen) if one == name(before)]
        features = (came_back, float(len(again)), len(told.json().get("left", "")), *visible(before), *visible(after))
        answered = browser.act("answer", token=token(before if late else after), value="red", seconds=3)
        if answered.json()["stage"] != "work":
            break
        seen.append((name(before), (*features, len(answered.json().get("left", "")))))
    return seen


def advantage(seen: list[Seen]) -> tuple[float, float]:
    """How often the best rule on one thing that is visible is right beyond always saying "main", and by chance.

    A rule is learnt on every second item and tried on the others: for each feature, values that were controls more
    often than not. `by chance` is the 99th percentile of the same with the roles shuffled.
    """
    width = max(len(features) for _, features in seen)
    table = np.array([[*features, *[math.nan] * (width - len(features))] for _, features in seen])
    table = np.nan_to_num(table, nan=-1)
    table = np.unique(table[:, [len(set(column)) > 1 for column in table.T]], axis=1)  # what varies, each once
    coded = [np.unique(column, return_inverse=True)[1] for column in table.T]
    roles = np.array([one.startswith("control") for one, _ in seen])

    def best(labels: Any) -> float:
        gains = []
        for values in coded:
            met, controls = (np.bincount(values[::2], weights, len(labels)) for weights in (None, labels[::2]))
            guess = (controls > met / 2)[values]
            gains.append((guess == labels)[1::2].mean() - (~labels)[1::2].mean())
        return float(max(gains))

    shuffled = [best(np.random.default_rng(seed).permutation(roles)) for seed in range(100)]
    return best(roles), float(np.quantile(shuffled, 0.99))


@pytest.mark.parametrize(("late", "repeat"), [(False, True), (True, False)])
def test_a_script_that_lets_70_leases_run_out_tells_controls_no_better_than_chance(
    sqlite: Database, late: bool, repeat: bool
) -> None:
    make_study(sqlite, main=90, control=60, page_main=2, page_controls=2, overlap=3, repeat_controls=repeat)
    watch = Watch()
    service = make_service(sqlite, watch)
    others = [arrive(service) for _ in range(2)]

    def crowd() -> None:
        for other in others:
            if (view := other.look()).stage == "work":
                other.answer(view)

    client = TestClient(application(service), cookies={worker_cookie_name("colours"): arrive(service).cookie})
    with client:
        seen = walk(Browser(client, "colours"), watch, 70, late=late, meanwhile=crowd)
    assert len(seen) == 70
    came_back = {role: {features[0] for one, features in seen if one.startswith(role)} for role in ("main", "control")}
    assert came_back["control"] == came_back["main"] == {1.0}
    gained, by_chance = advantage(seen)
    assert gained <= by_chance


def test_who_only_waits_sees_one_item_however_often_its_time_runs_out(
    engine: Database, service: Service, watch: Watch
) -> None:
    """There is nothing to compare with other places, and one answer to give."""
    make_study(engine, main=40, control=20, page_main=1, page_controls=1, price=2)
    for _ in range(6):
        person, views = arrive(service), []
        for _ in range(70 // 6):
            if person.look().stage == "presence":
                service.act("colours", person.cookie, Act("present"))
            views.append(person.look())
            watch.passes(minutes=LEASE)
        assert len({thing(view) for view in views}) == 1
        assert len({view.progress for view in views}) == 1, "page and place stand still"
        assert len({view.token for view in views}) == 1
        for view in views:
            person.answer(view)
        view = person.look()
        assert view.earnings is not None
        assert (view.earnings.answers, view.earnings.earned) == (1, 2), "old tokens are of one item and give one answer"


def test_a_late_control_answer_keeps_the_limits_too(engine: Database, service: Service, watch: Watch) -> None:
    make_study(engine, main=30, control=30, page_main=1, page_controls=1, max_items=4, price=2)
    person, tokens = arrive(service), []
    for _ in range(6):
        view = person.look()
        tokens.append(view.token)
        if view.stage == "work":
            watch.passes(minutes=LEASE)
            person.look()
            person.answer(view)
    done = person.look()
    assert (done.stage, done.earnings and done.earnings.answers, tokens[4:]) == ("done", 4, ["", ""])


def test_an_item_that_others_took_meanwhile_gives_its_place_to_another_one(
    engine: Database, service: Service, watch: Watch
) -> None:
    study = make_study(engine, main=9, overlap=1, page_main=3, page_controls=0)
    person, other = arrive(service), arrive(service)
    first = person.look()
    taken = other.look()
    watch.passes(minutes=LEASE)
    while thing(taken) != thing(first):
        taken = other.answer(taken)
    second = person.look()
    assert thing(second) != thing(first)
    assert second.progress == first.progress, "the place on the page is still to be filled"
    with reading(engine) as session:
        known = coverage(session, study=study)
    assert known.held == 2


def test_an_answer_taken_back_whose_time_runs_out_is_there_again(
    engine: Database, service: Service, watch: Watch
) -> None:
    make_study(engine, main=6, control=6, page_main=2, page_controls=2)
    for kind in ("main", "control"):
        person = arrive(service)
        view = person.look()
        while True:
            after = person.answer(view)
            if thing(view).startswith(kind) and after.can_undo:
                break
            view = after
        back = service.act("colours", person.cookie, Act("undo", token=after.token))
        assert thing(back) == thing(view)
        watch.passes(minutes=LEASE)
        assert (thing(person.look()), person.look().progress) == (thing(view), back.progress)


def test_after_ten_that_ran_out_presence_is_confirmed_and_then_after_ten_more(
    engine: Database, service: Service, watch: Watch, browser: Callable[[], Browser]
) -> None:
    study: Study = make_study(engine, main=9, control=3, page_main=3, page_controls=1)
    worker = browser()
    shown = worker.state()
    for _ in range(2):
        for _ in range(9):
            watch.passes(minutes=LEASE)
            assert worker.state().json()["stage"] == "work"
        watch.passes(minutes=LEASE)
        for _ in range(2):
            asked = worker.act("language", value="en")
            assert (asked.json()["stage"], "kept" in asked.json()) == ("presence", False)
        assert 'data-act="present"' in asked.json()["html"]
        with reading(engine) as session:
            assert coverage(session, study=study).held == 0, "nothing is held for somebody who is not there"
        went_on = worker.act("present")
        assert (went_on.json()["stage"], name(went_on)) == ("work", name(shown))
        assert worker.act("present").content == went_on.content
    assert worker.answer(went_on).json()["stage"] == "work"
