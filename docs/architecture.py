"""Draws docs/architecture.svg from the code: the packages, their folders, and who imports whom.

python docs/architecture.py
"""

import re
from html import escape
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
LINE, WIDTH, HEAD = 19, 262, 62
IMPORTED = re.compile(r"^(?:from|import) (\w+)[\w.]*(?: import|$)", re.MULTILINE)


class Package(NamedTuple):
    """A package of the program in the picture: what it says of itself, and where it stands, in pixels."""

    name: str
    says: str
    left: int
    top: int


PACKAGES = (
    Package("data", "what is asked", 16, 150),
    Package("eval", "what an answer is worth", 358, 16),
    Package("db", "what happened", 358, 270),
    Package("annotate", "people answer", 700, 16),
    Package("baseline", "models answer; side by side", 700, 254),
)


def folders(package: str) -> list[str]:
    """Return the folders of a package that hold code, in the order of the alphabet."""
    return sorted(path.parent.name for path in (ROOT / package).glob("*/__init__.py"))


def imported(package: str) -> set[str]:
    """Return the other packages that files of a package import."""
    texts = (path.read_text("utf8") for path in (ROOT / package).rglob("*.py"))
    names = {name for text in texts for name in IMPORTED.findall(text)}
    return names & {other.name for other in PACKAGES} - {package}


def height(package: Package) -> int:
    """Return the height of a package's box."""
    return HEAD + LINE * max(1, len(folders(package.name))) + 6


def box(package: Package) -> str:
    """Return a package: its name, what it says of itself, its folders."""
    left, top, name, says, *_ = package.left, package.top, package.name, package.says
    rows = "".join(
        f'<text x="{left + 16}" y="{top + HEAD + 12 + LINE * place}" class="folder">{escape(folder)}/</text>'
        for place, folder in enumerate(folders(name))
    )
    return (
        f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{height(package)}" rx="8"/>'
        f'<text x="{left + 16}" y="{top + 26}" class="name">{name}</text>'
        f'<text x="{left + 16}" y="{top + 46}" class="says">{escape(says)}</text>{rows}'
    )


def arrow(source: Package, user: Package, place: int) -> str:
    """Return an arrow from a package to one that uses it; `place` spreads those that leave one box."""
    begin = source.left + WIDTH, source.top + height(source) / 2 + 9 * place
    end = user.left - 4, user.top + 24 + 11 * [other.name for other in PACKAGES].index(source.name)
    middle = (begin[0] + end[0]) / 2
    return f'<path d="M{begin[0]},{begin[1]} C{middle},{begin[1]} {middle},{end[1]} {end[0]},{end[1]}"/>'


def drawing() -> str:
    """Return the picture."""
    arrows = [
        arrow(source, user, place)
        for source in PACKAGES
        for place, user in enumerate(other for other in PACKAGES if source.name in imported(other.name))
    ]
    bottom = max(package.top + height(package) for package in PACKAGES) + 16
    style = (
        "text{font:14px sans-serif;fill:#1d1d1f}.name{font-weight:bold;font-size:17px}.says{fill:#5b5f66}"
        ".folder{font-family:monospace;font-size:13px}rect{fill:#fff;stroke:#b9b9b2}"
        "path{fill:none;stroke:#0b5cad;stroke-width:1.5;marker-end:url(#tip)}"
    )
    tip = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" style="fill:#0b5cad;stroke:none"/></marker></defs>'
    )
    whole = "".join([*arrows, *map(box, PACKAGES)])  # an arrow past a package goes behind it
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 978 {bottom}" role="img">'
        "<title>The packages of Etalon; an arrow leads from a package to those that import it</title>"
        f'<style>{style}</style>{tip}<rect width="978" height="{bottom}" style="fill:#fbfaf6;stroke:none"/>'
        f"{whole}</svg>\n"
    )


if __name__ == "__main__":
    (ROOT / "docs" / "architecture.svg").write_text(drawing(), "utf8")
