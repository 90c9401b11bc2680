"""The tables of details: scores, a row of COLUMNS for each column of every form, and agreement with people."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from baseline.comparison.document import ends, estimate_words
from baseline.comparison.results import (
    AVERAGE,
    NO_MARGIN,
    AgainstPeople,
    PeerAgreement,
    PeerRow,
    Respondent,
    Results,
)
from baseline.human.interval_scope import (
    ONE_PERSON_ALONE,
    ONE_PERSON_IS_PEOPLE,
    difference_words,
    notes_on_tests,
    scope,
    scope_of,
    without_kappa,
)
from baseline.runs.result_runs import public_gold
from data.numbers import DASH, counted, interval, number, p_sign, with_interval
from data.tables import LEFT_OUT, Column, Table
from data.wording import enumerated
from eval.agreement.beside_people import EQUAL, ERROR, KAPPA, RANKS, SIMILAR, SQUARED, PeerMeasure
from eval.comparison.alt_test import AlternativeTest
from eval.comparison.difference import Difference
from eval.comparison.from_people import one_person_is_people
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


def score_table(results: Results, form: str) -> Table[ScoreRow]:
    """Return the score table with the columns of a form; of several metrics, and of agreement, only CSV has rows."""
    primary = metric_named(results.study.task.primary)
    chance = results.first_by_chance
    words = {"metric": primary.name, "void": results.human.void, "chance": f"{chance or 0:.0%}"}
    caption = f"{primary.title} on the same items, with 95% intervals and the difference from people"
    rows = [
        ScoreRow(results, row, name)
        for row in results.rows
        for name in (measured(results, row) if form == "csv" else (primary.name,))
    ]
    columns = [column for column in COLUMNS if chance is not None or not column.key.startswith(FIRST)]
    return Table(caption, tuple(column.called(**words) for column in columns), tuple(rows)).within(form)


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
    return [ONE_PERSON_IS_PEOPLE] if human.majority and one_person_is_people(human.panel, human.task.primary) else []


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
        yield "The baseline is void by its own rules, so tests against it do not compare models with people."
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
        Column("respondent", "respondent", imported_help(scored), lambda row: row.name, read=lambda row: row.called),
        *(Column(name, name, "", _score_by(name), lambda each: with_interval(each.value, each.ci)) for name in names),
    ]
    return Table("Every metric, with 95% intervals", columns, scored)


def imported_help(rows: Iterable[Respondent]) -> str:
    """Return which of the respondents were imported, and from what: the help of their column."""
    called: dict[str, list[str]] = {}
    for row in rows:
        called.setdefault(row.origin, []).append(row.called)
    return "; ".join(f"Imported from {origin}: {', '.join(names)}" for origin, names in called.items() if origin)


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


def _part(whole: str, part: str) -> Callable[[ScoreRow], Any]:
    """Return what takes a part of a row's estimate or of one of its differences out of a row."""
    return lambda row: getattr(getattr(row, whole), part, None)


def _other_runs(row: ScoreRow) -> str | None:
    chosen = row.respondent.chosen
    return " ".join(f"{other.run.id}:{other.state}" for other in chosen.others) if chosen else None


DATA = ("csv", "json")
FIRST = "first_shown"
HOLDS_FOR: Column[ScoreRow] = Column(
    "covers", "interval holds for", "", lambda row: row.holds_for, lambda words: words or DASH
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
    Column("value", "{metric}", "", _part("estimate", "value"), number, (*READ, "csv")),
    Column("interval", "95% interval", "", _part("estimate", "ci"), interval, READ),
    *ends(_part("estimate", "ci")),
    Column("unit", "unit", "", _part("estimate", "unit"), forms=("csv",)),
    Column("method", "method", "", _part("estimate", "interval_method"), forms=("csv",)),
    replace(HOLDS_FOR, forms=(*READ, "json")),
    Column("n", "n", "", lambda row: row.n),
    Column(
        FIRST,
        "took the first shown",
        "By merit alone {chance}: the order was drawn",
        lambda row: row.respondent.first,
        lambda first: with_interval(first.value, first.ci) if first else DASH,
        flat=lambda row: getattr(row.respondent.first, "value", None),
    ),
    *ends(lambda row: getattr(row.respondent.first, "ci", None), f"{FIRST}_"),
    Column("vs_human", "vs people, points{void}", "", lambda row: row.vs_human, difference_words, (*READ, "json")),
    Column("difference", "difference", "", _part("vs_human", "value"), forms=("csv",)),
    *ends(_part("vs_human", "ci"), "difference_"),
    Column("p", "test{void}", "", _part("vs_human", "p"), forms=(*READ, "csv"), read=p_words_of),
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
        "",
        lambda row: LEFT_OUT if row.respondent.kind == "human" else row.vs_person,
        forms=(*READ, "json"),
        read=person_words,
    ),
    Column("from_person", "difference from one person", "", _part("vs_person", "value"), forms=("csv",)),
    *ends(_part("vs_person", "ci"), "from_person_"),
    Column("from_person_p", "p", "", _part("vs_person", "p"), forms=("csv",)),
    Column("p_person_holm", "p of one person, Holm", "", lambda row: row.against("p_person_holm"), forms=("json",)),
    Column("equivalence", "equivalence", "", lambda row: row.against("equivalence"), forms=("json",)),
    Column("alternative", "alternative", "", lambda row: row.against("alternative"), forms=("json",)),
    Column(
        "statuses",
        "statuses",
        "",
        lambda row: row.respondent.statuses,
        flat=lambda row: " ".join(f"{name}:{n}" for name, n in row.respondent.statuses.items()),
        read=lambda row: row.respondent.reply_words,
    ),
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


FIGURES = {
    EQUAL: ("same as most people", "The share of answers that most of the other people gave, ties shared out"),
    KAPPA: ("Cohen's kappa", "The same beyond chance: 1 is always, 0 what chance gives"),
    RANKS: ("rank correlation", "Spearman's, with the mean of the other people's numbers"),
    ERROR: ("mean error", "How far from the mean of the other people's numbers, on average; less is nearer"),
    SQUARED: ("root mean square error", "The same, with large distances weighing more; less is nearer"),
    SIMILAR: ("similarity", "How like the other people's answers, 0 to 1, on average"),
}
"""What each figure is called, and what it says."""
SHOWN, JSON = ("page", "text"), ("json",)
UNSEEN = ("text", "json")
"""The forms of a difference from one person: it is over that person's others, so on a page it would not subtract."""


def place_words(test: AlternativeTest | None) -> str:
    """Return whether a model passes the alternative-annotator test, with winning rate and advantage."""
    if test is None or test.winning_rate is None:
        return DASH
    return f"{'passes' if test.passed else 'fails'}: {number(test.winning_rate)}; {number(test.advantage)}"


def _figure(name: str) -> Callable[[PeerRow], Estimate | None]:
    return lambda row: row.estimates.get(name)


def peer_columns(measure: PeerMeasure) -> tuple[Column[PeerRow], ...]:
    """Return the columns of a study whose answers are measured so."""
    return (
        Column(
            "respondent",
            "respondent",
            "",
            lambda row: LEFT_OUT if row.kind == "person" else row.name,
            read=lambda row: row.words,
        ),
        Column("worker", "worker", "", lambda row: row.name if row.kind == "person" else LEFT_OUT, forms=JSON),
        Column("kind", "kind", "", lambda row: row.kind, forms=JSON),
        Column("n", "answers", "Answers to items that other people answered", lambda row: row.figures[EQUAL].n),
        *(Column(name, *FIGURES[name], _figure(name), estimate_words) for name in measure.names),
        *(column.called(unit=unit_of(measure)) for column in MODEL_COLUMNS),
    )


def unit_of(measure: PeerMeasure) -> str:
    """Return what a difference of agreement counts: points of a hundred, on a scale hundredths of its length.

    Numbers that anybody writes have no such length: they count how far apart people's are.
    """
    if RANKS not in measure.names:
        return "points"
    return "% of the scale" if measure.closed else "% of people's range"


MODEL_COLUMNS: tuple[Column[PeerRow], ...] = (
    Column(
        "vs_one_person",
        "agreement vs one person, {unit}",
        "How much better it agrees with people than one of them, taken at random, agrees with the same others; with "
        "its 95% interval",
        lambda row: row.apart,
        difference_words,
        UNSEEN,
    ),
    Column(
        "p_holm", "p, Holm", "Of that difference, adjusted for the number of models", lambda r: r.p_holm, p_sign, UNSEEN
    ),
    Column(
        "alternative",
        "annotator's place",
        "The alternative-annotator test: winning rate, the share of people against whom the model wins (half "
        "or more to pass); then advantage, how often it agrees with the others as well as the person",
        lambda row: row.alternative,
        place_words,
        SHOWN,
    ),
    Column("winning_rate", "", "", lambda r: r.alternative.winning_rate if r.alternative else None, forms=JSON),
    Column("advantage", "advantage", "", lambda r: r.alternative.advantage if r.alternative else None, forms=JSON),
    Column(
        "alpha_people",
        "alpha of people",
        "Krippendorff's, on the items of the model",
        _figure("alpha_people"),
        estimate_words,
    ),
    Column(
        "alpha_with",
        "alpha with it",
        "The same with the model as one more annotator",
        _figure("alpha_with"),
        estimate_words,
    ),
)


def peer_table(peers: PeerAgreement, form: str) -> Table[PeerRow]:
    """Return every respondent's agreement with people, in a form."""
    known = [column for column in peer_columns(peers.measure) if _has_values(column, peers)]
    return Table("Agreement with people", known, peers.rows if form == "json" else peers.shown).within(form)


def _has_values(column: Column[PeerRow], peers: PeerAgreement) -> bool:
    """Return whether a column that only models have says anything of one."""
    if column.key in ("alpha_people", "alpha_with"):
        return any(row.alpha for row in peers.models)
    return bool(peers.models) or column.key not in ("vs_one_person", "p_holm", "alternative")


def peer_notes(peers: PeerAgreement) -> list[str]:
    """Return what changes how agreement with people is read."""
    return [
        *_about_answers(peers),
        *([] if peers.results.human.one_cluster else [f"Intervals are 95%, for {_hold_for(peers)}."]),
        *notes_on_tests(row.apart for row in peers.models),
        *without_kappa([(row.words, row.figures[KAPPA]) for row in peers.rows if KAPPA in row.figures]),
    ]


def _about_answers(peers: PeerAgreement) -> Iterator[str]:
    """Yield who gives one answer to every item, which figures do not exist, and which ignore the order of a scale."""
    for model in peers.results.models:
        if (answer := model.ballots.only_answer) is not None:
            yield (
                f"One answer, “{answer}”, is all that {model.called} gives to {int(model.ballots.scored.sum())} items. "
                "It tells no item from another, however well that agrees with people."
            )
    ranks = [(row.words, row.figures[RANKS]) for row in peers.rows if RANKS in row.figures]
    if names := [name for name, figure in ranks if figure.n and np.isnan(figure.value)]:
        yield f"Rank correlation of {enumerated(names)} does not exist: one side always says the same, in no order."
    if RANKS in peers.measure.names:
        span = peers.measure.span
        names = [f"“{FIGURES[name][0]}”" for name in (EQUAL, KAPPA) if name in peers.measure.names]
        yield f"Equal or not is all that counts for {enumerated(names)}, not how far apart answers are on the scale."
        if any(row.apart for row in peers.models):
            long = (
                f"The scale is {span:g} long" if peers.measure.closed else f"People's answers lie up to {span:g} apart"
            )
            yield f"{long}, so 1% of that is {span / 100:g}."
    if peers.results.panel.votes.names is not None and peers.models:
        yield "Alpha with a model among people, and kappa, are computed of answers out of a list alone."


def _hold_for(peers: PeerAgreement) -> str:
    """Return what the intervals hold for, and which of them do not where others do."""
    unit, main = peers.results.panel.resampling.unit, peers.main
    known = [row for row in peers.rows if row.figures[main].method != "none"]
    narrow = [row for row in known if row.figures[main].ci_items is None]
    others = len(narrow) < len(known)
    parts = [_words_of(peers, narrow)] if others and narrow else []
    if others and any(row.alpha and row.alpha.together.n and not row.alpha.together.ci_items for row in peers.models):
        parts.append("alpha")
    parts = [f"those of {part} for {scope(unit, other_people=False)}" for part in parts]
    return "; ".join([scope(unit, other_people=others), *parts])


def _words_of(peers: PeerAgreement, rows: Sequence[PeerRow]) -> str:
    """Return whose rows these are: persons one by one are many."""
    persons = [row for row in rows if row.kind == "person"]
    names = [row.words for row in rows if row.kind != "person"]
    if not persons:
        return enumerated(names)
    which = "single persons" if len(persons) == len(peers.people) else counted(len(persons), "single person")
    return enumerated([*names, which])


def peers_dict(peers: PeerAgreement) -> dict[str, Any]:
    """Return it as it stands in JSON."""
    return {
        "by": peers.main,
        "people_range": peers.measure.span if RANKS in peers.measure.names and not peers.measure.closed else None,
        "rows": peer_table(peers, "json").records,
        "pairs": [
            {
                "one": pair.one,
                "other": pair.other,
                "difference": pair.apart.as_dict(),
                "p_holm": pair.p_holm,
                "n": pair.apart.n,
            }
            for pair in peers.pairs
        ],
        "notes": peer_notes(peers),
    }
