"""Commands about runs that are there: `runs` lists them, `compare-runs`, `pin-run`, `unpin-run`, `delete-run`."""

from typing import Annotated, Any

import typer

from baseline.commands.document_form import DocumentForm
from baseline.commands.rule_options import with_rules
from baseline.comparison.run_pairs import compare_runs, comparison_dict, comparison_document
from baseline.human.baseline import changed_rules
from baseline.output.report_file import document_text
from baseline.runs.result_runs import RULE
from baseline.runs.run_history import histories, history_dict, history_table, paid_words
from baseline.runs.run_oversight import delete, deletion_words, pin, unpin
from data.commands.setting_options import read_options, with_options
from data.commands.shared_options import JSON
from data.console import print_json, print_text, tell
from data.declared import settings_of
from data.errors import BadSetting
from data.table_text import text_table
from db.engine import opened, reading
from db.settings import Settings
from db.studies import get_study

BY_COMMAND = "command line"
Number = Annotated[int, typer.Argument(metavar="RUN", help="The run's number, as `runs` lists it.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept with the event.")]


def list_runs(study: str, *, as_json: JSON = False) -> None:
    """List the runs of a study: settings, when they went on and after what, failures, cost; deleted ones too."""
    with opened(Settings().database) as database, reading(database) as session:
        known_runs = histories(session, study=get_study(session, name=study))
    if as_json:
        print_json(history_dict(known_runs))
    else:
        print_text(
            f"{text_table(history_table(known_runs))}\n{paid_words(known_runs)}"
            if known_runs
            else "nobody was asked yet"
        )


@with_rules("control_min", "seed")
@with_options(settings_of(DocumentForm), both_ways=False)
def compare(
    study: str,
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN|MODEL]...", help="Two or more; none: all models' runs.")
    ] = None,
    *,
    as_json: JSON = False,
    **given: Any,
) -> None:
    """Compare runs in pairs: which answers changed, who is right where the other is wrong, whether it is chance."""
    asked, changes = read_options(DocumentForm, given)
    asked.check()
    with opened(Settings().database) as database, reading(database) as session:
        chosen = get_study(session, name=study)
        compared = compare_runs(session, study=chosen, rules=changed_rules(chosen, **changes), named=runs or ())
    asked.show(
        lambda: comparison_document(compared),
        lambda: document_text(comparison_document(compared)),
        comparison_dict(compared) if as_json else None,
    )


def pin_run(study: str, run: Number, reason: Reason) -> None:
    """Let one run represent its model everywhere, whatever other runs the model has."""
    with opened(Settings().database) as database:
        made = pin(database, study, run, who=BY_COMMAND, reason=reason)
    tell(f"run {run} stands for {made.model} until it is unpinned")


def unpin_run(study: str, run: Number, reason: Reason) -> None:
    """Let the rule choose again which run represents its model."""
    with opened(Settings().database) as database:
        made = unpin(database, study, run, who=BY_COMMAND, reason=reason)
    tell(f"run {run} is not pinned any more; {made.model} stands by the rule: {RULE}")


def delete_run(
    study: str,
    run: Number,
    reason: Reason,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Delete the replies of a run for good; what was paid for them stays counted."""
    with opened(Settings().database) as database:
        words = deletion_words(database, study, run)
        if not yes and not typer.confirm(f"{words} Delete them?", err=True):
            raise BadSetting("nothing is deleted")
        delete(database, study, run, who=BY_COMMAND, reason=reason)
    tell(f"run {run} is deleted")
