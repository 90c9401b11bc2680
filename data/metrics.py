"""What a process counts for Prometheus; what servers share is read from their database (`db/stored_figures.py`)."""

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

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
