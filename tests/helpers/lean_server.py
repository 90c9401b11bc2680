"""The workers' routes alone as a program to be killed: without the pages, which take seconds to start."""

import uvicorn
from fastapi import FastAPI

from annotate.accounts.installation_secret import signer_of
from annotate.worker.service import Service
from db.engine import open_database
from db.settings import Settings
from tests.helpers.browsing import application


def serving() -> FastAPI:
    """Return the routes on the database and with the secret that the environment names."""
    settings = Settings()
    database = open_database(settings.database)
    return application(Service(database, signer_of(database, settings)))


def serve(port: int) -> None:
    """Serve them at a port until stopped."""
    uvicorn.run(serving(), port=port, log_level="warning", access_log=False)
