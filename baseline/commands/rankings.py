"""The command `ranking`: competitors in order, out of judged pairs."""

from dataclasses import replace
from typing import Any

from baseline.commands.document_form import DocumentForm
from baseline.commands.rule_options import with_rules
from baseline.comparison.document import study_document
from baseline.comparison.pair_rankings import pair_rankings, ranking_dict, ranking_section
from baseline.comparison.results import results
from baseline.human.baseline import changed_rules
from baseline.output.plots import ranking_figure
from baseline.output.report_file import section_text
from data.commands.setting_options import read_options, with_options
from data.commands.shared_options import JSON
from data.declared import Asked, setting, settings_of
from db.engine import opened, reading
from db.settings import Settings
from db.studies import get_study
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
    section = ranking_section(ranked)
    asked.show(
        lambda: study_document("Ranking of", chosen, replace(section, figure=ranking_figure(ranked))),
        lambda: section_text(section),
        ranking_dict(ranked) if as_json else None,
    )
