"""CSV: the scores of a study, a row for each respondent and metric, and those of the overview."""

from baseline.comparison.overview import Overview
from baseline.comparison.overview_columns import score_list
from baseline.comparison.results import Results
from baseline.comparison.score_columns import score_table
from data.table_files import write_table


def results_csv(results: Results) -> bytes:
    """Return a line for each respondent and metric."""
    return write_table(score_table(results, "csv"), "csv")


def overview_csv(overview: Overview) -> bytes:
    """Return a line for each score."""
    return write_table(score_list(overview), "csv")
