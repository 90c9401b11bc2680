"""The cost of replies: a price list, and a budget that is never exceeded."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from baseline.models.model import Request
from baseline.models.reply import Reply
from data.errors import BadFile
from data.files.toml_files import read_toml

MILLION = 1_000_000
ROUNDING = 1e-12


@dataclass(frozen=True)
class Price:
    """The price of a million tokens of prompts, of a million tokens of replies, and in what money.

    `batch_discount` is the share by which the same costs less in a batch, 0 where the price list states none.
    """

    input: float
    output: float
    currency: str = "USD"
    batch_discount: float = 0.0

    def in_batches(self) -> "Price":
        """Return the price in a batch."""
        share = 1 - self.batch_discount
        return Price(self.input * share, self.output * share, self.currency)

    def of(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Return the cost of so many tokens."""
        return (prompt_tokens * self.input + completion_tokens * self.output) / MILLION


class Purse:
    """Counts what a run has paid, and lets no request out that might cost more than what is left of `most`.

    What a request may cost at most is its prompt, as its words are reckoned in tokens, and the longest reply.
    """

    def __init__(self, price: Price | None, *, fertility: float, most: float | None = None, spent: float = 0.0) -> None:
        self.price, self.spent, self.most = price, spent, most
        self._fertility, self._set_aside = fertility, 0.0

    @property
    def nothing_pending(self) -> bool:
        """Whether no request that may cost something is under way."""
        return self._set_aside == 0

    def at_most(self, request: Request | None) -> float:
        """Return what a request may cost; 0 where nothing is sent or no price is known."""
        if request is None or self.price is None:
            return 0.0
        return self.price.of(request.prompt.words * self._fertility, request.most)

    def set_aside(self, amount: float) -> bool:
        """Set an amount aside for a request that is sent now; return False where not so much is left."""
        if self.most is not None and self.spent + self._set_aside + amount > self.most:
            return False
        self._set_aside += amount
        return True

    def pay(self, amount: float, request: Request | None, reply: Reply | None) -> float | None:
        """Return what a reply cost, None where no price is known, and free what was set aside for it.

        Nothing was paid for no reply and for an error. A server that states no tokens is taken to have used those that
        the words come to.
        """
        left = self._set_aside - amount
        self._set_aside = left if left > ROUNDING else 0.0
        if request is None or reply is None or reply.status == "error" or self.price is None:
            return None
        prompt, completion = reply.prompt_tokens, reply.completion_tokens
        if prompt is None:
            prompt = round(request.prompt.words * self._fertility)
        if completion is None:
            completion = round(len(reply.text.split()) * self._fertility)
        cost = self.price.of(prompt, completion)
        self.spent += cost
        return cost


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
