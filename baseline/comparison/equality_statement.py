"""The statement of equality of a study: matter by matter over all its models, then what each side read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from baseline.comparison.equality import EqualityFacts, Matter, equality, facts_of, settings_of, template_asked
from baseline.comparison.reading_difference import TextPiece, difference, read_by_model, read_by_people
from baseline.comparison.results import Respondent, Results
from baseline.runs.prompt_languages import language_asked, language_of_people
from data.tables import Column, Table
from data.task import Item
from data.wording import Language
from db.engine import Session

Asked = tuple[str, Language]
"""A template and the language of what is filled into it."""


@dataclass(frozen=True)
class StatedMatter:
    """What is said of a matter, and of which models; `models` is () where it is said of all."""

    matter: Matter
    models: tuple[str, ...]


@dataclass(frozen=True)
class Compared:
    """What people and these models read, piece by piece, and the template that made the models' text.

    `languages` are those of people and models where they differ: then the texts stand side by side, as two pieces.
    """

    models: tuple[str, ...]
    pieces: tuple[TextPiece, ...]
    template: str = ""
    languages: tuple[Language, Language] | None = None

    @property
    def same(self) -> float:
        """The share of the letters that both read, 0 to 1."""
        both = sum(2 * len(piece.text) for piece in self.pieces if piece.who == "both")
        alone = sum(len(piece.text) for piece in self.pieces if piece.who != "both")
        return both / (both + alone) if both + alone else 1.0


@dataclass(frozen=True)
class Statement:
    """The whole statement of a study: by matter, the texts compared, and what is not stored.

    `unknown` are the models of whose prompt only a hash is kept; `imported`: people's own text is not stored.
    """

    matters: tuple[tuple[str, tuple[StatedMatter, ...]], ...]
    compared: tuple[Compared, ...]
    imported: bool
    unknown: tuple[str, ...] = ()

    def as_dict(self) -> list[dict[str, object]]:
        """Return each thing said, as JSON holds it; `models` is empty where it is said of all."""
        return [
            {
                "matter": name,
                "verdict": said.matter.verdict,
                "reason": said.matter.reason,
                "models": list(said.models),
            }
            for name, several in self.matters
            for said in several
        ]


EQUALITY: tuple[Column[tuple[str, StatedMatter]], ...] = (
    Column("matter", "", "", lambda row: row[0]),
    Column("verdict", "the same?", "", lambda row: row[1].matter.verdict, style="verdict-cell"),
    Column("reason", "why", "", lambda row: row[1].matter.reason),
    Column("models", "models", "", lambda row: row[1].models, lambda models: ", ".join(models) or "all", ("report",)),
)


def equality_table(statement: Statement, form: str = "report") -> Table[tuple[str, StatedMatter]]:
    """Return a row for each thing said; only the report has a column of the models it is said of."""
    rows = tuple((name, said) for name, several in statement.matters for said in several)
    return Table("Matter by matter", EQUALITY, rows).within(form)


def statement(session: Session, results: Results) -> Statement | None:
    """Return the statement of equality of a study, None where people or models have not answered."""
    models = [row for row in results.models if row.kind == "model"] or list(results.models)
    if not models or not len(results.human.panel.votes):
        return None
    facts = facts_of(session, results)
    each = {row.called: equality(results, row, facts) for row in models}
    names = dict.fromkeys(matter.name for matters in each.values() for matter in matters)
    matters = tuple((name, tuple(_grouped(name, each))) for name in names)
    asked = _by_template(results, models, facts)
    unknown = tuple(asked.pop(None, ()))
    imported = results.study.origin == "imported"
    return Statement(matters, tuple(_compared(results, asked, facts.item)), imported, unknown)


def _grouped(name: str, each: dict[str, tuple[Matter, ...]]) -> Iterator[StatedMatter]:
    """Yield each different thing said of a matter, with the models it is said of."""
    groups: dict[Matter, list[str]] = {}
    for model, matters in each.items():
        for matter in matters:
            if matter.name == name:
                groups.setdefault(matter, []).append(model)
    for matter, models in groups.items():
        yield StatedMatter(matter, () if len(models) == len(each) else tuple(models))


def _by_template(results: Results, models: Sequence[Respondent], facts: EqualityFacts) -> dict[Asked | None, list[str]]:
    """Return the models that read a prompt by what they were asked, under None those of which it is not known."""
    names: dict[Asked | None, list[str]] = {}
    for row in models:
        if row.kind == "model":
            template = template_asked(results.study, settings_of(row), facts.item)
            asked = None if template is None else (template, language_asked(settings_of(row)))
            names.setdefault(asked, []).append(row.called)
    return names


def _compared(results: Results, asked: Mapping[Asked | None, Sequence[str]], item: Item | None) -> Iterable[Compared]:
    if item is None:
        return
    study = results.study
    people = read_by_people(study.task, item, study.settings.language) if asked else ""
    read, instruction = language_of_people(study), study.task.instruction
    for template, names in asked.items():
        if template is None:
            continue
        models, asked_in = read_by_model(study.task, item, *template), instruction.language_read(template[1])
        if asked_in == read:
            yield Compared(tuple(names), difference(people, models), template[0])
        else:
            pieces = (TextPiece("people", people), TextPiece("models", models))
            yield Compared(tuple(names), pieces, template[0], (read, asked_in))
