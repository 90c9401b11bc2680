"""What the list of items says: how people voted, what each model answered and whether it is right, which to choose."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from baseline.comparison.item_index import ItemIndex, ItemView, RespondentAnswer, model_rows
from baseline.comparison.results import Results
from baseline.output.score_table import CLASSES
from data.drawing.review import draw_review

PER_PAGE = 20
LISTED = 6  # different answers of an item whose votes are listed one by one
UNFOLDED = 3  # models whose answers to an item are all in sight; of more, only that of the one compared with
LONGEST = 220  # characters of an answer that are shown at once
RARE = {"reported": "Reported", "gold": "Gold looks wrong"}
SILENT = {
    "unparsable": "no readable answer",
    "refused": "refused to answer",
    "truncated": "cut off",
    "error": "error, no reply",
    "missing": "not asked",
    "unlogged": "not in its log",
}


def item_list(
    results: Results, index: ItemIndex, views: list[ItemView], show: str, model: str | None
) -> dict[str, Any]:
    """Return what the template of the list needs of these items and of the ways to choose."""
    kinds = {row.name: CLASSES[row.kind] for row in results.rows}
    return {
        "show": show,
        "model": model or "",
        "models": [(row.name, row.called) for row in model_rows(results)],
        "chips": _chips(results, index.counts(model), model),
        "views": [_view(view, results, kinds, "" if show == "all" else show, model or "") for view in views],
        "nothing": "There is no such item." if index.items else "The study has no items.",
    }


def address(study: str, **asked: str | int) -> str:
    """Return the link to a view of the items of a study; what is empty is left out."""
    query = {"study": study} | {name: value for name, value in asked.items() if value}
    return f"/items/?{urlencode(query)}"


def _chips(results: Results, counts: Mapping[str, int], model: str | None) -> list[dict[str, Any]]:
    """Return the ways to choose that this study has: without models or gold there are fewer."""
    words = {"all": "All"} if not results.study.task.answer.has_right else {"all": "All", "split": "People split"}
    if model and results.human.panel.gold:
        words |= {"people": "People right, model wrong", "model": "Model right, people wrong"}
    if model and counts["apart"]:
        words |= {"apart": "Model differs from people"}
    if model:
        words |= {"unparsable": "No readable answer"}
    return [{"show": show, "words": said, "count": counts[show]} for show, said in words.items()]


def _view(view: ItemView, results: Results, kinds: Mapping[str, str], show: str, model: str) -> dict[str, Any]:
    language, writing = results.study.settings.language, not results.study.task.answer.has_right
    moods = ("empty",) if writing else ("tied", "short", "empty", "below")
    votes = None if view.status == "empty" else view.votes
    return {
        "place": view.place,
        "id": view.item.id,
        "link": address(results.study.name, item=view.item.id, show=show, model=model),
        "mood": "warn" if view.status in moods else "",
        "votes": _texts_words(view) if writing else vote_words(view.votes, view.status),
        "drawing": draw_review(results.study.task, view.item, language, votes=votes),
        **_folded(sorted(view.models, key=lambda answered: answered.name != model), results, kinds),
    }


def _folded(answers: Sequence[RespondentAnswer], results: Results, kinds: Mapping[str, str]) -> dict[str, Any]:
    """Return what models answered: all of them in sight, or of many the first one and how the others did."""
    models = [_model(answered, results.model_title(answered.name), kinds[answered.name]) for answered in answers]
    if len(models) <= UNFOLDED:
        return {"models": models, "others": [], "others_words": ""}
    right = Counter(answered.right for answered in answers[1:])
    parts = ((right[True], "right"), (right[False], "wrong"), (right[None], "without a verdict"))
    words = ", ".join(f"{number} {how}" for number, how in parts if number)
    return {"models": models[:1], "others": models[1:], "others_words": f"{len(models) - 1} more: {words}"}


def vote_words(votes: Mapping[str, int], status: str) -> str:
    """Return how people voted in a few words: `unanimous, 5 votes`, `split 4 : 1`, `tied 2 : 2`."""
    given = sorted((n for n in votes.values() if n), reverse=True)
    if not given:
        return "no votes yet"
    if len(given) == 1:
        return f"unanimous, {given[0]} vote{'s' if given[0] > 1 else ''}"
    how = {"won": "split", "tied": "tied", "short": "too few votes,", "below": "not agreed on,"}.get(status, status)
    if len(given) > LISTED:
        return f"{how} over {len(given)} answers, {given[0]} at most for one"
    return f"{how} {' : '.join(map(str, given))}"


def _texts_words(view: ItemView) -> str:
    """Return how many people wrote about an item."""
    given = sum(view.votes.values())
    return f"{given or 'no'} answer{'' if given == 1 else 's'}"


def shortened(words: str) -> str:
    """Return the beginning of words that are too long for a line of the list, "" for those that are not."""
    return f"{words[:LONGEST].rsplit(' ', 1)[0]}…" if len(words) > LONGEST * 1.2 else ""


def _model(answered: RespondentAnswer, name: str, kind: str) -> dict[str, Any]:
    verdicts = {True: ("✓ right", "is-right"), False: ("✕ wrong", "is-wrong"), None: ("", "")}
    verdict, mood = verdicts[answered.right]
    return {
        "name": name,
        "kind": kind,
        "words": answered.words or SILENT.get(answered.status, answered.status),
        "short": shortened(answered.words),
        "silent": not answered.words,
        "verdict": "level answers" if answered.status == "tied" else verdict,
        "mood": mood,
        "replies": answered.replies,
    }
