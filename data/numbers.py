"""Numbers as they are read: scores, intervals, differences in points and p-values, a dash where there is none."""

MINUS = "−"
DASH = "—"
SIGNIFICANT = 0.05
"""Where a test is said to tell two apart: p below this."""


LONG_NUMBER = 1000
"""From here on numbers are so long that fewer of them fit on an axis."""


def number(value: float | None) -> str:
    """Return a score with three decimals, a dash where there is none.

    >>> number(0.8125), number(-0.1), number(-0.0001), number(None)
    ('0.812', '−0.100', '0.000', '—')
    """
    return DASH if value is None or value != value else f"{value:z.3f}".replace("-", MINUS)


def interval(ends: tuple[float, float] | None) -> str:
    """Return an interval as `0.969–0.992`, or `−0.038 to −0.010` where an end is below zero; a dash for none."""
    if ends is None or ends[0] != ends[0]:
        return DASH
    low, high = (f"{end:z.3f}" for end in ends)
    return f"{low} to {high}".replace("-", MINUS) if low.startswith("-") else f"{low}–{high}"


def with_interval(value: float | None, ends: tuple[float, float] | None) -> str:
    """Return a score with its interval: `0.812 (0.740–0.870)`; a dash alone where there is no score."""
    return DASH if number(value) == DASH else f"{number(value)} ({interval(ends)})"


def or_dash(value: object) -> object:
    """Return a value as it stands in a table, a dash for none."""
    return DASH if value is None or value == "" else value


def points(difference: float) -> str:
    """Return a difference of scores in points, with its sign: a real minus, as wide as the plus.

    >>> points(0.041), points(-0.041), points(-0.0001)
    ('+4.1', '−4.1', '+0.0')
    """
    return f"{100 * difference:+z.1f}".replace("-", MINUS)


def points_interval(ends: tuple[float, float]) -> str:
    """Return the interval of a difference in points, `[−4.1, +0.2]`; "" where there is none."""
    low, high = ends
    return "" if low != low else f"[{points(low)}, {points(high)}]"


def counted(number: int, what: str, several: str = "") -> str:
    """Return how many there are, `1 item` or `3 items`; `several` is a plural that is not made with an s.

    >>> counted(1, "item"), counted(1200, "item"), counted(2, "person", "people")
    ('1 item', '1200 items', '2 people')
    """
    return f"{number} {what if number == 1 else several or f'{what}s'}"


def percent(probability: float) -> str:
    """Return a probability in per cent, never as 0 or 100; a dash for none.

    >>> percent(0.0004), percent(0.256), percent(0.999)
    ('<1%', '26%', '>99%')
    """
    if probability != probability:
        return DASH
    return "<1%" if probability < 0.01 else ">99%" if probability > 0.99 else f"{probability:.0%}"


def p_value(p: float | None) -> str:
    """Return a p-value with three decimals, "< 0.001" below that; a dash for none.

    Where these would hide on which side of 0.05 it lies it has more, or the side alone.

    >>> p_value(0.0412), p_value(0.04964), p_value(0.05004), p_value(0.0499999)
    ('0.041', '0.0496', '≥ 0.05', '< 0.05')
    """
    if p is None or p != p:
        return DASH
    if p < 0.001:
        return "< 0.001"
    shown = f"{p:.3f}" if f"{p:.3f}" != f"{SIGNIFICANT:.3f}" else f"{p:.4f}"
    return shown if float(shown) != SIGNIFICANT else "< 0.05" if p < SIGNIFICANT else "≥ 0.05"


def p_sign(p: float | None) -> str:
    """Return a p-value within a sentence, as `p = 0.041` or `p < 0.001`; a dash for none."""
    shown = p_value(p)
    return shown if shown == DASH else f"p {shown}" if shown[0] in "<≥" else f"p = {shown}"
