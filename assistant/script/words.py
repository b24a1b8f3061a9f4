"""Each event as the words that make it happen again: what ``write`` puts behind a seat.

The wordings are those of the Spanish lexicon, which every script is read with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assistant.rules import events as e
from assistant.rules.phases import Lance
from assistant.rules.state import SIDE_LETTERS

WAKE = "asistente"
"""Stands before what is said to the assistant, where players say the same to each other."""
AT: dict[Lance, str] = {
    Lance.GRANDE: "a la grande",
    Lance.CHICA: "a la chica",
    Lance.PARES: "a pares",
    Lance.JUEGO: "al juego",
    Lance.PUNTO: "al punto",
}
CLAIMED: dict[Lance, str] = {
    Lance.GRANDE: "la grande",
    Lance.CHICA: "la chica",
    Lance.PARES: "los pares",
    Lance.JUEGO: "el juego",
    Lance.PUNTO: "el punto",
}
CORRECTED: dict[Lance, str] = {
    **AT,
    Lance.GRANDE: "la grande",
    Lance.CHICA: "la chica",
}
VALUES: dict[Lance, dict[int, str]] = {
    Lance.PARES: {1: "pareja", 2: "medias", 3: "duples"},
    Lance.JUEGO: {2: "juego", 3: "treinta y una"},
}


@dataclass(frozen=True, slots=True)
class Line:
    """What is said: by whom, if that is known, and the lance that the words can name."""

    seat: int | None
    said: str
    lance: Lance | None = None


@dataclass(slots=True)
class Scene:
    """What the words depend on: the names at the table, and the bet that waits."""

    seats: tuple[str, ...] = ()
    sides: int = 2
    stood: int = 0
    """What stood before the last raise; 0 under a first bet."""
    bet: int = 0

    def side(self, letter: str) -> str:
        """The names of a side, as one says for whom stones are: "Norte y Sur"."""
        first = SIDE_LETTERS.index(letter)
        return " y ".join(self.seats[first :: self.sides])

    def name(self, seat: int) -> str:
        """The name of a player."""
        return self.seats[seat - 1]

    def follow(self, event: e.Event) -> None:
        """Take in an event, after its words were found."""
        match event:
            case e.GameOpened(seats=seats, sides=sides):
                self.seats, self.sides = seats, sides
            case e.BetMade(stones=stones):
                self.stood, self.bet = 0, stones
            case e.BetRaised(stones=stones):
                self.stood, self.bet = self.bet, self.bet + stones
            case e.PartnerBet(stones=stones):
                self.bet = max(self.bet, stones)
            case e.BetCorrected(stones=stones):
                self.bet = stones


def line_of(event: e.Event, scene: Scene, first: bool) -> Line | None:
    """What is said for an event; ``None`` for what nobody says.

    ``first``: the event opens its batch, so that somebody's word alone can have brought it.
    """
    if getattr(event, "implied", False):
        return None
    return _call(event, scene) or _about_the_game(event, scene, first)


def _call(event: e.Event, scene: Scene) -> Line | None:
    match event:
        case e.MusAsked(seat=seat):
            return Line(seat, "mus")
        case e.MusCut(seat=seat):
            return Line(seat, "no hay mus")
        case e.PedreteSung(seat=seat):
            return Line(seat, "pedrete")
        case e.Passed(seat=seat, lance=lance):
            return Line(seat, "paso", lance)
        case e.BetMade(seat=seat, lance=lance, stones=stones, both=both):
            return Line(seat, f"envido {stones}{_both(both)}", None if both else lance)
        case e.PartnerBet(seat=seat, stones=stones):
            return Line(seat, _partner_bet(scene, stones))
        case e.BetRaised(seat=seat, lance=lance, stones=stones):
            return Line(seat, f"{stones} más", lance)
        case e.OrdagoMade(seat=seat, lance=lance, both=both):
            return Line(seat, f"órdago{_both(both)}", None if both else lance)
        case e.BetAccepted(seat=seat, lance=lance, stones=None):
            return Line(seat, "quiero", lance)
        case e.BetAccepted(seat=seat, stones=stones):
            return Line(seat, f"quiero las {stones}")
        case e.BetRefused(seat=seat, lance=lance, plural=plural):
            return Line(seat, "no queremos" if plural else "no quiero", lance)
        case e.Declared(seat=seat, lance=lance, holds=holds):
            return Line(seat, f"{lance} {'sí' if holds else 'no'}")
        case _:
            return None


def _both(both: bool) -> str:
    return " a las dos" if both else ""


def _partner_bet(scene: Scene, stones: int) -> str:
    """The partner's other amount: of a first bet, or of the raise on what stood (R35)."""
    return f"{stones - scene.stood} más" if scene.stood else f"envido {stones}"


def _about_the_game(event: e.Event, scene: Scene, first: bool) -> Line | None:
    """Claims, corrections, reports, verdicts: whoever says it, it is the table's word."""
    match event:
        case e.LanceClaimed(lance=lance, side=side, values=values):
            what = _valued(lance, values) or CLAIMED[lance]
            return Line(None, f"{what} para {scene.side(side)}")
        case e.BetCorrected(lance=lance, stones=stones):
            return Line(None, f"corrige {CORRECTED[lance]} eran {stones}")
        case e.StonesAdjusted(side=side, stones=stones):
            verb = "pon" if stones > 0 else "quita"
            return Line(None, f"{WAKE} {verb} {abs(stones)} a {scene.side(side)}")
        case e.IrregularityReported():
            return Line(None, f"{WAKE} {_REPORTS[event.kind](scene, event)}")
        case e.DealVoided() if first:
            return Line(None, f"{WAKE} se reparte otra vez")
        case e.PenaltyApplied() if first:
            return Line(None, f"{WAKE} se aplica")
        case e.PenaltyWaived() if first:
            return Line(None, f"{WAKE} se perdona")
        case _:
            return None


def _valued(lance: Lance, values: Iterable[int]) -> str:
    return " y ".join(VALUES[lance][value] for value in values)


Report = Callable[[Scene, e.IrregularityReported], str]
_REPORTS: dict[e.Irregularity, Report] = {
    e.Irregularity.EXPOSED_CARD: lambda _scene, _event: "mus visto",
    e.Irregularity.SAME_MANO: lambda _scene, _event: "hemos repetido mano",
    e.Irregularity.CARD_COUNT: lambda scene, event: (
        f"{scene.name(event.seat or 1)} tiene {event.cards} cartas"
    ),
    e.Irregularity.PEEKED: lambda scene, event: (
        f"{scene.name(event.seat or 1)} ha mirado las cartas"
    ),
    e.Irregularity.IN_DECK: lambda scene, event: f"{scene.name(event.seat or 1)} se mete en baraja",
}
