"""A telephone as a microphone, in a real Chromium whose microphone is a sound file."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from assistant.ear.audio import RATE, Samples
from tests.e2e.browsing import FLAGS, OVERFLOWING, PHONE, SMALL, SMALL_TARGETS
from tests.e2e.live_table import LiveTable
from tests.e2e.network import Network
from tests.e2e.table_process import TIMEOUT, command
from tests.e2e.test_page_axe import found_everywhere
from tests.telephones.sound_table import PIN, SoundTable
from tests.telephones.stand_in import KeptLine

pytestmark = pytest.mark.browser

SECONDS = 6
FILE_RATE = 48_000
LOW, HIGH = 300.0, 1200.0
"""Hertz at the beginning and the end of the sound in the file, which rises evenly."""
ANDROID = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/131.0 Mobile Safari/537.36"
)
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
)
OWN_NAME = f"{socket.gethostname().partition('.')[0].lower()}.local"
"""A name under which the plain page is no secure context, as on a telephone."""


def chirp(rate: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    at = np.arange(SECONDS * rate) / rate
    return 0.4 * np.sin(2 * np.pi * (LOW * at + (HIGH - LOW) / (2 * SECONDS) * at**2))


def until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.05)


@contextmanager
def browser_with(driver: Playwright, sound: str, *flags: str) -> Iterator[Browser]:
    """A Chromium whose microphone plays a file; it believes any certificate."""
    browser = driver.chromium.launch(
        executable_path=shutil.which("chromium"),
        args=[
            *FLAGS,
            "--headless=new",
            "--ignore-certificate-errors",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-audio-capture={sound}",
            f"--host-resolver-rules=MAP {OWN_NAME} 127.0.0.1",
            *flags,
        ],
    )
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tone that rises for six seconds."""
    path = tmp_path_factory.mktemp("sound") / "chirp.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(FILE_RATE)
        file.writeframes((chirp(FILE_RATE) * 32767).astype("<i2").tobytes())
    return path


@pytest.fixture(scope="module")
def mobile(driver: Playwright, sound: Path) -> Iterator[Browser]:
    """A browser that gives its microphone to whoever asks, and plays the file again and again."""
    with browser_with(driver, str(sound), "--use-fake-ui-for-media-stream") as browser:
        yield browser


@pytest.fixture
def table(checkout: Path, tmp_path: Path) -> Iterator[SoundTable]:
    table = SoundTable(checkout / "web", tmp_path / "authority")
    table.server.start()
    yield table
    table.server.stop()


@pytest.fixture
def telephone(mobile: Browser) -> Iterator[BrowserContext]:
    with a_telephone(mobile) as context:
        yield context


@contextmanager
def a_telephone(
    browser: Browser, agent: str = ANDROID, size: tuple[int, int] = PHONE
) -> Iterator[BrowserContext]:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        user_agent=agent,
        has_touch=True,
        locale="es-ES",
        reduced_motion="reduce",
    )
    yield context
    context.close()


def opened(context: BrowserContext, table: SoundTable, query: str = "") -> Page:
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(f"{table.server.secure_url}microphone{query}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    return page


def seated(page: Page, name: str = "Norte") -> None:
    page.locator(".chairs button", has_text=re.compile(f"^{name}")).click()
    expect(page.locator("#live")).to_have_attribute("data-state", re.compile("there|heard"))


def seconds_of(line: KeptLine) -> float:
    return sum(len(samples) for _, samples, _ in line.pieces) / RATE


def until_heard(line: KeptLine, seconds: float) -> None:
    until(lambda: seconds_of(line) > seconds)


def likeness(heard: Samples, played: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[float]:
    """How alike each 100 ms is to what was played, 0 to 1, at the one lag at which all fit best."""
    size = 1 << (len(heard) + len(played)).bit_length()
    cross = np.fft.irfft(np.fft.rfft(heard, size) * np.fft.rfft(played, size).conj(), size)
    lag = int(np.argmax(cross[: len(heard) - len(played)]))
    found = heard[lag : lag + len(played)].astype(np.float64)
    pieces = zip(
        np.array_split(found, SECONDS * 10),
        np.array_split(played, SECONDS * 10),
        strict=True,
    )
    return [float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-9)) for a, b in pieces]


def comes_whole(line: KeptLine, played: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    """Wait until one of at most ten plays of the file has come without a gap.

    A busy machine's Chromium loses sound of its file before the page gets it and numbers it. That
    is no fault of the page, and it happens now and then; what the page loses, it loses each time.
    """
    plays = 2
    alike = [0.0]
    while min(alike) <= 0.97:
        assert plays < 12, f"the browser's sound has gaps: {alike}"
        until_heard(line, plays * SECONDS + 1)
        alike = likeness(line.sound(), played)
        plays += 1


@pytest.mark.alone
def test_the_sound_of_a_file_arrives_whole_and_in_order(
    driver: Playwright, sound: Path, table: SoundTable
) -> None:
    played = chirp(RATE)
    mobile = browser_with(driver, str(sound), "--use-fake-ui-for-media-stream")
    with mobile as browser, a_telephone(browser) as context:
        page = opened(context, table)
        page.locator(".chairs button", has_text="Oeste").click()
        until(lambda: bool(table.lines.all))
        line = table.lines.all[0]
        comes_whole(line, played)
    assert (line.seat, line.name) == (2, "Pixel 7")
    assert sum(lost for _, _, lost in line.pieces) == 0
    times = np.array([at for at, _, _ in line.pieces])
    assert np.abs(np.diff(times) - 0.04).max() < 0.0001


def test_the_page_shows_how_it_is_heard(telephone: BrowserContext, table: SoundTable) -> None:
    page = opened(telephone, table)
    seated(page)
    expect(page.locator("#live h2")).to_have_text("Norte")
    expect(page.locator(".state")).to_have_text("Listo: habla normal")
    expect(page.locator(".facts")).to_contain_text("ms")
    line = table.lines.there[1]
    line.figures = type(line.figures)(heard=0.5)
    expect(page.locator(".state")).to_have_text("Se te oye")
    line.figures = type(line.figures)(level=-100.0)
    expect(page.locator(".state")).to_have_text("No llega sonido")
    assert page.locator(".meter").evaluate("node => Number(node.ariaValueNow)") > -60
    assert found_everywhere(page) == []


def test_a_page_that_was_killed_takes_its_seat_again(
    telephone: BrowserContext, table: SoundTable
) -> None:
    page = opened(telephone, table)
    seated(page, "Sur")
    page.close()
    until(lambda: [view["state"] for view in table.seats.views()] == ["gone"])
    again = opened(telephone, table)
    expect(again.locator("#live")).to_have_attribute("data-state", "there")
    assert [line.seat for line in table.lines.all] == [3, 3]
    until(lambda: len(table.lines.there[3].pieces) > 10)


def test_a_line_that_breaks_comes_back_by_itself(
    telephone: BrowserContext, table: SoundTable
) -> None:
    page = opened(telephone, table)
    seated(page, "Sur")
    until(lambda: len(table.lines.all[0].pieces) > 5)
    table.server._page.cut()
    until(lambda: len(table.lines.all) == 2)
    until(lambda: len(table.lines.there[3].pieces) > 5)
    expect(page.locator("#live")).to_have_attribute("data-state", "there")
    assert table.lines.all[0].left


def test_a_table_that_was_away_is_found_again(
    telephone: BrowserContext, table: SoundTable, checkout: Path
) -> None:
    page = telephone.new_page()
    page.goto(f"{table.server.url}microphone")
    seated(page, "Sur")
    table.server.stop()
    expect(page.locator("#live")).to_have_attribute("data-state", "connecting")
    again = SoundTable(checkout / "web", port=table.server.port)
    again.server.start()
    try:
        expect(page.locator("#live")).to_have_attribute("data-state", "there")
        assert list(again.lines.there) == [3]
    finally:
        again.server.stop()


def test_the_second_microphone_of_a_seat_is_told_and_takes_it_by_one_tap(
    mobile: Browser, telephone: BrowserContext, table: SoundTable
) -> None:
    first = opened(telephone, table)
    seated(first)
    with a_telephone(mobile, IPHONE) as other:
        second = opened(other, table)
        expect(second.locator(".chairs .held")).to_contain_text("Lo tiene Pixel 7")
        second.locator(".chairs button", has_text="Norte").click()
        expect(second.locator(".state")).to_have_text("Aquí ya escucha Pixel 7.")
        expect(first.locator("#live")).to_have_attribute("data-state", "there")
        second.get_by_role("button", name="Usar este móvil").click()
        expect(second.locator("#live")).to_have_attribute("data-state", "there")
        expect(first.locator(".state")).to_have_text("Ahora escucha iPhone.")
        assert table.lines.there[1].name == "iPhone"


def test_another_seat_can_be_chosen(telephone: BrowserContext, table: SoundTable) -> None:
    page = opened(telephone, table)
    seated(page)
    page.get_by_role("button", name="Cambiar de sitio").click()
    until(lambda: not table.lines.there)
    seated(page, "Este")
    assert list(table.lines.there) == [4]


def test_a_page_without_permission_says_what_to_do(
    driver: Playwright, sound: Path, table: SoundTable
) -> None:
    refusing = browser_with(driver, str(sound), "--deny-permission-prompts")
    with refusing as browser, a_telephone(browser) as context:
        page = opened(context, table)
        page.locator(".chairs button", has_text="Norte").click()
        expect(page.locator("#choose [role=alert]")).to_contain_text("El micrófono está prohibido")
    assert table.lines.all == []


def test_a_device_without_a_microphone_says_so(
    telephone: BrowserContext, table: SoundTable
) -> None:
    page = opened(telephone, table)
    page.evaluate("""() => {
      const none = new DOMException("", "NotFoundError");
      navigator.mediaDevices.getUserMedia = () => Promise.reject(none);
    }""")
    page.locator(".chairs button", has_text="Norte").click()
    expect(page.locator("#choose [role=alert]")).to_contain_text("no tiene micrófono")


def test_a_browser_that_lets_no_sound_through_is_told_the_lasting_way(
    telephone: BrowserContext, table: SoundTable
) -> None:
    page = telephone.new_page()
    page.route_web_socket("**/sound", lambda socket: socket.close())
    page.goto(f"{table.server.secure_url}microphone")
    page.locator(".chairs button", has_text="Norte").click()
    expect(page.locator("#live [role=alert]")).to_contain_text("instala el certificado")


def test_the_microphone_is_opened_again_when_its_sound_ends(
    telephone: BrowserContext, table: SoundTable
) -> None:
    page = telephone.new_page()
    page.add_init_script("""
      const devices = navigator.mediaDevices;
      const own = devices?.getUserMedia.bind(devices);
      if (own) devices.getUserMedia = async (asked) => (window.stream = await own(asked));
    """)
    page.goto(f"{table.server.secure_url}microphone")
    seated(page)
    page.evaluate("window.stream.getTracks().forEach((track) => track.stop())")
    until(lambda: len(table.lines.all) == 2)
    until(lambda: len(table.lines.there[1].pieces) > 10)


@pytest.mark.parametrize(
    ("agent", "steps"),
    [
        (ANDROID, ["Configuración avanzada", "Acceder al sitio"]),
        (IPHONE, ["Mostrar detalles", "Visitar este sitio web"]),
    ],
    ids=["android", "iphone"],
)
@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
def test_the_plain_page_leads_through_the_warning_and_brings_the_pin_along(
    mobile: Browser, table: SoundTable, agent: str, steps: list[str], size: tuple[int, int]
) -> None:
    port = table.server.port
    with a_telephone(mobile, agent, size) as context:
        page = context.new_page()
        page.goto(f"http://{OWN_NAME}:{port}/microphone#{PIN}")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        expect(page.locator(".ways b")).to_have_text(steps)
        expect(page.locator(".drawn")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert page.evaluate(OVERFLOWING) == []
        assert page.evaluate(SMALL_TARGETS) == []
        page.locator("summary").click()
        with page.expect_download() as fetched:
            page.locator("details a").click()
        assert fetched.value.suggested_filename == "mus.crt"
        secure = table.server.secure
        assert secure
        assert Path(fetched.value.path()).read_bytes() == secure.authority.certificate
        page.locator(".go-on").click()
        expect(page.locator("#choose")).to_be_visible()
        assert page.url == f"https://{OWN_NAME}:{secure.port}/microphone"


def test_a_player_reads_few_words_and_taps_five_times(mobile: Browser, table: SoundTable) -> None:
    """Four people one after the other stay under three minutes.

    A tap takes two seconds, the browser's warning and its question three taps, scanning the code
    eight seconds, and 238 words are read in a minute (Brysbaert 2019, "How many words do we read
    per minute?").
    """
    taps, words = 3, 0
    with a_telephone(mobile) as context:
        page = context.new_page()
        page.goto(f"http://{OWN_NAME}:{table.server.port}/microphone#{PIN}")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        words += len(page.locator("body").inner_text().split())
        page.locator(".go-on").click()
        expect(page.locator("#choose")).to_be_visible()
        words += len(page.locator("body").inner_text().split())
        page.locator(".chairs button", has_text="Norte").click()
        expect(page.locator("#live")).to_have_attribute("data-state", "there")
        words += len(page.locator("body").inner_text().split())
        taps += 2
    assert taps == 5
    assert 4 * (8 + 2 * taps + words / 238 * 60) < 180, words


def test_the_code_leads_to_the_page_with_the_pin(mobile: Browser, table: SoundTable) -> None:
    with a_telephone(mobile) as context:
        page = opened(context, table)
        expect(page.locator("#code .pin")).to_have_text(f"{PIN[:3]} {PIN[3:]}")
        picture = page.locator("#code img").screenshot()
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    told = _read_by_a_telephone(image)
    assert told.startswith("http://")
    assert told.endswith(f":{table.server.port}/microphone#{PIN}")


def _read_by_a_telephone(picture: cv2.typing.MatLike) -> str:
    """What a QR code says, seen from as many distances as it takes.

    A telephone's camera looks many times. OpenCV's reader fails at one size with one code in
    fourteen, and which codes those are depends on this machine's address.
    """
    reader = cv2.QRCodeDetector()
    sizes = (cv2.resize(picture, None, fx=scale, fy=scale) for scale in (3.0, 2.0, 1.5, 2.5, 4.0))
    return next((told for seen in sizes if (told := reader.detectAndDecode(seen)[0])), "")


@contextmanager
def played(home: Path, *options: str) -> Iterator[LiveTable]:
    """A table whose microphones are telephones, in a process of its own."""
    named = ("--port", "0", "--telephones", "--no-lan", "--voice", "off", "--mano", "1", *options)
    with subprocess.Popen(
        command("play", *named),
        env={**os.environ, "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            table = LiveTable(process)
            table.url = table.url.removesuffix("setup")  # where a first start leads
            yield table
        finally:
            process.terminate()
            process.wait(TIMEOUT)


def test_a_call_said_to_a_telephone_is_heard_at_the_table(
    espeak: str, tmp_path: Path, driver: Playwright
) -> None:
    """Sound goes the whole way: browser, line, ear, table; and the table's page shows whence."""
    wav = tmp_path / "call.wav"
    subprocess.run([espeak, "-v", "es", "-s", "150", "-w", str(wav), "no hay mus"], check=True)
    with wave.open(str(wav)) as file:
        rate, said = file.getframerate(), file.readframes(file.getnframes())
    with wave.open(str(wav), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(bytes(4 * rate) + said + bytes(4 * rate))
    speaking = browser_with(driver, str(wav), "--use-fake-ui-for-media-stream")
    with played(tmp_path / "home") as table:
        address = table.url
        with speaking as browser, a_telephone(browser) as context:
            page = context.new_page()
            page.goto(f"{address}microphone")
            seated(page)
            heard = f"{address}api/snapshot"

            def is_cut() -> bool:
                with urllib.request.urlopen(heard, timeout=TIMEOUT) as answer:
                    snapshot = json.load(answer)
                assert [one["seat"] for one in snapshot["telephones"]] == [1]
                return bool(snapshot["phase"] == "grande")

            until(is_cut, TIMEOUT)
            watch = context.new_page()
            watch.goto(f"{address}watch")
            expect(watch.locator('[data-seat="1"] .telephone')).to_be_visible()
            expect(watch.locator('[data-seat="2"] .telephone')).to_be_hidden()
            page.close()
            mark = watch.locator('[data-seat="1"] .telephone')
            expect(mark).to_have_attribute("data-state", "gone")


@contextmanager
def behind(network: Network, mobile: Browser) -> Iterator[Page]:
    """A telephone whose page comes through a network."""
    with a_telephone(mobile) as context:
        page = context.new_page()
        page.goto(f"https://127.0.0.1:{network.port}/microphone")
        seated(page)
        yield page


def test_a_network_that_is_gone_for_ten_seconds_costs_the_seat_nothing(
    mobile: Browser, table: SoundTable
) -> None:
    assert table.server.secure
    with Network(table.server.secure.port) as network, behind(network, mobile) as page:
        until(lambda: len(table.lines.all[0].pieces) > 20)
        network.cut.set()
        expect(page.locator("#live")).to_have_attribute("data-state", "connecting")
        time.sleep(10)
        network.cut.clear()
        expect(page.locator("#live")).to_have_attribute("data-state", "there")
        line = table.lines.there[1]
        before = len(line.pieces)
        until(lambda: len(table.lines.there[1].pieces) > before + 20)
        assert line is not table.lines.all[0]


def test_a_network_with_jitter_and_losses_loses_no_sound(
    mobile: Browser, table: SoundTable
) -> None:
    """200 ms of jitter and 2% of lost packets, which TCP sends again."""
    assert table.server.secure
    with Network(table.server.secure.port, 0.2, 0.02) as network, behind(network, mobile):
        until(lambda: seconds_of(table.lines.all[0]) > 10)
    [line] = table.lines.all
    assert sum(lost for _, _, lost in line.pieces) == 0
    assert np.abs(np.diff([at for at, _, _ in line.pieces]) - 0.04).max() < 0.0001
