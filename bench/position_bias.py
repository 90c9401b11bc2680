"""A position bias of ten points: whether it is found where orders are drawn, and what it does to a ranking.

Three models write a reply to each of 40 prompts; eight people compare every pair. Each of them takes the side shown
first with a probability ten points above what the replies deserve, some more and some less. In the file the models
always stand in one order: that is what everybody sees where nothing is drawn.
"""

from functools import partial
from itertools import combinations

import numpy as np

from annotate.accounts.signer import Signer
from data.answers.pairwise import Pairwise
from data.option_order import drawn_orders
from data.task import Field, Task
from data.wording import same
from eval.arrays import Floats
from eval.intervals.jackknife import judgment_mean
from eval.ranking.pairs import Comparisons, compared
from eval.ranking.ranking import RankingRules, ranking
from eval.votes import code

STUDIES, PROMPTS, PEOPLE = 200, 40, 8
BIAS, VARIES = 0.10, 0.05
MODELS = ("first in the file", "second", "third")
TASK = Task(
    id="bench/pairs",
    title=same("Pairs"),
    fields=(Field("one", same("One"), "option"), Field("other", same("Other"), "option")),
    question=same("Which is better?"),
    instruction=same("Compare."),
    answer=Pairwise(option_fields=("one", "other")),
    metrics=("accuracy",),
)
Row = tuple[str, str, float, str, str]


def study(generator: np.random.Generator, signer: Signer, strength: Floats, *, drawn: bool) -> list[tuple[Row, str]]:
    """The judgments of one study, each with what was shown first, "0" or "1"."""
    biases = BIAS + VARIES * generator.normal(size=PEOPLE)
    judged = []
    for prompt in range(PROMPTS):
        for one, other in combinations(range(len(MODELS)), 2):
            fields = {"one": f"{prompt} {one}", "other": f"{prompt} {other}"}
            merit = 1 / (1 + np.exp(strength[other] - strength[one] + generator.normal(scale=0.5)))
            for person in range(PEOPLE):
                orders = drawn_orders(TASK, fields, partial(signer.chance, "options", person))
                first = orders[""][0] if drawn else "0"
                chance = merit + (biases[person] if first == "0" else -biases[person])
                won = float(generator.random() < chance)
                row = (MODELS[one], MODELS[other], won, f"{prompt}-{one}-{other}", f"w{person}")
                judged.append((row, first))
    return judged


def of_ranking(judged: list[tuple[Row, str]]) -> tuple[Comparisons, Floats]:
    comparisons = compared(MODELS, [row for row, _ in judged])
    found = ranking(comparisons, RankingRules(draws=200))
    return comparisons, np.array([found.points / found.games, found.ranges[:, 0] <= 1, found.log, *found.ci.T])


def main() -> None:
    """Print the table of RESULTS.md."""
    print("| models | order | took the first shown | found | win rates in the file's order | true rank in range |")
    print("|---|---|---|---|---|---|")
    for words, strength in (("equal", np.zeros(3)), ("third best", np.array([0.0, 0.1, 0.4]))):
        for drawn in (False, True):
            rows = [one(number, strength, drawn=drawn) for number in range(STUDIES)]
            share, found, held = (np.array([row[at] for row in rows]) for at in (0, 1, 3))
            wins = np.mean([row[2] for row in rows], axis=0)
            told = f"drawn | {share.mean():.1%} | {found.mean():.0%}" if drawn else "of the file | not told | –"
            print(f"| {words} | {told} | {', '.join(f'{rate:.1%}' for rate in wins)} | {held.mean():.0%} |")


def one(number: int, strength: Floats, *, drawn: bool) -> tuple[float, bool, Floats, bool]:
    """The share of the first shown, whether 50% is outside its interval, win rates, whether the best may be first."""
    generator = np.random.default_rng([number, int(drawn)])
    judged = study(generator, Signer(f"secret {number}"), strength, drawn=drawn)
    votes = code(
        {
            "item": [row[3] for row, _ in judged],
            "worker": [row[4] for row, _ in judged],
            "label": ["0" if row[2] else "1" for row, _ in judged],
        }
    )
    share = judgment_mean(votes, np.array([("0" if row[2] else "1") == first for row, first in judged]))
    _, known = of_ranking(judged)
    best = np.flatnonzero(strength == strength.max())
    return share.value, share.ci[0] > 0.5, known[0], bool(known[1][best].all())


if __name__ == "__main__":
    main()
