"""What a report is written from: what people and models were given, counts of the study, the reporting checklist."""

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from itertools import compress
from typing import Any

import pandas as pd

from baseline.comparison.document import Section
from baseline.comparison.results import Respondent, Results, results
from baseline.human.detailed_baseline import DetailedBaseline, detailed_baseline
from baseline.runs.run_prompts import language_asked, language_of_people, template_asked
from baseline.runs.run_state import IMPORTED
from data.numbers import counted
from data.tables import Column, Table, table_of
from data.task import Item, as_dict
from data.wording import english_name
from db.engine import Session
from db.items import count_items, first_items, list_items
from db.payments import pay_words, time_words
from db.runs import PUBLISHED, totals
from db.studies import Study
from db.study_settings import CHECKLIST, ChecklistItem, answered
from eval.panel import PanelRules

NOT_KNOWN = "not known"
INSTRUCTION = "instruction"


@dataclass(frozen=True)
class GivenDifferently:
    """One thing that people and models (`whom`, () for all) were not given alike, or of which that is not known."""

    what: str
    people: str
    models: str
    whom: tuple[str, ...] = ()


GIVEN: tuple[Column[GivenDifferently], ...] = (
    Column("what", "", "", lambda given: given.what),
    Column("people", "people", "", lambda given: given.people),
    Column("given", "models", "", lambda given: given.models),
    Column("models", "which models", "", lambda given: given.whom, lambda models: ", ".join(models) or "all"),
)


def given_differently(session: Session, results: Results) -> Table[GivenDifferently] | None:
    """Return what people and the models of a study were not given alike, None where one side has not answered.

    A naive baseline reads nothing, so only its items and number of answers count.
    """
    rows = [row for row in results.models if row.kind == "model"] or list(results.models)
    if not rows or not len(results.panel.votes):
        return None
    item = next(iter(first_items(session, study=results.study, role="main", most=1)), None)
    training = count_items(session, study=results.study, role="training")
    models: dict[GivenDifferently, list[str]] = {}
    for row in rows:
        differences = [*_answers(results, row)]
        if row.kind == "model":
            cut = totals(session, run=row.run).cut if row.run else 0
            differences += [*_instruction(results, row, item), *_prompt(results, row, training, cut)]
        for difference in differences:
            models.setdefault(difference, []).append(row.called)
    given = [replace(each, whom=() if len(who) == len(rows) else tuple(who)) for each, who in models.items()]
    return Table("What people and models were given differently", GIVEN, given)


def _answers(results: Results, row: Respondent) -> Iterator[GivenDifferently]:
    """Yield which items people and a model answered, and how often each."""
    both = (results.panel.consensus.ballots, row.ballots)
    people, model = (set(compress(said.items, said.scored.tolist())) for said in both)
    if people != model:
        models = f"{len(model)}, {len(people & model)} of them the same"
        yield GivenDifferently("items", str(len(people)), models)
    sizes = sorted(map(int, results.panel.counts()["overlap"]))
    samples = row.settings.get("samples", 1)
    if sizes not in ([], [samples]):
        yield GivenDifferently("answers", " to ".join(map(str, sizes[:1] + sizes[1:][-1:])), str(samples))


def _instruction(results: Results, row: Respondent, item: Item | None) -> Iterator[GivenDifferently]:
    """Yield what of the instruction, or its language, a model did not read."""
    study = results.study
    instruction, template = study.task.instruction, template_asked(study.task, row.settings, item)
    read, models_read = language_of_people(study), instruction.language_read(language_asked(row.settings))
    if study.origin == "imported":
        yield GivenDifferently(INSTRUCTION, f"{NOT_KNOWN}: an imported log", "its prompt")
    elif template is None:
        yield GivenDifferently(INSTRUCTION, "the task's", f"{NOT_KNOWN}: its prompt is not stored")
    elif (template and "{instruction}" not in template) or not instruction.within(models_read).strip():
        yield GivenDifferently(INSTRUCTION, "the task's", "none of it: the prompt has its own words")
    elif read != models_read:
        yield GivenDifferently(INSTRUCTION, f"in {english_name(read)}", f"in {english_name(models_read)}")
    elif study.task.examples:
        yield GivenDifferently(INSTRUCTION, "with worked examples to open", "without them")


def _prompt(results: Results, row: Respondent, training: int, cut: int) -> Iterator[GivenDifferently]:
    """Yield what else a model read: `cut` of its prompts lack a part of the text; `training` items people had."""
    limit, shots = row.settings.get("context"), row.settings.get("shots", 0)
    people = NOT_KNOWN if results.study.origin == "imported" else "none"
    people = f"{counted(training, 'item')} with explanations" if training else people
    model = f"{counted(shots, 'worked example')} in the prompt" if shots else "none"
    if IMPORTED in row.settings:
        model = NOT_KNOWN
        yield GivenDifferently("context", "the whole text", f"{NOT_KNOWN}: an imported run")
        yield GivenDifferently("order of options", "the item's own", f"{NOT_KNOWN}: an imported run")
    elif cut:
        most = f" at {limit} tokens" if limit else ""
        yield GivenDifferently("context", "the whole text", f"cut{most} in {counted(cut, 'prompt')}")
    if (people, model) != ("none", "none"):
        yield GivenDifferently("training", people, model)


def as_authors_asked(results: Results) -> Table[Sequence[object]] | None:
    """Return what runs in the authors' own words did otherwise than these, None where no run asked in them."""
    facts = [(row.called, row.settings[PUBLISHED]) for row in results.models if PUBLISHED in row.settings]
    every = [(model, each) for model, told in facts for each in told["differs"]]
    rows = [(model, each["what"], each["authors"], each["here"]) for model, each in every]
    how = [(told, "; ".join(filter(None, (told["source"], told.get("messages"))))) for _, told in facts]
    files = {f"{told['file']} (SHA-256 {told['sha256'][:12]}; {whence})" for told, whence in how}
    caption = f"Asked in the authors' words: {', '.join(sorted(files))}"
    return table_of(caption, ["model", "", "the authors", "this run"], rows) if facts else None


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that the database knows for a report."""

    study: Study
    baseline: DetailedBaseline
    results: Results
    items: tuple[Item, ...]
    given: Table[GivenDifferently] | None = None

    @property
    def main(self) -> list[Item]:
        """The items that people and models were given."""
        return [item for item in self.items if item.role == "main"]

    @cached_property
    def counted(self) -> pd.DataFrame:
        """The judgments that count, of all roles."""
        judgments = self.baseline.collected.judgments
        return judgments[judgments["status"] == "counted"]

    def number(self, role: str) -> int:
        """Return how many items of a role there are."""
        return sum(item.role == role for item in self.items)

    def fingerprint(self) -> str:
        """Return the SHA-256 of the main items' ids and fields, one JSON array a line, in order of the ids."""
        lines = (json.dumps([item.id, dict(sorted(item.fields.items()))], ensure_ascii=False) for item in self.main)
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()

    def task_digest(self) -> str:
        """Return the SHA-256 of the snapshot of the study's task."""
        return hashlib.sha256(
            json.dumps(as_dict(self.study.task), ensure_ascii=False, sort_keys=True).encode()
        ).hexdigest()

    def per_worker(self, role: str) -> pd.Series:
        """Return how many counted judgments of a role each worker gave who gave one."""
        return self.counted[self.counted["role"] == role].groupby("worker").size()

    def days(self) -> tuple[str, str] | None:
        """Return the days of the first and the last counted judgment, None where times are not known."""
        times = self.counted["submitted_at"].dropna()
        return (f"{min(times):%Y-%m-%d}", f"{max(times):%Y-%m-%d}") if len(times) else None


def evidence_of_report(
    session: Session, *, study: Study, rules: PanelRules, margin: float | None = None, epsilon: float | None = None
) -> Evidence:
    """Return what the database knows for the report of a study under `rules`; other words are those of `results`."""
    scored = results(session, study=study, rules=rules, margin=margin, epsilon=epsilon)
    return Evidence(
        study=study,
        baseline=detailed_baseline(session, study=study, rules=rules, asked=scored.panel.asked),
        results=scored,
        items=tuple(entry.item for entry in list_items(session, study=study)),
        given=given_differently(session, scored),
    )


MISSING, NO_MODEL, NO_GOLD = "missing", "no model has answered", "nothing is scored against gold"
WITHOUT_ANSWER = (NO_MODEL, NO_GOLD)
"""What leaves an item without an answer although nobody has to say anything."""


def reporting_checklist(evidence: Evidence) -> Section:
    """Return the items in their order, how many are answered, and which are missing; then what differed for models."""
    known = _known(evidence)
    reported = [(item, _answer(evidence, item, known)) for item in CHECKLIST.values()]
    items = [(item, answer) for item, answer in reported if item.number]
    number = sum(answer not in (MISSING, *WITHOUT_ANSWER) for _, answer in items)
    lines = [f"{number} of {len(items)} items are answered."]
    if any(answer == MISSING and item.group for item, answer in items):
        how = f"under Settings, or with: python app.py describe {evidence.study.name}"
        lines.append(f"To be filled in by the author, where an item is missing: {how}")
    lines += [f"{item.title}: {answer}" for item, answer in reported if not item.number and answer != MISSING]
    rows = [(item.number, item.title, answer) for item, answer in items]
    caption = "Wei et al. 2025, Human Baselines Checklist, by its numbers"
    table = table_of(caption, ["no.", "item", "this study"], rows)
    given = evidence.given if evidence.given and evidence.given.rows else None
    more: tuple[Table[Any] | None, ...] = (given, as_authors_asked(evidence.results))
    return Section("Reporting checklist of Wei et al. 2025", lines=tuple(lines), tables=(table, *filter(None, more)))


def _answer(evidence: Evidence, item: ChecklistItem, known: Mapping[str, str]) -> str:
    """Return what people say of an item, with what the database adds to it."""
    written = getattr(evidence.study.settings, item.name) if item.group else ""
    stored = known.get(item.name) or MISSING
    texts = [written] * answered(written) + [stored] * (stored not in (MISSING, *WITHOUT_ANSWER))
    return "; ".join(texts) or stored


def _known(evidence: Evidence) -> dict[str, str]:
    """Return what the database knows of each item, by its name: models, then people, then how they are compared."""
    study, human, models = evidence.study, evidence.baseline.human, evidence.results.models
    panel, days, imported = human.panel, evidence.days(), study.origin == "imported"
    counts, least, each = panel.counts(), panel.rules.control_min, evidence.per_worker("main")
    workers, training = counts["workers"], evidence.number("training")
    asked = sorted({str(row.n) for row in models}, key=int)
    samples = sorted({str(row.settings.get("samples") or 1) for row in models if row.run}, key=int)
    # An imported log holds neither what people were told nor in which language.
    instructed = not imported and study.task.instruction.within(study.settings.language).strip()
    when = f"collected from {days[0]} to {days[1]}" if days else ""
    rule = "nobody by controls" if least is None else f"below {least:.0%} of controls right"
    scores = (*human.majority.values(), *human.individual.values(), human.leave_one_out)
    cis = [*(estimate.ci for estimate in scores), *panel.agreement.cis.values()]
    compared = bool(models) and bool(human.majority or evidence.results.peers)
    untested = NO_MODEL if not models else MISSING if compared else NO_GOLD
    paired = "paired, beside each model, which names the test" if panel.gold else "paired, of agreement with people"
    alike = "scores people and models" if human.majority else "compares people and models with people"
    return {
        "mode": "text",
        "language_read": MISSING if imported else f"pages were shown in {english_name(study.settings.language)}",
        "items_of_models": " to ".join(asked[:1] + asked[1:][-1:]) or NO_MODEL,
        "answers_of_models": ", ".join(samples) or NO_MODEL,
        "instructed_alike": _instructed(evidence),
        "people": str(workers["kept"]),
        "items": str(counts["items"]["total"]),
        "votes": ", ".join(f"{counted(items, 'item')} with {votes}" for votes, items in counts["overlap"].items()),
        "items_each": f"median {each.median():g}, from {each.min()} to {each.max()}" if len(each) else MISSING,
        "how_trained": f"{training} training items" if training or not imported else MISSING,
        "instructions": "in settings.json of the package" if instructed else MISSING,
        "pay": pay_words(human.pay),
        "time_spent": "; ".join(filter(None, (time_words(human.pay), when))),
        "items_licence": study.task.licence,
        "quality_control": f"{rule}; {workers['excluded']} of {workers['total']} workers excluded",
        "robustness": _robustness(evidence),
        "significance": paired if _is_tested(evidence) else untested,
        "uncertainty": "points with 95% intervals" if any(low == low for low, _ in cis) else MISSING,
        "scoring": f"one function {alike}" if compared else untested,
    }


def _is_tested(evidence: Evidence) -> bool:
    """Return whether a model is tested against people: by its score, or where there is no gold by its agreement."""
    compared = [apart for row in evidence.results.models for apart in (row.vs_human, row.vs_person)]
    if not evidence.baseline.human.panel.gold and evidence.results.peers:
        compared += [row.apart for row in evidence.results.peers.models]
    return any(apart is not None and apart.p is not None for apart in compared)


def _instructed(evidence: Evidence) -> str:
    """Return whether people and models were given the same, `MISSING` where the instruction of any is not known."""
    if not any(row.kind == "model" for row in evidence.results.models):
        return NO_MODEL
    if evidence.given is None:
        return MISSING
    given = evidence.given.rows
    if any(each.what == INSTRUCTION and NOT_KNOWN in f"{each.people} {each.models}" for each in given):
        return MISSING
    different = ", ".join(dict.fromkeys(each.what for each in given))
    return f"different: {different}; the table below says how" if given else "people and models were given the same"


def _robustness(evidence: Evidence) -> str:
    """Return what the score is with and without those whom quality control excludes, `MISSING` where nothing checks."""
    if not evidence.baseline.human.majority:
        return NO_GOLD
    change = evidence.baseline.exclusions
    if change.excluded:
        return f"{len(change.excluded)} workers excluded; scores with and without them stand under Exclusions"
    return "checked by controls, nobody is excluded" if len(evidence.baseline.human.panel.controls) else MISSING


PACKAGES = (
    "numpy", "scipy", "pandas", "krippendorff", "scikit-learn", "aiohttp", "openai", "gradio", "fastapi", "sqlmodel",
)  # fmt: skip
"""The packages that numbers depend on."""


def versions() -> dict[str, str]:
    """Return the version of Python and of the packages that numbers depend on, those that are installed."""
    versions_of = {"python": platform.python_version()}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            versions_of[name] = version(name)
    return versions_of
