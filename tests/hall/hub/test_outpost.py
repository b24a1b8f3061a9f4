"""Two brokers: tables join the outpost, hubs join the core, and every event comes once."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from assistant.hall.hub.link import Link, LinkCallbacks
from assistant.hall.hub.wire import topic
from scripts.lab.hubbench.hub_process import HubProcess
from scripts.lab.hubbench.servers import Broker, running, until
from tests.hall.hub.machines import TableMachine, agree, at_random_moments
from tests.hall.hub.played import played

SQLITE = pytest.mark.parametrize("where", ["sqlite"], indirect=True)
EVENING = played(3)


@pytest.fixture
def outpost(broker: Broker, tmp_path: Path) -> Iterator[Broker]:
    server = Broker(tmp_path / "outpost", ["mesa-1", "mesa-2"], core=broker)
    with running(server):
        yield server


@pytest.fixture
def stack(outpost: Broker) -> Iterator[ExitStack]:
    assert outpost  # it must outlive everything in this stack
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def hub(where: str, broker: Broker, stack: ExitStack, tmp_path: Path) -> HubProcess:
    hub = HubProcess(tmp_path, broker, where)
    hub.start()
    stack.callback(hub.stop)
    return hub


@pytest.fixture
def tables(outpost: Broker, stack: ExitStack, tmp_path: Path) -> list[TableMachine]:
    made = [TableMachine(tmp_path, outpost.address(f"mesa-{n}")) for n in (1, 2)]
    for table in made:
        stack.callback(table.close)
        table.play(EVENING[:10])
        table.switch_on()
    return made


@SQLITE
def test_every_event_survives_killed_brokers_on_both_sides_of_the_bridge(
    where: str, hub: HubProcess, broker: Broker, outpost: Broker, tables: list[TableMachine]
) -> None:
    playing = [table.played_beside(EVENING, 0.01) for table in tables]
    for turn, pause in enumerate(at_random_moments(5, 4, 0.3, 0.8)):
        time.sleep(pause)
        victim = (broker, outpost)[turn % 2]
        victim.kill()
        time.sleep(0.3)
        victim.start()
    for thread in playing:
        thread.join()
    agree(hub, where, tables, 60)
    until(lambda: all(table.confirmed for table in tables))


@SQLITE
def test_a_table_behind_the_bridge_is_called_and_its_loss_is_told(
    where: str, hub: HubProcess, broker: Broker, tables: list[TableMachine]
) -> None:
    agree(hub, where, tables, 60)
    speaker = Link(
        broker.address("hub"), "speaker", LinkCallbacks(lambda: None, lambda: None, lambda *_: None)
    )
    speaker.start()
    until(lambda: speaker.up)
    seats = {"v": 1, "match": "San Blas K1.1", "seats": ["Ana", "Luis", "Eva", "Jon"], "juegos": 3}
    called: list[object] = []
    uplink = tables[0]._uplink
    assert uplink
    uplink.uplink._on_called = called.append
    speaker.publish(topic("mesa-1", "seats"), json.dumps(seats).encode(), retain=True)
    until(lambda: called)
    speaker.stop()
    tables[1].switch_off()
    until(lambda: not hub.ask("api/hall/mesa-2")["online"])
    assert hub.ask("api/hall/mesa-1")["online"]
