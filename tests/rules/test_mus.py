"""From the deal to grande: mano, the order of speaking, and what cuts the mus (R03-R10, R56)."""

from __future__ import annotations

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import apply, decide, open_game, to_speak
from assistant.rules.errors import HistoryError, IllegalCall
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile
from tests.rules.listed import legal_calls
from tests.rules.play import (
    SEATS,
    Game,
    cards,
    corto,
    envido,
    mus,
    no_queremos,
    nueva_mano,
    ordago,
    paso,
    quiero,
)
from tests.tables import each_row


def test_r03_the_order_is_anticlockwise_from_mano() -> None:
    game = Game(mano=3)
    turns = []
    for _ in range(4):
        turn = to_speak(game.state)
        turns.append(turn)
        game.say(mus(turn))
    assert turns == [3, 4, 1, 2]
    assert game.phase is Phase.DISCARD


def test_r03_anyone_may_cut_out_of_turn() -> None:
    game = Game().say(mus(1), corto(4))
    assert game.phase is Phase.GRANDE
    assert game.last == (e.MusCut(4),)
    assert to_speak(game.state) == 1


@each_row("lance", [Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.PUNTO])
def test_r03_anyone_may_open_a_bet_out_of_turn(lance: Lance) -> None:
    """S2 3.1: "lo mismo que envidar ... sin necesidad de hablar por la mano"."""
    game = Game().cut()
    if lance is not Lance.GRANDE:
        game.all_pass()
    if lance in (Lance.PARES, Lance.PUNTO):
        game.all_pass().declare("sí sí sí sí")
    if lance is Lance.PUNTO:
        game.all_pass().declare("no no no no")
    game.say(envido(3, 4))
    assert game.last == (e.BetMade(3, lance, 4),)


def test_r04_the_table_chooses_the_first_mano() -> None:
    assert Game(mano=4).state.mano == 4


def test_r04_a_first_mano_who_is_not_at_the_table_is_refused() -> None:
    with pytest.raises(HistoryError, match="no seat 5"):
        open_game(Profile(), ("N", "O", "S", "E"), mano=5)


def test_r05_the_next_mano_sits_to_the_right_of_the_last() -> None:
    """Seats count anticlockwise, so the right of the dealer is the next number."""
    game = Game(mano=3)
    manos = []
    for _ in range(4):
        manos.append(game.state.mano)
        game.cut().say(envido(1), no_queremos(2), envido(1), no_queremos(2))
        game.declare("no no no no").declare("no no no no").say(envido(1), no_queremos(2))
        assert game.phase is Phase.COUNT
        game.say(nueva_mano())
    assert manos == [3, 4, 1, 2]


def test_r04_the_first_question_is_who_is_mano() -> None:
    opening = open_game(Profile(), SEATS, mano=None)
    state = apply(None, opening[0])
    assert len(opening) == 1
    assert legal_calls(state) == tuple(nueva_mano(seat) for seat in (1, 2, 3, 4))
    assert decide(state, nueva_mano(3)).events == (e.DealStarted(1, 3, corrido=True),)


def test_r04_before_the_first_deal_no_lance_is_played_and_nobody_has_the_turn() -> None:
    state = apply(None, open_game(Profile(), SEATS, mano=None)[0])
    assert (state.deal, state.mano, state.corrido, state.lance) == (0, 1, False, None)
    assert to_speak(state) is None


def test_r04_before_the_first_deal_there_are_no_cards_to_show() -> None:
    state = apply(None, open_game(Profile(), SEATS, mano=None)[0])
    with pytest.raises(IllegalCall) as caught:
        decide(state, cards(1, "R R C 1"))
    assert caught.value.code == "not_now"


def test_r04_the_first_seat_is_mano_where_nobody_names_one() -> None:
    state = apply(None, open_game(Profile(), SEATS, mano=None)[0])
    for call in (mus(1), corto(1), envido(1), paso(1)):
        assert decide(state, call).events[0] == e.DealStarted(1, 1, implied=True, corrido=True)


def test_r05_a_next_mano_other_than_the_next_seat_can_be_named() -> None:
    game = Game().to_juego("no no no no").all_pass()
    game.show("R C S 4", "C S 7 1", "R S 6 2", "7 6 5 4")
    assert game.phase is Phase.COUNT
    assert game.say(nueva_mano(4)).state.mano == 4


def test_r06_cutting_a_mus_that_is_not_run_does_not_move_mano() -> None:
    game = Game(mano=1).say(mus(1), mus(2), corto(3))
    assert (game.state.mano, to_speak(game.state)) == (1, 1)


def test_r07_after_four_mus_cards_are_changed_and_mus_is_asked_again() -> None:
    game = Game().say(mus(1), mus(2), mus(3), mus(4))
    assert game.last[-1] == e.DiscardBegan()
    game.say(mus(1))
    assert (game.phase, game.state.spoken) == (Phase.MUS, (1,))
    game.say(mus(2), mus(3), mus(4), corto(1))
    assert game.phase is Phase.GRANDE


def test_a_player_says_mus_once_a_round() -> None:
    game = Game().say(mus(1))
    with pytest.raises(IllegalCall) as caught:
        game.say(mus(1))
    assert caught.value.code == "already_spoken"


@each_row(
    "call, event",
    [
        (paso(1), e.Passed(1, Lance.GRANDE)),
        (envido(2, 5), e.BetMade(2, Lance.GRANDE, 5)),
        (envido(3, 5, lance=Lance.GRANDE), e.BetMade(3, Lance.GRANDE, 5)),
        (ordago(4), e.OrdagoMade(4, Lance.GRANDE)),
    ],
)
def test_r09_a_paso_a_bet_or_an_ordago_in_the_mus_cuts_and_is_the_call_at_grande(
    call: c.Call, event: e.Event
) -> None:
    game = Game().say(call)
    assert call.seat is not None
    assert game.last == (e.MusCut(call.seat, implied=True), event)
    assert game.phase is Phase.GRANDE


def test_r09_cutting_by_word_makes_no_call_at_grande() -> None:
    game = Game().say(corto(2))
    assert (game.state.spoken, game.state.pending) == ((), None)


@each_row("call", [quiero(1), no_queremos(1), c.Declare(seat=1), cards(1, "RRR1")])
def test_other_calls_are_refused_in_the_mus(call: c.Call) -> None:
    game = Game()
    with pytest.raises(IllegalCall):
        game.say(call)


def test_r10_the_lances_come_in_their_order() -> None:
    game = Game().cut()
    phases = [game.phase, game.all_pass().phase, game.all_pass().phase]
    phases += [game.declare("sí sí no no").phase, game.all_pass().phase]
    phases += [game.declare("no no no no").phase, game.all_pass().phase]
    assert phases == [
        Phase.GRANDE,
        Phase.CHICA,
        Phase.PARES_SAY,
        Phase.PARES,
        Phase.JUEGO_SAY,
        Phase.PUNTO,
        Phase.SHOWDOWN,
    ]


def test_r10_a_finished_lance_is_not_opened_again() -> None:
    game = Game().cut().all_pass()
    with pytest.raises(IllegalCall) as caught:
        game.say(envido(1, lance=Lance.GRANDE))
    assert caught.value.code == "other_lance"


@each_row("seat", [0, 5, -1, 99])
def test_r56_a_call_by_a_seat_that_is_not_at_the_table_is_refused(seat: int) -> None:
    game = Game().cut()
    with pytest.raises(IllegalCall) as caught:
        game.say(envido(seat))
    assert caught.value.code == "seat_unknown"


@each_row("players", [2, 4, 6])
def test_r56_two_four_or_six_play_in_two_sides(players: int) -> None:
    state = None
    for event in open_game(Profile(), tuple("abcdef"[:players])):
        state = apply(state, event)
    assert state is not None
    assert [state.side_of(seat) for seat in state.order()] == ["A", "B"] * (players // 2)


@each_row("players, sides", [(4, 1), (4, 3), (3, 2), (1, 2), (4, 0)])
def test_r56_seats_that_do_not_make_even_sides_are_refused(players: int, sides: int) -> None:
    opened = e.GameOpened(Profile(), tuple("abcd"[:players]), sides)
    with pytest.raises(HistoryError, match="cannot form"):
        apply(None, opened)
