"""Which run is a model's result, what people decide about that, what is said of others; items that a model has met."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from baseline.models.run_fields import Fact
from baseline.runs.run_prompts import language_asked, prompt_language
from baseline.runs.run_state import imported_from, refused_words, state_of, under_way, wordless_words
from data.catalogue.catalog import tasks
from data.errors import BadSetting
from data.limits import LONGEST_REASON
from data.shared_texts import SharedText, shared_texts
from data.task import Item, Task
from data.wording import Language, english_name
from db import runs as stored_runs
from db.clock import now
from db.engine import Database, Session, reading, transact
from db.events import Cause
from db.items import count_items
from db.runs import AnsweredRun, Pin, Run, RunTotals
from db.studies import Study, get_study

STORED = 100
"""So many of the items are stored with a run by name; all are counted."""
NAMED = 3
NOT_PUBLIC = ("no", "нет")


def train_leaks(task: Task, items: Sequence[Item], train: Sequence[Item], shots: Sequence[Item]) -> dict[str, Any]:
    """Return what is stored with a run of the asked items that stand in its train split or worked examples.

    Under `train` and `shots`: how many items are there word for word (`exact`) and in long stretches (`near`), of how
    many, and which; {} where there are none.
    """
    shared = {"train": shared_texts(task, items, train), "shots": shared_texts(task, items, shots)}
    return {where: _stored(leaks, len(items)) for where, leaks in shared.items() if leaks}


def known_items(stored: Mapping[str, Any], *, learns: bool) -> Mapping[str, Any]:
    """Return what `train_leaks` says of the items that a model knew, {} where it knew none.

    One that `learns` has read the whole train split, one that is asked no more of it than the worked examples.
    """
    known: Mapping[str, Any] = stored.get("train" if learns else "shots", {})
    return known


def leak_words(stored: Mapping[str, Any], *, learns: bool) -> str:
    """Return a sentence on what `train_leaks` returned, without its full stop; "" where nothing leaks."""
    words = {"train": "the train split", "shots": "the worked examples"}
    sentence = "; ".join(_words(words[where], leaks) for where, leaks in stored.items())
    unseen = bool(stored) and not known_items(stored, learns=learns)
    return f"{sentence}; the model was shown none of them" if unseen else sentence


def public_gold(study: Study) -> str:
    """Return which right answers are public and since when, "" where they are not: the study knows best.

    A task says it of its splits, that of the catalogue as it is by now, whatever was stored with the study; of which
    splits a study's items are nobody knows but who made the study.
    """
    stated, task = study.settings.public_gold.strip(), tasks().get(study.task.id, study.task)
    if stated or not task.public_splits:
        return "" if stated.casefold() in NOT_PUBLIC else stated or task.public_gold
    splits = " and ".join(task.public_splits)
    return f"{task.public_gold} for {splits}, not for other splits; the split of these items is unknown"


def known_gold(study: Study, models: Sequence[str]) -> list[str]:
    """Return which models may have learnt the right answers, where these are public."""
    since = public_gold(study)
    if not models or not since:
        return []
    stated, task = study.settings.public_gold.strip(), tasks().get(study.task.id, study.task)
    known = "are" if stated or not task.public_splits else "may be"
    return [f"The right answers {known} public ({since}): {', '.join(models)} may have learnt them in training."]


def _stored(shared_texts: Sequence[SharedText], of: int) -> dict[str, Any]:
    exact = sum(text.exact for text in shared_texts)
    ordered = sorted(shared_texts, key=lambda item: (not item.exact, -item.share))[:STORED]
    named = [
        {"item": item.item, "other": item.other, "exact": item.exact, "share": round(item.share, 3)} for item in ordered
    ]
    return {"exact": exact, "near": len(shared_texts) - exact, "of": of, "items": named}


def _words(where: str, leaks: Mapping[str, Any]) -> str:
    number = leaks["exact"] + leaks["near"]
    named = [f"{item['item']} is {item['other']}" for item in leaks["items"][:NAMED]]
    more = f" and {number - len(named)} more" if number > len(named) else ""
    how = f"{leaks['exact']} word for word" + (f", {leaks['near']} in long stretches" if leaks["near"] else "")
    how = how if leaks["exact"] else "in long stretches"
    stand = "stands" if number == 1 else "stand"
    return f"{number} of {leaks['of']} items of the study {stand} in {where}, {how}: {', '.join(named)}{more}"


LISTED = 3
"""So many of a model's other runs are told in a sentence; JSON has all of them."""
RULE = (
    "of its runs that asked the most items, the one with the most answers to items that its model did not know; of "
    "equal ones the newest"
)
"""Which of a model's runs stands for it where nobody has pinned one."""


@dataclass(frozen=True)
class OtherRun:
    """A run that is not shown; `statuses` are counted for one that is not complete."""

    run: Run
    statuses: Mapping[str, int]

    @property
    def state(self) -> str:
        """What its status means now: a run that its program left was cut off."""
        return state_of(self.run)

    def as_dict(self) -> dict[str, Any]:
        """Return it as `results --json` prints it."""
        return {**run_dict(self.run), "statuses": dict(self.statuses)}

    def words(self, beside: Run) -> str:
        """Return it for a sentence: `run 7 (incomplete, 60 errors)`, or why it has nothing at all.

        It names its language where that is another than that of the run `beside` it.
        """
        if not self.statuses and self.state in ("incomplete", "cut off"):
            why = why_unanswered(self.run) or self.state
            return f"run {self.run.id} (no answer: {why})"
        errors = self.statuses.get("error", 0)
        parts = [self.state] + ([f"{errors} error{'s' * (errors > 1)}"] if errors else [])
        parts += ["its model knew items of the study"] if knew_items(self.run) and not knew_items(beside) else []
        if (language := language_of_run(self.run)) != language_of_run(beside) and language:
            parts.append(f"asked in {english_name(language)}")
        return f"run {self.run.id} ({', '.join(parts)})"


@dataclass(frozen=True)
class ResultRun:
    """The run that is a model's result, and its other runs, the newest first.

    `name` is what it is called beside other respondents: `model:openai:m`, `model:openai:m [ru]`.
    `language` is one that tells it from another result of the same model, "" where nothing has to; `pin` says who chose
    the run, where somebody did, `why` what else did, where there are others.
    """

    name: str
    run: Run
    others: tuple[OtherRun, ...] = ()
    language: Language = ""
    pin: Pin | None = None
    why: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return it as `results --json` prints it."""
        pinned = {"pinned": self.pin.words()} if self.pin else {}
        why = {"why": self.why} if self.why else {}
        return {**run_dict(self.run), **pinned, **why, "others": [other.as_dict() for other in self.others]}

    def notes(self, wordless: int, thinking: tuple[int, int]) -> Iterator[str]:
        """Yield what is to be known of the run: others of its model, what the server refused, what ended too soon.

        `wordless` replies ended at the limit of tokens before a word of an answer; `thinking` are the tokens that were
        thought, and all of the replies.
        """
        settings = self.run.settings
        yield self.note()
        yield leak_words(settings.get(Fact.LEAKED, {}), learns=self.run.kind == "naive")
        refused = settings.get(Fact.REFUSED)
        yield refused_words(refused) if refused else ""
        yield wordless_words(wordless, settings) if wordless else ""
        thought, written = thinking
        yield f"{thought} of {written} tokens of its replies were thinking" if thought else ""

    def note(self) -> str:
        """Return the sentence about its language, who chose it, and the runs not shown; "" for nothing to be said."""
        asked = f"asked in {english_name(self.language)}" if self.language else ""
        if not self.others and not self.pin:
            return asked
        shown = f"run {self.run.id} is shown" + (f", {self.pin.words()}" if self.pin else "")
        other_words = ", ".join(other.words(self.run) for other in self.others[:LISTED])
        more = len(self.others) - LISTED
        others = f"not shown: {other_words}" + (f" and {more} more" if more > 0 else "") if other_words else ""
        why = f"run {self.run.id} counts because it {self.why}" if self.why else ""
        return "; ".join(filter(None, (asked, shown, others, why)))


def knew_items(run: Run) -> bool:
    """Return whether a run's model was trained on items of the study, or shown them: one that is asked reads no more
    of a train split than the worked examples.
    """
    return share_known(run) > 0


def share_known(run: Run) -> float:
    """Return what share of the asked items a run's model knew so, from 0 to 1."""
    leaks = known_items(run.settings.get(Fact.LEAKED, {}), learns=run.kind == "naive")
    return float((leaks["exact"] + leaks["near"]) / leaks["of"]) if leaks else 0.0


def name_of_result(run: Run, language: Language = "") -> str:
    """Return what the result of a run is called, with the language that tells it from another of its model."""
    return f"model:{run.model}" + f" [{language}]" * bool(language)


def why_unanswered(run: Run) -> str:
    """Return in a few words why nothing was answered, without what the server said; "" where there is an answer."""
    return str(run.settings.get(Fact.ENDED, "")).partition(" (")[0].partition("; ")[0]


def language_of_run(run: Run) -> Language:
    """Return the language in which a run was asked, "" where nothing was or its log does not tell."""
    return "" if run.kind == "naive" or imported_from(run) else language_asked(run.settings)


def run_dict(run: Run) -> dict[str, Any]:
    """Return which run it is, as JSON; `ended` says why nothing was answered."""
    why = why_unanswered(run)
    values = {"id": run.id, "status": run.status, "started": run.started_at.isoformat()}
    return values | {"language": language_of_run(run) or None} | ({"ended": why} if why else {})


def result_runs(session: Session, *, study: Study) -> list[ResultRun]:
    """Return the run that stands for each model, in the order of their names, with those that do not.

    A model that was asked the most items in several languages is a respondent in each; the one that the study asks in
    has no other name than the model.
    It is the one that is pinned, else that of RULE: neither a rerun that failed nor a trial of a few items hides
    anything, and answers to items that a model knew do not count for its run. A run without a single answer stands only
    where its model has no other.
    """
    pinned = stored_runs.pins(session, study=study)
    items = count_items(session, study=study, role="main")
    runs = sorted(stored_runs.answered_runs(session, study=study), key=lambda result: result.run.model)
    of_models = [list(several) for _, several in groupby(runs, key=lambda result: result.run.model)]
    unsure = [result.run for several in of_models if len(several) > 1 for result in several]
    partial = [run for run in unsure if run.status != "complete"]
    totals = stored_runs.totals_of(session, runs=partial) if partial else {}
    parted = [part for several in of_models for part in _by_language(study, several, items).items()]
    return [_result(language, several, items, pinned, totals) for language, several in parted]


def _by_language(study: Study, runs: Sequence[AnsweredRun], items: int) -> dict[Language, list[AnsweredRun]]:
    """Return the runs of a model by the language that each was asked in, "" for the one that the study asks in.

    Runs that asked fewer items than others, or have no answer, are no result of their own: they stand beside those in
    the study's language.
    """
    own = {prompt_language(study): ""}
    said = {run.run.id: own.get(language := language_of_run(run.run), language) for run in runs}
    languages = {said[run.id] for run in fullest([run.run for run in runs if run.has_answer], items)}
    if len(languages) < 2:
        return {"": list(runs)}
    groups: dict[Language, list[AnsweredRun]] = {}
    for result in runs:
        groups.setdefault(said[result.run.id] if said[result.run.id] in languages else min(languages), []).append(
            result
        )
    return groups


def fullest(runs: Iterable[Run], items: int) -> list[Run]:
    """Return the runs that asked the most of a study's items, in their order: only these may be compared."""
    asked = [(min(items, run.settings.get("limit") or items), run) for run in runs]
    most = max((number for number, _ in asked), default=0)
    return [run for number, run in asked if number == most]


def _result(
    language: Language,
    answered: Sequence[AnsweredRun],
    items: int,
    pinned: Mapping[int, Pin],
    totals: Mapping[int, RunTotals],
) -> ResultRun:
    """Return the run that stands for a model whose runs these are, the newest first, with the others."""
    runs = [result.run for result in answered]
    candidates = fullest([result.run for result in answered if result.has_answer] or runs, items)
    counted = {run.id: _share_answered(run, items, totals) * (1 - share_known(run)) for run in candidates}
    best = max(candidates, key=lambda run: (counted[run.id], run.status == "complete"))
    shown = next((run for number in pinned for run in runs if run.id == number), best)
    others = [OtherRun(run, totals[run.id].statuses if run.id in totals else {}) for run in runs if run is not shown]
    why = _why(shown, runs, counted) if others and shown.id not in pinned else ""
    return ResultRun(name_of_result(shown, language), shown, tuple(others), language, pinned.get(shown.id), why)


def _share_answered(run: Run, items: int, totals: Mapping[int, RunTotals]) -> float:
    """Return what share of the answers that a run was to give are there, from 0 to 1."""
    if run.status == "complete" or run.id not in totals:
        return 1.0
    statuses = totals[run.id].statuses
    wanted = min(items, run.settings.get("limit") or items) * int(run.settings.get("samples") or 1)
    return (sum(statuses.values()) - statuses.get("error", 0)) / max(wanted, 1)


def _why(shown: Run, runs: Sequence[Run], counted: Mapping[int, float]) -> str:
    """Return what puts a run before the others of its model by RULE; `counted` are those that asked the most items."""
    rivals = [run for run in runs if run.id in counted and run is not shown]
    if not rivals:
        return "asked the most items"
    if max(counted[run.id] for run in rivals) < counted[shown.id]:
        known = any(map(knew_items, (shown, *rivals)))
        return "has the most answers" + " to items that its model did not know" * known
    return "is the newest complete one" if shown.status == "complete" else "is the newest of those with as many answers"


def pin(session: Session, study: Study, run: Run, cause: Cause) -> None:
    """Let this run stand for its model wherever one run does; raises BadSetting for a run without an answer."""
    answered = stored_runs.answered_runs(session, study=study, model=run.model)
    if not any(each.has_answer for each in answered if each.run == run):
        raise BadSetting(f"run {run.id} has no answer yet, so it cannot represent {run.model!r}; pin another")
    pinned, replaced = stored_runs.pins(session, study=study), replace(cause, reason=f"run {run.id} is pinned instead")
    for other in stored_runs.list_runs(session, study=study):
        same = other.model == run.model and language_of_run(other) == language_of_run(run)
        if same and other.id in pinned:
            stored_runs.unpin_run(session, study=study, run=other, cause=replaced)
    stored_runs.pin_run(session, study=study, run=run, cause=cause)


def unpin(session: Session, study: Study, run: Run, cause: Cause) -> None:
    """Let the rule decide again which run stands for a model; raises BadSetting for a run that is not pinned."""
    if run.id not in stored_runs.pins(session, study=study):
        raise BadSetting(f"run {run.id} is not pinned")
    stored_runs.unpin_run(session, study=study, run=run, cause=cause)


def delete(session: Session, study: Study, run: Run, cause: Cause) -> None:
    """Delete the replies of a run for good; raises BadSetting for one that is under way.

    Its number, its settings and what was paid stay. Its replies are given to no other run any more: the same questions
    are asked, and paid, anew. What other runs took of them before stays with these.
    """
    if under_way(run):
        raise BadSetting(f"run {run.id} is under way just now; stop it first")
    currency = str(run.settings.get(Fact.CURRENCY, ""))
    stored_runs.delete_run(session, study=study, run=run, cause=cause, currency=currency)


DECISIONS = {"pin": pin, "unpin": unpin, "delete": delete}
"""What may be decided about a run, by the name of its button."""


def decide(database: Database, act: str, study: str, number: int, *, who: str, reason: str) -> Run:
    """Do one of DECISIONS and return the run; raises UnknownName where there is none of this number, BadSetting."""
    if len(reason) > LONGEST_REASON:
        raise BadSetting(f"the reason has {len(reason)} characters, and {LONGEST_REASON} are kept at most; shorten it")

    def change(session: Session) -> Run:
        of = get_study(session, name=study)
        run = stored_runs.run_numbered(session, study=of, number=number)
        DECISIONS[act](session, of, run, Cause(who, now(), reason.strip()))
        return run

    return transact(database, change)


def deletion_words(database: Database, study: str, number: int) -> str:
    """Return what a deletion takes away, to be read before it is done."""
    with reading(database) as session:
        run = stored_runs.run_numbered(session, study=get_study(session, name=study), number=number)
        own = stored_runs.totals(session, run=run)
    replies, paid = sum(own.statuses.values()), f"{own.cost:.4f} {run.settings.get(Fact.CURRENCY, '')}".strip()
    cost = f" What it cost ({paid}) stays counted." if own.cost else ""
    again = "" if run.kind == "naive" else " The same questions would be asked, and paid for, again."
    return f"{replies} replies of run {number} ({run.model}) will be deleted for good.{again}{cost}"
