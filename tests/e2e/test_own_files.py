"""Messy files of one's own at the form of a new study: what is wrong is said, nothing right shown, nothing lost."""

import csv
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Dialog, FrameLocator, Locator, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.test_accessibility import violations
from tests.helpers.requester_pages import signed_in

TEXT, GOLD = "Текст отзыва (полный)", "Метка эксперта / gold"
REVIEWS = [
    "Ужасное качество, швы расходятся",
    "Отличный товар",
    "Нормально",
    "Пользуюсь третий месяц",
    "Так себе",
    "Беру",
]
LABELS = ["негатив", "позитив", "нейтрально", "позитив", "негатив", "позитив"]
SPELLED = ["негатив", "позитив", "нейтрально", "Позитив", "негатив", "позитив "]
YES_NO = "yes | Да | Yes\nno | Нет | No"
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


def table(labels: list[str] = LABELS, *, more: str = "") -> str:
    lines = [f"№ п/п;{TEXT};{GOLD}", *(f"{1000 + n};{REVIEWS[n % 6]} {n};{label}" for n, label in enumerate(labels))]
    return "\n".join([*lines, *filter(None, [more])]) + "\n"


@pytest.fixture(scope="module")
def desk(signed: BrowserContext) -> Iterator[Page]:
    with signed_in(signed) as page:
        yield page


@pytest.fixture
def form(desk: Page, site: Site) -> Page:
    """The form of a new study, where a table of one's own is to be chosen."""
    desk.goto(f"{site.address}/manage/")
    desk.get_by_role("button", name="New study").click()
    desk.get_by_label("A table of my own").click()
    expect(place(desk)).to_be_attached()
    expect(desk.get_by_text("there is no table yet").first).to_be_visible()  # all that the choice changes has come
    return desk


def place(page: Page) -> Locator:
    return page.locator(".column:visible > .block input[type=file], .block:visible input[type=file]").first


def upload(page: Page, path: Path, content: str | bytes) -> None:
    at(page, "file")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if page.get_by_role("button", name="Clear").first.is_visible():
        page.get_by_role("button", name="Clear").first.click()
    place(page).set_input_files(path)


def at(page: Page, step: str) -> Page:
    """The page at a step of the form."""
    page.locator(f'.steps [data-go="{step}"]').click()
    return page


def choose(page: Page, column: str, what: str) -> None:
    use(at(page, "columns"), column).select_option(what)


def beside(page: Page) -> Locator:
    """What stands beside the table."""
    return page.locator(".filed").first


def use(page: Page, column: str) -> Locator:
    return page.get_by_label(f"What {column} is", exact=True)


def preview(page: Page) -> FrameLocator:
    return page.frame_locator(".preview iframe")


def pictured(page: Page, name: str) -> None:
    """Check that nothing goes over the edge and that axe finds nothing in our parts, on a computer and on a phone.

    A picture is kept where ETALON_PICTURES says, for whoever wants to look.
    """
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(SIDEWAYS) == 0
        assert violations(page, ".look") == []
        if folder := os.environ.get("ETALON_PICTURES"):
            page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)


UNREADABLE = [
    ("t.csv", b"\x89PNG\r\n\x1a\n\x00\x00", "t.csv, line 1: not UTF-8 (byte 0x89); save the file as UTF-8"),
    ("t.docx", b"PK", "t.docx: the ending '.docx' is not known; use one of .jsonl"),
]


def test_what_is_wrong_with_a_file_is_said_and_the_next_one_is_read_anew(form: Page, tmp_path: Path) -> None:
    for name, content, sentence in UNREADABLE:
        upload(form, tmp_path / name, content)
        expect(beside(form)).to_contain_text(sentence)
        expect(form.locator("[data-column]")).to_have_count(0)

    # A ragged row says so with its line, and the columns are there to be chosen.
    upload(form, tmp_path / "otzyvy.csv", table(more="2000;лишнее;негатив;ещё;и ещё"))
    expect(at(form, "columns").get_by_role("region", name="First rows").locator("tbody tr")).to_have_count(5)
    expect(beside(form)).to_contain_text("otzyvy.csv, line 8: has 5 cells where the header has 3; check the quotes")
    expect(use(form, TEXT)).to_have_value("shown")
    expect(form.locator(".plan")).not_to_contain_text("no column is shown")
    pictured(form, "ragged")
    upload(form, tmp_path / "two.csv", "text,gold,note\nПервая,да,а\nВторая,нет\nТретья,да,в\n")
    expect(beside(form)).to_contain_text("two.csv, line 3: has 2 cells where the header has 3")
    expect(form.locator(".plan")).to_contain_text("'да' is the only answer")

    # A file in another encoding is read at once, and another one may be chosen.
    read_as = form.get_by_label("Read as")
    upload(form, tmp_path / "otzyvy.csv", table().encode("cp1251"))
    expect(use(form, TEXT)).to_have_value("shown")
    expect(beside(form)).to_contain_text("✓ 6 items")
    expect(read_as).to_have_value("Windows-1251")
    pictured(form, "encoding")
    upload(form, tmp_path / "otzyvy.csv", table().replace("№", "N").encode("koi8-r"))
    for called, columns in (("Windows-1251", 0), ("KOI8-R", 1)):
        read_as.click()
        form.get_by_role("option", name=called).click()
        expect(form.locator(f'[data-column="{TEXT}"]')).to_have_count(columns)
    upload(form, tmp_path / "utf8.csv", table())
    expect(read_as).to_be_hidden()

    # A corrected file takes the wrong answers of the broken one away; what somebody typed stays.
    answers = form.get_by_label("One per line: as stored")
    upload(form, tmp_path / "broken.csv", table([*LABELS, "??", "??"]))
    expect(answers).to_have_value(re.compile("[?][?]"))
    upload(form, tmp_path / "fixed.csv", table())
    expect(answers).to_have_value("\n".join(f"{one} | {one} | {one}" for one in sorted(set(LABELS))))
    expect(form.get_by_label("Title in English")).to_have_value("fixed")
    at(form, "question")
    answers.fill("негатив\nпозитив\nнейтрально\nнаугад")
    at(form, "columns")
    expect(form.get_by_text("No item in this file has the answer “наугад”")).to_be_visible()
    upload(form, tmp_path / "fixed2.csv", table(LABELS * 2))
    expect(beside(form)).to_contain_text("✓ 12 items")
    expect(answers).to_have_value("негатив\nпозитив\nнейтрально\nнаугад")


def test_what_a_column_is_chosen_to_be_changes_everything_every_time(form: Page, tmp_path: Path) -> None:
    upload(form, tmp_path / "quiz.csv", "text;first;second;verdict\nа;кот;пёс;кот\nб;дом;лес;лес\nв;чай;сок;сок\n")
    named = form.get_by_label("The right answer names an option by")
    for column in ("first", "second"):
        choose(form, column, "shown")
    for _ in range(2):
        choose(form, "verdict", "shown")
        expect(preview(form).get_by_text("Verdict", exact=True)).to_be_visible()
        expect(beside(form)).to_contain_text("none with the right answer")
        choose(form, "verdict", "gold")
        expect(preview(form).get_by_text("Verdict", exact=True)).to_have_count(0)
        expect(preview(form).get_by_text("First", exact=True)).to_be_visible()
        expect(beside(form)).to_contain_text("✓ 3 items")
        expect(beside(form)).not_to_contain_text("none with the right answer")
        expect(named).to_have_count(0)
    for _ in range(2):
        for column in ("first", "second"):
            choose(form, column, "option")
        expect(named).to_have_count(1)
        expect(preview(form).get_by_text("First", exact=True)).to_have_count(0)
        choose(form, "verdict", "hidden")
        expect(named).to_have_count(0)
        choose(form, "verdict", "gold")
        expect(named).to_have_count(1)
        for column in ("first", "second"):
            choose(form, column, "shown")
        expect(named).to_have_count(0)
    pictured(form, "chosen")


def test_what_looks_like_gold_is_not_shown_until_somebody_says_so(form: Page, tmp_path: Path) -> None:
    rows = ["text;эталон;вердикт эксперта;копия", *(f"текст {n};{a};x{n};{a}" for n, a in enumerate("абвабв"))]
    upload(form, tmp_path / "two.csv", "\n".join(rows))
    expect(use(form, "эталон")).to_have_value("hidden")
    expect(use(form, "вердикт эксперта")).to_have_value("hidden")
    expect(form.get_by_text("Looks like the right answer: not shown until you say so.")).to_have_count(2)
    expect(preview(form).get_by_text("текст 0")).to_be_visible()
    expect(preview(form).get_by_text("Эталон", exact=True)).to_have_count(0)
    choose(form, "эталон", "gold")
    expect(use(form, "копия")).to_have_value("hidden")
    expect(preview(form).get_by_text("Копия", exact=True)).to_have_count(0)
    choose(form, "копия", "shown")
    expect(form.get_by_text("'копия' is shown to people and holds the right answer of 6 of 6 items")).to_be_visible()
    pictured(form, "looks-like-gold")
    choose(form, "копия", "hidden")
    expect(form.get_by_text("is shown to people and holds")).to_have_count(0)
    choose(form, "вердикт эксперта", "shown")
    expect(preview(form).get_by_text("Вердикт эксперта", exact=True)).to_be_visible()


def test_all_problems_are_listed_and_can_be_saved(form: Page, tmp_path: Path) -> None:
    upload(form, tmp_path / "otzyvy.csv", table(["негатив"] * 3 + ["позитив"] * 3))
    expect(beside(form)).to_contain_text("✓ 6 items")
    at(form, "question").get_by_label("One per line: as stored").fill("негатив\nпозитив")  # typed answers stay
    upload(form, tmp_path / "otzyvy.csv", table(["негатив"] * 5 + ["как-то так"] * 92))
    expect(beside(form)).to_contain_text("line 7, field 'Метка эксперта / gold': 'как-то так' is not an answer")
    listed = form.get_by_role("region", name="List of problems").locator("tbody tr")
    expect(listed).to_have_count(92)
    expect(listed.last).to_contain_text("98")
    pictured(form, "problems")
    with form.expect_download() as started:
        form.get_by_role("link", name="Download them").click()
    assert started.value.suggested_filename == "otzyvy.csv-problems.csv"
    saved = list(csv.DictReader(Path(started.value.path()).read_text("utf-8-sig").splitlines()))
    assert [int(one["line"]) for one in saved] == list(range(7, 99))
    assert {one["column"] for one in saved} == {GOLD}
    assert {one[GOLD] for one in saved} == {"как-то так"}, "the rows themselves are in the file"


def test_rows_without_a_text_are_left_out_by_one_click_and_stand_in_the_files(form: Page, tmp_path: Path) -> None:
    leave_out = form.get_by_label(re.compile("Leave out .* that cannot be used"))
    for name, more in (("holes", "2000;;негатив"), ("whole", ""), ("holes2", "2000;;негатив")):
        upload(form, tmp_path / f"{name}.csv", table(LABELS * 6, more=more))
        expect(leave_out).to_have_count(1 if more else 0)
    expect(beside(form)).to_contain_text(f"line 38, field '{TEXT}': is empty")
    leave_out.check()
    expect(beside(form)).to_contain_text("✓ 36 items")
    expect(form.get_by_text("1 row left out")).to_be_visible()
    form.get_by_text("Line by line").click()
    expect(form.get_by_role("region", name="List of problems").locator("tbody tr")).to_contain_text(["38"])
    pictured(form, "left-out")
    upload(form, tmp_path / "holes.csv", table(LABELS * 6, more="2000;;негатив\n2001;;позитив"))
    expect(form.get_by_text("2 rows left out")).to_be_visible()
    at(form, "check").get_by_label("Name").first.fill("holes")
    form.get_by_role("button", name="Create the study").click()
    form.get_by_role("tab", name="Download").click()
    with form.expect_download() as started:
        form.get_by_role("link", name="Labelled items, CSV").click()
    rows = list(csv.DictReader(Path(started.value.path()).read_text("utf-8-sig").splitlines()))
    assert [row["№ п/п"] for row in rows] == [*(str(1000 + n) for n in range(36)), "2000", "2001"]
    assert [row["role"] for row in rows] == ["main"] * 36 + ["left out"] * 2
    pictured(form, "labelled-files")


def test_a_new_upload_keeps_what_was_chosen_for_columns_that_are_still_there(form: Page, tmp_path: Path) -> None:
    upload(form, tmp_path / "otzyvy.csv", table())
    choose(form, "№ п/п", "group")
    at(form, "columns").get_by_label(f"Title of {TEXT} in English").fill("Review")
    expect(form.get_by_label("Question in English")).to_have_value("Which answer is right?")
    at(form, "question").get_by_label("Question in English").fill("How does it sound?")
    upload(form, tmp_path / "otzyvy.csv", b"\x89PNG\r\n\x1a\n\x00\x00")
    expect(beside(form)).to_contain_text("not UTF-8")
    with_cities = table().replace("№ п/п;", "№ п/п;город;").replace(";Уж", ";Омск;Уж").replace(";Отл", ";Тверь;Отл")
    upload(form, tmp_path / "otzyvy2.csv", with_cities)
    expect(beside(form)).to_contain_text("has 3 cells where the header has 4")
    expect(use(at(form, "columns"), "город")).to_be_visible()
    expect(use(form, "№ п/п")).to_have_value("group")
    expect(use(form, GOLD)).to_have_value("gold")
    expect(form.get_by_label(f"Title of {TEXT} in English")).to_have_value("Review")
    expect(form.get_by_label("Question in English")).to_have_value("How does it sound?")


def test_a_column_of_typed_answers_is_hidden_at_once_and_shown_to_whoever_says_so(form: Page, tmp_path: Path) -> None:
    upload(form, tmp_path / "otzyvy.csv", table().replace(GOLD, "итог"))
    expect(use(form, "итог")).to_have_value("shown")
    answers = form.get_by_label("One per line: as stored")
    expect(answers).to_have_value(YES_NO)
    at(form, "question")
    answers.fill("позитив\nнегатив\nнейтрально")
    expect(use(form, "итог")).to_have_value("hidden")
    expect(preview(form).get_by_text("Итог", exact=True)).to_have_count(0)
    expect(form.get_by_text("Looks like the right answer: not shown until you say so.")).to_have_count(1)
    choose(form, "итог", "shown")
    expect(form.get_by_text("'итог' is shown to people and holds one of the answers")).to_be_visible()
    expect(use(form, "итог")).to_have_value("shown")


def test_spellings_of_one_answer_are_proposed_as_one_and_say_so(form: Page, tmp_path: Path) -> None:
    upload(form, tmp_path / "otzyvy.csv", table(SPELLED).replace(GOLD, "итог"))
    answers = form.get_by_label("One per line: as stored")
    expect(answers).to_have_value(YES_NO)
    choose(form, "итог", "gold")
    expect(answers).to_have_value("\n".join(f"{one} | {one} | {one}" for one in ("негатив", "нейтрально", "позитив")))
    label = at(form, "question").get_by_label("Label of Позитив", exact=True)
    expect(label).to_have_value("позитив")
    expect(form.get_by_role("row", name="Позитив 1")).to_contain_text("proposed")
    expect(preview(form).locator(".option")).to_have_count(3)
    expect(beside(form)).to_contain_text("✓ 6 items")
    pictured(form, "spellings")
    label.fill("Позитив")
    label.press("Tab")
    expect(answers).to_have_value(re.compile("Позитив$"))
    expect(preview(form).locator(".option")).to_have_count(4)
    form.get_by_label("Label of нейтрально").fill("Нет мнения")
    label.fill("позитив")
    label.press("Tab")
    expect(preview(form).locator(".option")).to_have_count(3)
    expect(preview(form).get_by_text("Нет мнения")).to_be_visible()
    expect(beside(form)).to_contain_text("✓ 6 items")
    upload(form, tmp_path / "longer.csv", table([*SPELLED, "новое"]).replace(GOLD, "итог"))
    expect(form.get_by_label("Label of новое")).to_have_value("")
    expect(form.get_by_label("Label of нейтрально")).to_have_value("Нет мнения")


def test_back_loses_nothing_no_step_is_long_on_a_phone_and_leaving_asks(form: Page, tmp_path: Path) -> None:
    form.set_viewport_size({"width": 390, "height": 844})
    upload(form, tmp_path / "otzyvy.csv", table())
    expect(use(at(form, "columns"), GOLD)).to_have_value("gold")
    choose(form, "№ п/п", "group")
    forward, back = (form.get_by_role("button", name=name, exact=True) for name in ("Next", "Back"))
    forward.click()
    question, overlap = form.get_by_label("Question in English"), form.get_by_label("Judgments per item")
    question.fill("How does it sound?")
    question.press("Tab")
    expect(form.get_by_text(re.compile("^The question .*still the proposed"))).to_have_count(0)
    forward.click()
    opened = form.locator(".fold:visible > .label-wrap.open")
    for fold in ("People", "Pay", "Consent", "Quality", "Results", "Training and controls", "Collection"):
        form.locator(".fold:visible > .label-wrap").filter(has_text=re.compile(f"^{fold}")).click()
        expect(opened).to_have_text(re.compile(f"^{fold}"))  # one at a time
        assert form.evaluate("document.documentElement.scrollHeight") <= 1500, fold
    overlap.fill("7")
    expect(form.locator(".plan .fact").first).to_contain_text("42")  # judgments of 6 items
    for leave in (form.go_back, back.click):
        leave()
        expect(question).to_be_visible()
        expect(question).to_have_value("How does it sound?")
        form.go_forward() if leave == form.go_back else forward.click()
        expect(overlap).to_have_value("7")
    for step in ("file", "columns", "question", "people", "check"):
        assert at(form, step).evaluate("document.documentElement.scrollHeight") <= 1500, step
    expect(use(at(form, "columns"), "№ п/п")).to_have_value("group")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    form.on("dialog", stay)
    form.get_by_role("button", name="Cancel").click()
    form.get_by_role("link", name="Models").first.click()
    expect(form.get_by_role("heading", name="New study")).to_be_visible()
    form.remove_listener("dialog", stay)
    assert asked == ["confirm", "beforeunload"]
    expect(at(form, "question").get_by_label("Question in English")).to_have_value("How does it sound?")
