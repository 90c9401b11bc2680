"""The scale of respondents and items: recovery of what was simulated, ninety models, item fit, short forms."""

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from data.errors import BadSetting
from eval.arrays import Floats
from eval.item_response.item_fit import item_fit, standard_normal
from eval.item_response.one_parameter import one_parameter, scored
from eval.item_response.scored_responses import ScoredResponses, responses_of
from eval.item_response.short_form import chosen_items, shares, short_forms


def simulated(
    respondents: int, items: int, *, asked: float = 1.0, seed: int = 0
) -> tuple[Floats, Floats, ScoredResponses]:
    """Abilities, difficulties, and answers of which a share `asked` was asked for."""
    generator = np.random.default_rng(seed)
    ability, difficulty = generator.normal(size=respondents), generator.normal(0.2, 1.2, size=items)
    right = (generator.random((respondents, items)) < expit(ability[:, None] - difficulty)).astype(float)
    right[generator.random(right.shape) >= asked] = np.nan
    names = tuple(f"r{n}" for n in range(respondents)), tuple(f"q{n}" for n in range(items))
    return ability, difficulty, ScoredResponses(*names, right)


def ninety_models(folder: Path, task: str) -> ScoredResponses:
    with (folder / "responses" / f"{task}.csv").open(encoding="utf8", newline="") as lines:
        rows = {row.pop("userid"): {item: float(cell) for item, cell in row.items()} for row in csv.DictReader(lines)}
    return responses_of(rows)


def test_ninety_respondents_and_a_thousand_items_are_recovered() -> None:
    ability, difficulty, responses = simulated(90, 1000)
    found = one_parameter(responses)
    assert found.converged
    assert np.corrcoef(found.ability, ability)[0, 1] >= 0.98
    assert np.corrcoef(found.difficulty, difficulty)[0, 1] >= 0.95
    assert found.ability_spread == pytest.approx(ability.std(), abs=0.05)
    assert found.ability.mean() == pytest.approx(0, abs=1e-9), "zero is the mean of these respondents"


def test_who_answered_other_items_stands_on_the_same_scale() -> None:
    ability, difficulty, responses = simulated(60, 400, asked=0.3)
    found = one_parameter(responses)
    assert np.corrcoef(found.ability, ability)[0, 1] >= 0.95
    assert np.corrcoef(found.difficulty, difficulty)[0, 1] >= 0.8
    easy, hard = np.argsort(difficulty)[:200], np.argsort(difficulty)[200:]
    right = responses.right.copy()
    right[0, hard], right[1, easy] = np.nan, np.nan
    right[0, easy], right[1, hard] = (
        np.random.default_rng(3).random(200) < expit(0.5 - difficulty[each]) for each in (easy, hard)
    )
    apart = one_parameter(ScoredResponses(responses.respondents, responses.items, right)).ability[:2]
    assert shares(ScoredResponses(("", ""), responses.items, right[:2])) @ [1, -1] > 0.25, "shares are far apart"
    assert abs(apart[0] - apart[1]) < 0.5, "abilities are not"


def test_the_likelihood_of_a_small_table_is_highest_where_the_scale_is() -> None:
    """By hand: two respondents of three have an item right, one has it wrong; all have the same on the other."""
    right = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=float)
    found = one_parameter(ScoredResponses(("a", "b", "c"), ("x", "y", "z"), right), tolerance=1e-9)
    np.testing.assert_allclose(found.ability, 0, atol=1e-6)
    np.testing.assert_allclose(found.difficulty, found.difficulty[0], atol=1e-6)
    assert -np.log(2) - 0.05 < found.difficulty[0] < 0, "the share 2/3 is a logit of log 2"


def test_all_right_and_all_wrong_stay_finite() -> None:
    right = np.array([[1, 1, 1, 1], [0, 0, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]], dtype=float)
    found = one_parameter(ScoredResponses(tuple("abcd"), tuple("wxyz"), right))
    assert np.isfinite([*found.ability, *found.difficulty, *found.ability_error]).all()
    assert found.ability.argmax() == 0
    assert found.ability.argmin() == 1


def test_an_ability_of_somebody_new_is_read_off_a_known_scale() -> None:
    _, _, responses = simulated(60, 300)
    known = one_parameter(responses)
    again = scored(ScoredResponses(("r0",), responses.items, responses.right[[0]]), known)
    assert again.ability[0] == pytest.approx(known.ability[0], abs=1e-5)


def test_flipped_right_answers_are_the_items_that_fit_worst() -> None:
    _, _, responses = simulated(60, 300)
    flipped = np.random.default_rng(5).choice(300, 15, replace=False)
    right = responses.right.copy()
    right[:, flipped] = 1 - right[:, flipped]
    wrong = ScoredResponses(responses.respondents, responses.items, right)
    fit = item_fit(wrong, one_parameter(wrong))
    worst = np.argsort(fit.slope)[:30]
    assert np.isin(flipped, worst).mean() >= 0.8, "among the first tenth"
    assert set(fit.suspects.tolist()) <= set(flipped.tolist()), "nothing else is below 0.05 after Holm"
    plain = item_fit(responses, one_parameter(responses))
    assert len(plain.suspects) == 0
    assert plain.infit.mean() == pytest.approx(1, abs=0.1)
    assert plain.outfit.mean() == pytest.approx(1, abs=0.15)


def test_a_short_form_tells_the_score_better_than_the_raw_share_on_as_many_items_at_random() -> None:
    _, _, responses = simulated(40, 200)
    known = one_parameter(responses)
    ten, forty, _ = short_forms(responses, known, [10, 40, 200, 80])
    assert (ten.size, forty.size, len(forty.items)) == (10, 40, 40)
    assert forty.error < ten.error < ten.plain
    assert forty.error < forty.plain < forty.guess
    assert ten.ci[0] < ten.error < ten.ci[1]
    assert set(ten.items) < set(forty.items)
    assert len(set(chosen_items(responses, known, 300).tolist())) < 200, "items that tell nobody apart are not taken"


def test_items_at_random_are_read_through_the_same_scale_as_chosen_ones(shared: Path) -> None:
    """By an independent computation: 6.4 points at random (20 draws for each), where the raw share is 11.7 off."""
    responses = ninety_models(shared, "rte")
    (ten,) = short_forms(responses, one_parameter(responses), [10])
    assert ten.error == pytest.approx(0.060, abs=0.0005)
    assert ten.random == pytest.approx(0.064, abs=0.004), "by the error of 1800 draws"
    assert ten.plain == pytest.approx(0.117, abs=0.0005)
    assert ten.below_random[0] < 0 < ten.below_random[1], "choosing gains nothing that shows"
    assert ten.below_guess[0] > 0, "asking ten items does"
    differences = ten.at_guess - ten.errors
    half = 1.96 * differences.std(ddof=1) / 90**0.5
    assert ten.below_guess == pytest.approx((differences.mean() - half, differences.mean() + half))


def test_ninety_models_on_rte_are_put_on_a_scale(shared: Path) -> None:
    responses = ninety_models(shared, "rte")
    assert responses.right.shape == (90, 139)
    found = one_parameter(responses)
    order = np.corrcoef(found.ability, shares(responses))[0, 1]
    assert order > 0.99, "everybody answered all items, so abilities are in the order of scores"
    fit = item_fit(responses, found)
    assert len(fit.suspects) == 13
    worst = int(fit.suspects[0])
    able = found.ability > np.median(found.ability)
    assert responses.right[able, worst].mean() < responses.right[~able, worst].mean() - 0.3


def test_the_p_of_an_item_is_that_of_the_statistic_beside_it(shared: Path) -> None:
    """The lower normal tail of the most suspicious of 139 items times 139, of the second times 138 and so on."""
    responses = ninety_models(shared, "rte")
    fit = item_fit(responses, one_parameter(responses))
    tested = np.flatnonzero(~np.isnan(fit.slope))
    order = tested[np.argsort(fit.slope[tested])]
    tails = norm.cdf(fit.slope[order]) * np.arange(len(order), 0, -1)
    np.testing.assert_allclose(fit.p[order], np.minimum(1, np.maximum.accumulate(tails)), rtol=1e-9)
    assert fit.p[responses.items.index("rte_24")] == pytest.approx(0.002, abs=0.0005)


def test_a_skewed_statistic_has_the_tail_of_its_own_curve() -> None:
    """Pearson's curve of type III with skewness 2 is the exponential one, moved to a mean of 0."""
    for z, tail in ((-0.5, 1 - np.exp(-0.5)), (0.0, 1 - np.exp(-1)), (3.0, 1 - np.exp(-4))):
        assert standard_normal(np.array([z]), np.array([2.0]))[0] == pytest.approx(norm.ppf(tail))
        assert standard_normal(np.array([-z]), np.array([-2.0]))[0] == pytest.approx(-norm.ppf(tail))
    beyond = standard_normal(np.array([-1.5]), np.array([2.0]))
    assert beyond[0] == -1.5, "beyond the end of the curve it stays as it is"


def test_too_little_for_a_scale_is_refused() -> None:
    with pytest.raises(BadSetting, match="takes 3 respondents and an item"):
        one_parameter(ScoredResponses(("a", "b"), ("x",), np.array([[1.0], [0.0]])))
