"""Denied pares, and what the articles 5.1 to 5.3 of S2 make of them (R47, R50).

The stones in each test are worked out by hand from the text of the article. Every case is told for
each way of meeting it: applied by itself (interpenas), decided by the table either way (warn), and
not looked at (off).
"""

from __future__ import annotations

from typing import Any

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import missing_hands
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Sides
from tests.rules.articles import (
    APPLY,
    BY_ARTICLE,
    MODES,
    WAIVE,
    applied,
    decide_all,
    show_all,
    table,
)
from tests.rules.listed import legal_calls
from tests.rules.play import cards, envido, mas, no_queremos, no_quiero, pares, quiero
from tests.rules.tables import Table, refused
from tests.tables import each_row

# --- 5.2, 5.3: denied pares -----------------------------------------------------------------------

LIAR = ("7 7 6 4", "5 5 6 S", "R R 1 1", "S 7 6 4")
"""Sur denies duples. Grande and chica are his (A), the punto is Este's 27 (B): 2 to 1 so far."""
WORSE = ("4 4 6 7", "5 5 6 S", "R R 1 1", "S 7 6 4")
"""The same, but the sevens of Norte are fours: the fives of Oeste are better."""
NONE = ("7 5 6 4", "5 5 6 S", "R R 1 1", "S 7 6 4")
"""The same, and Norte holds nothing."""
RAISED = (envido(2, 5), mas(1, 5), no_queremos(2))

# said, talk at pares, hands, stones by the article, stones without it
DENIALS: dict[str, tuple[str, tuple[c.Call, ...], tuple[str, ...], Any, Any]] = {
    # Norte's sevens would win a stone; instead B has the negada and the fives: 1 + 1.
    "passed": ("sí sí no no", (), LIAR, (2, 3), (3, 1)),
    # The fives win anyway: the negada comes on top ("aunque fuesen inferiores").
    "passed, rivals better": ("sí sí no no", (), WORSE, (2, 3), (2, 2)),
    # 5.2: the five that Norte won are void.
    "won": ("sí sí no no", (envido(1, 5), quiero(2)), LIAR, (2, 3), (8, 1)),
    # 5.2: "no así en el de perderlos": five and the fives.
    "lost": ("sí sí no no", (envido(1, 5), quiero(2)), WORSE, (2, 7), (2, 7)),
    # Norte accepts the five that Oeste bet, and wins them: they are denied pares all the same.
    "their bet won": ("sí sí no no", (envido(2, 5), quiero(1)), LIAR, (2, 3), (8, 1)),
    # The deje of 1 was taken at once; it goes back before the count.
    "refused": ("sí sí no no", (envido(1, 5), no_queremos(2)), LIAR, (2, 3), (4, 1)),
    "raise refused": ("sí sí no no", RAISED, LIAR, (2, 3), (8, 1)),
    # Norte says no to Oeste: B has the negada already.
    "refused to them": ("sí sí no no", (envido(2, 5), no_quiero(1)), LIAR, (2, 3), (2, 3)),
    # Sur denies and Norte has none: only B plays.
    "uncontested": ("no sí no no", (), NONE, (2, 3), (2, 2)),
    # Both partners deny: once, not twice.
    "both deny": ("no sí no no", (), LIAR, (2, 3), (2, 2)),
}


def deny(mode: str, case: str, mano: int = 1, **how: Any) -> Table:
    said, talk, hands, _with, _without = DENIALS[case]
    game = table(mode, mano=mano, **how).to_pares(said)
    game = game.say(*talk) if talk else game.all_pass() if game.phase is Phase.PARES else game
    game.declare("no no no no").all_pass()
    show_all(game, hands)
    return game


@each_row("mode", MODES)
@each_row("case", DENIALS)
def test_article_5_3_the_rivals_take_pares_and_negada(case: str, mode: str) -> None:
    by_article, without = DENIALS[case][3:]
    game = decide_all(deny(mode, case), mode)
    assert game.phase is Phase.COUNT
    assert game.stones == (by_article if mode in BY_ARTICLE else without)
    offenders = [("5.3", 1), ("5.3", 3)] if case == "both deny" else [("5.3", 3)]
    assert applied(game) == (offenders if mode in BY_ARTICLE else [])


@each_row("mano", [1, 2, 3, 4])
@each_row("case", ["passed", "won", "refused", "both deny"])
def test_article_5_3_is_the_same_for_mano_and_postre(case: str, mano: int) -> None:
    """No hand of this deal is as good as another, so mano decides nothing."""
    assert deny("interpenas", case, mano).stones == DENIALS[case][3]
    assert deny("off", case, mano).stones == DENIALS[case][4]


def test_article_5_2_the_deje_goes_back_and_the_event_says_how_much() -> None:
    game = deny("interpenas", "raise refused")
    assert game.said(e.StonesLost) == [e.StonesLost("A", 5, Lance.PARES, "5.2")]
    assert [w for w in game.won() if w[2] == "pares"] == [
        ("B", 1, "pares", "penalty"),
        ("B", 1, "pares", "pares"),
    ]


def test_article_5_2_the_deje_is_void_before_anything_is_counted() -> None:
    """A stands at 37 and took a deje by the lie: 38. Grande and chica would make it 40 first."""
    game = deny("interpenas", "refused", stones=(37, 0))
    assert (game.stones, game.state.juego_won) == ((39, 3), None)
    assert deny("off", "refused", stones=(37, 0)).state.juego_won == "A"


def test_article_5_2_takes_no_more_than_is_there() -> None:
    """The score was put right to nothing after the deje: there is none to give back."""
    game = table().to_pares("sí sí no no").say(envido(1), no_queremos(2)).declare("no no no no")
    game.all_pass().say(c.SetStones(stones=(0, 0)))
    show_all(game, LIAR)
    assert (game.stones, game.all(e.StonesLost)) == ((2, 3), [])


def test_article_5_3_waits_for_the_table_and_can_be_taken_back() -> None:
    game = deny("waived", "won")
    assert game.said(e.PenaltyProposed) == [
        e.PenaltyProposed("5.3", e.Remedy.DENIED, 3, Lance.PARES)
    ]
    assert game.said(e.DeclarationDisproved) == []  # that was told when Sur laid them down
    assert game.all(e.DeclarationDisproved) == [e.DeclarationDisproved(3, Lance.PARES, holds=True)]
    assert (game.stones, game.phase) == ((0, 0), Phase.SHOWDOWN)
    assert {APPLY, WAIVE} <= set(legal_calls(game.state))
    waiting = game.state
    game.say(APPLY)
    assert game.said(e.PenaltyApplied) == [e.PenaltyApplied("5.3", e.Remedy.DENIED, 3, Lance.PARES)]
    after = game.state
    assert (after.stones, game.undo().state, game.redo().state) == ((2, 3), waiting, after)
    game.undo().say(WAIVE)
    assert game.said(e.PenaltyWaived) == [e.PenaltyWaived("5.3", e.Remedy.DENIED, 3, Lance.PARES)]
    assert game.stones == (8, 1)
    assert game.undo().state == waiting
    assert refused(game.say(APPLY), APPLY) == "nothing_to_decide"


def test_article_5_3_is_for_who_has_pares_to_take() -> None:
    """Nobody of B holds any: the duples that Sur denied bring nothing, and that is all."""
    hands = ("7 7 6 4", "5 4 6 S", "R R 1 1", "S 7 6 4")
    for mode in ("interpenas", "waived", "off"):
        game = table(mode).to_pares("sí no no no").declare("no no no no").all_pass()
        show_all(game, hands)
        assert (game.stones, applied(game)) == ((3, 1), [])


def test_article_5_3_two_sides_that_lie_are_quits() -> None:
    """Sur and Este deny: the sevens of Norte beat the fives of Oeste as if nothing had been."""
    hands = ("7 7 6 4", "5 5 6 S", "R R 1 1", "6 6 7 S")
    game = table().to_pares("sí sí no no").all_pass().declare("no no no no").all_pass()
    show_all(game, hands)
    assert applied(game) == [("5.3", 3), ("5.3", 4)]
    assert game.stones == (3, 1)  # grande, chica, a pareja; Este's 29


def test_article_5_3_the_table_may_forgive_one_of_two_sides() -> None:
    hands = ("7 7 6 4", "5 5 6 S", "R R 1 1", "6 6 7 S")
    game = table("waived").to_pares("sí sí no no").all_pass().declare("no no no no").all_pass()
    show_all(game, hands)
    assert [p.seat for p in game.state.proposals] == [3, 4]
    game.say(APPLY, WAIVE)
    assert game.stones == (2, 3)  # Sur alone is punished: negada and the fives


def test_article_5_3_the_rivals_values_are_asked_for_though_the_bet_was_the_offenders() -> None:
    """Norte's bet is refused, so nobody needs the hands of B at pares; the article does.

    Grande, chica and punto are refused to A too: 1 + 1 + 1, and the deje of pares goes back.
    B takes the negada, the fives of Oeste and the duples of Este: 1 + 1 + 3. The punto: 1 for A.
    """
    game = table().cut()
    for _ in range(2):
        game.say(envido(1), no_queremos(2))
    game.declare("sí sí no sí").say(envido(1), no_queremos(2)).declare("no no no no")
    game.say(envido(1), no_queremos(2))
    assert (game.stones, missing_hands(game.state)) == ((4, 0), (1,))
    game.say(cards(3, "R R 1 1"), cards(2, "5 5 6 S"), cards(1, "7 7 6 4"))
    assert applied(game) == [("5.3", 3)]
    assert missing_hands(game.state) == (4,)
    game.say(cards(4, "C C 4 4"))
    assert game.stones == (3 + 1, 1 + 1 + 3)


def test_article_5_3_stops_at_the_target() -> None:
    """B stands at 38: the negada and one of the duples' stones, and the juego is over."""
    hands = ("7 7 6 4", "5 5 4 4", "R R 1 1", "S 7 6 4")
    game = table(stones=(0, 38)).to_pares("sí sí no no").all_pass().declare("no no no no")
    show_all(game.all_pass(), hands)
    assert (game.stones, game.state.juego_won) == ((2, 40), "B")
    assert [w[1:] for w in game.won() if w[0] == "B"] == [
        (1, "pares", "penalty"),
        (1, "pares", "pares"),
    ]


def test_article_5_3_with_trios_all_the_pares_of_the_rivals_are_taken() -> None:
    """Seat 3 denies medias; 1 and 5 hold pareja, 2 and 6 too: B has the negada and 1 + 1."""
    hands = ("7 7 6 4", "5 5 6 S", "R R R 1", "S 7 C 4", "C C 4 5", "6 6 4 2")
    for mode, stones in (("interpenas", 3), ("off", 0)):
        game = table(mode, players=6).to_pares("sí sí no no sí sí").all_pass()
        game.declare("no no no no no no").all_pass()
        show_all(game, hands)
        assert sum(w[1] for w in game.won() if w[:3:2] == ("B", "pares")) == stones


def test_article_5_3_each_for_himself_the_best_rival_takes_it() -> None:
    """Of three, 3 denies: 1 has the sevens and 2 the fives; negada and pareja are for 1."""
    game = table(players=3, sides=Sides.EACH).to_pares("sí sí no").all_pass()
    game.declare("no no no").all_pass()
    show_all(game, LIAR)
    assert [w for w in game.won() if w[2] == "pares"] == [
        ("A", 1, "pares", "penalty"),
        ("A", 1, "pares", "pares"),
    ]


def test_article_5_3_after_a_claim_by_the_rivals_the_negada_comes_on_top() -> None:
    game = table().to_pares("sí sí no no").all_pass().declare("no no no no").all_pass()
    game.say(c.ClaimLance(lance=Lance.PARES, side="B", values=(1,)))
    show_all(game, LIAR)
    assert game.stones == (2, 3)


def test_article_5_3_asks_for_no_hand_whose_pares_were_agreed_on() -> None:
    """B claimed pareja and duples, and nobody needs to see the duples of Este: 1 + 1 + 3."""
    game = table().to_pares("sí sí no sí").all_pass().declare("no no no no").all_pass()
    for lance, side in ((Lance.GRANDE, "A"), (Lance.CHICA, "A"), (Lance.PUNTO, "B")):
        game.say(c.ClaimLance(lance=lance, side=side))
    game.say(cards(2, "5 5 6 S"), c.ClaimLance(lance=Lance.PARES, side="B", values=(1, 3)))
    assert (game.phase, game.stones) == (Phase.COUNT, (2, 5))
    game.say(cards(3, "R R 1 1"))
    assert (game.phase, game.stones, applied(game)) == (Phase.COUNT, (2, 6), [("5.3", 3)])


def test_article_5_3_undoes_what_was_claimed_for_the_offenders() -> None:
    """Everything is agreed on, and then Sur turns over the duples that he denied."""
    game = table().to_pares("sí sí no no").all_pass().declare("no no no no").all_pass()
    for lance, side in ((Lance.GRANDE, "A"), (Lance.CHICA, "A"), (Lance.PUNTO, "B")):
        game.say(c.ClaimLance(lance=lance, side=side))
    game.say(cards(2, "5 5 6 S"), c.ClaimLance(lance=Lance.PARES, side="A", values=(1,)))
    assert (game.phase, game.stones) == (Phase.COUNT, (3, 1))
    game.say(cards(3, "R R 1 1"))
    assert game.said(e.CountReopened)
    assert game.stones == (2, 3)


# --- a hand that is shown after the count ---------------------------------------------------------

LATE = ("R C 5 4", "5 5 6 S", "7 7 6 4", "S 7 6 4")
"""Grande is Norte's, whatever Sur has; chica and punto were refused to A; only Oeste has pares."""


def count_without_sur(mode: str, **how: Any) -> Table:
    game = table(mode, **how).cut().all_pass().say(envido(1), no_queremos(2))
    game.declare("no sí no no").declare("no no no no").say(envido(1), no_queremos(2))
    game.say(*(cards(seat, LATE[seat - 1]) for seat in (1, 2, 4)))
    return game


@each_row("mode", MODES)
def test_r47_a_denial_that_shows_after_the_count_has_it_counted_again(mode: str) -> None:
    """Two dejes, grande and punto for A, a pareja for B; with the negada two."""
    game = count_without_sur(mode)
    assert (game.phase, game.stones) == (Phase.COUNT, (4, 1))
    game.say(cards(3, LATE[2]))
    assert game.said(e.DeclarationDisproved)
    assert bool(game.said(e.CountReopened)) is (mode != "off")
    if mode in ("applied", "waived"):
        assert game.stones == (2, 0)
    decide_all(game, mode)
    assert game.stones == ((4, 2) if mode in BY_ARTICLE else (4, 1))
    before = game.state
    assert game.undo().redo().state == before


@each_row("juegos", [1, 3])
def test_r47_a_denial_that_shows_late_takes_the_juego_and_the_match_back(juegos: int) -> None:
    """A has 36 + 2 dejes + grande, B 38 + 1: the punto wins it for A. With the negada B is first.

    The count goes by lances: pares, and B's fortieth stone, before the punto.
    """
    game = count_without_sur("interpenas", stones=(36, 38), juegos=juegos)
    assert (game.state.juego_won, game.stones) == ("A", (40, 39))
    assert (game.phase is Phase.OVER) is (juegos == 1)
    game.say(cards(3, LATE[2]))
    assert (game.state.juego_won, game.stones) == ("B", (39, 40))
    assert game.state.juegos == (0, 1)
    assert game.state.winner == ("B" if juegos == 1 else None)
    assert game.undo().state.juegos == (1, 0)


def test_r47_a_late_denial_after_a_match_waits_for_the_table() -> None:
    game = count_without_sur("waived", stones=(36, 38), juegos=1).say(cards(3, LATE[2]))
    assert (game.phase, game.state.winner, game.stones) == (Phase.SHOWDOWN, None, (38, 38))
    assert game.say(WAIVE).state.winner == "A"
    assert game.undo().say(APPLY).state.winner == "B"


def test_r47_a_juego_that_a_deje_won_stays_won() -> None:
    """S2 does not open again what the pile has: the table is warned, and can take it back."""
    game = table(stones=(39, 0)).to_pares("sí sí no no").say(envido(1), no_queremos(2))
    assert game.state.juego_won == "A"
    game.say(cards(3, "R R 1 1"))
    assert game.said(e.DeclarationDisproved) == [e.DeclarationDisproved(3, Lance.PARES, True)]
    assert (game.said(e.CountReopened), game.state.juego_won) == ([], "A")


# --- 5.1: a denial put right at once --------------------------------------------------------------


@each_row("mode", ["interpenas", "waived", "off"])
def test_article_5_1_who_puts_a_denial_right_sings_and_may_bet(mode: str) -> None:
    game = table(mode).cut().all_pass(2).say(pares(1, False), pares(2), pares(1))
    sung = [e.PenaltyApplied("5.1", e.Remedy.SING, 1, Lance.PARES)]
    assert game.said(e.PenaltyApplied) == (sung if mode == "interpenas" else [])
    game.say(pares(3, False), pares(4, False), envido(1, 5), quiero(2)).declare("no no no no")
    # Grande to the sota, chica to the 4 4 (Norte), punto to Este's 27; five and the sevens.
    show_all(game.all_pass(), ("7 7 6 4", "5 5 6 S", "7 6 5 4", "S 7 6 4"))
    assert applied(game) == [("5.1", 1)] * (mode == "interpenas")
    assert [w for w in game.won() if w[2] == "pares"] == [
        ("A", 5, "pares", "bet"),
        ("A", 1, "pares", "pares"),
    ]


def test_article_5_1_the_other_way_nothing_is_to_be_sung() -> None:
    game = table().cut().all_pass(2).say(pares(1), pares(1, False))
    assert (game.last, game.state.pares[0]) == ((e.Declared(1, Lance.PARES, False),), False)
