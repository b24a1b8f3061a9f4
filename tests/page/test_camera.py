"""The page of the camera: the empty table, and the zones of the seats."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from assistant.eye.calibration import Calibration, load_calibration, save_calibration
from assistant.eye.deck import find_deck, save_deck
from assistant.eye.find import Finder
from assistant.eye.images import Image
from assistant.eye.mounting import LivePicture, MountedCard, MountFault, Mounting, MountWatch
from assistant.eye.page import ZoneCalibration, Zones
from assistant.eye.view import FRAMES, EmptyTable
from assistant.page import Keys
from assistant.rules.cards import parse_card
from tests.eye import eyes
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

ZONE = [[10, 10], [60, 10], [60, 40], [10, 40]]


@pytest.fixture
def told() -> list[Calibration]:
    return []


@pytest.fixture
def table(tmp_path: Path) -> Calibration:
    bare = EmptyTable(np.full((90, 160, 3), 70, np.uint8))
    calibration = Calibration((160, 90), {2: np.array(ZONE, np.float64)}, None, bare)
    save_calibration(tmp_path, calibration)
    return calibration


@pytest.fixture
def camera(tmp_path: Path, table: Calibration, told: list[Calibration], web: Path) -> FlaskClient:
    zones = Zones(tmp_path, table, told.append)
    return create_app(FakeBoard(), web_dir=web, camera=zones).test_client()


def test_without_a_camera_there_is_no_camera_page(client: FlaskClient) -> None:
    for path in ("/camera", "/api/camera", "/api/camera/empty.jpg"):
        assert client.get(path).status_code == 404


def test_the_side_of_the_first_player_is_told_and_kept(
    camera: FlaskClient, told: list[Calibration], tmp_path: Path
) -> None:
    answer = camera.post("/api/camera/first", json={"side": "above"})
    assert answer.get_json()["first"] == "above"
    assert camera.get("/api/camera").get_json()["first"] == "above"
    assert told[-1].first == load_calibration(tmp_path).first == "above"
    assert set(told[-1].zones) == {2}


@pytest.mark.parametrize("body", [{}, {"side": "north"}, {"side": 1}, {"side": "above", "x": 1}])
def test_a_side_that_is_none_is_refused(camera: FlaskClient, body: dict[str, object]) -> None:
    assert camera.post("/api/camera/first", json=body).status_code == 400


def test_the_page_shows_the_empty_table_and_its_zones(camera: FlaskClient) -> None:
    assert camera.get("/camera").mimetype == "text/html"
    told = camera.get("/api/camera").get_json()
    assert told == {"size": [160, 90], "zones": {"2": ZONE}, "first": "below"}
    picture = camera.get("/api/camera/empty.jpg")
    assert picture.mimetype == "image/jpeg"
    assert picture.data[:2] == b"\xff\xd8"


def test_a_table_without_calibration_has_no_picture_to_mark(tmp_path: Path, web: Path) -> None:
    zones = Zones(tmp_path, None, lambda _table: None)
    client = create_app(FakeBoard(), web_dir=web, camera=zones).test_client()
    assert client.get("/api/camera").get_json() is None
    assert client.get("/api/camera/empty.jpg").status_code == 404
    answer = client.post("/api/camera/zone", json={"seat": 1, "corners": ZONE})
    assert answer.status_code == 422


def test_a_marked_zone_is_kept_and_passed_to_the_eye(
    camera: FlaskClient, tmp_path: Path, told: list[Calibration]
) -> None:
    corners = [[80, 50], [150, 50], [150, 85], [80, 85.5]]
    answer = camera.post("/api/camera/zone", json={"seat": 3, "corners": corners})
    assert answer.get_json()["zones"] == {"2": ZONE, "3": corners}
    kept = load_calibration(tmp_path)
    assert kept.zones[3].tolist() == corners
    assert kept.empty is not None
    assert told[-1].seat_of(np.array([100.0, 70.0])) == 3


def test_a_zone_is_removed(camera: FlaskClient, tmp_path: Path) -> None:
    answer = camera.post("/api/camera/zone", json={"seat": 2, "corners": None})
    assert answer.get_json()["zones"] == {}
    assert load_calibration(tmp_path).zones == {}


NO_ZONES = {
    "outside": [[10, 10], [500, 10], [60, 40], [10, 40]],
    "crossed": [[10, 10], [60, 40], [60, 10], [10, 40]],
    "tiny": [[10, 10], [11, 10], [11, 11], [10, 11]],
}


@pytest.mark.parametrize("corners", NO_ZONES.values(), ids=NO_ZONES)
def test_a_wrong_zone_is_refused_and_the_others_stay(
    camera: FlaskClient, tmp_path: Path, told: list[Calibration], corners: object
) -> None:
    answer = camera.post("/api/camera/zone", json={"seat": 2, "corners": corners})
    assert answer.status_code == 422
    assert "zone of seat 2" in answer.get_json()["error"]
    assert load_calibration(tmp_path).zones[2].tolist() == ZONE
    assert told == []


MALFORMED = {
    "seat": {"seat": 5, "corners": ZONE},
    "no seat": {"corners": ZONE},
    "three": {"seat": 1, "corners": ZONE[:3]},
    "words": {"seat": 1, "corners": [["a", "b"]] * 4},
    "truth": {"seat": 1, "corners": [[True, 1]] * 4},
    "text": {"seat": 1, "corners": "todo"},
    "more": {"seat": 1, "corners": ZONE, "deal": 1},
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_request_is_refused(camera: FlaskClient, body: dict[str, object]) -> None:
    assert camera.post("/api/camera/zone", json=body).status_code == 400
    assert camera.get("/api/camera").get_json()["zones"] == {"2": ZONE}


def test_a_failing_disk_loses_no_zone(
    camera: FlaskClient, tmp_path: Path, told: list[Calibration]
) -> None:
    (tmp_path / "table.toml.part").mkdir()
    answer = camera.post("/api/camera/zone", json={"seat": 1, "corners": ZONE})
    assert answer.status_code == 503
    assert camera.get("/api/camera").get_json()["zones"] == {"2": ZONE}
    assert told == []


class Sight:
    """The last pictures of the camera in which nothing moved."""

    def __init__(self) -> None:
        self.pictures: list[Image] = []
        self.in_play = False

    def shows(self, picture: Image) -> None:
        self.pictures = [picture] * FRAMES


@pytest.fixture
def sight() -> Sight:
    return Sight()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the hand that has tapped be gone at once."""
    monkeypatch.setattr("assistant.eye.page.PATIENCE", 0.1)


@pytest.fixture
def learning(
    sight: Sight,
    tmp_path: Path,
    told: list[Calibration],
    web: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> FlaskClient:
    monkeypatch.setattr("assistant.eye.page.PATIENCE", 0.1)
    finder = Finder(find_deck("mus"))
    lesson = ZoneCalibration(lambda: sight.pictures, lambda: finder, lambda: sight.in_play)
    zones = Zones(tmp_path, None, told.append, lesson)
    return create_app(FakeBoard(), web_dir=web, camera=zones).test_client()


def learn(client: FlaskClient, step: str) -> tuple[int, dict[str, object] | None]:
    answer = client.post("/api/camera/learn", json={"step": step})
    return answer.status_code, answer.get_json()


def test_a_table_is_calibrated_on_the_page(
    learning: FlaskClient, sight: Sight, told: list[Calibration], tmp_path: Path
) -> None:
    sight.shows(eyes.picture(()))
    assert learn(learning, "empty") == (200, None)
    sight.shows(eyes.four())
    status, seen = learn(learning, "cards")
    assert status == 200
    assert seen == {"size": [1280, 720], "zones": {}, "first": "below"}
    kept = load_calibration(tmp_path)
    assert kept.plane is not None
    assert [calibration.size for calibration in told] == [(1280, 720)]


def test_marked_zones_survive_a_new_calibration(learning: FlaskClient, sight: Sight) -> None:
    for _ in range(2):
        sight.shows(eyes.picture(()))
        learn(learning, "empty")
        sight.shows(eyes.four())
        learn(learning, "cards")
        corners = [[200, 420], [700, 420], [700, 700], [200, 700]]
        learning.post("/api/camera/zone", json={"seat": 1, "corners": corners})
    assert set(learning.get("/api/camera").get_json()["zones"]) == {"1"}


def test_an_unusable_picture_is_refused_with_its_code(learning: FlaskClient, sight: Sight) -> None:
    def code(step: str) -> object:
        status, told = learn(learning, step)
        assert status == 422
        assert told
        return told["code"]

    assert code("cards") == "order"
    assert code("empty") == "moves"
    sight.shows(eyes.picture(()))
    sight.in_play = True
    assert code("empty") == "cards"
    sight.in_play = False
    assert learn(learning, "empty")[0] == 200
    assert code("cards") == "few"  # the table is still empty
    assert learning.post("/api/camera/learn", json={"step": "all"}).status_code == 400


def test_cards_of_another_deck_calibrate_nothing_and_are_told(
    learning: FlaskClient, sight: Sight, own_folder: Path
) -> None:
    sight.shows(eyes.picture(()))
    learn(learning, "empty")
    sight.shows(eyes.four_of("other"))
    status, seen = learn(learning, "cards")
    assert (status, seen and seen["code"]) == (422, "other_deck")
    assert seen
    assert seen["params"] == {"deck": "mus"}
    other = replace(find_deck("mus"), faces=eyes.other_art())
    save_deck(own_folder / "mus" / "decks" / "mia", other)
    _, seen = learn(learning, "cards")
    assert seen
    assert (seen["code"], seen["params"]) == ("better_deck", {"deck": "mus", "better": "mia"})


def test_without_an_eye_of_its_own_a_table_is_calibrated_by_the_command(
    camera: FlaskClient,
) -> None:
    status, told = learn(camera, "empty")
    assert status == 422
    assert told
    assert "mus calibrate" in str(told["error"])


class Watch(MountWatch):
    """A watch whose pictures are given."""

    def __init__(self) -> None:
        self.playing = False
        self.pictures: list[LivePicture] = []
        super().__init__(list, lambda: Finder(find_deck("mus")), lambda: self.playing)

    def newest(self) -> LivePicture | None:
        return self.pictures[-1] if self.pictures else None

    def jpeg(self, number: int) -> bytes | None:
        found = [one.jpeg for one in self.pictures if one.number == number and not self.playing]
        return found[0] if found else None


QUAD = np.array([[10, 10], [60, 10], [60, 90], [10, 90.04]])


@pytest.fixture
def watch() -> Watch:
    return Watch()


def watching(watch: Watch, folder: Path, web: Path, keys: Keys | None = None) -> FlaskClient:
    zones = Zones(folder, None, lambda _table: None, None, watch)
    return create_app(FakeBoard(), web_dir=web, camera=zones, keys=keys).test_client()


def test_the_live_picture_comes_with_its_judgement(watch: Watch, tmp_path: Path, web: Path) -> None:
    client = watching(watch, tmp_path, web)
    assert client.get("/api/camera/live").get_json() == {"picture": None, "why": None}
    cards = (MountedCard(QUAD, parse_card("Ro"), 80.4, cut=False),
             MountedCard(QUAD, None, 79.6, cut=True))  # fmt: skip
    small = {MountFault.SMALL: {"pixels": 79, "wanted": 100}}
    judged = Mounting(
        (1280, 720), cards, small, (QUAD,), mirrored=True, tilt=3.6, table_cm=(99, 56)
    )
    watch.pictures = [LivePicture(7, b"jpeg", judged)]
    ring = [[10.0, 10.0], [60.0, 10.0], [60.0, 90.0], [10.0, 90.0]]
    assert client.get("/api/camera/live").get_json()["picture"] == {
        "number": 7,
        "size": [1280, 720],
        "cards": [
            {"corners": ring, "card": "Ro", "cut": False},
            {"corners": ring, "card": None, "cut": True},
        ],
        "glares": [ring],
        "faults": [{"code": "small", "params": {"pixels": 79, "wanted": 100}}],
        "high": 80,
        "praise": "seen",
        "mirrored": True,
        "tilt": 4,
        "table_cm": [99, 56],
    }
    answer = client.get("/api/camera/live.jpg?number=7")
    assert (answer.mimetype, answer.data) == ("image/jpeg", b"jpeg")
    assert answer.headers["Cache-Control"] == "no-store"
    for number in ("6", "x", ""):
        assert client.get(f"/api/camera/live.jpg?number={number}").status_code == 404


def test_no_live_picture_is_shown_while_cards_are_in_play(
    watch: Watch, tmp_path: Path, web: Path
) -> None:
    client = watching(watch, tmp_path, web)
    watch.pictures = [LivePicture(1, b"jpeg", Mounting((1280, 720), ()))]
    watch.playing = True
    assert client.get("/api/camera/live").get_json() == {"picture": None, "why": "cards"}
    assert client.get("/api/camera/live.jpg?number=1").status_code == 404


def test_without_the_pin_no_live_picture_is_shown(watch: Watch, tmp_path: Path, web: Path) -> None:
    client = watching(watch, tmp_path, web, Keys(b"k" * 32, "482913"))
    watch.pictures = [LivePicture(1, b"jpeg", Mounting((1280, 720), ()))]
    for path in ("/api/camera/live", "/api/camera/live.jpg?number=1"):
        stranger = client.get(path, environ_base={"REMOTE_ADDR": "192.168.1.9"})
        assert stranger.status_code == 403
        assert client.get(path).status_code == 200


def test_a_table_without_an_eye_has_no_live_picture(camera: FlaskClient) -> None:
    assert camera.get("/api/camera/live").get_json() == {"picture": None, "why": "eye"}
    assert camera.get("/api/camera/live.jpg?number=1").status_code == 404
