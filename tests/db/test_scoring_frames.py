"""The fast ways to read a large study give what the plain ones do, on SQLite and on PostgreSQL alike."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sqlalchemy import Engine

from data.task import Item
from db import frames, scoring_frames
from db.cache import fingerprints
from db.clock import now
from db.engine import reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.records import Decision, add_decision
from db.runs import Prediction, PredictionStatus, Run, add_predictions, create_run
from db.scoring_frames import CODED, UNKNOWN, answers_of_runs
from db.studies import Study, create_study
from db.study_progress import costs_of_runs, seconds_of_people
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.collection import TASK, things

LABELS = ("red", "green")
SAID: tuple[tuple[str | None, PredictionStatus], ...] = (
    ("green", "ok"),
    (None, "unparsable"),
    (None, "refused"),
    (None, "truncated"),
    (None, "error"),
    ("blue", "ok"),
)


@pytest.fixture
def stored(engine: Engine) -> tuple[Study, Run]:
    """Six main items and a control, judged by two workers; a run with an answer of each status, one taken again."""
    with writing(engine) as session:
        study = create_study(session, name="colours", task=TASK, settings=StudySettings(overlap=2))
        add_items(session, study=study, items=[*things("main", 6), *things("control", 1)])
        items = list_items(session, study=study)
        workers = [add_worker(session), add_worker(session, simulated=True)]
        given = [
            Judgment(entry.key, worker, LABELS[(place + worker) % 2], seconds=None if place == 3 else 1.2345 + place)
            for place, entry in enumerate(items)
            for worker in workers
        ]
        # What numbers cannot tell all of stands between what they can, and keeps its place.
        given[2], given[4] = replace(given[2], page="p1", price=0.25), replace(given[4], label="blue")
        given[5], given[12] = replace(given[5], price=0.5), replace(given[12], status="void", reason="duplicate")
        add_judgments(session, study=study, judgments=given)
        run = create_run(session, study=study, model="m", kind="model", settings={})
        main = [entry.key for entry in items if entry.item.role == "main"]
        rows = [
            Prediction(key, 0, "", label, status, seconds=0.5, cost=0.25, prompt_tokens=7, completion_tokens=2)
            for key, (label, status) in zip(main, SAID, strict=True)
        ]
        add_predictions(session, run=run, predictions=[*rows, Prediction(main[0], 1, "", "red", "ok", cached=True)])
    return study, run


def test_judgments_are_read_as_the_frame_has_them(engine: Engine, stored: tuple[Study, Run]) -> None:
    with reading(engine) as session:
        items = frames.items(session, study=stored[0], stored=True)
        fast, plain = (
            scoring_frames.judgments(session, study=stored[0], items=items),
            frames.judgments(session, study=stored[0]),
        )
    shared = list(fast.columns)
    pd.testing.assert_frame_equal(fast.astype(object), plain[shared].reset_index(drop=True).astype(object))


def test_items_are_read_as_the_frame_has_them(engine: Engine) -> None:
    odd = [("юность 𝄞", "blue"), ("no gold", None), ("empty gold", ""), (" a\tb\n", "red")]
    with writing(engine) as session:
        study = create_study(session, name="odd", task=TASK, settings=StudySettings())
        given = [Item(key, {"thing": "odd"}, gold) for key, gold in odd]
        add_items(session, study=study, items=[*given, *things("control", 2)])
        entry = list_items(session, study=study)[1]
        decided = Decision(entry.item.id, "green", "ada", "", True, now(), entry.key)
        add_decision(session, decided, study=study)
    with reading(engine) as session:
        fast, plain = scoring_frames.items(session, study=study), frames.items(session, study=study, stored=True)
    pd.testing.assert_frame_equal(fast, plain)
    assert fast["item"].tolist() == [*(key for key, _ in odd), "control:control-0", "control:control-1"]


def test_a_text_with_a_nul_which_sqlite_cannot_measure_is_read_the_plain_way(sqlite: Engine) -> None:
    with writing(sqlite) as session:
        study = create_study(session, name="odd", task=TASK, settings=StudySettings())
        given = [Item("a", {"thing": "odd"}, "red\0green"), Item("b", {"thing": "even"}, "blue")]
        add_items(session, study=study, items=given)
    with reading(sqlite) as session:
        fast, plain = scoring_frames.items(session, study=study), frames.items(session, study=study, stored=True)
    assert list(fast["gold"]) == ["red\0green", "blue"]
    pd.testing.assert_frame_equal(fast, plain)


def test_a_study_without_items_is_an_empty_frame(engine: Engine) -> None:
    with writing(engine) as session:
        study = create_study(session, name="empty", task=TASK, settings=StudySettings())
    with reading(engine) as session:
        pd.testing.assert_frame_equal(
            scoring_frames.items(session, study=study), frames.items(session, study=study, stored=True)
        )


def test_answers_of_a_run_are_codes_beside_the_keys_of_their_items(engine: Engine, stored: tuple[Study, Run]) -> None:
    study, run = stored
    with reading(engine) as session:
        items, codes = answers_of_runs(session, run_ids=[run.id], labels=LABELS)[run.id]
        keys = [entry.key for entry in list_items(session, study=study, role="main")]
    found = sorted(zip(items.tolist(), codes.tolist(), strict=True))
    silent = [-1 - place for place in range(len(CODED))]
    expected = [*zip(keys, [1, *silent, UNKNOWN], strict=True), (keys[0], 0)]
    assert found == sorted(expected)


def test_what_answers_took_is_added_up_without_errors(engine: Engine, stored: tuple[Study, Run]) -> None:
    study, run = stored
    with reading(engine) as session:
        people, effort = seconds_of_people(session, study=study), costs_of_runs(session, run_ids=[run.id])[run.id]
    # Two workers on five timed main items: 1.2345 s and so on, to the millisecond (halves go either way).
    assert np.sort(people) == pytest.approx(np.repeat([1.2345, 2.2345, 3.2345, 5.2345, 6.2345], 2), abs=0.00051)
    assert (effort.answers, effort.priced, effort.cached) == (6, 5, 1)
    assert (effort.cost, effort.prompt_tokens, effort.completion_tokens) == (1.25, 35, 10)
    assert effort.seconds.tolist() == [0.5] * 5


def test_the_mark_of_a_study_changes_with_what_its_results_are_made_of(
    engine: Engine, stored: tuple[Study, Run]
) -> None:
    study, _ = stored
    with reading(engine) as session:
        before, again = fingerprints(session, study_id=study.id), fingerprints(session)
    assert before == again
    with writing(engine) as session:
        create_run(session, study=study, model="n", kind="model", settings={})
    with reading(engine) as session:
        assert fingerprints(session)[study.id] != before[study.id]
