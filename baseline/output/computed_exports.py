"""What is computed of a study as files that may leave it, the package of them, and with what happened every file."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from baseline.comparison.item_index import gold_error_list, item_index, released_gold_errors
from baseline.comparison.pair_rankings import pair_rankings, ranking_list, rankings_or_none
from baseline.comparison.published_scores import NOTHING_PUBLISHED, figures_table, published_scores_of
from baseline.comparison.report_evidence import Evidence, evidence_of_report
from baseline.comparison.results import Results, results
from baseline.comparison.run_pairs import model_differences
from baseline.comparison.score_columns import score_table
from baseline.comparison.verdicts import standing_table, standings
from baseline.human.baseline import Collected, changed_rules, collected, deidentified_judgments
from baseline.human.soft_labels import labelled_rows, soft_label_rows
from baseline.output.dataset import dataset
from baseline.output.hb_folder import Group, hb_folder
from baseline.output.html import drawn_plain, figure_file
from baseline.output.json import json_bytes, report_dict, settings_dict
from baseline.output.latex import paper_table
from baseline.output.plots import difference_figure
from baseline.output.report_file import rendered
from baseline.output.result_tabs import BENCHMARK, DATASET, MODEL_PAIRS, PREDICTIONS, PUBLISHED, RANKING, SUBMISSION
from baseline.output.study_report import method_paragraph, study_report
from baseline.runs.result_runs import result_runs
from data.answers.answer_type import packed
from data.errors import BadSetting
from data.formats import format_named
from data.submissions import needed_leaderboard, submission
from data.submissions.leaderboard import SubmissionSheet, sheet_of
from data.table_files import Export, archived, as_table, frame_of, write_frame, write_table
from data.tables import Table
from db import exports, frames
from db.engine import Session
from db.exports import ExportRequest
from db.items import list_items
from db.runs import Run, totals_of
from db.studies import Study
from eval.ballots import Ballots
from eval.consensus.majority import majority
from eval.consensus.ties import WinningRule
from eval.panel import PanelRules, panel
from eval.votes import code_answers

HUMAN, MODEL = "human", "model:"
WHOLE = 1 - 1e-9
PLAIN = {"item": "task", "worker": "worker", "label": "label"}


def rules_of(asked: ExportRequest) -> PanelRules:
    """Return the rules of the study with those that are asked for."""
    return changed_rules(asked.study, **asked.rules)


def evidence_of(asked: ExportRequest) -> Evidence:
    """Return what the report of the study is written from."""
    return evidence_of_report(asked.session, study=asked.study, rules=rules_of(asked))


def plain_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return the main judgments that the rules keep as `task, worker, label`, the table that crowd libraries exchange.

    Those are the votes of the human baseline under the same rules.
    """
    answers = collected(asked.session, study=asked.study)
    out = panel(answers, rules_of(asked)).excluded
    counted = answers.judgments.query("status == 'counted' and role == 'main'")
    return counted.loc[~counted["worker"].isin(out), list(PLAIN)].rename(columns=PLAIN).reset_index(drop=True)


def soft_labels(asked: ExportRequest) -> pd.DataFrame:
    """Return what share of people gives each answer to an item."""
    return soft_label_rows(asked.session, study=asked.study, rules=rules_of(asked))


def prediction_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return every reply of the chosen run of each model, or of the respondent; raises BadSetting for none."""
    named = _runs_of(asked.session, asked.study, asked.respondent)
    parts = [
        frames.predictions(asked.session, run_id=run.id).assign(respondent=name, run=run.id)
        for name, run in named.items()
    ]
    return pd.concat(parts, ignore_index=True)


def _runs_of(session: Session, study: Study, respondent: str | None) -> dict[str, Run]:
    """Return the chosen run of each model that has predictions, or of the respondent; raises BadSetting for none."""
    chosen = result_runs(session, study=study)
    totals = totals_of(session, runs=[run.run for run in chosen])
    runs = {run.name: run.run for run in chosen if totals[run.run.id].statuses}
    named = {name: run for name, run in runs.items() if respondent in (None, name)}
    if not named:
        known, whose = ", ".join(runs) or "none yet; `run` makes one", respondent or "any model"
        raise BadSetting(f"study {study.name!r} has no predictions of {whose}; known are: {known}")
    return named


def right_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return for each item who was right: the share of the answer of people and of each model, empty without gold."""
    compared = results_of(asked)
    index = item_index(asked.session, compared)
    return pd.DataFrame({"item": index.items, "people": index.people, **index.models})


def dataset_of(asked: ExportRequest) -> bytes:
    """Return the study as a dataset to publish."""
    evidence = evidence_of(asked)
    return dataset(asked, evidence, method_paragraph(evidence, None, with_models=False))


def benchmark_file(asked: ExportRequest) -> bytes:
    """Return the main items with people's labels as lines of JSON, each a record as the task's benchmark has them."""
    task = asked.study.task
    collected_form = format_named(task.file_format).collected
    if collected_form is None:
        raise BadSetting(f"there is no form in which items of {task.id} are published; export `labelled` instead")
    fields = frames.fields_of_items(asked.session, study=asked.study)
    rows = labelled_rows(asked.session, study=asked.study, rules=rules_of(asked)).query("role == 'main'")
    labelled = [(fields[item], label) for item, label in zip(rows["item"], rows["label"], strict=True) if label]
    return "".join(f"{packed(record)}\n" for record in collected_form(labelled)).encode()


def figure_of(asked: ExportRequest) -> bytes:
    """Return the figure of the study as a picture of its own; raises BadSetting where nothing is compared."""
    compared = standings(results_of(asked))
    drawing = figure_file(difference_figure(compared)) if compared and compared.rows else None
    if drawing is None:
        raise BadSetting(f"study {asked.study.name!r}: nobody is compared with people yet")
    return drawing.encode()


def model_pair_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return every two models, by score and by agreement with people; raises BadSetting for fewer than two."""
    if (table := model_differences(results_of(asked))).rows:
        return frame_of(table)
    raise BadSetting(f"study {asked.study.name!r}: it takes two models that answered the same items to compare them")


def results_of(asked: ExportRequest) -> Results:
    """Return the results of the study under the rules that are asked for."""
    return results(asked.session, study=asked.study, rules=rules_of(asked))


def published_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return what is printed of the task, people of the study first; raises BadSetting where nothing is."""
    if not published_scores_of(asked.study.task):
        raise BadSetting(f"study {asked.study.name!r}: {NOTHING_PUBLISHED}")
    return frame_of(figures_table(results_of(asked)))


def report_in(ending: str) -> Callable[[ExportRequest], bytes]:
    """Return what writes the report as .html, .md or .tex."""
    return lambda asked: rendered(study_report(asked.session, evidence_of(asked)), ending).encode()


def submission_in(ending: str) -> Callable[[ExportRequest], bytes]:
    """Return what writes the submission as .zip or .tsv; raises BadSetting where its leaderboard takes the other."""

    def written(asked: ExportRequest) -> bytes:
        task = asked.study.task.id
        if (ending == "zip") != needed_leaderboard(task).form.zipped:
            raise BadSetting(f"the submission of {task} is no .{ending} file; take the other ending")
        studies = [asked.study, *asked.others]
        content, absent = submission_of(
            asked.session, studies=studies, respondent=asked.respondent, changes=asked.rules
        )
        if absent:
            more = f"{', '.join(absent)} (--also STUDY adds more)"
            asked.tell(f"not in it, and wanted for a whole submission: {more}")
        return content

    return written


def hb_of(asked: ExportRequest) -> bytes:
    """Return MERA's folder `hb/` of the study and the others beside it, each under its rules with those asked for."""
    groups = [
        Group(evidence_of_report(asked.session, study=study, rules=changed_rules(study, **asked.rules)))
        for study in (asked.study, *asked.others)
    ]
    return hb_folder(asked.session, groups)


def scores_latex(results: Results) -> str:
    """Return the table of people and models to be put into a paper; scores alone where no person has answered."""
    compared = standings(results)
    table: Table[Any] = standing_table(compared) if compared else score_table(results, "text")
    return paper_table(table, results.notes_of_runs())


def package(session: Session, evidence: Evidence) -> bytes:
    """Return the zip of everything that a reader of the report may want, but for the items' texts and gold."""
    report, judgments = study_report(session, evidence), deidentified_judgments(session, study=evidence.study)
    files = {
        "README.md": readme(evidence, judgments).encode(),
        "report.html": rendered(report, ".html").encode(),
        "report.md": rendered(report, ".md").encode(),
        "report.tex": rendered(report, ".tex").encode(),
        "scores.tex": scores_latex(evidence.results).encode(),
        "scores.csv": write_table(score_table(evidence.results, "csv"), "csv"),
        "results.json": json_bytes(report_dict(session, evidence)),
        **package_tables(session, evidence.results),
        "judgments.csv": write_frame(judgments, "csv"),
        "settings.json": json_bytes(settings_dict(evidence)),
    }
    return archived(files)


def package_tables(session: Session, results: Results) -> dict[str, bytes]:
    """Return the tables of a package that a study has, by the names of their files; none tells a gold label."""
    ranked = rankings_or_none(session, results)
    tables: dict[str, Table[Any]] = {"models-in-pairs": model_differences(results)}
    tables |= {"ranking": ranking_list(ranked)} if ranked else {}
    with suppress(BadSetting):  # no gold can be doubted
        tables["doubtful-gold"] = released_gold_errors(gold_error_list(results))
    return {f"{name}.csv": write_table(table, "csv") for name, table in tables.items() if table.rows}


def readme(evidence: Evidence, judgments: pd.DataFrame) -> str:
    """Return what stands beside the files of a package."""
    workers = judgments["worker"].nunique()
    return drawn_plain("package.md", evidence=evidence, task=evidence.study.task, judgments=judgments, workers=workers)


def submission_of(
    session: Session, *, studies: Sequence[Study], respondent: str | None, changes: Mapping[str, Any]
) -> tuple[bytes, list[str]]:
    """Return the file of what `respondent` ("human", or "model:NAME" with its chosen run) answered to these studies.

    With it come the names of the files that its leaderboard expects beside those in it.

    People answer with their consensus, under the rules stored with each study and the `changes` to them. Raises
    BadSetting where an item has no answer (nobody gave one, a reply could not be read, votes are tied and the rules do
    not decide it), and for whatever else the leaderboard would refuse.
    """
    for study in studies:
        needed_leaderboard(study.task.id)
    sheets = [_sheet(session, study, respondent, changed_rules(study, **changes)) for study in studies]
    return submission(sheets), needed_leaderboard(studies[0].task.id).absent(sheets)


def decided(ballots: Ballots) -> dict[str, str]:
    """Return the answer of each item whose whole ballot goes to one."""
    answers: dict[str, str] = {}
    for row, item in enumerate(ballots.items):
        (columns,) = np.nonzero(ballots.weights[row, :-1] >= WHOLE)
        if len(columns) == 1:
            answers[item] = ballots.named(row)[columns[0]]
    return answers


def _sheet(session: Session, study: Study, respondent: str | None, rules: PanelRules) -> SubmissionSheet:
    data = collected(session, study=study)
    if respondent == HUMAN:
        said, remedy = (
            panel(data, rules).consensus.ballots,
            "collect more answers, or settle ties with --ties random or --ties skill",
        )
    elif respondent and respondent.startswith(MODEL):
        said, remedy = _model(session, data, respondent, rules), "`run` the model again, on all items"
    else:
        raise BadSetting(f"--respondent {respondent or ''!r} has no submission; choose human or model:NAME")
    items = [entry.item for entry in list_items(session, study=study, role="main")]
    return sheet_of(study.task, items, decided(said), remedy=remedy)


def _model(session: Session, answers: Collected, respondent: str, rules: PanelRules) -> Ballots:
    """Return what a model answered; of several samples the majority, ties by lot where the rules say so."""
    run = _runs_of(session, answers.study, respondent)[respondent]
    predictions = frames.predictions(session, run_id=run.id)
    answered = predictions[predictions["status"] == "ok"].rename(columns={"sample": "worker"})
    items = sorted(answers.items["item"][answers.items["role"] == "main"])
    votes = code_answers(
        answered[["item", "worker", "label"]].astype({"worker": str}),
        items=items,
        labels=answers.labels,
        asked=answers.asked,
    )
    return majority(votes, WinningRule("random" if rules.ties == "random" else "fractional"), seed=rules.seed).ballots


_of_results = partial(Export[ExportRequest], for_viewers=True, by_rules=True)
COMPUTED: tuple[Export[ExportRequest], ...] = (
    Export(
        "plain",
        "Task, worker, label",
        "Answers to the items that the rules keep, as crowd libraries read them",
        as_table(plain_rows),
        by_rules=True,
    ),
    _of_results(
        "report",
        "Report",
        "People and models side by side. The package adds scores, judgments without names and all settings",
        {
            "html": report_in(".html"),
            "md": report_in(".md"),
            "tex": report_in(".tex"),
            "json": lambda asked: json_bytes(report_dict(asked.session, evidence_of(asked))),
            "zip": lambda asked: package(asked.session, evidence_of(asked)),
        },
        titles={"html": "HTML, opens offline", "zip": "Package"},
    ),
    Export(
        "who-was-right",
        "Who was right",
        "On each item people and every model: 1 right, 0 wrong, between for ties; empty if unknown",
        as_table(right_rows),
        by_rules=True,
    ),
    _of_results(
        "scores",
        "Scores",
        "Each respondent's scores, and its agreement with people, with intervals",
        {
            **as_table(lambda asked: frame_of(score_table(results_of(asked), "csv"))),
            "tex": lambda asked: scores_latex(results_of(asked)).encode(),
        },
        titles={"tex": "Table for a paper (booktabs)"},
    ),
    _of_results("figure", "Figure", "How far each model is from people, with the verdict", {"svg": figure_of}),
    _of_results(
        RANKING,
        "Ranking",
        "Who is better, pair by pair, by people and by models",
        as_table(lambda asked: frame_of(ranking_list(pair_rankings(asked.session, results_of(asked))))),
    ),
    _of_results(
        MODEL_PAIRS,
        "Models in pairs",
        "Differences between every two models, in scores and in agreement with people",
        as_table(model_pair_rows),
    ),
    Export(
        "released-judgments",
        "Judgments without names",
        "One row each, ready to publish",
        as_table(lambda asked: deidentified_judgments(asked.session, study=asked.study)),
        True,
    ),
    _of_results(
        "labelled",
        "Labelled items",
        "Every row of your file in its order: its columns, role, label, votes, share, source of the label",
        as_table(lambda asked: labelled_rows(asked.session, study=asked.study, rules=rules_of(asked))),
        among_files=True,
    ),
    _of_results(
        BENCHMARK,
        "As the benchmark publishes it",
        "Items with people’s labels in the form of the authors’ own files; undecided ones are left out",
        {"jsonl": benchmark_file},
    ),
    _of_results(
        DATASET,
        "Dataset",
        "To publish: all rows with labels, soft labels, a card for Hugging Face, Croissant, and votes without names",
        {"zip": dataset_of},
    ),
    Export(
        "hb",
        "Raw and aggregated answers",
        "MERA’s folder hb/: both, a notebook that aggregates them, cost, and the card’s text in English and Russian",
        {"zip": hb_of},
        by_rules=True,
    ),
    _of_results("soft-labels", "Soft labels", "What share of people gives each answer", as_table(soft_labels)),
    Export(PREDICTIONS, "Predictions", "What models replied, and what was read in it", as_table(prediction_rows), True),
    _of_results(
        PUBLISHED,
        "Published scores",
        "Scores from the task’s paper, beside the people of this study",
        as_table(published_rows),
    ),
    _of_results(
        "settings",
        "Settings",
        "All settings, to repeat the results",
        {"json": lambda asked: json_bytes(settings_dict(evidence_of(asked)))},
    ),
    _of_results(
        SUBMISSION,
        "Submission",
        "What the leaderboard of the benchmark takes of one respondent",
        {"zip": submission_in("zip"), "tsv": submission_in("tsv")},
    ),
)
EXPORTS = exports.EXPORTS | {export.key: export for export in COMPUTED}
"""Every file that may leave a study, by its key: the same ones on the pages and by the command `export`."""
FOR_VIEWERS = {key: export for key, export in EXPORTS.items() if export.for_viewers}
"""Those of them that whoever may look at results may have."""
