"""What a run would ask and cost, reckoned before anything is sent."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from baseline.runs.dispatcher import Due, looked_up, lookup, questions
from baseline.runs.planned_runs import PlannedRun
from baseline.runs.run_settings import FRESH
from baseline.runs.runner import remind
from db.engine import Database, reading
from db.runs import ItemSample, answered_samples


@dataclass(frozen=True)
class RunEstimate:
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


def estimate(database: Database, planned: PlannedRun) -> RunEstimate:
    """Return what a run would come to; nothing is stored and nothing is sent."""
    model, settings, price = planned.model, planned.settings, planned.price
    earlier = None if settings.fresh else planned.among(planned.runs)
    going_on = earlier if earlier and earlier.status != "complete" else None
    with reading(database) as session:
        done: set[ItemSample] = answered_samples(session, run=going_on) if going_on else set()
        remind(session, planned)
    twice: list[Due] = []
    # A fresh run that goes on looks for earlier replies in itself alone.
    alone = going_on if going_on and going_on.settings.get(FRESH) else None
    find = (lambda _: {}) if settings.fresh else lookup(database, alone)
    all_due = list(looked_up(questions(planned, done), find, twice))
    sent = [due_request.request for due_request in all_due if due_request.request and not due_request.earlier]
    prompt = round(sum(request.prompt.words for request in sent) * settings.fertility)
    most = sum(request.most for request in sent)
    return RunEstimate(
        answers=planned.answers,
        answered=len(done),
        cached=sum(due_request.earlier is not None for due_request in all_due) + len(twice),
        requests=len(sent),
        cut=sum(request.prompt.cut for request in sent),
        prompt_tokens=prompt,
        completion_tokens_at_most=most,
        cost_at_least=price.of(prompt, 0) if price else None,
        cost_at_most=price.of(prompt, most) if price else None,
        currency=price.currency if price else "",
        body=next((model.body(due_request.question) for due_request in all_due), None),
    )
