"""What every generator of long items does: a question and a text of so many words become a record of LIBRA's form."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel

from data.declared import asked_in, settings_of
from data.errors import BadSetting

Record = Mapping[str, object]
Draw = Callable[[Random, int], Record]
FERTILITY = 3.0
"""Tokens a word of Russian makes: LIBRA (section 3.3) measured 2.8 over its tokenizers and divides its data with 3."""
THOUSAND = 1_000
SHORTEST, LONGEST = 300, 1_000_000
LOOSEST, TIGHTEST = 1.0, 10.0
asked = asked_in(Path(__file__).with_name("settings.toml"))


class GeneratorSettings(BaseModel):
    """How items are made beside their lengths and number. `background` and `dialogues` are files to make them from."""

    seed: int = asked("seed", 0)
    fertility: float = asked("fertility", FERTILITY)
    background: Path | None = asked("background", None)
    dialogues: Path | None = asked("dialogues", None)
    as_published: bool = asked("as_published", False)

    @property
    def files(self) -> dict[str, Path]:
        """The files that are given, by the names of their options."""
        named = {"background": self.background, "dialogues": self.dialogues}
        return {name: file for name, file in named.items() if file}


GENERATOR_SETTINGS = settings_of(GeneratorSettings)


@dataclass(frozen=True)
class Generator:
    """How the items of a task are made.

    `draw` takes a source of chance and a number of words and returns a record of at most so many: `context, input,
    positive_outputs, negative_outputs` and whatever else is known of it. It draws the question before the text, so that
    the same source gives the same question at every length. `as_published` follows the published recipe to the letter
    where `draw` does better for people. `others` take turns with `draw`, so that the kinds of items are balanced.
    `made_from` gives, by the name of an option, what the draws take by name of a file of the user's; it raises BadFile.
    """

    draw: Draw
    as_published: Draw | None = None
    others: tuple[Draw, ...] = ()
    made_from: Mapping[str, Callable[[Path], Mapping[str, Any]]] = field(default_factory=dict)

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws that take turns."""
        return (self.draw, *self.others)


def lengths_of(text: str) -> dict[str, int]:
    """Return the lengths in "4k,8k,500"; k is a thousand tokens, so that 4k fits a window of 4,096.

    Raises BadSetting for what is no length, stands there twice or is out of bounds.
    """
    lengths: dict[str, int] = {}
    for label in (part.strip().lower() for part in text.split(",")):
        if not re.fullmatch(r"[1-9]\d{0,6}k?", label, re.ASCII):
            raise BadSetting(f"--lengths: {label!r} is not a length; write them like 4k,8k,128k")
        tokens = int(label.removesuffix("k")) * (THOUSAND if label.endswith("k") else 1)
        if not SHORTEST <= tokens <= LONGEST:
            raise BadSetting(f"--lengths: {label!r} is out of bounds; use {SHORTEST} to {LONGEST // THOUSAND}k tokens")
        if tokens in lengths.values():
            raise BadSetting(f"--lengths: {label!r} stands there twice; give each length once")
        lengths[label] = tokens
    return lengths


def records(
    name: str,
    draws: Draw | Sequence[Draw],
    *,
    lengths: Mapping[str, int],
    per_length: int,
    seed: int,
    fertility: float = FERTILITY,
) -> Iterator[Record]:
    """Return `per_length` records for every length, made one by one; words x `fertility` are its tokens, or just below.

    The same arguments give the same records, and a record does not depend on how many others are asked for. The n-th
    records of all lengths ask the same question and share their `family`. Of several draws each makes one of as many
    records in a row. Raises BadSetting.
    """
    if not LOOSEST <= fertility <= TIGHTEST:
        raise BadSetting(f"--fertility: {fertility:g} tokens a word is out of bounds; use {LOOSEST:g} to {TIGHTEST:g}")
    if per_length < 1:
        raise BadSetting(f"--per-length: {per_length} makes no items; use 1 or more")
    return _made(name, (draws,) if callable(draws) else tuple(draws), lengths, per_length, seed, fertility)


def _made(
    name: str, draws: Sequence[Draw], lengths: Mapping[str, int], per_length: int, seed: int, fertility: float
) -> Iterator[Record]:
    for length, tokens in lengths.items():
        for number in range(1, per_length + 1):
            family = f"{name.rpartition('/')[2]}-{seed}-{number}"
            draw = _whose_turn(draws, f"{name} {seed}", number)
            made = draw(Random(f"{name} {seed} {number}"), int(tokens / fertility))
            yield {"id": f"{family}-{length}", **made, "length": length, "family": family}


def _whose_turn(draws: Sequence[Draw], series: str, number: int) -> Draw:
    """Return the draw that makes a record: in every round each of them has one turn, in an order left to chance."""
    rounds, place = divmod(number - 1, len(draws))
    return Random(f"{series} round {rounds}").sample(draws, len(draws))[place]


def as_line(record: Record) -> str:
    """Return a record as a line of JSONL."""
    return json.dumps(record, ensure_ascii=False) + "\n"
