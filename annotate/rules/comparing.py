"""What the rules on workers see in many answers at once: one answer all along, a pattern, the others' answers."""

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from annotate.rules.looks import Fired, Look, frame, keys
from db import frames
from db.evidence import beside, fields_beside
from db.quality import answers_of, labels_of
from eval.copying import copies
from eval.disagreement import disagreeing
from eval.gold import Asked
from eval.open_votes import code_answers
from eval.quality import constant_answers, repeats_every
from eval.votes import Votes

COPYING_EVERY = 30  # answers: comparing pairs of workers costs more than the other looks


def at_constant(look: Look) -> Fired | None:
    """Look whether one answer is given nearly always, and not by the others."""
    rule = look.study.settings.quality.constant
    if rule.action == "none" or look.given % rule.minimum:
        return None
    of: Any = {"enrolment": look.enrolment, "role": "main", "rule": "constant_answers"}
    labels = Counter(label for _, label in labels_of(look.session, **of))
    if labels.total() < rule.minimum or labels.most_common(1)[0][1] < rule.share * labels.total():
        return None
    # Only now is it worth looking at what everybody else answers.
    given = answers_of(look.session, **of)
    stored, mine = frames.judgments(look.session, study=look.study), frame(look.enrolment, given)
    others = stored.loc[stored["worker"] != look.enrolment.worker, list(mine.columns)]
    everybody = pd.concat([others.set_axis(-1 - np.arange(len(others)), axis="index"), mine])
    found = constant_answers(everybody, share=rule.share, minimum=rule.minimum, crowd=rule.crowd)
    one = next((one for one in found if one.worker == look.enrolment.worker), None)
    if one is None:
        return None
    reason = f"one answer in {one.value:.0%} of {one.n} items, where others give it less than {rule.crowd:.0%}"
    return Fired("constant_answers", rule.action, reason, one.value, keys(one.evidence))


def at_pattern(look: Look) -> Fired | None:
    """Look whether the answers repeat."""
    rule = look.study.settings.quality.pattern
    if rule.action == "none" or look.given % rule.minimum:
        return None
    # Who answers by a pattern does so on controls too, and without them it could not be seen.
    of: Any = {"enrolment": look.enrolment, "rule": "repeating_pattern"}
    given = sorted(one for role in ("main", "control") for one in labels_of(look.session, role=role, **of))
    labels = [label for _, label in given]
    period = repeats_every(labels, longest=rule.longest, minimum=rule.minimum, share=rule.share)
    if period is None:
        return None
    reason = f"{len(given)} answers repeat every {period} items"
    return Fired("repeating_pattern", rule.action, reason, period, [key for key, _ in given])


def at_disagreement(look: Look) -> Fired | None:
    """Look whether the worker agrees with the others' majority far less than they do on the same items."""
    rule = look.study.settings.quality.disagreement
    if rule.action == "none" or look.given % rule.minimum:
        return None
    votes, given = _beside(look, "disagreement", rule.window)
    found = disagreeing(votes, given, tail=rule.tail, minimum=rule.minimum, worker=look.enrolment.worker)
    if not found:
        return None
    one = found[0]
    reason = (
        f"agrees with the others' majority in {one.value:.0%} of {one.n} items, where the others do in {one.limit:.0%}"
    )
    return Fired("disagreement", rule.action, reason, one.value, keys(one.evidence))


def at_copying(look: Look) -> Fired | None:
    """Look whether somebody departs from the others in the same way as the worker."""
    rule = look.study.settings.quality.copying
    if rule.action == "none" or look.given % COPYING_EVERY:
        return None
    votes, given = _beside(look, "copying", rule.window)
    worker = look.enrolment.worker
    found = copies(votes, given, share=rule.share, minimum=rule.minimum, worker=worker)
    if not found:
        return None
    pair = max(found, key=lambda one: (one.share, one.n))
    other = next(name for name in pair.workers if name != worker)
    reason = f"{pair.same} of {pair.n} departures from the others' majority are the same as those of {other}"
    return Fired("copying", rule.action, reason, pair.share, keys(pair.evidence))


def _beside(look: Look, rule: str, last: int) -> tuple[Votes, list[int]]:
    """Return everybody's answers to the worker's last items, and the keys of these judgments."""
    answer, of = look.study.task.answer, {"enrolment": look.enrolment, "rule": rule, "last": last}
    rows = beside(look.session, **of)  # type: ignore[arg-type]
    columns = {name: [getattr(one, name) for one in rows] for name in ("item", "worker", "label")}
    asked = None if answer.labels() else Asked(answer, fields_beside(look.session, **of))  # type: ignore[arg-type]
    return code_answers(columns, items=None, labels=None, asked=asked), [one.key for one in rows]
