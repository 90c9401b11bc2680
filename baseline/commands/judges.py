"""Commands about whom to believe: `judge` sets models beside people as judges, `gold-errors` doubts the gold."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from baseline.commands.document_form import DocumentForm
from baseline.commands.rule_options import with_rules
from baseline.comparison.document import study_document
from baseline.comparison.item_index import gold_error_dict, gold_error_list, gold_error_section
from baseline.comparison.judging import JudgeQuestion, judge_dict, judge_section, judging
from baseline.comparison.results import results
from baseline.human.baseline import changed_rules
from baseline.output.report_file import markdown, section_text, text
from data.commands.setting_options import read_options, with_options
from data.commands.shared_options import JSON
from data.console import print_json, print_text
from data.declared import Asked, setting, settings_of
from data.errors import BadSetting, UnknownName
from db import frames
from db.engine import Session, opened, reading
from db.settings import Settings
from db.studies import Study, get_study


class JudgeOptions(DocumentForm):
    """Which judges are looked at, by which number, and how it is written."""

    model: tuple[str, ...] = setting(
        Asked("Judges", option="--model", typed=list[str]), (), "One judge; else all models"
    )
    points: tuple[str, ...] = setting(
        Asked("Judges", option="--points", typed=list[str]),
        (),
        "LABEL=NUMBER: what an answer is worth; else the share of each label",
    )
    by: str | None = setting(Asked("Judges", option="--by"), None, "The field of items to group by: the system judged")
    sample: int | None = setting(
        Asked("Judges", option="--sample"), None, "Use people's answers to only this many random items"
    )


@with_rules("control_min", "min_votes", "ties", "consensus", "seed")
@with_options(settings_of(JudgeOptions), both_ways=False)
def judge(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """Set models beside people as judges: agreement, and the scores people would give, corrected by their answers."""
    asked, changes = read_options(JudgeOptions, given)
    asked.check()
    with opened(Settings().database) as database, reading(database) as session:
        chosen = get_study(session, name=study)
        rules = changed_rules(chosen, **changes)
        groups = groups_by(session, chosen, asked.by) if asked.by else {}
        question = JudgeQuestion(asked.model, points_of(asked.points), groups, asked.sample, rules.seed)
        judged = judging(results(session, study=chosen, rules=rules), question)
    section = judge_section(judged)
    asked.show(
        lambda: study_document("Judges of", chosen, section),
        lambda: section_text(section),
        judge_dict(judged) if as_json else None,
    )


class GoldErrorOptions(BaseModel):
    """How much of the list is printed, and in which form."""

    top: int = setting(
        Asked("Form", option="--top"), 20, "Items that are printed, of those above 5%; --json has all", ge=1
    )
    markdown: bool = setting(Asked("Form", option="--markdown"), False, "Print Markdown")


@with_rules("control_min", "seed")
@with_options(settings_of(GoldErrorOptions), both_ways=False)
def gold_errors(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """List the items whose gold people and models contradict, the most probably wrong first."""
    asked, changes = read_options(GoldErrorOptions, given)
    with opened(Settings().database) as database, reading(database) as session:
        chosen = get_study(session, name=study)
        doubted = gold_error_list(results(session, study=chosen, rules=changed_rules(chosen, **changes)))
    if as_json:
        print_json(gold_error_dict(doubted))
    else:
        write, section = markdown if asked.markdown else text, gold_error_section(doubted, asked.top)
        print_text(write(section.tables, section.notes))


def points_of(options: tuple[str, ...]) -> dict[str, float]:
    """Return what `--points LABEL=NUMBER` options say; raises BadSetting."""
    points: dict[str, float] = {}
    for option in options:
        label, equals, value = option.rpartition("=")
        try:
            points[label] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise BadSetting(f"--points {option!r}: write a label, '=' and what it is worth: tie=0.5")
    return points


def groups_by(session: Session, study: Study, field: str) -> Mapping[str, str]:
    """Return the value of a field for each main item that has one; raises UnknownName."""
    names = [each.name for each in study.task.fields]
    if field not in names:
        raise UnknownName("the field", field, names)
    items = frames.items(session, study=study, fields=True)
    main = items[items["role"] == "main"]
    given = ((item, fields.get(field, "")) for item, fields in zip(main["item"], main["fields"], strict=True))
    return {item: value for item, value in given if value}
