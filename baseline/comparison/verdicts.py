"""The verdict on each model: better than people, worse, no clear difference, or within a margin as good."""

from collections.abc import Iterator
from dataclasses import dataclass

from baseline.comparison.peer_agreement import FIGURES
from baseline.comparison.results import PeerAgreement, Respondent, Results
from baseline.comparison.score_columns import status_words
from baseline.human.baseline import HumanBaseline, consensus_words
from baseline.runs.result_runs import knew_items
from baseline.runs.run_state import imported_words
from data.numbers import DASH, MINUS, SIGNIFICANT, counted, p_sign
from data.tables import Column, Table
from data.task import Task
from data.wording import in_sentence
from eval.agreement.beside_people import ERROR
from eval.comparison.difference import Difference
from eval.comparison.equivalence import Equivalence
from eval.estimate import Estimate
from eval.intervals.wilson import UNDEFINED, Interval
from eval.metrics.table import metric_named

BETTER, WORSE, UNCLEAR, AS_GOOD = "better", "worse", "no clear difference", "as good"
SAME = 1e-9
"""Two scores that differ by less are one."""
RULE = (
    "Better or worse: the difference from people is significant (p < 0.05 after Holm's correction over the models). "
    "As good: within the margin, by two one-sided tests."
)
"""How a verdict is reached."""


@dataclass(frozen=True)
class Scale:
    """How scores and differences are written: each `times` its value; `sign` stands behind a score.

    Of errors (`falls`) the lower is better, and a difference is written as that of the errors.
    """

    title: str
    meaning: str
    sign: str = "%"
    unit: str = "points"
    times: float = 100.0
    of_difference: float = 100.0
    falls: bool = False

    @property
    def _digits(self) -> int:
        return 1 if self.times == 100 else 2

    def score(self, value: float) -> str:
        """Return a score as it is read: `98.4`, an error as `0.62`; a dash for none."""
        if value != value:
            return DASH
        return f"{value * self.times:z.{self._digits}f}".replace("-", MINUS)

    def between(self, ends: Interval) -> str:
        """Return an interval as it is read, "" where there is none."""
        low, high = map(self.score, ends)
        return "" if ends[0] != ends[0] else f"{low} to {high}" if MINUS in low else f"{low}–{high}"

    def difference(self, value: float) -> str:
        """Return a difference with its sign: `+0.2`; that of a model with smaller errors is `−0.12`."""
        signed = -value if self.falls else value
        return f"{signed * self.of_difference:+z.{self._digits}f}".replace("-", MINUS)

    def differences(self, apart: Difference) -> str:
        """Return a difference with its interval: `+0.2 [−1.0, +1.4]`."""
        if apart.ci[0] != apart.ci[0]:
            return self.difference(apart.value)
        low, high = map(self.difference, sorted(apart.ci, reverse=self.falls))
        return f"{self.difference(apart.value)} [{low}, {high}]"

    @property
    def name(self) -> str:
        """The metric with its unit, as a table or a figure names it: `accuracy, %`."""
        return f"{in_sentence(self.title)}{', %' * bool(self.sign)}"


@dataclass(frozen=True, eq=False)
class Standing:
    """How one respondent stands to people: `score` and `people` are over the same items, and subtract.

    `ci` is the interval of the score, NaN where that is known for other items only. `verdict` is empty where none is
    given: for naive baselines, for a model that knew the items, without a test. `lacking` counts what has no answer;
    `origin` is the harness whose log an imported run is from.
    """

    name: str
    called: str
    kind: str
    score: float
    ci: Interval
    people: float
    difference: Difference
    p: float | None
    verdict: str
    why_not: str = ""
    lacking: str = ""
    origin: str = ""

    @property
    def verdict_words(self) -> str:
        """The verdict, or why there is none."""
        return self.verdict or self.why_not or ("naive baseline" if self.kind == "naive" else "not tested")

    @property
    def significant(self) -> bool:
        """Whether the difference from people is significant."""
        return self.p is not None and self.p < SIGNIFICANT


@dataclass(frozen=True, eq=False)
class Standings:
    """People's score and how everybody else stands to it, the best first.

    `reference` is what the differences are from: people's one answer, or without gold one person beside the others.
    """

    people: Estimate
    reference: str
    whose: str
    scale: Scale
    rows: tuple[Standing, ...]
    lacking: str = ""

    @property
    def models(self) -> tuple[Standing, ...]:
        """The models, without people and naive baselines."""
        return tuple(row for row in self.rows if row.kind == "model")

    def tooltip(self, row: Standing) -> str:
        """Return the difference of a row with its interval, its test and its items."""
        test = f", {p_sign(row.p)}{', Holm' * (row.kind != 'human')}" if row.p is not None else ""
        return f"{self.scale.differences(row.difference)} {self.scale.unit}{test}, {counted(row.difference.n, 'item')}"

    def with_verdict(self, verdict: str) -> list[str]:
        """Return what the models with this verdict are called."""
        return [row.called for row in self.models if row.verdict == verdict]


def standings(results: Results) -> Standings | None:
    """Return how everybody stands to people; None where nobody has a score beside theirs."""
    if results.human.panel.gold:
        return _against_gold(results)
    return _beside_one_person(results, results.peers) if results.peers else None


def _against_gold(results: Results) -> Standings | None:
    human = results.human
    people = human.majority.get(human.task.primary)
    if people is None or not people.n:
        return None
    rows = sorted(_differing(results), key=lambda row: -row.difference.value)
    whose = whose_answer(human)
    return Standings(people, "people", whose, scale_of(human.task), tuple(rows), _lacking(results.rows[0]))


def scale_of(task: Task) -> Scale:
    """Return how scores by a task's first metric are written: in per cent, or times 100 where it may be negative."""
    metric = metric_named(task.primary)
    return Scale(metric.title, f"{metric.title}, ×100", sign="%" if metric.low == 0 else "")


def whose_answer(human: HumanBaseline) -> str:
    """Return whose one answer is scored: `Majority of 3 people`."""
    return f"{consensus_words(human).capitalize()} people".replace(" of 1 people", " of 1 person")


def _differing(results: Results) -> Iterator[Standing]:
    """Yield everybody whose difference from people's one answer is known."""
    for row in results.rows:
        apart = row.vs_human
        if apart is None or apart.value != apart.value:
            continue
        against = results.against_people.get(row.name)
        p = against.p_holm if against else apart.p
        equal = isinstance(against.equivalence, Equivalence) and against.equivalence.equivalent if against else False
        why_not = _why_no_verdict(results, row)
        verdict = "" if why_not or row.kind == "naive" else _verdict(apart, p, equal=equal)
        called = "One person alone" if row.kind == "human" else row.called
        own = row.scores[results.study.task.primary].value
        score = apart.of_b + apart.value if apart.of_b == apart.of_b else own
        ci = _own_interval(row.scores[results.study.task.primary], score)
        more = {"lacking": _lacking(row), "origin": imported_words(row.run)}
        yield Standing(row.name, called, row.kind, score, ci, apart.of_b, apart, p, verdict, why_not, **more)


def _lacking(row: Respondent) -> str:
    """Return how many items have no answer of a respondent, or several level ones: `error 1, not asked 2`."""
    statuses = {status: n for status, n in row.statuses.items() if status not in ("ok", "won")}
    absent = 0 if row.kind == "human" or row.waiting else int((~row.ballots.scored).sum()) - statuses.get("error", 0)
    if absent > 0:
        statuses["not in its log" if imported_words(row.run) else "not asked"] = absent
    return ", ".join(filter(None, (status_words(statuses), row.waiting)))


def _own_interval(own: Estimate, score: float) -> Interval:
    """Return the interval of a respondent's own score where that is the score compared."""
    return own.ci if abs(own.value - score) < SAME else UNDEFINED


def _why_no_verdict(results: Results, row: Respondent) -> str:
    if results.human.void:
        return "people’s score is void"
    return "knew the answers" if row.run and knew_items(row.run) else ""


def _verdict(apart: Difference, p: float | None, *, equal: bool) -> str:
    if equal:
        return AS_GOOD
    if p is None:
        return ""
    return UNCLEAR if p >= SIGNIFICANT else BETTER if apart.value > 0 else WORSE


def _beside_one_person(results: Results, peers: PeerAgreement) -> Standings | None:
    """Return how models stand to one person, each beside the same other people on the same items."""
    average, measure = peers.average.figures[peers.main], peers.measure
    if not average.n:
        return None
    title, meaning = FIGURES[peers.main]
    falls = peers.main == ERROR
    scale = Scale(title, meaning)
    if falls:
        scale = Scale(title, meaning, sign="", unit="", times=1.0, of_difference=measure.span, falls=True)
    respondents, rows = {row.name: row for row in results.models}, []
    for row in peers.models:
        apart = row.apart
        if apart is None or apart.value != apart.value:
            continue
        why_not = _why_no_verdict(results, respondents[row.name])
        verdict = "" if why_not or row.kind == "naive" else _verdict(apart, row.p_holm, equal=False)
        score, people = (_in_figures(credit, peers) for credit in (apart.of_b + apart.value, apart.of_b))
        ci = _own_interval(row.figures[peers.main], score)
        given = respondents[row.name]
        more = {"lacking": _lacking(given), "origin": imported_words(given.run)}
        rows.append(
            Standing(row.name, row.words, row.kind, score, ci, people, apart, row.p_holm, verdict, why_not, **more)
        )
    rows.sort(key=lambda row: -row.difference.value)
    return Standings(average, "one person", "One person beside the others", scale, tuple(rows))


def _in_figures(credit: float, peers: PeerAgreement) -> float:
    """Return a credit as the figure that respondents are compared by: nearness on a scale is the error it leaves."""
    return (1 - credit) * peers.measure.span if peers.main == ERROR else credit


def verdict_words(standings: Standings) -> list[tuple[str, list[str]]]:
    """Return each verdict that models have with whom it is on, the best first."""
    verdicts = ((verdict, standings.with_verdict(verdict)) for verdict in (BETTER, AS_GOOD, UNCLEAR, WORSE))
    return [(verdict, models) for verdict, models in verdicts if models]


def standing_table(standings: Standings) -> Table[Standing | None]:
    """Return people (None) and everybody beside them: score, difference from people, verdict."""
    scale, reference, people = standings.scale, standings.reference, standings.people
    columns: tuple[Column[Standing | None], ...] = (
        Column("respondent", "respondent", "", lambda row: _called(row) if row else standings.whose),
        Column(
            "score", scale.name, scale.meaning, lambda row: scale.score(row.score if row else standings.people.value)
        ),
        Column(
            "interval", "95% interval", "", lambda row: scale.between(row.ci if row else standings.people.ci) or DASH
        ),
        Column(
            "difference",
            f"{scale.unit or 'difference'} from {reference}",
            f"Score minus that of {reference} on the same items, with its 95% interval",
            lambda row: scale.differences(row.difference) if row else DASH,
        ),
        Column("verdict", "verdict", RULE, lambda row: row.verdict_words if row else DASH),
        Column("n", "n", "Items of both, and of one person answers", lambda row: row.difference.n if row else people.n),
        Column(
            "lacking",
            "without an answer",
            "Items without one readable answer. Replies that cannot be read count as wrong; errors and items not "
            "asked do not count",
            lambda row: (row.lacking if row else standings.lacking) or DASH,
        ),
    )
    if not (standings.lacking or any(row.lacking for row in standings.rows)):
        columns = columns[:-1]
    return Table(f"{scale.title[:1].upper()}{scale.title[1:]}, people and models", columns, (None, *standings.rows))


def _called(row: Standing) -> str:
    return f"{row.called}, imported from {row.origin}" if row.origin else row.called
