"""What a killed program leaves of JACK's registry must not keep the next one from its devices."""

from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.ear.microphone import clear_registry


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    folder = tmp_path / "jack_db-0"
    folder.mkdir()
    (folder / "__db.001").write_bytes(bytes(mmap.PAGESIZE))
    return folder


def test_a_registry_that_nobody_uses_is_taken_away(registry: Path) -> None:
    assert clear_registry(registry)
    assert not registry.exists()


def test_a_registry_in_use_stays(registry: Path) -> None:
    with (registry / "__db.001").open("r+b") as file, mmap.mmap(file.fileno(), 0):
        assert not clear_registry(registry)
    assert (registry / "__db.001").exists()


@pytest.mark.slow
def test_a_registry_that_another_process_uses_stays(registry: Path) -> None:
    holds = (
        "import mmap, sys\n"
        "file = open(sys.argv[1], 'r+b')\n"
        "held = mmap.mmap(file.fileno(), 0)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(registry / "__db.001")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == b"held\n"
        assert not clear_registry(registry)
        other.communicate()
    assert clear_registry(registry)


def test_without_a_registry_there_is_nothing_to_do(tmp_path: Path) -> None:
    assert not clear_registry(tmp_path / "jack_db-0")
