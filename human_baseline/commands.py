"""The command `reproduce`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from data.commands.options import JSON
from data.console import print_json, print_text
from data.errors import BadSetting
from human_baseline import published


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Of data/sources.toml; none: all.")] = None,
    *,
    folder: Annotated[Path, typer.Option(help="Where downloaded logs are kept.")] = Path("sources"),
    gold: Annotated[
        list[str] | None, typer.Option(metavar="NAME=FILE", help="Right answers of a log that are not public.")
    ] = None,
    as_json: JSON = False,
) -> None:
    """Compute printed human scores anew from the public raw logs behind them, which are downloaded and verified."""
    given = dict(_named(option) for option in gold or ())
    chosen = published.needed([*(names or ()), *given] if names else ())
    for source in chosen.values():
        with typer.progressbar(length=source.size, label=source.title, file=sys.stderr) as bar:
            for arrived in published.download(source, folder):
                bar.update(arrived)
    result = published.reproduce(*chosen, folder=folder, gold=given)
    if as_json:
        print_json({"figures": result.to_frame().reset_index(names="figure").to_dict("records"), "notes": result.notes})
    else:
        print_text(repr(result))


def _named(option: str) -> tuple[str, str]:
    name, equals, file = option.partition("=")
    if not equals:
        raise BadSetting(f"--gold {option!r:.80}: write the source, '=' and the file")
    return name, file
