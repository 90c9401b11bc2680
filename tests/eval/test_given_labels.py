"""Every rule of consensus chooses among the labels that an item was given; what none decides is counted and named."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.answers.number import Number
from data.answers.text import Text
from data.errors import BadSetting
from eval.consensus.dawid_skene import dawid_skene
from eval.consensus.rules import CONSENSUS, METHODS, ConsensusRule, consensus_of
from eval.panel import PanelRules, StudyData, panel
from eval.reanalysis import analysis
from eval.votes import Votes, code
from tests.helpers.crowd_logs import pool
from tests.helpers.opened import SETS, voted


def drawn(seed: int) -> Votes:
    """Sixty items with one to four answers of six voters, who give three labels as often as they like."""
    generator = np.random.default_rng(seed)
    liking = generator.dirichlet(np.full(3, 0.3), size=6)
    rows = [
        (f"q{item:02}", f"w{worker}", "abc"[generator.choice(3, p=liking[worker])])
        for item in range(60)
        for worker in generator.choice(6, generator.integers(1, 5), replace=False)
    ]
    return code(pd.DataFrame(rows, columns=["item", "worker", "label"]))


@pytest.mark.parametrize("rule", CONSENSUS)
def test_no_rule_chooses_a_label_that_nobody_gave_the_item(rule: str) -> None:
    for votes in map(drawn, range(20)):
        found = consensus_of(votes, ConsensusRule(consensus=rule), skills=np.linspace(0.2, 0.9, 6))
        assert not (found.ballots.weights[:, :-1].astype(bool) & (votes.counts == 0)).any()
        assert set(found.status.tolist()) <= {"won", "tied"}


@pytest.mark.parametrize("rule", [name for name, method in METHODS.items() if method.open])
def test_no_rule_chooses_an_open_answer_of_somebody_who_was_left_out(rule: str) -> None:
    given = {"q": ["5", "7", "7"], "r": ["1", "2", "3"]}
    votes = voted(Number() if METHODS[rule].numbers_only else Text(), given)
    left = votes.keep(votes.worker != 2)
    found = consensus_of(left, ConsensusRule(consensus=rule), skills=np.zeros(3))
    assert not (found.ballots.weights[:, :-1].astype(bool) & (left.counts == 0)).any()


def test_parts_of_an_answer_are_those_that_were_given_though_nobody_counts() -> None:
    votes = voted(SETS, {"q": [["a"], ["a"], ["b", "c"]]})
    found = consensus_of(votes.keep(votes.worker != 2), ConsensusRule(consensus="weighted"), skills=np.zeros(3))
    shares = dict(zip(found.ballots.named(0), found.ballots.weights[0].tolist(), strict=False))
    assert {answer for answer, share in shares.items() if share} <= {'["a"]'}


@pytest.mark.parametrize("least", [1, 3])
def test_dawid_skene_decides_every_item_of_rcb_and_keeps_each_label_that_was_given(shared: Path, least: int) -> None:
    people = pool(shared, "RCB", PanelRules(consensus="dawid-skene", min_votes=least))
    posterior, counts = dawid_skene(people.votes).posterior, people.votes.counts
    best, rows = posterior.argmax(axis=1), np.arange(len(counts))
    # By itself the model names a label that nobody gave on three items.
    assert (counts[rows, best] == 0).sum() == 3
    given, code = counts[rows, best] >= least, people.consensus.code
    assert np.array_equal(code[given], best[given])
    among = np.array([max(range(3), key=lambda label: (counts[row, label] > 0, posterior[row, label])) for row in rows])
    assert np.array_equal(code, np.where(counts[rows, among] >= least, among, -1))
    out = [people.votes.items[row] for row in np.flatnonzero(code < 0)]
    assert (list(people.left_out), people.counts()["items"]["left_out"]) == (out, len(out))
    said = f"{len(out)} answered items have no winner by these rules and are left out."
    assert (said in people.notes) == bool(out) == (least == 3)


def study(labels: int, others: int = 0) -> StudyData:
    """Twenty items and so many labels; eight voters gave five answers each, two an item, and `others` one each."""
    rows = [(f"q{n}", f"{who}{n // 5}", f"l{n % labels}") for n in range(20) for who in "xy"]
    rows += [(f"q{n % 20}", f"z{n}", f"l{n % 20 % labels}") for n in range(others)]
    judgments = pd.DataFrame(rows, columns=["item", "worker", "label"]).assign(role="main", status="counted", reason="")
    return StudyData(judgments, pd.DataFrame({"item": sorted({row[0] for row in rows}), "role": "main", "gold": "l0"}))


@pytest.mark.parametrize(("labels", "others"), [(5, 0), (5, 39), (1, 400)])
def test_voters_with_an_answer_for_each_label_teach_a_model_where_most_answers_are_theirs(
    labels: int, others: int
) -> None:
    found = panel(study(labels, others), PanelRules(consensus="dawid-skene"), draws=50)
    assert found.consensus.number("won") == 20


@pytest.mark.parametrize(("labels", "others"), [(6, 0), (5, 40)])
def test_a_model_is_refused_where_half_of_the_answers_are_by_voters_with_fewer_than_there_are_labels(
    labels: int, others: int
) -> None:
    with pytest.raises(
        BadSetting,
        match=f"and half of these answers or more are by voters who gave fewer than {labels}, as many as labels occur; "
        "choose majority, weighted or one-coin",
    ):
        panel(study(labels, others), PanelRules(consensus="dawid-skene"), draws=50)
    assert panel(study(labels, others), PanelRules(consensus="one-coin"), draws=50).consensus.number("won") == 20
    passed = panel(study(labels, others), PanelRules(min_votes=9, then=("dawid-skene",)), draws=50).consensus
    assert "20 items were left for 'dawid-skene', passed over: half of these answers" in passed.notes[0]


def test_who_is_left_out_for_an_interval_does_not_make_a_model_refuse() -> None:
    # Without one of the eight voters more than half of the answers are by voters who gave one.
    found = analysis(study(5, 39), ["accuracy"], PanelRules(consensus="dawid-skene"), draws=50)
    assert found.panel.consensus.number("won") == 20
