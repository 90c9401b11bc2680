"""Who knows the program, the seed and the own number cannot tell where controls stand, or which items they are."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from annotate.accounts.signer import Signer
from app import cli
from db.engine import open_database, opened, reading
from db.items import list_items
from db.studies import get_study
from tests.helpers.collection import SIGNER, arrive, make_service, make_study

OTHER = Signer("the secret of another installation")
PAGES, MAIN, CONTROLS = 25, 6, 2
SIZE = MAIN + CONTROLS
Serves = Callable[..., list[str]]


@pytest.fixture
def serves(tmp_path: Path, empty_sqlite: Path) -> Serves:
    """What one worker is shown by an installation of its own: everything but its secret is the same."""

    def shown(signer: Signer, name: str) -> list[str]:
        database = open_database(f"sqlite:///{shutil.copy(empty_sqlite, tmp_path / f'{name}.db')}")
        make_study(database, main=PAGES * MAIN, control=PAGES * CONTROLS, page_main=MAIN, page_controls=CONTROLS)
        person = arrive(make_service(database, signer=signer))
        things = [view.item.fields["thing"] for view in person.work() if view.item]
        database.dispose()
        return things

    return shown


def guessed(pages: int, seed: int = 7, enrolment: int = 1) -> set[int]:
    """The places that were once computed from what a worker knows: the seed and the number in the own cookie."""
    drawn = {page: Random(f"controls:{seed}:{enrolment}:{page}").sample(range(SIZE), CONTROLS) for page in range(pages)}
    return {page * SIZE + place for page, places in drawn.items() for place in places}


def controls(things: list[str]) -> set[int]:
    return {place for place, thing in enumerate(things) if thing.startswith("control")}


def test_the_places_of_controls_cannot_be_computed_from_what_a_worker_knows(serves: Serves) -> None:
    things = serves(SIGNER, "one")
    assert len(controls(things)) == PAGES * CONTROLS
    right = len(guessed(PAGES) & controls(things))
    # By chance a quarter of 50 is right; twice as many would be seven standard deviations above.
    assert right < PAGES * CONTROLS / 2


def test_installations_that_differ_only_in_their_secret_serve_different_places(serves: Serves) -> None:
    one, again, other = serves(SIGNER, "one"), serves(SIGNER, "again"), serves(OTHER, "other")
    assert one == again, "the same installation stays repeatable"
    assert controls(one) != controls(other)
    shared = len(controls(one) & controls(other))
    assert shared < PAGES * CONTROLS / 2
    mains, others = ([thing for thing in things if thing.startswith("main")] for things in (one, other))
    assert mains != others, "and which item comes next is drawn as well"


@pytest.fixture
def create(tmp_path: Path, empty_sqlite: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, list[int]]]:
    """Run the command on an installation with this secret, and return the items by role."""
    items = tmp_path / "items.jsonl"
    rows = [{"id": str(n), "premise": f"p{n}", "hypothesis": f"h{n}", "label": "entailment"} for n in range(400)]
    items.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf8")

    def made(secret: str, *options: str) -> dict[str, list[int]]:
        url = f"sqlite:///{shutil.copy(empty_sqlite, tmp_path / 'etalon.db')}"
        monkeypatch.setenv("DATABASE_URL", url)
        monkeypatch.setenv("ETALON_SECRET", secret)
        words = ["create", "study", "--task", "rsg/terra", "--items", str(items), "--draw-control", "40", *options]
        assert CliRunner().invoke(cli, words, catch_exceptions=False).exit_code == 0
        with opened(url) as database, reading(database) as session:
            stored = list_items(session, study=get_study(session, name="study"))
        found: dict[str, list[int]] = {"main": [], "training": [], "control": []}
        for entry in stored:
            found[entry.item.role].append(int(entry.item.id))
        return found

    return made


ONE, TWO = "one secret of a length that is enough 0123", "two secrets of a length that are enough 012"


def test_which_items_become_controls_follows_from_the_installation_not_from_the_seed(
    create: Callable[..., dict[str, list[int]]],
) -> None:
    one, again, other = create(ONE), create(ONE), create(TWO)
    computed = set(Random(0).sample(range(400), 40))
    for drawn in (one, again, other):
        assert len(drawn["control"]) == 40
        assert len(computed & set(drawn["control"])) < 16, "by chance 4 of 40, give or take 2"
    # Each installation has a drawing key of its own: who knows the secret alone cannot draw the same.
    for elsewhere in (again, other):
        assert len(set(one["control"]) & set(elsewhere["control"])) < 16


def test_the_items_of_a_sample_follow_from_the_seed_and_their_roles_do_not(
    create: Callable[..., dict[str, list[int]]],
) -> None:
    """Who computes the sample knows what the study asks, and still not which of it are controls."""
    sample = ("--sample", "60", "--draw-training", "20", "--seed", "3")
    one, other = create(ONE, *sample), create(TWO, *sample)
    sizes = {role: len(items) for role, items in one.items()}
    assert sizes == {"main": 60, "training": 20, "control": 40}
    asked, asked_there = ({item for items in drawn.values() for item in items} for drawn in (one, other))
    assert asked == asked_there
    assert set(one["control"]) != set(other["control"])
    computed = set(Random(3).sample(range(400), 60)[20:])
    assert len(computed & set(one["control"])) < 26, "by chance 13 of 40, give or take 3"
