"""What stands on a page as it is: texts and attributes, escaped."""

import re
from collections.abc import Iterable, Mapping

from jinja2 import Undefined
from markupsafe import Markup, escape

CARRIAGE_RETURN = Markup("&#13;")
DRAWN = (Markup, Undefined)


def exactly(value: object) -> object:
    """Return a value as it goes to be escaped: with CR as a reference because HTML parsers turn a bare CR into LF.

    Jinja escapes what comes back, so a plain text, which nearly all of them are, is not escaped here as well.
    """
    if isinstance(value, DRAWN) or (type(value) is str and "\r" not in value):
        return value
    return escape(value).replace("\r", CARRIAGE_RETURN)


def breakable(name: str) -> Markup:
    """Return a name that may break behind a colon and between words that are written as one.

    >>> breakable("human:majority"), breakable("RussianSuperGLUE")
    (Markup('human:<wbr>majority'), Markup('Russian<wbr>Super<wbr>GLUE'))
    """
    return Markup("<wbr>").join(re.split(r"(?<=:)|(?<=[a-zа-яё])(?=[A-ZА-ЯЁ])", name))


def attributes(given: Mapping[str, object], styles: Iterable[str] = ()) -> Markup:
    """Return the attributes of an element, its classes those of the `styles` that are not empty; None leaves one out.

    >>> attributes({"data_value": 3, "title": None}, ["start", ""])
    Markup(' class="start" data-value="3"')
    """
    classes = " ".join(filter(None, styles))
    written = f' class="{escape(classes)}"' if classes else ""
    for name, value in given.items():
        if value is not None:
            written += f' {name.replace("_", "-")}="{escape(exactly(value))}"'
    return Markup(written)
