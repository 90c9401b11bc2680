"""Options of commands that are made of declared settings: one of its own for those that have it, `--set` for all."""

from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter
from typing import Annotated

import typer

from data.commands.options import Command, with_parameters
from data.declared import Setting, shortened
from data.errors import BadSetting, UnknownName

Set = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any other setting.")]


def with_options(settings: Mapping[str, Setting]) -> Callable[[Command], Command]:
    """Give a command, which takes `**given`, the options of these settings before those that it takes by name only.

    What was not typed is None.
    """
    return with_parameters([_option(setting) for setting in settings.values() if setting.asked.option])


def named_values(settings: Mapping[str, Setting], options: Iterable[str]) -> dict[str, str]:
    """Return what `--set NAME=VALUE` options say; raises BadSetting, UnknownName."""
    named: dict[str, str] = {}
    for option in options:
        name, equals, value = option.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise BadSetting(f"--set {option!r}: write the setting, '=' and its value")
        if name not in settings:
            raise UnknownName("the setting", name, settings)
        named[name] = value
    return named


def _option(setting: Setting) -> Parameter:
    default = setting.asked.placeholder if setting.default is None else setting.default
    words = "" if setting.kind is bool or default in ("", {}) else f" [default: {shortened(default)}]"
    switched = f"{setting.asked.option}/--no-{setting.name.replace('_', '-')}"
    name = switched if setting.kind is bool else setting.asked.option
    option = typer.Option(name, help=f"{setting.sentence}{words}")
    kind = Annotated[setting.kind | None, option]  # type: ignore[name-defined]
    return Parameter(setting.name, Parameter.KEYWORD_ONLY, default=None, annotation=kind)
