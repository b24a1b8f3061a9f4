"""A whole deal with four telephones: its calls said to four pages, its hands photographed."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import time
import wave
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from assistant.ear.audio import RATE
from assistant.language.script import Cards, parse_script
from scripts.lab.eyebench.closeups import CloseUp, photographed
from scripts.lab.eyebench.layouts import Way
from scripts.lab.rendering.deal import write_wav
from tests.e2e.browsing import FLAGS
from tests.e2e.live_table import LiveTable
from tests.e2e.network import Network
from tests.e2e.table_process import TIMEOUT
from tests.e2e.test_page_microphone import a_telephone, played, seated
from tests.eye.eyes import art, saved

pytestmark = [pytest.mark.browser, pytest.mark.alone, pytest.mark.timeout(300)]

DEAL = Path(__file__).with_suffix("").with_name("four_telephones.mus")
SCRIPT = parse_script(DEAL.read_text("utf-8"))
SEATS = ("Norte", "Oeste", "Sur", "Este")
PHOTOGRAPHS = (4, 9, 1, 7)
"""The dice of the seats' photographs, which show the hands of the deal."""
OTHERS = 10 ** (-14 / 20)
"""How loud a telephone hears the other players, who are four times as far away as its own."""
BREATH = 0.3
"""Seconds of quiet before and after a call."""
SOON = 0.25
"""Seconds until a call begins: one voice reaches all telephones at the same time."""
TIMES, PATIENCE = 3, 6.0
"""How often a player says a call, and the seconds for which he waits until it counts."""
ROOM, HISS = 10 ** (-50 / 20), 10 ** (-66 / 20)
"""Root mean square of what all telephones hear, and of what each adds."""
FAKE_MICROPHONE = """
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext();
    const stream = context.createMediaStreamDestination();
    const file = await fetch("/said.wav");
    const buffer = await context.decodeAudioData(await file.arrayBuffer());
    const hiss = context.createBuffer(1, context.sampleRate, context.sampleRate);
    hiss.getChannelData(0).forEach((_, at, all) => { all[at] = 0.004 * (Math.random() - 0.5); });
    const room = new AudioBufferSourceNode(context, { buffer: hiss, loop: true });
    room.connect(stream);
    room.start();
    let source;
    window.goOn = (from, until, at) => {
      source?.stop();
      source = new AudioBufferSourceNode(context, { buffer });
      source.connect(stream);
      source.start(context.currentTime + (at - Date.now()) / 1000, from, until - from);
    };
    return stream.stream;
  };
"""
"""A microphone that hears a faint hiss, and a part of a file when it is told to."""


@pytest.fixture(scope="module")
def said(espeak: str, checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what each telephone hears of the deal, and when each call is said."""
    assert espeak  # it says the calls
    folder = tmp_path_factory.mktemp("four")
    render = [sys.executable, str(checkout / "scripts" / "lab" / "render_deal.py")]
    files = [str(DEAL), str(folder / "deal.wav"), "--truth", str(folder / "deal.json")]
    manner = ["--voices", "espeak", "--seed", "3", "--gap", "1.0", "1.3"]
    subprocess.run([*render, *files, *manner], check=True, timeout=TIMEOUT)
    return folder


def heard_by(seat: int, said: Path) -> npt.NDArray[np.float32]:
    """Its own player near by, the others farther away, the room and its own hiss."""
    with wave.open(str(said / "deal.wav")) as file:
        deal = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
    gain = np.full(len(deal), OTHERS)
    for call in json.loads((said / "deal.json").read_text("utf-8"))["calls"]:
        if call["seat"] == seat:
            gain[round((call["start"] - 0.2) * RATE) : round((call["end"] + 0.2) * RATE)] = 1
    room = np.random.default_rng(0).normal(size=len(deal)) * ROOM
    hiss = np.random.default_rng(seat).normal(size=len(deal)) * HISS
    heard: npt.NDArray[np.float32] = (deal * gain + room + hiss).astype(np.float32)
    return heard


@contextmanager
def telephone(driver: Playwright) -> Iterator[BrowserContext]:
    """A Chromium of its own, which believes any certificate."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    flags = [*FLAGS, "--ignore-certificate-errors", "--use-fake-ui-for-media-stream"]
    browser: Browser = driver.chromium.launch(executable_path=found, args=flags)
    with a_telephone(browser) as context:
        yield context
    browser.close()


def microphone(telephone: BrowserContext, port: int, seat: int, said: Path) -> Page:
    """The page that makes a telephone the microphone of a seat, heard by the table."""
    page = telephone.new_page()
    page.add_init_script(FAKE_MICROPHONE)
    page.route("**/said.wav", lambda route: route.fulfill(path=said / f"{seat}.wav"))
    page.goto(f"https://127.0.0.1:{port}/microphone")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    if page.locator(".chairs button").first.is_visible():
        seated(page, SEATS[seat - 1])  # who comes back has his seat already
    expect(page.locator("#live")).to_have_attribute("data-state", re.compile("there|heard"))
    page.wait_for_function("() => Boolean(window.goOn)")
    return page


def say(table: LiveTable, pages: list[Page], calls: list[dict[str, Any]]) -> None:
    """Say one call after the other, each when the one before counts, and again if it does not."""
    for call in calls:
        before = table.snapshot()["seq"]
        for _ in range(TIMES):
            part = [call["start"] - BREATH, call["end"] + BREATH, 1000 * (time.time() + SOON)]
            for page in pages:
                page.evaluate("(part) => window.goOn(...part)", part)
            if counts(table, before):
                break
        else:
            pytest.fail(f"{call['words']}: {table.snapshot()['heard']}")


def counts(table: LiveTable, before: int) -> bool:
    """Whether something happens at the table while a player waits for it."""
    deadline = time.monotonic() + PATIENCE
    while table.snapshot()["seq"] == before and time.monotonic() < deadline:
        time.sleep(0.1)
    return bool(table.snapshot()["seq"] > before)


def reached(table: LiveTable, phase: str) -> dict[str, Any]:
    """The first snapshot of a phase; the last one where it is not reached in time."""
    deadline = time.monotonic() + 60
    while (shown := table.snapshot())["phase"] != phase and time.monotonic() < deadline:
        time.sleep(0.2)
    assert shown["phase"] == phase, shown["heard"]
    return shown


def test_a_deal_said_to_four_telephones_and_photographed_is_counted_right(
    driver: Playwright, said: Path, tmp_path: Path
) -> None:
    """One page dies amid the deal and comes back, one's Wi-Fi is slow, and away for 10 s."""
    truth = json.loads((said / "deal.json").read_text("utf-8"))
    for seat in range(1, 5):
        write_wav(said / f"{seat}.wav", heard_by(seat, said))
    calls = truth["calls"]
    middle = next(at for at, one in enumerate(calls) if one["words"] == "pares sí")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with ExitStack() as stack:
        table = stack.enter_context(played(tmp_path / "home", "--https-port", str(port)))
        network = stack.enter_context(Network(port, jitter=0.2, loss=0.02))
        telephones = [stack.enter_context(telephone(driver)) for _ in SEATS]
        ports = (port, network.port, port, port)
        pages = [
            microphone(one, where, seat, said)
            for seat, (one, where) in enumerate(zip(telephones, ports, strict=True), 1)
        ]
        say(table, pages, calls[:middle])
        shown = reached(table, "pares?")
        assert {one["seat"] for one in shown["telephones"]} == {1, 2, 3, 4}

        network.cut.set()
        pages[2].close()
        expect(pages[1].locator("#live")).to_have_attribute("data-state", "connecting")
        time.sleep(10)
        network.cut.clear()
        pages[2] = microphone(telephones[2], port, 3, said)
        expect(pages[1].locator("#live")).to_have_attribute("data-state", re.compile("there|heard"))
        say(table, pages, calls[middle:])
        reached(table, "showdown")

        photograph_all(telephones, ports, tmp_path)
        shown = reached(table, "count")
    assert {side["side"]: side["stones"] for side in shown["sides"]} == {"A": 7, "B": 3}


def photograph_all(telephones: list[BrowserContext], ports: Sequence[int], folder: Path) -> None:
    """Each player photographs his hand with his own telephone, and says yes to what was read."""
    hands = {step.seat: step.hand for step in SCRIPT.steps if isinstance(step, Cards)}
    each = zip(telephones, ports, PHOTOGRAPHS, strict=True)
    for seat, (one, port, dice) in enumerate(each, 1):
        picture, cards = photographed(CloseUp("a", Way.OVERLAPPED), art(), dice)
        assert sorted(str(card)[0] for card in cards) == sorted(str(one) for one in hands[seat])
        page = one.new_page()
        page.add_init_script("delete Navigator.prototype.mediaDevices")
        page.goto(f"https://127.0.0.1:{port}/phone")
        panel = page.locator("#photo")
        expect(panel).to_contain_text(f"No soy {SEATS[seat - 1]}")  # it knows whose it is
        page.locator("#photo-file").set_input_files(saved(folder, f"hand {seat}", picture))
        page.get_by_role("button", name="Son éstas").click()
        expect(panel).to_be_hidden()
        page.close()
