"""A file's number of items is told beside the published one."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli
from data.catalogue.catalog import get_task
from data.commands.check_files import compared_with_published
from data.task import Item


def items(number: int, **fields: str) -> list[Item]:
    return [Item(str(place), fields) for place in range(number)]


def test_a_whole_split_is_recognised_and_another_number_is_held_against_the_nearest() -> None:
    terra = get_task("rsg/terra")
    published = "published: train 2616, val 307, test 3198; this file has"
    assert compared_with_published(terra, items(307)) == [f"{published} as many as val"]
    assert compared_with_published(terra, items(306)) == [f"{published} 1 fewer than val"]
    assert compared_with_published(terra, items(3200)) == [f"{published} 2 more than test"]
    assert compared_with_published(terra, []) == []


def test_long_texts_are_counted_by_length() -> None:
    passkey = get_task("libra/passkey")
    read = [*items(200, length="4k"), *items(3, length="8k"), *items(1, length="500")]
    assert compared_with_published(passkey, read) == [
        "4k: 200 items, as published",
        "8k: 3 items, 197 fewer than the published 200",
        "500: 1 items; nothing is published of that length",
    ]


def test_a_task_of_ones_own_has_nothing_published() -> None:
    assert compared_with_published(get_task("own/rating"), items(5)) == []


@pytest.mark.parametrize(
    ("task", "file"),
    [
        ("ellipsis", "ellipsis.csv"),
        ("rudabank", "rudabank.csv"),
        ("disrpt", "disrpt.json"),
        ("coref_anaphora", "coref__anaph_ref_choice_questions.json"),
        ("coref_nps", "coref__are_NPs_coref.json"),
        ("idiom_literal", "idiom_literal.json"),
        ("idiom_meaning", "idiom_two_meanings.json"),
        ("idiom_texts", "idiom_three_texts.json"),
    ],
)
def test_the_real_files_of_ruscontext_are_as_large_as_published(shared: Path, task: str, file: str) -> None:
    told = CliRunner().invoke(cli, ["check", f"ruscontext/{task}", str(shared / "ruscontext" / file)])
    assert told.exit_code == 0, told.output
    assert "this file has as many as test" in told.stdout


def test_the_real_dev_file_of_agrr_is_as_large_as_published(shared: Path) -> None:
    told = CliRunner().invoke(cli, ["check", "agrr/full", str(shared / "agrr" / "dev.csv")])
    assert "this file has as many as dev" in told.stdout
