"""Which kind of item comes next: pages hold what they should, and nobody can tell where the control is."""

from collections import Counter

from annotate.assign import next_kind, pick, probe
from db.items import SHUFFLE_RANGE


def kinds(enrolment: int, pages: int = 50, main: int = 6, controls: int = 2) -> list[str]:
    return [
        next_kind(seed=3, enrolment=enrolment, served=n, page_main=main, page_controls=controls)
        for n in range(pages * (main + controls))
    ]


def test_every_page_holds_its_main_and_control_items() -> None:
    sequence = kinds(enrolment=1)
    for start in range(0, len(sequence), 8):
        assert Counter(sequence[start : start + 8]) == {"main": 6, "control": 2}


def test_controls_stand_anywhere_in_a_page() -> None:
    places = Counter(n % 8 for enrolment in range(40) for n, kind in enumerate(kinds(enrolment)) if kind == "control")
    expected = 40 * 50 * 2 / 8
    assert set(places) == set(range(8))
    assert all(abs(count - expected) < 5 * expected**0.5 for count in places.values())


def test_two_workers_meet_controls_in_different_places() -> None:
    assert kinds(enrolment=1) != kinds(enrolment=2)


def test_the_same_worker_at_the_same_point_gets_the_same_draw() -> None:
    assert kinds(enrolment=5) == kinds(enrolment=5)
    assert probe(seed=1, enrolment=2, served=3) == probe(seed=1, enrolment=2, served=3)
    assert pick([4, 8, 9], seed=1, enrolment=2, served=3) in (4, 8, 9)


def test_a_study_without_controls_serves_main_items_only() -> None:
    assert set(kinds(enrolment=1, controls=0)) == {"main"}


def test_the_search_starts_anywhere_in_the_shuffled_order() -> None:
    points = [probe(seed=1, enrolment=n, served=0) for n in range(400)]
    assert all(0 <= point < SHUFFLE_RANGE for point in points)
    assert min(points) < SHUFFLE_RANGE * 0.05 < SHUFFLE_RANGE * 0.95 < max(points)
