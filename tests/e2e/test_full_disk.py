"""A full disk during a hand: the page reports it, no record is lost, and play goes on later."""

from __future__ import annotations

import re
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.live_table import LiveTable, live

pytestmark = pytest.mark.browser

TOLD = "No he podido guardarlo"
SMALL = "mount -t tmpfs -o size=400k none '{folder}'"
"""The size of a disk with room for a journal and little more."""

Fill = Callable[[], Callable[[], None]]
"""Fills the table's disk. It returns a function that frees some space."""


def of_files_that_must_not_grow(table: LiveTable, journal: Path) -> Fill:
    """Limit the size of the table's files, for users who cannot mount a disk."""

    def fill() -> Callable[[], None]:
        log = journal.with_name(f"{journal.name}-wal")
        free = resource.prlimit(table.process.pid, resource.RLIMIT_FSIZE)
        least = (log.stat().st_size, free[1])
        resource.prlimit(table.process.pid, resource.RLIMIT_FSIZE, least)
        return lambda: _lift(table, free)

    return fill


def of_a_small_disk(table: LiveTable, journal: Path) -> Fill:
    """Put the table on a small disk of its own, which only it sees."""

    def fill() -> Callable[[], None]:
        folder = Path(f"/proc/{table.process.pid}/root{journal.parent}")
        ballast = folder / "ballast"
        with ballast.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            _write_for_ever(file)
        return ballast.unlink

    return fill


def _write_for_ever(file: IO[bytes]) -> None:
    while file.write(b"x" * 512):
        pass


def _lift(table: LiveTable, free: tuple[int, int]) -> None:
    resource.prlimit(table.process.pid, resource.RLIMIT_FSIZE, free)


def in_a_small_disk(folder: Path) -> list[str]:
    """The command prefix that gives a process a small disk.

    Skip the test where that is not allowed.
    """
    mount = SMALL.format(folder=folder)
    words = ["unshare", "-rm", "sh", "-c", f'{mount} && exec "$@"', "sh"]
    try:
        tried = subprocess.run([*words, "true"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("not installed: unshare")
    if tried.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {tried.stderr.strip()}")
    return words


@pytest.fixture(params=["limit", "disk"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[LiveTable, Fill]]:
    journal = tmp_path / "table.sqlite3"
    within = in_a_small_disk(tmp_path) if request.param == "disk" else []
    kind = of_a_small_disk if request.param == "disk" else of_files_that_must_not_grow
    with live(journal, "--mano", "1", within=within) as table:
        yield table, kind(table, journal)


@pytest.fixture
def seen(browser: Browser, table: tuple[LiveTable, Fill]) -> Iterator[Page]:
    context = browser.new_context(locale="es-ES", reduced_motion="reduce")
    page = context.new_page()
    page.goto(table[0].url)
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    yield page
    context.close()


def tap(page: Page, label: str) -> None:
    page.locator("#actions").get_by_role("button", name=label, exact=True).click()


def test_a_full_disk_is_reported_on_the_page_and_play_goes_on_once_there_is_space(
    table: tuple[LiveTable, Fill], seen: Page
) -> None:
    game, fill = table
    tap(seen, "No hay mus")
    expect(seen.locator(".main")).to_have_text("Grande")
    kept = game.game()
    free = fill()
    # The page takes a second tap for a slip of the finger until the first has its answer.
    with seen.expect_response("**/api/press") as answer:
        tap(seen, "Órdago")
    answer.value.finished()
    expect(seen.locator(".heard-say")).to_have_text(re.compile(TOLD))
    expect(seen.locator(".main")).to_have_text("Grande")
    assert game.game() == kept, "the game equals the records on the disk"
    free()
    tap(seen, "Órdago")
    expect(seen.locator(".main")).to_have_text(re.compile("ÓRDAGO", re.IGNORECASE))
    assert game.game()["seq"] == kept["seq"] + 1
