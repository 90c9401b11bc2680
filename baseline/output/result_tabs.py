"""The tabs of a study's results and their parts; a part that takes time is computed when it is asked for."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from baseline.comparison.confusion import Confused, confusions, has_confusion
from baseline.comparison.error_kinds import carries_kinds, error_kinds, error_table, share
from baseline.comparison.given_differently import given_differently
from baseline.comparison.judging import why_no_judges
from baseline.comparison.pair_rankings import PairRankings, rankings_or_none, why_no_ranking
from baseline.comparison.peer_agreement import peer_table
from baseline.comparison.published_scores import UNTESTED, published_scores_of, published_table
from baseline.comparison.results import PeerRow, Results, judging
from baseline.comparison.run_pairs import compared_models, matrix
from baseline.comparison.score_breakdowns import of_results
from baseline.comparison.score_columns import metrics_table
from baseline.comparison.verdicts import Standings, standing_table
from baseline.human.baseline import collected
from baseline.human.detailed_baseline import strip_of
from baseline.human.procedure import followed_procedure, procedure_source, procedure_table
from baseline.human.rules_and_agreement import agreement_lines, chance_note, rule_table
from baseline.human.sensitivity_strip import picture, strip_remarks, strip_table
from baseline.output.dataset import kept_from_people, licence_of, votes_are_announced
from baseline.output.difference_figure import alternatives
from baseline.output.headline import score_notes
from baseline.output.html import drawn_with
from baseline.output.page_numbers import CLASSES
from baseline.output.result_parts import draw_cost, draw_group_tables, draw_judges, draw_ranking
from data.numbers import interval, number
from data.submissions import leaderboard_of
from data.table_files import DATASET_TABLES, Export
from data.tables import Table
from db.engine import Session
from eval.metrics.table import METRICS

DATASET, SUBMISSION, REPLIES, PUBLISHED, RANKING, MODEL_PAIRS = (
    "dataset",
    "submission",
    "predictions",
    "published",
    "ranking",
    "model-pairs",
)
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
        return bool(self.results.human.panel.gold) and self.judged

    @property
    def judged(self) -> bool:
        """Whether people have answered what may be right or wrong."""
        return len(self.results.human.panel.votes) > 0 and self.results.study.task.answer.has_right


@dataclass(frozen=True)
class TabPart:
    """A part of a tab: its title, whether a study has it, its table or drawing (None: nothing to show).

    A `slow` one waits until it is asked for; `style` is that of its table.
    """

    name: str
    title: str
    applies: Callable[[StudyView], bool]
    draw: Callable[[StudyView], Markup | Table[Any] | None]
    slow: bool = False
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


def _figure(view: StudyView) -> Markup:
    assert view.standings
    wide, narrow = alternatives(view.standings)
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
    table = draw_table(with_titles(published_table(published)), "standing")
    return Markup('<p class="hint">{}. {}</p>{}').format(published.family.source, UNTESTED, table)


def _other_rules(view: StudyView) -> Markup:
    """Return the score under other rules; of a published procedure, without each of its steps."""
    people = view.results.human.panel
    data = collected(view.session, study=view.results.study, briefly=True)
    if procedure := followed_procedure(data, people):
        source = procedure_source(procedure)
        return drawn_with("sensitivity.html", procedure=procedure_table(procedure), source=source)
    strip = strip_of(data, people)
    table = replace(strip_table(strip, people.rules), caption="")
    return drawn_with(
        "sensitivity.html", picture=picture(strip, people.rules), table=table, remarks=strip_remarks(strip)
    )


def _persons(view: StudyView) -> Table[PeerRow]:
    peers = view.results.peers
    assert peers
    table = peer_table(peers, "page")
    shown = [column for column in table.columns if column.key in ("respondent", "n", *peers.measure.names)]
    return replace(table, columns=shown, rows=peers.people)


def _beside_people(view: StudyView) -> Table[PeerRow]:
    peers = view.results.peers
    assert peers
    return replace(peer_table(peers, "page"), rows=[row for row in peers.shown if row.kind != "person"])


def _has_pairs(view: StudyView) -> bool:
    return len(view.results.models) > 1 and (view.judged or bool(view.results.human.panel.gold))


def _pairs(view: StudyView) -> Markup:
    return drawn_with("model_matrix.html", table=matrix(view.results, compared_models(view.results)), kinds=CLASSES)


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
        REPLIES: bool(results.models),
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
        leaderboard=family.title if family else "",
        ending="zip" if family is None or family.zipped else "tsv",
        senders=[(quote(sender, safe=""), words) for sender, words in senders] if family else [],
        why_not=family.unknown(task, results.human.panel.votes.items) if family and senders else "",
    )


def _agreement_notes(view: StudyView) -> Iterator[str]:
    if note := chance_note(view.results.human, view.results.study):
        yield note


def _is_judged_by_models(view: StudyView) -> bool:
    return view.judged and bool(view.results.models) and (not view.gold or judging(view.results.study.task))


SCORES, ITEMS = "scores", "items"
TABS = (
    Tab(
        SCORES,
        "Scores",
        (
            TabPart(
                "ranking",
                "Ranking",
                lambda view: not why_no_ranking(view.results),
                lambda view: draw_ranking(view.rankings) if view.rankings else None,
            ),
            TabPart("figure", "", lambda view: bool(view.standings and view.standings.rows), _figure),
            TabPart(
                "table",
                "Table",
                lambda view: bool(view.standings and view.standings.rows),
                lambda view: standing_table(view.standings) if view.standings else None,
            ),
            TabPart("metrics", "Every metric", lambda view: _metrics(view) is not None, _metrics),
            TabPart(
                "groups",
                "By group of items",
                lambda view: view.gold and bool(view.results.study.task.breakdowns),
                lambda view: draw_group_tables(view.results, of_results(view.session, view.results)),
                slow=True,
            ),
            TabPart(
                "published",
                "Published scores",
                lambda view: bool(published_scores_of(view.results.study.task)),
                _published,
            ),
            TabPart("rules", "Scores under other rules", lambda view: view.gold, _other_rules, slow=True),
        ),
        notes=lambda view: score_notes(view.results.human, view.results.study),
    ),
    Tab(ITEMS, "Items"),
    Tab(
        "agreement",
        "Agreement",
        (
            TabPart(
                "coefficients",
                "How far do people agree?",
                lambda view: view.judged,
                lambda view: agreement_lines(view.results.human),
            ),
            TabPart(
                "persons",
                "Each person beside the others",
                lambda view: bool(view.results.peers and view.results.peers.people),
                _persons,
                slow=True,
            ),
            TabPart(
                "procedure",
                "How people’s answer is computed",
                lambda view: view.judged,
                lambda view: rule_table(view.results.human),
            ),
        ),
        applies=lambda view: view.judged,
        notes=_agreement_notes,
    ),
    Tab(
        "models",
        "Models",
        (
            TabPart("pairs", "Models in pairs", _has_pairs, _pairs),
            TabPart(
                "confusion", "Confusions", lambda view: view.gold and has_confusion(view.results), _confusion, slow=True
            ),
            TabPart(
                "mistakes",
                "Kinds of mistakes",
                lambda view: view.gold and carries_kinds(view.results.study.task),
                _mistakes,
                slow=True,
            ),
            TabPart(
                "place",
                "In a person’s place",
                lambda view: view.gold and view.results.peers is not None,
                _beside_people,
                slow=True,
            ),
            TabPart("cost", "Time and cost", lambda _: True, lambda view: draw_cost(view.session, view.results)),
            TabPart(
                "asked",
                "What people and models were given",
                lambda view: view.judged,
                lambda view: given_differently(view.session, view.results),
                style="wrapped",
            ),
        ),
        applies=lambda view: bool(view.results.models),
        notes=lambda view: iter([*view.results.unfinished(), *view.results.notes_of_each_run()]),
    ),
    Tab(
        "judges",
        "Judges",
        (
            TabPart("people", "Agreement with people", lambda view: view.results.peers is not None, _beside_people),
            TabPart(
                "judges",
                "What people would say of all items",
                lambda view: not why_no_judges(view.results),
                lambda view: draw_judges(view.results),
                slow=True,
            ),
        ),
        applies=_is_judged_by_models,
    ),
    Tab("download", "Download", (TabPart("files", "", lambda view: bool(view.results.rows), _downloads),)),
)
