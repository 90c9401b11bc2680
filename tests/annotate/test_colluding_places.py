"""What two places of one person learn of the controls by comparing what they met: the figures of docs/security.md."""

import re
from pathlib import Path

import pytest

from annotate.accounts.signer import Signer
from db.engine import Database
from tests.helpers.collection import arrive, make_service, make_study

PAGE = Path(__file__).parents[2] / "docs" / "security.md"
EACH = 100  # items that each place answers
STUDIES = 5


def learnt(database: Database, main: int, controls: int) -> tuple[int, int]:
    """Return which percentage of what both met are controls, and how much that is of the controls that one met."""
    marked = right = met = 0
    for number in range(STUDIES):
        study = make_study(database, main=main, control=controls, name=f"s{number}", page_main=8, page_controls=2)
        service = make_service(database, signer=Signer(f"another secret {number}"))
        places = []
        for _ in range(2):
            person, seen = arrive(service, study.name), set()
            for view in person.work():
                assert view.item is not None
                seen.add(view.item.fields["thing"])
                if len(seen) == EACH:
                    break
            places.append(seen)
        both = places[0] & places[1]
        marked += len(both)
        right += sum(one.startswith("control") for one in both)
        met += sum(one.startswith("control") for one in places[0])
    return round(100 * right / marked), round(100 * right / met)


@pytest.mark.parametrize(("main", "controls"), [(500, 50), (1000, 20)])
def test_what_two_places_learn_is_what_the_page_on_security_says(sqlite: Database, main: int, controls: int) -> None:
    figures = re.search(rf"of {main:,} main and {controls} control items ([\d%, and]+)", PAGE.read_text("utf8"))
    assert figures is not None
    said = tuple(int(figure) for figure in re.findall(r"(\d+)%", figures[1]))
    assert learnt(sqlite, main, controls) == said
