"""LIBRA's records: context, input, positive_outputs, negative_outputs, length."""

import hashlib
from collections.abc import Iterable

from data.answers.composite import packed, unpacked
from data.shapes.base import Shape, Values

TEXTS = ("context", "input")
OUTPUTS = ("positive_outputs", "negative_outputs")


def unfold(values: Values) -> Iterable[Values]:
    """Return the record as one row; raises ValueError where it has no context or no question.

    The negatives are kept as a compact JSON list. Records that ask the same question and accept the same answers, as
    they do at several lengths, are one `family`, where the record does not name it.
    """
    for name in TEXTS:
        if not isinstance(values.get(name), str):
            raise ValueError(
                f"has no text {name!r}; a record of LIBRA holds {', '.join((*TEXTS, *OUTPUTS))} and length"
            )
    accepted, negatives = (_listed(values.get(name)) for name in OUTPUTS)
    asked = hashlib.sha256(packed([values["input"], accepted]).encode()).hexdigest()[:12]
    yield {
        **values,
        "positive_outputs": accepted,
        "negative_outputs": packed(negatives) if negatives else "",
        "family": values.get("family") or asked,
    }


def _listed(outputs: object) -> list[object]:
    """Return outputs as a list: one stands for a list of it, a text that is such a list for what it holds."""
    if isinstance(outputs, str) and outputs.startswith("["):
        outputs = unpacked(outputs)
    if isinstance(outputs, list):
        return outputs
    return [] if outputs is None or outputs == "" else [outputs]


SHAPE = Shape(unfold)
