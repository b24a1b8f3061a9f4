"""The page of the decks: photographs are sent, and a deck is made of the good ones."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from assistant.eye.deck import Deck, find_deck, save_deck
from assistant.eye.hand_photos import Workshop
from assistant.eye.images import Image
from assistant.page.incoming import MAX_PHOTO
from assistant.rules.cards import DECK
from scripts.lab.eyebench.enrolment import spread_sheets
from tests.eye.eyes import art, photographs
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture
def told() -> list[Deck]:
    return []


@pytest.fixture
def decks(told: list[Deck], web: Path) -> FlaskClient:
    workshop = Workshop("mus", told.append)
    return create_app(FakeBoard(), web_dir=web, workshop=workshop).test_client()


def jpeg(picture: Image) -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()


def send(client: FlaskClient, suits: str, data: bytes) -> dict[str, object]:
    url = f"/api/decks/photo?suits={suits}"
    told: dict[str, object] = client.post(url, data=data, content_type="image/jpeg").get_json()
    return told


def keep(client: FlaskClient, name: str, *, instead: bool = False) -> dict[str, object]:
    told: dict[str, object] = client.post(
        "/api/decks/keep", json={"name": name, "instead": instead}
    ).get_json()
    return told


def test_without_an_eye_there_is_no_page_of_decks(client: FlaskClient) -> None:
    for path in ("/decks", "/api/decks", "/api/decks/new.jpg"):
        assert client.get(path).status_code == 404


def test_a_deck_is_photographed_corrected_kept_and_used(
    decks: FlaskClient, told: list[Deck]
) -> None:
    assert decks.get("/decks").mimetype == "text/html"
    assert decks.get("/api/decks/new.jpg").status_code == 404
    for at, picture in enumerate(photographs()):
        view = send(decks, "oceb"[at], jpeg(picture))
        assert (view["fault"], view["suits"]) == (None, list("oceb"[: at + 1]))
        if at == 0:
            assert keep(decks, "mia")["fault"] == {"code": "missing", "params": {}}
    whole = cv2.imdecode(
        np.frombuffer(decks.get("/api/decks/new.jpg").data, np.uint8), cv2.IMREAD_COLOR
    )
    assert whole is not None
    assert whole.shape[1] / whole.shape[0] == pytest.approx(10 * 134 / (4 * 202), abs=0.01)
    swapped = decks.post("/api/decks/swap", json={"one": "6e", "other": "7e"}).get_json()
    assert (swapped["fault"], swapped["version"]) == (None, 5)
    decks.post("/api/decks/swap", json={"one": "7e", "other": "6e"})
    view = keep(decks, "mia")
    assert view["fault"] is None
    assert {"name": "mia", "own": True, "playing": True} in view["decks"]  # type: ignore[operator]
    assert view["suits"] == []
    assert [deck.name for deck in told] == ["mia"]
    assert len(find_deck("mia").faces) == 40


def test_cards_in_any_order_are_counted_sorted_and_what_is_missing_is_named(
    decks: FlaskClient,
) -> None:
    sheets = spread_sheets(art(), 8, 2, scale=0.5)
    view = send(decks, "any", jpeg(sheets[0].picture))
    there = {str(card) for card in sheets[0].cards}
    assert view["fault"] is None
    missing = view["missing"]
    assert isinstance(missing, list)
    assert set(missing) == {str(card) for card in DECK} - there
    assert keep(decks, "mia")["fault"] == {"code": "missing", "params": {}}
    view = send(decks, "any", jpeg(sheets[1].picture))
    assert (view["missing"], view["troubles"]) == ([], [])
    assert keep(decks, "mia")["fault"] is None


def test_a_restart_of_the_table_loses_nothing_of_the_new_deck(
    decks: FlaskClient, told: list[Deck], web: Path
) -> None:
    before = send(decks, "o", jpeg(photographs()[0]))
    again = create_app(FakeBoard(), web_dir=web, workshop=Workshop("mus", told.append))
    after = again.test_client().get("/api/decks").get_json()
    assert after["missing"] == before["missing"]
    assert after["suits"] == ["o"]
    begun = decks.post("/api/decks/anew", json={}).get_json()
    assert (len(begun["missing"]), begun["fault"]) == (40, None)
    third = create_app(FakeBoard(), web_dir=web, workshop=Workshop("mus", told.append))
    assert len(third.test_client().get("/api/decks").get_json()["missing"]) == 40


def test_cards_that_are_none_of_mus_are_put_aside_and_kept_with_the_deck(
    decks: FlaskClient,
) -> None:
    def aside(**body: object) -> dict[str, object]:
        view: dict[str, object] = decks.post("/api/decks/not-mus", json=body).get_json()
        return view

    for at, picture in enumerate(photographs()):
        send(decks, "oceb"[at], jpeg(picture))
    view = aside(card="7e")
    assert (view["missing"], view["not_mus"], view["fault"]) == (["7e"], [27], None)
    assert decks.get("/api/decks/picture.jpg?number=27").mimetype == "image/jpeg"
    assert decks.get("/api/decks/picture.jpg?number=99").status_code == 404
    view = aside(number=27, aside=False)
    assert (view["missing"], view["not_mus"]) == ([], [])
    view = send(decks, "not_mus", jpeg(photographs()[0]))
    assert len(view["not_mus"]) == 10  # type: ignore[arg-type]
    assert aside(card="Xx")["fault"] == {"code": "card", "params": {}}
    assert aside(number=999, aside=True)["fault"] == {"code": "card", "params": {}}
    for wrong in ({}, {"number": "7", "aside": True}, {"card": "7e", "aside": True}):
        assert decks.post("/api/decks/not-mus", json=wrong).status_code == 400
    assert keep(decks, "mia")["fault"] is None
    assert len(find_deck("mia").not_mus) == 10


def test_a_frame_of_a_sweep_teaches_its_cards_and_outlines_them(decks: FlaskClient) -> None:
    def sweep(data: bytes) -> dict[str, object]:
        told: dict[str, object] = decks.post(
            "/api/decks/sweep", data=data, content_type="image/jpeg"
        ).get_json()
        return told

    sheet = spread_sheets(art(), 8, 2, scale=0.5)[0]
    for _ in range(2):
        told = sweep(jpeg(sheet.picture))
    assert told["size"] == [1600, 1200]
    cards = told["cards"]
    assert isinstance(cards, list)
    assert {card["card"] for card in cards} == set(map(str, sheet.cards))
    assert all(len(card["corners"]) == 4 and card["why"] is None for card in cards)
    view = decks.get("/api/decks").get_json()
    assert view == told["decks"]
    assert len(view["missing"]) == 20
    for data, code in ((b"no picture", "image"), (jpeg(np.zeros((600, 800, 3), np.uint8)), "dark")):
        told = sweep(data)
        assert told["decks"]["fault"]["code"] == code  # type: ignore[index]
        assert told["cards"] == []
    assert decks.post("/api/decks/sweep", data=b"x", content_type="text/plain").status_code == 415
    endless = decks.post("/api/decks/sweep", data=bytes(MAX_PHOTO + 1), content_type="image/jpeg")
    assert endless.status_code == 413


def test_a_deck_that_there_is_is_read_by_once_it_is_tapped(
    decks: FlaskClient, told: list[Deck], own_folder: Path
) -> None:
    def play(name: str) -> dict[str, object]:
        view: dict[str, object] = decks.post("/api/decks/play", json={"name": name}).get_json()
        return view

    folder = own_folder / "mus" / "decks"
    save_deck(folder / "mia", find_deck("mus"))
    view = play("mia")
    assert view["fault"] is None
    assert {"name": "mia", "own": True, "playing": True} in view["decks"]  # type: ignore[operator]
    assert [deck.name for deck in told] == ["mia"]
    assert play("tuya")["fault"] == {"code": "nobody", "params": {"name": "tuya"}}
    (folder / "mia" / "Ro.png").write_bytes(b"")
    assert play("mia")["fault"] == {"code": "broken", "params": {"name": "mia"}}
    assert decks.post("/api/decks/play", json={"deck": "mia"}).status_code == 400
    assert len(told) == 1


def test_a_name_in_use_has_to_be_confirmed(decks: FlaskClient, told: list[Deck]) -> None:
    for _ in range(2):
        for at, picture in enumerate(photographs()):
            send(decks, "oceb"[at], jpeg(picture))
        fault = keep(decks, "mia")["fault"]
    assert fault == {"code": "exists", "params": {"name": "mia"}}
    assert keep(decks, "../mia")["fault"] == {"code": "name", "params": {}}
    assert keep(decks, "mia", instead=True)["fault"] is None
    assert len(told) == 2


NO_PHOTOGRAPHS = {
    "text": (b"hola", "image"),
    "nothing": (b"", "image"),
    "black": (jpeg(np.zeros((600, 900, 3), np.uint8)), "dark"),
    "no card": (jpeg(np.random.default_rng(1).integers(0, 255, (600, 900, 3), np.uint8)), "none"),
}


@pytest.mark.parametrize(("data", "code"), NO_PHOTOGRAPHS.values(), ids=NO_PHOTOGRAPHS)
def test_a_picture_without_cards_is_refused_with_the_reason(
    decks: FlaskClient, data: bytes, code: str
) -> None:
    view = send(decks, "o", data)
    assert (view["fault"], view["suits"]) == ({"code": code, "params": {}}, [])
    assert send(decks, "", data)["back"] is False


def test_a_suit_that_lacks_a_card_is_refused_and_the_others_stay(decks: FlaskClient) -> None:
    first, second, *_ = photographs()
    send(decks, "o", jpeg(first))
    view = send(decks, "oc", jpeg(second))
    assert view["fault"] == {"code": "rows", "params": {"found": 1, "wanted": 2}}
    assert view["suits"] == ["o"]
    assert decks.post("/api/decks/swap", json={"one": "1o", "other": "1c"}).get_json()["fault"]


def test_a_photograph_must_be_an_image_of_named_suits_and_of_limited_size(
    decks: FlaskClient,
) -> None:
    photo = jpeg(photographs()[0])
    for suits in ("?suits=x", "?suits=oo", ""):
        url = f"/api/decks/photo{suits}"
        assert decks.post(url, data=photo, content_type="image/png").status_code == 400
    url = "/api/decks/photo?suits=o"
    assert decks.post(url, data=photo, content_type="text/plain").status_code == 415
    endless = decks.post(url, data=bytes(MAX_PHOTO + 1), content_type="image/jpeg")
    assert endless.status_code == 413
    assert decks.post(url, data=photo, content_type="image/jpeg").status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [("swap", {"one": "6e"}), ("swap", {"one": 6, "other": 7}), ("keep", {"name": "mia"}),
     ("keep", {"name": "mia", "instead": 1})],
)  # fmt: skip
def test_a_malformed_request_is_refused(
    decks: FlaskClient, path: str, body: dict[str, object]
) -> None:
    assert decks.post(f"/api/decks/{path}", json=body).status_code == 400
