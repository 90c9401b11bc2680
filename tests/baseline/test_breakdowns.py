"""Scores by groups of items, and studies scored as published: from items and replies to tables, files and the page."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import matthews_corrcoef
from sqlalchemy import Engine
from typer.testing import CliRunner, Result

from annotate.accounts.signer import Signer
from annotate.demo_studies import Simulated, simulate
from annotate.worker.service import Service
from app import cli
from baseline.commands.baselines import groups_in
from baseline.comparison.published_scores import as_published
from baseline.comparison.results import results
from baseline.comparison.score_breakdowns import BrokenDown, breakdown_table, broken_down, of_results
from baseline.comparison.scoring_files import score_files
from baseline.human.baseline import human_baseline, stored_rules
from baseline.output.report_file import markdown, text
from baseline.output.study_address import StudyAddress
from baseline.pages.results_page import StudyCache
from data.answers.choice import Choice
from data.answers.sequence import Sequence as Numbers
from data.answers.text import Text
from data.catalogue.catalog import get_task, sample_file
from data.catalogue.families import get_family
from data.task import Breakdown, Field, Item, Task
from data.wording import Wording, same
from db.engine import reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.studies import Study, create_study, get_study
from db.study_settings import StudySettings
from db.workers import add_worker
from eval.ballots import answers
from eval.gold import Gold, TaskItems
from eval.intervals.clusters import Resampling
from eval.scoring import group_scores
from tests.helpers.model_server import ModelServer, Say
from tests.helpers.study_pages import parts, study_page

TAGS = ["Negation", "Negation;Quantifiers", "Quantifiers", "", "Negation", "Quantifiers;Negation"] * 5
YES_NO = Choice(choices={"1": same("да"), "0": same("нет")})
TASK = Task(
    id="test/tagged",
    title=same("Tagged"),
    description=same(""),
    fields=(
        Field("text", same("Текст")),
        Field("tags", same("Знаки"), kind="hidden", optional=True, values={}),
        Field("length", Wording(ru="Длина", en="Length"), kind="hidden", optional=True),
        Field("origin", same("Origin"), kind="hidden", values={"b": same("second"), "a": same("first")}),
    ),
    question=same("?"),
    instruction=same("!"),
    answer=YES_NO,
    prompt="{text}\n{options}",
    metrics=("mcc", "accuracy"),
    official=("mcc",),
    published=("accuracy_code_numbers",),
    breakdowns=(
        Breakdown("tags", Wording(ru="Знак", en="Tag"), several=";"),
        Breakdown("length", Wording(ru="Длина", en="Length")),
        Breakdown("origin", same("Origin")),
    ),
)


def fields_of(place: int) -> dict[str, str]:
    length = ("16k", "500", "4k")[place % 3]
    return {"text": f"t{place}", "tags": TAGS[place], "length": length, "origin": "ab"[place % 2]}


FIELDS = {str(place): fields_of(place) for place in range(len(TAGS))}
GOLD = {item: str(int(item) % 2) for item in FIELDS}
SAID = {item: label if int(item) % 4 else "1" for item, label in GOLD.items()}


def tables(task: Task = TASK, gold: Any = GOLD) -> dict[str, BrokenDown]:
    said = {"model": answers(dict(SAID), items=list(FIELDS), labels=YES_NO.labels())}
    return {one.breakdown.field: one for one in broken_down(task, gold, said, FIELDS)}


def test_an_item_counts_in_each_of_its_groups_and_one_without_a_group_nowhere() -> None:
    tags = tables()["tags"]
    assert [(part.group, part.items) for part in tags.parts] == [("Negation", 20), ("Quantifiers", 15)]
    for part in tags.parts:
        mine = [item for item in FIELDS if part.group in FIELDS[item]["tags"]]
        expected = matthews_corrcoef([GOLD[item] for item in mine], [SAID[item] for item in mine])
        (found,) = part.scores
        assert found.value == pytest.approx(expected)
        assert found.n == len(mine)
        assert found.ci[0] <= found.value <= found.ci[1]


def test_items_that_belong_to_no_group_are_counted_beside_the_table() -> None:
    found = tables()
    outside = sum(not FIELDS[item]["tags"] for item in GOLD)
    assert outside
    assert found["tags"].as_dict()["without_group"] == outside
    said = f"{outside} items with gold have no “tag” and are in no row."
    assert groups_in(text, list(found.values())).endswith(f"note: {said}")
    assert found["length"].left_out == ""


def test_groups_stand_in_the_order_of_their_values_or_of_their_numbers_and_have_their_words() -> None:
    found = tables()
    assert [part.group for part in found["length"].parts] == ["500", "4k", "16k"]
    assert [words.within("en") for words in found["origin"].words] == ["second", "first"]


def test_items_without_gold_are_in_no_group() -> None:
    known = {item: label for item, label in GOLD.items() if int(item) < 3}
    assert [(part.group, part.items) for part in tables(gold=known)["length"].parts] == [
        ("500", 1),
        ("4k", 1),
        ("16k", 1),
    ]
    nobody = group_scores("accuracy", {}, [answers({}, items=["1"], labels=("0", "1"))], {"1": ("x",)})
    assert nobody == ()


def test_a_metric_of_whole_exams_gives_way_to_points_and_groups_of_exams_resample_items() -> None:
    answer = Numbers(choices_field="choices", ordered=False)
    exam = Task(
        **{
            **{name: getattr(TASK, name) for name in ("id", "title", "description", "question", "instruction")},
            "fields": tuple(
                Field(name, same(name), kind="options" if name == "choices" else "hidden")
                for name in ("choices", "id_task", "type", "variant")
            ),
            "answer": answer,
            "prompt": "{options}",
            "metrics": ("grade_norm", "use_points"),
            "cluster": "variant",
            "breakdowns": (Breakdown("id_task", same("Number")), Breakdown("variant", same("Variant"))),
        }
    )
    fields = {
        str(place): {
            "choices": '["а","б","в"]',
            "id_task": ("2", "16", "10")[place % 3],
            "type": "multiple_choice",
            "variant": str(place // 3),
        }
        for place in range(6)
    }
    gold = Gold(dict.fromkeys(fields, '["1","2"]'), TaskItems(answer, fields))
    said = answers({item: '["1","2"]' if item < "4" else '["1"]' for item in fields}, items=list(fields), labels=None)
    numbers, variants = broken_down(exam, gold, {"model": said}, fields)
    assert numbers.metric == variants.metric == "use_points"
    # Of task 16 the second answer lacks one number: 1 point of 2.
    values = [(part.group, part.scores[0].value, part.scores[0].unit) for part in numbers.parts]
    assert values == [("2", 1, "variant"), ("10", 0.5, "variant"), ("16", 0.75, "variant")]
    assert [(part.scores[0].value, part.scores[0].unit) for part in variants.parts] == [(1, "item"), (0.5, "item")]


def test_a_score_over_published_lengths_is_the_plain_mean_within_one() -> None:
    fields = {str(place): {"length": "4k" if place < 2 else "8k"} for place in range(4)}
    gold = Gold(dict.fromkeys(fields, '["да"]'), TaskItems(Text(), fields, ("4k", "8k", "16k")))
    said = answers({"0": "да", "1": "нет", "2": "да", "3": "да"}, items=list(fields), labels=None)
    found = group_scores(
        "em_code", gold, [said], {item: (of["length"],) for item, of in fields.items()}, Resampling(draws=20)
    )
    assert [(part.group, part.scores[0].value) for part in found] == [("4k", 0.5), ("8k", 1)]


def test_tables_for_a_terminal_markdown_and_a_report() -> None:
    found = list(tables().values())
    head, first, *_ = groups_in(text, found).split("\n")[:3]
    assert head.startswith(
        "Matthews correlation by tag, with 95% intervals; those of people hold for these people, as none is computed "
        "for other people by group"
    )
    assert first.split() == ["tag", "items", "model"]
    assert "| Negation | 20 | " in groups_in(markdown, found)
    assert [len(breakdown_table(one).rows) for one in found] == [2, 3, 2]
    assert "nothing to break down" in groups_in(text, [])


def test_two_files_are_broken_down_as_well(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps({"id": k, **FIELDS[k], "label": GOLD[k]}) + "\n" for k in FIELDS), "utf8")
    told = tmp_path / "told.jsonl"
    told.write_text("".join(json.dumps({"id": k, "answer": SAID[k]}) + "\n" for k in FIELDS), "utf8")
    plain, broken = (score_files(TASK, gold, told, by_group=asked).as_dict() for asked in (False, True))
    assert "breakdowns" not in plain
    tags = broken["breakdowns"][0]
    assert (tags["field"], tags["title"], tags["metric"]) == ("tags", "Tag", "mcc")
    expected = mcc_of([item for item in FIELDS if "Quantifiers" in TAGS[int(item)]])
    assert tags["groups"][1]["scores"]["predictions"]["value"] == pytest.approx(expected)


def mcc_of(items: Sequence[str]) -> float:
    return float(matthews_corrcoef([GOLD[item] for item in items], [SAID[item] for item in items]))


@pytest.fixture
def study(sqlite: Engine) -> Study:
    """Two people who are always right, and a model that answers in sentences."""
    with writing(sqlite) as session:
        made = create_study(session, name="tagged", task=TASK, settings=StudySettings(overlap=2))
        items = [Item(item, fields, GOLD[item]) for item, fields in FIELDS.items()]
        add_items(session, study=made, items=items)
        workers = [add_worker(session) for _ in range(2)]
        stored = list_items(session, study=made)
        given = [Judgment(e.key, worker, GOLD[e.item.id]) for e in stored for worker in workers]
        add_judgments(session, study=made, judgments=given)
        run = create_run(session, study=made, model="openai:talker", kind="model", settings={})
        replies = [
            Prediction(e.key, 0, f"Из 3 вариантов верен {SAID[e.item.id]}.", SAID[e.item.id], "ok")
            if int(e.item.id) % 3
            else Prediction(e.key, 0, "Не знаю.", None, "unparsable")
            for e in stored
        ]
        add_predictions(session, run=run, predictions=replies)
        finish_run(session, run=run)
    return made


def test_a_study_is_broken_down_for_its_people_and_every_model(sqlite: Engine, study: Study) -> None:
    with reading(sqlite) as session:
        tags, *_ = of_results(session, results(session, study=study, rules=stored_rules(study)))
    assert tags.respondents == ("human:majority", "model:openai:talker")
    assert [part.scores[0].value for part in tags.parts] == [1, 1]


def test_a_study_scored_as_published_reads_what_the_model_wrote(sqlite: Engine, study: Study) -> None:
    with reading(sqlite) as session:
        corrected = results(session, study=study, rules=stored_rules(study))
        chosen = replace(study, task=as_published(study.task))
        published = results(session, study=chosen, rules=stored_rules(study))
        people = human_baseline(session, study=chosen, rules=stored_rules(study))
    assert list(corrected.rows[-1].scores) == ["mcc", "accuracy"]
    found = published.rows[-1].scores["accuracy_code_numbers"]
    # The first number of every sentence is 3, which is no option; ten replies have none and are dropped.
    assert (found.value, found.n) == (0, 20)
    assert published.rows[0].scores["accuracy_code_numbers"].value == 1
    apart = published.rows[-1].vs_human
    assert apart is not None
    assert (apart.value, apart.n) == (-1, 20)
    assert people.majority["accuracy_code_numbers"].n == 30
    assert [each.several for each in chosen.task.breakdowns] == ["", "", ""]


def test_the_page_folds_its_groups_and_computes_them_when_they_are_opened(sqlite: Engine, study: Study) -> None:
    folded, shown = (parts(study_page(sqlite, study.name, shown=part))["groups"] for part in ("", "groups"))
    assert "<table>" not in folded
    assert shown.count("<table>") == 3
    found = re.search(r"Quantifiers</th><td class=.plot.>(.*?)</td><td>15</td><td (class=.*?)</td>", shown, re.DOTALL)
    assert found is not None
    assert found[2].startswith('class="deep-5" title="Matthews correlation 1.000')
    # Whose answers are all right stands at the end of the axis, 2.5% of the width before its edge.
    assert re.search(r'<g class="people">.*?<circle class="dot" cx="97.5%"', found[1], re.DOTALL)
    assert found[1].count("<circle") == 2  # people and one model
    assert "openai:<wbr>talker" in shown


def test_a_task_without_groups_has_no_such_section(sqlite: Engine) -> None:
    with writing(sqlite) as session:
        plain = {**{name: getattr(TASK, name) for name in TASK.__dataclass_fields__}, "breakdowns": ()}
        made = create_study(session, name="plain", task=Task(**plain), settings=StudySettings())
        add_items(session, study=made, items=[Item("1", FIELDS["1"], "1")])
    assert "groups" not in parts(study_page(sqlite, "plain"))


def test_the_commands_print_groups_and_published_scores(
    sqlite: Engine, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", str(sqlite.url))
    asked = ["results", study.name, "--json", "--as-published", "--breakdown"]
    told = CliRunner().invoke(cli, asked)
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout)
    assert found["as_published"] is True
    assert [each["field"] for each in found["breakdowns"]] == ["tags", "length", "origin"]
    # As the scripts have it, joined tags are tags of their own.
    assert "Negation;Quantifiers" in [group["group"] for group in found["breakdowns"][0]["groups"]]
    plain = json.loads(CliRunner().invoke(cli, ["results", study.name, "--json"]).stdout)
    assert not {"as_published", "breakdowns"} & set(plain)


def test_the_diagnostic_features_of_two_languages_stand_side_by_side(
    command: Callable[..., Result], sqlite: Engine, tmp_path: Path
) -> None:
    russian = sample_file(get_task("rsg/lidirus"), "main")
    rows = [json.loads(line) for line in russian.read_text("utf8").splitlines()]
    # As GLUE's diagnostic set has its columns and its three labels.
    names = {"Premise": "sentence1", "Hypothesis": "sentence2", "Logic": "logic", "Knowledge": "knowledge"}
    names |= {"Lexical Semantics": "lexical_semantics", "Predicate-Argument Structure": "predicate_argument_structure"}
    three = {"entailment": "entailment", "not_entailment": "contradiction"}
    english = tmp_path / "diagnostic.json"
    records = [
        {theirs: row.get(ours) or row.get(ours.replace("_", "-")) or "" for theirs, ours in names.items()}
        | {"Label": three[row["label"]]}
        for row in rows
    ]
    english.write_text(json.dumps(records, ensure_ascii=False), "utf8")
    alone: dict[str, Any] = {}
    for study, items, seed in (("ru", russian, 1), ("en", english, 2)):
        kept = ("--overlap", 3, "--page-controls", 0, "--set", f"language={study}")
        assert command("create", study, "--task", "rsg/lidirus", "--items", items, *kept).exit_code == 0
        with reading(sqlite) as session:
            stored = get_study(session, name=study)
        service = Service(sqlite, Signer("a secret for tests"))
        simulate(service, stored, [Simulated(1.5)] * 3, start=datetime(2026, 3, 2, 9, tzinfo=UTC), seed=seed)
        with ModelServer(lambda _: Say("entailment")) as server:
            assert command("run", study, "--model", "openai:m", "--base-url", server.base_url).exit_code == 0
        alone[study] = json.loads(command("results", study, "--breakdown", "--json").stdout)["breakdowns"]
    beside = json.loads(command("results", "ru", "--beside", "en", "--json").stdout)["breakdowns"]
    assert [each["field"] for each in beside] == [each["field"] for each in alone["ru"]]
    for joined, ru, en in zip(beside, alone["ru"], alone["en"], strict=True):
        for group, one, other in zip(joined["groups"], ru["groups"], en["groups"], strict=True):
            assert group["scores"] == {
                "ru:human:majority": one["scores"]["human:majority"],
                "en:human:majority": other["scores"]["human:majority"],
                "ru:model:openai:m": one["scores"]["model:openai:m"],
                "en:model:openai:m": other["scores"]["model:openai:m"],
            }
    written = command("results", "ru", "--beside", "en").stdout
    assert "ru: openai:m" in written
    assert "Negation" in written
    page = StudyCache(sqlite).draw(StudyAddress("ru", shown="groups"))
    assert page.index("<summary>Beside en</summary>") < page.index("ru: openai:m") < page.index("en: openai:m")
    other_task = sample_file(get_task("rsg/terra"), "main")
    assert command("create", "terra", "--task", "rsg/terra", "--items", other_task).exit_code == 0
    assert "no group of items with gold in common" in command("results", "ru", "--beside", "terra").stderr


def test_what_else_papers_print_is_shown_with_their_scores(command: Callable[..., Result], sqlite: Engine) -> None:
    fertility = {each.of: each.value for each in get_family("libra").figures if each.table == "2"}
    assert len(fertility) == 11
    assert sum(map(float, fertility.values())) / 11 == pytest.approx(2.78, abs=0.01)  # the paper: 2.8 on average
    limits = [each for each in get_family("libra").figures if each.figure == "context limit"]
    assert (len(limits), len({each.of for each in get_family("rsg").figures})) == (12, 9)
    assert len({each.of for each in get_family("agrr").figures if each.table == "6"}) == 9
    items = sample_file(get_task("agrr/binary"), "main")
    assert command("create", "gaps", "--task", "agrr/binary", "--items", items).exit_code == 0
    written = command("results", "gaps", "--published").stdout
    assert "Methods of the participants (table 6)" in written
    assert "closed track" in written
    assert re.search(r"dev +2760 +1382 +2\.00", written)
    folded = re.findall(r"<summary>(.*?)</summary>", StudyCache(sqlite).draw(StudyAddress("gaps")))
    assert "Methods of the participants (table 6)" in folded
