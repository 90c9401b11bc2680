"""Key figures: the heading of a study's results and the four facts under it."""

from collections.abc import Sequence
from dataclasses import dataclass

from baseline.comparison.adjusted_p import adjusted_p
from baseline.comparison.pair_rankings import PEOPLE, PairRankings
from baseline.comparison.peer_agreement import PeerAgreement, PeerRow
from baseline.comparison.peer_tables import FIGURES, unit_of
from baseline.comparison.ranking_columns import ranks_words
from baseline.comparison.ranking_tables import competitors, may_be_first
from baseline.comparison.results import Respondent, Results, judging
from baseline.human.baseline import HumanBaseline, consensus_words
from baseline.human.rules_and_agreement import distance_words
from baseline.output.page_numbers import adjusted_words, estimate_title
from baseline.output.score_table import CLASSES
from baseline.runs.result_runs import fullest, knew_items
from data.answers.write import Write
from data.numbers import counted, interval, number, points
from data.wording import in_sentence
from db.items import Coverage
from eval.agreement.beside_people import EQUAL
from eval.agreement.coefficients import Agreement
from eval.metrics.table import metric_named


@dataclass(frozen=True)
class KeyFigure:
    """One of the four: what it is, its number, what stands beside it, whose it is; `look` names the items behind it."""

    name: str
    value: str
    beside: str
    kind: str = ""
    whose: str = ""
    title: str = ""
    look: str = ""
    simulated: bool = False


def heading(results: Results, *, judged: bool, models: bool) -> str:
    """Return who answered what."""
    name = results.study.task.title.for_requesters
    items = counted(len(results.human.panel.votes.items), "item")
    programs = "judges" if judging(results.study.task) else "models"
    if judged and models:
        return f"{name}: people and {programs} on the same {items}"
    who = "people on " if judged else f"{programs} on " if models else ""
    return f"{name}: {who}{items}"


def about(results: Results) -> list[str]:
    """Return what belongs to the heading in small."""
    panel, study = results.human.panel, results.study
    kept = len(panel.workers) - len(panel.excluded)
    people = f"{kept} of {len(panel.workers)} workers kept" if panel.excluded else f"{kept} workers"
    metric = [in_sentence(metric_named(study.task.primary).title)] if panel.gold else []
    return [study.name, study.task.id, *metric, people]


def partial(results: Results, coverage: Coverage) -> str:
    """Return the sentence about a collection that goes on, empty for one that is over, complete or not begun."""
    if results.study.status != "open" or not 0 < coverage.filled < coverage.target:
        return ""
    missing = coverage.target - coverage.filled
    return (
        f"The study is open: {coverage.filled} of {coverage.target} judgments are in, {missing} are missing. "
        "These numbers will change."
    )


def _no_interval(agreed: Agreement) -> str:
    """Return why alpha has no interval: nobody was asked what another was, or there is nothing to resample."""
    return "needs two answers to an item" if agreed.alpha is None or agreed.alpha != agreed.alpha else "no interval"


def key_figures(results: Results, split: int, rankings: PairRankings | None = None) -> list[KeyFigure]:
    """Return the four facts, by the names of their template; of a study of pairs the first is who comes first."""
    human, agreed = results.human, results.human.panel.agreement
    counts = human.panel.counts()["items"]
    figures = [
        _people(results),
        _best_model(results),
        KeyFigure(
            name="Agreement, alpha",
            value=number(agreed.alpha),
            beside=interval(agreed.alpha_ci).replace("—", _no_interval(agreed)),
            title=f"Krippendorff's alpha, {distance_words(agreed)}: 1 is perfect, 0 is what chance gives; "
            f"95% bootstrap over {agreed.unit}s",
        ),
        KeyFigure(
            name="Items people split on",
            value=str(split),
            beside=f"of {counts['answered']}",
            look="split" if split else "",
        ),
    ]
    return [_first(rankings), *figures[:-1]] if rankings else figures


def _first(rankings: PairRankings) -> KeyFigure:
    """Return who comes first by people's judgments, between which ranks, and how many others may."""
    best, ranked = competitors(rankings.first)[0], rankings.judged[0]
    whose = f"{rankings.first.judges} people" if ranked.kind == PEOPLE else ranked.words
    level = may_be_first(rankings.first)
    others = f"{level} more may be first" if level else "nobody else may be"
    return KeyFigure(
        name=f"Who comes first, by {whose}",
        value=rankings.names[best.at],
        beside=f"rank {ranks_words(best.ranks)} of {len(rankings.names)}; {others}",
        kind=CLASSES.get(ranked.kind, ranked.kind),
        title="The first of people's ranking; its ranks in 95% of samples of the judgments",
    )


def writing_figures(results: Results) -> list[KeyFigure]:
    """Return the four facts of a study in which people write."""
    panel, answer = results.human.panel, results.study.task.answer
    counts, texts = panel.counts()["items"], len(panel.votes)
    entries = answer.entries if isinstance(answer, Write) else 1
    kept = len(panel.workers) - len(panel.excluded)
    return [
        KeyFigure(
            name="Answers written",
            value=str(texts),
            beside=f"about {counts['answered']} of {counts['total']} items",
            kind="people",
            simulated=results.human.simulated > 0,
        ),
        KeyFigure(name="Entries to be judged", value=str(texts * entries), beside=f"{entries} in each answer"),
        KeyFigure(name="Writers", value=str(kept), beside="programs" if results.human.simulated else "people"),
        KeyFigure(
            name="Likeness of answers",
            value=number(panel.agreement.similarity),
            beside="0 is nothing in common",
            title="ROUGE-L of every two answers to an item, on average, 0 to 1",
        ),
    ]


def _people(results: Results) -> KeyFigure:
    """Return what people scored; without gold, how far they agree with their peers."""
    human, peers = results.human, results.peers
    if not human.panel.gold and peers and peers.main != EQUAL:
        return _one_person(peers, human)
    against_gold = human.majority.get(human.task.primary)
    estimate = against_gold or human.leave_one_out["accuracy"]
    metric = metric_named(human.task.primary if against_gold else "accuracy")
    return KeyFigure(
        name=f"People, {consensus_words(human)}" if against_gold else "People, against their peers",
        value=number(estimate.value),
        beside=f"{interval(estimate.ci)}{'' if against_gold else _of_how_many(human)}"
        if estimate.n
        else "no judgments yet",
        kind="people",
        simulated=human.simulated > 0,
        title=estimate_title(metric, estimate),
    )


def _of_how_many(human: HumanBaseline) -> str:
    """Return how many people stand behind a figure of single persons."""
    people = len(human.panel.workers) - len(human.panel.excluded)
    return f", {people} {'person' if people == 1 else 'people'}"


def _one_person(peers: PeerAgreement, human: HumanBaseline) -> KeyFigure:
    """Return how near one person is to the others on a scale, or how like them."""
    figure = peers.average.figures[peers.main]
    return KeyFigure(
        name=f"People, {FIGURES[peers.main][0]}",
        value=number(figure.value),
        beside=f"{interval(figure.ci)}{_of_how_many(human)}",
        kind="people",
        simulated=human.simulated > 0,
        title=FIGURES[peers.main][1],
    )


def _best_model(results: Results) -> KeyFigure:
    """Return the best model; the best naive baseline, named so, where no other has answered.

    A run whose model knew items of the study shows what it remembers, and is neither.
    """
    primary, peers = results.study.task.primary, results.peers
    unaware = [row for row in results.models if not (row.run and knew_items(row.run))]
    names = {row.name for row in unaware}
    beside_people = [row for row in peers.models if row.figures[peers.main].n and row.name in names] if peers else []
    if not results.human.panel.gold and peers and beside_people:
        return _nearest_to_people(peers, beside_people)
    scored = [row for row in unaware if primary in row.scores and row.scores[primary].n]
    models = _comparable([row for row in scored if row.kind == "model"], len(results.human.panel.votes.items))
    best = next(iter(models or scored), None)
    if best is None:
        none = "every run knew items of the study" if results.models and not unaware else "no model has answered yet"
        waiting = next((row.waiting for row in results.models if row.waiting), none)
        reason = waiting if results.human.panel.gold else "no score against gold"
        return KeyFigure(name="Best model", value="—", beside=reason)
    apart, score = best.vs_human, best.scores[primary]
    beside = interval(score.ci) if apart is None else f"{points(apart.value)} points, {_adjusted(results, best)}"
    return KeyFigure(
        name="Best model" if best.kind == "model" else "Best naive baseline",
        value=number(score.value),
        beside=beside,
        whose=best.called,
        kind=CLASSES[best.kind],
        title=estimate_title(metric_named(primary), score),
    )


def _adjusted(results: Results, model: Respondent) -> str:
    return adjusted_words(adjusted_p(results.models)[model.name])


def _nearest_to_people(peers: PeerAgreement, models: Sequence[PeerRow]) -> KeyFigure:
    """Return the model that agrees with people most, as they are the standard where there is no gold."""
    best = next((row for row in models if row.kind == "model"), models[0])
    figure = best.figures[peers.main]
    apart = ""
    if best.apart:
        far = f"{points(best.apart.value)} {unit_of(peers.measure)}"
        apart = f"{far} from one person, {adjusted_words(best.p_holm)}"
    return KeyFigure(
        name="Nearest to people"
        + (", naive" if best.kind == "naive" else "")
        + (f", by {FIGURES[peers.main][0]}" if peers.main != EQUAL else ""),
        value=number(figure.value),
        beside=apart or interval(figure.ci),
        whose=best.words,
        kind=CLASSES[best.kind],
        title=f"{FIGURES[peers.main][0]}: {number(figure.value)}, 95% interval {interval(figure.ci)}",
    )


def _comparable(rows: list[Respondent], items: int) -> list[Respondent]:
    """Return the rows of complete runs over the most items, all rows where no run is complete."""
    fullest_runs = {run.id for run in fullest([r.run for r in rows if r.run and r.run.status == "complete"], items)}
    return [row for row in rows if row.run and row.run.id in fullest_runs] or rows
