"""Naive baselines that do not read the question: scores mean something only above them."""

import random
from collections import Counter
from collections.abc import Sequence

from baseline.models.model import Kind, Model, ModelContext, Question, with_gold
from baseline.models.reply import Reply
from baseline.models.run_fields import NoSettings
from data.errors import BadAnswer, BadSetting
from data.task import Item, Task


class Random(Model):
    """Each allowed answer is equally likely, drawn anew for every item and sample whatever the order of asking."""

    kind: Kind = "naive"

    def __init__(self, name: str, settings: NoSettings, context: ModelContext) -> None:
        del settings
        self.name = name
        self._seed = context.seed or 0
        self.settings = {"seed": self._seed}

    async def reply(self, question: Question) -> Reply:
        """Return an answer that depends on the seed, the item's key and the sample alone."""
        fields = question.item.fields
        answer = question.task.answer_for(fields)
        sampled = answer.draw(fields, random.Random(f"{self._seed}:{question.sample}:{question.key}"))
        return Reply(answer.show(sampled, fields))


class MajorityClass(Model):
    """Always the most frequent right answer of a train split; of equally frequent ones the first in canonical order.

    Open answers are counted by what they mean; where the most frequent one does not fit every item of the train split
    (options of its own, places in its text) there is no such model, and that is said.
    """

    kind: Kind = "naive"

    def __init__(self, name: str, settings: NoSettings, context: ModelContext) -> None:
        del settings
        self.name = name
        task, known = context.task, with_gold(name, context.train)
        spelled: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for item in known:
            answer = task.answer_for(item.fields)
            best = answer.best(str(item.gold), item.fields)
            form = answer.folded(best)
            counts[form] += 1
            spelled[form] = min(best, spelled.get(form, best))
        most = max(counts.values())
        # Answers that cannot be listed beforehand (free text) have the alphabet for an order.
        order = task.answer.labels() or sorted(counts)
        self._label = spelled[next(form for form in order if counts[form] == most)]
        _check_fits(self.name, task, self._label, known)
        self.settings = {"train": counts.total(), "label": self._label}

    async def reply(self, question: Question) -> Reply:
        """Return the same answer to everything."""
        fields = question.item.fields
        return Reply(question.task.answer_for(fields).show(self._label, fields))


def _check_fits(name: str, task: Task, label: str, items: Sequence[Item]) -> None:
    """Refuse an answer that some of the items do not allow."""
    for item in items:
        try:
            fits = task.answer_for(item.fields).validate(label, item.fields) == label
        except BadAnswer:
            fits = False
        if not fits:
            raise BadSetting(
                f"the model {name!r} gives one answer to every item, and in task {task.id!r} each item has answers of "
                "its own; use the model random"
            )
