"""Numbers as people and models write them: comma or dot, spaces between thousands, several signs for minus."""

import re
from decimal import Decimal, InvalidOperation

SPACES = "[ \u00a0\u2007\u2009\u202f]"
MINUS = "[-\u2212\u2012-\u2014\ufe63\uff0d]"
LONGEST = 60  # characters; a longer number is no answer to anything
GROUPED = rf"\d{{1,3}}(?:{SPACES}\d{{3}})+"
SEPARATED = r"\d{1,3}(?:,\d{3}){2,}|\d{1,3}(?:\.\d{3}){2,}"
NUMBER = re.compile(rf"(?:{SEPARATED}|{GROUPED}|\d+)(?:[.,]\d+)?", re.ASCII)
USUAL = re.compile(r"-?(?:0|[1-9]\d{0,28})(?:\.\d{1,25})?", re.ASCII)
WHOLE_GROUPED = re.compile(r"[1-9]\d{0,2},\d{3}", re.ASCII)
IN_TEXT = re.compile(rf"(?<![\w.,])(?:(?<![\d)])(?<!\d ){MINUS})?(?:{NUMBER.pattern})(?![\w]|[.,]\d)")
AT_ONCE = re.compile(r"[^\w+−–-]*")
GOES_ON = re.compile(r"\s*(?:(?:,|/|-|–|—|и|или|or|and)\s*\d|[-+*/×·=^]\s*\d)")


def canonical(text: str, *, integer: bool = False) -> str | None:
    """Return a number as a decimal string without idle zeros ("-1.5", "0"), None for what is not one number.

    One comma is a decimal comma; only of an `integer` does "1,234" have thousands.
    """
    if USUAL.fullmatch(text):
        return _without_idle_zeros(text)
    text = text.strip()
    if len(text) > LONGEST:
        return None
    negative = bool(re.match(MINUS, text))
    digits = text[1:].strip() if negative else text.removeprefix("+")
    if not NUMBER.fullmatch(digits):
        return None
    digits = re.sub(SPACES, "", digits)
    if re.match(SEPARATED, digits) or (integer and WHOLE_GROUPED.fullmatch(digits)):
        between = "," if "," in digits[:4] else "."
        digits = digits.replace(between, "")
    return plain(Decimal(f"{'-' if negative else ''}{digits.replace(',', '.')}"))


def of_value(value: float) -> str | None:
    """Return a number of a file as a decimal string; None for what is no number of a reasonable length."""
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return plain(number) if number.is_finite() and abs(number.adjusted()) < LONGEST else None


def plain(number: Decimal) -> str:
    """Return a finite number without an exponent and without idle zeros."""
    return _without_idle_zeros(f"{number:f}")


def _without_idle_zeros(text: str) -> str:
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text.removeprefix("+")


def numbers_in(text: str) -> list[str]:
    """Return the stretches of a text that are numbers, in their order."""
    return [match[0] for match in IN_TEXT.finditer(text)]


def leading(part: str) -> str:
    """Return the number that a stretch of text begins with, or what stands behind its last "="; else all of it."""
    start = AT_ONCE.match(part)
    rest = part[start.end() :] if start else part
    first = next(iter(numbers_in(rest)), None)
    if first and rest.startswith(first) and not GOES_ON.match(rest[len(first) :]):
        return first
    return part.rpartition("=")[2]
