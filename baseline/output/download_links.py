"""The links to the files of a study's results, among them what its leaderboard takes; the page where there is none."""

from urllib.parse import quote

from markupsafe import Markup

from baseline.comparison.results import Results
from baseline.output.rendering import drawn_with
from data.submissions import leaderboard_of


def draw_downloads(results: Results) -> Markup:
    """Return the links to the report of a study, its data, and what its leaderboard takes of people and of each run.

    Where no leaderboard would know the study's items, the reason stands in the place of those links.
    """
    task, name = results.study.task.id, quote(results.study.name, safe="")
    family = leaderboard_of(task)
    senders = [
        (row.name if row.kind != "human" else "human", results.display_name(row))
        for row in results.rows
        if row.name != "human:individual" and row.kind != "naive"
    ]
    return drawn_with(
        "downloads.html",
        address=f"/results-files/{name}",
        leaderboard=family.title if family else "",
        ending="zip" if family is None or family.zipped else "tsv",
        senders=[(quote(sender, safe=""), words) for sender, words in senders] if family else [],
        why_not=family.unknown(results.study.task, results.human.panel.votes.items) if family and senders else "",
    )


def draw_no_file(heading: str, reason: str, *, study: str = "") -> Markup:
    """Return a whole page that says why there is no such file, with the way back to the study or to sign in."""
    address, words = f"/results/?study={quote(study, safe='')}", f"← Results of {study}"
    if not study:
        address, words = "/login", "Sign in"
    return drawn_with("no_file.html", heading=heading, reason=reason, address=address, words=words)
