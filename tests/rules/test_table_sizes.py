"""Tables of other sizes (R56), with deals worked out by hand: two, trios, and single players."""

from __future__ import annotations

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import missing_hands, sides_of, to_speak
from assistant.rules.errors import ProfileError
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile, Sides
from tests.rules.play import (
    envido,
    mas,
    mus,
    no_queremos,
    no_quiero,
    nueva_mano,
    ordago,
    paso,
    quiero,
)
from tests.rules.tables import Table, asked, bet_now, each, refused
from tests.tables import each_row

# --- how many may play ----------------------------------------------------------------------------


@each_row(
    "sides, players, formed",
    [(Sides.TWO, 2, 2), (Sides.TWO, 4, 2), (Sides.TWO, 6, 2)]
    + [(Sides.EACH, n, n) for n in range(2, 7)],
)
def test_r56_each_number_of_players_forms_its_sides(
    sides: Sides, players: int, formed: int
) -> None:
    assert sides_of(Profile(sides=sides), players) == formed


@each_row(
    "sides, players",
    [(Sides.TWO, n) for n in (0, 1, 3, 5, 7)] + [(Sides.EACH, n) for n in (0, 1, 7)],
)
def test_r56_an_impossible_number_of_players_is_refused_with_the_possible_ones(
    sides: Sides, players: int
) -> None:
    how_many = "2, 4 or 6" if sides is Sides.TWO else "2 to 6"
    with pytest.raises(ProfileError, match=how_many) as caught:
        sides_of(Profile(sides=sides), players)
    assert caught.value.key == "sides"
    alone = sides is Sides.TWO and players in (3, 5)
    assert ("with sides=each they can" in str(caught.value)) is alone


def test_r56_the_players_of_a_side_are_in_the_order_of_speaking() -> None:
    trios = Table(6, mano=3).state
    assert (trios.seats_of("A"), trios.seats_of("B")) == ((3, 5, 1), (4, 6, 2))
    assert [each(3).state.seats_of(side) for side in "ABC"] == [(1,), (2,), (3,)]


# --- two ------------------------------------------------------------------------------------------


def test_r56_two_play_a_whole_deal() -> None:
    game = Table(2).say(mus(1), mus(2))
    assert game.phase is Phase.DISCARD
    game.cut().say(envido(1, 3), mas(2, 4), quiero(1))  # grande for 7
    game.say(paso(1), envido(2), no_quiero(1))  # one "no" is enough, because there is no partner
    assert game.stones == (0, 1)
    game.declare("sí sí").say(paso(1), envido(2, 5), quiero(1))
    game.declare("no no").say(envido(1), quiero(2))
    assert game.show_asked("R R 5 4", "C C 4 1") == (1, 2)
    # 1: grande 7, pares 5 + 1, punto 29 2 + 1.
    assert game.stones == (16, 1)
    assert game.say(nueva_mano()).state.mano == 2


def test_r56_two_play_an_ordago() -> None:
    game = Table(2, mano=2).cut().say(ordago(2), quiero(1))
    game.show_asked("R R 3 1", "R 3 3 1")  # both are equal, because a tres is a rey, so mano wins
    assert game.state.juego_won == "B"


def test_r56_an_unknown_voice_of_two_answers_a_bet_or_has_the_turn() -> None:
    game = Table(2).cut().say(envido(None), quiero(None))
    assert [x.seat for x in game.all(e.SeatInferred)] == [1, 2]


def test_r56_two_show_only_the_hands_that_are_needed() -> None:
    game = Table(2).cut().say(envido(1), no_quiero(2), envido(1), no_quiero(2))
    game.declare("sí no").declare("no no").say(envido(1), no_quiero(2))
    assert game.show_asked("C C 4 1", "R 7 6 4") == (1,)
    assert game.stones == (5, 0)  # three dejes, the pareja and the punto


# --- two trios ------------------------------------------------------------------------------------

TRIOS = ("R R 5 4", "C C 5 4", "R 7 7 1", "S S 6 1", "R S 4 4", "6 6 5 1")


def test_r56_two_trios_play_a_whole_deal() -> None:
    game = Table(6, mano=2).say(*(mus(s) for s in (2, 3, 4, 5, 6)))
    assert game.phase is Phase.MUS
    game.say(mus(1)).cut()
    game.say(paso(2), envido(3, 4), no_quiero(2), no_quiero(4), mas(6, 2), quiero(5))
    assert game.state.lance is Lance.CHICA  # 6 at grande
    game.all_pass().declare("sí sí sí sí sí sí")
    assert game.state.holders(Lance.PARES) == (2, 3, 4, 5, 6, 1)
    game.say(envido(2), no_queremos(1))
    assert game.stones == (0, 1)
    game.declare("no no no no no no").say(paso(2), paso(3), envido(4, 2), quiero(1))
    assert game.show_asked(*TRIOS) == (2, 3, 4, 5, 6, 1)
    # Grande 6 to A (R R). Chica 1: 6 6 5 1 against R 7 7 1, S S 6 1: B's ases are best with 5.
    # Pares refused by A: B has its deje and three parejas. Punto: 29 of 2, mano, 2 + 1 for B.
    assert game.stones == (6, 1 + 1 + 3 + 3)


def test_r56_the_pares_of_three_partners_count_together() -> None:
    game = Table(6).to_lance(Lance.PARES, "sí no sí no sí no")
    assert game.phase is Phase.JUEGO_SAY  # nobody of the others has any (R17)
    game.declare("no no no no no no").all_pass()
    game.show_asked("R R 5 4", "C S 5 4", "C C C 1", "S 7 6 1", "5 5 4 4", "R 7 6 1")
    whys = {(x.lance, x.why): x.stones for x in game.said(e.StonesWon)}
    assert whys[Lance.PARES, e.Why.PARES] == 1 + 2 + 3


def test_r56_a_trio_answers_until_all_three_have_refused() -> None:
    game = Table(6).cut().say(envido(1, 2), no_quiero(2), no_quiero(6))
    assert game.state.answerers() == (4,)
    assert bet_now(game.say(mas(4, 3))) == (5, 2)
    assert game.state.answerers() == (5, 1, 3)
    assert game.say(no_queremos(5)).stones == (0, 2)


def test_r56_a_player_who_refused_before_a_raise_of_his_trio_is_out() -> None:
    game = Table(6).cut().say(envido(1, 2), no_quiero(2), mas(4, 3), mas(1, 2))
    assert game.state.answerers() == (4, 6)
    assert refused(game, quiero(2)) == "already_refused"


def test_r56_an_ordago_of_trios_goes_to_the_best_of_six_hands() -> None:
    game = Table(6).cut().say(ordago(1), quiero(2))
    game.show_asked("R R 5 4", "C C 5 4", "R 7 7 1", "S S 6 1", "R S 4 4", "3 3 3 1")
    assert game.state.juego_won == "B"


def test_r56_trios_play_a_las_dos_and_mano_wins_ties() -> None:
    game = Table(6, mano=6).cut().say(envido(6, 3, both=True), quiero(1), quiero(3))
    assert game.phase is Phase.PARES_SAY
    game.declare("no no no no no no").declare("no no no no no no").all_pass()
    game.show_asked("R C 5 4", "S 7 6 5", "S 7 6 4", "S 7 6 5", "C 7 6 4", "R C 5 4")
    # Grande and chica for 3 each: seat 6, mano, ties with seat 1 at both, and has punto 29.
    assert game.stones == (0, 3 + 3 + 1)


# --- each for himself -----------------------------------------------------------------------------


def test_r56_three_each_for_himself_play_a_whole_deal() -> None:
    game = each(3).say(mus(1), mus(2), mus(3)).cut()
    game.say(envido(1, 4), quiero(2), no_quiero(3))
    assert game.state.lance is Lance.CHICA
    game.say(paso(1), paso(2), paso(3)).declare("sí sí no")
    game.say(paso(1), envido(2), no_quiero(1))
    assert game.stones == (0, 1, 0)
    game.declare("no no no").say(paso(1), paso(2), envido(3, 2), quiero(1), quiero(2))
    assert game.show_asked("R R 5 4", "C C 5 4", "R S 7 1") == (1, 2, 3)
    # Grande 4 to 1 (3 is out of it); chica 1 to 3; pares: 2's own pareja; punto 29 to 1, 2 + 1.
    assert game.stones[0] == 4 + 3
    assert game.stones[1:] == (1 + 1, 1)


def test_r56_a_bet_waits_for_every_rival() -> None:
    game = each(5).cut().say(envido(1, 4))
    for answered, call in enumerate((quiero(4), no_quiero(2), paso(5)), start=1):
        game.say(call)
        assert game.state.pending is not None
        assert len(game.state.answerers()) == 4 - answered
        assert refused(game, quiero(call.seat)) in ("already_spoken", "already_refused")
    game.say(quiero(3))
    result = game.state.result(Lance.GRANDE)
    assert result is not None
    assert (result.how, result.stones) == (e.How.ACCEPTED, 4)
    assert game.state.rivals_in(result) == (1, 3, 4)


def test_r56_no_queremos_of_a_single_player_binds_nobody_else() -> None:
    game = each(4).cut().say(envido(1), no_queremos(2))
    assert game.state.answerers() == (3, 4)


def test_r56_only_those_who_accepted_can_win_the_lance() -> None:
    game = each(3).cut().say(envido(1, 4), quiero(3), no_quiero(2))
    assert missing_hands(game.state) == ()
    game.say(envido(1), no_quiero(2), no_quiero(3)).declare("no no no").declare("no no no")
    game.say(envido(3), no_quiero(1), no_quiero(2))
    assert missing_hands(game.state) == (1, 3)  # seat 2 refused grande, so his cards bring nothing
    game.show_asked("R C 5 4", "R R C 1", "R S 5 4")
    assert game.stones == (1 + 4, 0, 1 + 1)


def test_r56_a_raise_asks_again_everybody_who_had_accepted() -> None:
    game = each(4).cut().say(envido(1, 2), quiero(2), mas(3, 5))
    assert bet_now(game) == (7, 2)
    assert game.state.answerers() == (4, 1, 2)
    game.say(quiero(2), no_quiero(1), no_quiero(4))
    result = game.state.result(Lance.GRANDE)
    assert result is not None
    assert (result.stones, game.state.rivals_in(result)) == (7, (2, 3))


def test_r56_a_raise_that_all_refuse_pays_the_bet_before_it() -> None:
    game = each(4).cut().say(envido(1, 2), quiero(2), mas(3, 5))
    game.say(no_quiero(1), no_quiero(2), no_quiero(4))
    assert game.stones == (0, 0, 2, 0)


def test_r56_a_refusal_is_final_though_the_bet_is_raised_after_it() -> None:
    game = each(4).cut().say(envido(1, 2), no_quiero(2), mas(3, 5))
    assert game.state.answerers() == (4, 1)
    assert refused(game, quiero(2)) == "already_refused"
    assert refused(game, mas(2, 3)) == "already_refused"


def test_r56_an_ordago_accepted_by_two_goes_to_the_best_of_the_three() -> None:
    game = each(5, mano=4).cut().say(ordago(1), quiero(3), no_quiero(2), no_quiero(5))
    assert game.state.answerers() == (4,)
    assert game.say(quiero(4)).phase is Phase.SHOWDOWN
    assert missing_hands(game.state) == (4, 1, 3)
    game.show_asked("C C 5 4", "R R R R", "R S 5 4", "3 S 5 4", "R 6 5 4")
    assert game.state.juego_won == "D"  # equal to 3, but mano; 2 is out
    assert game.state.juegos == (0, 0, 0, 1, 0)


def test_r56_an_ordago_that_all_refuse_pays_one() -> None:
    game = each(3).cut().say(ordago(3), no_quiero(1), no_quiero(2))
    assert game.stones == (0, 0, 1)


def test_r56_two_of_five_play_pares() -> None:
    game = each(5).to_lance(Lance.PARES, "no sí no no sí")
    assert game.phase is Phase.PARES
    assert to_speak(game.state) == 2
    assert refused(game, envido(1)) == "no_pares"
    game.say(envido(2, 3), quiero(5)).declare("no no no no no").all_pass()
    game.show_asked("R C 5 4", "C C 5 4", "R 7 6 1", "S 7 6 1", "S S S 4")
    # Grande to 1 (R C 5 4). Chica to 3 (R 7 6 1 loses to S 7 6 1): 4. Pares: medias, 3 + 2.
    assert game.stones[4] == 3 + 2
    assert game.won()[0] == ("A", 1, "grande", "paso")


def test_r56_pares_held_by_one_player_alone_are_his_without_a_bet() -> None:
    game = each(3).to_lance(Lance.PARES, "no sí no")
    assert game.phase is Phase.JUEGO_SAY
    game.declare("no no no").all_pass().show_asked("R C 5 4", "7 7 7 4", "S 7 6 4")
    assert ("B", 2, "pares", "pares") in game.won()


def test_r56_juego_passed_by_three_brings_the_winner_only_his_own_hand() -> None:
    game = each(3).to_lance(Lance.JUEGO, "sí sí sí").all_pass()
    game.show_asked("R C 7 6", "R C S 1", "R C 7 5")
    assert ("B", 3, "juego", "juego") in game.won()
    assert [x for x in game.won() if x[2] == "juego"] == [("B", 3, "juego", "juego")]


def test_r56_refused_juego_brings_the_deje_and_the_bettors_own_hand() -> None:
    game = each(3).to_lance(Lance.JUEGO, "sí sí sí")
    game.say(envido(3, 9), no_quiero(1), no_quiero(2))
    assert game.stones == (0, 0, 1)
    game.show_asked("R C S 1", "R C S 1", "R C 7 5")
    assert ("C", 2, "juego", "juego") in game.won()


def test_r56_punto_of_four_single_players_goes_to_the_nearest_to_mano_in_a_tie() -> None:
    game = each(4, mano=3).to_lance(Lance.PUNTO).say(paso(3), envido(1, 2))
    game.say(quiero(4), no_quiero(3), no_quiero(2))
    game.show_asked("R C 5 4", "R C 6 4", "R C 6 4", "R S 5 4")
    # 2 and 3 have 30 and are out. 4 sits nearer to mano than 1, and both have 29.
    assert [x for x in game.won() if x[2] == "punto"] == [
        ("D", 2, "punto", "bet"),
        ("D", 1, "punto", "punto"),
    ]


def test_r56_single_players_play_a_las_dos() -> None:
    game = each(3).cut().say(envido(2, 3, both=True), quiero(1), no_quiero(3))
    assert game.state.pending is not None
    assert (game.state.pending.lance, game.state.pending.seat) == (Lance.CHICA, 2)
    assert game.state.answerers() == (3, 1)  # the player who was out of grande answers at chica
    game.say(quiero(3), no_quiero(1))
    assert game.phase is Phase.PARES_SAY


def test_r56_a_deje_wins_the_juego_for_a_single_player() -> None:
    game = each(4, stones=(10, 20, 39, 0)).cut().say(envido(3))
    game.say(no_quiero(1), no_quiero(2), no_quiero(4))
    assert (game.state.juego_won, game.state.juegos) == ("C", (0, 0, 1, 0))
    game.say(nueva_mano())
    assert game.stones == (0, 0, 0, 0)


def test_r56_the_count_stops_at_the_first_single_player_who_reaches_the_target() -> None:
    game = each(3, stones=(39, 39, 39)).cut().all_pass(2).declare("no no no")
    game.declare("no no no").all_pass()
    game.show_asked("C 7 6 4", "7 6 5 4", "R C 6 4")
    assert (game.state.juego_won, game.stones) == ("C", (39, 39, 40))


def test_r56_the_first_of_six_to_win_so_many_juegos_wins_the_match() -> None:
    game = each(6, juegos=2)
    for _ in range(2):
        game.say(c.SetStones(stones=(0, 0, 0, 0, 39, 0)))
        game.cut().say(envido(5), *(no_quiero(s) for s in (1, 2, 3, 4, 6)))
        if game.phase is Phase.COUNT:
            game.say(nueva_mano())
    assert (game.state.winner, game.phase) == ("E", Phase.OVER)


def test_r56_talk_of_the_next_lance_refuses_for_those_who_have_not_answered() -> None:
    game = each(4).cut().say(envido(1, 4), quiero(2), paso(2, Lance.CHICA))
    result = game.state.result(Lance.GRANDE)
    assert result is not None
    assert game.state.rivals_in(result) == (1, 2)
    assert [(x.seat, x.implied) for x in game.all(e.BetRefused)] == [(3, True), (4, True)]


def test_r56_talk_of_the_next_lance_before_any_answer_is_asked_about() -> None:
    game = each(4).cut().say(envido(1, 4))
    assert asked(game, paso(2, Lance.CHICA)).code == "no_quereis"


def test_r56_unknown_voices_of_three_answer_in_turn() -> None:
    game = each(3).cut().say(envido(None, 4), quiero(None), no_quiero(None))
    assert [x.seat for x in game.all(e.SeatInferred)] == [1, 2, 3]
    assert game.state.lance is Lance.CHICA


@each_row("players", [2, 3, 4, 5, 6])
def test_r05_mano_goes_round_every_table(players: int) -> None:
    game = each(players)
    manos = []
    for _ in range(players + 1):
        manos.append(game.state.mano)
        game.cut().all_pass(2)
        no = " ".join(["no"] * players)
        game.declare(no).declare(no).all_pass()
        game.show_asked(*("R C 5 4", "R C 5 4", "S 7 6 4", "S 7 6 4", "R 7 6 1", "R 7 6 1"))
        game.say(nueva_mano())
    assert manos == [*range(1, players + 1), 1]
