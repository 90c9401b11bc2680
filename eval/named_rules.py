"""Named rules for a human baseline, as somebody published them: another procedure is one more row."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from data.errors import look_up
from eval.panel import PanelRules


@dataclass(frozen=True)
class NamedRules:
    """The rules of a published procedure: what it is called, where it stands, and what it sets of `PanelRules`."""

    title: str
    source: str
    sets: Mapping[str, Any]

    def on(self, rules: PanelRules) -> PanelRules:
        """Rules as this procedure has them; what it says nothing of stays."""
        return replace(rules, **self.sets)

    def followed(self, rules: PanelRules) -> bool:
        """Whether rules are those of this procedure in all that it sets."""
        return all(getattr(rules, name) == value for name, value in self.sets.items())


NAMED_RULES: Mapping[str, NamedRules] = {
    "mera": NamedRules(
        "MERA's human baseline",
        "MERA-Evaluation/MERA_MULTIMODAL, docs/human_baseline.md",
        {
            "control_min": 0.5,
            "consensus": "majority",
            "min_votes": 3,
            "ties": "drop",
            "then": ("weighted", "dawid-skene"),
            "agreement_min": 0.6,
        },
    )
}


def rules_named(name: str) -> NamedRules:
    """Return a published procedure by its name; raises UnknownName.

    >>> rules_named("mera").on(PanelRules(seed=3)).min_votes
    3
    """
    return look_up("the rules", name, NAMED_RULES)


def name_of_rules(rules: PanelRules) -> str:
    """Return the name of the published procedure that rules follow, "" where they follow none.

    >>> name_of_rules(rules_named("mera").on(PanelRules(allowed_share=None))), name_of_rules(PanelRules())
    ('mera', '')
    """
    return next((name for name, procedure in NAMED_RULES.items() if procedure.followed(rules)), "")
