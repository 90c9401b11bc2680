"""The verdict on each model: better than people, worse, no clear difference, or within a margin as good."""

from dataclasses import dataclass, replace

from baseline.comparison.results import PeerAgreement, Respondent, Results, model_respondent, results
from baseline.comparison.score_columns import FIGURES, imported_help
from baseline.human.baseline import HumanBaseline, consensus_words, stored_rules
from baseline.runs.result_runs import ResultRun, knew_items, name_of_result
from data.numbers import DASH, MINUS, SIGNIFICANT, counted, p_sign
from data.tables import Column, Table
from data.task import Task
from data.wording import in_sentence
from db.engine import Session
from db.runs import list_runs
from db.studies import Study
from eval.agreement.beside_people import ERROR
from eval.comparison.difference import AS_GOOD, BETTER, UNCLEAR, WORSE, Difference, Equivalence, verdict
from eval.estimate import UNDEFINED, Estimate, Interval
from eval.metrics.table import metric_named

VERDICTS = (BETTER, AS_GOOD, UNCLEAR, WORSE)
"""The verdicts there are, the best first."""
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

    `own` is its score on all that it answered, `equal` whether it is equivalent to people within the margin. `why_not`
    says why there is no verdict.
    """

    respondent: Respondent
    own: Estimate
    score: float
    people: float
    difference: Difference
    p: float | None
    why_not: str
    equal: bool = False

    @property
    def called(self) -> str:
        """What people read: beside their one answer, people one at a time are one person."""
        return "One person alone" if self.kind == "human" else self.respondent.called

    @property
    def kind(self) -> str:
        """Of which kind the respondent is."""
        return self.respondent.kind

    @property
    def ci(self) -> Interval:
        """The interval of the score, NaN where that is known for other items only."""
        return self.own.ci if abs(self.own.value - self.score) < SAME else UNDEFINED

    @property
    def verdict(self) -> str:
        """The verdict, "" for naive baselines, for a model that knew the items, and without a test."""
        if self.why_not or self.kind == "naive":
            return ""
        return verdict(self.difference.value, self.p, equal=self.equal)

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


def standings(results: Results) -> Standings | None:
    """Return how everybody stands to people; None where nobody has a score beside theirs."""
    if results.panel.gold:
        return _against_gold(results)
    return _beside_one_person(results, results.peers) if results.peers else None


def _against_gold(results: Results) -> Standings | None:
    human, primary, rows = results.human, results.study.task.primary, []
    people = human.majority.get(primary)
    if people is None or not people.n:
        return None
    for row in results.rows:
        apart, against = row.vs_human, results.against_people.get(row.name)
        if apart is None or apart.value != apart.value:
            continue
        p, test = (against.p_holm, against.equivalence) if against else (apart.p, None)
        own = row.scores[primary]
        score = apart.of_b + apart.value if apart.of_b == apart.of_b else own.value
        equal = isinstance(test, Equivalence) and test.equivalent
        rows.append(Standing(row, own, score, apart.of_b, apart, p, _why_no_verdict(results, row), equal))
    rows.sort(key=lambda row: -row.difference.value)
    lacking = results.rows[0].lacking
    return Standings(people, "people", whose_answer(human), scale_of(human.task), tuple(rows), lacking)


def scale_of(task: Task) -> Scale:
    """Return how scores by a task's first metric are written: in per cent, or times 100 where it may be negative."""
    metric = metric_named(task.primary)
    return Scale(metric.title, f"{metric.title}, ×100", sign="%" if metric.low == 0 else "")


def whose_answer(human: HumanBaseline) -> str:
    """Return whose one answer is scored: `Majority of 3 people`."""
    return f"{consensus_words(human).capitalize()} people".replace(" of 1 people", " of 1 person")


def _why_no_verdict(results: Results, row: Respondent) -> str:
    if results.human.void:
        return "people’s score is void"
    return "knew the answers" if row.run and knew_items(row.run) else ""


def _beside_one_person(results: Results, peers: PeerAgreement) -> Standings | None:
    """Return how models stand to one person, each beside the same other people on the same items."""
    average, falls, span = peers.average.figures[peers.main], peers.main == ERROR, peers.measure.span
    if not average.n:
        return None

    def figure(credit: float) -> float:
        """Return a credit as the figure that is compared: nearness on a scale is the error it leaves."""
        return (1 - credit) * span if falls else credit

    scale = Scale(*FIGURES[peers.main])
    if falls:
        scale = replace(scale, sign="", unit="", times=1.0, of_difference=span, falls=True)
    respondents, rows = {row.name: row for row in results.models}, []
    for row in peers.models:
        if (apart := row.apart) and apart.value == apart.value:
            model, score = respondents[row.name], figure(apart.of_b + apart.value)
            why_not = _why_no_verdict(results, model)
            own = row.figures[peers.main]
            rows.append(Standing(model, own, score, figure(apart.of_b), apart, row.p_holm, why_not))
    rows.sort(key=lambda row: -row.difference.value)
    return Standings(average, "one person", "One person beside the others", scale, tuple(rows))


def verdict_words(standings: Standings) -> list[tuple[str, list[str]]]:
    """Return each verdict that models have with whom it is on, the best first."""
    models = {each: [row.called for row in standings.models if row.verdict == each] for each in VERDICTS}
    return [(verdict, called) for verdict, called in models.items() if called]


def standing_table(standings: Standings) -> Table[Standing | None]:
    """Return people (None) and everybody beside them: score, difference from people, verdict."""
    scale, reference, people = standings.scale, standings.reference, standings.people
    columns: tuple[Column[Standing | None], ...] = (
        Column(
            "respondent",
            "respondent",
            imported_help(row.respondent for row in standings.rows),
            lambda row: row.called if row else standings.whose,
        ),
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
            lambda row: (row.respondent.lacking if row else standings.lacking) or DASH,
        ),
    )
    if not (standings.lacking or any(row.respondent.lacking for row in standings.rows)):
        columns = columns[:-1]
    return Table(f"{scale.title[:1].upper()}{scale.title[1:]}, people and models", columns, (None, *standings.rows))


@dataclass(frozen=True)
class RunScore:
    """What a run scored, how far that is from people, and the verdict; "" where there is none."""

    score: str
    difference: str = ""
    verdict: str = ""


def run_scores(session: Session, study: Study) -> dict[int, RunScore]:
    """Return the score of each run by its number, as it is read; without gold, of the runs that results show."""
    found, scores = results(session, study=study, rules=stored_rules(study)), {}
    if stand := standings(found):
        for row in stand.rows:
            if row.respondent.run:
                difference = f"{stand.scale.difference(row.difference.value)} {stand.scale.unit}".strip()
                score = f"{stand.scale.score(row.score)}{stand.scale.sign}"
                scores[row.respondent.run.id] = RunScore(score, difference, row.verdict or row.why_not)
    shown, scale = {row.run.id: row for row in found.models if row.run}, scale_of(study.task)
    for run in list_runs(session, study=study) if found.panel.gold else ():
        if run.id not in scores:
            alone = shown.get(run.id) or model_respondent(session, found.human, ResultRun(name_of_result(run), run))
            own = alone.scores.get(study.task.primary)
            if own and own.value == own.value:
                scores[run.id] = RunScore(f"{scale.score(own.value)}{scale.sign}")
    return scores
