"""LIBRA's choices and ruGSM100: options and types are found in the authors' records; what answers are worth."""

import json
from pathlib import Path

import pytest

from baseline.models.prompts import messages
from data.answers.answer_type import unpacked
from data.catalogue.catalog import get_task, samples
from data.drawing.answer_form import draw_form
from data.files.item_files import check_items
from data.formats.libra import OPTIONS, place, split
from data.task import Item, Task
from eval.metrics.table import METRICS

TREC, SCI_FI, TPO, QUALITY, GSM = (
    get_task(f"libra/{name}") for name in ("ru_trec", "ru_sci_fi", "ru_tpo", "ru_quality", "ru_gsm100")
)
FOUR = ["Устал", "Забыл зонт", "Заболел", "Уехал"]
LISTED = "Вопрос: Кто открыл радий?\nТип: Имя\nВопрос: Где Нил?\nТип: место.\nВопрос: Кто изобрёл радио?\nТип: имя"

every_task = pytest.mark.parametrize(
    "task", [pytest.param(task, id=task.id) for task in (TREC, SCI_FI, TPO, QUALITY, GSM)]
)


def read(tmp_path: Path, task: Task, *records: dict[str, object]) -> tuple[list[Item], list[str]]:
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), "utf8")
    items, problems = check_items(file, task)
    return items, [str(problem) for problem in problems]


def record(asked: str, *right: str, context: str = "Иван ушёл домой.") -> dict[str, object]:
    """Return a record as the authors write it."""
    outputs = {"positive_outputs": list(right), "negative_outputs": []}
    return {"context": context, "input": asked, "length": "8k", **outputs}


@pytest.mark.parametrize(
    "layout",
    [
        "{q}\nА. {0}\nБ. {1}\nВ. {2}\nГ. {3}",
        "{q}\nA. {0}\nB. {1}\nC. {2}\nD. {3}",
        "{q}\n\n (A) {0} \n (B) {1} \n (C) {2} \n (D) {3} ",
        "Вопрос: {q}\nA) {0}\nB) {1}\nC) {2}\nD) {3}\nОтвет:",
        "{q}\nа) {0}\nб) {1}\nв) {2}\nг) {3}",
        "{q}\nА. {0}\nВ. {1}\nС. {2}\nD. {3}",
        "{q} А) {0} Б) {1} В) {2} Г) {3}",
        "{q} (A) {0} (B) {1} (C) {2} (D) {3}",
        "{q} A: {0} B: {1} C: {2} D: {3}",
    ],
)
def test_four_options_are_found_however_they_are_lettered(layout: str) -> None:
    question = "Почему он принял витамин А. и ушёл?"
    assert split(layout.format(*FOUR, q=question))[::2] == (question, FOUR)


def test_initials_and_abbreviations_in_options_are_no_letters() -> None:
    names = ["А. Иванов", "Б. Б. Орлов и т. д.", "Г. Кац", "В. Шоу"]
    asked = "Кто это? А) {} Б) {} В) {} Г) {}".format(*names)
    assert split(asked)[2] == names


@pytest.mark.parametrize(
    ("output", "letters", "found"),
    [
        ("Б", "АБВГ", 1),
        ("В", "АБВГ", 2),
        ("В", "ABCD", 2),
        ("В", "АВСD", 1),
        ("c", "ABCD", 2),
        ("(B)", "ABCD", 1),
        ("D. Уехал", "ABCD", 3),
        ("(B) Забыл зонтик", "ABCD", 1),
        ("забыл зонт.", "АБВГ", 1),
        ("(В) Забыл зонт", "ABCD", 1),
    ],
)
def test_the_right_option_is_named_by_its_text_or_else_by_its_letter(output: str, letters: str, found: int) -> None:
    assert place(output, letters, FOUR) == found


@pytest.mark.parametrize("task", [TPO, QUALITY], ids=lambda task: task.id)
def test_a_question_with_options_becomes_an_item_with_four(task: Task, tmp_path: Path) -> None:
    asked = "Почему Иван ушёл?" + "".join(f"\n({letter}) {text}" for letter, text in zip("ABCD", FOUR, strict=True))
    (item,), problems = read(tmp_path, task, record(asked, "(C) Заболел"))
    assert problems == []
    assert item.gold == "2"
    assert [item.fields[name] for name in OPTIONS] == FOUR
    assert task.legend(item.fields).within("ru") == "Почему Иван ушёл?"
    page, (message,) = draw_form(task, item.public(), "ru"), messages(task, item.public())
    for text in FOUR:
        assert text in page
        assert text in message["content"]
    assert "(C)" not in page + message["content"]


@pytest.mark.parametrize(
    ("task", "broken", "sentence"),
    [
        (TPO, record("Почему?\nА. да\nБ. нет\nВ. не знаю", "А"), "has no four options"),
        (TPO, record("Почему?\nА. 1\nБ. 2\nВ. 3\nГ. 4\nД. 5", "А"), "has more than four options"),
        (TPO, record("Почему?\nА. 1\nБ. 2\nВ. 3\nГ. 4", "Е"), "has the right answer 'Е', which is none of its options"),
        (TPO, record("Почему?\nА. 1\nБ. 2\nВ. 3\nГ. 4", "А", "Б"), "only one answer can be chosen"),
        (TREC, record("Кто?", "Имя", context="Просто текст."), "has no examples 'Вопрос: ... Тип: ...'"),
        (TREC, record("Кто?", "Имя", "место", context=LISTED), "only one answer can be chosen"),
        (SCI_FI, record("Трава синяя.", "Правда"), "it must be like 'Правда [в реальном мире: Ложь]'"),
        (SCI_FI, record("Трава синяя.", "Да [в реальном мире: Нет]"), "it must be like"),
        (GSM, record("2 + 2?", "четыре"), "is not an answer"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_sentence(
    task: Task, broken: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    items, (problem,) = read(tmp_path, task, broken)
    assert items == []
    assert problem.startswith("items.jsonl, line 1")
    assert sentence in problem


def test_the_types_of_the_examples_are_the_options_each_once_and_in_alphabetical_order(tmp_path: Path) -> None:
    (item,), problems = read(tmp_path, TREC, record("Вопрос: Где Эверест?\nТип:", "Место", context=LISTED))
    assert problems == []
    assert unpacked(item.fields["types"]) == ["Имя", "место."]
    assert (item.fields["input"], item.gold) == ("Где Эверест?", "1")


def test_a_right_type_that_no_example_shows_can_be_chosen_all_the_same(tmp_path: Path) -> None:
    (item,), _ = read(tmp_path, TREC, record("Когда?", "Дата", context=LISTED))
    assert unpacked(item.fields["types"]) == ["Дата", "Имя", "место."]
    assert item.gold == "0"


@pytest.mark.parametrize(
    ("output", "gold"),
    [
        ("Правда [в реальном мире: Ложь]", "Правда [в реальном мире: Ложь]"),
        ("'ложь [в реальном мире:правда]'.", "Ложь [в реальном мире: Правда]"),
        ("False [fact: False]", "Ложь [в реальном мире: Ложь]"),
    ],
)
def test_a_judgment_of_text_and_world_is_read_in_any_spelling(output: str, gold: str, tmp_path: Path) -> None:
    (item,), _ = read(tmp_path, SCI_FI, record("Трава синяя.", output))
    assert item.gold == gold


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("2", "Правда [в реальном мире: Ложь]"),
        ("'Ложь [в реальном мире: Правда]'", "Ложь [в реальном мире: Правда]"),
        ("Ответ: Ложь в тексте, ложь в жизни.", "Ложь [в реальном мире: Ложь]"),
        ("Правда", None),
    ],
)
def test_a_model_may_answer_in_the_words_of_the_authors_prompt(reply: str, answer: str | None) -> None:
    assert SCI_FI.answer.parse(reply, samples(SCI_FI)[0].fields) == answer


def test_a_solution_step_by_step_ends_with_its_answer() -> None:
    reply = "Яблонь 6 · 15 = 90.\nГруш 4 · 12 = 48.\n90 + 48 − 9 = 129.\nОтвет: 129"
    assert GSM.answer.parse(reply, samples(GSM)[0].fields) == "129"


@pytest.mark.parametrize(
    ("task", "asked", "together"),
    [
        (TPO, "?\nА. 1\nБ. 2\nВ. 3\nГ. 4", True),
        (QUALITY, "?\n(A) 1\n(B) 2\n(C) 3\n(D) 4", True),
        (SCI_FI, "", True),
        (TREC, "", False),
        (GSM, "", False),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_questions_about_one_story_are_a_family_and_those_after_the_same_examples_are_not(
    task: Task, asked: str, together: bool, tmp_path: Path
) -> None:
    right = {TPO.id: "А", QUALITY.id: "A", SCI_FI.id: "Ложь [в реальном мире: Ложь]", TREC.id: "Имя", GSM.id: "4"}
    found = [record(question + asked, right[task.id], context=LISTED) for question in ("Как", "Кто")]
    items, problems = read(tmp_path, task, *found)
    assert problems == []
    assert (items[0].fields["family"] == items[1].fields["family"]) == together


@every_task
def test_an_item_of_ours_is_read_again_as_it_was(task: Task, tmp_path: Path) -> None:
    once = samples(task)[0]
    (again,), problems = read(tmp_path, task, {**once.fields, "positive_outputs": once.gold, "id": once.id})
    assert problems == []
    assert again == once


@every_task
def test_the_right_answer_is_worth_one_and_another_nothing(task: Task) -> None:
    item = samples(task)[0]
    assert item.gold
    credit = METRICS[task.primary].of_answer
    assert credit
    right = task.answer.best(item.gold, item.fields)
    wrong = next((o.label for o in task.answer.options(item.fields) if o.label != right), "-1")
    assert [credit(task.answer, item.fields, item.gold, one)[0] for one in (right, wrong, None)] == [1, 0, 0]


def test_the_sizes_are_those_of_the_papers_third_table() -> None:
    # Table 1 gives 300 questions for ruTREC; the lengths of table 3 make 295.
    sizes = {task.id: sum(task.splits.values()) for task in (TREC, SCI_FI, TPO, QUALITY, GSM)}
    assert list(sizes.values()) == [295, 64, 251, 202, 100]
