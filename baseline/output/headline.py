"""The first lines of a study's results: what people score, the verdict on each model, what could change it."""

from collections.abc import Iterator

from markupsafe import Markup

from baseline.comparison.document import Section
from baseline.comparison.pair_rankings import PairRankings, competitors, ranks_words
from baseline.comparison.results import Results
from baseline.comparison.verdicts import Scale, Standings, verdict_words
from baseline.human.baseline import HumanBaseline, chance_note, consensus_words
from baseline.runs.result_runs import knew_items, public_gold
from data.answers.write import Write
from data.numbers import counted
from data.wording import enumerated
from db.items import Coverage
from db.studies import Study
from eval.comparison.difference import AS_GOOD, BETTER, UNCLEAR, WORSE
from eval.estimate import Estimate
from eval.intervals.jackknife import LEAST_PEOPLE

NAMED = 4
"""Models of one verdict that are named; the figure names all."""
NOT_SCORED = "People’s score is not known: they answered no item with a right answer."
SAYS = {
    BETTER: ("is better", "are better"),
    AS_GOOD: ("is as good", "are as good"),
    UNCLEAR: ("shows no clear difference", "show no clear difference"),
    WORSE: ("is worse", "are worse"),
}


def headline(
    results: Results, standings: Standings | None, coverage: Coverage, rankings: PairRankings | None = None
) -> Section:
    """Return the first lines of a study: the verdict, what it rests on, a note on each thing that could change it."""
    if not results.study.task.answer.has_right:
        verdict = Markup(_written(results))
    elif rankings:
        verdict = _first(rankings)
    elif standings:
        verdict = _verdict(standings, any(row.kind == "model" for row in results.models))
    else:
        verdict = Markup(NOT_SCORED if len(results.panel.votes) else "Nobody has answered yet.")
    warnings = tuple(_warnings(results, coverage))
    return Section(lead=verdict, lines=(grounds(results.human),), notes=warnings)


def _verdict(standings: Standings, asked: bool) -> Markup:
    whose = "One person" if standings.reference == "one person" else "People"
    said = Markup('<b class="people">{}: {}{}</b>{}.').format(whose, *score_words(standings.scale, standings.people))
    sentences = [_of_models(verdict, models) for verdict, models in verdict_words(standings)]
    if not asked:
        sentences = [Markup("No model has answered yet.")]
    return Markup(" ").join([said, *sentences])


def score_words(scale: Scale, score: Estimate) -> tuple[str, str, str]:
    """Return a score with its sign and its interval in brackets."""
    between = scale.between(score.ci)
    return scale.score(score.value), scale.sign, f" ({between})" if between else ""


def _of_models(verdict: str, models: list[str]) -> Markup:
    shown = models if len(models) <= NAMED + 1 else models[:NAMED]
    names = [Markup('<b class="models">{}</b>').format(name) for name in shown]
    if more := len(models) - len(shown):
        names.append(Markup("{} others").format(more))
    return Markup("{} {}.").format(Markup(enumerated(names)), SAYS[verdict][len(models) > 1])


def _first(rankings: PairRankings) -> Markup:
    """Return who comes first by people's judgments by each criterion, and between which ranks."""
    sentence = Markup('<b class="models">{}</b> comes first by {} (rank {} of {}).')
    firsts = [(judged, competitors(judged.ranking)[0]) for judged in rankings.leading]
    return Markup(" ").join(
        sentence.format(best.ranking.names[best.at], judged.who, ranks_words(best.ranks), len(rankings.names))
        for judged, best in firsts
    )


def _written(results: Results) -> str:
    answer, texts = results.study.task.answer, len(results.panel.votes)
    entries = answer.entries if isinstance(answer, Write) else 1
    return f"{counted(texts, 'answer')} written, {counted(texts * entries, 'entry', 'entries')} to judge."


def grounds(human: HumanBaseline) -> str:
    """Return how people's one answer came to be, over how many items and people."""
    panel = human.panel
    kept, excluded = len(panel.workers) - len(panel.excluded), len(panel.excluded)
    people = f"{counted(kept, 'person', 'people')} took part"
    people += f", {excluded} excluded" if excluded else ""
    if not panel.workers:
        return f"{counted(len(panel.votes.items), 'item')}."
    items = counted(panel.counts()["items"]["answered"], "item")
    if not panel.gold:
        return f"{items}; {people}."
    return f"{consensus_words(human).capitalize()} on {items}; {people}."


def people_warnings(human: HumanBaseline, study: Study, coverage: Coverage) -> Iterator[str]:
    """Yield what could change what people score, a line each."""
    if human.simulated:
        yield "The judgments are simulated: programs answered, not people."
    if study.status == "open" and 0 < coverage.filled < coverage.target:
        yield f"{coverage.filled} of {coverage.target} judgments are in: these numbers will change."
    if human.void:
        yield "People’s score is void by its own rules: too few items have enough agreement."
    people = len(human.panel.workers) - len(human.panel.excluded)
    if 0 < people < LEAST_PEOPLE:
        yield f"Only {counted(people, 'person', 'people')} answered: intervals hold for them, not for other people."


def score_notes(human: HumanBaseline, study: Study) -> Iterator[str]:
    """Yield what changes how the scores are read: people at chance level, items without a right answer."""
    items, gold = len(human.panel.votes.items), len(human.panel.gold)
    if len(human.panel.votes) and study.task.answer.has_right and (note := chance_note(human, study)):
        yield note
    if gold and items - gold > human.aside:
        yield f"{items - gold} of {items} items have no right answer and are not scored."


def _warnings(results: Results, coverage: Coverage) -> Iterator[str]:
    """Yield what could change the verdict, a line each."""
    study = results.study
    yield from people_warnings(results.human, study, coverage)
    if incomplete := [row.called for row in results.models if row.run and row.run.status != "complete"]:
        yield f"Incomplete: {enumerated(incomplete)}. Scores cover the items answered so far."
    if knew := [row.called for row in results.models if row.run and knew_items(row.run)]:
        yield f"{enumerated(knew)} had seen items of this study, so no verdict is given."
    if any(row.kind == "model" for row in results.models) and public_gold(study):
        yield "The answers to these items are public: models may have seen them."
