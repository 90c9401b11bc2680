"""One model asked in several wordings of the prompt: the score of each, and how far they are apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, stdev

from baseline.comparison.results import model_ballots
from baseline.human.baseline import human_baseline
from baseline.runs.run_prompts import language_asked, mixed_words, template_language, variant_of
from data.wording import Language
from db import frames
from db.engine import Session
from db.runs import Run
from db.studies import Study
from eval.panel import PanelRules
from eval.scoring import score


@dataclass(frozen=True)
class Spread:
    """The primary metric for each prompt, by its number; the standard deviation is of a sample (n - 1).

    `languages` are those in which the prompts are written.
    """

    metric: str
    values: tuple[float, ...]
    languages: tuple[Language, ...]

    def as_dict(self) -> dict[str, object]:
        """Return it as `run --prompt-variants --json` prints it."""
        return {
            "metric": self.metric,
            "values": list(self.values),
            "mean": mean(self.values),
            "sd": stdev(self.values) if len(self.values) > 1 else None,
            "min": min(self.values),
            "max": max(self.values),
            "languages": list(self.languages),
            "note": mixed_words(self.languages),
        }

    def text(self) -> str:
        """Return it for a terminal."""
        each = ", ".join(f"{number}: {value:.3f}" for number, value in enumerate(self.values))
        apart = f" (sd {stdev(self.values):.3f})" if len(self.values) > 1 else ""
        ends = f"{min(self.values):.3f} to {max(self.values):.3f}"
        mixed = mixed_words(self.languages)
        sentence = f"{self.metric} by prompt: {each}; mean {mean(self.values):.3f}{apart}, {ends}"
        return f"{sentence}; {mixed}" if mixed else sentence


def spread(session: Session, *, study: Study, runs: Sequence[Run]) -> Spread | None:
    """Return the score of each run, in the order of the prompts, on what it answered; None without any gold."""
    human = human_baseline(session, study=study, rules=PanelRules())
    values = []
    for run in runs:
        said = model_ballots(frames.predictions(session, run_id=run.id), human)
        scores = score((study.task.primary,), human.panel.gold, said)
        if study.task.primary not in scores:
            return None
        values.append(scores[study.task.primary].value)
    asked = ((variant_of(run.settings), language_asked(run.settings)) for run in runs)
    return Spread(
        study.task.primary, tuple(values), tuple(template_language(study.task, *template) for template in asked)
    )
