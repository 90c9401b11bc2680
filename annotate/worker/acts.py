"""Acts: what a worker sends, as the page tells it."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from annotate.worker.stages import ActKind

Token = Annotated[str, StringConstraints(max_length=100, pattern=r"^[\x21-\x7e]*$")]


@dataclass(frozen=True)
class Act:
    """One act. `token` is that of the item on the page; what a `value` may be is for the task's answer type to say.

    `seconds` is the active time that the page measured; the server's own count bounds it. `pasted`: text was pasted
    into the answer; `away`: the page was out of sight meanwhile.
    """

    kind: ActKind
    token: Token = ""
    value: Any = None
    seconds: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    pasted: bool = False
    away: bool = False
