"""What stands behind a human baseline: assessors, checklists, rules on workers, plans."""
