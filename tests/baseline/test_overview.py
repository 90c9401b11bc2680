"""The overview of all studies, the parts of a study's results that unfold, and what is kept between two looks."""

import csv
import io
import re
from dataclasses import replace
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import norm
from sqlalchemy import Engine

from baseline.comparison.overview import (
    ColumnKind,
    Overview,
    OverviewColumn,
    OverviewRow,
    OverviewScore,
    StudyScores,
    laid_out,
    nearest,
    overview_table,
    score_list,
    study_scores,
)
from baseline.comparison.score_breakdowns import confusion_of
from baseline.comparison.verdicts import Scale
from baseline.output.overview_page import OverviewView, draw_overview, overview_figure, overview_latex
from baseline.output.plots import Point, Series, plot, scale, shortened
from baseline.output.result_tabs import TABS
from baseline.output.study_address import StudyAddress
from baseline.pages.results_page import NotComputed, OverviewCache, StudyCache, nothing_open
from data.catalogue.catalog import get_task, samples
from data.catalogue.families import get_family
from data.table_files import write_table
from db.engine import Session, reading, writing
from db.items import add_items, list_items
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.studies import Study, create_study, list_studies
from db.study_settings import StudySettings
from eval.arrays import Floats
from eval.comparison.difference import BETTER, UNCLEAR, WORSE
from eval.estimate import median_interval
from eval.metrics.table import metric_named
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


def scored(**scores: float) -> dict[str, OverviewScore]:
    """Scores by who has them; a model's difference from people, better or worse where it is eight points or more."""
    people = scores["people"]
    made = {"people": OverviewScore(people)}
    for name, value in scores.items():
        if name != "people":
            verdict = UNCLEAR if abs(value - people) < 0.08 else BETTER if value > people else WORSE
            made[name] = OverviewScore(value, apart=value - people, p=0.01, verdict=verdict if name != "naive" else "")
    return made


def task_row(task: str, scores: dict[str, OverviewScore], *, falls: bool = False, counts: bool = True) -> OverviewRow:
    scale = Scale("Accuracy", "Accuracy", falls=falls)
    return OverviewRow(task.title(), task, "-", f"study-{task}", scale, 50, scores, counts=counts)


def overview_of(*rows: OverviewRow) -> Overview:
    names = dict.fromkeys(name for row in rows for name in row.scores)
    kinds: dict[str, ColumnKind] = {"people": "human", "naive": "naive"}
    return Overview(tuple(OverviewColumn(name, name, kinds.get(name, "model")) for name in names), rows)


TWO_TASKS = overview_of(
    task_row("one", scored(people=0.9, low=0.5, high=0.95, part=1.0, naive=0.96)),
    task_row("two", scored(people=0.7, low=0.75, high=0.85, naive=0.2)),
    task_row("again", scored(people=0.1, low=0.9, high=0.2, part=0.9), counts=False),
    task_row("distance", scored(people=0.5, low=0.4, high=0.5), falls=True),
)


def test_a_row_holds_every_respondent_with_its_difference_its_verdict_and_what_is_missing(room: Room) -> None:
    glance = found(room)
    (row,) = glance.rows
    cells = row.scores
    assert cells["people"].value == pytest.approx(11 / 12)
    assert "human:individual" not in cells, "people have one column"
    assert cells["model:few"].apart == pytest.approx(-9 / 12)
    assert [cells[f"model:{name}"].verdict for name in ("all", "few", "part")] == [UNCLEAR, WORSE, UNCLEAR]
    assert (cells["model:part"].done, cells["model:part"].of) == (4, 12)
    assert cells["model:part"].done < cells["model:part"].of
    line = next(line for line in overview_table(glance).rows if line.row)
    assert line.cell("model:few").words() == "16.7 (−75.0*)"
    assert line.cell("model:part").lacking == "4 of 12 items"
    assert line.cell("nobody").words() == ""


def test_p_values_of_a_row_are_adjusted_for_its_models(room: Room) -> None:
    (row,) = found(room).rows
    # McNemar's test without correction on 9 items that only people have right: z = 3; three models were tested.
    assert row.scores["model:few"].p == pytest.approx(3 * 2 * norm.sf(3))


def test_models_stand_by_their_mean_over_the_tasks_that_all_of_them_have() -> None:
    assert [column.name for column in TWO_TASKS.columns] == ["people", "high", "low", "part", "naive"]
    assert TWO_TASKS.shared[0] == ("high", "low")
    assert [row.task for row in TWO_TASKS.shared[1]] == ["one", "two"], "an error is in no mean"
    assert TWO_TASKS.mean("high") == pytest.approx((0.95 + 0.85) / 2)
    assert TWO_TASKS.mean("people") == pytest.approx(0.8)
    assert TWO_TASKS.mean("part") is None
    mean, verdicts, *_ = overview_table(TWO_TASKS).rows
    assert (mean.title, mean.cell("low").words()) == ("mean of 2 tasks", "62.5 (−17.5)")
    assert verdicts.title == "better · no clear difference · worse"
    assert {name: cell.text for name, cell in verdicts.cells.items()} == {
        "high": "1 · 2 · 0",
        "low": "0 · 1 · 2",
        "part": "1 · 0 · 0",
    }, "a study that does not count is in no number, a naive baseline has none"


def test_one_sentence_says_which_model_comes_nearest() -> None:
    assert nearest(TWO_TASKS) == (
        "high",
        "is ahead of people on average: better on 1 of 3 tasks, no clear difference on 2",
    )
    below = overview_of(*(task_row(name, scored(people=0.9, m=0.5)) for name in ("one", "two")))
    assert nearest(below) == ("m", "comes nearest to people: worse on all 2 tasks")
    assert nearest(overview_of(task_row("one", scored(people=0.9)))) == ("", "")


def test_a_run_that_knew_the_answers_counts_in_no_mean() -> None:
    knew = {"people": OverviewScore(0.9), "m": OverviewScore(1.0, apart=0.1, why_not="knew the answers")}
    glance = overview_of(task_row("one", knew), task_row("two", scored(people=0.5, m=0.4)))
    assert [row.task for row in glance.shared[1]] == ["two"]
    assert overview_table(glance).rows[1].cell("m").lacking == "knew the answers"


@pytest.mark.parametrize(
    ("studies", "counts"),
    [
        ({"old": {}, "new": {}}, "new"),
        ({"old": {"counts": True}, "new": {}}, "old"),
        ({"real": {}, "demo-colours": {}}, "real"),
    ],
)
def test_of_the_studies_of_a_task_all_stand_and_one_counts(
    sqlite: Engine, studies: dict[str, dict[str, bool]], counts: str
) -> None:
    for name, settings in studies.items():
        with writing(sqlite) as session:
            make_answered(session, name, StudySettings(**settings))
    with reading(sqlite) as session:
        glance = overview(session)
    assert {row.study: row.counts for row in glance.rows} == {name: name == counts for name in studies}
    assert glance.rows[0].study == counts
    drawn = words(draw_overview(glance))
    assert all(name in drawn for name in studies)
    assert drawn.count("does not count") == 1


def make_answered(session: Session, name: str, settings: StudySettings, task: str = "rsg/parus") -> None:
    """A study of a task's samples that a model answered rightly."""
    study = create_study(session, name=name, task=get_task(task), settings=settings)
    add_items(session, study=study, items=samples(get_task(task)))
    run = create_run(session, study=study, model="m", kind="model", settings={})
    stored = list_items(session, study=study, role="main")
    add_predictions(session, run=run, predictions=[Prediction(e.key, 0, "x", e.item.gold, "ok") for e in stored])
    finish_run(session, run=run)


def test_an_empty_study_that_was_just_made_does_not_count_before_the_one_with_results(room: Room) -> None:
    with writing(room.database) as session:
        create_study(session, name="just-made", task=room.study.task, settings=StudySettings())
    rows = {row.study: row for row in found(room).rows}
    assert (rows["colours"].counts, rows["just-made"].counts) == (True, False)


def test_a_demo_counts_for_no_task_where_there_is_a_study_of_ones_own(sqlite: Engine) -> None:
    with writing(sqlite) as session:
        make_answered(session, "demo-terra", StudySettings(), "rsg/terra")
    with reading(sqlite) as session:
        assert [row.counts for row in overview(session).rows] == [True]
    with writing(sqlite) as session:
        make_answered(session, "mine", StudySettings())
    with reading(sqlite) as session:
        glance = overview(session)
    assert {row.study: row.counts for row in glance.rows} == {"mine": True, "demo-terra": False}
    assert set(glance.scored) == {"rsg/parus"}


def test_a_benchmark_has_its_total_where_somebody_has_all_of_its_tasks(sqlite: Engine) -> None:
    for name in ("rsg/terra", "rsg/danetqa"):
        with writing(sqlite) as session:
            make_answered(session, name.replace("/", "-"), StudySettings(), name)
    with reading(sqlite) as session:
        glance = overview(session).within("rsg")
    assert [row.task for row in glance.rows] == ["rsg/terra", "rsg/danetqa"], "two tasks of nine are no total"
    assert glance.rows[0].scores["published people"].value == 0.92
    assert "no people yet" in glance.rows[0].state
    one = glance.scored["rsg/terra"]
    whole = replace(glance, scored=dict.fromkeys(get_family("rsg").tasks, one)).within("rsg")
    total = whole.rows[0]
    assert (total.title, total.scores["model:m"].value) == ("RussianSuperGLUE, total", 1)
    assert total.scores["published people"].value == pytest.approx(0.811, abs=0.02)


def test_the_drawing_says_a_verdict_by_a_sign_that_has_a_name(room: Room) -> None:
    drawn = str(draw_overview(found(room)))
    assert "behind-2" in drawn
    assert 'aria-label="worse">▼' in drawn
    assert "4 of 12 items" in words(drawn)
    assert 'href="/results/?study=colours"' in drawn


def test_ten_tasks_of_six_models_are_130_words_with_the_head_of_the_page() -> None:
    models = {f"model-{place}": 0.6 + place / 20 for place in range(6)}
    rows = [task_row(f"task {place}", scored(people=0.9, **models)) for place in range(10)]
    drawn = draw_overview(overview_of(*rows))
    # On a desktop the choice of one model is out of sight.
    seen = words(re.sub(r'<p class="one-model">.*?</p>', "", str(drawn), flags=re.DOTALL))
    counted = [word for word in seen.split() if re.search(r"[^\W\d_]", word)]
    assert (
        len(counted) + len(["Etalon", "Studies", "Models", "Results", "Accounts", "Account", "Sign", "out", "Study"])
        <= 130
    )


def test_what_is_shown_is_in_the_address() -> None:
    view = OverviewView(benchmark="rsg", sort="model:a b", up="1", show="heat", model="m&n")
    query = dict(parse_qsl(urlsplit(view.address()).query))
    assert OverviewView.of(query | {"study": "x"}) == view
    assert OverviewView().address() == "/results/"
    assert view.address(benchmark="") == OverviewView(sort="model:a b", up="1", show="heat", model="m&n").address()
    sorts = [
        OverviewView().sorted_by("m"),
        OverviewView(sort="m").sorted_by("m"),
        OverviewView(sort="m", up="1").sorted_by("m"),
    ]
    assert sorts == ["/results/?sort=m", "/results/?sort=m&up=1", "/results/"]


@pytest.mark.parametrize(
    ("view", "order"),
    [
        (OverviewView(), ["One", "Two", "Again", "Distance"]),
        (OverviewView(sort="task"), ["Again", "Distance", "One", "Two"]),
        (OverviewView(sort="part"), ["One", "Again", "Two", "Distance"]),
        (OverviewView(sort="low", up="1"), ["Distance", "One", "Two", "Again"]),
        (OverviewView(sort="nobody"), ["One", "Two", "Again", "Distance"]),
    ],
)
def test_rows_are_sorted_by_a_column_and_their_summaries_stay_first(view: OverviewView, order: list[str]) -> None:
    lines = view.table(TWO_TASKS).rows
    assert [line.title for line in lines if line.row] == order
    assert [line.row is None for line in lines] == [True, True, False, False, False, False]


def test_the_address_chooses_benchmark_heat_map_and_the_model_of_a_phone(room: Room) -> None:
    glance = found(room)
    assert "behind-4" in str(draw_overview(glance, OverviewView(show="heat")))
    assert 'class="models chosen' in str(draw_overview(glance, OverviewView(model="model:few")))
    odd = str(draw_overview(glance, OverviewView(benchmark="<b>", sort="<i>", model="<u>")))
    assert "colours" in odd
    assert not re.search("<b>|<i>|<u>", re.sub(r"<b>\d|<b>[·\d]", "", odd))


def test_files_of_the_overview_hold_every_score_and_no_formula(room: Room) -> None:
    glance = found(room)
    lines = list(csv.DictReader(io.StringIO(write_table(score_list(glance), "csv").decode())))
    assert {line["respondent"] for line in lines} == set(glance.rows[0].scores)
    assert {line["verdict"] for line in lines if line["respondent"] == "model:few"} == {"worse"}
    odd = replace(glance, rows=(replace(glance.rows[0], study="=1+1"),))
    assert "'=1+1" in write_table(score_list(odd), "csv").decode()


def test_the_table_for_a_paper_escapes_everything_and_the_figure_is_an_svg(room: Room) -> None:
    glance = found(room)
    odd = replace(glance, rows=(replace(glance.rows[0], title='“A” & "b" <5%_{'),))
    lines = [line for line in overview_latex(odd, OverviewView()).decode().splitlines() if line.endswith(r"\\")]
    assert len({line.replace(r"\&", "").count("&") for line in lines}) == 1
    assert lines[-1].startswith(r"``A'' \& \textquotedbl{}b\textquotedbl{} \textless{}5\%\_\{ & 91.7 &")
    assert "($-$75.0*)" in lines[-1]
    figure = ElementTree.fromstring(overview_figure(odd, OverviewView()))
    texts = [text for text in figure.iter("{http://www.w3.org/2000/svg}text") if text.text]
    assert [text.text for text in texts if text.get("font-weight")][1:] == ["−75.0*"]


def test_nothing_is_computed_again_until_a_study_changes(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []

    def counted(session: Session, study: Study) -> StudyScores:
        computed.append(study.name)
        return study_scores(session, study)

    monkeypatch.setattr("baseline.pages.results_page.study_scores", counted)
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

    monkeypatch.setattr("baseline.pages.results_page.study_scores", breaks)
    *_, last = OverviewCache(room.database).steps()
    assert (last.waiting, last.failed, [row.study for row in last.rows]) == (0, ("colours",), ["sound"])
    assert "colours: the results cannot be computed" in words(draw_overview(last))
    monkeypatch.setattr("baseline.pages.results_page.results", breaks)
    with pytest.raises(NotComputed, match=r"'colours' cannot be computed \(TypeError\): .* server's log") as told:
        StudyCache(room.database).open("colours")
    assert "This study cannot be shown" in words(nothing_open(told.value))


def test_without_studies_the_overview_says_how_to_begin() -> None:
    assert "No study yet" in words(draw_overview(Overview()))


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
        made = plot(
            [Series("m", "models", points)],
            metric_named("accuracy"),
            x_title="x",
            label="",
            x_ticks=[(n, str(n)) for n in range(len(values))],
        )
        return "".join(re.findall(r"the axis is cut, it begins at ([\d.]+)", made))

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
    made = plot(lines, metric_named("accuracy"), x_title="", label="", x_ticks=[(0, "0"), (1, "1")])
    places = sorted(float(y) for y in re.findall(r'class="name" x="[\d.]+%" y="([\d.]+)"', made))
    assert len(places) == 5
    assert min(b - a for a, b in pairwise(places)) >= 16
