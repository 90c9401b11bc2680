"""What a rule on workers is: its numbers, when it is due, what it reads, whom it finds, and how it says so."""

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict

from data.declared import Asked, Setting, settings_of
from eval.workers.frame import Need, WorkerFrame

Action = Literal["none", "flag", "pause", "exclude"]
STOPS: tuple[Action, ...] = ("pause", "exclude")
GOOD = 0.9
"""The accuracy of a good worker where the power of a rule is computed."""
SIMULATED = 20_000
"""Workers that are simulated, seeded, where no exact power is known."""


def _renamed(action: object) -> object:
    """Return the action by its present name: rules written earlier have "warn" for "flag"."""
    return "flag" if action == "warn" else action


Acting = Annotated[Action, BeforeValidator(_renamed)]
Flagging = Annotated[Literal["none", "flag"], BeforeValidator(_renamed)]
"""The action of a rule that finds what has honest reasons too: it stops nobody."""


@dataclass(frozen=True)
class Occasion:
    """What a worker has just done: answered a main or control item, or skipped one.

    `answers` is the number of answers to main and control items, with this one, that the worker has given. `seconds`
    are active ones; `pasted`: text was pasted into the answer; `away`: the page was out of sight meanwhile.
    """

    role: str
    answers: int = 0
    item: str = ""
    seconds: float = 0.0
    pasted: bool = False
    away: bool = False

    def every(self, number: int) -> bool:
        """Return whether this is the last of so many answers."""
        return self.role in ("main", "control") and self.answers % number == 0


@dataclass(frozen=True)
class Finding:
    """One worker whom a rule has found.

    `value` is what was measured over `n` judgments (or items met), `limit` what it was held against; `evidence` are
    their keys that show it, and `reason` says so in a sentence for requesters.
    """

    rule: str
    worker: str
    value: float
    limit: float
    n: int
    evidence: tuple[Hashable, ...]
    reason: str


@dataclass(frozen=True)
class StudyFacts:
    """What a rule's sentence takes from the study: a guesser's accuracy on controls and the median time in seconds."""

    chance: float = 0.0
    median: float | None = None


@dataclass(frozen=True)
class Chances:
    """For whom a rule's power is computed.

    One of `labels` answers is chosen and each is right equally often; on controls a guesser has the accuracy `chance`,
    and a worker of the study meets `controls_met` of them.
    """

    labels: int = 2
    chance: float = 0.5
    controls_met: int = 0


@dataclass(frozen=True)
class Power:
    """After so many `answers`: the share of random guessers not found, and of good workers who are.

    `simulated`: by 20,000 seeded workers; else exact.
    """

    answers: int
    guesser_passes: float
    good_found: float
    simulated: bool = False


@dataclass(frozen=True, kw_only=True)
class AskedNumber(Asked):
    """How a number of a rule is asked for: in steps of `step`, 1 for whole ones; `empty` says what None means.

    `when` is the value of `test` for which it is shown, "" for any; what is `hidden` stands in no form.
    """

    group: str = ""
    step: float = 1
    empty: str = ""
    when: str = ""
    hidden: bool = False


WHOLE, SHARE = AskedNumber(), AskedNumber(step=0.05)


class WorkerRule(BaseModel):
    """A rule with its numbers: its own file declares them and the constants, and says when it looks and whom it finds.

    `key` is its name in settings and events. `stopped_text` names what a stopped worker reads of it: whatever looks at
    what is right has the same words. `needs` is what it reads of a `WorkerFrame`: live nothing else is read, and that
    only when the rule is due. `by_controls`: its power grows with the controls that a worker meets, and has a table of
    its own. `caution` is what must be known wherever leaving out whom it finds is weighed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: ClassVar[str]
    title: ClassVar[str]
    explanation: ClassVar[str]
    stopped_text: ClassVar[str]
    needs: ClassVar[tuple[Need, ...]]
    by_controls: ClassVar[bool] = False
    caution: ClassVar[str] = ""

    action: Acting

    @classmethod
    def actions(cls) -> tuple[Action, ...]:
        """Return what may follow when the rule finds somebody.

        "none" never looks; "flag" writes an event; who is paused ("pause") waits until somebody has looked, and the
        answers count; who is excluded leaves the items to others.
        """
        return get_args(cls.model_fields["action"].annotation)

    @classmethod
    def numbers(cls) -> dict[str, tuple[Setting, AskedNumber]]:
        """Return its numbers but the action, by name, and how each is asked for."""
        declared = settings_of(cls).items()
        return {name: (number, number.asked) for name, number in declared if isinstance(number.asked, AskedNumber)}

    @classmethod
    def name(cls) -> str:
        """Return the title as it stands within a sentence."""
        return cls.title[0].lower() + cls.title[1:]

    def due(self, occasion: Occasion) -> bool:
        """Return whether the rule looks after this, which costs nothing: after every `minimum` answers, unless it says.

        A rule without such a number says it itself.
        """
        return occasion.every(int(getattr(self, "minimum", 1)))

    @abstractmethod
    def find(self, frame: WorkerFrame) -> Finding | None:
        """Return what shows that the worker of a frame is to be found, None where nothing does."""

    @abstractmethod
    def sentence(self, facts: StudyFacts) -> str:
        """Return how the rule is applied, with its numbers."""

    def why_ineffective(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Return why the rule can find nobody with these numbers, "" where it can."""
        return ""

    def power(self, chances: Chances) -> tuple[Power, ...]:  # noqa: ARG002
        """Return how often the rule finds whom, () where that cannot be computed."""
        return ()

    @classmethod
    def power_note(cls) -> str:
        """Return what must be known beside its power, "" for nothing."""
        return ""

    def named_controls(self) -> tuple[str, ...]:
        """Return the ids of control items that its numbers name."""
        return ()

    def finding_of(
        self, frame: WorkerFrame, value: float, limit: float, n: int, evidence: list[Hashable], reason: str
    ) -> Finding:
        """Return the finding of the worker of a frame."""
        return Finding(self.key, frame.worker, float(value), float(limit), n, tuple(evidence), reason)
