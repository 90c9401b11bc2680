"""The symbol-wise F of AGRR-2019 against a slow copy of its definition, on made-up and on real pairs of files."""

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.answers.answer_type import packed
from data.answers.choice import Choice
from data.bracket_markup import ELEMENTS
from data.catalogue.catalog import get_task
from data.errors import BadSetting
from data.wording import same
from eval.metrics.symbol_f import cell_f, symbol_f, symbol_f_by_element
from eval.metrics.table import metric_named

FULL, RESOLUTION = get_task("agrr/full").answer, get_task("agrr/resolution").answer
TEXT = "абвгд" * 8
FIELDS = {"sentence": TEXT, "genre": ""}
PERTURBED = 1000
Row = Mapping[str, str]
Spans = list[tuple[int, int]]


def published(gold: Sequence[Row], told: Sequence[Row], columns: Sequence[str]) -> float:
    """The published definition on two tables: `class` is "0", "1" or "", every other cell holds "b:e b:e ...".

    A cell counts unless both classes are 0. It is worth 0 unless both are 1. Else: the characters of the spans, a span
    "b:b" being the character b; precision and recall with 1e-7 added above and below; F with 1e-7 added below.
    """
    values = []
    for column in columns:
        for right, given_row in zip(gold, told, strict=True):
            if right["class"] == given_row["class"] == "0":
                continue
            if not right["class"] == given_row["class"] == "1":
                values.append(0.0)
                continue
            one, two = letters_of(right[column]), letters_of(given_row[column])
            true, extra, lacking = len(one & two), len(two - one), len(one - two)
            precision = (true + 1e-7) / (true + extra + 1e-7)
            recall = (true + 1e-7) / (true + lacking + 1e-7)
            values.append(2 * precision * recall / (precision + recall + 1e-7))
    return math.fsum(values) / len(values) if values else math.nan


def letters_of(cell: str) -> set[int]:
    found: set[int] = set()
    for pair in cell.split():
        begin, end = map(int, pair.split(":"))
        found.update([begin] if begin == end else range(begin, end))
    return found


def answer_of(row: Row, columns: Sequence[str]) -> str | None:
    """Return our canonical answer for a line of a table, None where its class is empty."""
    if row["class"] == "":
        return None
    marked = {name: [[int(end) for end in pair.split(":")] for pair in row[name].split()] for name in columns}
    return packed({name: spans for name, spans in marked.items() if spans})


def ours(gold: Sequence[Row], told: Sequence[Row], columns: Sequence[str], metric: str = "symbol_f") -> float:
    asked = FULL if tuple(columns) == ELEMENTS else RESOLUTION
    row = metric_named(metric)
    assert row.of_answer is not None
    sums = [
        row.of_answer(asked, FIELDS, answer_of(one, columns) or "", answer_of(two, columns))
        for one, two in zip(gold, told, strict=True)
    ]
    return float(row.sums(np.array(sums).sum(axis=0)))


def made_up(random: Random, classes: str) -> Row:
    """Return a line with one to three spans of every element but cR2 and R2, which may have none; V has no length."""
    label = random.choice(classes)
    row = dict.fromkeys(ELEMENTS, "")
    if label == "1":
        for name in ELEMENTS:
            places = [sorted(random.sample(range(30), 2)) for _ in range(random.randint("2" not in name, 3))]
            row[name] = " ".join(f"{begin}:{begin if name == 'V' else end}" for begin, end in places)
    return {"class": label, **row}


@pytest.mark.parametrize("columns", [ELEMENTS, ("cV", "V")], ids=["full", "resolution"])
def test_a_thousand_files_and_what_became_of_them_have_the_published_value(columns: Sequence[str]) -> None:
    random = Random(1)
    for _ in range(PERTURBED // 2):
        size = random.randint(1, 8)
        gold = [made_up(random, "0111") for _ in range(size)]
        told = [random.choice([row, spoilt(row, random), made_up(random, "011"), {**row, "class": ""}]) for row in gold]
        assert ours(gold, told, columns) == pytest.approx(published(gold, told, columns), abs=1e-9, nan_ok=True)


@pytest.fixture(scope="module")
def dev(shared: Path) -> list[Row]:
    with (shared / "agrr" / "dev.csv").open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("columns", [ELEMENTS, ("cV", "V")], ids=["full", "resolution"])
def test_the_real_file_against_itself_spoilt_has_the_published_value(dev: list[Row], columns: Sequence[str]) -> None:
    random = Random(2)
    told = [spoilt(row, random) for row in dev]
    assert 0.3 < published(dev, told, columns) < 0.9
    assert ours(dev, told, columns) == pytest.approx(published(dev, told, columns), abs=1e-9)


@pytest.mark.parametrize("task_id", ["agrr/full", "agrr/resolution"])
def test_each_element_alone_has_the_published_value_of_its_column(dev: list[Row], task_id: str) -> None:
    random, task = Random(3), get_task(task_id)
    columns = ELEMENTS if task_id == "agrr/full" else ("cV", "V")
    gold = dev[:400]
    told = [spoilt(row, random) for row in gold]
    for name in columns:
        metric = f"symbol_f_{name.lower()}"
        assert metric in task.metrics
        assert ours(gold, told, columns, metric) == pytest.approx(published(gold, told, (name,)), abs=1e-9)


def spoilt(row: Row, random: Random) -> Row:
    """Return a line with some spans moved or left out, or with the other class; spans of one element stay apart."""
    if random.random() < 0.1:
        return {**row, "class": "0", **dict.fromkeys(ELEMENTS, "")}
    if row["class"] == "0" and random.random() < 0.1:
        return {**row, "class": "1", **{name: "0:0" if name == "V" else "0:1" for name in ELEMENTS}}
    moved = {}
    for name in ELEMENTS:
        pairs = [
            tuple(map(int, pair.split(":"))) for pair in row[name].split() if name == "cV" or random.random() > 0.1
        ]
        moves = [(begin + (step := random.randint(0, 2)), max(end, begin) + step) for begin, end in pairs]
        moved[name] = " ".join(f"{begin}:{end}" for begin, end in moves)
    return {**row, **moved}


def test_gold_against_gold_is_five_hundred_millionths_below_one(dev: list[Row]) -> None:
    assert ours(dev, dev, ELEMENTS) == pytest.approx(0.99999995, abs=1e-11)


def test_a_gap_one_character_off_halves_the_resolution_and_a_tolerance_gives_it_back(dev: list[Row]) -> None:
    told = [{**row, "V": " ".join(f"{place}:{place}" for place in moved(row["V"]))} for row in dev]
    assert ours(dev, told, ("cV", "V")) == pytest.approx(0.5, abs=1e-4)
    assert ours(dev, told, ("cV", "V"), "symbol_f_near") == pytest.approx(0.99999995, abs=1e-11)


def moved(cell: str) -> list[int]:
    return [int(pair.split(":")[0]) + 1 for pair in cell.split()]


def test_leaving_an_element_out_costs_a_sixth_where_the_gold_has_it(dev: list[Row]) -> None:
    positive = [row for row in dev if row["class"] == "1"]
    without = sum(not row["R2"] for row in positive)
    told = [{**row, "R2": ""} for row in dev]
    assert without == 27
    assert ours(dev, told, ELEMENTS) == pytest.approx((5 + without / len(positive)) / 6, abs=1e-6)


def test_the_example_of_the_paper() -> None:
    assert cell_f([(10, 15)], [(8, 14)]) == pytest.approx(0.727, abs=5e-4)
    assert cell_f([(10, 15)], [(8, 14)]) == pytest.approx(2 * (4 / 6) * (4 / 5) / (4 / 6 + 4 / 5), abs=1e-6)


def test_edge_cases_are_those_measured_with_the_script() -> None:
    assert cell_f([], []) == pytest.approx(1, abs=1e-7)
    assert cell_f([(5, 5)], [(5, 6)]) == pytest.approx(1, abs=1e-7)
    assert cell_f([(5, 5)], [(4, 5)]) == pytest.approx(0, abs=1e-6)
    assert cell_f([(5, 7)], []) == pytest.approx(0, abs=1e-6)
    assert cell_f([(0, 2), (5, 7)], [(5, 7), (0, 2)]) == pytest.approx(1, abs=1e-7)


def test_no_gapping_is_an_answer_and_no_answer_is_another_thing() -> None:
    marked, nothing = packed({"cV": [[0, 2]], "V": [[5, 5]]}), "{}"
    assert symbol_f(RESOLUTION, FIELDS, nothing, nothing) == (0, 0)
    assert symbol_f(RESOLUTION, FIELDS, nothing, None) == (0, 2)
    assert symbol_f(RESOLUTION, FIELDS, marked, None) == (0, 2)
    assert symbol_f(RESOLUTION, FIELDS, marked, nothing) == (0, 2)
    assert symbol_f(FULL, FIELDS, nothing, marked) == (0, 6)
    assert symbol_f(RESOLUTION, FIELDS, marked, marked) == pytest.approx((2, 2), abs=2e-7)


def test_each_element_has_its_value() -> None:
    gold, told = packed({"cV": [[0, 4]], "V": [[9, 9]]}), packed({"cV": [[2, 4]], "V": [[8, 8]]})
    exact = symbol_f_by_element(RESOLUTION, gold, told)
    assert exact == {"cV": pytest.approx(2 / 3, abs=1e-6), "V": pytest.approx(0, abs=1e-6)}
    near = symbol_f_by_element(RESOLUTION, gold, told, tolerance=1)
    assert near == {"cV": pytest.approx(2 / 3, abs=1e-6), "V": pytest.approx(1, abs=1e-7)}
    assert symbol_f_by_element(RESOLUTION, "{}", "{}") == {"cV": None, "V": None}


def test_a_tolerance_moves_a_place_to_the_nearest_gold_one_and_no_further() -> None:
    assert cell_f([(4, 4), (9, 9)], [(5, 5), (8, 8)], tolerance=1) == pytest.approx(1, abs=1e-7)
    assert cell_f([(4, 4)], [(6, 6)], tolerance=1) == pytest.approx(0, abs=1e-6)
    assert cell_f([(4, 4)], [(4, 4), (5, 5)], tolerance=1) == pytest.approx(1, abs=1e-7)


def test_where_no_cell_counts_there_is_no_number() -> None:
    assert math.isnan(metric_named("symbol_f").sums(np.zeros(2)))
    assert metric_named("symbol_f").sums(np.array([[1.0, 2.0], [0.0, 0.0]])).tolist()[0] == 0.5


def test_answers_that_mark_nothing_are_refused() -> None:
    with pytest.raises(BadSetting, match="mark spans"):
        symbol_f(Choice(choices={"0": same("a"), "1": same("b")}), {}, "0", "1")


SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 6)).map(lambda one: (one[0], sum(one))), max_size=4)


@settings(max_examples=200)
@given(SPANS, SPANS)
def test_a_cell_is_worth_between_nothing_and_one_the_same_both_ways(one: Spans, two: Spans) -> None:
    assert 0 <= cell_f(one, two) <= 1
    assert cell_f(one, two) == pytest.approx(cell_f(two, one), abs=1e-12)


@settings(max_examples=200)
@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_a_tolerance_never_costs_anything(one: set[int], two: set[int]) -> None:
    gold, told = [(place, place) for place in one], [(place, place) for place in two]
    assert cell_f(gold, told) <= cell_f(gold, told, tolerance=1) + 1e-12
