"""The command that says everything that is wrong with a language, and what is not translated yet."""

from typing import Annotated

import typer

from data.commands.options import JSON
from data.console import print_json, print_text
from data.language_check import check_language as checked_language
from eval.workers.table import RULES


def check_language(
    language: Annotated[str, typer.Argument(help="The language's code: the name of its folder in data/languages.")],
    as_json: JSON = False,
) -> None:
    """List every error in a language, with file and line, and every missing text."""
    named = {f"stopped.{rule.stopped_text}": f"stopped_text of the rule {key!r}" for key, rule in RULES.items()}
    check = checked_language(language, named)
    if as_json:
        problems = [
            {"file": problem.file, "line": problem.line, "problem": problem.message} for problem in check.problems
        ]
        missing = [{"file": file, "key": key, "english": text} for file, key, text in check.missing]
        print_json({"language": language, "problems": problems, "missing": missing})
    else:
        lacking = [f"{file}: {key} is not translated yet: {text}" for file, key, text in check.missing]
        print_text("\n".join([*map(str, check.problems), *lacking]) or f"{language}: nothing is wrong or missing")
    if check.problems:
        raise typer.Exit(2)
