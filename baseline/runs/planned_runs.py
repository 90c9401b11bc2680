"""What is asked for becomes planned runs: whom to ask which items, in which words, for how much money."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from baseline.models.hosts import EVERYWHERE, ModelHosts
from baseline.models.model import Model, ModelContext
from baseline.models.prompts import AS_IT_IS, PromptOptions, PublishedPrompts, check_shots, prompt_hash
from baseline.models.providers import make_model
from baseline.models.reply import DEFAULT, Price, price_of, read_prices
from baseline.models.run_fields import Fact, stored_values
from baseline.runs import run_prompts
from baseline.runs.published_prompts import AuthorsWords, authors_words, templates_stored
from baseline.runs.result_runs import train_leaks
from baseline.runs.run_prompts import check_orders, requests_each
from baseline.runs.run_settings import OF_STUDY, RunSettings, compared
from baseline.runs.run_state import imported_from
from data.errors import BadSetting, BadTask
from data.files.item_files import read_items
from data.files.rows import read_rows
from data.task import Task
from data.wording import MODELS_READ, Language
from db.engine import Database, Session, reading
from db.item_lookup import MODELS_MAY_READ, models_may_read
from db.items import StoredItem, list_items
from db.runs import Run, list_runs, run_numbered
from db.studies import Study, get_study

WITHHELD = (
    "{}: the items or worked examples hold texts whose authors did not consent to models reading them; let people "
    "judge them, or collect texts in a study with the setting texts_to_models"
)


@dataclass(frozen=True)
class Access:
    """With which key models may be asked, at which hosts, and whether bodies that are no replies may be told."""

    key: str | None = None
    hosts: ModelHosts = EVERYWHERE
    reveal: bool = True


@dataclass(frozen=True)
class PlannedRun:
    """One run that is asked for, of these main `items`; `reuse` gives a complete one with the same settings back.

    `runs` are those of the study when it was planned, the newest first; `leaks` the items that stand in its train split
    or worked examples, as `train_leaks` returns them.

    Raises BadSetting for a study without main items, and for a limit of money where no price is known.
    """

    study: Study
    items: Sequence[StoredItem]
    model: Model
    settings: RunSettings
    prompt_options: PromptOptions = AS_IT_IS
    price: Price | None = None
    reuse: bool = False
    runs: Sequence[Run] = ()
    leaks: Mapping[str, Any] = field(default_factory=dict)
    words: AuthorsWords | None = None

    def __post_init__(self) -> None:
        if not self.items:
            raise BadSetting(f"study {self.study.name!r} has no main items to ask about; add some first")
        if self.settings.max_cost is not None and self.price is None:
            raise BadSetting(
                f"a limit to the cost needs the price of {self.model.name!r}; type its prices, or give a list of "
                "prices that names it"
            )

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """What makes it this run, as JSON gives it back; raises BadTask for a prompt that is none."""
        task, options = self.study.task, self.prompt_options
        own, of_run = stored_values(self.settings.own), stored_values(self.settings)
        check_shots(task, options.shots)
        settings = {
            **self.model.settings,
            **own,
            **self.model.settings,
            "prompt": prompt_hash(task, self.items[0].item.public(), options.variant, options.language),
            **options.settings,
            **of_run,
        }
        read: Mapping[str, Any] = json.loads(json.dumps(settings))
        return read

    @property
    def also_stored(self) -> Mapping[str, Any]:
        """What is stored with the run besides: settings that may change, in what money, its words and examples."""
        task, options = self.study.task, self.prompt_options
        words: dict[str, Any] = {}
        if self.words:
            words[Fact.TEMPLATES] = templates_stored(self.words.prompts, options.variant)
            words[Fact.PUBLISHED] = self.words.facts(self.settings.own, options)
        elif self.model.kind != "naive":
            words[Fact.TEMPLATES] = run_prompts.templates_of(task, options.variant, options.language)
        shown: dict[str, Any] = {Fact.EXAMPLES: run_prompts.kept_with(options.shots)} if options.shots else {}
        paid: dict[str, Any] = {Fact.CURRENCY: self.price.currency} if self.price else {}
        settings = stored_values(self.settings, beside=True) | stored_values(self.settings.own, beside=True)
        leaked: dict[str, Any] = {Fact.LEAKED: self.leaks} if self.leaks else {}
        return {**settings, **paid, **words, **shown, **leaked, **self.model.sent}

    @property
    def answers(self) -> int:
        """How many answers are asked for."""
        return len(self.items) * self.each

    @property
    def each(self) -> int:
        """How many requests an item takes."""
        return self.settings.samples * requests_each(self.identity)

    def is_run(self, made: Run) -> bool:
        """Return whether a stored run is this one."""
        return made.model == self.model.name and compared(made) == self.identity

    def among(self, runs: Iterable[Run]) -> Run | None:
        """Return the first of these runs that is this one, whether or not it was fresh; None where none is."""
        return next(filter(self.is_run, runs), None)

    def after(self, spent: float) -> "PlannedRun":
        """Return the run with what is left of the money for all prompts."""
        most = self.settings.max_cost
        left = {} if most is None else {"max_cost": max(0.0, most - spent)}
        return replace(self, settings=self.settings.model_copy(update=left))


def plan_runs(
    database: Database, name: str, settings: RunSettings, access: Access, *, former: int | None = None
) -> list[PlannedRun]:
    """Return a run for each prompt, the first prompt last; nothing is stored or sent.

    `former` is the number of a run to go on with. Raises an EtalonError with one sentence: for a prompt that some item
    does not have, for what a model lacks, and for settings that are not those of the former run.
    """
    with reading(database) as session:
        study = get_study(session, name=name)
        items = list_items(session, study=study)
        words = authors_words(settings.published, study.task) if settings.published else None
        if words:
            examples = words.way.shots if settings.train and not settings.shots else settings.shots
            settings = settings.model_copy(update={"own": words.applied(settings.own), "shots": examples})
        main = [item for item in items if item.item.role == "main"][: settings.limit]
        main = words.filled(session, study, main) if words else main
        runs = list_runs(session, study=study)
        may_read = models_may_read(session, study=study)
        again = None if former is None else find_run(session, study=study, number=former, runs=runs)
    task = run_prompts.asked_task(study.task, again.settings) if again else study.task
    study = replace(study, task=run_prompts.with_prompts(task, settings.prompts) if settings.prompts else task)
    train = read_items(settings.train, study.task) if settings.train else None
    train = words.of_train(study.task, train) if words and train and settings.shots else train
    few_shot = settings.shots > 0
    context = ModelContext(study.task, train, settings.seed, access.key, access.hosts, access.reveal, few_shot)
    model = make_model(settings.model, settings.own, context)
    rows = read_rows(settings.train)[0] if settings.train and may_read and model.kind != "naive" else []
    may_read = may_read and all(row.values.get(MODELS_MAY_READ) != "no" for row in rows)
    if model.kind != "naive" and not may_read:
        raise BadSetting(WITHHELD.format(study.name))
    if (settings.shots or words) and model.kind == "naive":
        what = "published prompts" if words else "worked examples"
        raise BadSetting(f"the model {model.name!r} reads no prompt, so {what} mean nothing to it; ask for none")
    seed, asked = settings.seed or 0, [item.item for item in items]
    earlier = [] if words else [again] if again else runs
    kept = run_prompts.newest_shots(earlier, number=settings.shots, seed=seed)
    shots = run_prompts.choose_shots(settings.shots, task=study.task, train=train, asked=asked, seed=seed, kept=kept)
    prompts = words.prompts if words else None
    _check_prompts(study.task, main, settings.variants, prompts)
    check_orders(study.task, settings.values())
    price = _price(settings)
    cut = settings.context, settings.fertility, settings.as_published
    system = "" if model.kind == "naive" else settings.system
    several = [
        PromptOptions(variant, shots, *cut, _language(study, model, settings, variant), system, prompts)
        for variant in reversed(settings.variants)
    ]
    leaks = train_leaks(study.task, [item.item for item in main], train or (), shots) if train or shots else {}
    planned = [
        PlannedRun(study, main, model, settings, options, price, runs=runs, leaks=leaks, words=words)
        for options in several
    ]
    if again:
        _refuse_another(planned, again)
    return planned


def _language(study: Study, model: Model, settings: RunSettings, variant: int) -> Language:
    if model.kind == "naive":
        return MODELS_READ  # it reads no prompt, so that it is the same run in all languages
    return (
        run_prompts.prompt_language(study, variant) if settings.model_language == OF_STUDY else settings.model_language
    )


def mixed_languages(planned: Sequence[PlannedRun]) -> str:
    """Return a warning where these runs ask prompts that are written in several languages; "" where they do not.

    Wordings from 1 have no languages: where prompt 0 has, they are in the one that models read unless told.
    """
    asked = [run.prompt_options for run in reversed(planned)]
    if asked[0].variant or len(asked) < 2 or asked[0].published:
        return ""
    task = planned[0].study.task
    return run_prompts.mixed_words(
        [run_prompts.template_language(task, options.variant, options.language) for options in asked]
    )


def find_run(session: Session, *, study: Study, number: int, runs: Sequence[Run] | None = None) -> Run:
    """Return the run of that number, to go on with; raises UnknownName, and BadSetting for an imported one."""
    run = run_numbered(session, study=study, number=number, runs=runs)
    if form := imported_from(run):
        raise BadSetting(f"run {number} was imported from {form}; only its own harness can go on with it")
    return run


def _check_prompts(
    task: Task, items: Sequence[StoredItem], variants: Sequence[int], published: PublishedPrompts | None
) -> None:
    """Refuse (BadTask) a prompt that some item does not have: it is told of before any is sent."""
    if published:
        least = min((published.number(stored.item.fields) for stored in items), default=1)
        if max(variants) >= least:
            raise BadTask(f"{published.file}: some items have {least} prompts, so there is no prompt {max(variants)}")
        return
    kinds = {stored.item.fields.get(task.variants_by, "") if task.variants_by else "" for stored in items}
    most = min((len(task.variants.get(kind, ())) for kind in kinds), default=0)
    if (asked := max(variants)) > most:
        raise BadTask(f"task {task.id!r} has {most + 1} prompts, so there is no prompt {asked}; ask for 0 to {most}")


def _price(settings: RunSettings) -> Price | None:
    given = settings.price_input, settings.price_output
    if given == (None, None):
        price = price_of(settings.model, read_prices(settings.prices or DEFAULT))
        return price.in_batches() if price and settings.batch else price
    if settings.price_input is None or settings.price_output is None:
        raise BadSetting("one of the two prices is missing; type both, 0 where one is free")
    return Price(settings.price_input, settings.price_output, settings.currency)


def _refuse_another(planned: Sequence[PlannedRun], run: Run) -> None:
    """Refuse settings that would begin another run where one was to go on: nobody is to pay twice unawares."""
    first = planned[-1]
    here, there = first.identity, compared(run)
    apart = [name for name in sorted({*here, *there}) if here.get(name) != there.get(name)]
    if first.model.name != run.model:
        apart.insert(0, "model")
    if apart or len(planned) > 1:
        raise BadSetting(
            f"this is not run {run.id} any more ({', '.join(apart) or 'prompts'} differ); put that right, or leave "
            "this form and start a new run"
        )
