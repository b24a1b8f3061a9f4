"""Why stones moved: each reason with the rows of the rule table that it stands on.

The codes are keys of the record's sentences (``[why]`` in ``models/record``); the rows are those of
``docs/rules.md``.
"""

from __future__ import annotations

from assistant.record.bets import Bet
from assistant.rules import events as e

ROWS: dict[str, tuple[str, ...]] = {
    "deje_first": ("R24", "R27"),
    "deje_first_ordago": ("R24", "R34", "R27"),
    "deje_raise": ("R25", "R26", "R27"),
    "deje_ordago": ("R34", "R26", "R27"),
    "paso": ("R20",),
    "bet": ("R27", "R30"),
    "pares_accepted": ("R13",),
    "pares_passed": ("R13", "R20"),
    "pares_refused": ("R13", "R28"),
    "pares_uncontested": ("R13", "R17"),
    "juego_accepted": ("R15",),
    "juego_passed": ("R15", "R20"),
    "juego_refused": ("R15", "R28"),
    "juego_uncontested": ("R15", "R17"),
    "punto_accepted": ("R29",),
    "punto_passed": ("R20", "R29"),
    "punto_refused": ("R29", "R31"),
    "claimed": ("R46",),
    "penalty": ("R47",),
    "other": (),
    "juego_target": ("R30",),
    "juego_deje": ("R60",),
    "juego_ordago": ("R32",),
    "vaca": ("R41",),
    "match": ("R41",),
    "set": ("R45",),
    "adjusted": ("R45",),
    "lost": ("R47",),
    "pedrete": ("R54",),
    "voided": ("R08",),
    "reopened": ("R45",),
}
CAPPED = "R30"
"""The row by which a side gets no more stones than it needs."""

_OWN = {e.Why.PARES: "pares", e.Why.JUEGO: "juego", e.Why.PUNTO: "punto"}
_ENDS = {
    e.How.ACCEPTED: "accepted",
    e.How.PASSED: "passed",
    e.How.REFUSED: "refused",
    e.How.UNCONTESTED: "uncontested",
}
_MOVES: dict[type[e.Event], str] = {
    e.StonesSet: "set",
    e.StonesAdjusted: "adjusted",
    e.StonesLost: "lost",
    e.PedreteSung: "pedrete",
    e.DealVoided: "voided",
    e.CountReopened: "reopened",
    e.VacaWon: "vaca",
    e.MatchWon: "match",
}


def why_won(won: e.StonesWon, how: e.How | None, chain: tuple[Bet, ...], claimed: bool) -> str:
    """The reason of stones won in a lance that was closed so, after these bets."""
    if won.why is e.Why.DEJE:
        ordago = bool(chain) and chain[-1].kind == "ordago"
        if len(chain) < 2:
            return "deje_first_ordago" if ordago else "deje_first"
        return "deje_ordago" if ordago else "deje_raise"
    if won.why is e.Why.PASO:
        return "paso"
    if claimed:
        return "claimed"
    if won.why is e.Why.BET:
        return "bet"
    if won.why is e.Why.PENALTY:
        return "penalty"
    code = f"{_OWN[won.why]}_{_ENDS[how]}" if how in _ENDS and won.why in _OWN else "other"
    return code if code in ROWS else "other"


def why_moved(event: e.Event, by_deje: bool = False) -> str:
    """The reason of any other change of the score; ``by_deje``: a deje reached the target."""
    if isinstance(event, e.JuegoWon):
        if event.by is e.WonBy.ORDAGO:
            return "juego_ordago"
        return "juego_deje" if by_deje else "juego_target"
    return _MOVES.get(type(event), "other")
