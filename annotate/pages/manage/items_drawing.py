"""The drawn parts about the items of a study: the table, the reports, one item before an expert."""

from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

from markupsafe import Markup

from annotate.pages.manage.study_drawing import TEMPLATES, rendered
from annotate.requesters.adjudication import Case, ItemLine, ItemTable, is_tied
from data.answers.answer_type import AnswerType
from data.drawing.answer_form import draw_form
from data.limits import LONGEST_NOTE
from data.tables import Column, Table, chosen
from data.task import Task
from data.wording import Language, texts
from db.records import REASONS, REPORTS, Report

ITEMS_SCRIPT, DECIDE_SCRIPT = ((TEMPLATES.parent / f"{name}.js").read_text("utf8") for name in ("items", "decide"))
FILTERS = {
    "all": "All",
    "undecided": "To decide",
    "tied": "Tied",
    "disputed": "Disputed",
    "reported": "Reported",
    "decided": "Decided",
    "suspect": "Suspect decisions",
}
MOST_ANSWERS, LONGEST_ANSWER, LONGEST_TEXT = 4, 48, 90


ITEMS: tuple[Column[Mapping[str, Any]], ...] = (
    Column("item", "item", "", itemgetter("id")),
    Column("votes", "votes", "", itemgetter("shown"), style="start wraps"),
    Column("entropy", "entropy", "", itemgetter("entropy"), "{:.2f}".format),
    Column("judgments", "judgments", "", itemgetter("filled")),
    Column("reports", "reports", "", itemgetter("reports")),
    Column("expert", "expert", "", itemgetter("decision"), style="start wraps"),
    Column("status", "status", "", itemgetter("status")),
)


def draw_items(seen: ItemTable, language: Language) -> Markup:
    """Return a page of the table of items, answers in the language of the study."""
    lines = Table("Items", ITEMS, [_line(seen.task, line, language) for line in seen.lines])
    return rendered("items.html", table=seen, lines=lines, filters=FILTERS)


def draw_reports(reports: list[Report]) -> Markup:
    """Return the list of reports."""
    item, reason, text, worker, at = chosen(REPORTS, "item", "reason", "text", "worker", "reported_at")
    columns = (
        item,
        replace(reason, format=reasons().__getitem__, style="start"),
        replace(text, style="start why"),
        replace(worker, style="start"),
        replace(at, format="{:%-d %b %Y %H:%M}".format),
    )
    return rendered("reports.html", table=Table("Reports, the newest first", columns, reports))


def draw_case(case: Case | None, *, place: int = 0, number: int = 0, show: str = "undecided") -> Markup:
    """Return an item before an expert, the `place`-th (from 0) of `number`; with nothing to decide, what to do."""
    if case is None:
        return rendered("case.html", case=None, show=show)
    asked, fields = case.task.answer_for(case.item.fields), case.item.fields
    given = case.decisions[-1].label if case.decisions else ""
    gold = "" if case.item.gold is None else asked.gold_words(case.item.gold, fields).within(case.language)
    return rendered(
        "case.html",
        case=case,
        place=place,
        number=number,
        form=draw_form(case.task, case.item.public(), case.language, given=given),
        votes=_votes(asked, fields, case.votes, case.language),
        tied=is_tied(case.votes),
        gold=gold,
        reasons=reasons(),
        decisions=_decisions(case, asked),
        show=show,
        longest=LONGEST_NOTE,
    )


def reasons() -> Mapping[str, str]:
    """Return the words for the reasons that workers choose from, by code."""
    words: Mapping[str, str] = texts("en")["skip"]
    return {code: words[code] for code in REASONS}


def _decisions(case: Case, asked: AnswerType) -> list[dict[str, Any]]:
    return [
        {
            "words": answer_words(asked, decision.label, case.item.fields, case.language),
            "who": decision.who,
            "at": f"{decision.decided_at:%-d %b %Y %H:%M}",
            "blind": decision.blind,
            "note": decision.note,
        }
        for decision in case.decisions
    ]


def _votes(
    asked: AnswerType, fields: Mapping[str, str], votes: Mapping[str, int], language: Language
) -> list[dict[str, Any]]:
    most = max(votes.values(), default=0)
    return [
        {"words": answer_words(asked, answer, fields, language), "number": number, "share": round(100 * number / most)}
        for answer, number in votes.items()
    ]


def answer_words(asked: AnswerType, answer: str, fields: Mapping[str, str], language: Language) -> str:
    """Return a stored answer in words."""
    return asked.words(answer, fields).within(language)


def _line(task: Task, line: ItemLine, language: Language) -> dict[str, Any]:
    fields = line.item.fields
    asked, review = task.answer_for(fields), line.review
    ranked = sorted(review.votes.items(), key=lambda vote: (-vote[1], vote[0]))
    shown = [(_short(answer_words(asked, label, fields, language)), number) for label, number in ranked[:MOST_ANSWERS]]
    decision = None if review.decision is None else _short(answer_words(asked, review.decision, fields, language))
    return {
        "id": line.item.id,
        "key": line.key,
        "text": _short(" · ".join(str(value)[:LONGEST_TEXT] for value in fields.values()), LONGEST_TEXT),
        "shown": shown,
        "rest": max(0, len(ranked) - MOST_ANSWERS),
        "entropy": review.entropy,
        "tied": review.tied,
        "reports": review.reports,
        "decision": decision,
        "status": line.status,
        "filled": line.filled,
        "target": line.target,
    }


def _short(words: str, longest: int = LONGEST_ANSWER) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"
