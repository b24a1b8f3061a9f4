"""Edge cases of legal calls: a mano without a seat, a hand out of play, cards without a name."""

from __future__ import annotations

from collections.abc import Callable

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.phases import BEFORE_LANCES, Lance, Phase
from assistant.rules.profile import Penalty, ReenvidoIs
from tests.rules.articles import table
from tests.rules.play import (
    Game,
    cards,
    envido,
    mas,
    mus,
    no_queremos,
    nueva_mano,
    ordago,
    pares,
    quiero,
    reenvido,
)
from tests.rules.tables import Table, each, refused
from tests.tables import each_row


def counted_without_cards(game: Game, bettor: int, rival: int) -> Game:
    """A deal in which every lance is bet and refused and nobody holds pares: no card is needed."""
    game.say(envido(bettor), no_queremos(rival), envido(bettor), no_queremos(rival))
    while game.phase in (Phase.PARES_SAY, Phase.JUEGO_SAY):
        game.say(c.Declare(holds=False))
    game.say(envido(bettor), no_queremos(rival))
    assert game.phase is Phase.COUNT
    return game


@each_row(
    "before, code",
    [([], "no_bet"), ([ordago(1)], "raise_after_ordago"), ([envido(1, 4)], "min_raise")],
)
def test_r23_a_reenvido_where_nothing_can_be_raised_says_so_before_the_minimum_raise(
    before: list[c.Call], code: str
) -> None:
    """At this table a reenvido adds two, and no raise is less than five."""
    game = Table(reenvido=ReenvidoIs.PLUS2, min_raise=5).cut().say(*before)
    assert refused(game, reenvido(2)) == code


@each_row("place", [c.Place(), c.Place(lance=Lance.GRANDE), c.Place(told=c.Where.TURN, player=1)])
def test_where_the_deal_stands_is_not_decided_by_the_state_alone(place: c.Place) -> None:
    assert refused(Game(), place) == "not_now"


@each_row("mano", [0, -1, 5])
def test_r04_the_next_deal_needs_an_existing_player_for_mano(mano: int) -> None:
    game = counted_without_cards(Game().cut(), 1, 2)
    assert refused(game, nueva_mano(mano)) == "seat_unknown"
    assert game.say(nueva_mano(4)).state.mano == 4


def test_article_1_5_cards_without_a_name_are_not_those_of_a_hand_out_of_play() -> None:
    """Norte, mano, has five cards. Cards laid down after the count are Oeste's, who is next."""
    game = table().say(mus(1), mus(2), mus(3), mus(4))
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=1, cards=5))
    counted_without_cards(game, 2, 3).say(cards(None, "7 6 5 4"))
    assert game.said(e.SeatInferred) == [e.SeatInferred(2, "turn")]
    assert game.state.hands[1] is not None


def test_r37_cards_shown_by_a_player_without_pares_bind_the_next_partner() -> None:
    """A trio: Oeste has none, Este and Bruno do, and Este sits nearer to the bettor."""
    game = Table(6, show_is_accept=True).to_lance(Lance.PARES, "sí no no sí no sí")
    game.say(envido(1, 5), cards(2, "7 6 5 4"))
    assert game.said(e.BetAccepted) == [e.BetAccepted(4, Lance.PARES, implied=True)]


def test_r16_a_bettor_among_the_silent_needs_a_rival_with_pares() -> None:
    """This is a house rule. Here mano bets, and his partner is no rival."""
    game = Table(auto_declare=True).cut().all_pass(2).say(pares(3))
    assert refused(game, envido(1)) == "declare_first"
    alone = Table(auto_declare=True).cut().all_pass(2).say(pares(2), envido(1))
    assert alone.state.pares == (True, True, False, False)
    game.say(pares(2), envido(1))
    assert game.state.pares == (True, True, True, False)
    assert game.said(e.BetMade) == [e.BetMade(1, Lance.PARES, 2)]


def test_r35_an_accepted_bet_is_not_raised_once_the_next_lance_is_open() -> None:
    game = Game().cut().all_pass().say(envido(1), quiero(2))
    assert Game().cut().all_pass().say(envido(1), quiero(2), mas(4)).phase is Phase.CHICA
    game.declare("sí sí sí sí")
    assert refused(game, mas(4)) == "no_bet"
    assert game.say(ordago(4)).said(e.OrdagoMade) == [e.OrdagoMade(4, Lance.PARES)]


PLAYED: dict[Phase, Callable[[Table], Table]] = {
    Phase.MUS: lambda game: game,
    Phase.DISCARD: lambda game: game.say(mus(1), mus(2), mus(3), mus(4)),
    Phase.GRANDE: lambda game: game.cut(),
    Phase.CHICA: lambda game: game.cut().all_pass(),
    Phase.PARES_SAY: lambda game: game.cut().all_pass(2),
    Phase.PARES: lambda game: game.to_lance(Lance.PARES, "sí sí no no"),
    Phase.JUEGO_SAY: lambda game: game.to_pares("no no no no"),
    Phase.JUEGO: lambda game: game.to_lance(Lance.JUEGO, "sí sí no no"),
    Phase.PUNTO: lambda game: game.to_lance(Lance.PUNTO),
    Phase.SHOWDOWN: lambda game: game.to_lance(Lance.PUNTO).all_pass(),
}


@each_row("phase", PLAYED)
def test_r51_a_deal_may_be_dealt_again_in_any_of_its_phases(phase: Phase) -> None:
    game = PLAYED[phase](Table(mano=2, stones=(7, 3)))
    assert game.phase is phase
    game.say(c.Redeal())
    assert (game.phase, game.stones) == (Phase.COUNT, (7, 3))
    assert game.say(nueva_mano()).state.mano == 2


@each_row("phase", [phase for phase in PLAYED if phase not in BEFORE_LANCES])
def test_article_1_5_a_hand_of_too_many_cards_may_be_reported_in_any_phase(phase: Phase) -> None:
    game = PLAYED[phase](table().say(mus(1), mus(2), mus(3), mus(4)))
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=4, cards=5))
    assert game.state.out == (4,)


def test_r45_only_a_bet_of_this_deal_that_was_made_can_be_corrected() -> None:
    correct = c.CorrectBet(lance=Lance.GRANDE, stones=5)
    game = Game()
    assert refused(game, correct) == "nothing_to_correct"
    counted_without_cards(game.cut(), 1, 2).say(nueva_mano())
    assert refused(game, correct) == "claim_closed"
    assert refused(game.cut(), correct) == "nothing_to_correct"


def test_r46_a_claim_that_names_its_side_is_for_that_side_whoever_says_it() -> None:
    game = Game().cut().say(envido(1, 5), quiero(2)).all_pass()
    game.declare("no no no no").declare("no no no no").all_pass()
    game.say(c.ClaimLance(seat=1, lance=Lance.GRANDE, side="A", whose=c.Whose.THEM))
    assert game.said(e.LanceClaimed) == [e.LanceClaimed(Lance.GRANDE, "A")]


def test_r46_a_hand_shown_again_must_fit_the_hands_of_the_others() -> None:
    game = Game().to_juego("no no no no").all_pass().say(cards(2, "6 6 6 4"), cards(1, "5 5 5 4"))
    assert refused(game, cards(1, "6 6 5 4")) == "cards_wrong"
    game.say(cards(1, "5 5 7 6"))
    assert game.state.hands[0] == parse_hand("5 5 7 6")


def test_article_1_4_where_each_plays_for_himself_the_dealer_is_the_last_to_speak() -> None:
    """The dealer's own fifth card is taken away. A rival's fifth card is a misdeal."""
    for player, proposed in ((3, []), (2, ["1.4"]), (1, ["1.4"])):
        game = each(3, penalty=Penalty.WARN)
        game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=player, cards=5))
        assert [p.article for p in game.state.proposals] == proposed


def test_article_4_7_a_report_of_looking_takes_no_number_of_cards() -> None:
    game = table().cut().say(c.Report(kind=e.Irregularity.PEEKED, player=3, cards=4))
    peeked = e.IrregularityReported(e.Irregularity.PEEKED, 3)
    assert (game.last, peeked.cards) == ((peeked,), 0)


def test_r45_a_juego_won_by_a_deje_cannot_be_counted_again() -> None:
    game = Game(stones=(39, 0)).cut().say(envido(1, 5), quiero(2), envido(1), no_queremos(2))
    assert (game.phase, game.state.juego_won) == (Phase.COUNT, "A")
    assert refused(game, c.CorrectBet(lance=Lance.GRANDE, stones=3)) == "claim_closed"


def test_r45_stones_may_be_claimed_after_a_deal_that_moved_none() -> None:
    """The second deal is void. Its cards are still on the table, so claims are open."""
    game = counted_without_cards(Game().cut(), 1, 2).say(nueva_mano(), c.Redeal())
    before = game.stones
    game.say(c.AdjustStones(side="B", stones=2))
    assert game.stones == (before[0], before[1] + 2)


def test_article_1_5_waits_for_the_rivals_of_a_player_who_has_accepted() -> None:
    game = each(3, penalty=Penalty.INTERPENAS).say(mus(1), mus(2), mus(3)).cut()
    game.say(envido(1), quiero(2))
    five = c.Report(kind=e.Irregularity.CARD_COUNT, player=2, cards=5)
    assert refused(game, five) == "not_now"
    assert game.say(no_queremos(3), five).state.out == (2,)
