"""The command that makes a study out of another platform's log."""

from pathlib import Path
from typing import Annotated, Any

import typer

from annotate.commands.arguments import NewStudy
from annotate.imports.import_settings import IMPORT_SETTINGS, ImportSettings
from annotate.imports.log_import import import_log
from data.commands.options import JSON, read_options, with_options
from data.console import print_result
from db.engine import opened, writing
from db.settings import Settings


@with_options(IMPORT_SETTINGS)
def import_log_command(
    study: NewStudy,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="The log's files, all of one study.")],
    *,
    as_json: JSON = False,
    **given: Any,
) -> None:
    """Import what another platform collected as a closed study."""
    settings, _ = read_options(ImportSettings, given)
    with opened(Settings().database) as database, writing(database) as session:
        report = import_log(session, name=study, files=files, settings=settings)
    print_result(report.as_dict, report.__str__, as_json=as_json)
