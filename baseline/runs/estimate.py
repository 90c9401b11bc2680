"""What a run would ask and cost, reckoned before anything is sent."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Unpack

from baseline.models.base import Model
from baseline.runs.order import Options, Order, items_to_ask
from baseline.runs.resuming import FRESH, remind, same_run
from baseline.runs.reuse import Due, Lookup, looked_up, lookup, questions
from db.engine import Database, reading
from db.replies import Place, answered
from db.runs import Run
from db.studies import Study


@dataclass(frozen=True)
class Estimate:
    """How many answers a run has, how many are there, how many earlier replies give, and what the rest comes to.

    Tokens of prompts are words x fertility; those of replies are the most that replies may have. Costs are None where
    no price is known: the least is for the prompts alone, the most with the longest replies, thinking and all. `body`
    is the first request as it would be sent, None where none would be.
    """

    answers: int
    answered: int
    cached: int
    requests: int
    cut: int
    prompt_tokens: int
    completion_tokens_at_most: int
    cost_at_least: float | None
    cost_at_most: float | None
    currency: str = ""
    body: Mapping[str, Any] | None = None

    def as_dict(self) -> dict[str, object]:
        """Return it as `run --dry-run --json` prints it."""
        return asdict(self)

    def text(self) -> str:
        """Return it for a terminal."""
        lines = [
            f"answers {self.answers}: {self.answered} are there, {self.cached} come from earlier replies",
            f"requests {self.requests}: about {self.prompt_tokens} tokens of prompts, replies of "
            f"{self.completion_tokens_at_most} tokens at most",
        ]
        if self.cut:
            lines.append(f"{self.cut} prompts are too long and would be cut")
        if self.cost_at_least is None:
            lines.append("cost: no price is known; give a list of prices")
        else:
            lines.append(f"cost: {self.cost_at_least:.4f} to {self.cost_at_most:.4f} {self.currency}")
        if self.body is not None:
            lines.append(f"the first request: {json.dumps(self.body, ensure_ascii=False, indent=1)}")
        return "\n".join(lines)


def estimate(database: Database, *, study: Study, model: Model, **options: Unpack[Options]) -> Estimate:
    """Return what a run with these options would come to; nothing is stored and nothing is sent."""
    order = Order(**options)
    with reading(database) as session:
        items = items_to_ask(session, study=study, limit=order.limit)
        settings = order.settings(model, study.task, items)
        found = None if order.fresh else same_run(session, study=study, model=model, settings=settings)
        going_on = found if found and found.status != "complete" else None
        done: set[Place] = answered(session, run=going_on) if going_on else set()
        remind(session, model, fresh=order.fresh, samples=order.samples)
    due = questions(model, study.task, order.asking, items, order.samples, done)
    twice: list[Due] = []
    all_due = list(looked_up(due, _lookup(database, order, going_on), twice))
    sent = [one.request for one in all_due if one.request and not one.earlier]
    prompt = round(sum(request.words for request in sent) * order.asking.fertility)
    most = sum(request.most for request in sent)
    price = order.price
    return Estimate(
        answers=len(items) * order.samples,
        answered=len(done),
        cached=sum(one.earlier is not None for one in all_due) + len(twice),
        requests=len(sent),
        cut=sum(request.cut for request in sent),
        prompt_tokens=prompt,
        completion_tokens_at_most=most,
        cost_at_least=price.of(prompt, 0) if price else None,
        cost_at_most=price.of(prompt, most) if price else None,
        currency=price.currency if price else "",
        body=next((model.body(one.question) for one in all_due), None),
    )


def _lookup(database: Database, order: Order, going_on: Run | None) -> Lookup:
    """Return where the run would look for earlier replies: nowhere, in itself alone, or everywhere."""
    if order.fresh:
        return lambda _: {}
    own = going_on if going_on and going_on.settings.get(FRESH) else None
    return lookup(database, own)
