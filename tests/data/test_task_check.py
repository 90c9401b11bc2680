"""`check-task`: everything that is wrong at once, each thing at its line, and what a copy has left behind."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from app import cli
from data.catalogue.families import FAMILY, TASKS
from data.catalogue.task_schema import family_schema, task_schema
from data.files.toml_files import read_toml
from data.generators import GENERATORS
from data.submissions import FORMATS
from data.wording import languages
from eval.metrics.table import METRICS

MANY = """
id = "custom/many"
title = "TERRa"
question = { ru = "Да?", eng = "Yes?" }
instruction.ru = "Читайте."
version = "2"
metrics = ["accuracy", 5]
cluster = "nothere"
prompt = "{premise} {zzz}"
variants = [
  "{premise}",
  "{premise} {yyy}",
]
fields = [
  { name = "premise", title.ru = "Текст", kidn = "long" },
  { name = "hypothesis", title.ru = "Утверждение", kind = "lng" },
]
[choices]
yes.ru = "Да"
[answer]
kind = "choice"
choices.a.ru = "Да"
choices.b.ru = "Да "
[splits]
train = -1
test = "5"
[[examples]]
fields = { premise = "a", hypotesis = "b" }
answer = "a"
explanation.ru = "x"
[[examples]]
fields = { premise = "a", hypothesis = "b" }
answer = "c"
[[examples]]
fields = { premise = "a" }
answer = "b"
explanation.ru = "x"
"""
WRONG = [
    ('title = "TERRa"', 'title is \'TERRa\', not a text in each language: title.ru = "…", title.en = "…"'),
    ("question", "question: the language 'eng' is not known; did you mean 'en'?"),
    ("version", "version is '2', not a whole number"),
    ("metrics", "metric 2 is 5, not a text"),
    ("cluster", "there is no field 'nothere'"),
    ("prompt", "its prompt names 'zzz'"),
    ('  "{premise} {yyy}"', "its prompt names 'yyy'"),
    ('  { name = "premise"', "the entry 'kidn' in field 'premise' is not known; did you mean 'kind'?"),
    ('  { name = "hypothesis"', "kind of field 'hypothesis' is 'lng', not one of 'plain', "),
    ("[choices]", "the entry 'choices' belongs to the answer: write answer.choices, or it below [answer]"),
    ("choices.b", "'a' and 'b' are both read as 'Да '"),
    ("train", "splits.train is -1; a number of items is 0 or more"),
    ("test", "splits.test is '5', not a whole number"),
    ("fields = { premise", "the field 'hypotesis' is not known; did you mean 'hypothesis'"),
    ("[[examples]]", "'explanation' is missing in example 2"),
    ("answer", "the answer 'c' of an example does not fit it"),
    ("fields = { premise", "an example needs all the fields; it lacks hypothesis"),
]


def problems(file: Path | str) -> list[tuple[int, str]]:
    """Return what the command says of a task: lines and sentences."""
    said = CliRunner().invoke(cli, ["check-task", str(file), "--json"])
    return [(one["line"], one["problem"]) for one in json.loads(said.stdout)["problems"]]


def test_one_mistake_hides_no_other_and_each_is_told_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "many.toml"
    file.write_text(MANY, "utf8")
    told, lines = problems(file), MANY.splitlines()
    assert [lines[line - 1][: len(start)] for (line, _), (start, _) in zip(told, WRONG, strict=True)] == [
        start for start, _ in WRONG
    ]
    assert [words for (_, problem), (_, words) in zip(told, WRONG, strict=True) if words not in problem] == []


def test_other_wordings_by_a_field_need_its_name(tmp_path: Path) -> None:
    file = tmp_path / "task.toml"
    rating = CliRunner().invoke(cli, ["tasks", "own/rating", "--toml"]).stdout
    file.write_text(rating.replace('\n"" = [', "\nx = ["), "utf8")
    ((_, problem),) = problems(file)
    assert problem == "the wordings under 'x' are asked for by nothing; name the field of that value in variants_by"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('id = "a"\nid = "b"\n', 2, "is not TOML; id: it is set twice; keep one of the two"),
        ('id = "a"\ntitle.ru = \n', 2, "is not TOML; title.ru: a value is missing"),
        ('id = "a\nversion = 1\n', 1, 'is not TOML; id: the " at the end of the text is missing'),
        ('id = "a "b" c"\n', 1, 'is not TOML; id: something stands behind the value; " within a text is written \\"'),
        ('id = "a"\ntitle.ru = """a\n', 2, "is not TOML; title.ru: the quotation marks at the end"),
        ("[answer]\na = 1\n[answer]\n", 3, "is not TOML; this table stands twice; join the two"),
    ],
)
def test_what_is_no_toml_is_said_with_its_line_its_key_and_what_to_write(
    tmp_path: Path, text: str, line: int, words: str
) -> None:
    file = tmp_path / "task.toml"
    file.write_text(text, "utf8")
    ((found, problem),) = problems(file)
    assert (found, problem[: len(words)]) == (line, words)


def test_a_task_of_the_catalogue_is_checked_by_its_id() -> None:
    assert problems("rsg/terra") == []
    refused = CliRunner().invoke(cli, ["check-task", "rsg/tera"])
    assert (refused.exit_code, "task 'rsg/tera' is not known; did you mean 'rsg/terra'" in refused.stderr) == (2, True)


def test_a_copy_out_of_its_folder_is_told_what_it_left_and_how_to_print_it_whole(tmp_path: Path) -> None:
    for name in ("agrr/binary", "use"):
        shutil.copy(TASKS / f"{name}.toml", tmp_path)
    assert all(
        "is only named; what it is has to stand in [shared]" in said for _, said in problems(tmp_path / "binary.toml")
    )
    note = CliRunner().invoke(cli, ["check-task", str(tmp_path / "use.toml")]).stderr
    assert note.startswith("use.toml lacks variants, which files beside the task 'use' of the catalogue give it; ")
    assert "python app.py tasks use --toml" in note
    printed = CliRunner().invoke(cli, ["tasks", "agrr/binary", "--toml"]).stdout
    (tmp_path / "binary.toml").write_text(printed, "utf8")
    assert CliRunner().invoke(cli, ["check-task", str(tmp_path / "binary.toml")]).output == (
        "binary.toml: a task that can be asked\n"
    )


def test_texts_without_words_in_a_language_of_the_task_are_named_to_its_translator(tmp_path: Path) -> None:
    file = tmp_path / "task.toml"
    printed = CliRunner().invoke(cli, ["tasks", "own/rating", "--toml"]).stdout
    file.write_text(re.sub(r"(\[question]\nru = .*\n)en = .*\n", r"\1", printed), "utf8")
    assert CliRunner().invoke(cli, ["check-task", str(file)]).stderr == "task.toml: not in English yet: question\n"


def test_what_a_folder_says_of_its_benchmark_is_checked_with_its_tasks(tmp_path: Path) -> None:
    shutil.copy(TASKS / "own" / "rating.toml", tmp_path)
    (tmp_path / FAMILY).write_text('title = "Mine"\nsorce = "x"\n[notes]\nfew = "few"\n', "utf8")
    each = ", ".join(f'few.{language} = "…"' for language in languages())
    assert problems(tmp_path / "rating.toml") == [
        (2, "the entry 'sorce' is not known; did you mean 'source', 'shared'?"),
        (4, f"notes.few is 'few', not a text in each language: {each}"),
    ]


def test_the_schemas_know_every_metric_format_and_language_and_the_folders_keep_to_theirs() -> None:
    schema, families = task_schema(METRICS), Draft202012Validator(family_schema(METRICS, GENERATORS, FORMATS))
    assert schema["properties"]["metrics"]["items"]["enum"] == sorted(METRICS)
    assert tuple(schema["properties"]["title"]["properties"]) == languages()
    valid = Draft202012Validator(schema)
    terra = read_toml(TASKS / "rsg" / "terra.toml")
    assert list(valid.iter_errors(terra)) == []
    unknown: list[dict[str, Any]] = [{"metrics": ["acuracy"]}, {"file_format": "rucs"}, {"title": {"rus": "Слова"}}]
    for wrong in (*unknown, {"question": {}}, {"splits": {"test": -1}}):
        assert list(valid.iter_errors(terra | wrong)), wrong
    files = {path: read_toml(path) for path in TASKS.glob(f"*/{FAMILY}")}
    assert [(path, error.message) for path, values in files.items() for error in families.iter_errors(values)] == []
    mine = files[TASKS / "use" / FAMILY]
    for change in ({"sorce": "x"}, {"shared": {"metrics": ["x"]}}, {"generators": {"use": "x"}}):
        assert list(families.iter_errors(mine | change)), change
    assert list(families.iter_errors(mine | {"submission": mine["submission"] | {"format": "merra"}}))
    said = CliRunner().invoke(cli, ["tasks", "--family-schema"]).stdout
    assert json.loads(said) == family_schema(METRICS, GENERATORS, FORMATS)
