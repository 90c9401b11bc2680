"""A document drawn as Markdown, HTML or LaTeX; each escapes in its own way."""

import re
from collections.abc import Callable
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from baseline.comparison.document import Document
from baseline.output.latex_columns import LONGEST, blocks_of_columns, pieces
from baseline.output.rendering import TEMPLATES
from data.drawing.environment import STATIC, environment

MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~$&])")
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
    "[": "{[}",
    "]": "{]}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
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


def drawn(document: Document, ending: str) -> str:
    """Return the document in the format of a file's ending, one of FORMATS."""
    return FORMATS[ending](document)


def markdown(text: object) -> str:
    """Return `text` so that Markdown shows it as it is, in a cell of a table too; line breaks become spaces."""
    return MARKDOWN.sub(r"\\\1", " ".join(str(text).split()))


def latex(text: object) -> str:
    """Return `text` so that LaTeX sets it as it is; a letter its fonts lack becomes its code point, U+1F600."""
    return "".join(_latex_letter(letter) for letter in str(text))


def indented(text: str) -> str:
    """Return `text` as a block of code in Markdown, where nothing has a meaning."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def paragraphs(text: str) -> str:
    """Return `text` in LaTeX with its line breaks."""
    return "\n\n".join(wrapped(line, longest=IN_PROSE) for line in text.splitlines() if line.strip())


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


@cache
def _plain(finalize: Callable[[object], str]) -> Environment:
    """Return an environment that escapes by `finalize`; its signs are ones that neither Markdown nor LaTeX uses."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        # What a filter below has escaped already is marked, so that it is not escaped twice.
        finalize=lambda value: str(value) if isinstance(value, Markup) else finalize(value),
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    made.filters |= {"indented": lambda t: Markup(indented(t)), "paragraphs": lambda t: Markup(paragraphs(t))}
    made.filters |= {"blocks": lambda grid: blocks_of_columns(grid.header, grid.rows), "raw": Markup}
    made.filters |= {"prose": lambda t: Markup(wrapped(t, longest=IN_PROSE))}
    made.filters |= {"wrapped": lambda cell, wraps: Markup(wrapped(cell) if wraps else latex(cell))}
    return made


def _markdown(document: Document) -> str:
    return _plain(markdown).get_template("report.md.jinja").render(document=document)


def _latex(document: Document) -> str:
    return _plain(latex).get_template("report.tex.jinja").render(document=document)


def _html(document: Document) -> str:
    look, side = (Markup((STATIC / name).read_text("utf8")) for name in ("look.css", "side.css"))
    return environment(TEMPLATES).get_template("report.html.jinja").render(document=document, look=look, side=side)


FORMATS: dict[str, Callable[[Document], str]] = {".md": _markdown, ".html": _html, ".tex": _latex}
