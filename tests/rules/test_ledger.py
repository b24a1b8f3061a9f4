"""What the state keeps of a counted lance, and journals that contradict it."""

from __future__ import annotations

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import decide, open_game
from assistant.rules.errors import HistoryError
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import PartnerConflict
from assistant.rules.state import LanceResult
from tests.rules.articles import applied, table
from tests.rules.play import (
    PLAIN,
    SEATS,
    Game,
    cards,
    envido,
    mas,
    mus,
    no_queremos,
    ordago,
    quiero,
)
from tests.rules.tables import Table, refused
from tests.tables import each_row

HANDS = ("R R 5 4", "7 7 6 4", "7 6 5 4", "S C 6 4")


def counted() -> Game:
    """Norte wins grande for five and the pareja, Sur chica in paso, Este punto with 30."""
    game = Game().cut().say(envido(1, 5), quiero(2)).all_pass()
    game.declare("sí sí no no").all_pass().declare("no no no no").all_pass().show(*HANDS)
    assert game.phase is Phase.COUNT
    return game


def result(game: Game, lance: Lance) -> LanceResult:
    found = game.state.result(lance)
    assert found is not None
    return found


def test_r30_a_counted_lance_keeps_who_won_it_what_and_why() -> None:
    game = counted()
    grande, pares = result(game, Lance.GRANDE), result(game, Lance.PARES)
    assert (grande.seat, grande.side, grande.won, grande.whys) == (1, "A", 5, (e.Why.BET,))
    assert (pares.seat, pares.side, pares.won, pares.whys) == (1, "A", 1, (e.Why.PARES,))
    assert result(game, Lance.PUNTO).seat == 4


def test_r30_the_stones_of_a_bet_and_of_the_hands_are_kept_apart() -> None:
    game = Game().to_pares("sí sí no no").say(envido(1, 5), quiero(2)).declare("no no no no")
    pares = result(game.all_pass().show(*HANDS), Lance.PARES)
    assert (pares.won, pares.whys) == (6, (e.Why.BET, e.Why.PARES))


def test_r45_a_count_that_needed_no_card_can_be_made_again() -> None:
    game = Game().cut().say(envido(1), no_queremos(2), envido(1), no_queremos(2))
    game.declare("no no no no").declare("no no no no").say(envido(1), no_queremos(2))
    assert game.phase is Phase.COUNT
    assert game.state.uncounted is not None
    assert game.state.uncounted.phase is Phase.SHOWDOWN


def test_r45_a_count_that_brought_no_stone_can_be_made_again() -> None:
    """Norte and Oeste said juego, and neither holds it."""
    game = Game().cut().say(envido(1), no_queremos(2), envido(1), no_queremos(2))
    game.declare("no no no no").declare("sí sí no no").all_pass().show("R 7 5 4", "S 7 6 4")
    assert (game.phase, game.last[-1]) == (Phase.COUNT, e.DealCounted())
    assert game.state.uncounted is not None


def test_r45_a_repeated_count_begins_before_its_first_lance() -> None:
    before = counted().state.uncounted
    assert before is not None
    assert [(r.seat, r.side, r.won) for r in before.results] == [(None, None, 0)] * 4


def test_r45_an_ordago_won_without_cards_can_be_counted_again() -> None:
    game = Game().cut().say(envido(1, 5), quiero(2), ordago(1), quiero(2))
    game.say(c.ClaimLance(lance=Lance.CHICA, side="A"))
    assert game.state.juego_won == "A"
    game.say(c.CorrectBet(lance=Lance.GRANDE, stones=3))
    assert game.said(e.JuegoWon) == [e.JuegoWon("A", e.WonBy.ORDAGO)]
    assert (game.state.juegos, result(game, Lance.GRANDE).stones) == ((1, 0), 3)


def test_r45_a_juego_won_by_the_last_deje_cannot_be_counted_again() -> None:
    """The bet at grande waits for a count that never comes."""
    game = Game(stones=(39, 0)).cut().say(envido(1, 5), quiero(2)).all_pass()
    game.declare("no no no no").declare("no no no no").say(envido(1), no_queremos(2))
    assert game.said(e.JuegoWon) == [e.JuegoWon("A", e.WonBy.TARGET)]
    assert refused(game, c.CorrectBet(lance=Lance.GRANDE, stones=3)) == "claim_closed"
    with pytest.raises(HistoryError, match="Nothing was counted"):
        apply(game.state, e.CountReopened())


def test_r45_a_count_is_not_made_again_before_it_is_over() -> None:
    state = apply(counted().undo().state, e.StonesWon("A", 5, Lance.GRANDE, e.Why.BET))
    assert (state.phase, state.uncounted is None) == (Phase.SHOWDOWN, False)
    with pytest.raises(HistoryError, match="recount cannot happen"):
        apply(state, e.CountReopened())


def test_r45_a_corrected_bet_leaves_no_amounts_to_choose_from() -> None:
    """Norte and Sur bet five and three, and the rivals would choose.

    Then they agree that it was four.
    """
    game = Table(partner_conflict=PartnerConflict.RIVALS_CHOOSE).cut()
    game.say(envido(1, 5), envido(3, 3), c.CorrectBet(lance=Lance.GRANDE, stones=4), quiero(2))
    assert result(game, Lance.GRANDE).stones == 4


def test_article_5_5_a_void_ordago_belongs_to_nobody_even_if_it_was_claimed() -> None:
    game = table().to_pares("sí sí no no").say(ordago(1), quiero(2), cards(1, "7 6 5 4"))
    game.say(c.ClaimLance(lance=Lance.PARES, side="A"))
    assert applied(game) == [("5.5", 1)]
    pares = result(game, Lance.PARES)
    assert (pares.how, pares.side, pares.stones) == (e.How.VOID, None, 0)


def test_r32_an_accepted_ordago_keeps_who_won_it() -> None:
    game = Game().to_pares("sí sí no no").say(ordago(1), quiero(2)).show(*HANDS)
    pares = result(game, Lance.PARES)
    assert (pares.seat, pares.side, pares.won) == (1, "A", 0)


def test_article_5_2_a_returned_deje_is_no_part_of_the_lances_stones() -> None:
    """Grande for five is Norte's. Sur denied kings, so B has the negada and the fives of Oeste.

    Then the bet is corrected to three. The count begins again before the deje went back.
    """
    game = table().cut().say(envido(1, 5), quiero(2)).all_pass().declare("sí sí no no")
    game.say(envido(1, 2), no_queremos(2)).declare("no no no no").say(envido(1), no_queremos(2))
    game.say(cards(3, "R R 1 1"), cards(2, "5 5 6 S"), cards(1, "7 7 6 4"), cards(4, "S 7 6 4"))
    assert game.stones == (5 + 1 + 1 + 1, 1 + 1)  # with the chica (Sur), punto's deje and the punto
    pares = result(game, Lance.PARES)
    assert (pares.side, pares.won, pares.whys) == ("B", 2, (e.Why.PENALTY, e.Why.PARES))
    game.say(c.CorrectBet(lance=Lance.GRANDE, stones=3))
    assert game.stones == (3 + 1 + 1 + 1, 1 + 1)


def test_the_side_that_an_event_names_wins_the_stones_and_the_lance() -> None:
    state = counted().undo().state
    after = apply(state, e.StonesWon("B", 1, Lance.CHICA, e.Why.PASO))
    chica = after.result(Lance.CHICA)
    assert chica is not None
    assert (chica.side, after.stones) == ("B", (0, 1))


@each_row("wins", [c.AdjustStones(side="A", stones=2), c.Pedrete(seat=3)])
def test_a_juego_that_ends_during_a_lance_leaves_nothing_pending(wins: c.Call) -> None:
    game = Table(pedrete=1, stones=(39 if isinstance(wins, c.Pedrete) else 38, 0)).say(mus(1))
    if isinstance(wins, c.AdjustStones):
        game.cut().say(envido(1))
    game.say(wins)
    assert game.state.juego_won == "A"
    assert (game.state.spoken, game.state.pending, game.state.both) == ((), None, None)


def test_a_void_deal_leaves_nothing_pending() -> None:
    assert Game().say(mus(1), c.Redeal()).state.spoken == ()
    assert Game().cut().say(envido(1), c.Redeal()).state.pending is None
    assert Table(both=True).cut().say(envido(1, both=True), c.Redeal()).state.both is None
    assert Game().cut().all_pass().say(c.Redeal()).state.results == ()
    game = table("waived").say(c.Report(kind=e.Irregularity.EXPOSED_CARD))
    assert game.state.proposals
    assert game.say(c.Redeal()).state.proposals == ()
    assert apply(counted().state, e.DealVoided(1)).uncounted is None


def test_r45_a_void_deal_does_not_return_stones_taken_by_agreement() -> None:
    game = Game().cut().say(envido(1), no_queremos(2), c.AdjustStones(side="A", stones=-1))
    assert game.stones == (0, 0)
    assert game.say(c.Redeal()).stones == (0, 0)


def test_r45_stones_agreed_on_after_the_count_stay_when_the_count_turns_void() -> None:
    game = counted().say(c.AdjustStones(side="B", stones=2))
    game.say(c.CorrectBet(lance=Lance.GRANDE, stones=3))
    assert apply(game.state, e.DealVoided(1)).stones == (0, 2)


def test_r45_a_score_may_be_set_before_the_first_deal() -> None:
    state = apply(None, open_game(PLAIN, SEATS, mano=None)[0])
    for event in decide(state, c.SetStones(stones=(20, 30))).events:
        state = apply(state, event)
    assert (state.deal, state.stones) == (0, (20, 30))


def test_a_match_can_only_be_won_by_a_side_of_the_table() -> None:
    game = Game(stones=(39, 0)).cut().say(envido(1), no_queremos(2))
    assert apply(game.state, e.MatchWon("B")).winner == "B"
    with pytest.raises(HistoryError, match="side"):
        apply(game.state, e.MatchWon("C"))


def test_r46_a_hand_shown_after_the_count_stays_when_the_count_is_repeated() -> None:
    """Only Norte's pares are needed. Oeste lays down his cards all the same."""
    game = Game().cut().say(envido(1), no_queremos(2), envido(1), no_queremos(2))
    game.declare("sí no no no").declare("no no no no").say(envido(1), no_queremos(2))
    game.say(cards(1, "R R 5 4"))
    assert game.phase is Phase.COUNT
    shown = game.say(cards(2, "7 6 5 4")).state.hands
    again = apply(game.state, e.CountReopened())
    assert (again.phase, again.hands) == (Phase.SHOWDOWN, shown)
    assert shown[1] is not None


def test_r60_agreed_stones_can_win_the_juego_in_a_repeated_count() -> None:
    """A has 33 and wins 5 at pares. They go back, because Sur had denied pares (5.2).

    A is given four.

    Then Este turns over what he denied. The two sides are quits, and A has its 5 and the 4.
    """
    game = table(stones=(33, 0)).cut()
    game.say(envido(2), no_queremos(1), envido(2), no_queremos(1)).declare("sí sí no no")
    game.say(envido(2, 5), mas(1, 5), no_queremos(2)).declare("no no no no")
    game.say(envido(2), no_queremos(1), cards(1, "7 7 6 4"))
    assert (game.phase, game.stones) == (Phase.COUNT, (33 + 5 + 1, 2 + 1 + 1))
    game.say(cards(2, "5 5 6 S"), cards(3, "R R 1 1"))
    assert (applied(game), game.stones) == ([("5.3", 3)], (33, 4 + 1 + 1))
    game.say(c.AdjustStones(side="A", stones=4))
    assert game.state.juego_won is None
    game.say(cards(4, "6 6 7 S"))
    assert applied(game) == [("5.3", 3), ("5.3", 4)]
    assert game.said(e.JuegoWon) == [e.JuegoWon("A", e.WonBy.TARGET)]


@each_row(
    "event",
    [
        e.BetCorrected(Lance.GRANDE, 0),
        e.BetCorrected(Lance.JUEGO, 5),  # not played
        e.LanceClaimed(Lance.GRANDE, "C", ()),
        e.LanceClaimed(Lance.JUEGO, "A", ()),
        e.LanceDecided(Lance.JUEGO, 1, "A"),
        e.StonesWon("A", 0, Lance.GRANDE, e.Why.BET),
        e.StonesWon("A", 1, Lance.JUEGO, e.Why.BET),
        e.StonesWon("C", 1, Lance.GRANDE, e.Why.BET),
        e.StonesLost("A", 0, Lance.GRANDE, "5.2"),
        e.StonesLost("A", 1, Lance.JUEGO, "5.2"),
        e.StonesLost("B", 1, Lance.GRANDE, "5.2"),  # it has none
        e.StonesLost("C", 1, Lance.GRANDE, "5.2"),
        e.JuegoWon("C", e.WonBy.TARGET),
        e.VacaWon("C"),
        e.MatchWon("A"),
        e.StonesSet((1, 2, 3)),
        e.StonesSet((-1, 2)),
        e.StonesAdjusted("C", 1, ""),
        e.StonesAdjusted("B", -1, ""),
        e.CountReopened(),
    ],
    name=str,
)
def test_an_event_that_cannot_happen_at_the_showdown_is_refused(event: e.Event) -> None:
    """The deal of ``counted`` before a card is shown; nobody has a stone."""
    game = Game().cut().say(envido(1, 5), quiero(2)).all_pass()
    game.declare("sí sí no no").all_pass().declare("no no no no").all_pass()
    assert (game.phase, game.stones) == (Phase.SHOWDOWN, (0, 0))
    with pytest.raises(HistoryError):
        apply(game.state, event)


def test_a_deal_that_won_a_juego_cannot_be_made_void() -> None:
    game = Game(stones=(39, 0)).cut().say(envido(1), no_queremos(2))
    assert game.state.juego_won == "A"
    with pytest.raises(HistoryError, match="juego"):
        apply(game.state, e.DealVoided(1))


def test_r45_a_deal_that_was_begun_undone_and_begun_again_can_be_undone() -> None:
    """Nobody has spoken in it, so the cards of the deal before still lie on the table."""
    game = counted()
    before = game.state
    game.say(c.NextDeal()).undo().redo()
    assert game.phase is Phase.MUS
    assert game.undo().state == before
