"""Rankings in words: a row for each competitor, how each judge's ranking stands to people's, where they part."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from baseline.comparison.document import Document, Section
from baseline.comparison.pair_rankings import PEOPLE, PairRankings
from baseline.comparison.ranking_columns import COMPETITORS, JUDGES, PARTINGS, Parting, RankedCompetitor, ranks_words
from data.numbers import SIGNIFICANT, with_interval
from data.tables import Column, Table
from data.wording import enumerated
from eval.ranking.ranking import Ranking

TITLE = "Who is better, pair by pair?"
MOST_PARTS = 10


def competitors(ranking: Ranking) -> list[RankedCompetitor]:
    """Return the competitors of a ranking, group by group, the strongest first."""
    order = np.lexsort(
        (np.arange(len(ranking.names)), np.where(ranking.rank > 0, ranking.rank, 10**9), ranking.groups.of)
    )
    met = [int(at) for at in order if ranking.groups.of[at] >= 0]
    return [RankedCompetitor(ranking, at) for at in (*met, *(int(at) for at in order if ranking.groups.of[at] < 0))]


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


def ranking_tables(rankings: PairRankings) -> list[Table[Any]]:
    """Return the tables: competitors by each who judged, judges beside people, where they part."""
    one_group = rankings.first.groups.number < 2
    columns = [column for column in COMPETITORS if not (one_group and column.key == "group")]
    tables: list[Table[Any]] = [
        Table(f"By {judged.words}", columns, competitors(judged.ranking)).within("read") for judged in rankings.judged
    ]
    if any(judged.beside for judged in rankings.judged):
        tables.append(Table("Rankings beside people's", JUDGES, rankings.judged[1:]).within("read"))
    if parts := significant_differences(rankings):
        tables.append(Table("Where they part from people", PARTINGS, parts[:MOST_PARTS]).within("read"))
    return tables


def ranking_list(rankings: PairRankings) -> Table[RankedCompetitor]:
    """Return the competitors of every ranking in one list, with whose judgments rank them."""
    whose = {id(judged.ranking): judged.name for judged in rankings.judged}
    judge: Column[RankedCompetitor] = Column("judge", "judge", "", lambda row: whose[id(row.ranking)])
    rows = [row for judged in rankings.judged for row in competitors(judged.ranking)]
    return Table("Who is better", (judge, *COMPETITORS), rows).within("csv")


def ranking_sentences(rankings: PairRankings) -> list[str]:
    """Return what the rankings say, in words."""
    return [*_first_words(rankings), *_judges_words(rankings)]


def _first_words(rankings: PairRankings) -> Iterator[str]:
    best, first = competitors(rankings.first)[0], rankings.judged[0]
    ranking = rankings.first
    who = f"{ranking.judges} people" if first.kind == PEOPLE else first.words
    level = may_be_first(ranking)
    beside = f"{level} more of them may be first" if level else "nobody else may be first"
    yield (
        f"{ranking.judgments} judgments by {who}, {ranking.ties} of them ties, rank {len(rankings.names)} competitors: "
        f"{best.ranking.names[best.at]} is first, in 95% of samples its rank is {ranks_words(best.ranks)}; {beside}."
    )


def may_be_first(ranking: Ranking) -> int:
    """Return how many others than the first may be first as well, by the ranges of their ranks."""
    return sum(row.ranks[0] == 1 for row in competitors(ranking)[1:])


def _judges_words(rankings: PairRankings) -> Iterator[str]:
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


def ranking_notes(rankings: PairRankings) -> list[str]:
    """Return what a reader must know of the rankings."""
    return [*_apart_words(rankings), *_what_words(rankings)]


def _apart_words(rankings: PairRankings) -> Iterator[str]:
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


def _what_words(rankings: PairRankings) -> Iterator[str]:
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
        "notes": [*ranking_sentences(rankings), *ranking_notes(rankings)],
    }


def ranking_document(rankings: PairRankings, figure: str | None = None) -> Document:
    """Return the rankings as a document of their own."""
    study = rankings.results.study
    about = f"{study.task.title.for_requesters} ({study.task.id})"
    lines, notes = tuple(ranking_sentences(rankings)), tuple(ranking_notes(rankings))
    tables = tuple(ranking_tables(rankings))
    section = Section(TITLE, lines=lines, notes=notes, tables=tables, figure=figure)
    return Document(f"Ranking of {study.name}", about, (section,))
