"""People and models on one scale with the difficulty of the items, whoever answered which of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from baseline.comparison.results import Results
from baseline.human.deidentified import names_of
from data.errors import BadSetting
from eval.arrays import Floats
from eval.item_response.item_fit import ItemFit, item_fit
from eval.item_response.one_parameter import Scale, one_parameter
from eval.item_response.scored_responses import ScoredResponses
from eval.item_response.short_form import ShortForm, short_forms
from eval.item_scores import credit_of
from eval.metrics.table import metric_named

FEWEST_RESPONDENTS, FEWEST_ITEMS = 5, 10
FORMS = (10, 20, 50, 100)
MOST_CELLS = 2_000_000
"""Respondents times items above which the page and the report leave the scale to the command."""
MOST_REFITS = 2_000_000
"""Respondents times these above which they leave out short forms: each respondent means a scale anew."""


@dataclass(frozen=True, eq=False)
class RespondentScale:
    """The scale of some responses: who is how able, which item how hard and how well it fits, and short forms.

    `called` is what people read of a respondent, where that is not its name; `left_out` are naive baselines, which have
    no place on it.
    """

    title: str
    kinds: tuple[str, ...]
    responses: ScoredResponses
    scale: Scale
    fit: ItemFit
    forms: tuple[ShortForm, ...]
    called: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def offers_scale(results: Results) -> bool:
    """Whether the page and the report of a study have a scale: enough respondents, not too much for who waits."""
    panel = results.human.panel
    if not panel.gold or not results.study.task.answer.has_right or not len(panel.votes):
        return False
    busy = (np.bincount(panel.votes.worker) >= FEWEST_ITEMS).sum() + sum(row.kind == "model" for row in results.models)
    size = (len(panel.votes.workers) + len(results.models)) * len(panel.votes.items)
    return bool(busy >= FEWEST_RESPONDENTS and size <= MOST_CELLS and not why_no_scale(results))


def quick_scale(results: Results) -> RespondentScale:
    """Return the scale of a study for somebody who waits: short forms where they take seconds alone."""
    responses, kinds = responses_of_study(results)
    few = responses.right.size * len(kinds) <= MOST_REFITS
    return _named(results, scale_of(results.study.name, responses, kinds, forms=few))


def why_no_scale(results: Results) -> str:
    """Return why a study gives no scale, "" where it does."""
    if not results.human.panel.gold or not results.study.task.answer.has_right:
        return "no item has a right answer."
    respondents = len(responses_of_study(results)[0].respondents)
    if respondents < FEWEST_RESPONDENTS:
        return (
            f"a scale takes {FEWEST_RESPONDENTS} respondents with {FEWEST_ITEMS} answers or more to items with gold, "
            f"and there are {respondents}."
        )
    return ""


def scale_of_study(results: Results, *, forms: bool = True) -> RespondentScale:
    """Return people one by one and models on one scale; raises BadSetting with the reason where there is none."""
    if why := why_no_scale(results):
        raise BadSetting(f"{results.study.name}: {why}")
    responses, kinds = responses_of_study(results)
    return _named(results, scale_of(results.study.name, responses, kinds, forms=forms))


def _named(results: Results, scale: RespondentScale) -> RespondentScale:
    """Return the scale with what models are called, and which of them have no place on it."""
    left_out = tuple(row.called for row in results.models if row.kind == "naive")
    return replace(scale, called={row.name: row.called for row in results.models}, left_out=left_out)


def scale_of(title: str, responses: ScoredResponses, kinds: tuple[str, ...], *, forms: bool = True) -> RespondentScale:
    """Return the scale of responses; raises BadSetting where there are too few."""
    scale = one_parameter(responses)
    made = short_forms(responses, scale, FORMS) if forms else ()
    return RespondentScale(title, kinds, responses, scale, item_fit(responses, scale), tuple(made))


def responses_of_study(results: Results) -> tuple[ScoredResponses, tuple[str, ...]]:
    """Return who had which item with gold right, of everybody with enough answers, and the kind of each.

    An answer is right where accuracy gives it full credit. Naive baselines say nothing of items.
    """
    panel = results.human.panel
    votes, gold = panel.votes, panel.gold
    known = np.array([item in gold for item in votes.items], dtype=bool)
    right = credit_of(metric_named("accuracy"), gold, votes) if known.any() else np.zeros(votes.counts.shape)
    rows: list[tuple[str, str, Floats]] = []
    called = names_of(results.study, votes.workers)
    everybody = np.full((len(votes.workers), len(votes.items)), np.nan)
    everybody[votes.worker, votes.item] = right[votes.item, votes.label] >= 1
    rows += [(called[name], "people", each) for name, each in zip(votes.workers, everybody, strict=True)]
    for row in results.models:
        said = row.ballots.on(votes.items)
        worth = credit_of(metric_named("accuracy"), gold, said) if known.any() else np.zeros(said.weights[:, :-1].shape)
        asked = said.weights.sum(axis=1) > 0
        full = (said.weights[:, :-1] * worth).sum(axis=1) >= said.weights.sum(axis=1)
        if row.kind == "model":
            rows.append((row.name, "models", np.where(asked, full, np.nan)))
    kept = [(name, kind, each[known]) for name, kind, each in rows if (~np.isnan(each[known])).sum() >= FEWEST_ITEMS]
    items = tuple(item for item, has in zip(votes.items, known, strict=True) if has)
    table = np.array([each for _, _, each in kept]).reshape(len(kept), len(items))
    answered = ~np.isnan(table).all(axis=0)
    names = tuple(name for name, _, _ in kept)
    responses = ScoredResponses(names, tuple(np.array(items, dtype=object)[answered]), table[:, answered])
    return responses, tuple(kind for _, kind, _ in kept)
