"""The overview of all studies, the parts of a study's results that unfold, and what is kept between two looks."""

import csv
import io
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm
from sqlalchemy import Engine

from baseline.comparison.confusion import confusion_of
from baseline.comparison.overview import Overview, StudyScores, laid_out, study_scores
from baseline.comparison.overview_columns import NOT_ASKED, PlacedScore
from baseline.output.csv import overview_csv
from baseline.output.json import overview_dict
from baseline.output.markdown import overview_markdown
from baseline.output.overview_page import draw_overview
from baseline.output.plots import PlotTitles, Point, Series, plot, scale, shortened
from baseline.output.study_address import StudyAddress
from baseline.output.study_tabs import TABS
from baseline.pages.study_cache import NotComputed, OverviewCache, StudyCache, nothing_open
from data.catalogue.catalog import get_task
from data.catalogue.sample_items import samples
from db.engine import Session, reading, writing
from db.items import add_items, list_items
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.studies import Study, create_study, list_studies
from db.study_settings import StudySettings
from eval.arrays import Floats
from eval.intervals.wilson import median_interval
from tests.baseline.test_results_page import Room, make_room, things
from tests.helpers.study_pages import parts, words


@pytest.fixture
def room(sqlite: Engine) -> Room:
    """Twelve items: people right on all but one; one model right on all, one on two, one asked about four."""
    made = make_room(sqlite, things(12))
    made.votes(*["rrr"] * 10, "rgg", "rrg")
    made.run("all", "r" * 12)
    made.run("few", "rr" + "g" * 10)
    made.run("part", "rrrr")
    return made


def overview(session: Session) -> Overview:
    studies = list_studies(session)
    return laid_out(studies, {study.id: study_scores(session, study) for study in studies})


def found(room: Room) -> Overview:
    with reading(room.database) as session:
        return overview(session)


def test_a_row_holds_every_respondent_with_its_difference_and_what_is_missing(room: Room) -> None:
    glance = found(room)
    (row,) = glance.rows
    cells = row.scores
    assert cells["human:majority"].value == pytest.approx(11 / 12)
    assert cells["human:individual"].value == pytest.approx(33 / 36)
    assert cells["model:few"].apart == pytest.approx(-9 / 12)
    assert cells["model:few"].significant
    assert not cells["model:all"].significant
    assert (cells["model:part"].done, cells["model:part"].of) == (4, 12)
    assert cells["model:part"].incomplete
    column = glance.columns[0]
    assert PlacedScore(row, column, cells["model:few"]).words().endswith("[−75.0*]")
    assert PlacedScore(row, column, cells["model:part"]).words().endswith(", 4 of 12 items")
    assert PlacedScore(row, column, NOT_ASKED).words() == "—"


def test_an_empty_study_that_was_just_made_does_not_stand_before_the_one_with_results(room: Room) -> None:
    with writing(room.database) as session:
        create_study(session, name="just-made", task=room.study.task, settings=StudySettings())
    rows = {row.study: row for row in found(room).rows}
    assert (rows["colours"].newest, rows["just-made"].newest) == (True, False)


def test_p_values_of_a_row_are_adjusted_for_its_models(room: Room) -> None:
    (row,) = found(room).rows
    # McNemar's test without correction on 9 items that only people have right: z = 3; three models were tested.
    assert row.scores["model:few"].p == pytest.approx(3 * 2 * norm.sf(3))


def test_the_drawing_says_significance_by_a_sign_and_missing_answers_in_words(room: Room) -> None:
    drawn = str(draw_overview(found(room)))
    assert "behind-4" in drawn
    assert "significant ▼" in words(drawn)
    assert "4 of 12 items" in words(drawn)
    assert 'href="/results/?study=colours"' in drawn
    assert 'download="overview.csv"' in drawn


def test_files_of_the_overview_hold_every_score_and_no_formula(room: Room) -> None:
    glance = found(room)
    lines = list(csv.DictReader(io.StringIO(overview_csv(glance).decode())))
    assert {line["respondent"] for line in lines} == set(glance.rows[0].scores)
    assert "model:few" in overview_dict(glance)["rows"][0]["scores"]
    assert "| few" in overview_markdown(glance)
    odd = replace(glance, rows=(replace(glance.rows[0], study="=1+1"),))
    assert "'=1+1" in overview_csv(odd).decode()


def test_a_benchmarks_total_stands_over_its_tasks_and_says_of_how_many_it_is(sqlite: Engine) -> None:
    for name in ("rsg/terra", "rsg/danetqa"):
        task = get_task(name)
        with writing(sqlite) as session:
            study = create_study(session, name=name.replace("/", "-"), task=task, settings=StudySettings())
            add_items(session, study=study, items=samples(task))
            run = create_run(session, study=study, model="m", kind="model", settings={})
            stored = list_items(session, study=study, role="main")
            add_predictions(
                session, run=run, predictions=[Prediction(e.key, 0, "x", e.item.gold, "ok") for e in stored]
            )
            finish_run(session, run=run)
    with reading(sqlite) as session:
        glance = overview(session)
    total, *rows = glance.rows
    assert (total.total, [row.task for row in rows]) == (True, ["rsg/terra", "rsg/danetqa"])
    assert (total.scores["model:m"].value, total.scores["model:m"].done, total.scores["model:m"].of) == (1, 2, 9)
    assert set(total.scores) == {"model:m"}, "the paper's total is of all tasks, and nobody here has them all"
    assert rows[0].scores["published people"].value == 0.92
    assert "no people yet" in rows[0].state


def test_nothing_is_computed_again_until_a_study_changes(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []

    def counted(session: Session, study: Study) -> StudyScores:
        computed.append(study.name)
        return study_scores(session, study)

    monkeypatch.setattr("baseline.pages.study_cache.study_scores", counted)
    overview = OverviewCache(room.database)
    first, again = overview.html(), overview.html()
    assert first == again
    assert computed == ["colours"]
    room.run("late", "r" * 12)
    assert "late" in overview.html()
    assert computed == ["colours", "colours"]


def test_a_study_that_breaks_is_named_and_the_others_stand(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    with writing(room.database) as session:
        create_study(session, name="sound", task=room.study.task, settings=StudySettings())

    def breaks(session: Session, study: Study, **given: object) -> StudyScores:
        if study.name == "colours":
            raise TypeError("'int' object is not iterable")
        return study_scores(session, study)

    monkeypatch.setattr("baseline.pages.study_cache.study_scores", breaks)
    *_, last = OverviewCache(room.database).steps()
    assert (last.waiting, last.failed, [row.study for row in last.rows]) == (0, ("colours",), ["sound"])
    assert "colours: the results cannot be computed" in words(draw_overview(last))
    monkeypatch.setattr("baseline.pages.study_cache.results", breaks)
    with pytest.raises(NotComputed, match=r"'colours' cannot be computed \(TypeError\): .* server's log") as told:
        StudyCache(room.database).open("colours")
    assert "This study cannot be shown" in words(nothing_open("colours", told.value))


def test_without_studies_the_overview_says_how_to_begin() -> None:
    assert "No study yet" in words(draw_overview(Overview((), ())))


def test_an_opened_study_is_kept_until_it_changes(room: Room) -> None:
    studies = StudyCache(room.database)
    opened = studies.open("colours")
    assert studies.open("colours") is opened
    room.run("late", "r" * 12)
    assert "late" in str(studies.draw(StudyAddress("colours")))
    for votes in (2, 3, 4):
        studies.open("colours", {"min_votes": str(votes)})
    assert len(studies.opened) == 3


def test_everybody_can_be_scored_on_the_items_with_one_answer_of_people(sqlite: Engine) -> None:
    room = make_room(sqlite, things(4), ties="drop")
    room.votes("rr", "rg", "rr", "..")
    room.run("m", "rggr")
    studies = StudyCache(sqlite)
    every, kept = studies.open("colours"), studies.open("colours", kept=True)
    assert [row.n for row in every.results.rows] == [2, 6, 4]
    assert [row.n for row in kept.results.rows] == [2, 4, 2]
    assert kept.results.rows[-1].scores["accuracy"].value == 0.5
    assert not any("no gold" in note for note in kept.results.human.notes())


def test_every_slow_part_is_folded_until_it_is_asked_for_and_then_drawn(room: Room) -> None:
    for tab in TABS:
        for part in tab.parts:
            folded = parts(room.page(tab=tab.name)).get(part.name)
            if part.slow and folded:
                shown = parts(room.page(tab=tab.name, shown=part.name))[part.name]
                assert "section-body" not in folded
                assert "section-body" in shown
                assert part.title in words(shown)


def test_confusions_count_gold_against_answers(room: Room) -> None:
    results = room.opened().results
    crowd: Floats = confusion_of(results, results.rows[0].ballots)
    labels = results.human.panel.votes.labels
    red, green = labels.index("red"), labels.index("green")
    assert crowd[red, red] == 11
    assert crowd[red, green] == 1
    people = confusion_of(results, results.rows[1].ballots)
    assert people[red].sum() == 36


def test_the_interval_of_a_median_is_that_of_its_order_statistics() -> None:
    # Conover 1999: of ten values the second and the ninth hold the median with probability 0.979.
    assert median_interval(np.arange(1.0, 11.0)) == (2, 9)
    low, high = median_interval(np.arange(5.0))
    assert np.isnan([low, high]).all()


def test_an_axis_that_does_not_begin_at_its_end_says_so() -> None:
    def drawn(*values: float) -> str:
        points = tuple(Point(n, value, None, "") for n, value in enumerate(values))
        return plot(
            [Series("m", "models", points)],
            PlotTitles("x", "y", ""),
            x_ticks=[(n, str(n)) for n in range(len(values))],
            natural=(0, 1),
        ).cut

    assert drawn(0.8, 0.9) == "0.800"
    assert drawn(0.0, 1.0) == ""
    assert scale(0.81, 0.89, (0, 1)) == pytest.approx((0.8, 0.9, 0.02))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("People, majority of 4–5", "majority of 4–5"),
        ("People, one at a time", "one at a time"),
        ("openai:org/a-long-name-7b", "openai:o…-name-7b"),
        ("tfidf", "tfidf"),
    ],
)
def test_a_long_name_at_a_line_leaves_out_what_its_colour_says_and_then_its_middle(name: str, said: str) -> None:
    assert shortened([name]) == [said]


def test_names_that_would_look_alike_are_cut_less_and_others_as_usual() -> None:
    names = [f"Luminous {size} Control" for size in ("Base", "Extended", "Supreme")]
    cut = ["Luminous B… Control", "Luminous E… Control", "Luminous S… Control", "openai:o…-name-7b"]
    assert shortened([*names, "openai:org/a-long-name-7b"]) == cut
    close = ["roberta-base-10M-1_best", "roberta-base-100M-1_best"]
    assert shortened(close) == close, "a cut of one letter would hide what tells them apart"
    assert shortened(["m", "m"]) == ["m", "m"], "the same name stays the same"
    assert shortened(["People, majority of 4", "majority of 4"]) == ["People, majority of 4", "majority of 4"]


def test_names_at_lines_do_not_cover_one_another() -> None:
    lines = [Series(f"m{n}", "models", (Point(0, 0.5, None, ""),)) for n in range(5)]
    made = plot(lines, PlotTitles("", "", ""), x_ticks=[(0, "0"), (1, "1")], natural=(0, 1))
    places = sorted(one.label_y for one in made.series)
    assert min(b - a for a, b in pairwise(places)) >= 16
