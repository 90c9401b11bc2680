"""Two shares of right answers on the same items: Tango's score interval of their difference, and McNemar's test."""

from dataclasses import dataclass
from math import sqrt

from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from data.errors import BadSetting
from eval.intervals.wilson import Interval

_NEAR = 1e-12


@dataclass(frozen=True)
class PairedCounts:
    """What two respondents' scores of 0 or 1 on the same `n` independent items come to.

    `only_first` items just the first has right, `only_second` just the second. Parts of items (ties that are shared out
    as credit) may enter: a difference between 0 and 1 varies less than one of 0 or 1, so all is then conservative. A
    score's range is `span` units wide, 1 for shares of right answers. `method` is what results call it: "score" where
    it stands in for a bootstrap in which nothing varies.

    Interval and tests are one method, the score statistic of Tango (1998), so they never contradict each other: the
    interval holds just those differences that the two-sided test does not reject. Its test of no difference is
    McNemar's without correction. The interval is never of width zero: where nobody is ahead anywhere it is
    +-z^2 / (n + z^2). Its simulated coverage is in bench/RESULTS.md.

    >>> counts = PairedCounts(only_first=6, only_second=16, n=161)  # Cavo et al. 2012, in Fagerland et al. 2014
    >>> [round(end, 4) for end in counts.interval()], round(counts.p, 6)
    ([-0.124, -0.0054], 0.033006)

    References:
        Tango (1998), Statistics in Medicine 17, 891-908. Fagerland, Lydersen, Laake (2014), Statistics in Medicine 33,
        2850-2875. McNemar (1947), Psychometrika 12, 153-157.
    """

    only_first: float
    only_second: float
    n: int
    span: float = 1.0
    method: str = "mcnemar"

    def __post_init__(self) -> None:
        if self.n < 1 or min(self.only_first, self.only_second) < 0 or self.discordant > self.n + 1e-9:
            raise BadSetting(
                f"Of 1 item or more, 0 or more are right for just one respondent and never more than all; got "
                f"{self.only_first!r} and {self.only_second!r} of {self.n!r}."
            )

    @property
    def discordant(self) -> float:
        """How many items just one of the two has right."""
        return self.only_first + self.only_second

    def statistic(self, difference: float = 0.0) -> float:
        """The score statistic, standard normal where the first is better by `difference` (-1 to 1), in shares.

        The variance takes the most likely share of items that only the second has right under that difference.
        """
        b, c, n = self.only_first, self.only_second, self.n
        linear = (2 * n - b + c) * difference - b - c
        inside = linear**2 + 8 * n * c * difference * (1 - difference)
        likely = (sqrt(max(0.0, inside)) - linear) / (4 * n)
        variance = n * (2 * likely + difference * (1 - difference))
        return (b - c - n * difference) / sqrt(variance) if variance > _NEAR else 0.0

    @property
    def p(self) -> float:
        """The two-sided p-value of no difference: that of z = (b - c) / sqrt(b + c), 1 where b + c = 0."""
        return float(2 * ndtr(-abs(self.statistic())))

    def p_within(self, margin: float) -> float:
        """The larger p-value of the two one-sided score tests against -margin and +margin (Schuirmann 1987).

        Below 0.05 means that the 90% interval lies within the margin (above 0, in units of the score).
        """
        share = margin / self.span
        if share >= 1:
            return 0.0
        return float(max(ndtr(-self.statistic(-share)), ndtr(self.statistic(share))))

    def interval(self, confidence: float = 0.95) -> Interval:
        """The differences that the two-sided test does not reject, in units of the score."""
        if not 0 < confidence < 1:
            raise BadSetting(f"Confidence must lie between 0 and 1, got {confidence!r}; 0.95 is usual.")
        z = float(ndtri((1 + confidence) / 2))
        swapped = PairedCounts(self.only_second, self.only_first, self.n)
        return -self.span * swapped._upper(z), self.span * self._upper(z)

    def _upper(self, z: float) -> float:
        estimate = (self.only_first - self.only_second) / self.n
        if estimate > 1 - 1e-9 or self.statistic(1 - 1e-9) > -z:
            return 1.0
        return float(brentq(lambda difference: self.statistic(difference) + z, estimate, 1 - 1e-9, xtol=1e-12))
