"""The item page as HTML: a list that pages and filters, the doubted golds, and one item with everybody's answers."""

from collections.abc import Iterator, Mapping
from functools import partial
from math import ceil
from operator import attrgetter, itemgetter
from typing import Any

from markupsafe import Markup

from baseline.comparison.item_index import (
    PAIR_SHOWS,
    WRONG_GOLD,
    ItemAnswers,
    ItemChoice,
    ItemIndex,
    ItemView,
    ItemVote,
    model_rows,
    models_against,
    models_heard,
)
from baseline.comparison.results import Results
from baseline.output.html import drawn_with
from baseline.output.plots import CLASSES
from baseline.output.study_address import StudyAddress
from data.drawing.answer_form import draw_review
from data.field_text import as_text
from data.numbers import percent
from data.tables import Column, Table
from data.task import Item, Task
from data.wording import in_a_line
from db.runs import Prediction
from eval.ballots import Ballots
from eval.gold_errors import ERRORS

LISTED = 50  # items on a page of the list
VOTED = 6  # different answers of an item whose votes are listed one by one
RARE = {"reported": "Reported", "gold": "Gold may be wrong"}
BEGINNING = 110  # characters of an item's text in the list
BRIEF = 70  # characters of an answer in the list
WORDS = {
    "all": "All",
    "split": "People split",
    "people": "People right, model wrong",
    "model": "Model right, people wrong",
    "apart": "Model differs from people",
    "unparsable": "No readable answer",
    **RARE,
}


def _column(key: str, title: str, style: str = "", about: str = "") -> Column[Mapping[str, Any]]:
    return Column(key, title, about, itemgetter(key), style=style)


BEGINS = (_column("place", "item"), _column("text", "text", "start begins"), _column("votes", "votes", "start"))
PEOPLE, REMARKS = _column("people", "people", "start"), _column("remarks", "remarks")
RULES = {
    "gold": f"Golds above {ERRORS:.0%}, the most probable first. {WRONG_GOLD}",
    "apart": "Sorted by how far {} is from people, the furthest first.",
}
"""By what a list is chosen and sorted."""
WRONG = _column("wrong", "gold wrong", about=WRONG_GOLD)
LISTING = (*BEGINS, PEOPLE, WRONG, REMARKS)
OTHER = _column("other", "{other}", "start")
COMPARED = (*BEGINS, PEOPLE, _column("model", "{model}", "start"), OTHER, WRONG, REMARKS)
AGREEING = _column("against", "models against it", "start said")
TRUTH = (_column("name", ""), _column("words", ""))
VOTES_CAST: tuple[Column[ItemVote], ...] = (
    Column("worker", "worker", "", attrgetter("worker")),
    Column("words", "answer", "", attrgetter("words"), style="start"),
    Column("seconds", "time", "", lambda vote: vote.vote.seconds, lambda s: "" if s is None else f"{s:.0f}\u00a0s"),
)
DOUBTED = (*BEGINS, PEOPLE, _column("gold", "gold", "start"), WRONG, AGREEING)


def draw_list(index: ItemIndex, views: list[ItemView], chosen: ItemChoice, at: StudyAddress) -> Markup:
    """Return one page of the list of items that an address names."""
    results, model, doubted, page = index.results, chosen.model, chosen.show == "gold", at.page
    total = index.counts(chosen)[chosen.show]
    heard = models_heard(results) if doubted else {}
    rows = [_row(view, index, chosen, heard, at.link(item=view.item.id, page=0)) for view in views]
    columns = DOUBTED if doubted else COMPARED if model else LISTING
    absent = (*(() if results.panel.gold else (WRONG,)), *(() if model else (AGREEING,)))
    absent += () if chosen.other else (OTHER,)
    named = {"model": results.model_title(model), "other": results.model_title(chosen.other)}
    shown = [column for column in columns if column not in absent]
    return drawn_with(
        "item_list.html",
        **_frame(index, chosen, at),
        table=Table("", [column.called(**named) for column in shown], rows),
        rule=RULES.get(chosen.show, "").format(results.model_title(model)),
        doubted=doubted,
        brief=partial(in_a_line, longest=BRIEF),
        ordered=doubted or chosen.order == "gold",
        reordered="" if doubted else at.link(order="" if chosen.order else "gold", page=0),
        first=page * LISTED + 1,
        last=min((page + 1) * LISTED, total),
        total=total,
        before=at.link(page=page - 1) if page else "",
        after=at.link(page=page + 1) if page + 1 < ceil(total / LISTED) else "",
        nothing="There is no such item." if index.items else "The study has no items.",
    )


def draw_item(index: ItemIndex, seen: ItemAnswers, chosen: ItemChoice, at: StudyAddress) -> Markup:
    """Return one item with its votes, its golds, every model's replies, and the way to its neighbours."""
    results = index.results
    task, language = results.study.task, results.study.settings.language
    writing = not task.answer.has_right
    votes = None if seen.status == "empty" else seen.votes
    return drawn_with(
        "item_page.html",
        **_frame(index, chosen, at),
        seen=seen,
        total=len(index.items),
        within="" if chosen.show == "all" else _words(chosen.show, chosen, results),
        back=at.link(item=""),
        before=at.link(item=seen.before) if seen.before else "",
        after=at.link(item=seen.after) if seen.after else "",
        votes=vote_words(seen.votes, seen.status),
        split=seen.status != "won" and not writing,
        drawing=draw_review(task, seen.item, language, votes=votes),
        truth=Table("", TRUTH, list(_truth(results, seen))),
        votes_cast=Table("", VOTES_CAST, seen.judgments),
        kinds={row.name: CLASSES[row.kind] for row in results.rows},
        named=results.model_title,
        facts=reply_facts,
        wrong_gold=WRONG_GOLD,
    )


def _frame(index: ItemIndex, asked: ItemChoice, at: StudyAddress) -> dict[str, Any]:
    """Return what stands above both views: the study, the ways to choose, the model that is compared."""
    results, show, model = index.results, asked.show, asked.model
    study, counts = results.study.name, index.counts(asked)
    models = [row.name for row in model_rows(results)]
    gold, several = bool(results.panel.gold), len(models) > 1
    offered = ["all"] if not results.study.task.answer.has_right else ["all", "split"]
    offered += ["people", "model"] if model and gold else []
    offered += [*(["apart"] if counts["apart"] or show == "apart" else []), *(PAIR_SHOWS if asked.other else [])]
    offered += ["unparsable"] if model else []
    offered += [rare for rare in RARE if counts[rare] or rare == show]
    links = {choice: at.link(show="" if choice == "all" else choice, item="", page=0) for choice in offered}
    return {
        "study": study,
        "results": at.to_tab(""),
        "chips": [(at, _words(each, asked, results), counts[each], each == show) for each, at in links.items()],
        "models_offered": [(name, results.model_title(name)) for name in models],
        "others_offered": [(name, results.model_title(name)) for name in models if name != model] if several else [],
        "other": asked.other or "",
        "model": model or "",
    }


def _words(show: str, asked: ItemChoice, results: Results) -> str:
    """Return what a choice of items is called: of two models by their names; without gold people are the standard."""
    two = results.model_title(asked.model), results.model_title(asked.other)
    said = "{} right, {} wrong" if results.panel.gold else "{} nearer to people than {}"
    pairs = {"first": said.format(*two), "second": said.format(*two[::-1])}
    return pairs.get(show) or WORDS[show]


def _row(
    view: ItemView, index: ItemIndex, chosen: ItemChoice, heard: Mapping[str, Ballots], link: str
) -> dict[str, Any]:
    results = index.results
    said = {answered.name: answered for answered in view.models}
    wrong = float(index.wrong_gold[view.place - 1])
    return {
        "place": view.place,
        "link": link,
        "text": beginning(results.study.task, view.item),
        "votes": vote_words(view.votes, view.status),
        "people": view.one_answer,
        "model": said.get(chosen.model or ""),
        "other": said.get(chosen.other or ""),
        "reported": bool(index.reported[view.place - 1]),
        "doubted": wrong > ERRORS,
        "wrong": percent(wrong),
        "gold": in_a_line(_gold(results.study.task, view.item, results.study.settings.language), BRIEF),
        "against": ", ".join(models_against(heard, index.golds, int(index.rows[view.place - 1]))) or "no model",
    }


def beginning(task: Task, item: Item) -> str:
    """Return how an item begins: its first text above the question, in a line; its id where it has none."""
    for field in task.fields:
        if field.above_question and item.fields.get(field.name, "").strip():
            text = item.fields[field.name]
            words = (text if len(text) > 10 * BEGINNING else as_text(field, item.fields)).split()[:30]
            return in_a_line(" ".join(words), BEGINNING)
    return item.id


def _gold(task: Task, item: Item, language: Any) -> str:
    """Return the right answer in words, "" where there is none."""
    if item.gold is None:
        return ""
    return str(task.answer_for(item.fields).gold_words(item.gold, item.fields).within(language))


def _truth(results: Results, seen: ItemAnswers) -> Iterator[dict[str, Any]]:
    """Yield what an item comes to: the votes, the gold, what experts decided, what workers reported."""
    task, language = results.study.task, results.study.settings.language
    line: dict[str, Any] = {"mark": None, "newest": False, "small": ""}
    for place, (name, words) in enumerate([] if not task.answer.has_right else _consensus(results, seen)):
        yield line | {"name": name, "words": words, "mark": None if place else seen.one_answer.right}
    yield line | {"name": "Gold", "words": _gold(task, seen.item, language) or "not known"}
    for place, (decision, words) in enumerate(zip(seen.decisions, seen.decided, strict=True), 1):
        newest = place == len(seen.decisions) > 1
        seeing = "before seeing the votes" if decision.blind else "having seen the votes"
        how = f"{decision.decided_at:%Y-%m-%d %H:%M}, {seeing}"
        small = f"{how}: {decision.note}" if decision.note else how
        yield line | {"name": f"Expert {decision.who}", "words": words, "newest": newest, "small": small}
    for report in seen.reports:
        small = f"{report.reported_at:%Y-%m-%d %H:%M}" + (f": {report.text}" if report.text else "")
        yield line | {"name": "Reported", "words": report.reason.replace("_", " "), "small": small}


def _consensus(results: Results, seen: ItemAnswers) -> list[tuple[str, str]]:
    """Return how the votes became one answer, as pairs of what and what it is."""
    rules, given = results.panel.rules, sum(seen.votes.values())
    most = max(seen.votes.values(), default=0)
    came = {
        "won": f"{rules.consensus}: {most} of {given} kept votes",
        "tied": f"level at {most} of {given} kept votes; the rule for ties is “{rules.ties}”",
        "short": f"{most} of {given} kept votes, and the rule asks for {rules.min_votes}",
        "empty": "no kept vote yet",
        "below": f"given by fewer than {rules.agreement_min or 0:.0%} of {given} kept votes, so it is not scored",
    }
    return [
        ("People’s one answer", seen.one_answer.words or "none"),
        ("How it came", came.get(seen.status, seen.status)),
    ]


def reply_facts(reply: Prediction, of: int) -> str:
    """Return what is known of a reply beside its words, in a line; it is one `of` several samples."""
    facts = [
        f"sample {reply.sample + 1} of {of}" if of > 1 else "",
        f"status {reply.status}",
        f"{reply.seconds:.2f}\u00a0s" if reply.seconds is not None else "",
        f"{reply.prompt_tokens} tokens in" if reply.prompt_tokens is not None else "",
        f"{reply.completion_tokens} tokens out" if reply.completion_tokens is not None else "",
        f"cost {reply.cost:.6f}".rstrip("0").rstrip(".") if reply.cost else "",
        "from an earlier request" if reply.cached else "",
        "text cut to fit" if reply.cut else "",
    ]
    return " · ".join(filter(None, facts))


def vote_words(votes: Mapping[str, int], status: str) -> str:
    """Return how people voted in a few words: `unanimous, 5 votes`, `split 4 : 1`, `tied 2 : 2`."""
    given = sorted((n for n in votes.values() if n), reverse=True)
    if not given:
        return "no votes yet"
    if len(given) == 1:
        return f"unanimous, {given[0]} vote{'s' if given[0] > 1 else ''}"
    how = {"won": "split", "tied": "tied", "short": "too few votes,", "below": "not agreed on,"}.get(status, status)
    if len(given) > VOTED:
        return f"{how} over {len(given)} answers, {given[0]} at most for one"
    return f"{how} {' : '.join(map(str, given))}"
