"""The page's only way to the models: what it shows, what it lets a manager do, each as one call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from baseline.imports.importing import import_run
from baseline.imports.report import ImportedRun
from baseline.models.base import PUBLIC
from baseline.models.chat.hosts import EVERYWHERE, ModelHosts
from baseline.pages.model_jobs import Job, Running
from baseline.runs.drafts import SERVER, Draft, Made, draft_again, draft_of, first_prompt, make
from baseline.runs.estimate import Estimate, estimate
from baseline.runs.imported import imported_from
from baseline.runs.rescore import Reread, rescore
from baseline.runs.resuming import BESIDE, under_way
from baseline.runs.shots import kept_shots, newest_shots
from baseline.runs.templates import asked_task
from data.errors import BadSetting, UnknownName
from db.engine import Database, reading, writing
from db.items import count_items, list_items
from db.replies import Totals, totals_of
from db.runs import Run, list_runs
from db.settings import Settings
from db.studies import Study, get_study, list_studies

NOTHING = Totals({})


@dataclass(frozen=True)
class RunLine:
    """A run as the list shows it: what it came to, from where it was imported, which job of this server makes it.

    `state` is what its status means now: a run that its program left is `cut off`, not `running`.
    """

    run: Run
    totals: Totals
    state: str
    imported: str | None
    job: Job | None

    @property
    def may_go_on(self) -> bool:
        """Whether asking for it anew goes on with it."""
        return self.state in ("incomplete", "cut off") and self.imported is None and self.job is None

    @property
    def done(self) -> int:
        """How many predictions are stored."""
        return sum(self.totals.statuses.values())


@dataclass(frozen=True)
class Look:
    """Everything the page shows of a study: its items, its runs, the newest first, and the jobs of this server."""

    study: Study
    items: int
    lines: Sequence[RunLine]
    jobs: Sequence[Job]

    @property
    def mark(self) -> tuple[object, ...]:
        """What changes whenever the list of runs does, and not with every reply."""
        return (
            self.study.name,
            tuple((line.run.id, line.state, line.run.finished_at, line.job is None) for line in self.lines),
            tuple((job.number, job.state, job.place) for job in self.jobs),
        )


@dataclass(frozen=True)
class Preview:
    """What a draft would come to: an estimate for each prompt, and the messages that ask about the first item."""

    model: str
    estimates: Sequence[Estimate]
    messages: Sequence[Mapping[str, str]]
    max_cost: float | None


@dataclass(frozen=True)
class ModelsService:
    """What the page of models can do. `key`, `address` and the `hosts` that may be asked are of the environment."""

    database: Database
    running: Running
    key: str | None = None
    address: str | None = None
    hosts: ModelHosts = EVERYWHERE

    @staticmethod
    def of(database: Database, settings: Settings) -> "ModelsService":
        """Return the desk of a server with the key and the address that its environment holds."""
        key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
        hosts = ModelHosts.of(settings.model_hosts, settings.openai_base_url)
        return ModelsService(database, Running(database), key, settings.openai_base_url, hosts)

    def studies(self) -> list[str]:
        """Return the names of all studies, the newest first."""
        with reading(self.database) as session:
            return [study.name for study in list_studies(session)]

    def look(self, name: str, *, counted: bool = True) -> Look:
        """Return what there is to see of a study, without the runs' sums where not `counted`; raises UnknownName."""
        jobs = self.running.jobs(name)
        with reading(self.database) as session:
            study = get_study(session, name=name)
            runs = list_runs(session, study=study)
            sums = totals_of(session, runs=runs) if counted else {run.id: NOTHING for run in runs}
            items = count_items(session, study=study, role="main")
        return Look(study, items, [_line(run, sums[run.id], jobs) for run in runs], jobs)

    def prompts(self, name: str) -> int:
        """Return how many prompts the task of a study has; some kinds of its items may have fewer."""
        with reading(self.database) as session:
            task = get_study(session, name=name).task
        return 1 + max((len(others) for others in task.variants.values()), default=0)

    def preview(self, study: str, values: Mapping[str, Any], key: str, *, run: int | None = None) -> Preview:
        """Return what the page's values would come to; nothing is stored and nothing is sent.

        `run` is the number of a run to go on with; raises BadSetting where these values are not those it was made with.
        """
        draft, made = self._made(study, values, key, run, sending=False)
        self._refuse_another(study, run, made)
        found = [
            estimate(self.database, study=made.study, model=made.model, **one.options) for one in reversed(made.wanted)
        ]
        return Preview(made.model.name, found, first_prompt(made), draft.max_cost)

    def start(self, study: str, values: Mapping[str, Any], key: str, *, who: str, run: int | None = None) -> Job:
        """Begin what the page's values describe, or go on with a `run`; raises an EtalonError where it cannot be."""
        _, made = self._made(study, values, key, run, sending=True)
        self._refuse_another(study, run, made)
        return self.running.begin(study=made.study, model=made.model, wanted=made.wanted, who=who)

    def again(self, study: str, number: int) -> tuple[Draft, RunLine]:
        """Return the draft of a run that was cut off, and the run; raises UnknownName."""
        look = self.look(study)
        line = next((line for line in look.lines if line.run.id == number), None)
        if line is None:
            raise UnknownName("run", str(number), [str(line.run.id) for line in look.lines])
        if line.imported:
            raise BadSetting(f"run {number} was imported from {line.imported}; only its own harness can go on with it")
        return draft_again(study, line.run), line

    def rescore(self, study: str) -> list[Reread]:
        """Read the stored replies of all runs of a study anew; nobody is asked."""
        with writing(self.database) as session:
            return rescore(session, study=get_study(session, name=study))

    def import_run(self, study: str, path: Path, form: str, model: str) -> ImportedRun:
        """Store the replies of another harness's log as a run; raises an EtalonError, and stores nothing then."""
        with writing(self.database) as session:
            found = get_study(session, name=study)
            return import_run(session, study=found, path=path, form=form, model=model.strip() or None)

    def knows_key(self, base_url: str) -> bool:
        """Return whether the environment holds a key for this server: it is sent to its own server only."""
        return self.key is not None and _same(base_url or PUBLIC, self.address or PUBLIC)

    def _made(
        self, study: str, values: Mapping[str, Any], key: str, run: int | None, *, sending: bool
    ) -> tuple[Draft, Made]:
        draft = draft_of(study, values)
        with reading(self.database) as session:
            found = get_study(session, name=study)
            items = list_items(session, study=found)
            kept = newest_shots(list_runs(session, study=found), number=draft.shots, seed=draft.seed or 0)
        if run is not None:
            settings = self.again(study, run)[1].run.settings
            found, kept = replace(found, task=asked_task(found.task, settings)), kept_shots(settings)
        used = self._key(draft, key.strip(), sending=sending)
        return draft, make(draft, found, items, key=used, kept=kept, hosts=self.hosts)

    def _refuse_another(self, study: str, number: int | None, made: Made) -> None:
        """Refuse values that would begin another run where one was to go on: nobody is to pay twice unawares."""
        if number is None:
            return
        _, line = self.again(study, number)
        here, there = made.wanted[-1].settings, line.run.settings
        apart = [name for name in sorted({*here, *there} - BESIDE) if here.get(name) != there.get(name)]
        if made.model.name != line.run.model:
            apart.insert(0, "model")
        if apart or len(made.wanted) > 1:
            raise BadSetting(
                f"this is not run {number} any more ({', '.join(apart) or 'prompts'} differ); put that right, or leave "
                "this form and ask a model anew"
            )

    def _key(self, draft: Draft, typed: str, *, sending: bool) -> str | None:
        if typed:
            return typed
        if draft.provider == SERVER and self.knows_key(draft.base_url):
            return self.key
        # Nothing is sent where the cost is only asked for, so no key is needed.
        return None if sending else "none"


def _line(run: Run, sums: Totals, jobs: Sequence[Job]) -> RunLine:
    job = next((job for job in jobs if job.live and job.wanted[job.place].is_run(run, job.name)), None)
    imported = imported_from(run)
    # Whether a log holds all that was asked, nobody here knows.
    state: str = "imported" if imported else run.status
    if job:
        state = job.state
    elif run.status == "running" and not under_way(run):
        state = "cut off"
    return RunLine(run, sums, state, imported, job)


def _same(one: str, other: str) -> bool:
    return one.rstrip("/").casefold() == other.rstrip("/").casefold()
