"""The command about what experts decided."""

from typing import Annotated

import typer

from annotate.commands.arguments import Study
from annotate.requesters.adjudication import SECONDS, carried_over
from data.commands.options import JSON
from data.console import print_json, print_text
from data.tables import Table, chosen, text_table
from db.engine import opened, reading
from db.records import DECISIONS, list_decisions
from db.settings import Settings
from db.studies import get_study


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
    selected = carried_over(made, within=within) if suspect else made
    if as_json:
        records = [{**vars(decision), "decided_at": decision.decided_at.isoformat()} for decision in selected]
        print_json({"study": study, "suspect": suspect, "decisions": records})
        return
    nothing = f"{study}: no decision {'is suspect' if suspect else 'was made yet'}"
    columns = chosen(DECISIONS, "decided_at", "item", "label", "who", "blind", "note")
    print_text(text_table(Table("", columns, selected)) if selected else nothing)
