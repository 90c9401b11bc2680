"""The options of commands: shared ones, and those made of declared settings; `--set` gives all others."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import Parameter, signature
from typing import Annotated, Any, TypeVar, get_origin

import typer

from data.declared import Model, Setting, quoted, settings_of, shortened, validated
from data.errors import BadSetting, look_up

Command = TypeVar("Command", bound=Callable[..., None])
BY_COMMAND = "command line"
"""Who does what a command does."""
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


Set = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any other setting.")]


def with_options(settings: Mapping[str, Setting], *, both_ways: bool = True) -> Callable[[Command], Command]:
    """Give a command, which takes `**given`, the options of these settings before those that it takes by name only.

    What was not typed is None. Switches can be typed `both_ways`, which matters where something else may be stored.
    """
    asked = [setting for setting in settings.values() if setting.asked.option]
    return with_parameters([_option(setting, both_ways=both_ways) for setting in asked])


def read_options(model: type[Model], given: Mapping[str, Any], **known: Any) -> tuple[Model, dict[str, Any]]:
    """Return a model of the options that were typed of it and of what is `known`, and what else was given.

    Raises BadSetting with the option as it was typed.
    """
    settings = settings_of(model)
    typed = {name: value for name, value in given.items() if name in settings and value not in (None, [])}
    made = validated(model, known | typed, lambda name, value: f"{settings[name].asked.option} {quoted(value)}")
    return made, {name: value for name, value in given.items() if name not in settings}


def named_values(settings: Mapping[str, Setting], options: Iterable[str]) -> dict[str, str]:
    """Return what `--set NAME=VALUE` options say; raises BadSetting, UnknownName."""
    named: dict[str, str] = {}
    for option in options:
        name, equals, value = option.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise BadSetting(f"--set {option!r}: write the setting, '=' and its value")
        look_up("the setting", name, settings)
        named[name] = value
    return named


def option_help(setting: Setting, *, stored: bool = False) -> str:
    """Return what `--help` says of a setting's option: what it is, its bounds, whether it is typed several times.

    The default is left out where what is `stored` stands in its place.
    """
    default = setting.asked.placeholder if setting.default is None else setting.default
    said = not stored and setting.kind is not bool and default not in ("", {}, ())
    parts = (
        "may be repeated" if get_origin(setting.kind) is list else "",
        "separated by commas" if isinstance(setting.default, tuple) and setting.kind is str else "",
        setting.limits if setting.kind in (int, float) else "",
        f"default: {shortened(default)}" if said else "",
    )
    words = "; ".join(filter(None, parts))
    return f"{setting.sentence} [{words}]" if words else setting.sentence


def _option(setting: Setting, *, both_ways: bool) -> Parameter:
    switched = f"{setting.asked.option}/--no-{setting.name.replace('_', '-')}"
    name = switched if setting.kind is bool and both_ways else setting.asked.option
    kind = Annotated[setting.kind | None, typer.Option(name, help=option_help(setting))]  # type: ignore[name-defined]
    return Parameter(setting.name, Parameter.KEYWORD_ONLY, default=None, annotation=kind)
