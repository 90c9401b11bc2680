"""Items that stand in another file: word for word, in long stretches, and in time that grows with the words alone."""

import random
import time

import pytest

from data.catalogue.catalog import get_task
from data.shared_texts import SharedText, shared_texts
from data.task import Item

TERRA = get_task("rsg/terra")
LONG = "Утром в городе прошёл сильный дождь и все улицы были залиты водой до самого вечера"
LONGER = f"{LONG} воскресенья пока её не откачали пожарные из соседнего района"


def item(name: str, premise: str, hypothesis: str = "Было сухо.") -> Item:
    return Item(name, {"premise": premise, "hypothesis": hypothesis})


def test_an_item_word_for_word_is_found_whatever_its_case_and_punctuation() -> None:
    train = [item("t1", "Что-то другое."), item("t2", "«Дождь прошел»,  ВЧЕРА!")]
    assert shared_texts(TERRA, [item("q1", "Дождь прошёл вчера."), item("q2", "Снег.")], train) == [
        SharedText("q1", "t2", True, 1.0)
    ]


def test_half_of_the_shingles_make_an_item_near_and_fewer_do_not() -> None:
    # 24 words and 1 of the hypothesis: 18 shingles of 8 words; the other file has the first 16 words, so 9 of these.
    train = [item("t1", " ".join(LONGER.split()[:16]), "Совсем иное дело."), item("t2", "Нет.")]
    assert shared_texts(TERRA, [item("q1", LONGER, "Сухо.")], train) == [SharedText("q1", "t1", False, 0.5)]
    shorter = [item("t1", " ".join(LONGER.split()[:15]), "Совсем иное дело.")]
    assert shared_texts(TERRA, [item("q1", LONGER, "Сухо.")], shorter) == []


def test_items_of_fewer_than_twenty_words_are_compared_by_three_words() -> None:
    # 8 words: 6 shingles of 3 words; with another word in the middle 3 of these are left, with two others 2.
    train = [item("t1", "Сердце актёра отчаянно билось перед выступлением.", "Было тихо.")]
    near = item("q1", "Сердце актёра отчаянно билось за кулисами.", "Было тихо.")
    assert shared_texts(TERRA, [near], train) == []
    assert shared_texts(
        TERRA, [item("q2", "Сердце актёра отчаянно стучало перед выступлением.", "Было тихо.")], train
    ) == [SharedText("q2", "t1", False, 0.5)]
    assert shared_texts(TERRA, [item("q3", "Сердце актёра.", "Нет.")], train) == []


def test_nothing_stands_in_nothing() -> None:
    assert shared_texts(TERRA, [item("q1", LONG)], []) == []
    assert shared_texts(TERRA, [], [item("t1", LONG)]) == []


def test_stretches_that_run_from_one_item_into_the_next_are_no_shingles() -> None:
    words = LONGER.split()
    train = [item(f"t{place}", " ".join(words[place : place + 6]), "") for place in range(0, 24, 6)]
    assert shared_texts(TERRA, [item("q1", LONGER)], train) == []


def made(number: int, seed: int) -> list[Item]:
    draw = random.Random(seed)
    # The same passage in every item: what all share must not make the search quadratic.
    return [item(str(n), LONG, " ".join(str(draw.randrange(5000)) for _ in range(20))) for n in range(number)]


def took(number: int) -> float:
    items, train = made(number, 1), made(number, 2)
    begun = time.process_time()
    shared_texts(TERRA, items, train)
    return time.process_time() - begun


@pytest.mark.parametrize("number", [2_000])
def test_the_time_grows_with_the_number_of_items(number: int) -> None:
    once, more = (min(took(size) for _ in range(3)) for size in (number, 4 * number))
    assert more < 4 * 1.6 * once
