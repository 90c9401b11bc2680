"""A clock that tests set, and the service of workers that reads it, on a database of either kind."""

import pytest

from annotate.worker.service import Service
from db.engine import Database
from tests.helpers.collection import Watch, make_service


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def service(engine: Database, watch: Watch) -> Service:
    return make_service(engine, watch)
