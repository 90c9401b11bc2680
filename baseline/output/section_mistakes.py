"""The section "What do they get wrong?", drawn."""

from typing import Any

from markupsafe import Markup

from baseline.comparison.mistakes import Kinds, mistakes
from baseline.comparison.results import Results
from baseline.output.rendering import drawn_with
from baseline.output.score_table import CLASSES
from db.engine import Session


def draw_mistakes(session: Session, results: Results) -> Markup:
    """Return the section "What do they get wrong?"; nothing where options carry no kinds."""
    found = mistakes(session, results)
    return drawn_with("mistakes.html", **mistakes_seen(found)) if found else Markup()


def mistakes_seen(found: Kinds) -> dict[str, Any]:
    """Return what the template of the section takes."""
    offered = sum(found.offered)
    return {
        "heads": [
            {"words": words, "share": f"{n / offered:.0%}" if offered else "—"}
            for words, n in zip(found.words, found.offered, strict=True)
        ],
        "rows": [
            {
                "name": row.name,
                "kind": CLASSES[row.kind],
                "asked": f"{row.items:g}",
                "right": f"{row.right:.4g}",
                "wrong": [
                    {"number": f"{n:.4g}", "share": f"{n / sum(row.wrong):.0%}" if sum(row.wrong) else "—"}
                    for n in row.wrong
                ],
                "silent": f"{row.silent:.4g}",
            }
            for row in found.rows
        ],
    }
