"""Bets won unfairly: articles 4.7, 4.8, 5.4 to 5.6 and 7.2 of S2 (R48, R49).

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

# --- 5.4: a player without pares does not answer --------------------------------------------------


@each_row("mode", MODES)
def test_article_5_4_a_player_without_pares_neither_accepts_nor_refuses(mode: str) -> None:
    game = table(mode).to_pares("sí sí no no").say(envido(1))
    for call in (quiero(4), no_quiero(4), no_queremos(4)):
        assert refused(game, call) == "no_pares"
    game.say(no_queremos(2)).declare("sí sí no no").say(envido(2))
    for call in (quiero(3), no_queremos(3)):
        assert refused(game, call) == "no_juego"


# --- 5.5: órdago at pares by a player without any -------------------------------------------------

REST = ("7 6 4 2", "S 7 6 4")


def false_ordago(mode: str, mano: int, one: str, four: str = REST[1], **how: Any) -> Table:
    """Norte says órdago at pares without any, and Oeste accepts with fives."""
    game = table(mode, mano=mano, **how).to_pares("sí sí no no").say(ordago(1), quiero(2))
    show_all(game, (one, "5 5 6 S", REST[0], four))
    return game


@each_row(
    "mano, one, four, stones",
    [
        # Only Norte has 31, and he is on mano's side: grande, chica (Sur's 1 4), negada and three.
        (1, "R C S 1", REST[1], (1 + 1 + 1 + 3, 0)),
        (3, "R C S 1", REST[1], (1 + 1 + 1 + 3, 0)),
        # With Norte as postre, the others win the negada. They have no juego of their own to add.
        (2, "R C S 1", REST[1], (1 + 1, 1)),
        # Este has 31 too. Grande goes to mano's, and B wins the negada and three.
        (2, "R C S 1", "R C S 2", (1, 1 + 1 + 3)),
        # Both have 31. Norte's side is mano by Sur, but Este sits nearer, so B wins.
        (3, "R C S 1", "R C S 2", (1, 1 + 1 + 3)),
        # 32 is not 31, so it is counted in paso by whoever holds it.
        (1, "R C 7 5", REST[1], (1 + 1 + 2, 0)),
        (2, "R C 7 5", REST[1], (1 + 1 + 2, 0)),
        # 30 at punto: A wins negada and punto as mano, and the others win them as postre.
        (1, "R C 6 4", REST[1], (1 + 1 + 1 + 1, 0)),
        (2, "R C 6 4", REST[1], (1 + 1, 1 + 1)),
        # 29 at punto is counted in paso.
        (2, "R C 5 4", REST[1], (1 + 1 + 1, 0)),
    ],
)
@each_row("mode", BY_ARTICLE)
def test_article_5_5_pares_are_void_and_the_cards_decide_the_last_lance(
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
def test_article_5_5_is_not_applied_where_the_house_has_penalties_off(mode: str) -> None:
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


def test_article_5_5_a_denial_beside_it_loses_no_pares() -> None:
    game = table().to_pares("sí sí no no").say(ordago(1), quiero(2))
    show_all(game, ("R C S 1", "5 5 6 S", "7 7 4 2", "S 7 6 4"))  # Sur denied sevens
    assert applied(game) == [("5.5", 1)]
    assert game.phase is Phase.COUNT


def test_article_5_5_a_bettor_who_holds_pares_wins_or_loses_the_juego() -> None:
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
    # Grande is Sur's R R. So is chica: as, then 7, against Norte's as, then 10. 31 of mano is 1 +
    # 3.
    assert game.stones == (1 + 1 + 1 + 3, 0)


# --- 5.6 and 7.2: a false declaration, and a bet at juego or punto --------------------------------


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
    """Norte claimed pares falsely. His 31 of mano wins the órdago. Grande 1, chica 1, 1 + 3."""
    game = juego_after_pares(mode, "sí no no no", *CALLS_IT)
    decide_all(show_all(game, TWO_31), mode)
    if mode in BY_ARTICLE:
        show_all(game, TWO_31)
        assert (applied(game), game.stones) == ([("5.6", 1)], (6, 0))
        negada = e.StonesWon("A", 1, Lance.JUEGO, e.Why.PENALTY)
        assert negada in (game.all(e.StonesWon) if mode == "applied" else game.said(e.StonesWon))
        assert game.state.juego_won is None
    else:
        assert game.state.juego_won == "A"


def test_article_5_6_applies_to_the_partners_false_word_and_to_denials() -> None:
    """ "Él o su compañero", "o viceversa": Sur denied sevens, and Norte says órdago."""
    hands = ("R C S 1", "R C S 1", "7 7 4 2", "S 7 6 4")
    game = show_all(juego_after_pares("interpenas", "no no no no", *CALLS_IT), hands)
    # The two who played have shown their hands.
    assert (game.stones, game.state.juego_won) == ((0, 0), "A")
    game.say(cards(3, hands[2]), cards(4, hands[3]))
    assert applied(game) == [("5.6", 3)]
    assert game.stones == (1 + 1 + 1 + 3, 0)  # no juego; the denied sevens bring nothing


@each_row(
    "hands, said, talk, holds, won",
    [
        # 32 to 40 have "total validez" (32 beats 37).
        (("R C 7 5", "R C S 7", *REST), "sí no no no", CALLS_IT, "sí sí no no", "A"),
        # The liar loses: the others win the juego.
        (("R C S 7", "R C S 1", *REST), "sí no no no", CALLS_IT, "sí sí no no", "B"),
        # The others said órdago.
        (TWO_31, "sí no no no", (ordago(2), quiero(1)), "sí sí no no", "A"),
        # Everybody told the truth.
        (TWO_31, "no no no no", CALLS_IT, "sí sí no no", "A"),
        # The loser lied.
        (TWO_31, "no sí no no", CALLS_IT, "sí sí no no", "A"),
    ],
)
def test_article_5_6_does_not_apply_to_other_ordagos(
    hands: tuple[str, ...], said: str, talk: tuple[c.Call, ...], holds: str, won: str
) -> None:
    game = show_all(juego_after_pares("interpenas", said, *talk, holds=holds), hands)
    assert (applied(game), game.state.juego_won) == ([], won)


def test_article_5_6_holds_beside_a_hand_that_is_out_of_play() -> None:
    """Este, with five cards, says nothing of pares. Norte, next to him, claims them falsely."""
    game = table().say(*(c.Mus(seat=seat) for seat in (1, 2, 3, 4)))
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=4, cards=5)).cut().all_pass(2)
    for said in ("sí no no", "sí sí no"):
        game.say(*(c.Declare(seat=n, holds=x == "sí") for n, x in enumerate(said.split(), 1)))
    game.say(*CALLS_IT, cards(1, TWO_31[0]), cards(2, TWO_31[1]))
    assert applied(game) == [("1.5", 4), ("5.6", 1)]
    assert game.say(cards(3, TWO_31[2])).stones == (1 + 1 + 1 + 3, 0)


def test_article_5_6_a_bet_that_is_no_ordago_is_paid_in_full() -> None:
    game = juego_after_pares("interpenas", "sí no no no", envido(1, 5), quiero(2))
    show_all(game, TWO_31)
    assert (applied(game), game.stones) == ([], (1 + 1 + 5 + 3, 0))


def test_article_5_6_applies_to_punto_in_the_same_way() -> None:
    """S2:

    "lo mismo sucede en la jugada de punto". 28 wins negada and punto, with grande and chica.
    """
    hands = ("S 7 6 5", "S 7 6 4", "7 6 4 2", "7 6 5 4")
    game = juego_after_pares("interpenas", "sí no no no", *CALLS_IT, holds="no no no no")
    show_all(game, hands)
    assert (applied(game), game.stones) == ([("5.6", 1)], (1 + 1 + 1 + 1, 0))


def corrected_juego(mode: str, first: bool, *, mano: int = 1, others: str = "sí no no") -> Table:
    """Norte declares juego one way and then the other; the rest declare theirs. Norte bets five."""
    game = table(mode, mano=mano).to_pares("no no no no")
    game.say(juego(1, first), juego(1, not first))
    for seat, word in zip((2, 3, 4), others.split(), strict=True):
        game.say(juego(seat, word == "sí"))
    game.say(envido(1, 5), quiero(2))
    return game


@each_row("mode", MODES)
def test_article_7_2_31_of_mano_that_was_denied_at_first_wins_no_bet(mode: str) -> None:
    game = decide_all(show_all(corrected_juego(mode, first=False), TWO_31), mode)
    limited = mode in BY_ARTICLE
    assert game.stones == (1 + 1 + (1 if limited else 5) + 3, 0)
    assert applied(game) == ([("7.2", 1)] if limited else [])


@each_row(
    "mano, hands, stones",
    [
        # The article does not speak of 32 of mano.
        (1, ("R C 7 5", "R C S 7", *REST), (1 + 5 + 2, 1)),
        # This is 31, but not of mano.
        (2, ("R C S 1", "R C S 7", *REST), (1 + 5 + 3, 1)),
        # It was lost: "no así en el de perderlos".
        (2, TWO_31, (1, 1 + 5 + 3)),
    ],
)
def test_article_7_2_applies_only_to_31_of_mano_that_wins(
    mano: int, hands: tuple[str, ...], stones: tuple[int, int]
) -> None:
    game = show_all(corrected_juego("interpenas", first=False, mano=mano), hands)
    assert (applied(game), sum(game.stones)) == ([], sum(stones))


@each_row("one, bet", [("R C 6 4", 1), ("R C 5 4", 5)])
def test_article_5_6_30_at_punto_after_a_false_juego_wins_no_bet(one: str, bet: int) -> None:
    """Grande 1 and chica (Sur) 1. Thirty wins negada and punto; 29 wins the bet and punto."""
    game = corrected_juego("interpenas", first=True, others="no no no")
    show_all(game, (one, "5 6 7 S", "7 6 4 2", "S 7 6 4"))
    assert game.stones == (1 + 1 + bet + 1, 0)
    assert applied(game) == ([("5.6", 1)] if bet == 1 else [])


def test_r49_the_table_decides_about_a_denied_juego_even_under_interpenas() -> None:
    """No article covers it. By analogy with 5.3 Oeste may take negada and two. Grande and chica:

    A.
    """
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
def test_article_4_7_a_player_who_looks_again_and_bets_wins_only_the_negada(
    mode: str, bettor: int
) -> None:
    """Five at grande are accepted, and bring one. Chica 1 (Sur), punto 1 (Norte's 29)."""
    game = table(mode).cut().say(PEEK, envido(bettor, 5), quiero(2)).all_pass()
    game.declare("no no no no").declare("no no no no").all_pass()
    decide_all(show_all(game, ("R C 5 4", "S 7 6 4", "7 6 4 2", "C 7 6 4")), mode)
    limited = mode in BY_ARTICLE
    assert game.stones == ((1 if limited else 5) + 1 + 1, 0)
    assert applied(game) == ([("4.7", 1)] if limited else [])


@each_row(
    "talk, stones",
    [
        ((PEEK, envido(2, 5), quiero(1)), (5 + 1 + 1, 0)),  # he looked before he accepted
        ((envido(1, 5), quiero(2), PEEK), (5 + 1 + 1, 0)),  # he looked at chica
        ((PEEK, envido(1, 5), no_queremos(2)), (1 + 1 + 1, 0)),
    ],
)
def test_article_4_7_applies_only_to_bets_in_the_same_lance(
    talk: tuple[c.Call, ...], stones: tuple[int, int]
) -> None:
    game = table().cut().say(*talk).all_pass()
    game.declare("no no no no").declare("no no no no").all_pass()
    show_all(game, ("R C 5 4", "S 7 6 4", "7 6 4 2", "C 7 6 4"))
    assert (applied(game), game.stones) == ([], stones)


def test_article_4_7_a_bet_that_is_lost_stays_lost() -> None:
    game = table().cut().say(PEEK, envido(1, 5), quiero(2)).all_pass()
    game.declare("no no no no").declare("no no no no").all_pass()
    show_all(game, ("C 7 6 4", "R C 5 4", "7 6 4 2", "S 7 6 4"))
    assert (applied(game), game.stones) == ([], (1, 5 + 1))


def test_article_4_7_a_won_ordago_at_grande_is_void_and_the_cards_decide_the_rest() -> None:
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


def test_article_4_7_a_waived_penalty_brings_up_the_next_article() -> None:
    """Norte looked and claimed pares falsely. The table waives 4.7, and then 5.6 is proposed."""
    game = table("waived").to_pares("sí no no no").declare("sí sí no no")
    game.say(PEEK, *CALLS_IT)
    show_all(game, TWO_31)
    assert [p.article for p in game.state.proposals] == ["4.7"]
    game.say(WAIVE)
    assert [p.article for p in game.state.proposals] == ["5.6"]
    game.say(APPLY)
    show_all(game, TWO_31)
    assert (applied(game), game.stones) == ([("5.6", 1)], (6, 0))


# --- 4.8: accepting with a hand that cannot win ---------------------------------------------------

ACES = ("R R 6 4", "S 7 6 4", "C 7 6 4", "1 2 6 S")


def aces(mode: str, *talk: c.Call, said: str = "sí no no sí", mano: int = 1) -> Table:
    return table(mode, mano=mano).to_pares(said).say(*talk)


@each_row("mode", MODES)
def test_article_4_8_two_aces_of_postre_cannot_accept_an_ordago(mode: str) -> None:
    """It counts as refused: deje 1 and the kings 1; grande 1; chica B.

    Punto goes to A, because Norte's R R 6 4 has 30 and Sur has 27.
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
def test_r53_without_the_article_an_ordago_accepted_without_hope_ends_the_juego(
    penalty: Penalty, lance: Lance, hands: tuple[str, ...]
) -> None:
    game = Table(penalty=penalty).to_lance(lance, "sí no no sí").say(ordago(1), quiero(4))
    game.show_asked(*hands)
    assert game.all(e.PenaltyProposed) == []
    assert (game.phase, game.state.juego_won) == (Phase.COUNT, "A")


@each_row("lance, values", [(Lance.PARES, ()), (Lance.PARES, (1,)), (Lance.JUEGO, (2,))])
def test_article_4_8_an_ordago_that_was_claimed_is_judged_by_no_unseen_hand(
    lance: Lance, values: tuple[int, ...]
) -> None:
    """Este accepts alone and last. Nobody has seen his cards, and the table gives B the lance."""
    game = table().to_lance(lance, "sí no no sí").say(ordago(1), quiero(4))
    game.say(c.ClaimLance(lance=lance, side="B", values=values))
    assert (applied(game), game.state.juego_won) == ([], "B")


def test_article_4_8_the_deje_is_the_bet_before_the_ordago() -> None:
    game = show_all(aces("interpenas", envido(4, 5), ordago(1), quiero(4)), ACES)
    assert (applied(game), game.stones) == ([("4.8", 4)], (1 + 5 + 1 + 1, 1))
    assert ("A", 5, "pares", "deje") in game.won()


def test_article_4_8_accepting_stones_is_allowed() -> None:
    game = aces("interpenas", envido(1, 5), quiero(4)).declare("no no no no").all_pass()
    show_all(game, ACES)
    assert (applied(game), game.stones) == ([], (1 + 5 + 1 + 1, 1))


def test_article_4_8_applies_to_the_last_of_three_too() -> None:
    """Norte and Sur hold pares. Este, alone of B and behind them, has the aces."""
    game = aces("interpenas", ordago(1), quiero(4), said="sí no sí sí")
    show_all(game, ("R R 6 4", "S 7 6 4", "C C 6 4", "1 2 6 S"))
    assert applied(game) == [("4.8", 4)]
    assert game.state.juego_won is None


@each_row(
    "mano, said, hands",
    [
        (4, "sí no no sí", ACES),  # the aces are mano's
        (1, "sí sí no sí", ("R R 6 4", "5 5 6 S", "C 7 6 4", "1 2 7 S")),  # a partner holds
        (1, "sí no no sí", ("R R 6 4", "S 7 6 4", "C 7 6 4", "5 5 6 S")),  # fives could win
        (1, "sí no no sí", ("R R 6 4", "S 7 6 4", "C 7 6 4", "1 2 1 S")),  # medias could win
    ],
)
def test_article_4_8_applies_only_to_hands_that_cannot_win(
    mano: int, said: str, hands: tuple[str, ...]
) -> None:
    game = show_all(aces("interpenas", ordago(1), quiero(4), said=said, mano=mano), hands)
    assert applied(game) == []
    assert game.state.juego_won is not None


def test_article_4_8_33_at_juego_cannot_accept_an_ordago_of_mano() -> None:
    """It counts as refused: deje 1, value 3; grande and chica are in paso, Norte's and Sur's."""
    hands = ("R C S 1", "7 6 4 5", "7 6 4 2", "S C 7 6")
    game = table().to_juego("sí no no sí").say(ordago(1), quiero(4))
    show_all(game, hands)
    assert (applied(game), game.stones) == ([("4.8", 4)], (1 + 1 + 1 + 3, 0))
    game = table().to_juego("sí no no sí").say(ordago(1), quiero(4))
    show_all(game, (*hands[:3], "S C 7 7"))  # 34 is not 33
    assert (applied(game), game.state.juego_won) == ([], "A")
