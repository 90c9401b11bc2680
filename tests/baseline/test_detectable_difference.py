"""What is said of how well a study shows how people differ, beside the smallest difference for other people too."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from baseline.comparison.detectable_difference import OVER_PEOPLE

DOCUMENTED = Path(__file__).parents[2] / "docs" / "statistics.md"


def test_the_power_is_that_of_the_worlds_in_the_documentation() -> None:
    after = DOCUMENTED.read_text("utf8").split('`--only "smallest over people"`')[1]
    block = after[after.index("\n|") + 1 :].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()[2:]]
    worlds = [row[0].split() for row in rows]
    people, items = ([int(each[at]) for each in worlds] for at in (0, worlds[0].index("items") - 1))
    power = [float(row[-1].split()[0]) for row in rows]
    assert OVER_PEOPLE.metrics == {row[1] for row in rows}
    assert ((min(people), max(people)), (min(items), max(items))) == (OVER_PEOPLE.people, OVER_PEOPLE.items)
    assert (round(min(power)), round(max(power))) == OVER_PEOPLE.power


@pytest.mark.parametrize(
    ("people", "wrong", "words"),
    [
        (5, 0, "Without any one of the 5 people their score is the same: nothing here shows how people differ. The"),
        (
            5,
            12,
            "5 people show only roughly how people differ. In simulated studies of 5 to 20 people and 40 to 300 it",
        ),
        (21, 12, "21 people show only roughly how people differ. The tables have"),
    ],
)
def test_power_is_quoted_for_studies_like_those_simulated(
    command: Callable[..., Result], tmp_path: Path, people: int, wrong: int, words: str
) -> None:
    log, report = tmp_path / "log.csv", tmp_path / "report.md"
    rows = [
        (f"q{n}", f"w{who}", gold if n >= wrong or who >= people // 2 + n % 3 else other, gold)
        for n in range(60)
        for gold, other in [("no", "yes") if n % 4 else ("yes", "no")]
        for who in range(people)
    ]
    log.write_text("item_id,worker,label,gold\n" + "".join(",".join(row) + "\n" for row in rows), "utf8")
    assert command("import-log", "study", log, "--gold-column", "gold").exit_code == 0
    assert command("export", "study", "--what", "report", "--to", report).exit_code == 0
    assert words in report.read_text("utf8")
