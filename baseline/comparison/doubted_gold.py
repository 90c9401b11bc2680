"""Golds that people and models contradict: how probably each is wrong, and what is said instead."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaincc

from baseline.comparison.document import Section
from baseline.comparison.results import Results
from data.errors import BadSetting
from data.numbers import DASH, percent
from data.tables import Column, Table
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.gold_errors import ERRORS, GoldErrors, gold_errors
from eval.metrics.table import metric_named
from eval.tally import credit_of
from eval.votes import Votes

LEAST = 3
"""Fewer votes than this contradict nothing."""
RULE = (
    f"At least {LEAST} kept votes, more than half of them for one answer, and that answer is not right by the gold. "
    "“Sure” is the probability that most people would give it: the upper half of Beta(1 + votes for it, 1 + votes "
    "against it)."
)

WRONG_GOLD = (
    "How probably the gold is wrong: everybody's answer weighs by how often that worker or model is right elsewhere; "
    "people's weights add up, all models together weigh as one."
)
CAPTION = f"Golds that may be wrong, those above {ERRORS:.0%}"


@dataclass(frozen=True)
class GoldError:
    """One item: its gold, how probably that is wrong, the answer against it, its votes, the models that give it."""

    item: str
    gold: str
    wrong: float
    alternative: str | None
    votes: Mapping[str, int]
    models: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class GoldErrorList:
    """The golds of a study, the most probably wrong first."""

    results: Results
    rows: tuple[GoldError, ...]

    @property
    def doubtful(self) -> tuple[GoldError, ...]:
        """The golds that answers speak against: those above what every gold is taken for before anybody answers."""
        return tuple(row for row in self.rows if row.wrong > ERRORS)


def gold_errors_of(results: Results) -> GoldErrors:
    """Return how probably each gold of a study is wrong, by its kept people and its models; naive ones say nothing."""
    panel = results.human.panel
    return gold_errors(panel.votes, list(_models_heard(results).values()), panel.gold)


def _models_heard(results: Results) -> dict[str, Ballots]:
    """Return the answers of the models that speak for or against the gold, by what they are called."""
    return {row.called: row.ballots for row in results.models if row.kind == "model"}


def contradiction_probabilities(votes: Votes, gold: Mapping[str, str]) -> Floats:
    """Return for each item (N,) the probability in RULE, NaN where people do not contradict the gold so."""
    full = np.full(len(votes.items), np.nan)
    if not votes.counts.size or not gold:
        return full
    total, top = votes.counts.sum(axis=1), votes.counts.argmax(axis=1)
    most = votes.counts.max(axis=1)
    rows = np.flatnonzero((total >= LEAST) & (2 * most > total))
    rows = rows[[votes.items[row] in gold for row in rows.tolist()]] if len(rows) else rows
    weights = np.zeros((len(rows), len(votes.labels) + 1))
    weights[np.arange(len(rows)), top[rows]] = 1
    names = None if votes.names is None else tuple(votes.names[row] for row in rows.tolist())
    said = Ballots(tuple(votes.items[row] for row in rows.tolist()), votes.labels, weights, names)
    right = (weights[:, :-1] * credit_of(metric_named("accuracy"), gold, said)).sum(axis=1)
    against = rows[right == 0]
    full[against] = betaincc(1 + most[against], 1 + total[against] - most[against], 0.5)
    return full


def agreeing_models(said: Mapping[str, str | None], people: str) -> list[str]:
    """Return the names of those whose one answer is that of the people; `said` holds None for no one answer."""
    return [name for name, answer in said.items() if answer == people]


def gold_error_list(results: Results) -> GoldErrorList:
    """Return the list of a study; raises BadSetting where it has no gold or nobody has answered."""
    doubted = gold_errors_of(results)
    if not len(doubted.ranked):
        raise BadSetting(
            f"{results.study.name}: no item has both gold by which answers are scored and an answer, so no gold can be "
            "doubted."
        )
    votes, gold, models, rows = results.human.panel.votes, results.human.panel.gold, _models_heard(results), []
    for row in doubted.ranked.tolist():
        item, instead = votes.items[row], doubted.alternatives[row]
        given = zip(votes.named(row), votes.counts[row].tolist(), strict=False)
        said = tuple(
            name for name, ballots in models.items() if instead is not None and _label(ballots, row) == instead
        )
        wrong = float(doubted.wrong[row])
        rows.append(GoldError(item, gold[item], wrong, instead, {label: n for label, n in given if n}, said))
    return GoldErrorList(results, tuple(rows))


def _label(said: Ballots, row: int) -> str | None:
    """Return the one answer of a ballot, None where there is none or several are level."""
    column = int(np.argmax(said.weights[row]))
    single = said.weights[row, column] == 1 and column < len(said.labels)
    return said.named(row)[column] if single else None


def _votes_words(votes: Mapping[str, int]) -> str:
    return ", ".join(f"{label} {n}" for label, n in sorted(votes.items(), key=lambda pair: -pair[1])) or DASH


GOLD_ERRORS: tuple[Column[GoldError], ...] = (
    Column("item", "item", "", lambda row: row.item),
    Column("wrong", "gold wrong", WRONG_GOLD, lambda row: row.wrong, percent),
    Column("gold", "gold", "", lambda row: row.gold),
    Column(
        "instead", "instead", "The answer that speaks most against it", lambda row: row.alternative, lambda s: s or DASH
    ),
    Column("votes", "votes", "", lambda row: dict(row.votes), _votes_words),
    Column("models", "models for it", "", lambda row: list(row.models), lambda names: ", ".join(names) or DASH),
)


def gold_errors_or_none(results: Results) -> GoldErrorList | None:
    """Return the list of a study; None where no gold can be doubted."""
    try:
        return gold_error_list(results)
    except BadSetting:
        return None


def gold_error_section(doubted: GoldErrorList, most: int) -> Section:
    """Return the first of the golds that may be wrong, without models where the study has none; no table of nothing."""
    how = f"{WRONG_GOLD} An order rather than a promise: people's answers are not quite independent."
    if not doubted.doubtful:
        none = (
            f"No gold is listed: none of {len(doubted.rows)} is more probably wrong than the {ERRORS:.0%} that every "
            "gold is taken for before anybody answers."
        )
        return Section(notes=(how, none))
    heard = bool(_models_heard(doubted.results))
    columns = [column for column in GOLD_ERRORS if heard or column.key != "models"]
    return Section(notes=(how,), tables=(Table(CAPTION, columns, doubted.doubtful[:most]),))


def _votes_against(row: GoldError) -> str:
    return f"{row.votes.get(row.alternative or '', 0)} of {sum(row.votes.values())} votes"


def released_gold_errors(doubted: GoldErrorList) -> Table[GoldError]:
    """Return the list as it may be published: items, probabilities and votes, but no gold."""
    columns: list[Column[GoldError]] = [
        *GOLD_ERRORS[:2],
        Column("against", "against it", "Votes for the answer that speaks most against it", _votes_against),
        Column("models", "models against it", "", lambda row: len(row.models)),
    ]
    return Table(CAPTION, columns, doubted.doubtful)


def gold_error_dict(doubted: GoldErrorList) -> dict[str, Any]:
    """Return the whole list in the shape of `gold-errors --json`."""
    return {"study": doubted.results.study.name, "items": Table("", GOLD_ERRORS, doubted.rows).records}
