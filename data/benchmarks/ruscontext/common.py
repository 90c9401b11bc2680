"""What the tasks of RusConText have in common."""

METRICS = ("accuracy", "macro_f1", "macro_precision", "macro_recall")
OFFICIAL = ("accuracy", "macro_f1")
FROM_ZERO = {"0": "0", "1": "1", "2": "2"}
"""What the files on idioms call the three options of an item: as we do."""
SOURCE = "RusConText, https://github.com/NotBioWaste905/RuConText-Bench"
LICENCE = "not stated"


def published(reading: str) -> tuple[str, ...]:
    """Return the four metrics as the authors' script counts them: `tags`, `numbers`, `raw` and `false` are its ways.

    It reads the tag out of JSON, the first number of a reply, the reply letter by letter, or whatever it is as False.
    """
    return tuple(f"{name}_code_{reading}" for name in METRICS)
