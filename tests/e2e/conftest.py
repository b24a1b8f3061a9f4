"""Sound for the end-to-end tests, rendered once for all of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.table_process import TIMEOUT

EVENING = Path(__file__).parent / "evening.mus"
CLAIMS = Path(__file__).parent / "claims.mus"


@pytest.fixture(scope="session")
def espeak() -> str:
    """The command that speaks; skip where there is none."""
    found = shutil.which("espeak-ng")
    if found is None:
        pytest.skip("espeak-ng is not installed: nobody can say the calls")
    return found


@pytest.fixture(scope="session")
def evening(silence: Path, checkout: Path) -> Path:
    """``evening.mus``, four deals, said by four voices."""
    return _rendered(EVENING, silence, checkout)


@pytest.fixture(scope="session")
def claims(silence: Path, checkout: Path) -> Path:
    """``claims.mus``, two showdowns without a camera, said by four voices."""
    return _rendered(CLAIMS, silence, checkout)


def _rendered(script: Path, silence: Path, checkout: Path) -> Path:
    wav = silence.with_name(f"{script.stem}.wav")  # where there is a silence, somebody can speak
    render = [sys.executable, str(checkout / "scripts" / "render_deal.py")]
    options = ["--voices", "espeak", "--seed", "1"]
    subprocess.run([*render, str(script), str(wav), *options], check=True, timeout=TIMEOUT)
    return wav


@pytest.fixture(scope="session")
def silence(espeak: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording in which nobody says anything."""
    wav = tmp_path_factory.mktemp("silence") / "silence.wav"
    subprocess.run([espeak, "-v", "es", "-w", str(wav), "."], check=True, timeout=TIMEOUT)
    return wav
