"""Agreement with other people: by hand, and as krippendorff, scikit-learn and scipy compute it."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score

from data.answers.number import Number
from data.answers.text import Text
from eval.agreement.beside_people import answers_of_each, everybody, measure_of, single_rows
from eval.agreement.peer_figures import peer_figures, rank_correlations
from eval.ballots import answers
from eval.comparison.peer_difference import between, from_one_person, mean_difference
from eval.gold import TaskItems
from eval.intervals.clusters import Clusters, Resampling
from eval.people_scores import leave_one_out
from eval.votes import Votes, code, code_open

FIVE = tuple("12345")


def judged(rows: list[tuple[str, str, str]], labels: tuple[str, ...] | None = None) -> Votes:
    return code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)), labels=labels)


def rated(people: int = 6, items: int = 40, seed: int = 3) -> tuple[Votes, dict[str, str | None]]:
    generator = np.random.default_rng(seed)
    level = generator.integers(1, 6, items)
    given = np.clip(level[:, None] + generator.integers(-1, 2, (items, people + 1)), 1, 5)
    rows = [(f"q{item:02}", f"w{who}", str(given[item, who])) for item in range(items) for who in range(people)]
    return judged(rows, FIVE), {f"q{item:02}": str(given[item, people]) for item in range(items)}


def test_a_person_is_beside_the_others_and_a_model_beside_all() -> None:
    votes = judged(
        [
            *[("q1", who, label) for who, label in zip("abc", "xxy", strict=True)],
            *[("q2", who, label) for who, label in zip("abc", "xyy", strict=True)],
        ]
    )
    # q1: each x has x and y beside it, level: 1/2; y has two x: 0. q2: x has two y: 0; each y has one of each: 1/2.
    assert peer_figures(everybody(votes), votes)["equal"].value == pytest.approx((0.5 + 0.5 + 0 + 0 + 0.5 + 0.5) / 6)
    model = answers({"q1": "x", "q2": "x"}, items=votes.items, labels=votes.labels)
    assert peer_figures(single_rows(votes, model), votes)["equal"].value == 0.5
    person = answers_of_each(votes, [0])[0]
    others = votes.keep(votes.worker != 0)
    assert peer_figures(single_rows(others, person), others)["equal"].value == pytest.approx((0.5 + 0) / 2)


def test_the_average_person_agrees_as_leave_one_out_says() -> None:
    votes, _ = rated()
    found, known = peer_figures(everybody(votes), votes, other_people=False)["equal"], leave_one_out(votes)
    assert [found.value, *found.ci, found.n] == pytest.approx([known.value, *known.ci, known.n])


def test_kappa_is_that_of_scikit_learn_where_no_answers_are_level() -> None:
    generator = np.random.default_rng(1)
    rows = [
        (f"q{n}", who, label)
        for n in range(60)
        for who, label in zip("abc", generator.choice(list("xxy"), 3), strict=True)
    ]
    votes = judged(rows, ("x", "y", "z"))
    given = {f"q{n}": str(generator.choice(list("xyz"))) for n in range(60)}
    people = [votes.labels[int(row.argmax())] for row in votes.counts]
    found = peer_figures(single_rows(votes, answers(given, items=votes.items, labels=votes.labels)), votes)
    assert found["kappa"].value == pytest.approx(cohen_kappa_score(people, [given[item] for item in votes.items]))
    assert found["kappa"].ci[0] < found["kappa"].value < found["kappa"].ci[1]


def test_ratings_have_the_rank_correlation_of_scipy_and_errors_from_the_mean_of_people() -> None:
    votes, given = rated()
    measure = measure_of(votes, (1, 2, 3, 4, 5))
    found = peer_figures(single_rows(votes, answers(given, items=votes.items, labels=FIVE), measure), votes)
    mean = votes.counts @ np.arange(1, 6) / votes.counts.sum(axis=1)
    own = np.array([float(given[item] or 0) for item in votes.items])
    assert found["spearman"].value == pytest.approx(spearmanr(own, mean).statistic)
    assert found["mean_error"].value == pytest.approx(np.abs(own - mean).mean())
    assert found["rms_error"].value == pytest.approx(((own - mean) ** 2).mean() ** 0.5)
    assert list(found) == ["mean_error", "rms_error", "spearman", "equal", "kappa"]
    assert all(each.ci[0] <= each.value <= each.ci[1] and each.ci_items for each in found.values())


def test_ranks_of_everybody_are_those_of_every_judgment_beside_the_mean_of_the_others() -> None:
    votes, _ = rated(people=4)
    measure = measure_of(votes, (1, 2, 3, 4, 5))
    own = votes.label + 1.0
    total = votes.counts @ np.arange(1, 6)
    others = (total[votes.item] - own) / 3
    found = peer_figures(everybody(votes, measure), votes)
    assert found["spearman"].value == pytest.approx(spearmanr(own, others).statistic)
    assert found["mean_error"].value == pytest.approx(np.abs(own - others).mean())
    assert found["spearman"].n == len(votes)


def test_a_sample_of_pairs_has_the_rank_correlation_of_its_pairs() -> None:
    x, y, times = np.array([1.0, 2, 2, 4]), np.array([2.0, 1, 3, 3]), np.array([[1, 2, 0, 3], [2, 2, 2, 2]])
    expected = [spearmanr(np.repeat(x, each), np.repeat(y, each)).statistic for each in times]
    assert rank_correlations(x, y, times.astype(float)).tolist() == pytest.approx(expected)


def test_open_answers_are_like_the_others_on_average_and_equal_to_most() -> None:
    asked = TaskItems(Text(), {"q1": {}}, ())
    frame = {"item": ["q1"] * 3, "worker": list("abc"), "label": ["red cat", "red cat", "blue dog"]}
    votes = code_open(frame, asked=asked)
    model = answers({"q1": "red dog"}, items=votes.items, labels=None)
    found = peer_figures(single_rows(votes, model), votes)
    # Half of the words with each of the three; nobody said just this.
    assert found["equal"].value == 0
    assert found["similarity"].value == pytest.approx((0.5 + 0.5 + 0.5) / 3)
    everyone = peer_figures(everybody(votes), votes)
    assert everyone["similarity"].value == pytest.approx((0.5 + 0.5 + 0) / 3)


@pytest.mark.parametrize("other_people", [False, True])
@pytest.mark.parametrize("by_five", [False, True])
@pytest.mark.parametrize(("far", "of_items"), [(150, 40), (100_000, 1), (0, 40)])
def test_numbers_outside_the_range_of_peoples_have_errors_inside_their_intervals(
    other_people: bool, by_five: bool, far: float, of_items: int
) -> None:
    generator = np.random.default_rng(8)
    given = generator.normal(50, 10, 40)[:, None] + generator.normal(0, 3, (40, 7))
    given[:of_items, 6] += far
    given = given.round(1)
    names = [f"q{item:02}" for item in range(40)]
    frame = {
        "item": np.repeat(names, 6).tolist(),
        "worker": [f"w{who}" for who in range(6)] * 40,
        "label": [str(number) for number in given[:, :6].ravel()],
    }
    votes = code_open(frame, items=names, asked=TaskItems(Number(), {name: {} for name in names}))
    model = answers({name: str(said) for name, said in zip(names, given[:, 6], strict=True)}, items=names, labels=None)
    said, people = single_rows(votes, model, measure_of(votes)), everybody(votes, measure_of(votes))
    clusters = Clusters("text", {name: str(n // 5) for n, name in enumerate(names)})
    resampling = Resampling(draws=500, clusters=clusters if by_five else None)
    off = given[:, 6] - given[:, :6].mean(axis=1)
    span = given[:, :6].max() - given[:, :6].min()
    assert measure_of(votes).span == pytest.approx(span)
    figures = peer_figures(said, votes, resampling, other_people=other_people)
    hand = {"mean_error": np.abs(off).mean(), "rms_error": (off**2).mean() ** 0.5}
    for name, value in hand.items():
        assert figures[name].value == pytest.approx(value)
        low, high = figures[name].ci
        assert 0 <= low < value < high
    others = (given[:, :6].sum(axis=1)[:, None] - given[:, :6]) / 5
    theirs, mine = np.abs(given[:, :6] - others).mean(), np.abs(given[:, 6:] - others).mean()
    apart = from_one_person(votes, said, people, resampling, other_people=other_people)
    assert apart.value == pytest.approx((theirs - mine) / span)
    assert apart.ci[0] < apart.value < apart.ci[1]


@pytest.mark.parametrize("far", [0.0, 3.0])
def test_numbers_in_other_units_have_the_same_errors_in_those_units(far: float) -> None:
    generator = np.random.default_rng(3)
    given = generator.uniform(0.1, 0.9, 40)[:, None] + generator.normal(0, 0.1, (40, 7))
    given = given.clip(0, 1).round(2)
    given[:2, 0] = 0, 1
    given[5, 6] += far
    names = [f"q{item:02}" for item in range(40)]
    figures = []
    for times in (1, 100):
        labels = [[f"{number * times:.2f}" for number in row] for row in given]
        frame = {
            "item": np.repeat(names, 6).tolist(),
            "worker": [f"w{who}" for who in range(6)] * 40,
            "label": [label for row in labels for label in row[:6]],
        }
        votes = code_open(frame, items=names, asked=TaskItems(Number(), {name: {} for name in names}))
        assert measure_of(votes).span == times
        model = answers({name: row[6] for name, row in zip(names, labels, strict=True)}, items=names, labels=None)
        figures.append(peer_figures(single_rows(votes, model, measure_of(votes)), votes, Resampling(draws=300)))
    for name in ("mean_error", "rms_error"):
        one, hundred = (each[name] for each in figures)
        assert one.method == hundred.method == "bootstrap"
        assert np.multiply(one.ci, 100) == pytest.approx(hundred.ci)
        assert one.value * 100 == pytest.approx(hundred.value)


def test_no_usable_answer_agrees_with_nobody_and_has_no_distance() -> None:
    votes, given = rated()
    whole, found = (
        peer_figures(
            single_rows(votes, answers(each, items=votes.items, labels=FIVE), measure_of(votes, (1, 2, 3, 4, 5))), votes
        )
        for each in (given, given | {"q00": None})
    )
    assert (found["equal"].n, found["mean_error"].n) == (40, 39)
    assert found["equal"].value <= whole["equal"].value


def test_a_model_and_one_person_are_beside_the_same_others() -> None:
    # Three say a and one b: a person in four is alone, and where an a is left out two a still stand beside one b.
    rows = [(f"q{n:02}", who, label) for n in range(20) for who, label in zip("wxyz", "aaab", strict=True)]
    votes = judged(rows)
    model = single_rows(votes, answers({f"q{n:02}": "a" for n in range(20)}, items=votes.items, labels=votes.labels))
    found = from_one_person(votes, model, everybody(votes))
    assert (found.value, found.n) == (0.25, 20)
    person = single_rows(votes, answers_of_each(votes, [0])[0])
    assert from_one_person(votes, person, everybody(votes)).value == 0.25


def test_two_models_differ_by_how_much_better_one_agrees_with_people() -> None:
    votes, given = rated()
    measure = measure_of(votes, (1, 2, 3, 4, 5))
    mean = votes.counts @ np.arange(1, 6) / votes.counts.sum(axis=1)
    always: dict[str, str | None] = dict.fromkeys(votes.items, "3")
    one, other = (
        single_rows(votes, answers(each, items=votes.items, labels=FIVE), measure) for each in (given, always)
    )
    own = np.array([float(given[item] or 0) for item in votes.items])
    expected = (np.abs(3 - mean) - np.abs(own - mean)).mean() / 4
    found = between(votes, one, other)
    assert found.value == pytest.approx(expected)
    assert found.test == "people"
    assert found.over_items is not None
    assert found.over_items.n == 40


def test_who_is_never_ahead_is_told_apart_from_nobody() -> None:
    found = mean_difference(np.zeros(50), np.ones(50))
    assert (found.value, found.p, found.test) == (0.0, 1.0, "score")
    assert found.ci[0] < 0 < found.ci[1]


def test_one_cluster_gives_neither_interval_nor_test() -> None:
    found = mean_difference(
        np.array([1.0, -1.0, 1.0]),
        np.ones(3),
        Resampling(Clusters("text", dict.fromkeys("abc", "t"))),
        items=list("abc"),
    )
    assert found.value == pytest.approx(1 / 3)
    assert (found.p, found.test) == (None, "none")
