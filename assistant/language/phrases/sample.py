"""Sample sentences of a small deal, so that people can hear a voice and a style before a game."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.language.phrases import Level, Phrases
from assistant.rules import calls as c
from assistant.rules.engine import decide, open_game
from assistant.rules.history import Record, fold, number
from assistant.rules.profile import Corrido, Profile

NAMED = ("Ane", "Jon", "Miren", "Luis")
"""Who plays the sample where the table has another number of seats."""
DEAL: tuple[c.Call, ...] = (
    c.Cut(seat=2),
    c.Bet(seat=1, stones=2),
    c.Refuse(seat=2, plural=True),
)


def sample(phrases: Phrases, level: Level, seats: Sequence[str] = NAMED) -> str:
    """The sentences for a cut of the mus and a refused bet: a deje is announced most often."""
    names = tuple(seats) if len(seats) == len(NAMED) else NAMED
    records: list[Record] = list(number(open_game(Profile(corrido=Corrido.OFF), names, 1), 0, 0.0))
    said: list[str] = []
    for call in DEAL:
        before = fold(records)
        assert before is not None
        events = decide(before, call).events
        records += number(events, records[-1].seq, 0.0)
        after = fold(records)
        assert after is not None
        text = phrases.say(events, before, after, level=level, history=records)
        said += [text] if text else []
    return " ".join(said)
