"""Forty hostile texts of models in one chat, in a browser: nothing runs, nothing is asked elsewhere, work goes on."""

from data.answers.answer_type import packed
from data.task import Item
from tests.data.test_markdown import HOSTILE, REPLIES
from tests.e2e.conftest import Site, Worker, stored


def test_a_worker_judges_a_pair_below_forty_hostile_texts(site: Site, worker: Worker) -> None:
    chat = packed([{"role": "assistant", "content": text} for text in HOSTILE])
    items = [
        Item(f"i{n}", {"asked": chat, "left": f"{n}\n\n{text}", "right": text, "notes": text})
        for n, text in enumerate(HOSTILE[:2])
    ]
    study = site.study_of(REPLIES, items, page_controls=0)
    alerts: list[str] = []
    worker.page.on("dialog", lambda dialog: alerts.append(dialog.message))
    worker.sit(site, study)
    assert worker.page.locator(".turn").count() == len(HOSTILE)
    assert worker.page.locator(".as-written :is(a, img, script, svg, form, iframe, style)").count() == 0
    worker.work("2")
    assert len(stored(site, study)) == 2
    assert alerts == []
