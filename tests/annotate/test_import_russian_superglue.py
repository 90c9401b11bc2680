"""The logs of RussianSuperGLUE's crowd and MERA's pool, imported with the tasks of the catalogue."""

import json
from collections import Counter
from pathlib import Path

import pytest

from annotate.imports.log_items import Labels, gather
from annotate.imports.log_reading import read_log
from data.answers.answer_type import unpacked
from data.catalogue.catalog import get_task
from data.errors import BadFile
from data.task import Item
from db.engine import Database
from tests.helpers.importing import answer, imported, write_table

RCB, RWSD = get_task("rsg/rcb"), get_task("rsg/rwsd")
FIRST, SECOND = "Никто не спал.", "Никто не спал днём."


def marked(item: Item) -> list[str]:
    return [item.fields["text"][begin:end] for begin, end in unpacked(item.fields["marks"])]


def written(folder: Path, record: object) -> Path:
    path = folder / "gold.jsonl"
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", "utf8")
    return path


def log(shared: Path, name: str) -> Path:
    return shared / "toloka_logs" / name / f"assign_{name}.tsv"


def stats(shared: Path, name: str) -> dict[str, object]:
    known = json.loads((shared / "toloka_logs/reference.json").read_text("utf8"))["tasks"][name]["stats"]
    return {one: known[one] for one in ("items", "judgments", "workers", "labels")}


@pytest.mark.parametrize("name", ["LiDiRus", "RWSD"])
def test_the_log_of_the_crowd_is_read_with_the_task_of_the_catalogue(shared: Path, name: str) -> None:
    task = get_task(f"rsg/{name.lower()}")
    labels, found = Labels({}, task), read_log([log(shared, name)], task=task)
    items, answers = gather(found.rows, labels)
    assert stats(shared, name) == {
        "items": len(items),
        "judgments": len(answers),
        "workers": len({one.row.worker for one in answers}),
        "labels": dict(sorted(labels.label_counts.items())),
    }
    assert (found.unused, found.dropped, dict(labels.unknown)) == ([], [], {})


def test_the_rwsd_log_becomes_a_study_whose_spans_are_marked_where_they_can_be(sqlite: Database, shared: Path) -> None:
    done = imported(sqlite, log(shared, "RWSD"), task="rsg/rwsd")
    assert done.study.task == RWSD
    assert not any("<b>" in item.fields["text"] for item in done.items)
    # Three pairs of names stand in the text in another case; a name that stands there twice is marked twice.
    assert Counter(len(marked(item)) for item in done.items) == {2: 146, 3: 5, 1: 3}
    unmarked = {item.fields["span1_text"] for item in done.items if item.fields["unmarked"]}
    assert unmarked == {"Сталин и Каменев", "Каменев и Зиновьев", "Каменев, Зиновьев и Сталин"}
    mayor = next(item for item in done.items if item.fields["span1_text"] == "мэр Джексона")
    assert marked(mayor) == ["мэр Джексона", "он"]


def test_the_pool_of_rcb_is_read_with_meras_numbers(shared: Path) -> None:
    labels = Labels({}, RCB)
    found = read_log(list((shared / "toloka_pools/RCB").glob("assignments*.tsv")), task=RCB)
    items, _ = gather(found.rows, labels)
    assert Counter(role for role, _ in items) == {"main": 438, "control": 30}
    assert set(labels.label_counts) == {"entailment", "contradiction", "neutral"}
    assert {item.gold for item in items.values() if item.role == "control"} == set(labels.label_counts)


def test_gold_as_the_authors_write_it_joins_the_rwsd_log(sqlite: Database, tmp_path: Path) -> None:
    text = "Оля позвонила сестре, Оля ждала, пока <b>она</b> ушла."
    rows = [answer(text, said, f"w{n}", golden="") | {"INPUT:span1": "Оля"} for n, said in enumerate(["true", "false"])]
    target = {"span1_text": "Оля", "span1_index": 0, "span2_text": "она", "span2_index": 6}
    plain = text.replace("<b>", "").replace("</b>", "")
    gold = written(tmp_path, {"idx": 3, "target": target, "label": False, "text": plain})
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows), task="rsg/rwsd", gold=gold)
    assert [item.gold for item in done.items] == ["false"]
    assert done.said["gold"]["matched"] == 1


def test_gold_with_tags_joins_a_log_without_them(sqlite: Database, tmp_path: Path) -> None:
    row = {"INPUT:sent1": FIRST, "INPUT:sent2": SECOND, "ASSIGNMENT:worker_id": "w"}
    rows = [row | {"OUTPUT:result": "not_entailment"}, row | {"OUTPUT:result": "entailment", "INPUT:sent2": " "}]
    gold = {"sentence1": FIRST, "sentence2": SECOND, "logic": "Negation", "knowledge": "", "label": "entailment"}
    log_file = write_table(tmp_path / "log.tsv", rows)
    done = imported(sqlite, log_file, task="rsg/lidirus", gold=written(tmp_path, gold))
    assert [item.gold for item in done.items] == ["entailment"]
    assert done.said["rows"]["dropped"] == {"an empty field": 1}


def test_a_row_of_a_log_that_its_task_cannot_read_is_named_with_its_line(sqlite: Database, tmp_path: Path) -> None:
    rows = [answer("Ничего не выделено.", "true", "w") | {"INPUT:span1": "Оля"}]
    with pytest.raises(BadFile, match=r"log.tsv, line 2: has no word in <b></b> in its text"):
        imported(sqlite, write_table(tmp_path / "log.tsv", rows), task="rsg/rwsd")
