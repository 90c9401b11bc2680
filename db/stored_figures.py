"""What servers share, read from their database when Prometheus asks: leases, replies of models and their cost."""

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import bindparam, func, select
from sqlalchemy.exc import DBAPIError

from data.metrics import REGISTRY
from db.clock import now
from db.column_types import word
from db.engine import Database, read, reading
from db.health import disks, free_space
from db.run_tables import PREDICTION
from db.tables import ASSIGNMENT

_EXPIRED = (ASSIGNMENT.c.expires_at < bindparam("moment")).label("expired")
_LEASES = select(_EXPIRED, func.count()).where(ASSIGNMENT.c.status == word("held")).group_by(_EXPIRED)
# Replies are many and their texts long: those that were seen the last time are not gone through again.
_REPLIES = (
    select(PREDICTION.c.status, func.count(), func.sum(PREDICTION.c.cost), func.max(PREDICTION.c.id))
    .where(PREDICTION.c.id > bindparam("seen"), PREDICTION.c.request.is_not(None), PREDICTION.c.cached.is_(False))
    .group_by(PREDICTION.c.status)
)


class StoredFigures(Collector):
    """The figures of a database, and of the disks that this server writes to."""

    def __init__(self, database: Database, home: Path) -> None:
        self._database, self._disks, self._lock = database, disks(database, home), threading.Lock()
        self._replies: Counter[str] = Counter()
        self._cost, self._seen = 0.0, 0
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def exposition(self) -> bytes:
        """Return all figures, those that this process counts too, in the text format of Prometheus."""
        return generate_latest(REGISTRY) + generate_latest(self._registry)

    def describe(self) -> list[Metric]:
        """Return nothing: what there is is known when the database is asked."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the figures; of a database that cannot be reached only that."""
        free = GaugeMetricFamily(
            "etalon_disk_free_bytes", "Bytes that are free where this server writes.", labels=["of"]
        )
        for name, size in free_space(self._disks).items():
            free.add_metric([name], size)
        yield free
        try:
            figures = self._stored()
        except DBAPIError:
            figures = []
        yield GaugeMetricFamily("etalon_database_up", "Whether the database replied.", value=bool(figures))
        yield from figures

    def _stored(self) -> list[Metric]:
        with self._lock, reading(self._database) as session:
            held = {bool(expired): number for expired, number in read(session, _LEASES, moment=now())}
            for status, number, cost, last in read(session, _REPLIES, seen=self._seen).all():
                self._replies[status] += number
                self._cost, self._seen = self._cost + (cost or 0), max(self._seen, last)
        leases = GaugeMetricFamily(
            "etalon_leases", "Items in hand: held, or expired and not yet given anew.", labels=["state"]
        )
        for state, expired in (("held", False), ("expired", True)):
            leases.add_metric([state], held.get(expired, 0))
        replies = CounterMetricFamily(
            "etalon_model_replies", "Replies that models were asked for, by outcome.", labels=["status"]
        )
        for status, number in self._replies.items():
            replies.add_metric([status], number)
        paid = CounterMetricFamily(
            "etalon_model_cost", "What these replies cost, in the money of the price list.", value=self._cost
        )
        return [leases, replies, paid]
