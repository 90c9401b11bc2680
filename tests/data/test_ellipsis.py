"""RusConText ellipsis: the real file becomes items whose sentences do not show the gap."""

import re
from collections import Counter
from pathlib import Path

import pytest

from baseline.models.prompts import messages
from data.answers.composite import unpacked
from data.catalogue.catalog import get_task, samples
from data.files.item_files import check_items
from data.formats import format_named
from data.formats.ruscontext import without_marks
from data.task import Item

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
