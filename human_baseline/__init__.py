"""Human baselines from data frames: agreement, consensus, scores, and people beside models, each with its interval.

    >>> import pandas as pd
    >>> import human_baseline as hb
    >>> said = pd.DataFrame({"task": [1, 1, 1, 2, 2, 2], "worker": list("abcabc"), "label": list("xxyyyy")})
    >>> hb.consensus(said).labels.tolist()
    ['x', 'y']

Frames have the columns `task`, `worker`, `label`, as crowd-kit's do; gold and a model's answers are a Series by task, a
mapping, or a frame with `task` and `label`. docs/api.md shows each function at work.
"""

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from data.version import PROGRAM as __version__

if TYPE_CHECKING:
    from human_baseline.analyses import agreement, alt_test, compare, consensus, correct, human_baseline, ranking, score
    from human_baseline.published import reproduce
    from human_baseline.result import Consensus, Figure, Result
    from human_baseline.study import InstalledStudy as Study

__all__ = [
    "Consensus", "Figure", "Result", "Study", "__version__", "agreement", "alt_test", "compare", "consensus",
    "correct", "human_baseline", "ranking", "reproduce", "score",
]  # fmt: skip
_ELSEWHERE = {
    "reproduce": "published:reproduce",
    **{name: f"result:{name}" for name in ("Consensus", "Figure", "Result")},
    "Study": "study:InstalledStudy",
}
"""Where what does not stand in `analyses` is."""


def __getattr__(name: str) -> Any:
    """Import a function when it is first asked for: numpy, pandas and scipy take longer than most of what they do."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    return resolve_name(f"{__name__}.{_ELSEWHERE.get(name, f'analyses:{name}')}")


def __dir__() -> list[str]:
    return __all__
