"""The options that commands share, and how a command gets options that are declared elsewhere."""

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from typing import Annotated, TypeVar

import typer

Command = TypeVar("Command", bound=Callable[..., None])
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def with_parameters(options: Sequence[Parameter]) -> Callable[[Command], Command]:
    """Give a command, which takes `**named`, these options before those that it takes by name only."""

    def take(command: Command) -> Command:
        plain = signature(command).parameters.values()
        first = [parameter for parameter in plain if parameter.kind is Parameter.POSITIONAL_OR_KEYWORD]
        last = [parameter for parameter in plain if parameter.kind is Parameter.KEYWORD_ONLY]
        command.__signature__ = signature(command).replace(parameters=[*first, *options, *last])  # type: ignore[attr-defined]
        return command

    return take
