"""RusConText ellipsis: the real file becomes items whose sentences do not show the gap."""

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import Result

from annotate.accounts.signer import Signer
from annotate.demo_studies import Simulated, simulate
from annotate.worker.service import Service
from baseline.models.prompts import messages
from data.answers.answer_type import unpacked
from data.catalogue.catalog import get_task, samples
from data.files.item_files import check_items, read_items
from data.files.rows import read_rows
from data.formats import format_named
from data.formats.ruscontext import without_marks
from data.task import Item
from db.engine import Database, reading
from db.items import list_items
from db.studies import get_study
from eval.metrics.table import METRICS
from tests.helpers.model_server import Messages, ModelServer, Say

TASK = get_task("ruscontext/ellipsis")
UNFOLD = format_named("ruscontext_ellipsis").unfold


@pytest.fixture(scope="module")
def items(shared: Path) -> list[Item]:
    found, problems = check_items(shared / "ruscontext" / "ellipsis.csv", TASK)
    assert problems == []
    return found


def test_every_sentence_of_the_paper_is_there_with_its_id(items: list[Item]) -> None:
    assert [item.id for item in items] == [f"ellipsis_{number}" for number in range(626)]


def test_the_types_are_counted_as_in_the_paper(items: list[Item]) -> None:
    six = dict.fromkeys(("gapping", "np", "vp", "sluicing", "polarity", "answer"), 100)
    assert Counter(item.fields["type"] for item in items) == six | {"stripping": 14, "verb_stranding": 3, "other": 9}


def test_no_sentence_shows_where_the_gap_is(items: list[Item]) -> None:
    assert [item.id for item in items if "_" in item.fields["sentence"]] == []
    assert set(items[0].fields) == {"sentence", "type"}


def test_the_words_of_a_sentence_are_all_kept(items: list[Item], shared: Path) -> None:
    raw = (shared / "ruscontext" / "ellipsis.csv").read_text("utf8").replace('""', '"')
    letters = re.sub(r"[\W_]+", "", raw)
    assert [item.id for item in items if re.sub(r"[\W_]+", "", item.fields["sentence"]) not in letters] == []


def test_every_gold_is_accepted_as_it_stands_in_the_file(items: list[Item]) -> None:
    golds = [unpacked(item.gold or "") for item in items]
    assert golds[0] == ["состоит"]
    assert golds[13] == ["составила, составила"]
    assert all(len(gold) == 1 and gold[0] == gold[0].strip() != "" for gold in golds)


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("из одного байта, а часть — __ из двух.", "из одного байта, а часть — из двух."),
        ("делегаций —__ до 15 минут", "делегаций — до 15 минут"),
        ("а доброту __ за слабость .", "а доброту за слабость ."),
        ("Маша поймала __, а Петя __.", "Маша поймала, а Петя."),
        ("когда она приедет? __Утром.", "когда она приедет? Утром."),
        ("__ На кухне.", "На кухне."),
        ("Где?\r\n__ На кухне __\r\nДа", "Где?\r\nНа кухне\r\nДа"),
        ("три\u00a0— __ позади", "три\u00a0— позади"),
        ("файл a_b без метки", "файл a_b без метки"),
    ],
)
def test_a_mark_goes_with_one_space_and_nothing_else(marked: str, plain: str) -> None:
    assert without_marks(marked) == plain


@pytest.mark.parametrize(
    ("spelling", "kind"),
    [
        ("NP_ellipsis", "np"),
        ("NP-ellipsis", "np"),
        ("answer ellipsis", "answer"),
        ("polarity_ellipsis", "polarity"),
        ("verb-stranding", "verb_stranding"),
        ("PP_ellipsis", "other"),
        ("gapping, PP-ellipsis", "other"),
    ],
)
def test_spellings_of_a_type_are_joined(spelling: str, kind: str) -> None:
    record = {"sentence": "Да __.", "suggested ellipsis resolution": "нет", "ellipsis type": spelling, "id": "1"}
    (row,) = UNFOLD(record)
    assert (row["type"], row["sentence"], row["answer"], row["id"]) == (kind, "Да.", "нет", "1")


def test_a_record_without_a_resolution_is_refused() -> None:
    with pytest.raises(ValueError, match="has no 'suggested ellipsis resolution'"):
        list(UNFOLD({"sentence": "Да __."}))


def test_neither_the_gap_nor_the_type_is_told_to_a_model(items: list[Item]) -> None:
    for item in items[::25]:
        (message,) = messages(TASK, item.public())
        asked = message["content"].split("Предложение:")[-1]
        assert "__" not in asked
        assert not any(word in asked for word in TASK.fields[1].values)


def test_no_sample_repeats_a_sentence_of_the_real_file(items: list[Item]) -> None:
    real = {item.fields["sentence"] for item in items}
    assert not {item.fields["sentence"] for item in samples(TASK)} & real


WHOLE = get_task("ruscontext/ellipsis_whole")
GOLD = {"place": ["Он пил чай, а она — _ кофе."], "ellipsis": ["пила"], "full": ["Он пил чай, а она пила кофе."]}


def whole(shared: Path) -> list[Item]:
    return read_items(shared / "ruscontext" / "ellipsis.csv", WHOLE)


def test_the_whole_has_places_of_all_marked_gaps_and_full_texts_where_each_gap_has_its_words(shared: Path) -> None:
    golds = [unpacked(item.gold or "") for item in whole(shared)]
    first = str(read_rows(shared / "ruscontext" / "ellipsis.csv")[0][0].values["sentence"])
    assert [sum(part in gold for gold in golds) for part in ("ellipsis", "place", "full")] == [
        626,
        626 - 6,
        582 + 1 + 1 + 30 + 1,
    ]
    assert {part: unpacked(text) for part, text in golds[0].items()} == {
        "place": [first.replace("__", "_")],
        "ellipsis": ["состоит"],
        "full": [first.replace("__", "состоит")],
    }


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"place": "Он пил чай, а она _ — кофе", "ellipsis": "пила", "full": "он пил чай, а она пила кофе"}, (1, 1, 1)),
        ({"place": "Он пил чай, а _ она — кофе.", "ellipsis": "Пила.", "full": "Он пил чай, а она кофе."}, (0, 1, 0)),
        ({"place": "Он пил чай, а она — кофе.", "ellipsis": "пил", "full": "Он пил чай, а она пила кофе."}, (0, 0, 1)),
    ],
)
def test_each_part_has_a_score_of_its_own(given: dict[str, str], right: tuple[int, ...]) -> None:
    fields = {"sentence": "Он пил чай, а она — кофе.", "type": "gapping"}
    gold, answer = WHOLE.answer.gold(GOLD, fields), WHOLE.answer.validate(given, fields)
    words_alone = WHOLE.answer.gold({"ellipsis": ["пила"]}, fields)
    names = ("place_em", "ellipsis_em", "full_em")
    scored = [METRICS[name].of_answer(WHOLE.answer, fields, gold, answer) for name in names]  # type: ignore[misc]
    assert scored == [(float(each), 1.0) for each in right]
    alone = [METRICS[name].of_answer(WHOLE.answer, fields, words_alone, answer) for name in names]  # type: ignore[misc]
    assert alone == [(0.0, 0.0), (float(right[1]), 1.0), (0.0, 0.0)]
    assert WHOLE.answer.right(answer, words_alone, fields) is bool(right[1])


def test_a_reply_is_read_by_the_authors_names_and_by_ours() -> None:
    fields = {"sentence": "Он пил чай, а она — кофе.", "type": "gapping"}
    ours = {"place": "Он пил чай, а она — _ кофе.", "ellipsis": "пила", "full": "Он пил чай, а она пила кофе."}
    theirs = dict(zip(("изначальное", "эллипсис", "полное"), ours.values(), strict=True))
    for reply in (ours, theirs):
        said = f"```json\n{json.dumps(reply, ensure_ascii=False)}\n```"
        assert WHOLE.answer.parse(said, fields) == WHOLE.answer.validate(ours, fields)
        published = METRICS["match_accuracy_code"].of_answer
        assert published
        assert published(WHOLE.answer, fields, WHOLE.answer.gold(GOLD, fields), said) == (1.0, 1.0)


def test_people_and_a_model_answer_the_whole_and_are_scored_part_by_part(
    command: Callable[..., Result], sqlite: Database, tmp_path: Path, shared: Path
) -> None:
    file = shared / "ruscontext" / "ellipsis.csv"
    kept = ("--overlap", 3, "--page-controls", 0, "--sample", 6, "--seed", 1)
    assert command("create", "whole", "--task", WHOLE.id, "--items", file, *kept).exit_code == 0
    service = Service(sqlite, Signer("a secret for tests"))
    with reading(sqlite) as session:
        study = get_study(session, name="whole")
        items = [stored.item for stored in list_items(session, study=study)]
    simulate(service, study, [Simulated(3.2)] * 3, start=datetime(2026, 3, 2, 9, tzinfo=UTC), seed=7)
    best = {item.fields["sentence"]: unpacked(WHOLE.answer.best(str(item.gold), item.fields)) for item in items}
    named = {"place": "изначальное", "ellipsis": "эллипсис", "full": "полное"}

    def says(asked: Messages) -> Say:
        right = next(gold for sentence, gold in best.items() if sentence in asked[-1]["content"])
        return Say(json.dumps({named[part]: text for part, text in right.items()}, ensure_ascii=False))

    with ModelServer(says) as server:
        assert command("run", "whole", "--model", "openai:m", "--base-url", server.base_url).exit_code == 0
    rows = json.loads(command("results", "whole", "--json").stdout)["rows"]
    by_kind = {row["kind"]: row["scores"] for row in rows}
    model = {name: score["value"] for name, score in by_kind["model"].items()}
    assert {model[name] for name in ("place_em", "ellipsis_em", "full_em", "full_rouge_l")} == {1.0}
    assert by_kind["human"].keys() == by_kind["model"].keys()
