"""An expert decides items: blind first, then with the votes; the items that need it come first."""

import re
from collections.abc import Sequence

import pytest
from markupsafe import Markup
from sqlalchemy import Engine

from annotate.pages.manage.items_tab import draw_items
from annotate.requesters.adjudication import SHOWS, ItemsAsked, carried_over, entropy, is_tied, merged, queue
from annotate.requesters.oversight import Oversight
from data.errors import BadSetting, UnknownName
from data.limits import LONGEST_NOTE
from db.engine import reading, writing
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.records import GivenReport, add_report, list_decisions
from db.studies import Study
from db.workers import enrol, get_enrolment, named_workers
from tests.helpers.collection import Watch, make_study

# Votes of four items: main-0 agrees, main-1 is tied, main-2 is 2 to 1, main-3 has one vote and a report.
VOTES = (("red", "red"), ("red", "green"), ("red", "red", "green"), ("green",))


@pytest.fixture
def study(engine: Engine) -> Study:
    made = make_study(engine, main=5, control=1)
    with writing(engine) as session:
        items = list_items(session, study=made, role="main")
        workers = list(named_workers(session, names=["a", "b", "c"]).values())
        given = [
            Judgment(item.key, worker, label)
            for item, labels in zip(items, VOTES, strict=False)
            for worker, label in zip(workers, labels, strict=False)
        ]
        add_judgments(session, study=made, judgments=given)
        enrolment = get_enrolment(
            session, enrolment_id=enrol(session, study=made, worker_id=workers[0], language="ru").id
        )
        assert enrolment is not None
        told = GivenReport("mistake", "a \u202eword", Watch()())
        add_report(session, told, enrolment=enrolment, item_key=items[3].key)
    return made


def keys(engine: Engine, study: Study) -> dict[int, str]:
    with reading(engine) as session:
        return {entry.key: entry.item.id for entry in list_items(session, study=study)}


def shown(engine: Engine, show: str) -> Sequence[str]:
    return [line.item.id for line in Oversight(engine, Watch()).items("colours", ItemsAsked(show)).lines]


def test_the_table_of_items_tells_the_votes_of_each_and_which_are_tied(engine: Engine, study: Study) -> None:
    html = draw_items(Oversight(engine, Watch()).items(study.name, ItemsAsked("all")), "en")
    rows = [Markup(row).striptags() for row in html.partition("<tbody>")[2].split("<tr")[1:]]
    votes = [re.findall(r"(\d) × (\w+)", row) for row in rows]
    assert votes == [
        [("2", "Red")],
        [("1", "Green"), ("1", "Red")],
        [("2", "Red"), ("1", "Green")],
        [("1", "Green")],
        [],
    ]
    assert ["tied" in row for row in rows] == [False, True, False, False, False]


def test_each_filter_shows_its_items_the_most_divided_first(engine: Engine, study: Study) -> None:
    assert shown(engine, "all") == [f"main-{n}" for n in range(5)]
    assert shown(engine, "tied") == ["main-1"]
    assert shown(engine, "disputed") == ["main-1", "main-2"]
    assert shown(engine, "reported") == ["main-3"]
    assert shown(engine, "undecided") == ["main-1", "main-3", "main-2"]
    assert shown(engine, "decided") == []
    assert shown(engine, "<b>") == shown(engine, "all")
    found = Oversight(engine, Watch()).items("colours", ItemsAsked(page=7))
    assert dict(found.counts) == dict(zip(SHOWS, (5, 3, 1, 2, 1, 0), strict=True))
    assert (found.asked.page, found.pages, found.number, found.ranked) == (0, 1, 5, True)
    assert [round(entropy(line.review.votes), 3) for line in found.lines] == [0, 1, 0.918, 0, 0]
    assert [line.filled for line in found.lines] == [2, 2, 3, 1, 0]


def test_items_are_found_by_their_words_and_ordered_by_agreement(engine: Engine, study: Study) -> None:
    def ids(asked: ItemsAsked) -> list[str]:
        return [line.item.id for line in Oversight(engine, Watch()).items("colours", asked).lines]

    assert ids(ItemsAsked(find="THING 2")) == ["main-2"]
    assert ids(ItemsAsked(find="main-3 thing")) == ["main-3"]
    assert ids(ItemsAsked("disputed", find="no such words")) == []
    assert ids(ItemsAsked(sort="agreement")) == ["main-1", "main-2", "main-0", "main-3", "main-4"]
    assert ids(ItemsAsked(sort="-agreement")) == ["main-0", "main-3", "main-2", "main-1", "main-4"]
    assert ids(ItemsAsked("disputed", sort="-agreement")) == ["main-2", "main-1"]
    assert ids(ItemsAsked(sort="<b>")) == ids(ItemsAsked())


def test_several_items_are_decided_at_once_with_the_votes_in_sight(engine: Engine, study: Study) -> None:
    requesters, names = Oversight(engine, Watch()), keys(engine, study)
    chosen = [key for key, name in names.items() if name in ("main-1", "main-2")]
    requesters.decide("colours", *chosen, who="olga", value="green", note="both are leaves", votes_seen=True)
    found = requesters.items("colours", ItemsAsked("decided"))
    assert [(line.item.id, line.review.decision) for line in found.lines] == [("main-1", "green"), ("main-2", "green")]
    with reading(engine) as session:
        made = list_decisions(session, study=study)
    assert not carried_over(made), "they were chosen together, not carried on from one to the next"
    assert [one.blind for one in requesters.case("colours", chosen[0], who="olga").decisions] == [False]
    with pytest.raises(BadSetting):
        requesters.decide("colours", *chosen, who="olga", value="blue", votes_seen=True)


def test_an_expert_decides_blind_and_sees_the_votes_then(engine: Engine, study: Study) -> None:
    clock = Watch()
    adjudication = Oversight(engine, clock)
    names = keys(engine, study)
    first = adjudication.read("colours", queue)[0]
    assert names[first] == "main-1"
    before = adjudication.case("colours", first, who="olga")
    assert before.blind
    assert (before.item.gold, before.item.explanation) == (None, "")
    assert (dict(before.votes), before.reports, before.decisions) == ({}, (), ())
    after = adjudication.decide("colours", first, who="olga", value="green", note="\0looks\u202e =1+1 ")
    assert not after.blind
    assert dict(after.votes) == {"green": 1, "red": 1}
    assert after.item.gold == "red"
    assert [(one.label, one.blind, one.who, one.note) for one in after.decisions] == [
        ("green", True, "olga", "looks\u202e =1+1")
    ]
    clock.passes(minutes=1)
    changed = adjudication.decide("colours", first, who="olga", value="red")
    assert [(one.label, one.blind) for one in changed.decisions] == [("green", True), ("red", False)]
    assert [names[key] for key in adjudication.read("colours", queue)] == ["main-3", "main-2"]
    assert shown(engine, "decided") == ["main-1"]
    (line,) = Oversight(engine, clock).items("colours", ItemsAsked("decided")).lines
    assert line.review.decision == "red"


def test_another_expert_begins_blind_as_well(engine: Engine, study: Study) -> None:
    adjudication = Oversight(engine, Watch())
    first = adjudication.read("colours", queue)[0]
    adjudication.decide("colours", first, who="olga", value="green")
    other = adjudication.case("colours", first, who="ivan")
    assert (other.blind, other.decisions, dict(other.votes)) == (True, (), {})
    assert [one.blind for one in adjudication.decide("colours", first, who="ivan", value="red").decisions] == [
        True,
        True,
    ]


def test_reports_are_seen_after_the_decision_and_in_their_list(engine: Engine, study: Study) -> None:
    adjudication = Oversight(engine, Watch())
    reported = next(key for key, name in keys(engine, study).items() if name == "main-3")
    assert adjudication.case("colours", reported, who="olga").reports == ()
    (report,) = adjudication.decide("colours", reported, who="olga", value="green").reports
    assert (report.reason, report.text, report.key) == ("mistake", "a \u202eword", reported)
    assert Oversight(engine, Watch()).reports("colours") == [report]


def test_what_cannot_be_decided_is_one_sentence_and_stores_nothing(engine: Engine, study: Study) -> None:
    adjudication = Oversight(engine, Watch())
    names = {name: key for key, name in keys(engine, study).items()}
    for value, words in ((None, "Answer the item first"), ("blue", "blue"), ("x" * 100_000, "too long")):
        with pytest.raises(BadSetting, match=words):
            adjudication.decide("colours", names["main-1"], who="olga", value=value)
    with pytest.raises(BadSetting, match=f"at most {LONGEST_NOTE}"):
        adjudication.decide("colours", names["main-1"], who="olga", value="red", note="y" * (LONGEST_NOTE + 1))
    for key in (names["control-0"], 10_000):
        with pytest.raises(BadSetting, match="no main item"):
            adjudication.case("colours", key, who="olga")
    with pytest.raises(UnknownName):
        adjudication.case("colour", names["main-1"], who="olga")
    assert adjudication.case("colours", names["main-1"], who="olga").blind


def test_votes_that_mean_the_same_are_one() -> None:
    assert merged({"Anna": 2, "anna": 1, "Olga": 2}, str.lower) == {"Anna": 3, "Olga": 2}
    assert is_tied({"a": 2, "b": 2, "c": 1})
    assert not is_tied({"a": 2})
    assert not is_tied({})
    assert entropy({}) == 0
    assert entropy({"a": 1, "b": 1, "c": 1, "d": 1}) == 2
