"""How a model stands to people, in words: the cells of a table, and the sentences for what could not be had."""

from collections.abc import Iterator, Mapping

from baseline.comparison.against_people import NO_MARGIN, AgainstPeople
from baseline.comparison.results import Respondent, Results
from data.numbers import DASH, p_sign, p_value, points
from data.tables import Column, Table
from data.wording import enumerated
from eval.comparison.alt_test import AlternativeTest
from eval.comparison.difference import Difference
from eval.comparison.equivalence import Equivalence

NAMES = {
    "equivalence": "equivalence to the majority of people",
    "alternative": "the alternative-annotator test",
}

TITLE = "How do the models compare with people?"
ADJUSTED_EACH = (
    "p, Holm: of the difference from people's one answer, and of that from one person, each adjusted for the number of "
    "models in the table; naive baselines are adjusted for one another alone."
)


def against_people_table(results: Results, form: str = "") -> Table[tuple[Respondent, AgainstPeople]]:
    """Return how each model stands to people; a dash where something could not be had. Only the page has a `form`."""
    rows = [(row, results.against_people[row.name]) for row in results.models]
    shown = [column for column in AGAINST_PEOPLE if column.key != "equivalence" or results.margin is not None]
    columns = tuple(column.called(void=results.human.void) for column in shown)
    return Table("How the models compare with people", columns, rows).within(form)


def against_people_notes(results: Results) -> list[str]:
    """Return what the columns mean, then a sentence for each thing that could not be had and why."""
    if not results.models:
        return []
    against = {row.called: results.against_people[row.name] for row in results.models}
    compared = against.values()
    notes = [
        *(
            [ADJUSTED_EACH]
            if any(each.p_holm is not None or each.p_person_holm is not None for each in compared)
            else []
        ),
        *_equivalence_notes(results),
        f"Annotator's place: the alternative-annotator test (Calderon, Reichart and Dror 2025), with epsilon "
        f"{results.epsilon:g}; a model passes that wins against half of the people tested or more.",
    ]
    return [*notes, *_refusals(against)]


def _equivalence_notes(results: Results) -> Iterator[str]:
    """Yield what the verdict of equivalence is, or that there is none, and for whom it stands beside a difference."""
    if results.margin is None:
        yield f"Equivalence is not judged: {NO_MARGIN}"
        return
    yield (
        "Equivalent: by two one-sided tests the difference from the majority of people lies within "
        f"±{100 * results.margin:g} points, a margin that somebody chose (the study's setting, or --margin); it has to "
        "be chosen before looking at the scores. The verdict and its p hold over all models compared (Holm, as above); "
        "the 90% interval beside them is of the one comparison, so that it can lie within the margin where the verdict "
        'is "not shown". Verdict and 90% interval hold for these people '
        f"and other {results.human.panel.resampling.unit}s, whatever the difference beside them holds for."
    )
    if both := both_note(results):
        yield both


def both_note(results: Results) -> str:
    """Return the sentence on models that differ significantly from people and are their equals; empty for none."""
    both = [row.called for row in results.models if results.against_people[row.name].both]
    if not both or results.margin is None:
        return ""
    return (
        f"Significantly different from people, and equivalent to them: {enumerated(both)}. Both can be "
        f"true: the difference is there, and it is smaller than ±{100 * results.margin:g} points for these people."
    )


def _refusals(compared: Mapping[str, AgainstPeople]) -> Iterator[str]:
    """Yield a sentence for each thing that could not be had and why, with the names of the models it is so for."""
    models: dict[tuple[str, str], list[str]] = {}
    for name, against in compared.items():
        for part, title in NAMES.items():
            value = getattr(against, part)
            if value == NO_MARGIN:
                continue
            why = value if isinstance(value, str) else value.refused if isinstance(value, AlternativeTest) else None
            if why:
                models.setdefault((title, why), []).append(name)
    for (title, why), names in models.items():
        yield f"{title[:1].upper()}{title[1:]} cannot be had for {enumerated(names)}: {why}"


def equivalent_text(equivalence: Equivalence | str) -> str:
    """Return whether it is equivalent to the majority, with the 90% interval in points and p; a dash without a test."""
    if not isinstance(equivalence, Equivalence):
        return "—"
    low, high = map(points, equivalence.ci)
    p = equivalence.p if equivalence.p_holm is None else equivalence.p_holm
    return f"{'yes' if equivalence.equivalent else 'not shown'} [{low}, {high}], {p_sign(p)}"


def place_text(test: AlternativeTest | str) -> str:
    """Return the verdict of the alternative-annotator test and its winning rate; a dash where there is none."""
    if not isinstance(test, AlternativeTest) or test.winning_rate is None:
        return "—"
    tested = len(test.tested)
    won = round(test.winning_rate * tested)
    return f"{'passed' if test.passed else 'not passed'}, {won} of {tested}"


def _items(apart: Difference | None) -> object:
    return apart.n if apart else DASH


def _points(apart: Difference | None) -> str:
    return points(apart.value) if apart else DASH


PAGE = ("page",)
AGAINST_PEOPLE: tuple[Column[tuple[Respondent, AgainstPeople]], ...] = (
    Column("model", "model", "", lambda row: row[0].name, read=lambda row: row[0].called),
    Column("items", "items in common", "", lambda row: row[0].vs_human, _items, PAGE),
    Column("vs_human", "vs people, points{void}", "", lambda row: row[0].vs_human, _points, PAGE),
    Column(
        "p_holm",
        "p, Holm{void}",
        "Adjusted for the number of models in this table",
        lambda row: row[1].p_holm,
        p_value,
    ),
    Column(
        "equivalence",
        "equivalent to these people's majority (Holm){void}",
        "",
        lambda row: row[1].equivalence,
        equivalent_text,
    ),
    Column(
        "alternative",
        "in an annotator's place",
        "The alternative-annotator test, and against how many of the people tested the model wins",
        lambda row: row[1].alternative,
        place_text,
    ),
    Column("p_person_holm", "p vs one person, Holm", "", lambda row: row[1].p_person_holm, p_value),
)
