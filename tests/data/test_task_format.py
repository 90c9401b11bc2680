"""The format of task files: its documentation, its schema, an example of each answer, and faults with their lines."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from app import cli
from baseline.models.prompts import messages, prompt_faults
from data.answers import answer_types
from data.catalogue.catalog import Catalogue, samples, tasks
from data.catalogue.families import FAMILY, TASKS, families
from data.catalogue.task_files import in_full, read_task, task_text, written_out
from data.catalogue.task_schema import task_schema
from data.drawing.answer_form import draw_form
from data.errors import BadFile
from data.task import PublicItem, Task, as_dict, from_dict
from data.toml_faults import TomlLines
from data.wording import languages
from docs.task_format import tasks_markdown
from eval.metrics.table import METRICS, metric_faults
from tests.helpers.described_tasks import task_from

ROOT = Path(__file__).parents[2]
HEAD = """
id = "custom/shown"
title = { ru = "Проба", en = "Trial" }
question = { ru = "Что скажете?", en = "What do you say?" }
instruction = { ru = "Прочитайте и ответьте.", en = "Read and answer." }
"""
SHOWN = {
    kind: HEAD + block
    for block in re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "tasks.md").read_text("utf8"), re.S)
    for kind in re.findall(r'\[answer\]\nkind = "(\w+)"', block)
}
CORRECTED = {
    "Right options": "Correct options",
    "a heap of words": "a jumble of words",
    "nothing to correct": "nothing needs correcting",
    "place of the gap": "position of the gap",
}
"""English words of answers that were corrected since."""
NAMES = ("libra/passkey", "libra/passkey_with_librusec", "libra/ru_sci_abstract_retrieval")
"""Tasks whose numbers are told to be names since."""
OLD = json.loads((Path(__file__).parent / "old_tasks.json").read_text("utf8"))
VALID = Draft202012Validator(task_schema(METRICS))


def test_every_kind_of_answer_has_an_example_in_the_documentation() -> None:
    lacking = sorted(set(answer_types()) - SHOWN.keys())
    assert not lacking, f"write a task with each of {lacking} into docs/tasks.md, a block of TOML with its [answer]"
    assert sorted(SHOWN) == sorted(answer_types())


@pytest.mark.parametrize("kind", answer_types())
def test_the_documented_example_of_a_kind_is_a_task_that_people_and_models_can_be_asked(kind: str) -> None:
    assert kind in SHOWN, f"docs/tasks.md has no block of TOML with [answer] and kind = {kind!r}; write one"
    values = tomllib.loads(SHOWN[kind])
    assert [error.message for error in VALID.iter_errors(values)] == []
    task = task_from(values)
    assert (task.answer.kind, set(task.metrics) - set(METRICS)) == (kind, set())
    shown = PublicItem(task.examples[0].fields)
    assert all("<" in str(draw_form(task, shown, language)) for language in languages())
    assert "Прочитайте и ответьте." in messages(task, shown)[0]["content"]
    assert task_from(tomllib.loads(task_text(task))) == task


@pytest.mark.parametrize("name", tasks())
def test_a_task_of_the_catalogue_lies_where_its_id_says_and_keeps_to_the_schema(name: str) -> None:
    written = in_full(TASKS / f"{name}.toml")
    assert written["id"] == name
    assert [error.message for error in VALID.iter_errors(written)] == []
    assert [error.message for error in VALID.iter_errors(tomllib.loads(task_text(tasks()[name])))] == []
    as_it_stands = tomllib.loads((TASKS / f"{name}.toml").read_text("utf8"))
    assert [error.message for error in VALID.iter_errors(as_it_stands)] == [], "an editor sees this file alone"
    assert list(prompt_faults(written_out(written))) == []


def test_the_schema_marks_what_the_reader_refuses() -> None:
    values = as_dict(tasks()["rsg/terra"])
    wrong: list[dict[str, Any]] = [{"idd": ""}, {"version": "1"}, {"answer": {"kind": "chose"}}, {"fields": [{}]}]
    for change in wrong:
        assert list(VALID.iter_errors(values | change)), change
        with pytest.raises(BadFile):
            task_from(values | change)


def test_what_is_wrong_in_a_file_beside_a_task_is_said_with_that_file_and_its_line(tmp_path: Path) -> None:
    task, family, variants = (tmp_path / name for name in ("one.toml", FAMILY, "one.variants.toml"))
    field = '{ name = "a", title.ru = "А", title.en = "A", kidn = "long" }'
    family.write_text(f'title = "Mine"\n\n[shared]\nmetrics = ["acuracy"]\nfields = [\n  {field},\n]\n', "utf8")
    variants.write_text('# others\n"" = ["{b} {answer_format}"]\n', "utf8")
    task.write_text(f'{HEAD}fields = ["a"]\nversion = "2"\nanswer = {{ kind = "text" }}\n', "utf8")
    said = CliRunner().invoke(cli, ["check-task", str(task), "--json"])
    found = [(one["file"], one["line"], one["problem"]) for one in json.loads(said.stdout)["problems"]]
    version = task.read_text("utf8").splitlines().index('version = "2"') + 1
    assert found == [
        ("one.toml", version, "version is '2', not a whole number"),
        (FAMILY, 4, found[1][2]),
        (FAMILY, 6, "the entry 'kidn' in field 'a' is not known; did you mean 'kind'?"),
        ("one.variants.toml", 2, found[-1][2]),
    ]
    assert "the metric 'acuracy' is not known; did you mean 'accuracy'" in found[1][2]
    assert "names 'b', which is not there" in found[-1][2]
    family.write_text('title = "Mine"\nmetrics = x\n', "utf8")
    assert f"{FAMILY}, line 2: is not TOML" in CliRunner().invoke(cli, ["check-task", str(task)]).stdout


def test_one_bad_file_of_the_catalogue_hides_no_other_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data" / "tasks" / "mine"
    folder.mkdir(parents=True)
    good, misplaced = (SHOWN["rating"].replace("custom/shown", name) for name in ("mine/good", "mine/other"))
    typed = good.replace("mine/good", "mine/typed").replace("[answer]", 'titel = "x"\n[answer]')
    texts = {"good": good, "misplaced": misplaced, "typed": typed, "broken": "id = \n"}
    for name, text in texts.items():
        (folder / f"{name}.toml").write_text(text, "utf8")
    catalogue = Catalogue(tmp_path / "data" / "tasks")
    found, faults = catalogue.readable()
    line = typed.splitlines().index('titel = "x"') + 1
    assert [task.id for task in found] == ["mine/good"]
    assert [fault.partition(": ")[0] for fault in faults] == [
        "data/tasks/mine/broken.toml, line 1",
        "data/tasks/mine/misplaced.toml",
        f"data/tasks/mine/typed.toml, line {line}",
    ]
    assert "its id is 'mine/other'; write id = \"mine/misplaced\"" in faults[1]
    assert "the entry 'titel' is not known; did you mean 'title'" in faults[2]
    monkeypatch.setattr("baseline.commands.list_tasks.tasks", lambda: catalogue)
    listed = CliRunner().invoke(cli, ["tasks", "--json"])
    said = json.loads(listed.stdout)
    assert ([task["id"] for task in said["tasks"]], said["unreadable"]) == (["mine/good"], faults)
    assert (listed.exit_code, listed.stderr.splitlines()) == (0, faults)


def test_a_family_that_only_shares_something_is_no_benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("mine", '[shared]\nlicence = "CC0"\n'), ("broken", "title ="), ("ours", 'title = "Ours"\n')):
        (tmp_path / name).mkdir()
        (tmp_path / name / FAMILY).write_text(text, "utf8")
    monkeypatch.setattr("data.catalogue.families.FOLDERS", (tmp_path,))
    families.cache_clear()
    try:
        assert {name: (one.tasks, one.printed) for name, one in families().items()} == {"ours": ((), ())}
    finally:
        families.cache_clear()


def test_only_the_task_that_is_asked_for_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(path: Path) -> Task:
        read.append(path.name)
        return read_task(path)

    monkeypatch.setattr("data.catalogue.catalog.read_task", noted)
    fresh = type(tasks())(TASKS)
    assert "rsg/terra" in fresh
    assert len(fresh) == len(list(fresh)) >= 49  # a task that is added breaks no test of the others
    assert fresh["use"] == fresh["use"] == tasks()["use"]
    assert read == ["use.toml"]


def test_a_folder_gives_its_tasks_what_they_share(tmp_path: Path) -> None:
    shared = '[shared]\nmetrics = ["em"]\nfields = [{ name = "a", title.ru = "А", title.en = "A", kind = "long" }]\n'
    (tmp_path / FAMILY).write_text(f'title = "Mine"\n{shared}', "utf8")
    (tmp_path / "one.toml").write_text(f'{HEAD}fields = ["a"]\nanswer = {{ kind = "text" }}', "utf8")
    (tmp_path / "one.variants.toml").write_text('"" = ["{a} {answer_format}"]', "utf8")
    changed = 'fields = [{ name = "a", kind = "plain" }]\nmetrics = ["rouge_l"]\n'
    (tmp_path / "two.toml").write_text(f'{HEAD}{changed}answer = {{ kind = "text" }}', "utf8")
    one, two = read_task(tmp_path / "one.toml"), read_task(tmp_path / "two.toml")
    assert (one.metrics, one.fields[0].kind, one.variants) == (("em",), "long", {"": ("{a} {answer_format}",)})
    assert (two.metrics, two.fields[0].kind, two.fields[0].title.within("ru")) == (("rouge_l",), "plain", "А")


def test_everything_that_is_wrong_is_said_at_once_with_its_line(tmp_path: Path) -> None:
    good = (TASKS / "rsg" / "terra.toml").read_text("utf8")
    bad = good.replace('name = "hypothesis",', 'name = "hypothesis", kidn = "long",').replace(
        'metrics = ["accuracy"]', 'metrics = ["acuracy"]\nfile_format = "rucs"'
    )
    bad = bad.replace("train = 2616", 'train = "2616"').replace("Утверждение: {hypothesis}", "{hipothesis}")
    file = tmp_path / "bad.toml"
    file.write_text(bad, "utf8")
    lines = bad.splitlines()
    said = CliRunner().invoke(cli, ["check-task", str(file), "--json"])
    found = [(one["line"], one["problem"]) for one in json.loads(said.stdout)["problems"]]
    wanted = [
        ('name = "hypothesis"', "the entry 'kidn' in field 'hypothesis' is not known; did you mean 'kind'?"),
        ('prompt.ru = """', "its prompt names 'hipothesis', which is not there"),
        ("metrics = [", "the metric 'acuracy' is not known; did you mean 'accuracy'"),
        ("file_format = ", "file format 'rucs' is not known; did you mean 'rucos'"),
        ('train = "2616"', "splits.train is '2616', not a whole number"),
    ]
    assert said.exit_code == 2
    for (line, problem), (start, words) in zip(found, wanted, strict=True):
        assert start in lines[line - 1]
        assert words in problem
    plain = CliRunner().invoke(cli, ["check-task", str(file)]).stdout
    assert f"bad.toml, line {found[0][0]}: the entry 'kidn'" in plain
    file.write_text("id = [", "utf8")
    assert "is not TOML" in CliRunner().invoke(cli, ["check-task", str(file)]).stdout
    file.write_text(good, "utf8")
    passed = CliRunner().invoke(cli, ["check-task", str(file)])
    assert (passed.exit_code, passed.stdout) == (0, "bad.toml: a task that can be asked\n")


@pytest.mark.parametrize(
    "metric",
    ["symbol_f", "f1a", "grade_norm", "rouge_l", "count_score", "use_points", "entity_f1", "question_em", "f1"],
)
def test_a_metric_that_cannot_score_the_answers_is_named_with_those_that_can(tmp_path: Path, metric: str) -> None:
    file = tmp_path / "bad.toml"
    terra = (TASKS / "rsg" / "terra.toml").read_text("utf8").replace('\nofficial = ["accuracy"]', "")
    bad = terra.replace('metrics = ["accuracy"]', f'metrics = ["{metric}"]')
    file.write_text(bad, "utf8")
    said = CliRunner().invoke(cli, ["check-task", str(file), "--json"])
    (found,) = json.loads(said.stdout)["problems"]
    assert bad.splitlines()[found["line"] - 1] == f'metrics = ["{metric}"]'
    assert found["problem"].startswith(f"the metric {metric!r} cannot score this task: ")
    assert found["problem"].endswith("; use accuracy, macro_f1, macro_precision, macro_recall, mcc, em")


@pytest.mark.parametrize("name", tasks())
def test_every_metric_that_fits_the_answers_of_a_task_scores_its_gold(name: str) -> None:
    task = tasks()[name]
    assert list(metric_faults({"metrics": task.metrics, "published": task.published}, task.answer, names(task))) == []
    items = [item for item in samples(task) if item.gold is not None][:5]
    for metric in METRICS.values():
        if not metric.scores.lacking(task.answer, names(task)) and metric.of_answer and not metric.written:
            for item in items:
                right = task.answer_for(item.fields).best(str(item.gold), item.fields)
                assert metric.of_answer(task.answer, item.fields, str(item.gold), right)


def names(task: Task) -> list[str]:
    return [one.name for one in task.fields]


def test_a_task_that_contradicts_itself_in_several_ways_is_told_all_of_them(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(SHOWN["rating"].replace('metrics = ["accuracy"]', 'metrics = []\ncluster = "x"'), "utf8")
    said = CliRunner().invoke(cli, ["check-task", str(file)]).stdout
    assert "name at least one metric" in said
    assert "there is no field 'x'" in said


def test_the_line_of_a_value_is_found_in_tables_rows_and_long_texts() -> None:
    rows = "rows = [\n  { b = 1 },\n  { b = 2, c.d = 3 },\n]\n"
    text = f'# one\na = """\nx\n"""\n{rows}\n[t]\n# two\ne = [\n 1,\n 2]\n[[u]]\n[[u]]\nf = 1\n'
    lines = TomlLines(text)
    ways: dict[tuple[str | int, ...], int | None] = {
        ("a",): 2, ("rows",): 5, ("rows", 0, "b"): 6, ("rows", 1, "c", "d"): 7, ("t",): 10, ("t", "e"): 12,
        ("u", 0): 15, ("u", 1): 16, ("u", 1, "f"): 17, ("u", 1, "gone"): 16, ("gone",): None, (): None,
    }  # fmt: skip
    assert {way: lines.of(way) for way in ways} == ways


@pytest.mark.parametrize("stored", OLD, ids=lambda stored: str(stored["id"]))
def test_tasks_that_studies_stored_before_are_read_as_they_were(stored: dict[str, Any]) -> None:
    task = from_dict(stored)
    renamed = {"file_format" if name == "shape" else name: value for name, value in stored.items()}
    assert json.dumps(as_dict(task)) == json.dumps(renamed)
    text = json.dumps(stored["answer"])
    for before, now in CORRECTED.items():
        text = text.replace(json.dumps(before), json.dumps(now))
    answer = json.loads(text) | ({"name": True} if task.id in NAMES else {})
    assert from_dict({**stored, "answer": answer}).answer == tasks()[task.id].answer


def test_a_task_is_printed_as_a_file_with_nothing_left_out() -> None:
    printed = CliRunner().invoke(cli, ["tasks", "agrr/full", "--toml"]).stdout
    assert task_from(tomllib.loads(printed)) == tasks()["agrr/full"]
    assert "family" not in printed
    assert json.loads(CliRunner().invoke(cli, ["tasks", "--schema"]).stdout) == task_schema(METRICS)
    refused = CliRunner().invoke(cli, ["tasks", "--toml"])
    assert (refused.exit_code, "--toml prints one task" in refused.stderr) == (2, True)


def test_every_key_of_the_format_has_its_default_and_an_example_in_the_documentation() -> None:
    rows = [one.strip("| ").split(" | ") for one in tasks_markdown().splitlines() if one.startswith("| `")]
    assert [row[0] for row in rows if len(row) != 5 or not all(cell.strip() for cell in row)] == []
