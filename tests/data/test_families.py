"""The families of benchmarks and the scores their papers print: what can be recomputed of them is."""

from collections import defaultdict
from dataclasses import replace

import pytest

from data.catalogue.catalog import tasks
from data.catalogue.families import Printed, Submitted, families, family_of, get_family
from data.errors import UnknownName
from data.generators import generator_named
from data.submissions import leaderboards
from eval.metrics.table import METRICS


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def by_task(name: str, respondent: str) -> dict[str, list[float]]:
    """The printed scores of a respondent on all items of each task, a table's repetition of another left out."""
    found: dict[str, list[float]] = defaultdict(list)
    for score in get_family(name).printed:
        if score.respondent == respondent and score.task and not score.group and score.table not in ("5", "6", "7"):
            found[score.task].append(score.value)
    return found


@pytest.mark.parametrize(
    ("respondent", "recomputed", "printed"),
    [("people", 0.8028, 0.802), ("RuBERT", 0.5458, 0.546), ("MultiBERT", 0.5427, 0.542), ("TF-IDF", 0.4588, 0.461)],
)
def test_averages_of_russian_superglue_are_recomputed_beside_the_printed_ones(
    respondent: str, recomputed: float, printed: float
) -> None:
    scores = by_task("rsg", respondent)
    assert set(scores) == set(get_family("rsg").tasks)
    assert mean([mean(values) for values in scores.values()]) == pytest.approx(recomputed, abs=5e-5)
    (total,) = (one for one in get_family("rsg").printed if one.respondent == respondent and one.metric == "total")
    assert total.value == printed
    assert total.note is not None


def lengths(table: str) -> dict[str, dict[str, float]]:
    """The printed scores of a table of LIBRA by task and length."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for score in get_family("libra").printed:
        if score.table == table and score.group:
            found[score.task][score.group] = score.value
    return found


def total_of(respondent: str, table: str) -> float:
    libra = get_family("libra").printed
    return next(
        s.value
        for s in libra
        if s.respondent == respondent and s.table == table and s.metric == "total" and not s.group
    )


def test_the_overall_of_gpt_4o_is_the_mean_over_tasks_of_the_mean_over_their_lengths() -> None:
    scores = lengths("10")
    assert set(scores) == set(get_family("libra").tasks)
    over_tasks = mean([mean(list(values.values())) for values in scores.values()])
    assert over_tasks == pytest.approx(0.7023, abs=5e-5)
    assert total_of("GPT-4o", "4") == total_of("GPT-4o", "7") == 0.702
    each = [score.value for score in get_family("libra").printed if score.table == "4" and score.respondent == "GPT-4o"]
    assert mean(each[:6]) == pytest.approx(0.67, abs=5e-4), "the caption of table 4 says lengths, its number says tasks"


@pytest.mark.parametrize("table", [str(number) for number in range(10, 22)])
def test_every_overall_of_libra_follows_from_its_table(table: str) -> None:
    scores = lengths(table)
    libra = get_family("libra").printed
    name = next(score.respondent for score in libra if score.table == table)
    printed = {score.task: score.value for score in libra if score.table == table and not score.group}
    over_tasks = [mean(list(values.values())) for values in scores.values()]
    assert mean(over_tasks) == pytest.approx(total_of(name, "7"), abs=0.0012)
    for task, values in scores.items():
        assert mean(list(values.values())) == pytest.approx(printed[task], abs=0.0011), task


def test_the_mean_grade_of_the_exam_is_the_mean_primary_score_over_34() -> None:
    (grade,) = get_family("use").printed
    assert round(23.835 / 34, 3) == grade.value
    assert grade.note is not None


def test_the_families_hold_the_tasks_of_the_catalogue_and_metrics_we_know() -> None:
    known = [name for family in families().values() for name in family.tasks]
    assert len(known) == len(set(known)) == 43
    assert set(known) <= set(tasks())
    printed: list[Printed] = [score for family in families().values() for score in family.printed]
    assert {score.metric for score in printed} - {"total"} <= set(METRICS)
    assert all(-1 <= score.value <= 1 for score in printed)
    assert {score.task for score in printed} - {""} <= set(known)
    libra = get_family("libra")
    assert sorted(name for group in libra.groups.values() for name in group) == sorted(libra.tasks)


def test_a_task_knows_its_family_and_an_unknown_family_gets_a_sentence() -> None:
    found = family_of("rsg/parus")
    assert found is not None
    assert found.id == "rsg"
    assert family_of("own/rating") is None
    with pytest.raises(UnknownName, match="did you mean 'libra'"):
        get_family("libre")


def test_what_a_benchmark_names_is_there_and_a_name_that_is_none_gets_the_nearest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert [generator_named(name).draws for family in families().values() for name in family.generators.values()]
    assert [board.takes.title for board in leaderboards()] == ["RussianSuperGLUE", "MERA", "AGRR-2019"]
    submitted = [family.submission for family in families().values() if family.submission]
    ways = {way for each in submitted for way in each.answers.values()}
    assert ways == {"number", "truth", "options", "entity"}
    with pytest.raises(UnknownName, match="did you mean 'passkey'"):
        generator_named("paskey")
    wrong = replace(get_family("use"), submission=Submitted("MERA", "merra", {"use": "USE.json"}))
    monkeypatch.setattr("data.submissions.families", lambda: {"use": wrong})
    with pytest.raises(UnknownName, match="submission format 'merra' is not known; did you mean 'mera'"):
        leaderboards()
