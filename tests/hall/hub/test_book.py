"""The organisers' book of fees and telephones, none of which becomes public."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, text

from assistant.hall.hub.book import Book, cents_of
from assistant.hall.hub.database import migrate, open_database, opened
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.maintenance import back_up, restore
from assistant.hall.hub.release import release, verify
from assistant.hall.tournament import Format, Opened, TournamentError, act_to_json
from tests.hall.hub import test_desk
from tests.hall.hub.test_desk import ELSEWHERE, OPENED, post, show
from tests.tables import each_row

client, desk = test_desk.client, test_desk.desk
TELEPHONES = ("600111222", "944001122")
LIST = (
    "Jugador 1;Jugador 2;Peña;Categoría;Móvil;Pagado\n"
    "Ana Ruiz;Luis Gil;Alta;Mixta;600 111 222;sí\n"
    "Eva Mur;Jon Sáez;Baja;Senior;+34 944 00 11 22;\n"
)


@pytest.fixture
def listed(client: FlaskClient) -> FlaskClient:
    """Two pairs of a list with telephones, of which one has paid."""
    post(client, "", {"act": OPENED})
    assert post(client, "/1/book", {"fee": "20,50", "by": "Juez"})[0] == 200
    assert post(client, "/1/enrol", {"csv": LIST, "by": "Juez"})[0] == 200
    return client


def book(client: FlaskClient) -> Any:
    return client.get("/api/tournaments/1/book").get_json()


def test_a_list_brings_telephones_and_who_has_paid(listed: FlaskClient) -> None:
    told = book(listed)
    assert told["telephones"] == {"1": TELEPHONES[0], "2": f"+34{TELEPHONES[1]}"}
    assert (told["fee"], told["total"], told["owing"]) == (2050, 2050, [2])
    assert (told["paid"]["1"]["cents"], told["paid"]["1"]["by"]) == (2050, "Juez")


def test_a_tap_notes_a_payment_and_another_takes_it_back(listed: FlaskClient) -> None:
    told = post(listed, "/1/book", {"pair": 2, "paid": True, "by": "Maite"})[1]
    assert (told["total"], told["owing"], told["paid"]["2"]["by"]) == (4100, [], "Maite")
    told = post(listed, "/1/book", {"pair": 1, "paid": False, "by": "Maite"})[1]
    assert (told["total"], told["owing"]) == (2050, [1])
    again = post(listed, "/1/book", {"pair": 1, "paid": True, "by": "Ane"})[1]
    assert again["paid"]["1"]["by"] == "Ane"


def test_who_paid_before_the_fee_was_set_has_paid_it(client: FlaskClient) -> None:
    post(client, "", {"act": OPENED})
    post(client, "/1/enrol", {"csv": LIST, "by": "Juez"})
    assert book(client)["total"] == 0
    assert post(client, "/1/book", {"fee": "15", "by": "Juez"})[1]["total"] == 1500


def test_money_of_a_pair_that_withdrew_is_counted_apart(listed: FlaskClient) -> None:
    gone = {"type": "PairWithdrawn", "v": 1, "pair": 1, "reason": "Enfermo", "by": "Juez"}
    post(listed, "/1/act", {"act": gone})
    told = book(listed)
    assert (told["owing"], told["total"], told["of_gone"]) == ([2], 2050, 2050)


def test_a_telephone_is_corrected_and_deleted(listed: FlaskClient, engine: Engine) -> None:
    told = post(listed, "/1/book", {"pair": 1, "telephone": "611 000 000", "by": "Juez"})[1]
    assert told["telephones"]["1"] == "611000000"
    told = post(listed, "/1/book", {"pair": 1, "telephone": "", "by": "Juez"})[1]
    assert "1" not in told["telephones"]
    status, told = post(listed, "/1/book", {"pair": 1, "telephone": "12", "by": "Juez"})
    assert (status, told["code"]) == (409, "no_telephone")
    assert Book(engine).forget_telephones(1) == 1
    assert book(listed)["telephones"] == {}


def test_only_the_referee_reads_and_writes_the_book(listed: FlaskClient) -> None:
    assert listed.get("/api/tournaments/1/book", environ_base=ELSEWHERE).status_code == 403
    for path in ("/1/book", "/1/preview"):
        assert post(listed, path, {"pair": 2, "paid": True, "by": "x"}, **ELSEWHERE)[0] == 403
    assert book(listed)["owing"] == [2]


@each_row(
    "asked, code",
    [
        ({"pair": 9, "paid": True}, "no_pair"),
        ({"pair": 1, "paid": True, "by": ""}, "missing"),
        ({"fee": "mucho"}, "no_fee"),
        ({"fee": "-3"}, "no_fee"),
        ({"fee": "999999"}, "no_fee"),
    ],
)
def test_what_cannot_be_noted_is_refused(
    listed: FlaskClient, asked: dict[str, Any], code: str
) -> None:
    before = book(listed)
    status, told = post(listed, "/1/book", {"by": "Juez", **asked})
    assert (status, told["code"]) == (409, code)
    assert book(listed) == before


@each_row("text, cents", [("20", 2000), ("20,5", 2050), ("20.50 €", 2050), ("0", 0), (" 7 ", 700)])
def test_amounts_are_read_as_people_write_them(text: str, cents: int) -> None:
    assert cents_of(text) == cents


def test_one_telephone_in_two_pairs_is_asked_about(listed: FlaskClient) -> None:
    pair = {"players": ["Iker", "Ane"], "telephone": "+34 600111222"}
    status, told = post(listed, "/1/enrol", {"pair": pair, "by": "Juez"})
    assert (status, told["code"], told["facts"]) == (409, "telephone_twice", {"pair": 1})
    two = "jugador 1;jugador 2;tel\nUnai;Mar;633000000\nPau;Ina;633000000\nNoa;Leo;600111222\n"
    told = post(listed, "/1/enrol", {"csv": two, "by": "Juez"})[1]
    assert [(one["line"], one["because"]["code"]) for one in told["facts"]["faults"]] == [
        (3, "telephone_twice"), (4, "telephone_twice")]  # fmt: skip
    assert post(listed, "/1/enrol", {"csv": two, "by": "Juez", "namesakes": [3, 4]})[0] == 200
    assert [
        one["namesakes"] if "namesakes" in one else one["name"] for one in show(listed)["pairs"]
    ]
    assert len(show(listed)["pairs"]) == 5


def test_nothing_public_has_a_telephone_or_who_paid(
    listed: FlaskClient, engine: Engine, tmp_path: Path
) -> None:
    """Acts, pages, lists, the big screen's data, and the signed release."""
    post(listed, "/1/draw", {"seed": 7, "by": "Juez"})
    paths = [
        *("/tournaments", "/tournaments/1", "/tournaments/1/screen", "/tournaments/1/slips"),
        *("/tournaments/1/enrol", "/tournaments/1/sign", "/tournaments/1/pairs.csv"),
        *("/tournaments/1/matches.csv", "/tournaments/1/standings.csv", "/api/tournaments"),
        *("/api/tournaments/1", "/api/tournaments/1/acts", "/api/hall"),
    ]
    for path in paths:
        answer = listed.get(path, environ_base=ELSEWHERE)
        assert answer.status_code == 200, path
        assert not [one for one in TELEPHONES if one in answer.get_data(as_text=True)], path
        assert "paid" not in answer.get_data(as_text=True) or path.endswith("/enrol"), path
    results = listed.get("/tournaments/1/results.zip?lang=eu", environ_base=ELSEWHERE)
    with ZipFile(io.BytesIO(results.data)) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert '<html lang="eu">' in pages["index.html"]
    assert "Ana Ruiz y Luis Gil" in pages["es/pairs.html"]
    assert not [one for one in (*TELEPHONES, "Alta") if one in "".join(pages.values())]
    release(engine, 1, tmp_path / "out.zip")
    assert verify(tmp_path / "out.zip").wrong == ()
    with ZipFile(tmp_path / "out.zip") as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist())
    assert b"Mixta" in whole
    assert not [one for one in TELEPHONES if one.encode() in whole]


def test_a_backup_has_the_book(listed: FlaskClient, engine: Engine, tmp_path: Path) -> None:
    back_up(engine, tmp_path / "hall.zip")
    other = open_database(str(tmp_path / "other.sqlite3"))
    restore(other, tmp_path / "hall.zip")
    assert Desk(Ledger(other), tuple).book(1) == book(listed)
    other.dispose()


def test_a_refused_list_leaves_no_telephone_behind(listed: FlaskClient) -> None:
    wrong = "jugador 1;jugador 2;tel\nUnai;Mar;633000000\nPau;;644000000\n"
    assert post(listed, "/1/enrol", {"csv": wrong, "by": "Juez"})[0] == 409
    assert set(book(listed)["telephones"]) == {"1", "2"}


def test_a_preview_shows_columns_pairs_faults_and_questions_and_writes_nothing(
    listed: FlaskClient,
) -> None:
    text = (
        "Jugador 1;Jugador 2;Tel;Nota\nIker Paz;Ane Ros;;x\nRuiz, Anita;Mar Rey;;y\n"
        "Pau;;;z\nNoa Gil;Leo Paz;600111222;\n"
    )
    before = show(listed), book(listed)
    told = post(listed, "/1/preview", {"csv": text, "by": "Juez"})[1]
    assert {one["title"]: one["field"] for one in told["columns"]} == {
        "Jugador 1": "first", "Jugador 2": "second", "Tel": "telephone", "Nota": ""
    }  # fmt: skip
    assert told["columns"][0]["sample"] == ["Iker Paz", "Ruiz, Anita", "Pau"]
    assert (told["sure"], told["good"], told["wrong"]) == (True, 1, 3)
    codes = {
        one["line"]: (one["why"]["code"], one["asks"]) for one in told["lines"] if "why" in one
    }
    assert codes == {
        3: ("person_perhaps", True), 4: ("missing", False), 5: ("telephone_twice", True)
    }  # fmt: skip
    chosen = {"csv": text, "by": "Juez", "columns": ["second", "first", "", ""]}
    told = post(listed, "/1/preview", {**chosen, "namesakes": [3]})[1]
    assert told["lines"][0]["players"] == ["Ane Ros", "Iker Paz"]
    assert (told["good"], told["wrong"]) == (3, 1)
    assert (show(listed), book(listed)) == before


def test_a_list_without_titles_is_previewed_and_enrolled_once_its_columns_are_said(
    listed: FlaskClient,
) -> None:
    text = "Iker Paz;Ane Ros;Alta\nMar Rey;Leo Gil;Alta\nPau Mas;Noa Rey;Alta\n"
    told = post(listed, "/1/preview", {"csv": text, "by": "Juez"})[1]
    fields = [one["field"] for one in told["columns"]]
    assert (fields, told["sure"]) == (["first", "second", "club"], False)
    assert post(listed, "/1/enrol", {"csv": text, "by": "Juez"})[1]["code"] == "list_columns"
    assert post(listed, "/1/enrol", {"csv": text, "by": "Juez", "columns": fields})[0] == 200
    assert show(listed)["pairs"][-1]["club"] == "Alta"


@each_row(
    "asked",
    [
        {"csv": 7},
        {"csv": LIST, "columns": "first"},
        {"csv": LIST, "columns": [7]},
        {"csv": LIST, "namesakes": ["x"]},
        {"csv": LIST, "columns": ["first"] * 200},
        {"csv": ""},
    ],
)
def test_a_malformed_list_is_refused_in_a_sentence(
    listed: FlaskClient, asked: dict[str, Any]
) -> None:
    for path in ("/1/preview", "/1/enrol"):
        status, told = post(listed, path, {"by": "Juez", **asked})
        if status == 200:
            assert path == "/1/preview"
        else:
            assert (status, bool(told["error"])) == (409, True)


def test_an_unknown_tournament_has_no_book(engine: Engine) -> None:
    with pytest.raises(TournamentError, match="no tournament 9"):
        Desk(Ledger(engine), tuple).book(9)


def test_a_hall_from_before_there_was_a_book_is_upgraded(where: str, tmp_path: Path) -> None:
    kept = str(tmp_path / "old.sqlite3") if not where.startswith("postgresql") else where
    with opened(kept) as old:
        migrate(old, "0004")
        act = act_to_json(Opened("San Blas", Format.KNOCKOUT, by="Juez"))
        with old.begin() as connection:
            connection.execute(
                text("INSERT INTO tournaments (name, opened) VALUES ('San Blas', 0)")
            )
            new = text("INSERT INTO acts VALUES (1, 1, 0, :act)")
            connection.execute(new, {"act": act})
    with opened(kept) as engine:
        migrate(engine)
        told = Desk(Ledger(engine), tuple)
        assert told.book(1)["owing"] == []
        told.do(1, "enrol", {"csv": LIST, "by": "Juez"})
        assert told.note(1, {"fee": "10", "by": "Juez"})["total"] == 1000
