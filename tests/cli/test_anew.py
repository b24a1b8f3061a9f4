"""Reopening a table with changed settings; where that fails, the old settings hold again."""

from __future__ import annotations

import argparse
import socket
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.cli import mus_play as anew
from assistant.cli.app import Session
from assistant.cli.game import open_new
from assistant.cli.main import main
from assistant.cli.mus_play import open_anew
from assistant.cli.play_options import add_arguments, settings_from
from assistant.cli.setup import Change
from assistant.files.profile_files import find_profile
from assistant.files.resources import load_lexicon
from assistant.files.settings import Address, AddressError, Value, read_settings, write_settings
from assistant.hall import uplinked
from assistant.hall.uplinked import Uplinked
from assistant.messages import Command, Refused, Told
from assistant.rules.events import GameOpened
from assistant.rules.history import Record
from assistant.rules.profile import Real31
from assistant.table.journal import JournalError, MemoryJournal, Outbox, SqliteJournal, tables
from assistant.table.runner import Runner

pytestmark = pytest.mark.slow

NO_CERTIFICATE: dict[str, Value] = {"hub": "mqtts://mesa-1@127.0.0.1:9", "hub_ca": __file__}
FULL = "The disk is full: make room and go on."


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def args(tmp_path: Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    journal = str(tmp_path / "table.sqlite3")
    return parser.parse_args(
        ["--port", "0", "--voice", "off", "--mic", "none", "--journal", journal]
    )


@pytest.fixture
def session(args: argparse.Namespace) -> Iterator[Session]:
    with Session(settings_from(args)) as session:
        yield session


def changed(values: dict[str, Value], *, new: bool = False) -> Change:
    """A change of these settings, as the page makes it."""
    kept = read_settings()
    write_settings(values)
    return Change({key: kept.get(key) for key in values}, new=new)


def serves(session: Session) -> bool:
    with urllib.request.urlopen(f"{session.server.url}healthz", timeout=60) as answer:
        return bool(answer.status == 200)


def fails_once(monkeypatch: pytest.MonkeyPatch, of: type[SqliteJournal | MemoryJournal]) -> None:
    """Let the next opening of a game meet a full disk."""
    append = of.append

    def full(_journal: object, _records: Sequence[Record]) -> None:
        monkeypatch.setattr(of, "append", append)
        raise JournalError(FULL)

    monkeypatch.setattr(of, "append", full)


def test_a_broken_certificate_of_the_hall_leaves_the_table_as_it_was(
    session: Session, args: argparse.Namespace
) -> None:
    port = session.server.port
    open_anew(session, args, changed(NO_CERTIFICATE))
    assert (session.server.port, serves(session)) == (port, True)
    assert read_settings() == {}
    assert "certificate" in session.setup.view()["fault"]


def test_a_game_that_cannot_begin_leaves_the_old_one(
    session: Session, args: argparse.Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, game = session.server.port, session.runner.journal.table_id
    change = changed({"seats": "Ana Luis Eva Jon"}, new=True)
    fails_once(monkeypatch, SqliteJournal)
    open_anew(session, args, change)
    assert (session.server.port, serves(session)) == (port, True)
    assert session.runner.journal.table_id == game
    assert session.setup.view()["fault"] == FULL
    assert len(tables(args.journal)) == 1


def test_settings_that_cannot_be_restored_end_no_game(
    session: Session,
    args: argparse.Namespace,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    change = changed({"seats": "Ana Luis Eva Jon"}, new=True)
    fails_once(monkeypatch, SqliteJournal)

    def full(_changes: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(anew, "write_settings", full)
    open_anew(session, args, change)
    assert serves(session)
    assert "taken back: No space left on device." in caplog.text


def test_keys_that_cannot_be_saved_leave_the_table_local(
    session: Session, args: argparse.Namespace, tmp_path: Path
) -> None:
    (tmp_path / "data" / "mus" / "page.json").mkdir(parents=True)
    open_anew(session, args, changed({"lan": True}))
    assert serves(session)
    assert session.server.lan_url is None
    assert session.setup.view()["fault"] == "Is a directory."


def test_another_game_is_opened_in_the_journal_that_the_table_holds(
    session: Session, args: argparse.Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails_once(monkeypatch, SqliteJournal)
    for begun, game in (((Refused("journal_failed", text=FULL),), "game-1"),
                        ((Told(Command.NEW_GAME),), "game-2")):  # fmt: skip
        assert session.runner.begin_anew(lambda _table: True).result(60) == begun
        assert session.runner.journal.table_id == game
        assert session.runner.journal.read() == session.runner.table.records
    assert len(tables(args.journal)) == 2


def test_a_practice_that_cannot_begin_releases_its_port(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    fails_once(monkeypatch, MemoryJournal)
    assert main(["practice", "--voice", "off", "--no-mic", "--port", str(port)]) != 0
    assert FULL in capsys.readouterr().err
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", port))


def test_an_uplink_that_cannot_be_made_releases_the_journal(
    args: argparse.Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_from(args)
    game = open_new(settings, lambda _profile: load_lexicon(("es",)))
    game.begin()
    closed = []

    class Watched(Outbox):
        def close(self) -> None:
            closed.append(self)
            super().close()

    monkeypatch.setattr(uplinked, "Outbox", Watched)
    runner = Runner(game.table, game.journal, lambda: (game.journal, game.table))
    where = Address("127.0.0.1", 9, tls=True, user="mesa-1", ca=Path(__file__))
    with pytest.raises(AddressError):
        Uplinked(where, args.journal, runner)
    assert len(closed) == 1
    game.journal.close()


def test_the_command_line_holds_where_the_page_changed_nothing(
    args: argparse.Namespace,
) -> None:
    """A fresh machine: ``mus play --mano 3 --rules ...``, and then "a jugar" on the setup page."""
    args.mano, args.rules = 3, "juegos=1 corrido=off"
    with Session(settings_from(args), fresh=True) as session:
        shown = session.setup.view()
        sent = {key: shown["values"][key] for key in ("profile", "mic", "level")}
        session.setup.change({**sent, "seats": " ".join(shown["seats"])}, "new")
        assert session.change is not None
        left = open_anew(session, args, session.change)
        state = session.runner.table.state
        assert (state.mano, state.profile.juegos, str(state.profile.corrido)) == (3, 1, "off")
        session.setup.change({"profile": "vasco"}, "new")
        assert session.change is not None
        left = open_anew(session, left, session.change)
        assert session.runner.table.state.profile.kings == 4  # the page chose this, so it wins
        assert left.rules is None


def test_single_rules_of_the_page_travel_in_the_first_event_and_hold_for_later_games(
    args: argparse.Namespace,
) -> None:
    """What was switched on the page wins over ``--rules``, and is remembered on this machine."""
    args.rules = "target=25"
    set_on_page: dict[str, object] = {"profile": "vasco", "rules": "target=30 real31=sota"}
    with Session(settings_from(args), fresh=True) as session:
        session.setup.change(set_on_page, "new")
        assert session.change is not None
        left = open_anew(session, args, session.change)
        opened = session.runner.journal.read()[0].event
        assert isinstance(opened, GameOpened)
        assert opened.profile == replace(
            find_profile("vasco").profile, target=30, real31=Real31.SOTA
        )
        assert left.rules is None
        session.runner.begin_anew(lambda _table: True).result(60)
        assert session.runner.table.state.profile == opened.profile
        shown = session.setup.view()["values"]
        assert {key: shown[key] for key in set_on_page} == set_on_page
