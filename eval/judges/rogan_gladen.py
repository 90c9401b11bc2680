"""The Rogan-Gladen correction: a judge's share of a label, put right by how often it errs beside people."""

from dataclasses import dataclass

import numpy as np

from eval.arrays import Floats
from eval.intervals.wilson import Interval, wilson
from eval.judges.ppi import JudgedSample, Z

NO_BETTER = "the judge says it no more often where people do than where they do not, so its share tells nothing."


@dataclass(frozen=True)
class RoganGladen:
    """The share of a label that people would give, from the judge's share and its errors.

    Attributes
    ----------
    value, ci : float, (float, float)
        The share and its 95% interval, 0 to 1; NaN where `refused` says why there is none.
    sensitivity, specificity : float
        How often the judge says the label where people do, and does not where they do not; with Wilson's intervals.
    """

    value: float
    ci: Interval
    sensitivity: float
    sensitivity_ci: Interval
    specificity: float
    specificity_ci: Interval
    refused: str = ""


def rogan_gladen(sample: JudgedSample) -> RoganGladen:
    """The share of a label over the items that only the judge has.

    (p + specificity - 1) / (sensitivity + specificity - 1), p being the judge's share of the label among these items.
    It takes errors that are as frequent there as on the items of both. Unlike prediction-powered inference it does not
    take that the label is as frequent there.

    Parameters
    ----------
    sample : JudgedSample
        1 where the label was given and 0 where another one was; parts where it is shared out.

    Returns
    -------
    RoganGladen
        With the interval of Lang and Reiczigel, which allows for the errors being estimated. It takes single items to
        be independent, so that there is none where they belong to clusters.

    References
    ----------
    Rogan, Gladen (1978). Estimating prevalence from the results of a screening test.
    Lang, Reiczigel (2014). Confidence limits for prevalence of disease adjusted for estimated sensitivity and
    specificity. Preventive Veterinary Medicine 113.

    Examples
    --------
    >>> people, judge = np.array([1.0] * 10 + [0] * 10), np.array([1.0] * 8 + [0] * 11 + [1])
    >>> found = rogan_gladen(JudgedSample(people, judge, np.array([1.0, 0] * 20)))
    >>> round(found.value, 4), found.sensitivity, found.specificity
    (0.5714, 0.8, 0.9)
    """
    with_label, without = float(sample.people.sum()), float((1 - sample.people).sum())
    hits, passed = float((sample.people * sample.judge).sum()), float(((1 - sample.people) * (1 - sample.judge)).sum())
    sensitivity, specificity = _share(hits, with_label), _share(passed, without)
    known = sensitivity, _interval(hits, with_label), specificity, _interval(passed, without)
    nothing = float("nan"), float("nan")
    if why := _refused(sample, with_label, without, sensitivity + specificity):
        return RoganGladen(float("nan"), nothing, *known, why)
    value = (float(sample.alone.mean()) + specificity - 1) / (sensitivity + specificity - 1)
    ci = nothing if sample.groups is not None else _limits(sample.alone, (hits, with_label), (passed, without))
    return RoganGladen(min(max(value, 0.0), 1.0), ci, *known)


def _refused(sample: JudgedSample, with_label: float, without: float, better: float) -> str:
    if not len(sample.alone):
        return "people judged all items, so nothing is left to correct."
    if not with_label or not without:
        who = "nobody among people says it" if not with_label else "people say nothing else"
        return f"{who} on the items of both, so one kind of the judge's errors cannot be seen."
    return NO_BETTER if better <= 1 else ""


def _limits(alone: Floats, hit: tuple[float, float], passed: tuple[float, float]) -> Interval:
    n, square = len(alone), Z * Z
    share = (float(alone.sum()) + square / 2) / (n + square)
    se, sp = (hit[0] + 1) / (hit[1] + 2), (passed[0] + 1) / (passed[1] + 2)
    better = se + sp - 1
    if better <= 0:
        return 0.0, 1.0
    value = (share + sp - 1) / better
    of_se, of_sp = se * (1 - se) / (hit[1] + 2), sp * (1 - sp) / (passed[1] + 2)
    centre = value + 2 * square * (value * of_se - (1 - value) * of_sp)
    variance = share * (1 - share) / (n + square) + value**2 * of_se + (1 - value) ** 2 * of_sp
    half = Z * float(np.sqrt(variance)) / better
    return min(max(centre - half, 0.0), 1.0), min(max(centre + half, 0.0), 1.0)


def _share(part: float, total: float) -> float:
    return part / total if total else float("nan")


def _interval(part: float, total: float) -> Interval:
    return wilson(min(part, total), round(total)) if round(total) and part <= round(total) else (float("nan"),) * 2
