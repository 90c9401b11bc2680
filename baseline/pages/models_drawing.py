"""The drawn parts of the page of models: what is under way, the runs, an estimate, an import."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

from markupsafe import Markup

from baseline.comparison.run_pairs import RunComparison, changed_table, pair_notes, pair_table, setting_table
from baseline.imports.import_run import ImportedRun
from baseline.models.run_fields import Fact
from baseline.output.html import drawn_with
from baseline.pages.model_jobs import DONE, Job, RunLine, RunPreview, RunsOverview
from baseline.runs.batch_files import folder_of, waiting_in, waits
from baseline.runs.result_runs import knew_items, known_items, leak_words
from baseline.runs.run_history import RUNS as HISTORY
from baseline.runs.run_settings import told_settings
from baseline.runs.run_state import imported_words, refused_words, wordless_words
from data.tables import Column, Table, chosen, name_value_table

Marked = tuple[str, str]
THIN = "\u202f"
STATES = {"ended": "ended", "pausing": "pausing: waiting for what is under way", "stopping": "stopping"}
ACTS = {
    "running": (("pause", "Pause"), ("stop", "Stop")),
    "pausing": (("stop", "Stop"),),
    "paused": (("resume", "Resume"), ("stop", "Stop")),
}
MARKS = {"error": "is-bad", "unparsable": "is-odd", "refused": "is-odd", "truncated": "is-odd"}
ORDER = ("ok", "unparsable", "refused", "truncated", "error")


def _page_column(key: str, title: str = "", help: str = "", style: str = "") -> Column[Mapping[str, Any]]:
    """Return a column of the page; one that the list of runs has too is called as it is there."""
    return Column(key, title or TITLES[key], help, itemgetter(key), style=style)


TITLES = {column.key: column.title for column in HISTORY}
RUNS = (
    _page_column("pick", "compare"),
    _page_column("run", style="start"),
    _page_column("score", "score", "The score, its difference from people, and the verdict"),
    _page_column("status", style="start"),
    _page_column("answers", "answers"),
    _page_column("statuses", help="Those that name an answer, and those that do not", style="met start"),
    _page_column("tokens", "tokens", "Of prompts and of replies, those that were paid for"),
    _page_column("seconds", "s / reply", "What a reply that was asked for took on average"),
    _page_column("cost"),
    _page_column("act", "what can be done"),
)
SOMETIMES = ("score", "tokens", "seconds", "cost")
DELETED = tuple(
    replace(column, style="start") for column in chosen(HISTORY, "run", "model", "statuses", "cost", "history")
)


def draw_live(look: RunsOverview | None) -> Markup:
    """Return what is under way, and how the last job ended; empty where there was none."""
    if look is None:
        return Markup()
    ended = [job for job in look.jobs if not job.live][:1]
    shown = [job for job in look.jobs if job.live or job in ended]
    said = {"acts": ACTS, "done": DONE, "words": _state, "facts": _progress, "pace": _pace}
    return drawn_with("models_live.html", jobs=shown, **said) if shown else Markup()


def draw_runs(look: RunsOverview | None) -> Markup:
    """Return the list of runs, the newest first; what no run has, has no column."""
    if look is None:
        return drawn_with("models_none.html")
    lines, study = [_line(line, look) for line in look.lines], look.study.name
    columns = [column for column in RUNS if column.key not in SOMETIMES or any(line[column.key] for line in lines)]
    runs, gone = Table(f"Runs of {study}, the newest first", columns, lines), Table("", DELETED, look.deleted)
    return drawn_with("models_runs.html", study=study, table=runs, gone=gone)


def draw_preview(preview: RunPreview | None, problem: str = "") -> Markup:
    """Return what a draft comes to, or the sentence that says why it cannot be; nothing for neither."""
    if preview is None:
        return drawn_with("models_estimate.html", problem=problem) if problem else Markup()
    body = preview.estimates[-1].body or {}
    settings = {name: value for name, value in body.items() if name != "messages"}
    parameters = json.dumps(settings, ensure_ascii=False, indent=1) if settings else ""
    learns = not preview.messages
    return drawn_with(
        "models_estimate.html",
        problem="",
        facts=list(_facts(preview)),
        shown=preview,
        parameters=parameters,
        leaks=leak_words(preview.leaks, learns=learns),
        knew=bool(known_items(preview.leaks, learns=learns)),
    )


def draw_imported(imported: ImportedRun | None, problem: str = "") -> Markup:
    """Return the report of an import, or the sentence that says why nothing was stored."""
    facts = name_value_table((name, words) for name, words in imported.facts() if words) if imported else None
    return drawn_with("models_imported.html", imported=imported, facts=facts, problem=problem)


def draw_comparison(comparison: RunComparison) -> Markup:
    """Return runs in pairs: a row for each pair, and folded below the settings and items that differ."""
    changed = [(pair, changed_table(pair)) for pair in comparison.pairs if pair.changed]
    return drawn_with(
        "run_comparison.html",
        study=comparison.study.name,
        rows=comparison.rows,
        table=pair_table(comparison.pairs),
        notes=pair_notes(comparison.pairs),
        settings=setting_table(comparison),
        changed=changed,
    )


def amount(number: float) -> str:
    """Return a whole number with its thousands apart."""
    return f"{number:,.0f}".replace(",", THIN)


def lasting(seconds: float) -> str:
    """Return a stretch of time in its two largest units.

    >>> lasting(59), lasting(61), lasting(3700)
    ('59 s', '1 min 1 s', '1 h 1 min')
    """
    rounded = round(seconds)
    if rounded < 60:
        return f"{rounded} s"
    if rounded < 3600:
        return f"{rounded // 60} min {rounded % 60} s"
    return f"{rounded // 3600} h {rounded % 3600 // 60} min"


def _state(job: Job) -> str:
    """Return the word for what a job is at: one that has nothing else to tell of its end is done."""
    if job.failed:
        return "failed"
    return DONE if job.message == DONE else STATES.get(job.state, job.state)


def _pace(job: Job) -> str:
    if job.progress is None or job.state != "running":
        return ""
    rate = f"{job.progress.rate:.1f} a second"
    return rate if job.progress.eta is None else f"{rate}, {lasting(job.progress.eta)} left"


def _progress(job: Job) -> Iterator[Marked]:
    if progress := job.progress:
        yield from _statuses(progress.statuses)
        if progress.cached:
            yield f"{amount(progress.cached)} from earlier replies", ""
        if job.price is not None:
            yield f"{progress.cost:.4f} {job.price.currency} paid", ""


def _statuses(counts: Mapping[str, int]) -> Iterator[Marked]:
    for name in ORDER:
        if number := counts.get(name, 0):
            several = "s" if name == "error" and number > 1 else ""
            yield f"{amount(number)} {name}{several}", MARKS.get(name, "")


def _line(line: RunLine, look: RunsOverview) -> dict[str, Any]:
    run, totals, settings = line.run, line.totals, line.run.settings
    items = min(look.items, settings.get("limit") or look.items)
    errors = totals.statuses.get("error", 0)
    wanted, waiting = items * int(settings.get("samples") or 1), line.job is None and waits(run)
    onward = "Store results" if waiting else "Retry errors" if errors and line.done >= wanted else "Go on"
    paid = totals.prompt_tokens + totals.completion_tokens > 0
    return vars(line) | {
        "kind": "naive" if run.kind == "naive" else "models",
        "about": " · ".join(_about(line)),
        "refused": refused_words(settings.get(Fact.REFUSED, {})),
        "leaked": leak_words(settings.get(Fact.LEAKED, {}), learns=run.kind == "naive"),
        "knew": knew_items(run),
        "ended": settings.get(Fact.ENDED, "") if line.state in ("incomplete", "cut off") and not waiting else "",
        "batches": waiting_in(folder) if (folder := folder_of(run)) else [],
        "wordless": wordless_words(totals.wordless, settings) if totals.wordless else "",
        "thinking": amount(totals.reasoning_tokens) if totals.reasoning_tokens else "",
        "state": "waiting" if waiting else line.state,
        "live": line.job is not None and line.state == "running",
        "bad": line.state in ("incomplete", "cut off") and not waiting,
        "collected": f"waiting: {amount(line.done)} of {amount(wanted)} collected" if waiting else "",
        "done": amount(line.done),
        "wanted": amount(wanted),
        "statuses": list(_statuses(totals.statuses)),
        "tokens": paid,
        "prompt": amount(totals.prompt_tokens) if paid else "",
        "completion": amount(totals.completion_tokens),
        "seconds": f"{totals.seconds:.2f}" if totals.seconds is not None and run.kind != "naive" else "",
        "cost": f"{totals.cost:.4f}" if totals.cost else "",
        "stands": line.stands and not all(other.stands for other in look.lines),
        "may_pin": bool(totals.statuses.keys() - {"error"}) and not line.pinned,
        "again": onward if line.may_go_on else "",
    }


def _about(line: RunLine) -> Iterator[str]:
    run = line.run
    yield f"run {run.id}, {run.started_at:%-d %b %Y %H:%M}"
    if harness := imported_words(line.run):
        yield f"from {harness}"
    yield from told_settings(run)
    if resumed := line.times_resumed():
        yield resumed
    if line.totals.cached:
        yield f"{amount(line.totals.cached)} from earlier replies"


def _facts(preview: RunPreview) -> Iterator[tuple[str, str, str]]:
    first, several = preview.estimates[0], len(preview.estimates)

    def total(name: str) -> float:
        return sum(getattr(estimate, name) or 0 for estimate in preview.estimates)

    beside = (("answered", "are there"), ("cached", "from earlier replies"))
    kept = " and ".join(f"{total(name)} {words}" for name, words in beside if total(name))
    wordings = f"{several} prompts; " if several > 1 else ""
    yield "Answers", amount(total("answers")), wordings + (kept or "all are to be asked")
    requests, cut = total("requests"), total("cut")
    sent = f"{cut} prompts are cut to fit" if cut else "to the server that you name" if requests else "nothing is sent"
    yield "Requests", amount(requests), sent
    most = f"replies: {amount(total('completion_tokens_at_most'))} at most"
    yield "Tokens of prompts, about", amount(total("prompt_tokens")), most
    if first.cost_at_least is None:
        how = "type its prices to know" if requests else "it runs in this program"
        yield "Cost", "unknown" if requests else "nothing", how
        return
    limit = "" if preview.max_cost is None else f"; it stops before {preview.max_cost:g}"
    cost = f"{total('cost_at_least'):.2f} to {total('cost_at_most'):.2f}"
    yield f"Cost, {first.currency}", cost, f"the most with the longest replies{limit}"
