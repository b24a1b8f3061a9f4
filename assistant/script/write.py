"""Writing a game's records as a ``.mus`` script that plays to the same events.

What was implied is left out, for playing the script implies it again; a call that closed an earlier
lance by being said names its own lance, so that it closes it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from assistant.rules import events as e
from assistant.rules.cards import format_hand
from assistant.rules.history import Record, effective
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from assistant.rules.state import SIDE_LETTERS

LANCE_NAMES: dict[Lance, str] = {
    Lance.GRANDE: "a la grande",
    Lance.CHICA: "a la chica",
    Lance.PARES: "a pares",
    Lance.JUEGO: "al juego",
    Lance.PUNTO: "al punto",
}


def write_script(records: Sequence[Record]) -> str:
    """The effective records (what was retracted is left out) as a script."""
    lines: list[str] = []
    for _, batch in groupby(effective(records), key=lambda record: record.batch):
        lines.extend(_batch([record.event for record in batch]))
    return "\n".join([*lines, ""])


def _batch(events: list[e.Event]) -> Iterator[str]:
    speaker = "?" if any(isinstance(event, e.SeatInferred) for event in events) else None
    crossing = any(
        isinstance(event, e.Passed | e.BetRefused) and event.implied for event in events[:-1]
    ) and not any(isinstance(event, e.BetRefused) and event.plural for event in events)
    for event in events:
        if line := _document(event):
            yield line
        elif words := _words(event):
            seat, said, lance = words
            named = f" {LANCE_NAMES[lance]}" if crossing and lance else ""
            yield f"{speaker or seat}: {said}{named}"


def _document(event: e.Event) -> str:
    """Lines that are no speech."""
    match event:
        case e.GameOpened(profile=profile, seats=seats):
            return f"rules: {_rules(profile)}\nseats: {' '.join(seats)}"
        case e.DealStarted(mano=mano, implied=False):
            return f"mano: {mano}"
        case e.HandShown(seat=seat, cards=cards):
            return f"cards {seat}: {format_hand(cards)}"
        case e.StonesSet(stones=stones):
            return "score: " + _joined(zip(SIDE_LETTERS, stones, strict=False))
        case _:
            return ""


def _words(event: e.Event) -> tuple[int, str, Lance | None] | None:
    """Who said what, and the lance it can name; ``None`` for what nobody says."""
    match event:
        case e.MusAsked(seat=seat):
            return seat, "mus", None
        case e.MusCut(seat=seat, implied=False):
            return seat, "no hay mus", None
        case e.Passed(seat=seat, lance=lance, implied=False):
            return seat, "paso", lance
        case e.BetMade(seat=seat, lance=lance, stones=stones, both=both, implied=False):
            return seat, f"envido {stones}{' a las dos' if both else ''}", None if both else lance
        case e.BetRaised(seat=seat, stones=stones):
            return seat, f"{stones} más", None
        case e.OrdagoMade(seat=seat, lance=lance, both=both, implied=False):
            return seat, f"órdago{' a las dos' if both else ''}", None if both else lance
        case e.BetAccepted(seat=seat):
            return seat, "quiero", None
        case e.BetRefused(seat=seat, plural=plural, implied=False):
            return seat, "no queremos" if plural else "no quiero", None
        case e.Declared(seat=seat, lance=lance, holds=holds):
            return seat, f"{lance} {'sí' if holds else 'no'}", None
        case _:
            return None


def _rules(profile: Profile) -> str:
    values = {
        "kings": profile.kings,
        "target": profile.target,
        "juegos": profile.juegos,
        "real31": profile.real31,
    }
    return _joined(values.items())


def _joined(pairs: Iterable[tuple[str, object]]) -> str:
    return " ".join(f"{key}={value}" for key, value in pairs)
