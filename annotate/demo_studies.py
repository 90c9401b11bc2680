"""The demo studies of a first start: our own sample items, judged by simulated workers, with room for visitors."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random

from annotate.worker.service import Service
from annotate.worker.stages import Act
from annotate.worker.view import View
from data.answers.answer_type import AnswerType
from data.answers.pairwise import Pairwise
from data.catalogue.catalog import SAMPLES, samples, task_named
from data.task import Item
from db.engine import reading, writing
from db.items import add_items, list_items
from db.studies import Study, create_study, list_studies
from db.study_settings import StudySettings
from eval.workers.control import ControlRule
from eval.workers.table import QualityRules

Golds = Mapping[tuple[tuple[str, str], ...], str]


@dataclass(frozen=True)
class Simulated:
    """One simulated worker. `ability` is in logits: against an item of difficulty 0 it is right 1 / (1 + e^-ability).

    `pace` is the median time on an item in seconds; `patience` how many items it answers before it leaves.
    """

    ability: float
    pace: float = 9.0
    patience: int = 10_000


@dataclass
class SimulatedClock:
    """A clock that the simulated worker moves on."""

    moment: datetime

    def __call__(self) -> datetime:
        """Return the simulated moment."""
        return self.moment


def simulate(
    service: Service,
    study: Study,
    people: Sequence[Simulated],
    *,
    start: datetime,
    seed: int = 0,
    golds: Golds | None = None,
) -> int:
    """Let simulated people work on a study one after the other from `start` on; return how many answers they gave.

    Every item has a difficulty of its own (seeded, normal), so that people split on some items and not on others. Each
    worker is stored as simulated. `golds` are what they take for right, those of the study unless given.
    """
    if golds is None:
        with reading(service.database) as session:
            golds = _golds(entry.item for entry in list_items(session, study=study))
    answering = partial(_answer, golds, seed)
    return sum(
        _work(service, study, person, answering, start + timedelta(minutes=7 * number), Random(f"{seed}:{number}"))
        for number, person in enumerate(people)
    )


def _answer(golds: Golds, seed: int, view: View, person: Simulated, who: float) -> str:
    """Return a right answer with the probability that skill and difficulty give, else a wrong one.

    It follows from the person and the item alone, whatever order the installation's secret draws; how difficult an item
    is follows from the seed.
    """
    if view.item is None:
        raise AssertionError("an item is always shown where an answer is due")
    fields = view.item.fields
    asked, gold = view.task.answer_for(fields), golds.get(_key(fields))
    difficulty = Random(f"{seed}:{_key(fields)}").gauss(0, 1.3)
    random = Random(f"{who}:{_key(fields)}")
    knows = random.random() < 1 / (1 + math.exp(difficulty - person.ability))
    if gold is None:
        return asked.draw(fields, random)
    return asked.best(gold, fields) if knows else _wrong_answer(asked, gold, fields, random)


def _work(
    service: Service,
    study: Study,
    person: Simulated,
    answering: Callable[[View, Simulated, float], str],
    moment: datetime,
    random: Random,
) -> int:
    """Let one person work from that moment on; return how many answers the person gave."""
    clock, given, who = SimulatedClock(moment), 0, random.random()
    service = replace(service, clock=clock)
    cookie = service.join(study.name, service.signer.invitation(study.name), simulated=True)
    service.act(study.name, cookie, Act("consent", value={"notice": True}))
    view = service.act(study.name, cookie, Act("begin"))
    while view.stage in ("training", "feedback", "work") and given < person.patience:
        seconds = person.pace * math.exp(random.gauss(0, 0.45))
        clock.moment += timedelta(seconds=seconds + 1)
        if view.stage == "feedback":
            view = service.act(study.name, cookie, Act("next"))
            continue
        label = answering(view, person, who)
        view = service.act(study.name, cookie, Act("answer", token=view.token, value=label, seconds=seconds))
        given += 1
    return given


def _wrong_answer(asked: AnswerType, gold: str, fields: Mapping[str, str], random: Random) -> str:
    """Return a wrong answer drawn by chance; where chance finds none in twenty draws, what it drew last."""
    answer = asked.draw(fields, random)
    for _ in range(20):
        if not asked.right(answer, gold, fields):
            break
        answer = asked.draw(fields, random)
    return answer


def _golds(items: Iterable[Item]) -> Golds:
    """Return the right answers by what an item shows, which is all that a worker knows of it."""
    return {_key(item.fields): item.gold for item in items if item.gold is not None}


def _key(fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(fields.items()))


OWN = SAMPLES / "demo"
DEMO_TASKS = {
    "demo-parus": "rsg/parus",
    "demo-replies": str(OWN / "replies" / "task.toml"),
    "demo-claims": str(OWN / "claims" / "task.toml"),
}
"""The task of each demo study, the one that is seen first last: Russian, a pair of replies to judge, English."""
SEED = 2026
PEOPLE = (
    Simulated(ability=2.8, pace=11),
    Simulated(ability=2.4, pace=9),
    Simulated(ability=2.3, pace=14),
    Simulated(ability=2.0, pace=8),
    Simulated(ability=-0.6, pace=3),
    Simulated(ability=2.2, pace=10, patience=14),
)
UNSURE = tuple(replace(person, ability=person.ability - 1) for person in PEOPLE)
DISPUTED = "demo-claims"  # people disagree about it
# A rule that only flags leaves it to the visitor to exclude the worker whom it found.
RULES = QualityRules(control=ControlRule(action="flag"))
SETTINGS = StudySettings(
    overlap=8,
    page_main=6,
    page_controls=2,
    price=2.5,
    currency="RUB",
    purpose="comparison",
    training_pass=0.5,
    control_min=0.5,
    quality=RULES.stored(),
)


def create_demos(service: Service) -> list[Study]:
    """Create the demo studies that are not there yet and let the simulated people work on them."""
    with reading(service.database) as session:
        known = {study.name for study in list_studies(session)}
    created = []
    for name, task_name in DEMO_TASKS.items():
        if name in known:
            continue
        task = task_named(task_name)
        items = samples(task)
        golds = _golds(items)
        if isinstance(task.answer, Pairwise):  # which reply is better is for people to say
            items = [replace(item, gold=None) for item in items]
        language = "ru" if name == "demo-parus" else "en"
        settings = SETTINGS.model_copy(update={"language": language})
        with writing(service.database) as session:
            study = create_study(session, name=name, task=task, settings=settings, origin="demo", seed=SEED)
            order = service.signer.chance("order", name, SEED)
            add_items(session, study=study, items=items, order=order)
        start = service.clock() - timedelta(hours=2)
        simulate(service, study, UNSURE if name == DISPUTED else PEOPLE, start=start, seed=SEED, golds=golds)
        created.append(study)
    return created
