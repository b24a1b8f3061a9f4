"""Who may do what at the edges: a mano that is no seat, a hand out of play, unnamed cards."""

from __future__ import annotations

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.phases import Phase
from tests.rules.articles import table
from tests.rules.play import Game, cards, envido, mus, no_queremos, nueva_mano
from tests.rules.tables import refused


def counted_without_cards(game: Game, bettor: int, rival: int) -> Game:
    """Every lance is bet and refused, nobody holds pares or juego: no card is needed."""
    game.say(envido(bettor), no_queremos(rival), envido(bettor), no_queremos(rival))
    while game.phase in (Phase.PARES_SAY, Phase.JUEGO_SAY):
        game.say(c.Declare(holds=False))
    game.say(envido(bettor), no_queremos(rival))
    assert game.phase is Phase.COUNT
    return game


@pytest.mark.parametrize("mano", [0, -1, 5])
def test_r04_the_next_deal_has_a_player_for_mano(mano: int) -> None:
    game = counted_without_cards(Game().cut(), 1, 2)
    assert refused(game, nueva_mano(mano)) == "seat_unknown"
    assert game.say(nueva_mano(4)).state.mano == 4


def test_article_1_5_cards_of_nobody_known_are_not_those_of_a_hand_out_of_play() -> None:
    """Norte, mano, has five cards: what is laid down after the count is Oeste's, the next."""
    game = table().say(mus(1), mus(2), mus(3), mus(4))
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=1, cards=5))
    counted_without_cards(game, 2, 3).say(cards(None, "7 6 5 4"))
    assert game.said(e.SeatInferred) == [e.SeatInferred(2, "turn")]
    assert game.state.hands[1] is not None
