"""The drawn parts about the people and the items of a study: workers, items, a control rule's numbers, events."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from annotate.pages.manage.drawing import TEMPLATES
from annotate.staff.oversight import WorkerLine
from data.declared import shortened
from data.drawing.environment import environment
from db.appeals import Appeal
from db.events import Event
from db.payments import Payments
from db.study_settings import SETTINGS
from eval.workers import TITLES, QualityRules
from eval.workers.rule import Chances

PICK = (TEMPLATES.parent / "people.js").read_text("utf8")
WORDS = {
    "opened": "opened",
    "paused": "paused",
    "closed": "closed",
    "rules": "rules changed",
    "settings": "settings changed",
    "rule": "rule fired",
    "excluded": "worker excluded",
    "on_hold": "worker paused",
    "restored": "worker restored",
    "retried": "training begun again",
    "appealed": "worker appealed",
    "replied": "appeal answered",
    "forgotten": "worker forgotten",
}


def draw_workers(name: str, lines: list[WorkerLine], owed: Payments) -> Markup:
    """Return the table of a study's workers with what they are owed."""
    address = f"/manage-files/{quote(name, safe='')}/payments"
    seen = {"lines": lines, "titles": TITLES, "minimum": owed.minimum, "warned": owed.warned, "address": address}
    return _drawn("workers.html", **seen, owed=str(owed))


def draw_appeals(
    appeals: Sequence[Appeal], lines: Sequence[WorkerLine], stops: Sequence[Event], currency: str
) -> Markup:
    """Return what workers wrote who were stopped, each with the worker's record and the latest of `stops` beside it."""
    known, why = {line.work.name: line for line in lines}, {one.worker: one for one in reversed(stops)}
    seen = {"known": known, "why": why, "titles": TITLES, "currency": currency}
    return _drawn("appeals.html", appeals=appeals, **seen)


def draw_control_power(rules: QualityRules, chances: Chances | None) -> Markup:
    """Return how often the control rule stops whom; `chances` is None for a study without controls."""
    if rules.control.action == "none":
        return draw_reason("The rule is off: whoever guesses works on to the end.")
    test = rules.control.test_at(chances.chance) if chances else None
    rows = rules.control.power(chances) if chances else ()
    return _drawn("control_power.html", reason="", chances=chances, rows=rows, limit=test.limit if test else 0.0)


def draw_reason(reason: str) -> Markup:
    """Return why it cannot be told how often the control rule stops whom."""
    return _drawn("control_power.html", reason=reason)


def draw_power(rules: QualityRules, labels: int) -> Markup:
    """Return how often the other rules find whom where one of `labels` answers is chosen; 0 for open answers."""
    reason = "" if labels else "Answers are open: how often a guesser passes the other rules cannot be computed."
    chances = Chances(labels=max(2, labels))
    on = [rule for rule in rules.each() if rule.action != "none" and rule is not rules.control] if labels else []
    rows = [(rule.name(), power) for rule in on for power in rule.power(chances)]
    return _drawn("power.html", rows=rows, labels=labels, reason=reason)


def draw_events(events: list[Event], *, narrowed: bool = False) -> Markup:
    """Return the list of events; `narrowed`: only some of them were asked for."""
    seen = {"titles": TITLES, "words": WORDS, "named": SETTINGS, "short": shortened}
    return _drawn("events.html", events=events, narrowed=narrowed, **seen)


def _drawn(template: str, **seen: Any) -> Markup:
    return Markup(environment(TEMPLATES).get_template(template).render(**seen))
