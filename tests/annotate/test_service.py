"""A worker's whole way through the service, on both databases: leases, counts, double sends, late answers."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from annotate.invitations import NotInvited
from annotate.worker.stages import Act
from data.errors import BadAnswer
from db import frames
from db.assignments import settle_expired
from db.engine import Database, reading, writing
from db.items import coverage
from db.studies import Study, set_status
from db.tables import AssignmentRow, ItemRow
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study


def judged(database: Database, study: Study) -> list[tuple[str, str, str]]:
    with reading(database) as session:
        frame = frames.judgments(session, study=study)
    return list(frame[["item", "worker", "status"]].itertuples(index=False, name=None))


def counts(database: Database, study: Study) -> tuple[int, int]:
    with reading(database) as session:
        covered = coverage(session, study=study)
    return covered.filled, covered.held


def test_the_way_leads_from_consent_to_the_end(engine: Database) -> None:
    make_study(engine, main=3, training=2, overlap=1)
    person = arrive(make_service(engine), ready=False)
    stages = [person.look().stage]
    stages.append(person.service.act("colours", person.cookie, Act("consent")).stage)
    stages.append(person.service.act("colours", person.cookie, Act("begin")).stage)
    told = person.answer(person.look(), "green")
    assert told.feedback is not None
    assert (told.feedback.right, told.feedback.gold, told.feedback.explanation) == (False, "red", "because 0")
    stages.append(told.stage)
    stages.append(person.service.act("colours", person.cookie, Act("next")).stage)
    assert stages == ["consent", "instructions", "training", "feedback", "training"]


def test_nothing_opens_without_consent_and_steps_cannot_be_skipped(sqlite: Database) -> None:
    make_study(sqlite, training=1)
    person = arrive(make_service(sqlite), ready=False)
    assert person.service.act("colours", person.cookie, Act("begin")).stage == "consent"
    assert person.service.act("colours", person.cookie, Act("next")).stage == "consent"
    assert person.look().item is None


def test_a_failed_training_ends_politely_and_leads_to_no_work(sqlite: Database) -> None:
    study = make_study(sqlite, training=2, training_pass=0.8)
    person = arrive(make_service(sqlite), ready=False)
    person.enter()
    assert person.train("green").stage == "failed"
    assert person.look().stage == "failed"
    with reading(sqlite) as session:
        assert len(frames.excluded_workers(session, study=study)) == 1


def test_every_item_ends_with_exactly_its_overlap(engine: Database) -> None:
    study = make_study(engine, main=5, overlap=3)
    service = make_service(engine)
    for _ in range(5):
        list(arrive(service).work())
    assert counts(engine, study) == (15, 0)
    assert len(judged(engine, study)) == 15


def test_a_worker_never_judges_an_item_twice_and_meets_each_control_once_while_others_are_unseen(
    engine: Database,
) -> None:
    study = make_study(engine, main=6, control=2, overlap=1, page_main=2, page_controls=1)
    shown = [view.item.fields["thing"] for view in arrive(make_service(engine)).work() if view.item]
    assert len(shown) == len(set(shown))
    assert sum(thing.startswith("main") for thing in shown) == 6
    assert sum(thing.startswith("control") for thing in shown) == 2
    assert counts(engine, study) == (6, 0)


def test_controls_repeat_once_all_were_seen_where_the_study_says_so(sqlite: Database) -> None:
    study = make_study(sqlite, main=6, control=1, overlap=1, page_main=2, page_controls=1, repeat_controls=True)
    list(arrive(make_service(sqlite)).work())
    with reading(sqlite) as session:
        repeats = frames.judgments(session, study=study).query("role == 'control'")["repeat"]
    assert sorted(repeats) == list(range(len(repeats)))
    assert len(repeats) >= 2


def test_the_same_answer_sent_twice_gives_the_same_screen_and_one_judgment(engine: Database) -> None:
    study = make_study(engine)
    person = arrive(make_service(engine))
    first = person.look()
    assert person.answer(first) == person.answer(first)
    assert len(judged(engine, study)) == 1


def test_two_answers_at_once_are_one_judgment(engine: Database) -> None:
    study = make_study(engine)
    person = arrive(make_service(engine))
    view = person.look()
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: person.answer(view), range(8)))
    assert all(reply == replies[0] for reply in replies)
    assert len(judged(engine, study)) == 1


def test_a_refresh_shows_the_same_item_again(sqlite: Database) -> None:
    make_study(sqlite)
    person = arrive(make_service(sqlite))
    assert person.look() == person.look()


def test_an_expired_lease_goes_to_somebody_else(engine: Database) -> None:
    study, clock = make_study(engine, main=1, overlap=1), Watch()
    service = make_service(engine, clock)
    slow = arrive(service)
    assert slow.look().stage == "work"
    other = arrive(service)
    assert other.look().stage == "done", "the only slot is held"
    clock.passes(minutes=16)
    assert other.look().stage == "work"
    assert counts(engine, study) == (0, 1)


def test_a_request_keeps_the_lease_alive(engine: Database) -> None:
    make_study(engine, main=1, overlap=1)
    clock = Watch()
    service = make_service(engine, clock)
    slow, other = arrive(service), arrive(service)
    slow.look()
    for _ in range(3):
        clock.passes(minutes=10)
        slow.look()
    assert other.look().stage == "done"


def test_a_late_answer_is_counted_while_its_item_still_wants_one(engine: Database) -> None:
    study, clock = make_study(engine, main=1, overlap=1), Watch()
    late, other = arrive(make_service(engine, clock)), arrive(make_service(engine, clock), ready=False)
    view = late.look()
    clock.passes(minutes=16)
    other.look()
    late.answer(view)
    assert [status for _, _, status in judged(engine, study)] == ["counted"]
    assert counts(engine, study) == (1, 0)


def test_a_late_answer_to_an_item_that_is_full_is_kept_as_surplus(engine: Database) -> None:
    study, clock = make_study(engine, main=1, overlap=1), Watch()
    late, quick = arrive(make_service(engine, clock)), arrive(make_service(engine, clock))
    view = late.look()
    clock.passes(minutes=16)
    quick.answer(quick.look())
    late.answer(view)
    assert [status for _, _, status in judged(engine, study)] == ["counted", "surplus"]
    assert counts(engine, study) == (1, 0)


def test_a_late_answer_to_an_item_leased_again_is_one_judgment(engine: Database) -> None:
    study, clock = make_study(engine, main=1, overlap=2), Watch()
    person = arrive(make_service(engine, clock))
    old = person.look()
    clock.passes(minutes=16)
    again = person.look()
    assert again.token == old.token, "it is the same lease, taken up again"
    person.answer(old)
    person.answer(again)
    assert len(judged(engine, study)) == 1
    assert counts(engine, study) == (1, 0)


@pytest.mark.parametrize("value", ["blue", "", None, 7, ["red"], {"label": "red"}])
def test_an_answer_that_is_not_an_option_is_refused_and_nothing_is_lost(sqlite: Database, value: object) -> None:
    study = make_study(sqlite)
    person = arrive(make_service(sqlite))
    view = person.look()
    with pytest.raises(BadAnswer):
        person.service.act("colours", person.cookie, Act("answer", token=view.token, value=value))
    assert person.look() == view
    assert judged(sqlite, study) == []


def test_nobody_answers_with_somebody_elses_token_or_cookie(sqlite: Database) -> None:
    make_study(sqlite)
    service = make_service(sqlite)
    one, two = arrive(service), arrive(service)
    stolen = one.look()
    with pytest.raises(BadAnswer):
        two.answer(stolen)
    with pytest.raises(NotInvited):
        Person(service, "colours", "forged").look()
    with pytest.raises(NotInvited):
        service.join("colours", "a guess")


def test_a_cookie_opens_only_its_own_study(sqlite: Database) -> None:
    make_study(sqlite)
    make_study(sqlite, name="others")
    service = make_service(sqlite)
    person = arrive(service)
    with pytest.raises(NotInvited):
        Person(service, "others", person.cookie).look()


def test_a_cookie_of_another_study_does_not_keep_its_worker_out(sqlite: Database) -> None:
    for name in ("colours", "others"):
        make_study(sqlite, name=name)
    service = make_service(sqlite)
    invited = service.invite("others", service.signer.invitation("others"), cookie=arrive(service).cookie)
    assert service.signer.enrolment(invited) is None
    assert service.signer.invitation_of(invited) is not None


def test_an_answer_in_flight_when_the_study_closes_is_kept(engine: Database) -> None:
    study = make_study(engine)
    person = arrive(make_service(engine))
    view = person.look()
    with writing(engine) as session:
        set_status(session, study=study, status="closed")
    assert person.answer(view).stage == "closed"
    assert len(judged(engine, study)) == 1


def test_time_is_the_smaller_of_what_page_and_server_saw(sqlite: Database) -> None:
    study, clock = make_study(sqlite), Watch()
    person = arrive(make_service(sqlite, clock))
    for claimed in (4.0, 500.0, -3.0):
        view = person.look()
        clock.passes(seconds=10)
        person.answer(view, seconds=claimed)
    with reading(sqlite) as session:
        assert list(frames.judgments(session, study=study)["seconds"]) == [4.0, 10.0, 0.0]


def test_twenty_people_at_once_fill_every_item_exactly(engine: Database) -> None:
    study = make_study(engine, main=30, control=3, overlap=5, page_main=6, page_controls=1)
    service = make_service(engine)
    people = [arrive(service) for _ in range(20)]
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda person: list(person.work()), people))
    assert counts(engine, study) == (150, 0)
    main = [pair for pair in judged(engine, study) if pair[0].startswith("main")]
    assert len(main) == len({(item, worker) for item, worker, _ in main}) == 150
    assert {status for _, _, status in main} == {"counted"}


def test_a_control_whose_lease_ran_out_does_not_become_a_main_item(engine: Database) -> None:
    study, clock = make_study(engine, main=2, control=2, overlap=1, page_main=1, page_controls=3), Watch()
    service = make_service(engine, clock)
    shown = arrive(service).look().item
    assert shown is not None
    assert shown.fields["thing"].startswith("control"), "the seed begins the page with a control"
    clock.passes(minutes=20)
    with writing(engine) as session:
        assert settle_expired(session, study_id=study.id, moment=clock()) == 1
        assert session.execute(select(ItemRow.key).where(ItemRow.role != "main", ItemRow.free != 0)).all() == []


@pytest.mark.parametrize("act", [Act("skip"), Act("report", value={"reason": "unclear"})])
def test_an_item_that_is_given_back_while_its_worker_lets_go_of_it_is_given_back_once(
    engine: Database, act: Act
) -> None:
    study, clock = make_study(engine, main=2, overlap=1, page_controls=0), Watch()
    service = make_service(engine, clock)
    late = arrive(service)
    shown = late.look()
    with ThreadPoolExecutor(1) as pool:
        with writing(engine) as session:
            assert settle_expired(session, study_id=study.id, moment=clock() + timedelta(days=1)) == 1
            let_go = pool.submit(service.act, study.name, late.cookie, replace(act, token=shown.token))
            time.sleep(0.3)  # the worker's request waits for the row or, on SQLite, for the database
        let_go.result()
    with reading(engine) as session:
        items = session.execute(select(ItemRow)).all()
        live = session.execute(select(AssignmentRow).where(AssignmentRow.status == "held")).all()
    assert sum(item.held for item in items) == len(live)
    assert all(item.free + item.held + item.filled == 1 for item in items)
