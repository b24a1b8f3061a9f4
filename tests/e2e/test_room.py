"""A deal spoken in a room: PortAudio records it, the table counts it, the page shows it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.pulse import Pulse
from tests.e2e.table_process import TIMEOUT, command, mus

ROOM = Path(__file__).parent / "room.mus"

pytestmark = [pytest.mark.audio, pytest.mark.browser]


@pytest.fixture
def pulse() -> Iterator[Pulse]:
    with Pulse() as pulse:
        yield pulse


@pytest.fixture(scope="module")
def said(silence: Path, checkout: Path) -> Path:
    """``room.mus`` in four voices."""
    wav = silence.with_name("room.wav")  # the fixture ``silence`` proves that espeak-ng is there
    render = [
        sys.executable,
        str(checkout / "scripts" / "lab" / "render_deal.py"),
        str(ROOM),
        str(wav),
    ]
    options = ["--voices", "espeak", "--seed", "2", "--gap", "0.4", "0.6"]
    subprocess.run([*render, *options], check=True, timeout=TIMEOUT)
    return wav


def snapshot(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}api/snapshot", timeout=60) as answer:
        shown: dict[str, Any] = json.load(answer)
    return shown


def wait_for(url: str, key: str, value: object) -> dict[str, Any]:
    """The first snapshot in which ``key`` has ``value``, or the last one before the deadline."""
    deadline = time.monotonic() + 60
    while (shown := snapshot(url))[key] != value and time.monotonic() < deadline:
        time.sleep(0.05)
    return shown


def test_a_deal_spoken_in_a_room_is_counted_and_shown(
    pulse: Pulse, said: Path, tmp_path: Path, browser: Browser
) -> None:
    page = browser.new_page(locale="es-ES")
    options: list[str | Path] = ["--port", "0", "--voice", "off", "--cards", ROOM]
    table = subprocess.Popen(
        command("play", *options, "--journal", tmp_path / "table.sqlite3"),
        env=pulse.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert table.stdout is not None
        greeting = table.stdout.readline()
        found = re.search(r"http://\S+", greeting)
        assert found, greeting
        url = found[0]
        listening = wait_for(url, "ear", {"state": "listening", "note": ""})
        assert listening["ear"]["state"] == "listening"
        page.goto(url)
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        pulse.play(said)
        shown = wait_for(url, "phase", "count")
        expect(page.locator(".main")).to_have_text("Contado")
        for side in shown["sides"]:
            count = page.locator(f'.side[data-side="{side["side"]}"] .count')
            expect(count).to_have_text(str(side["stones"]))
    finally:
        table.send_signal(signal.SIGTERM)
        _, errors = table.communicate(timeout=60)
    wanted = json.loads(mus("score", ROOM, "--json").stdout)
    assert {side["side"]: side["stones"] for side in shown["sides"]} == wanted["stones"]
    assert shown["phase"] == "count"
    assert table.returncode == 0
    assert "Traceback" not in errors
