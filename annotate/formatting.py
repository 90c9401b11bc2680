"""Money and time as people read them."""

from functools import lru_cache

from data.drawing.environment import NO_BREAK
from data.wording import Language, texts

SIGNS = {"RUB": "₽", "USD": "$", "EUR": "€", "GBP": "£", "KZT": "₸", "BYN": "Br"}


@lru_cache(maxsize=1_000)
def money(amount: float, currency: str, language: Language) -> str:
    """Return an amount with two decimals and the sign of its currency: «1 250,50 ₽», "₽1,250.50", "1,250.50 XYZ"."""
    return _priced(f"{amount:,.2f}", currency, language)


def round_money(amount: float, currency: str, language: Language) -> str:
    """Return an amount as `money` does, without decimals where they are zeros: «1 250 ₽», "₽0.50"."""
    return _priced(f"{amount:,.2f}".removesuffix(".00"), currency, language)


def percent(share: float, language: Language) -> str:
    """Return a share (0..1) in percent, with one decimal where it has any: «90 %», "92.5%"."""
    number = _marked(f"{round(100 * share, 1):g}", language)
    return str(texts(language)["numbers"]["percent"].format(number=number))


def duration(seconds: float, language: Language) -> str:
    """Return a time in hours and minutes, rounded to the nearest minute: «1 ч 5 мин»; below one, in seconds."""
    hour, minute, second = (texts(language)["units"][name] for name in ("hour", "minute", "second"))
    if round(seconds) < 60:
        return f"{max(1, round(seconds))}{NO_BREAK}{second}"
    hours, minutes = divmod(round(seconds / 60), 60)
    parts = [f"{hours}{NO_BREAK}{hour}"] * bool(hours) + [f"{minutes}{NO_BREAK}{minute}"] * bool(minutes)
    return NO_BREAK.join(parts)


def _priced(number: str, currency: str, language: Language) -> str:
    """Return a number with its currency, whose sign stands where the language has it; a code stands behind."""
    sign = SIGNS.get(currency.upper())
    if sign is None:
        return f"{_marked(number, language)}{NO_BREAK}{currency}"
    return str(texts(language)["numbers"]["money"].format(number=_marked(number, language), sign=sign))


def _marked(number: str, language: Language) -> str:
    """Return a number such as "1,250.50" with the language's own signs for thousands and decimals."""
    marks = texts(language)["numbers"]
    return number.translate({ord(","): marks["thousands"], ord("."): marks["point"]})
