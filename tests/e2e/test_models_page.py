"""The page of models in a real browser: a run is begun with a typed key, followed, held, and found in the list."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from data.catalogue.catalog import get_task, samples
from tests.e2e.conftest import Site
from tests.helpers.model_server import ModelServer, Say
from tests.helpers.requester_pages import signed_in

KEY = "sk-typed-in-the-browser-42"
ITEMS = [item for item in samples(get_task("rsg/parus")) if item.role == "main"]


@pytest.fixture
def manager(signed: BrowserContext, site: Site) -> Iterator[Page]:
    """The page of models with one study, signed in; at the end nothing broke and the key is nowhere on the disk."""
    study = site.study(main=len(ITEMS))
    with signed_in(signed) as opened:
        opened.goto(f"{site.address}/models/?study={study.name}")
        expect(opened.get_by_role("heading", name="No model has answered yet")).to_be_visible()
        yield opened
    folder = Path(str(site.service.database.url.database)).parent
    assert KEY.encode() not in b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_run_is_begun_followed_paused_resumed_and_found_in_the_list(manager: Page) -> None:
    # Slow enough to be held on the way, and quick once it goes on.
    after = [0.5]
    with ModelServer(lambda _: Say("1", after=after[0])) as server:
        manager.get_by_role("button", name="Ask a model").click()
        expect(manager.get_by_label("Maximum items")).to_be_visible()
        expect(manager.get_by_label("Temperature")).to_be_hidden()
        manager.get_by_role("button", name="More").click()
        # What means nothing to a provider goes out of sight, and comes back as it was: empty is not 0.
        manager.get_by_role("radio", name="Random").click()
        expect(manager.get_by_label("Maximum cost")).to_be_hidden()
        manager.get_by_role("radio", name="Anthropic Messages").click()
        expect(manager.get_by_label("Stop sequences")).to_be_visible()
        expect(manager.get_by_label("Top-p")).to_be_hidden()
        manager.get_by_role("radio", name="A server that speaks the OpenAI chat API").click()
        for empty in ("Top-p", "Maximum cost", "Price per million prompt tokens", "Maximum prompt tokens"):
            expect(manager.get_by_label(empty)).to_have_value("")
        manager.get_by_label("Base URL").fill(server.base_url)
        manager.get_by_placeholder("qwen3-8b").fill("test")
        expect(manager.get_by_label("API key")).to_have_attribute("type", "password")
        manager.get_by_label("API key").fill(KEY)
        # Leaving the address asks whether a key is known for it; the one that was typed must stay.
        with manager.expect_response("**/run/predict**"):
            manager.get_by_label("Base URL").press("Tab")
        expect(manager.get_by_label("API key")).to_have_value(KEY)
        manager.get_by_label("Concurrent requests").fill("1")
        manager.get_by_role("button", name="Estimate").click()
        expect(manager.locator(".estimate")).to_contain_text(ITEMS[0].fields["premise"])
        manager.get_by_role("button", name="Start").click()
        expect(manager.get_by_role("progressbar", name="Answers of openai:test")).to_be_visible()
        manager.get_by_role("button", name="Pause openai:test").press("Enter")
        expect(manager.get_by_text("paused: what was answered is kept")).to_be_visible()
        assert len(server.requests) < len(ITEMS)
        after[0] = 0.0
        manager.get_by_role("button", name="Resume openai:test").press("Enter")
        row = manager.locator(".runs tbody tr")
        expect(row).to_contain_text("complete")
        expect(row).to_contain_text(f"{len(ITEMS)} of {len(ITEMS)}")
        manager.set_viewport_size({"width": 390, "height": 844})
        assert manager.get_by_role("region", name="Runs").evaluate("one => one.scrollWidth - one.clientWidth") == 0
        manager.set_viewport_size({"width": 1280, "height": 720})
        assert len(server.requests) == len(ITEMS)
        assert server.requests[-1].headers["Authorization"] == f"Bearer {KEY}"
    manager.get_by_role("button", name="Ask a model").click()
    expect(manager.get_by_label("API key")).to_have_value("")
    assert KEY not in manager.content()
    manager.get_by_placeholder("qwen3-8b").fill("test")
    expect(manager.get_by_label("Few-shot examples")).to_be_hidden()
    manager.get_by_role("button", name="More").click()
    manager.get_by_label("Few-shot examples").fill("2")
    manager.get_by_role("button", name="Estimate").click()
    expect(manager.locator(".estimate .told")).to_contain_text("are taken from a train split; give one")
    manager.get_by_role("button", name="Cancel").click()
    study = manager.get_by_role("combobox", name="Study")
    study.press("Enter")
    expect(study).to_be_focused()
    expect(study).to_have_attribute("aria-expanded", "false")
    study.click()
    expect(study).to_have_attribute("aria-expanded", "true")
