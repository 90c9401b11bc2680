"""What a log is: said by options, or by what its columns are called, in published logs and in small ones."""

import json
import re
from pathlib import Path

import pytest

from annotate.imports.log_reading import read_log
from baseline.human.baseline import changed_rules, human_baseline
from data.catalogue.task_files import task_text
from data.errors import BadFile, BadSetting
from data.files.column_names import OF_ANSWERS
from db.engine import Database, reading
from db.exports import ExportRequest, item_rows
from db.items import list_items
from db.studies import list_studies
from tests.helpers.importing import answer, imported, write_table


def log_of(folder: Path, *rows: dict[str, str]) -> Path:
    return write_table(folder / "log.csv", rows, delimiter=",")


def test_usual_names_of_columns_need_no_option(tmp_path: Path) -> None:
    names = [(worker, "answer") for worker in OF_ANSWERS["worker"]] + [
        ("worker", said) for said in OF_ANSWERS["answer"]
    ]
    for worker, said in names:
        columns = {"text": "a", worker.upper(): "w1", said.replace("_", " "): "yes"}
        log = read_log([log_of(tmp_path, columns)])
        assert [(row.fields, row.worker, row.answer) for row in log.rows] == [({"text": "a"}, "w1", "yes")]


def test_columns_that_say_one_thing_of_an_item_are_its_fields(sqlite: Database, tmp_path: Path) -> None:
    item = {"id": "7", "text": "a", "gold": "yes"}
    rows = [item | {"annotator": f"w{n}", "answer": said, "note": str(n)} for n, said in enumerate(["yes", "no"])]
    log = log_of(tmp_path, *rows, rows[0] | {"id": "8", "text": "", "gold": "no", "note": ""})
    done = imported(sqlite, log, gold_column="gold")
    assert [(one.id, one.fields["text"], one.gold) for one in done.items] == [("7", "a", "yes"), ("8", "", "no")]
    assert done.said["recognised"] == {"worker": "annotator", "answer": "answer", "item": "id"}
    assert (done.said["unused_columns"], done.said["rows"]["dropped"]) == (["note"], {})
    assert [field.optional for field in done.study.task.fields] == [True]


GIVEN = [("a", "w1", "yes"), ("a", "w2", "no"), ("b", "w1", "no"), ("b", "w2", "no")]


@pytest.mark.parametrize(
    ("name", "shown"), [("gold", False), ("Expected", False), ("правильный ответ", False), ("target_group", True)]
)
def test_no_column_of_a_plain_log_is_gold_unless_it_is_named(
    sqlite: Database, tmp_path: Path, name: str, *, shown: bool
) -> None:
    rows = [
        {"id": item, "text": item, name: "yes" if item == "a" else "no", "worker": worker, "answer": said}
        for item, worker, said in GIVEN
    ]
    left, said = (
        imported(sqlite, log_of(tmp_path, *rows), name=f"s{n}", **option)
        for n, option in enumerate(({}, {"gold_column": name}))
    )
    assert [item.gold for item in left.items] == [None, None]
    assert (left.said["fields"], left.said["unused_columns"]) == (["text"] + [name] * shown, [name] * (not shown))
    assert "right answer" not in str(left.report), "it warns of nothing"
    assert ([item.gold for item in said.items], said.said["fields"]) == (["yes", "no"], ["text"])


def test_the_column_that_the_task_declares_is_its_gold(sqlite: Database, tmp_path: Path) -> None:
    pair = {"premise": "p", "hypothesis": "h", "label": "not_entailment"}
    rows = [pair | {"user": worker, "result": "entailment"} for worker in ("w1", "w2")]
    done = imported(sqlite, log_of(tmp_path, *rows), task="rsg/terra", answer="result")
    assert [item.gold for item in done.items] == ["not_entailment"]


def test_whether_each_answer_was_right_is_no_gold(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "t", "correct": said, "worker": f"w{said}", "answer": said} for said in "01"]
    done = imported(sqlite, log_of(tmp_path, *rows))
    assert ([item.gold for item in done.items], done.said["unused_columns"]) == ([None], ["correct"])


def test_the_id_of_a_row_is_no_item(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"id": str(n), "text": "a", "rater": f"w{n}", "vote": said} for n, said in enumerate(["yes", "no"])]
    done = imported(sqlite, log_of(tmp_path, *rows))
    assert [dict(item.fields) for item in done.items] == [{"text": "a"}]
    assert done.said["unused_columns"] == ["id"]


def test_a_task_has_the_first_call_on_its_own_columns(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"premise": "p", "hypothesis": "h", "user": "w1", "result": "entailment", "label": "not_entailment"}]
    done = imported(sqlite, log_of(tmp_path, *rows), task="rsg/terra", answer="result", gold_column="label")
    assert [dict(one.fields) for one in done.items] == [{"premise": "p", "hypothesis": "h"}]
    assert [one.gold for one in done.items] == ["not_entailment"]
    assert list(done.judgments["label"]) == ["entailment"]


@pytest.mark.parametrize("name", ["annotator", "worker_", "Rater ", "ann", "w", "A"])
def test_a_column_for_each_annotator_is_a_row_for_each_answer(sqlite: Database, tmp_path: Path, name: str) -> None:
    row = {"text": "a", f"{name}1": "yes", f"{name}2": "no", f"{name}3": ""}
    done = imported(sqlite, log_of(tmp_path, row, row | {"text": "b", f"{name}3": "yes"}))
    assert [list(done.judgments[field]) for field in ("worker", "label")] == [
        [f"{name}{number}" for number in (1, 2, 1, 2, 3)],
        ["yes", "no", "yes", "no", "yes"],
    ]


def test_a_column_for_each_item_is_a_row_for_each_answer(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"userid": "m1", "q_0": "1", "q_1": "0"}, {"userid": "m2", "q_0": "", "q_1": "1"}]
    done = imported(sqlite, log_of(tmp_path, *rows))
    assert [list(done.judgments[name]) for name in ("worker", "item", "label")] == [
        ["m1", "m1", "m2"],
        ["q_0", "q_1", "q_1"],
        ["1", "0", "1"],
    ]


def test_what_is_made_for_a_log_is_read_in_the_language_of_the_log(sqlite: Database, tmp_path: Path) -> None:
    for name, text, language in (("en", "A word", "en"), ("ru", "Слово or two", "ru"), ("none", "12", "ru")):
        rows = [{"text": text, "worker": f"w{n}", "answer": label} for n, label in enumerate("12")]
        done = imported(sqlite, log_of(tmp_path, *rows), name=name)
        assert done.study.settings.language == language
        assert done.said["language"] == (None if name == "none" else language)
    named = imported(sqlite, log_of(tmp_path, *rows), name="named", language="en")
    assert named.study.settings.language == "en"


def test_json_of_annotators_with_their_items_is_a_log(sqlite: Database, tmp_path: Path) -> None:
    path = tmp_path / "people.json"
    path.write_text(json.dumps({"ann": {"t1": 3, "t2": None}, "bob": {"t2": 5, "t1": 1}}))
    done = imported(sqlite, path, scale="ordinal")
    assert [list(done.judgments[name]) for name in ("worker", "item", "label")] == [
        ["ann", "bob", "bob"],
        ["t1", "t2", "t1"],
        ["3", "5", "1"],
    ]
    assert done.study.task.answer.labels() == ("1", "2", "3", "4", "5")


@pytest.mark.parametrize(
    ("given", "order", "labels"),
    [(("10", "2", "-1.5"), "", ("-1.5", "2", "10")), (("good", "bad"), "bad,fair,good", ("bad", "fair", "good"))],
)
def test_labels_of_any_kind_stand_in_order(
    sqlite: Database, tmp_path: Path, given: tuple[str, ...], order: str, labels: tuple[str, ...]
) -> None:
    rows = [{"text": text, "rater": f"w{n}", "vote": said} for text in "ab" for n, said in enumerate(given)]
    done = imported(sqlite, log_of(tmp_path, *rows), scale="ordinal", order=order)
    answer_type = done.study.task.answer
    assert (answer_type.labels(), answer_type.level) == (labels, "ordinal")
    assert answer_type.words(labels[-1], {}).within("en") == labels[-1], "nothing is made up beside a label"
    (tmp_path / "task.toml").write_text(task_text(done.study.task), "utf8")
    again = imported(sqlite, tmp_path / "log.csv", name="again", task=str(tmp_path / "task.toml"))
    assert (again.study.task.answer.labels(), again.study.task.answer.level) == (labels, "ordinal")


def test_numbers_have_their_right_answers_with_a_task_and_without(sqlite: Database, tmp_path: Path) -> None:
    rows = [
        {"text": text, "rater": f"w{n}", "vote": vote, "gold": gold}
        for text, gold, votes in (("a", "1,5", ("1,5", "2,5")), ("b", "2", ("2", "2")))
        for n, vote in enumerate(votes)
    ]
    done = imported(sqlite, log_of(tmp_path, *rows), scale="interval", gold_column="gold")
    assert list(done.judgments["label"]) == ["1.5", "2.5", "2", "2"]
    assert [one.gold for one in done.items] == ['["1.5"]', '["2"]']
    (tmp_path / "task.toml").write_text(task_text(done.study.task), "utf8")
    again = imported(sqlite, tmp_path / "log.csv", name="again", task=str(tmp_path / "task.toml"), gold_column="gold")
    assert list(again.judgments["label"]) == ["1.5", "2.5", "2", "2"]
    assert again.said["labels"] == {"1.5": 1, "2": 2, "2.5": 1}
    assert [one.gold for one in again.items] == [one.gold for one in done.items]


def test_an_order_that_lacks_a_label_is_refused(sqlite: Database, tmp_path: Path) -> None:
    path = log_of(tmp_path, *({"text": "a", "rater": said, "vote": said} for said in ("good", "bad")))
    with pytest.raises(BadFile, match="the answer 'bad' is not in --order good,fair; add it there"):
        imported(sqlite, path, order="good,fair")
    with pytest.raises(BadFile, match=r"'bad' is not a number, so .* say --order LEAST,…,MOST"):
        imported(sqlite, path, scale="ordinal")


def test_items_of_equal_columns_are_bound_together(sqlite: Database, tmp_path: Path) -> None:
    rows = [answer(text, said, "w1") | {"INPUT:doc": doc} for text, said, doc in [("a", "yes", "1"), ("b", "no", "1")]]
    path = write_table(tmp_path / "log.tsv", rows)
    done = imported(sqlite, path, cluster="doc")
    assert (done.study.task.cluster, {item.fields["doc"] for item in done.items}) == ("doc", {"1"})
    both = imported(sqlite, path, name="both", cluster="doc,INPUT:text", fields=("text",))
    hidden = both.study.task.fields[-1]
    assert (both.study.task.cluster, hidden.name, hidden.kind) == ("doc+text", "doc+text", "hidden")
    assert [item.fields["doc+text"] for item in both.items] == ["1 | a", "1 | b"]
    with pytest.raises(BadSetting, match="--cluster names 'page', but there is no such column"):
        imported(sqlite, path, name="none", cluster="page")


def test_an_item_of_two_clusters_is_refused(sqlite: Database, tmp_path: Path) -> None:
    rows = [answer("a", said, said) | {"doc": said} for said in ("yes", "no")]
    with pytest.raises(BadFile, match=r"line 3: the cluster of this item is 'no', but 'yes' in an earlier row"):
        imported(sqlite, write_table(tmp_path / "log.tsv", rows), cluster="doc")


def test_a_column_of_the_log_has_the_gold_of_main_items(sqlite: Database, tmp_path: Path) -> None:
    rows = [answer("a", "yes", "w1") | {"truth": "no"}, answer("b", "no", "w1", golden="yes") | {"truth": ""}]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows), gold_column="truth")
    assert [(item.role, item.gold) for item in done.items] == [("main", "no"), ("control", "yes")]


def test_controls_can_be_items_of_the_study_as_well(sqlite: Database, tmp_path: Path) -> None:
    page = {"assignment_id": "p1", "started": "2023-09-29T06:00:00", "submitted": "2023-09-29T06:00:10"}
    page["reward"] = "0.06"
    rows = [answer("a", "yes", "w1", **page), answer("b", "no", "w1", golden="yes", **page)]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows), controls="both")
    assert [(item.role, item.fields["text"], item.gold) for item in done.items] == [
        ("main", "a", None),
        ("main", "b", "yes"),
        ("control", "b", "yes"),
    ]
    frame = done.judgments
    assert list(zip(frame["role"], frame["label"], strict=True)) == [("main", "yes"), ("control", "no"), ("main", "no")]
    assert frame["seconds"].sum() == 10
    assert list(frame["price"].notna()) == [True, True, False]


@pytest.mark.parametrize("controls", ["apart", "both"])
def test_people_chosen_by_the_answers_that_are_scored_may_score_too_high(
    sqlite: Database, tmp_path: Path, controls: str
) -> None:
    labels = {"w1": ["yes", "yes"], "w2": ["yes", "no"], "w3": ["no", "no"]}
    rows = [answer(f"c{n}", said, who, golden="yes") for who, each in labels.items() for n, said in enumerate(each)]
    rows += [answer("a", "yes", who) for who in labels]
    imported(sqlite, write_table(tmp_path / "log.tsv", rows), controls=controls)
    with reading(sqlite) as session:
        (study,) = list_studies(session)
        strict, mild = (
            human_baseline(session, study=study, rules=changed_rules(study, control_min=least)).notes()
            for least in (0.5, 0.0)
        )
    of_all = "2 of the 2 items scored are controls as well, by which 1 worker failed (at least 50% right required)"
    warned = [note for note in strict if "controls as well" in note]
    assert [note[: len(of_all)] for note in warned] == ([of_all] if controls == "both" else [])
    assert all("scores may be too high" in note and "No other item is scored" in note for note in warned)
    assert not any("controls as well" in note for note in mild), "nobody is left out"


def test_gold_is_joined_by_the_ids_of_the_log(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"item_id": "1", "text": "a", "worker": f"w{n}", "label": said} for n, said in enumerate(["yes", "no"])]
    path = log_of(tmp_path, *rows)
    gold = write_table(tmp_path / "gold.csv", [{"id": "1", "label": "yes"}, {"id": "2", "label": "no"}], delimiter=",")
    done = imported(sqlite, path, gold=gold)
    assert [item.gold for item in done.items] == ["yes"]
    assert done.said["gold"]["unmatched"] == [3]


@pytest.mark.parametrize("columns", [{"text": "a", "label": "x"}, {"worker": "w", "label": "x"}])
def test_a_table_that_tells_no_worker_or_no_item_is_refused(tmp_path: Path, columns: dict[str, str]) -> None:
    with pytest.raises(BadFile, match=r"is no pool .* no plain log"):
        read_log([log_of(tmp_path, columns)])


@pytest.mark.parametrize(
    ("name", "items", "judgments", "workers"),
    [
        ("alttest/mtbench/human_annotations.json", 120, 246, 3),
        ("alttest/cebab_aspects/human_annotations.json", 1008, 4032, 10),
        ("alttest/10k_prompts/human_annotations.json", 1698, 3844, 13),
        ("pandalm/testset-v1.json", 999, 2997, 3),
        ("llmfao/crowd-comparisons.csv", 2139, 8931, 124),
    ],
)
def test_published_logs_need_no_option(
    sqlite: Database, shared: Path, name: str, items: int, judgments: int, workers: int
) -> None:
    done = imported(sqlite, shared / name)
    assert (len(done.items), len(done.counted()), done.said["workers"]) == (items, judgments, workers)
    assert done.said["rows"]["dropped"] == {}


@pytest.mark.parametrize(
    ("name", "task"), [("PARus", "rsg/parus"), ("LiDiRus", "rsg/lidirus"), ("RWSD", "rsg/rwsd"), ("RCB", "rsg/rcb")]
)
def test_logs_are_read_with_the_task_that_they_were_made_for(
    sqlite: Database, shared: Path, name: str, task: str
) -> None:
    folder = shared / ("toloka_pools" if name == "RCB" else "toloka_logs") / name
    done = imported(sqlite, next(folder.glob("assign*.tsv")), task=task)
    assert done.study.task.id == task
    assert set(done.judgments["label"]) <= set(done.study.task.answer.labels())


def test_a_task_decides_in_which_language_its_log_is_read(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"text": "Слово", "worker": f"w{n}", "answer": label} for n, label in enumerate("12")]
    written = task_text(imported(sqlite, log_of(tmp_path, *rows), name="words").study.task)
    for name, text, language in (
        ("both", written, "ru"),
        ("english", re.sub(r"(?m)^(\w+\.)?ru = .*\n", "", written), "en"),
    ):
        (tmp_path / "task.toml").write_text(text, "utf8")
        done = imported(sqlite, log_of(tmp_path, *rows), name=name, task=str(tmp_path / "task.toml"))
        assert (done.study.settings.language, done.said["language"]) == (language, language)


@pytest.mark.parametrize(
    ("column", "yes", "no"), [("is_control", "True", "False"), ("Honeypot", "да", ""), ("x", "1", "0")]
)
def test_a_column_of_a_plain_table_says_which_rows_are_controls(
    sqlite: Database, tmp_path: Path, column: str, yes: str, no: str
) -> None:
    rows = [
        {"text": text, "worker": worker, "answer": worker, "gold": gold, column: yes if gold else no}
        for text, gold in (("a", ""), ("b", "u"))
        for worker in ("u", "v")
    ]
    named = {"control_column": "x"} if column == "x" else {}
    done = imported(sqlite, log_of(tmp_path, *rows), gold_column="gold", **named)
    assert [(item.role, item.fields, item.gold) for item in done.items] == [
        ("main", {"text": "a"}, None),
        ("control", {"text": "b"}, "u"),
    ]
    assert [len(done.counted(role)) for role in ("main", "control")] == [2, 2]


def test_a_cell_that_says_neither_control_nor_main_is_reported(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"text": "a", "worker": worker, "answer": worker, "control": "perhaps"} for worker in ("u", "v")]
    done = imported(sqlite, log_of(tmp_path, *rows))
    assert (done.said["items"], done.said["unread_cells"]) == ({"main": 1, "control": 0}, {"control": 2})


def test_a_start_that_cannot_be_read_is_counted_once_where_no_page_is_named(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"text": "a", "worker": worker, "answer": worker, "started": "soon"} for worker in ("u", "v")]
    assert imported(sqlite, log_of(tmp_path, *rows)).said["unread_cells"] == {"started": 2}


def test_a_decimal_comma_is_read_and_a_comma_that_may_mean_thousands_is_reported(
    sqlite: Database, tmp_path: Path
) -> None:
    prices = ["0,5", "0,125", "12,75", "1.5", "1,234"]
    rows = [{"text": "a", "worker": f"w{n}", "answer": "yn"[n % 2], "price": price} for n, price in enumerate(prices)]
    done = imported(sqlite, log_of(tmp_path, *rows))
    assert list(done.judgments["price"].dropna()) == [0.5, 0.125, 12.75, 1.5]
    assert done.said["unread_cells"] == {"price (thousands or a fraction, as in 1,234?)": 1}


WORKERS, TEXTS = [("w1", "yes"), ("w2", "no")], [("alpha", "yes"), ("beta", "no")]


@pytest.mark.parametrize(
    ("named", "items"),
    [("item_id", [("A1", {"task": "A1"})]), ("item_id,text", [("A1", {"text": "alpha"})])],
)
def test_a_column_of_ids_that_is_said_to_make_items_is_their_id(
    sqlite: Database, tmp_path: Path, named: str, items: list[tuple[str, dict[str, str]]]
) -> None:
    rows = [{"item_id": "A1", "text": "alpha", "worker": who, "label": said} for who, said in WORKERS]
    done = imported(sqlite, write_table(tmp_path / "log.csv", rows, delimiter=","), fields=tuple(named.split(",")))
    with reading(sqlite) as session:
        stored = list_items(session, study=done.study)
    assert [(entry.item.id, dict(entry.item.fields)) for entry in stored] == items


def test_ids_that_make_no_item_alone_are_a_field_and_lose_none_in_a_table_of_items(
    sqlite: Database, tmp_path: Path
) -> None:
    rows = [{"id": "A1", "text": text, "worker": "w1", "label": said} for text, said in TEXTS]
    done = imported(sqlite, write_table(tmp_path / "log.csv", rows, delimiter=","), fields=("id", "text"))
    with reading(sqlite) as session:
        table = item_rows(ExportRequest(session, done.study))
    assert table["id"].nunique() == 2
    assert list(table["id (field)"]) == ["A1", "A1"]
