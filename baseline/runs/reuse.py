"""The questions that a run has still to ask, each with the reply of an earlier run where there is one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from baseline.models.model import Question
from baseline.runs.planned_runs import Due, PlannedRun
from db.engine import Database, reading
from db.runs import Prediction, Run
from db.stored_replies import ItemSample, earlier_replies

AT_ONCE = 16
"""Questions made and looked up in one go: the replies that come in meanwhile wait for as long."""
Lookup = Callable[[Sequence[str]], dict[str, Prediction]]


def lookup(database: Database, run: Run | None) -> Lookup:
    """Return a function that finds the replies to requests, of all runs or of `run` alone."""

    def replies_to(requests: Sequence[str]) -> dict[str, Prediction]:
        with reading(database) as session:
            return earlier_replies(session, requests=requests, run=run)

    return replies_to


def questions(planned: PlannedRun, done: set[ItemSample]) -> Iterator[Due]:
    """Yield every question whose place is not done, in the order of the items, without looking for replies."""
    samples = planned.settings.samples
    for stored in planned.items:
        item, asked = stored.item, None
        for sample in range(samples):
            if (stored.key, sample) in done:
                continue
            if asked:
                asked = asked.again(sample)
            else:
                asked = Question(planned.study.task, item.public(), item.id, sample, planned.prompt_options, samples)
            yield Due(stored, asked, planned.model.request(asked))


def looked_up(
    due: Iterator[Due], find: Lookup, later: list[Due] | None = None, *, at_once: int = AT_ONCE
) -> Iterator[Due]:
    """Yield questions with the reply of before, a few taken together since each look into the database costs.

    Where `later` is given, a request that was yielded already goes there instead: two equal items are paid for once.
    """
    seen: set[str] = set()
    while several := list(islice(due, at_once)):
        replies = replies_before(
            {question.request.asked: question.request.keys for question in several if question.request}, find
        )
        for question in several:
            asked = question.request.asked if question.request else None
            if asked is not None and asked in seen and later is not None:
                later.append(question)
                continue
            if asked is not None and later is not None:
                seen.add(asked)
            earlier = replies.get(asked) if asked else None
            yield question._replace(earlier=earlier) if earlier else question


def replies_before(requests: Mapping[str, Sequence[str]], find: Lookup) -> dict[str, Prediction]:
    """Return the reply to each request that has one: to the very same, else to another form of it.

    `requests` are the keys of each, that of the very same first, by the key it was asked with.
    """
    replies = find([keys[0] for keys in requests.values()]) if requests else {}
    others = [key for same, *rest in requests.values() if same not in replies for key in rest]
    replies |= find(others) if others else {}
    known = requests.items() if replies else ()
    return {
        asked: next(replies[key] for key in keys if key in replies)
        for asked, keys in known
        if not replies.keys().isdisjoint(keys)
    }
