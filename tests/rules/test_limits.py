"""Bets that were won by deceit: articles 4.7, 4.8, 5.4 to 5.6 and 7.2 of S2 (R48, R49).

The stones in each test are worked out by hand from the text of the article.
"""

from __future__ import annotations

from typing import Any

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import missing_hands
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Penalty
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
from tests.rules.play import cards, envido, juego, no_queremos, no_quiero, ordago, quiero
from tests.rules.tables import Table, refused
from tests.tables import each_row

# --- 5.4: who holds none does not answer ----------------------------------------------------------


@each_row("mode", MODES)
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


@each_row(
    "mano, one, four, stones",
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
@each_row("mode", BY_ARTICLE)
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


@each_row("mode", ["waived", "off"])
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


@each_row("mode", MODES)
def test_article_5_6_a_juego_won_behind_a_false_declaration_is_negada_and_value(mode: str) -> None:
    """Norte said pares without; his 31 of mano wins the órdago. Grande 1, chica 1, 1 + 3."""
    game = juego_after_pares(mode, "sí no no no", *CALLS_IT)
    decide_all(show_all(game, TWO_31), mode)
    if mode in BY_ARTICLE:
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


@each_row(
    "hands, said, talk, holds, won",
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


def test_article_5_6_holds_beside_a_hand_that_is_out_of_play() -> None:
    """Este, who has five cards, says nothing of pares; Norte, next to him, says it wrong."""
    game = table().say(*(c.Mus(seat=seat) for seat in (1, 2, 3, 4)))
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=4, cards=5)).cut().all_pass(2)
    for said in ("sí no no", "sí sí no"):
        game.say(*(c.Declare(seat=n, holds=x == "sí") for n, x in enumerate(said.split(), 1)))
    game.say(*CALLS_IT, cards(1, TWO_31[0]), cards(2, TWO_31[1]))
    assert applied(game) == [("1.5", 4), ("5.6", 1)]
    assert game.say(cards(3, TWO_31[2])).stones == (1 + 1 + 1 + 3, 0)


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


@each_row("mode", MODES)
def test_article_7_2_juego_no_then_si_with_31_of_mano_wins_no_bet(mode: str) -> None:
    game = decide_all(show_all(corrected_juego(mode, first=False), TWO_31), mode)
    limited = mode in BY_ARTICLE
    assert game.stones == (1 + 1 + (1 if limited else 5) + 3, 0)
    assert applied(game) == ([("7.2", 1)] if limited else [])


@each_row(
    "mano, hands, stones",
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


@each_row("one, bet", [("R C 6 4", 1), ("R C 5 4", 5)])
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


@each_row("mode", MODES)
@each_row("bettor", [1, 3])
def test_article_4_7_who_looks_and_bets_wins_the_negada(mode: str, bettor: int) -> None:
    """Five at grande, accepted; it brings one. Chica 1 (Sur), punto 1 (Norte's 29)."""
    game = table(mode).cut().say(PEEK, envido(bettor, 5), quiero(2)).all_pass()
    game.declare("no no no no").declare("no no no no").all_pass()
    decide_all(show_all(game, ("R C 5 4", "S 7 6 4", "7 6 4 2", "C 7 6 4")), mode)
    limited = mode in BY_ARTICLE
    assert game.stones == ((1 if limited else 5) + 1 + 1, 0)
    assert applied(game) == ([("4.7", 1)] if limited else [])


@each_row(
    "talk, stones",
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


@each_row("mode", MODES)
def test_article_4_8_two_aces_of_postre_cannot_want_an_ordago(mode: str) -> None:
    """As if refused: deje 1 and the kings 1; grande 1; chica B; the punto Sur's 27... of mano.

    Norte R R 6 4 has 30: punto A.
    """
    game = show_all(aces(mode, ordago(1), quiero(4)), ACES)
    if mode == "interpenas":
        show_all(game, ACES)
        assert (applied(game), game.stones) == ([("4.8", 4)], (1 + 1 + 1 + 1, 1))
        assert game.state.juego_won is None
    else:
        assert (applied(game), game.state.juego_won) == ([], "A")


@each_row("penalty", [Penalty.WARN, Penalty.OFF])
@each_row(
    "lance, hands",
    [(Lance.PARES, ACES), (Lance.JUEGO, ("R C S 1", "7 6 4 5", "7 6 4 2", "S C 7 6"))],
)
def test_r53_outside_interpenas_an_ordago_wanted_without_hope_ends_the_juego_unasked(
    penalty: Penalty, lance: Lance, hands: tuple[str, ...]
) -> None:
    game = Table(penalty=penalty).to_lance(lance, "sí no no sí").say(ordago(1), quiero(4))
    game.show_asked(*hands)
    assert game.all(e.PenaltyProposed) == []
    assert (game.phase, game.state.juego_won) == (Phase.COUNT, "A")


def test_article_4_8_the_deje_is_what_stood_before_the_ordago() -> None:
    game = show_all(aces("interpenas", envido(4, 5), ordago(1), quiero(4)), ACES)
    assert (applied(game), game.stones) == ([("4.8", 4)], (1 + 5 + 1 + 1, 1))
    assert ("A", 5, "pares", "deje") in game.won()


def test_article_4_8_a_quiero_of_stones_is_good() -> None:
    game = aces("interpenas", envido(1, 5), quiero(4)).declare("no no no no").all_pass()
    show_all(game, ACES)
    assert (applied(game), game.stones) == ([], (1 + 5 + 1 + 1, 1))


def test_article_4_8_is_for_who_is_last_of_three_too() -> None:
    """Norte and Sur hold pares, and Este, alone of B and behind them, the aces."""
    game = aces("interpenas", ordago(1), quiero(4), said="sí no sí sí")
    show_all(game, ("R R 6 4", "S 7 6 4", "C C 6 4", "1 2 6 S"))
    assert applied(game) == [("4.8", 4)]
    assert game.state.juego_won is None


@each_row(
    "mano, said, hands",
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
