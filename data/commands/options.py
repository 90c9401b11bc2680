"""The options that commands share."""

from typing import Annotated

import typer

JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
