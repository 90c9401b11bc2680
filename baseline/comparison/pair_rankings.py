"""Rankings of the competitors of a study of pairs: people's, and beside it that of each model that judged the same."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from baseline.comparison.document import Section, ends
from baseline.comparison.results import Results
from baseline.runs.reply_queue import JudgedReplies, judging_of, writers_of
from data.answers.answer_type import AnswerType
from data.answers.form import by_criterion, criteria
from data.answers.pairwise import TIE, Pairwise
from data.errors import BadSetting
from data.numbers import DASH, MINUS, SIGNIFICANT, counted, number, p_value, with_interval
from data.tables import Column, Table
from data.wording import MODELS_READ, enumerated
from db import frames
from db.engine import Session
from eval.arrays import Codes, Floats, Integers, number_or_none
from eval.ballots import Ballots
from eval.estimate import Interval
from eval.intervals.clusters import Clusters, cluster_codes
from eval.ranking.pairs import Comparisons
from eval.ranking.ranking import Ranking, RankingRules, Units, ranking
from eval.ranking.two_rankings import TwoRankings, two_rankings
from eval.votes import Votes

SCORES = {"0": 1.0, "1": 0.0, TIE: 0.5}
PEOPLE = "people"
MOST_PARTS = 10
ENDLESS = "∞"


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

    @property
    def who(self) -> str:
        """Who judged: how many people, by which criterion where there are several, or a model."""
        number = counted(self.ranking.judges, "person", "people")
        return self.words.replace(PEOPLE, number, 1) if self.kind == PEOPLE else self.words


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
    def leading(self) -> tuple[JudgedRanking, ...]:
        """People's rankings, one by each criterion; where nobody was asked, that of the first judge."""
        return tuple(one for one in self.judged if one.kind == PEOPLE) or self.judged[:1]

    @property
    def names(self) -> tuple[str, ...]:
        """The competitors."""
        return self.first.names


def why_no_ranking(results: Results) -> str:
    """Return why a study gives no ranking, "" where it does."""
    answer = results.study.task.answer
    if not any(isinstance(asked, Pairwise) for _, _, asked in criteria(answer)):
        return f"its answers have the type {answer.kind!r}; a ranking needs pairs (the type 'pairwise')."
    if not pairs_asked(answer):
        return "its task does not name the fields of the two competitors; set `competitors` under [answer]."
    if not len(results.panel.votes) and not results.models:
        return "nobody has judged a pair yet."
    return ""


def pairs_asked(answer: AnswerType) -> list[tuple[str, str, Pairwise]]:
    """Return the name and the words of each criterion by which competitors are compared, all by the same fields."""
    each = [(name, words, asked) for name, words, asked in criteria(answer) if isinstance(asked, Pairwise)]
    return [one for one in each if one[2].competitors and one[2].competitors == each[0][2].competitors]


def rankings_or_none(session: Session, results: Results) -> PairRankings | None:
    """Return the rankings of a study as its page and its report show them; None where it gives none."""
    return None if why_no_ranking(results) else pair_rankings(session, results)


def pair_rankings(session: Session, results: Results, rules: RankingRules | None = None) -> PairRankings:
    """Return the rankings of a study; raises BadSetting with the reason where there is none.

    Without `rules` they are those of the page: the usual ones, drawn from the study's own seed.
    """
    rules = rules or RankingRules(seed=results.panel.rules.seed)
    if why := why_no_ranking(results):
        raise BadSetting(f"{results.study.name}: {why}")
    fields = frames.fields_of_items(session, study=results.study)
    clusters = results.panel.resampling.clusters
    rankings: list[JudgedRanking] = []
    people: Ranking | None = None
    judged = JudgedPairs.of(results, fields, judging_of(session, results.study))
    for name, words, kind, comparisons in _judgments(results, judged):
        if len(comparisons):
            own = ranking(comparisons, rules, clusters=_units(comparisons, judged.items, clusters))
            beside = two_rankings(people, own) if people and kind != PEOPLE else None
            people = own if kind == PEOPLE else people
            rankings.append(JudgedRanking(name, words, kind, own, beside))
    if not rankings:
        raise BadSetting(f"{results.study.name}: nobody has judged a pair yet.")
    return PairRankings(results, rules, tuple(rankings), clusters.unit if clusters else "pair")


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """Who meets whom in each pair that was judged: several couples where models wrote the same text.

    `couples` (C x 3) are the place of the pair and the codes of the two; behind the pairs of the study stand those of
    `ties`, two models with the same text each: nobody was asked, and they count as often as the others are judged.
    """

    names: tuple[str, ...]
    items: tuple[str, ...]
    couples: Integers
    ties: int
    overlap: int

    @staticmethod
    def of(results: Results, fields: Mapping[str, Mapping[str, str]], judging: JudgedReplies | None) -> "JudgedPairs":
        """Return the pairs of a study."""
        items, ties = results.panel.votes.items, judging.ties if judging else ()
        _, _, answer = pairs_asked(results.study.task.answer)[0]
        titles = {each.name: [each.title.within(MODELS_READ)] for each in results.study.task.fields}
        of_fields = answer.competitors == answer.option_fields
        two = [
            [titles[name] if of_fields else writers_of(fields[item], name) for name in answer.competitors]
            for item in items
        ]
        two += [[[one], [other]] for _, one, other in ties]
        names = tuple(sorted({name for sides in two for side in sides for name in side}))
        place = {name: code for code, name in enumerate(names)}
        met = [(n, place[a], place[b]) for n, (one, other) in enumerate(two) for a, b in product(one, other) if a != b]
        every = (*items, *(f"{item}={n}" for n, (item, *_) in enumerate(ties)))
        couples = np.array(met, dtype=np.int64).reshape(-1, 3)
        return JudgedPairs(names, every, couples, len(ties), results.study.settings.overlap)

    def compared(self, item: Codes, score: Floats, worker: Codes, *, overlap: int = 1) -> Comparisons:
        """Return judgments of pairs (J,), and the ties as if `overlap` of those who judged had been asked."""
        judges = np.unique(worker)
        tied = np.repeat(np.arange(len(self.items) - self.ties, len(self.items)), overlap if len(judges) else 0)
        pair, points = np.concatenate([item, tied]), np.concatenate([score, np.full(len(tied), 0.5)])
        judge = np.concatenate([worker, judges[np.arange(len(tied)) % max(1, len(judges))]])
        number = np.bincount(self.couples[:, 0], minlength=len(self.items))
        row = np.repeat(np.arange(len(pair)), number[pair])
        nth = np.arange(len(row)) - np.repeat(np.cumsum(number[pair]) - number[pair], number[pair])
        met = self.couples[(np.cumsum(number) - number)[pair[row]] + nth].astype(np.int32)
        return Comparisons(
            self.names, met[:, 1], met[:, 2], points[row], met[:, 0], judge[row].astype(np.int32), len(self.items)
        )


def _judgments(results: Results, judged: JudgedPairs) -> Iterator[tuple[str, str, str, Comparisons]]:
    """Yield each respondent, its words and its kind with its judgments by each criterion, people first.

    No competitor meets itself.
    """
    votes, answer = results.panel.votes, results.study.task.answer
    asked = pairs_asked(answer)
    for criterion, title, _ in asked:
        on = f" on “{title}”" if len(asked) > 1 else ""
        given = _worth(votes, answer, criterion, len(votes.labels))[votes.item, votes.label]
        said = ~np.isnan(given)
        compared = judged.compared(votes.item[said], given[said], votes.worker[said], overlap=judged.overlap)
        yield f"{PEOPLE}{on}", f"{PEOPLE}{on}", PEOPLE, compared
        for row in [row for row in results.models if row.kind == "model"] or results.models:
            ballots = row.ballots.on(votes.items)
            worth = _worth(ballots, answer, criterion, ballots.weights.shape[1] - 1)
            weights = np.where(np.isnan(worth), 0, ballots.weights[:, :-1])
            answered = np.flatnonzero(weights.sum(axis=1) > 0).astype(np.int32)
            given = (weights * np.nan_to_num(worth)).sum(axis=1)[answered] / weights[answered].sum(axis=1)
            score = np.where((given > 0) & (given < 1), 0.5, given)
            judge = np.zeros(len(answered), dtype=np.int32)
            yield f"{row.name}{on}", f"{row.called}{on}", row.kind, judged.compared(answered, score, judge)


def _worth(given: Votes | Ballots, answer: AnswerType, criterion: str, most: int) -> Floats:
    """Return what the first of two competitors gets by each answer to each item (N, `most`)."""

    @cache  # most items have the same labels
    def points(labels: tuple[str, ...]) -> list[float]:
        said = [by_criterion(answer, label, criterion) for label in labels]
        return [SCORES.get(label or "", np.nan) for label in said] + [np.nan] * (most - len(labels))

    return np.array([points(given.named(row)) for row in range(len(given.items))]).reshape(-1, most)


def _units(comparisons: Comparisons, items: tuple[str, ...], clusters: Clusters | None) -> Units | None:
    if clusters is None:
        return None
    wholes = {item: clusters.of[item] if item in clusters.of else item.rpartition("=")[0] for item in items}
    cluster = cluster_codes(items, Clusters(clusters.unit, wholes))
    return Units(cluster[comparisons.pair].astype(np.int32), int(cluster.max(initial=-1)) + 1)


@dataclass(frozen=True)
class RankedCompetitor:
    """A competitor in one ranking: its place `at` in the codes of the ranking."""

    ranking: Ranking
    at: int

    @property
    def ci(self) -> Interval:
        """The interval of its strength."""
        low, high = self.ranking.ci[self.at]
        return float(low), float(high)

    @property
    def ranks(self) -> tuple[int, int]:
        """Between which ranks it may be."""
        low, high = self.ranking.ranges[self.at]
        return int(low), int(high)


@dataclass(frozen=True)
class Parting:
    """A competitor that people and a judge rank differently, beyond chance."""

    judge: JudgedRanking
    name: str
    people: int
    theirs: int
    apart: float
    ci: Interval
    p: float


def strength_words(value: float, ends: Interval) -> str:
    """Return a strength with its interval; an end that there is not is infinite.

    >>> strength_words(-0.5, (-1.2, 0.25)), strength_words(3.0, (1.5, float("inf")))
    ('−0.50 (−1.20 to 0.25)', '3.00 (1.50 to ∞)')
    """
    if np.isnan(value):
        return DASH
    low, high = map(_end, ends)
    return _end(value) + ("" if np.isnan(ends[0]) else f" ({low} to {high})")


def _end(value: float) -> str:
    words = ENDLESS if np.isinf(value) else f"{abs(value):.2f}"
    return MINUS + words if value < 0 and words != "0.00" else words


def ranks_words(ends: Sequence[int]) -> str:
    """Return ranks as a range."""
    return DASH if not ends[1] else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}–{ends[1]}"


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


COMPETITORS: tuple[Column[RankedCompetitor], ...] = (
    Column("rank", "rank", "Within its group", lambda row: int(row.ranking.rank[row.at]) or None, lambda v: v or DASH),
    Column(
        "ranks", "may be", "The ranks in 95% of samples", lambda row: list(row.ranks), ranks_words, ("read", "json")
    ),
    Column("rank_low", "may be from", "", lambda row: row.ranks[0] or None, forms=("csv",)),
    Column("rank_high", "to", "", lambda row: row.ranks[1] or None, forms=("csv",)),
    Column("competitor", "competitor", "", lambda row: row.ranking.names[row.at]),
    Column(
        "strength",
        "strength, log",
        "The logarithm of Bradley and Terry's strength, the mean being 0, with its 95% interval",
        lambda row: _finite(row.ranking.log[row.at]),
        read=lambda row: strength_words(float(row.ranking.log[row.at]), row.ci),
    ),
    Column("ci", "", "", lambda row: [_finite(end) for end in row.ci], forms=("json",)),
    *ends(lambda row: row.ci),
    Column(
        "elo",
        "Elo",
        "The same on Elo's scale around 1000; the order of judgments does not matter",
        lambda row: _finite(row.ranking.elo[row.at]),
        lambda v: DASH if v is None else f"{v:.0f}",
    ),
    Column(
        "win_rate",
        "wins",
        "The share of its judgments that it won, ties as half",
        lambda row: (
            _finite(row.ranking.points[row.at] / row.ranking.games[row.at]) if row.ranking.games[row.at] else None
        ),
        number,
    ),
    Column(
        "average_win_rate",
        "average win rate",
        "The mean of its win rates against each that it met",
        lambda row: number_or_none(float(row.ranking.average[row.at])),
        number,
    ),
    Column("judgments", "judgments", "", lambda row: int(row.ranking.games[row.at])),
    Column("group", "group", "Competitors of different groups never met", lambda r: int(r.ranking.groups.of[r.at]) + 1),
)
JUDGES: tuple[Column[JudgedRanking], ...] = (
    Column("judge", "judge", "", lambda row: row.name, read=lambda row: row.words),
    Column("judgments", "judgments", "", lambda row: row.ranking.judgments),
    Column("ties", "ties", "", lambda row: row.ranking.ties),
    Column(
        "spearman",
        "Spearman with people",
        "How alike the two rankings are: 1 is the same order",
        lambda row: row.beside and row.beside.spearman,
        read=lambda row: with_interval(row.beside.spearman, row.beside.ci) if row.beside else DASH,
    ),
    Column("ci", "", "", lambda row: row.beside and list(row.beside.ci), forms=("json",)),
    Column(
        "kendall",
        "Kendall with people",
        "",
        lambda row: row.beside and row.beside.kendall,
        lambda v: number(v) if v else DASH,
    ),
)
PARTINGS: tuple[Column[Parting], ...] = (
    Column("judge", "judge", "", lambda row: row.judge.name, read=lambda row: row.judge.words),
    Column("competitor", "competitor", "", lambda row: row.name),
    Column("people", "rank by people", "", lambda row: row.people),
    Column("theirs", "rank by the judge", "", lambda row: row.theirs),
    Column(
        "apart",
        "people higher by",
        "In standard deviations of strengths",
        lambda row: row.apart,
        read=lambda row: strength_words(row.apart, row.ci),
    ),
    Column("ci", "", "", lambda row: list(row.ci), forms=("json",)),
    Column("p", "p, Holm", "Corrected for all competitors", lambda row: row.p, p_value),
)


def competitors(ranking: Ranking) -> list[RankedCompetitor]:
    """Return the competitors of a ranking, group by group, the strongest first."""
    of, rank = ranking.groups.of, ranking.rank
    last = (np.where(each, key, 10**9) for each, key in ((rank > 0, rank), (of >= 0, of)))
    return [RankedCompetitor(ranking, int(at)) for at in np.lexsort((np.arange(len(ranking.names)), *last))]


def significant_differences(rankings: PairRankings) -> list[Parting]:
    """Return where judges part from people, each p below 0.05 after correction, the widest first."""
    people, parts = rankings.first, []
    for judged in rankings.judged:
        two = judged.beside
        for place, row in enumerate(two.rows.tolist() if two else ()):
            if two and two.p[place] < SIGNIFICANT:
                ends = (float(two.cis[place, 0]), float(two.cis[place, 1]))
                ranks = int(people.rank[row]), int(judged.ranking.rank[row])
                parts.append(
                    Parting(judged, rankings.names[row], *ranks, float(two.apart[place]), ends, float(two.p[place]))
                )
    return sorted(parts, key=lambda part: -abs(part.apart))


def ranking_section(rankings: PairRankings) -> Section:
    """Return what rankings say, with tables of competitors by each who judged, of judges, and of where they part."""
    tables: list[Table[Any]] = [*competitor_tables(rankings, rankings.judged)]
    if any(judged.beside for judged in rankings.judged):
        tables.append(Table("Rankings beside people's", JUDGES, rankings.judged[1:]).within("read"))
    if parts := significant_differences(rankings):
        tables.append(Table("Where they part from people", PARTINGS, parts[:MOST_PARTS]).within("read"))
    lines = tuple(_sentences(rankings))
    return Section("Who is better, pair by pair?", lines=lines, notes=tuple(_notes(rankings)), tables=tuple(tables))


def competitor_tables(rankings: PairRankings, judged: Sequence[JudgedRanking]) -> list[Table[RankedCompetitor]]:
    """Return the competitors as each of these ranks them."""
    one_group = rankings.first.groups.number < 2
    columns = [column for column in COMPETITORS if not (one_group and column.key == "group")]
    return [Table(f"By {one.words}", columns, competitors(one.ranking)).within("read") for one in judged]


def ranking_list(rankings: PairRankings) -> Table[RankedCompetitor]:
    """Return the competitors of every ranking in one list, with whose judgments rank them."""
    whose = {id(judged.ranking): judged.name for judged in rankings.judged}
    judge: Column[RankedCompetitor] = Column("judge", "judge", "", lambda row: whose[id(row.ranking)])
    rows = [row for judged in rankings.judged for row in competitors(judged.ranking)]
    return Table("Who is better", (judge, *COMPETITORS), rows).within("csv")


def _sentences(rankings: PairRankings) -> Iterator[str]:
    """Yield who is first by people by each criterion, then by each judge, and how like people each judge ranks."""
    for judged in rankings.leading:
        ranking, (best, *others) = judged.ranking, competitors(judged.ranking)
        level = sum(row.ranks[0] == 1 for row in others)
        beside = f"{level} more of them may be first" if level else "no other may be first"
        yield (
            f"{ranking.judgments} judgments by {judged.who}, {ranking.ties} of them ties, rank {len(rankings.names)} "
            f"competitors: {best.ranking.names[best.at]} is first, in 95% of samples its rank is "
            f"{ranks_words(best.ranks)}; {beside}."
        )
    for judged in rankings.judged:
        if judged.beside:
            parts = [part.name for part in significant_differences(rankings) if part.judge is judged]
            where = f"; they part most on {enumerated(parts[:3])}" if parts else "; nowhere do they part beyond chance"
            best, words = competitors(judged.ranking)[0], judged.words
            yield (
                f"{words[:1].upper()}{words[1:]} puts {rankings.names[best.at]} first, and ranks them like people to "
                f"{with_interval(judged.beside.spearman, judged.beside.ci)} (Spearman over "
                f"{len(judged.beside.rows)}; 1 is the same order){where}."
            )


def _notes(rankings: PairRankings) -> Iterator[str]:
    """Yield what a reader must know of the rankings."""
    for judged in rankings.judged:
        groups = judged.ranking.groups
        of = dict(zip(rankings.names, groups.of.tolist(), strict=True))
        if groups.number > 1:
            parts = [enumerated([name for name in of if of[name] == group]) for group in range(groups.number)]
            sentence = f"{groups.number} groups that never met, each ranked alone: {'; '.join(parts)}"
            yield f"By {judged.words}, competitors fall into {sentence}."
        alone = [name for name in of if of[name] < 0]
        if alone:
            yield f"Never judged by {judged.words}: {enumerated(alone)}."
        ends = [name for name, core in zip(rankings.names, groups.core, strict=True) if not core and of[name] >= 0]
        if ends:
            yield f"By {judged.words}, {enumerated(ends)} always won or always lost: no finite strength."
        if not judged.ranking.converged:
            yield f"The strengths by {judged.words} had not settled when the iterations ended."
    how = "half a win for each" if rankings.rules.ties == "half" else "an outcome of their own (Davidson)"
    over = "other people and other" if rankings.first.people is not None else "these people and other"
    yield (
        f"Strengths are Bradley and Terry's, ties {how}; the chance to win against another is 1 / (1 + e^−d), d the "
        f"difference of strengths. Intervals and ranks hold for {over} {rankings.unit}s, {rankings.rules.draws} "
        "samples of each; in simulated studies 95 to 99% of intervals were right, and 93 to 99% of ranges of ranks by "
        "themselves. Without an interval: judged in fewer than 10 pairs."
    )
    if any(judged.beside for judged in rankings.judged):
        yield (
            "Spearman's interval is over competitors; judged more often, both rankings would be more alike. Where they "
            "part: strengths in standard deviations of each ranking, since who calls fewer ties spreads them further."
        )


def ranking_dict(rankings: PairRankings) -> dict[str, Any]:
    """Return all of it in the shape of `ranking --json`."""
    return {
        "study": rankings.results.study.name,
        "ties": rankings.rules.ties,
        "rankings": [
            {
                "judge": judged.name,
                "judgments": judged.ranking.judgments,
                "people": judged.ranking.judges if judged.kind == PEOPLE else None,
                "tie": judged.ranking.tie,
                "competitors": Table("", COMPETITORS, competitors(judged.ranking)).within("json").records,
            }
            for judged in rankings.judged
        ],
        "beside_people": Table("", JUDGES, rankings.judged[1:]).within("json").records,
        "partings": Table("", PARTINGS, significant_differences(rankings)).within("json").records,
        "notes": [*_sentences(rankings), *_notes(rankings)],
    }
