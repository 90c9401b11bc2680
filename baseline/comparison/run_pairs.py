"""Runs side by side on the same items: which answers changed, who is right, is it chance; prompts of one model too."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from operator import attrgetter, methodcaller
from statistics import mean, stdev
from typing import Any

import numpy as np

from baseline.comparison.document import Document, Section, estimate_words
from baseline.comparison.item_index import share_right
from baseline.comparison.results import Respondent, Results, model_ballots, model_respondent, nearer_to_people
from baseline.human.baseline import HumanBaseline, human_baseline
from baseline.human.interval_scope import difference_words, notes_on_tests
from baseline.models.run_fields import Fact
from baseline.runs.result_runs import ResultRun, name_of_result, result_runs
from baseline.runs.run_prompts import language_asked, mixed_words, template_language, variant_of
from data.errors import BadSetting, UnknownName
from data.numbers import DASH, SIGNIFICANT, counted, or_dash, p_value, points
from data.tables import Column, Table, table_of
from data.wording import Language, in_a_line
from db import frames
from db.engine import Session
from db.runs import Run, deleted_runs, gone_words, list_runs, run_numbered
from db.studies import Study
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.comparison.difference import Difference, difference, holm
from eval.estimate import Estimate
from eval.intervals.mean import ratio
from eval.panel import PanelRules
from eval.scoring import score

FACTS = frozenset(Fact) | {"digest"}
"""What a run has learnt on its way, and the digest of its file: runs that differ in nothing else were asked alike."""

LONGEST_ITEM = 120
"""Letters of an item's texts that are printed."""

LEVEL = " / "
"""Between answers that are level."""

MOST_ROWS = 10
"""Models of the matrix, the best ones; `compare-runs` takes any."""

MOST_DIVIDED = 12
"""Items on which runs differ most that are printed."""

MOST_CHANGED = 200
"""Changed items of a pair that are printed; JSON has all."""

LONGEST_OPTION = 80
"""Letters of an option's text beside its code."""

RIGHT: Mapping[tuple[bool | None, bool | None], str] = {
    (True, False): "first",
    (False, True): "second",
    (True, True): "both",
    (False, False): "neither",
}
WITHOUT_GOLD, WITH_GOLD = ("nearer",), ("only_first", "only_second", "difference", "gold", "right")
"""Columns that speak of the one case."""


@dataclass(frozen=True)
class ChangedItem:
    """An item to which two runs gave different answers, None for no usable one; `right` is None without gold.

    `texts` are the words of answers that are codes of options, "" where an answer is its own words.
    """

    item: str
    gold: str | None
    answers: tuple[str | None, str | None]
    right: tuple[bool | None, bool | None]
    texts: tuple[str, str] = ("", "")

    def shown(self, place: int) -> str:
        """Return an answer as people read it: its code with the option's words beside it."""
        said, text = self.answers[place], in_a_line(self.texts[place], LONGEST_OPTION)
        return f"{said}: {text}" if text else said or "no answer"


@dataclass(frozen=True, eq=False)
class RunPair:
    """Two runs on the items that both answered.

    `same` is the share of items with the same answer. `difference` is the first minus the second by the task's first
    metric, None without gold; `nearer` how much better the first agrees with people, where nothing has gold. `p_holm`
    is the p-value of either, adjusted over all pairs that were chosen.
    """

    first: Respondent
    second: Respondent
    same: Estimate
    changed: tuple[ChangedItem, ...]
    difference: Difference | None
    p_holm: float | None = None
    nearer: Difference | None = None

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called here: their run, since one model may have several."""
        return name_of(self.first), name_of(self.second)

    @property
    def apart(self) -> Difference | None:
        """What is tested of the two: their scores, or where nothing has gold their agreement with people."""
        return self.difference or self.nearer

    @property
    def significant(self) -> bool:
        """Whether the two differ beyond chance, of all pairs that were chosen."""
        return self.p_holm is not None and self.p_holm < SIGNIFICANT

    @cached_property
    def only(self) -> tuple[int, int]:
        """On how many items just the first is right, and on how many just the second."""
        verdicts = [change.right for change in self.changed]
        return verdicts.count((True, False)), verdicts.count((False, True))

    @property
    def settings_apart(self) -> dict[str, tuple[Any, Any]]:
        """The settings in which the two runs differ, with the value of each; None where it was not set."""
        one, other = (asked_with(row.run) for row in (self.first, self.second))
        names = sorted(one.keys() | other.keys())
        return {name: (one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)}


@dataclass(frozen=True, eq=False)
class RunComparison:
    """The chosen runs of a study, in pairs in the order in which they were named, and the texts of its items."""

    study: Study
    rows: tuple[Respondent, ...]
    pairs: tuple[RunPair, ...]
    texts: Mapping[str, str] = field(default_factory=dict)


def compare_runs(session: Session, *, study: Study, rules: PanelRules, named: Sequence[str] = ()) -> RunComparison:
    """Return the runs of these numbers or models in pairs; without any those that stand for the study's models.

    A model's name means the run that stands for it. Raises UnknownName, and BadSetting for fewer than two.
    """
    human = human_baseline(session, study=study, rules=rules)
    chosen = _chosen(session, study, named)
    if len(chosen) < 2:
        raise BadSetting(f"study {study.name!r}: name two runs or more to compare; {len(chosen)} is there")
    rows = [model_respondent(session, human, run) for run in chosen]
    pairs = run_pairs(human, rows)
    if not human.panel.gold and len(human.panel.votes):
        # Without gold people are the standard.
        compared = nearer_to_people(human.panel, [(pair.first.ballots, pair.second.ballots) for pair in pairs])
        pairs = tuple(
            replace(pair, nearer=apart if apart.n else None, p_holm=p)
            for pair, (apart, p) in zip(pairs, compared, strict=True)
        )
    fields = frames.fields_of_items(session, study=study)
    shown = _in_words(study, fields, pairs) if human.panel.votes.names is None else pairs
    texts = {item: in_a_line(" · ".join(filter(None, each.values())), LONGEST_ITEM) for item, each in fields.items()}
    return RunComparison(study, tuple(rows), shown, texts)


def _in_words(study: Study, fields: Mapping[str, Mapping[str, str]], pairs: Sequence[RunPair]) -> tuple[RunPair, ...]:
    """Return pairs whose changed items have the words of the answers beside their codes."""
    language = study.settings.language

    def words(item: str, said: str | None) -> str:
        answer = study.task.answer_for(fields[item])
        text = LEVEL.join(answer.words(label, fields[item]).within(language) for label in (said or "").split(LEVEL))
        return "" if said in (None, text) else text

    def worded(change: ChangedItem) -> ChangedItem:
        one, other = change.answers
        return replace(change, texts=(words(change.item, one), words(change.item, other)))

    return tuple(replace(pair, changed=tuple(map(worded, pair.changed))) for pair in pairs)


def run_pairs(human: HumanBaseline, rows: Sequence[Respondent]) -> tuple[RunPair, ...]:
    """Return every two of these respondents, each p-value adjusted over all of them (Holm)."""
    told = [(row, _answers(row.ballots), share_right(row.ballots, human.panel.gold)) for row in rows]
    compared = [_pair(human, *two) for two in combinations(told, 2)]
    adjusted = holm([pair.difference.p if pair.difference else None for pair in compared])
    return tuple(replace(pair, p_holm=p) for pair, p in zip(compared, adjusted, strict=True))


def name_of(row: Respondent) -> str:
    """Return what a respondent is called where one model may have several runs."""
    return f"{row.called} (run {row.run.id})" if row.run else row.called


def _chosen(session: Session, study: Study, named: Sequence[str]) -> list[ResultRun]:
    """Return the runs that are named, each once, in that order."""
    current = {result_run.name.removeprefix("model:"): result_run for result_run in result_runs(session, study=study)}
    if not named:
        return list(current.values())
    gone = deleted_runs(session, study=study)
    chosen: dict[int, ResultRun] = {}
    for name in named:
        model = name.removeprefix("model:")
        if not name.isdecimal() and model not in current:
            deleted = [run for run in gone if run.model == model]
            runs = (str(run.id) for run in list_runs(session, study=study))
            raise UnknownName("the run or model", name, [*current, *runs], gone=gone_words(deleted))
        if name.isdecimal():
            run = run_numbered(session, study=study, number=int(name))
            chosen[run.id] = ResultRun(name_of_result(run), run)
        else:
            chosen[current[model].run.id] = current[model]
    return list(chosen.values())


Told = tuple[Respondent, Sequence[str | None], Floats]
"""A respondent, its answer to each of N items, and what share of that is right, (N,)."""


def _pair(human: HumanBaseline, first: Told, second: Told) -> RunPair:
    """Return two respondents beside each other."""
    panel, (row, answers, right), (other_row, other_answers, other_right) = human.panel, first, second
    one, other = row.ballots, other_row.ballots
    places = np.flatnonzero(one.scored & other.scored).tolist()
    changed = tuple(
        ChangedItem(
            one.items[at],
            panel.gold.get(one.items[at]),
            (answers[at], other_answers[at]),
            (_right(right[at]), _right(other_right[at])),
        )
        for at in places
        if answers[at] != other_answers[at]
    )
    items, parted = [one.items[at] for at in places], {change.item for change in changed}
    equal = np.array([item not in parted for item in items], dtype=np.float64)
    same = ratio(equal, np.ones(len(items)), panel.resampling, items=items)
    apart = difference(human.task.primary, panel.gold, one, other, panel.resampling) if panel.gold else None
    return RunPair(row, other_row, same, changed, apart if apart and apart.n else None)


def _answers(said: Ballots) -> list[str | None]:
    """Return the answer to each item, level ones joined; None for no usable one."""
    given = zip(map(said.named, range(len(said.items))), said.weights[:, :-1].tolist(), strict=True)
    each = (zip(names, weights, strict=False) for names, weights in given)
    return [LEVEL.join(name for name, weight in one if weight) or None for one in each]


def _right(share: float) -> bool | None:
    """Return whether an answer is right; None where that is not known, and for level answers of which one is."""
    return {1.0: True, 0.0: False}.get(float(share))


def asked_with(run: Run | None) -> dict[str, Any]:
    """Return what a run was asked with."""
    return {name: value for name, value in run.settings.items() if name not in FACTS} if run else {}


PAIRS: tuple[Column[RunPair], ...] = (
    Column("first", "first", "", lambda pair: pair.names[0]),
    Column("second", "second", "", lambda pair: pair.names[1], style="start"),
    Column("items", "items in common", "", lambda pair: pair.same.n),
    Column(
        "same",
        "same answer",
        "The share of these items with the same answer, with its 95% interval over items (or clusters of them)",
        lambda pair: pair.same,
        estimate_words,
    ),
    Column("only_first", "only first right", "", lambda pair: pair.only[0] if pair.difference else None, or_dash),
    Column("only_second", "only second right", "", lambda pair: pair.only[1] if pair.difference else None, or_dash),
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


CHANGED: tuple[Column[ChangedItem], ...] = (
    Column("item", "item", "", lambda change: change.item),
    Column("gold", "gold", "", lambda change: change.gold, or_dash, style="start"),
    Column("first", "first", "", lambda row: row.answers[0], read=lambda row: row.shown(0), style="start"),
    Column("second", "second", "", lambda row: row.answers[1], read=lambda row: row.shown(1), style="start"),
    Column("right", "right", "", lambda change: change.right, lambda right: RIGHT.get(right, DASH), style="start"),
)


def readable_table(table: Table[Any], *, gold: bool) -> Table[Any]:
    """Return a table for readers without the columns of the other case."""
    silent = WITHOUT_GOLD if gold else WITH_GOLD
    return replace(table, columns=[column for column in table.columns if column.key not in silent])


def setting_table(comparison: RunComparison) -> Table[tuple[str, Mapping[str, Any]]]:
    """Return the settings in which any two of the runs differ, with the value of each run."""
    runs = {name_of(row): asked_with(row.run) for row in comparison.rows}
    names = sorted({name for pair in comparison.pairs for name in pair.settings_apart})
    rows = [(name, {run: settings.get(name) for run, settings in runs.items()}) for name in names]
    head: Column[tuple[str, Mapping[str, Any]]] = Column("setting", "setting", "", lambda row: row[0])
    return Table("Settings that differ", (head, *map(_setting_column, runs)), rows)


def _setting_column(run: str) -> Column[tuple[str, Mapping[str, Any]]]:
    def value(setting: Any) -> str:
        return "not set" if setting is None else in_a_line(str(setting), 60)

    return Column(run, run, "", lambda row: row[1][run], value, style="start")


def pair_notes(pairs: Sequence[RunPair]) -> list[str]:
    """Return what a reader must know of the tests of these pairs."""
    return notes_on_tests(pair.apart for pair in pairs)


def comparison_document(comparison: RunComparison) -> Document:
    """Return compared runs as a document: who is ahead of whom, every pair, and the items that divide them most."""
    settings, divided = setting_table(comparison), divided_table(comparison)
    tables: list[Table[Any]] = [pair_table(comparison.pairs), *(table for table in (settings, divided) if table.rows)]
    if len(comparison.rows) > 2:
        ordered = sorted(comparison.rows, key=lambda row: -_lead(row, comparison.pairs))
        tables = [matrix(ordered, comparison.pairs, name_of), *tables]
    lines, notes = (_differing_words(comparison),), tuple(pair_notes(comparison.pairs))
    section = Section(lines=lines, notes=notes, tables=tuple(tables))
    return Document(f"Runs of {comparison.study.name} compared", f"Task {comparison.study.task.id}", (section,))


def _lead(row: Respondent, pairs: Sequence[RunPair]) -> float:
    """Return by how much a run is ahead of all others."""
    return sum(((pair.first is row) - (pair.second is row)) * pair.apart.value for pair in pairs if pair.apart)


def _differing_words(comparison: RunComparison) -> str:
    """Return how many pairs differ, and how the matrix is read."""
    apart = sum(pair.significant for pair in comparison.pairs)
    by = "agreement with people" if any(pair.nearer for pair in comparison.pairs) else comparison.study.task.primary
    said = f"{apart} of {counted(len(comparison.pairs), 'pair')} of runs differ significantly (p < 0.05, Holm)."
    read = f" The first table is the row minus the column in points of {by}; * is significant."
    return said + read * (len(comparison.rows) > 2)


def divided_table(comparison: RunComparison) -> Table[Sequence[object]]:
    """Return the items that divide the most pairs of runs, with the right answer and what each says; JSON has all."""
    answers: dict[str, dict[str, str | None]] = {}
    gold, number = {}, Counter[str]()
    for pair in comparison.pairs:
        for change in pair.changed:
            answers.setdefault(change.item, {}).update(zip(pair.names, change.answers, strict=True))
            gold[change.item] = change.gold
            number[change.item] += 1
    shown = [item for item, _ in number.most_common(MOST_DIVIDED)]
    known = any(gold[item] for item in shown)
    runs = [name_of(row) for row in comparison.rows]
    rows = [
        [comparison.texts[item], *([or_dash(gold[item])] * known), *(or_dash(answers[item].get(run)) for run in runs)]
        for item in shown
    ]
    of = f", {len(shown)} of {len(number)}; --json has all" if len(number) > len(shown) else ""
    return table_of(f"Items that divide the runs most{of}", ["item", *(["right"] * known), *runs], rows)


def comparison_dict(comparison: RunComparison) -> dict[str, Any]:
    """Return compared runs in the shape of `compare-runs --json`."""
    pairs = []
    for record, pair in zip(Table("", PAIRS, comparison.pairs).records, comparison.pairs, strict=True):
        runs = [row.run.id if row.run else None for row in (pair.first, pair.second)]
        apart = {name: list(two) for name, two in pair.settings_apart.items()}
        pairs.append(record | {"runs": runs, "settings": apart, "changed": Table("", CHANGED, pair.changed).records})
    return {
        "study": comparison.study.name,
        "metric": comparison.study.task.primary,
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
    shown = Table(title, CHANGED, ordered[:MOST_CHANGED]).titled({"first": one, "second": other})
    return readable_table(shown, gold=pair.difference is not None)


def compared_models(results: Results) -> tuple[RunPair, ...]:
    """Return the best models of a study that have answered in pairs, naive ones left out where there are others."""
    answered = [row for row in results.models if row.ballots.scored.any()]
    asked = [row for row in answered if row.kind == "model"]
    rows = asked if len(asked) > 1 else answered
    return run_pairs(results.human, rows[:MOST_ROWS])


def matrix(
    rows: Sequence[Respondent],
    pairs: Sequence[RunPair],
    called: Callable[[Respondent], str] = attrgetter("called"),
) -> Table[Mapping[str, Any]]:
    """Return a row and a column for each model: the row's score minus the column's, a star where it is significant."""
    lines: dict[str, dict[str, Any]] = {called(row): {"row": row} for row in rows}
    for pair in pairs:
        one, other = called(pair.first), called(pair.second)
        lines[one][other], lines[other][one] = (pair, 1), (pair, -1)
    compared = [name for name, line in lines.items() if len(line) > 1]
    head: Column[Mapping[str, Any]] = Column("row", "", "", lambda line: line["row"], called)
    others = [Column[Mapping[str, Any]](name, name, "", methodcaller("get", name), matrix_words) for name in compared]
    return Table("", [head, *others], [lines[name] for name in compared])


def matrix_words(compared: tuple[RunPair, int] | None) -> str:
    """Return a difference in points seen from the row, a star where it is significant; "" for a model and itself."""
    if compared is None:
        return ""
    pair, sign = compared
    return f"{points(sign * pair.apart.value + 0.0)}{'*' * pair.significant}" if pair.apart else DASH


def pairs_dict(results: Results) -> list[dict[str, Any]]:
    """Return every two of the best models as `results --json` prints them; those that were right alone are counted."""
    return Table("", PAIRS, compared_models(results)).records


def model_differences(results: Results) -> Table[Sequence[object]]:
    """Return every two of the best models by the task's first metric, and by their agreement with people."""
    scored = [
        (pair.first.name, pair.second.name, results.study.task.primary, pair.difference, pair.p_holm)
        for pair in compared_models(results)
        if pair.difference
    ]
    beside = results.peers.pairs if results.peers else ()
    by_people = [(pair.one, pair.other, "agreement with people", pair.apart, pair.p_holm) for pair in beside]
    return table_of(
        "Models in pairs",
        ("first", "second", "by", "items", "difference", "low", "high", "p_holm"),
        [
            (first, second, by, apart.n, apart.value, *apart.ci, p)
            for first, second, by, apart, p in (*scored, *by_people)
        ],
    )


@dataclass(frozen=True)
class Spread:
    """The primary metric for each prompt, by its number; the standard deviation is of a sample (n - 1).

    `languages` are those in which the prompts are written.
    """

    metric: str
    values: tuple[float, ...]
    languages: tuple[Language, ...]

    def as_dict(self) -> dict[str, object]:
        """Return it as `run --prompt-variants --json` prints it."""
        return {
            "metric": self.metric,
            "values": list(self.values),
            "mean": mean(self.values),
            "sd": stdev(self.values) if len(self.values) > 1 else None,
            "min": min(self.values),
            "max": max(self.values),
            "languages": list(self.languages),
            "note": mixed_words(self.languages),
        }

    def text(self) -> str:
        """Return it for a terminal."""
        each = ", ".join(f"{number}: {value:.3f}" for number, value in enumerate(self.values))
        apart = f" (sd {stdev(self.values):.3f})" if len(self.values) > 1 else ""
        ends = f"{min(self.values):.3f} to {max(self.values):.3f}"
        mixed = mixed_words(self.languages)
        sentence = f"{self.metric} by prompt: {each}; mean {mean(self.values):.3f}{apart}, {ends}"
        return f"{sentence}; {mixed}" if mixed else sentence


def spread(session: Session, *, study: Study, runs: Sequence[Run]) -> Spread | None:
    """Return the score of each run, in the order of the prompts, on what it answered; None without any gold."""
    human = human_baseline(session, study=study, rules=PanelRules())
    values = []
    for run in runs:
        said = model_ballots(frames.predictions(session, run_id=run.id), human, run)
        scores = score((study.task.primary,), human.panel.gold, said)
        if study.task.primary not in scores:
            return None
        values.append(scores[study.task.primary].value)
    asked = ((variant_of(run.settings), language_asked(run.settings)) for run in runs)
    return Spread(
        study.task.primary, tuple(values), tuple(template_language(study.task, *template) for template in asked)
    )
