"""The results page: the numbers it draws, the items it lists, its states, and that nothing in it can run."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import unescape
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from baseline.output.item_list import PER_PAGE, shortened
from baseline.output.score_table import CLASSES, axis_of
from sqlalchemy import Engine

from baseline.comparison.item_index import SHOWS
from baseline.human.baseline import stored_rules
from baseline.output.page_numbers import Axis, p_words
from baseline.pages.study_cache import Opened, StudyCache, changed, nothing_open
from data.answers.form import Form
from data.catalogue.catalog import get_task
from data.catalogue.sample_items import samples
from data.errors import BadSetting, UnknownName
from data.human_rules import TIES
from data.numbers import points
from data.task import Item
from data.wording import in_sentence
from db.engine import writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, PredictionStatus, RunKind, add_predictions, create_run, finish_run
from db.studies import Study, create_study, set_status
from db.study_settings import StudySettings
from db.workers import add_worker
from eval.consensus.ties import TIE_RULES
from tests.helpers.collection import TASK

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

    def opened(self, **rules: Any) -> Opened:
        studies = StudyCache(self.database)
        return studies.open(self.study.name, replace(stored_rules(self.study), **rules) if rules else None)

    def items(self, opened: Opened | None = None, **chosen: Any) -> str:
        return str(StudyCache(self.database).items(opened or self.opened(), **chosen))


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


def words(html: object) -> str:
    """The text of a drawing, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", str(html))).split())


def key_figures(opened: Opened) -> list[str]:
    return [words(part) for part in str(opened.report).split('<div class="fact">')[1:5]]


def rows(opened: Opened) -> list[str]:
    table = str(opened.report).split("<tbody>")[1].split("</tbody>")[0]
    return [words(row) for row in table.split("<tr>")[1:]]


def places(html: str) -> list[str]:
    return re.findall(r"<b>Item (\d+)</b>", html)


def test_the_answer_comes_first_in_four_facts(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rrrr")
    people, model, agreement, split = key_figures(room.opened())
    assert people.startswith("People, majority of 3 0.750 0.301–0.954")
    assert model.startswith("Best model 1.000 +25.0 points, p = 0.317, Holm big")
    assert agreement.startswith("Agreement, alpha")
    assert split.startswith("Items people split on 2 of 4 · see them")


def test_one_row_for_each_respondent_people_first_then_by_score(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("small", "rggg")
    room.run("big", "rrrr")
    room.run("random", "rrgg", kind="naive")
    names = [row.split(" ")[0].rstrip(",") for row in rows(room.opened())]
    assert names == ["People", "People", "big", "random", "small"]


def test_a_run_of_errors_alone_is_the_last_and_not_the_best_model(room: Room) -> None:
    room.votes("rrr", "rrr", "rrr", "rrr")
    room.run("dead", "!!!!")
    room.run("alive", "rggg")
    assert key_figures(room.opened())[1].startswith("Best model 0.250")
    assert [row.split()[0] for row in rows(room.opened())[2:]] == ["alive", "dead"]


def test_every_row_says_score_interval_number_difference_and_test(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("small", "rggg")
    majority, individual, small = rows(room.opened())
    assert "0.750" in majority
    assert "0.301–0.954" in majority
    assert " 4 " in majority
    assert "9 judgments" not in individual
    assert "12 judgments" in individual
    assert "−50.0 [" in small
    assert "p = 0.157" in small


def test_the_p_beside_a_model_is_adjusted_for_the_others_and_says_so(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("small", "rggg")
    room.run("less", "ggrg")
    told = {row.split()[0]: row for row in rows(room.opened())}
    # McNemar without correction: 0 items against 2 give 0.157, doubled for two models; 1 against 3 give 0.317.
    assert "p = 0.315, Holm" in told["small"]
    assert "p = 0.317, Holm" in told["less"]
    assert "Holm" not in told["People,"]


def test_kinds_have_their_colours_and_pictures_their_words(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rrrr")
    room.run("random", "rrgg", kind="naive")
    report = str(room.opened().report)
    for kind in CLASSES.values():
        assert f'class="who {kind}"' in report
        assert f'class="dot {kind}"' in report
    assert 'role="img" aria-label="big: 1.000, 95% interval 0.510–1.000"' in report
    assert report.count("people-line") == 4, "the people's line goes through every row"


def test_ties_and_missing_answers_are_said(room: Room) -> None:
    room.votes("rg", "rr", "..", "gr")
    room.run("big", "r?!.")
    majority, _, big = rows(room.opened())
    assert "1 clear, 2 tied (shared out), 1 without votes" in majority
    assert "1 error, 1 read, 1 unparsable, 1 not asked" in big


def test_of_an_imported_run_nobody_says_what_it_was_not_asked(room: Room) -> None:
    room.votes("rr", "rr", "rr", "rr")
    room.run("theirs", "rr..", imported="inspect")
    _, _, theirs = rows(room.opened())
    assert "2 read, 2 not in its log" in theirs
    assert (listed := words(room.items())).count("not in its log") == 2
    assert "not asked" not in theirs + listed


@pytest.mark.parametrize("rule", TIE_RULES)
def test_every_rule_for_ties_has_words(room: Room, rule: str) -> None:
    assert rule in TIES


def test_rules_change_the_numbers(room: Room) -> None:
    room.votes("rg", "rr", "rr", "gr")
    assert key_figures(room.opened())[0].startswith("People, majority of 2 0.750")
    assert key_figures(room.opened(ties="drop"))[0].startswith("People, majority of 2 1.000")
    assert key_figures(room.opened(ties="wrong"))[0].startswith("People, majority of 2 0.500")


def test_simulated_judgments_are_called_so_wherever_people_stand(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr", simulated=True)
    opened = room.opened()
    assert "simulated judgments" in words(opened.report).split("People,")[0]
    assert "simulated" in key_figures(opened)[0]
    assert all("simulated" in row for row in rows(opened))
    assert "programs answered, not people" in words(opened.report)


def test_judgments_of_people_are_not_called_simulated(room: Room) -> None:
    room.votes("rrr")
    assert "simulated" not in str(room.opened().report)


def test_a_collection_that_goes_on_says_how_much_is_in(room: Room) -> None:
    room.votes("rrr", "rr")
    assert "5 of 12 judgments are in, 7 are missing" in words(room.opened().report)
    with writing(room.database) as session:
        set_status(session, study=room.study, status="closed")
    assert "are missing" not in words(room.opened().report)


def test_a_study_without_judgments_says_what_to_do(room: Room) -> None:
    report = words(room.opened().report)
    assert "Nobody has answered yet" in report
    assert "invitation link" in report
    assert "python app.py run colours --model random" in report
    assert "nan" not in report.lower()


def test_models_without_people_are_shown_without_comparison(room: Room) -> None:
    room.run("big", "rrrg")
    opened = room.opened()
    assert "Nobody has answered yet" in words(opened.report)
    assert rows(opened) == ["big 4 read 0.750 0.301–0.954 0.301–0.954 other items 4 — —"]


def test_people_without_models_are_told_how_to_run_one(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    report = words(room.opened().report)
    assert "No model has answered yet" in report
    assert "python app.py run colours --model random" in report


def test_one_vote_an_item_is_not_compared_with_itself(room: Room) -> None:
    room.votes("r", ".g", "r", "r")
    assert rows(room.opened())[1].endswith("4 — —")
    room.votes("g")
    assert "[" in rows(room.opened())[1]


def test_without_gold_people_are_measured_against_their_peers(sqlite: Engine) -> None:
    room = make_room(sqlite, things(4, gold=None))
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rrrr")
    opened = room.opened()
    assert key_figures(opened)[0].startswith("People, against their peers 0.667")
    # It gives what most gave on three of four; a person does on two in three.
    assert key_figures(opened)[1] == "Nearest to people 0.750 +8.3 points from one person, p = 0.691, Holm big"
    assert "No gold is known" in words(opened.report)
    assert "Who agrees with people as well as people do?" in opened.report
    assert "not told apart from one person: big" in words(opened.report)
    assert "model wrong" not in room.items(opened)


def test_a_task_with_several_metrics_shows_them_all(sqlite: Engine) -> None:
    room = make_room(sqlite, task=replace(TASK, metrics=("mcc", "accuracy")))
    room.votes("rrr", "rrg", "ggr", "rrr")
    report = words(room.opened().report)
    assert "By every metric of the task" in report
    assert "Matthews correlation" in report


def test_a_task_with_several_metrics_and_no_answer_says_what_to_do_next(sqlite: Engine) -> None:
    room = make_room(sqlite, task=replace(TASK, metrics=("mcc", "accuracy")))
    report = room.opened().report
    assert "By every metric of the task" not in report
    assert "Nobody has answered yet" in report
    assert "copy its invitation link" in report.replace("\u00a0", " ")


def test_every_coefficient_of_agreement_has_its_interval_or_the_reason_why_it_is_not_there(sqlite: Engine) -> None:
    room = make_room(sqlite)
    room.votes("rrr", "rrg", "ggr", "ggg")
    told = agreement_told(room)
    assert "95% intervals hold for other items, these people" in room.opened().report
    bare = [name for name, (_, ends) in told.items() if not re.fullmatch(r"−?\d\.\d{3}(–| to −?)\d\.\d{3}", ends)]
    assert (len(told), bare) == (5, [])
    # Two items of four are unanimous, in the two others one pair of three is equal.
    assert told["Pairwise agreement"][0] == "0.667"


def test_without_a_kappa_of_fleiss_the_page_says_why(sqlite: Engine) -> None:
    room = make_room(sqlite)
    room.votes("rrr", "rg", "ggr")
    assert agreement_told(room)["Fleiss' kappa"] == ("—", "")
    assert "items have 2 to 3 answers, and it needs the same number for all" in room.opened().report


def agreement_told(room: Room) -> dict[str, tuple[str, str]]:
    """Value and interval of each coefficient as the page has them."""
    found = re.findall(r'class="term">(.*?)</span>.*?</th><td><b>(.*?)</b></td><td>(.*?)</td>', room.opened().report)
    return {unescape(name): (value, unescape(ends)) for name, value, ends in found}


def test_the_axis_is_all_that_the_metric_can_be() -> None:
    assert [tick["words"] for tick in axis_of("accuracy").ticks()] == ["0", "0.25", "0.5", "0.75", "1"]
    assert [tick["words"] for tick in axis_of("mcc").ticks()] == ["−1", "−0.5", "0", "0.5", "1"]
    assert 0 < Axis(0, 1).at(0) < Axis(0, 1).at(0.5) == 50 < Axis(0, 1).at(1) < 100


def test_numbers_are_written_with_a_real_minus_and_tied_signs() -> None:
    assert points(-0.031) == "−3.1"
    assert points(0.0) == "+0.0"
    assert p_words(0.0004).replace("\u00a0", " ") == "p < 0.001"
    assert p_words(0.04).replace("\u00a0", " ") == "p = 0.040"
    assert [p_words(p).replace("\u00a0", " ") for p in (0.0496, 0.0499999, 0.05)] == [
        "p = 0.0496",
        "p < 0.05",
        "p ≥ 0.05",
    ]
    assert p_words(None) == "—"


def test_items_are_chosen_by_what_a_look_at_them_is_for(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rgr?")
    opened = room.opened()
    chosen = {show: places(room.items(opened, show=show)) for show in SHOWS}
    assert chosen == {
        "all": ["1", "2", "3", "4"],
        "split": ["2", "3"],
        "people": ["2", "4"],
        "model": ["3"],
        # What most people say is r, r, g, r.
        "apart": ["2", "3", "4"],
        "unparsable": ["4"],
        "reported": [],
        "gold": ["3"],
    }


def test_the_ways_to_choose_say_how_many_items_they_have(room: Room) -> None:
    room.votes("rrr", "rrg", "ggr", "rrr")
    room.run("big", "rgr?")
    assert re.findall(r'data-page="0" aria-pressed="\w+">(.+?) <b>(\d+)</b>', room.items()) == [
        ("All", "4"),
        ("People split", "2"),
        ("People right, model wrong", "2"),
        ("Model right, people wrong", "1"),
        ("Model differs from people", "3"),
        ("No readable answer", "1"),
    ]


def test_a_tie_makes_people_neither_right_nor_wrong(room: Room) -> None:
    room.votes("rg", "rr")
    room.run("big", "gg")
    assert places(room.items(show="people")) == ["2"]
    assert places(room.items(show="model")) == []


def test_the_model_to_compare_with_can_be_chosen(room: Room) -> None:
    room.votes("rrr", "rrr", "rrr", "rrr")
    room.run("big", "rrrg")
    room.run("small", "gggr")
    opened = room.opened()
    assert places(room.items(opened, show="people", model="model:small")) == ["1", "2", "3"]
    assert places(room.items(opened, show="people", model="model:big")) == ["4"]


def test_what_the_page_did_not_offer_is_the_first_of_what_it_did(room: Room) -> None:
    room.votes("rrr")
    room.run("big", "rrrr")
    opened = room.opened()
    assert room.items(opened, show="'; drop table", model="nobody", page=10_000) == room.items(opened)


def test_an_item_shows_votes_answers_signs_and_raw_replies(room: Room) -> None:
    room.votes("rrg", "rg.", "...", "rrr")
    room.run("big", "rg?!", raw="I think: red")
    html = room.items()
    first, second, third, fourth = html.split("<article")[1:]
    assert "split 2 : 1" in words(first)
    assert "✓ right" in words(first)
    assert "Red ✓ Right answer" in words(first)
    assert "tied 1 : 1" in words(second)
    assert "✕ wrong" in words(second)
    assert "no votes yet" in words(third)
    assert "no readable answer ✕ wrong" in words(third)
    assert "unanimous, 3 votes" in words(fourth)
    assert "error, no reply" in words(fourth)
    assert html.count("<details>") == 4
    assert "I think: red" in words(first)


def test_twenty_items_at_a_time(sqlite: Engine) -> None:
    room = make_room(sqlite, things(PER_PAGE + 3))
    opened = room.opened()
    assert len(places(room.items(opened))) == PER_PAGE
    assert places(room.items(opened, page=1)) == ["21", "22", "23"]
    assert f"21–{PER_PAGE + 3} of {PER_PAGE + 3}" in words(room.items(opened, page=1))


def test_several_replies_to_an_item_count_as_their_majority(room: Room) -> None:
    with writing(room.database) as session:
        run = create_run(session, study=room.study, model="many", kind="model", settings={})
        (first, *_) = list_items(session, study=room.study, role="main")
        given = [Prediction(first.key, n, f"reply {n}", label, "ok") for n, label in enumerate([GOLD, WRONG, GOLD])]
        add_predictions(session, run=run, predictions=given)
        finish_run(session, run=run)
    first_item = room.items().split("<article")[1]
    assert "Red ✓ right" in words(first_item)
    assert [f"reply {n}" in first_item for n in range(3)] == [True] * 3


def test_nothing_that_people_or_models_wrote_can_run(sqlite: Engine) -> None:
    evil = "<img src=x onerror=alert(1)>{{ 7*7 }}${alert(1)}"
    room = make_room(sqlite, things(2, text=evil))
    room.votes("rr", "rg")
    room.run(evil, "r?", raw=f"</pre>{evil}")
    opened = room.opened()
    for html in (str(opened.report), room.items(opened)):
        assert "<img" not in html
        assert "&lt;img src=x" in html
        assert "49" not in html


def test_an_unknown_study_is_a_sentence_and_its_name_is_text(room: Room) -> None:
    with pytest.raises(UnknownName) as caught:
        StudyCache(room.database).open("<script>")
    drawn = nothing_open("<script>", caught.value)
    assert "is not known" in words(drawn)
    assert "<script>" not in drawn


def test_without_any_study_the_page_says_how_to_begin() -> None:
    assert "No study yet" in words(nothing_open(None))
    assert "import-log" in words(nothing_open(None))


def test_rules_come_from_the_controls_and_bad_ones_are_sentences(room: Room) -> None:
    rules = stored_rules(room.study)
    made = changed(rules, ties="drop", min_votes=2.0, control_min=None, consensus="majority")
    assert (made.ties, made.min_votes, made.control_min, made.seed) == ("drop", 2, None, rules.seed)
    with pytest.raises(BadSetting, match="empty"):
        changed(rules, ties="drop", min_votes=None, control_min=None, consensus="majority")
    with pytest.raises(BadSetting):
        changed(rules, ties="drop", min_votes=0, control_min=None, consensus="majority")
    with pytest.raises(BadSetting):
        changed(rules, ties="drop", min_votes=1, control_min=3, consensus="majority")


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"show": "split", "model": "m", "page": "2"}, {"show": "split", "model": "m", "page": 2}),
        ({"page": "-1"}, {"show": "", "model": "", "page": 0}),
        ({"page": ["x"], "show": None}, {"show": "None", "model": "", "page": 0}),
        ({"page": "9" * 5000}, {"show": "", "model": "", "page": 0}),
        ("nonsense", {"show": "", "model": "", "page": 0}),
    ],
)
def test_a_browser_may_send_anything(sent: object, expected: dict[str, object]) -> None:
    from baseline.pages.results_page import event_data

    assert event_data(SimpleNamespace(_data=sent)) == expected  # type: ignore[arg-type]


def test_a_mistake_on_the_page_is_a_message_that_gradio_shows_as_text() -> None:
    import gradio as gr

    from baseline.pages.shown_errors import shows_errors

    @shows_errors
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
    text = words(room.items())
    assert "split 2 : 1" in text
    assert re.search(r"(?i)чемодан ✓ Верный ответ 2 вокзал 1", text)
    assert text.lower().count("чемодан ✓") == 1


def test_of_many_different_answers_ten_are_shown_and_the_others_on_request(sqlite: Engine) -> None:
    said = [f"слово{letter}" for letter in "абвгдежзиклм"]
    html = judged(sqlite, "ruscontext/ellipsis", {"ruscontext-ellipsis-main-02": said}).items()
    assert "tied over 12 answers, 1 at most for one" in words(html)
    shown, others = html.split('<details class="others">')
    assert (shown.count(">слово"), others.count(">слово")) == (10, 2)
    assert "Остальные ответы: 2" in others


def test_written_texts_are_shown_and_the_page_says_who_judges_them(sqlite: Engine) -> None:
    task = get_task("writing/history")
    item = next(item for item in samples(task) if item.role == "main")
    room = judged(sqlite, task.id, {item.id: [task.answer.draw(item.fields, Random(seed)) for seed in range(5)]})
    opened = room.opened()
    people, entries, writers, _ = key_figures(opened)
    assert people.startswith("Answers written 5 about 1 of 1 items")
    assert entries.startswith("Entries to be judged 20 4 in each answer")
    assert writers == "Writers 5 people"
    report = words(opened.report)
    assert "python app.py written colours --task writing/validate --to written.jsonl" in report
    assert "vs people" not in report
    assert "With the others" not in report
    html = room.items(opened)
    assert html.count('<ol class="by-one">') == 5
    assert "5 answers" in words(html)
    assert "People split" not in words(html)
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
    text = words(judged(sqlite, task.id, {item.id: [wrong, wrong]}).items())
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
    from baseline.pages.results_page import consensus_rules

    item = next(item for item in samples(get_task(task)) if item.role == "main")
    assert item.gold is not None
    best = get_task(task).answer_for(item.fields).best(item.gold, item.fields)
    room = judged(sqlite, task, {item.id: [best, best]})
    assert consensus_rules(room.opened()) == offered
    for rule in set(offered) - {"weighted"}:  # that one needs controls
        assert room.opened(consensus=rule).rules.consensus == rule


def test_a_long_answer_is_cut_at_a_word_and_kept_whole_behind() -> None:
    assert shortened("слово " * 10) == ""
    cut = shortened("слово " * 100)
    assert cut.endswith("слово…")
    assert len(cut) <= 221


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
