"""The columns of the score table: one row of COLUMNS each, for text, Markdown, HTML, LaTeX, CSV and JSON."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from baseline.comparison.against_people import one_person_is_people
from baseline.comparison.against_people_table import against_people_notes, against_people_table
from baseline.comparison.peer_sentences import peer_notes, peer_sentences, peers_dict
from baseline.comparison.peer_tables import peer_table
from baseline.comparison.results import Respondent, Results
from baseline.comparison.score_rows import ScoreRow, difference_words, measured, p_words_of, person_words, reply_words
from baseline.human.interval_scope import ONE_PERSON_ALONE, ONE_PERSON_IS_PEOPLE, QUESTIONS, notes_on_tests
from baseline.runs.run_state import imported_words
from baseline.runs.train_leaks import public_gold
from data.numbers import DASH, MINUS, counted, interval, number, with_interval
from data.tables import LEFT_OUT, Column, Table
from eval.comparison.difference import Difference
from eval.distance_from_gold import distances_of_models
from eval.estimate import Estimate
from eval.metrics.table import metric_named

READ = ("text", "markdown", "html", "latex")
TABULAR = (*READ, "paper", "beside")
"""The forms for people: a row for each respondent, its score by the task's first metric. CSV has one for each metric.

`latex` is the report, `paper` a table to be put into another text; `beside` are the models in a report on people.
"""


def score_table(results: Results, form: str, *, metric: str = "") -> Table[ScoreRow]:
    """Return the score table with the columns of a form; `metric` is what it calls the task's first metric, "" its key.

    Of several metrics, and of agreement with people, only CSV has rows.
    """
    primary = metric_named(results.study.task.primary)
    low, high = (f"{end:g}".replace("-", MINUS) for end in (primary.low, primary.high))
    words = {"metric": metric or primary.name, "title": primary.title, "low": low, "high": high}
    words["void"] = results.human.void
    caption = f"{primary.title} on the same items, with 95% intervals and the difference from people"
    rows = [
        ScoreRow(results, row, name)
        for row in results.rows
        for name in (measured(results, row) if form == "csv" else (primary.name,))
    ]
    return Table(caption, tuple(column.called(**words) for column in COLUMNS), tuple(rows)).within(form)


def result_tables(results: Results, form: str) -> list[Table[Any]]:
    """Return what is shown of a study: scores, how models stand to people, and who agrees with people how far.

    Without gold the first two have nothing to say, and agreement with people stands in their place.
    """
    gold = bool(results.human.panel.gold)
    shown: list[Table[Any]] = [score_table(results, form)] if gold or results.peers is None else []
    shown += [against_people_table(results)] if gold and any(row.kind != "human" for row in results.rows) else []
    shown += [peer_table(results.peers, "text")] if results.peers else []
    return [replace(table, caption="") for table in shown]


def result_notes(results: Results) -> list[str]:
    """Return what a reader must know beside these."""
    both = questions(results)
    of_models = distances_of_models(results.human.panel, {row.called: row.ballots for row in results.models})
    notes = [*results.human.notes(), *of_models, *results.notes_of_runs(), *both, *against_people_notes(results)]
    if not results.peers:
        return notes
    return list(dict.fromkeys([*peer_sentences(results.peers), *notes, *peer_notes(results.peers)]))


def questions(results: Results) -> list[str]:
    """Return which question each comparison with people answers and how p is read, nothing where none is made."""
    compared = [row.vs_human or row.vs_person for row in results.models]
    if len(set(results.human.panel.votes.worker.tolist())) == 1:
        asked = [ONE_PERSON_ALONE] if any(compared) else []
    else:
        same = bool(results.human.majority) and one_person_is_people(results.human)
        asked = [QUESTIONS] * any(compared) + [ONE_PERSON_IS_PEOPLE] * same
    return [*asked, *_standing_of_people(results), *notes_on_tests(compared)] if any(compared) else asked


def _standing_of_people(results: Results) -> Iterator[str]:
    """Yield that people's one answer is void as a baseline, and that it is known of a part of the items only."""
    panel, majority = results.human.panel, results.human.majority.get(results.study.task.primary)
    if results.human.void:
        yield "The baseline is void by its own rules, so tests against it do not say how models stand to people."
    judged = len({panel.votes.items[row] for row in panel.votes.item.tolist()} & set(panel.gold))
    if majority and majority.n < judged:
        yield (
            f"People's one answer is scored on {counted(majority.n, 'item')} of {judged}, and differences from it are "
            "on these; one person and models are scored on all that they answered."
        )


def model_table(results: Results) -> Table[ScoreRow]:
    """Return the models that are scored, as they stand beside people in the report of a human baseline."""
    table = score_table(results, "beside")
    rows = [row for row in table.rows if row.estimate and row.respondent.kind != "human"]
    models = Table("Models on the same items, beside the majority of people", table.columns, rows)
    compared = f"minus people, points{results.human.void}"
    return models.titled({"respondent": "model", "value": "value", "vs_human": compared})


def metrics_table(results: Results, least: int = 2) -> Table[Respondent] | None:
    """Return every metric of every respondent, for a task with `least` or more; None where nobody is scored."""
    scored = [row for row in results.rows if row.scores]
    names = results.study.task.metrics
    if len(names) < least or not scored:
        return None
    columns: list[Column[Respondent]] = [Column("respondent", "respondent", "", lambda row: row.name, read=_called)]
    columns += [
        Column(name, name, "", _score_by(name), lambda estimate: with_interval(estimate.value, estimate.ci))
        for name in names
    ]
    return Table("Every metric, with 95% intervals", columns, scored)


def _called(row: Respondent) -> str:
    harness = imported_words(row.run)
    return f"{row.called}, imported from {harness}" if harness else row.called


def _score_by(metric: str) -> Callable[[Respondent], Estimate]:
    return lambda row: row.scores[metric]


def results_dict(results: Results) -> dict[str, Any]:
    """Return the table in the fixed shape of `results --json`, how models stand to people under added keys."""
    return {
        "study": results.study.name,
        "task": results.study.task.id,
        "items": len(results.human.panel.votes.items),
        "margin": results.margin,
        "rows": score_table(results, "json").records,
        "peers": peers_dict(results.peers) if results.peers else None,
        "notes": result_notes(results),
    }


def _end(place: int) -> Any:
    return lambda row: row.estimate.ci[place] if row.estimate else None


def _apart(part: str, place: int | None = None) -> Any:
    """Return what takes a part of the difference from people, or one end of it, out of a row."""
    return lambda row: _part(row.apart, part, place)


def _from_person(part: str, place: int | None = None) -> Any:
    """Return what takes a part of the difference from the average person out of a row."""
    return lambda row: _part(row.from_person, part, place)


def _part(apart: Difference | None, part: str, place: int | None) -> Any:
    value = getattr(apart, part) if apart else None
    return value if value is None or place is None else value[place]


def _other_runs(row: ScoreRow) -> str | None:
    chosen = row.respondent.chosen
    return " ".join(f"{other.run.id}:{other.state}" for other in chosen.others) if chosen else None


DATA = ("csv", "json")
HOLDS_FOR: Column[ScoreRow] = Column(
    "covers",
    "interval holds for",
    "Whether other items, and other people, would give a score within the interval",
    lambda row: row.holds_for,
    lambda words: words or DASH,
)
COLUMNS: tuple[Column[ScoreRow], ...] = (
    Column(
        "respondent",
        "respondent",
        "",
        lambda row: row.respondent.name,
        read=lambda row: row.respondent.called,
    ),
    Column("void", "void", "", lambda row: row.void or LEFT_OUT, forms=("json",)),
    # In JSON naive baselines are models too.
    Column(
        "kind",
        "kind",
        "",
        lambda row: "human" if row.respondent.kind == "human" else "model",
        forms=DATA,
        flat=lambda row: row.respondent.kind,
    ),
    Column("metric", "metric", "", lambda row: row.metric, forms=("csv", "beside")),
    Column("scores", "scores", "", lambda row: row.respondent.scores, forms=("json",)),
    Column(
        "value",
        "{metric}",
        "{title}, from {low} to {high}",
        lambda row: row.estimate.value if row.estimate else None,
        number,
        (*TABULAR, "csv"),
    ),
    Column(
        "interval",
        "95% interval",
        "Of 100 such intervals about 95 hold the true value",
        lambda row: row.estimate.ci if row.estimate else None,
        interval,
        TABULAR,
        "wide-only",
    ),
    Column("low", "low", "", _end(0), forms=("csv",)),
    Column("high", "high", "", _end(1), forms=("csv",)),
    Column("unit", "unit", "", lambda row: row.estimate.unit if row.estimate else None, forms=("csv",)),
    Column("method", "method", "", lambda row: row.estimate.interval_method if row.estimate else None, forms=("csv",)),
    replace(HOLDS_FOR, forms=(*READ, "json")),
    Column("n", "n", "Answers behind the score", lambda row: row.n, style="wide-only"),
    Column(
        "vs_human",
        "vs people, points{void}",
        "The respondent's score minus that of the people's majority on the items both have, in percentage points, with "
        "its 95% interval",
        lambda row: row.apart,
        difference_words,
        (*TABULAR, "json"),
    ),
    Column("difference", "difference", "", _apart("value"), forms=("csv",)),
    Column("difference_low", "low", "", _apart("ci", 0), forms=("csv",)),
    Column("difference_high", "high", "", _apart("ci", 1), forms=("csv",)),
    Column(
        "p",
        "test{void}",
        "Two-sided p-value of the difference, a model's adjusted for the other models (Holm)",
        lambda row: row,
        p_words_of,
        (*READ, "paper", "beside"),
    ),
    Column("p", "p", "", _apart("p"), forms=("csv",)),
    Column(
        "p_holm",
        "p, Holm",
        "",
        lambda row: row.against("p_holm"),
        forms=DATA,
        flat=lambda row: row.against("p_holm") if row.apart else None,
    ),
    Column(
        "vs_person",
        "vs one person, points",
        "A model's score minus that of the average person, who answers alone, on the items both have, in percentage "
        "points, with its 95% interval and two-sided p-value, adjusted for the other models (Holm)",
        lambda row: row,
        person_words,
        TABULAR,
        "wide-only",
    ),
    Column(
        "vs_person",
        "vs one person",
        "",
        lambda row: LEFT_OUT if row.respondent.kind == "human" else row.from_person,
        forms=("json",),
    ),
    Column("from_person", "difference from one person", "", _from_person("value"), forms=("csv",)),
    Column("from_person_low", "low", "", _from_person("ci", 0), forms=("csv",)),
    Column("from_person_high", "high", "", _from_person("ci", 1), forms=("csv",)),
    Column("from_person_p", "p", "", _from_person("p"), forms=("csv",)),
    Column("p_person_holm", "p of one person, Holm", "", lambda row: row.against("p_person_holm"), forms=("json",)),
    Column("equivalence", "equivalence", "", lambda row: row.against("equivalence"), forms=("json",)),
    Column("alternative", "alternative", "", lambda row: row.against("alternative"), forms=("json",)),
    Column(
        "statuses",
        "statuses",
        "",
        lambda row: row.respondent.statuses,
        forms=DATA,
        flat=lambda row: " ".join(f"{name}:{n}" for name, n in row.respondent.statuses.items()),
    ),
    Column("statuses", "statuses", "", lambda row: row.respondent, reply_words, READ),
    replace(HOLDS_FOR, forms=("csv",)),
    Column(
        "run",
        "run",
        "",
        lambda row: row.respondent.chosen or LEFT_OUT,
        forms=DATA,
        flat=lambda row: row.respondent.run.id if row.respondent.run else None,
    ),
    Column(
        "gold_public",
        "right answers public",
        "",
        lambda row: (row.respondent.kind == "model" and public_gold(row.results.study)) or LEFT_OUT,
        forms=("json",),
    ),
    Column("other_runs", "other runs", "", _other_runs, forms=("csv",)),
)
