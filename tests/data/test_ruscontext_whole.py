"""Two tasks of RusConText from the authors' files to their results: what commands tell is what can be counted."""

from collections import Counter
from pathlib import Path

import pytest

from data.catalogue.catalog import get_task
from db import frames
from db.engine import Database, reading
from db.studies import get_study
from tests.helpers.whole_ruscontext import GOOD, PEOPLE, POOR, Whole, reply

NUMBER = 12


@pytest.mark.parametrize("name", ["ellipsis", "coref_nps"])
def test_a_sample_goes_from_the_authors_file_to_a_report(
    name: str, sqlite: Database, shared: Path, tmp_path: Path
) -> None:
    whole = Whole(sqlite, tmp_path, shared / "ruscontext")
    whole.make(name, NUMBER)
    task, items = get_task(f"ruscontext/{name}"), whole.items(name)
    golds = {item.id: (item, str(item.gold)) for item in items}
    with reading(sqlite) as session:
        given = frames.judgments(session, study=get_study(session, name=name))
    votes = given[given["role"] == "main"]
    assert Counter(votes["item"]) == dict.fromkeys(golds, len(PEOPLE))
    found = whole.said("results", name)
    assert found["items"] == NUMBER
    rows = {row["respondent"]: row for row in found["rows"]}
    scored = {who: row["scores"][task.primary]["value"] for who, row in rows.items()}

    def right(item: str, answer: str | None) -> bool:
        one, gold = golds[item]
        return answer is not None and task.answer_for(one.fields).right(answer, gold, one.fields)

    several = [right(item, label) for item, label in zip(votes["item"], votes["label"], strict=True)]
    assert scored["human:individual"] == pytest.approx(sum(several) / len(several))
    for model in (GOOD, POOR):
        said = [(item, reply(model, task, item)) for item in items]
        labels = [(item.id, task.answer_for(item.fields).parse(text, item.fields)) for item, text in said]
        told = {"ok": sum(label is not None for _, label in labels)}
        told |= {"unparsable": NUMBER - told["ok"]} if told["ok"] < NUMBER else {}
        assert rows[f"model:{model}"]["statuses"] == told
        assert scored[f"model:{model}"] == pytest.approx(sum(right(*one) for one in labels) / NUMBER)
    assert scored[f"model:{GOOD}"] > scored[f"model:{POOR}"]
    assert whole.said("human", name)["scores"]["majority"][task.primary]["value"] == scored["human:majority"]
    assert whole.command("results", name, "--report", tmp_path / "report.html").exit_code == 0
    assert GOOD in (tmp_path / "report.html").read_text("utf8")
    assert "define no total" in whole.command("total", "ruscontext").stderr


def test_the_same_seed_draws_the_same_sample(sqlite: Database, shared: Path, tmp_path: Path) -> None:
    whole = Whole(sqlite, tmp_path, shared / "ruscontext")
    whole.create("disrpt", NUMBER)
    again = Whole(sqlite, tmp_path, shared / "ruscontext")
    again.create("disrpt", NUMBER, study="again")
    assert [item.id for item in whole.items("disrpt")] == [item.id for item in again.items("again")]
