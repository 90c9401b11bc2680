"""The total of a benchmark as tables: a row for every task, a column for every respondent."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from baseline.comparison.published_scores import UNTESTED
from baseline.comparison.results import called
from baseline.comparison.totals import BenchmarkTotals, Scored, comparable, mean_over
from data.numbers import counted, interval, number
from data.tables import Table, table_of
from data.wording import enumerated

HOW = {
    "tasks": "the mean over its tasks of the mean of their official metrics",
    "lengths": "the mean over its tasks of the mean over the lengths that were run",
}


def total_tables(totals: BenchmarkTotals) -> list[Table[Any]]:
    """Return the totals, and a table of tasks and lengths for each respondent where texts have one."""
    header = ["task", "study", *(called(row.respondent) for row in totals.rows)]
    return [table_of("", header, _rows(totals)), *by_length(totals)]


def by_length(totals: BenchmarkTotals) -> Iterator[Table[Any]]:
    """Yield the scores of each respondent by task and length: the tasks, their groups, and overall."""
    if totals.family.total != "lengths":
        return
    for row in totals.rows:
        lengths = sorted({name for score in row.scores.values() for name in score.parts}, key=_tokens)
        lines: list[tuple[str, tuple[str, ...]]] = [(task, (task,)) for task in row.scores]
        lines += [(f"group {name}", members) for name, members in totals.family.groups.items()]
        table_rows: list[list[object]] = [
            [name, *(_mean(row.scores, members, part) for part in (*lengths, None))]
            for name, members in [*lines, ("overall", totals.family.tasks)]
        ]
        yield table_of(f"{called(row.respondent)}, by length", ["task", *lengths, "mean"], table_rows)


def _mean(scores: Mapping[str, Scored], members: Sequence[str], part: str | None) -> str:
    return number(mean_over(scores, members, part)[0])


def _tokens(length: str) -> tuple[int, str]:
    """Return what sorts lengths: 4k before 128k, a name that is no length last."""
    digits = length.removesuffix("k")
    return (int(digits) * (1000 if length.endswith("k") else 1) if digits.isdecimal() else 10**9), length


def _rows(benchmark: BenchmarkTotals) -> list[list[object]]:
    family = benchmark.family
    rows: list[list[object]] = [
        [task, benchmark.studies.get(task, "—"), *(_cell(row.scores.get(task)) for row in benchmark.rows)]
        for task in family.tasks
    ]
    complete = [row.over == len(family.tasks) for row in benchmark.rows]
    totals = [f"{number(row.value)} {interval(row.ci)}" for row in benchmark.rows]
    rows.append(["total", "", *(text if all_there else "—" for text, all_there in zip(totals, complete, strict=True))])
    if any(complete):
        whom = (row.holds_for if row.over == len(family.tasks) else "—" for row in benchmark.rows)
        rows.append(["its interval holds for", "", *whom])
    if not all(complete) and (shared := benchmark.shared):
        name = f"mean over {counted(shared[0].over, 'task')}"
        rows.append([name, "", *(f"{number(row.value)} {interval(row.ci)}" for row in shared)])
        rows.append(["its interval holds for", "", *(row.holds_for for row in shared)])
    return rows


def _cell(score: Scored | None) -> str:
    return "—" if score is None else f"{number(score.value)} {interval(score.ci)}"


def _whom_people_hold_for(totals: BenchmarkTotals) -> Iterator[str]:
    """Yield in which tasks the intervals of people hold for these people alone, where that is so in any."""
    over_tasks = {row.respondent for row in comparable(totals.family, totals.rows) if row.narrow_tasks}
    for row in totals.rows:
        if narrow := row.narrow_tasks:
            how = "in all tasks" if len(narrow) == len(row.scores) else f"in {enumerated(narrow)}"
            why = "; scores by length are for these people" * (totals.family.total == "lengths")
            mean = ", and so it does over tasks" * (row.respondent in over_tasks)
            yield (
                f"{called(row.respondent)}: {how} the interval holds for these people alone (`human STUDY` says why"
                f"{why}){mean}."
            )


def _over_which_tasks(totals: BenchmarkTotals) -> Iterator[str]:
    """Yield over which tasks the mean stands in the place of a total, or why there is none."""
    if all(row.over == len(totals.family.tasks) for row in totals.rows):
        return
    if shared := totals.shared:
        yield f"The mean is over what everybody here has, {enumerated(list(shared[0].scores))}: it is no total."
    else:
        yield (
            "There is no task that everybody here has, and means over different tasks say nothing beside each other: "
            "compare task by task."
        )


def total_notes(totals: BenchmarkTotals) -> list[str]:
    """Return how the total is made, what is missing and what is published of it."""
    family = totals.family
    notes = [
        f"The total of {family.title} is {HOW[family.total]}; it needs all {len(family.tasks)} tasks.",
        "95% intervals: their ends are averaged within a task. Over tasks, whose items are independent, the distances "
        "to the ends add in squares, each side alone (MOVER), so no end leaves the scale; what other people would "
        "change adds up as it is as far as the same people answered, as if each were as able in every task.",
        *_whom_people_hold_for(totals),
    ]
    if missing := [task for task in family.tasks if task not in totals.studies]:
        notes.append(f"There is no study of {', '.join(missing)}.")
    notes += _over_which_tasks(totals)
    if totals.simulated:
        notes.append(
            f"In {enumerated(totals.simulated)} judgments are simulated: programs answered, not people, and people's "
            "scores there are theirs."
        )
    if totals.printed:
        printed = ", ".join(
            f"{printed_total.respondent} {number(printed_total.value)} (table {printed_total.table})"
            for printed_total in totals.printed
        )
        notes.append(f"Published, over all {len(family.tasks)} tasks: {printed}; {family.source}. {UNTESTED}")
    return notes
