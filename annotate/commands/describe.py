"""The command that says of a study what only people know, or prints what there is to say."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from annotate.commands.arguments import Study
from annotate.requesters.settings_change import SettingsChange, change_rows
from data.console import print_text
from data.errors import UnknownName
from data.files.toml_files import as_toml, read_toml
from db.engine import opened
from db.settings import Settings
from db.study_settings import NUMBERS, SETTINGS, answered

BY_COMMAND = "command line"
DESCRIBED = {name: SETTINGS[name] for name in NUMBERS}


def describe(
    study: Study,
    file: Annotated[Path | None, typer.Option("--from", help="A TOML file, as this command prints one.")] = None,
) -> None:
    """Add what the program cannot know about a study from a TOML file; without one, print a TOML to fill in.

    Both say what is missing in the checklist that reports end with.
    """
    with opened(Settings().database) as database:
        settings = SettingsChange(database)
        if file is None:
            print_text(_form(settings.settings(study)))
            return
        given = read_toml(file, 'write NAME = "…", a line for each')
        for name in given:
            if name not in DESCRIBED:
                raise UnknownName(f"{file.name}: what a study is described by:", name, DESCRIBED)
        said = {name: text for name, text in given.items() if text != ""}
        changes = settings.change(study, said, who=BY_COMMAND)
        print_text(
            f"changed: {', '.join(title for title, _, _ in change_rows(changes))}" if changes else "nothing is new"
        )
        print_text(_missing(settings.settings(study)))


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
