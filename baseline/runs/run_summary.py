"""What a run came to, for a terminal and as JSON."""

from dataclasses import dataclass

from baseline.models.chat.refusals import refused_words, wordless_words
from baseline.models.chat.request_builder import sent_of
from baseline.models.run_fields import Fact
from data.numbers import counted
from db.runs import Run


@dataclass(frozen=True)
class RunSummary:
    """What a run came to, with all that it was before it was cut off and went on.

    `statuses` counts the predictions by status, `cached` those that earlier replies gave for nothing, `cut` those whose
    text did not fit, `before` those that were there when it went on; `seconds` are those of the clock since then.
    Tokens are summed over the replies that were paid for and whose server states them (0 where none does), `cost` is
    None where no price is known. `stopped` says in a sentence what ended the run early: the money, or somebody.
    `trouble` is what the last error said, "" where none came since the run began or went on. Of the tokens of replies
    `reasoning_tokens` were thinking; `wordless` replies ended at the limit of tokens before a word of an answer.
    """

    run: Run
    items: int
    statuses: dict[str, int]
    seconds: float
    prompt_tokens: int
    completion_tokens: int
    cached: int = 0
    cut: int = 0
    before: int = 0
    cost: float | None = None
    currency: str = ""
    stopped: str = ""
    trouble: str = ""
    reasoning_tokens: int = 0
    wordless: int = 0

    def as_dict(self) -> dict[str, object]:
        """Return it as `run --json` prints it."""
        return {
            "run": self.run.id,
            "model": self.run.model,
            "status": self.run.status,
            "items": self.items,
            "statuses": self.statuses,
            "seconds": round(self.seconds, 3),
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "reasoning_tokens": self.reasoning_tokens,
            "wordless": self.wordless,
            "sent": sent_of(self.run.settings),
            "refused": self.run.settings.get(Fact.REFUSED, {}),
            "before": self.before,
            "cached": self.cached,
            "cut": self.cut,
            "cost": self.cost,
            "currency": self.currency,
            "stopped": self.stopped or None,
            "last_error": self.trouble or None,
        }

    def text(self, *, collected: bool = False) -> str:
        """Return it for a terminal; `collected` says that its replies came out of files of results."""
        statuses = ", ".join(f"{name} {n}" for name, n in self.statuses.items())
        answers, items = sum(self.statuses.values()), counted(self.items, "item")
        asked = f"{counted(answers, 'answer')} to {items} read" if collected else f"{items} asked"
        how = f"{items}, nothing was left to ask" if self.before == answers else f"{asked} in {self.seconds:.1f} s"
        lines = [f"{self.run.model}: {how}; {statuses}"]
        if self.before:
            lines.append(f"run {self.run.id} went on: {self.before} answers were there before")
        if self.cached:
            lines.append(f"{self.cached} answers are earlier replies to the same requests, and cost nothing")
        if self.cut:
            lines.append(f"{self.cut} prompts were too long and were cut")
        if refused := refused_words(self.run.settings.get(Fact.REFUSED, {})):
            lines.append(refused)
        if self.reasoning_tokens:
            lines.append(f"{self.reasoning_tokens} of {self.completion_tokens} tokens of replies were thinking")
        if self.wordless:
            lines.append(wordless_words(self.wordless, self.run.settings))
        if self.cost is not None:
            lines.append(f"cost {self.cost:.4f} {self.currency}")
        if self.stopped:
            lines.append(self.stopped)
        elif self.run.status == "incomplete" and not collected:
            lines.append("the run is incomplete: errors are never scored; run it again")
        if self.trouble:
            lines.append(f"the last error: {self.trouble}")
        return "\n".join(lines)
