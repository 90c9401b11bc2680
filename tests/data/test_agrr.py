"""AGRR-2019: the real files become items of three tasks, and what is wrong with a line is said."""

from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from data.answers.answer_type import packed, unpacked
from data.bracket_markup import ELEMENTS, from_brackets
from data.catalogue.catalog import get_task, samples
from data.files.item_files import check_items, read_items
from data.files.rows import read_rows
from data.formats import format_named
from data.formats.agrr import sentence_id
from data.task import Item
from eval.metrics.table import METRICS

UNFOLD = format_named("agrr").unfold
TASKS = ("agrr/validate", "agrr/binary", "agrr/resolution", "agrr/full")
LINE = {
    "text": "Я превращу твое сердце в траву, а все, что ты любишь, в овец.",
    "class": "1",
    "cV": "2:10", "cR1": "11:22", "cR2": "23:30", "V": "54:54", "R1": "34:52", "R2": "54:60",
}  # fmt: skip


@cache
def items_of(shared: Path, task: str) -> dict[str, Item]:
    items, problems = check_items(shared / "agrr" / "dev.csv", get_task(task))
    assert problems == []
    return {item.id: item for item in items}


@pytest.mark.parametrize("name", TASKS)
def test_every_line_of_the_real_file_is_an_item_with_gold_and_an_id_of_its_own(shared: Path, name: str) -> None:
    items = items_of(shared, name)
    positive = [item for item in items.values() if item.gold not in ("{}", '{"class":"0"}', "0")]
    splits = get_task("agrr/binary").splits
    assert len(items) == splits["dev"] == 4142
    assert len(positive) == splits["dev (gapping)"] == 1382


def test_a_sentence_has_the_same_id_in_every_task(shared: Path) -> None:
    first, *others = [list(items_of(shared, name)) for name in TASKS]
    assert others == [first] * 3


def test_the_class_and_the_spans_of_the_real_file_say_the_same(shared: Path) -> None:
    binary, full = items_of(shared, "agrr/binary"), items_of(shared, "agrr/full")
    assert all((item.gold == "1") == (full[identity].gold != "{}") for identity, item in binary.items())


def test_gapping_everywhere_has_the_f1_that_follows_from_the_counts(shared: Path) -> None:
    task, items = get_task("agrr/binary"), items_of(shared, "agrr/binary")
    told = [METRICS["f1"].of_answer(task.answer, item.fields, str(item.gold), "1") for item in items.values()]  # type: ignore[misc]
    sums = np.sum(told, axis=0)
    assert METRICS["recall"].sums(sums) == 1
    assert METRICS["precision"].sums(sums) == pytest.approx(1382 / 4142, abs=1e-12)
    assert METRICS["f1"].sums(sums) == pytest.approx(2 * 1382 / (4142 + 1382), abs=1e-12)
    assert METRICS[task.published[0]].sums(sums) == pytest.approx(2 * 1382 / (4142 + 1382), abs=1e-6)


def test_the_gold_of_the_real_file_has_its_offsets_and_no_others(shared: Path) -> None:
    full, resolution = items_of(shared, "agrr/full"), items_of(shared, "agrr/resolution")
    spans: Counter[str] = Counter()
    for identity, item in full.items():
        marks = unpacked(item.gold or "")
        spans.update({name: len(found) for name, found in marks.items()})
        both = {name: marks[name] for name in ("cV", "V") if name in marks}
        assert unpacked(resolution[identity].gold or "") == both
        assert all(begin == end for begin, end in marks.get("V", []))
    assert spans == {"cV": 1382, "cR1": 1382, "cR2": 1355, "V": 1500, "R1": 1500, "R2": 1473}


def test_what_is_drawn_for_assessors_has_the_gold_in_brackets(shared: Path) -> None:
    drawn, full = items_of(shared, "agrr/validate"), items_of(shared, "agrr/full")
    for identity, item in drawn.items():
        text, marks = from_brackets(item.fields["marked"])
        assert text == full[identity].fields["sentence"]
        assert packed(marks) == full[identity].gold


def test_quotes_in_the_real_file_bind_nothing(shared: Path) -> None:
    quoted = [item for item in items_of(shared, "agrr/full").values() if '"' in item.fields["sentence"]]
    assert len(quoted) > 100


def test_the_real_file_with_brackets_gives_the_same_sentences_and_gold(shared: Path) -> None:
    full = list(items_of(shared, "agrr/full").values())
    lines, _ = read_rows(shared / "agrr" / "dev_brackets.txt", quoted=False)
    rows = [row for line in lines for row in UNFOLD(line.values)]
    assert [row["sentence"] for row in rows] == [item.fields["sentence"].replace("\xa0", " ") for item in full]
    assert [packed(row["full"]) for row in rows] == [item.gold for item in full]


def test_a_line_of_the_table_becomes_a_row_for_every_task() -> None:
    (row,) = UNFOLD(LINE)
    assert row["sentence"] == LINE["text"]
    assert row["marked"].startswith("Я cV[превращу cV] cR1[твое сердце cR1]")
    assert (row["class"], row["assessment"]) == ("1", {"class": "1"})
    assert row["resolution"] == {"cV": [(2, 10)], "V": [(54, 54)]}
    assert list(row["full"]) == list(ELEMENTS)
    assert row["id"] == sentence_id(LINE["text"])
    assert {name: row[name] for name in LINE} == LINE


def test_no_gapping_is_gold_and_an_empty_class_is_none() -> None:
    (none,) = UNFOLD({"text": "Дождь кончился.", "class": "0"})
    (unknown,) = UNFOLD({"text": "Дождь кончился.", "class": ""})
    (somewhere,) = UNFOLD({"text": "Дождь кончился.", "class": "1"})
    assert (none["full"], none["resolution"], none["assessment"]) == ({}, {}, {"class": "0"})
    assert not {"full", "resolution", "assessment"} & set(unknown)
    assert "full" not in somewhere


def test_a_span_past_the_end_of_its_text_ends_with_it() -> None:
    (row,) = UNFOLD({**LINE, "R2": "54:70"})
    assert row["full"]["R2"] == [(54, len(LINE["text"]))]


def test_our_own_rows_are_brackets_or_rows_already() -> None:
    (marked,) = UNFOLD({"id": "a", "marked": "Мама cV[читала cV] журнал, папа — V[] газету."})
    assert (marked["id"], marked["sentence"]) == ("a", "Мама читала журнал, папа — газету.")
    assert marked["resolution"] == {"cV": [(5, 11)], "V": [(27, 27)]}
    (judged,) = UNFOLD({"id": "b", "marked": "Мама cV[читала cV].", "assessment": {"class": "2"}})
    assert set(judged) == {"id", "sentence", "marked", "assessment"}
    row = {"id": "c", "sentence": "Мама читала.", "full": {}}
    assert list(UNFOLD(row)) == [row]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"class": "2"}, "its class is '2'; it is 0"),
        ({"class": "0"}, "its class is '0', and spans are marked"),
        ({"cV": "2-10"}, "cV has '2-10'; offsets inside the text are needed"),
        ({"cV": "10:2"}, "cV has '10:2'; offsets inside the text are needed"),
        ({"cV": "99:120"}, "cV has '99:120'; offsets inside the text are needed"),
        ({"cV": "²:³"}, "cV has '²:³'; offsets inside the text are needed"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(change: dict[str, str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        list(UNFOLD({**LINE, **change}))


def test_a_record_that_is_nothing_of_this_kind_is_refused_with_what_is_needed() -> None:
    with pytest.raises(ValueError, match="a line has text, class and cV, cR1, cR2, V, R1, R2, or class and mark_up"):
        list(UNFOLD({"question": "?"}))


def test_a_line_with_too_few_cells_in_brackets_is_told_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "brackets.txt"
    path.write_text("class\tmark_up\n0\tДождь.\n1\n", "utf8")
    _, (problem,) = read_rows(path, quoted=False)
    assert str(problem).startswith("brackets.txt, line 3: has 1 cells where the header has 2")


def test_a_file_whose_offsets_are_wrong_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "dev.csv"
    lines = ["\t".join(LINE), "\t".join(LINE.values()), "\t".join({**LINE, "cV": "x"}.values())]
    path.write_text("\r\n".join(lines) + "\r\n", "utf8")
    items, problems = check_items(path, get_task("agrr/full"))
    assert len(items) == 1
    assert [str(problem) for problem in problems] == [
        "dev.csv, line 3: cV has 'x'; offsets inside the text are needed, such as 2:10"
    ]


def test_a_file_for_a_closed_test_set_is_read_without_gold(tmp_path: Path) -> None:
    path = tmp_path / "test.csv"
    path.write_text("\t".join(LINE) + "\n" + LINE["text"] + "\t" * 7 + "\n", "utf8")
    (item,) = read_items(path, get_task("agrr/full"))
    assert (item.gold, item.fields["sentence"]) == (None, LINE["text"])


def test_no_sample_repeats_a_sentence_of_the_real_file(shared: Path) -> None:
    real = {item.fields["sentence"] for item in items_of(shared, "agrr/full").values()}
    ours = {from_brackets(text)[0] for name in TASKS for text in sentences(name)}
    assert len(ours) > 60
    assert not ours & real


def sentences(task: str) -> list[str]:
    return [item.fields.get("marked") or item.fields["sentence"] for item in samples(get_task(task))]


def test_every_mark_of_the_full_samples_stands_as_in_the_real_file() -> None:
    for item in samples(get_task("agrr/full")):
        marks = unpacked(item.gold or "")
        after = marks.get("R2") or marks.get("R1", [])
        assert [begin for begin, _ in marks.get("V", [])] == [begin for begin, _ in after]
        assert len(marks.get("cV", [])) == (1 if marks else 0)
        for begin, end in marks.get("cV", []):
            assert item.fields["sentence"][begin:end].isalpha()


def test_no_sentence_of_ours_stands_in_two_tasks() -> None:
    told = [from_brackets(text)[0] for name in TASKS for text in sentences(name)]
    assert len(told) == len(set(told))
