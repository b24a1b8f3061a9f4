"""The records of a game: what counts after undo and redo, and journals that are refused."""

from __future__ import annotations

import pytest

from assistant.rules import events as e
from assistant.rules.engine import open_game
from assistant.rules.errors import HistoryError
from assistant.rules.history import (
    Record,
    check_retraction,
    effective,
    fold,
    number,
    redo_target,
    rewound,
    undo_target,
)
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile
from tests.rules.play import SEATS, Game, envido, mus, no_queremos, no_quiero, paso, quiero
from tests.tables import each_row


def records(*events: e.Event) -> tuple[Record, ...]:
    opening = number(open_game(Profile(), SEATS), 0, at=0.0)
    return (*opening, *number(events, len(opening), at=1.0))


def test_an_empty_journal_is_refused() -> None:
    assert fold([]) is None
    assert undo_target([]) is None
    assert redo_target([]) is None


def test_records_are_numbered_without_gaps_and_a_call_is_one_batch() -> None:
    game = Game().say(mus(1)).cut()
    assert [r.seq for r in game.records] == list(range(1, len(game.records) + 1))
    assert {r.batch for r in game.records} == {1, 3, 4}


def test_undo_takes_back_one_call_with_everything_that_followed_from_it() -> None:
    game = Game().cut().say(envido(1), no_quiero(2), envido(3, 4, lance=Lance.CHICA))
    before = Game().cut().say(envido(1), no_quiero(2)).state
    assert game.undo().state == before


def test_a_second_undo_takes_back_the_call_before() -> None:
    game = Game().cut().say(paso(1), paso(2)).undo().undo()
    assert game.state == Game().cut().state


def test_redo_brings_back_what_undo_took_in_order() -> None:
    game = Game().cut().say(paso(1), paso(2))
    state = game.state
    game.undo().undo().redo()
    assert game.state == Game().cut().say(paso(1)).state
    assert game.redo().state == state
    assert redo_target(game.records) is None


def test_undo_after_a_redo_takes_the_same_call_back_again() -> None:
    game = Game().cut().say(paso(1))
    assert game.undo().redo().undo().state == Game().cut().state
    assert game.redo().state == Game().cut().say(paso(1)).state


def test_a_new_call_ends_the_redo() -> None:
    game = Game().cut().say(paso(1)).undo().say(envido(1))
    assert redo_target(game.records) is None


def test_the_opening_of_the_game_is_never_undone() -> None:
    game = Game()
    assert undo_target(game.records) is None
    with pytest.raises(HistoryError, match="opening"):
        check_retraction(game.records, 1)


def test_a_call_that_later_calls_rest_on_is_not_taken_back() -> None:
    game = Game().cut().say(envido(1), no_queremos(2))
    cut = game.records[2].seq
    with pytest.raises(HistoryError):
        check_retraction(game.records, cut)


def test_an_older_call_that_nothing_rests_on_is_taken_back() -> None:
    game = Game().say(mus(1), mus(2))
    left = check_retraction(game.records, game.records[2].batch)
    assert left.spoken == (2,)


@each_row("seq", [0, 99, -1])
def test_a_batch_without_records_cannot_be_retracted(seq: int) -> None:
    with pytest.raises(HistoryError, match="no record"):
        check_retraction(Game().records, seq)


@each_row("beyond", [0, 1, 99])
def test_a_retraction_of_a_missing_batch_undoes_no_retraction(beyond: int) -> None:
    game = Game().cut()
    seq = len(game.records) + 1
    journal = [*game.records, *number((e.Retracted(seq + 1 + beyond),), len(game.records), at=0.0)]
    assert redo_target(journal) == seq
    assert fold(journal) == game.state


def test_undo_deletes_no_record() -> None:
    game = Game().cut()
    whole = list(game.records)
    game.undo()
    assert game.records[: len(whole)] == whole
    assert [r.event for r in effective(game.records)] == [r.event for r in whole[:2]]


# ---- Rewinding to a record ----------------------------------------------------------------------


@each_row("anew", [False, True])
def test_rewinding_to_the_last_record_retracts_nothing(anew: bool) -> None:
    game = Game().cut()
    assert rewound(game.records, game.records[-1].seq, anew=anew) == ()


def test_rewinding_takes_back_call_by_call_from_the_last() -> None:
    game = Game().cut().say(paso(1), paso(2))
    assert rewound(game.records, 2) == tuple(map(e.Retracted, (5, 4, 3)))
    assert rewound(game.records, 3) == tuple(map(e.Retracted, (5, 4)))


def test_rewinding_anew_makes_the_call_before_again() -> None:
    game = Game().cut().say(paso(1), paso(2))
    *back, again = rewound(game.records, 3, anew=True)
    assert (set(back), again) == (set(map(e.Retracted, (5, 4, 3))), e.MusCut(1))
    assert rewound(game.records, 2, anew=True) == tuple(map(e.Retracted, (5, 4, 3)))


def test_rewinding_leaves_the_start_of_a_deal_that_a_call_began() -> None:
    """Nobody was named mano, so that the deal began with the first bet."""
    game = Game(mano=None).say(envido(1), no_quiero(2))
    start = game.records[1]
    assert start.event == e.DealStarted(1, 1, implied=True)
    back = rewound(game.records, start.seq)
    assert back == (e.Retracted(5), e.Retracted(2), start.event)
    state = game.replace(*back).state
    assert (state.deal, state.phase) == (1, Phase.MUS)


@each_row(
    "event",
    [
        e.GameOpened(Profile(), SEATS),
        e.DealStarted(2, 1),
        e.Passed(1, Lance.GRANDE),
        e.BetMade(1, Lance.GRANDE, 2),
        e.BetRaised(1, Lance.GRANDE, 2),
        e.BetAccepted(1, Lance.GRANDE),
        e.BetRefused(1, Lance.GRANDE),
        e.OrdagoMade(1, Lance.GRANDE),
        e.Declared(1, Lance.PARES, True),
        e.LanceOpened(Lance.PARES),
        e.LanceClosed(Lance.GRANDE, e.How.PASSED),
        e.HandShown(1, ()),
        e.LanceDecided(Lance.GRANDE, 1, "A"),
        e.StonesWon("A", 1, Lance.GRANDE, e.Why.PASO),
        e.DealCounted(),
        e.MatchWon("A"),
        e.MusAsked(9),
        e.StonesSet((1,)),
    ],
    name=lambda event: type(event).__name__,
)
def test_an_event_that_cannot_happen_yet_is_refused(event: e.Event) -> None:
    """None of these can happen in the mus of the first deal."""
    with pytest.raises(HistoryError):
        fold(records(event))


@each_row(
    "event",
    [
        e.BetMade(2, Lance.GRANDE, 2),  # a bet is pending already
        e.Passed(2, Lance.GRANDE),
        e.BetRaised(2, Lance.CHICA, 2),  # another lance
        e.BetRaised(7, Lance.GRANDE, 2),  # no such seat
        e.BetRaised(2, Lance.GRANDE, 0),
        e.StonesWon("C", 1, Lance.GRANDE, e.Why.DEJE),
        e.StonesWon("A", 1, Lance.GRANDE, e.Why.DEJE),  # the lance is not closed
    ],
)
def test_an_event_that_contradicts_a_pending_bet_is_refused(event: e.Event) -> None:
    with pytest.raises(HistoryError):
        fold(records(e.MusCut(1), e.BetMade(1, Lance.GRANDE, 2), event))


@each_row(
    "event",
    [
        e.BetRaised(2, Lance.GRANDE, 2),
        e.PartnerBet(2, Lance.GRANDE, 4),
        e.BetAccepted(2, Lance.GRANDE),
        e.BetRefused(2, Lance.GRANDE),
        e.BetMade(2, Lance.GRANDE, 0),
        e.LanceReopened(Lance.GRANDE),
    ],
    name=lambda event: type(event).__name__,
)
def test_an_answer_without_a_bet_is_refused(event: e.Event) -> None:
    with pytest.raises(HistoryError):
        fold(records(e.MusCut(1), event))


@each_row("event", [e.BetRaised(2, Lance.GRANDE, 2), e.OrdagoMade(2, Lance.GRANDE)])
def test_a_raise_of_an_ordago_is_refused(event: e.Event) -> None:
    with pytest.raises(HistoryError):
        fold(records(e.MusCut(1), e.OrdagoMade(1, Lance.GRANDE), event))


@each_row("kind", list(e.Irregularity))
def test_a_report_without_a_number_of_cards_changes_no_hand(kind: e.Irregularity) -> None:
    """Only a player reported with too many or too few cards plays with that number (S2 1.5)."""
    state = fold(records(e.IrregularityReported(kind, 3, 5)))
    assert state is not None
    assert state.incidents.short == (((3, 5),) if kind is e.Irregularity.CARD_COUNT else ())


BET = (e.MusCut(1), e.BetMade(1, Lance.GRANDE, 2))
DECLARING = (e.MusCut(1), *(e.LanceClosed(x, e.How.PASSED) for x in (Lance.GRANDE, Lance.CHICA)))
SHOWDOWN = (
    *DECLARING,
    e.LanceClosed(Lance.PARES, e.How.NOBODY),
    e.LanceOpened(Lance.PUNTO),
    e.LanceClosed(Lance.PUNTO, e.How.PASSED),
)


@each_row(
    "before, event",
    [
        ((), e.ManoChanged(9)),
        ((), e.SeatInferred(9, "turn")),
        ((), e.MusAsked(0)),
        ((), e.MusCut(9)),
        ((), e.PedreteSung(9, 1)),
        ((), e.IrregularityReported(e.Irregularity.CARD_COUNT, 9, 5)),
        ((), e.DealVoided(9)),
        ((e.MusCut(1),), e.Passed(9, Lance.GRANDE)),
        ((e.MusCut(1),), e.BetMade(9, Lance.GRANDE, 2)),
        ((e.MusCut(1),), e.OrdagoMade(9, Lance.GRANDE)),
        (BET, e.BetRaised(9, Lance.GRANDE, 2)),
        (BET, e.PartnerBet(9, Lance.GRANDE, 4)),
        (BET, e.BetAccepted(9, Lance.GRANDE)),
        (BET, e.BetRefused(9, Lance.GRANDE)),
        (DECLARING, e.Declared(9, Lance.PARES, False)),
        (SHOWDOWN, e.HandShown(9, ())),
        (SHOWDOWN, e.LanceDecided(Lance.GRANDE, 9, "A")),
    ],
    name=lambda part: type(part).__name__,
)
def test_an_event_of_a_seat_that_does_not_exist_is_refused(
    before: tuple[e.Event, ...], event: e.Event
) -> None:
    assert fold(records(*before)) is not None
    with pytest.raises(HistoryError, match="seat"):
        fold(records(*before, event))


@each_row(
    "event",
    [
        e.BetRaised(2, Lance.CHICA, 2),
        e.PartnerBet(3, Lance.CHICA, 4),
        e.BetAccepted(2, Lance.CHICA),
        e.BetRefused(2, Lance.CHICA),
        e.OrdagoMade(2, Lance.CHICA),
    ],
    name=lambda event: type(event).__name__,
)
def test_an_answer_in_another_lance_is_refused(event: e.Event) -> None:
    with pytest.raises(HistoryError, match="chica"):
        fold(records(*BET, event))


def test_a_deal_needs_an_existing_seat_for_mano() -> None:
    opening = e.GameOpened(Profile(), SEATS)
    assert fold(number((opening, e.DealStarted(1, 4)), 0, at=0.0)) is not None
    with pytest.raises(HistoryError, match="seat"):
        fold(number((opening, e.DealStarted(1, 5)), 0, at=0.0))


def test_before_the_first_deal_nobody_has_said_or_shown_anything() -> None:
    state = fold(number((e.GameOpened(Profile(), SEATS),), 0, at=0.0))
    assert state is not None
    assert state.pares == state.juego == (None,) * 4
    assert state.hands == (None,) * 4
    assert state.stones == state.juegos == state.vacas == (0, 0)


def test_a_reopened_lance_is_neither_accepted_nor_closed() -> None:
    game = Game().cut().all_pass().say(envido(1, 5), quiero(2))
    state = fold(
        [*game.records, *number((e.LanceReopened(Lance.CHICA),), len(game.records), at=0.0)]
    )
    assert state is not None
    assert [result.lance for result in state.results] == [Lance.GRANDE]
    assert state.pending is not None
    assert (state.pending.stones, state.pending.accepted) == (5, ())


def test_a_journal_must_begin_with_the_opening() -> None:
    with pytest.raises(HistoryError, match="before any game"):
        fold(number((e.MusAsked(1),), 0, at=0.0))


def test_the_records_fold_to_the_state_that_was_played() -> None:
    game = Game().to_pares("sí sí no no").say(envido(1, 3), no_queremos(2))
    assert fold(game.records) == game.state
    assert game.phase is Phase.JUEGO_SAY
