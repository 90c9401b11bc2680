"""The human baseline of every kind of task: open and composite answers from the database to the tables."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from app import cli
from baseline.comparison.item_index import item_index, item_rows
from baseline.comparison.report_evidence import evidence_of_report
from baseline.comparison.results import Results, results
from baseline.human.baseline import changed_rules, stored_rules
from baseline.human.detailed_baseline import DetailedBaseline, detailed_baseline
from baseline.output.study_report import study_report
from data.answers.choices import Choices
from data.answers.text import Text
from data.catalogue.catalog import samples, tasks
from data.errors import BadSetting
from data.numbers import interval
from data.task import Field, Item, Task
from data.wording import Wording, same
from db.engine import Database, reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.workers import add_worker
from eval.metrics.table import METRICS
from tests.helpers.asking_models import model_named, run
from tests.helpers.details import human_text, results_text
from tests.helpers.study_pages import study_page, table

NAMES = Task(
    id="test/animals",
    title=Wording(ru="Звери", en="Animals"),
    description=same(""),
    fields=(
        Field("picture", Wording(ru="Картинка", en="Picture")),
        Field("book", Wording(ru="Книга", en="Book"), kind="hidden"),
    ),
    question=Wording(ru="Кто это?", en="Who is it?"),
    instruction=Wording(ru="Назовите зверя.", en="Name the animal."),
    answer=Text(),
    prompt="{picture}",
    metrics=("em", "token_f1"),
    cluster="book",
)


def animals(database: Database, votes: dict[str, list[str]], gold: dict[str, list[str]], book: str = "") -> Study:
    """A study of texts; `votes` are those of the items, the n-th from worker n."""
    found = []
    for place, name in enumerate(votes):
        fields = {"picture": f"{name}.png", "book": book or str(place)}
        found.append(Item(name, fields, NAMES.answer.gold(gold[name], fields) if name in gold else None))
    control = Item("check", {"picture": "check.png", "book": "x"}, '["ёж","ежик"]', "control")
    with writing(database) as session:
        study = create_study(session, name="animals", task=NAMES, settings=StudySettings(overlap=3))
        add_items(session, study=study, items=[*found, control])
        workers = [add_worker(session) for _ in range(3)]
        key = {entry.item.id: entry.key for entry in list_items(session, study=study)}
        given = [Judgment(key[name], workers[n], label) for name, said in votes.items() for n, label in enumerate(said)]
        checks = [Judgment(key["check"], worker, label) for worker, label in zip(workers, CHECKS, strict=True)]
        add_judgments(session, study=study, judgments=[*given, *checks])
    return study


CHECKS = ["Ежик.", "ЁЖ", "уж"]
VOTES = {
    "one": ["Кот", "кот.", "пёс"],
    "two": ["сова", "сыч", "Сыч"],
    "three": ["белый медведь", "медведь", "волк"],
    "four": ["конь", "Конь", "лошадь"],
}
GOLD = {"one": ["кот"], "two": ["филин"], "three": ["медведь"], "four": ["лошадь", "конь"]}


def baseline(database: Engine, **rules: Any) -> DetailedBaseline:
    study = animals(database, VOTES, GOLD)
    with reading(database) as session:
        return detailed_baseline(session, study=study, rules=changed_rules(study, **rules))


def test_texts_have_a_whole_human_baseline(sqlite: Engine) -> None:
    found = baseline(sqlite)
    shown = found.as_dict()
    json.dumps(shown, allow_nan=False)
    assert shown["items"] == {"total": 4, "answered": 4, "with_consensus": 3, "tied": 1, "left_out": 0, "unanimous": 0}
    crowd = shown["scores"]["majority"]
    # cot, wrong, a third of three level texts, horse: (1 + 0 + 1/3 + 1) / 4; F1 of "белый медведь" is 2/3.
    assert crowd["em"]["value"] == pytest.approx((1 + 0 + 1 / 3 + 1) / 4)
    assert crowd["token_f1"]["value"] == pytest.approx((1 + 0 + (2 / 3 + 1) / 3 + 1) / 4)
    assert (crowd["em"]["unit"], crowd["em"]["method"]) == ("book", "wilson")
    assert shown["scores"]["individual"]["em"]["value"] == pytest.approx((2 + 0 + 1 + 3) / 12)
    assert shown["panel"]["item_weighted"]["value"] == pytest.approx((2 / 3 + 0 + 1 / 3 + 1) / 4)
    assert shown["majority_of_k"]["3"]["em"]["value"] == pytest.approx(crowd["em"]["value"])
    agreed = shown["agreement"]
    assert (agreed["distance"], agreed["ac1"], agreed["fleiss"]) == ("rouge_l", None, None)
    assert agreed["pairwise"] == pytest.approx((1 + 1 + 0 + 1) / 3 / 4)
    assert "Krippendorff's alpha, 1 - ROUGE-L" in human_text(found)


def test_a_control_that_accepts_several_texts_excludes_by_what_is_right(sqlite: Engine) -> None:
    shown = baseline(sqlite, control_min=0.5).as_dict()
    assert (shown["workers"]["with_controls"], shown["workers"]["excluded"]) == (3, 1)
    assert shown["exclusions"]["after"]["items"]["tied"] == 2


def test_few_clusters_are_named_beside_the_intervals(sqlite: Engine) -> None:
    few = (
        "The intervals are over 4 clusters (book): those of shares are Wilson's, bootstraps of other figures are "
        "widened as so few need. Equivalence is not judged over so few."
    )
    assert few in baseline(sqlite).as_dict()["notes"]


def test_one_cluster_has_no_interval_and_says_so(sqlite: Engine) -> None:
    study = animals(sqlite, VOTES, GOLD, book="one")
    with reading(sqlite) as session:
        found = detailed_baseline(session, study=study, rules=stored_rules(study))
    shown = found.as_dict()
    assert shown["scores"]["majority"]["em"]["ci"] == [None, None]
    assert any(note.startswith("All items share one book, so there is no interval") for note in shown["notes"])


def told(database: Database, study: Study, said: dict[str, list[str | None]]) -> Results:
    """The results after a model said so, sample by sample."""
    with writing(database) as session:
        made = create_run(session, study=study, model="parrot", kind="model", settings={})
        key = {entry.item.id: entry.key for entry in list_items(session, study=study)}
        rows = [
            Prediction(key[name], sample, label or "?", label, "ok" if label else "unparsable")
            for name, labels in said.items()
            for sample, label in enumerate(labels)
        ]
        add_predictions(session, run=made, predictions=rows)
    with reading(database) as session:
        return results(session, study=study, rules=stored_rules(study))


def test_a_model_stands_beside_people_on_the_same_texts(sqlite: Engine) -> None:
    study = animals(sqlite, VOTES, GOLD)
    found = told(sqlite, study, {"one": ["КОТ"], "two": ["филин"], "three": [None], "four": ["кобыла"]})
    row = found.rows[-1]
    assert row.scores["em"].value == 0.5
    assert row.vs_human is not None
    assert row.vs_human.value == pytest.approx(0.5 - (1 + 0 + 1 / 3 + 1) / 4)
    assert (row.vs_human.test, row.vs_human.unit) == ("bootstrap", "book")
    assert "\nparrot " in results_text(found)
    with reading(sqlite) as session:
        index = item_index(session, found)
        views = item_rows(session, index, index.items)
    assert index.models["model:parrot"].tolist() == [1, 1, 0, 0]
    assert index.people.tolist() == pytest.approx([1, 0, 1 / 3, 1])
    assert views[0].votes == {"Кот": 2, "пёс": 1}
    assert [(view.one_answer.words, view.one_answer.right, view.one_answer.status) for view in views] == [
        ("Кот", True, "ok"),
        ("Сыч", False, "ok"),
        ("белый медведь / волк / медведь", None, "tied"),
        ("Конь", True, "ok"),
    ]
    assert table(study_page(sqlite, study.name, tab="items"), "item", "votes")[2]["votes"] == "tied 1 : 1 : 1"


def test_samples_of_a_model_become_one_answer_by_what_they_mean(sqlite: Engine) -> None:
    study = animals(sqlite, VOTES, GOLD)
    said: dict[str, list[str | None]] = {
        "one": ["кот", "Кот!", "пёс"],
        "two": [None, None, None],
        "three": ["медведь", "волк", None],
    }
    row = told(sqlite, study, said).rows[-1]
    # cat is right, nothing is wrong, a bear and a wolf share.
    assert row.scores["em"].value == pytest.approx((1 + 0 + 0.5) / 3)


def test_two_files_of_texts_are_scored_by_the_command(tmp_path: Path) -> None:
    gold, said = tmp_path / "gold.jsonl", tmp_path / "said.jsonl"
    chosen = next(task for task in tasks().values() if task.answer.kind == "text" and "em" in task.metrics)
    items = [item for item in samples(chosen) if item.role == "main"]
    source = Path("data/samples") / chosen.id / "main.jsonl"
    gold.write_text(source.read_text("utf8"), "utf8")
    best = {item.id: chosen.answer.best(str(item.gold), item.fields) for item in items}
    wrong, silent = items[0].id, items[1].id
    lines = [{"id": name, "answer": "совсем не то" if name == wrong else label} for name, label in best.items()]
    said.write_text("\n".join(json.dumps(line) for line in lines if line["id"] != silent), "utf8")
    shown = CliRunner().invoke(
        cli, ["score", chosen.id, "--gold", str(gold), "--predictions", str(said), "--json"], catch_exceptions=False
    )
    found = json.loads(shown.stdout)
    assert found["statuses"] == {"ok": len(items) - 1, "missing": 1}
    assert found["metrics"]["em"]["value"] == pytest.approx((len(items) - 2) / len(items))


def test_one_answer_to_everything_is_refused_where_items_have_their_own() -> None:
    own = replace(NAMES, answer=Choices(option_list="book"), metrics=("accuracy",))
    few, more = ({"picture": "x", "book": options} for options in ('["да","нет"]', '["да","нет","когда"]'))
    learnt = [Item("1", few, '["0"]'), Item("2", more, '["2"]'), Item("3", more, '["2"]')]
    with pytest.raises(BadSetting, match="each item has answers of its own"):
        model_named("majority", task=own, train=learnt)
    alike = [Item("1", few, '["0"]'), Item("2", more, '["0"]')]
    assert model_named("majority", task=own, train=alike).settings["label"] == '["0"]'
    golds = ['["Кот"]', '["кот"]', '["пёс"]']
    names = [Item(str(n), {"picture": "x", "book": "y"}, gold) for n, gold in enumerate(golds)]
    assert model_named("majority", task=NAMES, train=names).settings["label"] == "Кот"


def test_an_interval_below_zero_is_read_at_once() -> None:
    assert interval((-0.0384, -0.01)) == "−0.038 to −0.010"
    assert (interval((0.1, 0.25)), interval((float("nan"), 1.0)), interval(None)) == ("0.100–0.250", "—", "—")


FIRST = {task.answer.kind: task for task in reversed([*tasks().values()])}


@pytest.mark.parametrize("task", FIRST.values(), ids=lambda task: str(task.id))
def test_a_task_of_every_kind_has_a_baseline_results_and_a_report(task: Task, sqlite: Engine) -> None:
    """Five people, of whom some guess, and the model that guesses; the right answers score as high as can be."""
    items = samples(task)
    random = Random(3)
    with writing(sqlite) as session:
        study = create_study(session, name="any", task=task, settings=StudySettings(overlap=5))
        add_items(session, study=study, items=items)
        workers = [add_worker(session) for _ in range(5)]
        given = []
        for entry in list_items(session, study=study):
            answer, fields = task.answer_for(entry.item.fields), entry.item.fields
            if entry.item.role == "training" or entry.item.gold is None:
                continue
            right = answer.best(entry.item.gold, fields)
            said = [right if n < 3 or random.random() < 0.5 else answer.draw(fields, random) for n in range(5)]
            given += [Judgment(entry.key, workers[n], label) for n, label in enumerate(said)]
        add_judgments(session, study=study, judgments=given)
    if any(entry.gold for entry in items if entry.role == "main"):
        run(sqlite, study=study, model=model_named("random", task=task))
    with reading(sqlite) as session:
        evidence = evidence_of_report(session, study=study, rules=stored_rules(study))
        table = results(session, study=study, rules=stored_rules(study))
        index = item_index(session, table)
        assert study_report(session, evidence).sections
        views = item_rows(session, index, index.items)
    found = evidence.baseline
    assert json.dumps(found.as_dict(), allow_nan=False)
    assert human_text(found)
    assert (found.collected.clusters is not None) == bool(task.cluster)
    if found.human.majority and not METRICS[task.primary].full_cluster:
        assert found.human.majority[task.primary].value == pytest.approx(1)
    assert all(view.one_answer.right for view in views if view.item.gold is not None and view.status == "won")
