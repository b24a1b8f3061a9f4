"""Brokers and databases for the tests of the hub.

A session, or each of its worker processes, starts at most one PostgreSQL and one Mosquitto. Each
test has a database of its own, and a broker without retained messages. Tests that need a server, or
another process, are marked ``slow`` here.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assistant.hall.hub.database import migrate, open_database
from scripts.lab.hubbench.servers import Broker, MissingError, Postgres, running
from tests.hall.hub.machines import open_folder

SERVERS = {"broker", "postgres"}
TEMPLATE = "hub_template"
"""The PostgreSQL database with the newest schema, which the tests' databases are copied from."""
_NUMBERS = itertools.count()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        if SERVERS & set(getattr(item, "fixturenames", ())) or "postgresql" in params.values():
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL for all tests. Each test makes its own database in it."""
    with open_folder() as folder:
        try:
            server = Postgres(folder / "server", durable=False)
        except MissingError as error:
            pytest.skip(str(error))
        with running(server):
            _make(server.create(TEMPLATE))
            yield server


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the newest schema, which the tests copy."""
    file = tmp_path_factory.mktemp("sqlite") / "hub.sqlite3"
    _make(str(file))
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind: empty, or with the schema where the test asks for ``engine``."""
    made = "engine" in request.fixturenames
    if request.param == "sqlite":
        file = tmp_path / "hub.sqlite3"
        if made:
            shutil.copyfile(request.getfixturevalue("sqlite"), file)
        return str(file)
    server: Postgres = request.getfixturevalue("postgres")
    return server.create(f"hub{next(_NUMBERS)}", TEMPLATE if made else "")


@pytest.fixture
def engine(where: str) -> Iterator[Engine]:
    """The database with its schema."""
    engine = open_database(where)
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """One broker for all tests, with passwords for three tables."""
    folder = tmp_path_factory.mktemp("mosquitto") / "broker"
    try:
        server = Broker(folder, ["mesa-1", "mesa-2", "mesa-3"], denials=True)
    except MissingError as error:
        pytest.skip(str(error))
    with running(server):
        yield server


@pytest.fixture
def broker(mosquitto: Broker) -> Broker:
    """A running broker without messages of earlier tests."""
    mosquitto.start_anew()
    return mosquitto


@pytest.fixture
def frequent_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the hub look for results and call matches several times a second."""
    monkeypatch.setattr("assistant.hall.hub.scoring.LOOK_EVERY_S", 0.2)


def _make(where: str) -> None:
    engine = open_database(where)
    migrate(engine)
    engine.dispose()
