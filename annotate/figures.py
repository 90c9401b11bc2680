"""Money and time as people read them."""

from data.drawing.environment import NO_BREAK
from data.wording import Language

SIGNS = {"RUB": "₽", "USD": "$", "EUR": "€", "GBP": "£", "KZT": "₸", "BYN": "Br"}
MARKS: dict[Language, tuple[str, str]] = {"ru": (NO_BREAK, ","), "en": (",", ".")}
UNITS: dict[Language, tuple[str, str, str]] = {"ru": ("ч", "мин", "с"), "en": ("h", "min", "s")}


def money(amount: float, currency: str, language: Language) -> str:
    """Return an amount with two decimals and the sign of its currency: «1 250,50 ₽», "₽1,250.50", "1,250.50 XYZ"."""
    thousands, point = MARKS[language]
    number = f"{amount:,.2f}".replace(",", "\0").replace(".", point).replace("\0", thousands)
    sign = SIGNS.get(currency.upper())
    if language == "en" and sign is not None:
        return f"{sign}{number}"
    return f"{number}{NO_BREAK}{sign or currency}"


def round_money(amount: float, currency: str, language: Language) -> str:
    """Return an amount as `money` does, without decimals where they are zeros: «1 250 ₽», "₽0.50"."""
    zeros = f"{MARKS[language][1]}00"
    return money(amount, currency, language).removesuffix(zeros).replace(f"{zeros}{NO_BREAK}", NO_BREAK)


def percent(share: float, language: Language) -> str:
    """Return a share (0..1) in percent, with one decimal where it has any: «90 %», "92.5%"."""
    number = f"{round(100 * share, 1):g}".replace(".", MARKS[language][1])
    return f"{number}{NO_BREAK}%" if language == "ru" else f"{number}%"


def duration(seconds: float, language: Language) -> str:
    """Return a time in hours and minutes, rounded to the nearest minute: «1 ч 5 мин»; below one, in seconds."""
    hour, minute, second = UNITS[language]
    if round(seconds) < 60:
        return f"{max(1, round(seconds))}{NO_BREAK}{second}"
    hours, minutes = divmod(round(seconds / 60), 60)
    parts = [f"{hours}{NO_BREAK}{hour}"] * bool(hours) + [f"{minutes}{NO_BREAK}{minute}"] * bool(minutes)
    return NO_BREAK.join(parts)
