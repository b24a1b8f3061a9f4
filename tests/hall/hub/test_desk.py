"""A tournament run over HTTP: by the referee with the PIN, and by the pairs with their codes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from assistant.files.paths import data_dir
from assistant.files.profile_files import house_rules, rules_named
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.store import JournalReader, Store
from assistant.hall.hub.wire import Batch, EventRow
from assistant.hall.page import MOST_LISTED, Records, create_hall_app
from assistant.hall.tournament import PairEnrolled
from assistant.hall.tournament.house_rules import plays_by, profile_of
from assistant.messages.codec import event_to_json
from assistant.page import Keys
from assistant.rules.profile import Sides
from tests.hall.hub.played import played
from tests.page.test_hall import FakeHall
from tests.page.test_page import MAX_WEIGHT, Elements, loaded
from tests.tables import each_row

KEYS = Keys(b"k" * 32, "123456")
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.77"}
CSV = "pareja,jugador 1,jugador 2\n" + "".join(f"P{n},a{n},b{n}\n" for n in range(1, 5))
OPENED = {
    "type": "Opened", "v": 1, "name": "San Blas", "format": "knockout",
    "options": {"juegos": 3}, "by": "Juez",
}  # fmt: skip


@pytest.fixture
def desk(engine: Engine) -> Desk:
    ledger = Ledger(engine)
    return Desk(ledger, lambda: ["mesa-1", "mesa-2"], KEYS.secret, house=house_rules)


@pytest.fixture
def client(desk: Desk, engine: Engine) -> Iterator[FlaskClient]:
    app = create_hall_app(
        FakeHall(),
        web_dir=data_dir("web"),
        keys=KEYS,
        desk=desk,
        records=Records(JournalReader(engine)),
        health=lambda: {"ready": True},
        metrics=lambda: b"",
    )
    with app.test_client() as client:
        yield client


def post(client: FlaskClient, path: str, body: object, **environ: str) -> tuple[int, Any]:
    answer = client.post(f"/api/tournaments{path}", json=body, environ_base=environ)
    return answer.status_code, answer.get_json()


@pytest.fixture
def begun(client: FlaskClient) -> FlaskClient:
    """Four pairs, drawn, at two tables."""
    assert post(client, "", {"act": OPENED}) == (200, {"id": 1})
    assert post(client, "/1/enrol", {"csv": CSV, "by": "Juez"})[0] == 200
    assert post(client, "/1/draw", {"seed": 20261224, "by": "Juez"})[0] == 200
    assert post(client, "/1/assign", {"by": "Juez"})[0] == 200
    return client


def show(client: FlaskClient) -> Any:
    return client.get("/api/tournaments/1").get_json()


def pairs_of(client: FlaskClient, match: str) -> list[int]:
    found = next(m for m in show(client)["matches"] if m["match"] == match)
    return [slot["pair"] for slot in found["slots"]]


def result(match: str = "K1.1", juegos: tuple[int, int] = (3, 1)) -> dict[str, Any]:
    return {"type": "ResultEntered", "v": 1, "match": match, "juegos": list(juegos),
            "stones": [120, 90], "by": "Ana"}  # fmt: skip


def test_a_tournament_is_opened_drawn_and_given_tables(begun: FlaskClient) -> None:
    whole = show(begun)
    assert (whole["name"], whole["seed"], whole["stage"]) == ("San Blas", 20261224, "playing")
    tables = {match["match"]: match["table"] for match in whole["matches"]}
    assert tables == {"K1.1": "mesa-1", "K1.2": "mesa-2", "K2.1": None}
    acts = begun.get("/api/tournaments/1/acts").get_json()["acts"]
    assert [entry["act"]["type"] for entry in acts] == [
        "Opened", *["PairEnrolled"] * 4, "Drawn", *["TableAssigned"] * 2
    ]  # fmt: skip
    assert all(entry["act"]["by"] == "Juez" for entry in acts)
    listed = begun.get("/api/tournaments").get_json()["tournaments"]
    (one,) = listed
    assert one.pop("opened") > 0
    assert one == {"id": 1, "name": "San Blas", "stage": "playing", "pairs": 4}


def test_a_missing_seed_is_drawn_and_shown(client: FlaskClient) -> None:
    post(client, "", {"act": OPENED})
    post(client, "/1/enrol", {"csv": CSV, "by": "Juez"})
    assert post(client, "/1/draw", {"by": "Juez"})[0] == 200
    assert type(show(client)["seed"]) is int


def test_the_desks_draw_keeps_clubs_apart(client: FlaskClient) -> None:
    options = {"juegos": 3, "clubs_apart": True}
    post(client, "", {"act": {**OPENED, "options": options}})
    rows = [f"P{n},a{n},b{n},{'Alta' if n % 2 else 'Baja'}\n" for n in range(1, 17)]
    csv = "pareja,jugador 1,jugador 2,peña\n" + "".join(rows)
    post(client, "/1/enrol", {"csv": csv, "by": "Juez"})
    assert post(client, "/1/draw", {"by": "Juez"})[0] == 200
    whole = show(client)
    assert whole["clubs_apart"] is True
    club = {pair["pair"]: pair["club"] for pair in whole["pairs"]}
    for match in whole["matches"][:8]:
        assert {club[slot["pair"]] for slot in match["slots"]} == {"Alta", "Baja"}


@pytest.mark.parametrize("name", ["vasco", "interpenas-1996", "individual"])
def test_a_tournament_may_be_played_by_a_named_profile(client: FlaskClient, name: str) -> None:
    assert name in client.get("/api/tournaments").get_json()["profiles"]
    options = {"juegos": 3, "profile": name, "rules": "target=35"}
    assert post(client, "", {"act": {**OPENED, "options": options}})[0] == 200
    whole = show(client)
    assert (whole["profile"], whole["rules"]["target"]) == (name, "35")
    act = client.get("/api/tournaments/1/acts").get_json()["acts"][0]["act"]
    # The rules are written out, so a later change of the profile changes nothing.
    kept = profile_of(act["options"]["rules"])
    assert plays_by(replace(rules_named(name), target=35), act["options"]["rules"])
    assert kept.sides is Sides.TWO


def test_without_rules_each_table_plays_by_its_own(client: FlaskClient) -> None:
    assert post(client, "", {"act": OPENED})[0] == 200
    assert (show(client)["rules"], show(client)["profile"]) == ({}, "")
    act = client.get("/api/tournaments/1/acts").get_json()["acts"][0]["act"]
    assert act["options"]["rules"] == ""


@each_row(
    "options, code",
    [
        ({"profile": "nobody"}, "no_profile"),
        ({"profile": "../vasco.toml"}, "no_profile"),
        ({"rules": "kings=5"}, "rule_wrong"),
        ({"rules": "juegos=2"}, "rule_elsewhere"),
        # Each of the two is possible, but not both.
        ({"profile": "interpenas-1996", "rules": "late_claims=on"}, "rule_wrong"),
    ],
)
def test_impossible_rules_are_refused_in_one_sentence(
    client: FlaskClient, options: dict[str, str], code: str
) -> None:
    status, told = post(client, "", {"act": {**OPENED, "options": options}})
    assert (status, told["code"]) == (409, code)
    assert client.get("/api/tournaments").get_json()["tournaments"] == []


def test_a_pair_is_renamed_with_a_reason(
    begun: FlaskClient,
) -> None:
    pair = pairs_of(begun, "K1.1")[0]
    act = {"type": "PairCorrected", "v": 1, "pair": pair, "name": "Tres reyes",
           "players": ["Eva", "Jon"], "club": "", "by": "Juez", "reason": "Falta"}  # fmt: skip
    status, told = post(begun, "/1/act", {"act": {**act, "reason": ""}})
    assert (status, told["code"]) == (409, "missing")
    assert post(begun, "/1/act", {"act": act})[0] == 200
    assert post(begun, "/1/act", {"act": act})[0] == 409
    whole = show(begun)
    assert next(p for p in whole["pairs"] if p["pair"] == pair)["players"] == ["Eva", "Jon"]
    last = begun.get("/api/tournaments/1/acts").get_json()["acts"][-1]["act"]
    assert (last["by"], last["reason"]) == ("Juez", "Falta")


def test_a_result_counts_when_another_person_signs_the_score_shown_to_him(
    begun: FlaskClient,
) -> None:
    assert post(begun, "/1/act", {"act": result()})[0] == 200
    sign = {"type": "ResultCountersigned", "v": 1, "match": "K1.1", "by": "Luis"}
    other = {"juegos": [3, 0], "stones": [120, 90]}
    assert post(begun, "/1/act", {"act": sign, "seen": other})[0] == 409
    assert post(begun, "/1/act", {"act": sign})[0] == 409
    seen = {"juegos": [3, 1], "stones": [120, 90]}
    assert post(begun, "/1/act", {"act": {**sign, "by": "Ana"}, "seen": seen})[0] == 409
    assert post(begun, "/1/act", {"act": sign, "seen": seen})[0] == 200
    assert show(begun)["matches"][0]["state"] == "over"


def test_a_person_cannot_sign_in_the_name_of_a_tables_journal(begun: FlaskClient) -> None:
    status, told = post(begun, "/1/act", {"act": {**result(), "game": "game-1-00000000"}})
    assert status == 409
    assert "journal" in told["error"]


def test_a_device_without_the_pin_only_looks_on(begun: FlaskClient) -> None:
    for path in ("", "/1/act", "/1/draw", "/1/enrol", "/1/pair", "/1/assign"):
        assert post(begun, path, {}, **ELSEWHERE)[0] == 403
    assert begun.get("/api/tournaments/1", environ_base=ELSEWHERE).status_code == 200
    assert begun.get("/api/tournaments/1/codes", environ_base=ELSEWHERE).status_code == 403
    begun.post("/api/enter", json={"pin": KEYS.pin}, environ_base=ELSEWHERE)
    assert post(begun, "/1/act", {"act": result()}, **ELSEWHERE)[0] == 200


def test_two_pairs_settle_their_match_by_themselves(begun: FlaskClient) -> None:
    codes = begun.get("/api/tournaments/1/codes").get_json()
    mine, theirs = pairs_of(begun, "K1.1")
    status, _ = post(
        begun,
        "/1/sign",
        {"pair": mine, "code": codes[str(mine)], "act": {**result(), "by": "Otro"}},
        **ELSEWHERE,
    )
    assert status == 200
    assert show(begun)["matches"][0]["result"]["by"] == f"P{mine}"
    sign = {"type": "ResultCountersigned", "v": 1, "match": "K1.1"}
    seen = {"juegos": [3, 1], "stones": [120, 90]}
    for pair, expected in ((mine, 409), (theirs, 200)):
        body = {"pair": pair, "code": codes[str(pair)], "act": sign, "seen": seen}
        assert post(begun, "/1/sign", body, **ELSEWHERE)[0] == expected
    assert show(begun)["matches"][0]["state"] == "over"


def test_a_pair_calls_the_referee_to_its_own_match_and_he_alone_ends_the_call(
    begun: FlaskClient,
) -> None:
    codes = begun.get("/api/tournaments/1/codes").get_json()
    slots = {match["match"]: match["slots"] for match in show(begun)["matches"]}
    own = {"pair": slots["K1.1"][0]["pair"]}
    whole = {**own, "code": codes[str(own["pair"])]}
    called = {"type": "RefereeCalled", "v": 1, "match": "K1.1", "reason": "No ha sido así"}
    others = {**called, "match": "K1.2"}
    assert post(begun, "/1/sign", {**whole, "act": others}, **ELSEWHERE)[0] == 409
    assert post(begun, "/1/sign", {**whole, "act": called}, **ELSEWHERE)[0] == 200
    (call,) = show(begun)["calls"]
    names = {pair["pair"]: pair["name"] for pair in show(begun)["pairs"]}
    assert (call["by"], call["reason"]) == (names[own["pair"]], "No ha sido así")
    settled = {"type": "CallSettled", "v": 1, "match": "K1.1", "by": "Juez"}
    assert post(begun, "/1/sign", {**whole, "act": settled}, **ELSEWHERE)[0] == 409
    assert show(begun)["calls"] == [call]
    assert post(begun, "/1/act", {"act": settled})[0] == 200
    assert show(begun)["calls"] == []
    *_, told, _ = begun.get("/api/tournaments/1/acts").get_json()["acts"]
    assert told["pairs"] == [names[slot["pair"]] for slot in slots["K1.1"]]


def test_a_pair_signs_only_its_own_matches_and_does_nothing_else(begun: FlaskClient) -> None:
    codes = begun.get("/api/tournaments/1/codes").get_json()
    stranger = pairs_of(begun, "K1.2")[0]
    whole = {"pair": stranger, "code": codes[str(stranger)]}
    for act in (
        result(),
        {"type": "Walkover", "v": 1, "match": "K1.2", "winner": stranger, "reason": "Sí"},
        {"type": "Nonsense", "v": 1},
        None,
    ):
        assert post(begun, "/1/sign", {**whole, "act": act}, **ELSEWHERE)[0] == 409
    assert show(begun)["matches"][0]["result"] is None


def test_guessing_codes_is_slowed_down(begun: FlaskClient) -> None:
    body = {"pair": 1, "code": "nonono", "act": result()}
    found = [post(begun, "/1/sign", body, **ELSEWHERE)[0] for _ in range(6)]
    assert found[:3] == [403] * 3
    assert found[-1] == 429
    for nonsense in ({}, {"pair": "1", "code": "1"}, {"pair": 99, "code": "1"}, {"pair": True}):
        assert post(begun, "/1/sign", nonsense, REMOTE_ADDR="192.0.2.99")[0] in (403, 429)


def test_the_own_code_allows_no_more_guesses_at_anothers(begun: FlaskClient) -> None:
    own = {"pair": 1, "code": begun.get("/api/tournaments/1/codes").get_json()["1"]}
    found = []
    for number in range(12):
        found.append(post(begun, "/1/sign", {"pair": 2, "code": f"x{number}"}, **ELSEWHERE)[0])
        if number % 3 == 2:
            assert post(begun, "/1/sign", own, **ELSEWHERE)[0] == 200
    assert found == [403] * 3 + [429] * 9
    other = {"REMOTE_ADDR": "192.0.2.78"}
    codes = begun.get("/api/tournaments/1/codes").get_json()
    assert post(begun, "/1/sign", {"pair": 2, "code": codes["2"]}, **other)[0] == 200


@pytest.mark.parametrize("code", ["\ud800", "\0", "ñ", 123456, None, ["1"]])
def test_a_malformed_code_is_wrong_like_any_other(begun: FlaskClient, code: object) -> None:
    found = [post(begun, "/1/sign", {"pair": 1, "code": code}, **ELSEWHERE)[0] for _ in range(4)]
    assert found == [403] * 3 + [429]


def test_a_code_is_checked_before_anything_is_done(begun: FlaskClient) -> None:
    codes = begun.get("/api/tournaments/1/codes").get_json()
    right = {"pair": 1, "code": codes["1"]}
    acts = show(begun)["seq"]
    assert post(begun, "/1/sign", right, **ELSEWHERE) == (200, {"pair": 1})
    found = [post(begun, "/1/sign", {**right, "code": "x"}, **ELSEWHERE)[0] for _ in range(6)]
    assert found[:3] == [403] * 3
    assert found[-1] == 429
    assert post(begun, "/1/sign", right, **ELSEWHERE)[0] == 429  # a guesser waits here, too
    assert show(begun)["seq"] == acts


def test_the_log_of_acts_tells_who_met_and_the_values_before(begun: FlaskClient) -> None:
    names = [f"P{pair}" for pair in pairs_of(begun, "K1.1")]
    assert post(begun, "/1/act", {"act": result()})[0] == 200
    seen = {"juegos": [3, 1], "stones": [120, 90]}
    sign = {"type": "ResultCountersigned", "v": 1, "match": "K1.1", "by": "Luis"}
    assert post(begun, "/1/act", {"act": sign, "seen": seen})[0] == 200
    whole = show(begun)
    assert (whole["signed"], whole["latest"]) == ({"K1.1": "Luis"}, ["K1.1"])
    told = {**result(), "type": "ResultCorrected", "stones": [123, 90], "by": "Juez"}
    assert post(begun, "/1/act", {"act": {**told, "reason": "Mal sumado"}})[0] == 200
    assert show(begun)["signed"] == {}  # a person is responsible now
    *_, entered, signed, corrected = begun.get("/api/tournaments/1/acts").get_json()["acts"]
    assert entered["pairs"] == signed["pairs"] == corrected["pairs"] == names
    assert "was" not in entered
    assert signed["was"] == corrected["was"] == seen
    assert corrected["act"]["stones"] == [123, 90]


@pytest.mark.parametrize(
    ("written", "table"),
    [("mesa 9", "mesa-9"), ("9", "mesa-9"), ("Mahaia 9", "mesa-9"), (" MESA-2 ", "mesa-2"),
     ("Frontón", "Frontón")],
)  # fmt: skip
def test_the_referee_chooses_any_table_by_hand(
    begun: FlaskClient, written: str, table: str
) -> None:
    act = {"type": "TableAssigned", "v": 1, "match": "K1.2", "table": written, "by": "Juez"}
    assert post(begun, "/1/act", {"act": act})[0] == 200
    assert show(begun)["matches"][1]["table"] == table
    last = begun.get("/api/tournaments/1/acts").get_json()["acts"][-1]
    assert last["was"] == {"table": "mesa-2"}


def test_a_table_where_another_match_is_played_cannot_be_chosen(begun: FlaskClient) -> None:
    post(begun, "", {"act": {**OPENED, "name": "Otro"}})
    post(begun, "/2/enrol", {"csv": CSV, "by": "Juez"})
    post(begun, "/2/draw", {"seed": 1, "by": "Juez"})
    act = {"type": "TableAssigned", "v": 1, "match": "K1.2", "table": "Mesa 1", "by": "Juez"}
    for tournament, match in ((1, "K1.1"), (2, "San Blas K1.1")):
        status, told = post(begun, f"/{tournament}/act", {"act": act})
        assert (status, told["code"]) == (409, "table_busy")
        assert told["facts"] == {"match": match, "table": "mesa-1"}
    for name in ("mesa/1", "+", "#", "", "x" * 200):
        assert post(begun, "/2/act", {"act": {**act, "table": name}})[0] == 409


def test_a_single_pair_is_enrolled_until_the_draw(client: FlaskClient) -> None:
    post(client, "", {"act": OPENED})
    both = {"players": ["Ana ", "Luis"], "club": "Peña"}
    for pair, status in (
        ({**both, "name": ""}, 200),
        ({**both, "name": "Ana y Luis"}, 409),
        ({**both, "name": "Tres reyes"}, 409),
        ({"players": ["Eva", "Jon"], "name": "Tres reyes"}, 200),
        ({"name": "Solo", "players": ["Ana", ""]}, 409),
        ({"name": "Nadie"}, 409),
        ("Ana", 409),
    ):
        assert post(client, "/1/enrol", {"pair": pair, "by": "Juez"})[0] == status
    assert [(p["pair"], p["name"]) for p in show(client)["pairs"]] == [
        (1, "Ana y Luis"), (2, "Tres reyes")
    ]  # fmt: skip
    post(client, "/1/draw", {"by": "Juez"})
    late = {"pair": {**both, "name": "Tarde"}, "by": "Juez"}
    assert post(client, "/1/enrol", late)[1]["code"] == "too_late"


def test_all_wrong_lines_of_a_list_are_told_at_once(client: FlaskClient) -> None:
    post(client, "", {"act": OPENED})
    post(client, "/1/enrol", {"csv": CSV, "by": "Juez"})
    csv = "pareja,jugador 1,jugador 2,cabeza\nX,Ana,,\nP1,Eva,Jon,\nY,Ane,Ion,\nZ,a1,Luis,\n"
    status, told = post(client, "/1/enrol", {"csv": csv, "by": "Juez"})
    assert (status, told["code"]) == (409, "in_lines")
    assert [(fault["line"], fault["because"]["code"]) for fault in told["facts"]["faults"]] == [
        (2, "missing"), (3, "name_taken"), (5, "person_twice"),
    ]  # fmt: skip
    assert len(show(client)["pairs"]) == 4


@pytest.mark.parametrize("taken", ["P2,x,y,", "Otra,x,y,1"])
def test_a_list_is_refused_with_the_line_of_a_pair_that_is_enrolled_already(
    client: FlaskClient, taken: str
) -> None:
    post(client, "", {"act": OPENED})
    head = "pareja,jugador 1,jugador 2,cabeza\n"
    assert post(client, "/1/enrol", {"csv": f"{head}P1,a,b,1\n", "by": "Juez"})[0] == 200
    text = f"{head}P2,c,d,\n\nP3,e,f,\n{taken}\nP4,g,h,\n"
    status, told = post(client, "/1/enrol", {"csv": text, "by": "Juez"})
    assert (status, told["code"], told["facts"]["line"]) == (409, "in_line", 5)
    assert told["because"]["code"] in ("name_taken", "seed_taken")
    assert len(show(client)["pairs"]) == 1


def test_a_person_is_in_one_pair_unless_somebody_confirms_a_namesake(
    client: FlaskClient,
) -> None:
    def enrol(one: str, other: str, name: str, **said: bool) -> Any:
        asked = {"pair": {"name": name, "players": [one, other]}, "by": "Juez", **said}
        return post(client, "/1/enrol", asked)

    post(client, "", {"act": OPENED})
    assert enrol("Ana Ruiz", "Luis Gil", "P1")[0] == 200
    status, told = enrol("Eva", " ana  RUIZ ", "P2")
    assert (status, told["code"], told["facts"]["pair"]) == (409, "person_twice", 1)
    assert enrol("Jon", "Jón", "P2")[1]["code"] == "person_alone"
    assert enrol("Eva", "Ana Ruiz", "P2", namesakes=True)[0] == 200
    assert enrol("Iker", "Ander", "P3")[0] == 200
    correction = {
        "type": "PairCorrected", "v": 1, "pair": 3, "name": "P3", "players": ["Iker", "Luis Gil"],
        "club": "", "by": "Juez", "reason": "Falta",
    }  # fmt: skip
    told = post(client, "/1/act", {"act": correction})[1]
    assert (told["code"], told["facts"]["pair"]) == ("person_twice", 1)
    assert post(client, "/1/act", {"act": {**correction, "namesakes": True}})[0] == 200
    assert post(client, "/1/draw", {"by": "Juez"})[0] == 200


def test_a_list_with_one_person_twice_is_refused_with_the_line(client: FlaskClient) -> None:
    post(client, "", {"act": OPENED})
    text = "pareja,jugador 1,jugador 2\nP1,Ana,Luis\n\nP2,Eva,Ana\n"
    status, told = post(client, "/1/enrol", {"csv": text, "by": "Juez"})
    assert (status, told["code"], told["facts"]["line"]) == (409, "in_line", 4)
    assert told["because"]["code"] == "person_twice"
    said = {"csv": text, "by": "Juez", "namesakes": True}
    assert post(client, "/1/enrol", said)[0] == 200


def test_pairs_that_share_a_person_are_asked_about_at_the_draw(
    client: FlaskClient, desk: Desk
) -> None:
    post(client, "", {"act": OPENED})
    old = [PairEnrolled(1, "P1", ("Ana", "Luis")), PairEnrolled(2, "P2", ("Ana", "Jon"))]
    desk._ledger.do(1, lambda _now: old)
    assert post(client, "/1/draw", {"by": "Juez"})[1]["code"] == "person_twice"
    assert show(client)["stage"] == "enrolling"
    assert post(client, "/1/draw", {"by": "Juez", "namesakes": True})[0] == 200


def test_a_player_of_a_withdrawn_pair_may_play_in_another(client: FlaskClient) -> None:
    post(client, "", {"act": OPENED})
    assert post(client, "/1/enrol", {"csv": CSV, "by": "Juez"})[0] == 200
    gone = {"type": "PairWithdrawn", "v": 1, "pair": 1, "reason": "Enfermo", "by": "Juez"}
    assert post(client, "/1/act", {"act": gone})[0] == 200
    asked = {"pair": {"name": "Nueva", "players": ["a1", "x"]}, "by": "Juez"}
    assert post(client, "/1/enrol", asked)[0] == 200


def test_an_unknown_address_opened_in_a_browser_gets_a_page(begun: FlaskClient) -> None:
    browser = {"Accept": "text/html,application/xml;q=0.9,*/*;q=0.8"}
    for path in ("/tournaments/99", "/t/mesa-99", "/nonsense"):
        answer = begun.get(path, headers=browser)
        assert (answer.status_code, answer.mimetype) == (404, "text/html")
        assert begun.get(path).is_json
    refused = begun.get("/t/mesa-7/record", headers=browser, environ_base=ELSEWHERE)
    assert (refused.status_code, refused.mimetype) == (403, "text/html")


def test_the_standings_sheet_shows_which_tie_break_decided(client: FlaskClient) -> None:
    post(client, "", {"act": {**OPENED, "format": "robin"}})
    post(client, "/1/enrol", {"csv": CSV, "by": "Juez"})
    post(client, "/1/draw", {"seed": 1, "by": "Juez"})
    sheet = client.get("/tournaments/1/standings.csv").data.decode("utf-8-sig").splitlines()
    assert sheet[0].endswith(";por")
    assert all(line.endswith(";sorteo") for line in sheet[1:])


def test_the_standings_sheet_has_the_place_among_the_pairs_of_a_category(
    client: FlaskClient,
) -> None:
    post(client, "", {"act": {**OPENED, "format": "robin"}})
    lines = "jugador 1;jugador 2;categoría\nAna;Luis;Mixta\nEva;Jon;\nIker;Ane;mixta\n"
    post(client, "/1/enrol", {"csv": lines, "by": "Juez"})
    post(client, "/1/draw", {"seed": 1, "by": "Juez"})
    sheet = client.get("/tournaments/1/standings.csv").data.decode("utf-8-sig").splitlines()
    assert sheet[0].endswith(";por;categoría;puesto en la categoría")
    told = [tuple(line.split(";")[-2:]) for line in sheet[1:]]
    assert sorted(category for category, _ in told) == ["", "Mixta", "mixta"]
    assert [place for category, place in told if category] == ["1", "2"]


@each_row(
    "path, body",
    [
        ("", {}),
        ("", {"act": {"type": "Drawn", "v": 1, "seed": 1, "order": []}}),
        ("", {"act": {**OPENED, "name": "x" * 500}}),
        ("", {"act": OPENED}),
        ("/9/draw", {}),
        ("/1/nonsense", {}),
        ("/1/draw", {"seed": "x"}),
        ("/1/draw", {"seed": -1}),
        ("/1/enrol", {"csv": 5}),
        ("/1/enrol", {"csv": "x"}),
        ("/1/pair", {"by": "Juez"}),
        ("/1/act", {"act": OPENED}),
        ("/1/act", {"act": {"type": "ResultEntered", "v": 99}}),
        ("/1/act", {"act": {**result(), "juegos": [9, 9]}}),
        ("/1/act", {"act": {**result(), "by": ""}}),
        ("/1/act", {"act": {"type": "ResultCorrected", "v": 1, "match": "K1.1", "juegos": [3, 0],
                            "stones": [0, 0], "by": "Juez", "reason": ""}}),
    ],
)  # fmt: skip
def test_an_impossible_act_is_refused_and_changes_nothing(
    begun: FlaskClient, path: str, body: object
) -> None:
    before = show(begun)
    status, told = post(begun, path, body)
    assert status in (400, 404, 409)
    assert told["error"]
    assert show(begun) == before


def test_two_thousand_pairs_are_enrolled_at_once_and_shown(
    client: FlaskClient,
) -> None:
    post(client, "", {"act": OPENED})
    text = "jugador 1,jugador 2,peña\n" + "".join(f"Jugador {n},Otro {n},P\n" for n in range(2539))
    assert post(client, "/1/enrol", {"csv": text, "by": "Juez"})[0] == 200
    assert post(client, "/1/draw", {"seed": 1, "by": "Juez"})[0] == 200
    assert len(show(client)["matches"]) == 4095


@each_row("path", ["", "/1", "/1/screen", "/1/sign", "/1/slips", "/1/enrol"])
def test_the_pages_of_a_tournament_are_small_and_have_no_inline_code(
    begun: FlaskClient, path: str
) -> None:
    page = begun.get(f"/tournaments{path}").get_data(as_text=True)
    assert loaded(page, data_dir("web")) < MAX_WEIGHT
    for tag, attributes in Elements(page).found:
        assert tag != "style"
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
        assert tag != "script" or attributes.get("src")
    assert begun.get("/tournaments/9").status_code == 404


def play(engine: Engine, game: str, calls: int | None = None, seed: int = 7) -> None:
    """Store a game of mesa-7, complete or with this many calls."""
    records = played(2, seed)[:calls]
    rows = tuple([EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in records])
    Store(engine).take([Batch("mesa-7", game, 0.0, rows)])


def test_only_the_referee_sees_the_record_of_a_table(client: FlaskClient, engine: Engine) -> None:
    play(engine, "game-1")
    for path in ("/t/mesa-7/record", "/api/hall/mesa-7/games"):
        told = client.get(path, environ_base=ELSEWHERE)
        assert told.status_code == 403
        assert "Norte" not in told.get_data(as_text=True)
    assert client.get("/t/mesa-8/record").status_code == 404
    told = client.get("/t/mesa-7/record")
    assert told.content_type.startswith("text/html")
    assert "mesa-7" in told.get_data(as_text=True)
    assert "Norte" in told.get_data(as_text=True)


def test_a_record_is_available_after_the_next_match_was_called_to_its_table(
    client: FlaskClient, engine: Engine
) -> None:
    play(engine, "game-1")
    play(engine, "game-2", 40, seed=8)
    play(engine, "game-3", 1)  # the next match, before its first deal

    def page(query: str = "") -> str:
        found = client.get(f"/t/mesa-7/record{query}")
        assert found.status_code == 200
        return found.get_data(as_text=True)

    assert "mesa-7 game-2" in page()
    assert "mesa-7 game-1" in page("?game=game-1")
    assert 'role="status">En esta partida todavía no' in page("?game=game-3")
    told = client.get("/api/hall/mesa-7/games").get_json()
    assert told["older"] == 0
    assert [game["game"] for game in told["games"]] == ["game-3", "game-2", "game-1"]
    assert [game["deal"] > 0 for game in told["games"]] == [False, True, True]
    assert told["games"][2]["brief"]["seats"][0] == "Norte"


def test_a_missing_record_is_explained_on_the_page(client: FlaskClient, engine: Engine) -> None:
    play(engine, "game-1", 1)
    empty = client.get("/t/mesa-7/record").get_data(as_text=True)
    assert 'role="status">En esta partida todavía no' in empty
    unknown = client.get("/t/mesa-7/record?game=game-9")
    assert unknown.status_code == 404
    assert 'role="status">En esta mesa no hay esa partida' in unknown.get_data(as_text=True)
    row = played(2)[0]
    twice = tuple([EventRow(n, n, row.at, event_to_json(row.event)) for n in (1, 2)])
    Store(engine).take([Batch("mesa-7", "game-2", 0.0, twice)])
    faulty = client.get("/t/mesa-7/record?game=game-2").get_data(as_text=True)
    assert 'role="status">El diario de esta partida no cuadra' in faulty
    assert client.get("/api/hall/mesa-7/games").get_json()["games"][0]["fault"]


def test_the_newest_of_many_games_are_listed_and_each_is_available(
    client: FlaskClient, engine: Engine
) -> None:
    for number in range(1, MOST_LISTED + 3):
        play(engine, f"game-{number}", 40)
    told = client.get("/api/hall/mesa-7/games").get_json()
    assert (len(told["games"]), told["older"]) == (MOST_LISTED, 2)
    oldest = client.get("/t/mesa-7/record?game=game-1").get_data(as_text=True)
    assert "mesa-7 game-1" in oldest


def test_lists_open_in_a_spreadsheet_and_can_be_enrolled_again(begun: FlaskClient) -> None:
    one, other = pairs_of(begun, "K1.1")
    entered = {"match": "K1.1", "juegos": [3, 1], "stones": [120, 90], "by": "=1+1"}
    act = {"type": "ResultEntered", "v": 1, "game": "", **entered}
    assert post(begun, "/1/act", {"act": act})[0] == 200
    signed = {"type": "ResultCountersigned", "v": 1, "match": "K1.1", "by": "Luis"}
    seen = {"juegos": [3, 1], "stones": [120, 90]}
    assert post(begun, "/1/act", {"act": signed, "seen": seen})[0] == 200
    sheets = {
        what: begun.get(f"/tournaments/1/{what}.csv").data.decode("utf-8-sig")
        for what in ("pairs", "matches", "standings")
    }
    names = {pair["pair"]: pair["name"] for pair in show(begun)["pairs"]}
    row = next(line for line in sheets["matches"].splitlines() if line.startswith("K1.1;"))
    score = "3;1;120;90"
    assert row == f"K1.1;mesa-1;{names[one]};{names[other]};{score};{names[one]};'=1+1;"
    assert len(sheets["standings"].splitlines()) == 1  # a knock-out has no standings
    assert post(begun, "", {"act": {**OPENED, "name": "Otro"}})[0] == 200
    assert post(begun, "/2/enrol", {"csv": sheets["pairs"], "by": "Juez"})[0] == 200
    again = begun.get("/api/tournaments/2").get_json()["pairs"]
    assert [pair["name"] for pair in again] == list(names.values())
    assert begun.get("/tournaments/1/secrets.csv").status_code == 404


def test_a_table_of_another_tournament_is_not_assigned(begun: FlaskClient) -> None:
    taken = {match["table"] for match in show(begun)["matches"]} - {None}
    assert post(begun, "", {"act": {**OPENED, "name": "Otro"}})[0] == 200
    assert post(begun, "/2/enrol", {"csv": CSV, "by": "Juez"})[0] == 200
    assert post(begun, "/2/draw", {"seed": 1, "by": "Juez"})[0] == 200
    assert post(begun, "/2/assign", {"by": "Juez"})[0] == 200
    others = begun.get("/api/tournaments/2").get_json()["matches"]
    assert taken
    assert not taken & {match["table"] for match in others}
