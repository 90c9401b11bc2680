"""The page's only way to the models: what it shows, what it lets a manager do, each as one call."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from baseline.comparison.run_pairs import RunComparison, compare_runs
from baseline.comparison.verdicts import RunScore, run_scores
from baseline.comparison.writer_scores import said_by_people
from baseline.human.baseline import stored_rules
from baseline.imports.import_run import ImportedRun, import_run
from baseline.models.hosts import EVERYWHERE, ModelHosts
from baseline.models.prompts import prompt_of
from baseline.models.provider import Provider
from baseline.models.providers import PROVIDERS, address_of, asked_hosts, key_of
from baseline.pages.model_jobs import Job, RunLine, Running, RunPreview, RunsOverview
from baseline.runs.batch_files import folder_of
from baseline.runs.batches import in_batches, work_in_batches
from baseline.runs.dispatcher import Reread, rescore
from baseline.runs.planned_runs import Access, PlannedRun, find_run, mixed_languages, plan_runs
from baseline.runs.reply_queue import Queued, ReplyQueue, judged_in, queue_replies, runs_judged
from baseline.runs.result_runs import DECISIONS, RULE, decide, deletion_words, result_runs
from baseline.runs.run_history import RunHistory, histories
from baseline.runs.run_settings import OPTIONS, RunSettings, model_name, run_settings, settings_again, settings_for
from baseline.runs.runner import estimate
from data.errors import BadSetting, look_up
from data.wording import enumerated
from db.cache import Cache, fingerprints
from db.engine import Database, reading, writing
from db.items import count_items
from db.runs import RunTotals, list_runs, run_numbered
from db.settings import Settings
from db.studies import get_study, list_studies

NOTHING = RunTotals({})
SCORED = 20
"""Studies of which the scores of runs are kept until something changes."""


@dataclass(frozen=True)
class ModelsService:
    """What the page of models can do; only `hosts` are asked."""

    database: Database
    running: Running
    hosts: ModelHosts = EVERYWHERE
    batches: Path = Path("var/batches")
    scores: Cache = field(default_factory=lambda: Cache(SCORED))

    @staticmethod
    def of(database: Database, settings: Settings) -> "ModelsService":
        """Return the service of an installation."""
        return ModelsService(database, Running(database), asked_hosts(settings.model_hosts), settings.home / "batches")

    def studies(self) -> list[str]:
        """Return the names of all studies, the newest first."""
        with reading(self.database) as session:
            return [study.name for study in list_studies(session)]

    def look(self, name: str, *, counted: bool = True) -> RunsOverview:
        """Return what there is to see of a study, without the runs' sums where not `counted`; raises UnknownName."""
        jobs = self.running.jobs(name)
        with reading(self.database) as session:
            study = get_study(session, name=name)
            items = count_items(session, study=study, role="main")
            if not counted:
                bare = [RunHistory(run, NOTHING) for run in list_runs(session, study=study)]
                return RunsOverview(study, items, [_line(run_line, jobs) for run_line in bare], jobs)
            known = histories(session, study=study)
            current = {result.run.id: result.why for result in result_runs(session, study=study)}
            mark = fingerprints(session, study_id=study.id).get(study.id, ())
            scores = self.scores.get(name, mark, lambda: run_scores(session, study)) if known else {}
            judged = judged_in(session, study)
            marks = tuple(fingerprints(session, study_id=each.study.id).get(each.study.id, ()) for each in judged)
            said = self.scores.get(f"{name}/", marks, lambda: said_by_people(session, judged)) if judged else {}
        lines = [_line(run_line, jobs, current, scores) for run_line in known if not run_line.deleted]
        lines = [replace(line, judged=said.get(line.run.id, ())) for line in lines]
        return RunsOverview(study, items, lines, jobs, [run_line for run_line in known if run_line.deleted])

    def decision(self, study: str, act: str, number: int) -> tuple[str, str]:
        """Return what an act is called and what it does, to be read before it is done; raises UnknownName."""
        look_up("act", act[:40], DECISIONS)
        if act == "delete":
            return f"Delete run {number}", deletion_words(self.database, study, number)
        with reading(self.database) as session:
            run = run_numbered(session, study=get_study(session, name=study), number=number)
        if act == "pin":
            where = "results, reports, exports and submissions until it is unpinned, whatever others do"
            return f"Pin run {number}", f"It stands for {run.model} in {where}."
        return f"Unpin run {number}", f"The rule chooses again which run represents {run.model}: {RULE}."

    def decide(self, study: str, act: str, number: int, *, who: str, reason: str) -> str:
        """Do it, with an event, and return what was done; raises an EtalonError where it cannot be done."""
        made = decide(self.database, act, study, number, who=who, reason=reason)
        done = {"pin": f"represents {made.model} now", "unpin": "is not pinned any more", "delete": "is deleted"}
        return f"Run {number} {done[act]}."

    def compare(self, study: str, runs: Sequence[int]) -> RunComparison:
        """Return runs in pairs under the study's own rules; raises UnknownName."""
        with reading(self.database) as session:
            of = get_study(session, name=study)
            return compare_runs(session, study=of, rules=stored_rules(of), named=[str(run) for run in runs])

    def judging_words(self, study: str, runs: Sequence[int]) -> str:
        """Return whose replies would be judged: those of the runs that are ticked, else of those in the results."""
        with reading(self.database) as session:
            writers = runs_judged(session, get_study(session, name=study), runs)
        return f"People judge the replies of {enumerated([*writers.values()])}, and are not told whose they are."

    def judge(self, asked: ReplyQueue, *, who: str) -> Queued:
        """Make a study for people of what models replied; raises an EtalonError, and stores nothing then."""
        return queue_replies(self.database, asked, who=who)

    def prompts(self, name: str) -> int:
        """Return how many prompts the task of a study has; some kinds of its items may have fewer."""
        with reading(self.database) as session:
            task = get_study(session, name=name).task
        return 1 + max((len(others) for others in task.variants.values()), default=0)

    def preview(self, study: str, values: Mapping[str, Any], key: str, *, run: int | None = None) -> RunPreview:
        """Return what the page's values would come to; nothing is stored and nothing is sent.

        `run` is the number of a run to go on with; raises BadSetting where these values are not those it was made with.
        """
        planned = self._planned(study, values, key, run, sending=False)
        first, estimates = planned[-1], [estimate(self.database, planned_run) for planned_run in reversed(planned)]
        naive = first.model.kind == "naive"
        messages = (
            [] if naive else prompt_of(first.study.task, first.items[0].item.public(), first.prompt_options).messages
        )
        batch = _batch_command(first) if first.model.batch_url else ""
        warned = mixed_languages(planned), batch, first.leaks
        return RunPreview(first.model.name, estimates, messages, first.settings.max_cost, *warned)

    def start(self, study: str, values: Mapping[str, Any], key: str, *, who: str, run: int | None = None) -> Job:
        """Begin what the page's values describe, or go on with a `run`; raises an EtalonError where it cannot be."""
        return self.running.begin(self._planned(study, values, key, run, sending=True), who=who)

    def start_batch(
        self, study: str, values: Mapping[str, Any], *, run: int | None, results: Sequence[Path], who: str
    ) -> Job:
        """Begin to write requests into Batch files, or to store what stands in files of `results`; nothing is sent."""
        planned = in_batches(self._planned(study, values, "", run, sending=False), self.batches, results)
        return self.running.begin([planned], who=who, work=partial(work_in_batches, self.database, planned))

    def again(self, study: str, number: int) -> RunSettings:
        """Return the settings of a run, and its folder of Batch files; raises UnknownName, BadSetting if imported."""
        with reading(self.database) as session:
            run = find_run(session, study=get_study(session, name=study), number=number)
        return settings_again(run).model_copy(update={"batch": folder_of(run)})

    def rescore(self, study: str) -> list[Reread]:
        """Read the stored replies of all runs of a study anew; nobody is asked."""
        with writing(self.database) as session:
            return rescore(session, study=get_study(session, name=study))

    def import_run(self, study: str, path: Path, form: str, model: str) -> ImportedRun:
        """Store the replies of another harness's log as a run; raises an EtalonError, and stores nothing then."""
        with writing(self.database) as session:
            stored = get_study(session, name=study)
            return import_run(session, study=stored, path=path, form=form, model=model.strip() or None)

    def knows_key(self, provider: Provider, base_url: str) -> bool:
        """Return whether the environment holds a key for this server: it is sent to its own server only."""
        asked, own = base_url or provider.public, address_of(provider) or provider.public
        return key_of(provider) is not None and asked.rstrip("/").casefold() == own.rstrip("/").casefold()

    def _planned(
        self, study: str, values: Mapping[str, Any], key: str, run: int | None, *, sending: bool
    ) -> list[PlannedRun]:
        settings = settings_of_form(values)
        used = self._key(settings, key.strip(), sending=sending)
        return plan_runs(self.database, study, settings, Access(used, self.hosts, reveal=False), former=run)

    def _key(self, settings: RunSettings, typed: str, *, sending: bool) -> str | None:
        base_url = getattr(settings.own, "base_url", None) or ""
        _check_address(base_url)
        if typed and (not typed.isascii() or not typed.isprintable() or " " in typed):
            raise BadSetting("the key has characters that no key has (spaces, other letters); copy it again")
        known = key_of(settings.provider) if self.knows_key(settings.provider, base_url) else None
        # Nothing is sent where the cost is only asked for, so no key is needed.
        return typed or known or (None if sending else "none")


def settings_of_form(values: Mapping[str, Any]) -> RunSettings:
    """Return the settings that the form's fields hold: those that mean nothing to the provider are not looked at.

    A browser may send anything; raises BadSetting, UnknownName.
    """
    given = dict(values)
    provider = str(given.pop("provider", None) or "")
    model = model_name(provider, str(given.pop("model", None) or "").strip())
    foreign = OPTIONS.keys() - settings_for(PROVIDERS[provider]).keys()
    asked = {
        name: value.strip() if isinstance(value, str) else value for name, value in given.items() if name not in foreign
    }
    return run_settings(model, asked)


def _check_address(url: str) -> None:
    """Refuse an address with a password in it: it is stored with the run."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise BadSetting("the address of the server is none; it is like 'http://127.0.0.1:8000/v1'") from error
    if parts.username or parts.password:
        raise BadSetting("the address of the server has a password in it; type the key into its own field")


def _line(
    history: RunHistory,
    jobs: Sequence[Job],
    current: Mapping[int, str] = MappingProxyType({}),
    scores: Mapping[int, RunScore] = MappingProxyType({}),
) -> RunLine:
    job = next((job for job in jobs if job.live and job.current.is_run(history.run)), None)
    number = history.run.id
    why = current.get(number, "")
    return RunLine(**vars(history), job=job, stands=number in current, why=why, score=scores.get(number))


def _batch_command(planned: PlannedRun) -> str:
    """Return the command that writes the requests of a run into Batch files; other settings are to be added."""
    address = f" --base-url {shlex.quote(url)}" if (url := str(planned.model.settings.get("base_url") or "")) else ""
    names = shlex.join([planned.study.name, "--model", planned.model.name])
    return f"python app.py run {names}{address} --batch FOLDER"
