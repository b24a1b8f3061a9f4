"""``mus export`` and ``mus import``: all that belongs to a player moves to another machine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from assistant.cli.archive import belongings
from assistant.cli.main import main
from assistant.eye import deck
from assistant.eye.calibration import Calibration, save_calibration, table_dir
from assistant.eye.view import EmptyTable
from assistant.files import profile_files
from assistant.files.settings import default_journal, read_settings, settings_path, write_settings
from assistant.files.style_files import own_styles
from assistant.page.door import keys_path, page_keys
from assistant.school.drills.mus_drills import write_drills
from assistant.school.drills.schedule import DrillProgress, skipped
from assistant.school.lessons import Kept
from assistant.school.lessons.files import write_progress
from assistant.table.journal import tables

evening = import_module("tests.review.record.evening")

Machine = Callable[[str], Path]
ALL = [
    "decks/mia",
    "drills.json",
    "journal.sqlite3",
    "lessons.json",
    "profiles/mesa.toml",
    "settings.toml",
    "styles/peña.toml",
    "table",
]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A function that switches to a machine of this name and returns its data folder."""

    def sit_down(name: str) -> Path:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / name / "data"))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / name / "config"))
        return tmp_path / name

    return sit_down


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bar.mus-backup"


def live_here(checkout: Path, *, level: str = "full") -> None:
    """Play an evening on this machine, with its own deck, rules and settings."""
    default_journal().parent.mkdir(parents=True)
    evening.play(default_journal(), "a_plain_deal", table="game-1")
    shutil.copytree(checkout / "models" / "decks" / "mus", deck.own_dir() / "mia")
    profile_files.own_dir().mkdir(parents=True)
    text = 'name = "mesa"\ntitle = "Mesa"\nexplains = "La nuestra"\n[rules]\ntarget = 30\n'
    (profile_files.own_dir() / "mesa.toml").write_text(text)
    own_styles().mkdir(parents=True)
    (own_styles() / "peña.toml").write_text('like = "peña"\ntitle = "Nuestra peña"\n')
    write_settings({"level": level})
    write_progress(Kept({"05-envidar-y-querer": 2}, {}, {}))
    write_drills(skipped(DrillProgress(), "gana.pares-1-1"))
    picture = np.full((480, 640, 3), 90, np.uint8)
    save_calibration(table_dir(), Calibration((640, 480), empty=EmptyTable.learned([picture])))


def content(folder: Path) -> dict[str, bytes]:
    """The content of every file in a folder, without the locks."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith("-lock")
    }


def run_mus(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    status = main([str(word) for word in words])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.usefixtures("in_spanish")
def test_everything_exported_is_there_on_another_machine(
    machine: Machine, file: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = machine("old")
    live_here(checkout)
    status, out, err = run_mus(capsys, "export", file)
    assert (status, err) == (0, "")
    assert all(name in out for name in ALL)
    after = machine("new")
    status, out, err = run_mus(capsys, "import", file)
    assert (status, err, out.count("entra")) == (0, "", len(ALL))
    assert [info.table_id for info in tables(default_journal())] == ["game-1"]
    moved = content(after)
    assert moved.pop("data/mus/table.sqlite3")
    assert moved.items() <= content(before).items()
    assert sorted(thing.name for thing in belongings()) == ALL


def test_a_game_in_progress_can_be_exported(
    machine: Machine, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("old")
    default_journal().parent.mkdir(parents=True)
    table = evening.Evening(default_journal())
    try:
        table.say("no hay mus", 1)
        kept = tables(default_journal())
        assert run_mus(capsys, "export", file)[0] == 0
        table.say("envido", 2)
    finally:
        table.close()
    machine("new")
    assert run_mus(capsys, "import", file)[0] == 0
    assert tables(default_journal()) == kept


def test_the_pin_and_the_showdown_pictures_are_not_exported(
    machine: Machine, file: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("old")
    live_here(checkout)
    page_keys(keys_path())
    (keys_path().parent / "showdowns").mkdir()
    (keys_path().parent / "showdowns" / "00001-mesa.jpg").write_bytes(b"faces")
    assert run_mus(capsys, "export", file)[0] == 0
    new = machine("new")
    assert run_mus(capsys, "import", file)[0] == 0
    assert [name for name in content(new) if "page.json" in name or "showdown" in name] == []


def test_existing_files_stay_unless_replacement_is_asked_for(
    machine: Machine, file: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("old")
    live_here(checkout)
    run_mus(capsys, "export", file)
    new = machine("new")
    live_here(checkout, level="silent")
    (deck.own_dir() / "mia" / "deck.toml").write_text('title = "x"\nsize_mm = [61, 95]\n')
    before = content(new)
    status, out, _ = run_mus(capsys, "import", file, "--json")
    assert (status, set(json.loads(out)["things"].values())) == (0, {"kept"})
    assert content(new) == before
    status, out, _ = run_mus(capsys, "import", file, "--replace", "--json")
    answer = json.loads(out)
    assert (status, set(answer["things"].values())) == (0, {"replaced"})
    assert read_settings() == {"level": "full"}
    homes = {Path(aside).parent: Path(aside) for aside in answer["aside"]}
    assert set(homes) == {default_journal().parent, settings_path().parent}
    put_aside = {
        str((home / name).relative_to(new)): data
        for home, aside in homes.items()
        for name, data in content(aside).items()
    }
    assert put_aside == before


def test_a_dry_run_changes_nothing(
    machine: Machine, file: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("old")
    live_here(checkout)
    run_mus(capsys, "export", file)
    new = machine("new")
    status, out, _ = run_mus(capsys, "import", file, "--dry-run", "--json")
    assert (status, json.loads(out)["dry_run"]) == (0, True)
    assert json.loads(out)["things"] == dict.fromkeys(ALL, "new")
    assert not new.exists()


def test_an_import_that_fails_half_way_changes_nothing(
    machine: Machine, file: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("old")
    live_here(checkout)
    run_mus(capsys, "export", file)
    new = machine("new")
    live_here(checkout, level="silent")
    shutil.rmtree(profile_files.own_dir())
    # the import has replaced the deck and the journal by then
    profile_files.own_dir().write_text("no folder")
    before = content(new)
    status, out, err = run_mus(capsys, "import", file, "--replace")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{profile_files.own_dir()}: File exists" in err
    assert content(new) == before
    assert list(new.rglob("replaced-*")) == []
    assert list(new.rglob(".importing")) == []


def test_an_import_does_not_replace_a_game_in_progress(
    machine: Machine, file: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = machine("new")
    live_here(checkout)
    run_mus(capsys, "export", file)
    table = evening.Evening(default_journal(), "game-2")
    try:
        before = content(new)
        status, _, err = run_mus(capsys, "import", file, "--replace")
        assert (status, err.count("\n")) == (2, 1)
        assert "Another mus is running on this table" in err
        assert content(new) == before
        table.say("no hay mus", 1)
    finally:
        table.close()


def test_a_log_left_by_a_power_cut_is_exported_with_its_journal(
    machine: Machine, file: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("old")
    live_here(checkout)
    run_mus(capsys, "export", file)
    machine("new")
    default_journal().parent.mkdir(parents=True)
    left = default_journal().with_name("table.sqlite3-wal")
    left.write_bytes(b"of another journal")
    assert run_mus(capsys, "import", file)[0] == 0
    assert not left.exists()
    assert [info.table_id for info in tables(default_journal())] == ["game-1"]


def test_one_broken_deck_does_not_prevent_the_export_of_the_rest(
    machine: Machine, file: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("old")
    live_here(checkout)
    (deck.own_dir() / "mia" / "Ro.png").unlink()
    status, out, err = run_mus(capsys, "export", file)
    assert (status, err.count("\n")) == (1, 1)
    assert "decks/mia" in err
    assert "lacks 1 of 40 cards (Ro)" in err
    assert "journal.sqlite3" in out
    machine("new")
    assert run_mus(capsys, "import", file)[0] == 0
    assert sorted(thing.name for thing in belongings()) == ALL[1:]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bar.zip", "must end in .mus-backup"),
        ("bar.mus-backup", "choose another name"),
        ("none/bar.mus-backup", "make it first"),
    ],
)
def test_an_impossible_export_is_refused(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    machine("old")
    write_settings({"level": "full"})
    (tmp_path / "bar.mus-backup").write_text("an earlier one")
    status, out, err = run_mus(capsys, "export", tmp_path / name)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert (tmp_path / "bar.mus-backup").read_text() == "an earlier one"


def test_an_unused_machine_has_nothing_to_export(
    machine: Machine, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("old")
    assert "nothing to save yet" in run_mus(capsys, "export", file)[2]
    assert not file.exists()
