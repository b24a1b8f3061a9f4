"""Declarations of pares and juego, and what follows from them (R16-R19, R47-R50)."""

from __future__ import annotations

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import missing_hands, to_speak
from assistant.rules.errors import AmbiguousCall, HistoryError, IllegalCall
from assistant.rules.history import fold
from assistant.rules.phases import Lance, Phase
from tests.rules.listed import legal_calls
from tests.rules.play import Game, cards, envido, juego, no_queremos, ordago, pares, paso, quiero
from tests.tables import each_row


def code(game: Game, call: c.Call) -> str:
    with pytest.raises(IllegalCall) as caught:
        game.say(call)
    return caught.value.code


# --- R16 --------------------------------------------------------------------------------------


def test_r16_everybody_declares_before_anybody_bets() -> None:
    game = Game().cut().all_pass(2).say(pares(1), pares(2), pares(3, False))
    assert code(game, envido(1)) == "declare_first"
    assert code(game, paso(2)) == "declare_first"
    assert to_speak(game.state) == 4
    assert game.say(pares(4, False)).phase is Phase.PARES


def test_r16_a_declaration_need_not_name_its_lance() -> None:
    game = Game().cut().all_pass(2).say(c.Declare(seat=1, holds=False))
    assert game.last == (e.Declared(1, Lance.PARES, False),)


def test_r16_only_players_who_hold_it_bet_and_answer() -> None:
    game = Game().to_pares("sí sí no no")
    for call in (envido(3), paso(4), ordago(3)):
        assert code(game, call) == "no_pares"
    game.say(envido(1))
    assert code(game, quiero(4)) == "no_pares"
    assert code(game, no_queremos(4)) == "no_pares"  # S2 5.4
    game.say(no_queremos(2)).declare("sí sí no sí")
    assert code(game, envido(3)) == "no_juego"


def test_r16_the_first_holder_from_mano_is_mano_of_the_lance() -> None:
    game = Game(mano=2).to_pares("sí no sí sí")
    assert to_speak(game.state) == 3


def test_r16_the_lance_is_passed_when_its_holders_have_passed() -> None:
    game = Game().to_pares("sí sí no no").say(paso(1), paso(2))
    assert game.state.results[-1] == game.state.result(Lance.PARES)
    assert game.state.results[-1].how is e.How.PASSED


def test_r16_declarations_may_come_in_any_order() -> None:
    game = Game().cut().all_pass(2).say(pares(4), pares(2, False), pares(1), pares(3))
    assert game.phase is Phase.PARES
    assert game.state.holders(Lance.PARES) == (1, 3, 4)


def test_r16_pares_and_juego_are_declared_only_in_their_own_rounds() -> None:
    game = Game()
    assert code(game, pares(1)) == "not_now"
    game.cut().all_pass(2)
    assert code(game, juego(1)) == "other_lance"


@each_row("lance", [Lance.GRANDE, Lance.CHICA, Lance.PUNTO])
def test_grande_chica_and_punto_are_not_declared(lance: Lance) -> None:
    game = Game().cut().all_pass(2)
    assert code(game, c.Declare(seat=1, lance=lance)) == "not_now"


# --- R17-R19 ----------------------------------------------------------------------------------


@each_row("said, side", [("sí no sí no", "A"), ("no no no sí", "B")])
def test_r17_where_one_pair_alone_has_pares_there_is_no_betting(said: str, side: str) -> None:
    game = Game().to_pares(said)
    assert game.last[-1] == e.LanceClosed(Lance.PARES, e.How.UNCONTESTED, side)
    assert game.phase is Phase.JUEGO_SAY


def test_r17_the_value_is_won_at_the_count_for_both_partners() -> None:
    game = Game().to_pares("sí no sí no").declare("no no no sí")
    assert game.phase is Phase.SHOWDOWN
    game.show("R R 4 4", "7 6 5 4", "1 1 1 S", "R S S 5")
    assert ("A", 5, "pares", "pares") in game.won()
    assert ("B", 2, "juego", "juego") in game.won()


def test_r17_no_lance_is_announced_as_won_where_only_one_side_holds_it() -> None:
    game = Game().to_pares("no no sí no").declare("no no no no").all_pass()
    game.show("R C 5 4", "S 7 6 4", "7 7 6 4", "S 7 6 5")
    assert ("A", 1, "pares", "pares") in game.won()
    assert [(x.lance, x.seat) for x in game.said(e.LanceDecided)] == [
        (Lance.GRANDE, 1),
        (Lance.CHICA, 1),
        (Lance.PUNTO, 1),
    ]


def test_r18_where_nobody_has_pares_nothing_is_scored() -> None:
    game = Game().to_pares("no no no no")
    assert game.last[-1] == e.LanceClosed(Lance.PARES, e.How.NOBODY)
    game.declare("no no no no").all_pass().show("R C S 4", "C S 7 1", "R S 6 2", "7 6 5 4")
    assert all(lance != "pares" for _side, _stones, lance, _why in game.won())


def test_r19_where_nobody_has_juego_all_four_play_punto() -> None:
    game = Game().to_juego("no no no no")
    assert game.phase is Phase.PUNTO
    assert game.state.holders(Lance.PUNTO) == (1, 2, 3, 4)
    assert game.say(envido(4)).said(e.BetMade)[0].lance is Lance.PUNTO


# --- R50 --------------------------------------------------------------------------------------


def test_r50_a_declaration_is_corrected_while_its_round_goes_on() -> None:
    game = Game().cut().all_pass(2).say(pares(1, False), pares(2), pares(1), pares(2, False))
    assert game.state.pares == (True, False, None, None)
    assert code(game, pares(1)) == "already_spoken"


def test_r50_a_denial_is_corrected_before_the_first_bet() -> None:
    game = Game().to_pares("sí sí no no").say(paso(1), pares(3))
    assert game.state.holders(Lance.PARES) == (1, 2, 3)
    game.say(paso(2))
    assert game.phase is Phase.PARES
    assert game.say(paso(3)).phase is Phase.JUEGO_SAY


def test_r50_a_declaration_is_not_corrected_after_the_first_bet() -> None:
    game = Game().to_pares("sí sí no no").say(envido(1))
    assert code(game, pares(3)) == "not_now"


def test_r50_a_claim_is_not_taken_back_once_the_lance_is_open() -> None:
    game = Game().to_pares("sí sí sí no")
    assert code(game, pares(3, False)) == "not_now"


@each_row("said", ["sí no sí no", "no no no no"])
def test_r50_the_last_to_deny_may_correct_it_though_the_lance_seemed_over(said: str) -> None:
    game = Game().to_pares(said)
    assert game.phase is Phase.JUEGO_SAY
    game.say(pares(4))
    if said == "sí no sí no":
        assert (game.phase, game.last[-1]) == (Phase.PARES, e.LanceOpened(Lance.PARES))
    else:
        assert game.last[-1] == e.LanceClosed(Lance.PARES, e.How.UNCONTESTED, "B")
    assert len(game.state.results) == len({r.lance for r in game.state.results})


def test_r50_pares_are_not_corrected_while_juego_is_declared() -> None:
    game = Game().to_pares("sí no sí no").say(juego(1))
    assert code(game, pares(4)) == "other_lance"


def test_r50_pares_that_were_played_are_not_reopened() -> None:
    game = Game().to_pares("sí sí no no").say(paso(1), paso(2))
    assert code(game, pares(3)) == "other_lance"


def test_r50_juego_is_corrected_before_punto_begins() -> None:
    game = Game().to_juego("no no no no").say(juego(4))
    assert (game.phase, game.state.results[-1].side) == (Phase.SHOWDOWN, "B")
    game.say(juego(1))
    assert game.phase is Phase.JUEGO


def test_r50_juego_is_not_corrected_after_a_bet_or_a_shown_hand() -> None:
    game = Game().to_juego("no no no no").say(envido(1))
    assert code(game, juego(4)) == "not_now"
    game = Game().to_juego("no no no sí").say(cards(1, "7 6 5 4"))
    assert code(game, juego(1)) == "not_now"


def test_r50_a_plain_si_corrects_nothing_outside_the_rounds() -> None:
    game = Game().to_pares("sí sí no no")
    assert code(game, c.Declare(seat=3)) == "not_now"


def test_r50_a_correction_by_an_unknown_speaker_is_asked_about() -> None:
    game = Game().to_pares("sí sí no no")
    with pytest.raises(AmbiguousCall) as caught:
        game.say(pares(None))
    assert caught.value.code == "who"
    assert caught.value.options == (pares(3), pares(4))


@each_row("said", ["sí sí no no", "sí no sí no"])
def test_r50_corrections_are_listed_among_the_legal_calls(said: str) -> None:
    game = Game().to_pares(said)
    corrections = {call for call in legal_calls(game.state) if call.lance is Lance.PARES}
    deniers = [seat for seat in (1, 2, 3, 4) if game.state.pares[seat - 1] is False]
    assert corrections == {pares(seat) for seat in deniers}


def test_a_journal_cannot_declare_a_round_that_is_long_over() -> None:
    game = Game().to_juego("no no no no").all_pass()
    forged = [*game.records[:-1], game.records[-1]]
    forged.append(type(forged[-1])(len(forged) + 1, 1, 0.0, e.Declared(1, Lance.PARES, True)))
    with pytest.raises(HistoryError, match="pares"):
        fold(forged)


# --- R47, R48 ---------------------------------------------------------------------------------


def test_r47_denied_pares_do_not_count_and_the_table_is_warned() -> None:
    game = Game().to_pares("sí sí no no").say(paso(1), paso(2)).declare("no no no no").all_pass()
    game.say(cards(1, "1 1 5 4"), cards(2, "R C 5 5"))
    game.say(cards(3, "R R 4 4"))  # he denied these duples
    assert game.last == (
        e.HandShown(3, game.state.hands[2] or ()),
        e.DeclarationDisproved(3, Lance.PARES, holds=True),
    )
    game.say(cards(4, "S 7 6 5"))
    assert [won for won in game.won() if won[2] == "pares"] == [("B", 1, "pares", "pares")]


def test_r47_denied_pares_bring_their_own_side_nothing_either() -> None:
    game = Game().to_pares("sí no no no").declare("no no no no").all_pass()
    game.show("1 1 5 4", "R C 5 4", "R R 4 4", "S 7 6 5")
    assert [won for won in game.won() if won[2] == "pares"] == [("A", 1, "pares", "pares")]


def test_r48_pares_that_were_claimed_falsely_win_nothing() -> None:
    game = Game().to_pares("sí sí no no").say(envido(1, 5), quiero(2))
    game.declare("no no no no").all_pass()
    game.show("R C S 4", "4 4 5 6")
    assert e.DeclarationDisproved(1, Lance.PARES, holds=False) in game.all(e.DeclarationDisproved)
    game.show("R C S 4", "4 4 5 6", "7 6 5 4", "S 7 6 5")
    assert [won for won in game.won() if won[2] == "pares"] == [
        ("B", 5, "pares", "bet"),
        ("B", 1, "pares", "pares"),
    ]


def test_r48_an_ordago_at_pares_that_nobody_holds_decides_nothing() -> None:
    game = Game().to_pares("sí sí no no").say(ordago(1), quiero(2))
    game.show("R C S 4", "7 6 5 4")
    assert game.phase is Phase.COUNT
    assert (game.state.juego_won, game.stones) == (None, (0, 0))


def test_r49_a_denied_juego_does_not_win_punto() -> None:
    game = Game().to_juego("no no no no").all_pass()
    game.show("R R R 1", "3 3 4 5", "7 6 5 4", "S 7 6 5")
    assert e.DeclarationDisproved(1, Lance.JUEGO, holds=True) in game.all(e.DeclarationDisproved)
    assert ("B", 1, "punto", "punto") in game.won()


def test_true_declarations_are_not_disproved() -> None:
    game = Game().to_pares("sí sí no no").say(paso(1), paso(2)).declare("sí no no no")
    game.show("R R R 1", "4 4 5 6", "R C S 7", "S 7 6 5")
    # Sur said "juego no" and holds 37; that is the only lie in this deal.
    assert game.all(e.DeclarationDisproved) == [e.DeclarationDisproved(3, Lance.JUEGO, True)]


def test_nothing_is_disproved_after_an_ordago_at_grande_because_nothing_was_declared() -> None:
    game = Game().cut().say(ordago(1), quiero(2))
    game.show("R R R 1", "4 4 5 6", "R C S 7", "S 7 6 5")
    assert game.all(e.DeclarationDisproved) == []
    assert missing_hands(game.state) == ()
