"""A manager makes a study of a table of one's own in a real browser, and a worker answers in it."""

from pathlib import Path

from playwright.sync_api import BrowserContext, expect

from db.engine import reading
from db.items import list_items
from db.studies import get_study
from tests.e2e.conftest import Site, Worker, stored
from tests.helpers.requester_pages import signed_in

TABLE = """text;statement;verdict;because
Лена забыла ключи.;У Лены не было ключей.;yes;Она их забыла.
Поезд опоздал.;Поезд пришёл вовремя.;no;Он опоздал.
Хлеб кончился.;Хлеб есть.;no;Его нет.
Пирог удался.;Пирог хорош.;yes;Он удался.
"""


def test_a_table_becomes_a_study_without_code_and_a_worker_answers(
    signed: BrowserContext, worker: Worker, site: Site, tmp_path: Path
) -> None:
    table = tmp_path / "verdicts.csv"
    table.write_text(TABLE, "utf8")
    with signed_in(signed) as page:
        page.goto(f"{site.address}/manage/")
        page.get_by_role("button", name="New study").click()
        page.get_by_label("A table of my own").click()
        page.locator("input[type=file]:visible, .upload-container:visible input[type=file]").first.set_input_files(
            table
        )
        page.get_by_role("button", name="Next").click()
        page.get_by_label("What verdict is").select_option("gold")
        page.get_by_label("What because is").select_option("explanation")
        page.get_by_label("Title of statement in Russian").fill("Утверждение")
        page.get_by_role("button", name="Next").click()
        page.get_by_role("textbox", name="One per line").fill("yes | Да | Yes\nno | Нет | No")
        page.get_by_label("Question in Russian").fill("Следует ли утверждение из текста?")
        page.get_by_role("button", name="Next").click()
        page.get_by_label("Training items to draw").fill("1")
        page.get_by_label("Judgments per item").fill("2")
        page.get_by_role("button", name="Next").click()
        page.get_by_label("Name").fill("verdicts")
        expect(page.locator(".plan .fact").first).to_contain_text("3 items")
        page.get_by_label("Width").click()
        page.get_by_role("option", name="Phone").click()
        seen = page.frame_locator(".preview.phone iframe")
        expect(seen.locator(".legend")).to_contain_text("Следует ли утверждение из текста?")
        expect(seen.get_by_text("Утверждение", exact=True)).to_be_visible()
        page.get_by_role("button", name="Create the study").click()
        expect(page.get_by_role("heading", name="verdicts")).to_be_visible()
        page.get_by_role("button", name="Open the study").click()
        expect(page.get_by_role("button", name="Close the study")).to_be_visible()
        expect(page.get_by_text("the study is not open")).not_to_be_visible(timeout=100)

    with reading(site.service.database) as session:
        study = get_study(session, name="verdicts")
        items = list_items(session, study=study)
    assert study.task.question.within("ru") == "Следует ли утверждение из текста?"
    assert sorted(item.item.role for item in items) == ["main", "main", "main", "training"]
    assert {item.item.explanation != "" for item in items} == {True}
    worker.sit(site, study, "training")
    practice = next(item.item for item in items if item.item.role == "training")
    first = worker.page.locator("input[type=radio]").first.get_attribute("value")  # the order is drawn for each worker
    worker.train({practice.fields["text"]: "1" if practice.gold == first else "2"})
    worker.answer("1")
    assert [role for _, _, role, _ in stored(site, study)].count("main") == 1


FIRST_ANSWER_LAST = """() => {
  const fetched = window.fetch;
  let asked = 0;
  window.fetch = async (...request) => {
    const first = request[1]?.method === "POST" && ++asked === 1;
    const answer = await fetched(...request);
    if (first) await new Promise((done) => setTimeout(done, 1500));
    return answer;
  };
  const fill = (label, value) => {
    const named = [...document.querySelectorAll("label")].find((one) => one.textContent.trim().startsWith(label));
    const field = named.querySelector("input");
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  fill("Judgments per item", "3");
  fill("Items per page", "4");
}"""


def test_what_follows_is_of_the_form_as_it_stands_whichever_answer_comes_last(
    site: Site, signed: BrowserContext
) -> None:
    with signed_in(signed) as page:
        page.goto(f"{site.address}/manage/")
        page.get_by_role("button", name="New study").click()
        page.locator('.steps [data-go="people"]').click()
        facts = page.locator(".plan .fact")
        expect(facts.nth(1)).to_contain_text("2 pages")
        page.locator(".preview iframe").wait_for()
        page.evaluate(FIRST_ANSWER_LAST)
        # 16 items on pages of 4 and controls of 2 each.
        expect(facts.nth(1)).to_contain_text("4 pages")
        page.wait_for_timeout(2500)  # until the answer that was held back has come too
        expect(facts.nth(0)).to_contain_text("48")
        expect(facts.nth(1)).to_contain_text("4 pages")
