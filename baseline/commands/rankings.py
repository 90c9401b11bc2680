"""Commands that order: `ranking` competitors out of judged pairs, `scale` respondents and items by ability."""

from pathlib import Path
from typing import Annotated, Any

import typer

from baseline.commands.document_form import DocumentForm
from baseline.commands.rule_options import with_rules
from baseline.comparison.pair_rankings import pair_rankings
from baseline.comparison.ranking_tables import (
    ranking_dict,
    ranking_document,
    ranking_notes,
    ranking_sentences,
    ranking_tables,
)
from baseline.comparison.respondent_scale import RespondentScale, scale_of, scale_of_study
from baseline.comparison.results import results
from baseline.comparison.scale_tables import scale_dict, scale_document, scale_notes, scale_sentences, scale_tables
from baseline.human.baseline import changed_rules
from baseline.output.ranking_figures import ranking_figure, scale_figure
from baseline.output.terminal import text
from data.commands.setting_options import read_options, with_options
from data.commands.shared_options import JSON
from data.declared import Asked, setting, settings_of
from data.errors import BadFile, BadSetting, FileProblem
from data.files.rows import read_rows
from db.engine import opened, reading
from db.settings import Settings
from db.studies import get_study
from eval.item_response.scored_responses import ScoredResponses, responses_of
from eval.ranking.bradley_terry import TIES, Ties
from eval.ranking.ranking import DRAWS, RankingRules


class RankingOptions(DocumentForm):
    """How judgments become a ranking, and how it is written."""

    ties: Ties = setting(Asked("Ranking", option="--ties"), "half", f"What a tie is, one of {', '.join(TIES)}")
    draws: int = setting(Asked("Ranking", option="--draws"), DRAWS, "Samples that intervals are made of", ge=100)


@with_rules("control_min", "seed")
@with_options(settings_of(RankingOptions), both_ways=False)
def show_ranking(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """Rank what was compared in pairs: strengths and ranks with intervals, by people and by each model that judged."""
    asked, changes = read_options(RankingOptions, given)
    asked.check()
    with opened(Settings().database) as database, reading(database) as session:
        chosen = get_study(session, name=study)
        rules = changed_rules(chosen, **changes)
        ranked = pair_rankings(
            session, results(session, study=chosen, rules=rules), RankingRules(asked.ties, asked.draws, rules.seed)
        )
    asked.show(
        lambda: ranking_document(ranked, ranking_figure(ranked)),
        lambda: "\n".join([*ranking_sentences(ranked), "", text(ranking_tables(ranked), ranking_notes(ranked))]),
        ranking_dict(ranked) if as_json else None,
    )


class ScaleOptions(DocumentForm):
    """What is put on a scale, and how it is written."""

    responses: Path | None = setting(
        Asked("Scale", option="--responses"),
        None,
        "A table instead of a study: a row for each respondent, its name first, then 1, 0 or nothing",
    )
    without_forms: bool = setting(
        Asked("Scale", option="--without-forms"), False, "Leave out short forms, which refit the scale per respondent"
    )


@with_rules("control_min", "seed")
@with_options(settings_of(ScaleOptions), both_ways=False)
def show_scale(
    study: Annotated[str | None, typer.Argument(help="The study; none with --responses.")] = None,
    *,
    as_json: JSON = False,
    **given: Any,
) -> None:
    """Put people and models on one scale with the difficulty of items (item response theory)."""
    asked, changes = read_options(ScaleOptions, given)
    asked.check()
    scale = _scale(study, asked, changes)
    asked.show(
        lambda: scale_document(scale, scale_figure(scale)),
        lambda: "\n".join([*scale_sentences(scale), "", text(scale_tables(scale), scale_notes(scale))]),
        scale_dict(scale) if as_json else None,
    )


def _scale(study: str | None, asked: ScaleOptions, changes: dict[str, Any]) -> RespondentScale:
    if (study is None) == (asked.responses is None):
        raise BadSetting("name either a study or a file with --responses")
    if asked.responses:
        given = read_responses(asked.responses)
        return scale_of(
            asked.responses.stem, given, ("models",) * len(given.respondents), forms=not asked.without_forms
        )
    with opened(Settings().database) as database, reading(database) as session:
        chosen = get_study(session, name=str(study))
        scored = results(session, study=chosen, rules=changed_rules(chosen, **changes))
        return scale_of_study(scored, forms=not asked.without_forms)


def read_responses(path: Path) -> ScoredResponses:
    """Return a table of who had what right; raises BadFile with the line of a cell that is neither 1, 0 nor empty."""
    rows, problems = read_rows(path)
    if problems:
        raise BadFile(str(problems[0]))
    responses: dict[str, dict[str, float]] = {}
    for row in rows:
        (_, name), *cells = row.values.items()
        if str(name) in responses:
            raise BadFile(str(FileProblem(path.name, f"{name!r} has a row already; each respondent has one", row.line)))
        for item, cell in cells:
            if str(cell).strip() not in ("0", "1", "", "None"):
                wrong = f"{cell!r} is neither 1 (right), 0 (wrong) nor empty (not asked)"
                raise BadFile(str(FileProblem(path.name, wrong, row.line, item)))
        responses[str(name)] = {item: float(cell) for item, cell in cells if str(cell).strip() in ("0", "1")}
    return responses_of(responses)
