"""Runs as the page of models knows them: under way in this server, each in a thread of its own, stored, or planned."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any, Literal

from baseline.comparison.run_pairs import spread
from baseline.comparison.verdicts import RunScore
from baseline.models.reply import Price
from baseline.runs.dispatcher import Listener, RunProgress
from baseline.runs.planned_runs import PlannedRun
from baseline.runs.run_history import RunHistory
from baseline.runs.run_state import imported_from, state_of
from baseline.runs.runner import RunEstimate, RunSummary, run
from data.errors import BadSetting, EtalonError, look_up
from db.engine import Database, reading
from db.studies import Study

Work = Callable[[Listener], str]
State = Literal["running", "pausing", "paused", "stopping", "ended"]
AT_ONCE = 3
REMEMBERED = 20  # jobs that have ended and are still told of
BROKEN = "the run ended with an error of the program, which the server's log tells; what had arrived is kept"
DONE = "done"
PAUSED = "paused: what was answered is kept, and the key is kept in memory until it goes on or is stopped"


@dataclass
class Job:
    """What somebody has begun: one run, or one for each of several prompts, one after the other.

    The model of what is `planned` holds the key while the job may go on, and is let go with it: nothing else of the
    program keeps one. `runs` is how many were planned, `price` theirs. `message` says how the job ended, `failed`
    whether that is bad news. `work` is done instead of asking, where nothing is sent.
    """

    number: int
    study: Study
    name: str
    planned: Sequence[PlannedRun]
    who: str
    runs: int
    price: Price | None
    state: State = "running"
    progress: RunProgress | None = None
    message: str = ""
    failed: bool = False
    summaries: list[RunSummary] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    work: Work | None = None

    @property
    def place(self) -> int:
        """Which of the runs is being made, or was the last one, from 0."""
        return min(len(self.summaries), self.runs - 1)

    @property
    def current(self) -> PlannedRun:
        """The run that is being made; only of a job that is live."""
        return self.planned[self.place]

    @property
    def live(self) -> bool:
        """Whether the job may still ask something."""
        return self.state != "ended"


class Running:
    """The jobs of a server, one object for all who look: at most `at_once` of them ask at the same time.

    A job that is paused asks nothing and goes on where it was. A server that ends takes its jobs with it: their runs
    stay in the database, and going on with one is asking for it anew.
    """

    def __init__(self, database: Database, *, at_once: int = AT_ONCE) -> None:
        self._database, self._at_once = database, at_once
        self._numbers, self._lock = count(1), threading.Lock()
        self._jobs: dict[int, Job] = {}

    def jobs(self, study: str | None = None) -> list[Job]:
        """Return the jobs of a study, or of all, the newest first; those that ended a while ago are forgotten."""
        with self._lock:
            jobs = list(self._jobs.values())
        return [job for job in reversed(jobs) if study in (None, job.study.name)]

    def begin(self, planned: Sequence[PlannedRun], *, who: str, work: Work | None = None) -> Job:
        """Begin to ask; raises BadSetting where too many jobs are asking, or this very one is there already."""
        study, name = planned[0].study, planned[0].model.name
        with self._lock:
            self._refuse_too_many()
            for job in self._jobs.values():
                same = job.live and job.study.id == study.id and job.name == name
                if same and any(
                    planned_run.identity == other.identity for planned_run in planned for other in job.planned
                ):
                    raise BadSetting(
                        f"{name} is asked this already (begun by {job.who}, {job.state}); wait for it or stop it"
                    )
            made = Job(next(self._numbers), study, name, planned, who, len(planned), planned[0].price, work=work)
            self._jobs[made.number] = made
            for ended in [job.number for job in self._jobs.values() if not job.live][:-REMEMBERED]:
                del self._jobs[ended]
        self._go(made)
        return made

    def pause(self, number: int) -> None:
        """Let a job send nothing more and keep it; what is under way is waited for, since it is paid."""
        self._end(number, "pausing")

    def halt(self, number: int) -> None:
        """Let a job send nothing more and end it, its key with it; its run can be gone on with later."""
        job = self._end(number, "stopping")
        with self._lock:
            if job.state == "paused":
                self._close(job, "stopped; go on with it whenever you like")

    def resume(self, number: int) -> None:
        """Go on with a paused job; raises BadSetting where too many jobs are asking."""
        with self._lock:
            job = self._job(number)
            if job.state != "paused":
                return
            self._refuse_too_many()
            job.state, job.message, job.stop = "running", "", threading.Event()
        self._go(job)

    def _go(self, job: Job) -> None:
        # A daemon: a server that is told to end does not wait for replies of somebody else's.
        threading.Thread(target=self._work, args=(job,), name=f"job {job.number}", daemon=True).start()

    def _work(self, job: Job) -> None:
        message, failed = BROKEN, True
        try:
            message, failed = self._made(job), False
        except EtalonError as error:
            message = str(error)
        finally:
            with self._lock:
                if job.state == "pausing" and not failed and len(job.summaries) < job.runs:
                    job.state, job.message = "paused", PAUSED
                else:
                    self._close(job, message, failed=failed)

    def _made(self, job: Job) -> str:
        """Carry out what is left of a job; return how it ended."""
        report = partial(setattr, job, "progress")
        if job.work:
            done = job.work(report)
            job.progress = None
            return done
        while len(job.summaries) < job.runs:
            if not job.planned:
                return job.message
            planned = job.current.after(sum(summary.cost for summary in job.summaries))
            summary = run(self._database, planned, progress=report, stop=job.stop)
            if job.progress:
                # The last reply may have come after the last report.
                came = summary.statuses
                job.progress = replace(job.progress, done=sum(came.values()), statuses=came, cost=summary.cost)
            if summary.stopped:
                return summary.stopped
            job.summaries.append(summary)
        return self._spread(job)

    def _spread(self, job: Job) -> str:
        errors = sum(summary.statuses.get("error", 0) for summary in job.summaries)
        left = "1 error is left" if errors == 1 else f"{errors} errors are left"
        said = f"{left}: go on with it, and nothing else is asked again" if errors else DONE
        trouble = next((summary.trouble for summary in reversed(job.summaries) if summary.trouble), "")
        said += f". The last one: {trouble}" if errors and trouble else ""
        if len(job.summaries) < 2:
            return said
        with reading(self._database) as session:
            # The last prompt was run first, so that the results show the first one.
            apart = spread(session, study=job.study, runs=[summary.run for summary in job.summaries[::-1]])
        return f"{said}; {apart.text()}" if apart else said

    def _refuse_too_many(self) -> None:
        if sum(job.state in ("running", "pausing", "stopping") for job in self._jobs.values()) >= self._at_once:
            raise BadSetting(f"{self._at_once} runs are asking already; wait for one, or pause or stop it")

    def _end(self, number: int, state: State) -> Job:
        with self._lock:
            job = self._job(number)
            if job.state in ("running", "pausing"):
                job.state = state
            job.stop.set()
            return job

    def _job(self, number: int) -> Job:
        return look_up("run under way", str(number), {str(key): job for key, job in self._jobs.items()})

    def _close(self, job: Job, message: str, *, failed: bool = False) -> None:
        job.state, job.message, job.failed, job.planned = "ended", message, failed, ()


@dataclass(frozen=True, kw_only=True)
class RunLine(RunHistory):
    """A run as the list shows it: what it came to, and which job of this server makes it.

    `stands` says that results show it for its model, `why` it stands before the model's other runs; `score` is what it
    scored, None where there is nothing to score. `judged` are studies in which people judge its replies, each with what
    they say.
    """

    job: Job | None
    stands: bool = False
    why: str = ""
    score: RunScore | None = None
    judged: Sequence[tuple[str, str]] = ()

    @property
    def state(self) -> str:
        """What its status means now; whether a log holds all that was asked, nobody here knows."""
        return self.job.state if self.job else "imported" if imported_from(self.run) else state_of(self.run)

    @property
    def may_go_on(self) -> bool:
        """Whether asking for it anew goes on with it."""
        return self.state in ("incomplete", "cut off") and self.job is None

    @property
    def done(self) -> int:
        """How many predictions are stored."""
        return sum(self.totals.statuses.values())


@dataclass(frozen=True)
class RunsOverview:
    """Everything the page shows of a study: its items, its runs, the newest first, and the jobs of this server.

    `deleted` are the runs whose replies are gone.
    """

    study: Study
    items: int
    lines: Sequence[RunLine]
    jobs: Sequence[Job]
    deleted: Sequence[RunHistory] = ()

    @property
    def mark(self) -> str:
        """What changes whenever the list of runs does, and not with every reply."""
        lines = [(line.run.id, line.state, line.run.finished_at, line.job is None) for line in self.lines]
        return repr((self.study.name, lines, [(job.number, job.state, job.place) for job in self.jobs]))


@dataclass(frozen=True)
class RunPreview:
    """What a form would come to: an estimate for each prompt, and the messages that ask about the first item.

    A model that learns has no `messages`. `mixed` is the sentence on prompts in several languages, `batch`
    the command that writes Batch files, "" where there is none; `leaks` is what `train_leaks` returned.
    """

    model: str
    estimates: Sequence[RunEstimate]
    messages: Sequence[Mapping[str, str]]
    max_cost: float | None
    mixed: str = ""
    batch: str = ""
    leaks: Mapping[str, Any] = field(default_factory=dict)
