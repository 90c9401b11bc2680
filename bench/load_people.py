"""The people of the load: they join, consent, train, answer after a think, and do what people do to a server."""

import asyncio
import random
import ssl
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from html import unescape
from typing import Any

from bench.load_browser import Browser, Refused, Screen, Tally


@dataclass(frozen=True)
class Manners:
    """How people behave. Times in seconds; the others are chances at each answer.

    `leave`: closes the browser for good, a lease in hand; `break_off`: comes back on another device when the lease is
    over; `late`: answers when the lease is over; `twice`: sends the answer two times at once; `careless`: chance of a
    person to fail the training.
    """

    think: float
    lease: float
    leave: float = 0.004
    break_off: float = 0.01
    late: float = 0.02
    twice: float = 0.05
    careless: float = 0.03


SKILL = 0.9  # of good workers: who guesses is excluded by the rule on controls, and the answers are collected anew


@dataclass(frozen=True)
class Place:
    """Where people go: the servers, the study's routes and link, and the right answers of its items by a text."""

    addresses: Sequence[str]
    path: str
    link: str
    right: dict[str, str]
    context: ssl.SSLContext


def steady(manners: Manners) -> Manners:
    """The same people without their whims, for what only the program's speed is to show in."""
    return replace(manners, leave=0, break_off=0, late=0, twice=0, careless=0)


class Worker:
    """One person from the invitation to the end."""

    def __init__(self, place: Place, manners: Manners, tally: Tally, chance: random.Random) -> None:
        self.place, self.manners, self.tally, self.chance = place, manners, tally, chance
        self.careless = chance.random() < manners.careless
        self.browser = self._opened()

    def _opened(self, cookie: str = "") -> Browser:
        place = self.place
        return Browser(place.addresses, place.path, self.tally, self.chance, place.context, cookie)

    async def enter(self) -> Screen:
        """Join, consent, read and train; the screen after that, which is work for those who passed."""
        await self.browser.join(self.place.link)
        self.tally.counts["joined"] += 1
        screen = await self.browser.look()
        steps = {"consent": "consent", "instructions": "begin", "feedback": "next"}
        while screen.stage in (*steps, "training"):
            await self.thinks(0.3)
            if screen.stage == "training":
                value = self._says(screen, right=not self.careless)
                screen = Screen.of(await self.browser.answer(screen.token, value, 1.0))
            else:
                screen = await self.browser.act(steps[screen.stage])
        self.tally.counts["entered"] += 1
        return screen

    def _says(self, screen: Screen, *, right: bool) -> str:
        """Return the right option of the item on the screen, or a wrong one."""
        gold = next(gold for text, gold in self.place.right.items() if text in unescape(screen.text))
        return next(label for label in screen.options if (label == gold) == right)

    async def live(self) -> None:
        """Work until there is nothing to do for good, or this person has had enough."""
        screen: Screen | None = await self.enter()
        while screen and screen.stage in ("work", "done"):
            if screen.stage == "work":
                screen = await self.step(screen)
            else:  # somebody's lease may run out: whoever keeps the page open is asked again
                await asyncio.sleep(self.manners.lease / 3)
                screen = await self.browser.look()
        self.tally.counts[screen.stage if screen else "left for good"] += 1

    async def step(self, screen: Screen) -> Screen | None:
        """Deal with one item; None for somebody who leaves."""
        begun, whim, manners = time.monotonic(), self.chance.random(), self.manners
        for share, deed in ((manners.leave, self._leave), (manners.break_off, self._come_back)):
            if whim < share:
                return await deed()
            whim -= share
        await self.thinks()
        if whim < manners.late:
            self.tally.counts["late on purpose"] += 1
            await asyncio.sleep(1.5 * manners.lease)
        value = self._says(screen, right=self.chance.random() < SKILL)
        seconds = time.monotonic() - begun
        if self.chance.random() < manners.twice:
            return await self._twice(screen.token, value, seconds)
        return Screen.of(await self.browser.answer(screen.token, value, seconds))

    async def thinks(self, share: float = 1.0) -> None:
        if self.manners.think:
            await asyncio.sleep(self.chance.expovariate(1 / (share * self.manners.think)))

    async def _leave(self) -> None:
        return None

    async def _come_back(self) -> Screen:
        """Close the page, and open it on another device with the same cookie when the lease is over."""
        self.tally.counts["came back"] += 1
        await self.browser.close()
        await asyncio.sleep(2 * self.manners.lease)
        self.browser = self._opened(self.browser.cookie)
        return await self.browser.look()

    async def _twice(self, token: str, value: str, seconds: float) -> Screen:
        """Send one answer two times at once: both must be taken, and lead to the same next screen."""
        self.tally.counts["sent twice"] += 1
        begun = time.monotonic()
        replies = await asyncio.gather(*(self.browser.answer(token, value, seconds) for _ in range(2)))
        first, second = (Screen.of(reply) for reply in replies)
        in_time = time.monotonic() - begun < self.manners.lease  # else the next item was given on before both had it
        # Where nothing was left for the one, somebody's lease may have run out before the other.
        ended = {first.stage, second.stage} == {"work", "done"}
        if in_time and not ended and (first.stage, first.token) != (second.stage, second.token):
            self.tally.troubles["two replies to one answer"] += 1
        return second


async def seat(make: Callable[[], Worker], *, wait: float) -> None:
    """One seat in the crowd: whoever leaves it makes room for somebody new, until the study is closed by being full."""
    await asyncio.sleep(wait)
    while True:
        worker = make()
        try:
            await worker.live()
        except Refused as refusal:
            worker.tally.troubles[f"refused: {refusal}"] += 1
            await asyncio.sleep(1.0)
        finally:
            await worker.browser.close()


def never() -> bool:
    return False


async def together(
    seats: Sequence[Coroutine[Any, Any, None]],
    *,
    seconds: float,
    full: Callable[[], bool] = never,
    beside: asyncio.Future[list[None]] | None = None,
) -> None:
    """Let all seats run until `full()` or for `seconds`; what is under way then is cut off.

    A mistake of ours, in a seat or in what runs `beside`, ends the whole run.
    """
    until = time.monotonic() + seconds
    tasks = [asyncio.ensure_future(one) for one in seats]
    watched: list[asyncio.Future[Any]] = [*tasks, beside] if beside else [*tasks]
    try:
        while (left := until - time.monotonic()) > 0 and not await asyncio.to_thread(full):
            done, pending = await asyncio.wait(watched, timeout=min(left, 1.0), return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
            if not pending:
                break
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
