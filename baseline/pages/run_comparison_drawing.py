"""The drawing of runs in pairs on the page of models."""

from markupsafe import Markup

from baseline.comparison.run_pair_tables import (
    changed_table,
    pair_notes,
    pair_sentence,
    pair_table,
    settings_words,
)
from baseline.comparison.run_pairs import RunComparison
from baseline.output.html import drawn_with


def draw_comparison(comparison: RunComparison) -> Markup:
    """Return runs in pairs: a sentence and a row for each pair, and folded below the items that changed."""
    changed = [(pair, changed_table(pair)) for pair in comparison.pairs if pair.changed]
    runs = [row.run.id for row in comparison.rows if row.run]
    said = [pair_sentence(pair, comparison.metric) for pair in comparison.pairs]
    notes = [*filter(None, map(settings_words, comparison.pairs)), *pair_notes(comparison.pairs)]
    table = pair_table(comparison.pairs)
    study = comparison.study.name
    return drawn_with(
        "run_comparison.html", study=study, runs=runs, said=said, notes=notes, table=table, changed=changed
    )
