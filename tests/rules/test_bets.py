"""One lance: bets, raises, refusals and the deje (R20-R29, R33-R38, R55, R59)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import to_speak
from assistant.rules.errors import IllegalCall
from assistant.rules.phases import Lance, Phase
from tests.rules.play import (
    Game,
    corto,
    envido,
    mas,
    no_queremos,
    no_quiero,
    nueva_mano,
    ordago,
    paso,
    quiero,
    reenvido,
)
from tests.rules.tables import asked, refused
from tests.tables import each_row

# --- R20, R21: passes and first bets ----------------------------------------------------------


def test_r20_four_passes_close_the_lance_and_move_no_stone_yet() -> None:
    game = Game().cut().say(paso(1), paso(2), paso(3))
    assert game.phase is Phase.GRANDE
    game.say(paso(4))
    assert game.last == (e.Passed(4, Lance.GRANDE), e.LanceClosed(Lance.GRANDE, e.How.PASSED))
    assert game.stones == (0, 0)


def test_r21_envido_alone_is_two_stones() -> None:
    assert Game().cut().say(c.Bet(seat=1)).said(e.BetMade)[0].stones == 2


@each_row("stones", [1, 0, -5])
def test_r21_a_first_bet_is_two_stones_at_least(stones: int) -> None:
    assert refused(Game().cut(), envido(1, stones)) == "min_bet"


@each_row("stones", [0, -1])
def test_r21_a_raise_is_one_stone_at_least(stones: int) -> None:
    game = Game().cut().say(envido(1))
    assert refused(game, mas(2, stones)) == "min_raise"
    assert game.say(mas(2, 1)).state.pending is not None


def test_a_bet_larger_than_any_table_plays_is_refused() -> None:
    game = Game().cut()
    assert refused(game, envido(1, 201)) == "too_much"
    game.say(envido(1))
    assert refused(game, mas(2, 201)) == "too_much"
    assert refused(game, envido(2, 201)) == "too_much"


def test_r21_bets_and_raises_go_up_to_two_hundred_stones() -> None:
    game = Game().cut().say(envido(1, 200), mas(2, 200))
    assert game.state.pending is not None
    assert game.state.pending.stones == 400


# --- R22, R23: raises -------------------------------------------------------------------------


def test_r22_n_more_raises_by_n() -> None:
    bet = Game().cut().say(envido(1, 4), mas(2, 5)).state.pending
    assert bet is not None
    assert (bet.seat, bet.stones, bet.deje) == (2, 9, 4)


def test_r22_a_bare_number_in_reply_is_asked_whether_it_adds_or_replaces() -> None:
    error = asked(Game().cut().say(envido(1, 3)), envido(2, 8))
    assert error.code == "bare_raise"
    assert error.options == (mas(2, 8), mas(2, 5))


def test_r22_a_bare_number_no_larger_than_the_bet_can_only_be_added() -> None:
    game = Game().cut().say(envido(1, 5))
    assert asked(game, envido(2, 3)).options == (mas(2, 3),)
    assert asked(game, envido(2, 1)).options == (mas(2, 1),)
    assert asked(game, envido(2, 5)).options == (mas(2, 5),)
    assert asked(game, envido(2, 6)).options == (mas(2, 6), mas(2, 1))


def test_r22_a_bare_number_by_a_player_who_cannot_raise_is_not_asked_about() -> None:
    game = Game().cut().say(envido(1, 3))
    assert refused(game, envido(1, 8)) == "own_bet"
    game.say(no_quiero(2))
    assert refused(game, envido(2, 8, lance=Lance.GRANDE)) == "already_refused"
    game.say(ordago(4))
    assert refused(game, envido(1, 8)) == "raise_after_ordago"


def test_a_refused_call_tells_the_phase_it_came_in() -> None:
    with pytest.raises(IllegalCall) as caught:
        Game().cut().say(quiero(2))
    assert caught.value.params == {"phase": "grande"}


def test_r23_y_yo_and_envido_mas_add_two() -> None:
    bet = Game().cut().say(envido(1, 5), c.Raise(seat=2)).state.pending
    assert bet is not None
    assert bet.stones == 7


def test_r23_reenvido_over_two_is_four() -> None:
    game = Game().cut().say(envido(1), reenvido(2))
    assert game.last == (e.BetRaised(2, Lance.GRANDE, 2),)


def test_r23_reenvido_over_another_bet_is_asked() -> None:
    error = asked(Game().cut().say(envido(1, 5)), reenvido(2))
    assert error.code == "reenvido"
    assert error.options == (mas(2, 5), mas(2, 2))


def test_a_question_about_an_unknown_speaker_names_no_seat() -> None:
    game = Game().cut().say(envido(1, 5))
    assert asked(game, reenvido(None)).options == (mas(None, 5), mas(None, 2))
    game.say(mas(None, 5))
    assert game.said(e.SeatInferred) == [e.SeatInferred(2, "pair")]
    assert asked(game, reenvido(None)).options == (mas(None, 10), mas(None, 2))


def test_r59_after_a_raise_the_other_pair_answers() -> None:
    game = Game().cut().say(envido(1), mas(2))
    assert refused(game, quiero(4)) == "own_bet"
    assert refused(game, mas(2, 3)) == "own_bet"
    assert to_speak(game.state) == 3
    game.say(mas(1), quiero(4))
    assert game.state.results[0].stones == 6


# --- R24-R27, R34: refusals -------------------------------------------------------------------


@each_row("stones", [2, 7, 40])
def test_r24_a_first_bet_refused_pays_one_whatever_its_size(stones: int) -> None:
    game = Game().cut().say(envido(1, stones), no_queremos(2))
    assert game.won() == [("A", 1, "grande", "deje")]
    assert game.stones == (1, 0)


def test_r24_an_ordago_as_first_bet_refused_pays_one() -> None:
    game = Game().cut().say(ordago(2), no_queremos(1))
    assert game.stones == (0, 1)


@each_row(
    "bets, deje",
    [
        ((2, 2), 2),
        ((2, 2, 5), 4),  # LU: 2, +2, +5 -> 4
        ((2, 3, 2), 5),  # OPN: 2, +3, +2 -> 5
        ((2, 2, 3, 5), 7),  # ML: 2, 4, 7, 12 -> 7
        ((2, 5, 10, 10), 17),  # FFM: 2, +5, +10, +10 -> 17
    ],
)
def test_r25_refused_raise_pays_the_standing_bet(bets: tuple[int, ...], deje: int) -> None:
    game = Game().cut().say(envido(1, bets[0]))
    for i, stones in enumerate(bets[1:]):
        game.say(mas(2 if i % 2 == 0 else 1, stones))
    last = "B" if len(bets) % 2 == 0 else "A"
    game.say(no_queremos(1 if last == "B" else 2))
    assert game.won() == [(last, deje, "grande", "deje")]


def test_r26_the_last_raiser_collects_not_the_first_bettor() -> None:
    """S0 says "el postor original", which is a translation error."""
    game = Game().cut().say(envido(1, 5), mas(2, 5), no_queremos(3))
    assert game.stones == (0, 5)


def test_r27_a_refusal_pays_at_once_an_accepted_bet_at_the_end() -> None:
    game = Game().cut().say(envido(1, 6), quiero(2))
    assert game.stones == (0, 0)
    game.say(envido(1, 6), no_queremos(2))
    assert game.stones == (1, 0)
    assert game.phase is Phase.PARES_SAY


@each_row("raises, deje", [((), 2), ((3,), 5), ((3, 4), 9)])
def test_r34_an_ordago_refused_pays_the_last_bet_that_stood(
    raises: tuple[int, ...], deje: int
) -> None:
    game = Game().cut().say(envido(1))
    for i, stones in enumerate(raises):
        game.say(mas(2 if i % 2 == 0 else 1, stones))
    by, other = (2, 1) if len(raises) % 2 == 0 else (1, 2)
    game.say(ordago(by), no_queremos(other))
    assert sum(game.stones) == game.stones[by - 1] == deje


def test_r25_r30_a_chain_of_2_5_10_10_is_17_when_refused_and_27_when_accepted() -> None:
    bets = (envido(1, 2), mas(2, 5), mas(1, 10), mas(2, 10))
    assert Game().cut().say(*bets, no_queremos(1)).stones == (0, 17)
    assert Game().cut().say(*bets, quiero(1)).state.results[0].stones == 27


def test_r25_r34_7_refused_is_1_and_an_ordago_over_2_refused_is_2() -> None:
    assert Game().cut().say(envido(2, 7), no_queremos(1)).stones == (0, 1)
    assert Game().cut().say(envido(2), ordago(1), no_queremos(2)).stones == (2, 0)


# --- R33: órdago ------------------------------------------------------------------------------


def test_r33_a_bet_of_the_whole_juego_accepted_is_no_ordago() -> None:
    """S3, note: however large it is, the bet waits for the count."""
    game = Game().cut().say(envido(1, 40), quiero(2))
    assert game.phase is Phase.CHICA
    assert game.state.juego_won is None


def test_r33_an_ordago_is_accepted_or_refused_and_not_raised() -> None:
    game = Game().cut().say(ordago(1))
    for call in (mas(2), reenvido(2), ordago(2)):
        assert refused(game, call) == "raise_after_ordago"


# --- R35: one "no quiero" leaves the partner --------------------------------------------------


def test_r35_one_no_quiero_leaves_the_partner_to_answer() -> None:
    game = Game().cut().say(envido(1, 5), no_quiero(2))
    assert game.phase is Phase.GRANDE
    assert game.stones == (0, 0)
    assert to_speak(game.state) == 4


@each_row("call", [no_quiero(4), paso(4), no_queremos(4)])
def test_r35_the_partners_refusal_closes_it(call: c.Call) -> None:
    game = Game().cut().say(envido(1, 5), no_quiero(2), call)
    assert game.stones == (1, 0)
    assert game.phase is Phase.CHICA


def test_r35_the_partners_quiero_is_still_good() -> None:
    game = Game().cut().say(envido(1, 5), no_quiero(2), quiero(4))
    assert game.state.results[0].how is e.How.ACCEPTED


def test_r35_the_partners_raise_is_still_good() -> None:
    game = Game().cut().say(envido(1, 5), no_quiero(2), mas(4, 3))
    assert game.state.pending is not None
    assert (game.state.pending.seat, game.state.pending.stones) == (4, 8)


def test_r35_a_player_who_has_refused_does_not_answer_again() -> None:
    game = Game().cut().say(envido(1, 5), no_quiero(2))
    for call in (quiero(2), no_quiero(2), mas(2), no_queremos(2), ordago(2, Lance.GRANDE)):
        assert refused(game, call) == "already_refused"


def test_r35_no_queremos_refuses_for_both_partners_and_the_event_says_so() -> None:
    game = Game().cut().say(envido(1, 5), no_queremos(4))
    assert game.said(e.BetRefused) == [
        e.BetRefused(4, Lance.GRANDE, plural=True),
        e.BetRefused(2, Lance.GRANDE, implied=True),
    ]
    assert game.stones == (1, 0)


def test_r35_where_only_one_of_the_pair_holds_pares_his_no_closes_the_lance() -> None:
    game = Game().to_pares("sí sí sí no").say(envido(1, 5), no_quiero(2))
    assert game.stones == (1, 0)
    assert game.phase is Phase.JUEGO_SAY


def test_r35_a_quiero_stands_whatever_the_partner_says_after() -> None:
    game = Game().cut().say(envido(1, 5), quiero(2))
    assert refused(game, no_quiero(4)) == "no_bet"
    assert game.state.results[0].stones == 5


# --- R38 --------------------------------------------------------------------------------------


def test_r38_a_player_who_passed_before_the_bet_may_answer_and_raise() -> None:
    game = Game().cut().say(paso(1), paso(2), envido(3, 4), mas(2, 3), mas(1, 2), quiero(4))
    assert game.state.results[0].stones == 9


@each_row("word", [paso, no_quiero])
def test_r38_one_who_passes_after_a_bet_is_out_of_the_lance_even_when_it_is_raised(
    word: Callable[[int], c.Call],
) -> None:
    """S3: 'se passar depois de ter enviado qualquer jogador ..., é definitivamente eliminado'."""
    game = Game().cut().say(envido(1), word(2), mas(4, 3), mas(1, 5))
    for call in (quiero(2), mas(2), no_quiero(2)):
        assert refused(game, call) == "already_refused"
    assert to_speak(game.state) == 4
    game.say(no_quiero(4))
    assert game.stones == (5, 0)


def test_r38_a_player_out_of_one_lance_is_in_for_the_next() -> None:
    game = Game().cut().say(envido(1), no_quiero(2), mas(4, 3), quiero(3))
    game.say(envido(3), quiero(2))
    assert [result.stones for result in game.state.results] == [5, 2]


# --- R55: a las dos ---------------------------------------------------------------------------


def test_r55_a_las_dos_stands_again_at_chica_and_is_marked() -> None:
    game = Game().cut().say(envido(1, 3, both=True), no_queremos(2))
    assert game.last[-1] == e.BetMade(1, Lance.CHICA, 3, implied=True)
    game.say(quiero(4))
    assert [(r.lance, r.how, r.stones) for r in game.state.results] == [
        (Lance.GRANDE, e.How.REFUSED, 0),
        (Lance.CHICA, e.How.ACCEPTED, 3),
    ]
    assert game.phase is Phase.PARES_SAY


def test_r55_raising_grande_leaves_the_bet_at_chica_as_it_was_called() -> None:
    game = Game().cut().say(envido(1, 3, both=True), mas(2, 5), quiero(1))
    assert game.state.pending is not None
    assert (game.state.pending.lance, game.state.pending.seat) == (Lance.CHICA, 1)
    assert game.state.pending.stones == 3


def test_r55_ordago_a_las_dos_comes_again_at_chica() -> None:
    game = Game().say(ordago(3, both=True))
    assert game.last[0] == e.MusCut(3, implied=True)
    game.say(no_queremos(4))
    assert game.last[-1] == e.OrdagoMade(3, Lance.CHICA, implied=True)
    assert game.say(no_queremos(2)).stones == (2, 0)


def test_r55_both_bets_are_paid_at_the_count() -> None:
    game = Game().cut().say(envido(2, 4, both=True), quiero(1), quiero(1))
    game.declare("no no no no").declare("no no no no").all_pass()
    game.show("R C 5 4", "R C 1 2", "7 6 5 4", "7 6 5 4")
    assert game.won()[:2] == [("A", 4, "grande", "bet"), ("B", 4, "chica", "bet")]


def test_r55_a_las_dos_ends_with_its_deal() -> None:
    game = Game().cut().say(envido(1, 3, both=True), no_queremos(2), no_queremos(2))
    game.declare("no no no no").declare("no no no no").say(envido(1), no_queremos(2))
    game.say(nueva_mano(), corto(2)).all_pass()
    assert (game.phase, game.state.pending) == (Phase.CHICA, None)


@each_row("call", [envido(2, both=True), ordago(2, both=True)])
def test_r55_a_las_dos_opens_grande_and_is_no_answer(call: c.Call) -> None:
    game = Game().cut().say(envido(1))
    assert refused(game, call) == "not_now"
    game.say(no_queremos(2))
    assert refused(game, call) == "not_now"
