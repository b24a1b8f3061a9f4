"""Stones: the count, the target, the órdago, juegos and the match (R20, R27-R32, R41, R60)."""

from __future__ import annotations

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import missing_hands, to_speak
from assistant.rules.errors import IllegalCall
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile, Real31
from tests.rules.listed import legal_calls
from tests.rules.play import (
    Game,
    cards,
    corto,
    envido,
    mas,
    mus,
    no_queremos,
    nueva_mano,
    ordago,
    quiero,
)
from tests.tables import each_row

# Norte wins grande, Oeste chica. Both have a pareja, and Norte's is higher. Nobody has juego.
PLAIN = ("R R 5 4", "1 1 6 7", "R C 5 4", "S 7 5 4")


def plain(game: Game) -> Game:
    """The deal PLAIN with every lance passed: grande 1 A, chica 1 B, pares 1 A, punto 1."""
    return game.to_pares("sí sí no no").all_pass().declare("no no no no").all_pass().show(*PLAIN)


def by_lance(game: Game) -> list[tuple[str, int, str, str]]:
    return [(x.side, x.stones, x.lance.value, x.why.value) for x in game.all(e.StonesWon)]


# --- R20, R30: order and values ---------------------------------------------------------------


def test_r20_passed_lances_bring_one_stone_each_and_pares_its_value_in_that_order() -> None:
    game = plain(Game())
    assert game.won() == [
        ("A", 1, "grande", "paso"),
        ("B", 1, "chica", "paso"),
        ("A", 1, "pares", "pares"),
        ("A", 1, "punto", "punto"),
    ]
    assert game.phase is Phase.COUNT
    assert game.last[-1] == e.DealCounted()


def test_r20_passed_pares_and_juego_bring_their_values_and_no_stone_more() -> None:
    game = Game().to_pares("sí sí sí no").all_pass().declare("sí sí no no").all_pass()
    game.show("R R R 1", "C C S 7", "4 4 1 1", "7 6 5 4")
    assert game.won()[2:] == [("A", 5, "pares", "pares"), ("A", 3, "juego", "juego")]


def test_r30_the_bet_of_a_lance_comes_before_its_values() -> None:
    game = Game().to_pares().say(envido(1, 4), quiero(2)).declare("sí sí sí sí")
    game.say(envido(2, 3), quiero(1))
    game.show("R R R 1", "S S S 7", "C C 7 6", "7 7 C S")
    assert game.won()[2:] == [
        ("A", 4, "pares", "bet"),
        ("A", 3, "pares", "pares"),
        ("A", 3, "juego", "bet"),
        ("A", 5, "juego", "juego"),
    ]


def test_r28_refused_pares_bring_the_deje_at_once_and_both_partners_pares_later() -> None:
    game = Game().to_pares().say(envido(1, 9), no_queremos(2))
    assert game.stones == (1, 0)
    game.declare("no no no no").all_pass()
    game.show("4 4 6 5", "R R C C", "5 5 5 1", "S S 1 1")  # side B holds the better pares
    assert [won for won in by_lance(game) if won[2] == "pares"] == [
        ("A", 1, "pares", "deje"),
        ("A", 3, "pares", "pares"),
    ]


def test_r28_refused_juego_brings_the_deje_at_once_and_both_partners_juego_later() -> None:
    game = Game().to_juego("sí sí sí no").say(envido(2, 4), mas(1, 5), no_queremos(2))
    assert game.stones == (4, 0)
    game.show("R C 7 6", "3 3 R 1", "R C S 6", "7 6 5 4")
    assert [won for won in by_lance(game) if won[2] == "juego"] == [
        ("A", 4, "juego", "deje"),
        ("A", 4, "juego", "juego"),
    ]


@each_row(
    "calls, expected",
    [
        ((), [("A", 1, "punto", "punto")]),
        ((envido(2, 3), quiero(1)), [("A", 3, "punto", "bet"), ("A", 1, "punto", "punto")]),
        (  # refused: the bettors win it, though their punto is worse
            (envido(2, 3), no_queremos(1)),
            [("B", 1, "punto", "deje"), ("B", 1, "punto", "punto")],
        ),
        (
            (envido(2, 3), mas(1, 2), no_queremos(2)),
            [("A", 3, "punto", "deje"), ("A", 1, "punto", "punto")],
        ),
    ],
)
def test_r29_punto_adds_one_stone_to_its_bet_its_deje_or_its_paso(
    calls: tuple[c.Call, ...], expected: list[tuple[str, int, str, str]]
) -> None:
    game = Game().to_juego("no no no no").say(*calls)
    if not calls:
        game.all_pass()
    game.show("R R 5 4", "1 1 6 7", "R C 5 4", "S 7 5 4")
    assert [won for won in by_lance(game) if won[2] == "punto"] == expected


def test_r31_the_punto_stone_waits_for_the_count_of_grande() -> None:
    """S2 8.2: at 38 the deje makes 39, and the other side's grande is counted before the punto."""
    game = Game(stones=(39, 38)).cut().say(envido(1), quiero(2)).all_pass()
    game.declare("no no no no").declare("no no no no").say(envido(2, 5), no_queremos(1))
    assert game.stones == (39, 39)
    game.show("R R 5 4", "1 1 6 7", "R C 5 4", "S 7 5 4")
    assert game.state.juego_won == "A"


# --- R30, R60: the target ---------------------------------------------------------------------


def test_r30_r60_at_38_38_a_wins_with_grande_and_pares_before_b_counts_juego() -> None:
    game = Game(stones=(38, 38)).to_pares("sí no no no").declare("no sí no sí")
    game.show("R R 4 4", "1 R C S", "C S 7 5", "R C S 7")
    assert game.won() == [
        ("A", 1, "grande", "paso"),
        ("B", 1, "chica", "paso"),
        ("A", 1, "pares", "pares"),  # duples are worth three, and A needed one
    ]
    assert game.stones == (40, 39)
    assert game.said(e.JuegoWon) == [e.JuegoWon("A", e.WonBy.TARGET)]
    assert game.said(e.DealCounted) == []


def test_r60_a_deje_that_reaches_the_target_ends_the_juego_at_once() -> None:
    game = Game(stones=(39, 0)).cut().say(envido(1), no_queremos(2))
    assert game.last[-2:] == (
        e.StonesWon("A", 1, Lance.GRANDE, e.Why.DEJE),
        e.JuegoWon("A", e.WonBy.TARGET),
    )
    assert (game.phase, game.state.juegos) == (Phase.COUNT, (1, 0))


@each_row("lance", [Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.JUEGO, Lance.PUNTO])
def test_r60_a_deje_that_reaches_the_target_ends_the_juego_in_every_lance(lance: Lance) -> None:
    game = at(Game(stones=(0, 39)), lance).say(envido(2), no_queremos(1))
    assert (game.state.juego_won, game.phase) == ("B", Phase.COUNT)


def test_r60_a_bet_a_las_dos_ends_with_the_juego() -> None:
    game = Game(stones=(39, 0)).cut().say(envido(1, both=True), no_queremos(2))
    assert (game.state.both, game.state.pending, game.phase) == (None, None, Phase.COUNT)
    assert game.say(corto(2)).all_pass().phase is Phase.CHICA
    assert game.state.pending is None


def test_a_side_wins_no_more_stones_than_it_needs() -> None:
    game = Game(stones=(35, 0)).cut().say(envido(1, 5), mas(2, 20), mas(1, 5), no_queremos(2))
    assert game.won() == [("A", 5, "grande", "deje")]
    assert game.stones == (40, 0)


@each_row("target", [25, 30, 35, 40])
def test_r02_the_juego_ends_at_the_target_of_the_profile(target: int) -> None:
    game = Game(Profile(target=target), stones=(target - 1, 0))
    assert game.cut().say(envido(1), no_queremos(2)).state.juego_won == "A"


def test_r27_a_deje_at_pares_wins_before_an_accepted_grande_is_counted() -> None:
    game = Game(stones=(39, 39)).cut().say(envido(1, 20), quiero(2)).all_pass().declare("sí " * 4)
    game.say(envido(2), no_queremos(1))
    assert game.state.juego_won == "B"


# --- R32: órdago ------------------------------------------------------------------------------


def at(game: Game, lance: Lance) -> Game:
    """Bring a new deal to a lance; every lance before it is passed."""
    game.cut()
    if lance is Lance.GRANDE:
        return game
    game.all_pass()
    if lance is Lance.CHICA:
        return game
    game.all_pass().declare("sí sí sí sí")
    if lance is Lance.PARES:
        return game
    return game.all_pass().declare("no no no no" if lance is Lance.PUNTO else "sí sí sí sí")


ORDAGO_HANDS = {
    # The hands, and the side that wins the lance with them.
    Lance.GRANDE: (("R C 5 4", "R R 5 4", "S 7 5 4", "1 1 1 4"), "B"),
    Lance.CHICA: (("1 C 5 4", "R R 5 4", "S 7 5 4", "1 1 1 4"), "B"),
    Lance.PARES: (("R R 5 4", "C C 5 5", "S S 5 4", "1 1 1 4"), "B"),
    Lance.JUEGO: (("R R C 7", "C C S S", "3 3 S 1", "3 S C 6"), "A"),
    Lance.PUNTO: (("R R 5 4", "C C 5 5", "R S 5 4", "1 1 1 4"), "B"),
}


@each_row("lance", list(ORDAGO_HANDS))
def test_r32_an_accepted_ordago_decides_the_juego_in_every_lance(lance: Lance) -> None:
    hands, side = ORDAGO_HANDS[lance]
    game = at(Game(stones=(20, 3)), lance).say(ordago(1), quiero(4))
    assert missing_hands(game.state)
    assert (game.stones, game.state.results[-1].stones) == ((20, 3), 0)
    game.show(*hands)
    assert game.last[-1] == e.JuegoWon(side, e.WonBy.ORDAGO)
    assert game.said(e.StonesWon) == []  # every pending bet is void
    assert game.phase is Phase.COUNT


@each_row("lance", list(ORDAGO_HANDS))
def test_r34_a_refused_ordago_pays_one_in_every_lance_and_the_deal_goes_on(lance: Lance) -> None:
    game = at(Game(), lance).say(ordago(1), no_queremos(4))
    assert game.won() == [("A", 1, lance.value, "deje")]
    assert game.state.juego_won is None


def test_r32_an_ordago_over_a_raise_decides_the_juego() -> None:
    game = Game().cut().say(envido(1), mas(2, 5), ordago(3), quiero(4))
    game.show("R R R R", "7 6 5 4", "7 6 5 4", "7 6 5 4")
    assert game.state.juegos == (1, 0)


def test_r32_the_accepting_side_wins_with_the_partners_better_cards() -> None:
    """S0: "es posible aceptar una puja que el jugador sabe que va a perder"."""
    game = Game().cut().say(ordago(1), quiero(2))
    game.show("R R R 4", "7 6 5 4", "7 6 5 4", "R 3 3 3")
    assert game.said(e.LanceDecided) == [e.LanceDecided(Lance.GRANDE, 4, "B")]
    assert game.state.juego_won == "B"


def test_r39_an_ordago_between_equal_hands_goes_to_mano() -> None:
    game = Game(mano=3).cut().say(ordago(2), quiero(1))
    game.show("R R 5 4", "R R 5 4", "3 3 5 4", "3 3 5 4")
    assert game.state.juego_won == "A"
    assert game.said(e.LanceDecided)[0].seat == 3


# --- R46: the cards the count needs -----------------------------------------------------------


def test_r46_every_hand_is_asked_for_where_grande_was_passed() -> None:
    game = Game(mano=2).to_juego("no no no no").all_pass()
    assert missing_hands(game.state) == (2, 3, 4, 1)
    assert to_speak(game.state) == 2


def test_r46_no_hand_is_asked_for_where_no_card_can_matter() -> None:
    game = Game().cut().say(envido(1), no_queremos(2), envido(1), no_queremos(2))
    game.declare("no no no no").declare("no no no no").say(envido(1), no_queremos(2))
    assert game.phase is Phase.COUNT
    assert game.stones == (4, 0)


def test_r46_only_the_hands_whose_values_are_won_are_asked_for() -> None:
    game = Game().cut().say(envido(1), no_queremos(2), envido(1), no_queremos(2))
    game.declare("sí sí no sí").say(envido(2), no_queremos(1)).declare("no sí no no")
    assert missing_hands(game.state) == (2, 4)


def test_r46_an_ordago_asks_only_for_the_hands_of_its_lance() -> None:
    game = Game().to_pares("sí no no sí").say(ordago(1), quiero(4))
    assert missing_hands(game.state) == (1, 4)


@each_row("call", [nueva_mano(), mus(1), corto(1)])
def test_r46_the_next_deal_waits_for_the_cards(call: c.Call) -> None:
    game = Game().to_juego("no no no no").all_pass()
    with pytest.raises(IllegalCall):
        game.say(call)
    assert game.phase is Phase.SHOWDOWN


def test_r46_hands_shown_after_the_count_change_no_stone() -> None:
    game = Game().cut().say(envido(1), no_queremos(2), envido(1), no_queremos(2))
    game.declare("no sí no no").declare("no no no no").say(envido(1), no_queremos(2))
    game.say(cards(2, "R R 5 4"))
    assert (game.phase, game.stones) == (Phase.COUNT, (4, 1))
    game.say(cards(1, "C C 5 4"))
    assert game.last[1:] == (e.DeclarationDisproved(1, Lance.PARES, holds=True),)
    game.say(cards(None, "7 6 5 4"))
    assert game.said(e.SeatInferred) == [e.SeatInferred(3, "turn")]
    assert (game.phase, game.stones) == (Phase.COUNT, (4, 1))


def test_r46_a_hand_that_was_counted_cannot_be_changed() -> None:
    game = plain(Game())
    with pytest.raises(IllegalCall) as caught:
        game.say(cards(1, "7 6 5 4"))
    assert caught.value.code == "not_now"


def test_r46_cards_are_shown_even_when_the_match_is_over() -> None:
    game = Game(Profile(juegos=1)).to_pares("sí no no sí").say(ordago(1), quiero(4))
    game.show("R R 5 4", "", "", "C C 5 4").say(cards(2, "7 6 5 4"))
    assert (game.phase, game.state.winner) == (Phase.OVER, "A")
    assert game.state.hands[1] is not None


def test_r46_a_wrongly_read_hand_is_shown_again_before_the_count() -> None:
    game = Game().to_juego("no no no no").all_pass().say(cards(1, "R R R R"))
    game.say(cards(1, PLAIN[0])).show(*PLAIN)
    assert game.state.hands[0] is not None
    assert game.phase is Phase.COUNT


def test_r51_cards_that_another_hand_holds_are_refused() -> None:
    game = Game().to_juego("no no no no").all_pass().say(cards(1, "Ro R 5 4"))
    with pytest.raises(IllegalCall) as caught:
        game.say(cards(2, "Ro C 5 4"))
    assert caught.value.code == "cards_wrong"


# --- R40 and R01 in the count -----------------------------------------------------------------


@each_row("real31, side", [(Real31.OFF, "A"), (Real31.SOTA, "B")])
def test_r40_the_real_wins_the_juego_of_mano_where_the_table_plays_it(
    real31: Real31, side: str
) -> None:
    game = Game(Profile(real31=real31)).to_juego("sí no no sí").all_pass()
    game.show("R R R 1", "7 6 5 4", "S 6 5 4", "7 7 7 S")
    assert game.won()[-1] == (side, 3, "juego", "juego")


@each_row("kings, side", [(8, "A"), (4, "B")])
def test_r01_a_tres_wins_grande_only_where_it_is_a_rey(kings: int, side: str) -> None:
    game = Game(Profile(kings=kings)).cut().say(ordago(1), quiero(2))
    game.show("3 C 5 4", "C C 5 4", "7 6 5 4", "7 6 5 4")
    assert game.state.juego_won == side


# --- R41: juegos and the match ----------------------------------------------------------------


def win_juego(game: Game, seat: int) -> Game:
    """Win one more juego for the side of ``seat`` by an órdago at grande."""
    game.say(corto(game.state.mano)).say(ordago(seat), quiero(seat % 4 + 1))
    best, worst = "R R R R", "7 6 5 4"
    hands = [best if n == seat else worst for n in (1, 2, 3, 4)]
    return game.show(*hands)


def test_r41_the_next_juego_starts_without_stones_and_mano_moves_on() -> None:
    game = Game(stones=(20, 3))
    win_juego(game, 1).say(nueva_mano())
    assert (game.stones, game.state.juegos, game.state.mano) == ((0, 0), (1, 0), 2)
    assert (game.phase, game.state.deal, game.state.juego_won) == (Phase.MUS, 2, None)


def test_r41_stones_stay_from_deal_to_deal_of_one_juego() -> None:
    game = plain(Game()).say(nueva_mano())
    assert game.stones == (3, 1)


@each_row("juegos", [1, 2, 3])
def test_r41_the_first_side_to_win_so_many_juegos_wins_the_match(juegos: int) -> None:
    game = Game(Profile(juegos=juegos))
    for n in range(juegos):
        assert game.state.winner is None
        win_juego(game, 2)
        assert game.state.juegos == (0, n + 1)
    assert game.last[-1] == e.MatchWon("B")
    assert (game.phase, game.state.winner) == (Phase.OVER, "B")


def test_r41_after_the_match_nothing_more_is_played() -> None:
    game = win_juego(Game(Profile(juegos=1)), 1)
    assert legal_calls(game.state) == ()
    assert to_speak(game.state) is None
    for call in (mus(1), envido(1), nueva_mano(), c.SetStones(stones=(0, 0))):
        with pytest.raises(IllegalCall) as caught:
            game.say(call)
        assert caught.value.code == "game_over"


def test_r41_juegos_are_counted_by_side_across_manos() -> None:
    game = Game()
    for seat in (1, 2, 4):
        win_juego(game, seat)
    assert game.state.juegos == (1, 2)
    assert game.state.winner is None


# --- R45 and corrected scores -------------------------------------------------------------------


def test_r45_the_count_can_be_undone_before_and_after_the_next_deal_begins() -> None:
    game = plain(Game())
    assert game.undo().phase is Phase.SHOWDOWN
    assert game.stones == (0, 0)
    game.redo().say(nueva_mano()).undo()
    assert (game.phase, game.stones) == (Phase.COUNT, (3, 1))


def test_r45_a_score_is_corrected_by_hand() -> None:
    game = Game().say(c.SetStones(stones=(12, 30)))
    assert game.stones == (12, 30)
    assert game.last == (e.StonesSet((12, 30)),)


@each_row("stones", [(), (1,), (1, 2, 3), (-1, 0), (40, 0), (0, 99)])
def test_r45_an_impossible_score_is_refused(stones: tuple[int, ...]) -> None:
    with pytest.raises(IllegalCall) as caught:
        Game().say(c.SetStones(stones=stones))
    assert caught.value.code == "score_wrong"


def test_r45_the_score_is_not_corrected_between_two_juegos() -> None:
    game = win_juego(Game(), 1)
    with pytest.raises(IllegalCall):
        game.say(c.SetStones(stones=(1, 1)))


def test_r45_a_score_corrected_in_the_middle_of_a_deal_keeps_the_deal() -> None:
    game = Game().cut().say(envido(1, 5))
    pending = game.state.pending
    game.say(c.SetStones(stones=(7, 9)))
    assert (game.state.pending, game.phase) == (pending, Phase.GRANDE)
    assert game.say(no_queremos(2)).stones == (8, 9)
