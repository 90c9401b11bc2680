"""Items of one file that stand in another: word for word, or with long stretches in common (shingles)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.task import UNSEEN_KINDS, Item, Task

SHINGLES = ((20, 8), (5, 3))
"""From so many words on an item is compared by shingles of so many words in a row, shorter ones word for word alone.

Eight words in a row are common to few texts that have nothing to do with each other; of a short item one word that
differs would hide too many of them, so those are compared by three.
"""
SHARE = 0.5
"""Of an item's shingles, so many must stand in the other file."""
WORD = re.compile(r"\w+")
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
Hashes = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SharedText:
    """An item that stands in another file as `other`: `share` of its shingles do, all of its words where `exact`.

    Of an item that several others share `other` is the one that has most of it.
    """

    item: str
    other: str
    exact: bool
    share: float


def word_for_word(task: Task, items: Sequence[Item], others: Sequence[Item]) -> set[str]:
    """Return the ids of the items that stand among the others exactly, as `shared_texts` says it, without shingles."""
    held = {tuple(_words(task, other)) for other in others} - {()}
    return {item.id for item in items if tuple(_words(task, item)) in held}


def shared_texts(task: Task, items: Sequence[Item], others: Sequence[Item]) -> list[SharedText]:
    """Return the items that stand among the others, in their order; the time is linear in the words of both.

    Exact: all texts are equal but for case, ё, punctuation and spaces. Else half of the item's shingles, of as many
    words as SHINGLES says, stand in the others.
    """
    said, also = [_words(task, item) for item in items], [_words(task, item) for item in others]
    first = {tuple(words): other.id for words, other in reversed(list(zip(also, others, strict=True)))}
    near: dict[int, tuple[int, float]] = {}
    most = max(map(len, said), default=0) + 1
    for least, width in SHINGLES:
        compared = [words if least <= len(words) < most else [] for words in said]
        near |= _near(compared, also, width) if any(compared) else {}
        most = least
    shared = []
    for place, (item, words) in enumerate(zip(items, said, strict=True)):
        if words and (other := first.get(tuple(words))) is not None:
            shared.append(SharedText(item.id, other, True, 1.0))
        elif place in near:
            source, share = near[place]
            shared.append(SharedText(item.id, others[source].id, False, share))
    return shared


def _words(task: Task, item: Item) -> list[str]:
    """Return the words that people read of an item: its texts and its options, not what is data about it."""
    shown = (field.name for field in task.fields if field.kind not in UNSEEN_KINDS or field.kind.startswith("option"))
    text = "\n".join(item.fields.get(name, "") for name in shown)
    question = (item.fields.get(field.name, "") for field in task.fields if field.kind == "question")
    return WORD.findall("\n".join((text, *question)).casefold().replace("ё", "е"))


def _near(said: Sequence[Sequence[str]], also: Sequence[Sequence[str]], width: int) -> dict[int, tuple[int, float]]:
    """Return the places of the texts of which enough shingles stand in others, with the other one and the share."""
    known: dict[str, int] = {}
    (held, owners), (asked, places) = _shingles(also, known, width), _shingles(said, known, width)
    unique, at = np.unique(held, return_index=True)
    indices = np.searchsorted(unique, asked)
    hit = np.zeros(len(asked), dtype=bool) if not len(unique) else unique[np.minimum(indices, len(unique) - 1)] == asked
    of, hits = (np.bincount(places[which], minlength=len(said)) for which in (slice(None), hit))
    shares = hits / np.maximum(of, 1)
    near = np.flatnonzero(shares >= SHARE).tolist()
    sources = _most_common(near, places[hit], owners[at[indices[hit]]] if len(unique) else owners)
    return {place: (source, float(shares[place])) for place, source in sources.items()}


def _shingles(texts: Iterable[Sequence[str]], known: dict[str, int], width: int) -> tuple[Hashes, Places]:
    """Return a hash of every `width` words in a row of each text, and whose it is; `known` numbers the words."""
    all_words = list(texts)
    lengths = np.fromiter(map(len, all_words), dtype=np.int64, count=len(all_words))
    numbers = (known.setdefault(word, len(known)) for words in all_words for word in words)
    codes = np.fromiter(numbers, dtype=np.uint64, count=int(lengths.sum()))
    owner = np.repeat(np.arange(len(all_words)), lengths)
    size = max(0, len(codes) - width + 1)
    hashes = np.zeros(size, dtype=np.uint64)
    for offset in range(width):
        mixed = (codes[offset : offset + size] + np.uint64(1)) * _FACTOR
        hashes = (hashes ^ mixed ^ (mixed >> np.uint64(29))) * _FACTOR + np.uint64(offset)
    within = owner[:size] == owner[width - 1 : width - 1 + size]
    return hashes[within], owner[:size][within]


def _most_common(near: Sequence[int], places: Places, owners: Places) -> dict[int, int]:
    """Return which other text each of these items has most shingles of."""
    order = np.argsort(places, kind="stable")
    starts, ends = (np.searchsorted(places[order], near, side=edge) for edge in ("left", "right"))
    times = {}
    for place, start, end in zip(near, starts.tolist(), ends.tolist(), strict=True):
        values, counts = np.unique(owners[order[start:end]], return_counts=True)
        times[place] = int(values[counts.argmax()])
    return times
