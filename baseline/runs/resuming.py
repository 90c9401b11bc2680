"""A run that was cut off goes on where it stopped: how it is found, and how one that is still under way is told."""

from collections.abc import Iterable, Mapping
from typing import Any

from baseline.models.model import Model
from baseline.models.run_fields import Fact
from baseline.runs.run_settings import FRESH, compared
from baseline.runs.run_state import SILENCE, under_way
from data.errors import BadSetting
from db.clock import now
from db.engine import Session
from db.runs import Run, answered_runs, continue_run, create_run, list_runs, tell_of_run
from db.stored_replies import totals
from db.studies import Study


def begin(
    session: Session, *, study: Study, model: Model, settings: Mapping[str, Any], also_stored: Mapping[str, Any]
) -> Run:
    """Return the run to go on with: the newest unfinished one with these settings, else a new one.

    What is `also_stored` is stored with a new run. A fresh one is always new, and stays fresh: cut off, it goes on
    without looking at replies of before. Raises BadSetting where the same run is under way just now.
    """
    runs = list_runs(session, study=study)
    earlier = None if also_stored.get(FRESH) else same_run(runs, model=model, settings=settings)
    if earlier and under_way(earlier):
        raise BadSetting(
            f"run {earlier.id} of {model.name!r} with these settings is under way just now; wait for its end, or stop "
            f"it first (one that was killed elsewhere can go on after {SILENCE.seconds} s)"
        )
    if earlier and earlier.status != "complete":
        before = earlier.settings.get(Fact.RESUMED, [])
        # One that has ended tells what ended it; one whose program is gone was cut off and tells nothing.
        why = earlier.settings.get(Fact.ENDED, "") if earlier.status == "incomplete" else "cut off"
        resumed = {
            "at": now().isoformat(),
            "after": why,
            "errors": totals(session, run=earlier).statuses.get("error", 0),
        }
        tell_of_run(session, run=earlier, facts={**model.sent, Fact.RESUMED: [*before, resumed]})
        return continue_run(session, run=earlier)
    return create_run(session, study=study, model=model.name, kind=model.kind, settings={**settings, **also_stored})


def remind(session: Session, model: Model, *, fresh: bool, samples: int) -> None:
    """Tell a model what its earlier runs have found of its server, in any study; errors have found nothing."""
    runs = [run.run.settings for run in answered_runs(session, model=model.name) if run.has_answer]
    model.remember(runs, fresh=fresh, samples=samples)


def same_run(runs: Iterable[Run], *, model: Model, settings: Mapping[str, Any]) -> Run | None:
    """Return the first run of a model with these settings, whether or not it was fresh; None where there is none."""
    return next((run for run in runs if run.model == model.name and compared(run) == settings), None)
