"""Tables as HTML, all of it escaped: a head for each column unless none has a title, a cell for each in each row."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypedDict, Unpack

from jinja2 import Undefined
from markupsafe import Markup, escape

from data.tables import Column, Table

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


DrawCell = Callable[[Any, Column[Any]], Markup]
DrawHead = Callable[[Column[Any]], Markup]


class How(TypedDict, total=False):
    """How a table is drawn where that is more than words: by macros of the template that shows it.

    `cells` and `heads` draw those of the columns of these keys, `rest` and `rest_heads` those of all others; `line`
    gives the attributes of a row, of which it is told the place. A row is `named` by its first cell unless this is
    False. `style` is the class of the table, `caption` that of its caption, which is for screen readers by itself.
    """

    cells: Mapping[str, DrawCell]
    heads: Mapping[str, DrawHead]
    rest: DrawCell
    rest_heads: DrawHead
    line: Callable[[Any, int], Markup]
    named: bool
    style: str
    caption: str


def draw(table: Table[Any], **how: Unpack[How]) -> Markup:
    """Return a table drawn."""
    parts = [f"<table{attributes({}, [how.get('style', '')])}>"]
    if table.caption:
        parts.append(f"<caption{attributes({}, [how.get('caption', 'unseen')])}>{escape(table.caption)}</caption>")
    if any(table.header):
        heads, rest = how.get("heads", {}), how.get("rest_heads", _head)
        headers = "".join(heads.get(column.key, rest)(column) for column in table.columns)
        parts.append(f"<thead><tr>{headers}</tr></thead>")
    line = how.get("line")
    drawers = [(_drawer(column, how, first=not place), column) for place, column in enumerate(table.columns)]
    parts.append("<tbody>")
    for place, row in enumerate(table.rows):
        cells = "".join(cell(row, column) for cell, column in drawers)
        parts.append(f"<tr{line(row, place) if line else ''}>{cells}</tr>")
    return Markup("\n".join([*parts, "</tbody>", "</table>"]))


def td(column: Column[Any], also: str = "", *, caller: Callable[[], Markup], **given: object) -> Markup:
    """Return a cell of a column around what the block of its call holds; `also` is one more class of it."""
    return Markup(f"<td{attributes(given, (column.style, also))}>{caller()}</td>")


def th(column: Column[Any], also: str = "", *, caller: Callable[[], Markup], **given: object) -> Markup:
    """Return the cell that names a row."""
    return Markup(f'<th scope="row"{attributes(given, (column.style, also))}>{caller()}</th>')


def head(column: Column[Any], also: str = "", *, caller: Callable[[], Markup], **given: object) -> Markup:
    """Return the head of a column."""
    words = caller()
    cell = 'th scope="col"' if words.strip() else "td"  # above names or figures that need no title
    return Markup(f"<{cell}{attributes(given, (column.style, also))}>{words}</{cell[:2]}>")


def _drawer(column: Column[Any], how: How, *, first: bool) -> DrawCell:
    """Return what draws the cells of a column."""
    names = first and how.get("named", True)
    return how.get("cells", {}).get(column.key) or (_name if names else how.get("rest", _cell))


def _cell(row: Any, column: Column[Any]) -> Markup:
    return td(column, caller=lambda: escape(exactly(column.words(row))))


def _name(row: Any, column: Column[Any]) -> Markup:
    return th(column, caller=lambda: escape(exactly(column.words(row))))


def _head(column: Column[Any]) -> Markup:
    return head(column, caller=lambda: escape(column.title), title=column.help or None)
