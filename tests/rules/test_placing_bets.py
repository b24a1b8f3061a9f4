"""Placing a deal at a bet: one that waits for its answer, or was accepted, or was not heard."""

from __future__ import annotations

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.phases import Lance, Phase
from assistant.rules.placing import bet_told, placed
from tests.rules.play import Game, envido, mas, no_quiero, ordago, paso, quiero
from tests.rules.tables import bet_now, put
from tests.tables import each_row

L, W = Lance, c.Where


def bet(lance: Lance, stones: int, seat: int | None = None) -> c.Place:
    return c.Place(lance=lance, told=W.BET, stones=stones, seat=seat)


# ---- Where the bet stands -----------------------------------------------------------------------


@each_row(
    "game, place",
    [
        (Game().cut().say(envido(1, 4)), bet(L.GRANDE, 4)),
        (Game().cut().say(envido(1, 4), mas(2, 3)), bet(L.GRANDE, 7)),
        (Game().cut().say(envido(1, 4), quiero(2)), bet(L.GRANDE, 4)),
        (Game().cut().all_pass().say(envido(1, 4), quiero(2)), bet(L.CHICA, 4)),
    ],
)
def test_a_bet_that_stands_as_it_is_told_changes_nothing(game: Game, place: c.Place) -> None:
    assert placed(game.records, place) == ()


def test_the_bet_that_waits_for_its_answer_is_put_right() -> None:
    game = put(Game().cut().say(envido(1, 4)), bet(L.GRANDE, 7))
    assert game.last == (e.BetCorrected(L.GRANDE, 7),)
    assert (game.phase, bet_now(game)) == (Phase.GRANDE, (7, 1))


def test_the_bet_that_was_accepted_is_put_right() -> None:
    game = put(Game().cut().say(envido(1, 4), quiero(2)), bet(L.GRANDE, 7))
    assert game.last == (e.BetCorrected(L.GRANDE, 7),)
    grande = game.state.result(L.GRANDE)
    assert grande is not None
    assert (game.phase, grande.how, grande.stones) == (Phase.CHICA, e.ACCEPTED, 7)


def test_a_bet_that_was_taken_for_an_ordago_is_made_again() -> None:
    game = put(Game().cut().say(ordago(1)), bet(L.GRANDE, 5))
    assert game.state.pending is not None
    assert not game.state.pending.ordago
    assert bet_now(game) == (5, 1)


def test_r33_the_bet_of_a_whole_juego_is_not_the_ordago_that_was_heard() -> None:
    game = put(Game().cut().say(ordago(1)), bet(L.GRANDE, 40))
    assert game.state.pending is not None
    assert not game.state.pending.ordago


@each_row(
    "game, place, phase, waits",
    [
        (Game(), bet(L.GRANDE, 5), Phase.GRANDE, (5, 1)),
        (Game().cut(), bet(L.CHICA, 3), Phase.CHICA, (3, 1)),
        (Game().to_pares("sí sí no no"), bet(L.PARES, 6), Phase.PARES, (6, 1)),
        # It was taken for passes, or for a refusal.
        (Game().cut().all_pass(), bet(L.GRANDE, 5), Phase.GRANDE, (5, 1)),
        (
            Game().cut().say(envido(1), no_quiero(2), no_quiero(4)),
            bet(L.GRANDE, 5),
            Phase.GRANDE,
            (5, 1),
        ),
    ],
)
def test_a_bet_that_was_not_heard_waits_for_its_answer(
    game: Game, place: c.Place, phase: Phase, waits: tuple[int, int]
) -> None:
    put(game, place)
    assert (game.phase, bet_now(game)) == (phase, waits)
    assert game.stones == (0, 0)


# ---- A bet that is made by telling --------------------------------------------------------------


PARES_BET = bet(L.PARES, 5, seat=2)


@each_row(
    "game, place, made",
    [
        (
            Game().to_pares("sí sí no no"),
            PARES_BET,
            c.Bet(seat=2, lance=L.PARES, stones=5),
        ),
        (Game().cut(), bet(L.GRANDE, 5), c.Bet(lance=L.GRANDE, stones=5)),
        # A bet stands already, or is of another lance, or nobody may bet yet.
        (Game().to_pares("sí sí no no").say(envido(1)), PARES_BET, None),
        (Game().cut(), PARES_BET, None),
        (Game().cut().all_pass().say(paso(1)), bet(L.GRANDE, 5), None),
        (Game().cut().all_pass(2), PARES_BET, None),
        (Game(), bet(L.GRANDE, 5), None),
        # Something else is told than a bet.
        (Game().to_pares("sí sí no no"), c.Place(lance=L.PARES, seat=2, stones=5), None),
    ],
)
def test_a_player_bets_by_telling_the_bet_of_the_lance_that_is_played(
    game: Game, place: c.Place, made: c.Bet | None
) -> None:
    assert bet_told(game.state, place) == made
