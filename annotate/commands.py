"""Commands of the people's side: a study out of files of items, or out of another platform's log."""

from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from annotate import account_commands, creating_commands, decision_commands, people_commands
from annotate.imports.columns import Wanted
from annotate.imports.importing import import_log
from annotate.imports.labels import parsed_mapping
from annotate.imports.report import ImportReport
from annotate.imports.settling import policy_named
from annotate.written import written_items
from data.catalog import get_task
from data.console import print_json, print_text
from data.tables import write_frame
from data.writing import write_to
from db.engine import opened, reading, writing
from db.settings import Settings
from db.studies import get_study

commands = typer.Typer()
commands.add_typer(creating_commands.commands)
commands.add_typer(people_commands.commands)
commands.add_typer(decision_commands.commands)
commands.add_typer(account_commands.commands)

Name = Annotated[str, typer.Argument(metavar="STUDY", help="The study's name, free to choose.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@commands.command("import-log")
def import_log_command(
    study: Name,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="The log's files, all of one study.")],
    task: Annotated[str | None, typer.Option(help="The task's id; without it one is made from the log.")] = None,
    answer: Annotated[str | None, typer.Option(help="Column of the answers.")] = None,
    fields: Annotated[str, typer.Option(metavar="A,B", help="Columns that make an item.")] = "",
    worker: Annotated[str | None, typer.Option(help="Column of the workers.")] = None,
    gold: Annotated[Path | None, typer.Option(help="File with the right answers.")] = None,
    duplicates: Annotated[str, typer.Option(metavar="first|last|keep|error", help="Which repeat counts.")] = "first",
    mapping: Annotated[list[str] | None, typer.Option("--map", metavar="A=B", help="Label A means B.")] = None,
    as_json: AsJson = False,
) -> None:
    """Import what another platform collected as a closed study."""
    names = [name.strip() for name in fields.split(",") if name.strip()]
    meant, policy = parsed_mapping(mapping or []), policy_named(duplicates)
    columns = Wanted(tuple(names), answer, worker)
    with opened(Settings().database) as database, writing(database) as session:
        report = import_log(
            session, name=study, files=files, task_id=task, columns=columns, gold=gold, duplicates=policy, mapping=meant
        )
    _say(report, as_json)


@commands.command("written")
def written(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A study in which people write.")],
    task: Annotated[str, typer.Option(help="The task that validates what was written.")],
    to: Annotated[Path, typer.Option(help="File of the items: .jsonl, .csv or .parquet.")],
) -> None:
    """Turn what people wrote in one study into the items of another that validates it."""
    with opened(Settings().database) as database, reading(database) as session:
        records = written_items(session, study=get_study(session, name=study), task=get_task(task))
    write_to(to, write_frame(pd.DataFrame(records, dtype=object), to.suffix.removeprefix(".")))
    print_text(f"{to.name}: {len(records)} items for a study of {task}")


def _say(done: ImportReport, as_json: bool) -> None:
    if as_json:
        print_json(done.as_dict())
    else:
        print_text(str(done))
