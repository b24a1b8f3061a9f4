"""The setup page: what it shows, what it accepts, and what it refuses."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from assistant.cli import setup as setting_up
from assistant.cli.setup import KEYS, Change
from assistant.ear.levels import Rehearsal
from assistant.files.profile_files import own_dir
from assistant.files.settings import OPTIONS, Value, read_settings, settings_path, write_settings
from assistant.messages import Heard, Word
from assistant.page import Keys
from assistant.page.app import page_words
from assistant.rules.calls import Cut
from assistant.speakers.voice_lessons import VoicesView
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.page.setting_up import setup_of
from tests.tables import each_row
from tests.voice.parts import needs_speech

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}
PIN = "482913"
PRIVATE = ("", "/checks", "/trial", "/voices")
"""Routes whose answers only devices with the PIN may get."""
SECRET = "t0p-s3cret"
OF_THE_PAGE: dict[str, Value] = {
    "hearing": "taps", "mic": "jabra", "camera": "rtsp://cam/s", "deck": "mus", "voice": False,
    "voice_name": "spanish", "rate": 200, "volume": 0.5, "level": "full", "lan": True,
    "style": "sobrio", "sounds": False, "learn": False,
    "language": "en", "profile": "vasco", "rules": "target=30 kings=8",
    "seats": "Ana Luis Eva Juan",
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.fixture
def asked() -> list[Change]:
    return []


@pytest.fixture
def rehearsal() -> Rehearsal:
    return Rehearsal()


@pytest.fixture
def client(web: Path, asked: list[Change], rehearsal: Rehearsal) -> FlaskClient:
    setup = setup_of("--voice", "off", ask=asked.append, rehearsal=rehearsal)
    return create_app(FakeBoard(), web_dir=web, setup=setup).test_client()


def test_without_a_setup_there_is_no_setup_page(web: Path) -> None:
    client = create_app(FakeBoard(), web_dir=web).test_client()
    for path in ("/setup", "/api/setup", "/api/setup/trial", "/api/setup/checks"):
        assert client.get(path).status_code == 404


def test_the_first_page_of_a_fresh_machine_is_the_setup_until_there_is_a_game(
    client: FlaskClient,
) -> None:
    assert client.get("/").headers["Location"] == "/setup"
    client.post("/api/setup", json={"set": {"level": "full"}, "start": ""})
    assert client.get("/").headers["Location"] == "/setup"
    client.post("/api/setup", json={"set": {}, "start": "new"})
    assert client.get("/").status_code == 200


@pytest.mark.slow
def test_the_values_in_force_are_shown_wherever_they_come_from(client: FlaskClient) -> None:
    shown = client.get("/api/setup").get_json()
    assert set(shown["values"]) == set(KEYS)
    assert shown["values"]["voice"] is False  # from --voice off, and from no file
    assert shown["seats"] == ["Norte", "Oeste", "Sur", "Este"]
    assert "vasco" in {profile["name"] for profile in shown["profiles"]}
    assert shown["choices"]["language"] == ["en", "es", "eu"]
    assert (shown["fresh"], shown["untouched"], shown["opening"]) == (True, True, 1)


@each_row(
    "asked, cookie, title, disk",
    [
        ("", "", "Maestro", "disco"),
        ("?lang=eu", "", "Maisua", "diskoa"),
        ("?lang=en", "eu", "Teacher", "disk"),
        ("", "eu", "Maisua", "diskoa"),
        ("?lang=xx", "", "Maestro", "disco"),
    ],
)
def test_the_styles_and_the_checks_are_in_the_language_of_the_page(
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    asked: str,
    cookie: str,
    title: str,
    disk: str,
) -> None:
    monkeypatch.setattr(setting_up, "PARTS", ("disk",))
    monkeypatch.setattr(setting_up, "_voices_of", lambda _language: [])
    client.set_cookie("tongue", cookie)
    styles = client.get(f"/api/setup{asked}").get_json()["styles"]
    assert next(one["title"] for one in styles if one["name"] == "maestro") == title
    checks = client.get(f"/api/setup/checks{asked}").get_json()["checks"]
    assert [one["name"] for one in checks] == [disk]


def test_a_change_is_saved_and_reopens_the_table(client: FlaskClient, asked: list[Change]) -> None:
    told = client.post("/api/setup", json={"set": {"seats": "A B C D", "rate": 200}, "start": ""})
    assert told.get_json() == {"anew": True}
    assert read_settings() == {"seats": "A B C D", "rate": 200}
    assert asked == [Change({"seats": None, "rate": None}, new=False)]


@each_row(
    "seats, code, name",
    [("Ana Luis Eva ana", "twice", "ana"), ("Ana Paso Eva Juan", "call", "Paso")],
)
def test_a_name_that_no_player_can_have_is_named(
    client: FlaskClient, seats: str, code: str, name: str
) -> None:
    told = client.post("/api/setup", json={"set": {"seats": seats}, "start": "new"})
    assert told.status_code == 422
    answer = told.get_json()
    assert (answer["code"], answer["name"]) == (code, name)
    assert repr(name) in answer["error"]
    assert not settings_path().exists()


def test_an_unchanged_setting_does_not_reopen_the_table(
    client: FlaskClient, asked: list[Change]
) -> None:
    for _ in range(2):
        client.post("/api/setup", json={"set": {"level": "full"}, "start": ""})
    assert len(asked) == 1
    told = client.post("/api/setup", json={"set": {}, "start": "again"})
    assert told.get_json() == {"anew": True}  # a microphone may have been plugged in


def test_null_removes_a_setting(client: FlaskClient, asked: list[Change]) -> None:
    client.post("/api/setup", json={"set": {"mic": "jabra"}, "start": ""})
    client.post("/api/setup", json={"set": {"mic": None}, "start": ""})
    assert read_settings() == {}
    assert asked[-1].before == {"mic": "jabra"}


@pytest.mark.parametrize("key", KEYS)
def test_every_setting_of_the_page_is_saved(client: FlaskClient, key: str) -> None:
    told = client.post("/api/setup", json={"set": {key: OF_THE_PAGE[key]}, "start": ""})
    assert told.get_json() == {"anew": True}
    assert read_settings() == {key: OF_THE_PAGE[key]}


@each_row("key", sorted({*OPTIONS} - {*KEYS}))
def test_a_setting_that_is_not_on_the_page_is_refused_in_one_sentence(
    client: FlaskClient, asked: list[Change], tmp_path: Path, key: str
) -> None:
    """This protects above all the hall's settings: the table would send any file to any address."""
    (tmp_path / "secret").write_text(SECRET)
    for value in (None, OPTIONS[key].default, str(tmp_path / "secret")):
        body = {"set": {"level": "full", key: value}, "start": "again"}
        told = client.post("/api/setup", json=body)
        assert told.status_code == 422
        assert (
            told.get_json()["error"] == f"'{key}' is not for this page to set: use 'mus settings'."
        )
    assert not settings_path().exists()
    assert asked == []


@each_row(
    "values, said",
    [
        ({"micro": "x"}, "not for this page"),
        ({"a\nb": "x"}, "not for this page"),
        ({"level": "loud"}, "choose from"),
        ({"style": "loud"}, "choose from maestro, peña, sobrio"),
        ({"rate": 20}, "from 80 to 450"),
        ({"voice": "yes"}, "true or false"),
        ({"seats": "Ana"}, "different names"),
        ({"seats": "Ana Luis Eva"}, "sides=each"),
        ({"seats": "Ana Luis Eva Juan", "profile": "nobody's"}, "no profile"),
        ({"profile": "/etc/hostname.toml"}, "no profile"),
        ({"profile": "~/casa.toml"}, "no profile"),
        ({"profile": "../../casa.toml"}, "no profile"),
        ({"rules": "kings=7"}, "8 or 4 kings"),
        ({"rules": "kigns=4"}, "is it kings"),
        ({"rules": "target"}, "no KEY=VALUE"),
        ({"rules": "target=30 target=40"}, "set twice"),
        ({"rules": "profile=vasco"}, "Unknown rule"),
        ({"rules": "real31=suits"}, "needs real31_cards"),
        ({"rules": "target=30 min_bet=31"}, "more than the target"),
        ({"deck": "nobody's"}, "no deck"),
        ({"language": "fr"}, "choose from"),
        ({"camera": "/etc/passwd"}, "an address"),
        ({"camera": "file:///etc/passwd"}, "an address"),
        ({"mic": "a\nb"}, "one line"),
        ({"mic": "x" * 300}, "200 letters"),
    ],
)
def test_an_impossible_value_is_refused_in_one_sentence_and_not_saved(
    client: FlaskClient, asked: list[Change], values: dict[str, Any], said: str
) -> None:
    told = client.post("/api/setup", json={"set": values, "start": "new"})
    assert told.status_code == 422
    assert said in told.get_json()["error"]
    assert not settings_path().exists()
    assert asked == []


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without voices, of which no process makes a list."""
    monkeypatch.setattr(setting_up, "_voices_of", lambda _language: [])


def own_profile(name: str, rules: str, title: str = "Las de casa") -> None:
    """Write a player's own house rules."""
    own_dir().mkdir(parents=True, exist_ok=True)
    head = f'name = "{name}"\ntitle = "{title}"\nexplains = "Las nuestras."\n'
    (own_dir() / f"{name}.toml").write_text(f"{head}[rules]\n{rules}\n", "utf-8")


def test_rules_that_cannot_be_together_are_refused_by_the_rule_that_is_in_the_way(
    client: FlaskClient,
) -> None:
    own_profile("altas", "min_bet = 35")
    body = {"set": {"profile": "altas", "rules": "target=30"}, "start": "new"}
    told = client.post("/api/setup", json=body)
    assert (told.status_code, told.get_json()["code"]) == (422, "min_bet")
    assert not settings_path().exists()


@pytest.mark.usefixtures("silent")
@each_row(
    "words, kept, profile, rules",
    [
        ([], {}, "estandar", ""),
        ([], {"profile": "vasco"}, "vasco", ""),
        ([], {"profile": "vasco", "rules": "kings=8 target=30"}, "vasco", "kings=8 target=30"),
        ([], {"rules": "target=30"}, "estandar", "target=30"),
        ([], {"rules": "kings=4 corrido=off senas=euskadi"}, "estandar",
         "kings=4 corrido=off senas=euskadi"),
        (["--profile", "vasco"], {"profile": "wikipedia"}, "vasco", ""),
        (["--profile", "vasco", "--rules", "target=30"], {}, "vasco", "target=30"),
        (["--rules", "target=30 reenvido=plus2"], {"profile": "vasco"}, "estandar",
         "target=30 reenvido=plus2"),
    ],
)  # fmt: skip
def test_the_rules_of_the_next_game_are_shown_wherever_they_come_from(
    words: list[str], kept: dict[str, Value], profile: str, rules: str
) -> None:
    settings_path().unlink(missing_ok=True)
    write_settings(kept)
    values = setup_of("--voice", "off", *words).view()["values"]
    assert (values["profile"], values["rules"]) == (profile, rules)


@pytest.mark.usefixtures("silent")
def test_a_profile_in_a_file_elsewhere_is_shown_as_the_nearest_one(tmp_path: Path) -> None:
    file = tmp_path / "torneo.toml"
    head = 'name = "torneo"\ntitle = "El torneo"\nexplains = "A 35."\n'
    rules = '[rules]\nkings = 4\ncorrido = "off"\nsenas = "euskadi"\ntarget = 35\n'
    file.write_text(f'{head}{rules}calls = ["es", "eu"]\nvoice = "eu"\n', "utf-8")
    values = setup_of("--voice", "off", "--profile", str(file)).view()["values"]
    assert (values["profile"], values["rules"]) == ("vasco", "target=35")


@pytest.mark.usefixtures("silent")
def test_the_page_is_told_what_each_profile_says_of_every_rule_with_a_switch() -> None:
    own_profile("casa", 'real31 = "suits"\nreal31_cards = "So 7o 7c 7e"\ntarget = 35')
    view = setup_of("--voice", "off").view()
    rules = {one["name"]: (one["own"], one["rules"]) for one in view["profiles"]}
    assert rules["vasco"] == (
        False,
        {"kings": "4", "target": "40", "juegos": "3", "vacas": "1", "corrido": "off",
         "real31": "off", "real31_cards": "off", "senas": "euskadi"},
    )  # fmt: skip
    own, casa = rules["casa"]
    assert (own, casa["real31"], casa["real31_cards"]) == (True, "suits", "So+7o+7c+7e")
    assert view["choices"]["corrido"] == ["off", "match", "vaca", "juego"]


@pytest.mark.usefixtures("silent")
@each_row("code", ["es", "eu", "en"])
def test_every_switch_has_words_for_all_its_values_and_every_profile_that_ships_for_itself(
    code: str,
) -> None:
    words = page_words("setup", code)["setup"]
    view = setup_of("--voice", "off").view()
    for key in ("corrido", "real31", "senas"):
        assert list(words["answers"][key]) == list(words["over"][key]) == view["choices"][key]
    shipped = {one["name"] for one in view["profiles"]}
    assert set(words["houses"]) == shipped
    titles = [house["title"] for house in words["houses"].values()]
    assert len({title.casefold() for title in titles}) == len(shipped)
    for house in words["houses"].values():
        assert len(house["line"]) <= 100, house["line"]
        assert "\n" not in house["line"]


@each_row(
    "path, body",
    [
        ("", {}),
        ("", {"set": [], "start": ""}),
        ("", {"set": {}, "start": "now"}),
        ("", {"set": {}, "start": "", "more": 1}),
        ("/speak", {"name": "", "rate": "fast", "volume": 1, "language": "es"}),
        ("/speak", {"name": "", "rate": 180}),
        ("/look", {"camera": ""}),
        ("/look", {"camera": 0}),
    ],
)
def test_a_malformed_request_is_refused(
    client: FlaskClient, path: str, body: dict[str, Any]
) -> None:
    assert client.post(f"/api/setup{path}", json=body).status_code == 400
    assert client.post(f"/api/setup{path}", data=b"{}").status_code == 415


def test_a_device_without_the_pin_changes_and_tries_nothing(web: Path) -> None:
    setup = setup_of("--voice", "off")
    app = create_app(FakeBoard(), web_dir=web, setup=setup, keys=Keys(b"k" * 32, PIN))
    client = app.test_client()
    bodies: dict[str, dict[str, Any]] = {
        "": {"set": {"level": "full"}, "start": ""},
        "/listen": {},
        "/speak": {"name": "", "rate": 180, "volume": 1.0, "language": "es"},
        "/look": {"camera": "0"},
    }
    for path, body in bodies.items():
        told = client.post(f"/api/setup{path}", json=body, environ_overrides=ELSEWHERE)
        assert told.status_code == 403
    assert not settings_path().exists()


class NoVoices:
    """A table without any enrolled voice."""

    def view(self) -> VoicesView:
        return {"voices": [], "languages": ["es"], "most": 9, "current": True, "passes": None,
                "fault": "", "learnt": None, "lesson": None}  # fmt: skip


@pytest.mark.slow
def test_the_settings_are_shown_only_to_devices_with_the_pin(web: Path) -> None:
    setup = setup_of("--voice", "off", "--camera", f"rtsp://me:{SECRET}@cam/s")
    voices: Any = NoVoices()
    keys = Keys(b"k" * 32, PIN)
    app = create_app(FakeBoard(), web_dir=web, setup=setup, voices=voices, keys=keys)
    onlooker, own = app.test_client(), app.test_client()
    onlooker.environ_base.update(ELSEWHERE)
    for path in PRIVATE:
        assert own.get(f"/api/setup{path}").status_code == 200
        told = onlooker.get(f"/api/setup{path}")
        assert (told.status_code, list(told.get_json())) == (403, ["error"])
    assert onlooker.get("/setup").status_code == 200  # the page asks for the PIN
    onlooker.post("/api/enter", json={"pin": PIN})
    for path in PRIVATE:
        assert onlooker.get(f"/api/setup{path}").status_code == 200


@pytest.mark.slow
def test_no_password_is_shown_to_anybody(web: Path) -> None:
    hub = f"mqtt://mesa-1:{SECRET}@hub.local"
    write_settings({"hub": hub, "camera": f"rtsp://me:{SECRET}@cam/s"})
    client = create_app(FakeBoard(), web_dir=web, setup=setup_of("--voice", "off")).test_client()
    shown = client.get("/api/setup")
    assert SECRET not in shown.get_data(as_text=True)
    assert shown.get_json()["values"]["camera"] == "rtsp://***@cam/s"


@pytest.mark.slow
def test_a_masked_camera_url_keeps_the_present_camera(web: Path) -> None:
    whole = f"http://me:{SECRET}@127.0.0.1:9/s"
    write_settings({"camera": whole})
    client = create_app(FakeBoard(), web_dir=web, setup=setup_of("--voice", "off")).test_client()
    veiled = client.get("/api/setup").get_json()["values"]["camera"]
    told = client.post("/api/setup", json={"set": {"camera": veiled}, "start": ""})
    assert told.get_json() == {"anew": False}
    assert read_settings()["camera"] == whole
    other = veiled.replace("/s", "/other")
    for path, body in (("", {"set": {"camera": other}, "start": ""}), ("/look", {"camera": other})):
        told = client.post(f"/api/setup{path}", json=body)
        assert (told.status_code, told.get_json()["code"]) == (422, "veiled")


def test_voices_are_listed_once_for_simultaneous_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class SlowMouth:
        def __init__(self, _settings: object) -> None:
            made.append(threading.current_thread().name)
            time.sleep(0.1)

        def voices(self) -> list[str]:
            return ["Spanish"]

        def close(self) -> None:
            """There is no process to end."""

    monkeypatch.setattr(setting_up, "Mouth", SlowMouth)
    setup = setup_of("--voice", "off")
    with ThreadPoolExecutor(4) as many:
        told = list(many.map(lambda _: setup.view()["choices"]["voice_name"], range(4)))
    assert told == [["Spanish"]] * 4
    assert len(made) == 1


def test_a_broken_settings_file_is_reported_and_left_alone(client: FlaskClient) -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text("mic = ", "utf-8")
    told = client.post("/api/setup", json={"set": {"level": "full"}, "start": ""})
    assert told.status_code == 422
    assert "mend it" in told.get_json()["error"]
    assert settings_path().read_text("utf-8") == "mic = "


def test_a_disk_that_cannot_be_written_is_reported(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "mus").write_text("no folder", "utf-8")
    told = client.post("/api/setup", json={"set": {"level": "full"}, "start": ""})
    assert told.status_code in (422, 503)
    assert "\n" not in told.get_json()["error"]


def test_words_heard_while_the_microphone_is_tried_are_shown(
    client: FlaskClient, rehearsal: Rehearsal
) -> None:
    assert client.get("/api/setup/trial").get_json()["left"] == 0
    began = client.post("/api/setup/listen", json={}).get_json()
    assert began["left"] > 10
    assert rehearsal.takes(Heard((Word("envido", confidence=0.9),)))
    assert client.get("/api/setup/trial").get_json()["heard"] == [["envido", 0.9]]


def test_cards_in_play_are_never_shown(web: Path) -> None:
    setup = setup_of("--voice", "off", calls=(Cut(seat=1),))
    client = create_app(FakeBoard(), web_dir=web, setup=setup).test_client()
    told = client.post("/api/setup/look", json={"camera": "0"})
    assert (told.status_code, told.get_json()["code"]) == (422, "cards")


def test_a_missing_camera_is_reported_in_one_sentence(web: Path) -> None:
    setup = setup_of("--voice", "off", calls=())
    client = create_app(FakeBoard(), web_dir=web, setup=setup).test_client()
    told = client.post("/api/setup/look", json={"camera": "http://127.0.0.1:9/"})
    assert told.status_code == 422
    assert "\n" not in told.get_json()["error"]


@pytest.mark.slow
@needs_speech
def test_a_missing_voice_is_reported_with_the_installed_ones(
    client: FlaskClient,
) -> None:
    names = client.get("/api/setup").get_json()["choices"]["voice_name"]
    assert any("Spanish" in name for name in names)
    told = client.post(
        "/api/setup/speak",
        json={"name": "nobody's", "rate": 180, "volume": 1.0, "language": "es"},
    )
    assert told.status_code == 422
    assert "no voice is" in told.get_json()["error"] or "plays sound" in told.get_json()["error"]


def test_the_checks_report_what_is_missing(client: FlaskClient) -> None:
    checks = client.get("/api/setup/checks").get_json()["checks"]
    assert {"ok", "warning", "wrong"} >= {check["state"] for check in checks}
    assert all(check["advice"] for check in checks if check["state"] != "ok")
