"""Predictions of AGRR-2019 that break rules of answers are scored as the organisers' script does, and rows that nobody
can read count as wrong.

The script, by section 3.2 of the paper (Smurov et al. 2019): binary classification has the F of class 1. For spans
every element of a sentence is a cell: a sentence of class 0 on both sides has none, one of class 1 on one side alone is
worth 0 in each, else each is worth the F of its characters. The offsets are taken as they stand, "b:b" being one
character; 1e-7 keeps divisions from 0. The mean over all cells is the score.
"""

import csv
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from sklearn.metrics import f1_score

from tests.data.test_gold_given_back import command, said
from tests.helpers.leaderboards import written

COLUMNS = ("text", "class", "cV", "cR1", "cR2", "V", "R1", "R2")
ELEMENTS = COLUMNS[2:]
SCORED = {"agrr/full": ELEMENTS, "agrr/resolution": ("cV", "V")}
FILES, SENTENCES = 20, 150
Row = dict[str, str]
TINY = 1e-7


def letters(cell: str) -> set[int]:
    found: set[int] = set()
    for span in cell.split():
        begin, end = (int(place) for place in span.split(":"))
        found |= {begin} if begin == end else set(range(begin, end))
    return found


def cell_score(gold: str, told: str) -> float:
    wanted, given = letters(gold), letters(told)
    common = len(wanted & given) + TINY
    precision, recall = common / (len(given) + TINY), common / (len(wanted) + TINY)
    return 2 * precision * recall / (precision + recall + TINY)


def organisers(gold: Sequence[Row], told: Sequence[Row], task: str) -> float:
    if task == "agrr/binary":
        return float(f1_score([row["class"] for row in gold], [row["class"] for row in told], pos_label="1"))
    cells = [
        cell_score(one[name], two[name]) if one["class"] == two["class"] == "1" else 0.0
        for one, two in zip(gold, told, strict=True)
        for name in SCORED[task]
        if not one["class"] == two["class"] == "0"
    ]
    return math.fsum(cells) / len(cells)


def moved(cell: str, random: Random) -> str:
    """The spans of a cell pushed to and fro, wider, past the end of any text, turned round, doubled."""
    spans = []
    for span in cell.split():
        begin, end = (int(place) for place in span.split(":"))
        step = random.randint(-2, 3)
        begin, end = max(0, begin + step), max(0, end + step + random.choice((0, 0, 4)))
        spans.append(f"{begin}:{end}")
        spans += random.choice(
            ([], [], [], [f"{begin}:{begin}"], [f"{end}:{end + 6}"], ["900:905"], [f"{end + 3}:{end}"])
        )
    return " ".join(spans)


def perturbed(row: Row, random: Random) -> Row:
    places = [int(place.split(":")[0]) for place in row["V"].split()]
    other = {
        "as it is": row,
        "moved": {**row, **{name: moved(row[name], random) for name in ELEMENTS}},
        "V wide": {**row, "V": " ".join(f"{place}:{place + 6}" for place in places)},
        "without": {**row, random.choice(ELEMENTS): ""},
        "class alone": {**row, **dict.fromkeys(ELEMENTS, "")},
        "class 0 and spans": {**row, "class": "0"},
        "gapping everywhere": {**row, "class": "1", "cV": "0:4", "V": "5:9"},
    }  # fmt: skip
    return random.choice(list(other.values()))


def table(path: Path, rows: Sequence[Mapping[str, str]]) -> Path:
    lines = ["\t".join(COLUMNS), *("\t".join(row[name] for name in COLUMNS) for row in rows)]
    path.write_text("\n".join(lines) + "\n", "utf8")
    return path


@pytest.fixture(scope="module")
def dev(shared: Path) -> list[Row]:
    with (shared / "agrr" / "dev.csv").open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    texts = [row["text"] for row in rows]
    return [row for row in rows if texts.count(row["text"]) == 1]


@pytest.mark.parametrize("task", ["agrr/binary", "agrr/resolution", "agrr/full"])
def test_twenty_perturbed_files_have_the_score_of_the_organisers_script(
    task: str, dev: list[Row], tmp_path: Path
) -> None:
    random, met = Random(task), set[float]()
    for _ in range(FILES):
        gold = random.sample(dev, SENTENCES)
        told = [perturbed(row, random) for row in gold]
        files = "--gold", table(tmp_path / "gold.csv", gold), "--predictions", table(tmp_path / "told.csv", told)
        found = said("score", task, *files, "--json", *(["--as-published"] if task == "agrr/binary" else []))
        name = "positive_f1_code" if task == "agrr/binary" else "symbol_f"
        value = found["metrics"][name]["value"]
        assert value == pytest.approx(organisers(gold, told, task), abs=1e-6)
        assert "unreadable" not in found
        met.add(value)
    assert len(met) > FILES / 2


@pytest.mark.parametrize("task", ["agrr/resolution", "agrr/full"])
def test_an_imported_run_scores_and_scores_again_what_its_file_does(
    task: str, dev: list[Row], tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    random = Random(1)
    gold = random.sample(dev, SENTENCES)
    told = [perturbed(row, random) for row in gold]
    items, predictions = table(tmp_path / "gold.csv", gold), table(tmp_path / "told.csv", told)
    assert command("create", "s", "--task", task, "--items", items).exit_code == 0
    assert command("import-run", "s", predictions, "--from", "jsonl", "--model", "m").exit_code == 0
    wanted = pytest.approx(organisers(gold, told, task), abs=1e-6)
    for _ in range(2):
        found = said("results", "s", "--json")
        (row,) = [row for row in found["rows"] if row["respondent"] == "model:m"]
        assert row["scores"]["symbol_f"]["value"] == wanted
        assert command("rescore", "s").exit_code == 0


SENTENCE = "Я превращу твое сердце в траву, а все, что ты любишь, в овец."


def of_json(folder: Path, answers: Sequence[object]) -> tuple[object, ...]:
    golds = [{"id": f"i{n}", "sentence": f"{n} {SENTENCE}", "resolution": {"cV": [[4, 12]], "V": [[56, 56]]}}
             for n in range(len(answers))]  # fmt: skip
    told = [{"id": f"i{n}", "prediction": answer} for n, answer in enumerate(answers)]
    gold = written(folder / "gold.jsonl", golds)
    return ("score", "agrr/resolution", "--gold", gold, "--predictions", written(folder / "told.jsonl", told))


@pytest.mark.parametrize("write", [lambda marks: marks, json.dumps], ids=["object", "text"])
def test_a_place_with_a_width_is_scored_in_json_too(write: Callable[[object], object], tmp_path: Path) -> None:
    found = said(*of_json(tmp_path, [write({"cV": [[4, 12]], "V": [[56, 62]]})]), "--json")
    # cV is right; of V one character of six is, and it is all that the gold has: F = 2 / 7.
    assert found["metrics"]["symbol_f"]["value"] == pytest.approx((1 + 2 / 7) / 2, abs=1e-6)
    nothing = said(*of_json(tmp_path, [write({"cV": [], "V": []}), write({})]), "--json")
    assert (nothing["statuses"], nothing["metrics"]["symbol_f"]["value"]) == ({"ok": 2}, 0)


def test_a_row_that_cannot_be_read_counts_as_wrong_and_is_listed_with_its_line(tmp_path: Path) -> None:
    right = {"cV": [[4, 12]], "V": [[56, 56]]}
    words = of_json(tmp_path, [right, right, {"cV": "four"}, right, right])
    result = command(*words)
    assert (
        "1 row cannot be read and counts as wrong:\n  told.jsonl, line 3: {'cV': 'four'} is not an answer"
        in result.stdout
    )
    found = said(*words, "--json")
    assert found["metrics"]["symbol_f"]["value"] == pytest.approx(4 / 5, abs=1e-6)
    assert found["statuses"] == {"ok": 4, "unparsable": 1}
    assert [line[:20] for line in found["unreadable"]] == ["told.jsonl, line 3: "]


def test_more_than_a_fifth_that_cannot_be_read_must_be_accepted(tmp_path: Path) -> None:
    right = {"cV": [[4, 12]], "V": [[56, 56]]}
    words = of_json(tmp_path, [right, right, {"cV": "four"}, [[1]], right])
    result = command(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith("told.jsonl, line 3: ")
    assert "2 of 5 rows cannot be read, more than a fifth" in result.stderr
    found = said(*words, "--accept-unreadable", "--json")
    assert found["metrics"]["symbol_f"]["value"] == pytest.approx(3 / 5, abs=1e-6)
    assert len(found["unreadable"]) == 2


def test_an_import_lists_what_cannot_be_read_and_keeps_it_as_wrong(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    right = {"cV": [[4, 12]], "V": [[56, 56]]}
    for name, answers in {"one": [right, right, {"cV": "four"}, right, right], "two": [right, {"cV": "four"}]}.items():
        *_, gold, _, told = of_json(tmp_path, answers)
        assert command("create", name, "--task", "agrr/resolution", "--items", gold).exit_code == 0
        words: tuple[object, ...] = ("import-run", name, told, "--from", "jsonl", "--model", "m", "--json")
        if name == "two":
            refused = command(*words)
            assert (refused.exit_code, refused.stdout) == (2, "")
            assert "1 of 2 rows cannot be read, more than a fifth" in refused.stderr
            words = (*words, "--accept-unreadable")
        found = said(*words)
        assert found["statuses"]["unparsable"] == 1
        assert len(found["unreadable"]) == 1


def test_a_number_that_could_be_two_options_refuses_the_file_however_rare_it_is(tmp_path: Path) -> None:
    asked: dict[str, object] = {"premise": "p", "question": "cause", "label": 0}
    rows = [{"id": f"i{n}", "choice1": f"a{n}", "choice2": f"b{n}", **asked} for n in range(20)]
    told = [{"id": f"i{n}", "answer": 2 if n == 7 else 0} for n in range(20)]
    gold = written(tmp_path / "gold.jsonl", rows)
    words = ("score", "rsg/parus", "--gold", gold, "--predictions", written(tmp_path / "told.jsonl", told))
    result = command(*words, "--accept-unreadable")
    assert result.exit_code == 2
    assert "line 8: 2 is none of the codes" in result.stderr
    in_place = [{**row, "label": one["answer"]} for row, one in zip(rows, told, strict=True)]
    for row in in_place:
        del row["id"]
    result = command(*words[:-1], written(tmp_path / "in_place.jsonl", in_place))
    assert result.exit_code == 2
    assert "line 8: 2 is not an answer; use one of 0, 1" in result.stderr
