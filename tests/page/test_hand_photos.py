"""A hand that its player photographs: read only in the showdown, and shown to nobody before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from assistant.eye.deck import Deck, load_deck
from assistant.eye.hand_photos import HandPhotos
from assistant.eye.page import HandView
from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.page import Keys
from assistant.page.incoming import MAX_PHOTO
from tests.e2e.browsing import to_showdown
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

PHOTO = cv2.imencode(".jpg", np.full((40, 30, 3), 90, np.uint8))[1].tobytes()
READ: HandView = {"cards": ["Ro", "7e", None, "1"], "fault": None}


class FakePhotos:
    """Reads what it is told to, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[bytes, int]] = []
        self.prepared = 0

    def prepare(self) -> None:
        self.prepared += 1

    def read(self, data: bytes, size: int) -> HandView:
        self.asked.append((data, size))
        return READ


@pytest.fixture
def photos() -> FakePhotos:
    return FakePhotos()


@pytest.fixture
def hands(board: FakeBoard, photos: FakePhotos, web: Path) -> FlaskClient:
    return create_app(board, web_dir=web, photos=photos).test_client()


def send(client: FlaskClient, query: str, data: bytes = PHOTO, kind: str = "image/jpeg") -> int:
    return client.post(f"/api/hand/photo?{query}", data=data, content_type=kind).status_code


def test_before_the_showdown_no_photograph_is_looked_at(
    hands: FlaskClient, board: FakeBoard, photos: FakePhotos
) -> None:
    assert send(hands, f"seat=1&deal={board.state.deal}") == 409
    assert photos.asked == []


def test_a_hand_is_read_in_the_showdown(
    hands: FlaskClient, board: FakeBoard, photos: FakePhotos
) -> None:
    to_showdown(board)
    query = f"seat=2&deal={board.state.deal}"
    answer = hands.post(f"/api/hand/photo?{query}", data=PHOTO, content_type="image/jpeg")
    assert answer.get_json() == READ
    assert photos.asked == [(PHOTO, 4)]


@pytest.mark.parametrize(
    ("query", "data", "kind", "status"),
    [
        ("seat=0&deal=1", PHOTO, "image/jpeg", 400),
        ("seat=5&deal=1", PHOTO, "image/jpeg", 400),
        ("seat=1", PHOTO, "image/jpeg", 400),
        ("seat=1&deal=-1", PHOTO, "image/jpeg", 400),
        ("seat=1&deal=\u0661", PHOTO, "image/jpeg", 400),
        ("seat=1&deal=1234567", PHOTO, "image/jpeg", 400),
        ("seat=1&deal=9", PHOTO, "image/jpeg", 409),
        ("seat=1&deal=1", PHOTO, "text/plain", 415),
        ("seat=1&deal=1", bytes(MAX_PHOTO + 1), "image/jpeg", 413),
    ],
)
def test_what_is_no_photograph_of_a_seat_is_refused_unread(
    hands: FlaskClient, board: FakeBoard, photos: FakePhotos, query: str, data: bytes,
    kind: str, status: int,
) -> None:  # fmt: skip
    to_showdown(board)
    assert send(hands, query, data, kind) == status
    assert photos.asked == []


def test_a_telephone_makes_the_table_learn_the_deck(hands: FlaskClient, photos: FakePhotos) -> None:
    assert hands.post("/api/hand/ready", json={}).get_json() == {"ready": True}
    assert photos.prepared == 1


def test_without_the_pin_no_photograph_is_read(
    board: FakeBoard, photos: FakePhotos, web: Path
) -> None:
    app: Flask = create_app(board, web_dir=web, photos=photos, keys=Keys(bytes(32), "123456"))
    to_showdown(board)
    answer = app.test_client().post(
        f"/api/hand/photo?seat=1&deal={board.state.deal}", data=PHOTO,
        content_type="image/jpeg", environ_base={"REMOTE_ADDR": "192.168.1.9"},
    )  # fmt: skip
    assert answer.status_code == 403
    assert photos.asked == []


def test_the_telephone_offers_it_where_the_table_reads_photographs(
    hands: FlaskClient, client: FlaskClient
) -> None:
    assert 'id="photo"' in hands.get("/phone").text
    assert 'id="photo"' not in client.get("/phone").text


def _missing() -> Deck:
    raise UsageError("There is no deck 'nobody'.")


def _shipped() -> Deck:
    return load_deck(data_dir("models") / "decks" / "mus")


@pytest.mark.parametrize(
    ("load", "data", "code"),
    [
        (_missing, PHOTO, "deck"),
        (_shipped, b"no picture at all", "image"),
        (_shipped, PHOTO[:90], "image"),
        (_shipped, PHOTO, "none"),
    ],
)
def test_what_cannot_be_read_is_told_by_its_code(
    load: Callable[[], Deck], data: bytes, code: str
) -> None:
    told = HandPhotos(load).read(data, 4)
    assert told["cards"] == []
    assert told["fault"] is not None
    assert told["fault"]["code"] == code
