"""Calls of matches that were settled while the hub was away are retracted from their tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from sqlalchemy import Engine

from assistant.files.settings import Address
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.link import Link, LinkCallbacks, Subscription
from assistant.hall.hub.service import Hub
from assistant.hall.hub.store import Store
from assistant.hall.hub.wire import Status, read_called, topic
from assistant.hall.tournament import ResultEntered, TableAssigned
from scripts.lab.hubbench.servers import PASSWORD, Broker, until
from tests.hall.hub.cable import Cable
from tests.hall.hub.test_called import called

pytestmark = pytest.mark.usefixtures("frequent_looks")
SQLITE = pytest.mark.parametrize("where", ["sqlite"], indirect=True)
RESULT = ResultEntered("K1.1", (2, 0), (80, 20), by="Juez")


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def started(engine: Engine, stack: ExitStack) -> Callable[[Address], Hub]:
    def start(address: Address) -> Hub:
        hub = Hub(address, engine)
        hub.start()
        stack.callback(hub.stop)
        return hub

    return start


def kept(broker: Broker, table: str) -> str:
    """The match that the broker retains for a table, and sends to a table that connects now."""
    heard: list[bytes] = []
    there: list[bool] = []

    def message(_topic: str, payload: bytes, _done: Callable[[], None]) -> None:
        heard.append(payload)

    ears = LinkCallbacks(lambda: there.append(True), lambda: None, message)
    link = Link(
        broker.address(table), table, ears, [Subscription(topic(table, "seats"), retained=True)]
    )
    link.start()
    until(lambda: there)
    time.sleep(0.3)  # a retained message comes right after the subscription
    link.stop()
    return read_called(heard[-1]).match if heard and heard[-1] else ""


def is_kept(broker: Broker, **matches: str) -> None:
    """Wait until the broker retains these matches; mesa_1 stands for mesa-1."""
    for name, match in matches.items():
        table = name.replace("_", "-")
        until(lambda table=table, match=match: kept(broker, table) == match)  # type: ignore[misc]


@SQLITE
def test_a_hub_that_starts_retracts_calls_of_settled_matches(
    engine: Engine, broker: Broker, started: Callable[[Address], Hub]
) -> None:
    hub = started(broker.address("hub"))
    number = called(hub)
    is_kept(broker, mesa_1="San Blas K1.1")
    hub.stop()
    Ledger(engine).do(number, lambda _t: [RESULT])
    started(broker.address("hub"))
    is_kept(broker, mesa_1="")


@SQLITE
def test_a_hub_that_reconnects_retracts_calls_of_settled_matches(
    engine: Engine, broker: Broker, stack: ExitStack, started: Callable[[Address], Hub]
) -> None:
    cable = Cable(broker.port)
    cable.plug_in()
    stack.callback(cable.pull)
    hub = started(Address("127.0.0.1", cable.port, tls=False, user="hub", password=PASSWORD))
    number = called(hub)
    is_kept(broker, mesa_1="San Blas K1.1")
    cable.pull()
    until(lambda: not hub.link.up)
    Ledger(engine).do(number, lambda _t: [RESULT])
    until(lambda: "mesa-1" not in hub.scorer.called)
    cable.plug_in()
    is_kept(broker, mesa_1="")


@SQLITE
def test_a_match_that_moved_without_the_hub_is_called_to_its_new_table_alone(
    engine: Engine, broker: Broker, started: Callable[[Address], Hub]
) -> None:
    hub = started(broker.address("hub"))
    number = called(hub)
    is_kept(broker, mesa_1="San Blas K1.1")
    hub.stop()
    Ledger(engine).do(number, lambda _t: [TableAssigned("K1.1", "mesa-2")])
    started(broker.address("hub"))
    is_kept(broker, mesa_1="", mesa_2="San Blas K1.1")


@SQLITE
def test_a_table_outside_all_tournaments_is_told_that_it_has_no_match(
    engine: Engine, broker: Broker, started: Callable[[Address], Hub]
) -> None:
    hub = started(broker.address("hub"))
    Store(engine).statuses([Status("mesa-3", True)])
    called(hub)
    is_kept(broker, mesa_1="San Blas K1.1")
    hub.link.publish(topic("mesa-3", "seats"), b"x", retain=True)  # left over from another evening
    hub._scoring.forget()
    until(lambda: hub._scoring._told.get("mesa-3", 0) is None)
    is_kept(broker, mesa_3="", mesa_1="San Blas K1.1")
