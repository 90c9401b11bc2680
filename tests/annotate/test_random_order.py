"""Which kind of item comes next: pages hold what they should, and nobody can tell where the control is."""

from collections import Counter

from annotate.accounts.signer import Signer
from annotate.worker.assignment import Draws
from db.items import SHUFFLE_RANGE

SIGNER = Signer("a secret for tests")


def draws(enrolment: int, study: str = "study", seed: int = 3, signer: Signer = SIGNER) -> Draws:
    return Draws(signer, study, seed, enrolment)


def kinds(drawn: Draws, pages: int = 50, main: int = 6, controls: int = 2) -> list[str]:
    return [drawn.kind(served=n, page_main=main, page_controls=controls) for n in range(pages * (main + controls))]


def test_every_page_holds_its_main_and_control_items() -> None:
    sequence = kinds(draws(enrolment=1))
    for start in range(0, len(sequence), 8):
        assert Counter(sequence[start : start + 8]) == {"main": 6, "control": 2}


def test_controls_stand_anywhere_in_a_page() -> None:
    drawn = [kinds(draws(enrolment)) for enrolment in range(40)]
    places = Counter(n % 8 for sequence in drawn for n, kind in enumerate(sequence) if kind == "control")
    expected = 40 * 50 * 2 / 8
    assert set(places) == set(range(8))
    assert all(abs(count - expected) < 5 * expected**0.5 for count in places.values())


def test_workers_studies_and_installations_meet_controls_in_different_places() -> None:
    others = (draws(2), draws(1, study="other"), draws(1, seed=4), draws(1, signer=Signer("another secret")))
    assert all(kinds(other) != kinds(draws(1)) for other in others)


def test_the_same_worker_at_the_same_point_gets_the_same_draw() -> None:
    one, again = draws(5), draws(5)
    assert kinds(one) == kinds(again)
    assert one.probe(served=3) == again.probe(served=3)
    assert one.pick([4, 8, 9], served=3) == again.pick([4, 8, 9], served=3)


def test_a_study_without_controls_serves_main_items_only() -> None:
    assert set(kinds(draws(1), controls=0)) == {"main"}


def test_the_search_starts_anywhere_in_the_shuffled_order() -> None:
    points = [draws(n).probe(served=0) for n in range(400)]
    assert all(0 <= point < SHUFFLE_RANGE for point in points)
    assert min(points) < SHUFFLE_RANGE * 0.05 < SHUFFLE_RANGE * 0.95 < max(points)
