"""A rule has one name, in events that of the settings, and a study stores all numbers of its rules as they hold now."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

STUDY = sa.table("study", sa.column("id", sa.Integer), sa.column("settings", sa.JSON))
EVENT = sa.table("event", sa.column("rule", sa.String))
NAMES = {
    "control_accuracy": "control",
    "too_fast": "fast",
    "constant_answers": "constant",
    "repeating_pattern": "pattern",
    "inattention": "attention",
}
IN_FORCE = {
    "control": {
        "action": "exclude", "test": "posterior", "good": 0.9, "doubt": 0.1, "share": 0.5, "minimum": 10, "window": None
    },
    "trap": {"action": "pause", "items": [], "wrong": 1},
    "fast": {"action": "flag", "seconds": None, "of_median": None, "at_least": 5, "window": 20},
    "constant": {"action": "flag", "share": 0.95, "minimum": 10, "crowd": 0.8},
    "pattern": {"action": "flag", "longest": 4, "share": 0.95, "minimum": 20},
    "disagreement": {"action": "flag", "tail": 0.01, "minimum": 20, "window": 60},
    "copying": {"action": "flag", "share": 0.8, "minimum": 6, "window": 60},
    "skips": {"action": "flag", "in_a_row": 5, "share": 0.5, "window": 20, "minimum": 10},
    "attention": {"action": "flag", "share": 0.5, "window": 20, "minimum": 10},
}  # fmt: skip


def upgrade() -> None:

    connection = op.get_bind()
    for old, new in NAMES.items():
        connection.execute(EVENT.update().where(EVENT.c.rule == old).values(rule=new))
    for key, settings in connection.execute(sa.select(STUDY.c.id, STUDY.c.settings)).all():
        stored = settings.get("quality") or {}
        rules = {name: numbers | stored.get(name, {}) for name, numbers in IN_FORCE.items()}
        for rule in rules.values():
            rule["action"] = "flag" if rule["action"] == "warn" else rule["action"]
        kept = STUDY.update().where(STUDY.c.id == key).values(settings={**settings, "quality": rules})
        connection.execute(kept)
