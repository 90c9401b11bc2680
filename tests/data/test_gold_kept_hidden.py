"""What looks like a right answer is not shown to people unasked, and what is shown and tells it is named."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli
from data.answers.choice import Choice
from data.catalogue.catalog import samples, tasks
from data.catalogue.task_files import task_text
from data.files.rows import Row
from data.gold_leaks import leaks, named_like_gold
from data.own_table import spelled_alike, suggested_mapping
from data.task import Field, Item, Task
from data.wording import Wording, same
from tests.helpers.collection import TASK

RUNNER = CliRunner()


def uses(*rows: dict[str, str]) -> dict[str, str]:
    found = suggested_mapping("t", [Row(line, values) for line, values in enumerate(rows, 2)])
    return {column.name: column.use for column in found.columns}


@pytest.mark.parametrize(
    "name",
    ["Метка эксперта / gold", "goldLabel", "Ответ", "эталон", "expert_1", "TARGET", "разметка", "Верный вариант"],
)
def test_columns_called_like_right_answers_are_known_by_their_names(name: str) -> None:
    assert named_like_gold(name)
    found = uses({"text": "а", name: "x"}, {"text": "б", name: "y"}, {"text": "в", name: "x"})
    assert found == {"text": "shown", name: "gold"}


@pytest.mark.parametrize("name", ["text", "Текст отзыва (полный)", "вернулся ли", "ответчик", "тема"])
def test_other_columns_are_not(name: str) -> None:
    assert not named_like_gold(name)


def test_of_two_such_columns_none_is_gold_and_none_is_shown() -> None:
    rows = [{"text": f"т{n}", "эталон": "да", "вердикт эксперта": "нет"} for n in range(3)]
    assert uses(*rows) == {"text": "shown", "эталон": "hidden", "вердикт эксперта": "hidden"}


def test_a_column_that_says_the_same_as_the_gold_or_as_an_option_is_not_shown() -> None:
    rows = [{"text": f"т{n}", "label": label, "copy": f" {label.upper()}"} for n, label in enumerate("abab")]
    assert uses(*rows)["copy"] == "hidden"
    options = [{"text": f"т{n}", "A": f"x{n}", "B": f"y{n}", "chosen": f"{'xy'[n % 2]}{n}"} for n in range(4)]
    assert uses(*options) == {"text": "shown", "A": "option", "B": "option", "chosen": "hidden"}
    same = [{"text": f"т{n}", "label": "a", "unit": "a"} for n in range(4)]
    assert uses(*same)["unit"] == "shown"  # the same everywhere tells nobody anything


def test_no_task_of_the_catalogue_shows_its_gold() -> None:
    found = {task.id: [str(leak) for leak in leaks(task, samples(task))] for task in tasks().values()}
    assert {name: told for name, told in found.items() if told} == {}


def leaking() -> Task:
    fields = (*TASK.fields, Field("verdict", Wording(ru="Вердикт", en="Verdict")))
    return replace(TASK, fields=fields)


def test_a_field_that_shows_the_answer_in_words_or_labels_is_named_with_how_often() -> None:
    said = ["Красный", "green", "КРАСНЫЙ ", "зеленый", "?"]
    items = [
        Item(str(n), {"thing": f"т{n}", "verdict": words}, ["red", "green"][n % 2]) for n, words in enumerate(said[:4])
    ]
    (leak,) = leaks(leaking(), items)
    assert str(leak) == "'verdict' is shown to people and holds the right answer of 4 of 4 items"
    assert leaks(leaking(), [*items, *(Item(f"o{n}", {"thing": "т", "verdict": "?"}, "red") for n in range(2))]) == []


@pytest.mark.parametrize(("unsaid", "told"), [(1, ["holds the right answer of 9 of 10 items"]), (2, [])])
def test_a_field_that_tells_nine_of_ten_right_answers_is_named(unsaid: int, told: list[str]) -> None:
    golds = ["red", "green"] * 5
    said = ["?"] * unsaid + golds[unsaid:]
    items = [
        Item(str(n), {"thing": f"т{n}", "verdict": word}, gold)
        for n, (word, gold) in enumerate(zip(said, golds, strict=True))
    ]
    assert [leak.why for leak in leaks(leaking(), items)] == told


def test_check_names_such_a_field_and_saves_all_problems(tmp_path: Path) -> None:
    task = tmp_path / "own.toml"
    task.write_text(
        task_text(
            replace(
                leaking(),
                fields=(Field("text", same("Text")), Field("verdict", same("Verdict"))),
                answer=Choice(choices={"yes": same("да"), "no": same("нет")}),
            )
        ),
        "utf8",
    )
    items = tmp_path / "items.csv"
    lines = [f"т{n},{label},{label}" for n, label in enumerate(["yes", "no"] * 3)]
    items.write_text("\n".join(["text,verdict,label", *lines, *(f"х{n},a,maybe" for n in range(3))]), "utf8")
    saved = tmp_path / "problems.csv"
    done = RUNNER.invoke(cli, ["check", str(task), str(items), "--to", str(saved)])
    assert "'verdict' is shown to people and holds the right answer of 6 of 6 items" in done.stdout, done.output
    assert done.stdout.count("'maybe' is not an answer") == 3
    assert [line.split(",")[1] for line in saved.read_text("utf-8-sig").splitlines()] == ["line", "8", "9", "10"]


def test_create_warns_of_such_a_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    task, items = tmp_path / "own.toml", tmp_path / "items.csv"
    task.write_text(task_text(leaking()), "utf8")
    lines = [f"т{n},{label},{label}" for n, label in enumerate(["red", "green"] * 3)]
    items.write_text("\n".join(["thing,verdict,label", *lines]), "utf8")
    done = RUNNER.invoke(cli, ["create", "own", "--task", str(task), "--items", str(items)])
    assert done.exit_code == 0, done.output
    assert "'verdict' is shown to people and holds the right answer of 6 of 6 items: people may copy it" in done.stderr


def test_labels_that_differ_only_in_their_spelling_are_offered_and_no_others() -> None:
    assert spelled_alike(["Да", "да", "ещё", "Еще ", "нет", "н е т"]) == {"да": "Да", "Еще ": "ещё"}
