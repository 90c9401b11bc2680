"""Youden's J: how much more often a request is found where there is one than where there is none."""

import numpy as np
from human_baseline.eval.metrics.metric import POSITIVES, Metric


def youden(confusion: "np.ndarray") -> "np.ndarray":
    """Recall of the second label + recall of the first - 1, of (..., 2, 3) confusions, gold by given."""
    found = confusion[..., [0, 1], [0, 1]] / confusion.sum(axis=-1)
    return found.sum(axis=-1) - 1


YOUDEN = Metric("youden", "Youden's J", of_confusion=youden, low=-1, scores=POSITIVES)
