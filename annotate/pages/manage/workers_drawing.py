"""The drawn parts about the people and the items of a study: workers, items, a control rule's numbers, events."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from markupsafe import Markup

from annotate.pages.manage.study_drawing import TEMPLATES, rendered
from annotate.requesters.oversight import MOST_ANSWERS, WorkerLine
from annotate.requesters.settings_change import change_rows
from data.drawing.environment import NO_BREAK
from data.tables import Column, Table, chosen, table_of
from db.events import Event
from db.payments import NO_PRICE, Payments
from db.records import EVENTS, Appeal
from db.worker_summaries import WorkerAnswer
from eval.workers import RULES, TITLES, QualityRules
from eval.workers.rule import GOOD, Chances, Power, WorkerRule

PICK = (TEMPLATES.parent / "workers.js").read_text("utf8")
WORDS = {
    "opened": "opened",
    "paused": "paused",
    "closed": "closed",
    "archived": "archived",
    "unarchived": "taken out of the archive",
    "rules": "rules changed",
    "settings": "settings changed",
    "let_in": "more people let in",
    "rule": "rule fired",
    "excluded": "worker excluded",
    "on_hold": "worker paused",
    "restored": "worker restored",
    "retried": "training begun again",
    "appealed": "worker appealed",
    "replied": "appeal answered",
    "forgotten": "worker forgotten",
    "paid": "marked as paid",
    "retention": "retention period over",
    "run_pinned": "run pinned",
    "run_unpinned": "run unpinned",
    "run_deleted": "run deleted",
    "downloaded": "file downloaded",
}


def money(amount: float) -> str:
    """Return an amount of money with its thousands apart."""
    return f"{amount:,.2f}".replace(",", NO_BREAK)


def _kind(event: Event) -> str:
    fired = f": {TITLES[event.rule]}" if event.rule and event.kind == "rule" else ""
    return f"{WORDS[event.kind]}{fired}"


MOMENT = "{:%-d %b %Y %H:%M}".format
WORKERS: tuple[Column[WorkerLine], ...] = (
    Column("worker", "worker", "", lambda line: line.work.name),
    Column("status", "status", "", lambda line: line.work.status),
    Column("answers", "answers", "To main and control items, without void ones", lambda line: line.work.answers),
    Column(
        "controls",
        "controls right",
        "Share of answered controls that are right",
        lambda line: line.right / line.controls if line.controls else 2,
    ),
    Column("pace", "s / item", "Mean active time on a main item", lambda line: line.pace or 0),
    Column("fired", "rules fired", "", lambda line: sum(line.fired.values()), style="fired"),
    Column(
        "pay", "pay", "A bonus is shown separately", lambda line: line.work.pay + line.bonus if line.work.priced else -1
    ),
    Column("hourly", "per hour", "Pay and bonus per active hour, including training", lambda line: line.hourly or 0),
    Column(
        "consent",
        "consent",
        "Version of the text, and whether the notice was acknowledged. Dates are in the file of consents",
        lambda line: line.work.consent.at.timestamp() if line.work.consent else 0,
    ),
)
"""The table of workers is sorted in the browser by these values."""
ANSWERS: tuple[Column[WorkerAnswer], ...] = (
    Column("item", "item", "", lambda answer: answer.item),
    Column("label", "answer", "", lambda answer: answer.label, style="start why"),
    Column(
        "gold",
        "right answer",
        "A tick where it is the answer given",
        lambda answer: answer.gold or "",
        style="start why",
        read=lambda answer: "✓" if answer.gold == answer.label else answer.gold or "",
    ),
    Column("role", "kind", "", lambda answer: answer.role),
    Column("seconds", "s", "Active time", lambda answer: answer.seconds, lambda s: "" if s is None else f"{s:.1f}"),
    Column("status", "status", "", lambda answer: answer.status),
    Column("at", "when (UTC)", "", lambda answer: answer.submitted_at, MOMENT),
)
RISING = ("worker", "status", "controls", "pace")
"""The columns that are first sorted from the least on."""
AT, KIND, WORKER, WHO, REASON = chosen(EVENTS, "at", "kind", "worker", "who", "reason")
PAGE_EVENTS: tuple[Column[Event], ...] = (
    replace(AT, format=MOMENT),
    replace(KIND, value=lambda event: event, format=_kind, style="start"),
    replace(WORKER, style="start"),
    replace(WHO, format=lambda who: "a rule" if who == "rule" else who, style="start"),
    replace(REASON, value=lambda event: event.why, style="start why"),
)


@dataclass(frozen=True)
class AppealLine:
    """What one worker wrote, with the worker's record, and what stopped the worker, None where that is not known."""

    appeal: Appeal
    line: WorkerLine
    stop: Event | None


APPEALS: tuple[Column[AppealLine], ...] = (
    Column("worker", "worker", "", lambda row: row.appeal.worker),
    Column("text", "wrote, and was answered", "", lambda row: row.appeal.text, style="start why"),
    Column("stop", "stopped by", "", lambda row: row.stop, style="start why"),
    Column("answers", "answers", "", lambda row: row.line.work.answers + row.line.work.void),
    Column("controls", "controls right", "", lambda row: row.line.right),
    Column("pace", "s / item", "", lambda row: row.line.pace, lambda pace: f"{pace:.1f}" if pace else ""),
    Column("owed", "owed, {currency}", "", lambda row: row.line.work.pay + row.line.bonus, money),
)
POWER: tuple[Column[tuple[str, Power]], ...] = (
    Column("rule", "rule", "", lambda row: row[0], style="start"),
    Column("answers", "answers", "", lambda row: row[1].answers),
    Column("guesser_passes", "random guessers who pass", "", lambda row: row[1].guesser_passes, "{:.1%}".format),
    Column("good_found", f"workers with {GOOD:.0%} who are found", "", lambda row: row[1].good_found, "{:.2%}".format),
)


def draw_workers(name: str, lines: list[WorkerLine], owed: Payments, unpaid: Sequence[str] = ()) -> Markup:
    """Return the table of a study's workers with what they are owed; `unpaid` are not yet marked as paid."""
    address = f"/manage-files/{quote(name, safe='')}/payments"
    table = Table("Workers, those whom a rule has found first", WORKERS, lines)
    seen = {
        "titles": TITLES,
        "no_price": f"Not known: {NO_PRICE}",
        "minimum": owed.minimum,
        "warned": owed.warned,
        "address": address,
        "rising": RISING,
    }
    return rendered("workers.html", table=table, **seen, owed=owed, unpaid=len(unpaid))


def draw_worker_answers(worker: str, answers: Sequence[WorkerAnswer]) -> Markup:
    """Return the last answers of one worker."""
    table = Table(f"Answers of {worker}, the newest first", ANSWERS, answers)
    return rendered("worker_answers.html", table=table, worker=worker, most=MOST_ANSWERS)


def draw_appeals(
    appeals: Sequence[Appeal], lines: Sequence[WorkerLine], stops: Sequence[Event], currency: str
) -> Markup:
    """Return what workers wrote who were stopped, each with the worker's record and the latest of `stops` beside it."""
    known, why = {line.work.name: line for line in lines}, {stop.worker: stop for stop in reversed(stops)}
    columns = [column.called(currency=currency) for column in APPEALS]
    rows = [AppealLine(appeal, known[appeal.worker], why.get(appeal.worker)) for appeal in appeals]
    table = Table("Appeals, those that wait for an answer first", columns, rows)
    return rendered("appeals.html", table=table, titles=TITLES)


def draw_control_power(rules: QualityRules, chances: Chances | None) -> Markup:
    """Return how often the control rule stops whom; `chances` is None for a study without controls."""
    if rules.control.action == "none":
        return draw_reason("The rule is off: it does not stop workers who guess.")
    test = rules.control.test_at(chances.chance) if chances else None
    rows = rules.control.power(chances) if chances else ()
    simulated = any(power.simulated for power in rows)
    seen = {"chances": chances, "simulated": simulated, "limit": test.limit if test else 0.0}
    return rendered("control_power.html", reason="", table=_shares(rows), **seen)


def _shares(rows: Sequence[Power]) -> Table[Sequence[object]]:
    """Return who is stopped by how many controls were answered: a column for each number of them."""
    lines = [
        ("random guessers who still work", *(f"{power.guesser_passes:.1%}" for power in rows)),
        (f"workers with {GOOD:.0%} who are stopped", *(f"{power.good_found:.2%}" for power in rows)),
    ]
    header = ["controls answered", *(str(power.answers) for power in rows)]
    return table_of("Shares by the number of controls answered", header, lines if rows else ())


def draw_reason(reason: str) -> Markup:
    """Return why it cannot be told how often the control rule stops whom."""
    return rendered("control_power.html", reason=reason)


def draw_power(rules: QualityRules, labels: int) -> Markup:
    """Return how often the other rules find whom where one of `labels` answers is chosen; 0 for open answers."""
    reason = "" if labels else "Answers are open, so figures for the other rules cannot be computed."
    chances = Chances(labels=max(2, labels))
    on = [rule for rule in rules.each() if rule.action != "none" and not rule.by_controls] if labels else []
    rows = [(rule.name(), power) for rule in on for power in rule.power(chances)]
    notes = " ".join(filter(None, (rule.power_note() for rule in RULES.values())))
    silent = [rule.name() for rule in RULES.values() if rule.power is WorkerRule.power]
    seen = {"labels": labels, "reason": reason, "notes": notes, "silent": silent}
    return rendered("power.html", table=Table("Shares by rule", POWER, rows), **seen)


def draw_events(events: list[Event], *, narrowed: bool = False) -> Markup:
    """Return the list of events; `narrowed`: only some of them were asked for."""
    table = Table("Events, the newest first", PAGE_EVENTS, events)
    return rendered("events.html", table=table, narrowed=narrowed, changes=change_rows)
