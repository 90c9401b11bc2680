"""Every oddity that published logs have had, on tables small enough to be read."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotate.imports.import_settings import ImportSettings
from annotate.imports.log_items import item_key
from annotate.imports.log_reading import read_log
from data.errors import BadFile, BadSetting, EtalonError, UnknownName
from data.files.item_files import content_id
from db.engine import Database, reading
from tests.helpers.importing import answer, imported, studies, write_table

TWO = [answer("a", "yes", "w1"), answer("b", "no", "w1")]
TERRA = "rsg/terra"


def terra(said: str, worker: str = "w1", **more: str) -> dict[str, str]:
    return {"INPUT:premise": "p", "INPUT:hypothesis": "h", **answer("", said, worker, **more)} | {"INPUT:text": "x"}


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
def test_separators_quotes_and_line_ends_inside_cells_change_nothing(tmp_path: Path, delimiter: str) -> None:
    texts = ['one; two\tthree, "four"', "first\r\nsecond", "ends\n", "  spaces  ", "\u00a0\u200bx"]
    rows = [answer(text, "yes", "w1") for text in texts]
    log = read_log([write_table(tmp_path / "log.tsv", rows, delimiter=delimiter)])
    assert [row.fields["text"] for row in log.rows] == texts


def test_a_byte_order_mark_and_a_missing_final_newline_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_bytes(b"\xef\xbb\xbfINPUT:text;OUTPUT:result;ASSIGNMENT:worker_id\r\na;yes;w1\r\nb;no;w1")
    log = read_log([path])
    assert [(row.fields["text"], row.answer, row.worker) for row in log.rows] == [("a", "yes", "w1"), ("b", "no", "w1")]


def test_an_unnamed_column_is_left_aside_and_said(tmp_path: Path) -> None:
    log = read_log([write_table(tmp_path / "log.tsv", [row | {"": ""} for row in TWO])])
    assert log.unused == ["(unnamed)"]
    assert log.field_names == ("text",)


def test_an_item_column_that_is_blank_throughout_is_left_aside_and_said(tmp_path: Path) -> None:
    log = read_log([write_table(tmp_path / "log.tsv", [row | {"INPUT:image": " "} for row in TWO])])
    assert (log.field_names, log.unused, len(log.rows)) == (("text",), ["INPUT:image"], 2)


def test_without_assignment_columns_a_log_has_no_pages_times_or_prices(sqlite: Database, tmp_path: Path) -> None:
    done = imported(sqlite, write_table(tmp_path / "log.tsv", TWO))
    assert done.judgments[["page", "price", "seconds", "submitted_at", "reason"]].isna().all().all()
    assert list(done.judgments["status"]) == ["counted", "counted"]
    assert done.study.settings.currency == "RUB"


@pytest.mark.parametrize(("one", "two"), [("true", "false"), ("0", "1"), ("TRUE", "False"), ("01", "1"), ("1.0", "1")])
def test_labels_stay_the_text_they_were(sqlite: Database, tmp_path: Path, one: str, two: str) -> None:
    done = imported(sqlite, write_table(tmp_path / "log.tsv", [answer("a", one, "w1"), answer("b", two, "w1")]))
    assert list(done.judgments["label"]) == [one, two]
    assert set(done.study.task.answer.labels()) == {one, two}


def test_labels_that_are_numbers_stand_in_the_order_of_numbers(sqlite: Database, tmp_path: Path) -> None:
    rows = [answer("a", label, f"w{label}") for label in ("10", "9", "1")]
    assert imported(sqlite, write_table(tmp_path / "log.tsv", rows)).study.task.answer.labels() == ("1", "9", "10")


def test_json_truth_and_numbers_are_labels_as_json_writes_them(sqlite: Database, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(
        '{"task": 1, "worker": "w", "label": true}\n{"task": 2, "worker": "w", "label": false}\n'
        '{"task": 3, "worker": "w", "label": null}\n{"task": 4, "worker": "w", "label": 1}\n'
    )
    done = imported(sqlite, path)
    assert dict(zip(done.judgments["item"], done.judgments["label"], strict=True)) == {
        "1": "true",
        "2": "false",
        "4": "1",
    }
    assert done.said["rows"]["dropped"] == {"an empty answer": 1}


def test_rows_that_lack_something_are_dropped_counted_and_listed(sqlite: Database, tmp_path: Path) -> None:
    rows = [*TWO, answer(" ", "yes", "w1"), answer("c", "", "w1"), answer("c", "no", ""), answer("", "", "")]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows))
    assert done.said["rows"] == {
        "read": 6,
        "dropped": {"an empty field": 2, "an empty answer": 1, "no worker": 1},
        "dropped_lines": [f"log.tsv, line {line}" for line in (4, 5, 6, 7)],
    }
    assert len(done.judgments) == 2
    assert "6 read, 4 dropped (2 with an empty field, 1 with an empty answer, 1 with no worker)" in str(done.report)


def test_a_log_without_one_usable_answer_is_refused(sqlite: Database, tmp_path: Path) -> None:
    path = write_table(tmp_path / "log.tsv", [answer("a", "", "w1"), answer("", "no", "w1")])
    with pytest.raises(BadFile, match=r"log.tsv: not one of 2 rows holds a usable answer \(1 with an empty answer, 1"):
        imported(sqlite, path)


def test_a_golden_cell_makes_a_control_and_its_gold(sqlite: Database, tmp_path: Path) -> None:
    rows = [*TWO, answer("a", "no", "w1", golden="yes"), answer("c", "no", "w1", golden="maybe")]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows))
    assert [(item.role, item.fields["text"], item.gold) for item in done.items] == [
        ("main", "a", None),
        ("main", "b", None),
        ("control", "a", "yes"),
        ("control", "c", "maybe"),
    ]
    assert done.study.task.answer.labels() == ("maybe", "no", "yes")
    assert done.items[0].id == done.items[2].id == content_id({"text": "a"})
    assert done.said["labels"] == {"maybe": 0, "no": 3, "yes": 1}


def test_two_golden_cells_for_one_control_are_refused(sqlite: Database, tmp_path: Path) -> None:
    rows = [*TWO, answer("c", "no", "w1", golden="yes"), answer("c", "no", "w2", golden="no")]
    with pytest.raises(BadFile, match=r"log.tsv, line 5: GOLDEN is 'no', but 'yes' earlier for the same item"):
        imported(sqlite, write_table(tmp_path / "log.tsv", rows))


def test_a_control_answered_again_by_its_worker_counts_each_time(engine: Database, tmp_path: Path) -> None:
    rows = [*TWO, *(answer("c", said, "w1", golden="yes") for said in ("yes", "no", "yes"))]
    done = imported(engine, write_table(tmp_path / "log.tsv", rows), duplicates="error")
    control = done.counted("control")
    assert list(zip(control["label"], control["repeat"], strict=True)) == [("yes", 0), ("no", 1), ("yes", 2)]
    assert done.said["judgments"] == {"main": 2, "control": 3, "control_repeats": 2, "void": {}}


@pytest.mark.parametrize(
    ("policy", "fates"),
    [
        ("first", [("yes", 0, None), ("no", 1, "duplicate"), ("no", 2, "duplicate")]),
        ("last", [("yes", 1, "duplicate"), ("no", 2, "duplicate"), ("no", 0, None)]),
        ("keep", [("yes", 0, None), ("no", 1, None), ("no", 2, None)]),
    ],
)
def test_a_main_item_answered_again_follows_the_policy(
    engine: Database, tmp_path: Path, policy: str, fates: list[tuple[str, int, str | None]]
) -> None:
    rows = [answer("a", said, "w1") for said in ("yes", "no", "no")] + [answer("a", "yes", "w2")]
    done = imported(engine, write_table(tmp_path / "log.tsv", rows), duplicates=policy)
    mine = done.judgments[done.judgments["worker"] == "w1"]
    assert list(zip(mine["label"], mine["repeat"], mine["reason"], strict=True)) == fates
    conflict = {"item": content_id({"text": "a"}), "worker": "w1", "labels": ["yes", "no", "no"]}
    dropped = 0 if policy == "keep" else 2
    assert done.said["duplicates"] == {"policy": policy, "found": 2, "dropped": dropped, "conflicts": [conflict]}


def test_a_repeated_answer_on_main_can_be_an_error(sqlite: Database, tmp_path: Path) -> None:
    path = write_table(tmp_path / "log.tsv", [*TWO, answer("a", "yes", "w1")])
    with pytest.raises(
        BadFile, match=r"log.tsv, line 4: worker 'w1' answered the same item before \(log.tsv, line 2\)"
    ):
        imported(sqlite, path, duplicates="error")


def test_refused_work_is_kept_void_and_listed(engine: Database, tmp_path: Path) -> None:
    given = ["APPROVED", "SUBMITTED", "", "REJECTED", "EXPIRED"]
    rows = [answer("a", "yes", f"w{n}", status=status) for n, status in enumerate(given)]
    done = imported(engine, write_table(tmp_path / "log.tsv", [*rows, answer("a", "no", "w9")]))
    assert done.said["judgments"]["void"] == {"status:REJECTED": 1, "status:EXPIRED": 1}
    assert list(done.judgments["status"]) == ["counted"] * 3 + ["void"] * 2 + ["counted"]
    assert list(done.judgments["reason"])[3:5] == ["status:REJECTED", "status:EXPIRED"]
    assert "1 with status:REJECTED, 1 with status:EXPIRED" in str(done.report)


def test_a_refused_answer_does_not_push_out_an_approved_one(sqlite: Database, tmp_path: Path) -> None:
    rows = [
        answer("a", "no", "w1", status="REJECTED"),
        answer("a", "yes", "w1", status="APPROVED"),
        answer("a", "no", "w1", status="APPROVED"),
    ]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows))
    found = zip(done.judgments["label"], done.judgments["repeat"], done.judgments["reason"], strict=True)
    assert list(found) == [("no", 2, "status:REJECTED"), ("yes", 0, None), ("no", 1, "duplicate")]


def test_what_a_main_item_has_is_what_it_was_to_have(sqlite: Database, tmp_path: Path) -> None:
    from sqlmodel import select

    from db.tables import ItemRow

    rows = [answer("a", "yes", "w1"), answer("a", "no", "w2"), answer("b", "no", "w1", status="REJECTED")]
    imported(sqlite, write_table(tmp_path / "log.tsv", [*rows, answer("c", "no", "w1", golden="no")]))
    with reading(sqlite) as session:
        found = [(row.role, row.target, row.filled, row.free) for row in session.execute(select(ItemRow))]
    assert found == [("main", 2, 2, 0), ("main", 0, 0, 0), ("control", 0, 0, 0)]


def test_stray_variants_of_a_label_are_listed_and_left_alone(sqlite: Database, tmp_path: Path) -> None:
    said = ["entailment", "entailment6", "entailment6", "neutral", "Neutral", "Neutral", "not_entailment", "label2"]
    rows = [answer("a", label, f"w{n}") for n, label in enumerate(said)]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows))
    assert done.said["labels"]["entailment6"] == 2
    assert done.said["mapped"] == []
    assert done.said["lookalikes"] == [
        {"label": "entailment6", "like": "entailment"},
        {"label": "neutral", "like": "Neutral"},
    ]
    assert "--map 'entailment6=entailment'" in str(done.report)


def test_a_mapping_changes_a_label_and_says_how_often(sqlite: Database, tmp_path: Path) -> None:
    rows = [terra("entailment6", f"w{n}") for n in range(3)] + [terra("not_entailment", "w9", golden="entailment6")]
    path = write_table(tmp_path / "log.tsv", rows)
    done = imported(sqlite, path, task=TERRA, mapping={"entailment6": "entailment"})
    assert done.said["labels"] == {"entailment": 3, "not_entailment": 1}
    assert done.said["mapped"] == [{"written": "entailment6", "stored": "entailment", "answers": 3}]
    assert done.of_role("control")[0].gold == "entailment"


def test_labels_that_a_known_task_does_not_have_are_refused_with_the_way_out(sqlite: Database, tmp_path: Path) -> None:
    rows = [terra("entailment6", "w1"), terra("entailment6", "w2"), terra("xyz", "w3"), terra("entailment", "w4")]
    with pytest.raises(BadFile) as caught:
        imported(sqlite, write_table(tmp_path / "log.tsv", rows), task=TERRA)
    assert str(caught.value) == (
        "log.tsv: these are no answers of task 'rsg/terra' (entailment, not_entailment): 'entailment6' (2 times), "
        "'xyz' (1 times); say what they mean with --map 'entailment6=entailment' --map 'xyz=LABEL'"
    )
    assert studies(sqlite) == []


def test_a_mapping_of_a_label_that_stands_nowhere_is_a_typing_mistake(sqlite: Database, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="--map: no answer is 'yess'; there are 'no', 'yes'"):
        imported(sqlite, write_table(tmp_path / "log.tsv", TWO), mapping={"yess": "yes"})


def test_a_log_in_which_everybody_said_the_same_is_refused_without_gold(sqlite: Database, tmp_path: Path) -> None:
    path = write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1"), answer("b", "yes", "w1", golden="yes")])
    with pytest.raises(
        BadFile, match=r"log.tsv: the only label is 'yes' in answers and gold alike, so nothing was chosen"
    ):
        imported(sqlite, path)


def test_several_files_make_one_study(engine: Database, tmp_path: Path) -> None:
    first = write_table(tmp_path / "one.tsv", [answer("a", "yes", "w1", assignment_id="p1"), *TWO[1:]])
    second = write_table(tmp_path / "two.csv", [answer("a", "no", "w2"), answer("a", "no", "w1")], delimiter=",")
    done = imported(engine, first, second)
    assert done.said["files"] == ["one.tsv", "two.csv"]
    assert [(item.fields["text"]) for item in done.items] == ["a", "b"]
    assert list(done.judgments["reason"]) == [None, None, None, "duplicate"]
    assert done.said["rows"]["read"] == 4


def test_files_of_one_study_ask_the_same(sqlite: Database, tmp_path: Path) -> None:
    first = write_table(tmp_path / "one.tsv", TWO)
    other_item = write_table(tmp_path / "two.tsv", [row | {"INPUT:title": "t"} for row in TWO])
    renamed = [{name.replace("result", "verdict"): cell for name, cell in row.items()} for row in TWO]
    other_answer = write_table(tmp_path / "three.tsv", renamed)
    with pytest.raises(BadFile, match=r"two.tsv: its items have 'text', 'title', those of one.tsv have 'text'"):
        imported(sqlite, first, other_item)
    with pytest.raises(BadFile, match=r"three.tsv: its answers are in 'verdict', those of one.tsv in 'result'"):
        imported(sqlite, first, other_answer)
    with pytest.raises(BadSetting, match=r"one.tsv is named twice"):
        imported(sqlite, first, first)


def test_an_item_is_all_its_fields_exactly_as_they_are(tmp_path: Path) -> None:
    texts = ["<b>a</b> b", "a <b>b</b>", "a b", "a  b", "a b ", "A b"]
    log = read_log([write_table(tmp_path / "log.tsv", [answer(text, "yes", "w1") for text in texts])])
    assert len({item_key(row) for row in log.rows}) == len(texts)


def test_a_page_shares_its_time_between_all_its_rows_even_dropped_ones(sqlite: Database, tmp_path: Path) -> None:
    page = {"assignment_id": "p1", "started": "2023-09-29T06:44:05.190", "submitted": "2023-09-29T09:44:15.190+03:00"}
    rows = [answer(text, said, "w1", **page, reward="0.06") for text, said in [("a", "yes"), ("b", "no"), ("c", "")]]
    rows += [answer("d", "no", "w1", **page, reward="0.06")]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows))
    assert list(done.judgments["seconds"]) == pytest.approx([2.5] * 3)
    assert list(done.judgments["price"]) == [0.06] * 3
    log = read_log([tmp_path / "log.tsv"])
    assert log.rows[0].submitted == datetime(2023, 9, 29, 6, 44, 15, 190000, tzinfo=UTC)


def test_times_and_prices_that_cannot_be_read_are_counted_not_guessed(sqlite: Database, tmp_path: Path) -> None:
    page = {"assignment_id": "p1", "started": "29.09.2023 06:44", "submitted": "2023-09-29T06:44:05", "reward": "1,234"}
    late = page | {"assignment_id": "p2", "started": "2023-09-29T07:00:00", "reward": "nan"}
    done = imported(
        sqlite, write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1", **page), answer("a", "no", "w2", **late)])
    )
    assert done.judgments[["seconds", "price"]].isna().all().all()
    assert done.said["unread_cells"] == {
        "ASSIGNMENT:started": 1,
        "ASSIGNMENT:submitted before ASSIGNMENT:started": 1,
        "ASSIGNMENT:reward": 1,
        "ASSIGNMENT:reward (thousands or a fraction, as in 1,234?)": 1,
    }


def test_two_answer_columns_need_a_choice(sqlite: Database, tmp_path: Path) -> None:
    rows = [row | {"OUTPUT:sure": "very"} for row in TWO]
    path = write_table(tmp_path / "log.tsv", rows)
    with pytest.raises(BadFile, match=r"has several answers, 'OUTPUT:result', 'OUTPUT:sure'; choose one with --answer"):
        imported(sqlite, path)
    for n, answer_column in enumerate(("result", "OUTPUT:result")):
        done = imported(sqlite, path, name=f"log{n}", answer=answer_column)
        assert (list(done.judgments["label"]), done.said["unused_columns"]) == (["yes", "no"], ["OUTPUT:sure"])


def test_a_control_of_the_other_answer_stays_a_control_without_gold(sqlite: Database, tmp_path: Path) -> None:
    rows = [row | {"OUTPUT:sure": said} for row, said in zip([*TWO, *TWO], "1234", strict=True)]
    path = write_table(tmp_path / "log.tsv", [*rows[:3], rows[3] | {"GOLDEN:result": "no"}])
    done = imported(sqlite, path, answer="sure")
    assert [(item.role, item.gold) for item in done.items] == [("main", None), ("main", None), ("control", None)]


def test_columns_without_prefixes_are_named_by_hand(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"text": "a", "span": "b", "who": "w1", "said": "yes", "note": "-"} for _ in range(2)]
    rows += [{"text": "a", "span": "c", "who": "w1", "said": "no", "note": "-"}]
    path = write_table(tmp_path / "log.csv", rows, delimiter=",")
    done = imported(sqlite, path, fields=("text", "span"), answer="said", worker="who", duplicates="last")
    assert [dict(item.fields) for item in done.items] == [{"text": "a", "span": "b"}, {"text": "a", "span": "c"}]
    assert done.said["unused_columns"] == ["note"]
    assert done.said["workers"] == 1


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (ImportSettings(), "no pool .* no plain log .* the file has 'text', 'who', 'said'"),
        (
            ImportSettings(fields=("text", "body"), answer="said", worker="who"),
            "--fields names 'body', but there is no such column; .* 'text', 'who'",
        ),
        (
            ImportSettings(fields=("text",), answer="say", worker="who"),
            "--answer names 'say', but there is no such column",
        ),
        (
            ImportSettings(fields=("text",), answer="said", worker="whom"),
            "--worker names 'whom', but there is no such column",
        ),
    ],
)
def test_a_column_that_is_not_there_is_named_with_what_there_is(
    tmp_path: Path, columns: ImportSettings, sentence: str
) -> None:
    path = write_table(tmp_path / "log.csv", [{"text": "a", "who": "w1", "said": "yes"}], delimiter=",")
    with pytest.raises(EtalonError, match=sentence):
        read_log([path], wanted=columns)


def test_a_pool_without_its_worker_column_asks_for_it(tmp_path: Path) -> None:
    rows = [{"INPUT:a": "x", "OUTPUT:b": "y", "who": "w1"}]
    path = write_table(tmp_path / "log.tsv", rows)
    with pytest.raises(BadFile, match=r"no column 'ASSIGNMENT:worker_id'; name yours with --worker; .* 'who'"):
        read_log([path])
    assert read_log([path], wanted=ImportSettings(worker="who")).rows[0].worker == "w1"


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_a_plain_log_keeps_the_ids_of_its_tasks(sqlite: Database, tmp_path: Path, ending: str) -> None:
    path, gold = tmp_path / f"log.{ending}", tmp_path / f"gold.{ending}"
    if ending == "jsonl":
        path.write_text('{"task": "t1", "worker": "w", "label": "x"}\n{"task": "t2", "worker": "w", "label": "y"}\n')
        gold.write_text('{"task": "t2", "label": "x"}\n')
    else:
        delimiter = "," if ending == "csv" else "\t"
        rows = [{"task": "t1", "worker": "w", "label": "x"}, {"task": "t2", "worker": "w", "label": "y"}]
        write_table(path, rows, delimiter=delimiter)
        write_table(gold, [{"task": "t2", "label": "x"}], delimiter=delimiter)
    done = imported(sqlite, path, gold=gold)
    assert [(item.id, dict(item.fields), item.gold) for item in done.items] == [
        ("t1", {"task": "t1"}, None),
        ("t2", {"task": "t2"}, "x"),
    ]
    assert done.said["gold"]["missing"] == 1


def test_a_known_task_refuses_items_that_lack_what_it_shows(sqlite: Database, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"log.tsv: task 'rsg/terra' shows 'premise', 'hypothesis', but .* have 'text'"):
        imported(sqlite, write_table(tmp_path / "log.tsv", TWO), task=TERRA)


def test_a_known_task_decides_what_an_item_is(sqlite: Database, tmp_path: Path) -> None:
    rows = [terra("entailment", f"w{n}") | {"INPUT:text": f"page {n}"} for n in range(3)]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows), task=TERRA)
    assert [dict(item.fields) for item in done.items] == [{"premise": "p", "hypothesis": "h"}]
    assert done.said["unused_columns"] == ["INPUT:text"]


def test_a_value_that_a_field_of_the_task_does_not_allow_is_refused(sqlite: Database, tmp_path: Path) -> None:
    row = {
        "INPUT:premise": "p",
        "INPUT:question": "why?",
        "INPUT:sent1": "a",
        "INPUT:sent2": "b",
        "OUTPUT:variant": "0",
    }
    path = write_table(tmp_path / "log.tsv", [row | {"ASSIGNMENT:worker_id": "w1"}])
    with pytest.raises(
        BadFile, match=r"log.tsv, line 2, field 'question': 'why\?' is not known; use one of 'cause', 'e"
    ):
        imported(sqlite, path, task="rsg/parus")


def test_an_unknown_task_and_a_taken_name_are_refused(sqlite: Database, tmp_path: Path) -> None:
    path = write_table(tmp_path / "log.tsv", TWO)
    with pytest.raises(UnknownName, match="did you mean 'rsg/parus'"):
        imported(sqlite, path, task="rsg/paros")
    imported(sqlite, path)
    with pytest.raises(BadSetting, match="study 'log' exists already"):
        imported(sqlite, path)
    with pytest.raises(BadSetting, match="study name 'my log': use letters"):
        imported(sqlite, path, name="my log")
    assert studies(sqlite) == ["log"]
