"""The rows of the first sheet of an XLSX workbook, one in memory at a time."""

import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from data.errors import BadFile
from data.files.text_files import BROKEN_ARCHIVE
from data.limits import LARGEST_SHEET, MB, MOST_COLUMNS, MOST_ROWS

MEMBERS = 10_000
BROKEN = (*BROKEN_ARCHIVE, InvalidFileException, LookupError, TypeError, AttributeError, SyntaxError)
"""What openpyxl raises for broken workbooks; the errors of its XML parser are SyntaxErrors."""


def xlsx_rows(path: Path) -> Iterator[tuple[int, list[Any]]]:
    """Yield the number and the cells of each row that is not empty, the names of the columns first; raises BadFile.

    A row has as many cells as there are names, more only where a cell stands beside the table. Cells with formulas have
    the values that were saved with them.
    """
    _check(path)
    try:
        with closing(load_workbook(path, read_only=True, data_only=True)) as book:
            sheet, width = book.worksheets[0], 0
            sheet.reset_dimensions()  # those that a book states may be wrong; without them a row ends at its last cell
            for number, row in enumerate(sheet.iter_rows(max_row=MOST_ROWS + 2, values_only=True), 1):
                cells = [_plain(cell) for cell in row[: MOST_COLUMNS + 1]]
                while cells and cells[-1] == "":
                    cells.pop()
                if cells:
                    yield number, cells + [""] * (width - len(cells))
                    width = width or len(cells)
    except BROKEN as error:
        raise BadFile(f"{path.name}: is not a workbook that can be read ({error}); save it as XLSX again") from error


def _check(path: Path) -> None:
    """Refuse what is too much before anything is unpacked."""
    try:
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
    except BROKEN_ARCHIVE as error:
        raise BadFile(f"{path.name}: is not an XLSX workbook ({error}); save it as XLSX again") from error
    if len(members) > MEMBERS or sum(member.file_size for member in members) > LARGEST_SHEET:
        raise BadFile(f"{path.name}: has more than {LARGEST_SHEET // MB} MB once it is unpacked; save it as CSV")


def _plain(value: Any) -> Any:
    """Return a cell as JSON would bring it: an empty one is "", a whole number has no point, a moment is its text."""
    if value is None:
        return ""
    if isinstance(value, datetime) and not (value.hour or value.minute or value.second):
        value = value.date()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return int(value) if isinstance(value, float) and value.is_integer() else value
