"""Composite answers as one canonical string: compact JSON, equal where the answers are equal."""

import json
from typing import Any


def packed(value: object) -> str:
    """Return plain data as the one string it is stored as: no spaces, letters as they are, keys in given order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def unpacked(answer: str) -> Any:
    """Return what `packed` took, an empty list for an answer that was left blank."""
    return json.loads(answer) if answer else []
