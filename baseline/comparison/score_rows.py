"""A row of the score table: what one respondent scored by one metric, or how far it agrees with people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from baseline.comparison.against_people import AgainstPeople
from baseline.comparison.peer_agreement import PeerRow
from baseline.comparison.results import Respondent, Results
from baseline.human.interval_scope import difference_words, scope_of
from data.numbers import DASH, p_sign
from data.tables import LEFT_OUT
from eval.comparison.difference import Difference
from eval.estimate import Estimate

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
    def apart(self) -> Difference | None:
        """How far it is from people, which is tested by the task's first metric alone."""
        return self.respondent.vs_human if self.metric == self.results.study.task.primary else None

    @property
    def void(self) -> list[str]:
        """Which keys of the row in JSON rest on people's one answer, where that is void as a baseline."""
        if not self.results.human.void:
            return []
        if self.respondent.kind == "human" and self.respondent.name != "human:individual":
            return ["scores"]
        compared = ["vs_human", "p_holm", "equivalence"] if self.against_people else ["vs_human"]
        return compared if self.apart else []

    @property
    def holds_for(self) -> str:
        """What the interval of the score holds for, "" where there is none."""
        people = self.respondent.kind == "human" or str(self.metric).startswith(WITH_PEOPLE)
        return scope_of(self.estimate, of_people=people) if self.estimate else ""

    @property
    def from_person(self) -> Difference | None:
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
    if row.apart is None or row.apart.p is None:
        return DASH
    return p_sign(row.apart.p) if row.against_people is None else f"{p_sign(row.against('p_holm'))}, Holm"


def person_words(row: ScoreRow) -> str:
    """Return how far a row's model is from the average person, with the adjusted test; a dash for people."""
    if row.against_people is None or row.from_person is None or row.from_person.p is None:
        return difference_words(row.from_person)
    return f"{difference_words(row.from_person)}, {p_sign(row.against('p_person_holm'))}, Holm"


def status_words(statuses: Mapping[str, int]) -> str:
    """Return how many answers ended how: `ok 5, error 1`."""
    return ", ".join(f"{name} {n}" for name, n in statuses.items())


def reply_words(row: Respondent) -> str:
    """Return how many of a respondent's answers ended how, and how many of those that wait in files are collected."""
    return "; ".join(filter(None, (status_words(row.statuses), row.waiting)))
