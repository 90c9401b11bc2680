"""The commands that look at people's work: rules on workers, soft labels, results as a file."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError
from sqlalchemy import Engine, select, update
from typer.testing import CliRunner, Result

from annotate.requesters.oversight import Oversight
from annotate.worker.stages import Act, ActKind
from app import cli
from baseline.human.baseline import changed_rules
from baseline.human.quality_afterwards import ALL, Checks, Quality, quality
from baseline.human.soft_labels import labelled_rows, soft_label_rows
from baseline.output.terminal import quality_text
from data.errors import BadSetting
from data.task import Item
from db import frames
from db.clock import now
from db.engine import open_database, reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.records import Decision, add_decision
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.tables import JUDGMENT, WORKER
from db.worker_summaries import worker_summaries
from db.workers import add_worker
from eval.intervals.mean import mean_interval
from eval.workers.afterwards import StudyTables
from eval.workers.attention import AttentionRule
from eval.workers.rule import Finding, WorkerRule
from eval.workers.skips import SkipsRule
from tests.helpers.collection import TASK, Person, arrive, make_service, make_study

Run = Callable[..., Result]
LETTERS = {"r": "red", "g": "green"}


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on an empty SQLite database."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def said(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    assert "NaN" not in result.stdout
    return json.loads(result.stdout)


def study_of(
    database: Engine,
    workers: list[str],
    *,
    gold: str = "",
    control: list[str] | None = None,
    seconds: dict[int, float] | None = None,
    quality: dict[str, Any] | None = None,
) -> Study:
    """A study in which the n-th worker gave the n-th string: a letter for each main item, a dot for none.

    `gold` has a letter for each item (red throughout by default, a dot for none), `control` the workers' answers to
    controls whose gold is red, `seconds` the time that all answers of a worker took, `quality` the rules on workers.
    """
    size = max(map(len, [*workers, gold]), default=0)
    golds = [LETTERS.get(letter) for letter in (gold or "r" * size)]
    items = [Item(f"m{place}", {"thing": f"thing {place}"}, one) for place, one in enumerate(golds)]
    checks = max(map(len, control or []), default=0)
    items += [Item(f"c{place}", {"thing": f"check {place}"}, "red", "control") for place in range(checks)]
    settings = StudySettings.model_validate({"overlap": 3, "quality": quality or {}})
    with writing(database) as session:
        study = create_study(session, name="colours", task=TASK, settings=settings)
        add_items(session, study=study, items=items)
        keys = {entry.item.id: entry.key for entry in list_items(session, study=study)}
        given = []
        for place, letters in enumerate(workers):
            worker = add_worker(session)
            time = (seconds or {}).get(place)
            for role, answers in (("m", letters), ("c", (control or [""] * len(workers))[place])):
                given += [
                    Judgment(keys[f"{role}{number}"], worker, LETTERS[letter], seconds=time)
                    for number, letter in enumerate(answers)
                    if letter != "."
                ]
        add_judgments(session, study=study, judgments=given)
    return study


def looked_at(database: Engine, study: Study, checks: Checks | None = None, **rules: Any) -> Quality:
    with reading(database) as session:
        return quality(session, study=study, checks=checks or Checks(), rules=changed_rules(study, **rules))


GOOD = "rgrgrrggrgrgrggrgrrg"
OTHER = "rgrgrrggrgrgrggrgrgr"


def test_every_rule_that_finds_somebody_shows_whom_by_what_and_what_changes(sqlite: Engine) -> None:
    workers = [GOOD, OTHER, GOOD, "r" * 20, "rg" * 10]
    control = ["r" * 6, "r" * 6, "r" * 6, "g" * 6, "r" * 6]
    times = {0: 9.0, 1: 12.0, 2: 10.0, 3: 11.0, 4: 1.0}
    rules = {"control": {"minimum": 5}, "fast": {"of_median": 1 / 3}}
    study = study_of(sqlite, workers, gold=GOOD, control=control, seconds=times, quality=rules)
    found = looked_at(sqlite, study, Checks(names=("control", "fast", "constant", "pattern", "skips")))
    caught = {check.rule.key: {each.worker for each in check.findings} for check in found.checks}
    assert {rule: len(workers) for rule, workers in caught.items() if workers} == dict.fromkeys(
        ("control", "fast", "constant", "pattern"), 1
    )
    assert caught["control"] == caught["constant"] != caught["fast"]
    assert caught["fast"] == caught["pattern"]
    (control_finding,) = found.checks[0].findings
    assert found.evidence(control_finding) == [f"control:c{place}" for place in range(6)]
    assert list(found.after) == ["control", "fast", "constant", "pattern", ALL]
    together = found.after[ALL]
    assert together.excluded == found.caught
    assert len(together.losses) == 20
    assert all((loss.before, loss.after) == (5, 3) for loss in together.losses)
    assert together.after.agreement.alpha > found.before.agreement.alpha
    text = quality_text(found)
    assert "without: control items" in text
    assert "20 items lose votes, 0 of them keep fewer than 3" in text
    assert "skipped items: an imported log does not show which items were skipped" in text


def test_an_item_on_which_two_copied_is_named_once(sqlite: Engine) -> None:
    copied = "".join("rg"[letter == "r"] for letter in GOOD[:8]) + GOOD[8:]
    study = study_of(sqlite, [*[GOOD] * 5, copied, copied], gold=GOOD)
    found = looked_at(sqlite, study, Checks(names=("copying",)))
    (check,) = found.checks
    assert len(check.findings) == 2
    for finding in check.findings:
        assert len(finding.evidence) == 16, "the judgments of both"
        assert found.evidence(finding) == [f"m{place}" for place in range(8)]


def test_who_pastes_more_than_a_fifth_of_the_answers_is_found_afterwards_too(sqlite: Engine) -> None:
    study = study_of(sqlite, [GOOD, OTHER, GOOD], gold=GOOD, quality={"attention": {"share": 0.2}})
    with writing(sqlite) as session:
        first, second, _ = sorted(frames.judgments(session, study=study)["worker"].unique(), key=str)
        keys = {row.name: row.id for row in session.execute(select(WORKER.c.name, WORKER.c.id))}
        for worker, pasted in ((first, 5), (second, 4)):
            rows = select(JUDGMENT.c.id).where(JUDGMENT.c.worker_id == keys[worker]).limit(pasted)
            session.execute(update(JUDGMENT).where(JUDGMENT.c.id.in_(rows)).values(pasted=True))
    (check,) = looked_at(sqlite, study, Checks(names=("attention",))).checks
    assert [(one.worker, one.value, len(one.evidence)) for one in check.findings] == [(first, 0.25, 5)]


def test_the_json_has_each_side_with_its_intervals(run: Run, tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
    study_of(database, [GOOD, OTHER, "r" * 20], gold=GOOD)
    database.dispose()
    shown = said(run("quality", "colours", "--rule", "constant", "--least-votes", 3, "--json"))
    assert list(shown) == ["study", "task", "rules", "checks", "before", "after", "least_votes", "notes"]
    (check,) = shown["checks"]
    assert (check["rule"], len(check["found"]), check["refused"]) == ("constant", 1, None)
    assert check["found"][0]["evidence"] == [f"m{place}" for place in range(20)]
    assert len(shown["after"]["constant"]["below"]) == 20
    side = shown["after"]["constant"]["side"]
    for one in (shown["before"], side):
        assert len(one["scores"]["majority"]["accuracy"]["ci"]) == 2
        assert len(one["agreement"]["alpha_ci"]) == 2
    assert (shown["before"]["workers"]["kept"], side["workers"]["kept"]) == (3, 2)


def test_the_constant_worker_of_a_real_log_costs_it_what_was_published(run: Run, shared: Path) -> None:
    run("import-log", "rwsd", shared / "toloka_logs/RWSD/assign_RWSD.tsv", "--answer", "OUTPUT:result")
    shown = said(run("quality", "rwsd", "--rule", "constant", "--json"))
    after = shown["after"]["constant"]
    assert [each["n"] for each in shown["checks"][0]["found"]] == [114]
    assert shown["before"]["agreement"]["alpha"] == pytest.approx(0.165, abs=5e-4)
    assert after["side"]["agreement"]["alpha"] == pytest.approx(0.297, abs=5e-4)
    assert (shown["before"]["items"]["tied"], after["side"]["items"]["tied"]) == (11, 25)
    assert len(after["losses"]) == 114


def test_a_named_threshold_stands_in_the_place_of_the_default_rule(sqlite: Engine) -> None:
    study = study_of(sqlite, ["rr", "rg", "gg"], control=["rrrr", "rrrg", "rggg"])
    plain = looked_at(
        sqlite, study, Checks(("control",), {"control.test": "threshold", "control.share": 0.8, "control.minimum": 1})
    )
    assert [each.value for each in plain.checks[0].findings] == [0.75, 0.25] or len(plain.caught) == 2
    assert plain.checks[0].how == "less than 80% right"
    default = looked_at(sqlite, study, Checks(("control",)))
    assert not default.caught  # four controls are too few for it
    assert "P(accuracy > 0.70)" in default.checks[0].how


def test_speed_has_a_limit_in_seconds_or_by_the_median(run: Run, tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
    study_of(database, [GOOD, GOOD, OTHER], seconds={0: 10.0, 1: 4.0, 2: 12.0})
    database.dispose()
    limits = (["fast.seconds=", "fast.of_median=0.3"], ["fast.seconds=5"])
    named = [[word for number in limit for word in ("--set", number)] for limit in limits]
    found = [said(run("quality", "colours", "--rule", "fast", *numbers, "--json")) for numbers in named]
    assert [len(each["checks"][0]["found"]) for each in found] == [0, 1]
    refused = run("quality", "colours", "--set", "fast.seconds=quick")
    assert (refused.exit_code, "Too fast" in refused.stderr) == (2, True)


NOTHING = pd.DataFrame([], columns=["item", "worker", "label", "role", "status"], dtype=object)


def found_by(rule: WorkerRule, judged: pd.DataFrame = NOTHING, met: pd.DataFrame | None = None) -> list[Finding]:
    items = pd.DataFrame([("q", "main", None)], columns=["item", "role", "gold"], dtype=object)
    return StudyTables(judged, items, items_met=met).find([rule])[rule.key]


def test_skips_and_absent_eyes_are_rules_of_events() -> None:
    skipped = [True] * 4 + [False] * 6
    events = pd.DataFrame({"worker": ["ann"] * 10 + ["bob"] * 10, "skipped": [*skipped, *([True, False] * 5)]})
    (found,) = found_by(SkipsRule(in_a_row=4), met=events)
    assert (found.worker, found.value, found.limit, found.evidence) == ("ann", 4, 4, (0, 1, 2, 3))
    (found,) = found_by(SkipsRule(in_a_row=10, share=0.45), met=events)
    assert (found.worker, found.value, found.n) == ("bob", 0.5, 10)
    away = pd.DataFrame({"worker": ["ann"] * 10, "pasted": [True] * 3 + [False] * 7, "away": [False] * 10})
    away = away.assign(item="q", label="red", role="main", status="counted")
    assert [each.value for each in found_by(AttentionRule(share=0.2), away)] == [0.3]
    assert found_by(AttentionRule(share=0.3), away) == []
    again = events.assign(skipped=[True] * 2 + [False] + [True] * 7 + [False] * 10)
    assert [(one.value, one.evidence) for one in found_by(SkipsRule(in_a_row=4), met=again)] == [
        (7, tuple(range(3, 10)))
    ]
    with pytest.raises(ValidationError, match=r"in_a_row\n.*greater than or equal to 1"):
        SkipsRule(in_a_row=0)


def meet(person: Person, way: str) -> list[str]:
    """Answer (a), skip (s) or report (r) one item after another; return their ids."""
    met = []
    for letter in way:
        view = person.look()
        assert view.item is not None
        met.append(view.item.fields["thing"].replace(" thing ", "-"))
        kind: ActKind = {"a": "answer", "s": "skip", "r": "report"}[letter]  # type: ignore[assignment]
        value = {"reason": "mistake", "text": ""} if kind == "report" else "red"
        person.service.act("colours", person.cookie, Act(kind, token=view.token, value=value))
    return met


def test_who_skips_is_found_afterwards_by_the_rule_of_the_study_and_by_what_was_skipped(engine: Engine) -> None:
    rule = {"action": "none", "in_a_row": 3, "share": 0.5, "window": 4, "minimum": 4}
    study = make_study(engine, main=9, page_controls=0, quality={"skips": rule})
    service = make_service(engine)
    # Three in a row; 3 of the last 4; just half of them; reports are no skips; nothing but skips; the same, excluded.
    ways = ("asssa", "assass", "sasa", "srrs", "sss", "ssss")
    row, share, _, _, nothing, _ = (meet(arrive(service), way) for way in ways)
    with reading(engine) as session:
        names = [work.name for work in sorted(worker_summaries(session, study=study), key=lambda work: work.key)]
    Oversight(engine).exclude("colours", names[-1], who="anna", reason="only skips")
    found = looked_at(engine, study, Checks(names=("skips",)))
    (check,) = found.as_dict()["checks"]
    assert (check["refused"], check["how"]) == (
        None,
        "3 in a row, or more than 50% of the last 4, 4 items or more",
    )
    by_worker = {one.pop("worker"): one for one in check["found"]}
    assert by_worker == {
        names[0]: {"value": 3, "limit": 3, "n": 5, "evidence": row[1:4]},
        names[1]: {"value": 0.75, "limit": 0.5, "n": 4, "evidence": [share[2], *share[4:]]},
        names[4]: {"value": 3, "limit": 3, "n": 3, "evidence": nothing},
    }
    # Of 6 answers 2 are of the first one and 2 of the second; who answered nothing takes none away.
    assert found.before.panel.counts()["judgments"]["kept"] == 6
    assert found.after["skips"].after.panel.counts()["judgments"]["kept"] == 2
    assert f"{', '.join(nothing)}" in quality_text(found)


STUDIES: dict[str, dict[str, Any]] = {
    "nobody": {"workers": []},
    "no control": {"workers": ["rg", "rr", "rg"]},
    "one vote per item": {"workers": ["rg.", "..r"]},
    "one worker": {"workers": ["rgrg"], "control": ["rr"]},
    "one label": {"workers": ["rrrr", "rrrr"], "control": ["rr", "rr"]},
    "all ties": {"workers": ["rg", "gr"]},
    "no gold": {"workers": ["rg", "rr", "rg"], "gold": ".."},
    "gold partly missing": {"workers": ["rg", "rr", "rg"], "gold": "r."},
}
COMMANDS = (
    "quality colours",
    "quality colours --consensus dawid-skene --ties skill",
    "assessors colours",
    "results colours --consensus one-coin --latex",
    "export colours --what soft-labels --to {folder}/soft.jsonl --format jsonl",
    "export colours --what soft-labels --to {folder}/soft.csv --consensus dawid-skene",
    "export colours --what soft-labels --to {folder}/soft.csv --consensus weighted",
)


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_with_something_missing_has_a_result_or_a_sentence(run: Run, tmp_path: Path, name: str) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
    study_of(database, **STUDIES[name])
    database.dispose()
    for command in COMMANDS:
        result = run(*command.format(folder=tmp_path).split())
        assert result.exit_code in (0, 2), f"{command}: {result.exception}"
        told = result.stdout if result.exit_code == 0 else result.stderr
        assert "Traceback" not in result.stderr
        assert not re.search(r"\b(None|nan|NaN)\b", told), f"{command}: {told}"
        if result.exit_code == 2:
            assert re.search(r"^[^\n]{20,}\n$", result.stderr), f"{command}: {result.stderr}"


def test_soft_labels_are_shares_of_votes_or_probabilities(sqlite: Engine) -> None:
    study = study_of(sqlite, ["rrg.", "rgg.", "rgg."], control=["rr", "rg", "gg"])

    def shares(**rules: Any) -> dict[tuple[str, str], tuple[float, int]]:
        with reading(sqlite) as session:
            rows = soft_label_rows(session, study=study, rules=changed_rules(study, **rules))
        assert rows.groupby("item")["share"].sum().tolist() == pytest.approx([1, 1, 1])
        return {(item, label): (share, votes) for item, label, share, votes, _ in rows.to_numpy().tolist()}

    assert shares()["m1", "red"] == pytest.approx((1 / 3, 1))
    assert shares()["m0", "green"] == (0, 0)
    assert ("m3", "red") not in shares()
    # Skills 3/4, 2/4 and 1/4 by the controls.
    assert shares(consensus="weighted")["m1", "red"] == pytest.approx((0.5, 1))
    assert shares(control_min=0.5)["m2", "green"] == (1, 2)
    assert shares(consensus="dawid-skene")["m2", "green"][0] > 0.99
    with pytest.raises(BadSetting, match="has no shares"):
        shares(consensus="median")


def test_labelled_items_have_a_label_its_share_and_whose_it_is(sqlite: Engine) -> None:
    study = study_of(sqlite, ["rrg.", "rgg.", "rgr."], control=["rr", "rg", "gg"])

    def labelled(**rules: Any) -> list[list[Any]]:
        with reading(sqlite) as session:
            rows = labelled_rows(session, study=study, rules=changed_rules(study, **rules))
        ours = ["item", "role", "why", "label", "votes", "share", "source"]
        assert list(rows.columns) == ["item", "thing", "label (field)", *ours[1:]]
        return rows[ours].to_numpy().tolist()

    two_thirds = pytest.approx(2 / 3)
    assert labelled() == [
        ["m0", "main", "", "red", 3, 1.0, "votes"],
        ["m1", "main", "", "green", 3, two_thirds, "votes"],
        ["m2", "main", "", "green", 3, two_thirds, "votes"],
        ["m3", "main", "empty", None, 0, None, ""],
        ["control:c0", "control", "", "red", 3, two_thirds, "gold"],
        ["control:c1", "control", "", "red", 3, pytest.approx(1 / 3), "gold"],
    ]
    # Skills 3/4, 2/4 and 1/4 by the controls: red has the first, green the others, so they are level.
    assert labelled(consensus="weighted")[1][2:] == ["tied", None, 3, None, ""]
    assert labelled(min_votes=4)[0][2:] == ["short", None, 3, None, ""]
    # Green was voted for by nobody: the expert's word counts all the same, and says whose it is.
    with writing(sqlite) as session:
        key = list_items(session, study=study)[0].key
        add_decision(session, Decision("m0", "green", "ann", "", True, now(), key), study=study)
    assert all(labelled(**rules)[0][2:] == ["", "green", 3, 0, "expert"] for rules in ({}, {"consensus": "expert"}))


def test_results_take_every_rule_and_become_a_file(run: Run, tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
    study_of(database, [GOOD, OTHER, "r" * 20], gold=GOOD)
    database.dispose()
    run("run", "colours", "--model", "random")
    options = ("results", "colours", "--consensus", "dawid-skene", "--interval", "items")
    rows = said(run(*options, "--json"))["rows"]
    assert [row["respondent"] for row in rows] == ["human:dawid-skene", "human:individual", "model:random"]
    wanted = f"{100 * rows[2]['scores']['accuracy']['value']:.1f}"
    for name in ("table.md", "table.html", "table.tex"):
        assert run(*options, "--report", tmp_path / name).exit_code == 0
        written = (tmp_path / name).read_text("utf8").replace(r"\allowbreak{}", "")
        assert wanted in written
        assert "awid-skene of 3 people" in written.replace("-{}", "-")
    assert r"\toprule" in (tmp_path / "table.tex").read_text("utf8")
    assert run(*options, "--latex").stdout.startswith(r"\documentclass")
    assert run(*options, "--html").stdout.lstrip().startswith("<!")
    refused = run(*options, "--report", tmp_path / "table.docx")
    assert (refused.exit_code, "a report ends in" in refused.stderr) == (2, True)


def test_agreement_on_each_label_is_printed_and_in_the_json(run: Run, tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
    study_of(database, ["rrgg", "rggg", "rrgr"])
    database.dispose()
    red, green = said(run("human", "colours", "--json"))["agreement_by_label"]
    assert (red["label"], green["label"]) == ("red", "green")
    # Red: 3 + 2 + 0 + 1 answers, of whose 3 * 2 + 2 * 1 ordered pairs with another person the same.
    assert red["specific"] == pytest.approx((6 + 2) / 12)
    printed = run("human", "colours", "--details").stdout
    # Of 12 answers on four items; and of these 6 as many have a second one that is red.
    share, specific = (
        "–".join(rf"{end:.3f}" for end in mean_interval(np.array(totals), np.array(sizes), np.ones(4)))
        for totals, sizes in (([3.0, 2, 0, 1], [3.0, 3, 3, 3]), ([3.0, 1, 0, 0], [3.0, 2, 0, 1]))
    )
    assert re.search(rf"^red +0\.500 +{share} +0\.667 +{specific} ", printed, re.MULTILINE)
