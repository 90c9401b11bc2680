"""The command that makes a study out of another platform's log."""

from pathlib import Path
from typing import Annotated

import typer

from annotate.commands.options import NewStudy
from annotate.imports.columns import Wanted
from annotate.imports.importing import import_log
from annotate.imports.labels import parsed_mapping
from annotate.imports.settling import policy_named
from data.commands.options import JSON
from data.console import print_json, print_text
from db.engine import opened, writing
from db.settings import Settings


def import_log_command(
    study: NewStudy,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="The log's files, all of one study.")],
    task: Annotated[str | None, typer.Option(help="The task's id; without it one is made from the log.")] = None,
    answer: Annotated[str | None, typer.Option(help="Column of the answers.")] = None,
    fields: Annotated[str, typer.Option(metavar="A,B", help="Columns that make an item.")] = "",
    worker: Annotated[str | None, typer.Option(help="Column of the workers.")] = None,
    gold: Annotated[Path | None, typer.Option(help="File with the right answers.")] = None,
    duplicates: Annotated[str, typer.Option(metavar="first|last|keep|error", help="Which repeat counts.")] = "first",
    mapping: Annotated[list[str] | None, typer.Option("--map", metavar="A=B", help="Label A means B.")] = None,
    as_json: JSON = False,
) -> None:
    """Import what another platform collected as a closed study."""
    names = [name.strip() for name in fields.split(",") if name.strip()]
    meant, policy = parsed_mapping(mapping or []), policy_named(duplicates)
    columns = Wanted(tuple(names), answer, worker)
    with opened(Settings().database) as database, writing(database) as session:
        report = import_log(
            session, name=study, files=files, task_id=task, columns=columns, gold=gold, duplicates=policy, mapping=meant
        )
    if as_json:
        print_json(report.as_dict())
    else:
        print_text(str(report))
