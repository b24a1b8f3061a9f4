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
from assistant.rules.history import fold, undo_target
from assistant.rules.phases import AFTER_DEAL, Lance, Phase
from assistant.rules.placing import placed, taken_back
from assistant.rules.profile import Corrido
from tests.rules.listed import legal_calls
from tests.rules.play import (
    Game,
    corto,
    envido,
    mas,
    mus,
    no_queremos,
    no_quiero,
    ordago,
    paso,
    quiero,
)
from tests.rules.tables import Table, asked_on_the_way, not_put, put
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


def test_the_deal_already_stands_in_the_lance_that_is_played() -> None:
    game = Game().cut().say(paso(1))
    assert placed(game.records, c.Place(lance=L.GRANDE)) == ()


def test_a_lance_after_the_mus_means_that_the_next_to_speak_has_cut_it() -> None:
    game = put(Game().say(mus(1)), c.Place(lance=L.GRANDE))
    assert game.all(e.MusCut) == [e.MusCut(2, implied=True)]


def test_a_pending_bet_is_asked_about_before_the_next_lance() -> None:
    place = c.Place(lance=L.CHICA)
    question = asked_on_the_way(Game().cut().say(envido(1)), place)
    assert (question.code, question.call) == ("no_quereis", place)
    assert question.options == (c.Refuse(plural=True), c.Accept())
    assert "pending" in str(question)


def test_the_raise_of_an_accepter_s_partner_is_asked_about_too() -> None:
    game = Game().cut().say(envido(1), quiero(2), mas(4))
    assert game.state.lance is L.GRANDE
    assert asked_on_the_way(game, c.Place(lance=L.CHICA)).code == "no_quereis"


def test_r35_the_partner_of_who_refused_has_refused_too_where_the_next_lance_is_played() -> None:
    game = put(Game().cut().say(envido(1), no_quiero(2)), c.Place(lance=L.CHICA))
    assert game.all(e.BetRefused) == [
        e.BetRefused(2, L.GRANDE),
        e.BetRefused(4, L.GRANDE, implied=True),
    ]
    assert (game.stones, game.phase) == ((1, 0), Phase.CHICA)


def test_r32_after_an_accepted_ordago_no_lance_is_left_to_be_played() -> None:
    game = Game().cut().say(ordago(1), quiero(2))
    no = not_put(game, c.Place(lance=L.CHICA))
    assert (no.code, no.params) == ("other_lance", {"phase": "showdown"})


def test_r19_the_punto_means_that_nobody_has_juego() -> None:
    game = put(Game().to_pares("no no no no"), c.Place(lance=L.PUNTO))
    assert game.phase is Phase.PUNTO
    assert game.said(e.Declared) == [
        e.Declared(seat, L.JUEGO, holds=False, implied=True) for seat in (1, 2, 3, 4)
    ]


def test_r19_the_punto_takes_back_the_juego_that_was_heard() -> None:
    game = Game().to_pares("no no no no")
    game.say(c.Declare(seat=1, holds=False), c.Declare(seat=2))
    put(game, c.Place(lance=L.PUNTO))
    assert (game.phase, game.state.juego) == (Phase.PUNTO, (False,) * 4)


def test_juego_and_punto_take_each_other_s_place() -> None:
    game = put(Game().to_juego("sí sí no no"), c.Place(lance=L.PUNTO))
    assert (game.phase, game.state.juego) == (Phase.PUNTO, (False,) * 4)
    put(game, c.Place(lance=L.JUEGO))
    assert (game.phase, game.state.juego) == (Phase.JUEGO_SAY, (None,) * 4)


def test_repeating_a_lance_gives_back_its_deje() -> None:
    game = Game().cut().say(envido(1), no_quiero(2), no_quiero(4))
    assert game.stones == (1, 0)
    put(game, c.Place(lance=L.GRANDE, told=W.AGAIN))
    assert (game.stones, game.phase, game.state.pending) == ((0, 0), Phase.GRANDE, None)
    assert game.undo().stones == (1, 0)


def test_what_a_way_back_takes_back_is_known_before_it_is_gone() -> None:
    table = Table()
    table.say(corto(1), envido(1), quiero(2))
    to_grande = placed(table.records, c.Place(lance=Lance.GRANDE))
    gone = taken_back(table.records, to_grande)
    assert {e.BetMade, e.BetAccepted} <= {type(event) for event in gone}
    on = placed(table.records, c.Place(lance=Lance.CHICA))
    assert taken_back(table.records, on) == ()


def test_only_the_lance_itself_is_repeated() -> None:
    game = Game().cut().all_pass().say(paso(1), envido(2, stones=5))
    put(game, c.Place(lance=L.CHICA, told=W.AGAIN))
    assert (game.phase, game.state.pending, game.state.spoken) == (Phase.CHICA, None, ())
    assert not any(event.implied for event in game.all(e.Passed)), "grande stays as it was heard"


def test_a_lance_is_repeated_after_a_single_call() -> None:
    game = put(Game().cut().say(envido(1)), c.Place(lance=L.GRANDE, told=W.AGAIN))
    assert (game.phase, game.state.pending) == (Phase.GRANDE, None)


def test_a_lance_that_has_not_begun_begins_where_it_is_to_be_repeated() -> None:
    game = put(Game().cut().say(paso(1)), c.Place(lance=L.CHICA, told=W.AGAIN))
    assert (game.phase, game.state.spoken) == (Phase.CHICA, ())


def test_the_punto_is_repeated_from_its_beginning() -> None:
    game = Game().to_juego("no no no no").say(paso(1), envido(2))
    put(game, c.Place(lance=L.PUNTO, told=W.AGAIN))
    assert (game.phase, game.state.pending, game.state.spoken) == (Phase.PUNTO, None, ())


def test_the_deal_s_start_stays_where_the_first_call_began_it() -> None:
    game = Game(mano=None).say(envido(1))
    put(game, c.Place(lance=L.GRANDE, told=W.AGAIN))
    assert (game.state.deal, game.phase, game.state.pending) == (1, Phase.GRANDE, None)


def test_the_mus_goes_on_after_a_cut_that_was_misheard() -> None:
    game = put(Game().say(mus(1)).say(c.Cut(seat=2)), c.Place())
    assert (game.phase, game.state.spoken) == (Phase.MUS, (1,))


def test_a_counted_deal_is_placed_nowhere() -> None:
    game = Game().to_juego("no no no no").all_pass().show("RC71", "7654", "SCR1", "7641")
    with pytest.raises(IllegalCall):
        placed(game.records, c.Place(lance=L.GRANDE))


def test_decide_refuses_a_place_because_it_has_no_records() -> None:
    with pytest.raises(IllegalCall):
        decide(Game().state, c.Place(lance=L.CHICA))


@each_row(
    "place",
    [
        c.Place(lance=L.CHICA, told=W.AGAIN),
        c.Place(lance=L.CHICA, told=W.BET, stones=4),
    ],
)
def test_r27_the_deje_of_the_lance_before_stays_where_a_lance_is_repeated(place: c.Place) -> None:
    game = Game().cut().say(envido(1), no_queremos(2)).all_pass()
    assert put(game, place).stones == (1, 0)


@each_row("calls", [[corto(3), envido(3)], [envido(3)]])
def test_r06_the_cutter_of_a_mus_corrido_stays_mano_where_grande_is_repeated(
    calls: list[c.Call],
) -> None:
    game = put(Table(corrido=Corrido.MATCH).say(*calls), c.Place(lance=L.GRANDE, told=W.AGAIN))
    assert game.state.mano == 3


def test_r06_an_implied_cut_of_a_mus_corrido_makes_the_cutter_mano() -> None:
    game = put(Table(corrido=Corrido.MATCH).say(mus(1)), c.Place(lance=L.GRANDE))
    assert (game.all(e.MusCut), game.state.mano) == ([e.MusCut(2, implied=True)], 2)
