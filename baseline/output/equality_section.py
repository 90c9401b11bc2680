"""The section "Were people and models asked the same?", drawn."""

from dataclasses import replace

from markupsafe import Markup

from baseline.comparison.equality import Verdict
from baseline.comparison.equality_statement import StatedMatter, Statement, equality_table, statement
from baseline.comparison.results import Results
from baseline.output.html import drawn_with
from data.tables import Table
from data.wording import english_name
from db.engine import Session

SIGNS: dict[Verdict, str] = {"yes": "✓", "partly": "≈", "no": "✕", "not known": "?"}
MOODS: dict[Verdict, str] = {"yes": "is-right", "partly": "is-partly", "no": "is-wrong", "not known": "is-partly"}


def draw_equality(session: Session, results: Results) -> Markup:
    """Return the section; nothing where one side has not answered."""
    stated = statement(session, results)
    return draw_statement(stated) if stated else Markup()


def _matter_table(statement: Statement) -> Table[tuple[str, StatedMatter]]:
    """Return what is said matter by matter; verdicts and reasons need no titles, and their models stand beside them."""
    return replace(equality_table(statement, "page").titled({"verdict": "", "reason": ""}), caption="")


def draw_statement(statement: Statement) -> Markup:
    """Return a statement, each verdict with its sign and colour."""
    blanks = {"matters": _matter_table(statement), "signs": SIGNS, "moods": MOODS, "named": english_name}
    return drawn_with("equality.html", statement=statement, **blanks)
