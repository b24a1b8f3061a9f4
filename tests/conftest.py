"""What all tests share."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The machines differ in speed (a Raspberry Pi, a busy CI): a slow example is no failure. The
# examples are the same in every run, so that a failure is everybody's failure.
settings.register_profile(
    "project", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("project")

# marker -> the commands without which its tests cannot say anything
_NEEDS = {
    "browser": ("chromium",),
    "audio": ("pulseaudio", "pactl"),
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose system part is missing, and say which one."""
    for marker, commands in _NEEDS.items():
        if item.get_closest_marker(marker) is None:
            continue
        missing = [command for command in commands if shutil.which(command) is None]
        if missing:
            pytest.skip(f"not installed: {', '.join(missing)}")


@pytest.fixture(scope="session", autouse=True)
def nobodys_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test plays by what the person who runs it has set, or taught, his own table."""
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that holds pyproject.toml."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def tracked(checkout: Path) -> frozenset[str] | None:
    """The project's files by git's account, from the checkout; None where git cannot tell."""
    if not (checkout / ".git").exists() or shutil.which("git") is None:
        return None
    # A checkout that belongs to another user, as in a container, is read all the same.
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"],
        cwd=checkout,
        check=True,
        capture_output=True,
    )
    names = listed.stdout.decode().split("\0")
    return frozenset(name for name in names if (checkout / name).is_file())
