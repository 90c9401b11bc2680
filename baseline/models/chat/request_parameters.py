"""The fields of a request that settings come to, and what was really sent of them by stored runs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from baseline.models.chat.refusals import LIMIT
from baseline.models.chat.request_settings import EFFORT, OWNED, SEED, STOP, TEMPERATURE, TOP_P
from baseline.models.chat.wire_format import Body
from baseline.models.run_fields import Fact, NoSettings
from data.errors import BadSetting

FIELDS = (TEMPERATURE, TOP_P, LIMIT, STOP, EFFORT)
"""The settings that are fields of a request, in their order."""


@dataclass(frozen=True)
class Parameters:
    """The fields of a request beside model and messages: the `settings` by their names; a `seed` of None is none.

    Where several samples are asked of an item each has its own seed, from 0 on unless `seed` says otherwise; `seeded`
    says whether the API has one at all.
    """

    settings: Mapping[str, Any]
    seed: int | None = None
    seeded: bool = True

    @staticmethod
    def of(settings: NoSettings | Mapping[str, Any], seed: int | None = None, *, seeded: bool = True) -> "Parameters":
        """Return those of a provider's settings, or those that a stored run was asked with."""
        values = settings if isinstance(settings, Mapping) else dict(settings)
        asked = {name: values[name] for name in (*FIELDS, "params") if values.get(name) not in (None, (), [], {})}
        return Parameters(asked, values.get(SEED) if isinstance(settings, Mapping) else seed, seeded)

    @property
    def longest(self) -> int:
        """The most tokens that a reply may have."""
        return int(self.settings[LIMIT])

    @property
    def heat_is_free(self) -> bool:
        """Whether the temperature is the one that is sent where nothing was asked for."""
        return self.settings.get(TEMPERATURE) == 0

    def option(self, name: str) -> str:
        """Return the option by which a field of the request was said, or would be."""
        own = {**OWNED, **{field: f"--{field.replace('_', '-')}" for field in FIELDS}}
        return own[name] if name in own and name not in self.settings.get("params", {}) else f"--param {name}"

    def check(self) -> None:
        """Refuse (BadSetting) a parameter that is said twice, by its own setting and by its name."""
        for name in self.settings.get("params", {}).keys() & self.settings.keys():
            raise BadSetting(f"{name!r} is given twice, by its own setting and as a parameter; give it once")

    def body(self, *, sample: int = 0, samples: int = 1) -> Body:
        """Return the fields of a request as they are asked for, before any is found to be refused."""
        values = {name: value for name, value in self.settings.items() if name != "params"}
        if self.seeded and (self.seed is not None or samples > 1):
            values[SEED] = (self.seed or 0) + sample
        return values | dict(self.settings.get("params", {}))

    @property
    def known_before(self) -> bool:
        """Whether versions before this one could ask the same; they sent a seed with it, always."""
        return self.heat_is_free and self.seed is None and self.settings.keys() <= {TEMPERATURE, LIMIT}


def sent_of(settings: Mapping[str, Any]) -> Body:
    """Return the parameters that were really sent by a run with these settings; {} for one that sent nothing."""
    if Fact.SENT in settings or LIMIT not in settings:
        return dict(settings.get(Fact.SENT, {}))
    return Parameters.of(settings).body(samples=settings.get("samples") or 1)


def found_refused(runs: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return what a server refuses by the settings of its runs, the newest first: who tried a field last tells."""
    parameters: dict[str, str | None] = {}
    tried: set[str] = set()
    for run in runs:
        refused, sent = run.get(Fact.REFUSED, {}), sent_of(run)
        parameters |= {name: other for name, other in refused.items() if name not in tried}
        tried |= refused.keys() | {name for name, value in sent.items() if name != TEMPERATURE or value == 0}
    return parameters
