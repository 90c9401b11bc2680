"""A study's human baseline: scores, agreement, rules, quality afterwards, assessors, plans."""
