"""Which irregularities may be reported at a moment, and of which players (R51, S2 1 and 4.6)."""

from __future__ import annotations

from typing import Any

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.arbitration import reportable
from assistant.rules.phases import Lance, Phase
from tests.rules.articles import table
from tests.rules.play import Game, envido, mus, nueva_mano, ordago, quiero
from tests.rules.tables import Table, each
from tests.tables import each_row

EXPOSED, COUNT, SAME_MANO, PEEKED, IN_DECK = e.Irregularity
ALL = (1, 2, 3, 4)


def five_cards(player: int) -> c.Call:
    """The report of a hand that is out of play: too many cards after a discard (S2 1.5)."""
    return c.Report(kind=COUNT, player=player, cards=5)


def discarded(**how: Any) -> Table:
    return table(**how).say(mus(1), mus(2), mus(3), mus(4))


@each_row(
    "game, may",
    [
        (Game(), {EXPOSED: ALL, COUNT: ALL}),
        (Game().cut(), {COUNT: ALL, PEEKED: ALL}),
        (Game().cut().all_pass(2), {COUNT: ALL}),
        (Game().to_juego("no no no no").all_pass(), {COUNT: ALL}),
        # Who has bet plays on with the cards that he has.
        (Game().cut().say(envido(3)), {COUNT: (1, 2, 4), PEEKED: ALL}),
        (discarded().cut().say(five_cards(2)), {COUNT: (1, 3, 4), PEEKED: ALL}),
        # A void deal is dealt again with the same mano, and that is no mistake.
        (Game().cut().say(c.Redeal(), nueva_mano()), {EXPOSED: ALL, COUNT: ALL}),
        (each(3), {EXPOSED: (1, 2, 3), COUNT: (1, 2, 3)}),
        (Table(6).cut(), {COUNT: (1, 2, 3, 4, 5, 6), PEEKED: (1, 2, 3, 4, 5, 6)}),
    ],
)
def test_what_may_be_reported_depends_on_the_moment_and_the_player(
    game: Game, may: dict[e.Irregularity, tuple[int, ...]]
) -> None:
    assert reportable(game.state, (3, 5)) == may


def test_article_1_6_the_same_side_twice_running_may_be_reported_by_everybody() -> None:
    game = Game().to_juego("no no no no").all_pass().show("RC71", "7654", "SCR1", "7641")
    game.say(nueva_mano(3))
    assert reportable(game.state, (3, 5)) == {EXPOSED: ALL, COUNT: ALL, SAME_MANO: ALL}


@each_row(
    "counts, may",
    [((4, 5), ALL), ((5, 4), ALL), ((4,), None), ((13,), None), ((), None)],
)
def test_r51_a_number_of_cards_may_be_reported_if_one_of_the_numbers_is_wrong(
    counts: tuple[int, ...], may: tuple[int, ...] | None
) -> None:
    assert reportable(Game().state, counts).get(COUNT) == may


def test_r51_only_a_player_with_too_few_cards_may_have_his_fourth_again() -> None:
    game = discarded().cut().say(c.Report(kind=COUNT, player=3, cards=3))
    assert reportable(game.state, (4,)) == {COUNT: (3,), PEEKED: ALL}


@each_row(
    "game, players",
    [
        (table(show_is_accept=True).cut().say(ordago(1)), (2, 4)),
        (table(show_is_accept=True).cut().say(ordago(2)), (1, 3)),
        (table(show_is_accept=True).cut().say(envido(1)), None),
        (table(show_is_accept=True).cut(), None),
        (table().cut().say(ordago(1)), None),
        (discarded(show_is_accept=True).cut().say(five_cards(2), ordago(1)), (4,)),
    ],
)
def test_article_4_6_cards_in_the_deck_are_reported_only_of_who_answers_an_ordago(
    game: Game, players: tuple[int, ...] | None
) -> None:
    assert reportable(game.state, (3, 5)).get(IN_DECK) == players


def test_article_4_6_the_deck_of_a_player_without_pares_binds_the_nearest_partner() -> None:
    """A trio: Oeste has none, Este and Bruno do, and Este sits nearer to the bettor."""
    game = Table(6, show_is_accept=True).to_lance(Lance.PARES, "sí no no sí no sí")
    game.say(ordago(1), c.Report(kind=IN_DECK, player=2))
    assert game.said(e.BetAccepted) == [e.BetAccepted(4, Lance.PARES, implied=True)]
    assert game.phase is Phase.SHOWDOWN


def test_after_the_match_nothing_is_reported() -> None:
    game = Table(juegos=1).cut().say(ordago(1), quiero(2)).show("RRRR", "7654", "7654", "7654")
    assert game.phase is Phase.OVER
    assert reportable(game.state, (3, 5)) == {}
