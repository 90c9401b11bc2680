"""The human panel: item-weighted, workers one by one, leave-one-out, the ceiling."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.stats import betabinom

from data.errors import BadSetting
from eval.ballots import individual
from eval.estimate import wilson
from eval.intervals.beta_binomial import fit, lower_tail
from eval.intervals.clusters import Clusters, Resampling
from eval.intervals.jackknife import people_error
from eval.people_scores import ceiling, item_weighted, leave_one_out
from eval.scoring import score
from eval.votes import Votes, code
from eval.workers.scores import worker_mean
from tests.helpers.measuring import evaluate

GOLD = {"q1": "a", "q2": "b", "q3": "a", "q5": "z"}


def study(rows: str, items: list[str] | None = None) -> Votes:
    """Rows like "q1:aab q2:abb", the workers by their places; a dot is no judgment."""
    given = [row.split(":") for row in rows.split()]
    cells = [(item, f"w{place}", label) for item, said in given for place, label in enumerate(said) if label != "."]
    frame = pd.DataFrame(cells, columns=["item", "worker", "label"], dtype=object)
    return code(frame, items=items, labels=["a", "b", "c"])


VOTES = study("q1:aab q2:ab. q3:bbc q4:abc q5:a..", items=["q1", "q2", "q3", "q4", "q5"])


def test_every_item_weighs_the_same() -> None:
    # Right: 2 of 3, 1 of 2, 0 of 3; q4 has no gold, and nobody could give q5's.
    estimate = item_weighted(GOLD, VOTES)
    assert estimate is not None
    assert estimate.value == pytest.approx((2 / 3 + 1 / 2 + 0 + 0) / 4)
    assert (estimate.n, estimate.unit, estimate.method) == (4, "item", "wilson")


def test_the_ceiling_is_the_mean_of_the_largest_shares() -> None:
    estimate = ceiling(VOTES)
    assert estimate.value == pytest.approx((2 / 3 + 1 / 2 + 2 / 3 + 1 / 3) / 4)
    assert (estimate.n, estimate.against) == (4, "peers")
    assert ceiling(study("q1:a q2:b")).as_dict()["value"] is None


def test_without_gold_there_is_nothing_to_be_right_about() -> None:
    assert item_weighted({}, VOTES) is worker_mean("accuracy", {}, VOTES) is None
    unanswered = item_weighted({"q9": "a"}, study("q1:ab", items=["q1", "q9"]))
    assert unanswered is not None
    assert unanswered.as_dict()["value"] is None


def test_clusters_are_resampled_whole() -> None:
    votes = study(" ".join(f"q{n}:{'aaa' if n % 40 < 20 else 'bbb'}" for n in range(200)))
    gold = {f"q{n}": "a" for n in range(200)}
    passages = Clusters("passage", {f"q{n}": f"p{n // 20}" for n in range(200)})
    alone, together = item_weighted(gold, votes), item_weighted(gold, votes, Resampling(passages))
    assert alone is not None
    assert together is not None
    assert alone.value == together.value == 0.5
    # Ten passages that are all right or all wrong: sqrt(20) times the width.
    width, wide = alone.ci[1] - alone.ci[0], together.ci[1] - together.ci[0]
    assert wide / width == pytest.approx(20**0.5, rel=0.15)
    assert together.unit == "passage"
    assert leave_one_out(votes, Resampling(passages)).ci == pytest.approx(wilson(10, 10))
    with pytest.raises(BadSetting, match="The item 'q1' has no passage"):
        item_weighted(gold, votes, Resampling(Clusters("passage", {"q0": "p"})))


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "mcc"])
def test_the_mean_over_workers_is_that_of_each_on_their_own_items(metric: str) -> None:
    generator = np.random.default_rng(2)
    rows = [
        (f"q{i}", f"w{w}", "abc"[generator.integers(3)]) for i in range(40) for w in range(6) if (i + w) % 3 or w < 4
    ]
    frame = pd.DataFrame(rows, columns=["item", "worker", "label"])
    gold = {f"q{i}": "abcz"[i % 4] for i in range(38)}
    known = frame[frame["item"].isin(gold)]
    values = [
        evaluate(metric, [gold[item] for item in mine["item"]], mine["label"].tolist())
        for _, mine in known.groupby("worker")
        if len(mine) >= 26
    ]
    estimate = worker_mean(metric, gold, code(frame), Resampling(draws=200), minimum=26)
    assert estimate is not None
    assert estimate.value == pytest.approx(np.mean(values))
    assert (estimate.n, estimate.unit) == (len(values), "item")
    assert estimate.ci[0] <= estimate.value <= estimate.ci[1]


def test_the_mean_over_fewer_than_five_workers_holds_for_these_people() -> None:
    rows = [(f"q{i}", f"w{w}", "ab"[i % (w + 2) == 0]) for i in range(20) for w in range(5)]
    gold = {f"q{i}": "a" for i in range(20)}
    for people in (1, 3, 4, 5):
        frame = pd.DataFrame([row for row in rows if int(row[1][1]) < people], columns=["item", "worker", "label"])
        estimate = worker_mean("accuracy", gold, code(frame), others=True)
        assert estimate is not None
        assert (estimate.n, estimate.ci_items is None) == (people, people < 5)
        assert estimate.ci[0] < estimate.value < estimate.ci[1]


def test_workers_with_the_same_items_have_the_mean_over_judgments_and_its_interval() -> None:
    rows = [(f"q{i}", f"w{w}", "ab"[(i * 7 + w * 5) % 11 < 3]) for i in range(40) for w in range(6)]
    votes, gold = code(pd.DataFrame(rows, columns=["item", "worker", "label"])), {f"q{i}": "a" for i in range(40)}
    passages = Clusters("passage", {f"q{i}": f"p{i // 3}" for i in range(40)})
    for resampling in (Resampling(), Resampling(passages)):
        by_worker = worker_mean("accuracy", gold, votes, resampling)
        by_judgment = score(["accuracy"], gold, individual(votes), resampling)["accuracy"]
        assert by_worker is not None
        assert by_worker.ci == pytest.approx(by_judgment.ci)
        assert by_worker.value == pytest.approx(by_judgment.value)
        assert by_worker.unit == by_judgment.unit


def test_people_add_what_their_scores_vary_to_the_mean_over_workers() -> None:
    right = [19, 18, 16, 15, 12, 20]
    gold, votes = workers(*((n, 20) for n in right))
    items, people = (worker_mean("accuracy", gold, votes, others=others) for others in (False, True))
    assert items is not None
    assert people is not None
    assert people.ci_items == items.ci
    error = stats.sem([n / 20 for n in right])
    assert people_error(np.array([(100 - n) / 100 for n in right])) == pytest.approx(error)
    half = float(stats.t.ppf(0.975, 5)) * error
    assert (people.ci[1] - people.ci[0]) / 2 == pytest.approx(np.hypot(half, (items.ci[1] - items.ci[0]) / 2), rel=0.1)
    # Of workers who are alike the interval is hardly wider than that of all their judgments.
    alike = worker_mean("accuracy", *workers(*((n, 100) for n in (81, 79, 80, 82, 78, 80))), others=True)
    assert alike is not None
    assert np.ptp(wilson(480, 600)) < np.ptp(alike.ci) < 1.2 * np.ptp(wilson(480, 600))


def test_workers_who_have_everything_right_still_have_an_interval() -> None:
    gold, votes = workers(*[(20, 20)] * 6)
    for metric in ("accuracy", "macro_f1"):
        estimate = worker_mean(metric, gold, votes, others=True)
        assert estimate is not None
        assert estimate.value == estimate.ci[1] == 1
        assert 0.9 < estimate.ci[0] < 1


def test_the_mean_over_workers_needs_workers_with_enough_judgments() -> None:
    nobody = worker_mean("accuracy", GOLD, VOTES, minimum=10)
    assert nobody is not None
    assert (nobody.n, nobody.method) == (0, "none")
    with pytest.raises(BadSetting, match="at least 1 judgment"):
        worker_mean("accuracy", GOLD, VOTES, minimum=0)


def workers(*counts: tuple[int, int]) -> tuple[dict[str, str], Votes]:
    """Workers with so many right of so many judgments."""
    rows = [
        (f"q{w}-{n}", f"w{w}", "a" if n < right else "b")
        for w, (right, n_all) in enumerate(counts)
        for n in range(n_all)
    ]
    votes = code(pd.DataFrame(rows, columns=["item", "worker", "label"]))
    return dict.fromkeys(votes.items, "a"), votes


def test_the_fit_finds_the_beta_the_workers_came_from() -> None:
    trials = np.full(4000, 40)
    right = np.asarray(betabinom.rvs(trials, 6, 2, random_state=1))
    assert fit(right, trials) == pytest.approx((6, 2), rel=0.1)
    assert fit(np.array([]), np.array([])) == (0.5, 0.5)


def test_the_tail_is_that_of_scipy() -> None:
    assert lower_tail(7, 20, 6.5, 2.5) == pytest.approx(betabinom.cdf(7, 20, 6.5, 2.5))
    assert lower_tail(20, 20, 6.5, 2.5) == pytest.approx(1)
