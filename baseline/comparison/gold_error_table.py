"""Golds that may be wrong as a table: what the gold is, what people and models say instead, and how surely."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from baseline.comparison.gold_contradictions import WRONG_GOLD, gold_errors_of, models_heard
from baseline.comparison.results import Results
from data.errors import BadSetting
from data.numbers import DASH, percent
from data.tables import Column, Table
from eval.ballots import Ballots
from eval.gold_errors import ERRORS

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

    @property
    def against(self) -> str:
        """How many of the votes are for the answer that speaks most against the gold."""
        return f"{self.votes.get(self.alternative or '', 0)} of {sum(self.votes.values())} votes"


@dataclass(frozen=True, eq=False)
class GoldErrorList:
    """The golds of a study, the most probably wrong first."""

    results: Results
    rows: tuple[GoldError, ...]

    @property
    def doubtful(self) -> tuple[GoldError, ...]:
        """The golds that answers speak against: those above what every gold is taken for before anybody answers."""
        return tuple(row for row in self.rows if row.wrong > ERRORS)


def gold_error_list(results: Results) -> GoldErrorList:
    """Return the list of a study; raises BadSetting where it has no gold or nobody has answered."""
    doubted = gold_errors_of(results)
    if not len(doubted.ranked):
        raise BadSetting(
            f"{results.study.name}: no item has both gold by which answers are scored and an answer, so no gold can be "
            "doubted."
        )
    models = {row.called: row.ballots for row in results.models if row.kind == "model"}
    rows = tuple(
        _row(results, row, float(doubted.wrong[row]), doubted.alternatives[row], models)
        for row in doubted.ranked.tolist()
    )
    return GoldErrorList(results, rows)


def _row(results: Results, row: int, wrong: float, alternative: str | None, models: Mapping[str, Ballots]) -> GoldError:
    votes, item = results.human.panel.votes, results.human.panel.votes.items[row]
    given = zip(votes.named(row), votes.counts[row].tolist(), strict=False)
    said = tuple(
        name for name, ballots in models.items() if alternative is not None and _label(ballots, row) == alternative
    )
    return GoldError(item, results.human.panel.gold[item], wrong, alternative, {k: n for k, n in given if n}, said)


def _label(said: Ballots, row: int) -> str | None:
    """Return the one answer of a ballot, None where there is none or several are level."""
    column = int(np.argmax(said.weights[row]))
    single = said.weights[row, column] == 1 and column < len(said.labels)
    return said.named(row)[column] if single else None


GOLD_ERRORS: tuple[Column[GoldError], ...] = (
    Column("item", "item", "", lambda row: row.item),
    Column("wrong", "gold wrong", WRONG_GOLD, lambda row: row.wrong, percent),
    Column("gold", "gold", "", lambda row: row.gold),
    Column(
        "instead", "instead", "The answer that speaks most against it", lambda row: row.alternative, lambda s: s or DASH
    ),
    Column("votes", "votes", "", lambda row: dict(row.votes), lambda votes: _votes_words(votes)),
    Column("models", "models for it", "", lambda row: list(row.models), lambda names: ", ".join(names) or DASH),
)


def _votes_words(votes: Any) -> str:
    return ", ".join(f"{label} {n}" for label, n in sorted(votes.items(), key=lambda pair: -pair[1])) or DASH


def gold_errors_or_none(results: Results) -> GoldErrorList | None:
    """Return the list of a study; None where no gold can be doubted."""
    try:
        return gold_error_list(results)
    except BadSetting:
        return None


def gold_error_tables(doubted: GoldErrorList, most: int) -> list[Table[GoldError]]:
    """Return the first of the golds that may be wrong, without models where the study has none; no table of nothing."""
    if not doubted.doubtful:
        return []
    heard = bool(models_heard(doubted.results))
    columns = [column for column in GOLD_ERRORS if heard or column.key != "models"]
    return [Table(CAPTION, columns, doubted.doubtful[:most])]


def released_gold_errors(doubted: GoldErrorList) -> Table[GoldError]:
    """Return the list as it may be published: items, probabilities and votes, but no gold."""
    columns: list[Column[GoldError]] = [
        *GOLD_ERRORS[:2],
        Column("against", "against it", "Votes for the answer that speaks most against it", lambda row: row.against),
        Column("models", "models against it", "", lambda row: len(row.models)),
    ]
    return Table(CAPTION, columns, doubted.doubtful)


def gold_error_notes(doubted: GoldErrorList) -> list[str]:
    """Return how the list is made."""
    return [
        f"{WRONG_GOLD} An order rather than a promise: people's answers are not quite independent.",
        *_none_listed(doubted),
    ]


def _none_listed(doubted: GoldErrorList) -> list[str]:
    if doubted.doubtful:
        return []
    return [
        f"No gold is listed: none of {len(doubted.rows)} is more probably wrong than the {ERRORS:.0%} that every gold "
        "is taken for before anybody answers."
    ]


def gold_error_dict(doubted: GoldErrorList) -> dict[str, Any]:
    """Return the whole list in the shape of `gold-errors --json`."""
    return {"study": doubted.results.study.name, "items": Table("", GOLD_ERRORS, doubted.rows).records}
