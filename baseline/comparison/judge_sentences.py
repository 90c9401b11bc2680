"""A sentence on each judge: how often it gives people's answer, and whether it is one of them."""

from math import isnan

from baseline.comparison.judging import Judge, Judging
from data.numbers import counted, number


def judge_sentences(judged: Judging) -> list[str]:
    """Return a sentence on each judge: how often it gives people's answer, and whether it is one of them."""
    judges = [judge for judge in judged.judges if judge.agreement.equal.n]
    shares = [judge.agreement.equal.value for judge in judges]
    best = "one of the best" if shares.count(max(shares, default=0.0)) > 1 else "the best"
    ranked = [f", {best} of {len(judges)} judges by this share" if len(judges) > 1 else "", *[""] * len(judges)]
    return [_sentence(judge, rank) for judge, rank in zip(judges, ranked, strict=False)]


def _sentence(judge: Judge, rank: str) -> str:
    equal, kappa, alpha = judge.agreement.equal, judge.agreement.kappa, judge.alpha
    name, ties = judge.row.called, judge.agreement.ties
    shared = f", ties between people shared out ({ties} of {counted(equal.n, 'item')})" if ties else ""
    sentence = (
        f"On {100 * equal.value:.1f}% of {counted(equal.n, 'item')}{shared}, {name} gives people's answer{rank}: "
        f"kappa {number(kappa.value)}"
    )
    if isnan(alpha.people.value) or isnan(alpha.together.value):
        return f"{sentence}."
    before, after = number(alpha.people.value), number(alpha.together.value)
    if before == after:
        return f"{sentence}; with it among them, agreement of people (alpha) stays at {before}."
    apart = "falls" if alpha.together.value < alpha.people.value else "rises"
    return f"{sentence}; with it among them, agreement of people (alpha) {apart} from {before} to {after}."
