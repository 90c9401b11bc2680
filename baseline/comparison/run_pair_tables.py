"""Runs in pairs in words: a table of pairs, the matrix of models against each other, the items that changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from baseline.comparison.changed_items import CHANGED, RIGHT, ChangedItem, readable_table
from baseline.comparison.document import Document, Section
from baseline.comparison.results import Respondent, Results
from baseline.comparison.run_pairs import (
    DividedItem,
    RunComparison,
    RunPair,
    asked_with,
    divided_items,
    name_of,
    run_pairs,
)
from baseline.human.interval_scope import difference_words, notes_on_tests
from data.numbers import DASH, SIGNIFICANT, counted, p_value, points, with_interval
from data.tables import Column, Table
from eval.comparison.difference import Difference

MOST_ROWS = 10
"""Models of the matrix, the best ones; `compare-runs` takes any."""

MOST_DIVIDED = 12
"""Items on which runs differ most that are printed."""

MOST_CHANGED = 200
"""Changed items of a pair that are printed; JSON has all."""


def _count(number: int | None) -> str:
    return DASH if number is None else str(number)


PAIRS: tuple[Column[RunPair], ...] = (
    Column("first", "first", "", lambda pair: pair.names[0]),
    Column("second", "second", "", lambda pair: pair.names[1], style="start"),
    Column("items", "items in common", "", lambda pair: pair.same.n),
    Column(
        "same",
        "same answer",
        "The share of these items with the same answer, with its 95% interval over items (or clusters of them)",
        lambda pair: pair.same,
        lambda same: with_interval(same.value, same.ci) if same.n else DASH,
    ),
    Column("only_first", "only first right", "", lambda pair: pair.only[0] if pair.difference else None, _count),
    Column("only_second", "only second right", "", lambda pair: pair.only[1] if pair.difference else None, _count),
    Column(
        "difference",
        "first − second, points",
        "With the 95% interval; McNemar's test where an answer is right or wrong, else a paired bootstrap",
        lambda pair: pair.difference,
        difference_words,
    ),
    Column(
        "nearer",
        "first nearer to people by, points",
        "How much better the first agrees with people than the second, where nothing is scored against gold",
        lambda pair: pair.nearer,
        difference_words,
    ),
    Column("p_holm", "p, Holm", "Adjusted over all pairs of this table", lambda pair: pair.p_holm, p_value),
)


def setting_table(comparison: RunComparison) -> Table[tuple[str, Mapping[str, Any]]]:
    """Return the settings in which any two of the runs differ, with the value of each run."""
    runs = {name_of(row): asked_with(row.run) for row in comparison.rows}
    names = sorted({name for pair in comparison.pairs for name in pair.settings_apart})
    rows = [(name, {run: settings.get(name) for run, settings in runs.items()}) for name in names]
    head: Column[tuple[str, Mapping[str, Any]]] = Column("setting", "setting", "", lambda row: row[0])
    return Table("Settings that differ", (head, *map(_setting_column, runs)), rows)


def _setting_column(run: str) -> Column[tuple[str, Mapping[str, Any]]]:
    return Column(run, run, "", lambda row: row[1][run], _value, style="start")


def pair_notes(pairs: Sequence[RunPair]) -> list[str]:
    """Return what a reader must know of the tests of these pairs."""
    return notes_on_tests(pair.difference or pair.nearer for pair in pairs)


def comparison_document(comparison: RunComparison) -> Document:
    """Return compared runs as a document: who is ahead of whom, every pair, and the items that divide them most."""
    settings, divided = setting_table(comparison), divided_table(comparison)
    tables: list[Table[Any]] = [pair_table(comparison.pairs), *(table for table in (settings, divided) if table.rows)]
    if len(comparison.rows) > 2:
        ordered = sorted(comparison.rows, key=lambda row: -_lead(row, comparison.pairs))
        tables = [_matrix(ordered, comparison.pairs, name_of), *tables]
    lines, notes = (_differing_words(comparison),), tuple(pair_notes(comparison.pairs))
    section = Section(lines=lines, notes=notes, tables=tuple(tables))
    return Document(f"Runs of {comparison.study.name} compared", f"Task {comparison.study.task.id}", (section,))


def _lead(row: Respondent, pairs: Sequence[RunPair]) -> float:
    """Return by how much a run is ahead of all others."""
    ahead = ((pair.first is row) - (pair.second is row) for pair in pairs)
    compared = (pair.difference or pair.nearer for pair in pairs)
    return sum(sign * apart.value for sign, apart in zip(ahead, compared, strict=True) if apart)


def _differing_words(comparison: RunComparison) -> str:
    """Return how many pairs differ, and how the matrix is read."""
    apart = sum(pair.p_holm is not None and pair.p_holm < SIGNIFICANT for pair in comparison.pairs)
    by = "agreement with people" if any(pair.nearer for pair in comparison.pairs) else comparison.metric
    said = f"{apart} of {counted(len(comparison.pairs), 'pair')} of runs differ significantly (p < 0.05, Holm)."
    read = f" The first table is the row minus the column in points of {by}; * is significant."
    return said + read * (len(comparison.rows) > 2)


def divided_table(comparison: RunComparison) -> Table[DividedItem]:
    """Return the items that divide the runs most, with what each says; JSON has all."""
    answered = divided_items(comparison.pairs)
    shown = answered[:MOST_DIVIDED]
    columns: list[Column[DividedItem]] = [Column("item", "item", "", lambda row: comparison.texts[row.item])]
    if any(row.gold for row in shown):
        columns.append(Column("gold", "right", "", lambda row: row.gold, lambda gold: gold or DASH))
    columns += [_answer_of(name_of(row)) for row in comparison.rows]
    of = f", {len(shown)} of {len(answered)}; --json has all" if len(answered) > len(shown) else ""
    return Table(f"Items that divide the runs most{of}", columns, shown)


def _answer_of(run: str) -> Column[DividedItem]:
    return Column(run, run, "", lambda divided: divided.answers.get(run), lambda said: said or DASH)


def comparison_dict(comparison: RunComparison) -> dict[str, Any]:
    """Return compared runs in the shape of `compare-runs --json`."""
    pairs = []
    for record, pair in zip(Table("", PAIRS, comparison.pairs).records, comparison.pairs, strict=True):
        runs = [row.run.id if row.run else None for row in (pair.first, pair.second)]
        apart = {name: list(two) for name, two in pair.settings_apart.items()}
        pairs.append(
            record
            | {"runs": runs, "settings": apart, "changed": Table("", CHANGED, pair.changed).within("json").records}
        )
    return {
        "study": comparison.study.name,
        "metric": comparison.metric,
        "pairs": pairs,
        "notes": pair_notes(comparison.pairs),
    }


def pair_table(pairs: Sequence[RunPair]) -> Table[RunPair]:
    """Return a row for each pair."""
    return readable_table(Table("Runs in pairs", PAIRS, pairs), gold=any(pair.difference for pair in pairs))


def changed_table(pair: RunPair) -> Table[ChangedItem]:
    """Return the items that two runs answered differently: first those where just one is right."""
    ordered = sorted(
        pair.changed, key=lambda change: list(RIGHT).index(change.right) if change.right in RIGHT else len(RIGHT)
    )
    one, other = pair.names
    more = f", {MOST_CHANGED} of {len(ordered)}; JSON has all" if len(ordered) > MOST_CHANGED else ""
    title = f"What changed between {one} and {other}{more}"
    shown = Table(title, CHANGED, ordered[:MOST_CHANGED]).within("page").titled({"first": one, "second": other})
    return readable_table(shown, gold=pair.difference is not None)


def compared_models(results: Results) -> tuple[RunPair, ...]:
    """Return the best models of a study that have answered in pairs, naive ones left out where there are others."""
    answered = [row for row in results.models if row.ballots.scored.any()]
    asked = [row for row in answered if row.kind == "model"]
    rows = asked if len(asked) > 1 else answered
    return run_pairs(results.human, rows[:MOST_ROWS])


def matrix(results: Results, pairs: Sequence[RunPair]) -> Table[Mapping[str, Any]]:
    """Return a row and a column for each model: the row's score minus the column's, a star where it is significant."""
    return _matrix(results.models, pairs, attrgetter("called"))


def _matrix(
    rows: Sequence[Respondent], pairs: Sequence[RunPair], called: Callable[[Respondent], str]
) -> Table[Mapping[str, Any]]:
    lines: dict[str, dict[str, Any]] = {called(row): {"row": row} for row in rows}
    for pair in pairs:
        one, other = called(pair.first), called(pair.second)
        lines[one][other], lines[other][one] = (pair, 1), (pair, -1)
    compared = [name for name, line in lines.items() if len(line) > 1]
    head: Column[Mapping[str, Any]] = Column("row", "", "", lambda line: line["row"], called)
    return Table("", [head, *map(_matrix_column, compared)], [lines[name] for name in compared])


def matrix_words(compared: tuple[RunPair, int] | None) -> str:
    """Return a difference in points seen from the row, a star where it is significant; "" for a model and itself."""
    if compared is None:
        return ""
    pair, sign = compared
    apart = pair.difference or pair.nearer
    if apart is None:
        return DASH
    star = "*" if pair.p_holm is not None and pair.p_holm < SIGNIFICANT else ""
    return f"{points(sign * apart.value + 0.0)}{star}"


def pairs_dict(results: Results) -> list[dict[str, Any]]:
    """Return every two of the best models as `results --json` prints them; those that were right alone are counted."""
    return [dict(record) for record in Table("", PAIRS, compared_models(results)).records]


@dataclass(frozen=True)
class ModelDifference:
    """How much the first of two models is ahead of the second, and by what: a metric, or agreement with people."""

    names: tuple[str, str]
    by: str
    apart: Difference
    p_holm: float | None


DIFFERENCES: tuple[Column[ModelDifference], ...] = (
    Column("first", "", "", lambda row: row.names[0]),
    Column("second", "", "", lambda row: row.names[1]),
    Column("by", "", "", lambda row: row.by),
    Column("items", "", "", lambda row: row.apart.n),
    Column("difference", "", "", lambda row: row.apart.value),
    Column("low", "", "", lambda row: row.apart.ci[0]),
    Column("high", "", "", lambda row: row.apart.ci[1]),
    Column("p_holm", "", "", lambda row: row.p_holm),
)


def model_differences(results: Results) -> Table[ModelDifference]:
    """Return every two of the best models by the task's first metric, and by their agreement with people."""
    scored = [
        ModelDifference((pair.first.name, pair.second.name), results.study.task.primary, pair.difference, pair.p_holm)
        for pair in compared_models(results)
        if pair.difference
    ]
    beside = results.peers.pairs if results.peers else ()
    by_people = [ModelDifference((p.one, p.other), "agreement with people", p.apart, p.p_holm) for p in beside]
    return Table("Models in pairs", DIFFERENCES, [*scored, *by_people])


def _matrix_column(name: str) -> Column[Mapping[str, Any]]:
    return Column(name, name, "", lambda line: line.get(name), matrix_words)


def _value(value: Any) -> str:
    text = "not set" if value is None else str(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
