"""Partners who say two things (R35): two amounts, an órdago over a bet, a raise over a "quiero"."""

from __future__ import annotations

from assistant.rules import calls as c
from assistant.rules import engine
from assistant.rules import events as e
from assistant.rules.engine import LegalCall
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import BareRaise, Order, PartnerConflict
from tests.rules.listed import legal_calls
from tests.rules.play import (
    envido,
    mas,
    no_queremos,
    no_quiero,
    ordago,
    pares,
    paso,
    quiero,
    reenvido,
)
from tests.rules.tables import Table, asked, bet_now, each, refused
from tests.tables import each_row

CHOOSE = PartnerConflict.RIVALS_CHOOSE


def quiero_las(seat: int | None, stones: int) -> c.Call:
    return c.Accept(seat=seat, stones=stones)


# --- the highest amount stands --------------------------------------------------------------------


@each_row("first, second, stands", [(2, 5, 5), (5, 2, 5), (3, 40, 40)])
def test_r35_of_two_bets_by_partners_the_highest_stands(
    first: int, second: int, stands: int
) -> None:
    game = Table().cut().say(envido(1, first), envido(3, second))
    assert game.said(e.PartnerBet) == [e.PartnerBet(3, Lance.GRANDE, second)]
    assert bet_now(game) == (stands, 1)
    assert game.state.answerers() == (2, 4)
    assert game.say(quiero(2)).said(e.LanceClosed)[0].stones == stands


def test_r35_two_raises_by_partners_are_two_amounts_over_the_same_bet() -> None:
    game = Table().cut().say(envido(1, 4), mas(2, 3), mas(4, 6))
    assert game.said(e.PartnerBet) == [e.PartnerBet(4, Lance.GRANDE, 10)]
    assert bet_now(game) == (10, 4)
    assert game.say(no_queremos(1)).stones == (0, 4)


def test_r35_the_same_amount_said_twice_is_no_second_bet() -> None:
    game = Table().cut().say(envido(1, 4))
    assert refused(game, envido(3, 4)) == "own_bet"
    game.say(mas(2, 3))
    assert refused(game, mas(4, 3)) == "own_bet"


def test_r35_nobody_raises_his_own_or_his_partners_first_bet() -> None:
    game = Table().cut().say(envido(1, 4))
    assert refused(game, mas(3, 2)) == "own_bet"
    assert refused(game, reenvido(3)) == "own_bet"
    assert refused(game, envido(1, 6)) == "own_bet"
    assert refused(game, quiero(3)) == "own_bet"


def test_r35_nobody_doubles_his_partners_raise() -> None:
    game = Table().cut().say(envido(1, 4), mas(2, 3))
    assert refused(game, reenvido(4)) == "own_bet"


@each_row(
    "bets, partner, listed",
    [
        # His partner bet six: he may bet any other number from four on.
        ([envido(1, 6)], 3, [LegalCall(envido(3, 4), 4, 200, 6), LegalCall(ordago(3))]),
        # Six were raised by seven: he may raise by any other number.
        (
            [envido(1, 6), mas(2, 7)],
            4,
            [
                LegalCall(envido(4, 4), 4, 200, 7),
                LegalCall(mas(4, 4), 4, 200, 7),
                LegalCall(ordago(4)),
            ],
        ),
    ],
)
def test_r35_a_partner_may_say_any_number_of_the_house_but_the_one_that_stands(
    bets: list[c.Call], partner: int, listed: list[LegalCall]
) -> None:
    game = Table(min_bet=4, min_raise=4).cut().say(*bets)
    assert [x for x in engine.legal_calls(game.state) if x.call.seat == partner] == listed


def test_r35_once_a_rival_has_answered_the_partner_is_too_late() -> None:
    game = Table().cut().say(envido(1, 4), no_quiero(2))
    assert refused(game, mas(3, 5)) == "own_bet"
    # A plain bet by a partner then speaks of the next lance, and so refuses the bet for both.
    game.say(envido(3, 5))
    assert game.stones == (1, 0)
    assert game.state.lance is Lance.CHICA


def test_r35_an_unknown_voice_that_raises_is_taken_for_a_rival() -> None:
    game = Table(bare_raise=BareRaise.BY).cut().say(envido(1, 4), envido(None, 3))
    assert game.said(e.PartnerBet) == []
    assert bet_now(game) == (7, 4)


def test_r35_a_partners_amount_obeys_the_minimum_bet_of_the_house() -> None:
    game = Table(min_bet=3).cut().say(envido(1, 6))
    assert refused(game, envido(3, 2)) == "min_bet"
    assert refused(game, envido(3, 201)) == "too_much"
    assert bet_now(game.say(envido(3, 200))) == (200, 1)


def test_r35_a_partners_amount_over_a_raise_obeys_the_minimum_raise() -> None:
    by_one = Table(min_bet=2, min_raise=1).cut().say(envido(1, 4), mas(2, 3))
    assert by_one.say(envido(4, 1)).said(e.PartnerBet) == [e.PartnerBet(4, Lance.GRANDE, 5)]
    by_three = Table(min_bet=2, min_raise=3).cut().say(envido(1, 4), mas(2, 5))
    assert refused(by_three, envido(4, 2)) == "min_bet"


def test_r35_only_a_partner_who_holds_pares_may_say_another_amount() -> None:
    game = Table().to_pares("sí sí no no").say(envido(1, 4))
    assert refused(game, envido(3, 5)) == "no_pares"
    assert refused(game, ordago(3)) == "no_pares"


def test_r35_all_three_players_of_a_trio_may_say_an_amount() -> None:
    game = Table(6).cut().say(envido(1, 2), envido(3, 4), envido(5, 3))
    assert bet_now(game) == (4, 1)
    assert game.state.answerers() == (2, 4, 6)


def test_r35_a_player_who_plays_for_himself_has_no_partner() -> None:
    game = each(4).cut().say(envido(1, 4))
    assert refused(game, envido(1, 6)) == "own_bet"
    assert asked(game, envido(3, 6)).code == "bare_raise"


def test_r35_partners_may_say_two_amounts_where_the_house_plays_by_turn() -> None:
    game = Table(order=Order.STRICT).cut().say(envido(1, 4), envido(3, 6))
    assert bet_now(game) == (6, 1)


# --- the rivals choose ----------------------------------------------------------------------------


def choosing() -> Table:
    return Table(partner_conflict=CHOOSE).cut().say(envido(1, 5), envido(3, 2))


@each_row("stones", [2, 5])
def test_r35_the_rivals_choose_where_the_house_has_it_so(stones: int) -> None:
    game = choosing()
    question = asked(game, quiero(2))
    assert question.code == "which_bet"
    assert question.options == (quiero_las(2, 2), quiero_las(2, 5))
    game.say(quiero_las(2, stones))
    assert game.said(e.BetAccepted) == [e.BetAccepted(2, Lance.GRANDE, stones)]
    assert game.said(e.LanceClosed)[0].stones == stones


def test_r35_the_rivals_cannot_choose_an_amount_that_nobody_bet() -> None:
    assert refused(choosing(), quiero_las(2, 4)) == "other_stones"
    assert refused(Table().cut().say(envido(1, 5)), quiero_las(2, 4)) == "other_stones"
    assert Table().cut().say(envido(1, 5), quiero_las(2, 5)).phase is Phase.CHICA


def test_r35_the_rivals_choose_between_two_raises() -> None:
    game = Table(partner_conflict=CHOOSE).cut().say(envido(1, 4), mas(2, 3), mas(4, 6))
    assert asked(game, quiero(None)).options == (quiero_las(None, 7), quiero_las(None, 10))
    assert game.say(quiero_las(3, 7)).said(e.LanceClosed)[0].stones == 7


def test_r35_the_choices_are_listed_among_the_legal_calls() -> None:
    accepts = [x for x in legal_calls(choosing().state) if isinstance(x, c.Accept)]
    assert accepts == [quiero_las(s, n) for s in (2, 4) for n in (2, 5)]


def test_r35_refusing_two_amounts_pays_the_same_as_refusing_one() -> None:
    assert choosing().say(no_queremos(2)).stones == (1, 0)


def test_r35_a_raise_over_two_amounts_counts_from_the_highest() -> None:
    game = choosing().say(mas(2, 3))
    assert bet_now(game) == (8, 5)
    assert game.state.pending is not None
    assert game.state.pending.choices == ()


# --- a partner's órdago ---------------------------------------------------------------------------


@each_row("conflict", list(PartnerConflict))
def test_r35_a_partners_ordago_stands_over_a_bet(conflict: PartnerConflict) -> None:
    game = Table(partner_conflict=conflict).cut().say(envido(1, 5), ordago(3))
    assert game.state.pending is not None
    assert (game.state.pending.ordago, game.state.pending.deje) == (True, 1)
    assert game.say(no_queremos(4)).stones == (1, 0)


def test_r35_a_partners_ordago_over_a_raise_leaves_the_bet_before_it_as_deje() -> None:
    game = Table().cut().say(envido(1, 5), mas(2, 3), ordago(4), no_queremos(1))
    assert game.stones == (0, 5)


def test_r35_after_an_ordago_the_partner_can_add_nothing() -> None:
    game = Table().cut().say(ordago(1))
    assert refused(game, envido(3, 5)) == "own_bet"
    assert refused(game, ordago(3)) == "own_bet"


# --- a raise after "quiero" -----------------------------------------------------------------------


@each_row("lance", [Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.JUEGO])
@each_row("call, now", [(mas(4, 3), (7, 4)), (reenvido(4), None)])
def test_r35_a_partners_raise_reopens_what_was_accepted_a_moment_ago(
    lance: Lance, call: c.Call, now: tuple[int, int] | None
) -> None:
    game = Table().to_lance(lance, "sí sí sí sí").say(envido(1, 4), quiero(2))
    if now is None:
        question = asked(game, call)  # reenvido over four: double it, or add two?
        game.say(question.options[1])
        now = (6, 4)
    else:
        game.say(call)
    assert game.said(e.LanceReopened) == [e.LanceReopened(lance)]
    assert (bet_now(game), game.state.lance) == (now, lance)
    assert game.state.answerers() == (1, 3)


def test_r35_a_partners_raise_reopens_the_punto_too() -> None:
    game = Table().to_lance(Lance.PUNTO).say(envido(1, 4), quiero(2), mas(4, 3))
    assert (bet_now(game), game.phase) == ((7, 4), Phase.PUNTO)
    assert game.say(no_queremos(1)).stones == (0, 4)


def test_r35_a_partners_ordago_reopens_the_lance_only_where_it_names_it() -> None:
    game = Table().cut().say(envido(1, 4), quiero(2), ordago(4, Lance.GRANDE))
    assert game.state.pending is not None
    assert (game.state.lance, game.state.pending.deje) == (Lance.GRANDE, 4)
    game = Table().cut().say(envido(1, 4), quiero(2), ordago(4))
    assert game.state.lance is Lance.CHICA


def test_r35_neither_the_accepter_nor_the_bettors_reopen_the_lance() -> None:
    game = Table().cut().say(envido(1, 4), quiero(2))
    for seat in (1, 2, 3):
        assert refused(game, mas(seat, 3)) == "no_bet"


def test_r35_an_unknown_raise_after_a_quiero_is_the_partners() -> None:
    game = Table().cut().say(envido(1, 4), quiero(2), mas(None, 3))
    assert game.said(e.SeatInferred) == [e.SeatInferred(4, "pair")]
    assert bet_now(game) == (7, 4)


def test_r35_an_unknown_raise_after_a_quiero_in_a_trio_is_the_nearest_partners() -> None:
    game = Table(6).cut().say(envido(1, 4), quiero(2), mas(None, 3))
    assert game.said(e.SeatInferred) == [e.SeatInferred(4, "pair")]
    assert game.said(e.BetRaised) == [e.BetRaised(4, Lance.GRANDE, 3)]


def test_r35_a_partners_raise_that_names_another_lance_reopens_nothing() -> None:
    game = Table().cut().say(envido(1, 4), quiero(2))
    assert refused(game, c.Raise(seat=4, stones=3, lance=Lance.CHICA)) == "no_bet"


def test_r35_the_lance_stays_closed_once_anybody_has_spoken() -> None:
    game = Table().cut().say(envido(1, 4), quiero(2), paso(1))
    assert refused(game, mas(4, 3)) == "no_bet"
    game = Table().cut().all_pass().say(envido(1, 4), quiero(2), pares(1))
    assert refused(game, mas(4, 3)) == "declare_first"


def test_r35_a_refused_lance_is_not_reopened() -> None:
    game = Table().cut().say(envido(1, 4), no_queremos(2))
    assert refused(game, mas(4, 3)) == "no_bet"


def test_r35_a_reopened_lance_can_be_undone() -> None:
    game = Table().cut().say(envido(1, 4), quiero(2), mas(4, 3)).undo()
    result = game.state.result(Lance.GRANDE)
    assert result is not None
    assert (result.stones, game.phase) == (4, Phase.CHICA)


def test_r35_two_players_have_no_partners_who_could_reopen_a_lance() -> None:
    game = Table(2).cut().say(envido(1, 4), quiero(2))
    assert refused(game, mas(2, 3)) == "no_bet"
    assert refused(game, mas(None, 3)) == "no_bet"


def test_r35_a_partner_who_has_refused_reopens_nothing() -> None:
    """He is out of the lance (R38)."""
    for seat in (4, None):
        game = Table().cut().say(envido(1, 4), no_quiero(4), quiero(2))
        assert refused(game, mas(seat, 3)) == "no_bet"


def test_r35_a_partner_who_refused_before_the_last_raise_reopens_nothing() -> None:
    """He is out of the lance for good (R38)."""
    for seat in (4, None):
        game = Table().cut().say(envido(1, 4), no_quiero(4), mas(2, 3), mas(1, 5), quiero(2))
        assert refused(game, mas(seat, 3)) == "no_bet"


def test_r35_a_partner_without_pares_reopens_nothing() -> None:
    for seat in (4, None):
        game = Table().to_pares("sí sí no no").say(envido(1, 4), quiero(2))
        assert refused(game, mas(seat, 3)) == "declare_first"
