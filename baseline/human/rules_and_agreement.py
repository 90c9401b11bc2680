"""What a human baseline stands on: how far people agree, and the rules that made one answer out of many."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from baseline.human.baseline import HumanBaseline
from baseline.human.deidentified import names_of
from data.human_rules import GOLDS, TIES
from data.numbers import DASH, interval, number
from data.tables import Column, Table, name_value_table
from data.wording import enumerated
from db.studies import Study
from eval.agreement.alpha import alpha, checked_name
from eval.agreement.at_chance import at_chance
from eval.agreement.coefficients import CLOSED_LIST, Agreement
from eval.consensus.rules import METHODS
from eval.intervals.wilson import Interval
from eval.named_rules import NAMED_RULES, name_of_rules
from eval.panel import Panel, PanelRules

LINES = (
    ("Krippendorff's alpha", "alpha"),
    ("Pairwise agreement", "pairwise"),
    ("Similarity of answers", "similarity"),
    *((coefficient.title, coefficient.key) for coefficient in CLOSED_LIST),
)
LISTED = [coefficient.key for coefficient in CLOSED_LIST]

DISTANCE_WORDS = {
    "exact": "equal or not",
    "jaccard": "Jaccard's distance",
    "masi": "MASI distance",
    "spans": "1 - character F",
    "rouge_l": "1 - ROUGE-L",
}


def distance_words(agreement: Agreement) -> str:
    """Return how alpha compares two answers, in words."""
    return DISTANCE_WORDS.get(agreement.distance, agreement.distance)


AgreementLine = tuple[str, float | None, Interval]
AGREEMENT: tuple[Column[AgreementLine], ...] = (
    Column("name", "", "", lambda row: row[0]),
    Column("value", "", "", lambda row: row[1], number),
    Column("interval", "", "", lambda row: row[2], lambda ci: interval(ci).replace(DASH, "")),
)


def agreement_lines(human: HumanBaseline) -> Table[AgreementLine]:
    """Return the coefficients of agreement with their intervals."""
    agreed, closed = human.panel.agreement, human.panel.votes.names is None
    values: dict[str, Any] = agreed.as_dict()
    lines = [
        (name, values[key], agreed.cis[key])
        for name, key in LINES
        if (closed and key != "similarity") or (not closed and key not in LISTED and values[key] is not None)
    ]
    peers = human.leave_one_out["accuracy"]
    lines.insert(1, ("With the others' majority", peers.value, peers.ci))
    return Table("", AGREEMENT, lines)


def rule_table(human: HumanBaseline) -> Table[Sequence[object]]:
    """Return the rules and what they leave of workers, judgments and items."""
    panel, rules, counts = human.panel, human.panel.rules, human.panel.counts()
    items, judged = counts["items"], panel.judgments
    least = "nobody is excluded" if rules.control_min is None else f"at least {rules.control_min:.0%} right"
    aside = [f"{judged[name]} {name}" for name in ("surplus", "void", "duplicates") if judged.get(name)]
    lines = (
        *_procedure_lines(panel),
        ("One answer per item", f"{', then '.join((rules.consensus, *rules.then))}, {rules.min_votes} or more votes"),
        ("Ties", TIES[rules.ties]),
        ("Controls", least),
        ("Workers", f"{len(panel.workers) - len(panel.excluded)} kept, {len(panel.excluded)} excluded"),
        ("Judgments", ", ".join([f"{judged['kept']} of {judged['main']} kept", *aside])),
        ("Items", f"{items['answered']} of {items['total']} answered"),
        (
            "Of these",
            f"{items['unanimous']} of {panel.votes.compared} with two answers or more unanimous, {items['tied']} tied",
        ),
    )
    return name_value_table(lines)


def _procedure_lines(panel: Panel) -> list[tuple[str, str]]:
    """Return the published procedure that the rules follow, and what they ask of the agreement on an item."""
    name, answers = name_of_rules(panel.rules), panel.answers
    lines = [("Procedure", NAMED_RULES[name].title)] if name else []
    return lines if answers is None else [*lines, ("Agreement on an item", answers.verdict)]


def gold_sentence(rules: PanelRules, *, gold: bool) -> str:
    """Return the sentence; `gold`: something is known to be right, else only the one answer out of many is told.

    >>> gold_sentence(PanelRules(gold="decisions"), gold=False)
    "People's one answer is what most of them answered."
    """
    explanation = ", and where that leaves it open ".join(
        METHODS[name].explanation for name in (rules.consensus, *rules.then)
    )
    if rules.agreement_min is not None:
        explanation += f"; items on which fewer than {rules.agreement_min:.0%} of people gave it are not scored"
    if not gold:
        return f"People's one answer is {explanation}."
    return f"The right answer is {GOLDS[rules.gold]}; people's one answer is {explanation}."


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
