"""Published figures beside ours, each with how it is had; ends with 1 where one of them is not reproduced.

    python bench/published.py [--only judges]

It reads the folder of real data (`ETALON_SHARED`, else `../shared` beside this checkout). A new figure is one row.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from bench.coverage_judges import coverage, pandalm  # noqa: E402
from data.console import print_text, tell  # noqa: E402
from data.numbers import DASH, number  # noqa: E402
from data.tables import Column, Table, text_table  # noqa: E402
from eval.ballots import Ballots, answers  # noqa: E402
from eval.comparison.alt_test import alternative_annotator  # noqa: E402
from eval.consensus.majority import majority  # noqa: E402
from eval.judges.agreement import AgreementWithPeople, with_people  # noqa: E402
from eval.ranking.bradley_terry import bradley_terry  # noqa: E402
from eval.ranking.bradley_terry import tables as pair_tables  # noqa: E402
from eval.ranking.ranking import RankingRules, average_win_rates, ranking  # noqa: E402
from eval.ranking.two_rankings import two_rankings  # noqa: E402
from eval.votes import code  # noqa: E402
from tests.helpers.llmfao import golden, llmfao  # noqa: E402
from tests.helpers.pandalm import PEOPLE, judge, votes  # noqa: E402


@dataclass(frozen=True)
class PublishedFigure:
    """One figure: what it is, what is published, ours out of the folder of data, and how it is had.

    Ours may differ from what is published by `within`. None is published of what is printed to be known.
    """

    part: str
    name: str
    published: float | None
    ours: Callable[[Path], float]
    how: str
    within: float = 5e-4

    def reproduced(self, found: float) -> bool | None:
        """Whether ours is what it should be, None where nothing is published."""
        if self.published is None:
            return None
        return abs(found - self.published) <= self.within + 1e-9


@cache
def one_person(shared: Path, name: str) -> Ballots:
    """Return what one of PandaLM's people answered."""
    found = votes(shared)
    mine = np.flatnonzero(found.worker == found.workers.index(name)).tolist()
    given = {found.items[found.item[place]]: found.labels[found.label[place]] for place in mine}
    return answers(given, items=found.items, labels=found.labels)


def kappa(one: int, other: int) -> Callable[[Path], float]:
    """Return what computes Cohen's kappa of two of PandaLM's people."""
    return lambda shared: with_people(one_person(shared, PEOPLE[one]), one_person(shared, PEOPLE[other])).kappa.value


@cache
def of_gpt(shared: Path) -> AgreementWithPeople:
    """Return how far GPT-3.5 agrees with the majority of PandaLM's people."""
    return with_people(majority(votes(shared)).ballots, judge(shared))


def covered(label: str) -> Callable[[Path], float]:
    """Return what computes how often the corrected share of a label holds the truth."""
    return lambda shared: coverage(pandalm(label, shared), items=100, draws=1000).corrected


@cache
def strengths(shared: Path, algorithm: str) -> float:
    """Return the largest difference of LLMFAO's scores of 59 models, up to a factor, from evalica's."""
    crowd = llmfao(shared, "crowd-comparisons.csv")
    published = golden(shared, algorithm, crowd.names)
    if algorithm == "bradley_terry":
        ours = np.exp(bradley_terry(pair_tables(crowd)).log[:, 0])
    else:
        ours = average_win_rates(crowd) if algorithm == "average_win_rate" else crowd.points()
    factor = ours / published
    return float(np.abs(factor / factor.mean() - 1).max())


def gpt_4_beside_people(shared: Path) -> float:
    """Return Spearman's correlation of people's ranking of LLMFAO with GPT-4's."""
    few = RankingRules(draws=100)
    one, other = (ranking(llmfao(shared, f"{name}crowd-comparisons.csv"), few) for name in ("", "gpt4-"))
    both = two_rankings(one, other)
    return both.spearman if both else float("nan")


@cache
def alternative(shared: Path, part: str) -> float:
    """Return by how much the alternative-annotator test of 24 models is off from what its authors print, at most."""
    expected = json.loads((shared / "alttest" / "expected.json").read_text("utf8"))
    off: list[float] = []
    for name, printed in expected.items():
        people, models = (
            json.loads((shared / "alttest" / name / f"{whose}_annotations.json").read_text("utf8"))
            for whose in ("human", "llm")
        )
        rows = [(item, who, str(label)) for who, given in people.items() for item, label in given.items()]
        labels = tuple(sorted({label for _, _, label in rows}))
        judged = code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)), labels=labels)
        scale = tuple(map(float, labels)) if printed["scoring"] == "neg_rmse" else None
        for model, pair in printed["models"].items():
            said = {item: str(label) for item, label in models[model].items()}
            test = alternative_annotator(judged, said, epsilon=printed["epsilon"], scale=scale)
            ours = {"winning rate": test.winning_rate or 0.0, "advantage": test.advantage}
            off.append(abs(round(ours[part], 2) - pair[part == "advantage"]))
    return max(off)


PUBLISHED = (
    *(
        PublishedFigure(
            "people",
            f"Alternative-annotator test, 24 models: largest distance from the printed {part}",
            0.0,
            partial(alternative, part=part),
            "results --epsilon",
        )
        for part in ("winning rate", "advantage")
    ),
    PublishedFigure("judges", "PandaLM, kappa of persons 1 and 2", 0.852, kappa(0, 1), "judge: respondents in pairs"),
    PublishedFigure("judges", "PandaLM, kappa of persons 1 and 3", 0.879, kappa(0, 2), "the same"),
    PublishedFigure("judges", "PandaLM, kappa of persons 2 and 3", 0.862, kappa(1, 2), "the same"),
    PublishedFigure(
        "judges", "GPT-3.5, share of the majority's answers", 0.698, lambda shared: of_gpt(shared).equal.value, "judge"
    ),
    PublishedFigure(
        "judges", "GPT-3.5, kappa with the majority", 0.476, lambda shared: of_gpt(shared).kappa.value, "judge"
    ),
    *(
        PublishedFigure(
            "judges",
            f"PandaLM, coverage of the corrected share of {label}",
            0.95,
            covered(label),
            "bench/coverage_judges.py: 1,000 draws of 100 items",
            within=0.02,
        )
        for label in ("1", "2", "tie")
    ),
    *(
        PublishedFigure(
            "ranking",
            f"LLMFAO, 59 models: largest relative difference of {words} from evalica's",
            0.0,
            partial(strengths, algorithm=algorithm),
            "ranking",
            within=1e-7,
        )
        for algorithm, words in (
            ("bradley_terry", "strengths"),
            ("average_win_rate", "average win rates"),
            ("counting", "wins"),
        )
    ),
    PublishedFigure(
        "ranking", "LLMFAO, Spearman of GPT-4's ranking with people's", None, gpt_4_beside_people, "ranking"
    ),
)
"""Every figure, in the order in which they are printed."""
Row = tuple[PublishedFigure, float]
VERDICTS = {True: "yes", False: "NO", None: DASH}
COLUMNS: tuple[Column[Row], ...] = (
    Column("name", "figure", "", lambda row: row[0].name),
    Column("published", "published", "", lambda row: row[0].published, number),
    Column("ours", "ours", "", lambda row: row[1], number),
    Column("reproduced", "reproduced", "", lambda row: row[0].reproduced(row[1]), VERDICTS.__getitem__),
    Column("how", "how", "", lambda row: row[0].how),
)


def rows(parts: Sequence[str], data: Path) -> list[Row]:
    """Return the figures of these parts, all for none, with ours."""
    return [(one, float(one.ours(data))) for one in PUBLISHED if not parts or one.part in parts]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--only", nargs="*", default=[], choices=sorted({one.part for one in PUBLISHED}))
    asked = parser.parse_args()
    data = Path(os.environ.get("ETALON_SHARED", ROOT.parent / "shared")) / "data"
    if not data.is_dir():
        tell(f"the folder of real data is not there: set ETALON_SHARED (looked in {data})")
        return 2
    found = rows(asked.only, data)
    print_text(text_table(Table("", COLUMNS, found)))
    return int(any(one.reproduced(ours) is False for one, ours in found))


if __name__ == "__main__":
    sys.exit(main())
