"""A study as a draft, in a pilot, open and closed; what may change while people work, and that nothing is lost."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from annotate.invitations import NotInvited
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_changes import Pilot
from annotate.requesters.study_creation import Draft
from annotate.worker.stages import Act
from data.errors import BadFile, BadSetting
from db import frames
from db.engine import Database, reading
from db.events import list_events
from db.items import list_items
from db.studies import Study, get_study
from db.study_settings import StudySettings
from tests.helpers.collection import SIGNER, Person, Watch, arrive, make_service, make_study

SETTINGS = StudySettings(overlap=3, training_pass=0).model_dump()


@pytest.fixture
def desk(engine: Database) -> RequesterService:
    return RequesterService(engine, SIGNER, "http://here", Watch())


@pytest.fixture
def draft(desk: RequesterService) -> str:
    return desk.create(Draft("reviews", "rsg/parus", SETTINGS, samples=True, opens=False)).study.name


def study_of(desk: RequesterService, name: str) -> Study:
    with reading(desk.database) as session:
        return get_study(session, name=name)


def test_nobody_enters_a_draft_and_its_link_says_to_come_later(desk: RequesterService, draft: str) -> None:
    person = Person(make_service(desk.database), draft, "")
    cookie = person.service.invite(draft, SIGNER.invitation(draft))
    assert person.service.act(draft, cookie, Act("consent")).stage == "paused"
    desk.set_status(draft, "open")
    assert person.service.state(draft, cookie).stage == "consent"


def test_everything_of_a_draft_may_change_its_name_too(desk: RequesterService, draft: str) -> None:
    oversight = desk.oversight
    changed = oversight.change(draft, {"overlap": 1, "language": "en", "page_main": 4}, who="olga")
    assert set(changed) == {"overlap", "language", "page_main"}
    assert desk.study(draft).coverage.target == desk.study(draft).coverage.items, "fewer judgments are wanted at once"
    assert desk.changes.reword(draft, {"title": {"en": "Causes"}, "question": {"en": "Why?"}}, who="olga")
    desk.changes.rename(draft, "causes", who="olga")
    study = study_of(desk, "causes")
    assert (study.task.title.within("en"), study.settings.overlap) == ("Causes", 1)
    desk.delete("causes")


def test_what_an_opened_study_keeps_is_refused_with_the_reason(desk: RequesterService, draft: str) -> None:
    desk.set_status(draft, "open")
    with pytest.raises(BadSetting, match="links name it"):
        desk.changes.rename(draft, "causes", who="olga")
    with pytest.raises(BadSetting, match="Question: people have answered this question"):
        desk.changes.reword(draft, {"question": {"en": "Why?"}}, who="olga")
    with pytest.raises(BadSetting, match="may only grow"):
        desk.oversight.change(draft, {"overlap": 2}, who="olga")
    with pytest.raises(BadSetting, match="duplicate the study"):
        desk.oversight.change(draft, {"page_main": 4}, who="olga")


def test_a_duplicate_is_a_draft_with_the_same_items_and_settings(desk: RequesterService, draft: str) -> None:
    desk.set_status(draft, "open")
    desk.changes.duplicate(draft, "again")
    one, other = study_of(desk, draft), study_of(desk, "again")
    assert (other.status, other.task, other.settings) == ("draft", one.task, one.settings)
    with reading(desk.database) as session:
        items = [[entry.item for entry in list_items(session, study=study)] for study in (one, other)]
    assert items[0] == items[1]


@pytest.mark.each_database
def test_a_pilot_asks_few_people_about_few_items_and_is_kept_apart(desk: RequesterService, draft: str) -> None:
    made = desk.changes.pilot(draft, Pilot(items=4, people=2))
    card = desk.study(made.name)
    assert (made.name, made.status, made.pilot_of) == ("reviews-pilot", "open", study_of(desk, draft).id)
    assert (card.coverage.items, card.coverage.target, card.control) == (4, 8, desk.study(draft).control)
    service = make_service(desk.database)
    for _ in range(2):
        person = Person(service, made.name, service.invite(made.name, SIGNER.invitation(made.name)))
        cookie = service.act(made.name, person.cookie, Act("consent")).cookie
        person = Person(service, made.name, cookie)
        service.act(made.name, cookie, Act("begin"))
        view = person.train("1")
        while view.stage == "work":
            view = person.answer(view, "1")
    assert desk.study(made.name).coverage.filled == 8
    third = service.invite(made.name, SIGNER.invitation(made.name))
    assert service.act(made.name, third, Act("consent")).stage == "closed", "two people were asked for"
    assert desk.study(draft).coverage.filled == 0
    desk.set_status(draft, "open")
    with pytest.raises(BadSetting, match="a pilot tries a draft"):
        desk.changes.pilot(draft, Pilot())


@pytest.mark.each_database
def test_an_instruction_is_corrected_while_ten_people_work_and_nothing_is_lost(engine: Database) -> None:
    study = make_study(engine, main=20, overlap=5)
    desk, service = RequesterService(engine, SIGNER, "http://here", Watch()), make_service(engine)
    people = [arrive(service) for _ in range(10)]
    held = [person.answer(person.look()) for person in people]
    assert all(view.stage == "work" for view in held)
    texts = {"ru": "Назовите цвет предмета, а не оттенок.", "en": "Name the colour, not the shade."}

    def send(place: int) -> str:
        return people[place].answer(held[place]).stage

    with ThreadPoolExecutor(5) as at_once:
        sent = at_once.map(send, range(10))
        assert desk.changes.reword("colours", {"instruction": texts}, who="olga")
        assert set(sent) <= {"work", "instructions"}
    for person in people:
        view = person.look()
        assert view.stage == "instructions", "the new instruction is read once"
        assert view.task.instruction.within("en") == texts["en"]
        view = service.act("colours", person.cookie, Act("begin"))
        while view.stage == "work":
            view = person.answer(view)
    with reading(engine) as session:
        judged = frames.judgments(session, study=study)
        (corrected,) = list_events(session, study=study, kinds=("corrected",))
    assert len(judged) == 100, "each of 20 items has its 5 answers"
    assert (judged["status"] == "counted").all()
    by_version = judged["instruction_version"].value_counts()
    assert by_version[1] >= 10, "the answers of before know the version that was read for them"
    assert by_version[1] + by_version[2] == 100
    assert corrected.details["words"]["instruction"][0]["en"] == "Name the colour of the thing."
    assert corrected.details["words"]["instruction"][1] == texts


@pytest.mark.each_database
def test_items_are_added_to_an_open_study_and_people_who_were_done_go_on(engine: Database, tmp_path: Path) -> None:
    make_study(engine, main=2, control=1, overlap=1)
    desk, person = RequesterService(engine, SIGNER, "http://here", Watch()), arrive(make_service(engine))
    assert len([*person.work()]) >= 2
    assert person.look().stage == "done"
    more = tmp_path / "more.csv"
    more.write_text("id,thing\nnew-1,a leaf\nnew-2,a rose\n", "utf8")
    assert desk.changes.add("colours", more, who="olga") == 2
    assert person.look().stage == "work"
    with pytest.raises(BadFile, match="new-1"):
        desk.changes.add("colours", more, who="olga")
    more.write_text("id,thing\nnew-3,control thing 0\n", "utf8")
    with pytest.raises(BadFile, match="same as a control item"):
        desk.changes.add("colours", more, who="olga")


@pytest.mark.each_database
def test_so_many_people_may_take_part_and_who_was_excluded_leaves_a_place(engine: Database) -> None:
    make_study(engine, max_people=1)
    service, key = make_service(engine), SIGNER.invitation("colours")
    first = service.act("colours", service.invite("colours", key), Act("consent")).cookie
    second = service.invite("colours", key)
    assert service.act("colours", second, Act("consent")).stage == "closed"
    worker = service.state("colours", first).worker
    Oversight(engine).exclude("colours", worker, who="olga", reason="a test")
    assert service.act("colours", second, Act("consent")).stage == "instructions"
    with pytest.raises(NotInvited):
        service.act("colours", "nobody", Act("begin"))
