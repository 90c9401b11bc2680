"""Replies of models go to people from the page of models, are judged blind in the browser, and come back ranked."""

import json
import re
from contextlib import ExitStack
from pathlib import Path

import httpx2
from playwright.sync_api import Browser, BrowserContext, Route, expect

from baseline.imports.import_run import import_run
from data.answers.text import Text
from data.task import Field, Item, Task
from data.wording import same
from db.engine import writing
from db.studies import change_settings, get_study, set_status
from tests.e2e.conftest import Site, Worker
from tests.helpers.browsing import invited
from tests.helpers.requester_pages import signed_in

MODELS = {"openai:zebra-9b": "best", "openai:yak-2": "fair", "openai:xerus": "poor"}
WORTH = list(MODELS.values())
ITEMS, PEOPLE, OVERLAP = 20, 8, 5
QUESTIONS = Task(
    id="test/questions",
    title=same("Questions"),
    fields=(Field("ask", same("Question"), "question"),),
    question=same("What is it?"),
    instruction=same("Answer the question."),
    answer=Text(),
    metrics=("token_f1",),
)


def answered(site: Site, folder: Path) -> str:
    """A study that three models have answered; return its name."""
    items = [Item(f"q{n}", {"ask": f"What is {n}?"}) for n in range(ITEMS)]
    study = site.study_of(QUESTIONS, items, page_controls=0, language="en")
    for model, how in MODELS.items():
        file = folder / f"{how}.jsonl"
        replies = [{"id": item.id, "raw": f"A **{how}** reply to {item.id}."} for item in items]
        file.write_text("\n".join(map(json.dumps, replies)), "utf8")
        with writing(site.service.database) as session:
            import_run(session, study=study, path=file, form="jsonl", model=model)
    return study.name


def test_replies_go_to_people_by_a_button_and_come_back_as_a_ranking(
    browser: Browser, signed: BrowserContext, site: Site, tmp_path: Path
) -> None:
    name = answered(site, tmp_path)
    with signed_in(signed) as manager:
        manager.goto(f"{site.address}/models/?study={name}")
        manager.get_by_role("button", name="Judge replies").click()
        expect(manager.get_by_text("openai:yak-2 and openai:zebra-9b, and are not told")).to_be_visible()
        expect(manager.get_by_label("Criteria")).to_be_visible()
        manager.get_by_label("Name of the new study").fill("compared")
        expect(manager.get_by_label("Name of the new study")).to_have_value("compared")
        manager.get_by_role("button", name="Make the study").click()
        expect(manager.get_by_text("Judged by people in compared: no judgments yet")).to_have_count(3)
        with writing(site.service.database) as session:
            study = get_study(session, name="compared")
            set_status(session, study=study, status="open")
            change_settings(session, study=study, values={"max_items": 24})  # three pages: a browser takes its time
        received = judged_in_a_browser(browser, site)
        with writing(site.service.database) as session:
            change_settings(session, study=study, values={"max_items": None})
        sent = b"".join([*received, *judged_over_http(site, PEOPLE - 1)])
        for told in (b"zebra", b"yak", b"xerus", b"openai", b"writers", b"source_item"):
            assert told not in sent.lower()
        assert sent.count(b"<strong>best</strong>") >= 2 * ITEMS * OVERLAP
        manager.goto(f"{site.address}/results/?study=compared")
        expect(manager.get_by_role("heading", name="Ranking")).to_be_visible()
        expect(manager.get_by_role("img", name=re.compile("openai:zebra-9b, by people: rank 1"))).to_be_visible()
        expect(manager.get_by_role("heading", name="Position bias")).to_be_visible()
        manager.goto(f"{site.address}/models/?study={name}")
        expect(manager.get_by_text(f"wins {1 - 1 / (2 * ITEMS * OVERLAP):.3f}, rank")).to_be_visible()


def judged_in_a_browser(browser: Browser, site: Site) -> list[bytes]:
    """Somebody reads both texts on the screen, presses the key of the better one, and so on; all that was received.

    Of the first best and poor the poor one is chosen: who never loses has no finite strength.
    """
    received: list[bytes] = []
    erred = False

    def keep(route: Route) -> None:
        answer = route.fetch()
        received.append(answer.body())
        route.fulfill(response=answer)

    with writing(site.service.database) as session:
        study = get_study(session, name="compared")
    with browser.new_context(locale="en-US") as context:
        context.route("**/*", keep)
        worker = Worker(context.new_page())
        worker.sit(site, study)
        while worker.stage() == "work":
            first, second = (text.split()[1] for text in worker.page.locator(".side .words").all_inner_texts())
            errs = not erred and {first, second} == {"best", "poor"}
            worker.answer("1" if (WORTH.index(first) < WORTH.index(second)) != errs else "2")
            erred = erred or errs
        worker.at("done")
    return received


def judged_over_http(site: Site, people: int) -> list[bytes]:
    """People who have no screen take turns until nothing is left; all that they received."""
    received: list[bytes] = []
    with writing(site.service.database) as session:
        study = get_study(session, name="compared")
    with ExitStack() as opened:
        hooks = {"response": [lambda reply: received.append(reply.read())]}
        clients = [opened.enter_context(httpx2.Client(base_url=site.address, event_hooks=hooks)) for _ in range(people)]
        screens = {person: person.enter() for person in (invited(site.service, client, study) for client in clients)}
        while working := [(person, reply) for person, reply in screens.items() if reply.json()["stage"] == "work"]:
            for person, reply in working:
                sides = re.findall(r'value="([01])".*?<strong>(\w+)</strong>', reply.json()["html"], re.DOTALL)
                screens[person] = person.answer(reply, min(sides, key=lambda side: WORTH.index(side[1]))[0])
    return received
