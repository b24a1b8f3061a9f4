"""Helpers for tests of the Interpeñas articles: tables with each penalty rule."""

from __future__ import annotations

from typing import Any

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.phases import Phase
from assistant.rules.profile import Penalty
from tests.rules.play import cards, nueva_mano
from tests.rules.tables import Table, refused

APPLY, WAIVE = c.Verdict(apply=True), c.Verdict(apply=False)
PENALTIES = {
    "interpenas": Penalty.INTERPENAS,
    "applied": Penalty.WARN,
    "waived": Penalty.WARN,
    "off": Penalty.OFF,
}
MODES = tuple(PENALTIES)
"""How a table treats an article: applied at once, by its verdict either way, or not at all."""
BY_ARTICLE = ("interpenas", "applied")


def table(mode: str = "interpenas", **how: Any) -> Table:
    """A table with one of the three penalty rules in ``MODES``."""
    return Table(penalty=PENALTIES[mode], **how)


def show_all(game: Table, hands: tuple[str, ...]) -> Table:
    """Everybody lays down his cards, mano first, until the deal is counted."""
    for seat in game.state.order():
        if game.phase is Phase.SHOWDOWN and game.state.hands[seat - 1] is None:
            game.say(cards(seat, hands[seat - 1]))
    return game


def decide_all(game: Table, mode: str) -> Table:
    """The table confirms every proposed penalty. Nothing is counted before that."""
    while game.state.proposals:
        assert mode in ("applied", "waived")
        assert game.phase is Phase.SHOWDOWN
        assert refused(game, nueva_mano()) == "decide_first"
        game.say(APPLY if mode == "applied" else WAIVE)
    return game


def applied(game: Table) -> list[tuple[str, int | None]]:
    """The articles applied so far, each with the player who broke it."""
    return [(x.article, x.seat) for x in game.all(e.PenaltyApplied)]
