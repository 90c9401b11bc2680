"""Commands about runs of models: `run`, `rescore` for stored replies, `import-run` for a log of another harness."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import typer

from baseline.commands.rule_options import AcceptUnreadable
from baseline.comparison.run_pairs import spread
from baseline.imports.import_run import ImportedRun, import_run
from baseline.models.providers import EXAMPLES, addressed, asked_hosts, key_of, provider_of
from baseline.runs.batches import (
    BatchesCollected,
    BatchesWritten,
    batch_folder,
    collect_batches,
    fetch_results,
    send_batches,
    write_batches,
)
from baseline.runs.cost_estimate import RunEstimate, estimate
from baseline.runs.planned_runs import Access, PlannedRun, mixed_languages, plan_runs
from baseline.runs.prediction_writer import RunProgress
from baseline.runs.rescore import rescore
from baseline.runs.run_settings import OPTIONS, run_settings
from baseline.runs.run_state import LOG_FORMS
from baseline.runs.run_summary import RunSummary
from baseline.runs.runner import run
from baseline.runs.train_leaks import known_items, leak_words
from data.commands.setting_options import Set, named_values, with_options
from data.commands.shared_options import JSON
from data.console import print_json, print_text, tell
from data.errors import BadSetting
from data.wording import MODELS_READ
from db.engine import Database, opened, reading, writing
from db.settings import Settings
from db.studies import get_study

Made = RunEstimate | BatchesWritten | BatchesCollected | ImportedRun
Variants = Annotated[int | None, typer.Option(min=2, help="Prompt variants to run; prints their spread.")]


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
            _printed(estimate(database, planned[-1]), as_json=as_json)
        elif settings.batch or settings.collect or settings.send:
            run_in_batches(database, planned, as_json=as_json)
        else:
            with terminated() as stop:
                _run_all(database, planned, stop, as_json=as_json)


def read_again(
    study: str,
    model: Annotated[str | None, typer.Option(help="Only the runs of this model.")] = None,
    as_json: JSON = False,
) -> None:
    """Parse the stored replies of models again, without new requests."""
    with opened(Settings().database) as database, writing(database) as session:
        read_runs = rescore(session, study=get_study(session, name=study), model=model)
    if as_json:
        print_json({"study": study, "runs": [read_run.as_dict() for read_run in read_runs]})
    else:
        print_text("\n".join(read_run.text() for read_run in read_runs) or f"study {study!r} has no runs")


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
    _printed(imported, as_json=as_json)


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
        left = planned_run.after(sum(summary.cost or 0 for summary in made))
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
    folder, name = batch_folder(planned), planned.model.name

    def report(so_far: RunProgress) -> None:
        tell(so_far.text(name))

    if planned.settings.collect:
        _tell_all(fetch_results(planned, folder))
        collected = collect_batches(database, planned, folder, progress=report)
        _printed(collected, as_json=as_json)
        return
    written = write_batches(database, planned, folder, progress=report)
    if planned.settings.send:
        _tell_all(send_batches(planned, folder))
    _printed(written, as_json=as_json)


def _printed(made: Made, *, as_json: bool) -> None:
    if as_json:
        print_json(made.as_dict())
    else:
        print_text(made.text())


def _tell_all(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        tell(sentence)
