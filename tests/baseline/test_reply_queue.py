"""What models wrote goes to people, blind, and comes back as a ranking or as ratings of the models."""

import json
import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from annotate.worker.screens import html
from app import cli
from baseline.runs.reply_queue import judging_of, names_told
from db.engine import Database, reading
from db.items import list_items
from db.studies import get_study
from tests.helpers.collection import arrive, make_service

Run = Callable[..., Result]
TASK = """
id = "test/questions"
title.en = "Questions"
question.en = "What is it?"
instruction.en = "Answer the question."
metrics = ["token_f1"]
fields = [{ name = "ask", title.en = "Question", kind = "question" }]
[answer]
kind = "text"
"""
MODELS = {"openai:zebra-9b": "best", "openai:yak-2": "fair", "openai:xerus": "poor"}
ITEMS = 20


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def told(result: Result) -> str:
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture
def asked(run: Run, tmp_path: Path) -> Run:
    """Twenty questions that three models answered; on q0 all say the same, on q1 two do, on q2 one names itself."""
    (tmp_path / "task.toml").write_text(TASK, "utf8")
    items = [{"id": f"q{n}", "ask": f"What is {n}?"} for n in range(ITEMS)]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, items)), "utf8")
    made = ("--task", tmp_path / "task.toml", "--items", tmp_path / "items.jsonl", "--set", "language=en")
    told(run("create", "questions", *made))
    for model, how in MODELS.items():
        replies = [{"id": f"q{n}", "raw": reply(n, how)} for n in range(ITEMS)]
        (tmp_path / f"{how}.jsonl").write_text("\n".join(map(json.dumps, replies)), "utf8")
        told(run("import-run", "questions", tmp_path / f"{how}.jsonl", "--from", "jsonl", "--model", model))
    return run


def reply(number: int, how: str) -> str:
    if number == 0 or (number == 1 and how != "poor"):
        return "The very same text."
    return f"A **{how}** reply to {number}" + (", says the Yak." if number == 2 and how == "fair" else ".")


def judge(database: Database, name: str, say: Callable[[str], str], people: int = 8) -> str:
    """People read the screen alone, find the better text there and answer; return all that they were sent."""
    seen = []
    for _ in range(people):
        person = arrive(make_service(database), name)
        view = person.look()
        while view.stage == "work":
            seen.append(html(view))
            view = person.answer(view, say(seen[-1]))
    return "\n".join(seen)


def better(screen: str) -> str:
    """Choose the side whose text is better, by the words on the screen; the option's value is what a browser sends."""
    sides = re.findall(r'value="([01])".*?((?:best|fair|poor)|The very same)', screen, re.DOTALL)
    worth = {"best": 0, "fair": 1, "The very same": 1, "poor": 2}
    (first, one), (second, other) = sides
    return "tie" if worth[one] == worth[other] else first if worth[one] < worth[other] else second


def test_pairs_go_to_people_blind_and_come_back_as_a_ranking(asked: Run, sqlite: Database) -> None:
    said = told(asked("judge-replies", "questions", "compared", "--overlap", 8))
    assert "is open: 55 items" in said  # 18 items x 3 pairs, q1 once, q0 not at all
    assert "4 pairs of the same text count as ties" in said
    assert "q2 (openai:yak-2)" in said
    bytes_sent = judge(sqlite, "compared", better)
    for name in ("zebra", "xerus", "yak-2", "openai", "writers", "source_item"):
        assert name not in bytes_sent.casefold()
    assert bytes_sent.casefold().count("yak") == 2 * 8  # in the reply that says so, in two pairs for each of eight
    found = json.loads(told(asked("ranking", "compared", "--draws", 100, "--json")))
    ranked = {row["competitor"]: row for row in found["rankings"][0]["competitors"]}
    assert [row["competitor"] for row in found["rankings"][0]["competitors"]] == list(MODELS)
    # By hand: each couple meets in 18 pairs; q0 is a tie of each, q1 a tie of two and two meetings of the third.
    assert {row["judgments"] for row in ranked.values()} == {40 * 8}
    assert ranked["openai:zebra-9b"]["win_rate"] == pytest.approx((36 + 1 + 0.5 * 3) / 40)
    assert ranked["openai:xerus"]["win_rate"] == pytest.approx(0.5 * 2 / 40)
    assert len(list(combinations(MODELS, 2))) * 20 * 8 == found["rankings"][0]["judgments"]


def test_pairs_are_compared_by_several_criteria_and_ranked_by_each(asked: Run, sqlite: Database) -> None:
    criteria = ("--criterion", "Truer?", "--criterion", "Clearer?")
    told(asked("judge-replies", "questions", "compared", "--overlap", 8, *criteria))

    def compare(screen: str) -> str:
        # Both questions stand below the texts, which are shown once, in one order.
        assert screen.count('class="words as-written"') == 2
        first, second = (re.findall(r'value="([01])"', half) for half in re.split("Clearer[?]", screen))
        assert first == second
        side = better(screen)
        return json.dumps({"criterion_1": side, "criterion_2": {"0": "1", "1": "0"}.get(side, "tie")})

    sent = judge(sqlite, "compared", compare)
    assert not [name for name in ("zebra", "xerus", "yak-2", "openai", "writers") if name in sent.casefold()]
    found = json.loads(told(asked("ranking", "compared", "--draws", 100, "--json")))["rankings"]
    assert [each["judge"] for each in found] == ["people on “Truer?”", "people on “Clearer?”"]
    truer, clearer = ({row["competitor"]: row["win_rate"] for row in each["competitors"]} for each in found)
    # Ties of the same text are half a win by either; who wins by the first criterion loses by the second.
    assert truer["openai:zebra-9b"] == pytest.approx((36 + 1 + 0.5 * 3) / 40)
    assert {name: pytest.approx(1 - share) for name, share in truer.items()} == clearer
    assert "on “Clearer?”" in told(asked("ranking", "compared", "--draws", 100))
    shown = told(asked("results", "compared"))  # as the board has it
    for words in ("Truer?", "Clearer?"):
        assert f"By people on “{words}”" in shown
        assert f"comes first by 8 people on “{words}”" in " ".join(shown.split())


def test_which_side_is_which_is_drawn_and_the_shown_order_too(asked: Run, sqlite: Database) -> None:
    told(asked("judge-replies", "questions", "compared"))
    with reading(sqlite) as session:
        study = get_study(session, name="compared")
        firsts = {stored.item.fields["writers_1"] for stored in list_items(session, study=study)}
        judging = judging_of(session, study)
    assert firsts >= {*MODELS}
    assert judging is not None
    assert sorted(judging.runs.values()) == sorted(MODELS)
    assert study.settings.page_controls == 0
    assert study.settings.language == "en"


def test_single_replies_are_rated_by_criteria_and_the_same_text_once_for_all(asked: Run, sqlite: Database) -> None:
    told(asked("judge-replies", "questions", "rated", "--single", "--criterion", "True?", "--criterion", "Clear?"))
    with reading(sqlite) as session:
        items = list_items(session, study=get_study(session, name="rated"))
    assert len(items) == 18 * 3 + 2 + 1
    assert max(len(stored.item.fields["writers"].split("\n")) for stored in items) == 3

    def rate(screen: str) -> str:
        good = 5 if "best" in screen else 3 if "fair" in screen or "very same" in screen else 1
        return json.dumps({"criterion_1": str(good), "criterion_2": "4"})

    sent = judge(sqlite, "rated", rate, people=6)
    assert "zebra" not in sent
    scores = json.loads(told(asked("results", "rated", "--json")))["writers"]
    by = {(row["model"], row["criterion"]): row for row in scores}
    assert by["openai:zebra-9b", "True?"]["value"] == pytest.approx((18 * 5 + 3 + 3) / 20)
    assert by["openai:xerus", "True?"]["value"] == pytest.approx((18 * 1 + 1 + 3) / 20, abs=0.2)
    assert by["openai:yak-2", "Clear?"]["value"] == 4
    low, high = by["openai:yak-2", "True?"]["ci"]
    assert 1 <= low <= 3 <= high <= 5


def test_a_name_that_tells_and_what_has_no_replies_are_refused(asked: Run, run: Run) -> None:
    refused = asked("judge-replies", "questions", "is-zebra-better")
    assert refused.exit_code == 2
    assert "zebra" in refused.stderr
    refused = run("judge-replies", "questions", "none", "--run", 99)
    assert "99" in refused.stderr
    assert "studies" not in told(run("runs", "questions"))


@pytest.mark.parametrize(
    ("text", "found"),
    [("I am Zebra", ["zebra"]), ("zebras", ["zebra"]), ("a mini model", []), ("OpenAI made me", ["openai"])],
)
def test_what_names_a_model_is_found(text: str, found: list[Any]) -> None:
    assert names_told(text, {1: "openai:zebra-mini-9b"}) == found
