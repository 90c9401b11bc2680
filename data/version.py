"""Which version this is: of the program, as pyproject.toml has it, and of the figures that it computes."""

PROGRAM = "0.2.0"
COMPUTATION = 1
"""Grows with each change by which the same answers and rules give another figure, which the changelog names."""
