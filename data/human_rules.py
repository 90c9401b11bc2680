"""The choices of the rules that turn people's judgments into one answer, in words: ties, gold, intervals."""

TIES = {
    "drop": "left out",
    "wrong": "counted wrong",
    "fractional": "shared out",
    "random": "drawn by lot",
    "skill": "given to the more skilled voters",
}
"""What becomes of an item whose leading answers are level."""
GOLDS = {
    "file": "the gold in the items' file",
    "decisions": "the experts' decision, or the gold in the items' file where there is none",
}
"""What the right answer of an item is."""
INTERVALS = {"people": "other people and other items", "items": "these people, other items"}
"""What the intervals of human figures hold for."""


def choices_in_words(choices: dict[str, str]) -> str:
    """Return choices as the help of an option has them.

    >>> choices_in_words({"drop": "left out", "wrong": "counted wrong"})
    'drop (left out), wrong (counted wrong)'
    """
    return ", ".join(f"{name} ({words})" for name, words in choices.items())
