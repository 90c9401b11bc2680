"""Texts that no spreadsheet runs as formulas, whether it splits a file at commas, semicolons or tabs.

A spreadsheet that splits at another sign than the file was written for sees cells begin in the middle of ours: behind
every separator, and behind every line break, since quotes bind nothing there. At each such place a text that could be
a formula gets an apostrophe before it: `a;=1+1` is written `a;'=1+1`. A text that is a number, or a number with words
behind it ("-5", "+7,5", "-5 баллов"), runs nothing and stays as it is.
"""

import re

SIGNS = "=+\\-@＝＋－＠"
RUNS = re.compile(rf'(?:^|(?<=[,;\t\r\n]))(\'*)(?="*(?:[{SIGNS}]|[ \u00a0]+[=＝])|(?:(?<![,;\t\r\n])[\t\r]))')
"""A place where a cell may begin, the apostrophes there, and what could be run behind them."""
NUMBER = re.compile(r"[+-]\d+(?:[.,]\d+)*[ \u00a0]?%?(?:[ \u00a0][^\W\d_][\w \u00a0.,;?]*)?")
ENDS = re.compile(r"[,;\t\r\n]")


def guarded(text: str) -> str:
    r"""Return a text with an apostrophe before whatever a spreadsheet would run; `unguarded` takes it away again.

    >>> guarded("a;=1+1;b"), guarded("-5 баллов, не больше"), guarded("x\t@SUM(1)"), guarded("-2+3")
    ("a;'=1+1;b", '-5 баллов, не больше', "x\t'@SUM(1)", "'-2+3")
    """
    return RUNS.sub(lambda place: f"{place[0]}'" if place[1] or place.end() or not _is_number(text) else place[0], text)


def unguarded(text: str) -> str:
    """Return the text of which `guarded` made this."""
    return RUNS.sub(lambda place: place[0][1:] if place[1] else place[0], text)


def _is_number(text: str) -> bool:
    """Return whether a text, and what stands of it before the first separator, is a number, words behind it or not."""
    return all(NUMBER.fullmatch(piece) for piece in (text, ENDS.split(text, maxsplit=1)[0]))
