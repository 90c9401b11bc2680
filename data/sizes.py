"""How large a value is that somebody sent, found before anything else looks at it."""

from collections.abc import Mapping

from data.errors import BadAnswer
from data.limits import DEEPEST, LONGEST_NUMBER


def nested(value: object) -> bool:
    """Return whether lists and objects stand within one another deeper than DEEPEST.

    >>> nested([[{"a": 1}]])
    False
    """
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [one for holder in level for one in _inside(holder)]
    return bool(level)


def characters(value: object) -> int:
    """Return about how many characters a value has as JSON; raises BadAnswer for what nobody can have meant.

    That is what is nested deeper than DEEPEST, and a number longer than LONGEST_NUMBER.
    """
    seen, level = 0, [value]
    for _ in range(DEEPEST + 1):
        for one in level:
            seen += len(one) + 2 if isinstance(one, str) else 4
            if isinstance(one, int) and one.bit_length() > LONGEST_NUMBER:
                raise BadAnswer("not_an_answer")
        level = [one for holder in level for one in _inside(holder)]
        if not level:
            return seen
    raise BadAnswer("not_an_answer")


def _inside(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    return list(value) if isinstance(value, list | tuple) else []
