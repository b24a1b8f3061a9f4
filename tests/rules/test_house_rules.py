"""The house rules in play: every option with all its values, alone and together."""

from __future__ import annotations

from typing import Any

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_card, parse_hand
from assistant.rules.engine import to_speak
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import (
    Answer,
    BareRaise,
    Corrido,
    MusOrder,
    Order,
    Penalty,
    Real31,
    ReenvidoIs,
)
from tests.rules.listed import legal_calls
from tests.rules.play import (
    cards,
    corto,
    envido,
    juego,
    mas,
    mus,
    no_queremos,
    no_quiero,
    ordago,
    pares,
    paso,
    quiero,
    reenvido,
)
from tests.rules.tables import Table, asked, bet_now, refused, refusers
from tests.tables import each_row

# --- R01, R02: the deck and the target ------------------------------------------------------------


@each_row("kings, winner", [(8, "A"), (4, "B")])
def test_r01_a_tres_and_a_dos_count_as_the_house_has_it(kings: int, winner: str) -> None:
    """3 3 2 4 is R R 1 4 with eight kings. With four, S S 4 1 is higher at grande."""
    game = Table(kings=kings).cut().say(ordago(1), quiero(2))
    game.show("3 3 2 4", "S S 4 1", "6 6 5 5", "7 6 5 5")
    assert game.state.juego_won == winner


@each_row("target", [25, 30, 35, 40])
def test_r02_the_juego_is_won_at_the_target_of_the_house(target: int) -> None:
    game = Table(target=target, stones=(target - 2, 0)).cut()
    game.say(envido(1, 5), no_queremos(2))
    assert (game.stones, game.state.juego_won) == ((target - 1, 0), None)
    game.say(envido(1, 5), no_queremos(2))
    assert (game.stones, game.state.juego_won) == ((target, 0), "A")


# --- R03: order -----------------------------------------------------------------------------------


def strict(**rules: Any) -> Table:
    return Table(order=Order.STRICT, **rules)


@each_row("call", [mus(2), corto(3), paso(4), envido(2), ordago(3)])
def test_r03_by_turn_nobody_speaks_before_mano(call: c.Call) -> None:
    assert refused(strict(), call) == "not_your_turn"
    assert Table().say(call).last


def test_r03_by_turn_the_next_seat_speaks_after_mano() -> None:
    game = strict().say(mus(1))
    assert refused(game, corto(3)) == "not_your_turn"
    assert refused(game, mus(1)) == "already_spoken"
    assert game.say(corto(2)).phase is Phase.GRANDE


def test_r03_by_turn_mano_opens_a_lance_whoever_cut() -> None:
    game = strict().say(mus(1), mus(2), corto(3))
    assert refused(game, envido(3)) == "not_your_turn"
    game.say(paso(1))
    assert refused(game, ordago(3)) == "not_your_turn"
    assert game.say(envido(2)).state.pending


def test_r03_by_turn_either_rival_answers_a_bet() -> None:
    for seat in (2, 4):
        assert strict().cut().say(envido(1), quiero(seat)).phase is Phase.CHICA
        assert bet_now(strict().cut().say(envido(1), mas(seat, 3))) == (5, 2)


def test_r03_by_turn_pares_are_declared_in_order() -> None:
    game = strict().cut().all_pass(2)
    assert refused(game, pares(3)) == "not_your_turn"
    assert refused(game, c.Declare(seat=2)) == "not_your_turn"
    assert game.declare("sí no sí sí").phase is Phase.PARES
    assert refused(game, envido(4)) == "not_your_turn"
    assert game.say(paso(1), paso(3)).say(envido(4)).state.pending


def test_r03_by_turn_the_passes_of_an_earlier_lance_give_nobody_the_turn() -> None:
    game = strict().cut()
    assert refused(game, envido(2, lance=Lance.CHICA)) == "not_your_turn"
    game.say(envido(1, lance=Lance.CHICA))
    assert [(x.seat, x.implied) for x in game.said(e.Passed)] == [(s, True) for s in (1, 2, 3, 4)]


def test_r03_by_turn_only_the_player_whose_turn_it_is_has_legal_calls() -> None:
    game = strict()
    assert {call.seat for call in legal_calls(game.state)} == {1}
    assert {call.seat for call in legal_calls(game.say(mus(1)).state)} == {2}
    assert {call.seat for call in legal_calls(Table().state)} == {1, 2, 3, 4}


def test_r03_mus_is_asked_of_one_pair_and_then_the_other_where_the_house_has_it_so() -> None:
    by_pair, by_seat = Table(mus_order=MusOrder.PAIR), Table()
    assert [to_speak(by_pair.say(mus(s)).state) for s in (1, 3, 2)] == [3, 2, 4]
    assert [to_speak(by_seat.say(mus(s)).state) for s in (1, 2, 3)] == [2, 3, 4]
    assert by_pair.say(mus(4)).phase is Phase.DISCARD


@each_row("mano, order", [(2, [2, 4, 3, 1]), (4, [4, 2, 1, 3])])
def test_r03_by_turn_and_by_pair_manos_partner_is_second_in_the_mus(
    mano: int, order: list[int]
) -> None:
    game = strict(mus_order=MusOrder.PAIR, mano=mano)
    assert refused(game, mus(order[2])) == "not_your_turn"
    for seat in order[:-1]:
        assert to_speak(game.state) == seat
        game.say(mus(seat))
    assert refused(game, corto(order[0])) == "not_your_turn"
    game.say(corto(order[3]))
    assert to_speak(game.state) == mano  # the lances still go seat by seat


def test_r03_by_pair_an_unknown_voice_in_the_mus_is_taken_for_the_partner() -> None:
    game = Table(mus_order=MusOrder.PAIR).say(mus(1), mus(None))
    assert game.said(e.SeatInferred) == [e.SeatInferred(3, "turn")]


def test_r03_by_pair_one_trio_is_asked_and_then_the_other() -> None:
    game = Table(6, mus_order=MusOrder.PAIR, mano=2)
    for seat in (2, 4, 6, 3, 5, 1):
        assert to_speak(game.state) == seat
        game.say(mus(seat))
    assert game.phase is Phase.DISCARD


# --- R09: what cuts -------------------------------------------------------------------------------


def test_r09_a_paso_cuts_unless_the_house_says_otherwise() -> None:
    assert Table().say(paso(1)).phase is Phase.GRANDE
    game = Table(paso_cuts=False)
    assert refused(game, paso(1)) == "not_now"
    assert not any(isinstance(call, c.Pass) for call in legal_calls(game.state))
    game.say(mus(1), mus(2), mus(3), mus(4))
    assert refused(game, paso(1)) == "not_now"
    assert game.say(envido(1)).said(e.MusCut) == [e.MusCut(1, implied=True)]


# --- R21: least bets ------------------------------------------------------------------------------


@each_row("least", [1, 2, 5])
def test_r21_a_first_bet_is_at_least_the_minimum_of_the_house(least: int) -> None:
    game = Table(min_bet=least).cut()
    assert refused(game, envido(1, least - 1)) == "min_bet"
    assert bet_now(game.say(envido(1, least))) == (least, 1)


def test_r21_envido_alone_is_refused_where_the_minimum_is_five() -> None:
    assert refused(Table(min_bet=5).cut(), envido(1)) == "min_bet"
    assert refused(Table(min_bet=5), envido(1)) == "min_bet"  # and it does not cut the mus
    assert refused(Table(min_bet=5), envido(1, both=True)) == "min_bet"


@each_row("least", [1, 2, 4])
def test_r21_a_raise_is_at_least_the_minimum_of_the_house(least: int) -> None:
    game = Table(min_raise=least).cut().say(envido(1, 3))
    assert refused(game, mas(2, least - 1)) == "min_raise"
    assert bet_now(game.say(mas(2, least))) == (3 + least, 3)


# --- R22, R23: numbers in reply -------------------------------------------------------------------


def test_r22_a_bare_number_is_added_where_the_house_has_it_so() -> None:
    game = Table(bare_raise=BareRaise.BY).cut().say(envido(1), envido(2, 5))
    assert game.said(e.BetRaised) == [e.BetRaised(2, Lance.GRANDE, 5)]
    assert bet_now(game) == (7, 2)


def test_r22_a_bare_number_is_the_new_total_where_the_house_has_it_so() -> None:
    game = Table(bare_raise=BareRaise.TO).cut().say(envido(1), envido(2, 8))
    assert game.said(e.BetRaised) == [e.BetRaised(2, Lance.GRANDE, 6)]
    assert bet_now(game) == (8, 2)
    assert bet_now(game.say(envido(3, 20))) == (20, 8)


@each_row("stones, least", [(4, 1), (5, 1), (6, 2)])
def test_r22_a_new_total_that_is_no_higher_than_the_bet_is_no_raise(
    stones: int, least: int
) -> None:
    game = Table(bare_raise=BareRaise.TO, min_raise=least).cut().say(envido(1, 5))
    assert refused(game, envido(2, stones)) == "min_raise"
    assert bet_now(game.say(envido(2, 5 + least))) == (5 + least, 5)


@each_row("kind", [BareRaise.BY, BareRaise.TO])
def test_r22_n_more_adds_n_at_every_table(kind: BareRaise) -> None:
    assert bet_now(Table(bare_raise=kind).cut().say(envido(1, 4), mas(2, 5))) == (9, 4)


def test_r22_a_bare_number_by_an_unknown_speaker_is_given_to_the_rivals() -> None:
    game = Table(bare_raise=BareRaise.TO).cut().say(envido(1), envido(None, 6))
    assert game.said(e.SeatInferred) == [e.SeatInferred(2, "pair")]
    assert bet_now(game) == (6, 2)


def test_r22_a_bare_number_must_reach_the_minimum_raise_to_be_added() -> None:
    game = Table(bare_raise=BareRaise.BY, min_raise=3).cut().say(envido(1, 5))
    assert refused(game, envido(2, 2)) == "min_raise"
    assert bet_now(game.say(envido(2, 3))) == (8, 5)


@each_row("stones, readings", [(8, (8, 3)), (7, (7,)), (3, (3,))])
def test_r22_a_question_offers_no_raise_smaller_than_the_house_asks(
    stones: int, readings: tuple[int, ...]
) -> None:
    game = Table(min_raise=3).cut().say(envido(1, 5))
    assert asked(game, envido(2, stones)).options == tuple(mas(2, more) for more in readings)
    assert asked(game, envido(None, 8)).options == (mas(None, 8), mas(None, 3))


@each_row("kind", list(BareRaise))
def test_r22_a_number_over_an_ordago_is_refused(kind: BareRaise) -> None:
    game = Table(bare_raise=kind).cut().say(ordago(1))
    assert refused(game, envido(2, 50)) == "raise_after_ordago"


def test_r23_reenvido_adds_two_where_the_house_has_it_so() -> None:
    game = Table(reenvido=ReenvidoIs.PLUS2).cut().say(envido(1, 5), reenvido(2))
    assert bet_now(game) == (7, 5)
    assert bet_now(game.say(reenvido(1))) == (9, 7)


def test_r23_reenvido_doubles_two_and_is_asked_over_any_other_bet() -> None:
    assert bet_now(Table().cut().say(envido(1), reenvido(2))) == (4, 2)
    question = asked(Table().cut().say(envido(1, 5)), reenvido(2))
    assert question.options == (mas(2, 5), mas(2, 2))


@each_row(
    "stones, least, readings",
    [(3, 2, (3, 2)), (5, 3, (5,)), (5, 5, (5,)), (1, 2, (2,))],
)
@each_row("seat", [1, None])
def test_r23_a_question_about_reenvido_offers_only_raises_that_the_house_allows(
    stones: int, least: int, readings: tuple[int, ...], seat: int | None
) -> None:
    game = Table(min_bet=1, min_raise=least).cut().say(envido(2, stones))
    assert asked(game, reenvido(seat)).options == tuple(mas(seat, more) for more in readings)


def test_r23_doubling_is_not_offered_beyond_the_largest_bet() -> None:
    game = Table().cut().say(envido(1, 150), mas(2, 51))
    assert asked(game, reenvido(1)).options == (mas(1, 2),)


@each_row("kind", list(ReenvidoIs))
def test_r23_adding_two_is_no_raise_where_the_minimum_is_three(kind: ReenvidoIs) -> None:
    game = Table(reenvido=kind, min_raise=3).cut().say(envido(1))
    assert refused(game, reenvido(2)) == "min_raise"
    assert bet_now(Table(reenvido=kind, min_raise=2).cut().say(envido(1), reenvido(2))) == (4, 2)


@each_row("stones", [3, 5])
def test_r23_a_reenvido_that_is_too_small_in_both_readings_is_refused(stones: int) -> None:
    game = Table(min_raise=6).cut().say(envido(2, stones))
    assert refused(game, reenvido(1)) == "min_raise"


def test_r23_a_reenvido_too_large_doubled_and_too_small_added_is_too_much() -> None:
    game = Table(min_raise=3).cut().say(envido(1, 150), mas(2, 51))
    assert refused(game, reenvido(1)) == "too_much"


# --- R55: a las dos -------------------------------------------------------------------------------


@each_row("call", [envido(1, both=True), ordago(1, both=True)])
def test_r55_a_las_dos_is_refused_where_the_house_has_it_off(call: c.Call) -> None:
    assert refused(Table(both=False), call) == "off_by_rules"
    assert refused(Table(both=False).cut(), call) == "off_by_rules"
    assert not any(getattr(x, "both", False) for x in legal_calls(Table(both=False).state))
    assert not any(getattr(x, "both", False) for x in legal_calls(Table(both=False).cut().state))
    assert Table().say(call).state.both is not None


def test_r55_a_las_dos_is_a_legal_call_in_the_mus_and_at_grande_alone() -> None:
    twofold = {envido(1, both=True), ordago(1, both=True)}
    assert twofold <= set(legal_calls(Table().state))
    assert twofold <= set(legal_calls(Table().cut().state))
    assert not twofold & set(legal_calls(Table().cut().all_pass().state))


# --- R16: declarations by silence -----------------------------------------------------------------


def silent_table(**rules: Any) -> Table:
    return Table(auto_declare=True, **rules).cut().all_pass(2)


def test_r16_a_bettor_has_pares_and_the_silent_have_none_where_the_house_has_it_so() -> None:
    game = silent_table().say(pares(1), envido(2))
    assert game.said(e.Declared) == [
        e.Declared(2, Lance.PARES, True, implied=True),
        e.Declared(3, Lance.PARES, False, implied=True),
        e.Declared(4, Lance.PARES, False, implied=True),
    ]
    assert game.state.pending is not None
    assert game.state.answerers() == (1,)


def test_r16_a_spoken_declaration_outweighs_silence() -> None:
    game = silent_table().say(pares(1), pares(2, False), pares(3), envido(4, 3))
    assert game.state.pares == (True, False, True, True)
    assert bet_now(game) == (3, 1)


def test_r16_without_the_house_rule_everybody_declares_first() -> None:
    game = Table().cut().all_pass(2).say(pares(1))
    assert refused(game, envido(2)) == "declare_first"


def test_r16_a_bet_is_refused_where_no_rival_has_declared_pares() -> None:
    """Silence would leave the lance to the bettor alone (R17), with nobody to bet against."""
    game = silent_table()
    assert refused(game, envido(1)) == "declare_first"
    assert refused(game.say(pares(2, False)), ordago(1)) == "declare_first"


def test_r16_a_paso_declares_nothing() -> None:
    assert refused(silent_table().say(pares(1)), paso(2)) == "declare_first"


def test_r16_a_player_who_denied_pares_cannot_bet_at_them() -> None:
    game = silent_table().say(pares(1), pares(2, False), pares(4))
    assert refused(game, envido(2)) == "no_pares"


def test_r16_a_bet_at_juego_declares_juego_in_the_same_way() -> None:
    game = Table(auto_declare=True).to_pares("no no no no")
    game.say(juego(3), ordago(4))
    assert game.state.juego == (False, False, True, True)
    assert game.state.answerers() == (3,)


def test_r16_a_bet_named_for_pares_closes_chica_and_declares() -> None:
    game = Table(auto_declare=True).cut().all_pass()
    game.say(paso(1))
    assert refused(game, envido(2, lance=Lance.PARES)) == "declare_first"
    game.say(pares(1), envido(2, lance=Lance.PARES))
    assert game.state.pending is not None
    assert game.state.pending.lance is Lance.PARES


def test_r16_by_turn_the_mano_of_the_lance_opens_it_whoever_was_silent() -> None:
    game = silent_table(order=Order.STRICT).say(pares(1))
    assert refused(game, envido(2)) == "not_your_turn"
    assert game.phase is Phase.PARES_SAY
    game = silent_table(order=Order.STRICT, mano=2).say(pares(2, False), pares(3))
    assert refused(game, envido(4)) == "not_your_turn"


# --- R35: whether one "no" binds the pair ---------------------------------------------------------


def test_r35_one_no_binds_the_pair_where_the_house_has_it_so() -> None:
    game = Table(answer=Answer.ANY).cut().say(envido(1), no_quiero(2))
    assert refusers(game) == [(2, False), (4, True)]
    assert (game.stones, game.phase) == ((1, 0), Phase.CHICA)


def test_r35_a_paso_over_a_bet_binds_the_pair_in_the_same_way() -> None:
    game = Table(answer=Answer.ANY).cut().say(envido(1), paso(4))
    assert refusers(game) == [(4, False), (2, True)]


def test_r35_one_no_binds_only_partners_who_could_answer() -> None:
    game = Table(answer=Answer.ANY).to_pares("sí sí no no").say(envido(1), no_quiero(2))
    assert refusers(game) == [(2, False)]


def test_r35_with_trios_one_no_binds_all_three() -> None:
    game = Table(6, answer=Answer.ANY).cut().say(envido(1), no_quiero(4))
    assert sorted(refusers(game)) == [(2, True), (4, False), (6, True)]
    assert game.phase is Phase.CHICA


def test_r35_with_trios_a_bet_waits_for_all_three_without_the_house_rule() -> None:
    game = Table(6).cut().say(envido(1), no_quiero(4), no_quiero(2))
    assert game.state.answerers() == (6,)
    assert game.say(quiero(6)).phase is Phase.CHICA


def test_r35_a_raise_before_the_one_no_still_stands() -> None:
    game = Table(answer=Answer.ANY).cut().say(envido(1), mas(2, 3), no_quiero(3))
    assert (game.stones, refusers(game)) == ((0, 2), [(3, False), (1, True)])


# --- R36: refusal by silence ----------------------------------------------------------------------


def test_r36_talk_of_the_next_lance_refuses_where_the_house_has_it_so() -> None:
    game = Table(implicit_no=True).cut().say(envido(1, 4), paso(2, Lance.CHICA))
    assert refusers(game) == [(2, True), (4, True)]
    assert (game.stones, game.phase, game.state.spoken) == ((1, 0), Phase.CHICA, (2,))


def test_r36_the_bettors_talk_of_the_next_lance_is_no_refusal_and_is_asked_about() -> None:
    game = Table(implicit_no=True).cut().say(envido(1, 4))
    assert asked(game, paso(1, Lance.CHICA)).code == "no_quereis"
    assert asked(game, envido(3, lance=Lance.CHICA)).code == "no_quereis"


def test_r36_talk_of_the_next_lance_by_an_unknown_speaker_is_asked_about() -> None:
    game = Table(implicit_no=True).cut().say(envido(1, 4))
    assert asked(game, paso(None, Lance.CHICA)).code == "no_quereis"


def test_r36_talk_of_the_next_lance_is_asked_about_without_the_house_rule() -> None:
    game = Table().cut().say(envido(1, 4))
    assert asked(game, paso(2, Lance.CHICA)).options == (no_queremos(), quiero())


def test_r36_declaring_pares_over_a_bet_at_chica_refuses_it() -> None:
    game = Table(implicit_no=True).cut().all_pass().say(ordago(4), pares(1, True))
    assert (game.stones, game.phase) == ((0, 1), Phase.PARES_SAY)
    assert game.state.pares == (True, None, None, None)


def test_r36_a_player_without_pares_does_not_refuse_for_his_partner() -> None:
    """S2 5.4: he may not speak of the next lance before his partner has answered."""
    game = Table(implicit_no=True).to_pares("sí no no sí").say(envido(1))
    assert asked(game, juego(2)).code == "no_quereis"
    assert game.say(juego(4)).stones == (1, 0)


def test_r36_showing_cards_over_the_last_bet_is_talk_of_what_comes_next() -> None:
    game = Table(implicit_no=True).to_juego("no no no no").say(envido(1))
    game.say(cards(2, "R R 4 5"))
    assert game.stones == (1, 0)
    assert game.phase is Phase.SHOWDOWN


# --- R37: showing is accepting --------------------------------------------------------------------


def test_r37_showing_cards_accepts_an_ordago_where_the_house_has_it_so() -> None:
    game = Table(show_is_accept=True).cut().say(ordago(1), cards(4, "R R R 1"))
    assert game.said(e.BetAccepted) == [e.BetAccepted(4, Lance.GRANDE, implied=True)]
    assert game.phase is Phase.SHOWDOWN
    assert game.state.hands[3] == parse_hand("R R R 1")
    assert game.show("C C 4 1", "4 4 5 1", "5 5 6 1").state.juego_won == "B"


def test_r37_showing_cards_accepts_a_bet_and_the_cards_are_taken_up_again() -> None:
    game = Table(show_is_accept=True).cut().say(envido(1, 5), cards(2, "R R R 1"))
    assert (game.phase, game.state.hands) == (Phase.CHICA, (None,) * 4)
    result = game.state.result(Lance.GRANDE)
    assert result is not None
    assert (result.how, result.stones) == (e.How.ACCEPTED, 5)


def test_r37_a_player_without_pares_binds_his_partner_by_showing() -> None:
    game = Table(show_is_accept=True).to_pares("sí sí no no").say(ordago(1))
    game.say(cards(4, "R C 4 5"))
    assert game.said(e.BetAccepted) == [e.BetAccepted(2, Lance.PARES, implied=True)]


@each_row("seat", [1, 3])
def test_r37_the_bettors_own_cards_accept_nothing(seat: int) -> None:
    game = Table(show_is_accept=True).cut().say(ordago(1))
    assert refused(game, cards(seat, "R R R 1")) == "cards_shown_early"


def laid(seat: int, hand: str) -> c.Call:
    """As many cards as given, even where they are no whole hand."""
    return c.ShowHand(seat=seat, cards=tuple(parse_card(card) for card in hand.split()))


@each_row("hand", ["R R 1", "R R R 1 4", "R"])
@each_row("bet", [envido(1, 5), ordago(1)])
def test_r37_a_wrong_number_of_cards_accepts_nothing(bet: c.Call, hand: str) -> None:
    table = Table(show_is_accept=True).cut().say(bet)
    assert refused(table, laid(2, hand)) == "cards_wrong"


def test_r37_a_hand_out_of_play_accepts_nothing() -> None:
    game = Table(show_is_accept=True, penalty=Penalty.INTERPENAS)
    game.say(mus(1), mus(2), mus(3), mus(4)).cut()
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=2, cards=5), envido(1, 5))
    assert refused(game, cards(2, "R R R 1")) == "not_now"


def test_r37_a_hand_of_three_by_article_1_5_accepts_with_three_cards() -> None:
    table = Table(show_is_accept=True, penalty=Penalty.INTERPENAS)
    table.say(mus(1), mus(2), mus(3), mus(4), corto(1))
    table.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=2, cards=3), envido(1, 5))
    assert refused(table, cards(2, "R R R 1")) == "cards_wrong"
    assert table.say(laid(2, "R R 1")).said(e.BetAccepted)


def test_r37_showing_cards_accepts_nothing_without_the_house_rule() -> None:
    game = Table().cut().say(ordago(1))
    assert refused(game, cards(2, "R R R 1")) == "cards_shown_early"
    game = Table().to_juego("no no no no").say(envido(1))
    assert asked(game, cards(2, "R R 4 5")).code == "no_quereis"


def test_r37_in_the_last_lance_shown_cards_accept_and_stay_on_the_table() -> None:
    game = Table(show_is_accept=True).to_juego("no no no no").say(envido(1, 4))
    game.say(cards(2, "R R 4 5"))
    result = game.state.result(Lance.PUNTO)
    assert result is not None
    assert (result.how, result.stones) == (e.How.ACCEPTED, 4)
    assert game.state.hands[1] == parse_hand("R R 4 5")


# --- R40: the real --------------------------------------------------------------------------------

REALES = [
    (Real31.OFF, "A", "A"),
    (Real31.SOTA, "B", "A"),
    (Real31.FIGURA, "B", "B"),
]


@each_row("real, with_sota, with_caballo", REALES)
def test_r40_the_real_of_the_house_beats_31_of_mano(
    real: Real31, with_sota: str, with_caballo: str
) -> None:
    for hand, side in (("7 7 7 S", with_sota), ("7 7 7 C", with_caballo)):
        game = Table(real31=real).to_juego("sí sí no no").say(ordago(1), quiero(2))
        game.show("R C S 1", hand, "4 5 6 4", "4 5 6 4")
        assert game.state.juego_won == side


@each_row("hand, side", [("So 7o 7c 7e", "B"), ("Sc 7o 7c 7e", "A")])
def test_r40_the_real_of_suits_is_those_four_cards(hand: str, side: str) -> None:
    rules: dict[str, Any] = {"real31": Real31.SUITS, "real31_cards": parse_hand("So 7o 7c 7e")}
    game = Table(**rules).to_juego("sí sí no no").say(ordago(1), quiero(2))
    game.show("R C Sb 1", hand, "4 5 6 4", "4 5 6 4")
    assert game.state.juego_won == side


# --- R54: pedrete ---------------------------------------------------------------------------------


def test_r54_a_pedrete_is_off_unless_the_house_plays_it() -> None:
    assert refused(Table(), c.Pedrete(seat=1)) == "off_by_rules"


def test_r54_a_pedrete_brings_its_stone_at_once_and_moves_nothing_else() -> None:
    game = Table(pedrete=1).say(mus(1), c.Pedrete(seat=2))
    assert game.said(e.PedreteSung) == [e.PedreteSung(2, 1)]
    assert (game.stones, game.phase, to_speak(game.state)) == ((0, 1), Phase.MUS, 2)


def test_r54_a_pedrete_is_sung_once_and_again_after_a_discard() -> None:
    game = Table(pedrete=1).say(c.Pedrete(seat=2))
    assert refused(game, c.Pedrete(seat=2)) == "pedrete_twice"
    game.say(c.Pedrete(seat=4), mus(1), mus(2), mus(3), mus(4), c.Pedrete(seat=2))
    assert game.stones == (0, 3)


def test_r54_a_pedrete_is_sung_only_in_the_mus() -> None:
    assert refused(Table(pedrete=1).cut(), c.Pedrete(seat=1)) == "not_now"


def test_r54_a_pedrete_may_end_the_juego_and_the_match() -> None:
    game = Table(pedrete=1, stones=(39, 39)).say(mus(1), c.Pedrete(seat=4))
    assert (game.stones, game.state.juego_won, game.phase) == ((39, 40), "B", Phase.COUNT)
    game = Table(pedrete=1, juegos=1, stones=(39, 39)).say(c.Pedrete(seat=1))
    assert (game.state.winner, game.phase) == ("A", Phase.OVER)


def test_r54_a_pedrete_by_an_unknown_voice_is_inferred_to_be_of_the_turn() -> None:
    game = Table(pedrete=1).say(mus(1), c.Pedrete())
    assert game.said(e.SeatInferred) == [e.SeatInferred(2, "turn")]


def test_r54_a_pedrete_may_be_sung_out_of_turn() -> None:
    assert strict(pedrete=1).say(c.Pedrete(seat=3)).stones == (1, 0)


def test_r54_a_pedrete_and_its_stone_are_undone_together() -> None:
    game = Table(pedrete=1, stones=(39, 0)).say(c.Pedrete(seat=1))
    assert game.undo().stones == (39, 0)
    assert game.state.juego_won is None
    assert game.redo().state.juego_won == "A"


# --- all at once ----------------------------------------------------------------------------------


def test_a_house_with_everything_plays_a_deal() -> None:
    """Turns, pairs, numbers as totals, one "no" for two, declaring silence, reenvido plus two."""
    game = strict(
        mus_order=MusOrder.PAIR,
        bare_raise=BareRaise.TO,
        reenvido=ReenvidoIs.PLUS2,
        answer=Answer.ANY,
        auto_declare=True,
        implicit_no=True,
        corrido=Corrido.OFF,
        min_bet=3,
        kings=4,
    )
    game.say(mus(1), mus(3), corto(2))
    game.say(envido(1, 3), envido(2, 6), reenvido(1), no_quiero(2))  # 6 stood before the last raise
    assert game.stones == (6, 0)
    game.say(paso(1), envido(2, 4), pares(1))  # declaring pares refuses the bet at chica
    assert game.stones == (6, 1)


# --- R47 to R53: what becomes of an irregularity --------------------------------------------------

DENIAL = ("R R 5 4", "S S 4 4", "C 7 6 1", "C 7 6 1")


def denied(penalty: Penalty) -> Table:
    """Only 1 says that he has pares. 2 has duples and denied them. Every lance is passed."""
    table = Table(penalty=penalty).to_lance(Lance.PARES, "sí no no no")
    table.declare("no no no no").all_pass()
    return table.show(*DENIAL)


def pares_won(table: Table) -> int:
    return sum(stones for _side, stones, lance, _why in table.won() if lance == "pares")


def test_r47_a_denial_is_punished_by_the_article_where_the_house_has_it_so() -> None:
    table = denied(Penalty.INTERPENAS)
    assert [x.article for x in table.said(e.PenaltyApplied)] == ["5.3"]
    assert pares_won(table) == 2  # negada and the pareja of 1


def test_r47_a_denial_is_put_to_the_table_where_the_house_warns() -> None:
    table = denied(Penalty.WARN)
    assert [x.article for x in table.said(e.PenaltyProposed)] == ["5.3"]
    assert table.phase is Phase.SHOWDOWN
    assert refused(table, c.NextDeal()) == "decide_first"
    assert pares_won(table.say(c.Verdict(apply=False))) == 1
    assert pares_won(table.undo().say(c.Verdict(apply=True))) == 2


def test_r47_a_denial_is_only_reported_where_the_house_has_penalties_off() -> None:
    table = denied(Penalty.OFF)
    assert table.all(e.DeclarationDisproved) == [e.DeclarationDisproved(2, Lance.PARES, True)]
    assert (pares_won(table), table.phase) == (1, Phase.COUNT)
    assert refused(table, c.Verdict()) == "nothing_to_decide"


@each_row("penalty, stones", [(Penalty.INTERPENAS, 1), (Penalty.OFF, 6)])
def test_r52_a_player_who_looked_again_and_bets_wins_only_the_negada(
    penalty: Penalty, stones: int
) -> None:
    table = Table(penalty=penalty).cut()
    table.say(c.Report(kind=e.Irregularity.PEEKED, player=3), envido(1, 6), quiero(2))
    table.all_pass().declare("no no no no").declare("no no no no").all_pass()
    table.show("R R 5 4", "C C 5 4", "C 7 6 1", "C 7 6 1")
    assert sum(n for _side, n, lance, _why in table.won() if lance == "grande") == stones


@each_row("penalty, juego_won", [(Penalty.INTERPENAS, None), (Penalty.OFF, "A")])
def test_r53_two_aces_last_and_alone_accept_no_ordago(
    penalty: Penalty, juego_won: str | None
) -> None:
    """S2 4.8: what cannot win cannot lose."""
    table = Table(penalty=penalty).to_lance(Lance.PARES, "sí no no sí")
    table.say(ordago(1), quiero(4)).show("R R 5 4", "C 7 6 4", "C 7 6 4", "1 1 7 5")
    assert table.state.juego_won == juego_won


@each_row("penalty", list(Penalty))
def test_r51_a_hand_of_five_is_out_where_the_house_applies_the_articles(penalty: Penalty) -> None:
    table = Table(penalty=penalty).say(mus(1), mus(2), mus(3), mus(4), corto(1))
    table.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=2, cards=5))
    assert table.state.out == ((2,) if penalty is Penalty.INTERPENAS else ())
    assert len(table.state.proposals) == (penalty is Penalty.WARN)


@each_row("penalty", list(Penalty))
def test_r08_an_exposed_card_leaves_the_choice_to_the_injured_side(penalty: Penalty) -> None:
    table = Table(penalty=penalty).say(c.Report(player=4))
    if penalty is Penalty.OFF:
        assert not table.state.proposals
        return
    assert [p.article for p in table.state.proposals] == ["1.7"]
    # A player who plays on accepts the deal.
    assert table.say(mus(1)).said(e.PenaltyWaived)[0].implied
    assert table.undo().say(c.Verdict(apply=True)).said(e.DealVoided) == [e.DealVoided(1)]
