"""What is agreed to: a study's own text and notice, their version, who acknowledged what, and a study that is full."""

from datetime import timedelta

import pytest

from annotate.screens import html
from annotate.staff.changing import Changing
from annotate.staff.downloads import download
from annotate.staff.oversight import Oversight
from annotate.terms import version_of
from annotate.texts import CONSENT_VERSION, texts
from data.drawing.environment import NO_BREAK
from data.errors import BadAnswer, BadSetting
from data.wording import LANGUAGES, Language
from db.engine import Database, reading
from db.people import works
from db.studies import StudySettings, get_study
from tests.collection import Watch, arrive, make_service, make_study

OWN = "daf10015"
TICKED = {"notice": True}


def test_nobody_agrees_before_the_notice_is_acknowledged_and_when_it_was_is_kept(engine: Database) -> None:
    make_study(engine, notice="Some texts are about violence.")
    watch = Watch()
    service = make_service(engine, watch)
    cookie = service.invite("colours", service.signer.invitation("colours"))
    for said in (None, "consent", {}, {"notice": False}, {"notice": "yes"}, [True]):
        with pytest.raises(BadAnswer, match="notice_open"):
            service.act("colours", cookie, "consent", value=said)
    with reading(engine) as session:
        assert works(session, study=get_study(session, name="colours")) == [], "a refused consent enrols nobody"
    assert service.act("colours", cookie, "consent", value=TICKED).stage == "instructions"
    with reading(engine) as session:
        (work,) = works(session, study=get_study(session, name="colours"))
    assert work.consent is not None
    assert work.consent.at == work.consent.noticed_at == watch.moment
    rows = download(Oversight(engine, watch), "colours", "consents", "csv").content.decode().splitlines()
    assert rows[0] == "worker,consent_version,language,consented_at,notice_acknowledged_at"
    assert rows[1].startswith(f"{work.name},{work.consent.version},ru,2026-03-01")


def test_the_version_says_which_texts_were_agreed_to(sqlite: Database) -> None:
    plain, own = StudySettings(), StudySettings(consent="We are a lab.")
    versions = {version_of(one) for one in (plain, own, StudySettings(notice="We are a lab."))}
    assert len(versions) == 3
    assert version_of(plain) == CONSENT_VERSION
    # sha256 of "We are a lab." and a zero byte, as sha256sum prints it
    assert version_of(own) == f"{CONSENT_VERSION}-{OWN}"


def test_a_text_that_is_changed_asks_nobody_anew_and_holds_for_who_comes_later(sqlite: Database) -> None:
    study = make_study(sqlite, consent="First.")
    watch = Watch()
    service = make_service(sqlite, watch)
    early = arrive(service)
    cookie = service.invite("colours", service.signer.invitation("colours"))
    read = service.state("colours", cookie).terms
    assert read is not None
    watch.passes(minutes=1)
    changes = Changing(sqlite, watch).change("colours", {"consent": "First,\r\nthen second.\0"}, who="anna")
    assert changes == {"consent": ["First.", "First,\nthen second."]}
    assert early.look().stage == "work"
    with pytest.raises(BadAnswer, match="terms_changed"):
        service.act("colours", cookie, "consent", value={"version": read.version})
    now = service.state("colours", cookie).terms
    assert now is not None
    service.act("colours", cookie, "consent", value={"version": now.version})
    with reading(sqlite) as session:
        first, second = (work.consent for work in works(session, study=study))
    assert first is not None
    assert second is not None
    assert (first.version, second.version) == (read.version, now.version)
    assert second.at - first.at == timedelta(minutes=1)
    (event,) = Oversight(sqlite, watch).events("colours")
    assert event.details["consent_version"] == [read.version, now.version]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_studys_own_words_are_shown_escaped_in_paragraphs_above_ours(sqlite: Database, language: Language) -> None:
    own = "One <b>first</b>.\n\nSecond\nline."
    make_study(sqlite, consent=own, notice="<script>alert(1)</script>", price=2, training_price=1, bonus=0.5)
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
            Changing(sqlite, Watch()).change("colours", {name: value}, who="anna")


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
    agreed = service.act("colours", late, "consent").cookie
    view = service.act("colours", agreed, "begin")
    done = html(service.act("colours", agreed, "answer", token=view.token, value="red"))
    assert said["heading"] in done
    assert said["nothing_heading"] not in done
