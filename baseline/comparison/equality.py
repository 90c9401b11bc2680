"""Were people and a model asked the same? Yes, partly or no with a reason, from what is stored of a study and a run."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import compress
from typing import Any, Literal

from baseline.comparison.results import Respondent, Results
from baseline.models.prompts import prompt_hash
from baseline.runs.prompt_languages import language_asked, language_of_people, variant_of
from baseline.runs.run_state import IMPORTED
from baseline.runs.templates import stored_templates
from data.errors import BadTask
from data.task import Item, PublicItem
from data.wording import english_name
from db.engine import Session
from db.item_lookup import first_main_item
from db.items import count_items
from db.stored_replies import totals
from db.studies import Study
from eval.ballots import Ballots
from eval.metrics.table import metric_named

NAMED, WORD = re.compile(r"\{[^{}]*\}"), re.compile(r"[^\W\d_]")
Verdict = Literal["yes", "partly", "no", "not known"]


@dataclass(frozen=True)
class Matter:
    """One thing that may be the same for people and a model: whether it is, and why it is said so."""

    name: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True)
class EqualityFacts:
    """What is known beside the settings: an item of the study (None: it has none), its training items, texts cut."""

    item: Item | None
    training: int
    cut: Mapping[str, int]


def facts_of(session: Session, results: Results) -> EqualityFacts:
    """Return what the statement needs of the database; `cut` counts the shortened prompts of each row with a run."""
    runs = {row.name: row.run for row in results.rows if row.run}
    return EqualityFacts(
        item=first_main_item(session, study=results.study),
        training=count_items(session, study=results.study, role="training"),
        cut={name: totals(session, run=run).cut for name, run in runs.items()},
    )


def equality(results: Results, row: Respondent, facts: EqualityFacts) -> tuple[Matter, ...]:
    """Return the statement about one run; a naive baseline reads nothing, so that only its items and scores count."""
    reads = row.kind == "model"
    shared: Iterable[Matter] = (_items(results, row), _metric(results, row), _number(results, row))
    return (*shared, *(_read(results, row, facts) if reads else ()))


def template_asked(study: Study, settings: Mapping[str, Any], item: Item | None) -> str | None:
    """Return the template that a run asked about an item with: the stored one, else the task's own where it was that.

    It is "" where the task's parts are put together in their order, None where the run has only a hash of another one.
    """
    if item is None:
        return None
    stored, task = stored_templates(settings), study.task
    asked = variant_of(settings), language_asked(settings)
    if stored is not None:
        return stored.get("", stored.get(item.fields.get(task.variants_by, "")))
    try:
        own = prompt_hash(task, PublicItem(dict(item.fields)), *asked) == settings.get("prompt")
    except BadTask:
        return None
    return task.template(item.fields, *asked) if own else None


def settings_of(row: Respondent) -> Mapping[str, Any]:
    """Return what is stored of a respondent's run."""
    return row.run.settings if row.run else {}


def _items(results: Results, row: Respondent) -> Matter:
    majority = results.human.panel.consensus.ballots
    people, model = _answered(majority), _answered(row.ballots)
    both = len(people & model)
    if people == model:
        return Matter("Items", "yes", f"both answered the same {both}")
    if not both:
        return Matter("Items", "no", f"people answered {len(people)}, the model {len(model)}, and none is the same")
    sentence = (
        f"people answered {len(people)}, the model {len(model)}; {both} are the same, and differences are of these"
    )
    return Matter("Items", "partly", sentence)


def _answered(said: Ballots) -> set[str]:
    return set(compress(said.items, said.scored.tolist()))


def _metric(results: Results, row: Respondent) -> Matter:
    if results.human.panel.why_no_scores:
        return Matter("Metric", "yes", "nothing is scored against gold; one function compares both with people")
    title = metric_named(results.study.task.primary).title
    silent = sum(row.statuses.get(status, 0) for status in ("unparsable", "refused", "truncated"))
    lost = f"; {silent} replies without a readable answer count as wrong" if silent else ""
    return Matter("Metric", "yes", f"one function scores both: {title}{lost}")


def _number(results: Results, row: Respondent) -> Matter:
    overlap = results.human.panel.counts()["overlap"]
    samples = settings_of(row).get("samples", 1)
    votes = _span(sorted(map(int, overlap))) if overlap else "0"
    sentence = f"people {votes} an item, the model {samples}"
    if list(overlap) == [str(samples)]:
        return Matter("Number of answers", "yes", sentence)
    beside = "; compare one reply with one person, and a majority of people with the majority of as many replies"
    return Matter("Number of answers", "partly" if overlap else "not known", sentence + (beside if overlap else ""))


def _span(sizes: list[int]) -> str:
    return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"


def _read(results: Results, row: Respondent, facts: EqualityFacts) -> Iterable[Matter]:
    """Yield what differs in what is read: a naive baseline has nothing of it."""
    yield _instruction(results.study, settings_of(row), facts)
    yield _context(row, facts)
    yield _order(settings_of(row))
    yield _training(results.study, settings_of(row), facts)


def _instruction(study: Study, settings: Mapping[str, Any], facts: EqualityFacts) -> Matter:
    if study.origin == "imported":
        return Matter("Instruction", "not known", "the imported log does not hold what its people were told")
    template = template_asked(study, settings, facts.item)
    if template is None:
        number = settings.get("prompt")
        another = f"its prompt ({number}) is not the task's own, and its words are not stored"
        return Matter("Instruction", "not known", another if number else "the words of its prompt are not stored")
    instructed = not template or "{instruction}" in template
    read = language_of_people(study)
    models_read = study.task.instruction.language_read(language_asked(settings))
    if not instructed or not study.task.instruction.within(models_read).strip():
        return Matter("Instruction", "no", "the prompt has its own words and not the instruction that people read")
    if read != models_read:
        sentence = f"the same one, but people read it in {english_name(read)} and models in {english_name(models_read)}"
        one_text = isinstance(study.task.prompt, str) or variant_of(settings)
        if one_text and WORD.search(NAMED.sub("", template)):
            sentence += "; the words of the prompt around it are one text for all languages"
        return Matter("Instruction", "partly", sentence)
    if study.task.examples:
        sentence = f"the same words in {english_name(read)}, without the worked examples that people can open"
        return Matter("Instruction", "partly", sentence)
    return Matter("Instruction", "yes", f"the prompt holds the words that people read, in {english_name(read)}")


def _order(settings: Mapping[str, Any]) -> Matter:
    if IMPORTED in settings:
        return Matter("Order of options", "not known", "people get the item's own; the imported run does not tell its")
    return Matter("Order of options", "yes", "nobody's options are shuffled: both get them in the item's own order")


def _context(row: Respondent, facts: EqualityFacts) -> Matter:
    if IMPORTED in settings_of(row):
        return Matter("Context", "not known", "the imported run does not tell whether its prompts were cut")
    limit, cut = settings_of(row).get("context"), facts.cut.get(row.name, 0)
    if cut:
        where = "the whole prompt" if settings_of(row).get("as_published") else "the long text"
        most = f" of {limit} tokens" if limit else ""
        sentence = f"{cut} prompt{'s' * (cut > 1)} over the limit{most} lost the end of {where}; people had all of it"
        return Matter("Context", "partly", sentence)
    return Matter("Context", "yes", "both had the whole text of every item")


def _training(study: Study, settings: Mapping[str, Any], facts: EqualityFacts) -> Matter:
    shots = settings.get("shots", 0)
    if IMPORTED in settings:
        return Matter("Training", "not known", "the imported run does not tell of worked examples in its prompt")
    if study.origin == "imported" and not facts.training:
        return Matter("Training", "not known", f"the log does not hold its training; the model saw {_examples(shots)}")
    people = f"people trained on {_items_of(facts.training)} with explanations" if facts.training else "people had none"
    sentence = f"{people}; the model saw {_examples(shots)}"
    if bool(shots) != bool(facts.training):
        return Matter("Training", "no", sentence)
    return Matter("Training", "partly" if shots else "yes", sentence)


def _examples(shots: int) -> str:
    return f"{shots} worked example{'s' if shots > 1 else ''} in its prompt" if shots else "no worked example"


def _items_of(number: int) -> str:
    return f"{number} item{'s' if number > 1 else ''}"
