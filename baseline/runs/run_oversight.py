"""What people do about runs of a study: pin the one that counts, unpin it, delete one; every act is an event."""

from collections.abc import Callable
from dataclasses import replace

from baseline.models.run_fields import Fact
from baseline.runs.result_runs import language_of_run
from baseline.runs.run_state import under_way
from data.errors import BadSetting
from data.limits import LONGEST_REASON
from db.clock import now
from db.engine import Database, Session, reading, transact
from db.events import Cause
from db.runs import Run, answered_runs, delete_run, list_runs, pin_run, pins, run_numbered, totals, unpin_run
from db.studies import Study, get_study

Act = Callable[[Session, Study, Run, Cause], None]


def pin(database: Database, study: str, number: int, *, who: str, reason: str) -> Run:
    """Let this run stand for its model wherever one run does; raises BadSetting for a run without an answer."""

    def act(session: Session, of: Study, run: Run, cause: Cause) -> None:
        if not any(
            answered_run.has_answer
            for answered_run in answered_runs(session, study=of, model=run.model)
            if answered_run.run == run
        ):
            raise BadSetting(f"run {number} has no answer yet, so it cannot represent {run.model!r}; pin another")
        pinned, replaced = pins(session, study=of), replace(cause, reason=f"run {number} is pinned instead")
        for other in list_runs(session, study=of):
            same = other.model == run.model and language_of_run(other) == language_of_run(run)
            if same and other.id in pinned:
                unpin_run(session, study=of, run=other, cause=replaced)
        pin_run(session, study=of, run=run, cause=cause)

    return _done(database, study, number, who, reason, act)


def unpin(database: Database, study: str, number: int, *, who: str, reason: str) -> Run:
    """Let the rule decide again which run stands for a model; raises BadSetting for a run that is not pinned."""

    def act(session: Session, of: Study, run: Run, cause: Cause) -> None:
        if run.id not in pins(session, study=of):
            raise BadSetting(f"run {number} is not pinned")
        unpin_run(session, study=of, run=run, cause=cause)

    return _done(database, study, number, who, reason, act)


def delete(database: Database, study: str, number: int, *, who: str, reason: str) -> Run:
    """Delete the replies of a run for good; raises BadSetting for one that is under way.

    Its number, its settings and what was paid stay. Its replies are given to no other run any more: the same questions
    are asked, and paid, anew. What other runs took of them before stays with these.
    """

    def act(session: Session, of: Study, run: Run, cause: Cause) -> None:
        if under_way(run):
            raise BadSetting(f"run {number} is under way just now; stop it first")
        delete_run(session, study=of, run=run, cause=cause, currency=str(run.settings.get(Fact.CURRENCY, "")))

    return _done(database, study, number, who, reason, act)


def deletion_words(database: Database, study: str, number: int) -> str:
    """Return what a deletion takes away, to be read before it is done."""
    with reading(database) as session:
        run = run_numbered(session, study=get_study(session, name=study), number=number)
        own = totals(session, run=run)
    replies, paid = sum(own.statuses.values()), f"{own.cost:.4f} {run.settings.get(Fact.CURRENCY, '')}".strip()
    cost = f" What it cost ({paid}) stays counted." if own.cost else ""
    again = "" if run.kind == "naive" else " The same questions would be asked, and paid for, again."
    return f"{replies} replies of run {number} ({run.model}) will be deleted for good.{again}{cost}"


def _done(database: Database, study: str, number: int, who: str, reason: str, act: Act) -> Run:
    """Return the run to which something was done; raises UnknownName where there is none of this number."""
    if len(reason) > LONGEST_REASON:
        raise BadSetting(f"the reason has {len(reason)} characters, and {LONGEST_REASON} are kept at most; shorten it")

    def change(session: Session) -> Run:
        of = get_study(session, name=study)
        run = run_numbered(session, study=of, number=number)
        act(session, of, run, Cause(who, now(), reason.strip()))
        return run

    return transact(database, change)
