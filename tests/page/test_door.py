"""The door: the PIN lets a device touch, all others look on, and nobody is locked out."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from assistant.page import Keys
from assistant.page.door import (
    COMMON_FREE,
    COMMON_SECONDS,
    LONGEST,
    REMEMBERED,
    Patience,
    page_keys,
)
from assistant.page.guard import qr_svg
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

PIN = "482913"
UNDO = {"command": "undo", "seen": 2}
POSTS = ["/api/press", "/api/cards", "/api/camera/zone", "/api/decks/photo", "/api/decks/keep"]


def client(board: FakeBoard, web: Path, address: str, keys: Keys | None = None) -> FlaskClient:
    """A device of the local network."""
    app = create_app(board, web_dir=web, keys=keys or Keys(b"k" * 32, PIN))
    found = app.test_client()
    found.environ_base["REMOTE_ADDR"] = address
    return found


@pytest.fixture
def phone(board: FakeBoard, web: Path) -> FlaskClient:
    return client(board, web, "192.168.1.30")


@pytest.fixture
def own(board: FakeBoard, web: Path) -> FlaskClient:
    return client(board, web, "127.0.0.1")


def enter(device: FlaskClient, pin: str = PIN) -> int:
    return device.post("/api/enter", json={"pin": pin}).status_code


def test_the_tables_own_screen_may_touch_without_a_pin_and_shows_it(own: FlaskClient) -> None:
    assert own.post("/api/press", json=UNDO).status_code == 200
    me = own.get("/api/me").get_json()
    assert (me["may_touch"], me["pin"]) == (True, PIN)
    assert me["address"].startswith("http://")


@pytest.mark.parametrize("path", POSTS)
def test_another_device_only_looks_on_until_it_sends_the_pin(phone: FlaskClient, path: str) -> None:
    assert phone.get("/api/snapshot").status_code == 200
    answer = phone.post(path, json=UNDO)
    assert answer.status_code == 403
    assert "PIN" in answer.get_json()["error"]


def test_an_onlooker_is_not_shown_the_pin(phone: FlaskClient) -> None:
    for path in ("/", "/api/me", "/api/snapshot", "/qr.svg"):
        answer = phone.get(path)
        assert answer.status_code == 200
        assert PIN not in answer.get_data(as_text=True)
    assert phone.get("/api/me").get_json()["may_touch"] is False


def test_the_pin_opens_the_table_for_that_device_alone(
    phone: FlaskClient, board: FakeBoard, web: Path
) -> None:
    assert enter(phone) == 200
    assert phone.post("/api/press", json=UNDO).status_code == 200
    assert client(board, web, "192.168.1.31").post("/api/press", json=UNDO).status_code == 403


def test_the_cookie_is_sent_to_this_site_only_and_hidden_from_scripts(phone: FlaskClient) -> None:
    cookie = phone.post("/api/enter", json={"pin": PIN}).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert PIN not in cookie


def test_a_device_stays_in_after_a_restart_and_not_after_a_new_pin(
    phone: FlaskClient, board: FakeBoard, web: Path
) -> None:
    enter(phone)
    cookie = phone.get_cookie("mus")
    assert cookie is not None
    for keys, status in ((Keys(b"k" * 32, PIN), 200), (Keys(b"k" * 32, "111111"), 403),
                         (Keys(b"q" * 32, PIN), 403)):  # fmt: skip
        later = client(board, web, "192.168.1.30", keys)
        later.set_cookie("mus", cookie.value)
        assert later.post("/api/press", json=UNDO).status_code == status


@pytest.mark.parametrize("cookie", ["", "x", "eyJtYXJrIjoiMSJ9.ab.cd", "." * 4000])
def test_a_forged_cookie_opens_nothing(phone: FlaskClient, cookie: str) -> None:
    phone.set_cookie("mus", cookie)
    assert phone.post("/api/press", json=UNDO).status_code == 403


@pytest.mark.parametrize("body", [{}, {"pin": 482913}, {"pin": "1" * 21}, {"pin": PIN, "x": 1}, []])
def test_a_malformed_pin_is_refused(phone: FlaskClient, body: object) -> None:
    assert phone.post("/api/enter", json=body).status_code == 400


def test_a_thousand_wrong_pins_are_slowed_down_and_lock_nobody_out(
    board: FakeBoard, web: Path
) -> None:
    app = create_app(board, web_dir=web, keys=Keys(b"k" * 32, PIN))
    thief, friend = app.test_client(), app.test_client()
    thief.environ_base["REMOTE_ADDR"] = "192.168.1.66"
    friend.environ_base["REMOTE_ADDR"] = "192.168.1.30"
    told = [enter(thief, f"{number:06}") for number in range(1000)]
    assert told.count(403) == 3
    assert told.count(429) == 997
    assert enter(thief) == 429
    assert enter(friend) == 200
    assert friend.post("/api/press", json=UNDO).status_code == 200


def test_a_device_that_has_to_wait_is_told_how_long(phone: FlaskClient) -> None:
    for _ in range(4):
        answer = phone.post("/api/enter", json={"pin": "000000"})
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "2"
    assert "2 seconds" in answer.get_json()["error"]


def test_the_wait_doubles_up_to_a_minute_and_ends() -> None:
    now = 0.0
    waits = Patience(lambda: now)
    told = []
    for _ in range(12):
        told.append(waits.wrong("a"))
        now += told[-1]
        assert waits.left("a") == 0
    assert told == [0, 0, 0, 2, 4, 8, 16, 32, LONGEST, LONGEST, LONGEST, LONGEST]
    assert waits.right("a") == 12
    assert waits.wrong("a") == 0


def test_after_a_night_of_wrong_pins_the_wait_is_still_a_minute() -> None:
    waits = Patience(lambda: 0.0)
    assert {waits.wrong("a") for _ in range(3000)} >= {LONGEST}
    assert waits.wrong("a") == LONGEST


def test_wrong_pins_from_many_addresses_take_bounded_memory() -> None:
    waits = Patience(lambda: 0.0)
    for number in range(3 * REMEMBERED):
        waits.wrong(str(number))
    assert len(waits._tries) == REMEMBERED


def test_many_addresses_together_get_no_more_guesses_than_the_common_wait_allows() -> None:
    """An hour of guesses from 1,100 addresses in turn, more than are remembered."""
    now, heard = 0.0, 0
    waits = Patience(lambda: now, common=COMMON_FREE)
    for number in range(3600 * 2):
        now += 0.5
        address = str(number % 1100)
        if waits.left(address) == 0:
            heard += 1
            waits.wrong(address)
    assert heard <= COMMON_FREE + 3600 / COMMON_SECONDS + 1


def test_the_common_wait_ends_seconds_after_the_last_guess() -> None:
    now = 0.0
    waits = Patience(lambda: now, common=COMMON_FREE)
    for number in range(COMMON_FREE):
        assert waits.left(str(number)) == 0
        waits.wrong(str(number))
    assert 0 < waits.left("friend") <= COMMON_SECONDS
    now += COMMON_SECONDS
    assert waits.left("friend") == 0


def test_without_the_local_network_there_is_no_door(board: FakeBoard, web: Path) -> None:
    alone = create_app(board, web_dir=web).test_client()
    assert alone.get("/api/me").get_json() == {"may_touch": True, "pin": None, "address": None}
    assert alone.get("/qr.svg").status_code == 404
    assert alone.post("/api/enter", json={"pin": PIN}).status_code == 404


def test_the_qr_code_can_be_read() -> None:
    address = "http://192.168.1.17:8765/"
    drawn = ElementTree.fromstring(qr_svg(address))
    size = int(drawn.attrib["viewBox"].split()[2])
    picture = np.full((size, size), 255, np.uint8)
    path = drawn.findall("{http://www.w3.org/2000/svg}path")[1].attrib["d"]
    for module in path.split("M")[1:]:
        x, y = (int(part) for part in module.partition("h")[0].split())
        picture[y, x] = 0
    dark = np.argwhere(picture == 0)
    assert dark.min() == 4 == size - 1 - dark.max(), "the quiet zone of ISO/IEC 18004"
    large = cv2.resize(picture, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    assert cv2.QRCodeDetector().detectAndDecode(large)[0] == address


def test_the_keys_are_made_once_and_readable_by_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "mus" / "page.json"
    first = page_keys(path)
    assert page_keys(path) == first
    assert path.stat().st_mode & 0o077 == 0
    assert len(first.pin) == 6
    assert first.pin.isdigit()
    path.unlink()
    assert page_keys(path) != first


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"pin": "1", "secret": "zz"}', "\x00"])
def test_damaged_keys_are_replaced(tmp_path: Path, text: str) -> None:
    path = tmp_path / "page.json"
    path.write_text(text)
    keys = page_keys(path)
    assert len(keys.secret) == 32
    assert page_keys(path) == keys
