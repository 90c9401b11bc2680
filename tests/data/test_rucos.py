"""RuCoS: the authors' files with their two readings of an end, and the two official measures by hand."""

import json
from pathlib import Path
from random import Random

import pytest

from data.answers.answer_type import packed, unpacked
from data.catalogue.catalog import get_task, samples
from data.field_text import as_text
from data.files.item_files import check_items, read_items
from eval.metrics.entities import published_entity
from eval.metrics.table import METRICS

RUCOS = get_task("rsg/rucos")
TEXT = (
    "В Туле открыли музей. Его директор Анна Белова рада.\n@highlight\nБелова ждёт гостей\n@highlight\nВход свободный"
)
NAMES = ["Туле", "Анна Белова", "Белова"]


def places(names: list[str], *, inclusive: bool) -> list[dict[str, int]]:
    begins = [TEXT.index("Туле"), TEXT.index("Анна Белова"), TEXT.rindex("Белова")]
    return [{"start": b, "end": b + len(n) - inclusive} for b, n in zip(begins, names, strict=True)]


def record(*, inclusive: bool, answered: bool = True) -> dict[str, object]:
    entities = places(NAMES, inclusive=inclusive)
    asked: dict[str, object] = {"query": "На открытии @placeholder перерезала ленту.", "idx": 40}
    if answered:
        asked["answers"] = [{**place, "text": name} for place, name in zip(entities[1:], NAMES[1:], strict=True)]
    return {"idx": 3, "passage": {"text": TEXT, "entities": entities}, "qas": [asked]}


def written(folder: Path, *records: object) -> Path:
    path = folder / "val.jsonl"
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), "utf8")
    return path


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize("inclusive", [True, False])
def test_the_ends_of_entities_are_read_as_the_record_means_them(
    tmp_path: Path, inclusive: bool, answered: bool
) -> None:
    (item,) = read_items(written(tmp_path, record(inclusive=inclusive, answered=answered)), RUCOS)
    assert item.id == "3-40"
    assert unpacked(item.fields["entities"]) == NAMES
    assert item.gold == ('["1","2"]' if answered else None)


def test_highlight_lines_are_left_out_and_the_places_move_with_them(tmp_path: Path) -> None:
    (item,) = read_items(written(tmp_path, record(inclusive=False)), RUCOS)
    passage = item.fields["passage"]
    assert passage.split("\n")[1:] == ["Белова ждёт гостей", "Вход свободный"]
    assert [passage[begin:end] for begin, end in unpacked(item.fields["marks"])] == NAMES
    assert item.fields["query"] == "На открытии _____ перерезала ленту."


def test_a_passage_with_several_queries_is_several_items_with_one_cluster(tmp_path: Path) -> None:
    one = record(inclusive=False)
    asked = one["qas"]
    assert isinstance(asked, list)
    asked.append({**asked[0], "idx": 41, "query": "@placeholder улыбалась."})
    items = read_items(written(tmp_path, one), RUCOS)
    assert [item.id for item in items] == ["3-40", "3-41"]
    assert len({item.fields[RUCOS.cluster] for item in items}) == 1


def test_a_record_that_is_no_passage_is_a_problem_with_its_line(tmp_path: Path) -> None:
    _, problems = check_items(written(tmp_path, record(inclusive=False), {"idx": 1}, {"idx": 2, "passage": {}}), RUCOS)
    assert [problem.line for problem in problems] == [2, 3]


def credit(name: str, options: list[str], golds: list[str], picks: list[str] | None) -> float:
    fields = {"entities": packed(options)}
    metric = METRICS[name].of_answer
    assert metric is not None
    given = None if picks is None else RUCOS.answer.validate([str(options.index(one)) for one in picks], fields)
    value, one = metric(RUCOS.answer, fields, RUCOS.answer.gold(golds, fields), given)
    assert one == 1
    return value


OPTIONS = ["Анна Белова", "Белова", "Пётр Белов", "«Заря»", "Заря"]


@pytest.mark.parametrize(
    ("golds", "picks", "f1", "em"),
    [
        (["Анна Белова"], ["Анна Белова"], 1, 1),
        # One word of one given, one of two in the gold: precision 1, recall 1/2, F1 2/3.
        (["Анна Белова"], ["Белова"], 2 / 3, 0),
        (["Анна Белова", "Белова"], ["Белова"], 1, 1),
        (["Анна Белова", "Белова"], ["Анна Белова", "Белова"], 1, 1),
        (["Анна Белова", "Белова"], ["Белова", "Пётр Белов"], 1 / 2, 0),
        (["Анна Белова"], ["Пётр Белов"], 0, 0),
        # Guillemets are no string.punctuation, so the published scripts give 0 here.
        (["«Заря»"], ["Заря"], 1, 1),
        (["Анна Белова"], None, 0, 0),
    ],
)
def test_the_measures_by_hand(golds: list[str], picks: list[str] | None, f1: float, em: float) -> None:
    assert credit("entity_f1", OPTIONS, golds, picks) == pytest.approx(f1)
    assert credit("entity_em", OPTIONS, golds, picks) == em


@pytest.mark.parametrize(
    ("golds", "given", "em", "f1"),
    [
        (["Анна Белова"], "анна белова.", True, 1),
        (["Анна Белова"], "Белова", False, 2 / 3),
        (["«Заря»"], "Заря", False, 0),
        (["Орёл"], "Орел", False, 0),
        (["Анна Белова", "Белова"], "Белова", True, 1),
        ([], "Белова", False, 0),
    ],
)
def test_the_published_script_has_its_traps(golds: list[str], given: str, em: bool, f1: float) -> None:
    exact, near = published_entity(golds=golds, given=given)
    assert exact == em
    assert near == pytest.approx(f1)


def test_any_name_of_the_right_entity_is_right_and_another_entity_beside_it_is_not() -> None:
    item = next(item for item in samples(RUCOS) if len(unpacked(item.gold or "")) == 2)
    first, second = unpacked(item.gold or "")
    other = next(option.label for option in RUCOS.answer.options(item.fields) if option.label not in (first, second))
    assert RUCOS.answer.right(packed([first]), item.gold or "", item.fields)
    assert RUCOS.answer.right(item.gold or "", item.gold or "", item.fields)
    assert not RUCOS.answer.right(RUCOS.answer.validate([first, other], item.fields), item.gold or "", item.fields)


def test_chance_picks_one_entity() -> None:
    item = samples(RUCOS)[0]
    drawn = {RUCOS.answer.draw(item.fields, Random(seed)) for seed in range(60)}
    assert drawn == {packed([option.label]) for option in RUCOS.answer.options(item.fields)}


def test_the_samples_mark_exactly_the_entities_that_may_be_chosen() -> None:
    for item in samples(RUCOS):
        text, marks = item.fields["passage"], unpacked(item.fields["marks"])
        assert list(dict.fromkeys(text[b:e] for b, e in marks)) == unpacked(item.fields["entities"])
        assert item.fields["query"].count("_____") == 1
    passage = next(field for field in RUCOS.fields if field.name == "passage")
    assert as_text(passage, samples(RUCOS)[0].fields).count("⟦") > 3
