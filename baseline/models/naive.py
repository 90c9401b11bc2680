"""Models that do not read the question: what a score is worth begins above them."""

import random
from collections import Counter
from collections.abc import Sequence

from baseline.models.base import Kind, Model, Question, Reply, with_gold
from data.task import Item, Task


class Random(Model):
    """Each allowed answer is equally likely, drawn anew for every item and sample whatever the order of asking."""

    kind: Kind = "naive"

    def __init__(self, seed: int = 0) -> None:
        self.name = "random"
        self.settings = {"seed": seed}
        self._seed = seed

    async def reply(self, question: Question) -> Reply:
        """Return an answer that depends on the seed, the item's key and the sample alone."""
        fields, answer = question.item.fields, question.task.answer
        drawn = answer.draw(fields, random.Random(f"{self._seed}:{question.sample}:{question.key}"))
        return Reply(answer.show(drawn, fields))


class MajorityClass(Model):
    """Always the most frequent right answer of a train split; of equally frequent ones the first in canonical order."""

    kind: Kind = "naive"

    def __init__(self, task: Task, train: Sequence[Item] | None) -> None:
        self.name = "majority"
        counts = Counter(item.gold for item in with_gold(self.name, train))
        most = max(counts.values())
        # Answers that cannot be listed beforehand (free text) have the alphabet for an order.
        order = task.answer.labels() or sorted(label for label in counts if label)
        self._label = next(label for label in order if counts[label] == most)
        self.settings = {"train": counts.total(), "label": self._label}

    async def reply(self, question: Question) -> Reply:
        """Return the same answer to everything."""
        return Reply(question.task.answer.show(self._label, question.item.fields))
