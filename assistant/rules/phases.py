"""The hand as a state machine: one table, read by the engine and drawn by ``draw_phases.py``.

The names are those of the rule table; ``pares?`` and ``juego?`` are the declaration rounds.
"""

from __future__ import annotations

from enum import StrEnum


class Lance(StrEnum):
    """The lances, in the fixed order of every table (R10)."""

    GRANDE = "grande"
    CHICA = "chica"
    PARES = "pares"
    JUEGO = "juego"
    PUNTO = "punto"


# The members of an enum that a deal asks for most have names of their own: Python finds such a name
# ten times as quickly as ``Lance.GRANDE``, and a deal asks some five hundred times.
GRANDE, CHICA, PARES, JUEGO, PUNTO = Lance


class Phase(StrEnum):
    """The phases of a deal."""

    MUS = "mus"
    DISCARD = "discard"
    GRANDE = "grande"
    CHICA = "chica"
    PARES_SAY = "pares?"
    PARES = "pares"
    JUEGO_SAY = "juego?"
    JUEGO = "juego"
    PUNTO = "punto"
    SHOWDOWN = "showdown"
    COUNT = "count"
    OVER = "over"


MUS, DISCARD = Phase.MUS, Phase.DISCARD
SHOWDOWN, COUNT, OVER = Phase.SHOWDOWN, Phase.COUNT, Phase.OVER


class Trigger(StrEnum):
    """What moves a deal from one phase to the next; each event pulls at most one."""

    DEAL = "deal"
    MUS = "mus"
    DISCARD = "discard"
    CUT = "cut"
    OPENED = "opened"
    REOPENED = "reopened"
    PUNTO = "punto"
    CLOSED = "closed"
    ORDAGO = "ordago"
    COUNTED = "counted"
    JUEGO = "juego"
    MATCH = "match"
    RERAISED = "reraised"
    RERAISED_PUNTO = "reraised punto"
    RECOUNT = "recount"
    VOID = "void"


P, T = Phase, Trigger
BETTING: dict[Phase, Lance] = {
    P.GRANDE: GRANDE,
    P.CHICA: CHICA,
    P.PARES: PARES,
    P.JUEGO: JUEGO,
    P.PUNTO: PUNTO,
}
"""The phases in which players bet, and the lance that they bet in."""
DECLARING: dict[Phase, Lance] = {P.PARES_SAY: PARES, P.JUEGO_SAY: JUEGO}
"""The rounds in which players say what they hold, and the lance that they speak of."""
LANCE_OF: dict[Phase, Lance] = {**BETTING, **DECLARING}
BEFORE_LANCES = (P.MUS, P.DISCARD)
AFTER_DEAL = (P.COUNT, P.OVER)

TRANSITIONS: dict[tuple[Phase, Trigger], Phase] = {
    (P.COUNT, T.DEAL): P.MUS,
    (P.MUS, T.MUS): P.MUS,
    (P.MUS, T.DISCARD): P.DISCARD,
    (P.DISCARD, T.MUS): P.MUS,
    (P.MUS, T.CUT): P.GRANDE,
    (P.DISCARD, T.CUT): P.GRANDE,
    (P.GRANDE, T.CLOSED): P.CHICA,
    (P.CHICA, T.CLOSED): P.PARES_SAY,
    (P.PARES_SAY, T.OPENED): P.PARES,
    (P.PARES_SAY, T.CLOSED): P.JUEGO_SAY,
    (P.PARES, T.CLOSED): P.JUEGO_SAY,
    (P.JUEGO_SAY, T.OPENED): P.JUEGO,
    (P.JUEGO_SAY, T.PUNTO): P.PUNTO,
    (P.JUEGO_SAY, T.CLOSED): P.SHOWDOWN,
    (P.JUEGO, T.CLOSED): P.SHOWDOWN,
    (P.PUNTO, T.CLOSED): P.SHOWDOWN,
    # "Perdón, pares sí": a denial corrected before anything followed from it (R50).
    (P.JUEGO_SAY, T.REOPENED): P.PARES_SAY,
    (P.PUNTO, T.REOPENED): P.JUEGO_SAY,
    (P.SHOWDOWN, T.REOPENED): P.JUEGO_SAY,
    (P.SHOWDOWN, T.COUNTED): P.COUNT,
    (P.COUNT, T.MATCH): P.OVER,
    # The accepting player's partner raises after all: the strongest call stands (R35).
    (P.CHICA, T.RERAISED): P.GRANDE,
    (P.PARES_SAY, T.RERAISED): P.CHICA,
    (P.JUEGO_SAY, T.RERAISED): P.PARES,
    (P.SHOWDOWN, T.RERAISED): P.JUEGO,
    (P.SHOWDOWN, T.RERAISED_PUNTO): P.PUNTO,
    # A claim, or a card shown late: the count is made again (R45, R47).
    (P.COUNT, T.RECOUNT): P.SHOWDOWN,
    (P.OVER, T.RECOUNT): P.SHOWDOWN,
    # A misdeal: nothing of the deal counts (S2 1.4, 1.6, 1.7).
    **{
        (phase, T.VOID): P.COUNT
        for phase in (*BEFORE_LANCES, *BETTING, *DECLARING, P.SHOWDOWN, P.COUNT)
    },
    # An accepted órdago goes to the showdown of its lance from wherever it was called (R32).
    **{(phase, T.ORDAGO): P.SHOWDOWN for phase in BETTING},
    # A juego ends at the very stone that reaches the target: after a deje (R60; the lance is closed
    # by then, so the deal stands in the next phase), in the count, by a pedrete in the mus, or by
    # stones that the table gives by agreement.
    **{(phase, T.JUEGO): P.COUNT for phase in P if phase is not P.OVER},
}

ORDER: dict[Lance, int] = {GRANDE: 0, CHICA: 1, PARES: 2, JUEGO: 3, PUNTO: 3}
"""Juego and punto are two forms of the fourth lance."""
