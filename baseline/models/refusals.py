"""Which field of a request a server refuses by its name, in the shapes in which servers say so."""

import re
from collections.abc import Collection

from baseline.models.sending import HttpError

FORM = (400, 415, 422)
CODES = ("unsupported_parameter", "unsupported_value", "unknown_parameter")
"""The codes of OpenAI's API; others send the same sentence under codes of their own, or none."""
SAYS_SO = re.compile(
    r"unsupported (?:parameter|value)|unrecognized (?:request )?argument|unknown (?:parameter|argument|field)"
    r"|not (?:supported|permitted)|does(?: not|n't) support|is deprecated|only [\d.]{1,9} is allowed",
    re.IGNORECASE,
)
TOO_LONG = re.compile(r"context.length|context window", re.IGNORECASE)
WORDS = re.compile(r"[A-Za-z_]{1,64}")
LOOKED_AT = 1000  # characters of a message


def refused_field(error: HttpError, names: Collection[str]) -> str:
    """Return which of these fields a server refuses by name, "" for none of them.

    A limit that is too large for one text, or a text that is too long, is no such refusal: another text may do.
    """
    if error.status not in FORM:
        return ""
    known = [error.param] if error.code in CODES and isinstance(error.param, str) else []
    for name in (*error.fields, *known):
        if name in names:
            return name
    text = error.message[:LOOKED_AT]
    if error.code not in CODES and not SAYS_SO.search(text):
        return ""
    # Some write reasoningEffort for reasoning_effort. The first that is named is refused, the next is the advice.
    spelled = {_plain(name): name for name in names}
    return next((spelled[word] for word in map(_plain, WORDS.findall(text)) if word in spelled), "")


def named_field(error: HttpError, names: Collection[str]) -> str:
    """Return which of these fields a server names as what is wrong, "" for none: a value of it, say.

    A text that is too long for the model is none of that, whatever is named with it: another text may do.
    """
    known = error.status in FORM and isinstance(error.param, str) and error.param in names
    return str(error.param) if known and not TOO_LONG.search(error.message[:LOOKED_AT]) else ""


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()
