"""A small study and people who work on it, for the tests of collection."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from annotate.accounts.signer import Signer
from annotate.requesters.oversight import Oversight
from annotate.requesters.study_plan import Plan, plan
from annotate.worker.service import Service
from annotate.worker.stages import Act
from annotate.worker.view import View
from data.answers.choice import Choice
from data.task import Field, Item, Task
from data.wording import Wording, same
from db.engine import Database, reading, writing
from db.items import add_items
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.workers import get_enrolment

SIGNER = Signer("a secret for tests")
TASK = Task(
    id="test/colour",
    title=Wording(ru="Цвет", en="Colour"),
    description=same(""),
    fields=(Field("thing", Wording(ru="Предмет", en="Thing")),),
    question=Wording(ru="Какого он цвета?", en="What colour is it?"),
    instruction=Wording(ru="Назовите цвет предмета.", en="Name the colour of the thing."),
    answer=Choice(choices={"red": Wording(ru="Красный", en="Red"), "green": Wording(ru="Зелёный", en="Green")}),
    prompt="",
    metrics=("accuracy",),
)


@dataclass
class Watch:
    """A clock that the test sets."""

    moment: datetime = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def passes(self, **time: float) -> None:
        self.moment += timedelta(**time)


def things(role: str, number: int) -> list[Item]:
    """Items of one role with gold red."""
    return [
        Item(f"{role}-{n}", {"thing": f"{role} thing {n}"}, "red", role, f"because {n}" if role == "training" else "")  # type: ignore[arg-type]
        for n in range(number)
    ]


def make_study(
    database: Database, *, main: int = 6, training: int = 0, control: int = 0, name: str = "colours", **settings: object
) -> Study:
    """Store a study of coloured things."""
    chosen = StudySettings.model_validate({"overlap": 3, "page_main": 3, "page_controls": 1} | settings)
    with writing(database) as session:
        study = create_study(session, name=name, task=TASK, settings=chosen, seed=7)
        add_items(
            session,
            study=study,
            items=[*things("training", training), *things("main", main), *things("control", control)],
        )
    return study


def planned(*, items: int, training: int = 0, control: int = 0, sittings: int = 0, **settings: Any) -> Plan:
    """What a study of so many items would ask for; with `sittings` that many exam variants are sat in one go."""
    chosen = StudySettings(**settings, sitting=sittings > 0)
    return plan({"main": items, "training": training, "control": control}, chosen, sittings=sittings)


@dataclass(frozen=True)
class Person:
    """Somebody at a worker page."""

    service: Service
    study: str
    cookie: str

    def look(self) -> View:
        return self.service.state(self.study, self.cookie)

    def answer(self, view: View, label: str = "red", seconds: float = 3) -> View:
        return self.service.act(self.study, self.cookie, Act("answer", token=view.token, value=label, seconds=seconds))

    def enter(self) -> View:
        """Consent and read the instruction."""
        self.service.act(self.study, self.cookie, Act("consent"))
        return self.service.act(self.study, self.cookie, Act("begin"))

    def train(self, label: str = "red") -> View:
        view = self.look()
        while view.stage in ("training", "feedback"):
            if view.stage == "training":
                view = self.answer(view, label)
            else:
                view = self.service.act(self.study, self.cookie, Act("next"))
        return view

    def work(self, label: str = "red") -> Iterator[View]:
        """Answer until nothing is left, and yield what was shown."""
        view = self.look()
        while view.stage == "work":
            yield view
            view = self.answer(view, label)


def arrive(service: Service, study: str = "colours", *, ready: bool = True) -> Person:
    """A new worker with the study's invitation; `ready`: consented, instructed and trained."""
    person = Person(service, study, service.join(study, service.signer.invitation(study)))
    if ready:
        person.enter()
        with suppress(StopIteration):
            person.train()
    return person


def back_to(service: Service, enrolment: int, study: str = "colours") -> str:
    """The key of the link that leads back to an enrolment."""
    with reading(service.database) as session:
        held = get_enrolment(session, enrolment_id=enrolment)
    assert held is not None
    return service.signer.return_key(study, held.key)


def status_of(oversight: Oversight, study: str, worker: str) -> str:
    return next(line.work.status for line in oversight.workers(study) if line.work.name == worker)


def make_service(database: Database, clock: Watch | None = None, signer: Signer | None = None) -> Service:
    return Service(database, signer or SIGNER, clock or Watch())
