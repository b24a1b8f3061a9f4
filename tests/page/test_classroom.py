"""The routes of the classroom: their answers and their refusals."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from assistant.files.resources import load_phrases
from assistant.page import Keys
from assistant.rules.profile import Senas
from assistant.school.lessons.files import MOST_GUESTS, Notebooks, load_lesson, progress_path
from assistant.school.lessons.mus_senas import load_senas, signs_of
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.school.lessons.classrooms import classroom_of
from tests.tables import each_row

LESSON = "/api/lessons/01-que-es-un-lance"


@pytest.fixture
def client(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FlaskClient]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    phrases = load_phrases()
    classroom = classroom_of()
    app = create_app(
        FakeBoard(phrases),
        web_dir=checkout / "web",
        keys=Keys(b"k" * 32, "482913"),
        classroom=classroom,
    )
    yield app.test_client()
    classroom.close()


@pytest.mark.parametrize("path", ["/lessons", "/glossary", "/senas"])
def test_the_pages_exist_and_the_menu_leads_to_them(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 200
    assert f'href="{path}"' in client.get("/").text


def test_the_routes_give_lessons_glossary_and_senas(client: FlaskClient) -> None:
    assert len(client.get("/api/lessons").get_json()["lessons"]) >= 10
    assert len(client.get("/api/glossary").get_json()["terms"]) >= 60
    assert [one["name"] for one in client.get("/api/senas").get_json()["lists"]] == [
        "fem",
        "interpenas",
        "euskadi",
    ]


def test_the_pages_teach_in_the_language_that_each_device_reads(client: FlaskClient) -> None:
    titles = {"es": "Qué es un lance", "eu": "Zer da jokaldi bat", "en": "What a round is"}
    for code, title in titles.items():
        asked = client.get(f"/api/lessons?lang={code}").get_json()["lessons"]
        assert asked[0]["title"] == title
        client.set_cookie("tongue", code)
        assert client.get("/api/lessons").get_json()["lessons"][0]["title"] == title
        assert client.get(LESSON).get_json()["title"] == title
        told = {one["name"] for one in client.get("/api/glossary").get_json()["terms"]}
        assert {"es": "seña", "eu": "hamarrekoa", "en": "stone"}[code] in told
        lists = client.get("/api/senas").get_json()["lists"]
        assert lists[0]["title"] == load_senas(Senas.FEM, code)["title"]
    client.delete_cookie("tongue")
    assert client.get(LESSON).get_json()["title"] == titles["es"]
    assert client.get(f"{LESSON}?lang=gl").get_json()["title"] == titles["es"]


def test_devices_of_two_languages_share_one_walk(client: FlaskClient) -> None:
    client.post(f"{LESSON}?lang=es", json={"do": "next"})
    right = [one.right for one in load_lesson("1").steps[1].answers].index(True)
    client.post(f"{LESSON}?lang=es", json={"at": 1, "choice": right})
    for code in ("eu", "en"):
        step = load_lesson("1", code).steps[1]
        told = client.get(f"{LESSON}?lang={code}").get_json()
        assert (told["at"], told["mood"], told["right"]) == (1, "right", 1)
        assert told["question"] == step.question
        assert told["verdict"]["why"] == step.answers[right].why


@pytest.mark.parametrize("code", ["es", "eu", "en"])
def test_the_quiz_asks_in_the_language_of_its_page(client: FlaskClient, code: str) -> None:
    signs = signs_of(load_senas(Senas.INTERPENAS, code))
    for _ in range(8):
        asked = client.post(f"/api/senas/interpenas?lang={code}", json={"do": "ask"}).get_json()
        if asked["way"] == "holds":
            assert {one["holds"] for one in asked["choices"]} <= {sign.holds for sign in signs}
        else:
            assert asked["shown"] in {sign.holds for sign in signs}
        url = f"/api/senas/interpenas?lang={code}"
        answered = client.post(url, json={"choice": 0}).get_json()
        assert answered["choices"][0]["gesture"] in {sign.gesture for sign in signs}


def test_no_answer_is_sent_before_its_question(client: FlaskClient) -> None:
    told = client.post(LESSON, json={"do": "next"}).get_json()
    step = load_lesson("1").steps[1]
    assert told["choices"] == [answer.text for answer in step.answers]
    assert not any(answer.why in str(told) for answer in step.answers)


@pytest.mark.slow
def test_a_word_of_the_glossary_can_be_heard(client: FlaskClient) -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    answer = client.post("/api/sound", json={"term": "envido"})
    assert (answer.status_code, answer.mimetype) == (200, "audio/wav")
    assert answer.data[:4] == b"RIFF"


@each_row(
    "path, body",
    [
        (LESSON, {"do": "jump"}),
        (LESSON, {"do": "next", "at": 3}),
        (LESSON, {"at": True, "choice": 0}),
        (LESSON, {"at": 0, "choice": -1}),
        (LESSON, {"at": 0, "choice": 10**9}),
        (LESSON, {"at": 0, "choice": 0, "more": 1}),
        ("/api/senas/fem", {"choice": "0"}),
        ("/api/senas/fem", {}),
        ("/api/sound", {"text": "whatever I like"}),
        ("/api/sound", {"term": "a" * 81}),
        ("/api/sound", {"lesson": "01-que-es-un-lance"}),
    ],
)
def test_a_malformed_request_is_refused(
    client: FlaskClient, path: str, body: dict[str, object]
) -> None:
    answer = client.post(path, json=body)
    assert answer.status_code == 400
    assert answer.get_json()["error"]


@each_row(
    "path, body",
    [
        ("/api/lessons/paella", {"do": "next"}),
        ("/api/senas/burgos", {"do": "ask"}),
        ("/api/sound", {"term": "whatever I like"}),
        ("/api/sound", {"lesson": "01-que-es-un-lance", "at": 99}),
    ],
)
def test_an_unknown_lesson_or_word_is_refused_with_its_code(
    client: FlaskClient, path: str, body: dict[str, object]
) -> None:
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.get_json()["code"]) == (422, "unknown")


GUESTS = [{"REMOTE_ADDR": f"192.168.1.{n}"} for n in (9, 10)]


def test_a_guests_phone_learns_without_the_pin_and_moves_only_its_own_lesson(
    client: FlaskClient,
) -> None:
    def at(**who: str) -> int:
        return int(client.get(LESSON, environ_overrides=who).get_json()["at"])

    right = client.get(LESSON).get_json()
    for choice in range(len(right["choices"]) or 1):
        client.post(LESSON, json={"at": 0, "choice": choice}, environ_overrides=GUESTS[0])
    went = client.post(LESSON, json={"do": "next"}, environ_overrides=GUESTS[0])
    assert went.status_code == 200
    assert (at(**GUESTS[0]), at(**GUESTS[1]), at()) == (1, 0, 0)
    listed = client.get("/api/lessons", environ_overrides=GUESTS[0]).get_json()
    assert (listed["lessons"][0]["at"], listed["hears"]) == (1, False)
    assert client.get("/api/lessons").get_json()["lessons"][0]["at"] == 0
    assert not progress_path().exists()
    asked = client.post("/api/senas/fem", json={"do": "ask"}, environ_overrides=GUESTS[0])
    assert (asked.status_code, len(asked.get_json()["choices"]) > 1) == (200, True)
    client.post("/api/senas/fem", json={"choice": 0}, environ_overrides=GUESTS[0])
    assert client.get("/api/senas").get_json()["lists"][0]["asked"] == 0


def test_a_guest_neither_shuts_the_ear_nor_is_heard_by_it(client: FlaskClient) -> None:
    sound = client.post("/api/sound", json={"term": "envido"}, environ_overrides=GUESTS[0])
    assert sound.status_code == 403
    listen = client.post(LESSON, json={"do": "listen"}, environ_overrides=GUESTS[0])
    assert listen.status_code == 422


def test_the_guests_who_were_away_longest_are_forgotten_first() -> None:
    books = Notebooks()
    first = books.of("0")
    for number in range(1, MOST_GUESTS):
        books.of(str(number))
    assert books.of("0") is first
    books.of("one more")
    assert books.of("0") is first
    assert books.of("1") is not first
    assert len(books._guests) == MOST_GUESTS
