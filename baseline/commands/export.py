"""The command `export`: what a study holds as a file, in one of the forms that the table of exports has for it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from baseline.commands.rule_options import with_rules
from baseline.output.computed_exports import EXPORTS
from data.commands.options import read_options, with_options
from data.console import tell
from data.declared import option, settings_of
from data.errors import BadSetting
from data.files.saving import write_to
from data.submissions import needed_leaderboard
from db.engine import opened, reading
from db.exports import ExportRequest
from db.settings import Settings
from db.studies import Study, get_study

WHAT = "One of {}.".format(
    ", ".join(
        key if export.title.lower() == key.replace("-", " ") else f"{key} ({export.title.lower()})"
        for key, export in EXPORTS.items()
    )
)
TOLOKA = {"toloka": "tsv"}
"""What the command calls a form that is known by its ending elsewhere."""
WITH_OTHERS = ("submission", "hb")
"""What is made of several studies."""
UNTELLING = ("", "txt")
"""Endings of names that do not say in which form a file is wanted."""


class ExportOptions(BaseModel):
    """In which form something is exported, and what it is made of."""

    fmt: str | None = option(
        "--format", None, "csv, jsonl, parquet, toloka for judgments …; by default the file’s ending"
    )
    respondent: str | None = option("--respondent", None, "model:NAME; human as well, for a submission")
    also: tuple[str, ...] = option(
        "--also", (), "One more study of the submission; of hb, the experts", typed=list[str]
    )


@with_options(settings_of(ExportOptions), both_ways=False)
@with_rules()
def export(
    study: str,
    what: Annotated[str, typer.Option(help=WHAT)],
    to: Annotated[Path, typer.Option(help="The file to write.")],
    **given: Any,
) -> None:
    """Export a study to a file: a table, a report, or a submission to its benchmark's leaderboard."""
    options, changes = read_options(ExportOptions, given)
    names = [study, *options.also] if what in WITH_OTHERS else [study]
    beside: list[str] = []
    with opened(Settings().database) as database, reading(database) as session:
        first, *others = (get_study(session, name=name) for name in names)
        form = form_of(first, what, options.fmt, to)
        asked = ExportRequest(session, first, options.respondent, changes, others, tell=beside.append)
        check_rules(what, changes)
        content = EXPORTS[what].forms[form](asked)
    write_to(to, content)
    tell(f"{to}: {what} of {', '.join(names)}, {len(content)} bytes")
    for sentence in beside:
        tell(sentence)


def check_rules(what: str, changes: Mapping[str, Any]) -> None:
    """Refuse (BadSetting) rules that would change nothing in an export: what happened is the same under all of them."""
    changed = next((name for name, value in changes.items() if value is not None), None)
    if changed and not EXPORTS[what].by_rules:
        following = ", ".join(key for key, export in EXPORTS.items() if export.by_rules)
        raise BadSetting(
            f"--{changed.replace('_', '-')} changes nothing in {what}, which holds all that happened; it changes "
            f"{following}"
        )


def form_of(study: Study, what: str, fmt: str | None, to: Path) -> str:
    """Return in which form of an export a file is wanted: as said, or as its name ends.

    A name without an ending, or with `.txt`, tells nothing: then it is CSV where there is one. A submission has the one
    form that its leaderboard takes. Raises BadSetting for what there is not.
    """
    if what not in EXPORTS:
        raise BadSetting(f"--what {what!r} cannot be exported; use one of {', '.join(EXPORTS)}")
    if what == "submission":
        return "zip" if needed_leaderboard(study.task.id).form.zipped else "tsv"
    forms = EXPORTS[what].forms
    ending = to.suffix.lower().removeprefix(".")
    if not fmt and ending in UNTELLING:
        return next(usual for usual in ("csv", *forms) if usual in forms)
    form = TOLOKA.get(fmt, fmt) if fmt else ending
    if form not in forms:
        wanted = f"--format {fmt!r}" if fmt else f"A file that ends in {to.suffix!r}"
        raise BadSetting(f"{wanted} is none of {what}; use one of {', '.join(forms)}")
    return form
