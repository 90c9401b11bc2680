"""A price list in TOML: what a million tokens of each model cost."""

import math
from collections.abc import Mapping
from pathlib import Path

from baseline.runs.prices import Price
from data.errors import BadFile
from data.toml import read_toml

DEFAULT = Path(__file__).parent / "prices.toml"


def read_prices(path: Path = DEFAULT) -> dict[str, Price]:
    """Return the price of each model that a list names, by its name after "openai:"; raises BadFile."""
    values = read_toml(path, f"see {DEFAULT.name} for how a price list is written")
    listed = values.get("models", {})
    if not isinstance(listed, dict):
        raise BadFile(f'{path.name}: prices stand in tables [models."NAME"]; see {DEFAULT.name}')
    currency = str(values.get("currency", "USD"))
    return {name: _price(path, name, given, currency) for name, given in listed.items()}


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """Return the price of a model by its full name, None where the list does not tell it."""
    return prices.get(model.partition(":")[2])


def _price(path: Path, name: str, given: object, currency: str) -> Price:
    numbers = [given.get(key) if isinstance(given, dict) else None for key in ("input", "output")]
    good = [float(n) for n in numbers if isinstance(n, int | float) and not isinstance(n, bool) and 0 <= n < math.inf]
    if len(good) != 2:
        raise BadFile(
            f"{path.name}: the price of {name!r} needs input and output, each a number from 0 on, for a million tokens"
        )
    return Price(good[0], good[1], currency)
