"""Rankings of the competitors of a study of pairs: people's, and beside it that of each model that judged the same."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from baseline.comparison.results import Respondent, Results
from data.answers.pairwise import TIE, Pairwise
from data.errors import BadSetting
from db import frames
from db.engine import Session
from eval.arrays import Codes
from eval.ballots import Ballots
from eval.intervals.clusters import Clusters, cluster_codes
from eval.ranking.pairs import Comparisons
from eval.ranking.ranking import Ranking, RankingRules, Units, ranking
from eval.ranking.two_rankings import TwoRankings, two_rankings

SCORES = {"0": 1.0, "1": 0.0, TIE: 0.5}
PEOPLE = "people"


@dataclass(frozen=True, eq=False)
class JudgedRanking:
    """The ranking that one respondent's judgments give, and beside people's (None for people, and for too few).

    `words` is what the respondent is called where people read.
    """

    name: str
    words: str
    kind: str
    ranking: Ranking
    beside: TwoRankings | None


@dataclass(frozen=True, eq=False)
class PairRankings:
    """The rankings of a study, people's first where people judged; `unit` is what samples are made of."""

    results: Results
    rules: RankingRules
    judged: tuple[JudgedRanking, ...]
    unit: str

    @property
    def first(self) -> Ranking:
        """The ranking that competitors are listed by."""
        return self.judged[0].ranking

    @property
    def names(self) -> tuple[str, ...]:
        """The competitors."""
        return self.first.names


def why_no_ranking(results: Results) -> str:
    """Return why a study gives no ranking, "" where it does."""
    answer = results.study.task.answer
    if not isinstance(answer, Pairwise):
        return f"its answers are of the kind {answer.kind!r}; a ranking is made of pairs (the kind 'pairwise')."
    if not answer.competitors:
        return "its task does not say whose texts are compared; name the two fields as `competitors` under [answer]."
    if not len(results.human.panel.votes) and not results.models:
        return "nobody has judged a pair yet."
    return ""


def rankings_or_none(session: Session, results: Results) -> PairRankings | None:
    """Return the rankings of a study as its page and its report show them; None where it gives none."""
    return None if why_no_ranking(results) else pair_rankings(session, results)


def pair_rankings(session: Session, results: Results, rules: RankingRules | None = None) -> PairRankings:
    """Return the rankings of a study; raises BadSetting with the reason where there is none.

    Without `rules` they are those of the page: the usual ones, drawn from the study's own seed.
    """
    rules = rules or RankingRules(seed=results.human.panel.rules.seed)
    if why := why_no_ranking(results):
        raise BadSetting(f"{results.study.name}: {why}")
    fields = frames.items(session, study=results.study, fields=True)
    competitors = _competitors(results, dict(zip(fields["item"], fields["fields"], strict=True)))
    clusters = results.human.panel.resampling.clusters
    rankings: list[JudgedRanking] = []
    for name, words, kind, comparisons in _judgments(results, competitors):
        if len(comparisons):
            own = ranking(comparisons, rules, clusters=_units(comparisons, competitors.items, clusters))
            people = rankings[0].ranking if rankings and rankings[0].kind == PEOPLE else None
            rankings.append(JudgedRanking(name, words, kind, own, two_rankings(people, own) if people else None))
    if not rankings:
        raise BadSetting(f"{results.study.name}: nobody has judged a pair yet.")
    return PairRankings(results, rules, tuple(rankings), clusters.unit if clusters else "pair")


@dataclass(frozen=True, eq=False)
class _Competitors:
    """The competitors, and the codes of the two of each item (N,)."""

    items: tuple[str, ...]
    names: tuple[str, ...]
    first: Codes
    second: Codes


def _competitors(results: Results, fields: Mapping[str, Mapping[str, str]]) -> _Competitors:
    answer, items = results.study.task.answer, results.human.panel.votes.items
    assert isinstance(answer, Pairwise)
    two = [[fields[item][name] for item in items] for name in answer.competitors]
    names = tuple(sorted({*two[0], *two[1]}))
    place = {name: code for code, name in enumerate(names)}
    first, second = (np.array([place[name] for name in each], dtype=np.int32) for each in two)
    return _Competitors(items, names, first, second)


def _judgments(results: Results, competitors: _Competitors) -> Iterator[tuple[str, str, str, Comparisons]]:
    """Yield each respondent, its words and its kind with its judgments; no competitor meets itself."""
    votes = results.human.panel.votes
    scores = np.array([SCORES.get(label, np.nan) for label in votes.labels])
    yield PEOPLE, PEOPLE, PEOPLE, _comparisons(competitors, votes.item, scores[votes.label], votes.worker)
    models = [row for row in results.models if row.kind == "model"] or list(results.models)
    for row in models:
        item, score = _preferences(row, competitors.items)
        yield (
            row.name,
            row.called,
            row.kind,
            _comparisons(competitors, item, score, np.zeros(len(item), dtype=np.int32)),
        )


def _preferences(row: Respondent, items: tuple[str, ...]) -> tuple[Codes, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Return the places of the items on which a model chose, and what the first of the two got."""
    ballots: Ballots = row.ballots.on(items)
    weights = ballots.weights[:, :-1]
    answered = np.flatnonzero(weights.sum(axis=1) > 0)
    worth = np.array([SCORES.get(label, np.nan) for label in ballots.labels])
    given = weights[answered] @ worth / weights[answered].sum(axis=1)
    return answered.astype(np.int32), np.where((given > 0) & (given < 1), 0.5, given)


def _comparisons(
    competitors: _Competitors, item: Codes, score: np.ndarray[tuple[int], np.dtype[np.float64]], worker: Codes
) -> Comparisons:
    first, second = competitors.first[item], competitors.second[item]
    comparisons = Comparisons(competitors.names, first, second, score, item, worker, len(competitors.items))
    return comparisons.keep(first != second)


def _units(comparisons: Comparisons, items: tuple[str, ...], clusters: Clusters | None) -> Units | None:
    if clusters is None:
        return None
    cluster = cluster_codes(items, clusters)
    return Units(cluster[comparisons.pair].astype(np.int32), int(cluster.max(initial=-1)) + 1)
