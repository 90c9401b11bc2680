"""What experts decide: kept beside the votes, the newest counts, and it can be gold or consensus."""

from dataclasses import replace

import pandas as pd
import pytest
from sqlalchemy import Engine

from annotate.requesters.oversight import Oversight
from baseline.comparison.report_evidence import evidence_of_report
from baseline.human.baseline import changed_rules, stored_rules
from baseline.output.study_report import study_report
from baseline.pages.results_page import StudyCache
from data.answers.text import Text
from data.errors import BadSetting
from data.task import Item
from db import frames
from db.engine import reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.records import Decision, add_decision, decisions, list_decisions
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from db.workers import add_worker
from eval.ballots import individual
from eval.consensus.expert import NOBODY
from eval.gold import TaskItems
from eval.metrics.table import metric_named
from eval.panel import Panel, PanelRules, StudyData, panel
from eval.scoring import score
from tests.helpers.collection import TASK, Watch, make_study

# Three items by three workers. x: 2 yes, 1 no; y: a tie; z: nobody. Gold of x is yes, of y no, of z not known.
ROWS = pd.DataFrame(
    [("x", "a", "yes"), ("x", "b", "yes"), ("x", "c", "no"), ("y", "a", "yes"), ("y", "b", "no")],
    columns=["item", "worker", "label"],
    dtype=object,
).assign(role="main", status="counted", reason=None)
ITEMS = pd.DataFrame({"item": ["x", "y", "z"], "role": "main", "gold": ["yes", "no", None]}, dtype=object)


def decision(*labels: str | None) -> pd.DataFrame:
    """The items with what experts decided on each, None for nothing."""
    return ITEMS.assign(decision=pd.Series(list(labels), dtype=object))


DECIDED = decision("no", "yes", "yes")


def ruled(rules: PanelRules, items: pd.DataFrame = DECIDED) -> Panel:
    return panel(StudyData(ROWS, items, ["no", "yes"]), rules, draws=20)


def accuracy(people: Panel) -> float:
    return score(["accuracy"], people.gold, people.consensus.ballots)["accuracy"].value


def test_without_a_word_decisions_change_nothing() -> None:
    plain = ruled(PanelRules(), ITEMS)
    found = ruled(PanelRules())
    assert found.consensus.winner == plain.consensus.winner == ("yes", None, None)
    assert dict(found.gold) == {"x": "yes", "y": "no"}
    assert accuracy(found) == accuracy(plain) == pytest.approx((1 + 0.5) / 2)
    assert "gold" not in found.rules.as_dict()


def test_as_consensus_a_decision_stands_where_there_is_one() -> None:
    found = ruled(PanelRules(consensus="expert", min_votes=3))
    assert found.consensus.winner == ("no", "yes", "yes")
    assert found.consensus.status.tolist() == ["won", "won", "won"]
    assert accuracy(found) == 0.0
    partly = ruled(PanelRules(consensus="expert"), decision(None, "no", None))
    assert partly.consensus.winner == ("yes", "no", None)
    assert accuracy(partly) == 1.0
    assert partly.counts()["items"]["with_consensus"] == 2


def test_as_gold_decisions_fill_in_and_take_the_place_of_the_files() -> None:
    found = ruled(PanelRules(gold="decisions"))
    assert dict(found.gold) == {"x": "no", "y": "yes", "z": "yes"}
    assert accuracy(found) == pytest.approx((0 + 0.5) / 2)
    single = score(["accuracy"], found.gold, individual(found.votes))["accuracy"]
    assert single.value == pytest.approx(2 / 5)
    assert single.n == 5
    assert "3 items have the gold that experts decided." in found.notes
    assert found.rules.as_dict()["gold"] == "decisions"
    both = ruled(PanelRules(gold="decisions", consensus="expert"))
    assert both.consensus.winner == found.consensus.winner == ("yes", None, None)
    assert accuracy(both) == accuracy(found)
    assert both.rules.consensus == "majority", "a decision is not scored against itself"


@pytest.mark.parametrize("rules", [PanelRules(gold="decisions"), PanelRules(consensus="expert")])
def test_where_nobody_decided_a_note_says_so(rules: PanelRules) -> None:
    found = ruled(rules, ITEMS)
    assert NOBODY in found.notes
    assert found.consensus.winner == ("yes", None, None)


def test_a_gold_that_is_not_known_is_refused() -> None:
    with pytest.raises(BadSetting, match="choose one of file, decisions"):
        PanelRules(gold="experts")


def test_a_decision_may_be_what_nobody_voted_for() -> None:
    found = panel(StudyData(ROWS[:3], decision("maybe", None, None)), PanelRules(consensus="expert"), draws=20)
    assert found.consensus.winner == ("maybe", None, None)
    assert accuracy(found) == 0.0


def test_open_answers_are_decided_by_what_they_mean() -> None:
    rows = ROWS.assign(label=["Anna", "anna", "Olga", "a", "b"])
    items = decision("ANNA", "c", "d").assign(gold=pd.Series(['["Anna"]', None, None], dtype=object))
    asked = TaskItems(Text(), {item: {} for item in "xyz"})
    study = StudyData(rows, items, asked=asked)
    plain = panel(study, PanelRules(), draws=20)
    assert plain.consensus.winner[0] in ("Anna", "anna")
    decided = panel(study, replace(plain.rules, consensus="expert"), draws=20)
    assert decided.consensus.winner == (plain.consensus.winner[0], "c", "d")
    found = panel(study, replace(plain.rules, gold="decisions"), draws=20)
    assert dict(found.gold) == {"x": '["ANNA"]', "y": '["c"]', "z": '["d"]'}
    assert metric_named("em").name in score(["em"], found.gold, found.consensus.ballots)
    assert score(["em"], found.gold, decided.consensus.ballots)["em"].value == 1.0


def test_every_decision_is_kept_and_the_newest_counts(engine: Engine) -> None:
    clock = Watch()
    study = make_study(engine, main=3, control=1)
    with writing(engine) as session:
        first, second, _ = list_items(session, study=study, role="main")
        for entry, label, who, blind in (
            (first, "red", "olga", True),
            (first, "green", "olga", False),
            (second, "red", "ivan", True),
        ):
            made = Decision(entry.item.id, label, who, "=1+1 \u202eok", blind, clock(), entry.key)
            add_decision(session, made, study=study)
            clock.passes(minutes=1)
    with reading(engine) as session:
        assert decisions(session, study=study) == {"main-0": "green", "main-1": "red"}
        assert {one.key: one.label for one in list_decisions(session, study=study)} == {
            first.key: "green",
            second.key: "red",
        }
        assert [(one.label, one.blind) for one in list_decisions(session, study=study, item_key=first.key)] == [
            ("red", True),
            ("green", False),
        ]
        assert [one.who for one in list_decisions(session, study=study)] == ["olga", "olga", "ivan"]
        frame = frames.items(session, study=study).set_index("item")
        assert frame.loc["main-0", "decision"] == "green"
        assert frame.loc["main-2", "decision"] is None
        assert frame.loc["control:control-0", "decision"] is None


# Five items that everybody calls red. The file and the experts hold other things right, on different items.
FILE, EXPERTS = ("red", "green", "green", "red", "green"), ("red", "red", "green", "red", "green")


def judged(database: Engine) -> None:
    """An imported study of five items with three votes, a file's gold and an expert's decision each."""
    with writing(database) as session:
        study = create_study(session, name="judged", task=TASK, settings=StudySettings(), origin="imported")
        items = [Item(f"i{n}", {"thing": f"предмет {n}"}, gold) for n, gold in enumerate(FILE)]
        add_items(session, study=study, items=items)
        stored = list_items(session, study=study, role="main")
        workers = [add_worker(session) for _ in range(3)]
        add_judgments(session, study=study, judgments=[Judgment(e.key, w, "red") for e in stored for w in workers])
        for entry, label in zip(stored, EXPERTS, strict=True):
            made = Decision(entry.item.id, label, "o", "", True, Watch()(), entry.key)
            add_decision(session, made, study=study)


@pytest.mark.parametrize(
    ("settings", "right", "words"),
    [
        # Red is right on 2 items by the file, on 3 by the experts; the experts' own answers are right on 4 by the file.
        (
            {},
            2 / 5,
            "The right answer is the gold in the items' file; people's one answer is what most of them answered.",
        ),
        (
            {"gold": "decisions"},
            3 / 5,
            "The right answer is the experts' decision, or the gold in the items' file where there is none;",
        ),
        ({"consensus": "expert"}, 4 / 5, "people's one answer is what experts decided, and elsewhere what most"),
        ({"gold": "decisions", "consensus": "expert"}, 3 / 5, "people's one answer is what most of them answered."),
    ],
)
def test_a_manager_says_what_decisions_are_for_and_page_and_report_say_it_too(
    sqlite: Engine, settings: dict[str, str], right: float, words: str
) -> None:
    judged(sqlite)
    changing, studies = Oversight(sqlite), StudyCache(sqlite)
    studies.open("judged")
    assert list(changing.change("judged", {**changing.settings("judged"), **settings}, who="anna")) == list(settings)
    opened = studies.open("judged")
    assert opened.results.human.majority["accuracy"].value == pytest.approx(right)
    with reading(sqlite) as session:
        study = get_study(session, name="judged")
        evidence = evidence_of_report(session, study=study, rules=stored_rules(study))
        assert words in study_report(session, evidence).sections[1].lines[0]
        over = changed_rules(study, gold="file", consensus="majority")
        assert evidence_of_report(session, study=study, rules=over).results.human.majority["accuracy"].value == 2 / 5


def test_of_an_imported_study_only_what_results_are_made_of_may_change(sqlite: Engine) -> None:
    judged(sqlite)
    with pytest.raises(BadSetting, match=r"you can set .*“Right answers”, “Consensus answer”"):
        Oversight(sqlite).change("judged", {"gold": "decisions", "price": 3}, who="anna")
    with pytest.raises(BadSetting, match="Right answers 'experts'"):
        Oversight(sqlite).change("judged", {"gold": "experts"}, who="anna")
    assert Oversight(sqlite).settings("judged")["gold"] == "file"
