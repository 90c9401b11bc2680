"""The command that says everything that is wrong with a task file."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from baseline.models.prompts import prompt_faults
from data.answers import answer_from
from data.catalogue.catalog import file_named, left_behind, place_faults
from data.catalogue.task_files import family_problems, files_of, in_full, with_lines, written_out
from data.catalogue.validation import untranslated, validated
from data.commands.options import JSON
from data.console import print_result, tell
from data.errors import BadFile, Fault, FileProblem
from data.files.problem_table import unread
from data.wording import english_name
from eval.metrics.table import metric_faults


def check_task(
    task: Annotated[str, typer.Argument(help="A task file, or the id of a task of the catalogue.")],
    as_json: JSON = False,
) -> None:
    """List every error in a task file, with its line.

    What is wrong in files beside it, from which it takes texts, is said too.
    """
    file = file_named(task)
    problems = sorted(_problems(file), key=lambda problem: (problem.file != file.name, problem.file, problem.line or 0))
    records = [{"file": problem.file, "line": problem.line, "problem": problem.message} for problem in problems]
    said = "\n".join(map(str, problems)) or f"{file.name}: a task that can be asked"
    print_result(lambda: {"file": file.name, "problems": records}, lambda: said, as_json=as_json)
    for note in _notes(file):
        tell(note)
    if problems:
        raise typer.Exit(2)


def _problems(file: Path) -> list[FileProblem]:
    try:
        values = written_out(in_full(file))
    except BadFile as error:
        return [unread(next((part for part in files_of(file) if str(error).startswith(part.name)), file), error)]
    _, faults = validated(values)
    metrics = [*_metric_faults(values)]
    own = (fault for fault in faults if not (metrics and fault.at == ("official",)))  # it would follow from these
    every = dict.fromkeys((*own, *place_faults(file, values), *metrics, *prompt_faults(values)))
    return [*with_lines(file, [*every]), *family_problems(file)]


def _notes(file: Path) -> Iterator[str]:
    """Yield what is not wrong but good to know: what a copy has left behind, which texts are not translated."""
    try:
        values = in_full(file)
    except BadFile:
        return
    if lacking := left_behind(file, values):
        yield lacking
    for language, names in untranslated(values).items():
        yield f"{file.name}: not in {english_name(language)} yet: {', '.join(names)}"


def _metric_faults(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the metrics that are unknown or do not fit, as far as the rest of the file can be read."""
    metric_names = {key: several for key in ("metrics", "published") if isinstance(several := values.get(key), list)}
    names = {key: [name for name in several if isinstance(name, str)] for key, several in metric_names.items()}
    declared = values.get("fields")
    named = declared if isinstance(declared, list) else ()
    fields = [str(field.get("name")) for field in named if isinstance(field, dict)]
    return metric_faults(names, answer_from(values.get("answer")), fields)
