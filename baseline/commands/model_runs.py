"""Commands about runs of models: `run`, `rescore`, `import-run`, and what is done about runs that are there."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from inspect import Parameter
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import typer

from baseline.commands.rule_options import AcceptUnreadable, DocumentForm, study_under, with_rules
from baseline.comparison.run_pairs import compare_runs, comparison_dict, comparison_document, spread
from baseline.imports.import_run import import_run
from baseline.models.providers import EXAMPLES, addressed, asked_hosts, key_of, provider_of
from baseline.output.report_file import document_text
from baseline.runs import batches
from baseline.runs.dispatcher import RunProgress, rescore
from baseline.runs.planned_runs import Access, PlannedRun, mixed_languages, plan_runs
from baseline.runs.result_runs import RULE, decide, deletion_words, known_items, leak_words
from baseline.runs.run_history import histories, history_dict, history_table, paid_words
from baseline.runs.run_settings import OPTIONS, run_settings
from baseline.runs.run_state import LOG_FORMS
from baseline.runs.runner import RunSummary, estimate, run
from data.commands.options import BY_COMMAND, JSON, Set, named_values, read_options, with_options, with_parameters
from data.console import print_json, print_result, print_text, tell
from data.declared import settings_of
from data.errors import BadSetting
from data.tables import text_table
from data.wording import MODELS_READ
from db.engine import Database, opened, reading, writing
from db.settings import Settings
from db.studies import get_study

PUBLISHED = Path("published")
Authors = Annotated[Path | None, typer.Argument(metavar="FILE", help="The authors' file, with --prompts published.")]
Variants = Annotated[int | None, typer.Option(min=2, help="Prompt variants to run; prints their spread.")]


@with_parameters([Parameter("authors", Parameter.KEYWORD_ONLY, default=None, annotation=Authors)])
@with_options(OPTIONS)
def run_model(
    study: str,
    model: Annotated[str, typer.Option(help=f"{', '.join(EXAMPLES)}.")],
    *,
    prompt_variants: Variants = None,
    other: Set = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what it would ask and cost.")] = False,
    as_json: JSON = False,
    **given: Any,
) -> None:
    """Let a model answer the main items of a study; the same command again goes on with a run that was cut off."""
    values = given | named_values(OPTIONS, other or [])
    values |= {"variants": range(prompt_variants)} if prompt_variants else {}
    authors = values.pop("authors")
    if (values["prompts"] == PUBLISHED) != (authors is not None):
        raise BadSetting("the authors' words are in a file of theirs: --prompts published FILE")
    values |= {"prompts": None, "published": authors} if authors else {}
    provider, installed = provider_of(model), Settings()
    values, key = addressed(provider, values), key_of(provider)
    hosts = asked_hosts(installed.model_hosts)
    settings = run_settings(model, values)
    # Where nothing is sent, no key is needed.
    written = dry_run or (settings.batch is not None and not settings.send)
    access = Access(key or ("none" if written else None), hosts)
    with opened(installed.database) as database:
        planned = plan_runs(database, study, settings, access)
        if planned[0].prompt_options.shots and settings.train is None:
            tell("the worked examples are those that an earlier run of this study was shown")
        if mixed := mixed_languages(planned):
            tell(f"{mixed}; --model-language {MODELS_READ} asks all of them in one")
        if leaks := planned[0].leaks:
            learns = planned[0].model.kind == "naive"
            warned = "; what a model knows from there says nothing of what it can do"
            tell(leak_words(leaks, learns=learns) + warned * bool(known_items(leaks, learns=learns)))
        if dry_run:
            estimated = estimate(database, planned[-1])
            print_result(estimated.as_dict, estimated.text, as_json=as_json)
        elif settings.batch or settings.collect or settings.send:
            run_in_batches(database, planned, as_json=as_json)
        else:
            with terminated() as stop:
                _run_all(database, planned, stop, as_json=as_json)


def read_again(study: str, as_json: JSON = False) -> None:
    """Parse the stored replies of models again, without new requests."""
    with opened(Settings().database) as database, writing(database) as session:
        read_runs = rescore(session, study=get_study(session, name=study))
    print_result(
        lambda: {"study": study, "runs": [read_run.as_dict() for read_run in read_runs]},
        lambda: "\n".join(read_run.text() for read_run in read_runs) or f"study {study!r} has no runs",
        as_json=as_json,
    )


def import_run_command(
    study: str,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The log of the other harness.")],
    form: Annotated[str, typer.Option("--from", metavar="|".join(LOG_FORMS), help="What wrote it.")],
    model: Annotated[str | None, typer.Option(help="The model's name, where the file does not tell it.")] = None,
    accept_unreadable: AcceptUnreadable = False,
    as_json: JSON = False,
) -> None:
    """Import the replies of a model that was run elsewhere; they are read and scored like those of our own runs.

    The form jsonl takes the files that `score` takes, and reads stated answers and whole replies as it does.
    """
    with opened(Settings().database) as database, writing(database) as session:
        chosen = get_study(session, name=study)
        imported = import_run(
            session, study=chosen, path=file, form=form, model=model, accept_unreadable=accept_unreadable
        )
    print_result(imported.as_dict, imported.text, as_json=as_json)


@contextmanager
def terminated() -> Iterator[Event]:
    """Give what SIGTERM sets meanwhile: what is under way is then waited for, stored, and summed up."""
    stop = Event()
    before = signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, before)


def _run_all(database: Database, planned: Sequence[PlannedRun], stop: Event, *, as_json: bool) -> None:
    """Run each of the prompts, the first one last: the results show the newest run of a model."""
    made: list[RunSummary] = []
    several, name = len(planned) > 1, planned[0].model.name
    for planned_run in planned:
        left = planned_run.after(sum(summary.cost for summary in made))
        left = replace(left, reuse=several and not planned_run.settings.fresh)
        made.insert(0, run(database, left, progress=lambda so_far: tell(so_far.text(name)), stop=stop))
        if made[0].stopped:
            break
    apart = None
    if several and len(made) == len(planned):
        with reading(database) as session:
            apart = spread(session, study=planned[0].study, runs=[summary.run for summary in made])
    if not as_json:
        print_text("\n".join([summary.text() for summary in made] + ([apart.text()] if apart else [])))
    elif several:
        print_json({"runs": [summary.as_dict() for summary in made], "spread": apart.as_dict() if apart else None})
    else:
        print_json(made[0].as_dict())
    if stop.is_set():
        raise typer.Exit(128 + signal.SIGTERM)
    if {status for summary in made for status in summary.statuses} == {"error"}:
        raise typer.Exit(1)  # not one answer: whatever comes after it need not begin


def run_in_batches(database: Database, several: Sequence[PlannedRun], *, as_json: bool) -> None:
    """Write the requests of a run into Batch files, or store the replies of files of results."""
    if len(several) > 1:
        raise BadSetting("a folder holds the batches of one prompt; name it with --prompt-variant")
    planned = several[0]
    folder, name = batches.batch_folder(planned), planned.model.name

    def report(so_far: RunProgress) -> None:
        tell(so_far.text(name))

    if planned.settings.collect:
        for sentence in batches.fetch_results(planned, folder):
            tell(sentence)
        collected = batches.collect_batches(database, planned, folder, progress=report)
        print_result(collected.as_dict, collected.text, as_json=as_json)
        return
    written = batches.write_batches(database, planned, folder, progress=report)
    for sentence in batches.send_batches(planned, folder) if planned.settings.send else ():
        tell(sentence)
    print_result(written.as_dict, written.text, as_json=as_json)


Number = Annotated[int, typer.Argument(metavar="RUN", help="The run's number, as `runs` lists it.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept with the event.")]


def list_runs(study: str, *, as_json: JSON = False) -> None:
    """List the runs of a study: settings, when they went on and after what, failures, cost; deleted ones too."""
    with study_under(study) as (session, chosen, _):
        known_runs = histories(session, study=chosen)
    table = (
        f"{text_table(history_table(known_runs))}\n{paid_words(known_runs)}" if known_runs else "nobody was asked yet"
    )
    print_result(lambda: history_dict(known_runs), lambda: table, as_json=as_json)


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
    with study_under(study, changes) as (session, chosen, rules):
        compared = compare_runs(session, study=chosen, rules=rules, named=runs or ())
    asked.show(
        lambda: comparison_document(compared),
        lambda: document_text(comparison_document(compared)),
        comparison_dict(compared) if as_json else None,
    )


def pin_run(study: str, run: Number, reason: Reason) -> None:
    """Let one run represent its model everywhere, whatever other runs the model has."""
    with opened(Settings().database) as database:
        made = decide(database, "pin", study, run, who=BY_COMMAND, reason=reason)
    tell(f"run {run} represents {made.model} until it is unpinned")


def unpin_run(study: str, run: Number, reason: Reason) -> None:
    """Let the rule choose again which run represents its model."""
    with opened(Settings().database) as database:
        made = decide(database, "unpin", study, run, who=BY_COMMAND, reason=reason)
    tell(f"run {run} is not pinned any more; the run of {made.model} is chosen by the rule: {RULE}")


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
        decide(database, "delete", study, run, who=BY_COMMAND, reason=reason)
    tell(f"run {run} is deleted")
