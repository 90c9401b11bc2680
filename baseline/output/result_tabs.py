"""The tabs of a study's results and their parts; a part that takes time is computed when it is asked for."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any
from urllib.parse import quote

import numpy as np
from markupsafe import Markup

from baseline.comparison.cost_and_time import COST_AND_TIME, CostAndTime, amount, costs_and_times
from baseline.comparison.judging import MEAN, JudgedNumber, Judging, judging, number_columns, why_no_judges
from baseline.comparison.pair_rankings import PairRankings, ranking_section, rankings_or_none, why_no_ranking
from baseline.comparison.position_bias import first_by_criterion
from baseline.comparison.published_scores import UNTESTED, figure_tables, published_scores_of, published_table
from baseline.comparison.report_evidence import given_differently
from baseline.comparison.results import PeerRow, Results, has_judges
from baseline.comparison.results import results as results_of
from baseline.comparison.run_pairs import compared_models, matrix
from baseline.comparison.score_breakdowns import (
    BrokenDown,
    Confused,
    breakdown_table,
    carries_kinds,
    confusions,
    error_kinds,
    error_table,
    has_confusion,
    of_results,
    share,
    side_by_side,
)
from baseline.comparison.score_columns import metrics_table, peer_table
from baseline.comparison.verdicts import Standings, standing_table
from baseline.comparison.writer_scores import writer_scores
from baseline.human.baseline import chance_note, collected, rule_table
from baseline.human.detailed_baseline import agreement_lines, strip_of
from baseline.human.sensitivity_strip import (
    followed_procedure,
    procedure_source,
    procedure_table,
    strip_remarks,
    strip_table,
)
from baseline.output.dataset import LICENCES, kept_from_people, licence_of, votes_are_announced
from baseline.output.headline import score_notes
from baseline.output.html import drawn_with
from baseline.output.plots import (
    CLASSES,
    MOST_DOTS,
    NARROW,
    Axis,
    Point,
    Series,
    axis_of,
    difference_figure,
    dots_of,
    estimate_title,
    height_of,
    plot,
    ranking_figure,
    ticks,
)
from data.errors import BadSetting
from data.formats import format_named
from data.numbers import interval, number, with_interval
from data.submissions import leaderboard_of
from data.table_files import DATASET_TABLES, Export
from data.tables import Column, Table, table_of
from data.wording import Wording, in_sentence
from db.engine import Session
from db.studies import list_studies
from eval.estimate import UNDEFINED, Estimate
from eval.judges.ppi import PredictionPowered
from eval.metrics.table import METRICS, metric_named
from eval.scoring import GroupScores

AMOUNT = re.compile(r"\d+k?")
MOST_LABELS = 5
"""Labels whose shares stand on the page, those that people give most; the command has all."""
DRAWN = (("the judge says", "models"), ("people alone", "people"), ("people, with the judge", "joint"))
HIDDEN = ("what", "judged", "of_people", "worth")
"""Columns that stand small within others on the page."""
MOST_JUDGES = 6
"""Judges that stand beside people where people have answered all the items, the nearest to them first."""
FIRST_ROWS = 15
"""Competitors in the picture that is in sight at once; of more a second one, folded, has them all."""
BENCHMARK, DATASET, SUBMISSION, PREDICTIONS = "benchmark", "dataset", "submission", "predictions"
PUBLISHED, RANKING, MODEL_PAIRS = "published", "ranking", "model-pairs"
"""Exports that not every study has."""


@dataclass(frozen=True, eq=False)
class StudyView:
    """What a part of a tab is drawn from."""

    session: Session
    results: Results
    standings: Standings | None
    exports: Iterable[Export[Any]]

    @cached_property
    def rankings(self) -> PairRankings | None:
        """The rankings of a study of pairs, computed once for the headline and for their part."""
        return rankings_or_none(self.session, self.results)

    @property
    def gold(self) -> bool:
        """Whether something is known to be right, and people have answered."""
        return bool(self.results.panel.gold) and self.judged

    @property
    def judged(self) -> bool:
        """Whether people have answered what may be right or wrong."""
        return len(self.results.panel.votes) > 0 and self.results.study.task.answer.has_right


@dataclass(frozen=True)
class TabPart:
    """A part of a tab: its title, its table or drawing (None: the study has nothing of it), the style of its table.

    A `slow` one waits until it is asked for, in a study that has it.
    """

    name: str
    title: str
    draw: Callable[[StudyView], Markup | Table[Any] | None]
    slow: Callable[[StudyView], bool] | None = None
    style: str = "standing"

    def body(self, view: StudyView) -> Markup:
        """Return the part as markup."""
        shown = self.draw(view)
        return draw_table(shown, self.style) if isinstance(shown, Table) else shown or Markup()


@dataclass(frozen=True)
class Tab:
    """A tab: its title, its parts, and whether a study has it; `notes` are sentences below its title."""

    name: str
    title: str
    parts: tuple[TabPart, ...] = ()
    applies: Callable[[StudyView], bool] = lambda _: True
    notes: Callable[[StudyView], Iterator[str]] = lambda _: iter(())


def draw_table(table: Table[Any], style: str) -> Markup:
    """Return a table that scrolls sideways where it must."""
    return drawn_with("part_table.html", table=replace(table, caption=""), label=table.caption, style=style)


def _figure(view: StudyView) -> Markup | None:
    if not view.standings or not view.standings.rows:
        return None
    wide, narrow = difference_figure(view.standings), difference_figure(view.standings, NARROW)
    return drawn_with("study_figure.html", wide=wide, narrow=narrow, files=files_of(view.results.study.name))


def files_of(study: str) -> str:
    """Return the address of a study's files."""
    return f"/results-files/{quote(study, safe='')}"


def _metrics(view: StudyView) -> Table[Any] | None:
    """Return every metric of a task with several; where nobody is beside people, what models score."""
    table = metrics_table(view.results, least=2 if view.standings else 1)
    return with_titles(table) if table else None


def with_titles(table: Table[Any]) -> Table[Any]:
    """Return a table that has a column for each metric with the titles that metrics have on a page."""
    return table.titled({name: metric.title for name, metric in METRICS.items()})


def _published(view: StudyView) -> Markup:
    published = published_scores_of(view.results.study.task)
    if published is None:
        return Markup()
    table = draw_table(with_titles(published_table(published)), "standing") if published.rows else ""
    figures = [(table.caption, draw_table(table, "standing")) for table in figure_tables(published)]
    said = Markup('<p class="hint">{}. {}</p>{}').format(published.family.source, UNTESTED, table)
    return said + drawn_with("folded.html", tables=figures)


def _other_rules(view: StudyView) -> Markup:
    """Return the score under other rules; of a published procedure, without each of its steps."""
    people = view.results.panel
    data = collected(view.session, study=view.results.study, briefly=True)
    procedure = followed_procedure(data, people)
    table: Table[Any]
    if procedure:
        table, remarks = procedure_table(procedure), [procedure_source(procedure)]
    else:
        strip = strip_of(data, people)
        table, remarks = strip_table(strip, people.rules), strip_remarks(strip)
    return drawn_with("sensitivity.html", table=table, remarks=remarks)


def _persons(view: StudyView) -> Table[PeerRow]:
    peers = view.results.peers
    assert peers
    table = peer_table(peers, "page")
    shown = [column for column in table.columns if column.key in ("respondent", "n", *peers.measure.names)]
    return replace(table, columns=shown, rows=peers.people)


def _beside_people(view: StudyView) -> Table[PeerRow] | None:
    peers = view.results.peers
    if peers is None:
        return None
    return replace(peer_table(peers, "page"), rows=[row for row in peers.shown if row.kind != "person"])


def _pairs(view: StudyView) -> Markup | None:
    pairs = compared_models(view.results)
    if not any(pair.apart for pair in pairs):
        return None
    return drawn_with("model_matrix.html", table=matrix(view.results.models, pairs), kinds=CLASSES)


def _confusion(view: StudyView) -> Markup:
    """Return a matrix for each respondent; the labels that stand in no gold and no answer are left out."""
    tables = [(row.called, CLASSES[row.kind], table) for row, table in confusions(view.results)]
    return drawn_with("confusion.html", tables=tables, says=_says, shade=_shade)


def _says(confusion: Confused) -> str:
    """Return what is said of a cell on hover."""
    if not confusion.total:
        return f"no item is {confusion.gold}"
    return (
        f"of {confusion.total:g} answers to items that are {confusion.gold}, "
        f"{confusion.count:.1f} say {confusion.answer}: {number(confusion.share)}, "
        f"95% interval {interval(confusion.ci)}"
    )


def _shade(confusion: Confused) -> str:
    """Return the class of a cell's shade: five steps, and none for no answer at all."""
    return f"deep-{min(5, int(confusion.share * 5 + 0.999)) if confusion.count else 0}"


def _mistakes(view: StudyView) -> Markup:
    kinds = error_kinds(view.session, view.results)
    if not kinds:
        return Markup()
    offered = {words: share(n, sum(kinds.offered)) for words, n in zip(kinds.words, kinds.offered, strict=True)}
    table = error_table(kinds).titled({words: words for words in offered})
    return drawn_with("errors.html", table=replace(table, caption=""), offered=offered, kinds=CLASSES)


def _downloads(view: StudyView) -> Markup:
    """Return the links to the files of a study, and to what its leaderboard takes of people and of each run."""
    results, task = view.results, view.results.study.task
    family = leaderboard_of(task.id)
    senders = [
        (row.name if row.kind != "human" else "human", row.called)
        for row in results.rows
        if row.name != "human:individual" and row.kind != "naive"
    ]
    has = {
        SUBMISSION: False,
        BENCHMARK: format_named(task.file_format).collected is not None,
        PREDICTIONS: bool(results.models),
        PUBLISHED: bool(published_scores_of(task)),
        RANKING: not why_no_ranking(results),
        MODEL_PAIRS: len(results.models) > 1,
    }
    return drawn_with(
        "downloads.html",
        address=files_of(results.study.name),
        exports=[export for export in view.exports if has.get(export.key, True) and export.key != DATASET],
        dataset=view.judged,
        tables=[(name, words) for name, (words, *_) in DATASET_TABLES.items()],
        hidden=bool(kept_from_people(task)),
        votes=votes_are_announced(results.study),
        licence=licence_of(results.study),
        licences=LICENCES,
        leaderboard=family.takes.title if family else "",
        ending="zip" if family is None or family.form.zipped else "tsv",
        senders=[(quote(sender, safe=""), words) for sender, words in senders] if family else [],
        why_not=family.unknown(task, results.panel.votes.items) if family and senders else "",
    )


def _standings(view: StudyView) -> Table[Any] | None:
    return standing_table(view.standings) if view.standings and view.standings.rows else None


def _first_shown(view: StudyView) -> Table[Any] | None:
    """Return how often each took the option shown first, where its order was drawn; people by each criterion."""
    results, by_merit = view.results, view.results.first_by_chance or 1 / 2
    rows = [(row.called, row.first) for row in results.rows if row.first]
    rows = rows or [*first_by_criterion(view.session, results.study, results.panel).items()]
    if not rows:
        return None
    whose = "respondent" if results.first_by_chance else "people, by criterion"
    cells = [(name, with_interval(each.value, each.ci)) for name, each in rows]
    header = [whose, f"shown first, by merit {by_merit:.0%}"]
    return table_of("How often the option shown first was taken", header, cells)


def _writers(view: StudyView) -> Table[Any] | None:
    scores = writer_scores(view.session, view.results)
    return scores.within("read") if scores else None


def _groups(view: StudyView) -> Markup:
    """Return the scores by group, and folded beside those of the newest study of the task in another language."""
    session, study = view.session, view.results.study
    own = of_results(session, view.results)
    for other in list_studies(session):
        if other.task.id == study.task.id and other.settings.language != study.settings.language:
            with suppress(BadSetting):
                theirs = of_results(session, results_of(session, study=other, rules=view.results.panel.rules))
                beside = draw_group_tables(side_by_side({study.name: own, other.name: theirs}))
                folded = drawn_with("folded.html", tables=[(f"Beside {other.name}", beside)])
                return draw_group_tables(own) + folded
    return draw_group_tables(own)


def _given(view: StudyView) -> Table[Any] | None:
    return given_differently(view.session, view.results) if view.judged else None


def draw_group_tables(breakdowns: Sequence[BrokenDown]) -> Markup:
    """Return a table for each breakdown, shaded as a heat map, with a picture beside the numbers.

    It is a curve where the groups follow one another, and else a dot with its interval for everybody in each group.
    """
    return drawn_with("groups.html", groups=[_group_table(breakdown) for breakdown in breakdowns])


def _group_table(breakdown: BrokenDown) -> dict[str, Any]:
    """Return what the template shows of a breakdown; `people` are names and kinds of those who have a column."""
    metric, title = metric_named(breakdown.metric), breakdown.breakdown.title.for_requesters
    people = {
        name: (words, CLASSES[kind]) for name in breakdown.respondents for words, kind in [breakdown.called[name]]
    }
    table, axis = breakdown_table(breakdown).titled({"group": in_sentence(title)}), axis_of(breakdown.metric)
    group, *others = table.columns
    dots: Column[tuple[Wording, GroupScores]] = Column(
        "dots", "interval", "", lambda row: dots_of(row[1].scores, list(people.values()), axis), style="plot"
    )
    # A line between groups says something where they are amounts in their order.
    ordered = len(breakdown.parts) > 2 and all(AMOUNT.fullmatch(part.group) for part in breakdown.parts)
    return {
        "title": title,
        "label": f"{metric.title} by {in_sentence(title)}",
        "table": Table("", [group, *([] if ordered else [dots]), *others], table.rows),
        "people": people,
        "plot": curve_of(breakdown, people) if ordered else "",
        "left_out": breakdown.left_out,
        "axis": axis,
        "more": max(0, len(people) - MOST_DOTS),
        "height": height_of(len(people)),
        "says": lambda score: estimate_title(metric, score),
        "shade": lambda score: shade(score.value, metric.low, metric.high),
    }


def curve_of(breakdown: BrokenDown, people: Mapping[str, tuple[str, str]]) -> Markup:
    """Return the score of people and of the best models over the groups, equally far from one another."""
    metric, title = metric_named(breakdown.metric), in_sentence(breakdown.breakdown.title.for_requesters)
    groups = [words.for_requesters for words in breakdown.words]
    series = []
    for place, (words, kind) in enumerate(list(people.values())[:MOST_DOTS]):
        points = tuple(
            Point(at, e.value, e.ci, f"{group}: {number(e.value)} ({interval(e.ci)}), n = {e.n}")
            for at, (group, part) in enumerate(zip(groups, breakdown.parts, strict=True))
            for e in [part.scores[place]]
            if e.n
        )
        if points:
            series.append(Series(words, kind, points))
    lines = "; ".join(f"{line.name}: " + ", ".join(number(point.value) for point in line.points) for line in series)
    return plot(
        series,
        metric,
        x_title=title,
        label=f"Score by {title} ({', '.join(groups)}): {lines}",
        x_ticks=list(enumerate(groups)),
    )


def shade(value: float, low: float, high: float) -> str:
    """Return the class of a score's shade in a heat map: five steps of all that the metric can be."""
    return "" if value != value else f"deep-{min(5, 1 + int((value - low) / (high - low) * 5))}"


def share_table(
    judged: Judging, shown: Sequence[JudgedNumber], axis: Axis
) -> Table[tuple[str, Mapping[str, Estimate]]]:
    """Return people's numbers with those of the first judges beside: where there is nothing to correct."""
    judges = [judge.row for judge in judged.judges[:MOST_JUDGES]]
    names, by = [row.name for row in judges], dict[str, dict[str, Estimate]]()
    for row in shown:
        if row.judge.name in names:
            words = ", ".join(filter(None, (row.what, row.group)))
            by.setdefault(words, {"people": _estimate(row.score.people)})[row.judge.name] = _of_judge(row)
    whose = [("people", "people"), *((row.called, "models") for row in judges)]
    columns: list[Column[tuple[str, Mapping[str, Estimate]]]] = [
        Column("what", "what", "", itemgetter(0)),
        Column("dots", "on one axis", "", lambda row: dots_of(list(row[1].values()), whose, axis), style="plot"),
        Column("people", "people", "Over all items, with the 95% interval", lambda row: row[1]["people"]),
        *(Column(f"judge {at}", row.called, "", _value_of(row.name)) for at, row in enumerate(judges)),
    ]
    return Table("", columns, list(by.items()))


def _value_of(judge: str) -> Callable[[tuple[str, Mapping[str, Estimate]]], float | None]:
    return lambda row: row[1][judge].value if judge in row[1] else None


def draw_judges(results: Results) -> Markup:
    """Return a table of numbers, each with its picture."""
    judged = judging(results)
    shown, axis = shown_numbers(judged), axis_of_numbers(judged)
    corrected = any(row.score.corrected.alone for row in shown)
    first, *others = (column for column in number_columns(judged) if column.key not in HIDDEN)
    picture: Column[JudgedNumber] = Column(
        "dots", "on one axis", "", lambda row: dots_of(_estimates(row), DRAWN, axis), style="plot"
    )
    return drawn_with(
        "judges.html",
        numbers=[
            Table("", [first, picture, *others], [row for row in shown if row.judge is judge.row])
            for judge in judged.judges
        ],
        shares=share_table(judged, shown, axis),
        share_height=height_of(1 + min(len(judged.judges), MOST_JUDGES)),
        legend=DRAWN if corrected else DRAWN[:2],
        corrected=corrected,
        axis=axis,
        height=height_of(len(DRAWN)),
        more=len(judged.numbers) > len(shown) or len(judged.judges) > MOST_JUDGES,
        kinds=CLASSES,
        number=number,
        interval=interval,
    )


def shown_numbers(judged: Judging) -> Sequence[JudgedNumber]:
    """Return the numbers that stand on the page: the mean of a scale, else the shares of the labels most given."""
    if means := [row for row in judged.numbers if row.what == MEAN]:
        return means
    shares = {row.what: float(np.nan_to_num(row.score.people.value)) for row in reversed(judged.numbers)}
    most = sorted(shares, key=shares.__getitem__, reverse=True)[:MOST_LABELS]
    return [row for row in judged.numbers if row.what in most]


def axis_of_numbers(judged: Judging) -> Axis:
    """Return the axis of the picture: all that a share, or the mean of the scale, can be."""
    if not any(row.what == MEAN for row in judged.numbers):
        return Axis(0.0, 1.0)
    labels = [float(label) for label in judged.results.panel.votes.labels]
    return Axis(min(labels), max(labels))


def _estimates(row: JudgedNumber) -> list[Estimate]:
    """Return what is drawn of a number: the judge's, people's, and that of both where there is something to correct."""
    score = row.score
    both = [_estimate(score.corrected)] if score.corrected.alone else []
    return [_of_judge(row), _estimate(score.people), *both]


def _of_judge(row: JudgedNumber) -> Estimate:
    return Estimate(row.score.judge, UNDEFINED, "item", "none", row.score.judged)


def _estimate(estimate: PredictionPowered) -> Estimate:
    return Estimate(estimate.value, estimate.ci, "item", estimate.method, estimate.n)


def draw_cost(session: Session, results: Results) -> Markup:
    """Return a row for everybody, and the score against the cost where two have both; nothing without figures."""
    costs = costs_and_times(session, results)
    if not any(each.cost is not None or len(each.seconds) for each in costs):
        return Markup()
    priced = [cost for cost in costs if cost.cost is not None and results.study.task.primary in cost.row.scores]
    by_currency: dict[str, list[CostAndTime]] = {}
    for cost in priced:
        by_currency.setdefault(cost.currency, []).append(cost)
    largest = max(by_currency.values(), key=len, default=[])
    return drawn_with(
        "cost.html",
        table=Table("", COST_AND_TIME, costs),
        kinds=CLASSES,
        plot=_score_by_cost(largest, results.study.task.primary) if len(largest) > 1 else None,
        left_out=[cost.row.called for cost in priced if cost not in largest],
        currency=largest[0].currency if largest else "",
    )


def _score_by_cost(priced: Sequence[CostAndTime], primary: str) -> Markup:
    metric, series = metric_named(primary), []
    for row in priced:
        score, cost = row.row.scores[metric.name], row.cost or 0.0
        title = f"{number(score.value)} ({interval(score.ci)}), {amount(cost)} an item"
        point = Point(cost, score.value, score.ci, title)
        series.append(Series(row.row.called, CLASSES[row.row.kind], (point,)))
    points_named = ", ".join(f"{line.name}: {line.points[0].title}" for line in series)
    return plot(
        series,
        metric,
        x_title=f"cost of an item, {priced[0].currency or 'in the money of the price list'}",
        label=f"Score against cost: {points_named}",
        x_ticks=ticks(max(cost.cost or 0.0 for cost in priced)),
        at_points=True,
    )


def draw_ranking(rankings: PairRankings) -> Markup:
    """Return what the rankings say, the picture of those who come first, all of them and the tables folded."""
    section, many = ranking_section(rankings), len(rankings.names) > FIRST_ROWS
    return drawn_with(
        "ordered.html",
        sentences=section.lines,
        figure=ranking_figure(rankings, FIRST_ROWS),
        tables=[(table.caption, replace(table, caption="")) for table in section.tables],
        notes=section.notes,
        more=[(f"All {len(rankings.names)} in one picture", ranking_figure(rankings))] if many else [],
    )


SCORES, ITEMS = "scores", "items"
TABS = (
    Tab(
        SCORES,
        "Scores",
        (
            TabPart("ranking", "Ranking", lambda view: draw_ranking(view.rankings) if view.rankings else None),
            TabPart("writers", "Models by what people say of their replies", _writers),
            TabPart("figure", "", _figure),
            TabPart("table", "Table", _standings),
            TabPart("first", "Position bias", _first_shown),
            TabPart("metrics", "Every metric", _metrics),
            TabPart("groups", "By group of items", _groups, lambda v: v.gold and bool(v.results.study.task.breakdowns)),
            TabPart("published", "Published scores", _published),
            TabPart("rules", "Scores under other rules", _other_rules, lambda view: view.gold),
        ),
        notes=lambda view: score_notes(view.results.human, view.results.study),
    ),
    Tab(ITEMS, "Items"),
    Tab(
        "agreement",
        "Agreement",
        (
            TabPart("coefficients", "How far do people agree?", lambda view: agreement_lines(view.results.human)),
            TabPart(
                "persons",
                "Each person beside the others",
                _persons,
                lambda view: bool(view.results.peers and view.results.peers.people),
            ),
            TabPart("procedure", "How people’s answer is computed", lambda view: rule_table(view.results.human)),
        ),
        applies=lambda view: view.judged,
        notes=lambda view: filter(None, [chance_note(view.results.human, view.results.study)]),
    ),
    Tab(
        "models",
        "Models",
        (
            TabPart("pairs", "Models in pairs", _pairs),
            TabPart("confusion", "Confusions", _confusion, lambda view: view.gold and has_confusion(view.results)),
            TabPart(
                "mistakes",
                "Kinds of mistakes",
                _mistakes,
                lambda view: view.gold and carries_kinds(view.results.study.task),
            ),
            TabPart(
                "place",
                "In a person’s place",
                _beside_people,
                lambda view: view.gold and view.results.peers is not None,
            ),
            TabPart("cost", "Time and cost", lambda view: draw_cost(view.session, view.results)),
            TabPart("asked", "What people and models were given", _given, style="wrapped"),
        ),
        applies=lambda view: bool(view.results.models),
        notes=lambda view: iter([*view.results.unfinished(), *view.results.notes_of_each_run()]),
    ),
    Tab(
        "judges",
        "Judges",
        (
            TabPart("people", "Agreement with people", _beside_people),
            TabPart(
                "judges",
                "What people would say of all items",
                lambda view: draw_judges(view.results),
                lambda view: not why_no_judges(view.results),
            ),
        ),
        applies=lambda view: (
            view.judged and bool(view.results.models) and (not view.gold or has_judges(view.results.study.task))
        ),
    ),
    Tab("download", "Download", (TabPart("files", "", lambda view: _downloads(view) if view.results.rows else None),)),
)
