"""LaTeX: texts escaped so that it sets them as they are, reports, and a table to be put into a paper."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from baseline.output.html import bare, report_environment
from data.tables import Table

LATEX: Mapping[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf8"))
# Letters the fonts of the LaTeX report have: ASCII, accented Latin, Russian. Any other is written as its number.
LETTERS = re.compile(r"[\x20-\x7e\xc0-\xcf\xd1-\xd6\xd8-\xdd\xdf-\xef\xf1-\xf6\xf8-\xfd\xffА-яЁё№]")
IN_PROSE = 32  # letters of a word that is not cut: only addresses and hashes are longer
LINE = 481.0  # points across an A4 page between margins of 2 cm
GAP = 12.0  # points that LaTeX leaves between two columns
LONGEST = 16  # letters of a word that is not cut
WIDE = re.compile(r"[A-ZА-ЯЁmwжмфшщыюѣ@%—…×≥&]")
NARROW = re.compile(r"[ .,:;'!|()\[\]ijltf-]")
# A line may end behind these, but never within an interval: a table is split sooner.
BREAKS = re.compile(r"(?<=[\s:/_-])")
Cells = tuple[str, ...]


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


@dataclass(frozen=True)
class Block:
    """Some columns of a table that stand beside each other on a page: `spec` is LaTeX's, `width` in points with gaps.

    `wraps`: its cells are set in lines as wide as their column.
    """

    spec: str
    header: Cells
    rows: tuple[Cells, ...]
    width: float
    wraps: bool


def blocks_of_columns(header: Cells, rows: Sequence[Cells]) -> list[Block]:
    """Return a table as blocks that fit the page; each but the first begins with the first column again.

    Columns stay as wide as their texts where these fit. Else texts are set in lines, and only where not even their
    longest words fit beside each other are the columns split.
    """
    columns = [[head, *(row[place] for row in rows)] for place, head in enumerate(header)]
    least = [max(map(_longest_word, cells)) for cells in columns]
    natural = [max(map(wide, cells)) for cells in columns]
    return [_block(places, header, rows, least, natural) for places in _split(least, natural)]


def wide(text: str) -> float:
    """Return about how wide a text is set in points, in letters of ten: rather more than less."""
    return sum(8.6 if WIDE.match(letter) else 4.0 if NARROW.match(letter) else 5.9 for letter in text)


def pieces(text: str, longest: int = LONGEST) -> list[str]:
    """Return a text cut wherever a line may end; joined they are the text, and none has more letters than `longest`."""
    parts = []
    for piece in BREAKS.split(text):
        parts += [piece[start : start + longest] for start in range(0, len(piece), longest)]
    return parts


def _longest_word(text: str) -> float:
    return max((wide(piece) for piece in pieces(text)), default=0.0)


def _split(least: Sequence[float], natural: Sequence[float]) -> list[list[int]]:
    """Return the places of the columns of each block, about as many in each."""
    every = list(range(len(least)))
    if _fits(natural) or _fits(least):
        return [every]
    blocks_of, block = [], [0]
    for place in every[1:]:
        if len(block) > 1 and not _fits([least[column] for column in (*block, place)]):
            blocks_of.append(block)
            block = [0]
        block.append(place)
    blocks_of.append(block)
    most = ceil((len(every) - 1) / len(blocks_of))
    alike = [[0, *every[start : start + most]] for start in range(1, len(every), most)]
    return alike if all(_fits([least[place] for place in places]) for places in alike) else blocks_of


def _fits(widths: Sequence[float]) -> bool:
    return sum(widths) + GAP * len(widths) <= LINE


def _block(
    places: Sequence[int], header: Cells, rows: Sequence[Cells], least: Sequence[float], natural: Sequence[float]
) -> Block:
    wanted = [natural[place] for place in places]
    wraps = not _fits(wanted)
    widths = _shared([least[place] for place in places], wanted) if wraps else wanted
    return Block(
        spec="".join(_column(width) for width in widths) if wraps else "l" * len(places),
        header=tuple(header[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in rows),
        width=sum(widths) + GAP * len(widths),
        wraps=wraps,
    )


def _shared(least: Sequence[float], wanted: Sequence[float]) -> list[float]:
    """Return the width of each column: its least, and of what is left over a part as large as its wish for more."""
    spare = LINE - GAP * len(least) - sum(least)
    more = [min(wish, LINE) - need for wish, need in zip(wanted, least, strict=True)]
    share = max(0.0, spare) / (sum(more) or 1.0)
    return [need + wish * min(share, 1.0) for need, wish in zip(least, more, strict=True)]


def _column(width: float) -> str:
    return rf">{{\raggedright\arraybackslash}}p{{{width / LINE:.4f}\linewidth}}"


@cache
def latex_environment() -> Environment:
    """Return the templates of LaTeX."""
    filters: dict[str, Callable[..., Any]] = {
        "blocks": lambda table: blocks_of_columns(tuple(table.header), [tuple(map(str, line)) for line in table.cells]),
        "raw": Markup,
        "prose": lambda text: Markup(wrapped(bare(text), longest=IN_PROSE)),
        "wrapped": lambda cell, wraps: Markup(wrapped(cell) if wraps else latex(cell)),
    }
    return report_environment(latex, filters)
