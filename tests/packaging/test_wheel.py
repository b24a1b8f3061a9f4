"""The wheel and the source archive contain everything that a game needs."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from assistant import __version__
from assistant.files.paths import data_dir

pytestmark = pytest.mark.slow

BUILD = "import sys; from hatchling.build import *; print(globals()[sys.argv[1]](sys.argv[2]))"


def build(kind: str, source: Path, target: Path) -> Path:
    """Build a wheel or an sdist with the locked hatchling, without the network."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, f"build_{kind}", str(target)],
        cwd=source,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return target / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def archive(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, built from the checkout."""
    return build("sdist", checkout, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the unpacked sdist, so that both are tested."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    subprocess.run(["tar", "-xzf", archive, "-C", unpacked], check=True)
    (source,) = unpacked.iterdir()
    return build("wheel", source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def ours(tracked: frozenset[str] | None) -> frozenset[str]:
    """The files that belong to the project."""
    if tracked is None:
        pytest.skip("no git: nothing tells a player's own files from the project's")
    return tracked


def below(ours: frozenset[str], *folders: str) -> set[str]:
    """The project's files in these folders."""
    return {name for name in ours if name.startswith(tuple(f"{folder}/" for folder in folders))}


@pytest.mark.parametrize("folder", ["web", "models"])
def test_the_wheel_contains_the_data(ours: frozenset[str], wheel: Path, folder: str) -> None:
    expected = {f"assistant/_data/{name}" for name in below(ours, folder)}
    assert expected
    with zipfile.ZipFile(wheel) as packed:
        assert expected - set(packed.namelist()) == set()


def test_the_wheel_contains_every_module(ours: frozenset[str], wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        assert below(ours, "assistant") - set(packed.namelist()) == set()


def test_the_wheel_contains_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        tops = {name.split("/")[0] for name in packed.namelist()}
    assert tops == {"assistant", f"mus_assistant-{__version__}.dist-info"}


def test_the_wheel_contains_no_recordings(wheel: Path) -> None:
    """Recordings train and measure a model, and nobody may distribute them with a game.

    The demo is no recording of people; espeak-ng and SVOX pico speak it. The tones of an órdago, a
    juego and the match are computed (scripts/lab/make_tones.py). The wall's silence is silent.
    """
    demo = "assistant/_data/models/demo/deals.wav"
    tones = [f"assistant/_data/models/sounds/{name}.wav" for name in ("juego", "match", "ordago")]
    silence = "assistant/_data/web/static/silence.wav"
    sounds = (".flac", ".mp3", ".ogg", ".opus", ".wav")
    with zipfile.ZipFile(wheel) as packed:
        found = [name for name in packed.namelist() if name.lower().endswith(sounds)]
        header, samples = packed.read(silence).split(b"data", 1)
    assert sorted(found) == [demo, *tones, silence]
    assert header.startswith(b"RIFF")
    assert set(samples[4:]) == {0x80}  # the middle of eight bits


def test_the_archive_contains_the_tests_and_commands(ours: frozenset[str], archive: Path) -> None:
    expected = below(ours, "scripts", "tests", "requirements", ".ci")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert expected - names == set()


def test_an_installed_wheel_finds_its_data(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path)
    told = subprocess.run(
        [
            sys.executable,
            "-S",  # leaves out the checkout that this environment is linked to
            "-c",
            "from assistant.files.paths import data_dir as d; print(d('web'), d('models'))",
        ],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    data = tmp_path / "assistant" / "_data"
    assert told.stdout == f"{data / 'web'} {data / 'models'}\n"


def test_a_checkout_finds_its_data(checkout: Path) -> None:
    assert data_dir("web") == checkout / "web"
    assert data_dir("models") == checkout / "models"
