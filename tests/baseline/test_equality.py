"""Were people and models asked the same: each matter by what is stored, and the difference of what both read."""

import re
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine

from baseline.comparison.equality import Matter
from baseline.comparison.equality_statement import statement
from baseline.comparison.error_kinds import by_kind
from baseline.comparison.reading_difference import TextPiece, difference, read_by_model, read_by_people
from baseline.comparison.report_evidence import evidence_of_report
from baseline.comparison.results import results
from baseline.human.baseline import stored_rules
from baseline.models.prompts import prompt_hash
from baseline.output.equality_section import draw_equality
from baseline.output.json import settings_dict
from baseline.output.report_file import rendered
from baseline.output.sections import draw_errors
from baseline.output.study_report import study_report
from data.catalogue.catalog import get_task, tasks
from data.catalogue.sample_items import samples
from data.task import Item
from db.engine import reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.workers import add_worker

TERRA = get_task("rsg/terra")
YES, NO = "entailment", "not_entailment"


def asked(
    database: Engine,
    *,
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
        study = create_study(session, name="s", task=task, settings=chosen, origin=origin)
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


def matters(database: Engine, study: Study) -> dict[str, Matter]:
    """What is said of the one model, by the name of the matter."""
    with reading(database) as session:
        found = statement(session, results(session, study=study, rules=stored_rules(study)))
    assert found is not None
    return {name: said[0].matter for name, said in found.matters}


def test_the_same_items_metric_context_and_options_are_a_yes(sqlite: Engine) -> None:
    found = matters(sqlite, asked(sqlite, task=replace(TERRA, examples=())))
    assert {name: matter.verdict for name, matter in found.items()} == {
        "Items": "yes",
        "Metric": "yes",
        "Number of answers": "yes",
        "Instruction": "yes",
        "Context": "yes",
        "Order of options": "yes",
        "Training": "yes",
    }


@pytest.mark.parametrize(
    ("given", "name", "verdict", "words"),
    [
        ({"answered": 2}, "Items", "partly", "people answered 3, the model 2; 2 are the same"),
        ({"votes": 3}, "Number of answers", "partly", "people 3 an item, the model 1"),
        ({"votes": 3, "samples": 3}, "Number of answers", "yes", "people 3 an item, the model 3"),
        ({"cut": 2, "context": 900}, "Context", "partly", "2 prompts over the limit of 900 tokens lost the end"),
        ({"training": 2}, "Training", "no", "people trained on 2 items with explanations; the model saw no"),
        ({"training": 2, "shots": 1}, "Training", "partly", "the model saw 1 worked example in its prompt"),
        ({"shots": 2}, "Training", "no", "people had none; the model saw 2 worked examples"),
        ({"prompt": "0123"}, "Instruction", "not known", "its prompt (0123) is not the task's own"),
        ({"prompt": "0123", "templates": {"": "{premise}"}}, "Instruction", "no", "its own words and not the instruct"),
        ({"language": "en"}, "Instruction", "partly", "people read it in English and models in Russian"),
        ({"model_language": "en"}, "Instruction", "partly", "people read it in Russian and models in English"),
        (
            {"model_language": "en", "task": replace(TERRA, prompt="{instruction} Ответ:")},
            "Instruction",
            "partly",
            "models in English; the words of the prompt around it are one text for all languages",
        ),
        ({"language": "en", "model_language": "en"}, "Instruction", "partly", "the same words in English, without"),
        ({}, "Instruction", "partly", "without the worked examples that people can open"),
        ({"origin": "imported"}, "Instruction", "not known", "does not hold what its people were told"),
        ({"origin": "imported"}, "Training", "not known", "does not hold its training"),
        ({"imported": "inspect"}, "Training", "not known", "does not tell of worked examples"),
        ({"imported": "inspect"}, "Context", "not known", "does not tell whether its prompts were cut"),
        ({"imported": "inspect"}, "Order of options", "not known", "does not tell its"),
    ],
)
def test_what_differs_is_said_with_its_reason(
    sqlite: Engine, given: dict[str, Any], name: str, verdict: str, words: str
) -> None:
    found = matters(sqlite, asked(sqlite, **given))[name]
    assert found.verdict == verdict
    assert words in found.reason


@pytest.mark.parametrize(
    ("templates", "words"),
    [({"": "<i>Свои</i> слова: {premise}"}, "&lt;i&gt;Свои&lt;/i&gt; слова: {premise}"), (None, "big: not stored")],
)
def test_the_prompt_stands_folded_as_its_template_or_is_said_not_to_be_stored(
    sqlite: Engine, templates: dict[str, str] | None, words: str
) -> None:
    study = asked(sqlite, prompt="0123", templates=templates)
    with reading(sqlite) as session:
        rules = stored_rules(study)
        html = str(draw_equality(session, results(session, study=study, rules=rules)))
        evidence = evidence_of_report(session, study=study, rules=rules)
        report = rendered(study_report(session, evidence), ".html")
        (run,) = settings_dict(evidence)["runs"]
    assert words in html
    assert run["prompts"] == templates
    assert words.removeprefix("big: ") in report.split("The prompt of big")[-1]


@pytest.mark.parametrize(
    ("kept", "words"),
    [([{"id": "t", "fields": {"premise": "<b>Шёл снег.</b>"}, "gold": YES}], "Шёл снег"), (None, "not stored")],
)
def test_worked_examples_stand_in_the_report_or_are_said_not_to_be_stored(
    sqlite: Engine, kept: list[dict[str, Any]] | None, words: str
) -> None:
    study = asked(sqlite, shots=1, examples=kept)
    with reading(sqlite) as session:
        evidence = evidence_of_report(session, study=study, rules=stored_rules(study))
        report = rendered(study_report(session, evidence), ".html")
        (run,) = settings_dict(evidence)["runs"]
    assert (run["examples"], "examples" in run["settings"]) == (kept, False)
    told = report.split("The worked examples of big")[-1]
    assert words in told
    assert "<b>" not in told


def test_a_prompt_without_the_instruction_is_a_no(sqlite: Engine) -> None:
    bare = replace(TERRA, prompt="{premise} {hypothesis} {options} {answer_format}")
    assert matters(sqlite, asked(sqlite, task=bare))["Instruction"].verdict == "no"


def test_two_models_that_differ_are_told_apart(sqlite: Engine) -> None:
    study = asked(sqlite, votes=2)
    with writing(sqlite) as session:
        stored = list_items(session, study=study, role="main")
        run = create_run(session, study=study, model="small", kind="model", settings={"samples": 2})
        add_predictions(session, run=run, predictions=[Prediction(e.key, 0, "1", YES, "ok") for e in stored])
    with reading(sqlite) as session:
        found = statement(session, results(session, study=study, rules=stored_rules(study)))
    assert found is not None
    several = dict(found.matters)["Number of answers"]
    assert {(said.matter.verdict, said.models) for said in several} == {("partly", ("big",)), ("yes", ("small",))}
    assert dict(found.matters)["Items"][0].models == ()


def test_two_languages_of_one_prompt_are_two_texts_that_models_read(sqlite: Engine) -> None:
    study = asked(sqlite, task=replace(TERRA, prompt=""))
    with writing(sqlite) as session:
        stored = list_items(session, study=study, role="main")
        number = prompt_hash(study.task, stored[0].item.public(), 0, "en")
        english = {"prompt": number, "model_language": "en"}
        run = create_run(session, study=study, model="small", kind="model", settings=english)
        add_predictions(session, run=run, predictions=[Prediction(e.key, 0, "1", YES, "ok") for e in stored])
    with reading(sqlite) as session:
        found = statement(session, results(session, study=study, rules=stored_rules(study)))
    assert found is not None
    texts = {one.models: "".join(piece.text for piece in one.pieces) for one in found.compared}
    assert {models: "Reply with" in text for models, text in texts.items()} == {("big",): False, ("small",): True}


def test_words_that_one_side_reads_are_told_apart() -> None:
    assert difference("Выберите ответ. Думайте сами.", "Выберите один ответ. Ответь числом.") == (
        TextPiece("both", "Выберите"),
        TextPiece("models", " один"),
        TextPiece("both", " ответ. "),
        TextPiece("people", "Думайте сами"),
        TextPiece("models", "Ответь числом"),
        TextPiece("both", "."),
    )
    assert difference("то же", "то же") == (TextPiece("both", "то же"),)
    assert difference("", "а") == (TextPiece("models", "а"),)


def test_the_difference_is_struck_out_and_underlined_with_words(sqlite: Engine) -> None:
    task = replace(TERRA, prompt="{instruction} <b>Ответь</b> числом. {premise} {hypothesis} {options}")
    study = asked(sqlite, task=task)
    with reading(sqlite) as session:
        html = str(draw_equality(session, results(session, study=study, rules=stored_rules(study))))
    assert "&lt;b&gt;" in html.replace("</span>", "")
    assert "<b>Ответь" not in html
    assert "<ins>" in html
    assert "[only models: " in html
    assert "‹premise›" in html


@pytest.mark.parametrize("task", sorted(tasks()))
def test_every_task_has_both_texts_without_the_texts_of_its_items(task: str) -> None:
    chosen = get_task(task)
    item = next(item for item in samples(chosen) if item.role == "main")
    people, models = read_by_people(chosen, item, "ru"), read_by_model(chosen, item, chosen.template(item.fields))
    rendered = [field for field in chosen.fields if field.above_question and not field.values]
    for field in rendered:
        text = item.fields[field.name]
        assert len(text) < 40 or (text not in people and text not in models)
    assert chosen.instruction.within("ru").strip() in people


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
        html = str(draw_errors(session, found))
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
    with reading(sqlite) as session:
        assert draw_errors(session, results(session, study=study, rules=stored_rules(study))) == ""
