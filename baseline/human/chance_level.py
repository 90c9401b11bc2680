"""People who agree with the others no better than chance, and what agreement is without them."""

import numpy as np

from baseline.human.baseline import HumanBaseline
from baseline.human.deidentified import names_of
from data.numbers import number
from data.wording import enumerated
from db.studies import Study
from eval.agreement.alpha import alpha, checked_name
from eval.agreement.at_chance import at_chance

NAMED = 3


def chance_note(human: HumanBaseline, study: Study) -> str:
    """Return who of the kept people agrees no better than chance, with alpha without them; "" for nobody."""
    votes = human.panel.votes
    if votes.names is not None or not (people := at_chance(votes)):
        return ""
    level = checked_name(human.task.answer.level)
    values = [float(label) for label in votes.labels] if level == "interval" else None
    rest = votes.keep(~np.isin(votes.worker, people))
    called = names_of(study, human.panel)
    names = [called[votes.workers[person]] for person in people]
    who = enumerated(names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} others"])
    without = alpha(rest.counts, level=level, values=values)
    return f"{who} agree{'s' * (len(names) == 1)} no better than chance; without them alpha is {number(without)}."
