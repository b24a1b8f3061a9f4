"""The subcommands of ``mus hub`` as a person types them."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, update

from assistant.cli.main import main
from assistant.hall.hub.database import GAMES
from assistant.hall.hub.store import Refusal, Store
from assistant.hall.hub.wire import Batch, EventRow, Status, WireError
from assistant.messages.codec import event_to_json
from assistant.table.journal import SqliteJournal
from scripts.lab.hubbench.hub_process import HubProcess
from scripts.lab.hubbench.servers import PASSWORD, Broker, free_port
from tests.hall.hub.machines import CHECKOUT
from tests.hall.hub.played import played
from tests.tables import each_row

GAME = played(4)
ROWS = tuple([EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in GAME])


@pytest.fixture
def filled(engine: Engine, where: str) -> str:
    Store(engine).take([Batch("mesa-1", "game-1", 0.0, ROWS)])
    return where


def test_a_game_is_exported_as_a_journal_that_mus_record_can_read(
    filled: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mesa.sqlite3"
    words = ["hub", "export", "mesa-1", "--journal", str(file), "--database", filled]
    assert main(words) == 0
    with closing(SqliteJournal(file, "game-1", read_only=True)) as journal:
        assert journal.read() == GAME
    assert main(["record", "--journal", str(file)]) == 0
    assert "Norte" in capsys.readouterr().out
    assert main(words) == 2  # an existing file is never overwritten


def test_a_game_is_exported_as_json_lines(filled: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hub", "export", "mesa-1", "--game", "game-1", "--database", filled]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(GAME) + 1))
    assert lines[0]["event"]["type"] == "GameOpened"
    assert main(["hub", "export", "mesa-9", "--database", filled]) == 2
    assert "mesa-1" in capsys.readouterr().err


def test_a_hall_is_backed_up_restored_and_pruned(
    filled: str, tmp_path: Path, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = str(tmp_path / "hall.zip"), str(tmp_path / "other.sqlite3")
    assert main(["hub", "backup", file, "--database", filled]) == 0
    assert main(["hub", "restore", file, "--database", other, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["rows"]["events"] == len(GAME)
    assert main(["hub", "restore", file, "--database", other]) == 2
    with engine.begin() as connection:
        connection.execute(update(GAMES).values(touched=0.0))
    for words, told in (([], "would be"), (["--yes"], "1 games"), ([], "0 games")):
        assert main(["hub", "prune", "--older", "30", "--database", filled, *words]) == 0
        assert told in capsys.readouterr().out


def test_the_doctor_reports_what_is_wrong(
    engine: Engine, where: str, broker: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    password = tmp_path / "password"
    password.write_text(PASSWORD)
    url = f"mqtt://hub@127.0.0.1:{broker.port}"
    words = ["hub", "doctor", "--database", where, "--broker", url]
    assert main([*words, "--password-file", str(password)]) == 0
    assert "✗" not in capsys.readouterr().out
    store = Store(engine)
    store.take([Batch("mesa-1", "game-1", 0.0, ROWS[:2]), Batch("mesa-1", "game-1", 0.0, ROWS[8:])])
    store.statuses([Status("mesa-1", True, (), 1e9)])
    store.refuse([Refusal("mus/1/t/mesa-2/events", b"", WireError("malformed", "Nonsense."))])
    store.fault(1, "Nobody folds that.")
    assert main([*words, "--json"]) == 1
    found = {(one["what"], one["how"]) for one in json.loads(capsys.readouterr().out)}
    assert found == {
        ("database", "ok"), ("tables", "ok"), ("mesa-1", "warn"), ("mesa-1", "bad"),
        ("refused", "warn"), ("broker", "bad"),
    }  # fmt: skip


@each_row(
    "words",
    [
        ["hub", "--broker", "http://x"],
        ["hub", "--database", "mysql://x/y"],
        ["hub", "--password-file", "/nowhere"],
        ["hub", "backup", "/nowhere/x.zip", "--database", "/nowhere.sqlite3/x"],
        ["hub", "--page-port", "70000"],
        ["play", "--hub", "mqtt://hub.local"],
        ["play", "--hub", "nonsense"],
        ["play", "--demo", "--hub", "mqtt://mesa-1@hub.local"],
    ],
)
def test_wrong_input_gives_one_sentence_and_exit_code_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    told = capsys.readouterr().err
    assert told.startswith("mus: ")
    assert len(told.splitlines()) == 1


def test_a_port_in_use_is_reported_with_the_option_that_changes_it(
    tmp_path: Path, broker: Broker, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["hub", "--database", str(tmp_path / "hub.sqlite3")]
    words += ["--broker", f"mqtt://hub@127.0.0.1:{free_port()}"]
    for option in ("--port", "--page-port"):
        assert main([*words, option, str(broker.port)]) == 2
        assert "choose another with --page-port." in capsys.readouterr().err


JOBS = (["prune", "--older", "3", "--yes"], ["export", "mesa-1"], ["backup", "hall.zip"])


@each_row("job", [*JOBS, ["doctor"]])
def test_a_mistyped_database_is_reported_and_not_created(
    job: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = tmp_path / "mistyped" / "hub.sqlite3"
    assert main(["hub", *job, "--database", str(typed)]) == 2
    assert capsys.readouterr().err == (
        f"mus: There is no database {typed}: check --database; mus hub makes a new one.\n"
    )
    assert not typed.parent.exists()


@each_row("job", JOBS)
def test_a_database_of_another_program_is_reported_and_left_unchanged(
    job: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.sqlite3"
    with closing(SqliteJournal(file, "game-1")) as journal:
        journal.append(GAME)
        assert main(["hub", *job, "--database", str(file)]) == 2
        assert "There is no hub in" in capsys.readouterr().err
        assert journal.read() == GAME
    with closing(sqlite3.connect(file)) as connection:
        assert not connection.execute(
            "SELECT 1 FROM sqlite_master WHERE name IN ('alembic_version', 'kept')"
        ).fetchall()


def doctor(where: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The output of the doctor for a person who types the command."""
    command = [sys.executable, "-m", "assistant.cli.main", "hub", "doctor", "--database", where]
    return subprocess.run([*command, *words], cwd=CHECKOUT, capture_output=True, text=True)


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_the_doctor_asks_the_broker_of_the_running_hub_and_reports_a_fault_once(
    where: str, broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    hub = HubProcess(tmp_path, broker, where)
    hub.start()
    hub.stop()
    (kept,) = (tmp_path / "data" / "mus").iterdir()
    assert kept.stat().st_mode & 0o077 == 0  # it contains the password
    told = doctor(where)
    assert (told.returncode, told.stderr) == (0, "")
    assert f"✓ broker: mqtt://hub@127.0.0.1:{broker.port}" in told.stdout
    broker.stop()
    told = doctor(where)
    assert (told.returncode, told.stderr) == (1, "")
    assert told.stdout.count("does not answer") == 1
    other = doctor(where, "--broker", f"mqtt://hub@127.0.0.1:{(port := free_port())}")
    assert f"127.0.0.1:{port}" in other.stdout
