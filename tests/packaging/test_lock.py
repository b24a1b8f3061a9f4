"""The lock files: every package is pinned and hashed, the same for playing and testing."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.tables import each_row

LOCKS = ("build", "run", "hub", "dev", "mutate")
PINNED = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[^ ]+)(?P<marker>[^\\]*)\\$")


def entries(checkout: Path, lock: str) -> dict[str, set[str]]:
    """The packages of a lock file, each with its versions and their markers."""
    found: dict[str, set[str]] = {}
    for line in (checkout / "requirements" / f"{lock}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith((" ", "#")):
            entry = PINNED.match(line)
            assert entry, f"requirements/{lock}.txt: neither pinned nor hashed: {line}"
            found.setdefault(entry["name"], set()).add(entry["version"] + entry["marker"].rstrip())
    return found


@each_row("lock", LOCKS)
def test_every_package_is_pinned_and_hashed(checkout: Path, lock: str) -> None:
    text = (checkout / "requirements" / f"{lock}.txt").read_text("utf-8")
    blocks = re.split(r"(?m)^(?=[a-z0-9])", text)[1:]
    assert len(blocks) == sum(len(versions) for versions in entries(checkout, lock).values())
    assert [block.split("==")[0] for block in blocks if "--hash=sha256:" not in block] == []


@each_row("lock", LOCKS)
def test_a_lock_file_names_no_index(checkout: Path, lock: str) -> None:
    assert "://" not in (checkout / "requirements" / f"{lock}.txt").read_text("utf-8")


def test_the_packages_for_playing_are_those_for_testing(checkout: Path) -> None:
    run, dev = entries(checkout, "run"), entries(checkout, "dev")
    assert {name: dev.get(name) for name in run} == run


@pytest.mark.parametrize(("lock", "extras"), [("run", ()), ("dev", ("dev", "hub"))])
def test_every_direct_dependency_is_locked(
    checkout: Path, lock: str, extras: tuple[str, ...]
) -> None:
    project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"]]
    for extra in extras:
        asked += project["optional-dependencies"][extra]
    names = {re.split(r"[<>=\[;]", one)[0] for one in asked}
    assert names - set(entries(checkout, lock)) == set()
