"""Workers who misbehave, and good ones beside them, at the real service: for the tests and for the benches."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from annotate.worker.stages import Act
from data.task import Item
from db.engine import Database, reading, writing
from db.events import list_events
from db.items import add_items
from db.studies import Study, create_study, get_study
from db.study_settings import StudySettings
from db.worker_summaries import worker_summaries
from eval.workers.table import checked_rules
from tests.helpers.collection import TASK, Watch, arrive, make_service

LABELS = ("red", "green")
TIRES = 40  # answers after which good-then-bad workers guess
FAST, USUAL = 1.0, 9.0  # seconds


@dataclass(frozen=True)
class Kind:
    """How a kind of worker answers: given its own seed, the thing, what is right and how many it has answered.

    `skipped` items are skipped before the first answer; text is `pasted` into all answers or none.
    """

    name: str
    answer: Callable[[str, str, str, int], str]
    seconds: float = USUAL
    skipped: int = 0
    pasted: bool = False


@dataclass
class Outcome:
    """What became of one worker: the rules that found it, its answers to main and control items, counted and void."""

    kind: str
    worker: str = ""
    found: set[str] = field(default_factory=set)
    counted: int = 0
    void: int = 0
    stopped: bool = False


def right_in(share: float) -> Callable[[str, str, str, int], str]:
    """Answer right with that probability, the same whenever the same worker is asked again."""

    def answer(seed: str, thing: str, gold: str, _given: int) -> str:
        right = Random(f"{seed}:{thing}").random() < share
        return gold if right else next(label for label in LABELS if label != gold)

    return answer


def tires(seed: str, thing: str, gold: str, given: int) -> str:
    """Answer well at first, and guess later."""
    return right_in(0.9 if given < TIRES else 0.5)(seed, thing, gold, given)


def is_trap(thing: str) -> bool:
    """Return whether a thing is one of the controls that say what to answer: every third one."""
    role, number = thing.split()
    return role == "control" and int(number) % 3 == 0


GOOD, FAIR, SOURCE = (Kind(name, right_in(share)) for name, share in (("90%", 0.9), ("80%", 0.8), ("copied", 0.7)))
RANDOM = Kind("random", right_in(0.5))
CONSTANT = Kind("constant", lambda *_: "red")
PATTERN = Kind("pattern", lambda _seed, _thing, _gold, given: LABELS[given % 2])
HASTY = Kind("too fast", right_in(0.5), FAST)
COPY = Kind("copying", right_in(0.7))
SKIPS = Kind("skips", right_in(0.9), skipped=6)
PASTES = Kind("pastes", right_in(0.9), pasted=True)
CARELESS = Kind(
    "careless", lambda seed, thing, gold, given: right_in(0 if is_trap(thing) else 0.9)(seed, thing, gold, given)
)
TIRING = Kind("good, then bad", tires)
CROWD = (*[GOOD] * 7, *[FAIR] * 2, SOURCE, RANDOM, CONSTANT, PATTERN, HASTY, COPY, TIRING)


def play(
    database: Database,
    kinds: Sequence[Kind],
    *,
    name: str,
    main: int,
    quality: Mapping[str, object],
    page_main: int = 3,
    page_controls: int = 1,
) -> list[Outcome]:
    """Let a crowd work side by side on a study where one of two answers is right equally often; return each's fate."""
    watch, random = Watch(), Random(name)
    golds = _study(database, name, main, len(kinds), random, quality, page_main=page_main, page_controls=page_controls)
    service = make_service(database, watch)
    people = [arrive(service, name) for _ in kinds]
    seeds = [f"{name}:{place}" for place in range(len(kinds))]
    for place, kind in enumerate(kinds):
        if kind is COPY:
            seeds[place] = seeds[list(kinds).index(SOURCE)]
    given = [0] * len(kinds)
    working = dict(enumerate(person.look() for person in people))
    while working:
        watch.passes(seconds=20)
        for place in list(working):
            view, kind = working.pop(place), kinds[place]
            if view.stage != "work" or view.item is None:
                continue
            thing = view.item.fields["thing"]
            if given[place] < kind.skipped:
                service.act(name, people[place].cookie, Act("skip", token=view.token))
                working[place] = people[place].look()
            else:
                label = kind.answer(seeds[place], thing, golds[thing], given[place])
                sent: dict[str, Any] = {"value": label, "seconds": kind.seconds, "pasted": kind.pasted}
                working[place] = service.act(name, people[place].cookie, Act("answer", token=view.token, **sent))
            given[place] += 1
    return _outcomes(database, name, kinds)


def _study(
    database: Database, name: str, main: int, workers: int, random: Random, quality: Mapping[str, object], **pages: int
) -> dict[str, str]:
    """Store a study and return what is right by the thing shown."""
    chosen = StudySettings.model_validate({"overlap": workers, "quality": checked_rules(quality).stored()} | pages)
    items = [
        Item(f"{role}-{n}", {"thing": f"{role} {n}"}, random.choice(LABELS), role)  # type: ignore[arg-type]
        for role, number in (("main", main), ("control", max(30, main)))
        for n in range(number)
    ]
    with writing(database) as session:
        study = create_study(session, name=name, task=TASK, settings=chosen, seed=random.randrange(10**6))
        add_items(session, study=study, items=items)
    return {item.fields["thing"]: item.gold or "" for item in items}


def _outcomes(database: Database, name: str, kinds: Sequence[Kind]) -> list[Outcome]:
    with reading(database) as session:
        study: Study = get_study(session, name=name)
        done = worker_summaries(session, study=study)
        events = list_events(session, study=study, most=None)
    found = {work.name: Outcome(kind.name, work.name) for work, kind in zip(done, kinds, strict=True)}
    for work in done:
        found[work.name].counted, found[work.name].void = work.answers, work.void
        found[work.name].stopped = work.status in ("paused", "excluded")
    for event in events:
        if event.kind == "rule":
            found[event.worker].found.add(event.rule)
    return list(found.values())


def rates(outcomes: Sequence[Outcome], rule: str) -> dict[str, tuple[int, int]]:
    """Return how many workers of each kind a rule has found, and out of how many."""
    met = Counter(one.kind for one in outcomes)
    hit = Counter(one.kind for one in outcomes if rule in one.found)
    return {kind: (hit[kind], number) for kind, number in met.items()}
