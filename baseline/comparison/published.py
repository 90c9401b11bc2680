"""Scoring as the authors of a benchmark do: the same answers and intervals, the metrics of their own script."""

from dataclasses import replace

from data.console import tell
from data.task import Task
from db.engine import Session
from db.studies import Study, get_study


def as_published(task: Task) -> Task:
    """Return the task with the metrics of its authors' script in place of the corrected ones.

    Where these are the official ones, that is all there is. A value that joins several groups ("Negation;Quantifiers")
    is a group of its own, as the scripts have it.
    """
    names = task.published or task.official or task.metrics
    whole = tuple(replace(each, several="") for each in task.breakdowns)
    return replace(task, metrics=names, official=names, breakdowns=whole)


def study_named(session: Session, name: str, *, published: bool = False) -> Study:
    """Return the study of this name, its task scored as published where that is asked for."""
    study = get_study(session, name=name)
    return replace(study, task=as_published(study.task)) if published else study


def told(published: bool) -> dict[str, bool]:
    """Return what `--json` adds where scores are as published; a remark on standard error says so to people."""
    if published:
        tell("Scored as the authors' own script does, traps included; the score without --as-published is corrected.")
    return {"as_published": True} if published else {}
