"""A browser that hangs ends its test, and not the lane of tests."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error

from tests.e2e.browsing import Browsing

CLOSED = "Playwright connection closed|context or browser has been closed"
"""What the lane of slow tests runs a test again for, once (scripts/test)."""

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def begun_by(pid: int) -> list[int]:
    """The processes that a process has begun, and those that they have."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for listed in lists for child in listed.read_text("ascii").split()]
    return [process for child in children for process in (child, *begun_by(child))]


def test_a_browser_that_hangs_ends_its_test_and_the_next_one_has_another(
    browsing: Browsing,
) -> None:
    page = browsing.alive().chromium.new_page()
    chromium = begun_by(browsing.pid)
    for process in chromium:
        os.kill(process, signal.SIGSTOP)
    began = time.monotonic()
    try:
        with pytest.raises(Error, match=CLOSED), browsing.within(2):
            page.evaluate("1 + 1")
    finally:
        for process in chromium:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    assert time.monotonic() - began < 30
    assert browsing.alive().chromium.new_page().evaluate("1 + 1") == 2
