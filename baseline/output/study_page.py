"""The results of a study as HTML: the answer, the table in which every row draws its interval, what it rests on."""

from collections.abc import Iterable
from dataclasses import replace
from math import ceil
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from baseline.comparison.item_index import ItemIndex, ItemView
from baseline.comparison.pair_rankings import PairRankings, why_no_ranking
from baseline.comparison.peer_tables import TITLE as PEERS_TITLE
from baseline.comparison.published_people import published_people
from baseline.comparison.published_scores import UNTESTED, published_scores_of, published_table
from baseline.comparison.ranking_tables import TITLE as RANKING_TITLE
from baseline.comparison.results import Results
from baseline.comparison.score_columns import metrics_table, questions
from baseline.human.interval_scope import scope
from baseline.human.rules_and_agreement import agreement_lines, gold_sentence, rule_table
from baseline.output.html import drawn_with
from baseline.output.item_list import PER_PAGE, item_list
from baseline.output.key_figures import about, heading, key_figures, partial, writing_figures
from baseline.output.page_numbers import estimate_title
from baseline.output.peer_section import draw_peers
from baseline.output.ranking_figures import draw_ranking
from baseline.output.score_table import CLASSES, axis_of, page_table, scope_of
from baseline.runs.run_state import imported_words
from data.answers.write import Write
from data.catalogue.catalog import tasks
from data.submissions import leaderboard_of
from data.table_files import Export
from data.tables import Table
from data.task import Task
from db.items import Coverage
from eval.metrics.table import METRICS, metric_named

SUBMISSION, REPLIES, PUBLISHED, RANKING = "submission", "predictions", "published", "ranking"
MODEL_PAIRS = "model-pairs"
"""Exports that not every study has."""


def draw_results(
    results: Results, *, coverage: Coverage, exports: Iterable[Export[Any]], rankings: PairRankings | None = None
) -> Markup:
    """Return the report of a study. `coverage` is how much is in, `exports` the files that may be taken of it.

    The `rankings` of a study of pairs are its result, and stand first.
    """
    split = int(((results.human.panel.votes.counts > 0).sum(axis=1) > 1).sum())
    human, primary = results.human, results.study.task.primary
    models = [row for row in results.rows if row.kind != "human"]
    judged, writing = len(human.panel.votes) > 0, not results.study.task.answer.has_right
    # Without gold people are the standard, and agreement with them stands where scores would.
    standard = not human.panel.gold and not writing and results.peers is not None
    figures = writing_figures(results) if writing else key_figures(results, split, rankings)
    return drawn_with(
        "results.html",
        heading=heading(results, judged=judged, models=bool(models)),
        about=about(results),
        simulated=human.simulated > 0,
        partial=partial(results, coverage),
        grounds=gold_sentence(human.panel.rules, gold=bool(human.panel.gold)) if judged and not writing else "",
        facts=figures if results.rows else [],
        nobody="" if judged else _draw_no_answers(results),
        ticks=axis_of(primary).ticks(),
        scope=[] if writing or not results.rows else scope_of(results),
        ranked=draw_ranking(rankings) if rankings else "",
        ranked_title=RANKING_TITLE,
        peers=draw_peers(results) if standard else "",
        peers_title=PEERS_TITLE,
        scores=page_table(results) if results.rows and not writing and not standard else None,
        notes=[*human.notes(), *results.notes_of_runs(), *questions(results)],
        unasked=_to_be_judged(results) if writing and judged else "" if models or writing else _draw_no_models(results),
        metrics=with_titles(every) if (every := metrics_table(results)) else None,
        kinds=CLASSES,
        imported=imported_words,
        titled=lambda metric, estimate: estimate_title(metric_named(metric), estimate),
        printed=_printed(results),
        agreement=agreement_lines(human) if judged and not writing else None,
        resampled=scope(human.panel.resampling.unit, other_people=bool(human.panel.agreement.over_items)),
        compared=human.panel.votes.compared,
        rules=rule_table(human),
        downloads=draw_downloads(results, exports) if results.rows else "",
    )


def draw_items(
    results: Results, index: ItemIndex, views: list[ItemView], *, show: str, model: str | None, page: int
) -> Markup:
    """Return one page of the list of items, counted from 0, with the ways to choose among them."""
    total = index.counts(model)[show]
    return drawn_with(
        "items.html",
        **item_list(results, index, views, show, model),
        page=page,
        pages=ceil(total / PER_PAGE),
        first=page * PER_PAGE + 1,
        last=min((page + 1) * PER_PAGE, total),
        total=total,
    )


def draw_downloads(results: Results, exports: Iterable[Export[Any]]) -> Markup:
    """Return the links to these files of a study, and to what its leaderboard takes of people and of each run.

    Where no leaderboard would know the study's items, the reason stands in the place of those links.
    """
    task, name = results.study.task.id, quote(results.study.name, safe="")
    family = leaderboard_of(task)
    senders = [
        (row.name if row.kind != "human" else "human", row.called)
        for row in results.rows
        if row.name != "human:individual" and row.kind != "naive"
    ]
    has = {
        SUBMISSION: False,
        REPLIES: bool(results.models),
        PUBLISHED: bool(published_scores_of(results.study.task)),
        RANKING: not why_no_ranking(results),
        MODEL_PAIRS: len(results.models) > 1,
    }
    return drawn_with(
        "downloads.html",
        address=f"/results-files/{name}",
        exports=[export for export in exports if has.get(export.key, True)],
        leaderboard=family.title if family else "",
        ending="zip" if family is None or family.zipped else "tsv",
        senders=[(quote(sender, safe=""), words) for sender, words in senders] if family else [],
        why_not=family.unknown(results.study.task, results.human.panel.votes.items) if family and senders else "",
    )


def draw_message(heading: str, text: str, command: str = "") -> Markup:
    """Return a state with nothing to show: what happened, what to do next, the command that does it."""
    return drawn_with("message.html", heading=heading, text=text, command=command)


def draw_waiting() -> Markup:
    """Return the shapes of a report whose figures have not come yet."""
    return drawn_with("waiting.html")


def _printed(results: Results) -> dict[str, Any] | None:
    """Return what the results page shows of a task's paper, by the names in its template; None where it has none."""
    published = published_scores_of(results.study.task)
    if published is None:
        return None
    people = published_people(results)
    figures = [replace(figure, metric=metric_named(figure.metric).title) for figure in people.figures] if people else []
    beside = [replace(table, caption="") for table in people.tables] if people else []
    if beside:
        beside[0] = replace(beside[0], rows=figures)
    table = with_titles(published_table(published))
    known = {"source": published.family.source, "untested": UNTESTED, "notes": published.notes}
    return known | {"table": table, "people": beside}


def with_titles(table: Table[Any]) -> Table[Any]:
    """Return a table that has a column for each metric with the titles that metrics have on a page, and no caption."""
    titles = {name: metric.title for name, metric in METRICS.items()}
    return replace(table.titled(titles), caption="")


def _draw_no_answers(results: Results) -> Markup:
    return draw_message(
        "Nobody has answered yet",
        f"Open “{results.study.name}” under Studies, copy its invitation link and send it to people. Their answers "
        "are counted here as they come.",
    )


def _to_be_judged(results: Results) -> Markup:
    return draw_message(
        "What next: let others judge it",
        "What is written has no right answer, so nothing is scored here. Make a file of all entries, and a new study "
        "of it under Studies in which other people check them:",
        f"python app.py written {results.study.name} --task {_judging_task(results.study.task)} --to written.jsonl",
    )


def _draw_no_models(results: Results) -> Markup:
    return draw_message(
        "No model has answered yet",
        "Run one over the same items. A random baseline costs nothing and shows where scores begin:",
        f"python app.py run {results.study.name} --model random",
    )


def _judging_task(task: Task) -> str:
    """Return the id of the task of the catalogue that shows what is written in `task`, else a word to be replaced."""
    if not isinstance(task.answer, Write):
        return "TASK"
    pieces = {piece.name for piece in task.answer.pieces}
    known = pieces | {field.name for field in task.fields}
    for other in tasks().readable()[0]:
        shown = {field.name for field in other.fields}
        if other.answer.has_right and shown <= known and shown & pieces:
            return other.id
    return "TASK"
