"""The figures for Prometheus: what a process counts, and what servers share, which `db/health.py` reads."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

ANSWERS = Counter("etalon_answers", "Answers of workers that were taken, by study.", ["study"], registry=REGISTRY)
REFUSALS = Counter("etalon_refusals", "What was refused to people, by its reason.", ["reason"], registry=REGISTRY)
WRITE_WAITS = Histogram(
    "etalon_write_wait_seconds",
    "How long writers waited for their turn (SQLite) or for a connection (PostgreSQL).",
    buckets=(0.001, 0.01, 0.1, 1, 10),
    registry=REGISTRY,
)
DATABASE_UP = Gauge("etalon_database_up", "Whether the database replied.", registry=REGISTRY)
DISK_FREE = Gauge("etalon_disk_free_bytes", "What is free where this server writes.", ["of"], registry=REGISTRY)
LEASES = Gauge("etalon_leases", "Items held, or expired and not yet given anew.", ["state"], registry=REGISTRY)
REPLIES = Counter("etalon_model_replies", "Replies that models were asked for.", ["status"], registry=REGISTRY)
COST = Counter("etalon_model_cost", "What these replies cost, in the money of the price list.", registry=REGISTRY)
