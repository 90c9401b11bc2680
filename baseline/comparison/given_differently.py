"""What people and models were given differently: items, instruction, context, training, number of answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress

from baseline.comparison.results import Respondent, Results
from baseline.runs.run_prompts import language_asked, language_of_people, template_asked
from baseline.runs.run_state import IMPORTED
from data.numbers import counted
from data.tables import Column, Table
from data.task import Item
from data.wording import english_name
from db.engine import Session
from db.item_lookup import first_main_item
from db.items import count_items
from db.runs import totals
from eval.ballots import Ballots

NOT_KNOWN = "not known"
INSTRUCTION = "instruction"


@dataclass(frozen=True)
class GivenDifferently:
    """One thing that people and models were not given alike, or of which that is not known."""

    what: str
    people: str
    models: str


Given = tuple[GivenDifferently, tuple[str, ...]]
"""A difference with the models that it is of, () for all."""
COLUMNS: tuple[Column[Given], ...] = (
    Column("what", "", "", lambda given: given[0].what),
    Column("people", "people", "", lambda given: given[0].people),
    Column("given", "models", "", lambda given: given[0].models),
    Column("models", "which models", "", lambda given: given[1], lambda models: ", ".join(models) or "all"),
)


def given_differently(session: Session, results: Results) -> Table[Given] | None:
    """Return what people and the models of a study were not given alike, None where one side has not answered.

    A naive baseline reads nothing, so only its items and number of answers count.
    """
    rows = [row for row in results.models if row.kind == "model"] or list(results.models)
    if not rows or not len(results.human.panel.votes):
        return None
    item = first_main_item(session, study=results.study)
    training = count_items(session, study=results.study, role="training")
    models: dict[GivenDifferently, list[str]] = {}
    for row in rows:
        differences = [*_answers(results, row)]
        if row.kind == "model":
            cut = totals(session, run=row.run).cut if row.run else 0
            differences += [*_instruction(results, row, item), *_prompt(results, row, training, cut)]
        for difference in differences:
            models.setdefault(difference, []).append(row.called)
    given = [(each, () if len(who) == len(rows) else tuple(who)) for each, who in models.items()]
    return Table("What people and models were given differently", COLUMNS, given)


def _answers(results: Results, row: Respondent) -> Iterator[GivenDifferently]:
    """Yield which items people and a model answered, and how often each."""
    people, model = map(_answered, (results.human.panel.consensus.ballots, row.ballots))
    if people != model:
        models = f"{len(model)}, {len(people & model)} of them the same"
        yield GivenDifferently("items", str(len(people)), models)
    sizes = sorted(map(int, results.human.panel.counts()["overlap"]))
    samples = row.settings.get("samples", 1)
    if sizes not in ([], [samples]):
        yield GivenDifferently("answers", " to ".join(map(str, sizes[:1] + sizes[1:][-1:])), str(samples))


def _answered(said: Ballots) -> set[str]:
    return set(compress(said.items, said.scored.tolist()))


def _instruction(results: Results, row: Respondent, item: Item | None) -> Iterator[GivenDifferently]:
    """Yield what of the instruction, or its language, a model did not read."""
    study = results.study
    instruction, template = study.task.instruction, template_asked(study.task, row.settings, item)
    read, models_read = language_of_people(study), instruction.language_read(language_asked(row.settings))
    if study.origin == "imported":
        yield GivenDifferently(INSTRUCTION, f"{NOT_KNOWN}: an imported log", "its prompt")
    elif template is None:
        yield GivenDifferently(INSTRUCTION, "the task's", f"{NOT_KNOWN}: its prompt is not stored")
    elif (template and "{instruction}" not in template) or not instruction.within(models_read).strip():
        yield GivenDifferently(INSTRUCTION, "the task's", "none of it: the prompt has its own words")
    elif read != models_read:
        yield GivenDifferently(INSTRUCTION, f"in {english_name(read)}", f"in {english_name(models_read)}")
    elif study.task.examples:
        yield GivenDifferently(INSTRUCTION, "with worked examples to open", "without them")


def _prompt(results: Results, row: Respondent, training: int, cut: int) -> Iterator[GivenDifferently]:
    """Yield what else a model read: `cut` of its prompts lack a part of the text; `training` items people had."""
    limit, shots = row.settings.get("context"), row.settings.get("shots", 0)
    people = NOT_KNOWN if results.study.origin == "imported" else "none"
    people = f"{counted(training, 'item')} with explanations" if training else people
    model = f"{counted(shots, 'worked example')} in the prompt" if shots else "none"
    if IMPORTED in row.settings:
        model = NOT_KNOWN
        yield GivenDifferently("context", "the whole text", f"{NOT_KNOWN}: an imported run")
        yield GivenDifferently("order of options", "the item's own", f"{NOT_KNOWN}: an imported run")
    elif cut:
        most = f" at {limit} tokens" if limit else ""
        yield GivenDifferently("context", "the whole text", f"cut{most} in {counted(cut, 'prompt')}")
    if (people, model) != ("none", "none"):
        yield GivenDifferently("training", people, model)
