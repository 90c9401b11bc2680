"""One form for texts that look alike: "й" is one letter, whether a file writes it as one sign or as two."""

import unicodedata


def composed(text: str) -> str:
    r"""Return a text with each letter and its marks as one sign wherever there is one (Unicode's form NFC).

    >>> composed("и\u0306") == "й"
    True
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def without(text: str, *categories: str) -> str:
    r"""Return a text without the signs of these Unicode categories; each different sign is looked up once.

    >>> without("за\u0301мок", "Mn")
    'замок'
    """
    unwanted = {ord(sign): None for sign in set(text) if unicodedata.category(sign) in categories}
    return text.translate(unwanted) if unwanted else text
