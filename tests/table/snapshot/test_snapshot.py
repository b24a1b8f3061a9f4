"""Snapshots: every part of one against the state that it is made from."""

from __future__ import annotations

import json
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.files.resources import load_phrases
from assistant.messages import Accepted, Ask, Command, Ignored, Pressed, Refused, Told
from assistant.messages.codec import call_from_dict
from assistant.rules.calls import (
    Accept,
    Bet,
    Call,
    ClaimLance,
    CorrectBet,
    Cut,
    Declare,
    NextDeal,
    Ordago,
    Pass,
    Raise,
    Refuse,
    Report,
    SetStones,
    ShowHand,
    Verdict,
)
from assistant.rules.cards import DECK, parse_hand
from assistant.rules.engine import decide, missing_hands
from assistant.rules.events import Irregularity, Retracted
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile, Sides
from assistant.table.snapshot import (
    LOG_LINES,
    EarStatus,
    LastHeard,
    LogPhrases,
    SeatView,
    Snapshot,
    heard_view,
    snapshot,
)
from assistant.table.snapshot.views import incidents_view, question_view
from tests.page.fake_board import FakeBoard, PlainPhrases
from tests.rules.listed import legal_calls
from tests.table.snapshot.test_past import some_call
from tests.tables import each_row

MAX_BYTES = 24_000
"""The largest snapshot; each change sends one to every page."""


@pytest.fixture(scope="session")
def spanish() -> LogPhrases:
    return load_phrases()


def played(seed: int, calls: int, phrases: LogPhrases | None = None) -> list[FakeBoard]:
    """One random game, as a copy of the board after each call."""
    chance, board = Random(seed), FakeBoard(phrases)
    pictures = []
    for _ in range(calls):
        call = next_call(board, chance)
        if call is None:
            break
        board.say("", call)
        pictures.append(copy_of(board))
    return pictures


def copy_of(board: FakeBoard) -> FakeBoard:
    picture = FakeBoard(board.phrases)
    picture.records, picture.heard = list(board.records), board.heard
    return picture


def next_call(board: FakeBoard, chance: Random) -> Call | None:
    state = board.state
    if missing := missing_hands(state):
        taken = [card for hand in state.hands if hand for card in hand]
        left = [card for card in DECK if card not in taken]
        return ShowHand(seat=missing[0], cards=tuple(chance.sample(left, 4)))
    legal = legal_calls(state)
    return chance.choice(legal) if legal else None


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_a_snapshot_shows_the_state(seed: int) -> None:
    for board in played(seed, 30):
        shown, state = board.snapshot(), board.state
        assert set(shown) == Snapshot.__required_keys__
        assert json.loads(json.dumps(shown)) == shown
        assert (shown["phase"], shown["deal"], shown["mano"]) == (
            state.phase,
            state.deal,
            state.mano,
        )
        assert [side["stones"] for side in shown["sides"]] == list(state.stones)
        assert [side["juegos"] for side in shown["sides"]] == list(state.juegos)
        for side in shown["sides"]:
            assert side["amarracos"] * 5 + side["piedras"] == side["stones"]
            assert 0 <= side["piedras"] < 5
        assert len(shown["lances"]) == 4
        assert shown["missing"] == list(missing_hands(state))
        assert (shown["pending"] is None) == (state.pending is None)


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_every_button_with_every_number_on_it_is_a_legal_call(seed: int) -> None:
    for board in played(seed, 25):
        for action in board.snapshot()["actions"]:
            for stones in action.get("stones", [None]):
                call = dict(action["call"])
                if stones is not None:
                    call["stones"] = stones
                assert decide(board.state, cast(Call, call_from_dict(call))).events


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_exactly_the_players_who_may_speak_have_buttons(seed: int) -> None:
    for board in played(seed, 25):
        shown = board.snapshot()
        having = {action["seat"] for action in shown["actions"]} - {None}
        assert {seat["seat"] for seat in shown["seats"] if seat["may_speak"]} == having
        turns = [seat["seat"] for seat in shown["seats"] if seat["turn"]]
        assert turns == ([shown["to_speak"]] if shown["to_speak"] else [])


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_no_card_is_shown_before_it_lies_open(seed: int) -> None:
    for board in played(seed, 40):
        shown = board.snapshot()
        if shown["phase"] not in ("showdown", "count", "over"):
            assert [seat["hand"] for seat in shown["seats"]] == [None] * 4


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_every_snapshot_has_its_spanish_and_stays_small(spanish: LogPhrases, seed: int) -> None:
    for board in played(seed, 20, spanish):
        shown = board.snapshot()
        assert len(json.dumps(shown, ensure_ascii=False).encode()) < MAX_BYTES
        texts = [line["text"] for line in shown["log"]]
        texts += [action["label"] for action in shown["actions"]]
        assert all(text.strip() for text in texts)
        assert not [text for text in texts if "{" in text]


def test_stones_are_shown_as_amarracos_and_piedras() -> None:
    board = FakeBoard()
    board.say("", SetStones(stones=(13, 35)))
    ours, theirs = board.snapshot()["sides"]
    assert (ours["amarracos"], ours["piedras"], ours["adentro"]) == (2, 3, False)
    assert (theirs["amarracos"], theirs["piedras"], theirs["adentro"]) == (7, 0, True)
    assert ours["names"] == ["Norte", "Sur"]


def test_the_pending_bet_says_what_refusing_it_pays() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Bet(seat=2, stones=2), Raise(seat=1, stones=5), Refuse(seat=4))
    assert board.snapshot()["pending"] == {
        "lance": "grande",
        "seat": 1,
        "side": "A",
        "stones": 7,
        "deje": 2,
        "ordago": False,
        "refused": [4],
        "accepted": [],
        "choices": [],
    }
    assert [seat["refused"] for seat in board.snapshot()["seats"]] == [False, False, False, True]


def test_an_ordago_is_shown_as_one() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Ordago(seat=2))
    pending = board.snapshot()["pending"]
    assert pending is not None
    assert (pending["ordago"], pending["deje"]) == (True, 1)


def test_each_lance_is_shown_as_open_present_or_closed() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Bet(seat=1, stones=4), Accept(seat=2))
    grande, chica, pares, juego = board.snapshot()["lances"]
    assert (grande["status"], grande["how"], grande["bet"]) == ("closed", "accepted", 4)
    assert (grande["side"], grande["won"]) == (None, 0)  # the cards decide at the count
    assert chica["status"] == "now"
    assert (pares["status"], juego["status"], juego["lance"]) == ("ahead", "ahead", "juego")


def test_a_deje_is_shown_at_its_lance() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Bet(seat=1, stones=4), Refuse(seat=2, plural=True))
    grande = board.snapshot()["lances"][0]
    assert (grande["how"], grande["side"], grande["won"], grande["why"]) == (
        "refused",
        "A",
        1,
        ["deje"],
    )


def test_the_fourth_lance_becomes_punto_where_nobody_has_juego() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1))
    while board.state.phase is not Phase.PUNTO:
        declaring = board.state.phase in (Phase.PARES_SAY, Phase.JUEGO_SAY)
        board.say("", Declare(holds=False) if declaring else Pass())
    fourth = board.snapshot()["lances"][3]
    assert (fourth["lance"], fourth["status"]) == ("punto", "now")
    assert board.snapshot()["lances"][2]["how"] == "nobody"


def test_passes_and_declarations_are_shown_at_the_seat() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Pass(seat=1))

    def passed() -> list[int]:
        return [seat["seat"] for seat in board.snapshot()["seats"] if seat["passed"]]

    assert passed() == [1]
    while board.state.phase is not Phase.PARES_SAY:
        board.say("", Pass())
    board.say("", Declare(seat=1), Declare(seat=2, holds=False))
    assert passed() == []
    assert [seat["pares"] for seat in board.snapshot()["seats"]] == [True, False, None, None]


def test_a_seat_has_every_key_that_the_page_reads() -> None:
    assert set(FakeBoard().snapshot()["seats"][0]) == SeatView.__required_keys__


def test_the_log_holds_the_newest_lines_oldest_first() -> None:
    board = FakeBoard()
    for _ in range(LOG_LINES):
        board.say("", SetStones(stones=(1, 2)))
        board.say("", SetStones(stones=(0, 0)))
    log = board.snapshot()["log"]
    assert len(log) == LOG_LINES
    assert log[-1]["seq"] == board.snapshot()["seq"]
    assert [line["seq"] for line in log] == sorted(line["seq"] for line in log)


def test_the_log_marks_implied_events() -> None:
    board = FakeBoard()
    board.say("", Bet(seat=1))  # a bet is a call at grande, so it cuts the mus (R09)
    lines = {line["text"].split(" (")[0]: line for line in board.snapshot()["log"]}
    assert lines["Norte MusCut"]["implied"]
    assert not lines["Norte BetMade"]["implied"]


def test_the_log_marks_inferred_seats() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Pass(seat=None))
    line = board.snapshot()["log"][-1]
    assert line["text"].startswith("Norte Passed")
    assert line["seat_inferred"]
    assert "SeatInferred" not in json.dumps(board.snapshot()["log"])


def test_undone_calls_stay_in_the_log_and_are_marked() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1))
    cut = board.snapshot()["seq"]
    board.press(Pressed(Command.UNDO))
    undone = {line["seq"]: line["undone"] for line in board.snapshot()["log"]}
    assert undone[cut]
    assert not undone[cut + 1]
    assert board.snapshot()["can_redo"]


def test_a_new_game_has_nothing_to_undo() -> None:
    shown = FakeBoard().snapshot()
    assert not shown["can_undo"]
    assert not shown["can_redo"]


def test_a_lost_microphone_is_shown() -> None:
    board = FakeBoard()
    made = snapshot(
        board.state,
        board.records,
        board.phrases,
        version=7,
        ear=EarStatus("lost", "No hay micrófono."),
    )
    assert made["version"] == 7
    assert made["ear"] == {"state": "lost", "note": "No hay micrófono."}
    assert snapshot(board.state, board.records, board.phrases, version=1)["ear"]["state"] == "off"


def test_heard_words_are_shown_with_their_outcome() -> None:
    board = FakeBoard()
    board.say("corto paso envido cinco", Cut(seat=1), Pass(seat=1), Bet(seat=2, stones=5))
    heard = board.snapshot()["heard"]
    assert heard is not None
    assert (heard["text"], heard["outcome"]) == ("corto paso envido cinco", "accepted")
    assert [part.split(" (")[0] for part in heard["say"].split(" · ")] == [
        "Norte MusCut",
        "Norte Passed",
        "Oeste BetMade",
    ]


def test_the_outcome_shows_the_call_and_not_what_it_implied() -> None:
    board = FakeBoard()
    board.say("envido", Bet(seat=3))
    heard = board.snapshot()["heard"]
    assert heard is not None
    assert heard["say"].startswith("Sur BetMade")


def test_a_question_carries_its_answers() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Bet(seat=1, stones=2), Bet(seat=2, stones=7))
    question = board.snapshot()["question"]
    assert question is not None
    assert question["code"] == "bare_raise"
    calls = [call_from_dict(option["call"]) for option in question["options"]]
    assert calls == [Raise(seat=2, stones=7), Raise(seat=2, stones=5)]
    board.say("siete más", Raise(seat=2, stones=7))
    assert board.snapshot()["question"] is None


@each_row(
    "code, calls, buttons",
    [
        ("sure", (Accept(),), ["Accept grande", "not said"]),
        ("sure_undo", (), ["said", "not said"]),
        ("which_said", (Accept(), Refuse()), ["Accept grande", "Refuse grande"]),
    ],
)
def test_a_question_whether_something_was_said_can_be_denied(
    code: str, calls: tuple[Call, ...], buttons: list[str]
) -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Bet(seat=1, stones=2))
    view = question_view(board.state, LastHeard("", (Ask(code, calls),)), PlainPhrases())
    assert view is not None
    assert [option["label"] for option in view["options"]] == buttons


@each_row(
    "outcome, made, say",
    [
        (Ask("bare_raise"), "ask", "bare_raise"),
        (Refused("not_now"), "refused", "not_now"),
        (Ignored("table_talk"), "ignored", "table_talk"),
        (Told(Command.SCORE), "told", "told in mus"),
        (Accepted((Retracted(3),), Command.UNDO), "accepted", "Retracted (0)"),
    ],
)
def test_every_outcome_can_be_shown(
    outcome: Ask | Refused | Ignored | Told | Accepted, made: str, say: str
) -> None:
    board = FakeBoard()
    view = heard_view(board.state, LastHeard("palabras", (outcome,), 0.87), board.phrases)
    assert view == {"text": "palabras", "confidence": 0.87, "outcome": made, "say": say}


def test_words_without_an_outcome_are_not_shown() -> None:
    board = FakeBoard()
    with pytest.raises(ValueError, match="became of"):
        heard_view(board.state, LastHeard("palabras", ()), board.phrases)
    heard = LastHeard("palabras", ())
    made = snapshot(board.state, board.records, board.phrases, version=1, heard=heard)
    assert made["heard"] is None


def test_a_won_ordago_ends_the_juego_and_the_match_in_the_snapshot() -> None:
    board = FakeBoard(profile=Profile(juegos=1))
    board.say("", Cut(seat=1), Ordago(seat=1), Accept(seat=2))
    assert board.snapshot()["missing"] == [1, 2, 3, 4]
    for seat, hand in enumerate(("R R R R", "C C C C", "S S S S", "7 7 7 7"), start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))
    shown = board.snapshot()
    assert (shown["over"], shown["winner"], shown["juego_won"]) == (True, "A", "A")
    assert shown["actions"] == []


def test_after_the_count_the_table_has_one_button() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Ordago(seat=1), Accept(seat=2))
    for seat, hand in enumerate(("R R R R", "C C C C", "S S S S", "7 7 7 7"), start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))
    shown = board.snapshot()
    assert shown["juego_won"] == "A"
    assert [call_from_dict(action["call"]) for action in shown["actions"]] == [NextDeal()]
    assert shown["actions"][0]["seat"] is None


def test_a_table_of_any_size_is_shown_with_all_its_sides() -> None:
    names = ("Norte", "Oeste", "Sur", "Este", "Maritxu", "Iñaki")
    for players, sides in ((2, 2), (3, 3), (4, 2), (4, 4), (5, 5), (6, 2), (6, 6)):
        kind = Sides.EACH if sides == players else Sides.TWO
        shown = FakeBoard(profile=Profile(sides=kind), names=names[:players]).snapshot()
        assert [seat["seat"] for seat in shown["seats"]] == list(range(1, players + 1))
        assert [side["side"] for side in shown["sides"]] == list("ABCDEF"[:sides])
        assert shown["sides_kind"] == ("two" if sides == 2 else "each")
        seated = [name for side in shown["sides"] for name in side["names"]]
        assert sorted(seated) == sorted(names[:players])


def test_a_single_player_gets_no_button_that_refuses_for_two() -> None:
    def refusals(sides: Sides) -> list[object]:
        board = FakeBoard(profile=Profile(sides=sides))
        board.say("", Cut(seat=1), Bet(seat=1))
        calls = [action["call"] for action in board.snapshot()["actions"] if action["seat"] == 2]
        return [call["plural"] for call in calls if call["type"] == "Refuse"]

    assert refusals(Sides.TWO) == [False, True]
    assert refusals(Sides.EACH) == [False]


def test_an_accepted_or_pending_bet_can_be_corrected() -> None:
    board = FakeBoard()
    board.say("", Cut(seat=1), Bet(seat=1, stones=5), Accept(seat=2, lance=None))
    board.say("", Bet(seat=1, stones=3))
    bets = board.snapshot()["incidents"]["bets"]
    assert [(bet["lance"], bet["stones"]) for bet in bets] == [("grande", 5), ("chica", 3)]
    for bet in bets:
        lance, stones = bet["lance"], bet["stones"]
        assert call_from_dict(bet["call"] | {"stones": stones}) == CorrectBet(
            lance=Lance(lance), stones=stones
        )


def test_stones_are_given_and_taken_only_within_the_score() -> None:
    board = FakeBoard()
    board.say("", SetStones(stones=(28, 0)))
    offers = board.snapshot()["incidents"]["stones"]
    assert [(offer["side"], offer["least"], offer["most"]) for offer in offers] == [
        ("A", -28, 12),
        ("B", 0, 40),
    ]


def test_every_irregularity_that_the_rules_know_can_be_reported() -> None:
    reports = FakeBoard().snapshot()["incidents"]["reports"]
    kinds = {report["kind"] for report in reports}
    assert kinds <= {kind.value for kind in Irregularity}
    assert Irregularity.EXPOSED_CARD in kinds
    for report in reports:
        assert call_from_dict(report["call"]) == Report(kind=Irregularity(report["kind"]))


def test_claims_are_listed_by_lance_and_side_and_not_among_the_buttons() -> None:
    calls = [
        ClaimLance(lance=Lance.GRANDE, side="A"),
        ClaimLance(lance=Lance.PARES, side="A", values=(1, 1)),
        ClaimLance(lance=Lance.PARES, side="A", values=(1, 3)),
    ]
    claims = incidents_view(FakeBoard().state, calls)["claims"]
    assert [(c["lance"], c["side"], c["values"]) for c in claims] == [
        ("grande", "A", [[]]),
        ("pares", "A", [[1, 1], [1, 3]]),
    ]
    whole = [
        call_from_dict(claim["call"] | {"values": values})
        for claim in claims
        for values in claim["values"]
    ]
    assert whole == calls


def test_a_proposed_penalty_is_a_question_with_two_answers() -> None:
    board = FakeBoard()
    assert board.snapshot()["proposal"] is None
    board.say("", Report(kind=Irregularity.CARD_COUNT, player=1, cards=5))
    proposal = board.snapshot()["proposal"]
    assert proposal is not None
    assert (proposal["article"], proposal["seat"], proposal["lance"]) == ("1.4", 1, None)
    assert "PenaltyProposed" in proposal["text"]
    answers = [call_from_dict(option["call"]) for option in proposal["options"]]
    assert answers == [Verdict(apply=True), Verdict(apply=False)]
    buttons = [action["call"]["type"] for action in board.snapshot()["actions"]]
    assert "Verdict" not in buttons
    board.say("se perdona", Verdict(apply=False))
    assert board.snapshot()["proposal"] is None


def test_the_count_of_a_deal_adds_up_to_its_score() -> None:
    """From the stones before the last card to those after it, lance by lance."""
    counts = sum(checked_counts(seed) for seed in (1986, *range(12)))
    assert counts > 8


def checked_counts(seed: int) -> int:
    """Check the counts of one random match; returns how many there were."""
    chance, board, counts = Random(seed), FakeBoard(), 0
    before = board.snapshot()
    while (call := some_call(board.state, chance)) is not None:
        board.say("", call)
        now = board.snapshot()
        if now["count"] and not before["count"] and now["deal"] == before["deal"]:
            counts += 1
            totals = {side["side"]: side["stones"] for side in before["sides"]}
            for row in now["count"]:
                for gain in row["gains"]:
                    totals[gain["side"]] += 0 if gain["paid"] else gain["stones"]
                assert row["totals"] == list(totals.values())
                own = [
                    g["stones"] for g in row["gains"] if g["side"] == row["side"] and not g["paid"]
                ]
                assert row["stones"] == sum(own)
                lance = next(one for one in now["lances"] if one["lance"] == row["lance"])
                assert lance["won"] == sum(gain["stones"] for gain in row["gains"])
                assert all(now["seats"][held["seat"] - 1]["hand"] for held in row["held"])
            assert list(totals.values()) == [side["stones"] for side in now["sides"]]
        before = now
    return counts


def test_the_count_says_whose_hands_won_and_what_they_are_worth(spanish: LogPhrases) -> None:
    board = FakeBoard(spanish)
    board.say("", Cut(seat=1), Bet(seat=1, stones=5), Accept(seat=2))  # grande
    board.say("", Bet(seat=1), Refuse(seat=2), Refuse(seat=4))  # chica
    board.say("", *[Declare(seat=seat, holds=True) for seat in (1, 2, 3, 4)])
    board.say("", *[Pass(seat=seat) for seat in (1, 2, 3, 4)])
    board.say("", *[Declare(seat=seat, holds=seat == 1) for seat in (1, 2, 3, 4)])
    assert board.snapshot()["count"] == []
    for seat, hand in enumerate(("R R C 1", "4 4 5 6", "7 7 5 5", "S S 4 5"), start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))
    told = [
        (row["lance"], row["how"], row["seat"], row["held"], row["gains"], row["totals"])
        for row in board.snapshot()["count"]
    ]
    duples = {"seat": 3, "text": "duples de sietes y cincos"}
    assert told == [
        ("grande", "accepted", 1, [{"seat": 1, "text": ""}],
         [{"side": "A", "why": "bet", "stones": 5, "paid": False}], [6, 0]),
        ("chica", "refused", None, [],
         [{"side": "A", "why": "deje", "stones": 1, "paid": True}], [6, 0]),
        ("pares", "passed", 3, [duples, {"seat": 1, "text": "pareja de reyes"}],
         [{"side": "A", "why": "pares", "stones": 4, "paid": False}], [10, 0]),
        ("juego", "uncontested", None, [{"seat": 1, "text": "31"}],
         [{"side": "A", "why": "juego", "stones": 3, "paid": False}], [13, 0]),
    ]  # fmt: skip
    board.say("", NextDeal())
    assert board.snapshot()["count"] == []


def test_behind_the_stone_that_wins_the_juego_nothing_is_counted() -> None:
    board = FakeBoard()
    board.say("", SetStones(stones=(36, 0)), Cut(seat=1), Bet(seat=1, stones=5), Accept(seat=2))
    while board.state.phase is not Phase.SHOWDOWN:
        declaring = board.state.phase in (Phase.PARES_SAY, Phase.JUEGO_SAY)
        board.say("", Declare(holds=False) if declaring else Pass())
    for seat, hand in enumerate(("R C S 4", "7 6 5 1", "S 7 6 1", "C 6 5 4"), start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))
    (row,) = board.snapshot()["count"]
    assert (row["lance"], row["stones"], row["totals"]) == ("grande", 4, [40, 0])
