"""Intervals over other items and other people: by hand, against plain loops, and where there are none."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import krippendorff
import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import norm
from scipy.stats import t as student

from eval.agreement.coefficients import RESAMPLED
from eval.agreement.of_votes import ALL_EQUAL_WITHOUT_ANY, agreement_of
from eval.ballots import Ballots, answers, individual
from eval.comparison.difference import Difference, difference
from eval.comparison.from_people import ReferencePeople, wider_difference, wider_differences
from eval.consensus.majority import majority
from eval.intervals.clusters import Clusters, Resampling
from eval.intervals.jackknife import (
    MOST_GROUPS,
    groups_of_people,
    joined,
    kinds_without_each,
    noise_of_votes,
    p_of_interval,
    people_error,
    people_interval,
    values_without_each,
    variance_of,
    why_these_people,
    without_each,
)
from eval.intervals.other_people import wider, wider_scores, with_gold
from eval.metrics.table import metric_named
from eval.panel import Panel, PanelRules, StudyData, one_answer_is_mean, one_answer_of, panel
from eval.people_scores import leave_one_out
from eval.reanalysis import analysis_of
from eval.scoring import score, values_of
from eval.votes import Votes, code

ITEMS = [f"q{number:03}" for number in range(60)]
GOLD = dict(zip(ITEMS, ["a", "b"] * 30, strict=True))
Rows = list[tuple[str, str, str]]


def crowd(seed: int = 0, people: int = 8, overlap: int = 3) -> Rows:
    """Judgments of people of very different skill."""
    generator = np.random.default_rng(seed)
    skill = generator.beta(3, 1, people)
    return [
        (item, f"w{worker}", GOLD[item] if generator.random() < skill[worker] else "ab"[GOLD[item] == "a"])
        for item in ITEMS
        for worker in generator.choice(people, overlap, replace=False)
    ]


def votes_of(rows: Rows) -> Votes:
    return code(pd.DataFrame(rows, columns=["item", "worker", "label"]), items=ITEMS, labels=["a", "b"])


def panel_of(rows: Rows, rules: PanelRules) -> Panel:
    judgments = pd.DataFrame(rows, columns=["item", "worker", "label"]).assign(role="main", status="counted", reason="")
    items = pd.DataFrame({"item": ITEMS, "role": "main", "gold": [GOLD[item] for item in ITEMS]})
    return panel(StudyData(judgments, items, ["a", "b"]), rules)


def most(given: list[str]) -> dict[str, float]:
    """What most say, ties shared out."""
    times = Counter(given)
    top = [label for label, n in times.items() if n == max(times.values())]
    return {label: 1 / len(top) for label in top}


def majority_by_loops(rows: Rows) -> float:
    given = {item: [label for one, _, label in rows if one == item] for item in {row[0] for row in rows}}
    return float(np.mean([most(labels).get(GOLD[item], 0) for item, labels in given.items()]))


def left_out(rows: Rows) -> list[Rows]:
    return [[row for row in rows if row[1] != worker] for worker in sorted({row[1] for row in rows})]


def by_definition(value: float, ci: tuple[float, float], without: list[float], low: float) -> tuple[float, float]:
    """The wider interval from its definition: jackknife, shares that would be just rejected, Pythagoras."""
    number, found = len(without), np.array(without)
    error = np.sqrt((number - 1) / number * ((found - found.mean()) ** 2).sum())
    t, span = student.ppf(0.975, number - 1), 1 - low
    share = (value - low) / span

    def rejected(true: float) -> float:
        return float((share - true) ** 2 - (t * error / span) ** 2 * true * (1 - true) / (share * (1 - share)))

    ends = [low + span * brentq(rejected, *between) for between in ((0, share), (share, 1))]
    below, above = (np.hypot(value - c, value - end) for c, end in zip(ci, ends, strict=True))
    return max(low, value - below), min(1.0, value + above)


@pytest.mark.parametrize(("people", "seed"), [(7, 0), (90, 1)])
def test_counts_without_each_group_are_those_of_the_votes_that_are_left(people: int, seed: int) -> None:
    generator = np.random.default_rng(seed)  # some answer an item twice, and groups of three meet at an item
    codes = {"item": generator.integers(0, 40, 600), "worker": generator.integers(0, people, 600)}
    columns = codes | {"label": generator.integers(0, 3, 600)}
    votes = code({name: [f"{name}{each:02}" for each in column] for name, column in columns.items()})
    found = list(kinds_without_each(votes))
    assert len(found) == min(people, MOST_GROUPS)
    for (rows, times), rest in zip(found, without_each(votes), strict=True):
        assert sorted(np.repeat(rows, times, axis=0).tolist()) == sorted(rest.counts.tolist())


def test_the_jackknife_of_a_mean_of_people_is_the_error_of_that_mean() -> None:
    # Five people with .6, .7, .8, .9 and 1 right: their standard deviation 0.1581 over the root of five.
    rows = [(item, f"w{n}", GOLD[item] if k < 6 * (6 + n) else "x") for n in range(5) for k, item in enumerate(ITEMS)]
    votes = code(pd.DataFrame(rows, columns=["item", "worker", "label"]))
    shares = [score(["accuracy"], GOLD, individual(left))["accuracy"].value for left in without_each(votes)]
    assert people_error(np.array(shares)) == pytest.approx(0.15811 / 5**0.5, abs=1e-5)
    assert people_error(np.array(shares)) == pytest.approx(0.0707107, abs=1e-6)


@pytest.mark.parametrize(("value", "error", "low"), [(0.7, 0.05, 0), (0.99, 0.01, 0), (-0.2, 0.2, -1), (0.6, 0.1, -1)])
def test_the_interval_over_people_holds_the_shares_that_t_does_not_reject(value: float, error: float, low: int) -> None:
    found = people_interval(value, error, 10, low=low, high=1)
    t, span = student.ppf(0.975, 9), 1 - low
    share = (value - low) / span
    for end in found:
        true = (end - low) / span
        assert abs(share - true) == pytest.approx(
            t * error / span * np.sqrt(true * (1 - true) / (share * (1 - share))), abs=1e-9
        )


def test_at_an_end_of_the_range_it_is_t_errors_wide() -> None:
    assert people_interval(1.0, 0.01, 10, low=0, high=1) == pytest.approx((1 - 0.0226216, 1 + 0.0226216), abs=1e-6)
    assert people_interval(0.4, 0.0, 10, low=0, high=1) == (0.4, 0.4)


def test_two_parts_are_joined_by_pythagoras_and_cut_at_the_range() -> None:
    assert joined(0.5, (0.47, 0.53), (0.46, 0.54), low=0, high=1) == pytest.approx((0.45, 0.55))
    assert joined(0.95, (0.9, 0.97), (0.95, 1.2), low=0, high=1) == pytest.approx((0.9, 1.0))
    assert np.isnan(joined(0.5, (np.nan, np.nan), (0.4, 0.6), low=0, high=1)).all()


def test_p_is_below_5_percent_where_0_lies_outside_and_nowhere_else() -> None:
    assert p_of_interval(0.1, (0.0, 0.3)) == pytest.approx(0.05)
    assert p_of_interval(-0.1, (-0.4, 0.1)) == pytest.approx(2 * norm.cdf(-1.959964 * 0.1 / 0.2))
    assert p_of_interval(0.0, (-0.1, 0.1)) == 1
    for value, low, high in np.random.default_rng(1).uniform([-0.5, 0.01, 0.01], [0.5, 0.5, 0.5], (200, 3)):
        ci = value - low, value + high
        assert (p_of_interval(value, ci) < 0.05) == (not ci[0] <= 0 <= ci[1])


def test_the_interval_of_a_majority_is_that_of_plain_loops() -> None:
    rows = crowd(seed=9)  # in which single votes make no more noise than the items vary
    votes = votes_of(rows)
    plain = score(["accuracy"], GOLD, majority(votes).ballots)
    found = wider_scores(plain, GOLD, votes, lambda left: majority(left).ballots)["accuracy"]
    without = [majority_by_loops(kept) for kept in left_out(rows)]
    assert found.value == pytest.approx(majority_by_loops(rows))
    assert found.ci_items == plain["accuracy"].ci
    assert found.ci == pytest.approx(by_definition(found.value, found.ci_items or found.ci, without, 0))
    assert found.as_dict()["ci_items"] == list(plain["accuracy"].ci)
    assert "ci_items" not in plain["accuracy"].as_dict()


def test_the_interval_of_alpha_is_that_of_the_package_without_each_person() -> None:
    rows = crowd(seed=3)
    votes = votes_of(rows)
    plain, found = agreement_of(votes), agreement_of(votes, others=True)

    def alpha(kept: Rows) -> float:
        table = pd.DataFrame(kept, columns=["item", "worker", "label"]).pivot(
            index="worker", columns="item", values="label"
        )
        numbers = table.map({"a": 0.0, "b": 1.0}.get).to_numpy(dtype=float)
        return float(krippendorff.alpha(numbers, level_of_measurement="nominal"))

    assert found.alpha == pytest.approx(alpha(rows))
    assert found.over_items["alpha"] == plain.alpha_ci
    expected = by_definition(found.alpha, plain.alpha_ci, [alpha(kept) for kept in left_out(rows)], -1)
    assert found.alpha_ci == pytest.approx(expected)
    assert {"alpha_ci_items", "pairwise_ci_items", "ac1_ci_items"} < set(found.as_dict())
    for name, (low, high) in found.over_items.items():
        assert found.cis[name][0] < low < high < found.cis[name][1]


def test_where_all_agree_intervals_of_agreement_are_those_over_items_for_other_people_too() -> None:
    votes = votes_of([(item, worker, GOLD[item]) for item in ITEMS for worker in "uvwxy"])
    plain, found = agreement_of(votes), agreement_of(votes, others=True)
    assert set(found.over_items) == {"alpha", *RESAMPLED}
    for name, narrow in found.over_items.items():
        assert found.cis[name] == pytest.approx(narrow)
        assert narrow == plain.cis[name]
    assert [*plain.notes, ALL_EQUAL_WITHOUT_ANY] == list(found.notes)


def test_agreement_with_peers_is_that_of_plain_loops() -> None:
    rows = crowd(seed=4)

    def peers(kept: Rows) -> float:
        hits = []
        for item, worker, label in kept:
            others = [said for one, other, said in kept if one == item and other != worker]
            if others:
                hits.append(most(others).get(label, 0))
        return float(np.mean(hits))

    votes = votes_of(rows)
    plain = leave_one_out(votes)
    found = wider(plain, votes, lambda left: leave_one_out(left, Resampling(draws=1)).value)
    assert found.ci == pytest.approx(by_definition(plain.value, plain.ci, [peers(kept) for kept in left_out(rows)], 0))


def model(seed: int = 0, share: float = 0.75) -> Ballots:
    right = np.random.default_rng(seed).random(len(ITEMS)) < share
    given = {item: GOLD[item] if hit else "ab"[GOLD[item] == "a"] for item, hit in zip(ITEMS, right, strict=True)}
    return answers(given, items=ITEMS, labels=["a", "b"])


def against(rows: Rows, answer: Callable[[Votes], Ballots]) -> ReferencePeople:
    votes = votes_of(rows)
    return ReferencePeople(metric_named("accuracy"), GOLD, votes, answer(votes), answer)


def accuracy(said: Ballots) -> float:
    return score(["accuracy"], GOLD, said)["accuracy"].value


@pytest.mark.parametrize("answer", [lambda votes: majority(votes).ballots, individual])
def test_a_model_is_as_far_from_people_as_they_are_from_themselves(answer: Callable[[Votes], Ballots]) -> None:
    rows = crowd()
    people, said = against(rows, answer), model()
    plain = difference("accuracy", GOLD, said, people.people)
    (found,) = wider_differences([plain], [said], people)
    assert found is not None
    crowd_alone = wider_scores(score(["accuracy"], GOLD, people.people), GOLD, people.votes, answer)["accuracy"]
    low, high = people_interval(
        crowd_alone.value,
        people_error(values_without_each(people.votes, lambda left: [accuracy(answer(left))], [people.variance])[:, 0]),
        8,
        low=0,
        high=1,
    )
    assert found.ci[0] == pytest.approx(found.value - np.hypot(found.value - plain.ci[0], high - crowd_alone.value))
    assert found.ci[1] == pytest.approx(found.value + np.hypot(plain.ci[1] - found.value, crowd_alone.value - low))
    assert (found.over_items, found.test) == (plain, "people")
    assert ((found.p or 0) < 0.05) == (not found.ci[0] <= 0 <= found.ci[1])
    assert found.as_dict()["over_items"] == plain.as_dict()


def test_other_people_never_make_a_difference_surer() -> None:
    people = against(
        [(item, f"w{n}", GOLD[item]) for item in ITEMS for n in range(8)], lambda votes: majority(votes).ballots
    )
    wrong = {"a": "b", "b": "a"}
    said = answers(
        {item: wrong[GOLD[item]] if place < 8 else GOLD[item] for place, item in enumerate(ITEMS)},
        items=ITEMS,
        labels=["a", "b"],
    )
    plain = difference("accuracy", GOLD, said, people.people)
    (found,) = wider_differences([plain], [said], people)
    assert found is not None
    assert plain.p is not None
    assert plain.p == pytest.approx(2 * norm.sf(np.sqrt(8)))  # McNemar's z of 8 against 0
    assert (
        p_of_interval(found.value, found.ci) < plain.p / 5
    )  # the interval is not symmetric, so it ends nearer to the value
    assert found.p == plain.p


def test_items_that_only_some_answered_count_for_both_or_neither() -> None:
    rows = crowd(seed=9)
    half = answers({item: GOLD[item] for item in ITEMS[:30]}, items=ITEMS, labels=["a", "b"])
    people = against(rows, lambda votes: majority(votes).ballots)
    plain = difference("accuracy", GOLD, half, people.people)
    (found,) = wider_differences([plain], [half], people)
    first = [row for row in rows if row[0] in ITEMS[:30]]
    alone = against(first, lambda votes: majority(votes).ballots)
    (same,) = wider_differences([plain], [half], alone)
    assert found is not None
    assert same is not None
    assert found.ci == pytest.approx(same.ci)


def test_single_answers_are_set_against_the_majority_of_the_same_people() -> None:
    rows = crowd(seed=30)
    people = against(rows, lambda votes: majority(votes).ballots)
    plain = difference("accuracy", GOLD, individual(people.votes), people.people)
    found = wider_difference(plain, individual, people)
    gaps = [
        float(np.mean([label == GOLD[item] for item, _, label in kept])) - majority_by_loops(kept)
        for kept in left_out(rows)
    ]
    error = people_error(np.array(gaps))
    ends = people_interval(plain.value, error, 8, low=-1, high=1)
    assert found.ci == pytest.approx(joined(plain.value, plain.ci, ends, low=-1, high=1))
    assert found.ci[0] < plain.ci[0] < plain.ci[1] < found.ci[1]


def test_few_people_or_items_have_no_such_interval_and_a_sentence() -> None:
    rows = crowd()
    four = [row for row in rows if row[1] in {"w0", "w1", "w2", "w3"}]
    cases = {
        "one person answered, and nothing shows how another would differ.": votes_of([r for r in rows if r[1] == "w0"]),
        "4 people answered, and it takes 5 to see how people differ.": votes_of(four),
        "people answered 9 items, and it takes 10.": votes_of([r for r in rows if r[0] in ITEMS[:9]]),
    }
    for why, votes in cases.items():
        assert why_these_people(votes) == why
        plain = score(["accuracy"], GOLD, individual(votes))
        assert wider_scores(plain, GOLD, votes, individual) == plain
        assert agreement_of(votes, others=True).as_dict() == agreement_of(votes).as_dict()
        assert repr(wider(leave_one_out(votes), votes, lambda left: 0.5)) == repr(leave_one_out(votes))
    passages = Clusters("passage", {item: f"p{n // 10}" for n, item in enumerate(ITEMS)})
    assert why_these_people(votes_of(rows), passages) == "people answered 6 passages, and it takes 10."
    one = Clusters("passage", dict.fromkeys(ITEMS, "p"))
    assert why_these_people(votes_of(rows), one).startswith("all items share one passage")
    assert why_these_people(votes_of(rows)) == ""


def test_no_judgment_means_no_person() -> None:
    assert why_these_people(votes_of([])) == "0 people answered, and it takes 5 to see how people differ."


def test_many_people_are_left_out_in_groups_with_about_as_many_answers() -> None:
    rows = [(item, f"w{worker:03}", "a") for worker in range(100) for item in ITEMS[: 1 + worker // 2]]
    votes = votes_of(rows)
    group = groups_of_people(votes)
    assert sorted(set(group.tolist())) == list(range(MOST_GROUPS))
    sizes = [len(rows) - len(left) for left in without_each(votes)]
    assert sum(sizes) == len(rows)
    assert max(sizes) < 1.6 * min(sizes)
    people = sorted(Counter(group.tolist()).values())
    assert people[-1] - people[0] <= 1


def test_few_votes_are_no_reason_to_drop_what_had_enough() -> None:
    # Three votes an item and three needed: without anybody no item of theirs has three; two of two stand for them.
    rows = crowd(overlap=3)
    found = panel_of(rows, PanelRules(min_votes=3))
    before = found.consensus.ballots
    for left in without_each(found.votes):
        said = one_answer_of(found)(left)
        touched = left.counts.sum(axis=1) > 0
        assert said.scored[touched & before.scored].all()
        alike = (left.counts.max(axis=1) == left.counts.sum(axis=1)) & touched
        assert (said.scored[touched] == alike[touched]).all()


def test_a_rule_of_votes_shows_how_people_differ_as_a_plain_majority_does() -> None:
    # Four votes of five needed, of five good people and five poor ones.
    generator = np.random.default_rng(1)
    skill = np.array([0.9] * 5 + [0.5] * 5)
    rows = [
        (item, f"w{worker}", GOLD[item] if generator.random() < skill[worker] else "ab"[GOLD[item] == "a"])
        for item in ITEMS
        for worker in generator.choice(10, 5, replace=False)
    ]
    for rules in (PanelRules(min_votes=4, ties="wrong"), PanelRules()):
        found = analysis_of(panel_of(rows, rules), ["accuracy"]).majority["accuracy"]
        low, high = found.ci_items or found.ci
        assert 1.2 * (high - low) < found.ci[1] - found.ci[0] < 3 * (high - low)


@pytest.mark.parametrize("wrong", [0.15, 0.3])
def test_the_noise_of_single_votes_is_no_more_than_items_vary(wrong: float) -> None:
    # Ten people who are all alike: what the jackknife finds is noise, three to five times what items vary.
    generator = np.random.default_rng(2)
    rows = [
        (item, f"w{worker}", "ab"[(GOLD[item] == "b") ^ (generator.random() < wrong)])
        for item in ITEMS
        for worker in generator.choice(10, 5, replace=False)
    ]
    people = panel_of(rows, PanelRules(ties="wrong"))
    answer, gold = one_answer_of(people), people.gold
    of_items = variance_of(score(["accuracy"], gold, people.consensus.ballots)["accuracy"].ci)

    def figures(votes: Votes) -> list[float]:
        return values_of([metric_named("accuracy")], gold, answer(votes))

    plain = np.array([figures(rest) for rest in without_each(people.votes)])
    less = values_without_each(people.votes, figures, [of_items])
    assert less.mean() == pytest.approx(plain.mean())
    before, after = people_error(plain[:, 0]), people_error(less[:, 0])
    noise = float(noise_of_votes(people.votes, figures)[0])
    assert after**2 == pytest.approx(max(before**2 - (noise - of_items), of_items))
    assert before > 1.3 * after
    assert values_without_each(people.votes, figures, [np.nan]).tolist() == plain.tolist()


def test_two_votes_that_share_an_item_are_one_figure_with_one_interval() -> None:
    rows = crowd(overlap=2)
    found = analysis_of(panel_of(rows, PanelRules()), ["accuracy"])
    one_answer, single = found.majority["accuracy"], found.individual["accuracy"]
    assert single.value == pytest.approx(one_answer.value)
    assert single.ci == pytest.approx(one_answer.ci)
    assert one_answer_is_mean(found.panel)
    others = PanelRules(ties="drop"), PanelRules(ties="random"), PanelRules(min_votes=2), PanelRules(agreement_min=0.6)
    assert not any(one_answer_is_mean(panel_of(rows, rules)) for rules in others)
    alike = [(item, worker, GOLD[item]) for item, worker, _ in crowd(overlap=3)]
    assert not one_answer_is_mean(panel_of(alike, PanelRules()))
    assert not one_answer_is_mean(panel_of(rows[1:], PanelRules()))


@pytest.mark.parametrize("ties", ["drop", "wrong", "fractional", "random"])
@pytest.mark.parametrize("consensus", ["majority", "dawid-skene"])
def test_every_rule_has_an_interval_over_people_and_none_where_it_is_not_asked_for(ties: str, consensus: str) -> None:
    rows = crowd(people=10, overlap=4)
    wide, narrow = (
        analysis_of(
            panel_of(rows, PanelRules(ties=ties, consensus=consensus, interval=interval)), ["accuracy", "macro_f1"]
        )
        for interval in ("people", "items")
    )
    for name in ("majority", "individual"):
        for metric, estimate in getattr(wide, name).items():
            alone = getattr(narrow, name)[metric]
            assert (estimate.value, estimate.ci_items) == (alone.value, alone.ci)
            assert estimate.ci[0] <= alone.ci[0] <= alone.ci[1] <= estimate.ci[1]
            assert alone.ci_items is None
    assert wide.leave_one_out.ci_items == narrow.leave_one_out.ci


def test_only_people_who_judged_items_with_gold_count_for_a_score() -> None:
    rows = crowd()
    known = {item: GOLD[item] for item in ITEMS[:12]}
    judged = with_gold(votes_of(rows), known)
    assert {judged.items[row] for row in judged.item.tolist()} == set(ITEMS[:12])
    votes = votes_of(rows)
    plain = score(["accuracy"], known, individual(votes))
    alone = votes_of([row for row in rows if row[0] in known])
    found, same = (wider_scores(plain, known, each, individual)["accuracy"].ci for each in (votes, alone))
    assert found == pytest.approx(same)


def test_the_interval_grows_as_people_differ_more() -> None:
    widths = []
    for spread in (0.0, 0.1, 0.2):
        generator = np.random.default_rng(5)
        rows = [
            (item, f"w{n}", GOLD[item] if generator.random() < 0.75 + spread * (n - 3.5) / 3.5 else "x")
            for n in range(8)
            for item in ITEMS
        ]
        votes = code(pd.DataFrame(rows, columns=["item", "worker", "label"]))
        low, high = wider_scores(score(["accuracy"], GOLD, individual(votes)), GOLD, votes, individual)["accuracy"].ci
        widths.append(high - low)
    assert all(one < other for one, other in pairwise(widths))


def test_a_difference_that_is_not_there_stays_so() -> None:
    people = against(crowd(), individual)
    assert wider_differences([None], [model()], people) == [None]
    assert isinstance(difference("accuracy", GOLD, model(), people.people), Difference)
