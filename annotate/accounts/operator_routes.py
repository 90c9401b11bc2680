"""What those who keep the program running ask: health, readiness, metrics."""

import hmac
from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from annotate.accounts.cookies import NO_STORE
from data.metrics import REGISTRY
from db.engine import Database
from db.health import Health, StoredFigures
from db.settings import Settings

HEALTH, READY, METRICS = "/healthz", "/readyz", "/metrics"
BY_ADDRESS = frozenset({HEALTH, READY, METRICS})
"""Asked for under whichever name: probes know a server by its address. They show nothing, or ask for a token."""
CLOSED = "metrics are closed; set ETALON_METRICS to a token, and send it as `Authorization: Bearer TOKEN`"


def operator_routes(database: Database, settings: Settings) -> APIRouter:
    """Return the routes; whose token opens the metrics is a setting, without one they are closed."""
    routes, health = APIRouter(), Health(database, settings.home)
    figures, token = StoredFigures(database, settings.home), settings.metrics

    @routes.get(HEALTH)
    async def answers() -> Response:
        return PlainTextResponse("ok", headers=NO_STORE)

    @routes.get(READY)
    async def ready() -> Response:
        reason = await health.why_not_ready()
        status = HTTPStatus.SERVICE_UNAVAILABLE if reason else HTTPStatus.OK
        return PlainTextResponse(reason or "ready", status, headers=NO_STORE)

    @routes.get(METRICS)
    def metrics(request: Request) -> Response:
        if not token:
            return PlainTextResponse(CLOSED, HTTPStatus.FORBIDDEN)
        given = request.headers.get("authorization", "").encode()
        if not hmac.compare_digest(given, f"Bearer {token.get_secret_value()}".encode()):
            asked = {"WWW-Authenticate": "Bearer"}
            return PlainTextResponse("the token is not that of ETALON_METRICS", HTTPStatus.UNAUTHORIZED, asked)
        figures.look()
        return Response(generate_latest(REGISTRY), media_type=CONTENT_TYPE_LATEST, headers=NO_STORE)

    return routes
