"""What the list of items says: how people voted, what each model answered and whether it is right, which to choose."""

from collections.abc import Mapping
from typing import Any

from baseline.items import Answered, ItemIndex, ItemView, model_rows
from baseline.results import Results
from baseline.score_table import CLASSES
from data.drawing.review import draw_review

PER_PAGE = 20
SILENT = {
    "unparsable": "no readable answer",
    "refused": "refused to answer",
    "truncated": "cut off",
    "error": "error, no reply",
    "missing": "not asked",
}


def item_list(
    results: Results, index: ItemIndex, views: list[ItemView], show: str, model: str | None
) -> dict[str, Any]:
    """Return what the template of the list needs of these items and of the ways to choose."""
    kinds = {row.name: CLASSES[row.kind] for row in results.rows}
    return {
        "show": show,
        "model": model or "",
        "models": [(row.name, called(row.name)) for row in model_rows(results)],
        "chips": _chips(results, index.counts(model), model),
        "views": [_view(view, results, kinds) for view in views],
        "nothing": "There is no such item." if index.items else "The study has no items.",
    }


def called(name: str) -> str:
    """Return what a model is called on a page."""
    return name.removeprefix("model:")


def _chips(results: Results, counts: Mapping[str, int], model: str | None) -> list[dict[str, Any]]:
    """Return the ways to choose that this study has: without models or gold there are fewer."""
    words = {"all": "All", "split": "People split"}
    if model and results.human.panel.gold:
        words |= {"people": "People right, model wrong", "model": "Model right, people wrong"}
    if model:
        words |= {"unparsable": "No readable answer"}
    return [{"show": show, "words": said, "count": counts[show]} for show, said in words.items()]


def _view(view: ItemView, results: Results, kinds: Mapping[str, str]) -> dict[str, Any]:
    language = results.study.settings.language
    votes = None if view.status == "empty" else view.votes
    return {
        "place": view.place,
        "id": view.item.id,
        "mood": "warn" if view.status in ("tied", "short", "empty") else "",
        "votes": _vote_words(view),
        "drawing": draw_review(results.study.task, view.item, language, votes=votes),
        "models": [_model(answered, kinds[answered.name]) for answered in view.models],
    }


def _vote_words(view: ItemView) -> str:
    """Return how people voted in a few words: `unanimous, 5 votes`, `split 4 : 1`, `tied 2 : 2`."""
    given = sorted((n for n in view.votes.values() if n), reverse=True)
    if not given:
        return "no votes yet"
    if len(given) == 1:
        return f"unanimous, {given[0]} vote{'s' if given[0] > 1 else ''}"
    how = {"won": "split", "tied": "tied", "short": "too few votes,"}
    return f"{how.get(view.status, view.status)} {' : '.join(map(str, given))}"


def _model(answered: Answered, kind: str) -> dict[str, Any]:
    verdicts = {True: ("✓ right", "is-right"), False: ("✕ wrong", "is-wrong"), None: ("", "")}
    verdict, mood = verdicts[answered.right]
    return {
        "name": called(answered.name),
        "kind": kind,
        "words": answered.words or SILENT.get(answered.status, answered.status),
        "silent": not answered.words,
        "verdict": "level answers" if answered.status == "tied" else verdict,
        "mood": mood,
        "replies": answered.replies,
    }
