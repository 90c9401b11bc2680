"""The options that several commands share: which rules turn judgments into one answer, and what is printed."""

from collections.abc import Callable
from inspect import Parameter
from pathlib import Path
from typing import Annotated

import typer

from data.commands.setting_options import option_help
from data.commands.shared_options import Command, with_parameters
from data.human_rules import GOLDS, INTERVALS, TIES, choices_in_words
from db.study_settings import SETTINGS
from eval.consensus.rules import EXPERT, METHODS
from eval.named_rules import NAMED_RULES

ControlMin = Annotated[float | None, typer.Option(help=option_help(SETTINGS["control_min"], stored=True))]
MinVotes = Annotated[int | None, typer.Option(help=option_help(SETTINGS["min_votes"], stored=True))]
Ties = Annotated[str | None, typer.Option(help=f"Ties: {choices_in_words(TIES)}.")]
Consensus = Annotated[
    str | None,
    typer.Option(
        help=f"How judgments become one answer: {', '.join(METHODS)}; {EXPERT}: {METHODS[EXPERT].explanation}."
    ),
]
Gold = Annotated[str | None, typer.Option(help=f"The right answer: {choices_in_words(GOLDS)}.")]
Report = Annotated[Path | None, typer.Option(help="Write the baseline report: a file in .md, .html or .tex.")]
Interval = Annotated[
    str | None,
    typer.Option(help=f"What intervals of people hold for, where that can be computed: {choices_in_words(INTERVALS)}."),
]
Rules = Annotated[
    str | None,
    typer.Option(help=f"Published rules, instead of the study's: {', '.join(NAMED_RULES)}. Other options change them."),
]
AllowedShare = Annotated[
    float | None,
    typer.Option(
        help="With --rules mera: the share of items that may be below its agreement, 0.1 is 10%; above it the "
        "baseline is void, without it there is no verdict."
    ),
]
Seed = Annotated[int | None, typer.Option(help="Seed of random ties and of resampling.")]
AS_PUBLISHED = "Score as the authors' own script does, traps included"
BY_GROUP = "Add the score on every group of items that the task names"
AsPublished = Annotated[bool, typer.Option("--as-published", help=f"{AS_PUBLISHED}.")]
ByGroup = Annotated[bool, typer.Option("--breakdown", help=f"{BY_GROUP}.")]
RULES = {
    "rules": Rules,
    "control_min": ControlMin,
    "min_votes": MinVotes,
    "ties": Ties,
    "consensus": Consensus,
    "gold": Gold,
    "interval": Interval,
    "allowed_share": AllowedShare,
    "seed": Seed,
}
"""The rules by which judgments become one answer, each with its option."""


def with_rules(*names: str) -> Callable[[Command], Command]:
    """Give a command, which takes `**rules`, the options of these RULES, of all where none is named.

    They stand before those that the command takes by name only. What was not typed is None.
    """
    return with_parameters(
        [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=RULES[name]) for name in names or RULES]
    )
