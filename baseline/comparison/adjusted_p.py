"""P-values of models' differences from people, adjusted over the models of a table: one rule for every page."""

from collections.abc import Sequence

from baseline.comparison.results import Respondent
from eval.comparison.difference import holm


def adjusted_p(models: Sequence[Respondent], *, one_person: bool = False) -> dict[str, float | None]:
    """Return Holm's p of each model's difference, by its name; naive baselines are adjusted for one another alone.

    From people's one answer, or from the average person (`one_person`). None is no test.
    """
    apart = [row.vs_person if one_person else row.vs_human for row in models]
    adjusted = holm([each.p if each else None for each in apart], [row.kind for row in models])
    return dict(zip((row.name for row in models), adjusted, strict=True))
