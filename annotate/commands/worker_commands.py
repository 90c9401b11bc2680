"""Commands about the people of a study: exclude, restore, forget, what happened, what is owed, invitation links."""

from pathlib import Path
from typing import Annotated

import typer

from annotate.accounts.installation_secret import signer_of
from annotate.commands.arguments import Study
from annotate.invitations import PLATFORM_IDS, ids_in, links_frame, links_of, owed_by_id, prolific_bonuses, worker_by_id
from annotate.requesters.adjudication import carried_over
from annotate.requesters.oversight import Oversight, change_rows, everything_about
from annotate.requesters.study_card import unknown_settings
from data.commands.options import BY_COMMAND, JSON
from data.console import json_text, print_json, print_result, tell
from data.errors import BadSetting
from data.files.saving import write_to
from data.files.text_files import read_text
from data.numbers import counted
from data.table_files import write_frame
from data.tables import Column, Table, chosen, text_table
from db.engine import Database, opened, reading
from db.events import Event
from db.records import APPEALS, DECISIONS, EVENTS, list_decisions
from db.settings import Settings
from db.studies import get_study


def decisions(
    study: Study,
    suspect: Annotated[
        bool,
        typer.Option("--suspect", help="Only those within a second of the one before, with its note."),
    ] = False,
    as_json: JSON = False,
) -> None:
    """List the decisions of experts in the order they were made."""
    with opened(Settings().database) as database, reading(database) as session:
        made = list_decisions(session, study=get_study(session, name=study))
    selected = carried_over(made) if suspect else made
    nothing = f"{study}: no decision {'is suspect' if suspect else 'was made yet'}"
    columns = chosen(DECISIONS, "decided_at", "item", "label", "who", "blind", "note")
    print_result(
        lambda: {"study": study, "suspect": suspect, "decisions": list(map(vars, selected))},
        lambda: text_table(Table("", columns, selected)) if selected else nothing,
        as_json=as_json,
    )


Worker = Annotated[str, typer.Argument(metavar="WORKER", help="The worker's name, as the judgments have it.")]
ById = Annotated[bool, typer.Option("--id", help="WORKER is the id a platform or a link has.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept with the event.")]


def exclude(study: Study, worker: Worker, reason: Reason) -> None:
    """Exclude a worker from a study: the answers no longer count and their items reopen."""
    with opened(Settings().database) as database:
        done = Oversight(database).exclude(study, worker, who=BY_COMMAND, reason=reason)
    tell(f"{worker} is excluded" if done else f"{worker} was excluded before; nothing has changed")


def restore(study: Study, worker: Worker, reason: Reason) -> None:
    """Restore an excluded worker: the answers count again where there is room."""
    with opened(Settings().database) as database:
        done = Oversight(database).restore(study, worker, who=BY_COMMAND, reason=reason)
    tell(f"{worker} is back" if done else f"{worker} is not excluded; nothing has changed")


def person(
    study: Study,
    worker: Worker,
    by_platform_id: ById = False,
    to: Annotated[Path | None, typer.Option(help="File of it: .json [default: standard output].")] = None,
) -> None:
    """Export everything that is kept about a person in a study, as one JSON document."""
    with opened(Settings().database) as database:
        worker = _known_by_id(database, study, worker) if by_platform_id else worker
        with reading(database) as session:
            kept = everything_about(session, study=get_study(session, name=study), worker=worker)
    if to is None:
        print_json(kept)
    else:
        write_to(to, json_text(kept).encode())
        tell(f"{to.name}: everything that is kept about {worker} in the study {study!r}")


def forget(
    study: Study,
    worker: Worker,
    by_platform_id: ById = False,
    erase_answers: Annotated[
        bool, typer.Option("--erase-answers", help="Delete the answers too; else they stay under a new pseudonym.")
    ] = False,
) -> None:
    """Erase what identifies a person in a study, for good: pay what is owed before."""
    with opened(Settings().database) as database:
        worker = _known_by_id(database, study, worker) if by_platform_id else worker
        done = Oversight(database).forget(study, worker, keep_answers=not erase_answers, who=BY_COMMAND)
    became = f"stay as {done.pseudonym}'s" if done.answers_kept else "are erased"
    answers = f"{done.judgments} answers {became}"
    tell(f"{worker} is forgotten; {answers}. Erase their data from downloads and backups yourself.")
    if done.to_do:
        tell(done.to_do)


def events(study: Study, as_json: JSON = False) -> None:
    """List what was done to a study and its workers, the newest first."""
    with opened(Settings().database) as database:
        happened, note = Oversight(database).events(study), unknown_settings(Oversight(database).study(study))
    if note:
        tell(note)
    reason = Column[Event]("reason", "reason", "", lambda event: event.why or _changed(event))
    columns = [*chosen(EVENTS, "at", "kind", "worker", "rule", "who"), reason]
    said = text_table(Table("", columns, happened)) if happened else "nothing happened"
    print_result(lambda: {"events": list(map(vars, happened))}, lambda: said, as_json=as_json)


def appeals(study: Study, as_json: JSON = False) -> None:
    """List the appeals of stopped workers: unanswered ones first, then the newest first."""
    with opened(Settings().database) as database:
        written_appeals = Oversight(database).appeals(study)
    records = [{name: value for name, value in vars(appeal).items() if name != "key"} for appeal in written_appeals]
    columns = chosen(APPEALS, "sent_at", "worker", "text", "who", "reply")
    said = text_table(Table("", columns, written_appeals)) if written_appeals else "no appeals"
    print_result(lambda: {"appeals": records}, lambda: said, as_json=as_json)


def answer_appeal(
    study: Study,
    worker: Worker,
    text: Annotated[str, typer.Option(help="The answer; the worker reads it.")],
    restore: Annotated[bool, typer.Option("--restore", help="And let the worker go on.")] = False,
) -> None:
    """Answer the appeal of a worker who was stopped."""
    with opened(Settings().database) as database:
        done = Oversight(database).answer_appeal(study, worker, text, who=BY_COMMAND, restore=restore)
    went_on = " and back" if restore else ""
    tell(f"{worker} is answered{went_on}" if done else f"{worker} has no appeal open; nothing has changed")


def payments(
    study: Study,
    to: Annotated[Path, typer.Option(help="File of the payments: .csv, .jsonl or .parquet.")],
    ids: Annotated[
        Path | None, typer.Option(help="File of platform ids, one on a line: a line for each of these, by id.")
    ] = None,
    paid: Annotated[bool, typer.Option("--mark-paid", help="Mark the totals of the file as paid.")] = False,
    prolific: Annotated[bool, typer.Option("--prolific", help="Write Prolific’s bonus file; needs --ids.")] = False,
) -> None:
    """Write what a study owes each worker, with the pay per active hour; with --ids by what a platform calls people."""
    if prolific and not ids:
        raise BadSetting("--prolific writes bonuses by participant id; name the file of ids with --ids")
    settings = Settings()
    with opened(settings.database) as database:
        owed = Oversight(database).payments(study)
        written = owed.frame
        if ids:
            known = ids_in(read_text(ids))
            with reading(database) as session:
                stored_study = get_study(session, name=study)
                written = owed_by_id(session, signer_of(database, settings), study=stored_study, owed=owed, ids=known)
            tell(f"{len(written)} of {len(known)} ids are owed something; the study owes {len(owed.frame)} workers")
        if prolific:
            bonuses = prolific_bonuses(written)
            write_to(to, bonuses.encode())
            tell(f"{to.name}: {counted(len(bonuses.splitlines()), 'bonus', 'bonuses')}")
        else:
            write_to(to, write_frame(written, to.suffix.removeprefix(".")))
            tell(f"{to.name}: {owed}")
        if paid:
            totals = dict(zip(written["worker"], written["total"], strict=True))
            marked = Oversight(database).mark_paid(study, totals, who=BY_COMMAND)
            tell(f"{counted(marked, 'worker')} marked as paid")
    if owed.warned:
        tell("The median pay per hour is below the minimum: raise the price, or pay a bonus.")


def links(
    study: Study,
    people: Annotated[Path, typer.Option(help="File of the people, one on a line: names, numbers or platform ids.")],
    to: Annotated[Path, typer.Option(help="File of the links: .csv, .jsonl or .parquet.")],
    parameter: Annotated[
        str, typer.Option(metavar="|".join(PLATFORM_IDS), help="Sign the platform’s ids in that parameter.")
    ] = "",
) -> None:
    """Write an invitation link for everybody in a file: a personal one, or with --parameter one with a signed id."""
    settings = Settings()
    with opened(settings.database) as database, reading(database) as session:
        name, signer = get_study(session, name=study).name, signer_of(database, settings)
    made = links_of(signer, settings.address, name, read_text(people), parameter)
    write_to(to, write_frame(links_frame(made), to.suffix.removeprefix(".")))
    tell(f"{to.name}: {len(made)} links to the study {name!r}")


def _known_by_id(database: Database, study: str, known_as: str) -> str:
    with reading(database) as session:
        signer, of = signer_of(database, Settings()), get_study(session, name=study)
        return worker_by_id(session, signer, study=of, known_as=known_as)


def _changed(event: Event) -> str:
    """Return which settings an event changed, from what and to what."""
    rows = change_rows(event.details["settings"]) if event.kind == "settings" else ()
    return "; ".join(f"{title}: {before} → {after}" for title, before, after in rows)
