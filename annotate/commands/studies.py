"""Commands that make studies, and that take out of one what another can ask: its task, or what people wrote in it."""

from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

from annotate.access import Signer, secret_of
from annotate.commands.options import NewStudy
from annotate.staff.creating import create as create_study
from annotate.staff.creating import study_settings
from annotate.staff.gathering import Sources
from annotate.staff.leaking import told_away
from annotate.written import written_items
from data.catalog import get_task
from data.commands.options import JSON
from data.commands.setting_options import Set, named_values, with_options
from data.console import print_json, print_text, tell
from data.errors import BadSetting
from data.tables import write_frame
from data.task_files import ENDING, task_named, task_text
from data.writing import write_to
from db.engine import opened, reading
from db.settings import Settings
from db.studies import get_study
from db.study_settings import SETTINGS


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


@with_options(SETTINGS)
def create(
    study: NewStudy,
    task: Annotated[str, typer.Option(help="The task's id, as `tasks` lists it, or a task file (.toml).")],
    items: Annotated[Path, typer.Option(help="File of the items to be answered.")],
    training: Annotated[Path | None, typer.Option(help="File of items explained before the work.")] = None,
    control: Annotated[Path | None, typer.Option(help="File of items with known answers, mixed into the work.")] = None,
    draw_training: Annotated[int, typer.Option(min=0, help="Take so many items with gold for training.")] = 0,
    draw_control: Annotated[int, typer.Option(min=0, help="Take so many items with gold as controls.")] = 0,
    sample: Annotated[int | None, typer.Option(help="Draw that many of the items.")] = None,
    seed: Annotated[int, typer.Option(help="Which items --sample leaves follows from it.")] = 0,
    *,
    other: Set = None,
    as_json: JSON = False,
    **given: Any,
) -> None:
    """Create a study of a task from files of items."""
    if (training and draw_training) or (control and draw_control):
        raise BadSetting("training and controls come from a file or are drawn from the items, not both; leave one out")
    settings = study_settings(given, named=named_values(SETTINGS, other or []))
    sources = Sources(items, training, control, draw_training, draw_control, sample, seed)
    asked = task_named(task)
    installed = Settings()
    with opened(installed.database) as database:
        made = create_study(
            database,
            Signer(secret_of(installed)),
            name=study,
            task=asked,
            sources=sources,
            settings=settings,
            controls_asked=given["page_controls"] is not None,
            tell=tell,
        )
        for leak in told_away(database, study).leaks:
            tell(f"{leak}: people may copy it; give the field the kind hidden in the task, if it is the right answer")
    if as_json:
        print_json(made.as_dict())
    else:
        print_text(str(made))


def export_task(
    study: NewStudy,
    to: Annotated[Path, typer.Option(help="The file to write: .toml.")],
) -> None:
    """Write what a study asks as a task file: `create --task FILE.toml` asks the same of other items."""
    if to.suffix.lower() != ENDING:
        raise BadSetting(f"--to {to}: a task file ends in {ENDING}")
    with opened(Settings().database) as database, reading(database) as session:
        task = get_study(session, name=study).task
    write_to(to, task_text(task).encode())
    print_text(f"{to.name}: what the study {study!r} asks ({task.id})")
