"""The item page: one item with everybody's answers, the doubted golds, the way from item to item, hostile addresses."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine

from baseline.comparison.item_index import neighbours
from baseline.human.baseline import deidentified_judgments, pseudonyms
from baseline.output.computed_exports import right_rows
from baseline.output.study_address import StudyAddress, read_address
from data.task import Item
from db import frames
from db.engine import reading, writing
from db.exports import ExportRequest
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.records import Decision, add_decision
from db.runs import Prediction, PredictionStatus, add_predictions, create_run, finish_run
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.collection import TASK
from tests.helpers.study_pages import study_page, table, words

LABELS = {"r": "red", "g": "green"}
SAID: dict[str, PredictionStatus] = {"r": "ok", "g": "ok", "?": "unparsable"}
HOSTILE = '<img src=x onerror="alert(1)">'


def made(
    database: Engine,
    *votes: str,
    origin: str = "collected",
    said: str = "",
    raw: str = "I say red",
    gold: str | None = "red",
) -> Study:
    """A study of items with this gold; the n-th letter of each item is worker n's answer, `said` the model's."""
    with writing(database) as session:
        settings = StudySettings(language="en")
        study = create_study(session, name="colours", task=TASK, settings=settings, origin=origin)  # type: ignore[arg-type]
        add_items(
            session, study=study, items=[Item(f"item-{n}", {"thing": f"thing {n}"}, gold) for n in range(len(votes))]
        )
        workers = [add_worker(session) for _ in range(max(map(len, votes)))]
        stored = list_items(session, study=study, role="main")
        given = [
            Judgment(entry.key, workers[place], LABELS[letter], seconds=12.4)
            for entry, letters in zip(stored, votes, strict=True)
            for place, letter in enumerate(letters)
        ]
        add_judgments(session, study=study, judgments=given)
        if said:
            run = create_run(session, study=study, model="big", kind="model", settings={})
            replies = [
                Prediction(
                    entry.key, 0, raw, LABELS.get(letter), "ok" if letter in LABELS else "unparsable", cost=0.002
                )
                for entry, letter in zip(stored, said, strict=True)
            ]
            add_predictions(session, run=run, predictions=replies)
            finish_run(session, run=run)
    return study


def page(database: Engine, **asked: Any) -> str:
    """What is drawn for an address, as HTML."""
    return study_page(database, "colours", tab="items", **asked)


def test_golds_that_look_wrong_are_listed_the_most_probable_first_with_rule_and_models(sqlite: Engine) -> None:
    made(sqlite, "rgggg", "ggggg", "rrrrr", "rrrrr", said="rgrr")
    html = page(sqlite, show="gold")
    assert re.findall(r"data-go>(\d+)</a></th>", html) == ["2", "1"]
    text = words(html)
    assert "Golds above 5%, the most probable first." in text
    assert [row["models against it"] for row in table(html, "gold", "votes")] == ["big", "no model"]


def test_an_item_shows_every_vote_its_worth_and_what_it_comes_to(sqlite: Engine) -> None:
    made(sqlite, "rrg", "rrr", said="g?")
    text = words(page(sqlite, item="item-0"))
    assert "Item 1 of 2" in text
    assert text.count("✓ right") == 3  # two people and their majority
    assert re.search(r"w-\w{8} Green ✕ wrong 12 s", text)
    assert "majority: 2 of 3 kept votes" in text
    assert "Gold Red" in text
    assert "big Green ✕ wrong status ok · cost 0.002 I say red" in text
    assert "big no readable answer ✕ wrong status unparsable" in words(page(sqlite, item="item-1"))


def test_a_tie_says_so_with_the_rule(sqlite: Engine) -> None:
    made(sqlite, "rg")
    assert "level at 1 of 2 kept votes; the rule for ties is “fractional”" in words(page(sqlite, item="item-0"))


def test_an_experts_decision_stands_beside_the_gold(sqlite: Engine) -> None:
    study = made(sqlite, "ggg")
    with writing(sqlite) as session:
        (entry,) = list_items(session, study=study, role="main")
        moment = datetime(2026, 11, 20, 9, tzinfo=UTC)
        made_by_ann = Decision(entry.item.id, "green", "ann", HOSTILE, True, moment, entry.key)
        add_decision(session, made_by_ann, study=study)
    html = page(sqlite, item="item-0")
    assert "Expert ann Green 2026-11-20 09:00, before seeing the votes" in words(html)
    assert "<img" not in html


def test_workers_of_an_imported_log_are_numbers_here(sqlite: Engine) -> None:
    made(sqlite, "rrg", origin="imported")
    html = page(sqlite, item="item-0")
    assert not re.search(r"w-\w{8}", html)
    assert set(re.findall(r'<th scope="row">(w\d+)', html)) == {"w001", "w002", "w003"}


def test_neighbours_are_those_among_the_chosen(sqlite: Engine) -> None:
    made(sqlite, "rrg", "rrr", "ggr", said="rrr")
    html = page(sqlite, item="item-0", show="split")
    assert 'rel="prev"' not in html
    assert re.findall(r'href="([^"]+)" rel="next"', html) == [
        "?study=colours&amp;tab=items&amp;item=item-2&amp;show=split"
    ]
    assert neighbours(["a", "b", "c"], "b") == ("a", "c")
    assert neighbours(["a"], "z") == ("", "")


def test_a_long_reply_is_folded_and_a_reply_is_text(sqlite: Engine) -> None:
    made(sqlite, "rrr", said="r", raw=HOSTILE + "я" * 700)
    html = page(sqlite, item="item-0")
    assert "<details>" in html
    assert "<img" not in html
    assert "&lt;img" in html


@pytest.mark.parametrize("item", ["nothing", HOSTILE, "я" * 2000])
def test_an_item_that_is_not_there_is_a_sentence(sqlite: Engine, item: str) -> None:
    made(sqlite, "rrr")
    html = page(sqlite, item=item)
    assert "There is no such study or item" in words(html)
    assert "<img" not in html


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("?study=a&item=b&show=gold&model=m&page=3", StudyAddress("a", item="b", show="gold", model="m", page=3)),
        ("study=%D1%8F%00&page=-1", StudyAddress("я")),
        ("study=a&study=b&ties=drop&seed=2&<b>=1", StudyAddress("a", rules={"ties": "drop"})),
        ("page=²", StudyAddress()),
        ("page=" + "9" * 5000, StudyAddress()),
        ("rules=x&tab=%ff", StudyAddress(tab="\ufffd")),
        ("&" * 100_000, StudyAddress()),
        (None, StudyAddress()),
        ({"study": 1}, StudyAddress()),
    ],
)
def test_an_address_may_say_anything(query: object, wanted: StudyAddress) -> None:
    assert read_address(query) == wanted


def test_a_link_names_the_very_address_it_was_made_of() -> None:
    at = StudyAddress("имя & co", "items", "x", "a=b", "split", "model:a", "model:b", "gold", 7, "1", {"ties": "drop"})
    assert read_address(at.link()) == at
    assert read_address(at.link(page=0, item="")) == replace(at, page=0, item="")
    assert read_address(at.to_tab("models")) == StudyAddress(at.study, "models", kept="1", rules=at.rules)


def test_what_the_page_does_not_offer_is_the_first_of_what_it_does(sqlite: Engine) -> None:
    made(sqlite, "rrg", "rrr", said="rr")
    assert table(page(sqlite, show="nonsense", model="nobody", page=10**7), "votes") == table(page(sqlite), "votes")


def test_released_judgments_lead_back_to_nobody(sqlite: Engine) -> None:
    study = made(sqlite, "rrg", "rrr")
    with reading(sqlite) as session:
        found, held = deidentified_judgments(session, study=study), frames.judgments(session, study=study)
    assert set(found["worker"]) == {"w001", "w002", "w003"}
    assert not [name for name in held["worker"] if name in found.to_csv()]
    assert list(found["label"]) == list(held["label"])
    assert pseudonyms(["b", "a"], seed=1) == pseudonyms(["a", "b", "a"], seed=1)


def test_every_item_has_how_probably_its_gold_is_wrong_and_the_list_sorts_by_it(sqlite: Engine) -> None:
    made(sqlite, "rrr", "rgg", "rrr", "ggg", said="rrrg")
    html = page(sqlite)
    assert re.findall(r"data-go>(\d+)</a></th>", html) == ["1", "2", "3", "4"]
    assert re.search(r'href="\?study=colours&amp;tab=items&amp;order=gold" data-go[^>]*>gold wrong</a>', html)
    html = page(sqlite, order="gold")
    assert re.findall(r"data-go>(\d+)</a></th>", html)[:2] == ["4", "2"]
    assert "gold wrong ↓" in html
    one = page(sqlite, item="item-3", order="gold")
    assert re.findall(r'href="([^"]+)" rel="next"', one) == [
        "?study=colours&amp;tab=items&amp;item=item-1&amp;order=gold"
    ]


def test_without_gold_no_item_has_a_probability_that_it_is_wrong(sqlite: Engine) -> None:
    with writing(sqlite) as session:
        study = create_study(session, name="colours", task=TASK, settings=StudySettings(language="en"))
        add_items(session, study=study, items=[Item("item-0", {"thing": "thing"}, None)])
    assert "gold wrong" not in page(sqlite)


def test_an_order_that_there_is_not_is_the_studys_own(sqlite: Engine) -> None:
    made(sqlite, "rrr", "ggg")
    assert re.findall(r"data-go>(\d+)</a></th>", page(sqlite, order="<b>")) == ["1", "2"]


@pytest.mark.parametrize(("gold", "how"), [("red", "{} right, {} wrong"), (None, "{} nearer to people than {}")])
def test_items_are_chosen_by_which_of_two_models_was_right(sqlite: Engine, gold: str | None, how: str) -> None:
    """Without gold people are the standard: that one is chosen which is nearer to what they say."""
    study = made(sqlite, "rrr", "rrr", "rrr", "rrr", said="rrgg", gold=gold)
    with writing(sqlite) as session:
        run = create_run(session, study=study, model="small", kind="model", settings={})
        stored = list_items(session, study=study, role="main")
        said = zip(stored, "rgrg", strict=True)
        add_predictions(
            session, run=run, predictions=[Prediction(one.key, 0, "", LABELS[letter], "ok") for one, letter in said]
        )
        finish_run(session, run=run)
    two = {"model": "model:big", "other": "model:small"}
    first, second = (page(sqlite, show=show, **two) for show in ("first", "second"))
    assert how.format("big", "small") + " 1" in words(first)
    assert how.format("small", "big") + " 1" in words(first)
    apart = page(sqlite, show="apart", model="model:big")
    assert re.findall(r"thing \d", words(apart)) == ["thing 2", "thing 3"]
    assert "Model differs from people 2" in words(apart)
    assert "Sorted by how far big is from people" in words(apart)
    assert "Item 3 of 4" in words(page(sqlite, item="item-2", show="apart", model="model:big"))
    assert re.findall(r"thing \d", words(first)) == ["thing 1"]
    assert re.findall(r"thing \d", words(second)) == ["thing 2"]
    # Without another model there is no such choice, and a model is not set beside itself.
    assert how.format("big", "small") not in words(page(sqlite, show="first", model="model:big"))
    assert how.format("big", "big") not in words(page(sqlite, show="first", model="model:big", other="model:big"))
    with reading(sqlite) as session:
        table = right_rows(ExportRequest(session, study))
    assert list(table) == ["item", "people", "model:big", "model:small"]
    assert table.query("`model:big` == 1 and `model:small` == 0").item.tolist() == (["item-1"] if gold else [])
