"""Brokers and databases for the tests of the hub."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assistant.hall.hub.database import migrate, open_database
from scripts.lab.hubbench.servers import Broker, MissingError, Postgres, running
from tests.hall.hub.machines import let_others_in

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """One PostgreSQL for all tests; each makes its own database in it."""
    folder = tmp_path_factory.mktemp("postgres")
    let_others_in(folder)
    try:
        server = Postgres(folder / "server")
    except MissingError as error:
        pytest.skip(str(error))
    with running(server):
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "hub.sqlite3")
    server: Postgres = request.getfixturevalue("postgres")
    return server.create(f"hub{next(_NUMBERS)}")


@pytest.fixture
def engine(where: str) -> Iterator[Engine]:
    """The same with its schema."""
    engine = open_database(where)
    migrate(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker for three tables."""
    try:
        server = Broker(tmp_path / "broker", ["mesa-1", "mesa-2", "mesa-3"], denials=True)
    except MissingError as error:
        pytest.skip(str(error))
    with running(server):
        yield server
