"""Sentences that a text itself numbers: "(1) ... (2) ..."."""

import re


def sentences(text: str) -> list[tuple[str, str]]:
    """Return a text as pairs of a number in parentheses and what follows it; joined, they are the text.

    Only 1, 2, 3, ... in this order are numbers of sentences, so that "(2015)" stays text. What stands before "(1)" has
    "" for its number.
    """
    places = [0]
    for match in re.finditer(r"\((\d+)\)", text):
        if int(match[1]) == len(places):
            places.append(match.start())
    stretches = [text[begin:end] for begin, end in zip(places, [*places[1:], len(text)], strict=True)]
    numbers = [f"({place})" if place else "" for place in range(len(stretches))]
    pairs = [(number, stretch[len(number) :]) for number, stretch in zip(numbers, stretches, strict=True)]
    return [pair for pair in pairs if pair != ("", "")]
