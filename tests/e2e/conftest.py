"""Fixtures of the end-to-end tests: sound, rendered once for all, and a browser with the page."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright, expect

from assistant.files.resources import load_phrases
from assistant.page import DashboardServer, serve
from assistant.table.snapshot import LogPhrases
from tests.e2e.browsing import SPARE, Browsing, opened
from tests.e2e.pictures import painted
from tests.e2e.table_process import TIMEOUT, listen
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard, PaintedBoard

EVENING = Path(__file__).parent / "evening.mus"
CLAIMS = Path(__file__).parent / "claims.mus"

expect.set_options(timeout=30_000)  # milliseconds; on a busy machine a page takes seconds


@pytest.fixture(scope="session")
def espeak() -> str:
    """The command of espeak-ng. Skip the test where it is missing."""
    found = shutil.which("espeak-ng")
    if found is None:
        pytest.skip("espeak-ng is not installed: nobody can say the calls")
    return found


Once = Callable[[str, Callable[[Path], None]], Path]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """``once("evening", make)``: a folder that ``make`` fills, once for all processes of the tests.

    A process that comes while another one makes it waits.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent

    def made(name: str, make: Callable[[Path], None]) -> Path:
        whole = folder / f"once-{name}"
        with (folder / f"once-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not whole.exists():
                part = tmp_path_factory.mktemp(name)
                make(part)
                part.rename(whole)
        return whole

    return made


@dataclass(frozen=True, slots=True)
class Heard:
    """What a table made of a recording: its last snapshot, its journal, and what it said."""

    snapshot: dict[str, Any]
    journal: Path
    said: str


@pytest.fixture(scope="session")
def rendered(once: Once, espeak: str, checkout: Path) -> Callable[[Path], Path]:
    """``rendered(script)``: its recording, in four voices."""
    assert espeak  # it says the calls
    render = [sys.executable, str(checkout / "scripts" / "lab" / "render_deal.py")]
    options = ["--voices", "espeak", "--seed", "1"]

    def said(script: Path) -> Path:
        def make(folder: Path) -> None:
            words = [*render, str(script), str(folder / "said.wav"), *options]
            subprocess.run(words, check=True, timeout=TIMEOUT)

        return once(script.stem, make) / "said.wav"

    return said


@pytest.fixture(scope="session")
def evening(rendered: Callable[[Path], Path]) -> Path:
    """``evening.mus``: four deals in four voices."""
    return rendered(EVENING)


@pytest.fixture(scope="session")
def heard_evening(once: Once, evening: Path) -> Heard:
    """The evening, heard once for all; who goes on with its journal copies it."""

    def hear(folder: Path) -> None:
        journal, voice = folder / "table.sqlite3", folder / "told.wav"
        shown = listen(evening, "--cards", EVENING, "--voice", voice, "--journal", journal)
        (folder / "shown.json").write_text(json.dumps(shown), encoding="utf-8")

    folder = once("heard", hear)
    return Heard(
        json.loads((folder / "shown.json").read_text(encoding="utf-8")),
        folder / "table.sqlite3",
        (folder / "told.log").read_text(encoding="utf-8"),
    )


@pytest.fixture(scope="session")
def claims(rendered: Callable[[Path], Path]) -> Path:
    """``claims.mus``: two showdowns without a camera, in four voices."""
    return rendered(CLAIMS)


@pytest.fixture(scope="session")
def silence(espeak: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording without speech."""
    wav = tmp_path_factory.mktemp("silence") / "silence.wav"
    subprocess.run([espeak, "-v", "es", "-w", str(wav), "."], check=True, timeout=TIMEOUT)
    return wav


@pytest.fixture(scope="session")
def browsing() -> Iterator[Browsing]:
    browsing = Browsing()
    yield browsing
    browsing.end()


@pytest.fixture(scope="module")
def driver(browsing: Browsing) -> Playwright:
    """What drives browsers; there is one in a process."""
    return browsing.alive().driver


@pytest.fixture
def browser(browsing: Browsing, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The Chromium without any page. The pages that a test leaves open are closed after it."""
    marker = request.node.get_closest_marker("timeout")
    limit = marker.args[0] if marker else float(request.config.getini("timeout"))
    with browsing.within(limit - SPARE):
        chromium = browsing.alive().chromium
        yield chromium
        with suppress(Error):
            for context in chromium.contexts:
                context.close()


@pytest.fixture(scope="module")
def spanish() -> LogPhrases:
    return load_phrases()


@pytest.fixture
def board(spanish: LogPhrases) -> FakeBoard:
    return FakeBoard(spanish)


@pytest.fixture
def server(board: FakeBoard, checkout: Path) -> Iterator[DashboardServer]:
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def page(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    yield from opened(browser, server, (1024, 768))


@pytest.fixture
def rare(
    spanish: LogPhrases, checkout: Path, browser: Browser
) -> Iterator[tuple[PaintedBoard, Page]]:
    """A painted board of four players, and its page on a tablet."""
    with painted(spanish, checkout) as (board, server):
        for page in opened(browser, server, (1024, 768)):
            yield board, page
