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
from assistant.rules.profile import Profile, differences
from assistant.rules.reasons import VOICE
from assistant.rules.state import SIDE_LETTERS
from assistant.script.words import AT, Line, Scene, line_of


def write_script(records: Sequence[Record]) -> str:
    """The effective records (what was retracted is left out) as a script."""
    scene = Scene()
    lines: list[str] = []
    for _, batch in groupby(effective(records), key=lambda record: record.batch):
        lines.extend(_batch([record.event for record in batch], scene))
    return "\n".join([*lines, ""])


def _batch(events: list[e.Event], scene: Scene) -> Iterator[str]:
    # A script has no voices: who was known by his is written down, or another would be inferred.
    unknown = any(isinstance(v, e.SeatInferred) and v.why != VOICE for v in events)
    names_its_lance = _closes_or_reopens(events)
    early = any(isinstance(event, e.CardsShownEarly) for event in events)
    for at, event in enumerate(events):
        if early and isinstance(event, e.HandShown):
            continue  # the same cards, which were the answer to an órdago
        if line := _document(event):
            yield line
        elif spoken := line_of(event, scene, first=at == 0):
            yield _spoken(spoken, unknown, names_its_lance)
        scene.follow(event)


def _spoken(line: Line, unknown: bool, names_its_lance: bool) -> str:
    seat = "?" if unknown or line.seat is None else line.seat
    lance = f" {AT[line.lance]}" if names_its_lance and line.lance else ""
    return f"{seat}: {line.said}{lance}"


def _closes_or_reopens(events: list[e.Event]) -> bool:
    """Whether only the lance that the call named can have told which one it spoke of."""
    for event in events:
        if isinstance(event, e.LanceReopened):
            return True
        if isinstance(event, e.Passed | e.BetRefused):
            return event.implied  # before what was said: it closes an earlier lance
    return False


def _document(event: e.Event) -> str:
    """Lines that are no speech."""
    match event:
        case e.GameOpened(profile=profile, seats=seats):
            return f"{_rules(profile)}seats: {' '.join(seats)}"
        case e.DealStarted(mano=mano, implied=False):
            return f"mano: {mano}"
        case e.HandShown(seat=seat, cards=cards) | e.CardsShownEarly(seat=seat, cards=cards):
            return f"cards {seat}: {format_hand(cards)}"
        case e.StonesSet(stones=stones):
            return "score: " + _joined(zip(SIDE_LETTERS, stones, strict=False))
        case _:
            return ""


def _rules(profile: Profile) -> str:
    """Only what is not as at any table: an ordinary game has no such line at all."""
    special = differences(profile)
    return f"rules: {_joined(special.items())}\n" if special else ""


def _joined(pairs: Iterable[tuple[str, object]]) -> str:
    return " ".join(f"{key}={value}" for key, value in pairs)
