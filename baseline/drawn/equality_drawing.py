"""The statement of equality of a study: matter by matter over all its models, then what each side read; drawn."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from baseline.drawn.templates_of import drawn_with
from baseline.results import Respondent, Results
from baseline.side.equality import Facts, Matter, Verdict, equality, facts_of, prompt_known, settings_of, variant_of
from baseline.side.reading_difference import Piece, difference, read_by_model, read_by_people
from db.engine import Session

SIGNS: dict[Verdict, str] = {"yes": "✓", "partly": "≈", "no": "✕", "not known": "?"}
MOODS: dict[Verdict, str] = {"yes": "is-right", "partly": "is-partly", "no": "is-wrong", "not known": "is-partly"}


@dataclass(frozen=True)
class Said:
    """What is said of a matter, and of which models; `models` is () where it is said of all."""

    matter: Matter
    models: tuple[str, ...]

    @property
    def sign(self) -> str:
        """The sign beside the verdict."""
        return SIGNS[self.matter.verdict]

    @property
    def mood(self) -> str:
        """The class that gives the verdict its colour."""
        return MOODS[self.matter.verdict]


@dataclass(frozen=True)
class Compared:
    """What people and these models read, piece by piece."""

    models: tuple[str, ...]
    pieces: tuple[Piece, ...]

    @property
    def same(self) -> float:
        """The share of the letters that both read, 0 to 1."""
        both = sum(2 * len(piece.text) for piece in self.pieces if piece.who == "both")
        alone = sum(len(piece.text) for piece in self.pieces if piece.who != "both")
        return both / (both + alone) if both + alone else 1.0


@dataclass(frozen=True)
class Statement:
    """The whole statement of a study: by matter, the texts compared, and whether people's own text is not stored."""

    matters: tuple[tuple[str, tuple[Said, ...]], ...]
    compared: tuple[Compared, ...]
    imported: bool

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


def statement(session: Session, results: Results) -> Statement | None:
    """Return the statement of equality of a study, None where people or models have not answered."""
    models = [row for row in results.models if row.kind == "model"] or list(results.models)
    if not models or not len(results.human.panel.votes):
        return None
    facts = facts_of(session, results)
    each = {_called(row): equality(results, row, facts) for row in models}
    names = dict.fromkeys(matter.name for found in each.values() for matter in found)
    matters = tuple((name, tuple(_grouped(name, each))) for name in names)
    return Statement(matters, tuple(_compared(results, models, facts)), results.study.origin == "imported")


def draw_equality(session: Session, results: Results) -> Markup:
    """Return the section "Were people and models asked the same?"; nothing where one side has not answered."""
    found = statement(session, results)
    return drawn_with("equality.html", found=found) if found else Markup()


def _grouped(name: str, each: dict[str, tuple[Matter, ...]]) -> Iterator[Said]:
    """Yield each different thing said of a matter, with the models it is said of."""
    groups: dict[Matter, list[str]] = {}
    for model, matters in each.items():
        for matter in matters:
            if matter.name == name:
                groups.setdefault(matter, []).append(model)
    for matter, models in groups.items():
        yield Said(matter, () if len(models) == len(each) else tuple(models))


def _compared(results: Results, models: Sequence[Respondent], facts: Facts) -> Iterable[Compared]:
    study, item = results.study, facts.item
    if item is None:
        return
    by_variant: dict[int, list[str]] = {}
    for row in models:
        if row.kind == "model" and prompt_known(study, settings_of(row), item):
            by_variant.setdefault(variant_of(settings_of(row)), []).append(_called(row))
    people = read_by_people(study.task, item, study.settings.language) if by_variant else ""
    for variant, names in sorted(by_variant.items()):
        yield Compared(tuple(names), difference(people, read_by_model(study.task, item, variant)))


def _called(row: Respondent) -> str:
    return row.name.removeprefix("model:")
