"""Fixtures and hooks of all tests: their lanes, their needs, and the checkout.

Each test is in one lane. The fast lane runs for each change, so its tests start no process. The
slow lane has the tests that start one or take long. The lab lane has the tests of ``scripts/lab``.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Machines differ in speed (a Raspberry Pi, a busy CI), so a slow example is no failure. The
# examples are the same in every run, so that everybody sees the same failure.
settings.register_profile(
    "project", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("project")

# marker -> the commands that its tests need
_NEEDS = {
    "browser": ("chromium",),
    "audio": ("pulseaudio", "pactl"),
}

# What puts a test into a lane, besides the marker of that name.
_LANE_OF_FOLDER = {"e2e": "slow", "lab": "lab"}
_SLOW_MARKERS = frozenset((*_NEEDS, "alone"))
# Servers, espeak-ng (say, read), and the program of the Pi's camera.
_SLOW_FIXTURES = frozenset(("broker", "postgres", "say", "read", "programs"))

# What a fast test may start: git lists the project's files once a session, and ctypes asks the
# others, once each, where a library is that a module loads at import.
_QUICK_PROGRAMS = frozenset(("git", "ldconfig", "gcc", "cc", "ld", "objdump"))
_STARTS = frozenset(("subprocess.Popen", "os.fork", "os.posix_spawn"))
_fast_test: str | None = None  # the test of the fast lane that is running


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the slow and the lab lane. A test with neither marker is fast."""
    here = Path(__file__).parent
    for item in items:
        lane = _LANE_OF_FOLDER.get(item.path.relative_to(here).parts[0])
        marked = {marker.name for marker in item.iter_markers()}
        if lane is None and (marked & _SLOW_MARKERS or _starts_something(item)):
            lane = "slow"
        if lane is not None:
            item.add_marker(lane)
        if "audio" in marked:
            item.add_marker("alone")


def _starts_something(item: pytest.Item) -> bool:
    """Whether a test starts a process, by its fixtures or by its need of an installed program."""
    reasons = (str(marker.kwargs.get("reason")) for marker in item.iter_markers("skipif"))
    if any(reason.startswith("not installed: ") for reason in reasons):
        return True
    return not _SLOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def _refuse_processes(event: str, args: tuple[object, ...]) -> None:
    """Fail a fast test that starts a process. Python calls this audit hook before the start."""
    if event not in _STARTS or _fast_test is None:
        return
    program = Path(args[0]).name if args and isinstance(args[0], str | Path) else event
    if program not in _QUICK_PROGRAMS:
        pytest.fail(f"{_fast_test} starts {program}: mark it slow, or start no process")


sys.addaudithook(_refuse_processes)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Keep the name of the running test of the fast lane, fixtures included."""
    global _fast_test
    slow = any(item.get_closest_marker(lane) for lane in ("slow", "lab"))
    _fast_test = None if slow else item.nodeid
    try:
        return (yield)
    finally:
        _fast_test = None


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose system part is missing, and name the part."""
    for marker, commands in _NEEDS.items():
        if item.get_closest_marker(marker) is None:
            continue
        missing = [command for command in commands if shutil.which(command) is None]
        if missing:
            pytest.skip(f"not installed: {', '.join(missing)}")


@pytest.fixture(scope="session", autouse=True)
def nobodys_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the tests apart from the settings, voices and language of the person who runs them."""
    os.environ["LANGUAGE"] = "en"  # of the terminal: what has to be said in another sets it
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))


@pytest.fixture(autouse=True)
def no_language_of_an_earlier_command() -> None:
    """Forget the ``--language`` of a command that another test has run in this process."""
    from assistant.files.terminal import ASKED_LANGUAGE

    ASKED_LANGUAGE.set("")


@pytest.fixture
def in_spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the terminal speak Spanish, as on a machine that names no language."""
    monkeypatch.delenv("LANGUAGE")
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a test data of its own: decks, voices and lessons of other tests are not there."""
    folder = tmp_path / "data"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that holds pyproject.toml."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def tracked(checkout: Path) -> frozenset[str] | None:
    """The project's files as git lists them, relative to the checkout; None without git."""
    if not (checkout / ".git").exists() or shutil.which("git") is None:
        return None
    # A checkout of another user, as in a container, is read all the same.
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"],
        cwd=checkout,
        check=True,
        capture_output=True,
    )
    names = listed.stdout.decode().split("\0")
    return frozenset(name for name in names if (checkout / name).is_file())
