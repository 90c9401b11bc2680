"""What came back from a model, what became of it, its price, and the purse from which every attempt is paid."""

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from data.errors import BadFile, EtalonError
from data.files.toml_files import read_toml
from db.runs import PredictionStatus

Status = PredictionStatus
KEY_LENGTH = 64
"""Hexadecimal digits of the key of a request."""


@dataclass(frozen=True)
class Reply:
    """What came back. With the status `error` the text is the reason; `seconds` are those of the request that gave it.

    A model never says `unparsable`: whether an `ok` text names an answer is for the answer type to find out.
    `cut` tells that the item's text was too long for the model and had to be cut. `completion_tokens` are all that were
    written, `reasoning_tokens` those of them that were thinking. `key` is that of the request that was really sent,
    None where it is the one that the question had before. `cost` is what the attempts to have it were charged, None
    where nothing is paid or no price is known.
    """

    text: str
    status: Status = "ok"
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cut: bool = False
    reasoning_tokens: int | None = None
    key: str | None = None
    cost: float | None = None


def count(values: Any, place: str) -> int | None:
    """Return a number of tokens that a server states at a place like `usage.total_tokens`, None for none."""
    for name in place.split("."):
        values = values.get(name) if isinstance(values, Mapping) else None
    return values if type(values) is int and 0 <= values < 2**31 else None


MILLION = 1_000_000
ROUNDING = 1e-12
A_MOMENT = 0.02


class Tokens(NamedTuple):
    """The tokens that a server states: of the prompt, of all that was written, of the thinking in that.

    None is for what it does not state, or states as no number of tokens.
    """

    prompt: int | None = None
    completion: int | None = None
    thinking: int | None = None


class OverBudget(EtalonError):
    """The money does not reach for the next request, and nothing is under way that might leave some."""


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

    What a request may cost at most, its reservation, is its prompt, as its words are reckoned in tokens, and the
    longest reply. `spent` is what all attempts were charged, whatever came of them; without a price it stays as it was.
    """

    def __init__(
        self, price: Price | None = None, *, fertility: float = 0.0, most: float | None = None, spent: float = 0.0
    ) -> None:
        self.price, self.spent = price, spent
        self.fertility, self._most, self._set_aside = fertility, most, 0.0

    def at_most(self, prompt_words: int, longest: int) -> float:
        """Return what a request may cost; 0 where no price is known."""
        return self.price.of(prompt_words * self.fertility, longest) if self.price else 0.0

    def set_aside(self, amount: float) -> bool:
        """Set an amount aside for a request that is sent now; return False where not so much is left."""
        if self._most is not None and self.spent + self._set_aside + amount > self._most:
            return False
        self._set_aside += amount
        return True

    def check(self, amount: float) -> None:
        """Raise OverBudget where an amount cannot be had, and nothing under way may leave it."""
        if self._set_aside == 0 and self.price:
            money = self.price.currency
            raise OverBudget(
                f"stopped at {self.spent:.4f} {money}: the next request may cost {amount:.4f} {money}, and the limit "
                f"is {self._most:g} {money}; raise it to continue this run"
            )

    def pay(self, amount: float, charge: float) -> None:
        """Pay a charge, and free the amount that was set aside for it."""
        left = self._set_aside - amount
        self._set_aside = left if left > ROUNDING else 0.0
        self.spent += charge


class Bill:
    """What the attempts to have one question answered are charged, each with a reservation of its own."""

    def __init__(self, purse: Purse, prompt_words: int, longest: int) -> None:
        self._purse, self._reservation = purse, purse.at_most(prompt_words, longest)
        self._at_most = prompt_words * purse.fertility, longest
        self._paid = self._charge = 0.0

    @property
    def total(self) -> float | None:
        """What the attempts were charged, None where no price is known."""
        return self._paid if self._purse.price else None

    @asynccontextmanager
    async def attempt(self, rest: Callable[[float], Awaitable[None]]) -> AsyncIterator[None]:
        """Hold a reservation for one attempt, and pay in the end what it was charged, nothing where it was not sent.

        Waits by `rest` until so much is left; raises OverBudget where that will not be.
        """
        while not self._purse.set_aside(self._reservation):
            self._purse.check(self._reservation)
            await rest(A_MOMENT)
        self._charge = 0.0
        try:
            yield
        finally:
            self._purse.pay(self._reservation, self._charge)
            self._paid += self._charge

    def sent(self) -> None:
        """Charge the reservation: until the server says what it used, and where it never does."""
        self._charge = self._reservation

    def answered(self, stated: Tokens, words: int) -> None:
        """Charge what a reply of so many words states; where that is nothing or 0, what the words come to."""
        self._charge = self._of(stated, self._at_most[0], words * self._purse.fertility)

    def failed(self, stated: Tokens, *, free: bool) -> None:
        """Charge what a failure states, else what was set aside; nothing where it states nothing and is `free`."""
        self._charge = self._of(stated, *((0.0, 0.0) if free else self._at_most))

    def _of(self, stated: Tokens, prompt: float, completion: float) -> float:
        price = self._purse.price
        return price.of(stated.prompt or prompt, stated.completion or completion) if price else 0.0


DEFAULT = Path(__file__).parent / "prices.toml"


def read_prices(path: Path = DEFAULT) -> dict[str, Price]:
    """Return the price of each model that a list names, by its name after the provider's; raises BadFile."""
    values = read_toml(path, f"see {DEFAULT.name} for how a price list is written")
    models = values.get("models", {})
    if not isinstance(models, dict):
        raise BadFile(f'{path.name}: prices belong in tables [models."NAME"]; see {DEFAULT.name}')
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
