"""What players leave unsaid: every inference is recorded (R03, R09, R35, R36).

The sentences are those of "how a hand is played" in docs/rules.md.
"""

from __future__ import annotations

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.errors import IllegalCall
from assistant.rules.phases import Lance, Phase
from tests.rules.play import (
    Game,
    cards,
    corto,
    envido,
    juego,
    mas,
    mus,
    no_queremos,
    no_quiero,
    nueva_mano,
    ordago,
    pares,
    paso,
    quiero,
)
from tests.rules.tables import Table, asked, each, refused
from tests.tables import each_row

# --- who spoke --------------------------------------------------------------------------------


def test_a_call_that_both_pairs_could_make_is_given_to_the_turn() -> None:
    game = Game(mano=2).cut().say(paso(2), envido(None, 3))
    assert game.last == (e.SeatInferred(3, "turn"), e.BetMade(3, Lance.GRANDE, 3))


def test_a_call_that_only_one_of_three_players_can_make_is_given_to_him() -> None:
    """Each plays for himself, and Oeste alone has still to answer Sur's bet."""
    game = each(3).cut().say(envido(3, 4), no_quiero(1), quiero(None))
    assert game.last[:2] == (e.SeatInferred(2, "pair"), e.BetAccepted(2, Lance.GRANDE))


def test_r46_cards_of_nobody_are_not_shown_before_the_showdown() -> None:
    game = Game().cut().say(paso(1))
    with pytest.raises(IllegalCall) as caught:
        game.say(cards(None, "R R R 1"))
    assert (caught.value.code, caught.value.call) == ("not_now", cards(2, "R R R 1"))


def test_a_call_that_only_one_pair_can_make_is_given_to_it() -> None:
    game = Game().cut().say(envido(2, 3), quiero(None))
    assert game.last[:2] == (e.SeatInferred(3, "pair"), e.BetAccepted(3, Lance.GRANDE))


def test_an_answer_by_an_unknown_voice_after_one_no_quiero_is_the_partners() -> None:
    game = Game().cut().say(envido(1), no_quiero(2), quiero(None))
    assert game.said(e.SeatInferred) == [e.SeatInferred(4, "pair")]


def test_an_unknown_voice_in_pares_is_a_player_who_holds_them() -> None:
    game = Game().to_pares("no sí sí no").say(envido(None))
    assert game.last == (e.SeatInferred(2, "turn"), e.BetMade(2, Lance.PARES, 2))


def test_unknown_voices_play_a_whole_round_in_turn() -> None:
    game = Game(mano=4).say(mus(), mus(), corto())
    assert game.said(e.MusCut) == [e.MusCut(2)]
    game.say(paso(), paso(), paso(), paso())
    assert [x.seat for x in game.all(e.Passed)] == [4, 1, 2, 3]
    game.all_pass().say(c.Declare(), c.Declare(holds=False), c.Declare(), c.Declare())
    assert game.state.pares == (False, True, True, True)


def test_a_hand_without_a_name_is_inferred_to_be_the_next_missing_one() -> None:
    game = Game(mano=3).to_juego("no no no no").all_pass().say(cards(None, "R C 5 4"))
    assert game.last[0] == e.SeatInferred(3, "turn")
    assert game.state.hands[2] is not None


def test_a_hand_without_a_name_that_cannot_be_the_next_missing_one_is_refused() -> None:
    """Norte's own four cards are shown again without a name. They cannot be Oeste's."""
    game = Game().to_juego("no no no no").all_pass().say(cards(1, "7 7 7 7"))
    assert refused(game, cards(None, "7 7 7 7")) == "cards_wrong"


def test_an_unknown_voice_that_names_the_present_lance_is_given_to_the_turn() -> None:
    game = Game().cut().say(envido(None, 3, lance=Lance.GRANDE))
    assert game.last == (e.SeatInferred(1, "turn"), e.BetMade(1, Lance.GRANDE, 3))


def test_a_known_speaker_is_never_inferred() -> None:
    game = Game()
    game.say(mus(1), corto(3), paso(1), envido(2, 4), mas(3, 2), no_quiero(2), quiero(4))
    assert game.all(e.SeatInferred) == []


def test_a_call_that_nobody_can_make_is_refused_and_infers_nothing() -> None:
    game = Game().cut()
    assert refused(game, quiero()) == "no_bet"
    assert refused(game, mas()) == "no_bet"
    assert refused(game, nueva_mano()) == "not_now"


# --- implied passes ---------------------------------------------------------------------------


def test_a_call_that_names_the_next_lance_fills_in_the_missing_passes() -> None:
    game = Game().cut().say(paso(1), envido(2, 3, lance=Lance.CHICA))
    assert game.last == (
        e.Passed(2, Lance.GRANDE, implied=True),
        e.Passed(3, Lance.GRANDE, implied=True),
        e.Passed(4, Lance.GRANDE, implied=True),
        e.LanceClosed(Lance.GRANDE, e.How.PASSED),
        e.BetMade(2, Lance.CHICA, 3),
    )


def test_only_the_missing_passes_are_implied() -> None:
    game = Game().cut().say(paso(2), paso(4), ordago(3, lance=Lance.CHICA))
    assert [(x.seat, x.implied) for x in game.all(e.Passed)] == [
        (2, False),
        (4, False),
        (1, True),
        (3, True),
    ]


def test_a_player_who_has_passed_and_then_bets_speaks_of_the_next_lance() -> None:
    game = Game().cut().say(paso(1), paso(2), envido(1))
    assert [x.seat for x in game.said(e.Passed)] == [3, 4]
    assert game.said(e.BetMade) == [e.BetMade(1, Lance.CHICA, 2)]


def test_a_player_who_passes_twice_in_a_row_is_asked() -> None:
    game = Game().cut().say(paso(1))
    assert asked(game, paso(1)).code == "change_of_mind"
    assert asked(game, envido(1)).code == "change_of_mind"


def test_naming_the_present_lance_is_no_talk_of_the_next() -> None:
    game = Game().cut().say(paso(1), paso(2))
    assert refused(game, envido(1, lance=Lance.GRANDE)) == "already_spoken"


def test_a_declaration_closes_the_lances_before_it() -> None:
    game = Game().cut().say(pares(1))
    assert [x.implied for x in game.said(e.Passed)] == [True] * 8
    assert game.last[-1] == e.Declared(1, Lance.PARES, True)
    game.say(pares(2), pares(3, False), pares(4, False), juego(1, False))
    assert [(x.seat, x.lance) for x in game.said(e.Passed)] == [(1, Lance.PARES), (2, Lance.PARES)]
    assert game.phase is Phase.JUEGO_SAY


def test_a_bet_at_pares_waits_for_the_declarations_and_closes_nothing_by_itself() -> None:
    game = Game().cut().all_pass()
    assert refused(game, envido(1, lance=Lance.PARES)) == "declare_first"


def test_laying_down_the_cards_is_the_last_paso() -> None:
    game = Game().to_juego("no no no no").say(paso(1), paso(2), cards(4, "7 6 5 4"))
    assert [(x.seat, x.implied) for x in game.said(e.Passed)] == [(3, True), (4, True)]
    assert game.last[-1] == e.HandShown(4, game.state.hands[3] or ())


def test_cards_shown_before_the_last_lance_are_refused() -> None:
    for game in (Game(), Game().cut(), Game().to_pares()):
        assert refused(game, cards(1, "7 6 5 4")) == "not_now"
    assert refused(Game().cut().say(envido(1)), cards(2, "7 6 5 4")) == "cards_shown_early"


def test_laying_down_the_cards_is_the_last_paso_of_those_who_hold_juego() -> None:
    game = Game().to_juego("sí sí no sí").say(paso(1), cards(3, "7 6 5 4"))
    assert [(x.seat, x.implied) for x in game.said(e.Passed)] == [(2, True), (4, True)]
    assert game.last[-1] == e.HandShown(3, game.state.hands[2] or ())


@each_row("juego_said", ["no no no no", "sí sí sí sí"])
def test_r37_cards_laid_down_while_a_bet_is_pending_are_asked_about(juego_said: str) -> None:
    game = Game().to_juego(juego_said).say(envido(1))
    assert asked(game, cards(2, "7 6 5 4")).code == "no_quereis"


# --- implied refusals -------------------------------------------------------------------------


@each_row(
    "call, first",
    [
        (envido(2, 4, lance=Lance.CHICA), e.BetMade(2, Lance.CHICA, 4)),
        (envido(4, 4, lance=Lance.CHICA), e.BetMade(4, Lance.CHICA, 4)),
        (envido(3, 4), e.BetMade(3, Lance.CHICA, 4)),  # of the bettors' side
        (paso(1), e.Passed(1, Lance.CHICA)),
        (paso(2), e.Passed(2, Lance.CHICA)),  # he has answered already
    ],
)
def test_r35_a_half_refused_bet_is_closed_when_anybody_speaks_of_the_next_lance(
    call: c.Call, first: e.Event
) -> None:
    game = Game().cut().say(envido(1, 5), no_quiero(2), call)
    assert game.last == (
        e.BetRefused(4, Lance.GRANDE, implied=True),
        e.LanceClosed(Lance.GRANDE, e.How.REFUSED, "A"),
        e.StonesWon("A", 1, Lance.GRANDE, e.Why.DEJE),
        first,
    )


def test_r35_an_unknown_envido_after_one_no_quiero_opens_the_next_lance() -> None:
    game = Game().cut().say(envido(1, 5), no_quiero(2), envido(None, 3))
    assert game.said(e.BetRefused) == [e.BetRefused(4, Lance.GRANDE, implied=True)]
    assert game.said(e.SeatInferred) == [e.SeatInferred(1, "turn")]
    assert game.said(e.BetMade)[0].lance is Lance.CHICA


def test_r35_a_paso_by_an_unknown_voice_after_one_no_quiero_is_the_partners() -> None:
    game = Game().cut().say(envido(1, 5), no_quiero(2), paso())
    assert game.last[:2] == (e.SeatInferred(4, "pair"), e.BetRefused(4, Lance.GRANDE))


def test_r38_a_player_out_of_the_lance_may_speak_of_the_next_after_another_answer() -> None:
    """Oeste, of a trio, refused before the last raise. Bruno refuses it, and Este says nothing."""
    game = Table(6).cut().say(envido(1), no_quiero(2), mas(4, 3), mas(1, 5), no_quiero(6))
    game.say(envido(2, 3))
    assert game.said(e.BetRefused) == [e.BetRefused(4, Lance.GRANDE, implied=True)]
    assert game.said(e.BetMade) == [e.BetMade(2, Lance.CHICA, 3)]


def test_r56_a_player_who_has_accepted_for_himself_may_speak_of_the_next_lance() -> None:
    game = each(3).cut().say(envido(1), quiero(2), envido(2, 3))
    assert game.said(e.BetRefused) == [e.BetRefused(3, Lance.GRANDE, implied=True)]
    assert game.said(e.BetMade) == [e.BetMade(2, Lance.CHICA, 3)]


def test_r35_a_number_by_the_partner_is_still_an_answer() -> None:
    game = Game().cut().say(envido(1, 2), no_quiero(2))
    assert asked(game, envido(4, 5)).code == "bare_raise"


def test_r35_declaring_pares_closes_a_half_refused_chica() -> None:
    game = Game().cut().all_pass().say(envido(1), no_quiero(2), pares(1))
    assert game.stones == (1, 0)
    assert game.phase is Phase.PARES_SAY


def test_r35_laying_down_the_cards_closes_a_half_refused_last_bet() -> None:
    game = Game().to_juego("no no no no").say(envido(1), no_quiero(2), cards(1, "7 6 5 4"))
    assert game.stones == (1, 0)
    assert game.phase is Phase.SHOWDOWN


def test_r35_a_deje_that_silence_pays_can_end_the_juego_and_then_nothing_follows() -> None:
    game = Game(stones=(39, 0)).cut().say(envido(1), no_quiero(2))
    assert refused(game, envido(3, 4, lance=Lance.CHICA)) == "other_lance"
    game.say(no_quiero(4))
    assert game.state.juego_won == "A"


@each_row("call", [envido(2, lance=Lance.CHICA), pares(2), ordago(4, Lance.CHICA)])
def test_r36_talk_of_the_next_lance_over_a_pending_bet_is_asked(call: c.Call) -> None:
    game = Game().cut().say(envido(1, 5))
    error = asked(game, call)
    assert error.code == "no_quereis"
    assert error.options == (no_queremos(), quiero())
    game.say(error.options[0])
    assert game.stones == (1, 0)


def test_r36_a_new_bet_after_a_raise_is_pending_whoever_refused_the_first() -> None:
    game = Game().cut().say(envido(1), no_quiero(2), mas(4), mas(1))
    assert asked(game, envido(3, lance=Lance.CHICA)).code == "no_quereis"


# --- the next deal ----------------------------------------------------------------------------


@each_row("call", [mus(2), corto(2), mus(None)])
def test_mus_after_the_count_begins_the_next_deal(call: c.Call) -> None:
    game = Game().cut().say(ordago(1), quiero(2)).show(*["7 6 5 4"] * 4).say(call)
    assert game.last[0] == e.DealStarted(2, 2, implied=True)
    assert game.phase in (Phase.MUS, Phase.GRANDE)


@each_row("call", [paso(2), envido(2), ordago(2), quiero(2), pares(2)])
def test_other_calls_after_the_count_are_refused(call: c.Call) -> None:
    game = Game().cut().say(ordago(1), quiero(2)).show(*["7 6 5 4"] * 4)
    assert refused(game, call) == "not_now"
