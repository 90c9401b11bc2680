"""CSV: the scores of the overview."""

from baseline.comparison.overview import Overview
from baseline.comparison.overview_columns import score_list
from data.table_files import write_table


def overview_csv(overview: Overview) -> bytes:
    """Return a line for each score."""
    return write_table(score_list(overview), "csv")
