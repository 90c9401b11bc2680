"""Tables as text: columns aligned for a terminal, and Markdown."""

from collections.abc import Callable, Sequence
from typing import Any

from data.tables import Table


def piped(cell: object) -> str:
    """Return a cell such that it ends nowhere but where it does."""
    return str(cell).replace("|", "\\|")


def markdown_table(table: Table[Any], escape: Callable[[object], str] = piped) -> str:
    """Return a table alone as Markdown, its cells escaped."""
    lines: list[Sequence[object]] = [table.header, *table.cells]
    header, *rows = ([escape(cell) for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in [header, ["---"] * len(header), *rows])


def text_table(table: Table[Any]) -> str:
    """Return a table as columns aligned for reading."""
    return aligned(table.header, table.cells)


def aligned(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return rows as columns aligned for reading: numbers to the right, words to the left."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = [all(isinstance(row[place], int | float) for row in rows) and bool(rows) for place in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in (cells if any(header) else cells[1:])
    )
