"""What else a log tells: the skills that a platform gave its workers, pay an hour, and no idle setting."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import Result

from annotate.pages.manage.workers_tab import draw_workers
from annotate.requesters.oversight import Oversight
from baseline.human.baseline import changed_rules, human_baseline
from data.errors import BadFile, BadSetting
from db import frames
from db.clock import now
from db.engine import Database, reading, writing
from db.erasure import forget
from db.items import coverage, list_items
from db.judgments import Judgment, add_judgments
from db.payments import pay_and_time
from db.workers import named_workers
from eval.panel import PanelRules
from tests.annotate.test_import_real_logs import longest_common_subsequence, pool
from tests.helpers.collection import make_study
from tests.helpers.importing import answer, imported, write_table


def skill_file(folder: Path, name: str, **skills: str) -> Path:
    rows = [f"{worker}|{skill}\n" for worker, skill in skills.items()]
    (folder / name).write_text("worker_id|skill_value\n" + "".join(rows), "utf8")
    return folder / name


def skills_of(judgments: pd.DataFrame) -> dict[str, float]:
    """What is stated of each worker, of whom one thing is."""
    known = judgments[judgments["skill"].notna()]
    return dict(zip(known["worker"], known["skill"], strict=True))


def test_workers_weigh_what_the_platform_says_of_them(sqlite: Database, tmp_path: Path) -> None:
    said = {"w1": "yes", "w2": "no", "w3": "no"}
    log = write_table(tmp_path / "log.tsv", [answer("a", label, worker) for worker, label in said.items()])
    files = [
        skill_file(tmp_path, "one.csv", w1="90", w2="20", nobody="30"),
        skill_file(tmp_path, "two.csv", w2="40", nobody="10"),
    ]
    done = imported(sqlite, log, skills=files)
    assert dict(skills_of(done.judgments)) == {"w1": 0.9, "w2": pytest.approx(0.3)}
    with reading(sqlite) as session:
        plain, weighted = (
            human_baseline(session, study=done.study, rules=PanelRules(consensus=consensus))
            for consensus in ("majority", "weighted")
        )
    assert done.said["skills"] == {"workers": 2, "several": 1}, "who is in no log is not counted"
    assert "skills      of 2 of the 3 workers; 1 have several, averaged here" in str(done.report)
    one_answer = [found.panel.votes.labels[found.panel.consensus.code[0]] for found in (plain, weighted)]
    assert one_answer == ["no", "yes"]
    with reading(sqlite) as session:
        mera = human_baseline(session, study=done.study, rules=changed_rules(done.study, rules="mera"))
    for found, by_skills in ((plain, False), (weighted, True), (mera, True)):
        assert any("the platform's own skills" in note for note in found.notes()) is by_skills


def test_each_pool_has_skills_of_its_own(command: Callable[..., Result], sqlite: Database, tmp_path: Path) -> None:
    rows = {pool: [answer(pool, label, worker) for worker, label in (("w1", "yes"), ("w2", "no"))] for pool in "ab"}
    logs = [write_table(tmp_path / f"{pool}.tsv", rows[pool]) for pool in "ab"]
    files = [skill_file(tmp_path, "one.csv", w1="90", w2="20"), skill_file(tmp_path, "two.csv", w1="10", w2="70")]
    done = imported(sqlite, *logs, skills=files)
    with reading(sqlite) as session:
        rules = PanelRules(consensus="weighted")
        found = human_baseline(session, study=done.study, rules=rules).panel
    said = dict(zip(found.votes.items, (found.votes.labels[code] for code in found.consensus.code), strict=True))
    assert {item.fields["text"]: said[item.id] for item in done.items} == {"a": "yes", "b": "no"}
    typed = command("import-log", "typed", *logs, "--skills", files[0], "--skills", files[1])
    assert "of 2 of the 2 workers; 2 have several, one for each pool" in typed.stdout
    with pytest.raises(BadSetting, match="--skills is given 3 times for 2 files of the log; give one for all of them"):
        imported(sqlite, *logs, name="three", skills=[*files, files[0]])


@pytest.mark.parametrize(("text", "sentence"), [("w1|best", "'best' is no share"), ("w1|140", "'140' is no share")])
def test_a_skill_that_is_no_share_is_refused(sqlite: Database, tmp_path: Path, text: str, sentence: str) -> None:
    log = write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1"), answer("a", "no", "w2")])
    (tmp_path / "skills.csv").write_text(f"worker_id|skill_value\n{text}\n")
    with pytest.raises(BadFile, match=sentence):
        imported(sqlite, log, skills=[tmp_path / "skills.csv"])
    with pytest.raises(BadFile, match="has a column of workers and one of skills"):
        imported(sqlite, log, skills=[log])


@pytest.mark.parametrize("keep", [True, False])
def test_a_person_who_is_forgotten_leaves_no_skill_behind(engine: Database, tmp_path: Path, keep: bool) -> None:
    log = write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1"), answer("a", "no", "w2")])
    done = imported(engine, log, skills=[skill_file(tmp_path, "one.csv", w1="90", w2="20")])
    with writing(engine) as session:
        gone = forget(session, study=done.study, worker="w1", keep_answers=keep, who="owner", moment=now())
    with reading(engine) as session:
        left = skills_of(frames.judgments(session, study=done.study))
    assert left == {"w2": 0.2} | ({gone.pseudonym: 0.9} if keep else {})


def test_lcs_with_ties_by_the_skills_of_the_pool_has_the_score_of_the_notebook(
    sqlite: Database, shared: Path, tmp_path: Path
) -> None:
    known = json.loads((shared / "toloka_pools/expected.json").read_text("utf8"))["LCS"]
    items = [item.fields for item in imported(sqlite, pool(shared, "LCS"), name="without").of_role("main")]
    rows = [{**one, "label": longest_common_subsequence(one["string1"], one["string2"])} for one in items]
    gold = write_table(tmp_path / "gold.csv", rows, delimiter=",")
    skills = [shared / "toloka_pools/LCS/workerSkills.csv"]
    done = imported(sqlite, pool(shared, "LCS"), name="LCS", gold=gold, skills=skills)
    with reading(sqlite) as session:
        people = human_baseline(session, study=done.study, rules=PanelRules(control_min=0.5, ties="skill"))
    said = people.panel.consensus.ballots
    # On five items the skills are level too and share the point; the notebook takes the label that is first as a text.
    assert people.majority["accuracy"].value == pytest.approx(0.57166667)
    order = sorted(range(len(said.labels)), key=lambda code: said.labels[code])
    first = [said.labels[order[place]] for place in said.weights[:, order].argmax(axis=1)]
    right = [label == people.panel.gold[item] for item, label in zip(said.items, first, strict=True)]
    assert sum(right) / 100 == known["notebook_accuracy_all_items_ties_by_skill"]


@pytest.mark.parametrize("pages", [("p1", "p2", "p3"), ("1", "2", "1")])
def test_pay_an_hour_follows_from_the_times_and_prices_of_pages(
    sqlite: Database, tmp_path: Path, pages: tuple[str, str, str]
) -> None:
    """Pages that are numbered for each worker are as many as those with names of their own."""

    def page(name: str, minutes: int, reward: str) -> dict[str, str]:
        ends = f"2023-09-29T06:{minutes:02}:00"
        return {"assignment_id": name, "started": "2023-09-29T06:00:00", "submitted": ends, "reward": reward}

    rows = [answer(text, said, "w1", **page(pages[0], 10, "0.5")) for text, said in [("a", "yes"), ("b", "no")]]
    rows += [answer("a", "no", "w1", **page(pages[1], 20, "0.5")), answer("b", "no", "w2", **page(pages[2], 30, "1"))]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows))
    with reading(sqlite) as session:
        pay = human_baseline(session, study=done.study, rules=PanelRules()).pay
    # w1 has 1.0 for half an hour, w2 1.0 for half an hour.
    assert (pay["total"], pay["median_hourly"], pay["currency"]) == (2.0, 2.0, "USD")


def test_any_table_tells_prices_and_times(sqlite: Database, tmp_path: Path) -> None:
    columns = {"rater": "w1", "verdict": "yes", "reward": "0.5", "start time": "2023-09-29T06:00:00", "ended": ""}
    rows = [{"text": text, **columns, "ended": "2023-09-29T06:10:00"} for text in "ab"]
    rows += [{"text": "a", **columns, "rater": "w2", "verdict": "no", "ended": "2023-09-29T06:20:00"}]
    path = write_table(tmp_path / "log.csv", rows, delimiter=",")
    done = imported(sqlite, path, fields=("text",), submitted="ended", currency="EUR")
    # Two answers that were begun at one moment share the ten minutes; the third took twenty by itself.
    assert list(done.judgments["seconds"]) == [300, 300, 1200]
    with reading(sqlite) as session:
        pay = human_baseline(session, study=done.study, rules=PanelRules()).pay
    # w1 has 1.0 for ten minutes, w2 0.5 for twenty: 6 and 1.5 an hour.
    assert (pay["total"], pay["median_hourly"], pay["currency"]) == (1.5, 3.75, "EUR")


@pytest.mark.parametrize("name", ["BPS", "LCS", "RCB"])
def test_published_pools_have_pay_an_hour(sqlite: Database, shared: Path, name: str) -> None:
    done = imported(sqlite, pool(shared, name), name=name)
    with reading(sqlite) as session:
        pay = human_baseline(session, study=done.study, rules=PanelRules()).pay
    pages = done.judgments.astype({"price": float, "seconds": float}).groupby(["worker", "page"])
    found = pages.agg({"price": "first", "seconds": "sum"}).groupby("worker").sum()
    assert pay["median_hourly"] == pytest.approx(float((3600 * found["price"] / found["seconds"]).median()), abs=0.005)


def test_a_report_of_a_log_has_no_setting_that_never_applied(command: Callable[..., Result], tmp_path: Path) -> None:
    log = write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1"), answer("a", "no", "w2")])
    assert command("import-log", "s", log).exit_code == 0
    assert command("results", "s", "--report", tmp_path / "s.md").exit_code == 0
    told = (tmp_path / "s.md").read_text("utf8")
    assert not [name for name in ("overlap_max", "page_main", "lease_minutes", '"price"', '"quality"') if name in told]


def test_of_a_log_without_prices_nothing_is_said_of_pay_but_why(sqlite: Database, tmp_path: Path) -> None:
    rows = [answer("a", "yes", "w1"), answer("a", "no", "w2"), answer("b", "no", "w1")]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows))
    owed = Oversight(sqlite).payments(done.study.name)
    assert [line["total"] for line in owed.frame.to_dict("records")] == [None, None]
    assert str(owed) == "2 workers; no price is stored, so what they were paid is not known"
    assert "0.00" not in str(draw_workers("s", Oversight(sqlite).workers(done.study.name), owed))
    with reading(sqlite) as session:
        pay = human_baseline(session, study=done.study, rules=PanelRules()).pay
        each = coverage(session, study=done.study).of_each
    assert (pay_and_time(pay), each) == ("neither prices nor times are stored", "1 to 2 judgments each")


def test_where_some_workers_have_prices_the_sum_says_of_how_many_it_is(sqlite: Database, tmp_path: Path) -> None:
    rows = [answer("a", "yes", "w1", reward="0.5"), answer("a", "no", "w2", reward="")]
    done = imported(sqlite, write_table(tmp_path / "log.tsv", rows))
    owed = Oversight(sqlite).payments(done.study.name)
    assert (owed.total, owed.unpriced) == (0.5, 1)
    assert str(owed).startswith("2 workers, 0.50 USD in all; of 1 no price is stored")


def test_the_baseline_pays_what_is_owed_and_times_answers_to_main_items(engine: Database) -> None:
    study = make_study(engine, main=2, control=1)
    with writing(engine) as session:
        items = [*list_items(session, study=study, role="main"), *list_items(session, study=study, role="control")]
        worker = named_workers(session, names=["w1"])["w1"]
        given = [
            Judgment(item.key, worker, "red", price=1.0, seconds=took)
            for item, took in zip(items[:1] + items[2:], (10, 90), strict=True)
        ]
        refused = Judgment(items[1].key, worker, "red", status="void", reason="REJECTED", price=5.0, seconds=50)
        add_judgments(session, study=study, judgments=[*given, refused])
    owed = Oversight(engine).payments(study.name)
    with reading(engine) as session:
        pay = human_baseline(session, study=study, rules=PanelRules()).pay
    assert (pay["total"], pay["median_hourly"]) == (owed.total, owed.median_hourly) == (2.0, 72.0)
    assert pay["median_seconds"] == 10
