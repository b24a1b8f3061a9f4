"""What the cards close where an article undid an órdago, and nobody came to speak of the rest."""

from __future__ import annotations

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.phases import Lance, Phase
from tests.rules.articles import applied, show_all, table
from tests.rules.play import ordago, quiero
from tests.tables import each_row

LOOKED = c.Report(kind=e.Irregularity.PEEKED, player=1)
SUR = "7 6 4 2"
"""The chica is his."""


@each_row(
    "one, two, four, at_pares, stones",
    [
        # Norte's sevens beat the fives of Oeste; the punto is his too (28).
        ("R 7 7 4", "5 5 6 S", "S 7 6 4", e.How.PASSED, (1 + 1 + 1 + 1, 0)),
        # It is the other way round, and the punto is Oeste's (30).
        ("R 5 5 4", "7 7 6 S", "S 7 6 4", e.How.PASSED, (1 + 1, 1 + 1)),
        # Nobody has any; the punto is Norte's (29).
        ("R C 5 4", "S 7 6 4", "C 7 6 4", e.How.NOBODY, (1 + 1 + 1, 0)),
    ],
)
def test_article_4_7_pares_are_closed_for_those_who_turn_out_to_hold_some(
    one: str, two: str, four: str, at_pares: e.How, stones: tuple[int, int]
) -> None:
    """Norte looked, and his órdago at grande brings the negada; chica, pares, punto in paso."""
    game = table().cut().say(LOOKED, ordago(1), quiero(2))
    show_all(game, (one, two, SUR, four))
    assert applied(game) == [("4.7", 1)]
    assert [(r.lance, r.how) for r in game.state.results] == [
        (Lance.GRANDE, e.How.ACCEPTED),
        (Lance.CHICA, e.How.PASSED),
        (Lance.PARES, at_pares),
        (Lance.PUNTO, e.How.PASSED),
    ]
    assert (game.phase, game.stones) == (Phase.COUNT, stones)
