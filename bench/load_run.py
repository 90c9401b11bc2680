"""The parts of a load run: a session of people who think, a rush of people who do not, and the floor around each."""

import argparse
import asyncio
import random
import ssl
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from annotate.accounts.installation_secret import installation_secrets
from annotate.accounts.signer import Signer
from bench.load_browser import Browser, Screen, Tally
from bench.load_figures import Stretch, measuring
from bench.load_people import Manners, Place, Worker, seat, steady, together
from bench.load_servers import Site
from bench.load_study import right_answers
from db.settings import Settings
from db.studies import Study

WARM = 20  # answers before anything is measured: templates are compiled at their first use, and so are statements


class Run:
    """One run of the load with its options."""

    def __init__(self, options: argparse.Namespace, home: Path) -> None:
        self.options = options
        self.backup, self.before_backup = home / "backup.tar.gz", 0  # answers acknowledged when it was begun
        self.signer = Signer(installation_secrets(Settings(home=home))[0])
        self.manners = Manners(think=options.think, lease=options.lease or max(3 * options.think, 5.0))
        self.context = ssl.create_default_context()

    def chance(self, purpose: object) -> random.Random:
        return random.Random(f"{self.options.seed}:{purpose}")

    def expected(self) -> float:
        """About how many seconds the study takes, controls included; the kills fall within them."""
        answers = 1.25 * self.options.items * self.options.overlap / self.options.workers
        return float(min(self.options.seconds, answers * max(self.options.think, 0.005)))

    def place(self, site: Site, study: Study) -> Place:
        link = f"/join/{study.name}/{self.signer.invitation(study.name)}"
        addresses = [server.address for server in site.servers]
        return Place(addresses, f"/api/annotate/{study.name}", link, right_answers(), self.context)

    async def warm(self, site: Site, place: Place, tally: Tally) -> None:
        """Let one person answer a few items at each server."""
        for server in site.servers:
            there = Place([server.address], place.path, place.link, place.right, place.context)
            worker = Worker(there, steady(Manners(think=0, lease=60)), tally, self.chance(f"warm {server.port}"))
            screen: Screen | None = await worker.enter()
            for _ in range(WARM):
                screen = await worker.step(screen) if screen else None
            await worker.browser.close()

    async def crowd(self, site: Site, place: Place, tally: Tally, full: Callable[[], bool]) -> Stretch:
        """People with their whims, until the study is full or the time is over, while servers are killed.

        Measured from when everybody has entered: joining and training would count as the cost of answers.
        """
        numbers, stretch, over = iter(range(10**9)), Stretch(), asyncio.Event()
        seats = [
            seat(
                lambda: Worker(place, self.manners, tally, self.chance(next(numbers))),
                wait=self.chance(f"arrival {one}").uniform(0, 2 * self.options.think),
            )
            for one in range(self.options.workers)
        ]
        accidents = (self.options.kills, self.options.database_restarts)
        crashing = site.crash(*accidents, self.expected(), self.chance("kills"), over)
        with ExitStack() as measured:

            async def measure() -> None:
                while tally.counts["entered"] < self.options.workers:
                    if over.is_set():
                        return
                    await asyncio.sleep(0.1)
                measured.enter_context(measuring(stretch, tally, site))

            backups = [self.back_up(site, tally, over)] if self.options.backup else []
            beside = asyncio.gather(crashing, measure(), *backups)
            await together(seats, seconds=self.options.seconds, full=full, beside=beside)
        over.set()
        await beside
        return stretch

    async def back_up(self, site: Site, tally: Tally, over: asyncio.Event) -> None:
        """Write a backup in the middle, once more where the database died meanwhile."""
        with suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), self.expected() / 2)
        for _ in range(1 + self.options.database_restarts):
            self.before_backup = len(tally.answers)
            if await site.command("backup", str(self.backup)):
                return
            await asyncio.sleep(2)
        raise RuntimeError("no backup could be written")

    async def rush(self, site: Site, place: Place, tally: Tally) -> Stretch:
        """The same number of people without a pause; measured from when all of them are at work."""
        manners, stretch = steady(Manners(think=0, lease=60)), Stretch()
        workers = [Worker(place, manners, tally, self.chance(f"rush {one}")) for one in range(self.options.workers)]
        screens = await asyncio.gather(*(worker.enter() for worker in workers))

        async def busy(worker: Worker, screen: Screen | None) -> None:
            while screen and screen.stage == "work":
                screen = await worker.step(screen)

        seats = [busy(worker, screen) for worker, screen in zip(workers, screens, strict=True)]
        with measuring(stretch, tally, site):
            await together(seats, seconds=self.options.rush)
        await asyncio.gather(*(worker.browser.close() for worker in workers))
        return stretch

    async def floor(self, site: Site, stretch: Stretch, *, think: float, seconds: float) -> None:
        """The same browsers at the floor: one insert for each answer, with the same think time; added to `stretch`."""
        tally, places = Tally(), [server.address for server in site.servers]

        async def one(browser: Browser, chance: random.Random) -> None:
            while True:
                await asyncio.sleep(chance.expovariate(1 / think) if think else 0)
                await browser.answer("0." + "x" * 24, chance.choice("01"), 1.0)

        browsers = [
            Browser(places, "", tally, self.chance(f"floor {number}"), self.context, "etalon_floor=nobody")
            for number in range(self.options.workers)
        ]
        for _ in range(WARM):
            await browsers[0].answer("0.warm", "0", 1.0)
        with measuring(stretch, tally, site):
            await together([one(browser, browser.chance) for browser in browsers], seconds=seconds)
        await asyncio.gather(*(browser.close() for browser in browsers))
