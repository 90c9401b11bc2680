"""The few words that drawings themselves need, by language: `ru.toml` and `en.toml`, one table for each template."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from data.wording import Language


@cache
def words(language: Language) -> Mapping[str, Any]:
    """Return the words of one language as nested tables."""
    return tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text("utf8"))
