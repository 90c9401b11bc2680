"""How far the people of a study agree so far, at a cost that a page which refreshes itself can bear."""

from dataclasses import dataclass
from random import Random

from db import frames
from db.engine import Session
from db.item_lookup import main_items
from db.studies import Study
from eval.agreement.coefficients import Agreement
from eval.agreement.of_votes import agreement_of
from eval.gold import TaskItems
from eval.intervals.clusters import Resampling
from eval.votes import code_answers

MOST_JUDGMENTS = 500_000  # beyond, reading them takes longer than a page may make anybody wait
MOST_OPEN = 300  # items with open answers: comparing these takes far longer than counting labels
DRAWS = 500


@dataclass(frozen=True)
class CurrentAgreement:
    """Agreement of counted judgments on `items` main items out of the `known` that have any."""

    agreement: Agreement
    items: int
    known: int


def current_agreement(session: Session, *, study: Study) -> CurrentAgreement | None:
    """Return how far people agree on the main items so far; None where nobody has answered.

    Who is shut out of the study does not count. Open answers are compared on at most MOST_OPEN items, drawn by the
    study's seed.
    """
    judged = frames.judgments(session, study=study).query("status == 'counted' and role == 'main'")
    judged = judged[~judged["worker"].isin(frames.excluded_workers(session, study=study))]
    names = sorted(set(judged["item"]))
    if not names:
        return None
    answer = study.task.answer
    chosen = names
    if not answer.labels() and len(names) > MOST_OPEN:
        chosen = sorted(Random(study.seed).sample(names, MOST_OPEN))
        judged = judged[judged["item"].isin(chosen)]
    items = {} if answer.labels() else main_items(session, study=study, ids=chosen)
    asked = TaskItems(answer, {name: item.fields for name, item in items.items()})
    votes = code_answers(judged, items=chosen, labels=answer.labels() or None, asked=asked)
    return CurrentAgreement(
        agreement_of(votes, Resampling(draws=DRAWS, seed=study.seed), asked=asked), len(chosen), len(names)
    )
