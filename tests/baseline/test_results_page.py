"""The results page: the numbers it draws, the items it lists, its states, and that nothing in it can run."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine

from baseline.comparison.item_index import SHOWS
from baseline.comparison.results import model_respondent
from baseline.human.baseline import stored_rules
from baseline.output.item_drawing import LISTED
from baseline.output.plots import CLASSES, axis_of
from baseline.output.study_page import consensus_rules
from baseline.pages.results_page import Opened, StudyCache, changed, nothing_open
from data.answers.form import Form
from data.catalogue.catalog import get_task, samples
from data.errors import BadSetting, UnknownName
from data.human_rules import TIES
from data.numbers import p_sign, points
from data.task import Item
from data.wording import in_sentence
from db.engine import reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, PredictionStatus, RunKind, add_predictions, create_run, finish_run
from db.studies import Study, create_study, set_status
from db.study_settings import StudySettings
from db.workers import add_worker
from eval.agreement.coefficients import CLOSED_LIST
from tests.helpers.collection import TASK
from tests.helpers.study_pages import TABS, by_name, lead, parts, scores, study_page, table, warnings, words

GOLD = "red"
WRONG = "green"


@dataclass
class Room:
    """A study with votes and runs as a test wants them: one string of r and g for each item and respondent."""

    database: Engine
    study: Study

    def votes(self, *items: str, simulated: bool = False) -> None:
        """Store judgments: the n-th letter of each item is that of worker n, a dot is none."""
        with writing(self.database) as session:
            workers = [add_worker(session, simulated=simulated) for _ in range(max(map(len, items)))]
            stored = list_items(session, study=self.study, role="main")
            given = [
                Judgment(entry.key, workers[place], {"r": GOLD, "g": WRONG}[letter])
                for entry, letters in zip(stored, items, strict=False)
                for place, letter in enumerate(letters)
                if letter != "."
            ]
            add_judgments(session, study=self.study, judgments=given)

    def run(self, model: str, answers: str, *, kind: RunKind = "model", raw: str = "", **settings: Any) -> None:
        """Store a run: r, g, or ? for a reply that could not be read, ! for an error, a dot for an item not asked."""
        said: dict[str, tuple[str | None, PredictionStatus]] = {
            "r": (GOLD, "ok"),
            "g": (WRONG, "ok"),
            "?": (None, "unparsable"),
            "!": (None, "error"),
        }
        with writing(self.database) as session:
            run = create_run(session, study=self.study, model=model, kind=kind, settings=settings)
            stored = list_items(session, study=self.study, role="main")
            pairs = [(entry, said[letter]) for entry, letter in zip(stored, answers, strict=False) if letter != "."]
            replies = [
                Prediction(entry.key, 0, raw or f"reply {label}", label, status) for entry, (label, status) in pairs
            ]
            add_predictions(session, run=run, predictions=replies)
            finish_run(session, run=run)

    def opened(self, **rules: str) -> Opened:
        return StudyCache(self.database).open(self.study.name, rules)

    def page(self, rules: Mapping[str, str] | None = None, **asked: Any) -> str:
        return study_page(self.database, self.study.name, rules, **asked)

    def items(self, **asked: Any) -> str:
        return self.page(tab="items", **asked)


def things(number: int, gold: str | None = GOLD, text: str = "thing") -> list[Item]:
    return [Item(f"item-{n}", {"thing": f"{text} {n}"}, gold) for n in range(number)]


def make_room(database: Engine, items: Sequence[Item] = (), task: Any = TASK, **settings: Any) -> Room:
    with writing(database) as session:
        chosen = StudySettings.model_validate({"overlap": 3, "language": "en"} | settings)
        study = create_study(session, name="colours", task=task, settings=chosen)
        add_items(session, study=study, items=list(items or things(4)))
    return Room(database, study)


@pytest.fixture
def room(sqlite: Engine) -> Room:
    return make_room(sqlite)


def places(html: str) -> list[str]:
    return [row["item"] for row in table(html, "item", "votes")] if "<table" in html else []


def chips(html: str) -> dict[str, int]:
    """The ways to choose among the items, each with how many it has."""
    return {words(each): int(n) for each, n in re.findall(r"data-go[^>]*>([^<]+) <b>(\d+)</b>", html)}


def drawn(html: str) -> dict[str, str]:
    """What the figure says of everybody on hover, by its label, in its order."""
    wide = html.split('class="wide-only"')[1].split('class="narrow-only"')[0]
    label = re.findall(r'<svg class="figure differences" role="img" aria-label="([^"]*)"', wide)[0]
    return dict(each.split(": ", 1) for each in label.split("; "))


def test_an_error_is_no_answer_however_the_replies_of_a_run_are_read(room: Room) -> None:
    room.votes("rrr", "rrr", "rrr", "rrr")
    room.run("big", "rg?!")
    results = room.opened().results
    (counted,) = results.models
    assert counted.chosen
    with reading(room.database) as session:
        one_by_one = model_respondent(session, results.human, counted.chosen)
    for row in (counted, one_by_one):
        assert row.statuses == {"error": 1, "ok": 2, "unparsable": 1}
        assert row.n == 3
        assert row.scores["accuracy"].value == pytest.approx(1 / 3)


def test_models_stand_by_their_scores_and_differ_from_one_answer_and_from_one_person(room: Room) -> None:
    room.votes("rrg", "rrg", "rrg", "rrr")  # the majority is right on all four, one person on nine of twelve
    room.run("bad", "rggg")
    room.run("good", "rrrr")
    rows = room.opened().results.models
    assert [row.name for row in rows] == ["model:good", "model:bad"]
    differences = [each.value for row in rows for each in (row.vs_human, row.vs_person) if each]
    assert differences == pytest.approx([0, 0.25, -0.75, -0.5])


def test_the_answer_comes_first_in_a_sentence(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rrrr")
    html = room.page()
    assert lead(html) == "People: 75.0% (30.1–95.4). big shows no clear difference."
    assert "Majority of 3 on 4 items; 3 people took part." in words(html)
    assert drawn(html)["big"].startswith("+25.0")
    assert chips(room.items())["People split"] == 2
    assert "Krippendorff's alpha" in words(room.page(tab="agreement"))


def test_one_row_for_each_respondent_people_first_then_by_score(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("small", "rggg")
    room.run("big", "rrrr")
    room.run("random", "rrgg", kind="naive")
    html = room.page()
    assert list(scores(html)) == ["Majority of 3 people", "big", "One person alone", "random", "small"]
    assert list(drawn(html)) == ["big", "One person alone", "random", "small"]


def test_a_run_of_errors_alone_has_no_verdict_and_is_told_of(room: Room) -> None:
    room.votes("rrr", "rrr", "rrr", "rrr")
    room.run("dead", "!!!!")
    html = room.page()
    assert "No model has answered yet" not in lead(html)
    assert "dead" in words(room.page(tab="models"))
    room.run("alive", "rggg")
    html = room.page()
    assert "dead" not in lead(html)
    assert [name for name in scores(html) if name in ("alive", "dead")] == ["alive"]


def test_every_row_says_score_interval_number_difference_and_test(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("small", "rggg")
    html = room.page()
    people, alone, small = scores(html).values()
    assert (people["accuracy, %"], people["95% interval"], people["n"]) == ("75.0", "30.1–95.4", "4")
    assert (people["points from people"], people["verdict"]) == ("—", "—")
    assert alone["n"] == "4"
    assert small["points from people"].startswith("−50.0 [")
    assert small["verdict"] == "no clear difference"
    assert "p = 0.157" in words(html)


def test_the_p_beside_a_model_is_adjusted_for_the_others_and_says_so(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("small", "rggg")
    room.run("less", "ggrg")
    told = dict(re.findall(r"<title>(small|less|One person alone): ([^<]*)</title>", room.page()))
    # McNemar without correction: 0 items against 2 give 0.157, doubled for two models; 1 against 3 give 0.317.
    assert "p = 0.315, Holm" in told["small"]
    assert "p = 0.317, Holm" in told["less"]
    assert "Holm" not in told["One person alone"]


def test_kinds_have_their_colours_and_pictures_their_words(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rrrr")
    room.run("random", "rrgg", kind="naive")
    html = room.page()
    for kind in CLASSES.values():
        assert f'class="name {kind}"' in html
        assert f'<g class="{kind}">' in html
    assert re.search(r'role="img" aria-label="big: \+25\.0 \[[^"]*One person alone: ', html)
    assert html.count('class="zero"') == 1 + 3, "people's line goes through the figure, on a phone through every row"


def test_ties_and_missing_answers_are_said(room: Room) -> None:
    room.votes("rg", "rr", "..", "gr")
    room.run("big", "r?!.")
    rows = scores(room.page())
    assert rows["Majority of 2 people"]["without an answer"] == "tied 2, empty 1"
    assert rows["big"]["without an answer"] == "error 1, unparsable 1, not asked 1"
    assert "2 tied" in words(room.page(tab="agreement"))
    said = {row["text"]: (row["votes"], row["big"]) for row in table(room.items(), "item", "votes")}
    assert said["thing 0"][0] == "tied 1 : 1"
    assert said["thing 1"][1] == "no readable answer ✕ wrong"
    assert said["thing 2"] == ("no votes yet", "error, no reply")
    assert said["thing 3"][1] == "not asked"


def test_a_study_with_every_answer_has_no_column_of_missing_ones(room: Room) -> None:
    room.votes("rrr", "rrr", "rrr", "rrr")
    room.run("big", "rrrr")
    assert all("without an answer" not in row for row in scores(room.page()).values())


def test_of_an_imported_run_nobody_says_what_it_was_not_asked(room: Room) -> None:
    room.votes("rr", "rr", "rr", "rr")
    room.run("theirs", "rr..", imported="inspect")
    html, items = room.page(), room.items()
    assert scores(html)["theirs"]["without an answer"] == "not in its log 2"
    assert words(items).count("not in its log") == 2
    assert "not asked" not in words(html + items)


@pytest.mark.parametrize("rule", TIES)
def test_every_rule_for_ties_has_words(room: Room, rule: str) -> None:
    assert rule in TIES


def test_rules_change_the_numbers(room: Room) -> None:
    room.votes("rg", "rr", "rr", "gr")
    assert lead(room.page()).startswith("People: 75.0%")
    assert lead(room.page({"ties": "drop"})).startswith("People: 100.0%")
    assert lead(room.page({"ties": "wrong"})).startswith("People: 50.0%")


def test_simulated_judgments_are_called_so_on_every_tab(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr", simulated=True)
    for tab in TABS:
        assert "The judgments are simulated: programs answered, not people." in warnings(room.page(tab=tab))


def test_judgments_of_people_are_not_called_simulated(room: Room) -> None:
    room.votes("rrr")
    assert "simulated" not in room.page()


def test_a_collection_that_goes_on_says_how_much_is_in(room: Room) -> None:
    room.votes("rrr", "rr")
    assert "5 of 12 judgments are in: these numbers will change." in warnings(room.page())
    with writing(room.database) as session:
        set_status(session, study=room.study, status="closed")
    assert "judgments are in" not in words(room.page())


def test_a_study_without_judgments_says_what_to_do(room: Room) -> None:
    html = room.page()
    assert lead(html) == "Nobody has answered yet."
    assert "copy its invitation link" in words(html)
    assert "nan" not in words(html).lower()


def test_models_without_people_are_shown_without_comparison(room: Room) -> None:
    room.run("big", "rrrg")
    html = room.page()
    assert lead(html) == "Nobody has answered yet."
    assert by_name(html, "respondent", "Accuracy") == {"big": {"respondent": "big", "Accuracy": "0.750 (0.301–0.954)"}}


def test_people_without_models_are_told_how_to_run_one(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    text = words(room.page())
    assert "No model has answered yet" in text
    assert "python app.py run colours --model random" in text


def test_one_vote_an_item_is_not_compared_with_itself(room: Room) -> None:
    room.votes("r", ".g", "r", "r")
    assert list(scores(room.page(tab="scores"))) == ["Majority of 1 person"] if "<table" in room.page() else True
    room.votes("g")
    assert "[" in scores(room.page())["One person alone"]["points from people"]


def test_without_gold_a_model_is_measured_against_one_person(sqlite: Engine) -> None:
    room = make_room(sqlite, things(4, gold=None))
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rrrr")
    html = room.page()
    # It gives what most gave on three of four; a person does on two in three.
    assert lead(html) == "One person: 66.7% (30.5–90.1). big shows no clear difference."
    people, model = scores(html).values()
    assert people["same as most people, %"] == "66.7"
    assert (model["same as most people, %"], model["verdict"]) == ("75.0", "no clear difference")
    assert model["points from one person"].startswith("+8.3 [")
    assert "+8.3 [−6.7, +26.7] points, p = 0.691, Holm, 4 items" in html.replace("\u00a0", " ")
    assert "Agreement with people" in words(room.page(tab="judges"))
    assert "model wrong" not in words(room.items())


def test_a_task_with_several_metrics_shows_them_all(sqlite: Engine) -> None:
    room = make_room(sqlite, task=replace(TASK, metrics=("mcc", "accuracy")))
    room.votes("rrr", "rrg", "ggr", "rrr")
    assert "Matthews correlation" in table(parts(room.page())["metrics"], "respondent")[0]


def test_a_task_with_several_metrics_and_no_answer_says_what_to_do_next(sqlite: Engine) -> None:
    room = make_room(sqlite, task=replace(TASK, metrics=("mcc", "accuracy")))
    html = room.page()
    assert "metrics" not in parts(html)
    assert "Nobody has answered yet" in words(html)
    assert "copy its invitation link" in words(html)


def test_every_coefficient_of_agreement_has_its_interval(sqlite: Engine) -> None:
    room = make_room(sqlite)
    room.votes("rrr", "rrg", "ggr", "ggg")
    told = agreement_told(room)
    bare = [name for name, (_, ends) in told.items() if not re.fullmatch(r"−?\d\.\d{3}(–| to −?)\d\.\d{3}", ends)]
    assert (len(told), bare) == (3 + len(CLOSED_LIST), [])
    # Two items of four are unanimous, in the two others one pair of three is equal.
    assert told["Pairwise agreement"][0] == "0.667"


def test_without_a_kappa_of_fleiss_the_page_shows_a_dash(sqlite: Engine) -> None:
    room = make_room(sqlite)
    room.votes("rrr", "rg", "ggr")
    assert agreement_told(room).get("Fleiss' kappa", ("—", "—"))[0] == "—"


def agreement_told(room: Room) -> dict[str, tuple[str, str]]:
    """Value and interval of each coefficient as the page has them."""
    body = parts(room.page(tab="agreement"))["coefficients"]
    cells = [[words(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in body.split("<tr>")[1:]]
    return {name: (value, ends) for name, value, ends in cells if value}


def test_the_axis_is_all_that_the_metric_can_be() -> None:
    assert [words for _, words in axis_of("accuracy").ticks] == ["0", "0.25", "0.5", "0.75", "1"]
    assert [words for _, words in axis_of("mcc").ticks] == ["−1", "−0.5", "0", "0.5", "1"]
    assert 0 < axis_of("accuracy").at(0) < axis_of("accuracy").at(0.5) == 50 < axis_of("accuracy").at(1) < 100


def test_numbers_are_written_with_a_real_minus_and_tied_signs() -> None:
    assert points(-0.031) == "−3.1"
    assert points(0.0) == "+0.0"
    assert p_sign(0.0004).replace("\u00a0", " ") == "p < 0.001"
    assert p_sign(0.04).replace("\u00a0", " ") == "p = 0.040"
    assert [p_sign(p).replace("\u00a0", " ") for p in (0.0496, 0.0499999, 0.05)] == [
        "p = 0.0496",
        "p < 0.05",
        "p ≥ 0.05",
    ]
    assert p_sign(None) == "—"


def test_items_are_chosen_by_what_a_look_at_them_is_for(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rgr?")
    chosen = {show: places(room.items(show=show)) for show in SHOWS}
    assert chosen == {
        "all": ["1", "2", "3", "4"],
        "split": ["2", "3"],
        "people": ["2", "4"],
        "model": ["3"],
        # What most people say is r, r, g, r.
        "apart": ["2", "3", "4"],
        "unparsable": ["4"],
        "reported": [],
        "gold": ["3", "2"],
    }


def test_the_ways_to_choose_say_how_many_items_they_have(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rgr?")
    assert chips(room.items()) == {
        "All": 4,
        "People split": 2,
        "People right, model wrong": 2,
        "Model right, people wrong": 1,
        "Model differs from people": 3,
        "No readable answer": 1,
        "Gold may be wrong": 2,
    }


def test_a_tie_makes_people_neither_right_nor_wrong(room: Room) -> None:
    room.votes("rg", "rr")
    room.run("big", "gg")
    assert places(room.items(show="people")) == ["2"]
    assert places(room.items(show="model")) == []


def test_the_model_to_compare_with_can_be_chosen(room: Room) -> None:
    room.votes("rrr", "rrr", "rrr", "rrr")
    room.run("big", "rrrg")
    room.run("small", "gggr")
    assert places(room.items(show="people", model="model:small")) == ["1", "2", "3"]
    assert places(room.items(show="people", model="model:big")) == ["4"]


def test_what_the_page_did_not_offer_is_the_first_of_what_it_did(room: Room) -> None:
    room.votes("rrr")
    room.run("big", "rrrr")
    (first,), (asked,) = (re.findall(r"<table.*</table>", room.items(**odd), re.DOTALL) for odd in ({}, ODD))
    assert places(first) == places(asked)
    assert words(first) == words(asked)
    assert words(room.page(tab="<script>", shown="nothing")) == words(room.page())


ODD = {"show": "'; drop table", "model": "nobody", "page": 10_000}


def test_an_item_shows_votes_answers_signs_and_raw_replies(room: Room) -> None:
    room.votes("rrg", "rg.", "...", "rrr")
    room.run("big", "rg?!", raw="I think: red")
    first, second, third, fourth = table(room.items(), "item", "votes", "big")
    assert (first["votes"], first["people"], first["big"]) == ("split 2 : 1", "Red ✓ right", "Red ✓ right")
    assert (second["votes"], second["people"], second["big"]) == ("tied 1 : 1", "Red / Green", "Green ✕ wrong")
    assert (third["votes"], third["people"], third["big"]) == ("no votes yet", "—", "no readable answer ✕ wrong")
    assert (fourth["votes"], fourth["big"]) == ("unanimous, 3 votes", "error, no reply")
    one = words(room.page(item="item-0"))
    assert "Red ✓ Right answer" in one
    assert "I think: red" in one


def test_fifty_items_at_a_time(sqlite: Engine) -> None:
    room = make_room(sqlite, things(LISTED + 3))
    assert len(places(room.items())) == LISTED == 50
    assert places(room.items(page=1)) == ["51", "52", "53"]
    assert "51–53 of 53" in words(room.items(page=1))


def test_several_replies_to_an_item_count_as_their_majority(room: Room) -> None:
    with writing(room.database) as session:
        run = create_run(session, study=room.study, model="many", kind="model", settings={})
        (first, *_) = list_items(session, study=room.study, role="main")
        given = [Prediction(first.key, n, f"reply {n}", label, "ok") for n, label in enumerate([GOLD, WRONG, GOLD])]
        add_predictions(session, run=run, predictions=given)
        finish_run(session, run=run)
    assert table(room.items(), "item", "many")[0]["many"] == "Red ✓ right"
    assert [f"reply {n}" in room.page(item="item-0") for n in range(3)] == [True] * 3


def test_nothing_that_people_or_models_wrote_can_run(sqlite: Engine) -> None:
    evil = "<img src=x onerror=alert(1)>{{ 191*7919 }}${alert(1)}"
    room = make_room(sqlite, things(2, text=evil))
    room.votes("rr", "rg")
    room.run(evil, "r?", raw=f"</pre>{evil}")
    for html in (room.page(), room.items(), room.page(item="item-0")):
        assert "<img" not in html
        assert "&lt;img src=x" in html
        assert str(191 * 7919) not in words(html)  # which no name of a worker holds by chance
    assert "<img" not in "".join(room.page(tab=tab, shown=part) for tab in TABS for part in ("", "confusion", "place"))


def test_an_unknown_study_is_a_sentence_and_its_name_is_text(room: Room) -> None:
    with pytest.raises(UnknownName) as caught:
        StudyCache(room.database).open("<script>")
    drawn = nothing_open(caught.value)
    assert "is not known" in words(drawn)
    assert "<script>" not in drawn


def test_rules_come_from_the_address_and_bad_ones_are_sentences(room: Room) -> None:
    rules = stored_rules(room.study)
    made = changed(rules, {"ties": "drop", "min_votes": "2", "control_min": "", "consensus": "majority"})
    assert (made.ties, made.min_votes, made.control_min, made.seed) == ("drop", 2, None, rules.seed)
    for bad in ({"min_votes": ""}, {"min_votes": "0"}, {"min_votes": "x"}, {"control_min": "3"}, {"ties": "<img>"}):
        with pytest.raises(BadSetting):
            changed(rules, bad)
        html = room.page(bad)
        assert "The study’s own rules are used." in words(html)
        assert lead(html) == lead(room.page())
        assert "<img" not in html


def test_a_mistake_on_the_page_is_a_message_that_gradio_shows_as_text() -> None:
    import gradio as gr

    from data.drawing.gradio_events import errors_shown

    @errors_shown
    def handler() -> None:
        raise BadSetting("<b>wrong</b>")

    with pytest.raises(gr.Error, match="&lt;b&gt;wrong"):
        handler()


def judged(database: Engine, task: str, answers: dict[str, list[Any]]) -> Room:
    """A study of these sample items, each with the answers that workers gave in turn."""
    chosen = get_task(task)
    kept = [item for item in samples(chosen) if item.role == "main" and item.id in answers]
    room = make_room(database, kept, chosen, language="ru")
    with writing(database) as session:
        workers = [add_worker(session) for _ in range(max(map(len, answers.values())))]
        stored = list_items(session, study=room.study, role="main")
        given = [
            Judgment(entry.key, workers[place], chosen.answer_for(entry.item.fields).validate(one, entry.item.fields))
            for entry in stored
            for place, one in enumerate(answers[entry.item.id])
        ]
        add_judgments(session, study=room.study, judgments=given)
    return room


def test_open_answers_are_listed_with_their_counts_and_the_right_ones_marked(sqlite: Engine) -> None:
    said = ["чемодан", "Чемодан", "вокзал"]
    room = judged(sqlite, "ruscontext/ellipsis", {"ruscontext-ellipsis-main-02": said})
    (row,) = table(room.items(), "item", "votes")
    assert row["votes"] == "split 2 : 1"
    assert row["people"].lower() == "чемодан ✓ right"
    text = words(room.page(item="ruscontext-ellipsis-main-02"))
    assert re.search(r"(?i)чемодан ✓ Right answer 2 вокзал 1", text)


def test_of_many_different_answers_ten_are_shown_and_the_others_on_request(sqlite: Engine) -> None:
    said = [f"слово{letter}" for letter in "абвгдежзиклм"]
    room = judged(sqlite, "ruscontext/ellipsis", {"ruscontext-ellipsis-main-02": said})
    assert "tied over 12 answers, 1 at most for one" in words(room.items())
    seen = room.page(item="ruscontext-ellipsis-main-02").split('<section class="card seen"')[1].split("</section>")[0]
    shown, others = seen.split('<details class="others">')
    assert (shown.count(">слово"), others.count(">слово")) == (10, 2)
    assert "Other answers: 2" in others


def test_written_texts_are_shown_and_the_page_says_who_judges_them(sqlite: Engine) -> None:
    task = get_task("writing/history")
    item = next(item for item in samples(task) if item.role == "main")
    room = judged(sqlite, task.id, {item.id: [task.answer.draw(item.fields, Random(seed)) for seed in range(5)]})
    text = words(room.page())
    assert lead(room.page()) == "5 answers written, 20 entries to judge."
    assert "1 item; 5 people took part." in text
    assert "python app.py written colours --task writing/validate --to written.jsonl" in text
    assert "from people" not in text
    assert "Agreement" not in text
    assert "People split" not in words(room.items())
    html = room.page(item=item.id)
    assert html.count('<ol class="by-one">') == 5
    assert "{&#34;" not in html
    assert "[{" not in words(html)


def test_votes_of_a_form_count_every_part_and_hide_what_nobody_was_asked(sqlite: Engine) -> None:
    task = get_task("agrr/validate")
    item = next(item for item in samples(task) if item.role == "main")
    answer = task.answer_for(item.fields)
    assert isinstance(answer, Form)
    mark, fault, _ = answer.parts
    assert fault.when is not None
    wrong = {mark.name: fault.when[1], fault.name: fault.answer.options(item.fields)[0].label}
    text = words(judged(sqlite, task.id, {item.id: [wrong, wrong]}).page(item=item.id))
    assert (
        f"{fault.title.within('ru')} не оценивается {fault.answer.options(item.fields)[0].words.within('ru')} 2" in text
    )
    assert answer.parts[2].title.within("ru") not in text


@pytest.mark.parametrize(
    ("task", "offered"),
    [
        ("rsg/parus", ("majority", "dawid-skene", "one-coin", "weighted")),
        ("ruscontext/ellipsis", ("majority", "weighted", "medoid")),
        ("agrr/full", ("majority", "weighted", "medoid")),
    ],
)
def test_only_rules_that_fit_the_answers_are_offered(sqlite: Engine, task: str, offered: tuple[str, ...]) -> None:
    item = next(item for item in samples(get_task(task)) if item.role == "main")
    assert item.gold is not None
    best = get_task(task).answer_for(item.fields).best(item.gold, item.fields)
    room = judged(sqlite, task, {item.id: [best, best]})
    known = ("majority", "dawid-skene", "one-coin", "weighted", "median", "medoid")
    assert tuple(rule for rule in consensus_rules(room.opened().results) if rule in known) == offered
    for rule in set(offered) - {"weighted"}:  # that one needs controls
        assert room.opened(consensus=rule).results.human.panel.rules.consensus == rule


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Exact match", "exact match"),
        ("F1 of entities", "F1 of entities"),
        ("ROUGE-L", "ROUGE-L"),
        ("Symbol-wise F", "symbol-wise F"),
    ],
)
def test_a_metric_within_a_line_keeps_its_capitals(title: str, told: str) -> None:
    assert in_sentence(title) == told
