"""Every way in which a file can be broken: one clear sentence about it, and nothing in the database."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotate.requesters.study_plan import check
from app import cli
from data.catalogue.catalog import get_task
from data.errors import BadFile, EtalonError, FileProblem
from data.files.item_files import check_items, each_item, read_items
from db.engine import Database, opened
from tests.helpers.importing import imported, studies

TERRA = "rsg/terra"
GOOD = '{"id": "1", "premise": "p", "hypothesis": "h", "label": "entailment"}\n'
SECOND = GOOD.replace('"1"', '"2"')
LOG = "INPUT:premise;INPUT:hypothesis;OUTPUT:label;ASSIGNMENT:worker_id\r\n"

ITEMS: dict[str, tuple[str, bytes, str]] = {
    "wrong column": (
        "items.csv",
        b"premise,conclusion,label\np,h,entailment\n",
        "items.csv, field 'hypothesis': there is no such column; the file has 'premise', 'conclusion', 'label'",
    ),
    "bad JSON on line 3": (
        "items.jsonl",
        (GOOD + SECOND + '{"premise": "p", \n').encode(),
        "items.jsonl, line 3: is not JSON (Expecting property name enclosed in double quotes: line 1 column 18 (char "
        "17)); each line is one object",
    ),
    "no rows": (
        "items.csv",
        b"premise,hypothesis,label\n",
        "items.csv: there is not one record in it; put at least one item below the header",
    ),
    "blank file": (
        "items.jsonl",
        b"\n\n",
        "items.jsonl: there is not one record in it; put at least one item below the header",
    ),
    "0 bytes": (
        "items.csv",
        b"",
        "items.csv: the file is empty (0 bytes); it may have been cut off on its way here",
    ),
    "cp1251": (
        "items.csv",
        "premise,hypothesis,label\nтекст,да,entailment\n".encode("cp1251"),
        "items.csv, line 2: not UTF-8 (byte 0xf2); it looks like Windows-1251 and would read “текст,да,entailment”; "
        "if that is right, convert it (the command `convert`), or save it as UTF-8",
    ),
    "duplicate ids": (
        "items.jsonl",
        (GOOD + SECOND + GOOD).encode(),
        "items.jsonl, line 3, field 'id': id '1' is already on line 1",
    ),
    "unknown label": (
        "items.jsonl",
        (GOOD + SECOND.replace("entailment", "neutral")).encode(),
        "items.jsonl, line 2, field 'label': 'neutral' is not an answer; use one of entailment, not_entailment",
    ),
    "NUL": (
        "items.csv",
        b"premise,hypothesis,label\np\0,h,entailment\n",
        "items.csv, line 2: has a NUL character, which no database can keep; remove it",
    ),
    "NUL as an escape": (
        "items.jsonl",
        GOOD.replace('"p"', '"p\\u0000"').encode(),
        "items.jsonl, line 1: has a NUL character, which no database can keep; remove it",
    ),
    "half a character": (
        "items.jsonl",
        GOOD.replace('"p"', '"p\\ud83d"').encode(),
        "items.jsonl, line 1: has half of a character (\\ud83d), which no database can keep; remove it",
    ),
    "unknown ending": (
        "items.docx",
        b"PK",
        "items.docx: the ending '.docx' is not known; use one of .jsonl, .json, .csv, .tsv, .txt, .parquet, .xlsx",
    ),
    "ragged row": (
        "items.csv",
        b"premise,hypothesis,label\np,h,entailment\np,h\n",
        "items.csv, line 3: has 2 cells where the header has 3; check the quotes",
    ),
    "open quote": (
        "items.csv",
        b'premise,hypothesis,label\np,"h,entailment\n',
        "items.csv, line 2: cannot be read as a table (unexpected end of data); check the quotes",
    ),
    "column twice": (
        "items.csv",
        b"premise,hypothesis,premise\np,h,p\n",
        "items.csv, line 1: the column 'premise' appears twice; give each its own name",
    ),
}

LOGS: dict[str, tuple[str, bytes, str]] = {
    "wrong column": (
        "log.tsv",
        LOG.replace("hypothesis", "conclusion").encode() + b"p;h;entailment;w1\r\n",
        "log.tsv: task 'rsg/terra' shows 'hypothesis', but the items of this file have 'premise', 'conclusion'",
    ),
    "no answers": (
        "log.tsv",
        LOG.replace("OUTPUT:", "").encode() + b"p;h;entailment;w1\r\n",
        "log.tsv: there is no OUTPUT column; name the answer's with --answer; it has 'INPUT:premise', "
        "'INPUT:hypothesis', 'label', 'ASSIGNMENT:worker_id'",
    ),
    "bad JSON on line 3": (
        "log.jsonl",
        b'{"task": "1", "worker": "w", "label": "a"}\n{"task": "2", "worker": "w", "label": "b"}\n{"task"\n{"worker"\n',
        "log.jsonl, line 3: is not JSON (Expecting ':' delimiter: line 1 column 8 (char 7)); each line is one object "
        "(and 1 more lines)",
    ),
    "no rows": (
        "log.tsv",
        LOG.encode(),
        "log.tsv: there is not one record in it; put at least one item below the header",
    ),
    "0 bytes": (
        "log.tsv",
        b"",
        "log.tsv: the file is empty (0 bytes); it may have been cut off on its way here",
    ),
    "cp1251": (
        "log.tsv",
        LOG.encode() + "текст;да;entailment;w1\r\n".encode("cp1251"),
        "log.tsv, line 2: not UTF-8 (byte 0xf2); it looks like Windows-1251 and would read “текст;да;entailment;w1”; "
        "if that is right, convert it (the command `convert`), or save it as UTF-8",
    ),
    "duplicates": (
        "log.tsv",
        LOG.encode() + b"p;h;entailment;w1\r\np;h;entailment;w1\r\n",
        "log.tsv, line 3: worker 'w1' answered the same item before (log.tsv, line 2); choose --duplicates first, last "
        "or keep",
    ),
    "unknown label": (
        "log.tsv",
        LOG.encode() + b"p;h;entailment;w1\r\np;h;neutral;w2\r\n",
        "log.tsv: these are no answers of task 'rsg/terra' (entailment, not_entailment): 'neutral' (1 times); say what "
        "they mean with --map 'neutral=LABEL'",
    ),
    "NUL": (
        "log.tsv",
        LOG.encode() + b"p\0;h;entailment;w1\r\n",
        "log.tsv, line 2: has a NUL character, which no database can keep; remove it",
    ),
    "ragged row": (
        "log.tsv",
        LOG.encode() + b"p;h;entailment;w1\r\np;h;entailment\r\n",
        "log.tsv, line 3: has 3 cells where the header has 4; check the quotes",
    ),
    "open quote": (
        "log.tsv",
        LOG.encode() + b'p;"h;entailment;w1\r\n',
        "log.tsv, line 2: cannot be read as a table (unexpected end of data); check the quotes",
    ),
}

every_items_file = pytest.mark.parametrize("kind", ITEMS)
every_log = pytest.mark.parametrize("kind", LOGS)


@pytest.fixture
def command(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """A command that fails: the sentence that it prints."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)

    def run(*arguments: object) -> str:
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        return result.stderr.removesuffix("\n")

    return run


def stored(folder: Path) -> list[str]:
    with opened(f"sqlite:///{folder / 'etalon.db'}") as database:
        return studies(database)


def broken(folder: Path, case: tuple[str, bytes, str]) -> tuple[Path, str]:
    name, content, sentence = case
    (folder / name).write_bytes(content)
    return folder / name, sentence


@every_items_file
def test_reading_items_says_what_is_wrong(tmp_path: Path, kind: str) -> None:
    path, sentence = broken(tmp_path, ITEMS[kind])
    with pytest.raises(BadFile) as caught:
        read_items(path, get_task(TERRA))
    assert str(caught.value) == sentence


def test_gold_that_is_the_text_of_two_equal_options_is_told_so(tmp_path: Path) -> None:
    row = '{{"id": "{}", "premise": "p", "question": "cause", "choice1": "{}", "choice2": "{}", "label": "{}"}}\n'
    same, spaced, other = ("Дождь.", "Дождь."), ("Дождь.", "дождь."), ("Дождь.", "Снег.")
    path = tmp_path / "items.jsonl"
    path.write_text(
        row.format(1, *same, "Дождь.") + row.format(2, *spaced, "ДОЖДЬ.") + row.format(3, *spaced, "дождь.")
        + row.format(4, *other, "Град.") + row.format(5, *same, "1"), "utf8",
    )  # fmt: skip
    items, problems = check_items(path, get_task("rsg/parus"))
    equal = "is the text of several equal options (0, 1); make them differ, or write the label of one"
    assert [(problem.line, problem.message) for problem in problems] == [
        (1, f"'Дождь.' {equal}"),
        (2, f"'ДОЖДЬ.' {equal}"),
        (4, "'Град.' is not an answer; use one of 0, 1"),
    ]
    assert [(item.id, item.gold) for item in items] == [("3", "1"), ("5", "1")]


@every_items_file
def test_checking_items_says_the_same_once(tmp_path: Path, kind: str) -> None:
    path, sentence = broken(tmp_path, ITEMS[kind])
    try:
        _, problems = check_items(path, get_task(TERRA))
        said = [str(problem) for problem in problems]
    except BadFile as error:
        said = [str(error)]
    assert said == [sentence]


OF_A_ROW = (
    "bad JSON on line 3",
    "duplicate ids",
    "unknown label",
    "NUL as an escape",
    "half a character",
    "ragged row",
)
LEAVE_OUT = "; correct it, or leave out the rows that cannot be used (--leave-out)"


@pytest.mark.parametrize(
    ("kind", "option"), [*((kind, "--items") for kind in ITEMS), ("cp1251", "--training"), ("0 bytes", "--control")]
)
def test_create_says_what_is_wrong_and_keeps_nothing(
    tmp_path: Path, command: Callable[..., str], kind: str, option: str
) -> None:
    path, sentence = broken(tmp_path, ITEMS[kind])
    good = tmp_path / "good.jsonl"
    good.write_text(GOOD)
    files = {"--items": good, option: path}
    error = command("create", "s", "--task", TERRA, *(part for pair in files.items() for part in pair))
    assert error == sentence + LEAVE_OUT * (kind in OF_A_ROW)
    assert stored(tmp_path) == []


@every_log
def test_import_says_what_is_wrong_and_keeps_nothing(tmp_path: Path, command: Callable[..., str], kind: str) -> None:
    path, sentence = broken(tmp_path, LOGS[kind])
    task = [] if path.suffix == ".jsonl" else ["--task", TERRA]
    assert command("import-log", "s", path, *task, "--duplicates", "error") == sentence
    assert stored(tmp_path) == []


@pytest.mark.parametrize("kind", ["wrong column", "duplicates", "0 bytes"])
def test_one_broken_file_among_several_keeps_nothing(engine: Database, tmp_path: Path, kind: str) -> None:
    good = tmp_path / "good.tsv"
    good.write_bytes(LOG.encode() + b"p;h;not_entailment;w7\r\n")
    path, sentence = broken(tmp_path, LOGS[kind])
    with pytest.raises(EtalonError) as caught:
        imported(engine, good, path, task=TERRA, duplicates="error")
    assert str(caught.value) == sentence
    assert studies(engine) == []


def test_a_file_that_is_not_there_is_named(tmp_path: Path, command: Callable[..., str]) -> None:
    path = tmp_path / "nowhere.csv"
    sentence = f"{path}: cannot be opened (No such file or directory); check the path"
    assert command("create", "s", "--task", TERRA, "--items", path) == sentence
    assert command("import-log", "s", path) == sentence
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    assert command("import-log", "s", folder) == f"{folder}: cannot be opened (Is a directory); check the path"
    assert stored(tmp_path) == []


def test_a_broken_gold_file_keeps_nothing(tmp_path: Path, command: Callable[..., str]) -> None:
    log = tmp_path / "log.tsv"
    log.write_bytes(LOG.encode() + b"p;h;entailment;w1\r\n")
    gold, _ = broken(tmp_path, ("gold.csv", b"", ""))
    sentence = "gold.csv: the file is empty (0 bytes); it may have been cut off on its way here"
    assert command("import-log", "s", log, "--task", TERRA, "--gold", gold) == sentence
    assert stored(tmp_path) == []


def test_controls_without_their_answer_are_refused(tmp_path: Path, command: Callable[..., str]) -> None:
    good, control = tmp_path / "good.jsonl", tmp_path / "control.jsonl"
    good.write_text(GOOD)
    control.write_text(GOOD + SECOND.replace(', "label": "entailment"', ""))
    error = command("create", "s", "--task", TERRA, "--items", good, "--control", control)
    assert error == "control.jsonl, line 2, field 'label': a control item needs its right answer"
    assert stored(tmp_path) == []


def test_every_row_is_told_its_own_fault_though_others_spell_the_same(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    rows = ("1,a,b,entailment", "2,,b,entailment", "3,a,b,maybe", "4,a,b,maybe", "5,a,b,c,d", '1,"a\rb",b,entailment')
    path.write_bytes("\r\n".join(["id,premise,hypothesis,label", *rows]).encode())
    items, problems = check_items(path, get_task("rsg/terra"))
    assert [item.id for item in items] == ["1"]
    assert [str(problem).removeprefix("rows.csv, line ") for problem in problems] == [
        "3, field 'premise': is empty; every shown field needs a text",
        "4, field 'label': 'maybe' is not an answer; use one of entailment, not_entailment",
        "5, field 'label': 'maybe' is not an answer; use one of entailment, not_entailment",
        "6: has 5 cells where the header has 4; check the quotes",
        "7, field 'id': id '1' is already on line 2",
    ]


def test_every_fault_among_thousands_of_rows_is_told_on_its_line_and_on_the_page_as_well(tmp_path: Path) -> None:
    rows = [f"i{number},premise {number},h,entailment" for number in range(3000)]
    rows[5] = "i5,,h,entailment"
    rows[1500] = "i1500, ,,maybe"  # its label is not looked at: it cannot be shown
    rows[1501] = "i1501,p,h"
    rows[2100] = 'i2100,"of two\nlines",h,entailment'
    rows[2101] = "i2101,p,h,maybe"
    rows[2102] = "i2101,p,h,"
    rows[2103] = "i7,p,h,not_entailment"
    rows[2999] = "i2102,p,h,Entailment?"
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["id,premise,hypothesis,label", *rows]), "utf8")
    items, problems = check_items(path, get_task(TERRA))
    assert [str(problem).removeprefix("rows.csv, line ") for problem in problems] == [
        "7, field 'premise': is empty; every shown field needs a text",
        "1502, field 'premise': is empty; every shown field needs a text",
        "1502, field 'hypothesis': is empty; every shown field needs a text",
        "1503: has 3 cells where the header has 4; check the quotes",
        "2104, field 'label': 'maybe' is not an answer; use one of entailment, not_entailment",
        "2106, field 'id': id 'i7' is already on line 9",
        "3002, field 'label': 'Entailment?' is not an answer; use one of entailment, not_entailment",
    ]
    wrong = {5, 1500, 1501, 2101, 2103, 2999}
    assert [item.fields["premise"] for item in items] == [
        {2100: "of two\nlines", 2102: "p"}.get(number, f"premise {number}")
        for number in range(3000)
        if number not in wrong
    ]
    page = check(get_task(TERRA), "main", path)
    assert (page.first_problems, page.items, page.with_gold, page.unusable) == (tuple(problems), 2994, 2993, 6)


def test_one_text_is_the_right_answer_at_each_items_own_place(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id,premise,choice1,choice2,question,label\n1,p,x,y,cause,x\n2,p,y,x,cause,x\n", encoding="utf-8")
    assert [item.gold for item in read_items(path, get_task("rsg/parus"))] == ["0", "1"]


@pytest.mark.parametrize(("fault", "said"), [(b"\xd0", "not UTF-8 (byte 0xd0)"), (b"\0", "has a NUL character")])
def test_a_fault_far_into_a_file_is_named_by_its_line_after_all_rows_before_it(
    tmp_path: Path, fault: bytes, said: str
) -> None:
    lines = [f'{number},"предпосылка\r{number}",h,entailment\r\n'.encode() for number in range(9000)]
    path = tmp_path / "items.csv"
    path.write_bytes(b"id,premise,hypothesis,label\n" + b"".join(lines[:-5]) + fault + b"".join(lines[-5:]))
    read = each_item(path, get_task(TERRA))
    for number, record in zip(range(len(lines) - 5), read, strict=False):
        assert not isinstance(record, FileProblem)
        assert (record[0].line, record[1].id) == (2 + 2 * number, str(number))
    with pytest.raises(BadFile, match=re.escape(f"items.csv, line {len(lines) - 3}: {said}")):
        next(read)
