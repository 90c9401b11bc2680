"""Why a file is no TOML, in words that say what to write instead."""

import re
import tomllib

PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
KEY = re.compile(r"([^=#]{1,80}+)=")
LONGEST_SEARCHED = 1000  # lines
REMEDIES = {
    "Cannot overwrite a value": "it is set twice; keep one of the two",
    "Duplicate inline table key": "a key stands twice between { and }; keep one of the two",
    "Cannot declare": "this table stands twice; join the two",
    "Cannot mutate immutable namespace": "more cannot be added to it below; write all of it between its { } or [ ]",
    "Cannot redefine namespace": "it is a table already; write the keys below that table",
    "Invalid value": "a value is missing or misspelt (a text stands between quotation marks), or a ] is missing above",
    "Expected newline or end of document": 'something stands behind the value; " within a text is written \\"',
    "Illegal character": 'the " at the end of the text is missing; a text of several lines stands between """',
    "Unterminated string": "the quotation marks at the end of the text are missing",
    'Expected "\'"': "the quotation marks at the end of the text are missing",
    "Unclosed array": "a ] is missing at its end, or a comma between two values",
    "Unclosed inline table": "a } is missing at its end, or a comma between two keys; such a table is one line",
    "Expected '='": "behind a key stand = and its value",
    "Expected ']": "the ] at the end of the table's name is missing",
    "Invalid statement": "a line is KEY = VALUE, [TABLE] or a comment behind #",
    "Invalid initial character for a key part": "a key is of Latin letters, digits, _ and -, or stands in quotes",
    "Unescaped": "write \\\\ for \\",
}
"""What to do, by the beginning of what the reader of TOML says."""


def toml_fault(error: Exception, text: str) -> tuple[int | None, str]:
    """Return the line, from 1, of what the reader of TOML refused in a text, and a sentence about it."""
    at, reason = PLACE.search(str(error)), PLACE.sub("", str(error))
    lines = text.splitlines()
    line = int(at[1]) if at and at[1] else _last_begun(lines)
    key = KEY.match(lines[line - 1]) if line and line <= len(lines) else None
    remedy = next((remedy for start, remedy in REMEDIES.items() if reason.startswith(start)), "")
    said = f"{remedy} ({reason})" if remedy else reason
    return line, f"is not TOML; {key[1].strip()}: {said}" if key else f"is not TOML; {said}"


def _last_begun(lines: list[str]) -> int | None:
    """Return the line, from 1, of the statement that has no end; None where that would take long to find."""
    if len(lines) > LONGEST_SEARCHED:
        return None
    for count in range(len(lines), -1, -1):
        try:
            tomllib.loads("\n".join(lines[:count]))
        except (ValueError, RecursionError):
            continue
        rest = (number for number, line in enumerate(lines[count:], count + 1) if line.strip() and line[0] != "#")
        return next(rest, None)
    return None
