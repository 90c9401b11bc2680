"""RussianSuperGLUE: the authors' files of five tasks, the marks of RUSSE and RWSD, prompts and splits."""

import json
from collections import Counter
from pathlib import Path

import pytest

from baseline.models.prompts import messages
from data.answers.answer_type import unpacked
from data.catalogue.catalog import get_task, samples
from data.files.item_files import check_items, read_items
from data.formats.russian_superglue import places, untagged, word_at
from data.task import Item, Task

FAMILY = ("danetqa", "lidirus", "muserc", "muserc_extended", "parus", "rcb", "rucos", "russe", "rwsd", "terra")
LIDIRUS, RCB, RUSSE, RWSD, DANETQA = (
    get_task(f"rsg/{name}") for name in ("lidirus", "rcb", "russe", "rwsd", "danetqa")
)
PAIR = {
    "sentence1": "Никто не спал.",
    "sentence2": "Никто не спал днём.",
    "knowledge": "",
    "lexical-semantics": "Quantifiers",
    "logic": "Negation;Downward monotone",
    "predicate-argument-structure": "",
    "label": "entailment",
    "idx": 10,
}
DISCOURSE = {
    "premise": "Стемнело. Ты думаешь, он придёт?",
    "label": "neutral",
    "hypothesis": "Он придёт.",
    "verb": "думать",
    "negation": "no_negation",
    "genre": "prose",
    "idx": 0,
}
WORD = {
    "idx": 8,
    "word": "дорога",
    "sentence1": "Снег засыпал дорогу, и машины встали.",
    "sentence2": "Присядем на дорогу",
    "start1": 13,
    "end1": 19,
    "start2": 11,
    "end2": 18,
    "label": False,
    "gold_sense1": 1,
    "gold_sense2": 2,
}
SCHEMA = {
    "idx": 3,
    "target": {"span1_text": "Оля", "span1_index": 3, "span2_text": "она ушла", "span2_index": 6},
    "label": True,
    "text": "Оля позвонила сестре, Оля ждала, пока она ушла.",
}
QUESTION = {"question": "есть ли у кита уши", "passage": "Кит слышит костями черепа.", "label": True, "idx": 5}
# The id, the gold and what tells it, and places, which become marks.
ELSEWHERE = {"idx", "label", "target", "start1", "end1", "start2", "end2", "gold_sense1", "gold_sense2"}
RECORDS = [(LIDIRUS, PAIR), (RCB, DISCOURSE), (RUSSE, WORD), (RWSD, SCHEMA), (DANETQA, QUESTION)]


def written(folder: Path, *records: object, encoding: str = "utf-8") -> Path:
    path = folder / "test.jsonl"
    path.write_text("\r\n".join(json.dumps(one, ensure_ascii=False) for one in records) + "\r\n", encoding)
    return path


def only(folder: Path, task: Task, record: object) -> Item:
    (item,) = read_items(written(folder, record), task)
    return item


def marked(item: Item, text: str = "text", marks: str = "marks") -> list[str]:
    return [item.fields[text][begin:end] for begin, end in unpacked(item.fields[marks])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize(("task", "record"), RECORDS)
def test_a_line_of_the_authors_is_an_item_with_its_own_number_and_all_its_fields(
    tmp_path: Path, task: Task, record: dict[str, object], encoding: str
) -> None:
    (item,) = read_items(written(tmp_path, record, encoding=encoding), task)
    label = record["label"]
    assert item.id == str(record["idx"])
    assert item.gold == (str(label).lower() if isinstance(label, bool) else label)
    ours = {task.aliases.columns.get(name, name): value for name, value in record.items()}
    kept = {name: str(ours[name]) for name in ours.keys() & item.fields.keys()}
    assert kept == {name: item.fields[name] for name in kept}
    assert set(record) - set(kept) - set(task.aliases.columns) <= ELSEWHERE


@pytest.mark.parametrize(("task", "record"), RECORDS)
def test_a_closed_test_set_has_items_without_gold(tmp_path: Path, task: Task, record: dict[str, object]) -> None:
    hidden = {"label", "gold_sense1", "gold_sense2"}
    assert only(tmp_path, task, {name: value for name, value in record.items() if name not in hidden}).gold is None


@pytest.mark.parametrize(("right", "wrong"), [(True, False), ("true", "false"), ("True", "False"), (1, 0), ("1", "0")])
@pytest.mark.parametrize(("task", "record"), [(RUSSE, WORD), (RWSD, SCHEMA), (DANETQA, QUESTION)])
def test_a_truth_may_be_written_in_every_way_the_files_have(
    tmp_path: Path, task: Task, record: dict[str, object], right: object, wrong: object
) -> None:
    path = written(tmp_path, record | {"label": right}, record | {"label": wrong, "idx": 77})
    assert [item.gold for item in read_items(path, task)] == ["true", "false"]


@pytest.mark.parametrize(("number", "label"), [("1", "entailment"), ("2", "contradiction"), (3, "neutral")])
def test_rcb_knows_the_numbers_of_mera(tmp_path: Path, number: object, label: str) -> None:
    assert only(tmp_path, RCB, DISCOURSE | {"label": number}).gold == label


@pytest.mark.parametrize(
    ("task", "record", "said"),
    [
        (LIDIRUS, PAIR | {"label": "maybe"}, "'maybe' is not an answer; use one of entailment, not_entailment"),
        (RCB, {**DISCOURSE, "hypothesis": ""}, "field 'hypothesis': is empty; every shown field needs a text"),
        (RUSSE, {**WORD, "start2": None}, "has no 'start2'; a record of RUSSE holds word, sentence1, sentence2, "),
        (RUSSE, {**WORD, "end1": "x"}, "has 'x' for 'end1'; a place is a whole number"),
        (RUSSE, {**WORD, "start2": 90, "end2": 95}, "has no word at 90:95 of 'Присядем на дорогу'; places are counted"),
        (RWSD, {"idx": 1, "text": "Она ушла."}, 'is no record of RWSD; it needs {"idx", "text", "target": '),
        (RWSD, {**SCHEMA, "text": "Пусто."}, "has neither 'Оля' nor 'она ушла' in its text 'Пусто.'"),
        (DANETQA, {**QUESTION, "label": "нечто"}, "'нечто' is not an answer; use one of true, false"),
    ],
)
def test_a_broken_record_is_one_clear_sentence_with_its_line(
    tmp_path: Path, task: Task, record: dict[str, object], said: str
) -> None:
    good = dict(next(one for known, one in RECORDS if known is task), idx=100)
    items, problems = check_items(written(tmp_path, good, record), task)
    assert [item.id for item in items] == ["100"]
    (problem,) = problems
    assert problem.line == 2
    assert said in str(problem)


def test_tags_of_lidirus_are_four_ways_to_group_and_several_tags_are_several_groups(tmp_path: Path) -> None:
    item = only(tmp_path, LIDIRUS, PAIR)
    groups = {split.field: split.groups(item.fields) for split in LIDIRUS.breakdowns}
    assert groups == {
        "lexical_semantics": ("Quantifiers",),
        "predicate_argument_structure": (),
        "logic": ("Negation", "Downward monotone"),
        "knowledge": (),
    }


def test_the_samples_of_lidirus_have_tags_of_all_four_groups() -> None:
    met = Counter(split.field for item in samples(LIDIRUS) for split in LIDIRUS.breakdowns if item.fields[split.field])
    assert set(met) == {split.field for split in LIDIRUS.breakdowns}


def test_parus_is_split_by_what_is_asked_for() -> None:
    (split,) = get_task("rsg/parus").breakdowns
    assert {group for item in samples(get_task("rsg/parus")) for group in split.groups(item.fields)} == {
        "cause",
        "effect",
    }


@pytest.mark.parametrize(
    ("begin", "end", "word"),
    [(13, 19, "дорогу"), (13, 20, "дорогу"), (13, 18, "дорогу"), (14, 15, "дорогу"), (0, 1, "Снег"), (20, 22, "и")],
)
def test_the_word_of_russe_is_whole_wherever_its_published_ends_fall(begin: int, end: int, word: str) -> None:
    text = str(WORD["sentence1"])
    found = word_at(text, begin, end)
    assert text[slice(*found)] == word


def test_russe_marks_the_word_in_both_sentences_for_people_and_models(tmp_path: Path) -> None:
    item = only(tmp_path, RUSSE, WORD)
    assert marked(item, "sentence1", "marks1") == ["дорогу"]
    assert marked(item, "sentence2", "marks2") == ["дорогу"]
    asked = messages(RUSSE, item.public())[0]["content"]
    assert "Снег засыпал ⟦дорогу⟧, и машины встали." in asked
    assert "Присядем на ⟦дорогу⟧" in asked
    assert item.fields[RUSSE.cluster] == "дорога"


def test_a_stress_mark_belongs_to_its_word() -> None:
    assert word_at("На доро\u0301гу", 3, 5) == [3, 10]


def test_rwsd_marks_the_span_at_the_word_of_its_number(tmp_path: Path) -> None:
    item = only(tmp_path, RWSD, SCHEMA)
    assert marked(item) == ["Оля", "она ушла"]
    assert unpacked(item.fields["marks"])[0] == [22, 25]
    assert item.fields["unmarked"] == ""
    assert (item.fields["span1_text"], item.fields["span2_text"]) == ("Оля", "она ушла")


@pytest.mark.parametrize(
    ("words", "number", "found"),
    [
        ("Оля", 0, [(0, 3)]),
        ("оля", 1, [(0, 3)]),
        ("Оля", 2, [(22, 25)]),
        ("Оля", 99, [(22, 25)]),
        ("Оля", None, [(0, 3), (22, 25)]),
        ("она  ушла.", 6, [(38, 46)]),
        ("она", 6, [(38, 41)]),
        ("шла", 6, []),
        ("", 0, []),
    ],
)
def test_a_span_that_is_not_at_its_number_is_looked_for(
    words: str, number: int | None, found: list[tuple[int, int]]
) -> None:
    assert places(str(SCHEMA["text"]), words, number) == found


def test_words_that_stand_nowhere_in_the_text_are_named_to_people_and_models(tmp_path: Path) -> None:
    target = {"span1_text": "Оля и сестра", "span1_index": 0, "span2_text": "она", "span2_index": 6}
    item = only(tmp_path, RWSD, SCHEMA | {"target": target})
    assert marked(item) == ["она"]
    said = RWSD.shown("unmarked", item.fields["unmarked"])
    assert said["ru"] == "Второе выражение — «Оля и сестра». В этой форме его в тексте нет."
    assert said["en"] == "The second expression is “Оля и сестра”. It does not appear in the text in this form."
    for language in ("ru", "en"):
        assert said[language] in messages(RWSD, item.public(), language=language)[0]["content"]
    assert RWSD.shown("unmarked", "").within("en") == ""


def test_the_spans_of_a_flat_record_are_read_as_well(tmp_path: Path) -> None:
    target = SCHEMA["target"]
    assert isinstance(target, dict)
    flat = {"idx": 3, "text": SCHEMA["text"], **target}
    assert only(tmp_path, RWSD, flat).fields == only(tmp_path, RWSD, SCHEMA).fields


def test_bold_inside_another_word_is_no_pronoun() -> None:
    assert untagged("Мэр Джекс<b>он</b>а сказал, что <b>он</b> рад.") == (
        "Мэр Джексона сказал, что он рад.",
        [(25, 27)],
    )


@pytest.mark.parametrize("task", [RUSSE, RWSD])
def test_every_mark_of_the_samples_is_a_whole_word(task: Task) -> None:
    texts = [(field.name, field.marks) for field in task.fields if field.kind == "marked"]
    for item in samples(task):
        for name, marks in texts:
            for begin, end in unpacked(item.fields[marks]):
                around = f" {item.fields[name]} "[begin : end + 2]
                assert not (around[0] + around[-1]).strip(" .,:;!?«»").isalnum()
    assert max(Counter(item.fields[task.cluster] for item in samples(task)).values()) > 1


@pytest.mark.parametrize("name", FAMILY)
def test_every_task_has_three_prompts_that_ask_the_same_and_its_published_counts(name: str) -> None:
    task = get_task(f"rsg/{name}")
    item = next(one for one in samples(task) if one.role == "main").public()
    shown = [item.fields[field.name] for field in task.fields if field.kind == "plain"]
    asked = [messages(task, item, number)[0]["content"] for number in range(3)]
    assert len(set(asked)) == 3
    for prompt in asked:
        assert all(text in prompt for text in shown)
        assert task.answer.listing(item.fields) in prompt
        assert task.answer.answer_format(item.fields) in prompt
    assert set(task.splits) >= {"test"}
