"""Placing a deal at a player's turn, or where it is told who has pares or juego."""

from __future__ import annotations

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.phases import Lance, Phase
from assistant.rules.placing import placed
from assistant.rules.profile import Penalty
from tests.rules.play import Game, envido, mus, no_quiero, pares, paso, quiero
from tests.rules.tables import Table, asked_on_the_way, not_put, put
from tests.tables import each_row

L, W = Lance, c.Where


def turn(player: int) -> c.Place:
    return c.Place(told=W.TURN, player=player)


def holders(lance: Lance, *seats: int) -> c.Place:
    return c.Place(lance=lance, told=W.HOLDERS, holders=seats)


def to_the_round(*said: c.Call) -> Game:
    """A deal in which pares are being declared."""
    return Game().cut().all_pass(2).say(*said)


# ---- Whose turn it is ---------------------------------------------------------------------------


def test_the_players_before_the_one_whose_turn_it_is_have_passed() -> None:
    game = put(Game().cut(), turn(3))
    assert game.state.spoken == (1, 2)
    assert all(event.implied for event in game.said(e.Passed))


def test_the_players_before_the_one_whose_turn_it_is_want_mus() -> None:
    game = put(Game(), turn(3))
    assert (game.phase, game.state.spoken) == (Phase.MUS, (1, 2))


def test_a_player_who_has_spoken_gets_his_turn_again() -> None:
    game = put(Game().cut().say(paso(1), paso(2), paso(3)), turn(2))
    assert game.state.spoken == (1,)
    assert game.said(e.Passed) == [e.Passed(1, L.GRANDE)], "it was heard, and is not implied"


def test_a_player_whose_voice_was_not_known_gets_his_turn_again() -> None:
    game = put(Game().cut().say(paso(), paso(2)), turn(1))
    assert (game.phase, game.state.spoken) == (Phase.GRANDE, ())


def test_a_player_who_wants_mus_gets_his_turn_again() -> None:
    game = put(Game().say(mus(1), mus(2)), turn(1))
    assert (game.phase, game.state.spoken) == (Phase.MUS, ())


def test_a_player_who_refused_a_bet_gets_his_turn_again() -> None:
    game = put(Game().cut().say(envido(1), no_quiero(2)), turn(2))
    assert game.state.pending is not None
    assert (game.state.pending.stones, game.state.pending.refused) == (2, ())


def test_a_player_who_declared_gets_his_turn_again() -> None:
    game = put(to_the_round(pares(1), pares(2)), turn(2))
    assert game.state.pares == (True, None, None, None)


def test_the_only_player_who_declared_gets_his_turn_again() -> None:
    game = put(to_the_round(pares(1)), turn(1))
    assert (game.phase, game.state.pares) == (Phase.PARES_SAY, (None,) * 4)


def test_it_is_already_the_turn_of_the_next_to_declare() -> None:
    assert placed(to_the_round(pares(1)).records, turn(2)) == ()


def test_nobody_knows_what_the_players_before_a_declaration_have_said() -> None:
    assert asked_on_the_way(to_the_round(pares(1)), turn(3)).code == "holders"


def test_the_turn_of_one_rival_over_a_bet_means_his_partner_has_refused() -> None:
    game = put(Game().cut().say(envido(1)), turn(4))
    assert game.state.pending is not None
    assert game.state.pending.refused == (2,)
    assert game.said(e.BetRefused) == [e.BetRefused(2, L.GRANDE, implied=True)]
    assert game.say(quiero(4)).phase is Phase.CHICA


def test_it_is_never_the_bettors_turn_over_his_own_bet() -> None:
    with pytest.raises(IllegalCall, match="own"):
        put(Game().cut().say(envido(1)), turn(1))


@each_row(
    "game, player, code, phase",
    [
        (Game().cut(), 5, "seat_unknown", "grande"),
        (Game().to_pares("sí sí no sí"), 3, "no_pares", "pares"),
        (Game().to_pares("sí sí no no").say(envido(1)), 4, "no_pares", "pares"),
        (Game().to_juego("sí no no sí"), 2, "no_juego", "juego"),
        (Game().to_juego("sí no sí sí").say(envido(1)), 2, "no_juego", "juego"),
    ],
)
def test_r16_it_is_nobody_s_turn_who_does_not_speak_in_the_lance(
    game: Game, player: int, code: str, phase: str
) -> None:
    no = not_put(game, turn(player))
    assert (no.code, no.call, no.params) == (code, turn(player), {"phase": phase})


# ---- Who has pares, or juego --------------------------------------------------------------------


def test_the_named_holders_replace_the_declarations_that_were_heard() -> None:
    game = Game().to_pares("sí no no no")
    assert game.state.lance is L.JUEGO
    put(game, holders(L.PARES, 1, 2))
    assert game.state.pares == (True, True, False, False)
    assert game.phase is Phase.PARES


def test_what_was_heard_in_the_round_stays_where_the_named_holders_agree() -> None:
    game = put(to_the_round(pares(1), pares(2)), holders(L.PARES, 1, 4))
    assert game.said(e.Declared) == [
        e.Declared(2, L.PARES, holds=False, implied=True),
        e.Declared(3, L.PARES, holds=False, implied=True),
        e.Declared(4, L.PARES, holds=True, implied=True),
    ]
    assert (game.phase, game.state.pares) == (Phase.PARES, (True, False, False, True))


def test_other_holders_than_were_heard_take_back_the_bets_among_those() -> None:
    game = Game().to_pares("sí sí no no").say(envido(1))
    put(game, holders(L.PARES, 3, 4))
    assert (game.phase, game.state.pending) == (Phase.PARES, None)
    assert game.state.pares == (False, False, True, True)
    assert game.state.incidents.corrected == (), "nobody has put right what he said himself"


def test_the_holders_that_were_heard_change_nothing() -> None:
    game = Game().to_pares("sí sí no no").say(envido(1))
    assert placed(game.records, holders(L.PARES, 2, 1)) == ()


def test_nobody_has_pares_where_a_lance_of_pares_was_opened() -> None:
    game = put(Game().to_pares("sí sí no no").say(envido(1)), holders(L.PARES))
    assert (game.phase, game.state.pares) == (Phase.JUEGO_SAY, (False,) * 4)


def test_juego_without_holders_leads_to_punto() -> None:
    game = put(Game().to_pares("no no no no"), holders(L.JUEGO))
    assert game.phase is Phase.PUNTO


def test_the_punto_says_already_that_nobody_has_juego() -> None:
    assert placed(Game().to_juego("no no no no").say(paso(1)).records, holders(L.JUEGO)) == ()


def test_juego_is_played_instead_of_the_punto_by_the_players_who_have_it() -> None:
    game = put(Game().to_juego("no no no no").say(envido(1)), holders(L.JUEGO, 1, 2))
    assert (game.phase, game.state.pending) == (Phase.JUEGO, None)
    assert game.state.juego == (True, True, False, False)


@each_row(
    "said, options",
    [
        ([pares(1), pares(2, False), pares(3, False)], [(1,), (1, 4)]),
        ([pares(1), pares(2, False)], [(1,), (1, 3), (1, 4), (1, 3, 4)]),
        ([pares(1)], [(1,), (1, 2, 3, 4)]),
        ([], [(), (1, 2, 3, 4)]),
    ],
)
def test_the_holders_are_asked_for_where_a_declaration_was_not_heard(
    said: list[c.Call], options: list[tuple[int, ...]]
) -> None:
    place = c.Place(lance=L.JUEGO)
    question = asked_on_the_way(to_the_round(*said), place)
    assert (question.code, question.call) == ("holders", place)
    assert question.params == {"phase": "pares?"}
    assert question.options == tuple(holders(L.PARES, *seats) for seats in options)


def test_an_option_for_the_holders_leads_on_to_the_next_lance() -> None:
    game = to_the_round(pares(1), pares(2, False))
    with pytest.raises(AmbiguousCall) as asked:
        placed(game.records, c.Place(lance=L.JUEGO))
    alone, *_ = asked.value.options
    assert isinstance(alone, c.Place)
    assert put(game, alone).phase is Phase.JUEGO_SAY, "one pair alone has pares"


def test_chica_has_no_holders_to_name() -> None:
    assert not_put(Game().cut(), holders(L.CHICA, 1)).code == "not_now"


def test_r18_nobody_has_pares_can_be_told_while_the_punto_is_played() -> None:
    game = Game().to_pares("sí no sí no").declare("no no no no")
    put(game, c.Place(lance=L.PARES, told=W.HOLDERS))
    assert game.state.pares == (False,) * 4


def test_article_1_5_it_is_never_the_turn_of_a_hand_out_of_play_and_the_refusal_says_why() -> None:
    game = Table(penalty=Penalty.INTERPENAS).say(mus(1), mus(2), mus(3), mus(4)).cut()
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=2, cards=5))
    assert not_put(game, c.Place(told=W.TURN, player=2)).code == "out_of_play"
