"""What is agreed to: a study's own text and notice, their version, who acknowledged what, and a study that is full."""

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from annotate.accounts.signer import Signer
from annotate.consent import Workload, consent_points, version_of, workload_of
from annotate.pages.manage.study_drawing import draw_live, draw_study, draw_waits
from annotate.pages.manage.study_form import numbers
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_creation import Draft
from annotate.requesters.study_plan import checks_of
from annotate.worker.screens import html
from annotate.worker.stages import Act
from data.answers.answer_type import AnswerType
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.form import Form, Part
from data.answers.number import Number
from data.answers.sequence import Sequence
from data.answers.spans import Element, Spans
from data.answers.text import Text
from data.answers.write import Write, WrittenPiece
from data.catalogue.catalog import get_task, samples
from data.drawing.environment import NO_BREAK
from data.errors import BadAnswer, BadSetting
from data.task import Item
from data.wording import FALLBACK, Language, same, texts
from db.engine import Database, reading, writing
from db.exports import FileRequest
from db.items import add_items
from db.studies import Study, create_study, get_study
from db.study_settings import StudySettings
from db.worker_summaries import worker_summaries
from tests.helpers.browsing import application, invited
from tests.helpers.collection import TASK, Watch, arrive, make_service, make_study

CAPPED: dict[str, Any] = {"main": 20, "price": 4.0, "max_pay": 50.0, "minutes_per_item": 0.25}
TIMED: dict[str, Any] = {"main": 20, "price": 4.0, "max_hours": 1 / 6, "minutes_per_item": 1.0}
TICKED = {"notice": True}


def test_nobody_agrees_before_the_notice_is_acknowledged_and_when_it_was_is_kept(engine: Database) -> None:
    make_study(engine, notice="Some texts are about violence.")
    watch = Watch()
    service = make_service(engine, watch)
    cookie = service.invite("colours", service.signer.invitation("colours"))
    for said in (None, "consent", {}, {"notice": False}, {"notice": "yes"}, [True]):
        with pytest.raises(BadAnswer, match="notice_open"):
            service.act("colours", cookie, Act("consent", value=said))
    with reading(engine) as session:
        assert worker_summaries(session, study=get_study(session, name="colours")) == [], (
            "a refused consent enrols nobody"
        )
    assert service.act("colours", cookie, Act("consent", value=TICKED)).stage == "instructions"
    with reading(engine) as session:
        (work,) = worker_summaries(session, study=get_study(session, name="colours"))
    assert work.consent is not None
    assert work.consent.at == work.consent.noticed_at == watch.moment
    requesters = RequesterService(engine, service.signer, "http://etalon.example", watch)
    rows = (
        FileRequest(requesters.exports, "colours", "consents", "csv")
        .made(requesters.database)
        .content.decode()
        .splitlines()
    )
    assert rows[0] == "worker,consent_version,language,consented_at,notice_acknowledged_at"
    assert rows[1].startswith(f"{work.name},{work.consent.version},ru,2026-03-01")


def test_the_version_is_a_digest_of_what_is_shown_and_the_same_words_have_the_same(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Workload(main=8, training=2, control=2, seconds=20)
    told: dict[str, object] = {"price": 2.0, "bonus": 1.0, "bonus_after": 1}
    shown: tuple[dict[str, object], ...] = (
        {}, {"consent": "We are a lab."}, {"notice": "We are a lab."}, {"contact": "lab@example.org"},
        {"contact": "anna@example.org"}, {"price": 3.0},
        {"training_price": 1.0}, {"training_price": 1.0, "pay_failed_training": True},
        {"currency": "USD"}, {"bonus": 2.0}, {"bonus_accuracy": 0.8}, {"bonus_after": 2},
        {"max_items": 5}, {"max_hours": 1.0}, {"max_pay": 9.0}, {"minutes_per_item": 1.0},
        {"pay_after_exclusion": "decide"}, {"training_attempts": 2}, {"training_pass": 0.5}, {"sitting": True},
        {"sitting": True, "lease_minutes": 5.0}, {"retention_days": 30}, {"texts_to_models": True},
        {"purpose": "baseline"}, {"purpose": "comparison"},
    )  # fmt: skip
    versions = [version_of(StudySettings.model_validate(told | one), held) for one in shown]
    assert len(set(versions)) == len(shown), "each of these is said, and each makes another version"
    silent = {"completion_code": "X", "max_skips": 3, "lease_minutes": 5.0, "language": "en", "min_votes": 3}
    for name, value in silent.items():
        assert version_of(StudySettings.model_validate(told | {name: value}), held) == versions[0], name
    assert (
        version_of(StudySettings.model_validate(told), Workload(main=9, training=2, control=2, seconds=20))
        not in versions
    )
    changed = {name: dict(part) if isinstance(part, dict) else part for name, part in texts("ru").items()}
    changed["consent"]["stored_use"] += " И ещё."
    monkeypatch.setattr("annotate.consent.texts", lambda language: changed if language == "ru" else texts(language))
    assert version_of(StudySettings.model_validate(told), held) not in versions, "nobody has to think of a number"


def test_a_text_that_is_changed_asks_nobody_anew_and_holds_for_who_comes_later(sqlite: Database) -> None:
    study = make_study(sqlite, consent="First.")
    watch = Watch()
    service = make_service(sqlite, watch)
    early = arrive(service)
    cookie = service.invite("colours", service.signer.invitation("colours"))
    read = service.state("colours", cookie).terms
    assert read is not None
    watch.passes(minutes=1)
    changes = Oversight(sqlite, watch).change("colours", {"consent": "First,\r\nthen second.\0"}, who="anna")
    assert changes == {"consent": ["First.", "First,\nthen second."]}
    assert early.look().stage == "work"
    with pytest.raises(BadAnswer, match="terms_changed"):
        service.act("colours", cookie, Act("consent", value={"version": read.version}))
    now = service.state("colours", cookie).terms
    assert now is not None
    service.act("colours", cookie, Act("consent", value={"version": now.version}))
    with reading(sqlite) as session:
        first, second = (work.consent for work in worker_summaries(session, study=study))
    assert first is not None
    assert second is not None
    assert (first.version, second.version) == (read.version, now.version)
    assert second.at - first.at == timedelta(minutes=1)
    (event,) = Oversight(sqlite, watch).events("colours")
    assert event.details["consent_version"] == [read.version, now.version]


@pytest.mark.parametrize("language", FALLBACK)
def test_a_studys_own_words_are_shown_escaped_in_paragraphs_above_ours(sqlite: Database, language: Language) -> None:
    paid: dict[str, Any] = {"price": 2, "training_price": 1, "bonus": 0.5, "bonus_after": 1}
    own = "One <b>first</b>.\n\nSecond\nline."
    make_study(sqlite, consent=own, notice="<script>alert(1)</script>", training=1, control=2, **paid)
    service = make_service(sqlite)
    cookie = service.invite("colours", service.signer.invitation("colours"), language=language)
    page = html(service.state("colours", cookie))
    assert "<p>One &lt;b&gt;first&lt;/b&gt;.</p>\n<p>Second\nline.</p>" in page
    assert "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>" in page
    assert page.index("Second") < page.index("<dl") < page.index("script&gt;") < page.index("data-acknowledge")
    money, share = {"ru": (f"1,00{NO_BREAK}₽", f"90{NO_BREAK}%"), "en": ("₽1.00", "90%")}[language]
    assert money in page
    assert share in page
    for name, value in (("consent", "x" * 10_001), ("notice", "x" * 2_001)):
        with pytest.raises(BadSetting, match=r"'x{79}…: string should have at most"):
            Oversight(sqlite, Watch()).change("colours", {name: value}, who="anna")


def read(database: Database, language: Language = "en", **settings: Any) -> str:
    """Return what somebody reads before agreeing, asked for through HTTP, without its marks."""
    return asked(database, make_study(database, **settings), language)


def asked(database: Database, study: Study, language: Language = "en") -> str:
    service = make_service(database)
    with TestClient(application(service), base_url="http://testserver", follow_redirects=False) as client:
        page = invited(service, client, study, f"?lang={language}").state().json()
    assert page["stage"] == "consent"
    words = " ".join(unescape(re.sub(r"<[^>]*>", " ", page["html"])).replace(NO_BREAK, " ").split())
    return words.replace(" .", ".")


def test_consent_says_how_much_for_how_long_and_for_what(sqlite: Database) -> None:
    held: dict[str, Any] = {"main": 20, "control": 5, "training": 4, "page_main": 8, "page_controls": 2}
    paid: dict[str, Any] = {"price": 4.0, "training_price": 1.0, "minutes_per_item": 0.5, "training_attempts": 2}
    limits: dict[str, Any] = {"max_hours": 2.0, "max_pay": 90.0, "bonus": 0.5, "bonus_after": 4}
    said = read(sqlite, **held, **paid, **limits, contact="lab@example.org")
    for sentence in (
        # 20 items and 5 controls are there; 90 are 4 for practice and 21 answers at 4, and 2 that pay for none.
        "No more than 21 questions per person.",
        "One question takes about 30 s, all of them with practice up to 13 min.",
        "You may work here for 2 h at most.",
        "First come 4 practice questions: after each you see the right answer and the reason.",
        "To go on, answer all 4 right; you have 2 attempts.",
        "the right answer is known in advance",
        "₽4.00 for every answer you send.",
        # 88 for 25 half minutes are 422.4 an hour.
        "Up to ₽88 for all of it, without the bonus. That is about ₽420 an hour.",
        "Practice questions pay ₽1.00 each, for the first answer.",
        "Bonus: ₽0.50 more for every answer that counts, except check questions. It goes to those who answer at least "
        "4 check questions, and at least 90% of them right.",
        "whether text was pasted or the page was out of sight",
        "your number on a platform is kept as a code",
        "Your network address is kept for a week, and only as a code (a hash)",
        "If you change your mind later, write to us",
        "The researchers may end the work earlier; what you sent until then is paid.",
        "You will be told at once, and told who stopped you. You can object.",
        "Everything you sent before that will be paid. There will be no bonus.",
        "Questions and requests: lab@example.org.",
    ):
        assert sentence in said, sentence


def test_consent_is_silent_about_what_there_is_not(sqlite: Database) -> None:
    said = read(sqlite, main=3, page_controls=0)
    for words in ("practice", "known in advance", "Bonus", "at most", "before that", "lab@"):
        assert words not in said, words
    # A thing's name and its question: 12 characters at 15 a second, and 4 seconds to answer.
    assert "We estimate that one question takes about 5 s, all of them up to 14 s." in said
    assert "Answers are not paid here. If a platform sent you, its terms apply." in said
    assert "The person who sent you the invitation." in said
    begun = arrive(make_service(sqlite), ready=False)
    begun.service.act("colours", begun.cookie, Act("consent"))
    assert texts("ru")["instructions"]["training"] not in html(begun.look()).replace(NO_BREAK, " ")


@pytest.mark.parametrize("purpose", ["labelling", "baseline", "comparison"])
def test_consent_says_what_the_study_is_for_in_the_words_of_whoever_asks(sqlite: Database, purpose: str) -> None:
    heading, usual = (texts("en")["consent"][f"{part}_{purpose}"] for part in ("heading", "lead"))
    said = read(sqlite, name="usual", purpose=purpose)
    assert heading in said
    assert usual in said
    assert ("anguage models" in said) == (purpose == "comparison")
    own = read(sqlite, name="own", purpose=purpose, consent="We label reviews of a shop.")
    assert f"{heading} About this study We label reviews of a shop." in own
    assert usual not in own


def test_explanations_are_announced_only_where_a_practice_item_has_one(sqlite: Database) -> None:
    words = "after each you see the right answer and the reason."
    task = get_task("rsg/parus")
    items = samples(task)
    for name, explained in (("explained", items), ("silent", [replace(item, explanation="") for item in items])):
        with writing(sqlite) as session:
            study = create_study(session, name=name, task=task, settings=StudySettings(), seed=1)
            add_items(session, study=study, items=explained)
        assert (words in asked(sqlite, study)) == (name == "explained")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"price": 2.0, "max_pay": 7.0}, "₽2.00 for every answer you send. Up to ₽6 for all of it."),
        ({"price": 2.0, "max_pay": 7.0}, "No more than 3 questions per person."),
        ({"price": 2.0, "max_pay": 13.0}, "Up to 6 questions: how many of them you answer is up to you."),
        # 50 are 12 answers at 4 and 2 that pay for none; 15 s each are 3 minutes, and 960 an hour.
        (CAPPED, "No more than 12 questions per person. One question takes about 15 s, all of them up to 3 min."),
        (CAPPED, "Up to ₽48 for all of it. That is about ₽960 an hour."),
        # The hours leave 10 answers of a minute each, and of 8 where practice takes 2 of the minutes.
        (TIMED, "About 10 questions: as many as fit into 10 min, and nobody may work here longer."),
        (TIMED, "all of them up to 10 min. Pay ₽4.00 for every answer you send. Up to ₽40 for all of it."),
        (TIMED | {"training": 2}, "About 8 questions: as many as fit into 10 min,"),
        (TIMED | {"training": 2}, "all of them with practice up to 10 min."),
        # 8 answers at 4 within the hours, and 10 minutes with practice, which pays as much: 40 are 240 an hour.
        (TIMED | {"training": 2}, "Up to ₽40 for all of it. That is about ₽240 an hour."),
        (TIMED | {"training": 2, "training_price": 0.0}, "Up to ₽32 for all of it. That is about ₽190 an hour."),
        (
            TIMED | {"training": 2},
            "Practice questions pay ₽4.00 each, for the first answer. That is if you pass",
        ),
        (TIMED | {"training": 2, "pay_failed_training": True}, "₽4.00 each, for the first answer. What is stored"),
        (TIMED | {"training": 2, "training_price": 1.0}, "Up to ₽34 for all of it. That is about ₽200 an hour."),
        ({"main": 2000, "price": 1.0, "max_pay": 1500.0}, "You can earn at most ₽1,500 here."),
        ({"sitting": True, "lease_minutes": 40.0}, "The test paper is kept for you for 40 min after the last"),
        ({"sitting": True, "minutes_per_item": 2.0}, "One question takes about 2 min, all of them up to 12 min."),
        ({"contact": "https://lab.example/ask"}, "Questions and requests: https://lab.example/ask"),
        ({"control": 2, "page_main": 2, "page_controls": 2}, "Up to 8 questions: how many"),
        ({"control": 2, "page_main": 2, "page_controls": 2, "repeat_controls": True}, "Up to 12 questions: how many"),
        ({"max_items": 3}, "No more than 3 questions per person."),
        ({"sitting": True, "sitting_minutes": 30}, "You have 30 min from the first question. Then the test paper is"),
        ({"sitting": True}, "One whole test paper: 6 questions, in any order."),
        # An exam's task takes at least four minutes: 6 of them at 2 are 12 for 24 minutes.
        ({"sitting": True, "price": 2.0}, "one question takes about 4 min, all of them up to 24 min."),
        ({"sitting": True, "price": 2.0}, "Up to ₽12 for all of it. That is about ₽30 an hour."),
        ({"main": 1001}, "More than 1000 questions: how many of them you answer is up to you."),
        ({"main": 1}, "One question. We estimate that one question takes about 5 s."),
        ({"price": 2.0, "pay_after_exclusion": "decide"}, "Whether the answers you sent before that are paid is for"),
        ({"training": 2, "training_pass": 0.0}, "First come 2 practice questions: after each you see"),
        ({"price": 0.001, "minutes_per_item": 7.0}, "That is about ₽0.01 an hour."),
    ],
)
def test_each_point_of_consent_follows_from_the_settings(sqlite: Database, settings: Any, sentence: str) -> None:
    said = read(sqlite, **{"main": 6, "page_controls": 0} | settings)
    assert sentence in said


YES_NO = Choice(choices={"yes": same("Yes"), "no": same("No")})
MARKED = Spans(
    text_field="text", elements=(Element("a", same("A"), "1"), Element("b", same("B"), "2")), none=same("Nothing")
)
ASKED = Form(parts=(Part("fits", same("Fits"), YES_NO), Part("why", same("Why"), Text())))
WRITTEN = Write(
    text_field="text", entries=2, pieces=(WrittenPiece("question", same("Q")), WrittenPiece("answer", same("A")))
)


@pytest.mark.parametrize(
    ("asked", "answer", "seconds"),
    [
        (YES_NO, "yes", 4),
        (Choices(choices={"a": same("A"), "b": same("B")}), '["a","b"]', 8),
        (Number(), "120", 4 + 3 / 3),
        (Text(), "Москва", 4 + 6 / 3),
        (Text(), None, 4 + 20 / 3),
        (Sequence(positions=("А", "Б", "В")), '["1","2","1"]', 12),
        (Sequence(positions=("А", "Б", "В")), None, 12),
        (MARKED, '{"a":[[0,4],[8,9]],"b":[[5,7]]}', 27),
        (MARKED, "{}", 4),
        (MARKED, None, 18),
        (WRITTEN, '[{"question":"Кто там?","answer":"Я"},{"question":"Зачем?","answer":"Так"}]', 16 + 18 / 1.6),
        (WRITTEN, None, 16 + 200 / 1.6),
        (ASKED, '{"fits":"yes","why":"Потому"}', 4 + 4 + 6 / 3),
    ],
)
def test_each_kind_of_answer_has_a_time_of_its_own(asked: AnswerType, answer: str | None, seconds: float) -> None:
    assert asked.seconds(answer, {"text": "один два"}) == pytest.approx(seconds)


def test_the_median_of_the_first_answers_replaces_the_estimate_and_the_requester_sees_what_differs(
    sqlite: Database,
) -> None:
    study = make_study(sqlite, main=24, overlap=2, page_controls=0, price=3.0)
    watch = Watch()
    service = make_service(sqlite, watch)
    people, times = [arrive(service) for _ in range(2)], [30.0] * 9 + [50.0] * 14
    views = [person.look() for person in people]

    def promised() -> str:
        cookie = service.invite("colours", service.signer.invitation("colours"), language="en")
        return html(service.state("colours", cookie)).replace(NO_BREAK, " ")

    def misjudged() -> tuple[float, float] | None:
        with reading(sqlite) as session:
            return workload_of(session, study).misjudged(get_study(session, name="colours").settings)

    for number, seconds in enumerate(times):
        if number == 19:
            assert "We estimate that one question takes about 5 s" in promised()
            assert misjudged() is None, "nobody knows yet"
        watch.passes(seconds=120)
        views[number % 2] = people[number % 2].answer(views[number % 2], seconds=seconds)
    # The median of the first 20 (9 of 30 s, 11 of 50 s); at 3 an answer that are 216 an hour.
    assert "For the people who have answered so far, one question takes about 50 s" in promised()
    assert "That is about ₽220 an hour." in promised()
    estimate, measured = misjudged() or (0.0, 0.0)
    assert (round(estimate, 1), measured) == (4.8, 50.0)
    requesters = RequesterService(sqlite, service.signer, "http://etalon.example", watch)
    drawn = draw_live(requesters.live(requesters.study("colours")))
    assert "Consent promised 5 s an answer; the median is 50 s." in drawn.replace(NO_BREAK, " ")
    for minutes, differs in ((1.0, False), (0.6, True)):
        Oversight(sqlite, watch).change("colours", {"minutes_per_item": minutes}, who="anna")
        assert f"One question takes about {60 * minutes:.0f} s".replace("60 s", "1 min") in promised()
        assert (misjudged() is not None) is differs, "14 seconds are more than a third of 36"


def test_a_bonus_that_nobody_can_reach_is_neither_promised_nor_taken(sqlite: Database) -> None:
    held: dict[str, Any] = {"main": 20, "control": 5, "page_main": 8, "page_controls": 2, "price": 4.0, "bonus": 1.0}
    said = read(sqlite, **held, bonus_after=3, max_pay=48.0)
    assert "Bonus: ₽1.00 more" in said, "12 answers are a page with 2 controls, and may be 2 more"
    changing = Oversight(sqlite, Watch())
    for given in ({"max_pay": 28.0}, {"max_items": 2}):
        with pytest.raises(BadSetting, match="no worker can earn the bonus"):
            changing.change("colours", given, who="anna")
    changing.change("colours", {"max_items": 11}, who="anna")
    said = read(sqlite, name="never", **held, bonus_after=3, max_pay=36.0)
    for words in ("Bonus", "bonus"):
        assert words not in said
    changing.change("never", {"contact": "lab@example.org"}, who="anna")


def test_two_contacts_have_two_versions_and_a_page_is_a_link_of_its_own(sqlite: Database) -> None:
    study, versions = make_study(sqlite, contact="https://one.example/ask"), []
    service = make_service(sqlite)
    with TestClient(application(service), base_url="http://testserver", follow_redirects=False) as client:
        browser = invited(service, client, study, "?lang=ru")
        page = browser.state().json()["html"]
        assert re.search(r'<a href="https://one.example/ask"[^>]*>https://one.example/ask</a>[^.]', page)
        for contact in ("https://one.example/ask", "lab@example.org", "anna@example.org"):
            Oversight(sqlite, Watch()).change("colours", {"contact": contact}, who="anna")
            versions += re.findall(r'data-version="(\w+)"', browser.state().json()["html"])
    assert len(set(versions)) == 3


def test_requesters_are_reminded_of_what_consent_cannot_tell(sqlite: Database) -> None:
    make_study(sqlite, completion_code="WHOLE")
    requesters = RequesterService(sqlite, Signer("a secret for tests"), "https://etalon.example", Watch())
    shown = draw_study(requesters.study("colours"))
    assert "no contact is set" in draw_waits(requesters.study("colours"))
    for words in ("Minutes per item is empty", "Partial completion code is empty"):
        assert words in shown
    said = {"contact": "lab@example.org", "minutes_per_item": 1.0, "partial_code": "PART"}
    requesters.oversight.change("colours", said, who="anna")
    assert "missing" not in str(draw_study(requesters.study("colours"))).split('class="hint setup"')[1]
    draft = Draft("new", "rsg/parus", StudySettings().model_dump(), samples=True)
    assert "Contact for workers is empty" in numbers(draft, checks_of(draft))


def test_who_agreed_goes_on_under_what_was_agreed_and_what_was_read_is_what_counts(sqlite: Database) -> None:
    study = make_study(sqlite, price=2.0)
    service = make_service(sqlite)
    with TestClient(application(service), base_url="http://testserver", follow_redirects=False) as client:
        browser = invited(service, client, study, "?lang=en")
        first = re.findall(r'data-version="(\w+)"', browser.state().json()["html"])
        Oversight(sqlite, Watch()).change("colours", {"contact": "lab@example.org"}, who="anna")
        refused = browser.act("consent", value={"version": first[0], "notice": False})
        assert refused.status_code == 422
        second = re.findall(r'data-version="(\w+)"', browser.state().json()["html"])
        assert second != first
        assert browser.act("consent", value={"version": second[0], "notice": False}).json()["stage"] == "instructions"
        browser.act("language", value="ru")
        Oversight(sqlite, Watch()).change("colours", {"price": 3.0}, who="anna")
        assert browser.act("begin").json()["stage"] == "work", "more was promised: nobody is asked anew"
    with reading(sqlite) as session:
        (work,) = worker_summaries(session, study=study)
    assert work.consent is not None
    assert work.consent.version == second[0]


def test_who_finds_nothing_left_is_told_before_agreeing_and_not_that_answers_are_saved(engine: Database) -> None:
    make_study(engine, main=1, overlap=1, page_controls=0, lease_minutes=10)
    watch = Watch()
    service = make_service(engine, watch)
    key, said = service.signer.invitation("colours"), texts("ru")["done"]
    holder, enrolled = arrive(service), arrive(service)
    late = service.invite("colours", key, given={"worker": "late"})
    for view in (service.state("colours", late), enrolled.look()):
        page = html(view)
        assert view.stage == "done"
        assert said["nothing_heading"] in page
        assert said["text"] not in page
    assert holder.look().stage == "work"
    watch.passes(minutes=11)
    assert service.state("colours", late).stage == "consent", "the lease ran out: there is something again"
    agreed = service.act("colours", late, Act("consent")).cookie
    view = service.act("colours", agreed, Act("begin"))
    done = html(service.act("colours", agreed, Act("answer", token=view.token, value="red")))
    assert said["heading"] in done
    assert said["nothing_heading"] not in done


@pytest.mark.parametrize(
    ("thing", "page", "said"),
    [
        ("Красное яблоко, apple", "en", "The texts you will read are in Russian."),
        ("A red apple, яблоко", "ru", "Тексты заданий — на другом языке: English."),
        ("A red apple", "en", ""),
        ("Красное яблоко", "ru", ""),
        ("赤いりんご", "en", ""),
        ("12 + 34", "ru", ""),
    ],
)
def test_the_language_of_texts_is_said_where_it_is_not_that_of_the_page(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch, thing: str, page: Language, said: str
) -> None:
    monkeypatch.setattr("annotate.consent.languages", lambda: FALLBACK)  # another one may have the same letters
    with writing(sqlite) as session:
        study = create_study(session, name="colours", task=TASK, settings=StudySettings(), seed=1)
        items = [Item(str(n), {"thing": f"{thing} {n}"}, "red", "main") for n in range(3)]
        add_items(session, study=study, items=items)
        points = consent_points(study.settings, workload_of(session, study), page)
    told = " ".join(point for group in points for point in group.points)
    assert said in told
    assert bool(said) == ("The texts you" in told or "на другом языке" in told)
