"""The systemd service: valid units, and every argument unchanged."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ARGS = ("--lan", "--seats", 'Ana Luis "E%va" $Juan\\', "--rules", "target=30 corrido=off")


@pytest.fixture
def home(tmp_path: Path, checkout: Path) -> dict[str, str]:
    if not (checkout / ".venv" / "bin" / "mus").exists():
        pytest.skip("the environment of ./scripts/test is elsewhere")
    folders = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    return {"PATH": os.environ["PATH"], **folders}


def run_script(checkout: Path, home: dict[str, str], *words: str) -> str:
    done = subprocess.run(
        [checkout / "scripts" / "install_service", *words],
        env=home,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def units(text: str) -> dict[str, str]:
    """The units that a dry run prints, by name."""
    found = re.split(r"^# \S*/(\S+\.service)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def test_a_dry_run_writes_nothing(checkout: Path, home: dict[str, str]) -> None:
    run_script(checkout, home, "--dry-run")
    assert not (Path(home["XDG_CONFIG_HOME"]) / "systemd").exists()


def test_the_table_is_restarted_whatever_ends_it(checkout: Path, home: dict[str, str]) -> None:
    [(name, text)] = units(run_script(checkout, home, "--dry-run")).items()
    assert name == "mus.service"
    assert {"Restart=always", "RestartSec=1", "StartLimitIntervalSec=0"} <= set(text.splitlines())


def test_every_argument_reaches_the_table_unchanged(checkout: Path, home: dict[str, str]) -> None:
    text = units(run_script(checkout, home, "--dry-run", "--", *ARGS))["mus.service"]
    command = next(line for line in text.splitlines() if line.startswith("ExecStart="))
    plain = command.removeprefix("ExecStart=").replace("%%", "%").replace("$$", "$")
    assert shlex.split(plain) == [str(checkout / ".venv/bin/mus"), "play", *ARGS]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="not installed: systemd")
@pytest.mark.skipif(shutil.which("chromium") is None, reason="not installed: chromium")
def test_systemd_accepts_the_units(checkout: Path, home: dict[str, str], tmp_path: Path) -> None:
    found = units(run_script(checkout, home, "--dry-run", "--kiosk", "--", *ARGS))
    assert set(found) == {"mus.service", "mus-screen.service"}
    for name, text in found.items():
        (tmp_path / name).write_text(text, "utf-8")
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--user", *(str(tmp_path / name) for name in found)],
        env={**home, "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    complaints = [line for line in checked.stderr.splitlines() if str(tmp_path) in line]
    assert (checked.returncode, complaints) == (0, [])


def test_an_unknown_argument_is_refused(checkout: Path, home: dict[str, str]) -> None:
    done = subprocess.run(
        [checkout / "scripts" / "install_service", "--kisok"],
        env=home,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--kisok" in done.stderr
