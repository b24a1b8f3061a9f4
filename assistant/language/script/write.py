"""Writing the ``.mus`` form of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from assistant.rules import events as e
from assistant.rules.calls import AdjustStones
from assistant.rules.cards import format_hand
from assistant.rules.events import VOICE
from assistant.rules.history import Record, effective, fold
from assistant.rules.legal import refusal
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, differences
from assistant.rules.state import SIDE_LETTERS

# ---- The words that make an event happen again --------------------------------------------------
# The wordings are those of the Spanish lexicon, because every script is read with it.


WAKE = "asistente"
"""Stands before words to the assistant that players also say to each other."""
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
class ScriptLine:
    """A line of speech: the speaker, if known, and the lance that the words can name."""

    seat: int | None
    said: str
    lance: Lance | None = None


@dataclass(slots=True)
class ScriptScene:
    """The context of the words: the names at the table, and the pending bet."""

    seats: tuple[str, ...] = ()
    sides: int = 2
    stood: int = 0
    """The bet before the last raise; 0 for a first bet."""
    bet: int = 0

    def side(self, letter: str) -> str:
        """The names of a side, as they are said of stones: "Norte y Sur"."""
        first = SIDE_LETTERS.index(letter)
        return " y ".join(self.seats[first :: self.sides])

    def name(self, seat: int) -> str:
        """The name of a player."""
        return self.seats[seat - 1]

    def follow(self, event: e.Event) -> None:
        """Take an event into account, after its words were found."""
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


def line_of(event: e.Event, scene: ScriptScene, first: bool) -> ScriptLine | None:
    """The line that makes an event happen; ``None`` for an event that nobody says.

    ``first``: the event opens its batch, so only somebody's word can have made it happen.
    """
    if getattr(event, "implied", False):
        return None
    return _call(event, scene) or _about_the_game(event, scene, first)


def _call(event: e.Event, scene: ScriptScene) -> ScriptLine | None:
    match event:
        case e.MusAsked(seat=seat):
            return ScriptLine(seat, "mus")
        case e.MusCut(seat=seat):
            return ScriptLine(seat, "no hay mus")
        case e.PedreteSung(seat=seat):
            return ScriptLine(seat, "pedrete")
        case e.Passed(seat=seat, lance=lance):
            return ScriptLine(seat, "paso", lance)
        case e.BetMade(seat=seat, lance=lance, stones=stones, both=both):
            return ScriptLine(seat, f"envido {stones}{_both(both)}", None if both else lance)
        case e.PartnerBet(seat=seat, stones=stones):
            return ScriptLine(seat, _partner_bet(scene, stones))
        case e.BetRaised(seat=seat, lance=lance, stones=stones):
            return ScriptLine(seat, f"{stones} más", lance)
        case e.OrdagoMade(seat=seat, lance=lance, both=both):
            return ScriptLine(seat, f"órdago{_both(both)}", None if both else lance)
        case e.BetAccepted(seat=seat, lance=lance, stones=None):
            return ScriptLine(seat, "quiero", lance)
        case e.BetAccepted(seat=seat, stones=stones):
            return ScriptLine(seat, f"quiero las {stones}")
        case e.BetRefused(seat=seat, lance=lance, plural=plural):
            return ScriptLine(seat, "no queremos" if plural else "no quiero", lance)
        case e.Declared(seat=seat, lance=lance, holds=holds):
            return ScriptLine(seat, f"{lance} {'sí' if holds else 'no'}")
        case _:
            return None


def _both(both: bool) -> str:
    return " a las dos" if both else ""


def _partner_bet(scene: ScriptScene, stones: int) -> str:
    """The partner's other amount, of a first bet or of a raise (R35)."""
    return f"{stones - scene.stood} más" if scene.stood else f"envido {stones}"


def _about_the_game(event: e.Event, scene: ScriptScene, first: bool) -> ScriptLine | None:
    """Claims, corrections, reports, verdicts: the table's word, whoever says it."""
    match event:
        case e.LanceClaimed(lance=lance, side=side, values=values):
            what = _valued(lance, values) or CLAIMED[lance]
            return ScriptLine(None, f"{what} para {scene.side(side)}")
        case e.BetCorrected(lance=lance, stones=stones):
            return ScriptLine(None, f"corrige {CORRECTED[lance]} eran {stones}")
        case e.StonesAdjusted(side=side, stones=stones):
            verb = "pon" if stones > 0 else "quita"
            return ScriptLine(None, f"{WAKE} {verb} {abs(stones)} a {scene.side(side)}")
        case e.IrregularityReported():
            return ScriptLine(None, f"{WAKE} {_REPORTS[event.kind](scene, event)}")
        case e.DealVoided() if first:
            return ScriptLine(None, f"{WAKE} se reparte otra vez")
        case e.PenaltyApplied() if first:
            return ScriptLine(None, f"{WAKE} se aplica")
        case e.PenaltyWaived() if first:
            return ScriptLine(None, f"{WAKE} se perdona")
        case _:
            return None


def _valued(lance: Lance, values: Iterable[int]) -> str:
    return " y ".join(VALUES[lance][value] for value in values)


Report = Callable[[ScriptScene, e.IrregularityReported], str]
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


# ---- Writing a game's records as a ``.mus`` script that plays to the same events ----------------
# Implied events are left out, because playing the script implies them again. A call that closed an
# earlier lance names its own lance, so that it closes that one again.


def write_script(records: Sequence[Record]) -> str:
    """The effective records, without the retracted ones, as a script."""
    scene = ScriptScene()
    lines: list[str] = []
    counting = effective(records)
    for _, grouped in groupby(counting, key=lambda record: record.batch):
        batch = list(grouped)
        late = _by_hand(batch[0], counting)
        lines.extend([late] if late else _batch([record.event for record in batch], scene))
    return "\n".join([*lines, ""])


def _by_hand(first: Record, counting: Sequence[Record]) -> str:
    """The line of stones that were put right by hand when no claim was open any more (R45)."""
    event = first.event
    if not isinstance(event, e.StonesAdjusted):
        return ""
    state = fold([record for record in counting if record.seq < first.seq])
    claim = AdjustStones(side=event.side, stones=event.stones)
    if state is None or refusal(state, claim) != "claim_closed":
        return ""
    return f"agreed: {event.side}={event.stones:+d} {event.reason.replace('#', '')}"


def _batch(events: list[e.Event], scene: ScriptScene) -> Iterator[str]:
    # A script has no voices: a speaker known by his voice is written, or another is inferred.
    unknown = any(isinstance(v, e.SeatInferred) and v.why != VOICE for v in events)
    names_its_lance = _closes_or_reopens(events)
    early = any(isinstance(event, e.CardsShownEarly) for event in events)
    for at, event in enumerate(events):
        if early and isinstance(event, e.HandShown):
            continue  # the same cards were the answer to an órdago
        if line := _document(event):
            yield line
        elif spoken := line_of(event, scene, first=at == 0):
            yield _spoken(spoken, unknown, names_its_lance)
        scene.follow(event)


def _spoken(line: ScriptLine, unknown: bool, names_its_lance: bool) -> str:
    seat = "?" if unknown or line.seat is None else line.seat
    lance = f" {AT[line.lance]}" if names_its_lance and line.lance else ""
    return f"{seat}: {line.said}{lance}"


def _closes_or_reopens(events: list[e.Event]) -> bool:
    """Whether the call must have named its lance, because nothing else tells it."""
    for event in events:
        if isinstance(event, e.LanceReopened):
            return True
        if isinstance(event, e.Passed | e.BetRefused):
            return event.implied  # before the spoken event: it closes an earlier lance
    return False


def _document(event: e.Event) -> str:
    """The lines that are no speech."""
    match event:
        case e.GameOpened(profile=profile, seats=seats, given=given):
            return f"{_rules(profile)}seats: {' '.join(seats)}{_given(given)}"
        case e.DealStarted(mano=mano, implied=False):
            return f"mano: {mano}"
        case e.HandShown(seat=seat, cards=cards) | e.CardsShownEarly(seat=seat, cards=cards):
            return f"cards {seat}: {format_hand(cards)}"
        case e.StonesSet(stones=stones):
            return "score: " + _joined(zip(SIDE_LETTERS, stones, strict=False))
        case _:
            return ""


def _rules(profile: Profile) -> str:
    """Only the rules that are not the defaults; a game with all defaults has no such line."""
    special = differences(profile)
    return f"rules: {_joined(special.items())}\n" if special else ""


def _given(juegos: Sequence[int]) -> str:
    """The juegos that a side has before the first deal, if any has."""
    named = [(side, n) for side, n in zip(SIDE_LETTERS, juegos, strict=False) if n]
    return f"\njuegos: {_joined(named)}" if named else ""


def _joined(pairs: Iterable[tuple[str, object]]) -> str:
    return " ".join(f"{key}={value}" for key, value in pairs)
