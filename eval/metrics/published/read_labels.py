"""Labels that a published script reads out of replies, and its macro-averages over the union of all it has met."""

from eval.arrays import Floats, share_of

Sums = tuple[float, ...]


def triples(labels: tuple[str, ...], gold: str, given: str | None) -> Sums:
    """Return (right, gold, given), each 0 or 1, of every label in turn: 3 L numbers that may be added up.

    Where nothing could be read the script drops the row: all are 0.
    """
    if given is None:
        return (0.0,) * (3 * len(labels))
    hits = ((label == gold == given, label == gold, label == given) for label in labels)
    return tuple(float(triple) for each in hits for triple in each)


def accuracy_of_read(sums: Floats) -> Floats:
    """The share of the rows that were read whose label is right: (..., 3 L) to (...), NaN where none was read."""
    right, gold, _ = _parts(sums)
    return share_of(right.sum(axis=-1), gold.sum(axis=-1))


def macro_precision_of_read(sums: Floats) -> Floats:
    """The mean of right / given over all labels that occur in gold or in replies; 0 for one that was never given."""
    right, gold, given = _parts(sums)
    return _over_union(right, given, gold + given)


def macro_recall_of_read(sums: Floats) -> Floats:
    """The mean of right / gold over all labels that occur in gold or in replies; 0 for one that is never gold."""
    right, gold, given = _parts(sums)
    return _over_union(right, gold, gold + given)


def macro_f1_of_read(sums: Floats) -> Floats:
    """The mean of F1 over all labels that occur in gold or in replies: one stray reply is one more class, worth 0.

    Equal to scikit-learn's `f1_score(average="macro", zero_division=0)` without `labels`. A bootstrap meets fewer of
    such classes than there are, so that its interval lies too high where there are many.
    """
    right, gold, given = _parts(sums)
    return _over_union(2 * right, gold + given, gold + given)


def _parts(sums: Floats) -> tuple[Floats, Floats, Floats]:
    each = sums.reshape(*sums.shape[:-1], -1, 3)
    return each[..., 0], each[..., 1], each[..., 2]


def _over_union(part: Floats, total: Floats, occurring: Floats) -> Floats:
    return share_of(share_of(part, total, empty=0.0).sum(axis=-1), (occurring > 0).sum(axis=-1))
