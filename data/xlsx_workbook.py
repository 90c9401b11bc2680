"""A workbook of one sheet as bytes; openpyxl is imported only where one is written."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from data.errors import BadSetting

LONGEST_IN_SHEET = 32_767
"""Characters that a cell of a workbook holds."""


def workbook(rows: Iterable[Sequence[Any]]) -> bytes:
    """Return a workbook; every text is a text, never a formula, and a sign that it cannot hold is replaced.

    Raises BadSetting for too long a text.
    """
    kept = [
        [ILLEGAL_CHARACTERS_RE.sub("\ufffd", value) if isinstance(value, str) else value for value in row]
        for row in rows
    ]
    longest = max((len(value) for row in kept for value in row if isinstance(value, str)), default=0)
    if longest > LONGEST_IN_SHEET:
        raise BadSetting(f"a text has {longest} characters; a cell of XLSX holds {LONGEST_IN_SHEET}. Take JSONL")
    book = Workbook(write_only=True)  # from here on there is a file, which only saving ends
    sheet = book.create_sheet("data")
    for values in kept:
        cells = [WriteOnlyCell(sheet, value) for value in values]
        for cell in cells:
            if isinstance(cell.value, str):
                cell.data_type = "s"
        sheet.append(cells)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()
