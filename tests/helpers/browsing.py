"""A browser at the worker page without a screen: it keeps the cookie, asks in JSON and reads the tokens."""

from html import unescape
from typing import Any

import httpx2
from fastapi import FastAPI

from annotate.worker.api import Acts, worker_routes
from annotate.worker.service import Service
from db.studies import Study

Reply = Any  # the client's response, of whichever httpx it was built with
JSON = {"content-type": "application/json"}


class Browser:
    """A browser at the worker page of one study."""

    def __init__(self, client: httpx2.Client, study: str) -> None:
        self.client, self.study = client, study

    def state(self, **options: Any) -> Reply:
        return self.client.post(f"/api/annotate/{self.study}/state", **({"json": {}} | options))

    def act(self, kind: str, **sent: Any) -> Reply:
        return self.client.post(f"/api/annotate/{self.study}/act", json={"kind": kind, **sent})

    def raw(self, body: bytes, **headers: str) -> Reply:
        return self.client.post(f"/api/annotate/{self.study}/act", content=body, headers=JSON | headers)

    def answer(self, reply: Reply, value: Any = "red") -> Reply:
        return self.act("answer", token=token(reply), value=value, seconds=2.5)

    def enter(self) -> Reply:
        self.act("consent")
        return self.act("begin")


def token(reply: Reply) -> str:
    return unescape(str(reply.json()["html"]).split('data-token="')[1].split('"')[0])


def application(service: Service, **options: Any) -> FastAPI:
    app = FastAPI()
    app.include_router(worker_routes(Acts(service, **options)))
    return app


def invited(service: Service, client: httpx2.Client, study: Study, query: str = "") -> Browser:
    reply = client.get(f"/join/{study.name}/{service.signer.invitation(study.name)}{query}")
    assert reply.status_code == 303
    return Browser(client, study.name)
