"""What the rule on speed sees in the times of a worker's last answers, held against seconds or the study's median."""

import numpy as np

from annotate.rules.looks import Fired, Look, frame, keys
from db.evidence import times
from db.quality import answers_of
from db.rules import FastRule
from eval.quality import too_fast

ENOUGH = 50  # answers to the study's main items: their median moves little from then on


def at_speed(look: Look) -> Fired | None:
    """Look at the times of the last answers: after a quick one, or after every few where the median is the measure."""
    rule = look.study.settings.quality.fast
    least = min(rule.at_least, rule.window)
    if rule.action == "none" or not _due(look, rule, least):
        return None
    given = answers_of(look.session, enrolment=look.enrolment, role="main", rule="too_fast", last=rule.window)
    limit, told = _limit(look, rule) if len(given) >= least else (0.0, "")
    found = too_fast(frame(look.enrolment, given), seconds=limit, window=rule.window, at_least=least)
    if not found:
        return None
    reason = f"{found[0].value:.0f} of the last {found[0].n} answers took less than {told}"
    return Fired("too_fast", rule.action, reason, found[0].value, keys(found[0].evidence))


def _due(look: Look, rule: FastRule, least: int) -> bool:
    """Return whether this answer is an occasion to look.

    The median costs a statement over a thousand answers, so it is asked for at every `least`-th answer of a worker
    only: somebody is found a few answers later, and no sooner than that many could be too fast.
    """
    if rule.seconds is not None:
        return look.seconds < rule.seconds
    return rule.of_median is not None and look.given % least == 0


def _limit(look: Look, rule: FastRule) -> tuple[float, str]:
    """Return the seconds below which an answer is too fast, 0 where none is, and how the event tells of them.

    The median is that of the main answers among the study's last thousand counted ones, not of all: it costs the same
    in a study of any size, and in a small one it is the median that `quality STUDY` finds afterwards.
    """
    if rule.of_median is None:
        return rule.seconds or 0.0, f"{rule.seconds:g} s"
    taken = times(look.session, study_id=look.study.id)
    if len(taken) < ENOUGH:
        return 0.0, ""
    median = float(np.median(taken))
    limit = rule.of_median * median
    source = f"{rule.of_median:g} of {round(median, 2):g} s, the median of the study's last {len(taken)} answers"
    return limit, f"{round(limit, 2):g} s, which is {source}"
