"""Denied pares and articles 5.1 to 5.3 of S2 (R47, R50).

The stones in each test are worked out by hand from the text of the article. Every case is played
under each penalty rule: applied at once (interpenas), applied or waived by the table (warn), and
ignored (off).
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import missing_hands
from assistant.rules.errors import ProfileError
from assistant.rules.penalties import number_cited
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Articles, Penalty, Profile, Sides
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
"""Sur denies duples. A wins grande and chica, B punto with Este's 27: 2 to 1 so far."""
WORSE = ("4 4 6 7", "5 5 6 S", "R R 1 1", "S 7 6 4")
"""The same with fours in place of Norte's sevens, so that Oeste's fives are better."""
NONE = ("7 5 6 4", "5 5 6 S", "R R 1 1", "S 7 6 4")
"""The same with no pares for Norte."""
RAISED = (envido(2, 5), mas(1, 5), no_queremos(2))

# what is declared, the calls at pares, hands, stones with the article, stones without it
DENIALS: dict[str, tuple[str, tuple[c.Call, ...], tuple[str, ...], Any, Any]] = {
    # Norte's sevens would win a stone. Instead B has the negada and the fives: 1 + 1.
    "passed": ("sí sí no no", (), LIAR, (2, 3), (3, 1)),
    # The fives win anyway, and the negada is added ("aunque fuesen inferiores").
    "passed, rivals better": ("sí sí no no", (), WORSE, (2, 3), (2, 2)),
    # 5.2: the five stones that Norte won are void.
    "won": ("sí sí no no", (envido(1, 5), quiero(2)), LIAR, (2, 3), (8, 1)),
    # 5.2: "no así en el de perderlos". B wins the five and the fives' pareja.
    "lost": ("sí sí no no", (envido(1, 5), quiero(2)), WORSE, (2, 7), (2, 7)),
    # Norte accepts Oeste's bet of five and wins it. His side denied pares, so it is void.
    "their bet won": ("sí sí no no", (envido(2, 5), quiero(1)), LIAR, (2, 3), (8, 1)),
    # The deje of 1 was taken at once. It goes back before the count.
    "refused": ("sí sí no no", (envido(1, 5), no_queremos(2)), LIAR, (2, 3), (4, 1)),
    "raise refused": ("sí sí no no", RAISED, LIAR, (2, 3), (8, 1)),
    # Norte refuses Oeste's bet, so B has the negada already.
    "refused to them": ("sí sí no no", (envido(2, 5), no_quiero(1)), LIAR, (2, 3), (2, 3)),
    # Sur denies and Norte has none, so only B plays.
    "uncontested": ("no sí no no", (), NONE, (2, 3), (2, 2)),
    # Both partners deny. They are punished once, not twice.
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
def test_article_5_3_the_rivals_win_their_pares_and_the_negada(case: str, mode: str) -> None:
    by_article, without = DENIALS[case][3:]
    game = decide_all(deny(mode, case), mode)
    assert game.phase is Phase.COUNT
    assert game.stones == (by_article if mode in BY_ARTICLE else without)
    offenders = [("5.3", 1), ("5.3", 3)] if case == "both deny" else [("5.3", 3)]
    assert applied(game) == (offenders if mode in BY_ARTICLE else [])


@each_row("mano", [1, 2, 3, 4])
@each_row("case", ["passed", "won", "refused", "both deny"])
def test_article_5_3_is_the_same_for_mano_and_postre(case: str, mano: int) -> None:
    """No two hands of this deal are equally good, so mano decides nothing."""
    assert deny("interpenas", case, mano).stones == DENIALS[case][3]
    assert deny("off", case, mano).stones == DENIALS[case][4]


def test_article_5_2_the_deje_goes_back_and_the_event_names_its_stones() -> None:
    game = deny("interpenas", "raise refused")
    assert game.said(e.StonesLost) == [e.StonesLost("A", 5, Lance.PARES, "5.2")]
    assert [w for w in game.won() if w[2] == "pares"] == [
        ("B", 1, "pares", "penalty"),
        ("B", 1, "pares", "pares"),
    ]


def test_article_5_2_the_deje_is_void_before_anything_is_counted() -> None:
    """A has 37 and won a deje by the lie: 38. With it, grande and chica would make 40 first."""
    game = deny("interpenas", "refused", stones=(37, 0))
    assert (game.stones, game.state.juego_won) == ((39, 3), None)
    assert deny("off", "refused", stones=(37, 0)).state.juego_won == "A"


def test_article_5_2_takes_no_more_stones_than_the_side_has() -> None:
    """The score was corrected to 0 after the deje, so no stone is left to give back."""
    game = table().to_pares("sí sí no no").say(envido(1), no_queremos(2)).declare("no no no no")
    game.all_pass().say(c.SetStones(stones=(0, 0)))
    show_all(game, LIAR)
    assert (game.stones, game.all(e.StonesLost)) == ((2, 3), [])


def test_article_5_3_waits_for_the_table_and_can_be_undone() -> None:
    game = deny("waived", "won")
    assert game.said(e.PenaltyProposed) == [
        e.PenaltyProposed("5.3", e.Remedy.DENIED, 3, Lance.PARES)
    ]
    assert game.said(e.DeclarationDisproved) == []  # recorded when Sur laid them down
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


def test_article_5_3_needs_rivals_with_pares() -> None:
    """Nobody of B holds any. Sur's denied duples bring nothing, and nothing else follows."""
    hands = ("7 7 6 4", "5 4 6 S", "R R 1 1", "S 7 6 4")
    for mode in ("interpenas", "waived", "off"):
        game = table(mode).to_pares("sí no no no").declare("no no no no").all_pass()
        show_all(game, hands)
        assert (game.stones, applied(game)) == ((3, 1), [])


def test_article_5_3_two_sides_that_deny_are_quits() -> None:
    """Sur and Este deny. Norte's sevens beat Oeste's fives as if nobody had."""
    hands = ("7 7 6 4", "5 5 6 S", "R R 1 1", "6 6 7 S")
    game = table().to_pares("sí sí no no").all_pass().declare("no no no no").all_pass()
    show_all(game, hands)
    assert applied(game) == [("5.3", 3), ("5.3", 4)]
    assert game.stones == (3, 1)  # grande, chica and a pareja; B has Este's 29


def test_article_5_3_the_table_may_waive_the_penalty_of_one_of_two_sides() -> None:
    hands = ("7 7 6 4", "5 5 6 S", "R R 1 1", "6 6 7 S")
    game = table("waived").to_pares("sí sí no no").all_pass().declare("no no no no").all_pass()
    show_all(game, hands)
    assert [p.seat for p in game.state.proposals] == [3, 4]
    game.say(APPLY, WAIVE)
    assert game.stones == (2, 3)  # only Sur is punished: negada and the fives


def test_article_5_3_asks_for_the_rivals_hands_though_the_offenders_won_the_bet() -> None:
    """Norte's bet is refused, so the count alone would need no hand of B. The article does.

    Grande, chica and punto are refused to A too: 1 + 1 + 1, and the deje of pares goes back. B wins
    the negada, the fives of Oeste and the duples of Este: 1 + 1 + 3. Punto brings A 1.
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
    """B has 38. The negada and one stone of the duples end the juego."""
    hands = ("7 7 6 4", "5 5 4 4", "R R 1 1", "S 7 6 4")
    game = table(stones=(0, 38)).to_pares("sí sí no no").all_pass().declare("no no no no")
    show_all(game.all_pass(), hands)
    assert (game.stones, game.state.juego_won) == ((2, 40), "B")
    assert [w[1:] for w in game.won() if w[0] == "B"] == [
        (1, "pares", "penalty"),
        (1, "pares", "pares"),
    ]


def test_article_5_3_with_trios_all_rivals_pares_are_won() -> None:
    """Seat 3 denies medias. 1 and 5 hold a pareja, and so do 2 and 6:

    B has the negada and 1 + 1.
    """
    hands = ("7 7 6 4", "5 5 6 S", "R R R 1", "S 7 C 4", "C C 4 5", "6 6 4 2")
    for mode, stones in (("interpenas", 3), ("off", 0)):
        game = table(mode, players=6).to_pares("sí sí no no sí sí").all_pass()
        game.declare("no no no no no no").all_pass()
        show_all(game, hands)
        assert sum(w[1] for w in game.won() if w[:3:2] == ("B", "pares")) == stones


def test_article_5_3_where_each_plays_for_himself_the_best_rival_wins_it() -> None:
    """Three play, and seat 3 denies. 1 has sevens and 2 fives, so 1 wins negada and pareja."""
    game = table(players=3, sides=Sides.EACH).to_pares("sí sí no").all_pass()
    game.declare("no no no").all_pass()
    show_all(game, LIAR)
    assert [w for w in game.won() if w[2] == "pares"] == [
        ("A", 1, "pares", "penalty"),
        ("A", 1, "pares", "pares"),
    ]


def test_article_5_3_adds_the_negada_to_pares_that_the_rivals_have_claimed() -> None:
    game = table().to_pares("sí sí no no").all_pass().declare("no no no no").all_pass()
    game.say(c.ClaimLance(lance=Lance.PARES, side="B", values=(1,)))
    show_all(game, LIAR)
    assert game.stones == (2, 3)


def test_article_5_3_asks_for_no_hand_whose_pares_were_claimed() -> None:
    """B claimed a pareja and duples, so nobody needs to see Este's duples: 1 + 1 + 3."""
    game = table().to_pares("sí sí no sí").all_pass().declare("no no no no").all_pass()
    for lance, side in ((Lance.GRANDE, "A"), (Lance.CHICA, "A"), (Lance.PUNTO, "B")):
        game.say(c.ClaimLance(lance=lance, side=side))
    game.say(cards(2, "5 5 6 S"), c.ClaimLance(lance=Lance.PARES, side="B", values=(1, 3)))
    assert (game.phase, game.stones) == (Phase.COUNT, (2, 5))
    game.say(cards(3, "R R 1 1"))
    assert (game.phase, game.stones, applied(game)) == (Phase.COUNT, (2, 6), [("5.3", 3)])


def test_article_5_3_undoes_a_claim_of_the_offenders() -> None:
    """Every lance is claimed, and then Sur turns over the duples that he denied."""
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
"""Norte wins grande whatever Sur has. A has refused chica and punto. Only Oeste has pares."""


def count_without_sur(mode: str, **how: Any) -> Table:
    game = table(mode, **how).cut().all_pass().say(envido(1), no_queremos(2))
    game.declare("no sí no no").declare("no no no no").say(envido(1), no_queremos(2))
    game.say(*(cards(seat, LATE[seat - 1]) for seat in (1, 2, 4)))
    return game


@each_row("mode", MODES)
def test_r47_a_denial_found_after_the_count_is_counted_again(mode: str) -> None:
    """A has two dejes, grande and punto, B a pareja; with the negada B has two stones."""
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
def test_r47_a_denial_found_late_takes_back_the_juego_and_the_match(juegos: int) -> None:
    """A has 36 + 2 dejes + grande, B 38 + 1, and punto wins for A. With the negada B wins first.

    The count goes by lances: B's fortieth stone comes at pares, before punto.
    """
    game = count_without_sur("interpenas", stones=(36, 38), juegos=juegos)
    assert (game.state.juego_won, game.stones) == ("A", (40, 39))
    assert (game.phase is Phase.OVER) is (juegos == 1)
    game.say(cards(3, LATE[2]))
    assert (game.state.juego_won, game.stones) == ("B", (39, 40))
    assert game.state.juegos == (0, 1)
    assert game.state.winner == ("B" if juegos == 1 else None)
    assert game.undo().state.juegos == (1, 0)


def test_r47_a_denial_found_after_a_match_waits_for_the_table() -> None:
    game = count_without_sur("waived", stones=(36, 38), juegos=1).say(cards(3, LATE[2]))
    assert (game.phase, game.state.winner, game.stones) == (Phase.SHOWDOWN, None, (38, 38))
    assert game.say(WAIVE).state.winner == "A"
    assert game.undo().say(APPLY).state.winner == "B"


def test_r47_a_juego_won_by_a_deje_stays_won() -> None:
    """S2 does not reopen what lies in the pile. The table is warned and can undo it."""
    game = table(stones=(39, 0)).to_pares("sí sí no no").say(envido(1), no_queremos(2))
    assert game.state.juego_won == "A"
    game.say(cards(3, "R R 1 1"))
    assert game.said(e.DeclarationDisproved) == [e.DeclarationDisproved(3, Lance.PARES, True)]
    assert (game.said(e.CountReopened), game.state.juego_won) == ([], "A")


# --- 5.1: a denial corrected at once --------------------------------------------------------------


@each_row("mode", ["interpenas", "waived", "off"])
def test_article_5_1_a_player_who_corrects_a_denial_may_bet(mode: str) -> None:
    game = table(mode).cut().all_pass(2).say(pares(1, False), pares(2), pares(1))
    sung = [e.PenaltyApplied("5.1", e.Remedy.SING, 1, Lance.PARES)]
    assert game.said(e.PenaltyApplied) == (sung if mode == "interpenas" else [])
    game.say(pares(3, False), pares(4, False), envido(1, 5), quiero(2)).declare("no no no no")
    # Grande goes to the sota, chica to Norte's 4 4, punto to Este's 27; five and the sevens.
    show_all(game.all_pass(), ("7 7 6 4", "5 5 6 S", "7 6 5 4", "S 7 6 4"))
    assert applied(game) == [("5.1", 1)] * (mode == "interpenas")
    assert [w for w in game.won() if w[2] == "pares"] == [
        ("A", 5, "pares", "bet"),
        ("A", 1, "pares", "pares"),
    ]


def test_article_5_1_a_claim_corrected_to_a_denial_costs_nothing() -> None:
    game = table().cut().all_pass(2).say(pares(1), pares(1, False))
    assert (game.last, game.state.pares[0]) == ((e.Declared(1, Lance.PARES, False),), False)


# --- whose articles are cited (R47) ---------------------------------------------------------------


@each_row(
    "rules, numbers",
    [
        ({}, ["", "", "", ""]),
        ({"penalty": Penalty.INTERPENAS}, ["1.4", "1.5", "1.7", "5.3"]),
        ({"articles": Articles.INTERPENAS}, ["1.4", "1.5", "1.7", "5.3"]),
        ({"articles": Articles.FFM}, ["4", "", "4", ""]),
    ],
)
def test_r47_an_article_has_the_number_that_the_houses_own_regulations_give_it(
    rules: dict[str, Any], numbers: list[str]
) -> None:
    """FFM 5 does more than 1.5, and S2 alone speaks of denied pares."""
    game = Table(**rules)
    profile = game.state.profile
    assert [number_cited(profile, one) for one in ("1.4", "1.5", "1.7", "5.3")] == numbers


def test_r47_a_table_that_applies_one_regulation_cites_no_other() -> None:
    with pytest.raises(ProfileError, match="cites no others"):
        Profile(penalty=Penalty.INTERPENAS, articles=Articles.FFM)
