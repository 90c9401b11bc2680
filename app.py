"""Etalon: `python app.py` serves, `python app.py COMMAND` does one thing; only what is asked for is imported."""

from collections.abc import Iterator
from contextlib import contextmanager
from pkgutil import resolve_name
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from data.console import tell
from data.errors import EtalonError, brief


class Command(NamedTuple):
    """A command: the function that does it, as "module:function", and the first line of that function's help."""

    function: str
    title: str


SERVE = "server:serve"
COMMANDS = {
    "tasks": Command(
        "baseline.commands.list_tasks:list_tasks", "List every task: id, title, answer type, metrics, fields."
    ),
    "check-task": Command(
        "baseline.commands.check_task:check_task",
        "List every error in a task file, with its line.",
    ),
    "check": Command(
        "data.commands.check_files:check",
        "Read and validate a file of items against a task: problems with their lines, numbers beside published ones.",
    ),
    "check-language": Command(
        "annotate.commands.check_language:check_language",
        "List every error in a language, with file and line, and every missing text.",
    ),
    "convert": Command(
        "data.commands.check_files:convert",
        "Write a copy in UTF-8 of a file of text that is in another encoding, which is never guessed.",
    ),
    "generate": Command(
        "data.commands.generate:generate", "Make items with long texts for a task: words x fertility = tokens."
    ),
    "fertility": Command(
        "data.commands.fertility:measure_fertility",
        "Measure how many tokens a tokenizer makes of a word, for `generate --fertility`.",
    ),
    "import-log": Command(
        "annotate.commands.import_log:import_log_command", "Import what another platform collected as a closed study."
    ),
    "written": Command(
        "annotate.commands.study_commands:written",
        "Turn the answers people wrote in one study into the items of another that validates them.",
    ),
    "create": Command("annotate.commands.study_commands:create", "Create a study of a task from files of items."),
    "describe": Command(
        "annotate.commands.describe:describe",
        "Add what the program cannot know about a study from a TOML file; without one, print a TOML to fill in.",
    ),
    "export-task": Command(
        "annotate.commands.study_commands:export_task",
        "Write a study's task to a task file; `create --task FILE.toml` asks the same about other items.",
    ),
    "delete-study": Command(
        "annotate.commands.study_commands:delete_study", "Delete a study that nobody has answered yet, to make it anew."
    ),
    "exclude": Command(
        "annotate.commands.worker_commands:exclude",
        "Exclude a worker from a study: the answers no longer count and their items reopen.",
    ),
    "restore": Command(
        "annotate.commands.worker_commands:restore",
        "Restore an excluded worker: the answers count again where there is room.",
    ),
    "person": Command(
        "annotate.commands.worker_commands:person",
        "Export everything that is kept about a person in a study, as one JSON document.",
    ),
    "forget": Command(
        "annotate.commands.worker_commands:forget",
        "Erase what identifies a person in a study, for good: pay what is owed before.",
    ),
    "events": Command(
        "annotate.commands.worker_commands:events", "List what was done to a study and its workers, the newest first."
    ),
    "appeals": Command(
        "annotate.commands.worker_commands:appeals",
        "List the appeals of stopped workers: unanswered ones first, then the newest first.",
    ),
    "answer-appeal": Command(
        "annotate.commands.worker_commands:answer_appeal", "Answer the appeal of a worker who was stopped."
    ),
    "payments": Command(
        "annotate.commands.worker_commands:payments",
        "Write what a study owes each worker, with the pay per active hour; "
        "with --ids by what a platform calls people.",
    ),
    "links": Command(
        "annotate.commands.worker_commands:links",
        "Write an invitation link for everybody in a file: a personal one, or with --parameter one with a signed id.",
    ),
    "decisions": Command(
        "annotate.commands.decision_commands:decisions", "List the decisions of experts in the order they were made."
    ),
    "accounts": Command(
        "annotate.commands.account_commands:accounts", "List who may sign in to the requesters' pages."
    ),
    "account-invite": Command(
        "annotate.commands.account_commands:invite",
        "Make an account and print the one-time link by which its person chooses a password.",
    ),
    "account-reset": Command(
        "annotate.commands.account_commands:reset",
        "Remove an account's password and print a one-time link for choosing a new one.",
    ),
    "account-role": Command("annotate.commands.account_commands:role", "Change an account's role or studies."),
    "backup": Command(
        "annotate.commands.installation_commands:backup",
        "Write the database, the secret and the uploads to a folder or an archive while people answer, and check it.",
    ),
    "restore-backup": Command(
        "annotate.commands.installation_commands:restore_backup",
        "Overwrite this installation with a backup, after all its servers were stopped.",
    ),
    "rotate-secret": Command(
        "annotate.commands.installation_commands:rotate_secret",
        "Make a new secret; what the old one signed is taken for 90 days, and cookies are signed anew when they come.",
    ),
    "human": Command(
        "baseline.commands.baselines:human",
        "Compute the human baseline of a study: scores, agreement, exclusions; or write its report.",
    ),
    "results": Command(
        "baseline.commands.baselines:show_results", "Show people and models side by side on the items of a study."
    ),
    "score": Command(
        "baseline.commands.baselines:score",
        "Score a file of predictions against a file of gold; no database is needed.",
    ),
    "export": Command(
        "baseline.commands.export:export",
        "Export a study to a file: a table, a report, or a submission to its benchmark's leaderboard.",
    ),
    "run": Command(
        "baseline.commands.model_runs:run_model",
        "Let a model answer the main items of a study; the same command again goes on with a run that was cut off.",
    ),
    "rescore": Command(
        "baseline.commands.model_runs:read_again", "Parse the stored replies of models again, without new requests."
    ),
    "import-run": Command(
        "baseline.commands.model_runs:import_run_command",
        "Import the replies of a model that was run elsewhere; they are read and scored like those of our own runs.",
    ),
    "runs": Command(
        "baseline.commands.stored_runs:list_runs",
        "List the runs of a study: settings, when they went on and after what, failures, cost; deleted ones too.",
    ),
    "compare-runs": Command(
        "baseline.commands.stored_runs:compare",
        "Compare runs in pairs: which answers changed, who is right where the other is wrong, whether it is chance.",
    ),
    "pin-run": Command(
        "baseline.commands.stored_runs:pin_run",
        "Let one run represent its model everywhere, whatever other runs the model has.",
    ),
    "unpin-run": Command(
        "baseline.commands.stored_runs:unpin_run", "Let the rule choose again which run represents its model."
    ),
    "delete-run": Command(
        "baseline.commands.stored_runs:delete_run",
        "Delete the replies of a run for good; what was paid for them stays counted.",
    ),
    "quality": Command(
        "baseline.commands.analysis:show_quality",
        "Show which workers the rules of a study flag and how leaving them out changes results (default: all rules).",
    ),
    "judge": Command(
        "baseline.commands.judges:judge",
        "Set models beside people as judges: agreement, and the scores people would give, corrected by their answers.",
    ),
    "gold-errors": Command(
        "baseline.commands.judges:gold_errors",
        "List the items whose gold people and models contradict, the most probably wrong first.",
    ),
    "ranking": Command(
        "baseline.commands.rankings:show_ranking",
        "Rank what was compared in pairs: strengths and ranks with intervals, by people and by each model that judged.",
    ),
    "assessors": Command(
        "baseline.commands.analysis:show_assessors",
        "Compare the two assessors of each item: confusion tables, agreement, and the corpus that both admit.",
    ),
    "plan": Command(
        "baseline.commands.analysis:show_plan",
        "Plan a study: how well control items filter workers, how many items and votes reveal a difference.",
    ),
    "total": Command(
        "baseline.commands.baselines:total",
        "Show people and models over the tasks of a benchmark, with its total as its authors define it.",
    ),
}
"""Every command, in the order of `--help`."""
MANNERS: dict[str, Any] = {"pretty_exceptions_enable": False, "rich_markup_mode": None, "add_completion": False}


class Commands(TyperGroup):
    """The commands; a mistake of the person at the keyboard is one sentence and exit code 2, never a traceback."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        # For the help and for names nearly right; what a command does is imported when it is called.
        self.commands = {name: TyperCommand(name, help=command.title) for name, command in COMMANDS.items()}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words before a command."""
        with quoting_briefly():
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name, the imported command and its words; a name that is none is refused as Typer does it."""
        name, _, words = super().resolve_command(ctx, args)
        return name, load_command(name) if name else None, words

    def invoke(self, ctx: Any) -> Any:
        """Run the command and translate our own errors, here and nowhere else."""
        try:
            with quoting_briefly():
                return super().invoke(ctx)
        except EtalonError as error:
            tell(str(error))
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
        resolve_name(SERVE)()


def load_command(name: str) -> Any:
    """Import the function of a command and return it with its options."""
    program = typer.Typer(**MANNERS)
    program.command(name)(resolve_name(COMMANDS[name].function))
    return typer.main.get_command(program)


if __name__ == "__main__":
    cli()
