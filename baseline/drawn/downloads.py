"""The links to the files of a study's results: its report, its data, and what its leaderboard takes."""

from urllib.parse import quote

from markupsafe import Markup

from baseline.drawn.score_table import row_name
from baseline.drawn.templates_of import drawn_with
from baseline.results import Results
from data.submissions import FAMILIES


def draw_downloads(results: Results) -> Markup:
    """Return the links to the report of a study, its data, and what its leaderboard takes of people and of each run."""
    task, name = results.study.task.id, quote(results.study.name, safe="")
    family = next((one for one in FAMILIES if task in one.files), None)
    senders = [
        (row.name if row.kind != "human" else "human", row_name(row, results.human))
        for row in results.rows
        if row.name != "human:individual" and row.kind != "naive"
    ]
    return drawn_with(
        "downloads.html",
        address=f"/results-files/{name}",
        leaderboard=family.title if family else "",
        ending="zip" if family is None or family.zipped else "tsv",
        senders=[(quote(sender, safe=""), words) for sender, words in senders] if family else [],
    )
