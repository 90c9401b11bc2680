"""The items of a study one by one: how people voted, what each model answered, and which golds are doubted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from baseline.comparison.document import Section
from baseline.comparison.results import Respondent, Results, distance_from_people
from baseline.human.baseline import names_of
from data.errors import BadSetting, UnknownName, look_up
from data.numbers import DASH, percent
from data.tables import Column, Table
from data.task import Item, Task
from data.wording import Language
from db.engine import Session
from db.item_lookup import Vote, main_item, main_items, main_order, replies, votes_on
from db.items import StoredItem
from db.records import Decision, Report, list_decisions, list_reports
from db.runs import Prediction
from eval.arrays import Floats, Integers, Mask
from eval.ballots import Ballots
from eval.gold_errors import ERRORS, GoldErrors, gold_errors
from eval.metrics.table import metric_named
from eval.tally import credit_of

LEVEL_SHOWN = 3  # of many level answers
ACCURACY = metric_named("accuracy")
SHOWS = ("all", "split", "people", "model", "apart", "unparsable", "reported", "gold")
"""Which items: every one; where people differ; only people right; only the model right; the model apart from
what people say, where it is farthest first; no readable answer from it; those in which workers have found something
wrong; those whose gold is probably wrong, the most probable first."""
PAIR_SHOWS = ("first", "second")
"""Which items of two models: those on which just the first is right, and just the second."""
SILENT = {
    "unparsable": "no readable answer",
    "refused": "refused to answer",
    "truncated": "cut off",
    "error": "error, no reply",
    "missing": "not asked",
    "unlogged": "not in its log",
}
"""Why an item has no answer of a model, by the status of its reply."""
ORDERS = ("", "gold")
"""How items are sorted: as the study has them, or by how probably their gold is wrong."""


@dataclass(frozen=True)
class ItemChoice:
    """Which items a list shows (one of SHOWS), the model it sets beside people, how it is sorted (one of ORDERS).

    With an `other` model it may show one of PAIR_SHOWS too.
    """

    show: str = SHOWS[0]
    model: str | None = None
    order: str = ORDERS[0]
    other: str | None = None


@dataclass(frozen=True, eq=False)
class ItemIndex:
    """All main items in the order of the study, and for each of them (N,) what a look at it may be for.

    `split`: people gave different answers. `people` and `models`: the share of its answer to each item that is right
    (the crowd's consensus; each model by name), NaN where there is no gold or nothing is scored. `apart`: how far each
    model is from people, 0 to 1, NaN where there is nothing to compare. `silent`: the model
    replied, but nothing could be read in it. `reported`: a worker has found something wrong with it. `golds`: what
    people and models say against each gold of the panel. `rows` are the items' places in the panel and in every ballot.
    """

    results: Results
    items: tuple[str, ...]
    split: Mask
    people: Floats
    models: dict[str, Floats]
    apart: dict[str, Floats]
    silent: dict[str, Mask]
    reported: Mask
    golds: GoldErrors
    rows: Integers

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each item in all of these, from 0."""
        return {item: place for place, item in enumerate(self.items)}

    @cached_property
    def wrong_gold(self) -> Floats:
        """How probably the gold of each item is wrong, NaN without gold or answers."""
        return np.asarray(self.golds.wrong[self.rows])

    def selected(self, chosen: ItemChoice) -> list[str]:
        """Return the items to show, doubted golds always by doubt; without a model none is right or silent."""
        places = np.flatnonzero(self._mask(chosen, chosen.show))
        if chosen.show == "apart":
            far = self.apart.get(chosen.model or "", np.full(len(self.items), np.nan))
            places = places[np.argsort(-far[places], kind="stable")]
        if "gold" in (chosen.show, chosen.order):
            places = places[np.argsort(-self.wrong_gold[places], kind="stable")]
        return [self.items[place] for place in places.tolist()]

    def counts(self, chosen: ItemChoice) -> dict[str, int]:
        """Return how many items each of SHOWS has, with another model those of PAIR_SHOWS too."""
        shows = (*SHOWS, *PAIR_SHOWS) if chosen.other else SHOWS
        return {show: int(self._mask(chosen, show).sum()) for show in shows}

    def _mask(self, chosen: ItemChoice, show: str) -> Mask:
        nothing, model, other = np.full(len(self.items), np.nan), chosen.model or "", chosen.other or ""
        theirs, others = self.models.get(model, nothing), self.models.get(other, nothing)
        far, further = self.apart.get(model, nothing), self.apart.get(other, nothing)
        if other and np.isnan([theirs, others]).all():  # without gold who is nearer to people counts as right
            theirs, others = (far < further).astype(float), (further < far).astype(float)
        masks: dict[str, Mask] = {
            "all": np.ones(len(self.items), dtype=bool),
            "split": self.split,
            "people": (self.people == 1) & (theirs == 0),
            "model": (self.people == 0) & (theirs == 1),
            "first": (theirs == 1) & (others == 0),
            "second": (theirs == 0) & (others == 1),
            "apart": far > 0,
            "unparsable": self.silent.get(model, np.zeros(len(self.items), dtype=bool)),
            "reported": self.reported,
            "gold": self.wrong_gold > ERRORS,
        }
        return look_up("the choice of items", show, masks)


@dataclass(frozen=True)
class RespondentAnswer:
    """What one respondent says of an item: the words of its answer ("" for none), whether it is right, why not."""

    name: str
    words: str
    right: bool | None
    status: str
    replies: tuple[Prediction, ...] = ()

    @property
    def shown(self) -> str:
        """The answer, or why there is none."""
        return self.words or SILENT.get(self.status, self.status)


@dataclass(frozen=True)
class ItemView:
    """One item as the list shows it. `place` counts the items of the study from 1, `status` is the consensus's."""

    place: int
    item: Item
    votes: dict[str, int]
    status: str
    one_answer: RespondentAnswer
    models: tuple[RespondentAnswer, ...]


@dataclass(frozen=True)
class AnswerReader:
    """One item and the words in which its answers are read."""

    task: Task
    item: Item
    language: Language

    def answered(
        self, name: str, said: Ballots, row: int, raw: tuple[Prediction, ...] = (), *, silent: str = "missing"
    ) -> RespondentAnswer:
        """Return what row `row` of a respondent's ballots says: one answer, level ones, or why there is none.

        `silent` is why where nothing of it was stored.
        """
        fields = self.item.fields
        answer = self.task.answer_for(fields)
        gold = None if answer.measured else self.item.gold
        given = zip(said.named(row), said.weights[row, :-1].tolist(), strict=False)
        labels = [label for label, weight in given if weight > 0]
        words = " / ".join(answer.words(label, fields).within(self.language) for label in labels[:LEVEL_SHOWN])
        words += " / …" if len(labels) > LEVEL_SHOWN else ""
        judged = gold is not None and bool(said.weights[row].any()) and len(labels) < 2
        right = any(answer.right(label, gold, fields) for label in labels) if gold is not None and judged else None
        silent = raw[0].status if raw else silent
        return RespondentAnswer(name, words, right, "tied" if len(labels) > 1 else "ok" if labels else silent, raw)


def item_index(session: Session, results: Results) -> ItemIndex:
    """Return what the items of a study may be chosen by."""
    study, panel = results.study, results.panel
    order = main_order(session, study=study)
    votes = panel.votes
    place = {item: row for row, item in enumerate(votes.items)}
    rows = np.array([place[item] for item in order], dtype=np.int64)
    models = model_rows(results)
    people = panel.consensus.ballots
    # Of a closed list each answer is worth the same whoever gave it: looked up once for all.
    shared = credit_of(ACCURACY, panel.gold, people) if people.names is None else None
    known = np.fromiter(map(panel.gold.__contains__, votes.items), dtype=bool, count=len(votes.items))
    reported = {report.item for report in list_reports(session, study=study) if report.role == "main"}
    return ItemIndex(
        results=results,
        items=tuple(order),
        split=np.asarray((votes.counts > 0).sum(axis=1) > 1)[rows],
        people=share_right(people, panel.gold, known, shared)[rows],
        models={
            row.name: share_right(row.ballots, panel.gold, known, _fits(row.ballots, people, shared))[rows]
            for row in models
        },
        apart={row.name: distance_from_people(results.human, row.ballots)[rows] for row in models},
        silent={row.name: np.asarray(row.ballots.weights[:, -1] == 1)[rows] for row in models},
        reported=np.array([item in reported for item in order], dtype=bool),
        golds=gold_errors_of(results),
        rows=rows,
    )


def model_rows(results: Results) -> list[Respondent]:
    """Return the models of a table, the naive ones after the others, those without an answer last."""
    return sorted(results.models, key=lambda row: (not row.ballots.scored.any(), row.kind == "naive"))


def item_rows(
    session: Session, index: ItemIndex, items: Sequence[str], models: Sequence[str] | None = None
) -> list[ItemView]:
    """Return these items with their votes and the answers of `models`, None being every one.

    Only their texts and replies are read.
    """
    results, study = index.results, index.results.study
    stored_items = main_items(session, study=study, ids=items)
    panel, models_of = results.panel, [r for r in model_rows(results) if models is None or r.name in models]
    runs = {row.name: row.run.id for row in models_of if row.run}
    given = replies(session, study=study, run_ids=runs.values(), ids=items)
    views = []
    for name in items:
        place, item = index.places[name], stored_items[name]
        row = int(index.rows[place])
        asked = AnswerReader(study.task, item, study.settings.language)
        views.append(
            ItemView(
                place=place + 1,
                item=item,
                votes=dict(zip(panel.votes.named(row), panel.votes.counts[row].tolist(), strict=False)),
                status=str(panel.consensus.status[row]),
                one_answer=asked.answered("human:majority", panel.consensus.ballots, row),
                models=tuple(
                    asked.answered(
                        m.name,
                        m.ballots,
                        row,
                        given.get((runs.get(m.name, 0), name), ()),
                        silent="unlogged" if m.origin else "missing",
                    )
                    for m in models_of
                ),
            )
        )
    return views


def _fits(said: Ballots, others: Ballots, worth: Floats | None) -> Floats | None:
    """Return what answers are worth to `others` where the columns of both stand for the same, else None."""
    return worth if said.names is None and said.items == others.items and said.labels == others.labels else None


def share_right(
    said: Ballots, gold: Mapping[str, str], known: Mask | None = None, worth: Floats | None = None
) -> Floats:
    """Return how much of each item's ballot is right, NaN where no gold is `known` (N,) or nothing is scored."""
    if known is None:
        known = np.fromiter(map(gold.__contains__, said.items), dtype=bool, count=len(said.items))
    answers = said.weights.sum(axis=1)
    scored = known & (answers > 0)
    right = (said.weights[:, :-1] * (credit_of(ACCURACY, gold, said) if worth is None else worth)).sum(axis=1)
    credit = np.full(len(answers), np.nan)
    credit[scored] = (right[scored] / answers[scored]).round(12)
    return credit


NAMED = 20  # ids that a sentence about an unknown one is compared with


@dataclass(frozen=True)
class ItemVote:
    """One judgment as the page shows it: under which name, in which words, whether right, why it does not count."""

    worker: str
    words: str
    right: bool | None
    vote: Vote
    why: str


@dataclass(frozen=True)
class ItemAnswers(ItemView):
    """One item of a study with all that is known of it.

    `doubt` is how probably its gold is wrong, None where that is not above what every gold is taken for. `before` and
    `after` are its neighbours among the items selected, "" at the ends.
    """

    judgments: tuple[ItemVote, ...]
    decisions: tuple[Decision, ...]
    decided: tuple[str, ...]
    reports: tuple[Report, ...]
    doubt: float | None
    before: str = ""
    after: str = ""


def item_answers(session: Session, index: ItemIndex, item: str, selected: list[str]) -> ItemAnswers:
    """Return one item between its neighbours among the `selected`; raises UnknownName for one that is not there."""
    results, study = index.results, index.results.study
    stored = main_item(session, study=study, id=item)
    if stored is None:
        raise UnknownName("the item", item, index.items[:NAMED])
    (view,) = item_rows(session, index, [item])
    wrong = float(index.wrong_gold[view.place - 1])
    before, after = neighbours(selected, item)
    decisions = tuple(list_decisions(session, study=study, item_key=stored.key))
    answer, language = study.task.answer_for(stored.item.fields), study.settings.language
    return ItemAnswers(
        **vars(view),
        judgments=_judgments(session, results, stored),
        decisions=decisions,
        decided=tuple(answer.words(decision.label, stored.item.fields).within(language) for decision in decisions),
        reports=tuple(list_reports(session, study=study, item_key=stored.key)),
        doubt=wrong if wrong > ERRORS else None,
        before=before,
        after=after,
    )


def neighbours(selected: list[str], item: str) -> tuple[str, str]:
    """Return the items before and after this one; both "" for an item that is not among the selected."""
    if item not in selected:
        return "", ""
    place = selected.index(item)
    return (selected[place - 1] if place else ""), (selected[place + 1] if place + 1 < len(selected) else "")


def _judgments(session: Session, results: Results, stored: StoredItem) -> tuple[ItemVote, ...]:
    study, panel, item = results.study, results.panel, stored.item
    called = names_of(study, panel)
    answer = study.task.answer_for(item.fields)
    judgments = []
    for vote in votes_on(session, study=study, item_key=stored.key):
        words = answer.words(vote.label, item.fields).within(study.settings.language)
        gold = None if answer.measured else item.gold
        right = answer.right(vote.label, gold, item.fields) if gold is not None else None
        why = _left_out(vote, vote.worker in panel.excluded)
        judgments.append(ItemVote(called.get(vote.worker, "left out"), words, right, vote, why))
    return tuple(sorted(judgments, key=lambda judgment: judgment.why != ""))


def _left_out(vote: Vote, excluded: bool) -> str:
    """Return why a judgment is not among the kept ones, "" for one that is."""
    if vote.status == "void":
        return f"void: {vote.reason}" if vote.reason else "void"
    if vote.status != "counted":
        return "more than were wanted"
    return "the worker is excluded" if excluded else ""


WRONG_GOLD = (
    "How probably the gold is wrong: everybody's answer weighs by how often that worker or model is right elsewhere; "
    "people's weights add up, all models together weigh as one."
)
CAPTION = f"Golds that may be wrong, those above {ERRORS:.0%}"


@dataclass(frozen=True)
class GoldError:
    """One item: its gold, how probably that is wrong, the answer against it, its votes, the models that give it."""

    item: str
    gold: str
    wrong: float
    alternative: str | None
    votes: Mapping[str, int]
    models: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class GoldErrorList:
    """The golds of a study, the most probably wrong first."""

    results: Results
    rows: tuple[GoldError, ...]

    @property
    def doubtful(self) -> tuple[GoldError, ...]:
        """The golds that answers speak against: those above what every gold is taken for before anybody answers."""
        return tuple(row for row in self.rows if row.wrong > ERRORS)


def gold_errors_of(results: Results) -> GoldErrors:
    """Return how probably each gold of a study is wrong, by its kept people and its models; naive ones say nothing."""
    panel = results.panel
    return gold_errors(panel.votes, list(models_heard(results).values()), panel.gold)


def models_heard(results: Results) -> dict[str, Ballots]:
    """Return the answers of the models that speak for or against the gold, by what they are called."""
    return {row.called: row.ballots for row in results.models if row.kind == "model"}


def models_against(models: Mapping[str, Ballots], golds: GoldErrors, row: int) -> tuple[str, ...]:
    """Return those of the models whose one answer to an item is the one that speaks most against its gold."""
    instead = golds.alternatives[row]
    return tuple(name for name, said in models.items() if instead is not None and _label(said, row) == instead)


def gold_error_list(results: Results) -> GoldErrorList:
    """Return the list of a study; raises BadSetting where it has no gold or nobody has answered."""
    doubted = gold_errors_of(results)
    if not len(doubted.ranked):
        raise BadSetting(
            f"{results.study.name}: no item has both gold by which answers are scored and an answer, so no gold can be "
            "doubted."
        )
    votes, gold, models, rows = results.panel.votes, results.panel.gold, models_heard(results), []
    for row in doubted.ranked.tolist():
        item, instead = votes.items[row], doubted.alternatives[row]
        given = zip(votes.named(row), votes.counts[row].tolist(), strict=False)
        said = models_against(models, doubted, row)
        wrong = float(doubted.wrong[row])
        rows.append(GoldError(item, gold[item], wrong, instead, {label: n for label, n in given if n}, said))
    return GoldErrorList(results, tuple(rows))


def _label(said: Ballots, row: int) -> str | None:
    """Return the one answer of a ballot, None where there is none or several are level."""
    column = int(np.argmax(said.weights[row]))
    single = said.weights[row, column] == 1 and column < len(said.labels)
    return said.named(row)[column] if single else None


def _votes_words(votes: Mapping[str, int]) -> str:
    return ", ".join(f"{label} {n}" for label, n in sorted(votes.items(), key=lambda pair: -pair[1])) or DASH


GOLD_ERRORS: tuple[Column[GoldError], ...] = (
    Column("item", "item", "", lambda row: row.item),
    Column("wrong", "gold wrong", "", lambda row: row.wrong, percent),
    Column("gold", "gold", "", lambda row: row.gold),
    Column("instead", "instead", "", lambda row: row.alternative, lambda answer: answer or DASH),
    Column("votes", "votes", "", lambda row: dict(row.votes), _votes_words),
    Column("models", "models for it", "", lambda row: list(row.models), lambda names: ", ".join(names) or DASH),
)


def gold_error_section(doubted: GoldErrorList, most: int) -> Section:
    """Return the first of the golds that may be wrong, without models where the study has none; no table of nothing."""
    how = f"{WRONG_GOLD} An order rather than a promise: people's answers are not quite independent."
    if not doubted.doubtful:
        none = (
            f"No gold is listed: none of {len(doubted.rows)} is more probably wrong than the {ERRORS:.0%} that every "
            "gold is taken for before anybody answers."
        )
        return Section(notes=(how, none))
    heard = bool(models_heard(doubted.results))
    columns = [column for column in GOLD_ERRORS if heard or column.key != "models"]
    return Section(notes=(how,), tables=(Table(CAPTION, columns, doubted.doubtful[:most]),))


def _votes_against(row: GoldError) -> str:
    return f"{row.votes.get(row.alternative or '', 0)} of {sum(row.votes.values())} votes"


def released_gold_errors(doubted: GoldErrorList) -> Table[GoldError]:
    """Return the list as it may be published: items, probabilities and votes, but no gold."""
    columns: list[Column[GoldError]] = [
        *GOLD_ERRORS[:2],
        Column("against", "against it", "", _votes_against),
        Column("models", "models against it", "", lambda row: len(row.models)),
    ]
    return Table(CAPTION, columns, doubted.doubtful)


def gold_error_dict(doubted: GoldErrorList) -> dict[str, Any]:
    """Return the whole list in the shape of `gold-errors --json`."""
    return {"study": doubted.results.study.name, "items": Table("", GOLD_ERRORS, doubted.rows).records}
