"""Renames of several files and folders at once: after a kill, all are old or all are new."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.cli.main import main
from assistant.files.atomic import (
    Renames,
    beside,
    delete_together,
    finish_renames,
    log_path,
    rename_together,
    replaced,
)
from tests.tables import each_row


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    log_path().parent.mkdir(parents=True)
    return log_path().parent


def folder(path: Path, text: str) -> Path:
    path.mkdir(parents=True)
    (path / "a").write_text(text)
    return path


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("voice", "la voz Ana"),
        ("model", "el modelo de voz de esta mesa"),
        ("deck", "la baraja mia"),
        ("forget", "el olvido de la voz Ana"),
        ("import", "la importación"),
    ],
)
def test_after_a_kill_at_any_file_operation_the_next_start_has_all_old_or_all_new(
    change: str, what: str, tmp_path: Path, checkout: Path
) -> None:
    """The start reports what it has finished, and nothing where there was nothing to finish."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.files.cut_short", change, str(tmp_path)],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    states, said = zip(*json.loads(done.stdout), strict=True)
    turn = states.index("new")
    assert turn > 5
    assert set(states[:turn]) == {"old"}
    assert set(states[turn:]) == {"new"}
    assert set(said[:turn]) == {""}
    assert what in said
    assert set(said) == {"", what}


@pytest.mark.usefixtures("in_spanish")
def test_the_next_start_reports_what_it_finished(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder(home / ".mia.part", "new")
    log_path().write_text(
        json.dumps({"what": "la baraja mia", "steps": [[f"{home}/.mia.part", f"{home}/mia"]],
                    "waste": []})
    )  # fmt: skip
    assert main(["profiles"]) == 0
    assert "se cortó a medias: la baraja mia." in capsys.readouterr().err
    assert (home / "mia" / "a").read_text() == "new"
    assert main(["profiles"]) == 0
    assert capsys.readouterr().err == ""


def test_a_failed_step_leaves_everything_as_it_was(home: Path) -> None:
    one, two = folder(home / "one", "1"), folder(home / "two", "2")
    (home / "file").touch()
    steps = ((one, home / "old"), (two, one), (home / "old", home / "file" / "below"))
    with pytest.raises(OSError, match=r"below|file"):
        rename_together(Renames("todo", steps))
    assert (one / "a").read_text() == "1"
    assert (two / "a").read_text() == "2"
    assert not log_path().exists()


def test_the_renames_of_another_running_process_are_left_alone(home: Path) -> None:
    folder(home / ".mia.part", "new")
    log_path().write_text(
        json.dumps({"what": "x", "steps": [[f"{home}/.mia.part", f"{home}/mia"]], "waste": []})
    )
    with log_path().with_name(log_path().name + "-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert finish_renames() == ""
        assert not (home / "mia").exists()
    assert finish_renames() == "x"


@each_row("text", ["", "[]", "{", '{"steps": 3}', "\0" * 9])
def test_a_log_of_another_program_moves_nothing(text: str, tmp_path: Path) -> None:
    mine = folder(tmp_path / "mia", "old")
    log_path().write_text(text)
    assert finish_renames() == ""
    assert (mine / "a").read_text() == "old"


def test_new_renames_finish_the_interrupted_ones_first(home: Path) -> None:
    """Otherwise they would delete the only copy that is left."""
    mia = home / "mia"
    partly, old = beside(mia)
    folder(partly, "second")
    folder(old, "first")
    log_path().write_text(
        json.dumps({"what": "x", "steps": [[f"{mia}", f"{old}"], [f"{partly}", f"{mia}"]],
                    "waste": [f"{old}"]})
    )  # fmt: skip
    with pytest.raises(OSError, match="full"), replaced(mia, "la baraja mia"):
        raise OSError("full")
    assert (mia / "a").read_text() == "second"


def test_deleting_together_leaves_no_remains(home: Path) -> None:
    voice, model = folder(home / "voices" / "Ana", "1"), folder(home / "ear", "2")
    folder(beside(voice)[0], "half a reading")
    delete_together("el olvido de la voz Ana", (voice, model))
    assert [path for path in home.rglob("*") if path.is_file()] == [
        log_path().with_name(log_path().name + "-lock")
    ]
    assert list((home / "voices").iterdir()) == []
