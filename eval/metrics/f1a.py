"""F1a of MuSeRC (as MultiRC, Khashabi et al. 2018): the F1 of what was chosen among all options of all questions."""

from collections.abc import Mapping

import numpy as np

from data.answers.answer_type import AnswerType
from data.errors import BadSetting
from eval.arrays import Floats, share_of


def chosen_options(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """Of one answer: options chosen rightly, chosen wrongly, missed, and the one. No answer misses every right option.

    The type is one whose content is a set: several options, or a form of them.
    """
    own = answer.of(fields)
    right, chosen = own.content(gold), own.content(given) if given is not None else frozenset()
    if not isinstance(right, frozenset):
        raise BadSetting(f"F1a compares chosen options; an answer of kind {own.kind!r} chooses none.")
    return float(len(chosen & right)), float(len(chosen - right)), float(len(right - chosen)), 1.0


def f1a(sums: Floats) -> Floats:
    """The F1 of pooled sums (..., 4) as `chosen_options` gives them, 0 to 1; every option weighs the same.

    1 where nothing was right and nothing chosen, as the published script counts it; NaN without answers.
    """
    hit, false, missed, answers = np.moveaxis(sums, -1, 0)
    return np.where(answers > 0, share_of(2 * hit, 2 * hit + false + missed, empty=1.0), np.nan)
