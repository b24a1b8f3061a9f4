"""The keys of the slips and of the referee's PIN belong to the hall, not to its machine."""

from __future__ import annotations

from pathlib import Path
from threading import Barrier, Thread

import pytest
from sqlalchemy import Engine, update

from assistant.hall.hub.database import KEPT, DatabaseError, migrate, open_database
from assistant.hall.hub.desk import Desk, hall_keys
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.maintenance import back_up, restore
from assistant.hall.tournament import Format, Opened, PairEnrolled
from assistant.page import Keys
from assistant.page.door import keys_path, page_keys


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has stored nothing yet."""
    another_machine(tmp_path / "first", monkeypatch)


def another_machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))


def codes(engine: Engine) -> dict[int, str]:
    return Desk(Ledger(engine), list, hall_keys(engine).secret).codes(1)


def opened(engine: Engine) -> None:
    ledger = Ledger(engine)
    ledger.open(Opened("San Blas", Format.KNOCKOUT, by="Juez"))
    ledger.do(1, lambda _now: [PairEnrolled(1, "Uno", ("Ana", "Eva"), by="Juez")])


def test_slips_stay_valid_when_the_hall_is_restored(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(engine)
    keys, slips = hall_keys(engine), codes(engine)
    back_up(engine, tmp_path / "hall.zip")
    assert (tmp_path / "hall.zip").stat().st_mode & 0o077 == 0
    another_machine(tmp_path / "second", monkeypatch)
    other = open_database(str(tmp_path / "other.sqlite3"))
    restore(other, tmp_path / "hall.zip")
    assert hall_keys(other) == keys
    assert codes(other) == slips
    other.dispose()


def test_the_database_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    new = open_database(str(tmp_path / "new.sqlite3"))
    migrate(new)
    hall_keys(new)
    written = list(tmp_path.glob("new.sqlite3*"))
    assert written
    for path in written:
        assert path.stat().st_mode & 0o077 == 0, path
    new.dispose()


def test_every_process_has_the_same_codes_and_pin(
    engine: Engine, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready, told = Barrier(6), list[Keys]()

    def start() -> None:
        own = open_database(where)
        ready.wait()
        told.append(hall_keys(own))
        own.dispose()

    threads = [Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    another_machine(tmp_path / "second", monkeypatch)
    page_keys(keys_path())
    assert told == [hall_keys(engine)] * 6


def test_old_slips_stay_valid_and_a_new_hall_has_keys_of_its_own(
    engine: Engine, tmp_path: Path
) -> None:
    machines = page_keys(keys_path())
    new = open_database(str(tmp_path / "new.sqlite3"))
    migrate(new)
    assert hall_keys(new) != machines
    new.dispose()
    opened(engine)  # this tournament is from a version that stored no keys here
    assert hall_keys(engine) == machines
    keys_path().unlink()
    assert hall_keys(engine) == machines


def test_a_backup_can_be_restored_into_a_hall_that_was_never_used(
    engine: Engine, tmp_path: Path
) -> None:
    opened(engine)
    keys = hall_keys(engine)
    back_up(engine, tmp_path / "hall.zip")
    other = open_database(str(tmp_path / "other.sqlite3"))
    migrate(other)
    assert hall_keys(other) != keys
    restore(other, tmp_path / "hall.zip")
    assert hall_keys(other) == keys
    other.dispose()


def test_damaged_keys_are_reported(engine: Engine) -> None:
    hall_keys(engine)
    with engine.begin() as connection:
        connection.execute(update(KEPT).values(value="{}"))
    with pytest.raises(DatabaseError, match="damaged"):
        hall_keys(engine)
