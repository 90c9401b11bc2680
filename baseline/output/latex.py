"""LaTeX: texts escaped so that it sets them as they are, reports, and a table to be put into a paper."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from baseline.comparison.document import Document
from baseline.comparison.results import Results
from baseline.comparison.score_columns import score_table
from baseline.comparison.verdicts import standing_table, standings
from baseline.output.latex_columns import LONGEST, blocks_of_columns, pieces
from baseline.output.rendering import bare, report_environment
from data.tables import Table

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    # Bare, these start ligatures, quotes or shifted letters in one encoding of fonts or another.
    '"': r"\textquotedbl{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "-": "-{}",
    "`": r"\textasciigrave{}",
    "„": r"\quotedblbase{}",
    "‹": r"\guilsinglleft{}",
    "›": r"\guilsinglright{}",
    "•": r"\textbullet{}",
    "→": r"$\rightarrow$",
    "≤": r"$\leq$",
    "[": "{[}",
    "]": "{]}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "·": r"\textperiodcentered{}",
    "≈": r"$\approx$",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "«": r"\guillemotleft{}",
    "»": r"\guillemotright{}",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "±": r"\textpm{}",
    "−": "$-$",
    "\u00a0": "~",
}
# Letters the fonts of the LaTeX report have: ASCII, accented Latin, Russian. Any other is written as its number.
LETTERS = re.compile(r"[\x20-\x7e\xc0-\xcf\xd1-\xd6\xd8-\xdd\xdf-\xef\xf1-\xf6\xf8-\xfd\xffА-яЁё№]")


IN_PROSE = 32  # letters of a word that is not cut: only addresses and hashes are longer


def latex(text: object) -> str:
    """Return `text` so that LaTeX sets it as it is; a letter its fonts lack becomes its code point, U+1F600."""
    return "".join(_latex_letter(letter) for letter in str(text))


def wrapped(text: str, *, longest: int = LONGEST) -> str:
    """Return `text` in LaTeX such that its line may end wherever `pieces` cuts it."""
    cut = [latex(piece) if piece[-1].isspace() else latex(piece) + r"\allowbreak{}" for piece in pieces(text, longest)]
    return "".join(cut).removesuffix(r"\allowbreak{}")


def _latex_letter(letter: str) -> str:
    if letter in LATEX:
        return LATEX[letter]
    if letter.isspace():
        return " "
    return letter if LETTERS.fullmatch(letter) else f"U+{ord(letter):04X}"


def report_latex(document: Document) -> str:
    """Return a report as LaTeX."""
    return _environment().get_template("report.tex.jinja").render(document=document)


def paper_table(table: Table[Any], remarks: Iterable[str] = ()) -> str:
    """Return a table as a `tabular` with the rules of booktabs, to be put into a paper as it is.

    The `remarks` stand below it as comments.
    """
    cells: list[Sequence[object]] = [table.header, *table.cells]
    lines = [" & ".join(map(latex, line)) + r" \\" for line in cells]
    return "\n".join(
        (
            "% \\usepackage{booktabs}; Cyrillic needs \\usepackage[T2A]{fontenc}",
            rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {remark}" for remark in remarks),
            "",
        )
    )


def scores_latex(results: Results) -> str:
    """Return the table of people and models to be put into a paper; scores alone where no person has answered."""
    compared = standings(results)
    table: Table[Any] = standing_table(compared) if compared else score_table(results, "text")
    return paper_table(table, results.notes_of_runs())


@cache
def _environment() -> Environment:
    filters: dict[str, Callable[..., Any]] = {
        "blocks": lambda table: blocks_of_columns(tuple(table.header), [tuple(map(str, line)) for line in table.cells]),
        "raw": Markup,
        "prose": lambda text: Markup(wrapped(bare(text), longest=IN_PROSE)),
        "wrapped": lambda cell, wraps: Markup(wrapped(cell) if wraps else latex(cell)),
    }
    return report_environment(latex, filters)
