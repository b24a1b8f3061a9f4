"""The routes of the exercises: for everybody without a PIN, and nothing of anybody is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from assistant.files.resources import load_lexicon, load_phrases
from assistant.language.lexicon import words_of
from assistant.page import Keys
from assistant.rules.profile import Profile
from assistant.school.drills.page import Drills
from assistant.school.lessons import heard_as
from assistant.school.lessons.classroom import Pupil
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.school.drills.making import drills_of, made
from tests.school.lessons.classrooms import classroom_of
from tests.tables import each_row

NOW = 1_800_000_000
GUEST, OTHER = "192.168.1.50", "192.168.1.51"


@pytest.fixture
def drills() -> Drills:
    return drills_of()


@pytest.fixture
def client(checkout: Path, drills: Drills) -> FlaskClient:
    app = create_app(
        FakeBoard(load_phrases()),
        web_dir=checkout / "web",
        keys=Keys(b"k" * 32, "482913"),
        classroom=classroom_of(),
        drills=drills,
    )
    return app.test_client()


def sender(kept: Any = None) -> dict[str, Any]:
    return {"kept": kept, "at": NOW}


def ask(
    client: FlaskClient, kept: Any = None, who: str = GUEST, lang: str = "es", **rest: Any
) -> Any:
    body = {"do": "next", "kinds": ["gana", "vale"], **sender(kept), **rest}
    return client.post(f"/api/drills?lang={lang}", json=body, environ_base={"REMOTE_ADDR": who})


def reply(client: FlaskClient, name: str, choice: int, kept: Any, who: str = GUEST) -> Any:
    body = {"choice": choice, **sender(kept)}
    return client.post(f"/api/drills/{name}", json=body, environ_base={"REMOTE_ADDR": who})


def test_the_page_exists_and_the_menu_and_the_lessons_lead_to_it(client: FlaskClient) -> None:
    assert client.get("/drills").status_code == 200
    assert 'href="/drills"' in client.get("/").text
    assert 'href="/drills"' in client.get("/lessons").text


def test_a_guest_without_the_pin_does_exercises(client: FlaskClient) -> None:
    exercise = ask(client).get_json()
    best = made(exercise["name"]).best
    answer = reply(client, exercise["name"], best, None)
    assert answer.status_code == 200
    told = answer.get_json()
    assert told["verdict"]["grade"] == "right"
    following = ask(client, told["kept"]).get_json()
    assert following["name"] != exercise["name"]


def test_no_answer_is_sent_before_its_question_was_answered(client: FlaskClient) -> None:
    exercise = ask(client).get_json()
    assert not {"best", "right", "costs", "why"} & set(exercise)


def test_two_learners_do_not_mix(client: FlaskClient) -> None:
    """What one telephone got wrong comes again there, and the other never hears of it."""
    exercise = ask(client).get_json()
    wrong = (made(exercise["name"]).best + 1) % len(exercise["choices"])
    mine = reply(client, exercise["name"], wrong, None).get_json()["kept"]
    assert exercise["name"] in str(mine)
    theirs = client.post(
        "/api/drills", json={"do": "progress", **sender()}, environ_base={"REMOTE_ADDR": OTHER}
    ).get_json()["skills"]
    assert not any(skill["asked"] for skill in theirs)
    yours = ask(client, None, OTHER).get_json()
    assert not yours["again"]
    own = client.post("/api/drills", json={"do": "progress", **sender(mine)}).get_json()["skills"]
    assert [skill["asked"] for skill in own if skill["wrong"]] == [1]


def test_the_table_keeps_nothing_of_anybody(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    exercise = ask(client).get_json()
    reply(client, exercise["name"], 0, None)
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize(
    ("language", "title"),
    [("es", "¿Quién gana?"), ("eu", "Nork irabazten du?"), ("en", "Who wins?")],
)
def test_each_device_reads_its_own_language(client: FlaskClient, language: str, title: str) -> None:
    told = ask(client, kinds=["gana"], lang=language).get_json()
    assert told["title"] == title
    kinds = client.get(f"/api/drills?lang={language}").get_json()["kinds"]
    assert title in [one["title"] for one in kinds]


def test_a_table_that_maestro_does_not_know_has_the_kinds_of_the_rules(checkout: Path) -> None:
    drills = drills_of(Profile(kings=4))
    app = create_app(FakeBoard(load_phrases()), web_dir=checkout / "web", drills=drills)
    client = app.test_client()
    kinds = [one["kind"] for one in client.get("/api/drills").get_json()["kinds"]]
    assert kinds == ["gana", "vale"]
    assert ask(client, kinds=["tiras"]).status_code == 422
    assert ask(client, kinds=[]).status_code == 200


@each_row(
    "path, body",
    [
        *(("", {}), ("", {"do": "jump"}), ("", {"do": "next", "kinds": ["gana"]})),
        *(("", {"do": "next", "kinds": ["mus"], **sender()}), ("", {"do": "progress"})),
        *(("", {"do": "next", "kinds": "gana", **sender()}),),
        *(("", {"do": "next", "kinds": [], **sender(), "more": 1}),),
        *(("", {"do": "next", "kinds": [], **sender(), "at": -1}),),
        *(("", {"do": "next", "kinds": [], **sender(), "at": 1e300}),),
        *(("/gana.pares-1-1", {"choice": True, **sender()}),),
        *(("/gana.pares-1-1", {"choice": -1, **sender()}), ("/gana.pares-1-1", {"choice": 0})),
    ],
)
def test_requests_that_are_none_are_refused(client: FlaskClient, path: str, body: Any) -> None:
    assert client.post(f"/api/drills{path}", json=body).status_code == 400


@each_row(
    "path, body",
    [
        ("/gana.pares-1-1", {"choice": 9, **sender()}),
        ("/gana.pares-9-1", {"choice": 0, **sender()}),
        ("/nothing", {"choice": 0, **sender()}),
        ("/gana.pares-1-1", {"choice": 0, **sender({"version": 9})}),
        ("", {"do": "progress", **sender("x")}),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    client: FlaskClient, path: str, body: Any
) -> None:
    answer = client.post(f"/api/drills{path}", json=body)
    assert answer.status_code == 422
    assert answer.get_json()["code"] == "exercise"


def test_a_guest_gets_no_ear(client: FlaskClient) -> None:
    body = {"do": "listen", "name": "gana.pares-1-1"}
    guest = {"REMOTE_ADDR": GUEST}
    assert client.post("/api/drills-ear", json=body, environ_base=guest).status_code == 403
    assert not client.get("/api/drills", environ_base=guest).get_json()["hears"]


class Listening(Pupil):
    """An ear that hears what it is told to."""

    def __init__(self) -> None:
        super().__init__(lambda: None, Path(), "es", lambda: False)
        self.on = False
        self.step: Any = None
        self.answered: Any = None

    @property
    def listening(self) -> bool:
        return self.on

    def listen(self, step: Any, answered: Any, language: str = "") -> None:  # noqa: ARG002
        self.on, self.step, self.answered = True, step, answered

    def quiet(self) -> None:
        self.on = False


def test_an_answer_said_aloud_is_the_one_that_a_tap_would_be() -> None:
    ear = Listening()
    drills = drills_of(pupil=ear)
    lexicon = load_lexicon(("es",))
    told = drills.listen("gana.pares-1-1", "es")
    assert (told["listening"], told["choice"]) == (True, None)
    ear.answered(heard_as(ear.step, words_of("qué buen día"), lexicon))
    assert drills.ear()["listening"]
    ear.answered(heard_as(ear.step, words_of("dos"), lexicon))
    told = drills.ear()
    assert (told["name"], told["listening"], told["choice"]) == ("gana.pares-1-1", False, 1)
