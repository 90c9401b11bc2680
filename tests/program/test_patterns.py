"""Every regular expression takes a time that grows with the length of its text, whatever the text is."""

import re
import signal
import time
from collections.abc import Iterator

import pytest

from data.answers.rating import Rating
from tests.helpers.patterns import Attack, Use, attacks, inventory

SHORT, LONG = 256, 8 * 1024
FLOOR = 0.25  # seconds: what takes less for 64 KB is not compared; what is quadratic takes more than a second
ENOUGH = 2.0  # seconds after which a pattern has failed at once
LARGEST_RATIO = 2.5
SUSPECTS, WORST = 40, 3  # attacks of each pattern that are fed at LONG, and at full length

LETTERS, DIGITS = "а|б|в|г", "1|2|3|4"
NUMBERED = r"|(?<![\w.,])(1|2|3|4)[.)](?=\s)"
PARTS: dict[str, dict[str, object]] = {
    "annotate.pages.manage.own_table_form:split_line": {"sign": ["|", "="]},
    "baseline.runs.reply_queue:names_told": {"word": ["gpt", "gptgpt"]},
    "baseline.output.html:figure_file": {"name": ["width", "height"]},
    "data.answers.form:_lines": {"names": ["1|2|3", "ответ на вопрос|кто|1"]},
    "data.answers.replies:_paired": {"names": ["абвг", "abcd"]},
    "data.answers.rating:_digits": {"self": Rating(1, 5)},
    "data.answers.replies:_by_place": {"ordinal": r"перв\w+|first"},
    "data.answers.replies:_pointed": {"short": [LETTERS, DIGITS], "numbers": ["", NUMBERED]},
    "data.answers.replies:phrases": {"phrase": ["нет", "а а а", "((((", "не не не"]},
    "data.files.answer_coding:parse": {"keys": [["0", "1", "12"]]},
    "data.answers.write:starts_with": {"start": "почему почему"},
    "data.option_order": {"one": ["1", "[AА]"], "two": ["2", "[BБ]"]},
    "data.formats.libra": {"closing": [r"\)", r"\.", ":"]},
    "data.formats.mera:_mark_places": {"before": [r"(?<!\w)", r"^"], "spans": [[], [1, 2, 3]]},
    "data.formats.ruscontext:places": {"string": ["а", "а а", "(("]},
    "data.formats.russian_superglue:places": {"pattern": [r"а\s+а", r"а"]},
}


class TooSlow(Exception):
    """A pattern was at one text for longer than ENOUGH."""


@pytest.fixture
def ringing() -> Iterator[None]:
    """Let a pattern that takes too long raise TooSlow."""

    def ring(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, ring)
    yield
    signal.signal(signal.SIGVTALRM, before)


def spent(use: Use, text: str) -> float:
    """Return the processor's seconds that a pattern takes for a text; raises TooSlow."""
    signal.setitimer(signal.ITIMER_VIRTUAL, ENOUGH)
    began = time.process_time()
    try:
        for method in use.how:
            run(use.pattern, method, text)
        return time.process_time() - began
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def run(pattern: re.Pattern[str], method: str, text: str) -> None:
    if method in ("sub", "subn"):
        pattern.sub("", text)
    elif method == "finditer":
        for _ in pattern.finditer(text):
            pass
    elif method == "search":
        pattern.search(text)
    else:
        getattr(pattern, method)(text)


def first(pair: tuple[float, Attack]) -> float:
    return pair[0]


def worst(timed: list[tuple[float, Attack]], number: int) -> list[tuple[float, Attack]]:
    return sorted(timed, key=first, reverse=True)[:number]


def growth(use: Use) -> tuple[float, Attack]:
    """Return how much longer a pattern takes for twice the text that is worst for it, and that text."""
    found = [(0.0, attack) for attack in attacks(use.pattern)]
    try:
        for size, number in ((SHORT, SUSPECTS), (LONG, WORST)):
            timed = []
            for _, at in found:
                timed.append((spent(use, at.text(size)), at))
            found = worst(timed, number)
        grown = []
        for _, at in found:
            grown.append((ratio(use, at), at))
        return max(grown, key=first)
    except TooSlow:
        return float("inf"), at


def ratio(use: Use, attack: Attack) -> float:
    """Return how much longer twice the text takes: the best of several, 1 for what takes no time at all."""
    half, whole = attack.text(4 * LONG), attack.text(8 * LONG)
    shorter, longer = float("inf"), spent(use, whole)
    for _ in range(7):
        if longer < FLOOR or longer <= LARGEST_RATIO * (shorter := min(shorter, spent(use, half))):
            break
        longer = min(longer, spent(use, whole))
    return 1.0 if longer < FLOOR else longer / max(shorter, 1e-6)


def test_every_pattern_is_linear(ringing: None) -> None:
    slow = []
    for use in inventory(PARTS):
        found, attack = growth(use)
        if found > LARGEST_RATIO:
            slow.append(
                f"{use.where}:{use.line} {sorted(use.how)} {use.pattern.pattern[:70]!r} {attack!r}: {found:.1f}"
            )
    assert not slow, "\n".join(slow)
