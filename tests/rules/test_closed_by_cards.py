"""How the cards decide the lances that were left unplayed when an article voided an órdago."""

from __future__ import annotations

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.phases import Lance, Phase
from tests.rules.articles import applied, show_all, table
from tests.rules.play import ordago, quiero
from tests.tables import each_row

LOOKED = c.Report(kind=e.Irregularity.PEEKED, player=1)
SUR = "7 6 4 2"
"""Sur's hand, which wins chica."""


@each_row(
    "one, two, four, at_pares, stones",
    [
        # Norte's sevens beat Oeste's fives; Norte wins punto too (28).
        ("R 7 7 4", "5 5 6 S", "S 7 6 4", e.How.PASSED, (1 + 1 + 1 + 1, 0)),
        # Oeste has the sevens and wins punto (30).
        ("R 5 5 4", "7 7 6 S", "S 7 6 4", e.How.PASSED, (1 + 1, 1 + 1)),
        # Nobody holds pares; Norte wins punto (29).
        ("R C 5 4", "S 7 6 4", "C 7 6 4", e.How.NOBODY, (1 + 1 + 1, 0)),
    ],
)
def test_article_4_7_pares_are_decided_by_the_cards_after_a_void_ordago(
    one: str, two: str, four: str, at_pares: e.How, stones: tuple[int, int]
) -> None:
    """Norte looked, so his órdago at grande is worth the negada; the other lances count in paso."""
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
