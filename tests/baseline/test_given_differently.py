"""What people and models were given differently, by what is stored; and the kinds of their mistakes."""

import re
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine

from baseline.comparison.report_evidence import MISSING, evidence_of_report, given_differently, reporting_checklist
from baseline.comparison.results import results
from baseline.comparison.score_breakdowns import by_kind
from baseline.human.baseline import stored_rules
from baseline.models.prompts import prompt_hash
from baseline.output.json import settings_dict
from data.catalogue.catalog import get_task, samples
from data.task import Item
from db.engine import reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.study_pages import parts, study_page

TERRA = get_task("rsg/terra")
YES, NO = "entailment", "not_entailment"


def asked(
    database: Engine,
    *,
    name: str = "s",
    items: int = 3,
    answered: int | None = None,
    training: int = 0,
    cut: int = 0,
    votes: int = 1,
    origin: Any = "collected",
    task: Any = TERRA,
    language: str = "ru",
    **settings: Any,
) -> Study:
    """A study whose people gave `votes` answers an item, and a run with these settings over the first `answered`."""
    with writing(database) as session:
        chosen = StudySettings.model_validate({"language": language})
        study = create_study(session, name=name, task=task, settings=chosen, origin=origin)
        texts = [{"premise": f"p {n}", "hypothesis": f"h {n}"} for n in range(items)]
        add_items(session, study=study, items=[Item(f"i{n}", text, YES) for n, text in enumerate(texts)])
        trained = [Item(f"t{n}", texts[0], YES, "training") for n in range(training)]
        add_items(session, study=study, items=trained)
        stored = list_items(session, study=study, role="main")
        workers = [add_worker(session) for _ in range(votes)]
        add_judgments(session, study=study, judgments=[Judgment(e.key, w, YES) for e in stored for w in workers])
        told = {"prompt": prompt_hash(task, stored[0].item.public(), *said_of(settings))} | settings
        run = create_run(session, study=study, model="big", kind="model", settings=told)
        said = [
            Prediction(e.key, 0, "1", YES, "ok", cut=place < cut) for place, e in enumerate(stored[: answered or items])
        ]
        add_predictions(session, run=run, predictions=said)
        finish_run(session, run=run)
    return study


def said_of(settings: dict[str, Any]) -> tuple[int, str]:
    return settings.get("variant", 0), settings.get("model_language", "ru")


def given(database: Engine, study: Study) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """What people and models were given differently, and of which models that is said; () for all."""
    with reading(database) as session:
        found = given_differently(session, results(session, study=study, rules=stored_rules(study)))
    assert found is not None
    return {each.what: (each.people, each.models, each.whom) for each in found.rows}


def test_what_is_the_same_has_no_row(sqlite: Engine) -> None:
    study = asked(sqlite, task=replace(TERRA, examples=()))
    assert given(sqlite, study) == {}
    with reading(sqlite) as session:
        checklist = reporting_checklist(evidence_of_report(session, study=study, rules=stored_rules(study)))
    assert len(checklist.tables) == 1
    answers = {number: answer for number, _, answer in checklist.tables[0].rows}
    assert answers["3.4, 3.4.1"] == "people and models were given the same"


@pytest.mark.parametrize(
    ("settings", "what", "people", "model"),
    [
        ({"answered": 2}, "items", "3", "2, 2 of them the same"),
        ({"votes": 3}, "answers", "3", "1"),
        ({"votes": 3, "samples": 3}, "answers", "", ""),
        ({"cut": 2, "context": 900}, "context", "the whole text", "cut at 900 tokens in 2 prompts"),
        ({"training": 2}, "training", "2 items with explanations", "none"),
        ({"training": 2, "shots": 1}, "training", "2 items with explanations", "1 worked example in the prompt"),
        ({"shots": 2}, "training", "none", "2 worked examples in the prompt"),
        ({"prompt": "0123"}, "instruction", "the task's", "not known: its prompt is not stored"),
        ({"prompt": "0123", "templates": {"": "{premise}"}}, "instruction", "the task's", "none of it: the prompt has"),
        ({"language": "en"}, "instruction", "in English", "in Russian"),
        ({"model_language": "en"}, "instruction", "in Russian", "in English"),
        ({"language": "en", "model_language": "en"}, "instruction", "with worked examples to open", "without them"),
        ({}, "instruction", "with worked examples to open", "without them"),
        ({"origin": "imported"}, "instruction", "not known: an imported log", "its prompt"),
        ({"origin": "imported"}, "training", "not known", "none"),
        ({"imported": "inspect"}, "training", "none", "not known"),
        ({"imported": "inspect"}, "context", "the whole text", "not known: an imported run"),
        ({"imported": "inspect"}, "order of options", "the item's own", "not known: an imported run"),
    ],
)
def test_what_differs_has_a_row_with_both_sides(
    sqlite: Engine, settings: dict[str, Any], what: str, people: str, model: str
) -> None:
    found = given(sqlite, asked(sqlite, **settings))
    assert (what in found) is bool(people)
    mine, its, models = found.get(what, ("", "", ()))
    assert (mine, models) == (people, ())
    assert its.startswith(model)


def test_the_checklist_names_what_differs_and_where_the_instruction_is_not_known_asks(sqlite: Engine) -> None:
    answers: list[str] = []
    for settings in ({"votes": 3}, {"prompt": "0123"}):
        study = asked(sqlite, name=f"s{len(answers)}", **settings)
        with reading(sqlite) as session:
            checklist = reporting_checklist(evidence_of_report(session, study=study, rules=stored_rules(study)))
        answers.append(next(answer for number, _, answer in checklist.tables[0].rows if number == "3.4, 3.4.1"))
    assert answers == ["different: answers, instruction; the table below says how", MISSING]


@pytest.mark.parametrize("templates", [{"": "<i>Свои</i> слова: {premise}"}, None])
def test_the_prompt_stands_in_the_package_as_its_template_or_as_not_stored(
    sqlite: Engine, templates: dict[str, str] | None
) -> None:
    study = asked(sqlite, prompt="0123", templates=templates)
    with reading(sqlite) as session:
        (run,) = settings_dict(evidence_of_report(session, study=study, rules=stored_rules(study)))["runs"]
    assert run["prompts"] == templates


@pytest.mark.parametrize("kept", [[{"id": "t", "fields": {"premise": "<b>Шёл снег.</b>"}, "gold": YES}], None])
def test_worked_examples_stand_in_the_package_or_are_not_stored(
    sqlite: Engine, kept: list[dict[str, Any]] | None
) -> None:
    study = asked(sqlite, shots=1, examples=kept)
    with reading(sqlite) as session:
        (run,) = settings_dict(evidence_of_report(session, study=study, rules=stored_rules(study)))["runs"]
    assert (run["examples"], "examples" in run["settings"]) == (kept, False)


def test_a_prompt_without_the_instruction_has_none_of_it(sqlite: Engine) -> None:
    bare = replace(TERRA, prompt="{premise} {hypothesis} {options} {answer_format}")
    assert given(sqlite, asked(sqlite, task=bare))["instruction"][1].startswith("none of it")


def test_what_is_said_of_some_models_names_them(sqlite: Engine) -> None:
    study = asked(sqlite, votes=2)
    with writing(sqlite) as session:
        stored = list_items(session, study=study, role="main")
        run = create_run(session, study=study, model="small", kind="model", settings={"samples": 2})
        add_predictions(session, run=run, predictions=[Prediction(e.key, 0, "1", YES, "ok") for e in stored])
    found = given(sqlite, study)
    assert found["answers"] == ("2", "1", ("big",))
    assert "items" not in found


def test_mistakes_are_counted_by_the_kind_of_the_option_taken(sqlite: Engine) -> None:
    task = get_task("ruscontext/idiom_meaning")
    items = [item for item in samples(task) if item.role == "main"][:2]
    wrong = [next(str(n) for n in range(3) if str(n) != item.gold) for item in items]
    kinds = [item.fields["origins"].split(";")[int(label)] for item, label in zip(items, wrong, strict=True)]
    with writing(sqlite) as session:
        study = create_study(session, name="s", task=task, settings=StudySettings())
        add_items(session, study=study, items=items)
        stored = list_items(session, study=study, role="main")
        worker = add_worker(session)
        add_judgments(session, study=study, judgments=[Judgment(e.key, worker, str(e.item.gold)) for e in stored])
        run = create_run(session, study=study, model="big", kind="model", settings={})
        said = [Prediction(e.key, 0, "x", label, "ok") for e, label in zip(stored, wrong, strict=True)]
        add_predictions(session, run=run, predictions=said)
        finish_run(session, run=run)
    with reading(sqlite) as session:
        found = results(session, study=study, rules=stored_rules(study))
        kinds_found = by_kind(found, {item.id: item.fields for item in items})
    html = parts(study_page(sqlite, study.name, tab="models", shown="mistakes"))["mistakes"]
    assert kinds_found is not None
    people, model = kinds_found.rows
    assert (people.right, sum(people.wrong)) == (2, 0)
    assert model.right == 0
    assert sum(kinds_found.offered) == 4  # two wrong options for each of the two items
    own = "another meaning of the idiom"
    place = kinds_found.words.index(own) if own in kinds_found.words else None
    assert place is None or model.wrong[place] == kinds.count("own")
    assert "built-in" not in html
    assert re.search(r"big</span></th><td>2</td><td>0</td>", html)


def test_a_task_whose_options_carry_no_kind_has_no_such_section(sqlite: Engine) -> None:
    study = asked(sqlite)
    assert "mistakes" not in parts(study_page(sqlite, study.name, tab="models"))
