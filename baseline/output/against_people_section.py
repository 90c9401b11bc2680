"""How each model stands to people: the adjusted difference, equivalence, and the alternative-annotator test."""

from dataclasses import replace

from markupsafe import Markup

from baseline.comparison.against_people_table import against_people_notes, against_people_table, both_note
from baseline.comparison.results import Results
from baseline.output.html import drawn_with
from baseline.output.page_numbers import difference_title, p_words
from baseline.output.score_table import CLASSES
from data.numbers import points_interval


def draw_against_people(results: Results) -> Markup:
    """Return the table of how each model stands to people, with shorter titles, and its notes."""
    titles = {"equivalence": f"equivalent to these people (Holm){results.human.void}", "alternative": "winning rate"}
    both = both_note(results)
    return drawn_with(
        "against_people.html",
        against_people=replace(against_people_table(results, "page").titled(titles), caption=""),
        kinds=CLASSES,
        titled=difference_title,
        between=points_interval,
        p_words=p_words,
        both=both,
        notes=[note for note in against_people_notes(results) if note != both],
    )
