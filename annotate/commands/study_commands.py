"""Commands that make studies, and that take out of one what another can ask: its task, or what people wrote in it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

from annotate.accounts.installation_secret import signer_of
from annotate.commands.arguments import NewStudy, Study
from annotate.requesters.oversight import Oversight, change_rows
from annotate.requesters.study_card import leaks_of
from annotate.requesters.study_creation import SOURCES, Sources, StudySpecification, study_settings, validation_items
from annotate.requesters.study_creation import create as create_study
from data.catalogue.catalog import get_task, task_named
from data.catalogue.task_files import ENDING, task_text
from data.commands.options import BY_COMMAND, JSON, Set, named_values, read_options, with_options
from data.console import print_result, print_text, tell
from data.errors import BadSetting, look_up
from data.files.saving import write_to
from data.files.toml_files import as_toml, read_toml
from data.table_files import write_frame
from db.engine import Database, opened, reading, transact
from db.runs import PUBLISHED, list_runs
from db.settings import Settings
from db.studies import get_study
from db.study_settings import NUMBERS, SETTINGS, answered
from db.unfinished_studies import delete_unanswered
from eval.workers.table import RULES

DESCRIBED = {name: SETTINGS[name] for name in NUMBERS}


def describe(
    study: Study,
    file: Annotated[Path | None, typer.Option("--from", help="A TOML file, as this command prints one.")] = None,
) -> None:
    """Add what the program cannot know about a study from a TOML file; without one, print a TOML to fill in.

    Both say what is missing in the checklist that reports end with.
    """
    with opened(Settings().database) as database:
        settings = Oversight(database)
        if file is None:
            print_text("\n".join([*_as_published(database, study), _form(settings.settings(study))]))
            return
        given = read_toml(file, 'write NAME = "…", a line for each')
        for name in given:
            look_up(f"{file.name}: what a study is described by:", name, DESCRIBED)
        said = {name: text for name, text in given.items() if text != ""}
        changes = settings.change(study, said, who=BY_COMMAND)
        print_text(
            f"changed: {', '.join(title for title, _, _ in change_rows(changes))}" if changes else "nothing is new"
        )
        print_text(_missing(settings.settings(study)))


def _as_published(database: Database, name: str) -> Iterator[str]:
    """Yield comments on each run in the authors' words: whence these are, what it did otherwise than they."""
    with reading(database) as session:
        runs = list_runs(session, study=get_study(session, name=name))
    for run in runs:
        if told := run.settings.get(PUBLISHED):
            yield f"# Run {run.id}, {run.model}, asked in the words of {told['file']} (SHA-256 {told['sha256'][:12]})."
            if words := told.get("messages"):
                yield f"#   messages: {words}"
            yield from (
                f"#   {each['what']}: {each['here']}; the authors: {each['authors']}" for each in told["differs"]
            )


def _form(now: Mapping[str, Any]) -> str:
    """Return the TOML of all that a study is described by, with what each text should say."""
    top = (
        f"# {_missing(now)}\n# Fill in what you know and give it back: python app.py describe STUDY --from FILE\n"
        "# An empty text changes nothing; what is stored is erased under Settings. n/a is an answer where its reason\n"
        "# follows.\n"
    )
    return "\n".join(
        [top, *(f"# {declared.sentence}\n{as_toml({name: now[name]})}" for name, declared in DESCRIBED.items())]
    )


def _missing(now: Mapping[str, Any]) -> str:
    """Return how much is answered, and the names of what is not."""
    left = [f"{NUMBERS[name]} {name}".strip() for name in DESCRIBED if not answered(now[name])]
    words = f"{len(DESCRIBED) - len(left)} of {len(DESCRIBED)} are answered"
    return f"{words}; missing: {'; '.join(left)}" if left else words


def written(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A study in which people write.")],
    task: Annotated[str, typer.Option(help="The task that validates what was written.")],
    to: Annotated[Path, typer.Option(help="File of the items: .jsonl, .csv or .parquet.")],
) -> None:
    """Turn the answers people wrote in one study into the items of another that validates them."""
    with opened(Settings().database) as database, reading(database) as session:
        records = validation_items(session, study=get_study(session, name=study), task=get_task(task))
    write_to(to, write_frame(pd.DataFrame(records, dtype=object), to.suffix.removeprefix(".")))
    print_text(f"{to.name}: {len(records)} items for a study of {task}")


@with_options(SOURCES | SETTINGS)
def create(
    study: NewStudy,
    task: Annotated[str, typer.Option(help="The task's id, as `tasks` lists it, or a task file (.toml).")],
    items: Annotated[Path, typer.Option(help="File of the items to be answered.")],
    *,
    other: Set = None,
    draft: Annotated[bool, typer.Option("--draft", help="Make a draft, to be edited and opened on /manage.")] = False,
    as_json: JSON = False,
    **given: Any,
) -> None:
    """Create a study of a task from files of items, open unless it is a draft."""
    sources, collecting = read_options(Sources, given, main=items)
    if (sources.training and sources.draw_training) or (sources.control and sources.draw_control):
        raise BadSetting("training and controls come from a file or are drawn from the items, not both; leave one out")
    settings = study_settings(collecting, named=_named_settings(other or []))
    if collecting["page_controls"] and not (sources.control or sources.draw_control):
        raise BadSetting(
            f"--page-controls {settings.page_controls}: the study has no control items; give them with --control FILE"
        )
    specification = StudySpecification(study, task_named(task), settings, sources, opens=not draft)
    installed = Settings()
    with opened(installed.database) as database:
        made = create_study(database, signer_of(database, installed), specification, tell=tell)
        for leak in leaks_of(database, study).leaks:
            tell(f"{leak}: people may copy it; give the field the kind hidden in the task, if it is the right answer")
    print_result(made.as_dict, made.__str__, as_json=as_json)


def _named_settings(options: list[str]) -> dict[str, str]:
    """Return what `--set` options say; raises BadSetting for rules on workers, which are no settings of a new study."""
    for option in options:
        rule = option.partition("=")[0].partition(".")[0].strip()
        if rule in RULES or rule == "quality":
            raise BadSetting(
                f"--set {option!r}: rules on workers are set on the study's page, in the tab Rules; "
                "`python app.py quality STUDY --set RULE.NUMBER=VALUE` tries a number on the answers that are there"
            )
    return named_values(SETTINGS, options)


def delete_study(study: Study) -> None:
    """Delete a study that nobody has answered yet, to make it anew."""
    with opened(Settings().database) as database:
        transact(database, lambda session: delete_unanswered(session, name=study))
    tell(f"study {study!r} is deleted; its name is free")


def export_task(study: NewStudy, to: Annotated[Path, typer.Option(help="The file to write: .toml.")]) -> None:
    """Write a study's task to a task file; `create --task FILE.toml` asks the same about other items."""
    if to.suffix.lower() != ENDING:
        raise BadSetting(f"--to {to}: a task file ends in {ENDING}")
    with opened(Settings().database) as database, reading(database) as session:
        task = get_study(session, name=study).task
    write_to(to, task_text(task).encode())
    print_text(f"{to.name}: what the study {study!r} asks ({task.id})")
