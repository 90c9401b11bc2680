"""The command `human-baseline`: the program's, where what it needs is installed."""

import sys
from pkgutil import resolve_name

PROGRAM = "app:cli"


def main() -> None:
    """Run the program's command line."""
    try:
        program = resolve_name(PROGRAM)
    except ModuleNotFoundError as error:
        sys.exit(f'The command needs {error.name}; install it: pip install "human-baseline[server]"')
    program()
