"""What is asked of a run: how many items, how often, in what wording, how fast, for how much money."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from baseline.models.base import Model
from baseline.models.messages import AS_IT_IS, Asking, check_shots
from baseline.models.prompts import prompt_hash
from baseline.runs.cost import Price
from baseline.runs.resuming import CURRENCY, FRESH, compared
from baseline.runs.shots import EXAMPLES, kept_with
from baseline.runs.templates import TEMPLATES, templates_of
from data.errors import BadSetting
from data.task import Task
from db.engine import Session
from db.items import StoredItem, list_items
from db.runs import Run
from db.studies import Study


def items_to_ask(session: Session, *, study: Study, limit: int | None) -> list[StoredItem]:
    """Return the first `limit` main items of a study, None for all of them; raises BadSetting where there are none."""
    items = list_items(session, study=study, role="main")[:limit]
    if not items:
        raise BadSetting(f"study {study.name!r} has no main items to ask about; add some first")
    return items


class Options(TypedDict, total=False):
    """The fields of an Order, as keywords."""

    limit: int | None
    samples: int
    asking: Asking
    concurrency: int
    fresh: bool
    reuse: bool
    price: Price | None
    max_cost: float | None


@dataclass(frozen=True)
class Order:
    """How a run is to be made.

    The first `limit` main items are asked `samples` times each, at most `concurrency` at once. `fresh` pays for every
    reply anew; `reuse` gives a complete run with the same settings back instead of making another one. No request is
    sent that could bring what was paid above `max_cost`, in the money of `price`.
    """

    limit: int | None = None
    samples: int = 1
    asking: Asking = AS_IT_IS
    concurrency: int = 16
    fresh: bool = False
    reuse: bool = False
    price: Price | None = None
    max_cost: float | None = None

    def __post_init__(self) -> None:
        asked = {"limit": self.limit, "samples": self.samples, "concurrency": self.concurrency}
        for name, number in (asked | {"context": self.asking.context}).items():
            if number is not None and number < 1:
                raise BadSetting(f"{name} is {number}; it must be 1 or more")
        if self.asking.fertility <= 0:
            raise BadSetting(f"fertility is {self.asking.fertility}; it is tokens a word, and must be above 0")
        if self.max_cost is not None and not self.max_cost >= 0:
            raise BadSetting(f"max-cost is {self.max_cost}; it must be 0 or more")

    def settings(self, model: Model, task: Task, items: list[StoredItem]) -> Mapping[str, Any]:
        """Return what makes it this run, as JSON gives it back; raises BadTask for a prompt that is none."""
        check_shots(task, self.asking.shots)
        settings = {
            **model.settings,
            "prompt": prompt_hash(task, items[0].item.public(), self.asking.variant),
            **self.asking.settings,
            "limit": self.limit,
            "samples": self.samples,
        }
        read: Mapping[str, Any] = json.loads(json.dumps(settings))
        return read

    def beside(self, model: Model, task: Task) -> Mapping[str, Any]:
        """Return what is stored with the run besides: paid anew or not, in what money, its words and examples."""
        words = {} if model.kind == "naive" else {TEMPLATES: templates_of(task, self.asking.variant)}
        shown = {EXAMPLES: kept_with(self.asking.shots)} if self.asking.shots else {}
        paid = {CURRENCY: self.price.currency} if self.price else {}
        return {FRESH: self.fresh, **paid, **words, **shown, **model.found}


@dataclass(frozen=True)
class Wanted:
    """One run that is asked for: its options, and the settings by which it is known in the database."""

    options: Options
    settings: Mapping[str, Any]

    def is_run(self, made: Run, model: str) -> bool:
        """Return whether a stored run is this one."""
        return made.model == model and compared(made) == self.settings
