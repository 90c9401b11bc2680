"""Etalon: `python app.py` serves, `python app.py COMMAND` does one thing; only what is asked for is imported."""

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from data.console import tell
from data.errors import EtalonError, brief

DESCRIBED = Path(__file__).parent / "data" / "commands" / "described.json"
"""The help, arguments and options of every command; `python docs/tables.py` writes it."""
SERVE = "server:serve"
COMMANDS = {
    "tasks": "baseline.commands.list_tasks:list_tasks",
    "check-task": "baseline.commands.check_task:check_task",
    "check": "data.commands.check_files:check",
    "convert": "data.commands.check_files:convert",
    "generate": "data.commands.check_files:generate",
    "fertility": "data.commands.fertility:measure_fertility",
    "import-log": "annotate.commands.import_log:import_log_command",
    "written": "annotate.commands.study_commands:written",
    "create": "annotate.commands.study_commands:create",
    "describe": "annotate.commands.study_commands:describe",
    "export-task": "annotate.commands.study_commands:export_task",
    "delete-study": "annotate.commands.study_commands:delete_study",
    "exclude": "annotate.commands.worker_commands:exclude",
    "restore": "annotate.commands.worker_commands:restore",
    "person": "annotate.commands.worker_commands:person",
    "forget": "annotate.commands.worker_commands:forget",
    "events": "annotate.commands.worker_commands:events",
    "appeals": "annotate.commands.worker_commands:appeals",
    "answer-appeal": "annotate.commands.worker_commands:answer_appeal",
    "payments": "annotate.commands.worker_commands:payments",
    "links": "annotate.commands.worker_commands:links",
    "decisions": "annotate.commands.worker_commands:decisions",
    "accounts": "annotate.commands.installation_commands:accounts",
    "account-invite": "annotate.commands.installation_commands:invite",
    "account-reset": "annotate.commands.installation_commands:reset",
    "account-role": "annotate.commands.installation_commands:role",
    "backup": "annotate.commands.installation_commands:backup",
    "restore-backup": "annotate.commands.installation_commands:restore_backup",
    "rotate-secret": "annotate.commands.installation_commands:rotate_secret",
    "human": "baseline.commands.baselines:human",
    "results": "baseline.commands.baselines:show_results",
    "score": "baseline.commands.baselines:score",
    "export": "baseline.commands.export:export",
    "run": "baseline.commands.model_runs:run_model",
    "rescore": "baseline.commands.model_runs:read_again",
    "import-run": "baseline.commands.model_runs:import_run_command",
    "runs": "baseline.commands.model_runs:list_runs",
    "compare-runs": "baseline.commands.model_runs:compare",
    "pin-run": "baseline.commands.model_runs:pin_run",
    "unpin-run": "baseline.commands.model_runs:unpin_run",
    "delete-run": "baseline.commands.model_runs:delete_run",
    "quality": "baseline.commands.analysis:show_quality",
    "judge": "baseline.commands.judges:judge",
    "gold-errors": "baseline.commands.judges:gold_errors",
    "ranking": "baseline.commands.judges:show_ranking",
    "judge-replies": "baseline.commands.judges:judge_replies",
    "assessors": "baseline.commands.analysis:show_assessors",
    "plan": "baseline.commands.analysis:show_plan",
    "total": "baseline.commands.baselines:total",
    "reproduce": "human_baseline.commands:reproduce",
}
"""The function that does each command, as "module:function", in the order of `--help`."""
EXTRAS = {"openai": "batch", "openpyxl": "xlsx", "psycopg": "postgres"}
"""The extra of the wheel that brings a package, where that is not "server"."""
MANNERS: dict[str, Any] = {"pretty_exceptions_enable": False, "rich_markup_mode": None, "add_completion": False}


class DescribedCommand(TyperCommand):
    """A command as `python docs/tables.py` has described it: its help is shown without importing what it does."""

    def __init__(self, name: str, described: dict[str, Any]) -> None:
        super().__init__(name, help=described["help"], rich_markup_mode=MANNERS["rich_markup_mode"])
        self.described = described

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what follows the command's name in its usage."""
        del ctx
        return [*self.described["usage"]]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write its arguments and options."""
        del ctx
        for title in filter(self.described.get, ("Arguments", "Options")):
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, text in self.described[title]])


class Commands(TyperGroup):
    """The commands; a mistake of the person at the keyboard is one sentence and exit code 2, never a traceback."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        described = json.loads(DESCRIBED.read_text("utf8"))
        self.commands = {name: DescribedCommand(name, described[name]) for name in COMMANDS if name in described}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words before a command."""
        with quoting_briefly():
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name, the command and its words: what it does is imported unless only its help is wanted.

        Typer refuses a name that is none.
        """
        name, described, words = super().resolve_command(ctx, args)
        return name, load_command(name) if name and words != ["--help"] else described, words

    def invoke(self, ctx: Any) -> Any:
        """Run the command and translate our own errors, here and nowhere else."""
        try:
            with quoting_briefly():
                return super().invoke(ctx)
        except EtalonError as error:
            tell(str(error))
            raise typer.Exit(2) from error
        except ModuleNotFoundError as error:
            extra = EXTRAS.get(error.name or "", "server")
            tell(f'this needs the package {error.name}: pip install "human-baseline[{extra}]"')
            raise typer.Exit(2) from error
        except KeyboardInterrupt as error:
            tell("stopped; what had arrived is kept")
            raise typer.Exit(130) from error


@contextmanager
def quoting_briefly() -> Iterator[None]:
    """Shorten what Typer says of words that it cannot read, and quotes."""
    try:
        yield
    except TyperException as error:
        error.message = brief(error.message)
        raise


cli = typer.Typer(cls=Commands, **MANNERS)


@cli.callback(invoke_without_command=True)
def serve(context: typer.Context) -> None:
    """Serve the worker, manage and results pages; with a command, do that instead."""
    if not context.invoked_subcommand:
        imported(SERVE)()


def load_command(name: str) -> Any:
    """Import the function of a command and return it with its options."""
    program = typer.Typer(**MANNERS)
    program.command(name)(imported(COMMANDS[name]))
    return typer.main.get_command(program)


@cache
def imported(address: str) -> Any:
    """Import a function; the collector need not go through all that modules hold again and again: it stays."""
    gc.disable()
    try:
        return resolve_name(address)
    finally:
        gc.freeze()
        gc.enable()


if __name__ == "__main__":
    cli()
