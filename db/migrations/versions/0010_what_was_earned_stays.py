"""What an exclusion, or a sitting that was broken off, took from a worker's sums is given back: it was promised."""

from alembic import op

revision = "0010"
down_revision = "0009"

TAKEN = """
    FROM judgment JOIN item ON item.id = judgment.item_id
    WHERE judgment.study_id = enrolment.study_id AND judgment.worker_id = enrolment.worker_id
      AND judgment.status = 'void' AND judgment.reason IN ('worker excluded', 'sitting broken off')"""
GIVE_BACK = f"""
UPDATE enrolment SET
  answers = answers + (SELECT count(*) {TAKEN} AND item.role <> 'training'),
  seconds = seconds + (SELECT coalesce(sum(judgment.seconds), 0) {TAKEN}),
  earned = earned + (SELECT coalesce(sum(judgment.price), 0) {TAKEN})
WHERE EXISTS (SELECT 1 {TAKEN})
"""


def upgrade() -> None:

    op.execute(GIVE_BACK)
