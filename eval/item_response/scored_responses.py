"""Who had which item right: the table that a scale is computed from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eval.arrays import Floats, Integers


@dataclass(frozen=True, eq=False, repr=False)
class ScoredResponses:
    """N respondents and J items: `right` (N x J) is 1 for a right answer, 0 for a wrong one, NaN for none."""

    respondents: tuple[str, ...]
    items: tuple[str, ...]
    right: Floats

    @cached_property
    def answered(self) -> Floats:
        """1 where there is an answer (N x J), else 0."""
        return (~np.isnan(self.right)).astype(np.float64)

    @cached_property
    def points(self) -> Floats:
        """1 where the answer is right (N x J), 0 where it is wrong or there is none."""
        return np.nan_to_num(self.right)

    def without(self, respondent: int) -> "ScoredResponses":
        """The responses of all others."""
        names = self.respondents[:respondent] + self.respondents[respondent + 1 :]
        return ScoredResponses(names, self.items, np.delete(self.right, respondent, axis=0))

    def on(self, items: Integers) -> "ScoredResponses":
        """The responses to some of the items, by their places."""
        chosen = tuple(self.items[place] for place in items.tolist())
        return ScoredResponses(self.respondents, chosen, self.right[:, items])


def responses_of(rows: Mapping[str, Mapping[str, float]], items: Sequence[str] = ()) -> ScoredResponses:
    """ScoredResponses out of what each respondent had right by item; items that are not listed come as they occur.

    Parameters
    ----------
    rows : mapping of respondent to mapping of item to points
        Points from 0 to 1.
    items : sequence of str
        The items in their order, as far as it matters.

    Returns
    -------
    ScoredResponses

    Examples
    --------
    >>> found = responses_of({"a": {"q1": 1, "q2": 0}, "b": {"q2": 1}})
    >>> found.items, found.right[1].tolist()
    (('q1', 'q2'), [nan, 1.0])
    """
    known = tuple(dict.fromkeys([*items, *(item for row in rows.values() for item in row)]))
    right = np.array([[row.get(item, np.nan) for item in known] for row in rows.values()], dtype=np.float64)
    return ScoredResponses(tuple(rows), known, right.reshape(len(rows), len(known)))
