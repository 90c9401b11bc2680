"""What people wrote reaches a model only where their consent said so."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from annotate.consent import asked_in
from annotate.demo_studies import Simulated, simulate
from annotate.requesters.oversight import Oversight
from annotate.worker.service import Service
from app import cli
from baseline.runs.planned_runs import Access, plan_runs
from baseline.runs.run_settings import run_settings
from data.catalogue.catalog import get_task, sample_file, samples
from data.errors import BadSetting
from db.engine import Database, open_database, reading, writing
from db.item_lookup import MODELS_MAY_READ
from db.items import add_items
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from tests.helpers.collection import SIGNER, Watch, arrive, make_study
from tests.helpers.model_server import ModelServer

VALIDATE = "writing/validate"
JUDGED = {"label": {"answerable": "yes", "right": "yes", "single": "yes"}}
Run = Callable[..., Result]


@pytest.fixture
def database(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("ETALON_HOME", str(tmp_path / "home"))
    made = open_database(database_url)
    yield made
    made.dispose()


@pytest.fixture
def run(database: Database) -> Run:
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def written(database: Database, run: Run, folder: Path, *, by_people: bool = True, **settings: Any) -> Path:
    """A file of what two people wrote, or programs where they are not `by_people`, as `written` makes it."""
    task = get_task("writing/history")
    chosen = StudySettings(overlap=2, page_controls=0, **settings)
    with writing(database) as session:
        study = create_study(session, name="written", task=task, settings=chosen, seed=3)
        add_items(session, study=study, items=samples(task)[:2])
    simulate(Service(database, SIGNER), study, [Simulated(ability=1.0)] * 2, start=Watch().moment)
    if by_people:
        with writing(database) as session:
            session.exec_driver_sql("UPDATE worker SET simulated = false")
    to = folder / "written.jsonl"
    assert run("written", "written", "--task", VALIDATE, "--to", to).exit_code == 0
    return to


def validated(run: Run, items: Path) -> None:
    training, control = (sample_file(get_task(VALIDATE), role) for role in ("training", "control"))
    words = ("--items", items, "--training", training, "--control", control)
    made = run("create", "validated", "--task", VALIDATE, *words)
    assert made.exit_code == 0, made.stderr


def asked(run: Run, server: ModelServer, *more: object, study: str = "validated") -> Result:
    return run("run", study, "--model", "openai:m", "--base-url", server.base_url, "--limit", 2, *more)


def test_models_are_not_asked_about_what_people_wrote_who_were_not_told(
    database: Database, run: Run, tmp_path: Path
) -> None:
    items = written(database, run, tmp_path)
    assert {json.loads(line)[MODELS_MAY_READ] for line in items.read_text("utf8").splitlines()} == {"no"}
    validated(run, items)
    with ModelServer() as server:
        for more in ((), ("--batch", tmp_path / "b"), ("--dry-run",)):
            refused = asked(run, server, *more)
            assert refused.exit_code == 2
            assert "whose authors did not consent to models reading them" in refused.stderr
            assert "texts_to_models" in refused.stderr
        assert not (tmp_path / "b").exists()
        values = {"base_url": server.base_url}
        with pytest.raises(BadSetting, match="did not consent"):
            plan_runs(database, "validated", run_settings("openai:m", values), Access())  # as the page does
        assert server.requests == []
    assert run("run", "validated", "--model", "random").exit_code == 0, "it sends nothing anywhere"


def test_nor_are_they_shown_it_as_worked_examples(database: Database, run: Run, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in written(database, run, tmp_path).read_text("utf8").splitlines()]
    train = tmp_path / "train.jsonl"
    train.write_text("".join(json.dumps(row | JUDGED) + "\n" for row in rows), "utf8")
    validated(run, sample_file(get_task(VALIDATE), "main"))
    with ModelServer() as server:
        refused = asked(run, server, "--train", train, "--shots", 2)
        assert (refused.exit_code, server.requests) == (2, [])
        assert "did not consent" in refused.stderr
        assert asked(run, server).exit_code == 0
        assert len(server.requests) == 2


@pytest.mark.parametrize("told", [{"texts_to_models": True}, {"by_people": False}])
def test_models_are_asked_where_consent_said_it_and_about_what_programs_wrote(
    database: Database, run: Run, tmp_path: Path, told: dict[str, bool]
) -> None:
    validated(run, written(database, run, tmp_path, **told))
    with ModelServer() as server:
        done = asked(run, server)
        assert (done.exit_code, len(server.requests)) == (0, 2), done.stderr


def test_consent_says_it_and_it_cannot_be_said_to_those_who_have_agreed(database: Database) -> None:
    make_study(database, texts_to_models=True)
    make_study(database, name="silent")
    with reading(database) as session:
        studies = [get_study(session, name=name) for name in ("colours", "silent")]
        said = [[str(asked_in(session, study, language).groups) for study in studies] for language in ("ru", "en")]
    assert ["могут прочитать и оценить языковые модели" in text for text in said[0]] == [True, False]
    assert ["may be given to language models" in text for text in said[1]] == [True, False]
    service, change = Service(database, SIGNER, Watch()), Oversight(database).change
    for study in ("colours", "silent"):
        arrive(service, study)
    change("colours", {"texts_to_models": False}, who="anna")
    for study in ("colours", "silent"):
        with pytest.raises(BadSetting, match="were not told that models read"):
            change(study, {"texts_to_models": True}, who="anna")
