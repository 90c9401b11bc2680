"""What people and models were given differently: items, instruction, context, training, number of answers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import compress

from baseline.comparison.results import Respondent, Results
from baseline.runs.prompt_languages import language_asked, language_of_people
from baseline.runs.run_state import IMPORTED
from baseline.runs.templates import template_asked
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


@dataclass(frozen=True)
class Compared:
    """A model's run beside people, with what the database knows of their study."""

    results: Results
    row: Respondent
    item: Item | None
    training: int
    cut: int

    @property
    def imported(self) -> bool:
        """Whether people's answers are an imported log."""
        return self.results.study.origin == "imported"

    @property
    def run_imported(self) -> bool:
        """Whether the model's answers are an imported run."""
        return IMPORTED in self.row.settings


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
        cut = totals(session, run=row.run).cut if row.run else 0
        for difference in _differences(Compared(results, row, item, training, cut)):
            models.setdefault(difference, []).append(row.called)
    given = [(each, () if len(who) == len(rows) else tuple(who)) for each, who in models.items()]
    return Table("What people and models were given differently", COLUMNS, given)


def _differences(compared: Compared) -> Iterator[GivenDifferently]:
    questions = QUESTIONS if compared.row.kind == "model" else {name: QUESTIONS[name] for name in ("items", "answers")}
    for what, question in questions.items():
        if pair := question(compared):
            yield GivenDifferently(what, *pair)


GivenPair = tuple[str, str] | None
"""What people and the model were given; None for the same."""


def _items(compared: Compared) -> GivenPair:
    people, model = map(_answered, (compared.results.human.panel.consensus.ballots, compared.row.ballots))
    return None if people == model else (str(len(people)), f"{len(model)}, of which {len(people & model)} are the same")


def _answered(said: Ballots) -> set[str]:
    return set(compress(said.items, said.scored.tolist()))


def _answers(compared: Compared) -> GivenPair:
    sizes = sorted(map(int, compared.results.human.panel.counts()["overlap"]))
    samples = compared.row.settings.get("samples", 1)
    return None if sizes in ([], [samples]) else (" to ".join(map(str, sizes[:1] + sizes[1:][-1:])), str(samples))


def _instruction(compared: Compared) -> GivenPair:
    study, settings = compared.results.study, compared.row.settings
    template = template_asked(study.task, settings, compared.item)
    if compared.imported:
        return f"{NOT_KNOWN}: an imported log", "its prompt"
    if template is None:
        return "the task's", f"{NOT_KNOWN}: its prompt is not stored"
    read, models_read = language_of_people(study), study.task.instruction.language_read(language_asked(settings))
    if (template and "{instruction}" not in template) or not study.task.instruction.within(models_read).strip():
        return "the task's", "none of it: the prompt has its own words"
    if read != models_read:
        return f"in {english_name(read)}", f"in {english_name(models_read)}"
    return ("with worked examples to open", "without them") if study.task.examples else None


def _context(compared: Compared) -> GivenPair:
    if compared.run_imported:
        return "the whole text", f"{NOT_KNOWN}: an imported run"
    limit = compared.row.settings.get("context")
    most = f" at {limit} tokens" if limit else ""
    return ("the whole text", f"cut{most} in {counted(compared.cut, 'prompt')}") if compared.cut else None


def _order(compared: Compared) -> GivenPair:
    return ("the item's own", f"{NOT_KNOWN}: an imported run") if compared.run_imported else None


def _training(compared: Compared) -> GivenPair:
    shots, number = compared.row.settings.get("shots", 0), compared.training
    people = f"{counted(number, 'item')} with explanations" if number else NOT_KNOWN if compared.imported else "none"
    model = (
        NOT_KNOWN if compared.run_imported else f"{counted(shots, 'worked example')} in the prompt" if shots else "none"
    )
    return None if people == model == "none" else (people, model)


QUESTIONS: dict[str, Callable[[Compared], GivenPair]] = {
    "items": _items,
    "answers": _answers,
    INSTRUCTION: _instruction,
    "context": _context,
    "order of options": _order,
    "training": _training,
}
