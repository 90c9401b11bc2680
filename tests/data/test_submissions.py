"""Files for leaderboards: what is written for gold is read back as gold; what they refuse is not written."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from data.answers.answer_type import packed
from data.bracket_markup import ELEMENTS
from data.catalogue.catalog import get_task, samples
from data.errors import BadSetting
from data.files.item_files import read_items
from data.submissions import needed_leaderboard, submission
from data.submissions.leaderboard import SubmissionSheet, sheet_of
from data.task import Item
from tests.helpers.leaderboards import (
    FLAT,
    MUSERC,
    RUCOS,
    USE_RECORDS,
    gold_sheet,
    records_in,
    sheet_from,
    unzipped,
    written,
)

USE = get_task("use")
AGRR = ("agrr/binary", "agrr/resolution", "agrr/full")


def changed(sheet: SubmissionSheet, answer: str, place: int) -> SubmissionSheet:
    """The sheet with another answer to the item at a place."""
    rows = list(sheet.rows)
    rows[place] = rows[place][0], answer
    return replace(sheet, rows=tuple(rows))


# RussianSuperGLUE


@pytest.mark.parametrize("task_id", FLAT)
def test_labels_are_written_by_idx_and_read_back_as_gold(tmp_path: Path, task_id: str) -> None:
    name, records = FLAT[task_id]
    task = get_task(task_id)
    content = submission([sheet_from(tmp_path, task_id, records)])
    assert list(unzipped(content)) == [name]
    told = records_in(content, name)
    assert [set(one) for one in told] == [{"idx", "label"}] * len(records)
    assert [one["idx"] for one in told] == sorted(record["idx"] for record in records)
    labels = {one["idx"]: one["label"] for one in told}
    again = read_items(
        written(tmp_path / "again.jsonl", [record | {"label": labels[record["idx"]]} for record in records]), task
    )
    asked = read_items(written(tmp_path / "asked.jsonl", records), task)
    assert [(item.id, item.gold) for item in again] == [(item.id, item.gold) for item in asked]


def test_labels_have_the_type_that_the_authors_baselines_write(tmp_path: Path) -> None:
    told = {
        name: records_in(submission([sheet_from(tmp_path, task_id, records)]), name)[0]["label"]
        for task_id, (name, records) in FLAT.items()
    }
    assert told == {
        "LiDiRus.jsonl": "not_entailment",
        "RCB.jsonl": "neutral",
        "PARus.jsonl": 1,
        "TERRa.jsonl": "not_entailment",
        "RUSSE.jsonl": True,
        "RWSD.jsonl": False,
        "DaNetQA.jsonl": "false",
    }
    assert type(told["PARus.jsonl"]) is int


def test_muserc_nests_a_label_for_each_option_under_the_authors_numbers(tmp_path: Path) -> None:
    told = records_in(submission([sheet_from(tmp_path, "rsg/muserc", MUSERC)]), "MuSeRC.jsonl")
    expected = [
        {
            "idx": record["idx"],
            "passage": {
                "questions": [
                    {
                        "idx": asked["idx"],
                        "answers": [{"idx": one["idx"], "label": one["label"]} for one in asked["answers"]],
                    }
                    for asked in record["passage"]["questions"]
                ]
            },
        }
        for record in sorted(MUSERC, key=lambda record: int(record["idx"]))
    ]
    assert told == expected


def test_rucos_names_the_entity_in_the_words_of_the_text(tmp_path: Path) -> None:
    told = records_in(submission([sheet_from(tmp_path, "rsg/rucos", RUCOS)]), "RuCoS.jsonl")
    golds = {one["qas"][0]["idx"]: one["qas"][0]["answers"][0]["text"] for one in RUCOS}
    assert told == [{"idx": number, "label": golds[number]} for number in sorted(golds)]


def test_nine_tasks_make_one_zip_with_nine_files_the_same_every_time(tmp_path: Path) -> None:
    sheets = [sheet_from(tmp_path, task_id, records) for task_id, (_, records) in FLAT.items()]
    family = needed_leaderboard("rsg/rcb")
    assert family.absent(sheets) == ["MuSeRC.jsonl", "RuCoS.jsonl"]
    sheets += [sheet_from(tmp_path, "rsg/muserc", MUSERC), sheet_from(tmp_path, "rsg/rucos", RUCOS)]
    content = submission(sheets)
    assert set(unzipped(content)) == set(family.takes.files.values())
    assert len(unzipped(content)) == 9
    assert family.absent(sheets) == []
    assert submission(sheets) == content


# MERA


def test_use_is_written_in_the_form_of_mera_and_read_back_as_gold(tmp_path: Path) -> None:
    content = submission([sheet_from(tmp_path, "use", USE_RECORDS)])
    told = json.loads(unzipped(content)["USE.json"])
    assert told == {
        "data": {
            "test": [
                {
                    "outputs": record["outputs"],
                    "meta": {name: record["meta"][name] for name in ("id", "id_task", "variant")},
                }
                for record in USE_RECORDS
            ]
        }
    }


def use_sheet(folder: Path) -> SubmissionSheet:
    return sheet_from(folder, "use", USE_RECORDS)


@pytest.mark.parametrize(
    ("place", "answer", "said"),
    [
        (0, packed(["2", " 4"]), r"row 1 \(id 31\): its outputs are '2, 4'; numbers with commas and no spaces"),
        (0, packed(["2", "4", "4"]), r"row 1 \(id 31\): its outputs '2,4,4' have a number twice"),
        (
            0,
            packed(["2", "9"]),
            r"USE.json, row 1 \(id 31\): its outputs '2,9' name 9, which is none of the item's opt",
        ),
        (1, " 7. ", r"row 2 \(id 9\): its outputs are ' 7. '; a word is needed"),
        (2, packed(["2", "4", "1"]), r"row 3 \(id 12\): its outputs '2,4,1' are 3 numbers; 4 are needed"),
        (3, packed(["1", "4"]), r"row 4 \(id 40\): its outputs '1,4' name 4, which is none of the item's options"),
    ],
)
def test_an_answer_of_another_form_stops_the_whole_file(tmp_path: Path, place: int, answer: str, said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        submission([changed(use_sheet(tmp_path), answer, place)])


def test_two_items_of_one_number_stop_the_whole_file(tmp_path: Path) -> None:
    sheet = use_sheet(tmp_path)
    with pytest.raises(BadSetting, match="two items have the number 31"):
        submission([replace(sheet, rows=(*sheet.rows, sheet.rows[0]))])


# AGRR-2019


@pytest.mark.parametrize("task_id", AGRR)
def test_the_table_of_agrr_is_read_back_by_its_own_reader(tmp_path: Path, task_id: str) -> None:
    task = get_task(task_id)
    items = samples(task)
    path = tmp_path / "sent.tsv"
    path.write_bytes(submission([gold_sheet(task, items)]))
    head, *rest = path.read_text("utf8").splitlines()
    assert head.split("\t") == ["text", "class", *ELEMENTS]
    assert {line.count("\t") for line in rest} == {7}
    again = read_items(path, task)
    assert [(item.fields["sentence"], item.gold) for item in again] == [
        (item.fields["sentence"], item.gold) for item in items
    ]


def test_the_real_table_of_agrr_is_written_as_it_stands(shared: Path, tmp_path: Path) -> None:
    task, path = get_task("agrr/full"), tmp_path / "dev.csv"
    real = (shared / "agrr" / "dev.csv").read_bytes().decode("utf8").splitlines()[:600]
    path.write_text("\n".join(real), "utf8")
    ours = submission([gold_sheet(task, read_items(path, task))]).decode().splitlines()
    assert len(ours) == 600
    assert [line.split("\t") for line in ours] == [[cell.strip() for cell in line.split("\t")] for line in real]


def test_a_sentence_with_a_tab_cannot_stand_in_the_table() -> None:
    task = get_task("agrr/binary")
    item = Item("a", {"sentence": "Раз\tдва", "genre": ""}, "0")
    with pytest.raises(BadSetting, match=r"agrr/binary: .* has a tab or a line break"):
        submission([gold_sheet(task, [item])])


# What is refused


def test_a_task_without_a_leaderboard_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(BadSetting, match=r"'agrr/validate' has no leaderboard .* rsg/lidirus, .*use, agrr/binary"):
        needed_leaderboard("agrr/validate")


def test_items_without_an_answer_are_counted_and_the_first_is_named(tmp_path: Path) -> None:
    task, records = get_task("rsg/terra"), FLAT["rsg/terra"][1]
    items = read_items(written(tmp_path / "records.jsonl", records), task)
    with pytest.raises(BadSetting, match=r"rsg/terra: 1 of 2 items have no answer, first '4'; .* every row: ask again"):
        sheet_of(task, items, {"5": "entailment"}, remedy="ask again")
    with pytest.raises(BadSetting, match="0 of 0 items"):
        sheet_of(task, [], {})


def test_items_without_the_authors_numbers_are_refused() -> None:
    task = get_task("rsg/terra")
    items = [item for item in samples(task) if item.role == "main"]
    with pytest.raises(BadSetting, match="'terra-main-01' is no number of a leaderboard; make the study from the file"):
        submission([gold_sheet(task, items)])


def test_questions_without_numbers_and_numbers_that_come_twice_are_refused(tmp_path: Path) -> None:
    record = json.loads(json.dumps(MUSERC[0]))
    del record["passage"]["questions"][0]["answers"][1]["idx"]
    with pytest.raises(BadSetting, match="the questions of '7' have no numbers"):
        submission([sheet_from(tmp_path, "rsg/muserc", [record])])
    twice = [RUCOS[0], json.loads(json.dumps(RUCOS[1]))]
    twice[1]["qas"][0]["idx"] = 11
    with pytest.raises(BadSetting, match="rsg/rucos: two items have the number 11"):
        submission([sheet_from(tmp_path, "rsg/rucos", twice)])


def test_a_file_holds_each_task_of_one_benchmark_once(tmp_path: Path) -> None:
    terra = sheet_from(tmp_path, "rsg/terra", FLAT["rsg/terra"][1])
    with pytest.raises(BadSetting, match="two studies are of rsg/terra"):
        submission([terra, terra])
    with pytest.raises(BadSetting, match="use is no task of RussianSuperGLUE"):
        submission([terra, use_sheet(tmp_path)])
    full, binary = (gold_sheet(get_task(name), samples(get_task(name))) for name in ("agrr/full", "agrr/binary"))
    with pytest.raises(BadSetting, match="one table for each of its tasks"):
        submission([full, binary])
