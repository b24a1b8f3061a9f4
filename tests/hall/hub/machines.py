"""Tables and hubs as machines that can be switched off."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from sqlalchemy import create_engine, select

from assistant.files.settings import Address
from assistant.hall.hub.database import EVENTS, GAMES
from assistant.hall.hub.uplink import Uplink, UplinkThread
from assistant.hall.hub.wire import EventRow, game_id
from assistant.messages.codec import event_to_json
from assistant.rules.history import Record, fold
from assistant.table.journal import Outbox, SqliteJournal
from assistant.table.snapshot.views import brief
from scripts.lab.hubbench.hub_process import HubProcess
from scripts.lab.hubbench.servers import until
from tests.hall.hub.played import calls

GAME = "game-1"
CHECKOUT = Path(__file__).resolve().parents[3]


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter, because PostgreSQL runs as one; deleted at the end.

    It is not inside pytest's folders, because each start of pytest closes those to others.
    """
    with tempfile.TemporaryDirectory(prefix="mus-postgres-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


class TableMachine:
    """One table: a journal on its disk, an uplink, and players who play given records."""

    def __init__(
        self, folder: Path, address: Address, clock: Callable[[], float] = time.time
    ) -> None:
        self.path = folder / f"{address.user}.sqlite3"
        self.address = address
        self.journal = SqliteJournal(self.path, GAME)
        self._clock = clock
        self._uplink: UplinkThread | None = None

    def switch_on(self) -> None:
        """Start the uplink."""
        uplink = Uplink(self.address, Outbox(self.path, "hub"), "test", self._clock)
        uplink.take_up(GAME)
        self._uplink = UplinkThread(uplink)
        self._uplink.start()

    def switch_off(self) -> None:
        """End the uplink. The journal stays."""
        if self._uplink:
            self._uplink.stop()
            self._uplink = None

    def play(self, records: Sequence[Record], pause: float = 0.0) -> None:
        """Commit the calls that are not in the journal yet, one after another."""
        for batch in calls(list(records)):
            if batch[0].seq > self.journal.last_seq:
                self.journal.append(batch)
                if self._uplink:
                    self._uplink.uplink.news.set()
                time.sleep(pause)

    def played_beside(self, records: Sequence[Record], pause: float) -> Thread:
        """Do the same in a thread."""
        thread = Thread(target=self.play, args=(records, pause))
        thread.start()
        return thread

    @property
    def confirmed(self) -> bool:
        """Whether the hub has confirmed every record, as the table knows it."""
        outbox = Outbox(self.path, "hub")
        try:
            return all(game.position == game.last_seq for game in outbox.games())
        finally:
            outbox.close()

    def close(self) -> None:
        self.switch_off()
        self.journal.close()


def stored(where: str, table: TableMachine) -> list[EventRow]:
    """The records of a table's game in a hub's database."""
    url = where.replace("postgresql:", "postgresql+psycopg:")
    engine = create_engine(url if "://" in where else f"sqlite:///{where}")
    first = table.journal.read()[0]
    game = game_id(GAME, first.at, event_to_json(first.event))
    with engine.connect() as connection:
        rows = connection.execute(
            select(EVENTS.c.seq, EVENTS.c.batch, EVENTS.c.at, EVENTS.c.event)
            .join(GAMES)
            .where(GAMES.c.table_id == table.address.user, GAMES.c.game == game)
            .order_by(EVENTS.c.seq)
        ).all()
    engine.dispose()
    return [EventRow(*row) for row in rows]


def own_picture(table: TableMachine) -> dict[str, Any]:
    """The board's view of the table, computed from the table's own state."""
    records = table.journal.read()
    state = fold(records)
    assert state
    picture: dict[str, Any] = json.loads(json.dumps(brief(state, records[-1].seq)))
    return picture


def shown(hub: HubProcess, table: TableMachine) -> Any:
    """The view of a table on the hub's board."""
    return hub.ask(f"api/hall/{table.address.user}").get("brief")


def agree(hub: HubProcess, where: str, tables: Sequence[TableMachine], seconds: float = 40) -> None:
    """Check that every event is stored exactly once and that the board equals the tables."""
    for table in tables:
        until(lambda table=table: shown(hub, table) == own_picture(table), seconds)  # type: ignore[misc]
        rows = [
            EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in table.journal.read()
        ]
        assert stored(where, table) == rows


def at_random_moments(seed: int, count: int, least: float, most: float) -> list[float]:
    """Random pauses between faults."""
    dice = random.Random(seed)
    return [dice.uniform(least, most) for _ in range(count)]
