"""The intervals of agreement against a direct resampling by the same seed, and of metrics where all is right."""

import numpy as np
import pytest

from data.answers.answer_type import packed
from data.answers.spans import Spans
from data.catalogue.catalog import get_task
from eval import ballots
from eval.agreement.alpha import alpha
from eval.agreement.by_label import FIGURES, categories
from eval.agreement.coefficients import agreement, coefficient_intervals
from eval.agreement.equal_pairs import pair_shares, paired_counts, why_no_fleiss
from eval.agreement.of_votes import agreement_of
from eval.agreement.rare_labels import lost_labels_note, one_label_share
from eval.arrays import Integers, distinct
from eval.estimate import wilson
from eval.gold import TaskItems, gold_of
from eval.intervals.clusters import SINGLE_ITEMS, Clusters, Resampling
from eval.intervals.jackknife import wider_interval
from eval.intervals.mean import ratio_interval
from eval.scoring import score
from eval.votes import code
from tests.eval.test_agreement import SIX, uneven, votes_of
from tests.helpers.pair_coefficients import ac1, fleiss

DRAWS = 300


def resampled(counts: Integers) -> list[Integers]:
    """The samples that the bootstrap draws by the seed 5, written out item by item."""
    found = distinct(counts)
    shares = found.multiplicity / len(counts)
    drawn = np.random.default_rng(5).multinomial(len(counts), shares, size=DRAWS)
    return [np.repeat(found.rows, times, axis=0) for times in drawn]


def test_intervals_are_those_of_the_coefficients_of_resampled_items() -> None:
    samples = resampled(SIX)
    found = coefficient_intervals(SIX, Resampling(draws=DRAWS, seed=5))
    for interval, coefficient in ((found["ac1"], ac1), (found["fleiss"], fleiss)):
        values = np.array([coefficient(sample) for sample in samples], dtype=float)
        assert interval == pytest.approx(tuple(np.nanquantile(values, [0.025, 0.975])), abs=1e-12)


def test_single_answers_count_for_the_labels_but_not_for_pairs() -> None:
    counts = uneven(3)
    answered = counts[counts.any(axis=1)]
    found = coefficient_intervals(counts, Resampling(draws=DRAWS, seed=5))
    values = [ac1(sample) for sample in resampled(answered)]
    assert found["ac1"] == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=1e-12)
    shares = pair_shares(paired_counts(counts))
    assert found["pairwise"] == ratio_interval(shares, np.ones(len(shares)))


def test_whole_clusters_are_resampled() -> None:
    # Two texts, each answered in its own way: a sample has the one twice, the other twice, or both.
    counts = np.array([[2, 0], [2, 0], [1, 1], [1, 1]])
    clusters = Clusters("text", {"a": "1", "b": "1", "c": "2", "d": "2"})
    found = agreement(counts, Resampling(clusters), items=list("abcd"))
    assert (found.pairwise, found.unit) == (0.5, "text")
    assert found.cis["pairwise"] == pytest.approx(wilson(1, 2))
    alone = Clusters("text", dict.fromkeys("abcd", "1"))
    nothing = agreement(counts, Resampling(alone), items=list("abcd"))
    assert np.isnan([nothing.cis["pairwise"], nothing.cis["ac1"], nothing.cis["fleiss"]]).all()


def test_where_all_agree_the_share_of_equal_pairs_still_has_a_width() -> None:
    found = agreement(np.array([[3, 0]] * 6 + [[0, 3]] * 4))
    assert found.cis["pairwise"] == pytest.approx(wilson(10, 10))
    # With six items of one label and four of the other chance is .48 for AC1 and .52 for Fleiss' kappa.
    unequal = 1 - wilson(10, 10)[0]
    assert found.cis["ac1"] == pytest.approx((1 - unequal / 0.52, 1))
    assert found.cis["fleiss"] == pytest.approx((1 - unequal / 0.48, 1))
    assert "follow from Wilson's" in found.notes[0]


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ([[3, 0], [1, 1]], "items have 2 to 3 answers, and it needs the same number for all"),
        ([[1, 0], [0, 1]], "no item has two answers"),
        ([[2, 0], [2, 0]], "all answers are equal"),
        ([[2, 0], [1, 1], [0, 0]], ""),
    ],
)
def test_it_is_said_why_there_is_no_kappa_of_fleiss(counts: list[list[int]], why: str) -> None:
    found = agreement(np.array(counts), Resampling(draws=20))
    assert (why_no_fleiss(np.array(counts)), found.why_not.get("fleiss", "")) == (why, why)
    assert (
        bool(why)
        == ((kappa := found.values["fleiss"]) is None or np.isnan(kappa))
        == bool(np.isnan(found.cis["fleiss"][0]))
    )


def test_a_ratio_is_over_the_items_that_have_something_below() -> None:
    above, below = np.array([1.0, 0.0, 2.0, 0.0]), np.array([2.0, 1.0, 2.0, 0.0])
    # By hand, with a fourth item of 5/3 answers, all wrong: 3 of 20/3 right, and what is left of each item squared.
    share, size = 3 / (20 / 3), 5 / 3
    apart = (1 - 2 * share) ** 2 + share**2 + (2 - 2 * share) ** 2 + (size * share) ** 2
    number = 5 / (apart / (share * (1 - share) * 4 * size))
    assert ratio_interval(above, below) == pytest.approx(wilson(0.6 * number, number))


def test_the_shares_of_a_label_have_intervals() -> None:
    first = categories(votes_of(SIX), Resampling(draws=DRAWS))[0]
    # 10 of 24 answers are the first label; another one is it too in 3*2/3 + 2*1/3 + 4*3/3 = 20/3 of these 10.
    assert (first.share, first.specific) == pytest.approx((10 / 24, 2 / 3))
    assert first.cis["share"][0] < first.share < first.cis["share"][1]
    assert first.cis["specific"][0] < first.specific < first.cis["specific"][1]


def test_of_two_labels_alpha_is_that_of_the_study_with_its_interval() -> None:
    generator = np.random.default_rng(4)
    rows = [(f"q{n}", w, "ab"[int(generator.random() < n % 3 / 2.5)]) for n in range(30) for w in "uvwxyz"]
    votes = code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)), labels=["a", "b", "c"])
    for others in (False, True):
        known = agreement_of(votes, Resampling(draws=DRAWS), others=others)
        for each in categories(votes, Resampling(draws=DRAWS), others=others)[:2]:
            assert each.alpha == pytest.approx(known.alpha)
            assert each.cis["alpha"] == pytest.approx(known.alpha_ci)
            assert ("alpha" in each.over_items) == ("alpha" in known.over_items) == others


def test_a_label_for_other_people_is_computed_anew_without_each_of_them() -> None:
    generator = np.random.default_rng(5)
    rows = [(f"q{n}", w, "aabbc"[generator.integers(n % 2, 4 + n % 2)]) for n in range(40) for w in "vwxyz"]
    votes = code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)))
    narrow, wide = (categories(votes, Resampling(draws=DRAWS), others=others)[1] for others in (False, True))
    without = []
    for place in range(5):
        count, size = (votes.keep(votes.worker != place).counts[:, only].sum(axis=1) for only in ([1], [0, 1, 2]))
        again = (count * (count - 1) / (size - 1)).sum() / count.sum()
        without.append((count.sum() / size.sum(), again, alpha(np.stack([count, size - count], axis=1))))
    for (name, low), values in zip(FIGURES.items(), np.array(without).T, strict=True):
        value = getattr(wide, name)
        assert wide.cis[name] == pytest.approx(wider_interval(value, narrow.cis[name], values, low=low, high=1.0))
        assert wide.over_items[name] == narrow.cis[name]
        assert wide.as_dict()[f"{name}_ci_items"] == list(narrow.cis[name])


def test_ten_perfect_sentences_do_not_make_a_metric_certain() -> None:
    task = get_task("agrr/full")
    assert isinstance(task.answer, Spans)
    marked, none = packed({"cV": [[0, 2]], "V": [[3, 3]]}), packed({})
    # Four sentences have a gap; where nothing is to be marked and nothing is, the metric takes no notice.
    gold = {f"s{n}": marked if n < 4 else none for n in range(10)}
    asked = TaskItems(task.answer, {item: {"sentence": "он пил", "genre": ""} for item in gold}, tuple(task.splits))
    said = ballots.answers(dict(gold), items=sorted(gold), labels=None)
    found = score(["symbol_f"], gold_of(gold, asked), said, Resampling(draws=200))["symbol_f"]
    assert found.value == pytest.approx(1, abs=1e-6)
    assert found.method == "wilson"
    assert found.ci == pytest.approx(wilson(4, 4))


def test_a_bootstrap_that_lost_the_rare_label_counts_alike_for_every_coefficient_and_says_so() -> None:
    counts = np.array([[5, 0]] * 98 + [[2, 3], [4, 1]])
    found = agreement(counts)
    lost = 0.98**100
    assert one_label_share(counts, SINGLE_ITEMS) == pytest.approx(lost)
    (note,) = found.notes
    assert note.startswith(f"In {lost:.0%} of the resamples of items all answers bear one label")
    assert found.cis["alpha"][1] == found.cis["fleiss"][1] == 1
    by_label = categories(votes_of(counts))
    assert [each.lost for each in by_label] == [pytest.approx(lost)] * 2
    (note,) = lost_labels_note({each.label: each.lost for each in by_label}, "passage")
    assert note.startswith(
        f"Label by label, in {lost:.0%} of the resamples of passages nobody or everybody gives the l"
    )
    assert note.endswith("as do those of intervals for other people where there are such.")
    assert found.cis["alpha"][0] == pytest.approx(found.cis["fleiss"][0], abs=0.01)
    alone = np.array([[0, 5]] * 50 + [[5, 0]] * 50)
    assert agreement(alone).notes[0].startswith("No two answers")
    assert one_label_share(alone, SINGLE_ITEMS) == pytest.approx(2 * 0.5**100)
    assert one_label_share(counts[:98], SINGLE_ITEMS) == 0
    passages = Clusters("text", {f"q{n}": f"t{n // 10}" for n in range(100)})
    assert one_label_share(counts, Resampling(passages), [f"q{n}" for n in range(100)]) == pytest.approx(0.9**10)
