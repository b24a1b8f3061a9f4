"""Sound for the end-to-end tests, rendered once for all of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.table_process import TIMEOUT

EVENING = Path(__file__).parent / "evening.mus"


@pytest.fixture(scope="session")
def speaking() -> None:
    """Skip where nothing can speak."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed: nobody can say the calls")


@pytest.fixture(scope="session")
def evening(speaking: None, tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """``evening.mus``, four deals, said by four voices."""
    wav = tmp_path_factory.mktemp("evening") / "evening.wav"
    render = [sys.executable, str(checkout / "scripts" / "render_deal.py")]
    options = ["--voices", "espeak", "--seed", "1"]
    subprocess.run([*render, str(EVENING), str(wav), *options], check=True, timeout=TIMEOUT)
    return wav


@pytest.fixture(scope="session")
def silence(speaking: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording in which nobody says anything."""
    wav = tmp_path_factory.mktemp("silence") / "silence.wav"
    subprocess.run(["espeak-ng", "-v", "es", "-w", str(wav), "."], check=True, timeout=TIMEOUT)
    return wav
