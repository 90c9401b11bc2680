"""Agreement with people in words: its columns, once for every form, and the sentences beside them."""

from collections.abc import Callable, Iterator
from typing import Any

from baseline.comparison.document import Line, Section
from baseline.comparison.peer_agreement import LEAST_ITEMS, MOST_PEOPLE, ModelPair, PeerAgreement, PeerRow
from baseline.human.interval_scope import notes_on_tests, scope, without_kappa
from data.numbers import DASH, SIGNIFICANT, interval, number, p_sign, points, points_interval, with_interval
from data.tables import LEFT_OUT, Column, Table
from data.wording import enumerated
from eval.agreement.beside_people import EQUAL, ERROR, KAPPA, RANKS, SIMILAR, SQUARED, PeerMeasure
from eval.comparison.alt_test_intervals import ADVANTAGE, RATE
from eval.comparison.difference import Difference
from eval.estimate import Estimate

TITLE = "Who agrees with people as well as people do?"
ROUNDING = 1e-9
READ, DATA = ("page", "text", "document", "paper"), ("json", "csv")
FIGURES = {
    EQUAL: ("same as most people", "The share of answers that most of the other people gave, ties shared out"),
    KAPPA: ("Cohen's kappa", "The same beyond chance: 1 is always, 0 what chance gives"),
    RANKS: ("rank correlation", "Spearman's, with the mean of the other people's numbers"),
    ERROR: ("mean error", "How far from the mean of the other people's numbers, on average; less is nearer"),
    SQUARED: ("root mean square error", "The same, with large distances weighing more; less is nearer"),
    SIMILAR: ("similarity", "How like the other people's answers, 0 to 1, on average"),
}
"""What each figure is called, and what it says."""


def _estimate_words(estimate: Estimate | None) -> str:
    return with_interval(estimate.value, estimate.ci) if estimate and estimate.n else DASH


def _figure(name: str) -> Iterator[Column[PeerRow]]:
    title, meaning = FIGURES[name]
    yield Column(name, title, meaning, lambda row: row.figures[name], _estimate_words, (*READ, "json"))
    ends: tuple[tuple[str, Callable[[Estimate], float]], ...] = (
        (name, lambda estimate: estimate.value),
        (f"{name}_low", lambda estimate: estimate.ci[0]),
        (f"{name}_high", lambda estimate: estimate.ci[1]),
    )
    for key, part in ends:
        yield Column(key, key, "", _part(name, part), forms=("csv",))


def _part(name: str, part: Callable[[Estimate], float]) -> Callable[[PeerRow], float | None]:
    def value(row: PeerRow) -> float | None:
        figure = part(row.figures[name])
        return None if figure != figure else figure

    return value


def apart_words(apart: Difference | None) -> str:
    """Return how much better than one person, in points with the interval."""
    return f"{points(apart.value)} {points_interval(apart.ci)}" if apart else DASH


def _alternative(row: PeerRow) -> str:
    if row.alternative is None or not row.place:
        return DASH
    verdict = "passes" if row.alternative.passed else "fails"
    return f"{_estimate_words(row.place[RATE])}, {verdict}; {_estimate_words(row.place[ADVANTAGE])}"


def _alpha(place: str) -> Callable[[PeerRow], Any]:
    return lambda row: getattr(row.alpha, place) if row.alpha else None


def _place(name: str) -> Callable[[PeerRow], Estimate | None]:
    return lambda row: row.place.get(name)


def peer_columns(measure: PeerMeasure) -> tuple[Column[PeerRow], ...]:
    """Return the columns of a study whose answers are measured so."""
    return (
        Column("respondent", "respondent", "", lambda row: row.words, forms=(*READ, "csv")),
        Column("respondent", "respondent", "", lambda r: LEFT_OUT if r.kind == "person" else r.name, forms=("json",)),
        Column("worker", "worker", "", lambda row: row.name if row.kind == "person" else LEFT_OUT, forms=("json",)),
        Column("kind", "kind", "", lambda row: row.kind, forms=DATA),
        Column("n", "answers", "Answers to items that other people answered", lambda row: row.figures[EQUAL].n),
        *(column for name in measure.names for column in _figure(name)),
        *MODEL_COLUMNS,
    )


MODEL_COLUMNS: tuple[Column[PeerRow], ...] = (
    Column(
        "vs_one_person",
        "vs one person, points",
        "How much better it agrees with people than one of them, taken at random, agrees with the same others; in "
        "points of a hundred (of a scale: of its length), with its 95% interval",
        lambda row: row.apart,
        apart_words,
        (*READ, "json"),
    ),
    Column("vs_one_person", "vs one person", "", lambda r: r.apart.value if r.apart else None, forms=("csv",)),
    Column("low", "low", "", lambda row: row.apart.ci[0] if row.apart else None, forms=("csv",)),
    Column("high", "high", "", lambda row: row.apart.ci[1] if row.apart else None, forms=("csv",)),
    Column(
        "p_holm",
        "p, Holm",
        "Of that difference, adjusted for the number of models",
        lambda row: row.p_holm,
        p_sign,
    ),
    Column(
        "alternative",
        "annotator's place",
        "The alternative-annotator test: winning rate, the share of people whose place the model may take (half "
        "or more to pass); then advantage, how often it agrees with the others as well as the person",
        lambda row: row,
        _alternative,
        READ,
    ),
    Column(
        "winning_rate",
        "winning rate",
        "",
        lambda r: r.alternative.winning_rate if r.alternative else None,
        forms=DATA,
    ),
    Column("advantage", "advantage", "", lambda r: r.alternative.advantage if r.alternative else None, forms=DATA),
    *(
        Column(f"{name}_interval", f"interval of {name}", "", _place(name), forms=("json",))
        for name in (RATE, ADVANTAGE)
    ),
    *(
        Column(key, title, help_text, _alpha(part), _estimate_words, (*READ, "json"))
        for key, title, help_text, part in (
            ("alpha_people", "alpha of people", "Krippendorff's, on the items of the model", "people"),
            ("alpha_with", "alpha with it", "The same with the model as one more annotator", "together"),
        )
    ),
)


PAIRS: tuple[Column[ModelPair], ...] = (
    Column("one", "model", "", lambda pair: pair.words[0], forms=READ),
    Column("one", "model", "", lambda pair: pair.one, forms=("json",)),
    Column("other", "another", "", lambda pair: pair.words[1], forms=READ, style="start"),
    Column("other", "another", "", lambda pair: pair.other, forms=("json",)),
    Column("difference", "model nearer to people by, points", "", lambda pair: pair.apart, apart_words),
    Column("p_holm", "p, Holm", "", lambda pair: pair.p_holm, p_sign),
    Column("n", "items", "", lambda pair: pair.apart.n),
)


def peer_table(peers: PeerAgreement, form: str) -> Table[PeerRow]:
    """Return every respondent's agreement with people, in a form."""
    known = [column for column in peer_columns(peers.measure) if _has_values(column, peers)]
    return Table("Agreement with people", known, peers.rows).within(form)


def _has_values(column: Column[PeerRow], peers: PeerAgreement) -> bool:
    """Return whether a column that only models have says anything of one."""
    if column.key in ("alpha_people", "alpha_with"):
        return _alphas(peers)
    return bool(peers.models) or column.key not in ("vs_one_person", "p_holm", "alternative", "low", "high")


def pair_table(peers: PeerAgreement, form: str) -> Table[ModelPair]:
    """Return models against each other."""
    return Table("Models against each other, by agreement with people", PAIRS, peers.pairs).within(form)


def peer_sentences(peers: PeerAgreement) -> list[str]:
    """Return who agrees with people as well as people do, and who is told apart from one person."""
    return [*_about_people(peers), *_about_places(peers), *_about_tests(peers)]


def _about_people(peers: PeerAgreement) -> Iterator[str]:
    main = peers.average.figures[peers.main]
    if not main.n:
        return
    what = {
        EQUAL: f"gives the answer of most others {main.value:.1%} of the time",
        ERROR: f"is {number(main.value)} from the mean of the others, on average",
        SIMILAR: f"is {number(main.value)} like the others, where 1 is the same",
    }[peers.main]
    ends = " to ".join(f"{end:.1%}" for end in main.ci) if peers.main == EQUAL else interval(main.ci)
    people = len(peers.human.panel.workers) - len(peers.human.panel.excluded)
    yield f"One of {people} people {what}{f' (95% interval {ends})' if main.ci[0] == main.ci[0] else ''}."


def _about_places(peers: PeerAgreement) -> Iterator[str]:
    tested = [row for row in peers.models if row.alternative and row.alternative.winning_rate is not None]
    passed = [row for row in tested if row.alternative and row.alternative.passed]
    failed = [row.words for row in tested if row not in passed]
    by = f"by the alternative-annotator test (epsilon {_epsilon(peers):g})"
    worse = {row.words: words for row in passed if (words := _worse_words(peers, row))}
    if alike := [row.words for row in passed if row.words not in worse]:
        yield f"{enumerated(alike)} agree{'s' * (len(alike) == 1)} with people as well as people do, {by}."
    for name, words in worse.items():
        yield f"{name} may take a person's place {by}, although it agrees less well than one person: {words}."
    if failed and passed:
        yield f"{enumerated(failed)} {'does' if len(failed) == 1 else 'do'} not pass that test."
    elif failed:
        who = f"None of {len(failed)} models agrees" if len(failed) > 1 else f"{failed[0]} does not agree"
        yield f"{who} with people as well as people do, {by}."


def _worse_words(peers: PeerAgreement, row: PeerRow) -> str:
    """Return by which figure a model agrees less well than one person, "" where it does not.

    On a scale by the distance that the alternative-annotator test compares, else beside the very same others.
    """
    if SQUARED in row.figures:
        own, person = row.figures[SQUARED].value, peers.average.figures[SQUARED].value
        return f"{FIGURES[SQUARED][0]} {number(own)}, of one person {number(person)}" if own > person + ROUNDING else ""
    if row.apart is None or row.apart.value > -ROUNDING:
        return ""
    return f"{points(row.apart.value)} points"


def _epsilon(peers: PeerAgreement) -> float:
    """Return what the alternative-annotator test grants the models of a study."""
    return next((row.alternative.epsilon for row in peers.models if row.alternative), 0.0)


def _about_tests(peers: PeerAgreement) -> Iterator[str]:
    tested = [row for row in peers.models if row.apart and row.p_holm is not None]
    clear = [row for row in tested if row.p_holm is not None and row.p_holm < SIGNIFICANT]
    parts = {
        "better than one person": [row.words for row in clear if row.apart and row.apart.value > 0],
        "less well than one person": [row.words for row in clear if row.apart and row.apart.value < 0],
        "not told apart from one person": [row.words for row in tested if row not in clear],
    }
    if words := "; ".join(f"{how}: {enumerated(names)}" for how, names in parts.items() if names):
        yield f"Agreement with the same other people, tested (Holm, 0.05): {words}."
    passed = {row.words for row in peers.models if row.alternative and row.alternative.passed}
    both = [name for name in parts["less well than one person"] if name in passed]
    if both:
        yield (
            f"Less well than one person, and in a person's place all the same: {enumerated(both)}. Both can be true: "
            f"that test grants a model epsilon ({_epsilon(peers):g}), this one grants nothing."
        )


def peer_notes(peers: PeerAgreement) -> list[str]:
    """Return whom the intervals hold for, and what stands beside what."""
    panel = peers.human.panel
    others = peers.average.figures[peers.main].ci_items is not None
    return [
        "A person is compared with the other people of an item, a model with all of them; their ties are shared out.",
        "“vs one person”: both are compared with the same others, those who remain without one person. It is of "
        "agreement with people; beside scores the column of that name is of right answers.",
        *(["A point is a hundredth of the length of the scale."] if RANKS in peers.measure.names else []),
        *_without_order(peers),
        f"Intervals are 95%, for {scope(panel.resampling.unit, other_people=others)}{_without(peers, others=others)}.",
        *notes_on_tests(row.apart for row in peers.models),
        *without_kappa([(row.words, row.figures[KAPPA]) for row in peers.rows if KAPPA in row.figures]),
        f"People with {LEAST_ITEMS} shared items or more have a row, at most the {MOST_PEOPLE} who answered most.",
    ]


def _without_order(peers: PeerAgreement) -> list[str]:
    """Return whose rank correlation does not exist, since an order needs different answers on both sides."""
    ranks = [(row.words, row.figures[RANKS]) for row in peers.rows if RANKS in row.figures]
    names = [name for name, figure in ranks if figure.n and figure.value != figure.value]
    if not names:
        return []
    return [f"Rank correlation of {enumerated(names)} does not exist: one side always says the same, in no order."]


def _without(peers: PeerAgreement, *, others: bool) -> str:
    """Return which figures have no such interval, "" where there is none of them."""
    unit = peers.human.panel.resampling.unit
    narrow = any(row.alpha and row.alpha.together.n and not row.alpha.together.ci_items for row in peers.models)
    alpha = f"; those of alpha for {scope(unit, other_people=False)}" if others and narrow else ""
    placed = [each for row in peers.models for each in row.place.values()]
    if others == any(each.ci_items for each in placed) or not placed:
        return alpha
    return f"{alpha}; those of winning rate and advantage for {scope(unit, other_people=not others)}"


def _alphas(peers: PeerAgreement) -> bool:
    return any(row.alpha for row in peers.models)


def peer_section(peers: PeerAgreement, figure: str | None = None) -> Section:
    """Return agreement with people as a section of a report."""
    tables: tuple[Table[Any], ...] = (
        peer_table(peers, "document"),
        *([pair_table(peers, "document")] if peers.pairs else []),
    )
    return Section(TITLE, tuple(map(Line, (*peer_sentences(peers), *peer_notes(peers)))), tables, figure=figure)


def peers_dict(peers: PeerAgreement) -> dict[str, Any]:
    """Return it as it stands in JSON."""
    return {
        "by": peers.main,
        "rows": peer_table(peers, "json").records,
        "pairs": pair_table(peers, "json").records,
        "notes": peer_notes(peers),
    }
