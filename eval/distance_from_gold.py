"""Distance from gold: mean error of numbers and ratings, where accuracy counts none that is only near."""

from collections.abc import Mapping

from data.answers.number import Number
from data.numbers import counted, with_interval
from eval.agreement.beside_people import ERROR, SCALE, SQUARED, measure_of, single_rows
from eval.agreement.peer_figures import peer_figures
from eval.ballots import Ballots, individual
from eval.panel import MEASURED, Panel
from eval.votes import Votes, asked_of, code, code_open

EQUAL_ALONE = (
    "Answers are numbers, and accuracy counts those that are equal to the right one: however near another is, it is "
    "wrong."
)
NO_ACCURACY = f"There is no score against gold: {MEASURED}."
HOW_FAR = "How far they are from it, as mean error and root mean square error, for these people and other items"


def distances_of_people(panel: Panel) -> list[str]:
    """How far people's numbers are from the right ones, as a sentence.

    Returns:
        One sentence, with mean error and root mean square error of people's one answer and of single ones, each with
        its 95% interval for other items and these people; none where answers are no numbers, or no gold is known.
    """
    right = _right_numbers(panel)
    if right is None:
        return []
    answers = {"people's one answer": panel.consensus.ballots, "people one at a time": individual(panel.votes)}
    why = EQUAL_ALONE if panel.gold else NO_ACCURACY
    return [f"{why} {HOW_FAR}: {_distances(panel, right, answers)}."]


def distances_of_models(panel: Panel, models: Mapping[str, Ballots]) -> list[str]:
    """How far models are from the right numbers, as a sentence.

    Returns:
        As `distances_of_people`; none without a model.
    """
    right = _right_numbers(panel)
    return (
        [f"So far are models from the right numbers: {_distances(panel, right, models)}."] if right and models else []
    )


def _distances(panel: Panel, right: Votes, answers: Mapping[str, Ballots]) -> str:
    measure = measure_of(panel.votes, panel.scale)
    parts = []
    for name, said in answers.items():
        figures = peer_figures(single_rows(right, said, measure), right, panel.resampling, other_people=False)
        error, squared = (with_interval(figures[each].value, figures[each].ci) for each in (ERROR, SQUARED))
        parts.append(f"{name} {error} and {squared} ({counted(figures[ERROR].n, 'item')})")
    return "; ".join(parts)


def _right_numbers(panel: Panel) -> Votes | None:
    """Return the right numbers as the votes of somebody who is always right; None where answers are no numbers.

    An item of which several numbers are right has none.
    """
    votes, gold = panel.votes, panel.gold or panel.right_numbers
    if not gold or not len(votes) or measure_of(votes, panel.scale).kind != SCALE:
        return None
    judged = set(votes.items) & gold.keys()
    if panel.scale is not None:
        frame = {"item": [*judged], "worker": ["gold"] * len(judged), "label": [gold[item] for item in judged]}
        return code(frame, items=votes.items, labels=votes.labels) if judged else None
    asked, known = asked_of(votes), []
    for item in judged:
        number = asked.of(item)
        accepted = number.accepted(gold[item]) if isinstance(number, Number) else ()
        known += [(item, right) for right in accepted if len(accepted) == 1]
    if not known:
        return None
    items, labels = zip(*known, strict=True)
    frame = {"item": list(items), "worker": ["gold"] * len(items), "label": list(labels)}
    return code_open(frame, items=votes.items, asked=asked)
