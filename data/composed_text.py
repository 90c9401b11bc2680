"""One form for texts that look alike: "й" is one letter, whether a file writes it as one sign or as two."""

import unicodedata


def composed(text: str) -> str:
    r"""Return a text with each letter and its marks as one sign wherever there is one (Unicode's form NFC).

    >>> composed("и\u0306") == "й"
    True
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)
