"""The price list: what the tokens of each model cost."""

import math
from collections.abc import Mapping
from pathlib import Path

from baseline.models.purse import Price
from data.errors import BadFile
from data.files.toml_files import read_toml

DEFAULT = Path(__file__).parent / "prices.toml"


def read_prices(path: Path = DEFAULT) -> dict[str, Price]:
    """Return the price of each model that a list names, by its name after the provider's; raises BadFile."""
    values = read_toml(path, f"see {DEFAULT.name} for how a price list is written")
    models = values.get("models", {})
    if not isinstance(models, dict):
        raise BadFile(f'{path.name}: prices stand in tables [models."NAME"]; see {DEFAULT.name}')
    currency = str(values.get("currency", "USD"))
    return {name: _price(path, name, given, currency) for name, given in models.items()}


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
    discount = given.get("batch_discount", 0) if isinstance(given, dict) else 0
    if isinstance(discount, bool) or not isinstance(discount, int | float) or not 0 <= discount <= 1:
        raise BadFile(f"{path.name}: the batch_discount of {name!r} is {discount!r}; it is a share from 0 to 1")
    return Price(good[0], good[1], currency, float(discount))
