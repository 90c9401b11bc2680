"""What became of a run, for a terminal and as JSON."""

from baseline.models.chat.refusals import refused_words, wordless_words
from baseline.models.chat.request_parameters import sent_of
from baseline.models.run_fields import Fact
from baseline.runs.prediction_writer import RunProgress
from baseline.runs.runner import RunSummary


def run_dict(summary: RunSummary) -> dict[str, object]:
    """Return what became of a run as `run --json` prints it."""
    return {
        "run": summary.run.id,
        "model": summary.run.model,
        "status": summary.run.status,
        "items": summary.items,
        "statuses": summary.statuses,
        "seconds": round(summary.seconds, 3),
        "prompt_tokens": summary.prompt_tokens,
        "completion_tokens": summary.completion_tokens,
        "reasoning_tokens": summary.reasoning_tokens,
        "wordless": summary.wordless,
        "sent": sent_of(summary.run.settings),
        "refused": summary.run.settings.get(Fact.REFUSED, {}),
        "before": summary.before,
        "cached": summary.cached,
        "cut": summary.cut,
        "cost": summary.cost,
        "currency": summary.currency,
        "stopped": summary.stopped or None,
        "last_error": summary.trouble or None,
    }


def progress_text(model: str, so_far: RunProgress) -> str:
    """Return how far a run is, in one line."""
    errors = so_far.statuses.get("error", 0)
    parts = [f"{model}: {so_far.done} of {so_far.total} answers", f"{so_far.rate:.1f} a second"]
    parts += [f"{so_far.eta:.0f} s to go"] if so_far.eta else []
    parts += [f"{errors} errors"] if errors else []
    return ", ".join(parts)


def run_text(summary: RunSummary, *, collected: bool = False) -> str:
    """Return what became of a run, for a terminal; `collected` says that its replies came out of files of results."""
    statuses = ", ".join(f"{name} {n}" for name, n in summary.statuses.items())
    how = f" {'read' if collected else 'asked'} in {summary.seconds:.1f} s"
    how = ", nothing was left to ask" if summary.before == sum(summary.statuses.values()) else how
    lines = [f"{summary.run.model}: {summary.items} items{how}; {statuses}"]
    if summary.before:
        lines.append(f"run {summary.run.id} went on: {summary.before} answers were there before")
    if summary.cached:
        lines.append(f"{summary.cached} answers are earlier replies to the same requests, and cost nothing")
    if summary.cut:
        lines.append(f"{summary.cut} prompts were too long and were cut")
    if refused := refused_words(summary.run.settings.get(Fact.REFUSED, {})):
        lines.append(refused)
    if summary.reasoning_tokens:
        lines.append(f"{summary.reasoning_tokens} of {summary.completion_tokens} tokens of replies were thinking")
    if summary.wordless:
        lines.append(wordless_words(summary.wordless, summary.run.settings))
    if summary.cost is not None:
        lines.append(f"cost {summary.cost:.4f} {summary.currency}")
    if summary.stopped:
        lines.append(summary.stopped)
    elif summary.run.status == "incomplete":
        lines.append("the run is incomplete: errors are never scored; run it again")
    if summary.trouble:
        lines.append(f"the last error: {summary.trouble}")
    return "\n".join(lines)
