"""A released tournament: whoever has the file can repeat its draw and its results."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assistant.cli.main import main
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.maintenance import back_up, prune, restore
from assistant.hall.hub.release import ReleaseError, release, verify
from assistant.hall.hub.scoring import Scorer
from assistant.hall.hub.store import JournalReader, Store
from assistant.hall.hub.wire import Batch, EventRow, game_id
from assistant.hall.tournament import (
    CallSettled,
    Drawn,
    PairEnrolled,
    RefereeCalled,
    ResultCountersigned,
    ResultEntered,
    TableAssigned,
    order_of,
    players,
)
from assistant.messages.codec import event_to_json
from tests.hall.hub.test_tournaments import GAME, OPENED, PAIRS, Clock, begun

ROWS = tuple(EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in GAME)
NAME = game_id("game-1", ROWS[0].at, ROWS[0].event)
MORE = (
    *PAIRS,
    PairEnrolled(3, "Sin prisa", ("Itziar", "Pello")),
    PairEnrolled(4, "Amarracos", ("Rosa", "Julio")),
)

pytestmark = pytest.mark.parametrize("where", ["sqlite"], indirect=True)


def tournament(engine: Engine) -> int:
    """One result from a table's journal, one that people signed."""
    clock = Clock()
    ledger, store = Ledger(engine, clock), Store(engine, clock)
    number = begun(ledger, pairs=MORE)
    now = ledger.standing(number).tournament
    here, other = "K1.1", "K1.2"
    if 1 not in players(now, here):
        here, other = other, here
    ledger.do(number, lambda _t: [TableAssigned(here, "mesa-1"), TableAssigned(other, "mesa-2")])
    store.take([Batch("mesa-1", NAME, 0.0, ROWS)])
    clock.now += 60
    Scorer(ledger, JournalReader(engine), clock=clock).score()
    ledger.do(number, lambda _t: [
        ResultEntered(other, (1, 0), (40, 20), "Los de la plaza"),
        RefereeCalled(other, "Tres reyes", "No ha sido así"), CallSettled(other, "Juez"),
        ResultCountersigned(other, "Juez")])  # fmt: skip
    return number


def test_a_draw_from_a_bag_is_checked_against_the_bag_and_not_called_repeated(
    engine: Engine, tmp_path: Path
) -> None:
    ledger = Ledger(engine)
    number = ledger.open(OPENED)
    ledger.do(number, lambda _t: MORE)
    bag = sorted(ledger.standing(number).tournament.pairs, reverse=True)
    ledger.do(number, lambda t: [Drawn(7, order_of(t, 7, bag), bag=tuple(bag))])
    release(engine, number, tmp_path / "bag.zip")
    found = verify(tmp_path / "bag.zip")
    assert (found.draws, found.wrong) == (0, ())


@pytest.fixture
def file(engine: Engine, tmp_path: Path) -> Path:
    release(engine, tournament(engine), tmp_path / "san-blas.zip")
    return tmp_path / "san-blas.zip"


def changed(file: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The file after somebody changed it; the manifest is as it was."""
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    file.write_bytes(written.getvalue())
    return file


def hashed_anew(files: dict[str, bytes]) -> None:
    """What somebody does who knows how the file is made, but has not the hall's key."""
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {
        name: sha256(content).hexdigest()
        for name, content in files.items()
        if not name.startswith("manifest")
    }
    files["manifest.json"] = json.dumps(manifest).encode()


def test_a_released_tournament_fits(file: Path) -> None:
    found = verify(file)
    assert found.wrong == ()
    assert (found.draws, found.journals, found.people, found.gone) == (1, 1, 1, 0)
    assert found.tournament == "San Blas"


def test_a_hall_signs_with_one_key_also_after_it_was_restored(
    engine: Engine, tmp_path: Path, file: Path
) -> None:
    from assistant.hall.hub.database import open_database

    back_up(engine, tmp_path / "hall.zip")
    other = open_database(str(tmp_path / "other.sqlite3"))
    restore(other, tmp_path / "hall.zip")
    assert release(other, 1, tmp_path / "again.zip") == verify(file).key
    other.dispose()


def lines_of(files: dict[str, bytes]) -> list[str]:
    return files["acts.jsonl"].decode().splitlines()


def another_score(files: dict[str, bytes]) -> None:
    lines = lines_of(files)
    at = next(n for n, line in enumerate(lines) if NAME in line)
    told = json.loads(lines[at])
    told["act"]["juegos"] = told["act"]["juegos"][::-1]
    lines[at] = json.dumps(told)
    files["acts.jsonl"] = "\n".join(lines).encode()


def another_draw(files: dict[str, bytes]) -> None:
    files["acts.jsonl"] = files["acts.jsonl"].replace(b'"seed": 7', b'"seed": 8')


def an_act_less(files: dict[str, bytes]) -> None:
    files["acts.jsonl"] = "\n".join(lines_of(files)[:2] + lines_of(files)[3:]).encode()


def another_journal(files: dict[str, bytes]) -> None:
    name = next(name for name in files if name.startswith("games/"))
    files[name] = files[name].replace(b"Ana", b"Eva")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (another_score, "gives another result"),
        (another_draw, "may not follow (other_order)"),
        (an_act_less, "is missing"),
        (another_journal, "journal"),
    ],
)
@pytest.mark.parametrize("hashed", [False, True])
def test_whatever_was_changed_is_told(
    file: Path, change: Callable[[dict[str, bytes]], None], told: str, hashed: bool
) -> None:
    def both(files: dict[str, bytes]) -> None:
        change(files)
        if hashed:
            hashed_anew(files)

    wrong = verify(changed(file, both)).wrong
    assert any(told in sentence for sentence in wrong)
    signed = "signature" if hashed else "was changed after it was signed"
    assert any(signed in sentence for sentence in wrong)


def test_a_result_whose_journal_was_pruned_is_told_as_such(engine: Engine, tmp_path: Path) -> None:
    number = tournament(engine)
    prune(engine, 1)
    release(engine, number, tmp_path / "a.zip")
    found = verify(tmp_path / "a.zip")
    assert (found.journals, found.gone, found.wrong) == (0, 1, ())


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all", b"\0" * 5000])
def test_what_is_no_release_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes, where: str
) -> None:
    assert where
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(ReleaseError, match="is damaged or no released tournament"):
        verify(tmp_path / "a.zip")


def test_the_commands_tell_it_in_the_machines_language(
    engine: Engine,
    where: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANGUAGE", "es")
    number, file = tournament(engine), str(tmp_path / "a.zip")
    assert main(["hub", "release", str(number), file, "--database", where, "--json"]) == 0
    key = json.loads(capsys.readouterr().out)["key"]
    assert main(["hub", "verify", file, "--key", key]) == 0
    assert "✓ Todo cuadra." in capsys.readouterr().out
    assert main(["hub", "verify", file, "--key", "0000"]) == 1
    assert "Lo ha firmado otra clave" in capsys.readouterr().out
    changed(Path(file), another_draw)
    assert main(["hub", "verify", file, "--json"]) == 1
    assert len(json.loads(capsys.readouterr().out)["wrong"]) == 2
    assert main(["hub", "verify", str(tmp_path / "none.zip")]) == 2
    assert capsys.readouterr().err == f"mus: {tmp_path}/none.zip no se puede leer: no existe.\n"
