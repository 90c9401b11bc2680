"""Generated items: the same seed makes the same file, texts are as long as asked for, the key is there once."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app import cli
from data.catalogue.catalog import get_task
from data.errors import BadSetting, UnknownName
from data.files.item_files import check_items
from data.generators import generated, generator_of
from data.generators.generator import FERTILITY, as_line, lengths_of, records
from data.generators.haystack import scenes, words_in

LENGTHS = "4k,8k,16k,32k,64k,128k"
LONGEST_SENTENCE = 20


def made(lengths: str, *, per_length: int = 2, seed: int = 1, name: str = "libra/passkey", **more: Any) -> list[Any]:
    draw = generator_of(name).draw
    return list(records(name, draw, lengths=lengths_of(lengths), per_length=per_length, seed=seed, **more))


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def test_the_same_seed_makes_the_same_bytes_and_another_seed_does_not(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.jsonl", "two.jsonl", "other.jsonl")]
    for file, seed in zip(files, (7, 7, 8), strict=True):
        asked = ("--lengths", "4k,8k", "--per-length", 3, "--seed", seed, "--to", file)
        assert run("generate", "libra/passkey", *asked).exit_code == 0
    one, two, other = (file.read_bytes() for file in files)
    assert one == two != other
    assert one.count(b"\n") == 6


def test_a_record_does_not_depend_on_how_many_others_are_made() -> None:
    alone = {record["id"]: record for record in made("8k", per_length=1)}
    together = {record["id"]: record for record in made("4k,8k,16k", per_length=5)}
    assert len(together) == 15
    assert alone.items() <= together.items()


@pytest.mark.parametrize("fertility", [FERTILITY, 2.15])
def test_texts_are_as_long_as_asked_for_or_a_sentence_shorter(fertility: float) -> None:
    for record in made(LENGTHS, per_length=1, fertility=fertility):
        (tokens,) = lengths_of(record["length"]).values()
        missing = int(tokens / fertility) - words_in(record["context"])
        assert 0 <= missing <= LONGEST_SENTENCE


def test_128_thousand_tokens_are_about_half_a_megabyte() -> None:
    (record,) = made("128k", per_length=1)
    assert 450_000 < len(record["context"].encode()) < 600_000


def test_the_key_is_the_only_number_and_stands_there_once() -> None:
    for record in made("4k,32k", per_length=20):
        assert re.findall(r"\d+", record["context"]) == record["positive_outputs"]
        assert len(re.findall("ключ", record["context"], re.IGNORECASE)) == 1


def test_the_key_stands_at_the_depth_that_the_record_tells_and_anywhere_over_the_text() -> None:
    depths = []
    for record in made("16k", per_length=60):
        before = record["context"].split(f"Запомните: ключ доступа — {record['positive_outputs'][0]}")[0]
        depths.append(words_in(before) / words_in(record["context"]))
        assert depths[-1] == pytest.approx(record["depth"], abs=0.01)
    assert min(depths) < 0.1
    assert max(depths) > 0.9
    assert 0.4 < sum(depths) / len(depths) < 0.6


def test_a_family_asks_the_same_question_at_every_length_in_texts_of_its_own() -> None:
    families: dict[str, list[Any]] = {}
    for record in made("4k,8k,16k", per_length=4):
        families.setdefault(record["family"], []).append(record)
    assert len(families) == 4
    for family in families.values():
        assert [record["length"] for record in family] == ["4k", "8k", "16k"]
        assert len({(record["positive_outputs"][0], record["depth"]) for record in family}) == 1
        assert len({record["context"][:200] for record in family}) == 3
    assert len({family[0]["positive_outputs"][0] for family in families.values()}) == 4


def test_the_text_is_not_one_stretch_over_and_over() -> None:
    (record,) = made("128k", per_length=1)
    sentences = re.split(r"(?<=\.)\s", record["context"])
    assert len(set(sentences)) > 0.9 * len(sentences) > 3000
    assert record["context"].count("\n") > 500


def test_every_part_of_the_grammar_has_a_form_for_each_gender_and_no_digit() -> None:
    for scene in scenes():
        for name, parts in scene.items():
            assert len(parts) == len(set(parts)) >= 3
            forms = 3 if name in ("kind", "does") else 1
            assert [part for part in parts if len(part.split("|")) != forms] == []
            assert not re.search(r"\d|ключ|\s\s", " ".join(parts), re.IGNORECASE)


def test_the_published_recipe_repeats_a_short_stretch_and_says_the_key_twice() -> None:
    draw = generator_of("libra/passkey").as_published
    assert draw
    (record,) = records("libra/passkey", draw, lengths=lengths_of("8k"), per_length=1, seed=1)
    sentences = re.split(r"(?<=\.)\s", str(record["context"]))
    assert len(set(sentences)) == 4 + 2
    (key,) = made("8k", per_length=1)[0]["positive_outputs"]
    assert record["positive_outputs"] == [key]
    assert re.findall(r"\d+", str(record["context"])) == [key, key]


@pytest.mark.parametrize("name", generated())
def test_what_a_generator_makes_is_read_by_its_task_without_a_problem(name: str, tmp_path: Path) -> None:
    file = tmp_path / "made.jsonl"
    lines = [as_line(record) for record in made("500,4k", per_length=3, name=name)]
    file.write_text("".join(lines), "utf8")
    items, problems = check_items(file, get_task(name), role="control")
    assert problems == []
    assert [item.id for item in items] == [json.loads(line)["id"] for line in lines]
    assert [item.fields["context"] for item in items] == [json.loads(line)["context"] for line in lines]


def test_the_file_goes_through_check_and_create(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'etalon.db'}")
    file = tmp_path / "passkey.jsonl"
    told = run("generate", "libra/passkey", "--lengths", "4k,128k", "--per-length", 2, "--seed", 1, "--to", file)
    assert (told.exit_code, told.stdout) == (0, "")
    assert told.stderr == "passkey.jsonl: 4 items, 2 of each length\n"
    checked = run("check", "libra/passkey", file)
    read, *lengths = checked.stdout.splitlines()
    assert (checked.exit_code, read) == (0, "passkey.jsonl: 4 items can be used, 4 of them with gold")
    assert lengths == [f"{one}: 2 items, 198 fewer than the published 200" for one in ("4k", "128k")]
    assert run("create", "long", "--task", "libra/passkey", "--items", file).exit_code == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["libra/pasky", "--lengths", "4k"], "the generator 'libra/pasky' is not known; did you mean 'libra/passkey'"),
        (["libra/passkey", "--lengths", "4z"], "--lengths: '4z' is not a length; write them like 4k,8k,128k"),
        (["libra/passkey", "--lengths", ""], "--lengths: '' is not a length; write them like 4k,8k,128k"),
        (["libra/passkey", "--lengths", "4k,4000"], "--lengths: '4000' stands there twice; give each length once"),
        (["libra/passkey", "--lengths", "5000k"], "--lengths: '5000k' is out of bounds; use 300 to 1000k tokens"),
        (["libra/passkey", "--lengths", "4k", "--fertility", 0.1], "--fertility: 0.1 tokens a word is out of bounds"),
    ],
)
def test_a_mistake_is_one_sentence_and_leaves_the_file_alone(
    words: list[object], sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "kept.jsonl"
    file.write_text("kept", "utf8")
    told = run("generate", *words, "--per-length", 1, "--to", file)
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.startswith(sentence)
    assert told.stderr.count("\n") == 1
    assert file.read_text("utf8") == "kept"


def test_no_items_of_a_length_are_refused() -> None:
    with pytest.raises(BadSetting, match="--per-length: 0 makes no items; use 1 or more"):
        made("4k", per_length=0)
    with pytest.raises(UnknownName):
        generator_of("rsg/parus")
