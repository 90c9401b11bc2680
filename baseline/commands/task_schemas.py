"""The JSON Schemas of task files and of family.toml, with the names that there are of everything they name."""

from typing import Any

from data.catalogue.task_schema import family_schema, task_schema
from data.generators import GENERATORS
from data.submissions import FORMATS
from eval.metrics.table import METRICS


def schema(*, of_family: bool) -> dict[str, Any]:
    """Return the schema of a task file, or of `family.toml`."""
    return family_schema(METRICS, GENERATORS, FORMATS) if of_family else task_schema(METRICS)
