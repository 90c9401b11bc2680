"""Too fast: answers that took less time than anybody needs."""

from statistics import median
from typing import Any, Self

from pydantic import model_validator

from data.declared import setting
from eval.workers.frame import WorkerFrame
from eval.workers.rule import WHOLE, Acting, AskedNumber, Finding, Occasion, StudyFacts, WorkerRule


class FastRule(WorkerRule):
    """The median time of the last `window` answers to main items is below a limit, from `at_least` of them on.

    The limit is `seconds`, or the share `of_median` of the median of the study's own answers. One answer given in haste
    moves no median. By seconds it looks after every quick answer. The median of the study costs a statement over a
    thousand answers, so by it the rule looks after every `at_least` answers only.
    """

    key = "fast"
    title = "Too fast"
    explanation = (
        "The median active time of the latest answers is below a limit: seconds, or a share of the study’s median "
        "(from 50 answers on). Fill in one of the two. With neither, the rule is off."
    )
    stopped_text = "speed"
    needs = ("answers", "median")

    action: Acting = "flag"
    seconds: float | None = setting(
        AskedNumber(step=0.5, empty="off"),
        1.0,
        "Seconds",
        "A lower median of the latest answers is too fast",
        gt=0,
        le=3600,
    )
    of_median: float | None = setting(
        AskedNumber(step=0.05, empty="off"),
        None,
        "Or share of the median",
        "The limit as a share of the study's median",
        gt=0,
        lt=1,
    )
    at_least: int = setting(WHOLE, 5, "Minimum answers", "How many answers with a time it takes", ge=1, le=1000)
    window: int = setting(WHOLE, 20, "Latest answers", "How many are considered", ge=1, le=1000)

    @model_validator(mode="before")
    @classmethod
    def _another_limit(cls, given: Any) -> Any:
        """A share takes the place of the default seconds."""
        shared = isinstance(given, dict) and given.get("of_median") is not None
        return {"seconds": None, **given} if shared else given

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if self.seconds is not None and self.of_median is not None:
            raise ValueError("fill in the seconds or the share of the median, not both; leave one of them empty.")
        return self

    @property
    def _least(self) -> int:
        return min(self.at_least, self.window)

    def due(self, occasion: Occasion) -> bool:
        """After a quick answer to a main item, by the median after every few."""
        if occasion.role != "main":
            return False
        if self.seconds is not None:
            return occasion.seconds < self.seconds
        return self.of_median is not None and occasion.every(self._least)

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the median, the evidence the answers below the limit; without a time an answer does not count."""
        timed = [answer for answer in frame.answers(last=self.window) if answer.seconds is not None][-self.window :]
        if len(timed) < self._least:
            return None
        limit, source = self._limit(frame)
        times = [answer.seconds or 0.0 for answer in timed]
        middle = median(times)
        if middle >= limit:
            return None
        fast = [answer.key for answer, seconds in zip(timed, times, strict=True) if seconds < limit]
        reason = f"the median of the last {len(timed)} answers is {round(middle, 2):g} s, below {source}"
        return self.finding_of(frame, middle, limit, len(timed), fast, reason)

    def _limit(self, frame: WorkerFrame) -> tuple[float, str]:
        """Return the seconds below which an answer is too fast, 0 where none is, and how a reason names them."""
        if self.of_median is None:
            return self.seconds or 0.0, f"{self.seconds or 0:g} s"
        if (study := frame.median()) is None:
            return 0.0, ""
        limit, own = self.of_median * study.seconds, round(study.seconds, 2)
        source = f"{self.of_median:g} of {own:g} s, the median of the study's last {study.answers} answers"
        return limit, f"{round(limit, 2):g} s, which is {source}"

    def sentence(self, facts: StudyFacts) -> str:
        """Name the limit, and the median where it is a share of it."""
        share = self.of_median
        if share is None or facts.median is None:
            return f"the median of the last {self.window} answers under {self.seconds or 0:.1f} s"
        source = f", {share:.2g} of the study's median of {facts.median:.1f} s"
        return f"the median of the last {self.window} answers under {share * facts.median:.1f} s{source}"

    def why_ineffective(self, facts: StudyFacts) -> str:
        """Where no limit is set or known."""
        if self.seconds is None and self.of_median is None:
            return "neither seconds nor a share of the median are set as a limit."
        return "" if facts.median is not None else "no judgment has a time, so speed is unknown."
