"""The settings of a study, declared once: how it collects, and how its human baseline is computed.

A setting is one field; forms, `--set`, documentation and lists of events have it from there.
"""

from data.declared import Asked, setting, settings_of
from data.human_rules import RESULTS, StudyRules
from db.collection_settings import CollectionSettings
from db.promises import ANYHOW
from db.study_description import StudyDescription


class StudySettings(StudyRules, StudyDescription, CollectionSettings):
    """How a study collects, how its human baseline is computed, and what models are held to beside it."""

    margin: float | None = setting(
        Asked(RESULTS, new_row=True, change=ANYHOW, imported=True),
        None,
        "Equivalence margin",
        "0.05: within 5 points of people counts as equal. Choose it before you see scores. Empty: no verdict",
        gt=0,
        le=1,
    )
    epsilon: float = setting(
        Asked(RESULTS, new_row=True, change=ANYHOW, imported=True),
        0.1,
        "Margin of the alternative-annotator test",
        "The advantage a model gets because it is cheaper than a person. 0.1 for a crowd, 0.15 for skilled annotators, "
        "0.2 for experts",
        ge=0,
        lt=1,
    )
    public_gold: str = setting(
        Asked(RESULTS, change=ANYHOW, afterwards=True, imported=True),
        "",
        "Right answers are public",
        "Say where and since when: models may have learned them. Empty: as the task says. no: not public",
        max_length=200,
    )
    counts: bool = setting(
        Asked(RESULTS, change=ANYHOW, afterwards=True, imported=True),
        False,
        "Counts for its task",
        "Use this study of the task on the overview and in totals. If none is marked, the newest with answers counts",
    )


SETTINGS = settings_of(StudySettings)
"""What requesters set, by name; the rules on workers have a form and a table of their own."""
