"""The rules of results, declared once: who counts, how people's judgments become one answer, what that is held against.

A rule is one field with its words in `human_rules.toml`: a study's settings, the options of commands, the controls of
the results page and the rules as they stand in JSON have its name, words, default and bounds from there.
"""

from pathlib import Path

from pydantic import BaseModel

from data.declared import asked_in, settings_of

RESULTS = "Results"
asked = asked_in(Path(__file__).with_suffix(".toml"))
TIES = {
    "drop": "left out",
    "wrong": "counted wrong",
    "fractional": "shared out",
    "random": "drawn by lot",
    "skill": "given to the more skilled voters",
}
"""What becomes of an item whose leading answers are level."""
GOLDS = {
    "file": "the gold in the items' file",
    "decisions": "the experts' decision, or the gold in the items' file where there is none",
}
"""What the right answer of an item is."""
STUDY_CONSENSUS = {
    "majority": "what most of them answered",
    "expert": "what experts decided, and elsewhere what most of them answered",
}
"""How people's answers become one where nothing else is asked for; `eval.consensus.rules` has the other ways."""
INTERVALS = {"people": "other people and other items", "items": "these people, other items"}
"""What the intervals of human figures hold for."""


class StudyRules(BaseModel):
    """The rules that are stored with a study: so its baseline is computed unless a command says otherwise."""

    control_min: float | None = asked("control_min", None, ge=0, le=1)
    min_votes: int = asked("min_votes", 1, ge=1)
    ties: str = asked("ties", "fractional", choices=lambda: TIES)
    gold: str = asked("gold", "file", choices=lambda: GOLDS)
    consensus: str = asked("consensus", "majority", choices=lambda: STUDY_CONSENSUS)


class HumanRules(StudyRules):
    """All rules of results: those that are stored with a study, and those that are chosen when results are computed.

    `then` and `agreement_min` belong to published procedures and are asked for nowhere (`eval.named_rules`).
    """

    interval: str = asked("interval", "people", choices=lambda: INTERVALS)
    then: tuple[str, ...] = ()
    agreement_min: float | None = None
    allowed_share: float | None = asked("allowed_share", None, ge=0, le=1)


HUMAN_RULES = settings_of(HumanRules)
"""The rules that may be asked for, by name."""
USUAL = {name: rule.default for name, rule in HumanRules.model_fields.items()}
"""What each rule is where nothing else is said."""
SHARES = tuple(name for name, rule in HumanRules.model_fields.items() if rule.annotation == float | None)
"""The rules that are a share from 0 to 1."""


def choices_in_words(choices: dict[str, str]) -> str:
    """Return choices as the help of an option has them.

    >>> choices_in_words({"drop": "left out", "wrong": "counted wrong"})
    'drop (left out), wrong (counted wrong)'
    """
    return ", ".join(f"{name} ({words})" for name, words in choices.items())
