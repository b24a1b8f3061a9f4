"""Placing a deal where the table says it stands, from anywhere, with one undo."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import decide
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.history import fold, rewound, undo_target
from assistant.rules.phases import AFTER_DEAL, Lance, Phase
from assistant.rules.placing import placed
from tests.rules.listed import legal_calls
from tests.rules.play import Game, envido, mus, no_quiero, paso, quiero
from tests.tables import each_row

L, W = Lance, c.Where
PLACES = st.builds(
    c.Place,
    lance=st.sampled_from([None, *Lance]),
    told=st.sampled_from(W),
    stones=st.integers(0, 12),
    player=st.sampled_from([None, 1, 2, 3, 4]),
    holders=st.lists(st.integers(1, 4), unique=True, max_size=4).map(tuple),
)


def put(game: Game, place: c.Place) -> Game:
    return game.replace(*placed(game.records, place))


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_after_placing_the_records_fold_and_one_undo_reverts_it(
    data: st.DataObject,
) -> None:
    game = Game()
    for _ in range(data.draw(st.integers(1, 25))):
        calls = [x for x in legal_calls(game.state) if not isinstance(x, c.ShowHand)]
        if not calls or game.phase in AFTER_DEAL:
            break
        game.say(data.draw(st.sampled_from(calls)))
    for _ in range(3):
        place, before = data.draw(PLACES), game.state
        try:
            events = placed(game.records, place)
        except (IllegalCall, AmbiguousCall):
            continue
        if not events:
            continue
        game.replace(*events)
        assert fold(game.records) == game.state
        assert not any(isinstance(one, get_args(c.Call)) for one in events)
        if undo_target(game.records) == game.records[-1].batch:
            assert game.undo().state == before
            game.redo()


@each_row("lance", [L.GRANDE, L.CHICA, L.PARES])
@each_row("passes", range(9))
def test_the_deal_is_placed_in_the_lance_that_is_named(lance: Lance, passes: int) -> None:
    game = put(Game().cut().say(*[paso()] * passes), c.Place(lance=lance))
    assert game.state.lance is lance


def test_calls_that_were_not_heard_are_implied_and_move_no_stone() -> None:
    game = put(Game().cut().say(paso(1)), c.Place(lance=L.PARES))
    assert game.stones == (0, 0)
    passes = game.said(e.Passed)
    assert [event.seat for event in passes] == [2, 3, 4, 1, 2, 3, 4]
    assert all(event.implied for event in passes)


def test_a_pending_bet_is_asked_about_before_the_next_lance() -> None:
    with pytest.raises(AmbiguousCall, match="pending"):
        put(Game().cut().say(envido(1)), c.Place(lance=L.CHICA))


def test_the_players_before_the_one_whose_turn_it_is_have_passed() -> None:
    game = put(Game().cut(), c.Place(told=W.TURN, player=3))
    assert game.state.spoken == (1, 2)


def test_a_player_who_has_spoken_gets_his_turn_again() -> None:
    game = put(Game().cut().say(paso(1), paso(2), paso(3)), c.Place(told=W.TURN, player=2))
    assert game.state.spoken == (1,)


def test_the_turn_of_one_rival_over_a_bet_means_his_partner_has_refused() -> None:
    game = put(Game().cut().say(envido(1)), c.Place(told=W.TURN, player=4))
    assert game.state.pending is not None
    assert game.state.pending.refused == (2,)
    assert game.say(quiero(4)).phase is Phase.CHICA


def test_it_is_never_the_bettors_turn_over_his_own_bet() -> None:
    with pytest.raises(IllegalCall, match="own"):
        put(Game().cut().say(envido(1)), c.Place(told=W.TURN, player=1))


def test_repeating_a_lance_gives_back_its_deje() -> None:
    game = Game().cut().say(envido(1), no_quiero(2), no_quiero(4))
    assert game.stones == (1, 0)
    put(game, c.Place(lance=L.GRANDE, told=W.AGAIN))
    assert (game.stones, game.phase, game.state.pending) == ((0, 0), Phase.GRANDE, None)
    assert game.undo().stones == (1, 0)


def test_the_named_holders_replace_the_declarations_that_were_heard() -> None:
    game = Game().to_pares("sí no no no")
    assert game.state.lance is L.JUEGO
    put(game, c.Place(lance=L.PARES, told=W.HOLDERS, holders=(1, 2)))
    assert game.state.pares == (True, True, False, False)
    assert game.phase is Phase.PARES


def test_juego_without_holders_leads_to_punto() -> None:
    game = put(Game().to_pares("no no no no"), c.Place(lance=L.JUEGO, told=W.HOLDERS))
    assert game.phase is Phase.PUNTO


def test_the_mus_goes_on_after_a_cut_that_was_misheard() -> None:
    game = put(Game().say(mus(1)).say(c.Cut(seat=2)), c.Place())
    assert (game.phase, game.state.spoken) == (Phase.MUS, (1,))


def test_the_holders_are_asked_for_where_a_declaration_was_not_heard() -> None:
    game = Game().cut().all_pass(2).say(c.Declare(seat=1), c.Declare(seat=2, holds=False))
    game.say(c.Declare(seat=3, holds=False))
    with pytest.raises(AmbiguousCall) as asked:
        placed(game.records, c.Place(lance=L.JUEGO))
    assert asked.value.code == "holders"
    assert [one.holders for one in asked.value.options if isinstance(one, c.Place)] == [
        (1,),
        (1, 4),
    ]


def test_chica_has_no_holders_to_name() -> None:
    with pytest.raises(IllegalCall):
        placed(Game().cut().records, c.Place(lance=L.CHICA, told=W.HOLDERS))


def test_a_counted_deal_is_placed_nowhere() -> None:
    game = Game().to_juego("no no no no").all_pass().show("RC71", "7654", "SCR1", "7641")
    with pytest.raises(IllegalCall):
        placed(game.records, c.Place(lance=L.GRANDE))


def test_decide_refuses_a_place_because_it_has_no_records() -> None:
    with pytest.raises(IllegalCall):
        decide(Game().state, c.Place(lance=L.CHICA))


def test_rewinding_to_the_last_record_retracts_nothing() -> None:
    game = Game().cut()
    assert rewound(game.records, game.records[-1].seq) == ()
