"""The drawing of runs by twos on the page of models."""

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


def draw_comparison(found: RunComparison) -> Markup:
    """Return runs by twos: a sentence and a row for each pair, and folded below the items that changed."""
    changed = [(pair, changed_table(pair)) for pair in found.pairs if pair.changed]
    runs = [row.run.id for row in found.rows if row.run]
    said = [pair_sentence(pair, found.metric) for pair in found.pairs]
    notes = [*filter(None, map(settings_words, found.pairs)), *pair_notes(found.pairs)]
    table = pair_table(found.pairs)
    study = found.study.name
    return drawn_with(
        "run_comparison.html", study=study, runs=runs, said=said, notes=notes, table=table, changed=changed
    )
