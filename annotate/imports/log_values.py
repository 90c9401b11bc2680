"""Cells of a log: as text exactly as it stands, as a moment in UTC, as a price."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from data.files.rows import Row
from data.table_files import GUARDED, as_before

DECIMAL_COMMA = re.compile(r"^(0|[1-9]\d*),(\d{1,2}|\d{4,}|(?<=^0,)\d{3})$")
"""A comma before the fraction. Of three digits behind it (1,234) nobody can say whether they are thousands."""

THOUSANDS = re.compile(r"[1-9]\d*,\d{3}")
CONTROL = frozenset({"1", "true", "yes", "y", "x", "control", "honeypot", "да", "контроль"})
NO_CONTROL = frozenset({"", "0", "false", "no", "n", "main", "нет"})


@dataclass(frozen=True)
class Cells:
    """The cells of one row. What a column's time or price cannot be read from is counted in `unread`."""

    row: Row
    unread: Counter[str] = field(default_factory=Counter)

    def text(self, column: str | None) -> str:
        """Return a cell as it stands; an absent column and JSON's null are empty, JSON's true is "true"."""
        cell = as_text(self.row.values.get(column)) if column is not None else ""
        return as_before(cell, self.row.values.get(GUARDED))

    def filled(self, column: str | None) -> str | None:
        """Return a cell as it stands, None where it is empty or blank."""
        cell = self.text(column)
        return cell if cell.strip() else None

    def moment(self, column: str | None) -> datetime | None:
        """Return a moment written in ISO 8601; without a zone it is UTC, as Toloka writes it."""
        cell = self.filled(column)
        if cell is None:
            return None
        try:
            moment = datetime.fromisoformat(cell.strip())
        except ValueError:
            self.unread[str(column)] += 1
            return None
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)

    def amount(self, column: str | None) -> float | None:
        """Return a finite amount, of money or of seconds, that is not negative: 0.5, or 0,5 with a decimal comma."""
        cell = self.filled(column)
        if cell is None:
            return None
        try:
            amount = float(DECIMAL_COMMA.sub(r"\1.\2", cell.strip()))
        except ValueError:
            amount = -1
        if isfinite(amount) and amount >= 0:
            return amount
        doubt = f" (thousands or a fraction, as in {cell.strip()}?)" if THOUSANDS.fullmatch(cell.strip()) else ""
        self.unread[f"{column}{doubt}"] += 1
        return None

    def is_control(self, column: str | None) -> bool:
        """Whether a cell says that its row is a control; what says neither yes nor no is counted in `unread`."""
        cell = self.filled(column)
        word = "" if cell is None else cell.strip().casefold()
        if word not in CONTROL | NO_CONTROL:
            self.unread[str(column)] += 1
        return word in CONTROL


def as_text(value: Any) -> str:
    """Return what JSON or a table holds as text: nothing is stripped, rounded or translated."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)
