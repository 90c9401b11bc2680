"""Making studies: items are drawn by seed, checked before anything is stored, and shown as workers will see them."""

import json
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from sqlalchemy import Engine
from typer.testing import CliRunner

from annotate.accounts.signer import Signer
from annotate.pages.manage.own_table_form import ANSWERED, filled
from annotate.pages.manage.study_preview import Scene, document, scene_of
from annotate.requesters.study_creation import (
    Created,
    Draft,
    Sources,
    StudySpecification,
    checked_settings,
    create,
    drafted,
)
from annotate.requesters.study_plan import check, checks_of, counts_of, doubts_of, forecast, plan
from app import cli
from data.catalogue.catalog import get_task, sample_file, tasks
from data.catalogue.task_files import read_task
from data.declared import rows_of
from data.errors import BadFile, BadSetting, BadTask, EtalonError
from data.files.item_files import read_items
from data.wording import own_wording
from db.engine import Database, open_database, reading
from db.items import list_items
from db.studies import get_study, list_studies
from db.study_settings import SETTINGS, StudyDescription, StudySettings
from tests.helpers.collection import planned

TERRA, SIGNER = get_task("rsg/terra"), Signer("a secret for tests")


def stored(database: Database, name: str, sources: Sources) -> Created:
    return create(database, SIGNER, StudySpecification(name, TERRA, StudySettings(), sources))


def write_items(path: Path, number: int, gold: int) -> Path:
    rows = [{"id": str(n), "premise": f"p{n}", "hypothesis": f"h{n}", "label": "entailment"} for n in range(number)]
    for row in rows[gold:]:
        del row["label"]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf8")
    return path


def roles(database: Engine, name: str) -> dict[str, list[str]]:
    with reading(database) as session:
        stored = list_items(session, study=get_study(session, name=name))
    found: dict[str, list[str]] = {"main": [], "training": [], "control": []}
    for entry in stored:
        found[entry.item.role].append(entry.item.id)
    return found


def test_a_study_whose_metric_cannot_score_its_answers_is_refused(sqlite: Engine, tmp_path: Path) -> None:
    sources = Sources(main=write_items(tmp_path / "items.jsonl", 3, 3))
    for metric, words in (("symbol_f", "it scores answers of kind 'spans', and"), ("acuracy", "did you mean 'accura")):
        task = replace(TERRA, metrics=(metric,), official=())
        with pytest.raises(BadTask, match=f"'rsg/terra': the metric '{metric}' .*{words}"):
            create(sqlite, SIGNER, StudySpecification("s", task, StudySettings(), sources))
    with reading(sqlite) as session:
        assert list_studies(session) == []


def test_training_and_controls_are_drawn_from_items_with_gold_and_leave_the_others(
    engine: Engine, tmp_path: Path
) -> None:
    path = write_items(tmp_path / "items.jsonl", 30, gold=12)
    sources = Sources(main=path, draw_training=3, draw_control=5, seed=4)
    made = stored(engine, "drawn", sources)
    found = roles(engine, "drawn")
    assert made.items == {"main": 22, "training": 3, "control": 5}
    assert sorted(int(one) for ids in found.values() for one in ids) == list(range(30))
    assert all(int(one) < 12 for role in ("training", "control") for one in found[role])
    stored(engine, "again", sources)
    assert roles(engine, "again") == found
    stored(engine, "other", sources.model_copy(update={"seed": 5}))
    assert roles(engine, "other") != found


def test_a_sample_is_what_remains_after_the_draw(sqlite: Engine, tmp_path: Path) -> None:
    path = write_items(tmp_path / "items.jsonl", 30, gold=30)
    sources = Sources(main=path, draw_control=5, sample=10)
    assert stored(sqlite, "s", sources).items["main"] == 10
    assert sum(map(len, roles(sqlite, "s").values())) == 15


@pytest.mark.parametrize("changes", [{"draw_control": 13}, {"draw_training": 6, "draw_control": 7}])
def test_more_than_there_is_cannot_be_drawn(sqlite: Engine, tmp_path: Path, changes: dict[str, Any]) -> None:
    sources = Sources(main=write_items(tmp_path / "items.jsonl", 30, gold=12), **changes)
    with pytest.raises(BadSetting, match="13 items are to be drawn for training and controls, and 12 of 30 items"):
        stored(sqlite, "s", sources)
    with reading(sqlite) as session:
        assert list_studies(session) == []


def test_ids_that_stand_twice_are_found_without_holding_the_items(sqlite: Engine, tmp_path: Path) -> None:
    path = write_items(tmp_path / "items.jsonl", 5, gold=5)
    path.write_text(path.read_text("utf8") + '{"id": "3", "premise": "p", "hypothesis": "h"}\n', "utf8")
    with pytest.raises(BadFile, match=r"items.jsonl, line 6, field 'id': id '3' is already on line 4"):
        stored(sqlite, "s", Sources(main=path))


def test_an_item_is_in_one_of_the_files_and_a_control_is_never_a_main_item_too(sqlite: Engine, tmp_path: Path) -> None:
    main = write_items(tmp_path / "items.jsonl", 5, gold=5)
    lines = main.read_text("utf8").replace('": "p', '": "another p').splitlines()
    given = tmp_path / "controls.jsonl"
    given.write_text("\n".join(lines[:3]), "utf8")
    # The ids of the two files are the same, as files number their items each for itself.
    made = stored(sqlite, "fine", Sources(main=main, control=given))
    assert (made.items, roles(sqlite, "fine")["control"]) == ({"main": 5, "training": 0, "control": 3}, ["0", "1", "2"])

    shared = json.dumps({"id": "x", "premise": "p4", "hypothesis": "h4", "label": "not_entailment"})
    given.write_text("\n".join([*lines[:3], shared]), "utf8")
    words = r"controls.jsonl, line 4: the control item 'x' shows the same as the main item '4' \(items.jsonl, line 5\)"
    with pytest.raises(BadFile, match=words):
        stored(sqlite, "s", Sources(main=main, control=given))
    given.write_text("\n".join(lines[:3]), "utf8")
    with pytest.raises(
        BadFile, match=r"the control item '0' shows the same as the training item '0'.* \(and 2 more\)$"
    ):
        stored(sqlite, "s", Sources(main=main, training=given, control=given))


def test_parquet_is_read_as_the_same_items(tmp_path: Path) -> None:
    lines = write_items(tmp_path / "items.jsonl", 4, gold=2)
    rows = [json.loads(line) for line in lines.read_text("utf8").splitlines()]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "items.parquet")
    assert read_items(tmp_path / "items.parquet", TERRA) == read_items(lines, TERRA)
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(BadFile, match="is not a Parquet file that can be read"):
        read_items(tmp_path / "bad.parquet", TERRA)


def test_a_large_file_is_looked_at_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_items(tmp_path / "items.jsonl", 400, gold=400)
    monkeypatch.setattr("annotate.requesters.study_plan.SMALL", 100)
    monkeypatch.setattr("annotate.requesters.study_plan.LOOKED_AT", 40)
    found = check(TERRA, "main", path)
    assert (found.complete, found.looked_at, found.items, found.with_gold) == (False, 40, 400, 400)


def test_a_draft_counts_what_is_drawn_where_it_goes(tmp_path: Path) -> None:
    path = write_items(tmp_path / "items.jsonl", 30, gold=12)
    draft = Draft("n", "rsg/terra", {}, sources=Sources(main=path, draw_training=2, draw_control=4))
    assert counts_of(draft, checks_of(draft)) == {"main": 24, "training": 2, "control": 4}


def test_every_setting_has_a_field_and_a_name() -> None:
    from annotate.pages.manage.study_form import ASKED

    shown = {setting.name for rows in rows_of(ASKED).values() for row in rows for setting in row if setting.title}
    # The rules have a page of their own; what experts decide, what models may know and what a report says come later.
    later = {"quality", "order_drawn", "gold", "consensus", "public_gold", "counts", *StudyDescription.model_fields}
    assert shown == set(ASKED) == set(StudySettings.model_fields) - later


FORM: dict[str, Any] = {
    "name": "n", "way": "catalogue", "task": "rsg/parus", "source": "files", "table": None, "toml": None,
    "main": "a.csv", "training": None, "control": "c.csv", "draw_training": "3", "draw_control": "9", "sample": "",
    "seed": 7, "seconds": "", "columns": [], "leave_out": False,
}  # fmt: skip
EMPTY = {
    name: "" if value is None else value for name, value in StudySettings().model_dump().items() if name in SETTINGS
}


def test_the_form_and_the_settings_agree() -> None:
    from annotate.pages.manage.study_form import draft_of

    draft = draft_of(FORM | EMPTY)
    sources = draft.sources
    assert sources is not None
    assert (sources.main, sources.training, sources.control) == (Path("a.csv"), None, Path("c.csv"))
    assert (sources.draw_training, sources.sample, sources.seed) == (3, None, 7)
    assert checked_settings(draft.settings) == StudySettings()
    assert checked_settings(draft_of(FORM | EMPTY | {"max_pay": "12,5"}).settings).max_pay == 12.5


def test_a_study_that_nobody_names_is_called_as_its_file_or_its_task() -> None:
    from annotate.pages.manage.study_form import draft_of, proposed_name

    assert draft_of(FORM | EMPTY | {"name": ""}).name == "parus"
    assert proposed_name(FORM | {"way": "table", "table": "отзывы, март.csv"}) == "отзывы--март"
    assert proposed_name(FORM | {"way": "file", "toml": "moods.toml"}) == "moods"
    assert proposed_name(FORM | {"way": "table"}) == ""


def test_the_task_behind_a_table_is_downloaded_changed_and_given_back(tmp_path: Path) -> None:
    from annotate.pages.manage.study_form import draft_of, drawings

    table = tmp_path / "moods.csv"
    moods = ["good", "Good", "bad", "bad "] * 3
    rows = [f"How it is {place},{mood}" for place, mood in enumerate(moods)]
    table.write_text("\n".join(["review,label", *rows]), "utf8")
    form = filled(table)
    given: dict[str, Any] = {"named": "text", "control": None, "draw_training": "", "draw_control": ""}
    given |= {"way": "table", "table": table, "main": None, "columns": form.columns, **form.values}
    page = drawings(FORM | EMPTY | given)[0]["check"]
    address = re.search(r'href="data:application/toml;[^,]*base64,([^"]+)" download="custom-moods.toml"', page)
    assert address
    task = tmp_path / "changed.toml"
    task.write_text(b64decode(address[1]).decode().replace("Which answer is right?", "How does it sound?"), "utf8")

    before = draft_of(FORM | EMPTY | given).described
    after = draft_of(FORM | EMPTY | given | {"way": "file", "toml": task, "table": None, "main": table})
    assert before
    assert after.described
    assert after.described.question.within("en") == "How does it sound?"
    assert replace(after.described, question=before.question) == before
    assert checks_of(after)["main"].with_gold == 12  # the spellings of the table came with the task


def test_the_proposed_question_fits_how_it_is_answered_and_is_doubted() -> None:
    assert all(own_wording("questions", kind).get(code) for _, kind in ANSWERED for code in ("en", "ru"))
    rating = next(task for task in tasks().values() if task.answer.kind == "rating")
    rating = replace(rating, question=own_wording("questions", "rating"))
    draft = Draft("n", "", {}, sources=Sources(main=Path("a.csv")), described=rating)
    assert [doubt.sentence for doubt in doubts_of(draft, {})] == ["The question is still the proposed one."]
    both = replace(rating, instruction=own_wording("proposals", "instruction"))
    assert [doubt.sentence for doubt in doubts_of(replace(draft, described=both), {})] == [
        "The question and the instruction are still the proposed ones."
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"max_pay": "a lot"}, "Maximum pay per worker 'a lot' is not a number"),
        ({"draw_control": "2.5"}, "Controls to draw 2.5: a whole number"),
        ({"way": "table"}, "there is no table yet"),
        ({"way": "file"}, "there is no task file yet"),
    ],
)
def test_what_a_form_cannot_mean_is_one_sentence(changes: dict[str, Any], words: str) -> None:
    from annotate.pages.manage.study_form import draft_of

    with pytest.raises(EtalonError, match=words):
        draft_of(FORM | EMPTY | changes)


def numbers(**changes: Any) -> dict[str, Any]:
    return {
        "items": 100, "training": 5, "control": 10, "overlap": 3, "page_main": 8, "page_controls": 2,
        "training_pass": 0.8, "price": 2.0,
    } | changes  # fmt: skip


def test_a_dynamic_overlap_and_a_cap_change_what_follows() -> None:
    found = planned(**numbers(overlap_max=5, max_items=20, training_price=0))
    assert (found.judgments, found.most_judgments) == (300, 500)
    assert (found.cost, found.most_cost) == (750, 1250)
    # 20 answers with two controls to eight items are 16 main items on 2 pages; 300 judgments need 19 such workers.
    assert (found.pages, found.controls, found.workers, found.capped) == (2, 4, 19, True)


def test_what_a_plan_lets_expect_is_as_calculated_by_hand() -> None:
    found = forecast(
        planned(**numbers(control=30)), StudySettings(overlap=3, price=2), chance=0.5, seconds=9, scored=True
    )
    assert found.guesser_trains == pytest.approx(6 / 32)  # at least 4 of 5 coins
    assert found.hours == pytest.approx(300 * 1.25 * 9 / 3600)
    assert found.hourly == 800
    assert found.guesser_works is not None
    assert 0 < found.guesser_works < 0.4
    few = forecast(planned(**numbers(control=0)), StudySettings(), chance=0.5, seconds=9, scored=False)
    assert (few.guesser_works, few.difference) == (None, None)


def test_a_preview_is_drawn_by_the_workers_templates_and_stores_nothing(sqlite: Engine) -> None:
    draft = Draft("parus", "rsg/parus", StudySettings().model_dump(), samples=True)
    create(sqlite, SIGNER, drafted(draft))
    scene = scene_of(sqlite, "parus")
    item = read_items(sample_file(scene.task, "main"), scene.task)[0]
    work = document(scene, "work", "ru")
    assert item.fields["premise"] in work
    assert 'data-stage="work"' in work
    assert "осталось 20" in work.replace("\u00a0", " "), "16 items and the 4 controls of two pages"
    assert scene.practice is not None
    feedback = document(scene, "feedback", "en")
    assert scene.practice.explanation in feedback
    assert "is-wrong" in feedback
    with reading(sqlite) as session:
        assert get_study(session, name="parus").status == "open"
    hostile = Scene(
        "<script>",
        scene.task,
        scene.settings,
        replace(item, fields=dict.fromkeys(item.fields, "cause") | {"premise": "<script>alert(1)</script>"}),
    )
    assert "<script>alert" not in document(hostile, "work", "ru")


def test_a_screen_without_an_item_says_so() -> None:
    assert "no training items" in document(Scene("s", TERRA, StudySettings()), "training", "ru")


def run(arguments: list[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> Any:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{folder / 'cli.db'}")
    return CliRunner().invoke(cli, arguments)


def test_a_task_goes_out_of_one_study_and_into_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items, file = str(write_items(tmp_path / "items.jsonl", 9, gold=9)), str(tmp_path / "task.toml")
    ask: Callable[[list[str]], Any] = lambda arguments: run(arguments, monkeypatch, tmp_path)  # noqa: E731
    assert ask(["create", "first", "--task", "rsg/terra", "--items", items]).exit_code == 0
    assert ask(["export-task", "first", "--to", file]).exit_code == 0
    assert read_task(Path(file)) == TERRA
    told = ask(
        ["create", "next", "--task", file, "--items", items, "--draw-control", "2", "--set", "max_items=5", "--json"]
    )
    assert told.exit_code == 0
    database = open_database(f"sqlite:///{tmp_path / 'cli.db'}")
    with reading(database) as session:
        study = get_study(session, name="next")
    database.dispose()
    assert (study.task, study.settings.max_items) == (TERRA, 5)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--set", "max_item=5"], "did you mean 'max_items'"),
        (
            ["--set", "fast.seconds=4"],
            "--set 'fast.seconds=4': rules on workers are set on the study's page, in the tab R",
        ),
        (["--set", "quality={}"], "`python app.py quality STUDY --set RULE.NUMBER=VALUE` tries a number"),
        (["--set", "price"], "write the setting, '=' and its value"),
    ],
)
def test_a_setting_that_is_not_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], words: str
) -> None:
    items = str(write_items(tmp_path / "items.jsonl", 3, gold=3))
    result = run(["create", "s", "--task", "rsg/terra", "--items", items, *more], monkeypatch, tmp_path)
    assert result.exit_code == 2
    assert words in result.stderr


def test_the_samples_of_a_task_come_to_a_plan() -> None:
    found = checks_of(Draft("n", "rsg/parus", {}, samples=True))
    planned = plan({role: one.items for role, one in found.items()}, StudySettings())
    assert planned.judgments == 5 * found["main"].items
    assert found["main"].chance == 0.5
    assert found["main"].seconds > 4
