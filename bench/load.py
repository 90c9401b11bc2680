"""Play a paid session: people over real HTTP against server processes of this program, and the floor beside it.

    python bench/load.py [--workers 200] [--items 2000] [--overlap 5] [--think 5] [--seconds 480] [--servers 1|2]
                         [--database sqlite|postgres] [--kills K] [--database-restarts N] [--backup] [--rush 15]
                         [--seed 1]

Everything is made in a temporary folder and listens on 127.0.0.1 only. Ends with code 1 where a check failed; a goal
that is missed is printed and is no failure, because other users of a machine slow it.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from sqlalchemy.exc import DBAPIError

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.load_browser import Tally
from bench.load_checks import Findings, findings
from bench.load_figures import Stretch, crowd_table, rush_table
from bench.load_run import Run
from bench.load_servers import Site, database, floors, programs
from bench.load_study import make_study
from db.engine import Database, opened, reading
from db.items import coverage
from db.studies import Study

RUSH_OVERLAP, RUSH_ITEMS = 50, 2000  # nobody in the rush is to run out of items
FLOOR_SECONDS = 15.0  # at most, before the session and again after it


def complete(engine: Database, study: Study) -> bool:
    """Whether every item of a study has all its judgments; not, while the database cannot be asked."""
    try:
        with reading(engine) as session:
            known = coverage(session, study=study)
    except DBAPIError:
        return False
    return known.complete == known.items


class Played:
    """What came of a run: its stretches, and what the people of its two parts saw."""

    def __init__(self) -> None:
        self.session, self.rush, self.floor, self.floor_rush = Stretch(), Stretch(), Stretch(), Stretch()
        self.seen, self.rushed = Tally(), Tally()


async def load(options: argparse.Namespace, home: Path) -> bool:
    """Play everything and print it; whether all checks held."""
    run, played = Run(options, home), Played()
    with database(options.database, home) as stored, opened(stored.url) as engine:
        session = make_study(engine, "crowd", items=options.items, overlap=options.overlap, lease=run.manners.lease)
        rush = make_study(engine, "rush", items=RUSH_ITEMS, overlap=RUSH_OVERLAP, lease=60)
        site, floor = Site(programs(options.servers, home, stored.url), stored), Site(floors(home))
        try:
            await site.start()
            await floor.start()
            await play(run, played, site, floor, (session, rush), lambda: complete(engine, session))
        finally:
            site.stop()
            floor.stop()
        held = checked("the session", findings(engine, session, run.signer, played.seen.answers), played.seen)
        held &= checked("the rush", findings(engine, rush, run.signer, played.rushed.answers), played.rushed)
        if options.backup:
            url, restored = stored.second(), str(home / "restored")
            held &= await site.command("restore-backup", str(run.backup), DATABASE_URL=url, ETALON_HOME=restored)
            held &= backup_checked(run, played, url, session)
    print(
        f"\nservers: {options.servers} on {options.database}, killed {site.kills} times, "
        f"the database {stored.restarts} times"
    )
    complaints = sum((server.complaints() for server in site.servers), Counter[str]())
    print(f"tracebacks in their logs: {complaints.total()}")
    for what, number in complaints.items():
        print(f"  {number} x {what}")
    if options.think:
        print(f"\n{crowd_table(played.session.figures(), played.floor.figures())}")
    if options.rush:
        print(f"\n{rush_table(played.rush.figures(), played.floor_rush.figures())}")
    return held


async def play(
    run: Run, played: Played, site: Site, floor: Site, studies: tuple[Study, Study], full: Callable[[], bool]
) -> None:
    """Play the parts in turn, each between two halves of its floor: a machine that slows down slows both."""
    session, rush = (run.place(site, study) for study in studies)
    options = run.options
    half = min(FLOOR_SECONDS, options.seconds / 2)
    await run.warm(site, rush, played.rushed)
    if options.think:
        await run.floor(floor, played.floor, think=options.think, seconds=half)
    played.session = await run.crowd(site, session, played.seen, full)
    if options.think:
        await run.floor(floor, played.floor, think=options.think, seconds=half)
    if options.rush:
        await run.floor(floor, played.floor_rush, think=0, seconds=options.rush / 2)
        played.rush = await run.rush(site, rush, played.rushed)
        await run.floor(floor, played.floor_rush, think=0, seconds=options.rush / 2)


def checked(name: str, found: Findings, tally: Tally) -> bool:
    """Print what the database holds after one part; whether nothing is wrong with it."""
    print(f"\n{name}: {found.counted} counted judgments on {found.items} items, {found.complete} of them complete,")
    print(f"  {found.surplus} surplus, {found.control} of controls; {found.acknowledged} answers acknowledged,")
    print(f"  {found.expired} leases ran out unanswered, longest wait for a reply {tally.longest_wait:.1f} s")
    for title, counted in (("people", tally.counts), ("troubles, all tried again", tally.troubles)):
        print(f"  {title}: {', '.join(f'{what} {number}' for what, number in sorted(counted.items())) or 'none'}")
    bad = {what: number for what, number in tally.troubles.items() if what.startswith(("refused", "two replies"))}
    for rule, number in {**found.wrong, **bad}.items():
        print(f"  WRONG: {number} {rule}")
    if not found.wrong and not bad:
        print("  every check held: never too many, nothing acknowledged lost, nobody twice, all counts true")
    return not found.wrong and not bad


def backup_checked(run: Run, played: Played, url: str, study: Study) -> bool:
    """Hold the restored backup against what was acknowledged before it was begun; whether nothing is wrong with it."""
    sent = enumerate(played.seen.answers)
    before = [replace(one, arrived=one.arrived and place < run.before_backup) for place, one in sent]
    with opened(url) as engine:
        held = checked("the restored backup", findings(engine, study, run.signer, before), Tally())
        if engine.dialect.name == "sqlite":  # PostgreSQL made every index and constraint anew
            with engine.connect() as connection:
                state = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
                orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            print(f"  integrity {state}, {len(orphans)} rows without what they refer to")
            held &= state == "ok" and not orphans
    return held


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("workers", 200), ("items", 2000), ("overlap", 5), ("kills", 0), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--think", type=float, default=5.0, help="mean think time in seconds, exponential")
    parser.add_argument("--seconds", type=float, default=480.0, help="longest time of the session")
    parser.add_argument("--rush", type=float, default=15.0, help="seconds without think time; 0 leaves them out")
    parser.add_argument("--servers", type=int, choices=(1, 2), default=1)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--database-restarts", type=int, default=0, help="how often PostgreSQL dies and comes back")
    parser.add_argument("--backup", action="store_true", help="write one in the middle, restore it in the end")
    parser.add_argument("--lease", type=float, help="seconds an item is kept [default: three think times, 5 or more]")
    chosen = parser.parse_args()
    if chosen.database_restarts and chosen.database == "sqlite":
        parser.error("--database-restarts: a file has no server to restart; add --database postgres")
    return chosen


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends us ends the servers too
    with tempfile.TemporaryDirectory(prefix="etalon-load-") as folder:
        sys.exit(0 if asyncio.run(load(options(), Path(folder))) else 1)
