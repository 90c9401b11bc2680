"""The rows of the score table: who answered, what it scored, how far that is from people, what became of the rest."""

from dataclasses import dataclass, replace
from typing import Any

from baseline.comparison.adjusted_p import adjusted_p
from baseline.comparison.results import Results
from baseline.comparison.score_columns import score_table
from baseline.comparison.score_rows import ScoreRow
from baseline.output.page_numbers import Axis, adjusted_words, difference_title, estimate_title, p_words
from baseline.runs.run_state import imported_words
from baseline.runs.train_leaks import public_gold
from data.human_rules import TIES
from data.numbers import DASH, interval, number, points, points_interval
from data.tables import Table
from data.wording import in_sentence
from eval.comparison.difference import Difference
from eval.estimate import Estimate
from eval.metrics.table import metric_named

CLASSES = {"human": "people", "model": "models", "naive": "naive"}
UNSCORED = Estimate(float("nan"), (float("nan"), float("nan")), "item", "none", 0)
STATUSES = {
    "won": "clear",
    "tied": "tied",
    "short": "with too few votes",
    "empty": "without votes",
    "below": "below the agreement asked for",
}


def axis_of(metric: str) -> Axis:
    """Return the axis of a metric's scores."""
    return Axis(metric_named(metric).low, metric_named(metric).high)


@dataclass(frozen=True, eq=False)
class DrawnScore(ScoreRow):
    """What one respondent scored, with what only the page says of it."""

    @property
    def name(self) -> str:
        """What the respondent is called."""
        return self.respondent.called

    @property
    def kind(self) -> str:
        """The class of its colour."""
        return CLASSES[self.respondent.kind]

    @property
    def simulated(self) -> bool:
        """Whether programs answered in the place of people."""
        return self.respondent.kind == "human" and self.results.human.simulated > 0

    @property
    def imported(self) -> str:
        """The program from whose log the answers were read, empty for none."""
        return imported_words(self.respondent.run)

    @property
    def gold_public(self) -> str:
        """Since when and where right answers are public, where the respondent may have learnt them; else ""."""
        return public_gold(self.results.study) if self.respondent.kind == "model" else ""

    @property
    def others(self) -> str:
        """Which runs of the model are not shown."""
        return self.respondent.other_runs()

    @property
    def shown_estimate(self) -> Estimate:
        """The score, one of nothing where there is none."""
        return self.estimate or UNSCORED

    @property
    def title(self) -> str:
        """What is said of the score on hover."""
        if not self.respondent.scores:
            return "There is no score against gold"
        return estimate_title(metric_named(self.results.study.task.primary), self.shown_estimate)

    @property
    def difference(self) -> str:
        """How far it is from people."""
        return points(self.apart.value) if self.apart else DASH

    @property
    def between(self) -> str:
        """The interval of that, empty where there is none."""
        return points_interval(self.apart.ci) if self.apart else ""

    @property
    def p(self) -> str:
        """The p-value of that; a model's is adjusted for the other models."""
        return self._p(self.apart, one_person=False)

    @property
    def tested(self) -> str | None:
        """What is said of the difference on hover, None where there is none."""
        return difference_title(self.apart) if self.apart else None

    @property
    def alone(self) -> str:
        """How far it is from the average person."""
        return points(self.from_person.value) if self.from_person else DASH

    @property
    def between_alone(self) -> str:
        """The interval of that, empty where there is none."""
        return points_interval(self.from_person.ci) if self.from_person else ""

    @property
    def p_alone(self) -> str:
        """The p-value of that, adjusted for the other models."""
        return self._p(self.from_person, one_person=True)

    def _p(self, apart: Difference | None, *, one_person: bool) -> str:
        if apart is None or self.respondent.kind == "human":
            return p_words(apart.p if apart else None)
        return adjusted_words(adjusted_p(self.results.models, one_person=one_person)[self.respondent.name])

    @property
    def tested_alone(self) -> str | None:
        """What is said of that on hover, None where there is none."""
        return difference_title(self.from_person) if self.from_person else None

    @property
    def picture(self) -> dict[str, Any]:
        """The score's interval on the common axis, with the people's behind it."""
        primary = self.results.study.task.primary
        majority, axis = self.results.human.majority.get(primary), axis_of(primary)
        behind = place_of(axis, majority) if majority else None
        own = self.shown_estimate
        return {
            "label": f"{self.name}: {number(own.value)}, 95% interval {interval(own.ci)}",
            "kind": self.kind,
            "ends": (axis.at(axis.low), axis.at(axis.high)),
            "own": place_of(axis, own),
            "people": behind | {"width": round(behind["high"] - behind["low"], 2)} if behind else None,
        }

    @property
    def statuses(self) -> str:
        """What became of the answers, ties and missing ones included."""
        row = self.respondent
        if row.name == "human:individual":
            return f"{row.statuses.get('ok', 0)} judgments"
        if row.kind == "human":
            ties = f" ({TIES[self.results.human.panel.rules.ties]})"
            return ", ".join(f"{n} {STATUSES[s]}{ties if s == 'tied' else ''}" for s, n in row.statuses.items())
        parts = ["naive baseline"] if row.kind == "naive" else []
        parts += [f"{n} {'read' if status == 'ok' else status}" for status, n in row.statuses.items()]
        if row.waiting:
            return ", ".join([*parts, row.waiting])
        unscored = int((~row.ballots.scored).sum()) - row.statuses.get("error", 0)
        if unscored > 0:
            parts.append(f"{unscored} {'not in its log' if imported_words(row.run) else 'not asked'}")
        return ", ".join(parts)


def page_table(results: Results) -> Table[ScoreRow]:
    """Return the score table of the page."""
    title = metric_named(results.study.task.primary).title
    table = score_table(results, "page", metric=in_sentence(title))
    caption = f"{title} of every respondent with its 95% interval, and its difference from people"
    rows = tuple(DrawnScore(row.results, row.respondent, row.metric) for row in table.rows)
    return replace(table, caption=caption, rows=rows)


def scope_of(results: Results) -> list[dict[str, Any]]:
    """Return the two sets of items on which all may be scored, with their sizes; () where they are the same.

    The one is every item with gold, of which each respondent has the `n` of its row; the other those items alone for
    which people have one answer, so that people and models are scored on the very same.
    """
    human = results.human
    scored = human.panel.consensus.ballots.scored
    known = [item in human.panel.gold for item in human.panel.votes.items]
    kept, every = int((scored & known).sum()), len(human.panel.gold) + human.aside
    if not kept or (kept == every and not results.consensus_only):
        return []
    return [
        {"name": "all", "words": "All items with gold", "number": every, "on": not results.consensus_only},
        {"name": "kept", "words": "Items people have one answer to", "number": kept, "on": results.consensus_only},
    ]


def place_of(axis: Axis, estimate: Estimate) -> dict[str, float] | None:
    """Return where a value and its interval stand on an axis, None where there is no value."""
    if estimate.value != estimate.value:
        return None
    low, high = estimate.ci if estimate.ci[0] == estimate.ci[0] else (estimate.value, estimate.value)
    return {"at": axis.at(estimate.value), "low": axis.at(low), "high": axis.at(high)}
