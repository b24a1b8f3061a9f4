"""What the cards prove against what was said, and what the articles of S2 make of it (R47-R53).

The stones in each test are worked out by hand from the text of the article; ``tests/rules/play``
plays the deal, and every case is told thrice: applied by itself (interpenas), decided by the table
(warn), and not looked at (off).
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import legal_calls, missing_hands
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Penalty, Sides
from tests.rules.play import (
    cards,
    envido,
    juego,
    mas,
    no_queremos,
    no_quiero,
    nueva_mano,
    ordago,
    pares,
    quiero,
)
from tests.rules.tables import Table, refused

APPLY, WAIVE = c.Verdict(apply=True), c.Verdict(apply=False)
MODES = ("interpenas", "applied", "waived", "off")
"""How a table meets an article: by itself, by its verdict either way, or not at all."""


def table(mode: str = "interpenas", **how: Any) -> Table:
    return Table(penalty=PENALTIES[mode], **how)


PENALTIES = {
    "interpenas": Penalty.INTERPENAS,
    "applied": Penalty.WARN,
    "waived": Penalty.WARN,
    "off": Penalty.OFF,
}


def show_all(game: Table, hands: tuple[str, ...]) -> Table:
    """Everybody lays his cards open, from mano, until the deal is counted."""
    for seat in game.state.order():
        if game.phase is Phase.SHOWDOWN and game.state.hands[seat - 1] is None:
            game.say(cards(seat, hands[seat - 1]))
    return game


def decide_all(game: Table, mode: str) -> Table:
    """The table decides whatever is proposed; until then nothing is counted."""
    while game.state.proposals:
        assert mode in ("applied", "waived")
        assert game.phase is Phase.SHOWDOWN
        assert refused(game, nueva_mano()) == "decide_first"
        game.say(APPLY if mode == "applied" else WAIVE)
    return game


def applied(game: Table) -> list[tuple[str, int | None]]:
    """The articles applied so far, each with its offender."""
    return [(x.article, x.seat) for x in game.all(e.PenaltyApplied)]


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


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", DENIALS)
def test_article_5_3_the_rivals_take_pares_and_negada(case: str, mode: str) -> None:
    by_article, without = DENIALS[case][3:]
    game = decide_all(deny(mode, case), mode)
    assert game.phase is Phase.COUNT
    assert game.stones == (by_article if mode in ("interpenas", "applied") else without)
    offenders = [("5.3", 1), ("5.3", 3)] if case == "both deny" else [("5.3", 3)]
    assert applied(game) == (offenders if mode in ("interpenas", "applied") else [])


@pytest.mark.parametrize("mano", [1, 2, 3, 4])
@pytest.mark.parametrize("case", ["passed", "won", "refused", "both deny"])
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


@pytest.mark.parametrize("mode", MODES)
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
    assert game.stones == ((4, 2) if mode in ("interpenas", "applied") else (4, 1))
    before = game.state
    assert game.undo().redo().state == before


@pytest.mark.parametrize("juegos", [1, 3])
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


@pytest.mark.parametrize("mode", ["interpenas", "waived", "off"])
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


# --- 5.4: who holds none does not answer ----------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_article_5_4_who_holds_none_neither_wants_nor_refuses(mode: str) -> None:
    game = table(mode).to_pares("sí sí no no").say(envido(1))
    for call in (quiero(4), no_quiero(4), no_queremos(4)):
        assert refused(game, call) == "no_pares"
    game.say(no_queremos(2)).declare("sí sí no no").say(envido(2))
    for call in (quiero(3), no_queremos(3)):
        assert refused(game, call) == "no_juego"


# --- 5.5: órdago at pares by one who has none -----------------------------------------------------

REST = ("7 6 4 2", "S 7 6 4")


def false_ordago(mode: str, mano: int, one: str, four: str = REST[1], **how: Any) -> Table:
    """Norte says órdago at pares with nothing, and the fives of Oeste want it."""
    game = table(mode, mano=mano, **how).to_pares("sí sí no no").say(ordago(1), quiero(2))
    show_all(game, (one, "5 5 6 S", REST[0], four))
    return game


@pytest.mark.parametrize(
    ("mano", "one", "four", "stones"),
    [
        # 31 alone, on mano's side: grande, chica (Sur's 1 4), negada and three.
        (1, "R C S 1", REST[1], (1 + 1 + 1 + 3, 0)),
        (3, "R C S 1", REST[1], (1 + 1 + 1 + 3, 0)),
        # As postre the negada is for the others; they have no juego of their own to add.
        (2, "R C S 1", REST[1], (1 + 1, 1)),
        # Este has 31 too: grande is the mano's of the two, and B takes negada and three.
        (2, "R C S 1", "R C S 2", (1, 1 + 1 + 3)),
        # Both have 31; Norte's side is mano by Sur, but Este sits nearer: it is B's.
        (3, "R C S 1", "R C S 2", (1, 1 + 1 + 3)),
        # 32 is no 31: it is counted in paso, by whoever has it.
        (1, "R C 7 5", REST[1], (1 + 1 + 2, 0)),
        (2, "R C 7 5", REST[1], (1 + 1 + 2, 0)),
        # 30 at punto: negada and punto as mano, and for the others as postre.
        (1, "R C 6 4", REST[1], (1 + 1 + 1 + 1, 0)),
        (2, "R C 6 4", REST[1], (1 + 1, 1 + 1)),
        # 29 at punto: in paso.
        (2, "R C 5 4", REST[1], (1 + 1 + 1, 0)),
    ],
)
@pytest.mark.parametrize("mode", ["interpenas", "applied"])
def test_article_5_5_pares_are_void_and_the_last_lance_is_closed_by_the_cards(
    mode: str, mano: int, one: str, four: str, stones: tuple[int, int]
) -> None:
    game = false_ordago(mode, mano, one, four)
    if mode == "applied":
        assert (game.phase, game.stones) == (Phase.SHOWDOWN, (0, 0))
        show_all(decide_all(game, mode), (one, "5 5 6 S", REST[0], four))
    assert applied(game) == [("5.5", 1)]
    assert (game.phase, game.stones, game.state.juego_won) == (Phase.COUNT, stones, None)
    result = game.state.result(Lance.PARES)
    assert result is not None
    assert result.how is e.How.VOID


@pytest.mark.parametrize("mode", ["waived", "off"])
def test_article_5_5_without_it_the_pares_that_are_there_win_the_juego(mode: str) -> None:
    assert decide_all(false_ordago(mode, 1, "R C S 1"), mode).state.juego_won == "B"


def test_article_5_5_the_other_hands_are_asked_for_once_the_ordago_is_void() -> None:
    game = table().to_pares("sí sí no no").say(ordago(1), quiero(2))
    game.say(cards(1, "R C S 1"))
    assert missing_hands(game.state) == (2,)
    game.say(cards(2, "5 5 6 S"))
    assert (game.phase, missing_hands(game.state)) == (Phase.SHOWDOWN, (3, 4))
    game.say(cards(3, REST[0]), cards(4, REST[1]))
    assert game.said(e.Declared) == [
        e.Declared(seat, Lance.JUEGO, seat == 1, implied=True) for seat in (1, 2, 3, 4)
    ]
    assert game.undo().undo().redo().redo().stones == (6, 0)


def test_article_5_5_a_denial_beside_it_has_no_pares_left_to_take() -> None:
    game = table().to_pares("sí sí no no").say(ordago(1), quiero(2))
    show_all(game, ("R C S 1", "5 5 6 S", "7 7 4 2", "S 7 6 4"))  # Sur denied sevens
    assert applied(game) == [("5.5", 1)]
    assert game.phase is Phase.COUNT


def test_article_5_5_who_does_hold_pares_wins_or_loses_the_juego() -> None:
    game = table().to_pares("sí sí no no").say(ordago(1), quiero(2))
    game.say(cards(1, "R R S 1"), cards(2, "5 5 6 S"))
    assert (applied(game), game.state.juego_won) == ([], "A")


def test_article_5_5_the_bettor_shows_though_his_partner_won_the_ordago() -> None:
    """Sur's kings win the órdago of Norte, who had said pares and has none."""
    game = table(juegos=1).to_pares("sí sí sí no").say(ordago(1), quiero(2))
    game.say(cards(3, "R R 7 1"), cards(2, "5 5 6 S"))
    assert missing_hands(game.state) == (1,)
    game.say(cards(1, "R C S 1"))
    assert (applied(game), game.state.winner) == ([("5.5", 1)], None)
    assert missing_hands(game.state) == (4,)
    game.say(cards(4, "S 7 6 4"))
    # Grande is Sur's R R, chica too (as, then 7: Norte's as, then 10); 31 of mano 1 + 3.
    assert game.stones == (1 + 1 + 1 + 3, 0)


# --- 5.6, 7.2: what was said wrong, and a bet at juego or punto -----------------------------------


def juego_after_pares(
    mode: str, said: str, *talk: c.Call, holds: str = "sí sí no no", mano: int = 1
) -> Table:
    game = table(mode, mano=mano).to_pares(said).declare(holds)
    game.say(*talk)
    return game


TWO_31 = ("R C S 1", "R C S 1", "7 6 4 2", "S 7 6 4")
CALLS_IT = (ordago(1), quiero(2))


@pytest.mark.parametrize("mode", MODES)
def test_article_5_6_a_juego_won_behind_a_false_declaration_is_negada_and_value(mode: str) -> None:
    """Norte said pares without; his 31 of mano wins the órdago. Grande 1, chica 1, 1 + 3."""
    game = juego_after_pares(mode, "sí no no no", *CALLS_IT)
    decide_all(show_all(game, TWO_31), mode)
    if mode in ("interpenas", "applied"):
        show_all(game, TWO_31)
        assert (applied(game), game.stones) == ([("5.6", 1)], (6, 0))
        assert ("A", 1, "juego", "penalty") in game.won() or mode == "applied"
        assert game.state.juego_won is None
    else:
        assert game.state.juego_won == "A"


def test_article_5_6_also_where_the_partner_said_it_wrong_or_denied() -> None:
    """ "Él o su compañero", "o viceversa": Sur denied sevens, and Norte says órdago."""
    hands = ("R C S 1", "R C S 1", "7 7 4 2", "S 7 6 4")
    game = show_all(juego_after_pares("interpenas", "no no no no", *CALLS_IT), hands)
    assert (game.stones, game.state.juego_won) == ((0, 0), "A")  # the two who played showed theirs
    game.say(cards(3, hands[2]), cards(4, hands[3]))
    assert applied(game) == [("5.6", 3)]
    assert game.stones == (1 + 1 + 1 + 3, 0)  # no juego; the denied sevens bring nothing


@pytest.mark.parametrize(
    ("hands", "said", "talk", "holds", "won"),
    [
        # 32 to 40: "total validez" (32 before 37).
        (("R C 7 5", "R C S 7", *REST), "sí no no no", CALLS_IT, "sí sí no no", "A"),
        # The liar loses: the juego is the others'.
        (("R C S 7", "R C S 1", *REST), "sí no no no", CALLS_IT, "sí sí no no", "B"),
        # It was the others who said órdago.
        (TWO_31, "sí no no no", (ordago(2), quiero(1)), "sí sí no no", "A"),
        # Everybody told the truth.
        (TWO_31, "no no no no", CALLS_IT, "sí sí no no", "A"),
        # The lie is the loser's.
        (TWO_31, "no sí no no", CALLS_IT, "sí sí no no", "A"),
    ],
)
def test_article_5_6_elsewhere_the_ordago_is_good(
    hands: tuple[str, ...], said: str, talk: tuple[c.Call, ...], holds: str, won: str
) -> None:
    game = show_all(juego_after_pares("interpenas", said, *talk, holds=holds), hands)
    assert (applied(game), game.state.juego_won) == ([], won)


def test_article_5_6_a_bet_that_is_no_ordago_is_paid_whole() -> None:
    game = juego_after_pares("interpenas", "sí no no no", envido(1, 5), quiero(2))
    show_all(game, TWO_31)
    assert (applied(game), game.stones) == ([], (1 + 1 + 5 + 3, 0))


def test_article_5_6_lo_mismo_sucede_en_la_jugada_de_punto() -> None:
    """28 wins the órdago at punto: negada and punto, with grande and chica."""
    hands = ("S 7 6 5", "S 7 6 4", "7 6 4 2", "7 6 5 4")
    game = juego_after_pares("interpenas", "sí no no no", *CALLS_IT, holds="no no no no")
    show_all(game, hands)
    assert (applied(game), game.stones) == ([("5.6", 1)], (1 + 1 + 1 + 1, 0))


def corrected_juego(mode: str, first: bool, *, mano: int = 1, others: str = "sí no no") -> Table:
    """Norte says juego one way and then the other; the rest say theirs; he bets five."""
    game = table(mode, mano=mano).to_pares("no no no no")
    game.say(juego(1, first), juego(1, not first))
    for seat, word in zip((2, 3, 4), others.split(), strict=True):
        game.say(juego(seat, word == "sí"))
    game.say(envido(1, 5), quiero(2))
    return game


@pytest.mark.parametrize("mode", MODES)
def test_article_7_2_juego_no_then_si_with_31_of_mano_wins_no_bet(mode: str) -> None:
    game = decide_all(show_all(corrected_juego(mode, first=False), TWO_31), mode)
    limited = mode in ("interpenas", "applied")
    assert game.stones == (1 + 1 + (1 if limited else 5) + 3, 0)
    assert applied(game) == ([("7.2", 1)] if limited else [])


@pytest.mark.parametrize(
    ("mano", "hands", "stones"),
    [
        # 32 of mano: nothing is said of it.
        (1, ("R C 7 5", "R C S 7", *REST), (1 + 5 + 2, 1)),
        # 31, but not of mano.
        (2, ("R C S 1", "R C S 7", *REST), (1 + 5 + 3, 1)),
        # It was lost: "no así en el de perderlos".
        (2, TWO_31, (1, 1 + 5 + 3)),
    ],
)
def test_article_7_2_is_for_31_of_mano_that_wins(
    mano: int, hands: tuple[str, ...], stones: tuple[int, int]
) -> None:
    game = show_all(corrected_juego("interpenas", first=False, mano=mano), hands)
    assert (applied(game), sum(game.stones)) == ([], sum(stones))


@pytest.mark.parametrize(("one", "bet"), [("R C 6 4", 1), ("R C 5 4", 5)])
def test_article_5_6_juego_si_then_no_with_30_wins_no_bet(one: str, bet: int) -> None:
    """Grande 1 and chica (Sur) 1; thirty takes negada and punto, 29 the bet and the punto."""
    game = corrected_juego("interpenas", first=True, others="no no no")
    show_all(game, (one, "5 6 7 S", "7 6 4 2", "S 7 6 4"))
    assert game.stones == (1 + 1 + bet + 1, 0)
    assert applied(game) == ([("5.6", 1)] if bet == 1 else [])


def test_r49_a_juego_that_was_denied_is_for_the_table_even_under_interpenas() -> None:
    """No article says so; by analogy with 5.3 Oeste may take negada and two. Grande, chica: A."""
    hands = ("R C S 1", "R C 7 6", "S 7 6 4", "S 7 6 4")
    for verdict, stones in ((APPLY, (2, 3)), (WAIVE, (2, 2))):
        game = table().to_pares("no no no no").declare("no sí no no")
        show_all(game, hands)
        assert [(p.article, p.seat, p.lance) for p in game.state.proposals] == [
            ("5.3", 1, Lance.JUEGO)
        ]
        assert game.say(verdict).stones == stones


# --- 4.7: looking again ---------------------------------------------------------------------------

PEEK = c.Report(kind=e.Irregularity.PEEKED, player=1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("bettor", [1, 3])
def test_article_4_7_who_looks_and_bets_wins_the_negada(mode: str, bettor: int) -> None:
    """Five at grande, accepted; it brings one. Chica 1 (Sur), punto 1 (Norte's 29)."""
    game = table(mode).cut().say(PEEK, envido(bettor, 5), quiero(2)).all_pass()
    game.declare("no no no no").declare("no no no no").all_pass()
    decide_all(show_all(game, ("R C 5 4", "S 7 6 4", "7 6 4 2", "C 7 6 4")), mode)
    limited = mode in ("interpenas", "applied")
    assert game.stones == ((1 if limited else 5) + 1 + 1, 0)
    assert applied(game) == ([("4.7", 1)] if limited else [])


@pytest.mark.parametrize(
    ("talk", "stones"),
    [
        ((PEEK, envido(2, 5), quiero(1)), (5 + 1 + 1, 0)),  # he looked to accept
        ((envido(1, 5), quiero(2), PEEK), (5 + 1 + 1, 0)),  # he looked at chica
        ((PEEK, envido(1, 5), no_queremos(2)), (1 + 1 + 1, 0)),
    ],
)
def test_article_4_7_is_for_who_bets_in_that_lance(
    talk: tuple[c.Call, ...], stones: tuple[int, int]
) -> None:
    game = table().cut().say(*talk).all_pass()
    game.declare("no no no no").declare("no no no no").all_pass()
    show_all(game, ("R C 5 4", "S 7 6 4", "7 6 4 2", "C 7 6 4"))
    assert (applied(game), game.stones) == ([], stones)


def test_article_4_7_a_bet_that_is_lost_is_lost() -> None:
    game = table().cut().say(PEEK, envido(1, 5), quiero(2)).all_pass()
    game.declare("no no no no").declare("no no no no").all_pass()
    show_all(game, ("C 7 6 4", "R C 5 4", "7 6 4 2", "S 7 6 4"))
    assert (applied(game), game.stones) == ([], (1, 5 + 1))


def test_article_4_7_an_ordago_at_grande_is_undone_and_the_rest_closed_by_the_cards() -> None:
    """Negada at grande; chica (Sur) 1; Oeste's fives, alone, 1; Norte's 31, alone, 3."""
    hands = ("R C S 1", "5 5 6 S", "7 6 4 2", "S 7 6 4")
    game = show_all(table().cut().say(PEEK, ordago(1), quiero(2)), hands)
    assert applied(game) == [("4.7", 1)]
    assert [(r.lance, r.how) for r in game.state.results] == [
        (Lance.GRANDE, e.How.ACCEPTED),
        (Lance.CHICA, e.How.PASSED),
        (Lance.PARES, e.How.UNCONTESTED),
        (Lance.JUEGO, e.How.UNCONTESTED),
    ]
    assert (game.stones, game.state.juego_won) == ((1 + 1 + 3, 1), None)


def test_article_4_7_forgiven_leaves_the_next_article_that_fits() -> None:
    """Norte looked and said pares without: 4.7 is waived, and then 5.6 comes up."""
    game = table("waived").to_pares("sí no no no").declare("sí sí no no")
    game.say(PEEK, *CALLS_IT)
    show_all(game, TWO_31)
    assert [p.article for p in game.state.proposals] == ["4.7"]
    game.say(WAIVE)
    assert [p.article for p in game.state.proposals] == ["5.6"]
    game.say(APPLY)
    show_all(game, TWO_31)
    assert (applied(game), game.stones) == ([("5.6", 1)], (6, 0))


# --- 4.8: a quiero that cannot win ----------------------------------------------------------------

ACES = ("R R 6 4", "S 7 6 4", "C 7 6 4", "1 2 6 S")


def aces(mode: str, *talk: c.Call, said: str = "sí no no sí", mano: int = 1) -> Table:
    return table(mode, mano=mano).to_pares(said).say(*talk)


@pytest.mark.parametrize("mode", MODES)
def test_article_4_8_two_aces_of_postre_cannot_want_an_ordago(mode: str) -> None:
    """As if refused: deje 1 and the kings 1; grande 1; chica B; the punto Sur's 27... of mano.

    Norte R R 6 4 has 30: punto A.
    """
    game = decide_all(show_all(aces(mode, ordago(1), quiero(4)), ACES), mode)
    if mode in ("interpenas", "applied"):
        show_all(game, ACES)
        assert (applied(game), game.stones) == ([("4.8", 4)], (1 + 1 + 1 + 1, 1))
        assert game.state.juego_won is None
    else:
        assert game.state.juego_won == "A"


def test_article_4_8_the_deje_is_what_stood_before_the_ordago() -> None:
    game = show_all(aces("interpenas", envido(4, 5), ordago(1), quiero(4)), ACES)
    assert (applied(game), game.stones) == ([("4.8", 4)], (1 + 5 + 1 + 1, 1))
    assert ("A", 5, "pares", "deje") in game.won()


def test_article_4_8_a_quiero_of_stones_is_good() -> None:
    game = aces("interpenas", envido(1, 5), quiero(4)).declare("no no no no").all_pass()
    show_all(game, ACES)
    assert (applied(game), game.stones) == ([], (1 + 5 + 1 + 1, 1))


@pytest.mark.parametrize(
    ("mano", "said", "hands"),
    [
        (4, "sí no no sí", ACES),  # the aces are of mano
        (1, "sí sí no sí", ("R R 6 4", "5 5 6 S", "C 7 6 4", "1 2 7 S")),  # a partner holds
        (1, "sí no no sí", ("R R 6 4", "S 7 6 4", "C 7 6 4", "5 5 6 S")),  # fives could win
        (1, "sí no no sí", ("R R 6 4", "S 7 6 4", "C 7 6 4", "1 2 1 S")),  # medias
    ],
)
def test_article_4_8_is_for_what_cannot_win(mano: int, said: str, hands: tuple[str, ...]) -> None:
    game = show_all(aces("interpenas", ordago(1), quiero(4), said=said, mano=mano), hands)
    assert applied(game) == []
    assert game.state.juego_won is not None


def test_article_4_8_33_at_juego_likewise() -> None:
    """As if refused: deje 1, value 3; grande and chica are in paso, Norte's and Sur's."""
    hands = ("R C S 1", "7 6 4 5", "7 6 4 2", "S C 7 6")
    game = table().to_juego("sí no no sí").say(ordago(1), quiero(4))
    show_all(game, hands)
    assert (applied(game), game.stones) == ([("4.8", 4)], (1 + 1 + 1 + 3, 0))
    game = table().to_juego("sí no no sí").say(ordago(1), quiero(4))
    show_all(game, (*hands[:3], "S C 7 7"))  # 34 is no 33
    assert (applied(game), game.state.juego_won) == ([], "A")
