"""Every simple kind of answer in a real browser: by keyboard alone, by mouse, by touch on a phone; what is stored."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from data.answers.answer_type import AnswerType, packed
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.number import Number
from data.answers.pairwise import Pairwise
from data.answers.rating import Rating
from data.answers.sequence import Sequence
from data.answers.text import Text
from data.task import Field, Item, Task
from data.wording import Wording, same, texts
from db import frames
from db.engine import reading
from db.studies import Study
from tests.e2e.conftest import Site, Worker, appears

ONE_TAB = True
TOWNS = ["Москва", "Нижний Новгород", "Орёл", "Париж", "Рим", "Вена", "Осло", "Прага", "Минск", "Омск", "МИД России"]
FIELDS = {
    "text": "Мама пошла в магазин, а папа — на рынок. Вечером они встретились дома.",
    "three": packed(["Мама пошла в магазин", "Папа остался дома", "Встретились они вечером"]),
    "many": packed(TOWNS),
    "left": packed(["ошибка в управлении", "нарушение связи подлежащего и сказуемого", "деепричастный оборот"]),
    "right": packed(["Согласно приказа.", "Все, кто пришёл, сел.", "Читая, мне стало грустно.", "Ошибки нет."]),
    "first": "Мама и папа ушли из дома, а вечером вернулись.",
    "second": "Мама с папой весь день провели на рынке.",
}
KINDS: tuple[Field, ...] = (
    Field("text", Wording(ru="Текст", en="Text")),
    *(Field(name, same(name), kind="options") for name in ("three", "many", "left", "right")),
    *(Field(name, same(name), kind="option") for name in ("first", "second")),
)
Way = Callable[[Page], None]


@dataclass(frozen=True)
class Case:
    """A kind of answer, the answer to be stored, and how to give it: by keys, or by pointing."""

    answer: AnswerType
    stored: str
    keys: tuple[str, ...]
    pointed: tuple[str, ...] = ()
    typed: str = ""
    chosen: Mapping[int, str] | None = None

    def by_keyboard(self, page: Page) -> None:
        for key in self.keys:
            press(page, key)

    def by_mouse(self, page: Page) -> None:
        self._point(page, page.click)

    def by_touch(self, page: Page) -> None:
        self._point(page, page.tap)

    def _point(self, page: Page, point: Callable[[str], None]) -> None:
        for selector in self.pointed:
            point(selector)
        if self.typed:
            page.keyboard.insert_text(self.typed)
        for place, number in (self.chosen or {}).items():
            page.select_option(f".position >> nth={place} >> select", number)


def press(page: Page, key: str) -> None:
    """Press a key; a Cyrillic letter comes as the browser gets it from a Russian keyboard."""
    if len(key) > 1 or key.isascii():
        page.keyboard.press(key)
        return
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "text": key, "unmodifiedText": key})
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": key})
    keyboard.detach()


def option(label: str) -> str:
    return f'.option:has(input[value="{label}"])'


LEVEL = Wording(ru="Одинаково хороши", en="Equally good")
ENDS = (Wording(ru="совсем плохо", en="bad"), Wording(ru="прекрасно", en="good"))
MATCHING = Sequence(choices_field="right", positions_field="left")
CASES = {
    "choice of a list": Case(Choice(option_list="three"), "2", ("3",), (option("2"),)),
    "choice of many": Case(Choice(option_list="many"), "10", ("м", "и", "д", "Enter"), (option("10"),)),
    "choices": Case(Choices(option_list="three"), '["0","2"]', ("3", "2", "1", "2"), (option("2"), option("0"))),
    "choices of many": Case(
        Choices(option_list="many"), '["0","8"]', ("м", "и", "н", "Enter", "м", "о", "с", "к", "Enter"),
        (option("8"), option("0")),
    ),
    "none of them": Case(Choices(option_list="three", least=0), "[]", ("1", "0"), (option("1"), ".option.none")),
    "text": Case(Text(limit=40), "не пошла", tuple("не пошла"), (".typed",), typed="не пошла"),
    "text of several lines": Case(
        Text(lines=3, limit=200), "раз\nдва", ("р", "а", "з", "Enter", *"два"), (".typed",), typed="раз\nдва"
    ),
    "number": Case(Number(low=-100), "-12.5", ("-", *"12,50"), (".typed",), typed="−12,50"),
    "matching": Case(MATCHING, '["1","2","3"]', ("1", "2", "3"), chosen={0: "1", 1: "2", 2: "3"}),
    "set of numbers": Case(
        Sequence(ordered=False, choices_field="three"), '["1","3"]', ("3", "1"), (option("1"), option("3"))
    ),
    "set of bare numbers": Case(Sequence(ordered=False), '["2","9"]', ("9", "2"), (option("2"), option("9"))),
    "pairwise": Case(
        Pairwise(option_fields=("first", "second"), tie=LEVEL), "0", ("2", "1"),
        (option("0"),),
    ),
    "tie": Case(
        Pairwise(option_fields=("first", "second"), tie=LEVEL), "tie", ("0",),
        (option("tie"),),
    ),
    "rating": Case(
        Rating(ends=ENDS), "4", ("5", "ArrowLeft"),
        (option("4"),),
    ),
}  # fmt: skip
every_case = pytest.mark.parametrize("name", CASES)
# Pointing does the same in the others: one case for each kind of control.
POINTED = ("choice of many", "choices", "text", "matching", "rating")
pointed_case = pytest.mark.parametrize("name", POINTED)


def task_of(answer: AnswerType) -> Task:
    return Task(
        id="test/simple",
        title=Wording(ru="Проверка", en="Test"),
        description=Wording(ru="Проверка", en="Test"),
        fields=KINDS,
        question=Wording(ru="Что верно?", en="What is right?"),
        instruction=Wording(ru="Ответьте на вопрос.", en="Answer the question."),
        answer=answer,
        prompt="",
        metrics=("accuracy",),
    )


def study_of(site: Site, answer: AnswerType, *, training: str | None = None, items: int = 1) -> Study:
    """Store a study of that many items with this answer, after a practice item where its gold is given."""
    asked = [Item(f"item-{number}", FIELDS | {"text": f"{FIELDS['text']} {number}"}) for number in range(items)]
    if training is not None:
        asked.append(Item("practice", FIELDS, answer.gold(training, FIELDS), "training", "Так сказано в тексте."))
    return site.study_of(task_of(answer), asked, page_controls=0, overlap=1)


def labels(site: Site, study: Study) -> list[str]:
    with reading(site.service.database) as session:
        return list(frames.judgments(session, study=study)["label"])


def at_work(worker: Worker, site: Site, study: Study, stage: str = "work") -> None:
    worker.sit(site, study, stage)


@every_case
def test_an_answer_by_keyboard_alone(worker: Worker, site: Site, name: str) -> None:
    case = CASES[name]
    study = study_of(site, case.answer)
    at_work(worker, site, study)
    case.by_keyboard(worker.page)
    worker.page.keyboard.press("Control+Enter" if name == "text of several lines" else "Enter")
    worker.at("done")
    assert labels(site, study) == [case.stored]


@pointed_case
def test_an_answer_by_mouse(worker: Worker, site: Site, name: str) -> None:
    case = CASES[name]
    study = study_of(site, case.answer)
    at_work(worker, site, study)
    case.by_mouse(worker.page)
    worker.page.click("button.main")
    worker.at("done")
    assert labels(site, study) == [case.stored]


@pointed_case
def test_an_answer_by_touch_on_a_phone(phone: Worker, site: Site, name: str) -> None:
    case = CASES[name]
    study = study_of(site, case.answer)
    at_work(phone, site, study)
    case.by_touch(phone.page)
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
    phone.page.tap("button.main")
    phone.at("done")
    assert labels(site, study) == [case.stored]


@pointed_case
def test_a_choice_survives_another_language_and_escape_takes_it_away(worker: Worker, site: Site, name: str) -> None:
    case = CASES[name]
    study = study_of(site, case.answer)
    at_work(worker, site, study)
    case.by_mouse(worker.page)
    worker.page.get_by_role("button", name="English").click()
    appears(worker.page, '.screen[lang="en"][data-settled]')
    before = worker.token()
    worker.page.keyboard.press("Escape")
    worker.page.click("button.main")
    expect(worker.page.locator("[data-note]")).not_to_be_empty()
    assert worker.token() == before, "nothing was sent: Escape had taken the answer away"
    worker.page.locator("h2").first.click()
    worker.page.keyboard.press("Escape")  # and gives it back
    worker.page.click("button.main")
    worker.at("done")
    assert labels(site, study) == [case.stored]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("choices", '["1"]'),
        ("text", "пошла"),
        ("number", "3"),
        ("matching", '["1","3","3"]'),
        ("set of bare numbers", '["2","3"]'),
        ("pairwise", "1"),
        ("rating", "1"),
    ],
)
def test_practice_shows_the_right_answer_beside_the_wrong_one(
    worker: Worker, site: Site, name: str, wrong: str
) -> None:
    case = CASES[name]
    study = study_of(site, case.answer, training=wrong)
    at_work(worker, site, study, "training")
    case.by_keyboard(worker.page)
    worker.page.keyboard.press("Enter")
    worker.at("feedback")
    expect(worker.page.locator(".told")).to_contain_text("Так сказано в тексте.")
    expect(worker.page.locator("fieldset.answer .mark, fieldset.answer .position.is-wrong").first).to_be_visible()
    expect(worker.page.locator("input:enabled, select:enabled, textarea:enabled")).to_have_count(0)


def test_any_accepted_text_is_right_in_practice(worker: Worker, site: Site) -> None:
    answer = Text()
    item = Item("practice", FIELDS, answer.gold(["пошёл", "отправился"], FIELDS), "training", "Потому что.")
    study = site.study_of(task_of(answer), [item, Item("a", FIELDS | {"text": "а"})], page_controls=0)
    at_work(worker, site, study, "training")
    for sign in "Отправился.":
        press(worker.page, sign)
    worker.page.keyboard.press("Enter")
    worker.at("feedback")
    expect(worker.page.locator(".told.is-right")).to_be_visible()
    expect(worker.page.locator(".typing .mark")).to_contain_text(texts("ru")["feedback"]["your_right"])


def test_mistakes_are_told_and_the_answer_stays_to_be_mended(worker: Worker, site: Site) -> None:
    for answer, typed, told in (
        (Number(whole=True), "1,5", "целое"),
        (Number(), "много", "много"),
        (Text(limit=5), "шестью", "не больше 5"),
    ):
        study = study_of(site, answer)
        at_work(worker, site, study)
        for sign in typed:
            press(worker.page, sign)
        worker.page.keyboard.press("Enter")
        expect(worker.page.locator("[data-note]")).to_contain_text(told)
        expect(worker.page.locator(".typed")).to_have_value(typed)
        assert labels(site, study) == []


def test_a_position_that_is_left_empty_is_named(worker: Worker, site: Site) -> None:
    study = study_of(site, MATCHING)
    at_work(worker, site, study)
    worker.page.select_option("select >> nth=0", "1")
    worker.page.select_option("select >> nth=2", "3")
    worker.page.click("button.main")
    expect(worker.page.locator("[data-note]")).to_contain_text("Б")
    assert labels(site, study) == []


def test_the_counter_is_seen_and_heard(worker: Worker, site: Site) -> None:
    at_work(worker, site, study_of(site, Text(limit=10)))
    worker.page.click(".typed")
    worker.page.keyboard.type("абвгдежзи")
    expect(worker.page.locator(".counter .count")).to_have_text("9 / 10")
    left = texts("ru")["text"]["left"].replace("{n}", "1")
    expect(worker.page.locator(".counter [role=status]")).to_have_text(left)
    worker.page.keyboard.type("клм")
    expect(worker.page.locator(".counter.is-over .count")).to_have_text("12 / 10")


def test_controls_have_names_that_can_be_heard(worker: Worker, site: Site) -> None:
    at_work(worker, site, study_of(site, CASES["pairwise"].answer))
    expect(worker.page.get_by_role("radio", name="Текст 1", exact=True)).to_have_accessible_description(FIELDS["first"])
    at_work(worker, site, study_of(site, MATCHING))
    expect(worker.page.get_by_label("Номер для позиции Б")).to_have_accessible_description(
        "нарушение связи подлежащего и сказуемого"
    )
    at_work(worker, site, study_of(site, CASES["rating"].answer))
    expect(worker.page.get_by_role("radio", name="5", exact=True)).to_have_accessible_description("прекрасно")
    at_work(worker, site, study_of(site, Number()))
    expect(worker.page.get_by_role("textbox", name=texts("ru")["number"]["label"])).to_have_attribute(
        "inputmode", "decimal"
    )


def test_hundreds_of_items_are_answered_without_the_mouse(worker: Worker, site: Site) -> None:
    study = study_of(site, MATCHING, items=3)
    at_work(worker, site, study)
    for digits in ("123", "441", "222"):
        before = worker.token()
        worker.page.keyboard.type(digits)
        worker.page.keyboard.press("Enter")
        worker.gone_on(before)
    assert sorted(labels(site, study)) == ['["1","2","3"]', '["2","2","2"]', '["4","4","1"]']
