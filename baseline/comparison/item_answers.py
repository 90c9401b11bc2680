"""One item with everybody's answers: who voted what, how that became one answer, gold, experts, each model's reply."""

from collections.abc import Mapping
from dataclasses import dataclass

from baseline.comparison.item_index import AnswerReader, ItemIndex, RespondentAnswer, item_rows
from baseline.comparison.results import Results
from baseline.human.deidentified import names_of
from data.errors import UnknownName
from data.task import Item
from db.engine import Session
from db.item_lookup import Vote, main_item, votes_on
from db.records import Decision, Report, decisions_on, list_reports

NAMED = 20  # ids that a sentence about an unknown one is compared with


@dataclass(frozen=True)
class ItemVote:
    """One judgment as the page shows it: under which name, in which words, whether right, and what became of it."""

    worker: str
    words: str
    right: bool | None
    vote: Vote
    counted: bool
    why: str


@dataclass(frozen=True)
class ItemAnswers:
    """One item of a study, counted from 1 by `place`, with all that is known of it.

    `votes` counts the kept judgments by answer, `status` is the consensus's, `crowd` the people's one answer. `doubt`
    is how sure it is that most people contradict the gold, None where they do not. `before` and `after` are its
    neighbours among the items selected, "" at the ends.
    """

    item: Item
    place: int
    votes: Mapping[str, int]
    status: str
    one_answer: RespondentAnswer
    judgments: tuple[ItemVote, ...]
    models: tuple[RespondentAnswer, ...]
    decisions: tuple[Decision, ...]
    decided: tuple[str, ...]
    reports: tuple[Report, ...]
    doubt: float | None
    before: str = ""
    after: str = ""


def item_answers(
    session: Session, *, results: Results, index: ItemIndex, item: str, selected: list[str]
) -> ItemAnswers:
    """Return one item between its neighbours among the `selected`; raises UnknownName for one that is not there."""
    study = results.study
    stored = main_item(session, study=study, id=item)
    if stored is None:
        raise UnknownName("the item", item, index.items[:NAMED])
    (view,) = item_rows(session, study=study, results=results, index=index, items=[item])
    doubt = float(index.doubted[view.place - 1])
    before, after = neighbours(selected, item)
    decisions = tuple(decisions_on(session, study=study, item_key=stored.key))
    answer, language = study.task.answer_for(stored.item.fields), study.settings.language
    return ItemAnswers(
        item=stored.item,
        place=view.place,
        votes=view.votes,
        status=view.status,
        one_answer=view.one_answer,
        judgments=_judgments(session, results, stored.key, AnswerReader(study.task, stored.item, language)),
        models=view.models,
        decisions=decisions,
        decided=tuple(answer.words(decision.label, stored.item.fields).within(language) for decision in decisions),
        reports=tuple(list_reports(session, study=study, item_key=stored.key)),
        doubt=None if doubt != doubt else doubt,
        before=before,
        after=after,
    )


def neighbours(selected: list[str], item: str) -> tuple[str, str]:
    """Return the items before and after this one; both "" for an item that is not among the selected."""
    if item not in selected:
        return "", ""
    place = selected.index(item)
    return (selected[place - 1] if place else ""), (selected[place + 1] if place + 1 < len(selected) else "")


def _judgments(session: Session, results: Results, item_key: int, asked: AnswerReader) -> tuple[ItemVote, ...]:
    panel, item = results.human.panel, asked.item
    called = names_of(results.study, panel)
    answer = asked.task.answer_for(item.fields)
    judgments = []
    for vote in votes_on(session, study=results.study, item_key=item_key):
        words = answer.words(vote.label, item.fields).within(asked.language)
        gold = None if answer.measured else item.gold
        right = answer.right(vote.label, gold, item.fields) if gold is not None else None
        why = _left_out(vote, vote.worker in panel.excluded)
        judgments.append(ItemVote(called.get(vote.worker, "left out"), words, right, vote, not why, why))
    return tuple(sorted(judgments, key=lambda judgment: not judgment.counted))


def _left_out(vote: Vote, excluded: bool) -> str:
    """Return why a judgment is not among the kept ones, "" for one that is."""
    if vote.status == "void":
        return f"void: {vote.reason}" if vote.reason else "void"
    if vote.status != "counted":
        return "more than were wanted"
    return "the worker is excluded" if excluded else ""
