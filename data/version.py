"""Which version this is: of the program, as pyproject.toml has it, and of the figures that it computes."""

PROGRAM = "0.1.0"
