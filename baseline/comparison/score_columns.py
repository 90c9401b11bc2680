"""The score table: its rows, and a row of COLUMNS for each column of text, Markdown, HTML, LaTeX, CSV and JSON."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from baseline.comparison.peer_agreement import peer_notes, peer_table, peers_dict
from baseline.comparison.results import (
    AVERAGE,
    NO_MARGIN,
    AgainstPeople,
    PeerRow,
    Respondent,
    Results,
    one_person_is_people,
)
from baseline.human.interval_scope import (
    ONE_PERSON_ALONE,
    ONE_PERSON_IS_PEOPLE,
    difference_words,
    notes_on_tests,
    scope_of,
)
from baseline.runs.train_leaks import public_gold
from data.numbers import DASH, MINUS, counted, interval, number, p_sign, with_interval
from data.tables import LEFT_OUT, Column, Table
from data.wording import enumerated
from eval.comparison.alt_test import AlternativeTest
from eval.comparison.difference import Difference
from eval.distance_from_gold import distances_of_models
from eval.estimate import Estimate
from eval.metrics.table import metric_named

WITH_PEOPLE = "people:"
"""How the names of figures of agreement with people begin, where they stand among metrics."""


@dataclass(frozen=True, eq=False)
class ScoreRow:
    """What one respondent scored by one metric; `metric` is None where nothing of it is scored."""

    results: Results
    respondent: Respondent
    metric: str | None

    @property
    def peer(self) -> PeerRow | None:
        """How far it agrees with people; None where it stands beside nobody."""
        return self.results.peers.row_of(self.respondent.name) if self.results.peers else None

    @property
    def estimate(self) -> Estimate | None:
        """The score, or how far it agrees with people by this figure."""
        if not self.metric or not self.metric.startswith(WITH_PEOPLE):
            return self.respondent.scores.get(self.metric) if self.metric else None
        peer = self.peer
        return peer.estimates.get(self.metric.removeprefix(WITH_PEOPLE)) if peer else None

    @property
    def n(self) -> int:
        """How many answers are behind the score."""
        return self.estimate.n if self.estimate else self.respondent.n

    @property
    def vs_human(self) -> Difference | None:
        """How far it is from people, which is tested by the task's first metric alone."""
        return self.respondent.vs_human if self.metric == self.results.study.task.primary else None

    @property
    def void(self) -> list[str]:
        """Which keys of the row in JSON rest on people's one answer, where that is void as a baseline."""
        if not self.results.human.void:
            return []
        if self.respondent.kind == "human" and self.respondent.name != AVERAGE:
            return ["scores"]
        compared = ["vs_human", "p_holm", "equivalence"] if self.against_people else ["vs_human"]
        return compared if self.vs_human else []

    @property
    def holds_for(self) -> str:
        """What the interval of the score holds for, "" where there is none."""
        people = self.respondent.kind == "human" or str(self.metric).startswith(WITH_PEOPLE)
        return scope_of(self.estimate, of_people=people) if self.estimate else ""

    @property
    def vs_person(self) -> Difference | None:
        """How far it is from the average person, tested by the first metric or figure alone; None for people."""
        peer = self.peer
        if peer and self.results.peers and self.metric == f"{WITH_PEOPLE}{self.results.peers.main}":
            return peer.apart
        return self.respondent.vs_person if self.metric == self.results.study.task.primary else None

    @property
    def against_people(self) -> AgainstPeople | None:
        """How it stands to people beyond that, None for people themselves."""
        return self.results.against_people.get(self.respondent.name)

    def against(self, part: str) -> Any:
        """Return a part of how a model stands to people as JSON has it; people themselves are without."""
        return self.against_people.as_dict()[part] if self.against_people else LEFT_OUT


def measured(results: Results, row: Respondent) -> Sequence[str | None]:
    """Return what is known of a respondent: its metrics, then its agreement with people; None where that is nothing."""
    peer = results.peers.row_of(row.name) if results.peers else None
    return (*row.scores, *(f"{WITH_PEOPLE}{name}" for name in (peer.estimates if peer else ()))) or (None,)


def p_words_of(row: ScoreRow) -> str:
    """Return the p-value of a row's difference from people, a model's adjusted for the other models of the table."""
    if row.vs_human is None or row.vs_human.p is None:
        return DASH
    return p_sign(row.vs_human.p) if row.against_people is None else f"{p_sign(row.against('p_holm'))}, Holm"


def person_words(row: ScoreRow) -> str:
    """Return how far a row's model is from the average person, with the adjusted test; a dash for people."""
    if row.against_people is None or row.vs_person is None or row.vs_person.p is None:
        return difference_words(row.vs_person)
    return f"{difference_words(row.vs_person)}, {p_sign(row.against('p_person_holm'))}, Holm"


READ = ("text",)
"""The form for people: a row for each respondent, its score by the task's first metric. CSV has one for each metric."""
ALTERNATIVE = "The alternative-annotator test"


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


def result_tables(results: Results) -> list[Table[Any]]:
    """Return the details of a study: scores, every metric, and who agrees with people how far."""
    shown: list[Table[Any]] = [score_table(results, "text")] if results.panel.gold or results.peers is None else []
    shown += [every] if (every := metrics_table(results)) else []
    return [*shown, peer_table(results.peers, "text")] if results.peers else shown


def result_notes(results: Results) -> list[str]:
    """Return what a reader must know beside these."""
    of_models = distances_of_models(results.panel, {row.called: row.ballots for row in results.models})
    notes = [*results.human.notes(), *of_models, *results.notes_of_runs(), *_standing_of_people(results)]
    notes += [*_one_person(results), *_refusals(results)]
    notes += notes_on_tests(row.vs_human or row.vs_person for row in results.models)
    return list(dict.fromkeys([*notes, *peer_notes(results.peers)])) if results.peers else notes


def _one_person(results: Results) -> list[str]:
    """Return why people's one answer and one person are not compared, nothing where they are."""
    human = results.human
    if not any(row.vs_human or row.vs_person for row in results.models):
        return []
    if len(set(human.panel.votes.worker.tolist())) == 1:
        return [ONE_PERSON_ALONE]
    return [ONE_PERSON_IS_PEOPLE] if human.majority and one_person_is_people(human) else []


def _refusals(results: Results) -> Iterator[str]:
    """Yield a sentence for each test that could not be had and why, with the models it is so for."""
    models: dict[tuple[str, str], list[str]] = {}
    for row in results.models:
        against = results.against_people[row.name]
        tests = (("Equivalence to the majority of people", against.equivalence), (ALTERNATIVE, against.alternative))
        for title, test in tests:
            why = test.refused if isinstance(test, AlternativeTest) else test if isinstance(test, str) else None
            if why and why != NO_MARGIN:
                models.setdefault((title, why), []).append(row.called)
    for (title, why), names in models.items():
        yield f"{title} cannot be had for {enumerated(names)}: {why}"


def _standing_of_people(results: Results) -> Iterator[str]:
    """Yield that people's one answer is void as a baseline, and that it is known of a part of the items only."""
    panel, majority = results.panel, results.human.majority.get(results.study.task.primary)
    if results.human.void:
        yield "The baseline is void by its own rules, so tests against it do not say how models stand to people."
    judged = len({panel.votes.items[row] for row in panel.votes.item.tolist()} & set(panel.gold))
    if majority and majority.n < judged:
        yield (
            f"People's one answer is scored on {counted(majority.n, 'item')} of {judged}, and differences from it are "
            "on these; one person and models are scored on all that they answered."
        )


def metrics_table(results: Results, least: int = 2) -> Table[Respondent] | None:
    """Return every metric of every respondent, for a task with `least` or more; None where nobody is scored."""
    scored = [row for row in results.rows if row.scores]
    names = results.study.task.metrics
    if len(names) < least or not scored:
        return None
    columns: list[Column[Respondent]] = [
        Column("respondent", "respondent", "", lambda row: row.name, read=lambda row: row.called_in_tables),
        *(Column(name, name, "", _score_by(name), lambda each: with_interval(each.value, each.ci)) for name in names),
    ]
    return Table("Every metric, with 95% intervals", columns, scored)


def _score_by(metric: str) -> Callable[[Respondent], Estimate]:
    return lambda row: row.scores[metric]


def results_dict(results: Results) -> dict[str, Any]:
    """Return the table in the fixed shape of `results --json`, how models stand to people under added keys."""
    return {
        "study": results.study.name,
        "task": results.study.task.id,
        "items": len(results.panel.votes.items),
        "margin": results.margin,
        "rows": score_table(results, "json").records,
        "peers": peers_dict(results.peers) if results.peers else None,
        "notes": result_notes(results),
    }


def _part(whole: str, part: str, place: int | None = None) -> Callable[[ScoreRow], Any]:
    """Return what takes a part of a row's estimate or of one of its differences, or one end of it, out of a row."""

    def value(row: ScoreRow) -> Any:
        found = getattr(getattr(row, whole), part, None)
        return found if found is None or place is None else found[place]

    return value


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
    Column("respondent", "respondent", "", lambda row: row.respondent.name, read=lambda row: row.respondent.called),
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
    Column("metric", "metric", "", lambda row: row.metric, forms=("csv",)),
    Column("scores", "scores", "", lambda row: row.respondent.scores, forms=("json",)),
    Column("value", "{metric}", "{title}, from {low} to {high}", _part("estimate", "value"), number, (*READ, "csv")),
    Column(
        "interval",
        "95% interval",
        "Of 100 such intervals about 95 hold the true value",
        _part("estimate", "ci"),
        interval,
        READ,
        "",
    ),
    Column("low", "low", "", _part("estimate", "ci", 0), forms=("csv",)),
    Column("high", "high", "", _part("estimate", "ci", 1), forms=("csv",)),
    Column("unit", "unit", "", _part("estimate", "unit"), forms=("csv",)),
    Column("method", "method", "", _part("estimate", "interval_method"), forms=("csv",)),
    replace(HOLDS_FOR, forms=(*READ, "json")),
    Column("n", "n", "Answers behind the score", lambda row: row.n, style=""),
    Column(
        "vs_human",
        "vs people, points{void}",
        "The respondent's score minus that of the people's majority on the items both have, in percentage points, with "
        "its 95% interval",
        lambda row: row.vs_human,
        difference_words,
        (*READ, "json"),
    ),
    Column("difference", "difference", "", _part("vs_human", "value"), forms=("csv",)),
    Column("difference_low", "low", "", _part("vs_human", "ci", 0), forms=("csv",)),
    Column("difference_high", "high", "", _part("vs_human", "ci", 1), forms=("csv",)),
    Column(
        "p",
        "test{void}",
        "Two-sided p-value of the difference, a model's adjusted for the other models (Holm)",
        lambda row: row,
        p_words_of,
        READ,
    ),
    Column("p", "p", "", _part("vs_human", "p"), forms=("csv",)),
    Column(
        "p_holm",
        "p, Holm",
        "",
        lambda row: row.against("p_holm"),
        forms=DATA,
        flat=lambda row: row.against("p_holm") if row.vs_human else None,
    ),
    Column(
        "vs_person",
        "vs one person, points",
        "A model's score minus that of the average person, who answers alone, on the items both have, in percentage "
        "points, with its 95% interval and two-sided p-value, adjusted for the other models (Holm)",
        lambda row: row,
        person_words,
        READ,
        "",
    ),
    Column(
        "vs_person",
        "vs one person",
        "",
        lambda row: LEFT_OUT if row.respondent.kind == "human" else row.vs_person,
        forms=("json",),
    ),
    Column("from_person", "difference from one person", "", _part("vs_person", "value"), forms=("csv",)),
    Column("from_person_low", "low", "", _part("vs_person", "ci", 0), forms=("csv",)),
    Column("from_person_high", "high", "", _part("vs_person", "ci", 1), forms=("csv",)),
    Column("from_person_p", "p", "", _part("vs_person", "p"), forms=("csv",)),
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
    Column("statuses", "statuses", "", lambda row: row.respondent.reply_words, forms=READ),
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
