"""What events do to the state: journals that contradict themselves, and what a new deal resets."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import open_game
from assistant.rules.errors import HistoryError
from assistant.rules.phases import Lance, Phase
from assistant.rules.state import NO_INCIDENTS, State
from tests.rules.articles import table
from tests.rules.play import PLAIN, SEATS, Game, mus, no_queremos, nueva_mano, pares
from tests.rules.tables import Table
from tests.tables import each_row


def after(*events: e.Event) -> State:
    """The state after the game was opened, a deal began, and these events were applied."""
    state: State | None = None
    for event in (*open_game(PLAIN, SEATS), *events):
        state = apply(state, event)
    assert state is not None
    return state


CUT = e.MusCut(1)
BET = (CUT, e.BetMade(1, Lance.GRANDE, 2))
REFUSED = (
    *BET,
    e.BetRefused(2, Lance.GRANDE),
    e.BetRefused(4, Lance.GRANDE),
    e.LanceClosed(Lance.GRANDE, e.How.REFUSED, "A"),
)
ACCEPTED = (
    *BET,
    e.BetAccepted(2, Lance.GRANDE),
    e.LanceClosed(Lance.GRANDE, e.How.ACCEPTED, stones=2),
)
TO_PARES = (CUT, *(e.LanceClosed(x, e.How.PASSED) for x in (Lance.GRANDE, Lance.CHICA)))
TO_PUNTO = (
    *TO_PARES,
    *(e.Declared(seat, Lance.PARES, False) for seat in (1, 2, 3, 4)),
    e.LanceClosed(Lance.PARES, e.How.NOBODY),
    *(e.Declared(seat, Lance.JUEGO, False) for seat in (1, 2, 3, 4)),
    e.LanceOpened(Lance.PUNTO),
)


# --- journals that contradict themselves ----------------------------------------------------------


@each_row(
    "before, event, why",
    [
        ((), e.Retracted(2), "Retracted changes no state"),
        (BET, e.PartnerBet(2, Lance.GRANDE, 4), "no bet of a partner"),  # it is a rival's
        ((*BET, e.BetRefused(2, Lance.GRANDE)), e.PartnerBet(3, Lance.GRANDE, 4), "of a partner"),
        (REFUSED, e.LanceReopened(Lance.GRANDE), "grande was not accepted"),
        (TO_PARES, e.LanceReopened(Lance.CHICA), "chica was not accepted"),  # there was no bet
        (
            (*ACCEPTED, e.LanceClosed(Lance.CHICA, e.How.PASSED)),
            e.LanceReopened(Lance.GRANDE),
            "grande cannot be reopened in phase pares",
        ),
        ((CUT,), e.Declared(1, Lance.GRANDE, True), "Nobody declares grande"),
        (
            (CUT,),
            e.LanceClosed(Lance.CHICA, e.How.PASSED),
            "chica cannot be closed in phase grande",
        ),
    ],
)
def test_a_journal_that_contradicts_itself_is_refused_with_the_reason(
    before: tuple[e.Event, ...], event: e.Event, why: str
) -> None:
    state = after(*before)
    with pytest.raises(HistoryError, match=why):
        apply(state, event)


# --- who has spoken, and corrections --------------------------------------------------------------


def test_a_pass_counts_only_in_its_own_lance() -> None:
    """It counts neither in a reopened lance nor in the declarations before it (R50)."""
    assert after(*ACCEPTED, e.Passed(1, Lance.CHICA)).spoken == (1,)
    assert after(*ACCEPTED, e.Passed(1, Lance.CHICA), e.LanceReopened(Lance.GRANDE)).spoken == ()
    assert after(*TO_PUNTO, e.Passed(1, Lance.PUNTO)).spoken == (1,)
    again = after(*TO_PUNTO, e.Passed(1, Lance.PUNTO), e.Declared(4, Lance.JUEGO, True))
    assert (again.phase, again.spoken) == (Phase.JUEGO_SAY, ())


@each_row("before", [True, False])
def test_r50_a_declaration_is_corrected_by_the_player_who_made_it(
    before: bool,
) -> None:
    game = Game().cut().all_pass(2)
    put_right = [
        game.say(call).state.incidents.corrected
        for call in (pares(1, before), pares(2, False), pares(2), pares(3), pares(4))
    ]
    assert put_right == [(), (), *[((2, Lance.PARES),)] * 3]


# --- reports --------------------------------------------------------------------------------------


def test_article_4_7_a_report_of_looking_is_kept_with_its_player_and_lance() -> None:
    """It is not kept where the player is unknown, nor for a report of too many cards."""
    in_grande = after(CUT, e.IrregularityReported(e.Irregularity.PEEKED, 3))
    assert in_grande.incidents.peeked == ((3, Lance.GRANDE),)
    assert after(CUT, e.IrregularityReported(e.Irregularity.PEEKED)).incidents == NO_INCIDENTS
    five = after(CUT, e.IrregularityReported(e.Irregularity.CARD_COUNT, 3, 5))
    assert (five.incidents.peeked, five.incidents.short) == ((), ((3, 5),))


def test_article_1_5_two_hands_may_be_short_of_cards() -> None:
    game = table().say(mus(1), mus(2), mus(3), mus(4))
    for seat, held in ((4, 3), (1, 2)):
        game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=seat, cards=held))
    assert [game.state.cards_of(seat) for seat in (1, 2, 3, 4)] == [2, 4, 4, 3]


# --- what a new deal resets -----------------------------------------------------------------------


def counted(game: Table) -> Table:
    """Norte's side has refused grande and chica, and nobody holds pares or juego."""
    game.cut().say(c.Bet(seat=2), no_queremos(1), c.Bet(seat=2), no_queremos(1))
    game.say(*(c.Declare(holds=False) for _ in game.state.in_play()))
    game.say(*(c.Declare(holds=False) for _ in game.state.in_play()))
    game.say(c.Bet(seat=2), no_queremos(1))
    assert game.phase is Phase.COUNT
    return game


def test_article_1_5_a_player_whose_hand_was_out_plays_in_the_next_deal() -> None:
    game = table().say(mus(1), mus(2), mus(3), mus(4))
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=4, cards=5))
    assert game.state.in_play() == (1, 2, 3)
    counted(game).say(nueva_mano())
    assert game.state.incidents == NO_INCIDENTS
    assert game.state.in_play() == (2, 3, 4, 1)


def test_r07_the_discards_are_counted_anew_in_each_deal() -> None:
    """Therefore too many cards before the first discard are a misdeal again (article 1.4)."""
    game = table()
    for discards in (1, 2):
        game.say(mus(1), mus(2), mus(3), mus(4))
        assert game.state.discards == discards
    counted(game).say(nueva_mano())
    assert game.state.discards == 0
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=2, cards=5))
    assert [p.article for p in game.state.proposals] == ["1.4"]


def test_r54_a_pedrete_may_be_sung_again_in_the_next_deal() -> None:
    game = Table(pedrete=1).say(c.Pedrete(seat=2))
    stones = counted(game).stones
    game.say(nueva_mano(), c.Pedrete(seat=2))
    assert game.stones == (stones[0], stones[1] + 1)


# --- kept states are never changed ----------------------------------------------------------------


def test_a_state_never_changes_after_it_was_made() -> None:
    """Undo and a repeated count go back to states that were kept."""
    game = table("waived").say(c.Report(kind=e.Irregularity.EXPOSED_CARD))
    state, accepted = game.state, after(*ACCEPTED)
    parts = (state, state.incidents, state.proposals[0], after(*BET).pending, accepted.results[0])
    for part, field in zip(parts, ("mano", "out", "seat", "stones", "won"), strict=True):
        with pytest.raises(FrozenInstanceError):
            setattr(part, field, 3)
