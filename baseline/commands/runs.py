"""Commands that ask models: `run`, and `rescore` for what they have replied."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from baseline.comparison.prompt_spread import check_variants, spread
from baseline.models.base import MAX_TOKENS, Model
from baseline.models.chat.hosts import ModelHosts
from baseline.models.chat.parameters import params_of, temperature_of
from baseline.models.messages import FERTILITY, Asking
from baseline.models.providers import ServerOptions, make_model
from baseline.runs.cost import DEFAULT, price_of, read_prices
from baseline.runs.estimate import estimate
from baseline.runs.order import Options
from baseline.runs.rescore import rescore
from baseline.runs.run_text import progress_text, run_dict, run_text
from baseline.runs.runner import RunSummary, run
from baseline.runs.shots import choose_shots, newest_shots
from baseline.runs.templates import with_prompts
from data.commands.options import JSON
from data.console import print_json, print_text, tell
from data.errors import BadSetting
from data.reading import read_items
from data.task import Item
from data.text_files import read_text
from db.engine import Database, opened, reading, writing
from db.items import StoredItem, list_items
from db.runs import list_runs
from db.settings import Settings
from db.studies import Study, get_study


@dataclass(frozen=True)
class Given:
    """What the options of `run` come to: whom to ask what, and how."""

    study: Study
    items: Sequence[StoredItem]
    model: Model
    options: Options


def run_model(
    study: str,
    model: Annotated[str, typer.Option(help="random, majority, tfidf, tfidf-published or openai:NAME.")],
    train: Annotated[Path | None, typer.Option(help="The train split, for models that learn and for --shots.")] = None,
    corpus: Annotated[Path | None, typer.Option(help="Texts for tfidf to take its words from, one a line.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Where an OpenAI-compatible server listens.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only the first items.")] = None,
    samples: Annotated[int, typer.Option(min=1, help="Answers per item.")] = 1,
    prompts: Annotated[Path | None, typer.Option(help="TOML: a task's id and the prompt to use for it.")] = None,
    prompt_variant: Annotated[int, typer.Option(min=0, help="Which of the task's prompts; 0 is the first.")] = 0,
    prompt_variants: Annotated[int | None, typer.Option(min=2, help="Run so many prompts; tell the spread.")] = None,
    shots: Annotated[int, typer.Option(min=0, help="Worked examples, from --train or as a former run had.")] = 0,
    context: Annotated[int | None, typer.Option(min=1, help="Tokens of a prompt at most; texts are cut.")] = None,
    fertility: Annotated[float, typer.Option(help="Tokens a word, for everything that is reckoned.")] = FERTILITY,
    as_published: Annotated[bool, typer.Option("--as-published", help="Cut the end of the whole prompt.")] = False,
    structured: Annotated[str, typer.Option(help="JSON schema of the answer: off, auto (where taken) or on.")] = "off",
    concurrency: Annotated[int, typer.Option(min=1, max=256, help="Requests in flight at most.")] = 16,
    temperature: Annotated[str | None, typer.Option(help="A number, or none to send none; else 0.")] = None,
    max_tokens: Annotated[int, typer.Option(min=1, help="Tokens of a reply at most, thinking included.")] = MAX_TOKENS,
    reasoning_effort: Annotated[str | None, typer.Option(help="low, medium, high or what the server knows.")] = None,
    param: Annotated[
        list[str] | None, typer.Option(help="key=value to be sent, the value as JSON; repeatable.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything random; sent only if given, else 0.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask anew what was answered before.")] = False,
    prices: Annotated[Path | None, typer.Option(help="A price list, as baseline/runs/prices.toml shows.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="Stop before more than this is paid.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what it would ask and cost.")] = False,
    as_json: JSON = False,
) -> None:
    """Let a model answer the main items of a study; the same command again goes on with a run that was cut off."""
    settings = Settings()
    server = _server(settings, base_url, needs_key=not dry_run)
    server |= {"temperature": temperature_of(temperature), "max_tokens": max_tokens, "structured": structured}
    server |= {"reasoning_effort": reasoning_effort, "params": params_of(param or ())}
    asking = Asking(prompt_variant, (), context, fertility, as_published)
    options = Options(limit=limit, samples=samples, concurrency=concurrency, fresh=fresh, max_cost=max_cost)
    options["price"] = price_of(model, read_prices(prices or DEFAULT))
    with opened(settings.database) as database:
        chosen, items = _study(database, study, prompts)
        learnt = read_items(train, chosen.task) if train else None
        words = read_text(corpus).splitlines() if corpus else None
        taker = make_model(model, task=chosen.task, train=learnt, corpus=words, seed=seed, **server)
        options["asking"] = replace(asking, shots=_shots(database, shots, chosen, learnt, items, taker, seed or 0))
        given = Given(chosen, [one for one in items if one.item.role == "main"], taker, options)
        _carried_out(database, given, variants=prompt_variants, dry_run=dry_run, as_json=as_json)


def read_again(
    study: str,
    model: Annotated[str | None, typer.Option(help="Only the runs of this model.")] = None,
    as_json: JSON = False,
) -> None:
    """Read the stored replies of models anew, without asking them again."""
    with opened(Settings().database) as database, writing(database) as session:
        found = rescore(session, study=get_study(session, name=study), model=model)
    if as_json:
        print_json({"study": study, "runs": [one.as_dict() for one in found]})
    else:
        print_text("\n".join(one.text() for one in found) or f"study {study!r} has no runs")


def _server(settings: Settings, base_url: str | None, *, needs_key: bool) -> ServerOptions:
    """Return which server is asked and with which key: where nothing is sent, none is needed."""
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
    return {
        "base_url": base_url or settings.openai_base_url,
        "api_key": key or (None if needs_key else "none"),
        "hosts": ModelHosts.of(settings.model_hosts, settings.openai_base_url),
    }


def _study(database: Database, name: str, prompts: Path | None) -> tuple[Study, list[StoredItem]]:
    with reading(database) as session:
        chosen = get_study(session, name=name)
        items = list_items(session, study=chosen)
    return (replace(chosen, task=with_prompts(chosen.task, prompts)) if prompts else chosen), items


def _shots(
    database: Database,
    number: int,
    study: Study,
    train: Sequence[Item] | None,
    items: Sequence[StoredItem],
    model: Model,
    seed: int,
) -> tuple[Item, ...]:
    """Return the worked examples: of the train split, without one those of the newest run that was shown as many."""
    if number and model.kind == "naive":
        raise BadSetting(f"the model {model.name!r} reads no prompt, so --shots means nothing to it; leave it out")
    with reading(database) as session:
        kept = newest_shots(list_runs(session, study=study), number=number, seed=seed)
    asked = [one.item for one in items]
    shots = choose_shots(number, task=study.task, train=train, asked=asked, seed=seed, kept=kept)
    if shots and train is None:
        tell("the worked examples are those that an earlier run of this study was shown")
    return shots


def _carried_out(database: Database, given: Given, *, variants: int | None, dry_run: bool, as_json: bool) -> None:
    if dry_run:
        found = estimate(database, study=given.study, model=given.model, **given.options)
        if as_json:
            print_json(found.as_dict())
        else:
            print_text(found.text())
    elif variants is None:
        summary = _run(database, given, given.options)
        if as_json:
            print_json(run_dict(summary))
        else:
            print_text(run_text(summary))
        _exit_where_nothing_came([summary])
    else:
        _in_every_wording(database, given, variants, as_json=as_json)


def _in_every_wording(database: Database, given: Given, number: int, *, as_json: bool) -> None:
    """Run each of the first prompts, the first one last: the results show the newest run of a model."""
    check_variants(given.study.task, given.items, number)
    made: list[RunSummary] = []
    for variant in reversed(range(number)):
        options = given.options.copy()
        options["asking"] = replace(options["asking"], variant=variant)
        options["reuse"] = not options["fresh"]
        if options["max_cost"] is not None:
            options["max_cost"] = max(0.0, options["max_cost"] - sum(one.cost or 0 for one in made))
        made.insert(0, _run(database, given, options))
        if made[0].stopped:
            break
    with reading(database) as session:
        found = spread(session, study=given.study, summaries=made) if len(made) == number else None
    if as_json:
        print_json({"runs": [run_dict(one) for one in made], "spread": found.as_dict() if found else None})
    else:
        told = [run_text(one) for one in made] + ([found.text()] if found else [])
        print_text("\n".join(told))
    _exit_where_nothing_came(made)


def _exit_where_nothing_came(made: Sequence[RunSummary]) -> None:
    """End the command with 1 where there are errors and not one answer: whatever comes after it need not begin."""
    if {status for one in made for status in one.statuses} == {"error"}:
        raise typer.Exit(1)


def _run(database: Database, given: Given, options: Options) -> RunSummary:
    name = given.model.name
    return run(
        database,
        study=given.study,
        model=given.model,
        progress=lambda so_far: tell(progress_text(name, so_far)),
        **options,
    )
