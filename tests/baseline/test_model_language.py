"""Models are asked in the language that people read, unless a run says another; what was asked before stays Russian."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from baseline.comparison.report_evidence import given_differently
from baseline.comparison.results import results
from baseline.comparison.run_pairs import spread
from baseline.comparison.score_columns import results_dict
from baseline.models.run_fields import Fact
from baseline.output.computed_exports import prediction_rows
from baseline.runs import runner
from baseline.runs.planned_runs import Access, mixed_languages, plan_runs
from baseline.runs.run_prompts import language_of_people
from baseline.runs.run_settings import run_settings, settings_again, told_settings
from baseline.runs.runner import RunSummary
from data.answers.choices import Choices
from data.catalogue.catalog import get_task
from data.errors import BadSetting
from data.task import Item, as_dict
from data.wording import Wording
from db.engine import reading, writing
from db.exports import ExportRequest
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from db.workers import add_worker
from eval.panel import PanelRules
from tests.helpers.described_tasks import task_from
from tests.helpers.languages import added_language
from tests.helpers.model_server import ModelServer

TERRA = get_task("rsg/terra")
ITEMS = [Item(f"i{n}", {"premise": f"П {n}", "hypothesis": f"У {n}"}, "entailment") for n in range(2)]
ENGLISH, RUSSIAN = "Reply with the number of an option only: 1 or 2.", "Ответь только номером варианта: 1 или 2."


def new_study(
    database: Engine, name: str = "s", *, language: str = "en", model_language: str = "people", **changed: Any
) -> str:
    task = TERRA if not changed else task_from({**values(), **changed})
    with writing(database) as session:
        settings = StudySettings.model_validate({"language": language, "model_language": model_language})
        study = create_study(session, name=name, task=task, settings=settings)
        add_items(session, study=study, items=ITEMS)
    return name


def values() -> dict[str, Any]:
    return as_dict(TERRA)


def ask(database: Engine, server: ModelServer, study: str, **asked: Any) -> RunSummary:
    settings = run_settings("openai:m", {"base_url": server.base_url, **asked})
    (planned,) = plan_runs(database, study, settings, Access("key"))
    return runner.run(database, planned)


def last_asked(server: ModelServer) -> str:
    return str(server.requests[-1].body["messages"][-1]["content"])


def test_a_study_in_english_asks_models_in_english_and_its_run_says_so(sqlite: Engine) -> None:
    study = new_study(sqlite)
    with ModelServer() as server:
        made = ask(sqlite, server, study)
        asked = last_asked(server)
        again = ask(sqlite, server, study)
        sent = len(server.requests)
    assert made.statuses == {"ok": 2}
    assert asked.startswith(TERRA.instruction.within("en"))
    assert asked.endswith(ENGLISH)
    assert "1. It follows" in asked or TERRA.answer.options({})[0].words.within("en") in asked
    assert made.run.settings["model_language"] == "en"
    assert made.run.settings[Fact.TEMPLATES] == {"": TERRA.own_prompt("en")}
    assert (again.cached, sent) == (2, 2)
    assert settings_again(made.run).model_language == "en"
    assert "prompts in en" in [*told_settings(made.run)]


def test_another_language_is_another_run_and_russian_is_not_stored(sqlite: Engine) -> None:
    study = new_study(sqlite)
    with ModelServer() as server:
        english = ask(sqlite, server, study)
        russian = ask(sqlite, server, study, model_language="ru")
        asked, sent = last_asked(server), len(server.requests)
    assert asked.startswith(TERRA.instruction.within("ru"))
    assert asked.endswith(RUSSIAN)
    assert (english.run.id != russian.run.id, russian.cached, sent) == (True, 0, 4)
    assert "model_language" not in russian.run.settings
    assert settings_again(russian.run).model_language == "ru"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"language": "ru"}, RUSSIAN),
        ({"prompt": "{premise} {hypothesis} {question} {options} {answer_format}"}, ENGLISH),
        ({"prompt": ""}, ENGLISH),
        ({"prompt": "{premise} {hypothesis} {answer_format}", "language": "ru"}, RUSSIAN),
        ({"prompt": "{premise} {hypothesis} {answer_format}", "instruction": {"ru": "Скажите."}}, RUSSIAN),
        ({"prompt": "{premise} {hypothesis} {question} {options} {answer_format}", "model_language": "ru"}, RUSSIAN),
        ({"prompt": "", "model_language": "ru"}, RUSSIAN),
        ({"prompt": {"ru": "{premise} {hypothesis} {answer_format}"}}, RUSSIAN),
        ({"prompt": {"en": "{premise} {hypothesis} {answer_format}"}}, ENGLISH),
    ],
)
def test_models_are_asked_in_the_language_of_people_where_the_prompt_is_written_in_it(
    sqlite: Engine, given: dict[str, Any], expected: str
) -> None:
    study = new_study(sqlite, **given)
    with ModelServer() as server:
        made = ask(sqlite, server, study)
        assert last_asked(server).endswith(expected)
    assert ("model_language" in made.run.settings) == (expected == ENGLISH)


@pytest.mark.parametrize(("prompt", "expected"), [("", RUSSIAN), (None, ENGLISH)])
def test_a_study_from_before_there_was_a_language_of_prompts_asks_as_ever(
    sqlite: Engine, prompt: str | None, expected: str
) -> None:
    study = new_study(sqlite, **({} if prompt is None else {"prompt": prompt}))
    with sqlite.begin() as connection:
        (stored,) = connection.execute(text("SELECT settings FROM study")).scalars()
        kept = {name: value for name, value in json.loads(stored).items() if name != "model_language"}
        connection.execute(text("UPDATE study SET settings = :kept"), {"kept": json.dumps(kept)})
    with ModelServer() as server:
        ask(sqlite, server, study)
        assert last_asked(server).endswith(expected)


def test_models_read_what_people_read_where_a_third_language_falls_back(sqlite: Engine, tmp_path: Path) -> None:
    with added_language(tmp_path, "de"), ModelServer() as server:
        study = new_study(sqlite, language="de")
        made = ask(sqlite, server, study)
        assert last_asked(server).startswith(TERRA.instruction.within("en"))
        assert last_asked(server).endswith(ENGLISH)
        with reading(sqlite) as session:
            assert language_of_people(get_study(session, name=study)) == "en"
        assert made.run.settings["model_language"] == "en"


def test_other_wordings_are_asked_as_ever_and_prompts_of_a_file_as_people_read_unless_a_language_is_named(
    sqlite: Engine, tmp_path: Path
) -> None:
    study, file = new_study(sqlite), tmp_path / "prompts.toml"
    file.write_text('"rsg/terra" = "{premise} {hypothesis} {answer_format}"', "utf8")
    with ModelServer() as server:
        made = ask(sqlite, server, study, variants="1")
        told = RUSSIAN in last_asked(server), "model_language" in made.run.settings
        named = ask(sqlite, server, study, variants="1", model_language="en")
        assert (*told, ENGLISH in last_asked(server)) == (True, False, True)
        assert named.run.settings[Fact.TEMPLATES] == made.run.settings[Fact.TEMPLATES]
        for language, words in (("study", ENGLISH), ("ru", RUSSIAN)):
            ask(sqlite, server, study, prompts=file, model_language=language)
            assert words in last_asked(server)


def test_a_run_in_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadSetting, match="“Language of the prompt” is 'xx'; it must be one of study, ru, en"):
        run_settings("openai:m", {"model_language": "xx"})


@pytest.mark.parametrize(
    ("language", "asked", "mixed"),
    [
        ("en", {"variants": (0, 1)}, True),
        ("en", {"variants": (0, 1), "model_language": "ru"}, False),
        ("en", {"variants": (1, 2)}, False),
        ("en", {}, False),
        ("ru", {"variants": (0, 1)}, False),
        ("ru", {"variants": (0, 1), "model_language": "en"}, True),
    ],
)
def test_wordings_in_another_language_than_prompt_0_are_warned_of(
    sqlite: Engine, language: str, asked: dict[str, Any], *, mixed: bool
) -> None:
    settings = run_settings("openai:m", {"base_url": "http://x", **asked})
    planned = plan_runs(sqlite, new_study(sqlite, language=language), settings, Access("key"))
    words = "prompt 0 is written in English, the wordings from 1 in Russian, so"
    assert mixed_languages(planned).startswith(words) == mixed
    assert bool(mixed_languages(planned)) == mixed


def test_the_spread_over_wordings_in_two_languages_says_so(sqlite: Engine) -> None:
    study = new_study(sqlite)
    with ModelServer() as server:
        made = [ask(sqlite, server, study, variants=f"{variant}").run for variant in (0, 1)]
        made.append(ask(sqlite, server, study, model_language="ru").run)
    with reading(sqlite) as session:
        found = get_study(session, name=study)
        mixed, one = (spread(session, study=found, runs=runs) for runs in (made[:2], [made[2], made[1]]))
    assert mixed is not None
    assert one is not None
    words = "prompt 0 is written in English, the wordings from 1 in Russian"
    assert words in mixed.text()
    assert (mixed.as_dict()["languages"], words in str(mixed.as_dict()["note"])) == (["en", "ru"], True)
    assert (words in one.text(), one.as_dict()["languages"], one.as_dict()["note"]) == (False, ["ru", "ru"], "")


def test_a_model_asked_in_two_languages_is_two_respondents(sqlite: Engine) -> None:
    study = new_study(sqlite)
    with ModelServer() as server:
        english = ask(sqlite, server, study).run
        trial = ask(sqlite, server, study, limit=1, model_language="ru").run
        assert rows(sqlite, study) == {"model:openai:m": "en"}
        assert f"run {trial.id} (complete, asked in Russian)" in " ".join(notes(sqlite, study))
        russian = ask(sqlite, server, study, model_language="ru").run
        wording = ask(sqlite, server, study, variants="1").run
    assert rows(sqlite, study) == {"model:openai:m": "en", "model:openai:m [ru]": "ru"}
    with reading(sqlite) as session:
        found = results(session, study=get_study(session, name=study), rules=PanelRules())
        exported = prediction_rows(ExportRequest(session, found.study, respondent="model:openai:m [ru]"))
    chosen = {row.name: row.run for row in found.models}
    assert set(exported["run"]) == {wording.id}
    assert (chosen["model:openai:m"], chosen["model:openai:m [ru]"]) == (english, wording)
    told = f"openai:m [ru]: asked in Russian; run {wording.id} is shown; not shown: run {russian.id} (complete)"
    assert any(told in note for note in notes(sqlite, study))


def rows(database: Engine, study: str) -> dict[str, Any]:
    """The models' rows of `results --json`, each with the language that its run was asked in."""
    with reading(database) as session:
        found = results_dict(results(session, study=get_study(session, name=study), rules=PanelRules()))
    return {row["respondent"]: row["run"]["language"] for row in found["rows"] if row["run"]}


def notes(database: Engine, study: str) -> list[str]:
    with reading(database) as session:
        found = results(session, study=get_study(session, name=study), rules=PanelRules())
    return [*found.human.notes(), *found.notes_of_runs()]


def test_an_instruction_in_another_language_than_peoples_has_a_row(sqlite: Engine) -> None:
    study = new_study(sqlite)
    with ModelServer() as server:
        ask(sqlite, server, study)
        ask(sqlite, server, study, model_language="ru")
    with writing(sqlite) as session:
        found = get_study(session, name=study)
        worker = add_worker(session)
        items = list_items(session, study=found, role="main")
        add_judgments(session, study=found, judgments=[Judgment(one.key, worker, "entailment") for one in items])
    with reading(sqlite) as session:
        given = given_differently(session, results(session, study=found, rules=PanelRules()))
    assert given is not None
    instructions = {(each.people, each.models): each.whom for each in given.rows if each.what == "instruction"}
    assert instructions["in English", "in Russian"] == ("openai:m [ru]",)
    assert instructions["with worked examples to open", "without them"] == ("openai:m",)


def test_a_naive_model_reads_no_prompt_and_has_no_language(sqlite: Engine) -> None:
    (planned,) = plan_runs(sqlite, new_study(sqlite), run_settings("random", {}), Access())
    assert "model_language" not in planned.identity


@pytest.mark.parametrize(
    "reply",
    [
        "1, 3",
        "The answer is 1, 3.",
        "Correct answers: 1 and 3",
        "The correct answers are 1 and 3.",
        "Options 1 and 3",
        "red, blue",
    ],
)
def test_several_options_are_read_in_an_english_reply(reply: str) -> None:
    words = {"red": "красный", "green": "зелёный", "blue": "синий"}
    asked = Choices(choices={label: Wording(ru=ru, en=label) for label, ru in words.items()}, least=0)
    assert asked.parse(reply, {}) == '["red","blue"]'
    assert asked.parse(asked.show("[]", {}, "en"), {}) == "[]"
