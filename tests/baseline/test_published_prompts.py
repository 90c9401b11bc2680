"""Prompts as published: requests equal the authors' text byte for byte. Their words are read, none stand here."""

import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from annotate.accounts.signer import Signer
from annotate.demo_studies import Simulated, simulate
from annotate.worker.service import Service
from baseline.models.model import Question
from baseline.runs.planned_runs import Access, PlannedRun, plan_runs
from baseline.runs.run_settings import run_settings
from data.catalogue.catalog import get_task, sample_file
from data.errors import EtalonError
from data.files.item_files import read_items
from db.engine import Database, reading, writing
from db.items import add_items
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from tests.helpers.model_server import ModelServer, Say
from tests.helpers.whole_ruscontext import FILES

pytestmark = pytest.mark.real_data
Record = Mapping[str, Any]
SERVER = {"base_url": "http://127.0.0.1:9/v1"}


def planned(database: Database, task: str, items: Path, prompts: Path, **settings: Any) -> PlannedRun:
    """Return the first ten items of a file planned as `run --prompts published` plans them."""
    made = get_task(task)
    with writing(database) as session:
        study = create_study(
            session, name=f"{made.id.replace('/', '-')}-{items.stem}", task=made, settings=StudySettings()
        )
        add_items(session, study=study, items=islice(read_items(items, made), 10))
    asked = run_settings("openai:m", {**SERVER, "published": prompts, **settings})
    return plan_runs(database, study.name, asked, Access("none"))[0]


def requests(run: PlannedRun) -> list[str]:
    """Return the text of each request as it would be sent: the last message of its body."""
    task, options = run.study.task, run.prompt_options
    bodies = [run.model.body(Question(task, each.item.public(), each.item.id, 0, options)) for each in run.items]
    return [body["messages"][-1]["content"] for body in bodies if body]


def written(path: Path, records: object) -> Path:
    path.write_text(json.dumps(records, ensure_ascii=False), "utf8")
    return path


LETTERED = "Кто {n}?\nА. первый\nБ. второй\nВ. третий\nГ. четвёртый"
TYPED = "Вопрос: Где город {n}?\nТип: Город\nВопрос: Сколько рек?\nТип: Число\n"


def libra_record(task: str, sample: Record, n: int) -> Record:
    """Return a record as LIBRA's files have it: what our samples say, or for options and types what its own says."""
    record = {
        "context": f"  {sample['context']} {{фигурные}} \n{n}",
        "input": f" {sample['input']} {n}?",
        "positive_outputs": [str(sample["positive_outputs"])],
        "negative_outputs": [],
        "length": "8k",
    }
    if task in ("ru_tpo", "ru_quality"):
        return record | {"input": f"Вопрос: {LETTERED.format(n=n)}", "positive_outputs": ["Б"]}
    if task == "ru_trec":
        return record | {"context": TYPED.format(n=n), "input": f"Вопрос: Где {n}? Тип:", "positive_outputs": ["Город"]}
    yes = {"matreshka_yes_no": "Да", "ru_sci_fi": "Ложь [в реальном мире: Правда]"}
    return record | {"positive_outputs": [yes.get(task, "12345")]}


def test_libra_is_asked_as_its_script_asks(sqlite: Database, tmp_path: Path, shared: Path) -> None:
    config = shared / "published_prompts" / "libra" / "datasets_config.json"
    stated = json.loads(config.read_text("utf8"))
    assert len(stated) == 21
    for task, asked in stated.items():
        samples = [
            json.loads(line) for line in sample_file(get_task(f"libra/{task}"), "main").read_text("utf8").splitlines()
        ]
        records = [libra_record(task, samples[n % len(samples)], n) for n in range(10)]
        run = planned(sqlite, f"libra/{task}", written(tmp_path / f"{task}.json", records), config)
        expected = [
            asked["instruction"].replace("{context}", record["context"]).replace("{input}", record["input"])
            for record in records
        ]
        assert requests(run) == expected, task
        body = run.model.body(Question(run.study.task, run.items[0].item.public(), "", 0, run.prompt_options))
        assert body is not None
        assert body["max_tokens"] == int(asked["max_new_tokens"])


def whole_items(card: Path) -> tuple[Sequence[Record], Sequence[Any]]:
    """Return the items and the other examples, prompts, that a card of MERA prints."""
    blocks = re.findall(r"```json\n(.*?)\n```", card.read_text("utf8"), re.DOTALL)
    read = [json.loads(block) for block in blocks]
    items = [block for block in read if isinstance(block, dict) and "inputs" in block]
    return items, [block for block in read if block not in items]


def texts(values: object) -> list[str]:
    """Return the texts in a JSON value."""
    inner = values.values() if isinstance(values, dict) else values if isinstance(values, list) else None
    return [str(values)] if inner is None else [text for each in inner for text in texts(each)]


def crowd(shared: Path, task: str) -> Sequence[Record]:
    """Return inputs of ten items of a task, from the logs of its crowd."""
    file, sign = {
        "parus": ("toloka_logs/PARus/assign_PARus.tsv", ";"),
        "rwsd": ("toloka_logs/RWSD/assign_RWSD.tsv", ";"),
        "rcb": ("toloka_pools/RCB/assignments_from_pool_42365874__11-12-2023.tsv", "\t"),
    }[task]
    with (shared / file).open(encoding="utf8", newline="") as opened:
        rows = list(islice(csv.DictReader(opened, delimiter=sign), 400))
    seen = {row["INPUT:premise" if task != "rwsd" else "INPUT:text"]: row for row in rows if any(row.values())}
    read = [{name.removeprefix("INPUT:"): value for name, value in row.items()} for row in seen.values()]
    if task == "parus":
        return [{**row, "choice1": row["sent1"], "choice2": row["sent2"]} for row in read][:10]
    if task == "rcb":
        return read[:10]
    bold = [(row, re.search(r"<b>(.*?)</b>", row["text"])) for row in read if row["text"].count("<b>") == 1]
    plain = [(row["span1"], found[1], re.sub("</?b>", "", row["text"])) for row, found in bold if found]
    known = [{"text": text, "span1_text": one, "span2_text": two} for one, two, text in plain if one in text]
    return [{**row, "span1_index": 0, "span2_index": 1} for row in known][:10]


@pytest.mark.parametrize(("task", "output"), [("parus", "2"), ("rcb", "3"), ("rwsd", "Да")])
def test_each_item_of_mera_is_asked_with_its_own_instruction(
    sqlite: Database, tmp_path: Path, shared: Path, task: str, output: str
) -> None:
    records = mera_records(shared, task, output)
    file = written(tmp_path / f"{task}.json", records)
    run = planned(sqlite, f"rsg/{task}", file, file)
    expected = [f"{record['instruction'].format(**record['inputs'])}\nОтвет:" for record in records]
    assert len(expected) == 10
    assert requests(run) == expected
    differs = {each["what"] for each in run.also_stored["published_prompts"]["differs"]}
    assert {"worked examples", "answer"} <= differs


def without_instruction(shared: Path, task: str, record: Record) -> str:
    """Return what MERA's harness asks after the first worked example, by its own files."""
    folder = shared / "published_prompts" / "mera"
    if task != "use":
        (stated,) = re.findall(
            r"without_instruction: \"\{\{'(.*?)'\.format", (folder / f"{task}.yaml").read_text("utf8")
        )
        return str(stated).replace("\\n", "\n").format(**record["inputs"])
    program = (folder / "utils.py").read_text("utf8")
    namespace: dict[str, Any] = {}
    exec(program[program.index("def _process_doc") : program.index("def process_docs")], namespace)
    return str(namespace["_process_doc"](json.loads(json.dumps(record)))["doc_to_text_without_instruction"])


def mera_records(shared: Path, task: str, output: str) -> Sequence[Record]:
    """Return ten records of a task in MERA's form: instructions of its card, inputs of its crowd's log."""
    printed, others = whole_items(shared / "published_prompts" / "mera" / f"{task}.md")
    instructions = [printed[0]["instruction"], *texts(others)]
    meta = {"task": "cause", "verb": "судить", "negation": "no_negation", "genre": "kp"}
    return [
        {"instruction": words, "inputs": inputs, "outputs": output, "meta": {**meta, "id": n}}
        for n, (words, inputs) in enumerate(zip(instructions * 10, crowd(shared, task), strict=False))
    ]


@pytest.mark.parametrize(("task", "output"), [("parus", "2"), ("rcb", "3"), ("rwsd", "Да"), ("use", "")])
def test_with_worked_examples_mera_gives_the_instruction_once(
    command: Callable[..., Result], sqlite: Database, tmp_path: Path, shared: Path, task: str, output: str
) -> None:
    records = use_records(shared) if task == "use" else mera_records(shared, task, output)
    items, train = written(tmp_path / f"{task}.json", records[:3]), written(tmp_path / "train.json", records[8:])
    made = "use" if task == "use" else f"rsg/{task}"
    run = planned(sqlite, made, items, items, train=train, shots=2, seed=4)
    assert [len(run.prompt_options.shots), len(run.items)] == [2, 3]
    by_id = {str(record["meta"]["id"]): record for record in records}
    first, second = (by_id[shot.id] for shot in run.prompt_options.shots)
    ends = "" if task == "use" else "\nОтвет:"
    for each in run.items:
        body = run.model.body(Question(run.study.task, each.item.public(), each.item.id, 0, run.prompt_options))
        assert body is not None
        assert [(message["role"], message["content"]) for message in body["messages"]] == [
            ("user", first["instruction"].format(**first["inputs"]) + ends),
            ("assistant", first["outputs"]),
            ("user", without_instruction(shared, task, second)),
            ("assistant", second["outputs"]),
            ("user", without_instruction(shared, task, by_id[each.item.id])),
        ]
    assert (
        run.also_stored["published_prompts"]["messages"]
        == "the instruction once, then examples and the item without it"
    )
    assert planned(sqlite, made, train, train).also_stored["published_prompts"].keys() == {
        "file",
        "sha256",
        "source",
        "differs",
    }


def use_records(shared: Path) -> Sequence[Record]:
    """Return the five items that the card of USE prints, each with two of the prompts of its type."""
    printed, (by_type,) = whole_items(shared / "published_prompts" / "mera" / "use.md")
    flat = {"text": by_type["text"], "matching": by_type["matching"]}
    flat |= {f"multiple_choice_{kind}": prompts for kind, prompts in by_type["multiple_choice"].items()}
    twins = [{**item, "instruction": texts(flat[item["meta"]["type"]])[0]} for item in printed]
    twins = [{**item, "meta": {**item["meta"], "id": item["meta"]["id"] + 5000}} for item in twins]
    return [*printed, *twins]


def test_use_is_asked_item_by_item_and_by_prompts_of_each_type(sqlite: Database, tmp_path: Path, shared: Path) -> None:
    records = use_records(shared)
    assert len(records) == 10
    file = written(tmp_path / "use.json", records)
    run = planned(sqlite, "use", file, file)
    assert requests(run) == [record["instruction"].format(**record["inputs"]) for record in records]
    assert run.settings.values()["stop"] == "\\n\n."
    kinds = {record["meta"]["type"]: record["instruction"] for record in records}
    lines = [f"{kind} = {json.dumps([words, '2 ' + words], ensure_ascii=False)}" for kind, words in kinds.items()]
    toml = tmp_path / "use.toml"
    toml.write_text("[use]\n" + "\n".join(lines), "utf8")
    again = written(tmp_path / "again.json", records)
    second = planned(sqlite, "use", again, toml, variants=[1])
    assert requests(second) == ["2 " + kinds[record["meta"]["type"]].format(**record["inputs"]) for record in records]


def test_use_item_by_item_goes_through_people_and_a_model_to_results(
    command: Callable[..., Result], sqlite: Database, tmp_path: Path, shared: Path
) -> None:
    records = use_records(shared)[:5]
    items = written(tmp_path / "use.json", records)
    made = ("create", "exam", "--task", "use", "--items", items, "--overlap", 1, "--page-controls", 0)
    assert command(*made).exit_code == 0
    with reading(sqlite) as session:
        study = get_study(session, name="exam")
    service = Service(sqlite, Signer("a secret for tests"))
    simulate(service, study, [Simulated(1000.0)], start=datetime(2026, 3, 2, 9, tzinfo=UTC))
    # The model knows each answer but the first, and is known by the very text of its item's own prompt.
    told = {record["instruction"].format(**record["inputs"]): record["outputs"] for record in records[1:]}
    with ModelServer(lambda messages: Say(told.get(messages[-1]["content"], "-"))) as server:
        asked = ("run", "exam", "--model", "openai:m", "--base-url", server.base_url, "--prompts", "published", items)
        assert command(*asked).exit_code == 0
    rows = json.loads(command("results", "exam", "--json").stdout)["rows"]
    values = {row["kind"]: row["scores"]["use_points"]["value"] for row in reversed(rows)}
    points = [int(record["meta"]["score"]) for record in records]
    assert values == {"human": 1, "model": pytest.approx(sum(points[1:]) / sum(points))}


APPENDIX = (
    "coref_anaphora", "coref_nps", "disrpt", "rudabank", "idiom_literal", "idiom_texts", "idiom_meaning", "ellipsis",
)  # fmt: skip


def appendix_b(seeds: Path) -> dict[str, str]:
    """Return the prompts of appendix B by task, each paragraph of a table a line."""
    text = (seeds / "000_635cbb407e268916.txt").read_text("utf8").partition("\nB Prompts\n")[2]
    tables = re.findall(r"\| (<p>.*?</p>) \|", text, re.DOTALL)
    each = [[re.sub(r"^Prompt:\s*", "", p) for p in re.findall(r"<p>(.*?)</p>", t, re.DOTALL)] for t in tables]
    lines = [[line for line in table if line] for table in each]
    discourse = lines[2]
    half = next(place for place, line in enumerate(discourse) if "{initial_utterance}" in line) - 1
    parted = [*lines[:2], discourse[:half], discourse[half:], *lines[3:]]
    return {task: "\n".join(table) for task, table in zip(APPENDIX, parted, strict=True)}


def raw_records(path: Path) -> Sequence[Record]:
    if path.suffix == ".csv":
        with path.open(encoding="utf8", newline="") as file:
            return list(csv.DictReader(file))
    read = json.loads(path.read_text("utf8"))
    return read if isinstance(read, list) else list(read.values())


def filled(task: str, template: str, record: Record, tags: Sequence[str]) -> str:
    """Fill a prompt in as the authors' script does: Python's own words for lists and objects."""
    names: dict[str, Any] = {**record, "example": record.get("example", record.get("text"))}
    if task.startswith("coref"):
        variants = [f"{n}. {text}" for n, text in enumerate(record.get("variants", ()), 1)]
        spans = {"first RE span": record.get("first"), "second RE span": record.get("second")}
        names |= {"paragraph": record["paragraph"]["text"], "variants": ";\n".join(variants), **spans}
    if task == "ellipsis":
        names["text"] = re.sub(r"\n", " ", re.sub("_", "", re.sub(" _", "", record["sentence"])))
    names["options"] = record.get("choices", ", ".join(tags))
    for name, value in names.items():
        template = template.replace(f"{{{name}}}", str(value))
    return template


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Path:
    """A TOML of the prompts in appendix B."""
    prompts = appendix_b(shared.parent / "seeds")
    path = tmp_path_factory.mktemp("paper") / "ruscontext.toml"
    quoted = [f'"ruscontext/{task}" = {json.dumps(text, ensure_ascii=False)}' for task, text in prompts.items()]
    path.write_text("\n".join(quoted), "utf8")
    return path


def test_ruscontext_is_asked_as_its_appendix_prints(sqlite: Database, shared: Path, paper: Path) -> None:
    tags = sorted({row["tag"] for row in raw_records(shared / "ruscontext" / FILES["rudabank"])})
    for task, template in appendix_b(shared.parent / "seeds").items():
        file = shared / "ruscontext" / FILES[task]
        run = planned(sqlite, f"ruscontext/{task}", file, paper)
        expected = [filled(task, template, record, tags) for record in raw_records(file)[:10]]
        assert requests(run) == expected, task
        assert "{" not in re.sub(r"\{'0'.*?\}", "", expected[0], flags=re.DOTALL), task


def test_options_that_the_authors_count_from_0_are_read_and_scored_so(
    command: Callable[..., Result], tmp_path: Path, shared: Path, paper: Path
) -> None:
    ten = raw_records(shared / "ruscontext" / FILES["idiom_meaning"])[:10]
    items = written(tmp_path / "idioms.json", ten)
    assert command("create", "idioms", "--task", "ruscontext/idiom_meaning", "--items", items).exit_code == 0
    right = iter([f"Ответ: {record['correct_label']}" for record in ten])
    with ModelServer(lambda _: Say(next(right))) as server:
        asked = ("run", "idioms", "--model", "openai:m", "--base-url", server.base_url, "--set", "concurrency=1")
        assert command(*asked, "--prompts", "published").exit_code == 2
        assert command(*asked, "--prompts", "published", paper).exit_code == 0
    for scored in ((), ("--as-published",)):
        rows = json.loads(command("results", "idioms", *scored, "--json").stdout)["rows"]
        (model,) = [row for row in rows if row["kind"] == "model"]
        assert {name: score["value"] for name, score in model["scores"].items() if "accuracy" in name}.popitem()[1] == 1
    assert "asked in the words of ruscontext.toml" in command("describe", "idioms").stdout


def test_what_cannot_be_asked_as_published_is_refused_with_what_to_do(
    sqlite: Database, tmp_path: Path, shared: Path, paper: Path
) -> None:
    config = shared / "published_prompts" / "libra" / "datasets_config.json"
    sample = read_items(sample_file(get_task("ruscontext/coref_nps"), "main"), get_task("ruscontext/coref_nps"))
    own = written(tmp_path / "own.json", [{"id": item.id, **item.fields, "label": item.gold} for item in sample])
    with pytest.raises(EtalonError, match="make the study from their own file"):
        planned(sqlite, "ruscontext/coref_nps", own, paper)
    with pytest.raises(EtalonError, match="has no prompt"):
        planned(sqlite, "rsg/terra", sample_file(get_task("rsg/terra"), "main"), config)
    other = tmp_path / "other.toml"
    other.write_text('"ruscontext/ellipsis" = "{text} {nothing}"', "utf8")
    run = planned(sqlite, "ruscontext/ellipsis", shared / "ruscontext" / FILES["ellipsis"], other)
    with pytest.raises(EtalonError, match=r"names \{nothing\}"):
        requests(run)
    with pytest.raises(EtalonError, match="reads no prompt"):
        plan_runs(sqlite, run.study.name, run_settings("random", {"published": paper}), Access("none"))
