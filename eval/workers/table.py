"""The table of the rules on workers of a study: a new rule is a file beside this one and a row of `QualityRules`.

The check after an answer, the forms, the planner, events, the documentation and `quality STUDY` go through the table.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from data.errors import BadSetting
from data.extensions import extended
from eval.workers.attention import AttentionRule
from eval.workers.constant import ConstantRule
from eval.workers.control import ControlRule
from eval.workers.copying import CopyingRule
from eval.workers.disagreement import DisagreementRule
from eval.workers.fast import FastRule
from eval.workers.pattern import PatternRule
from eval.workers.rule import WorkerRule
from eval.workers.skips import SkipsRule
from eval.workers.trap import TrapRule

M = TypeVar("M", bound=BaseModel)


def _with_added(own: type[M]) -> type[M]:
    """Return these rules with those of other packages."""
    rules = extended("rules", [type(rule) for _, rule in own()], attrgetter("key"))
    fields: dict[str, Any] = {key: (rule, rule()) for key, rule in rules.items() if key not in own.model_fields}
    return create_model(own.__name__, __base__=own, __module__=__name__, **fields) if fields else own


@_with_added
class QualityRules(BaseModel):
    """All the rules of a study with its numbers, by their keys, in the order in which they look."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    control: ControlRule = ControlRule()
    trap: TrapRule = TrapRule()
    fast: FastRule = FastRule()
    constant: ConstantRule = ConstantRule()
    pattern: PatternRule = PatternRule()
    disagreement: DisagreementRule = DisagreementRule()
    copying: CopyingRule = CopyingRule()
    skips: SkipsRule = SkipsRule()
    attention: AttentionRule = AttentionRule()

    def each(self) -> Iterator[WorkerRule]:
        """Yield the rules."""
        return (getattr(self, key) for key in RULES)

    def stored(self) -> str:
        """Return all the numbers as the JSON that a study stores: later defaults change none of them."""
        return self.model_dump_json()


RULES: Mapping[str, type[WorkerRule]] = {rule.key: type(rule) for _, rule in QualityRules()}
TITLES = {key: rule.name() for key, rule in RULES.items()}


@lru_cache(maxsize=256)
def rules_of(quality: str) -> QualityRules:
    """Return the rules that a study stores as JSON, without what this version does not know (`unknown_rules`).

    A rule that came after the study was made stands in none of its numbers and does nothing there.

    >>> rules_of("{}") == QualityRules()
    True
    >>> rules_of('{"fast": {"action": "pause"}}').skips.action
    'none'
    """
    stored = json.loads(quality)
    known = {rule: {"action": "none"} for rule in RULES if stored} | {
        rule: {name: value for name, value in numbers.items() if name in RULES[rule].model_fields}
        for rule, numbers in stored.items()
        if rule in RULES
    }
    return QualityRules.model_validate_json(json.dumps(known))


def unknown_rules(quality: str) -> tuple[str, ...]:
    """Return what a study stores as JSON of rules, or of their numbers, that this version does not have.

    >>> unknown_rules('{"astrology": {}}')
    ('astrology',)
    """
    stored = json.loads(quality).items()
    rules = [rule for rule, _ in stored if rule not in RULES]
    numbers = [(rule, name) for rule, given in stored if rule in RULES for name in given]
    return (*rules, *(f"{rule}.{name}" for rule, name in numbers if name not in RULES[rule].model_fields))


def checked_rules(given: Mapping[str, Any]) -> QualityRules:
    """Return rules on workers as somebody gave them; raises BadSetting with the rule and its field.

    >>> checked_rules({}) == QualityRules()
    True
    """
    try:
        return QualityRules.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors()[0]
        rule, *rest = map(str, first["loc"])
        title = RULES[rule].title if rule in RULES else rule.capitalize()
        if not rest and first["type"] == "value_error":
            raise BadSetting(f"{title}: {first['ctx']['error']}") from error
        message = f"{first['msg'][0].lower()}{first['msg'][1:]}"
        raise BadSetting(f"{title}, {' '.join(rest)} {first['input']!r}: {message}") from error
