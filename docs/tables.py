"""Writes the tables of the documentation that follow from the code: python docs/tables.py."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from baseline.runs.settings import SETTINGS as RUN_SETTINGS  # noqa: E402
from data.declared import settings_markdown  # noqa: E402
from db.study_settings import SETTINGS  # noqa: E402

BLOCKS = {
    "settings.md": settings_markdown(SETTINGS, running=True),
    "models.md": settings_markdown(RUN_SETTINGS, running=False),
}
"""What stands between the marks of each file."""


def current(name: str) -> str:
    """Return a file of the documentation with its block as the code has it now."""
    text = (ROOT / "docs" / name).read_text("utf8")
    return re.sub(
        r"(<!-- \w+: [^\n]* -->\n).*(<!-- end -->)",
        lambda marks: f"{marks[1]}\n{BLOCKS[name]}\n{marks[2]}",
        text,
        flags=re.S,
    )


if __name__ == "__main__":
    for name in BLOCKS:
        (ROOT / "docs" / name).write_text(current(name), "utf8")
