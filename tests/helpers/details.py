"""What `--details` prints of results and of a human baseline."""

from baseline.comparison.results import Results
from baseline.comparison.score_columns import result_notes, result_tables
from baseline.human.detailed_baseline import DetailedBaseline
from baseline.output.report_file import markdown, text
from baseline.output.terminal import human_details


def results_text(results: Results) -> str:
    """Return the details of results as text."""
    return text(result_tables(results), result_notes(results))


def results_markdown(results: Results) -> str:
    """Return the details of results as Markdown."""
    return markdown(result_tables(results), result_notes(results))


def human_text(baseline: DetailedBaseline) -> str:
    """Return the details of a human baseline as text."""
    return "\n".join(human_details(baseline))
