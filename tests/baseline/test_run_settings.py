"""A setting of a run is declared once, a provider of models is one file and one row; a study is read once for a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from sqlalchemy import Engine, event
from typer.testing import CliRunner

from app import cli
from baseline.models.model import Model
from baseline.models.providers import EXAMPLES, PROVIDERS
from baseline.pages.model_jobs import Running
from baseline.pages.models_service import ModelsService
from baseline.runs.run_settings import SETTINGS, run_settings, settings_again
from data.errors import BadSetting, UnknownName
from tests.helpers.asking_models import ITEMS, chat, model_named, new_study, run
from tests.helpers.changed_program import add_row, copied_program, printed_by
from tests.helpers.collection import TASK
from tests.helpers.model_server import ModelServer

ROOT = Path(__file__).parents[2]
PROVIDER_ROWS = "baseline/models/providers.py"
OPTIONS = """
--model --train --corpus --base-url --limit --samples --prompts --prompt-variant --prompt-variants --shots --context
--fertility --as-published --structured --concurrency --temperature --max-tokens --reasoning-effort --param --seed
--fresh --prices --max-cost --dry-run --json
"""
"""What `run` had before its settings were declared."""
ECHO = '''"""Says a word as often as it is told to."""

from baseline.models.model import Kind, Model, ModelContext, Question
from baseline.models.reply import Reply
from baseline.models.run_fields import FILES, NoSettings
from data.declared import Asked, setting


class EchoSettings(NoSettings):
    """How often the word is said."""

    times: int = setting(Asked(FILES, option="--times"), 1, "Times", "How often it is said", ge=1)


class Echo(Model):
    """A model that says its name and how often it was to be said."""

    kind: Kind = "model"

    def __init__(self, name: str, settings: EchoSettings, context: ModelContext) -> None:
        self.name, self.settings = name, {"times": settings.times, "keyed": context.key == "a secret"}

    async def reply(self, question: Question) -> Reply:
        return Reply("1" * self.settings["times"])
'''
ROW = 'Provider("echo", "An echo", "baseline.models.echo:Echo", EchoSettings, key="ECHO_KEY", named=True),\n        '
NEW_FIELDS = """    mood: str = asked("mood", "")
    note: str = asked("note", "")
    loud: bool = asked("loud", False)
"""
NEW_WORDS = """["How much".mood]
title = "Mood"
option = "--mood"

["How much".note]
title = "Note"
option = "--note"
stored = "beside"

["How much".loud]
title = "Loud"
option = "--loud"

"""
SCRIPT = """
import json, sqlite3
from typer.testing import CliRunner
import gradio as gr
from app import cli
from baseline.pages.run_form import RunForm, visible_fields
from baseline.runs.run_settings import settings_again
from db.engine import opened, reading
from db.runs import list_runs
from db.settings import Settings
from db.studies import get_study

def said(*words):
    result = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout

said("create", "s", "--task", "rsg/parus", "--items", "data/samples/rsg/parus/main.jsonl")
made = json.loads(said("run", "s", "--model", "echo:loud", "--times", "3", "--limit", "2", "--json"))
again = json.loads(said("run", "s", "--model", "echo:loud", "--set", "times=3", "--limit", "2", "--dry-run", "--json"))
with gr.Blocks():
    form = RunForm()
    seen = [visible_fields(form, name)[form.fields["times"]]["visible"] for name in ("echo", "openai")]
field = form.fields["times"]
of_provider = [made["model"], made["statuses"], again["answers"], seen, field.label, field.info]

def ran(*words):
    return json.loads(said("run", "s", "--model", "echo:loud", "--limit", "2", "--json", *words))["run"]

def cut_off():
    with sqlite3.connect("e.db") as connection:
        connection.execute("UPDATE run SET status = 'incomplete'")

def stored():
    with opened(Settings().database) as database, reading(database) as session:
        return list_runs(session, study=get_study(session, name="s"))

numbers = [ran("--mood", "calm", "--note", "one")]
first = stored()[0]
cut_off()
numbers += [ran("--mood", "calm", "--note", "one"), ran("--mood", "angry")]
cut_off()
numbers += [ran("--mood", "angry", "--note", "two"), ran()]
assert "mood" not in stored()[0].settings
again = settings_again(first)
kept = {name: first.settings[name] for name in ("mood", "note", "fresh")}
print(json.dumps([of_provider, [
    numbers, kept, [again.mood, again.note == ""], [form.fields[one].label for one in ("mood", "note")],
    [type(form.fields["loud"]).__name__, form.fields["loud"].value],
]]))
"""

PARROT = (
    ECHO.replace("Echo", "Parrot")
    .replace("import FILES, NoSettings", "import NoSettings, RunField")
    .replace("from data.declared import Asked, setting", "from data.declared import setting")
    .replace(
        'int = setting(Asked(FILES, option="--times"), 1, "Times", "How often it is said", ge=1)',
        'float = setting(RunField("Voice", option="--times", phrase="said {} s apart"), 1, "Seconds", ge=0, le=1)',
    )
    .replace('return Reply("1" * self.settings["times"])', 'return Reply("")')
)
PARROT_ROW = ROW.replace("echo", "parrot").replace("Echo", "Parrot").replace("An echo", "A parrot")
SAME_NAME = """
import json
from pathlib import Path
from typer.testing import CliRunner
import gradio as gr
from app import cli
from baseline.pages.run_form import FIELDS, RunForm, visible_fields
from baseline.runs.run_settings import setting_key
from baseline.models.providers import PROVIDERS
from baseline.runs.run_settings import told_settings
from db.engine import opened, reading
from db.runs import list_runs
from db.settings import Settings
from db.studies import get_study

def said(*words, code=0):
    result = CliRunner().invoke(cli, list(words), catch_exceptions=False, env={"COLUMNS": "200"})
    assert result.exit_code == code, result.stderr
    return result.stdout if code == 0 else result.stderr

said("create", "s", "--task", "rsg/parus", "--items", "data/samples/rsg/parus/main.jsonl")
asked = ("run", "s", "--limit", "2", "--json", "--model")
made = [json.loads(said(*asked, "echo:a", "--times", "3")), json.loads(said(*asked, "parrot:b", "--times", "0.5"))]
refused = said(*asked, "parrot:b", "--times", "7", code=2)
with opened(Settings().database) as database, reading(database) as session:
    runs = list_runs(session, study=get_study(session, name="s"))[::-1]
keys = [setting_key(PROVIDERS[name], "times") for name in ("echo", "parrot")]
with gr.Blocks():
    form = RunForm()
    seen = {name: visible_fields(form, name) for name in ("echo", "parrot", "random")}
shown = {name: [updates[form.fields[key]]["visible"] for key in keys] for name, updates in seen.items()}
fields = [[form.fields[key].label, FIELDS[key].asked.group] for key in keys]
assert form.rows["Voice", 0]
said("export", "s", "--what", "settings", "--to", "report.json")
report = json.loads(Path("report.json").read_text("utf8"))
told = [words for words in told_settings(runs[1])]
def times(value):
    if isinstance(value, dict):
        here = [value[name] for name in value if name == "times"]
        return here + [one for inner in value.values() for one in times(inner)]
    return [one for inner in value for one in times(inner)] if isinstance(value, list) else []
print(json.dumps([
    [one["statuses"] for one in made], [run.settings["times"] for run in runs], refused, shown, fields, told,
    times(report)[:2], said("run", "--help", "--help"),
]))
"""


def test_every_option_of_before_is_there_with_its_name() -> None:
    told = CliRunner().invoke(cli, ["run", "--help"], catch_exceptions=False, env={"COLUMNS": "200"}).stdout
    assert [name for name in (*OPTIONS.split(), "--set") if f"{name} " not in told] == []


def test_a_setting_is_the_same_by_its_option_and_by_set() -> None:
    typed = {"limit": 3, "temperature": "0,5", "param": ""}
    made = run_settings("openai:m", {name: value for name, value in typed.items() if name in SETTINGS})
    assert made == run_settings("openai:m", {"limit": "3", "temperature": "0.5"})
    assert run_settings("openai:m", {"variants": "2,0,2"}).variants == (0, 2)
    assert run_settings("openai:m", {"params": "a=1\nb=[2]"}).values()["params"] == "a=1\nb=[2]"
    with pytest.raises(BadSetting, match="“Seed” is 'x'; it must be a whole number"):
        run_settings("random", {"seed": "x"})
    with pytest.raises(BadSetting, match="'loudness' is no setting of a run"):
        run_settings("random", {"loudness": 1})
    with pytest.raises(UnknownName, match="the model 'openai' is not known"):
        run_settings("openai", {})


@pytest.mark.parametrize("name", PROVIDERS)
def test_every_provider_is_loaded_by_its_row(name: str, tmp_path: Path) -> None:
    provider = PROVIDERS[name]
    asked = f"{name}:m" if provider.named else name
    more: dict[str, Any] = {"base_url": "http://127.0.0.1:1/v1"} if provider.address else {}
    model: Model = model_named(asked, task=TASK, train=ITEMS, **more)
    assert (model.name, model.kind) == (asked, "model" if provider.named else "naive")
    assert provider.example in EXAMPLES


def test_what_was_asked_for_is_read_back_from_a_stored_run(sqlite: Engine) -> None:
    asked: dict[str, Any] = {"temperature": None, "max_tokens": 9, "reasoning_effort": "low", "params": {"top_p": 0.5}}
    with ModelServer() as server:
        made = run(sqlite, study=new_study(sqlite), model=chat(server, seed=3, **asked), limit=2, samples=2).run
        again = settings_again(made)
    rest = {"base_url": server.base_url, "structured": "off", "stop": (), "top_p": None}
    assert again.own.model_dump() == asked | rest
    assert (again.model, again.limit, again.samples, again.seed) == ("openai:test", 2, 2, 3)


@contextmanager
def statements(database: Engine) -> Iterator[list[str]]:
    """Collect what is asked of a database meanwhile."""
    heard: list[str] = []

    def hear(*given: Any) -> None:
        heard.append(" ".join(str(given[2]).split()))

    event.listen(database, "before_cursor_execute", hear)
    try:
        yield heard
    finally:
        event.remove(database, "before_cursor_execute", hear)


def test_items_and_runs_are_read_once_for_a_preview_and_items_for_a_run(sqlite: Engine) -> None:
    study = new_study(sqlite)
    service = ModelsService(sqlite, Running(sqlite))
    with ModelServer() as server:
        cut_off = run(sqlite, study=study, model=chat(server), limit=3).run
        with sqlite.begin() as connection:
            connection.exec_driver_sql("UPDATE run SET status = 'incomplete'")
        form = settings_again(cut_off).values()
        values = {"provider": "openai", "model": "test", **{name: form[name] for name in ("base_url", "limit")}}
        with statements(sqlite) as heard:
            service.preview(study.name, values, "", run=cut_off.id)
    assert sum(" FROM item " in said for said in heard) == 1
    # Once those of the study, once those of the model in any study, for what its server taught.
    assert sum(" FROM run " in said for said in heard) == 2


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a program with one more provider and three more settings of runs says of the one and of the others."""
    folder = with_echo(tmp_path_factory.mktemp("program"))
    add_row(folder, "baseline/runs/run_settings.py", "    fresh: bool", NEW_FIELDS)
    add_row(folder, "baseline/models/run_fields.toml", '["How much".limit]', NEW_WORDS)
    return told_by(folder, SCRIPT)


def with_echo(folder: Path) -> Path:
    """Return a copy of the program with one more provider: a file and a row."""
    copied = copied_program(folder / "copy", "baseline")
    add_provider(copied, "echo", ECHO, ROW)
    return copied


def add_provider(folder: Path, name: str, source: str, row: str) -> None:
    (folder / "baseline" / "models" / f"{name}.py").write_text(source, "utf8")
    add_row(folder, PROVIDER_ROWS, 'Provider("random"', row)
    add_row(folder, PROVIDER_ROWS, "from data.errors", f"from baseline.models.{name} import {name.title()}Settings\n")


def told_by(folder: Path, script: str) -> Any:
    return printed_by(folder, ("-c", script), ECHO_KEY="a secret")


def test_a_new_provider_is_one_file_and_one_row(told: Any) -> None:
    assert told[0] == [
        "echo:loud",
        {"unparsable": 2},
        2,
        [True, False],
        "Times",
        "How often it is said",
    ]


def test_settings_of_one_name_are_each_providers_own_on_command_page_and_report(tmp_path: Path) -> None:
    changed = with_echo(tmp_path)
    add_provider(changed, "parrot", PARROT, PARROT_ROW)
    made, stored, refused, seen, fields, told, reported, helped = told_by(changed, SAME_NAME)
    assert made == [{"unparsable": 2}, {"unparsable": 2}]
    assert stored == [3, 0.5], "each is read as its own provider declares it"
    assert "“Seconds” is '7'; it must be a number from 0 to 1" in refused
    assert seen == {"echo": [True, False], "parrot": [False, True], "random": [False, False]}
    assert fields == [["Times", "Files"], ["Seconds", "Voice"]], "a group of its own has its row on the page"
    assert told == ["said 0.5 s apart"]
    assert reported == [3, 0.5]
    assert "--times" in helped


def test_a_new_setting_of_runs_is_a_field_that_says_how_it_is_stored(told: Any) -> None:
    numbers, stored, again, on_page, switch = told[1]
    first, same, other_mood, goes_on, before = numbers
    assert stored == {"mood": "calm", "note": "one", "fresh": False}
    assert again == ["calm", True]
    assert (same == first, other_mood != first) == (True, True), "what tells runs apart begins another"
    assert goes_on == other_mood, "what may change goes on with the same run"
    assert before == other_mood + 1, "where it is the default nothing is stored, as before there was such a setting"
    assert on_page == ["Mood", "Note"]
    assert switch == ["Checkbox", False]


def test_the_table_of_settings_in_the_documentation_is_current() -> None:
    assert (ROOT / "docs" / "models.md").read_text("utf8") == run_path(str(ROOT / "docs" / "tables.py"))["current"](
        "models.md"
    ), "docs/models.md does not say what the code does; run python docs/tables.py"
