"""The command about what experts decided."""

from typing import Annotated

import typer

from annotate.commands.arguments import Study
from annotate.requesters.carried_over_decisions import SECONDS, carried_over
from data.commands.shared_options import JSON
from data.console import print_json, print_text
from data.table_text import text_table
from data.tables import Column, Table
from db.decisions import Decision, list_decisions
from db.engine import opened, reading
from db.settings import Settings
from db.studies import get_study

DECISIONS: tuple[Column[Decision], ...] = (
    Column("decided_at", "when (UTC)", "", lambda decision: decision.decided_at, "{:%Y-%m-%d %H:%M:%S}".format),
    Column("item", "item", "", lambda decision: decision.item),
    Column("label", "answer", "", lambda decision: decision.label),
    Column("who", "by", "", lambda decision: decision.who),
    Column("blind", "blind", "", lambda decision: decision.blind, lambda blind: "yes" if blind else "no"),
    Column("note", "note", "", lambda decision: decision.note),
)


def decisions(
    study: Study,
    suspect: Annotated[
        bool,
        typer.Option("--suspect", help="Only those that may have been carried on from the item before, with its note."),
    ] = False,
    within: Annotated[float, typer.Option(min=0, help="Seconds after the one before, for --suspect.")] = SECONDS,
    as_json: JSON = False,
) -> None:
    """List the decisions of experts in the order they were made."""
    with opened(Settings().database) as database, reading(database) as session:
        made = list_decisions(session, study=get_study(session, name=study))
    chosen = carried_over(made, within=within) if suspect else made
    if as_json:
        records = [{**vars(decision), "decided_at": decision.decided_at.isoformat()} for decision in chosen]
        print_json({"study": study, "suspect": suspect, "decisions": records})
        return
    nothing = f"{study}: no decision {'is suspect' if suspect else 'was made yet'}"
    print_text(text_table(Table("", DECISIONS, chosen)) if chosen else nothing)
