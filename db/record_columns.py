"""The columns of what is kept of a study: events, decisions, reports and appeals, for commands, pages and files."""

from data.tables import Column
from db.appeals import Appeal
from db.decisions import Decision
from db.events import Event
from db.reports import Report

WHEN = "when (UTC)"
MINUTE = "{:%Y-%m-%d %H:%M}".format
EVENTS: tuple[Column[Event], ...] = (
    Column("at", WHEN, "", lambda event: event.at, MINUTE),
    Column("kind", "event", "", lambda event: event.kind),
    Column("worker", "worker", "", lambda event: event.worker),
    Column("rule", "rule", "", lambda event: event.rule),
    Column("who", "by", "", lambda event: event.who),
    Column("reason", "reason", "", lambda event: event.reason),
    Column("details", "details", "", lambda event: event.details),
)
DECISIONS: tuple[Column[Decision], ...] = (
    Column("item", "item", "", lambda decision: decision.item),
    Column("label", "answer", "", lambda decision: decision.label),
    Column("who", "by", "", lambda decision: decision.who),
    Column("blind", "blind", "", lambda decision: decision.blind, lambda blind: "yes" if blind else "no"),
    Column("note", "note", "", lambda decision: decision.note),
    Column("decided_at", WHEN, "", lambda decision: decision.decided_at, "{:%Y-%m-%d %H:%M:%S}".format),
)
REPORTS: tuple[Column[Report], ...] = (
    Column("item", "item", "", lambda report: report.item),
    Column("worker", "worker", "", lambda report: report.worker),
    Column("reason", "what is wrong", "", lambda report: report.reason),
    Column("text", "in the worker's words", "", lambda report: report.text),
    Column("reported_at", WHEN, "", lambda report: report.reported_at),
)
APPEALS: tuple[Column[Appeal], ...] = (
    Column("worker", "worker", "", lambda appeal: appeal.worker),
    Column("text", "wrote", "", lambda appeal: appeal.text),
    Column("sent_at", WHEN, "", lambda appeal: appeal.sent_at, MINUTE),
    Column("reply", "answer", "", lambda appeal: appeal.reply),
    Column("who", "answered by", "", lambda appeal: appeal.who),
    Column("replied_at", "answered (UTC)", "", lambda appeal: appeal.replied_at),
    Column("restored", "goes on", "", lambda appeal: appeal.restored),
)
