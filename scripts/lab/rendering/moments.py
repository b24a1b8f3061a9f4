"""The moments of a deal at which something is said, and what the table makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.ear import Recogniser, transcribe
from assistant.ear.audio import RATE
from assistant.ear.hearing import attend
from assistant.language.lexicon import Lexicon
from assistant.messages import Accepted, Command, Heard
from assistant.rules import calls as c
from assistant.rules.cards import parse_hand
from assistant.rules.engine import apply, decide
from assistant.rules.events import Event
from assistant.rules.state import State
from scripts.lab.rendering.deal import Recording
from scripts.lab.rendering.dealing import Deal, Spoken, new_table, telling
from scripts.lab.rendering.voices import Floats

MARGIN = 0.25
"""Seconds of sound kept around a call."""
MOMENTS: dict[str, tuple[c.Call, ...]] = {
    "mus": (),
    "open": (c.Cut(),),
    "bet": (c.Cut(), c.Bet()),
    "pares?": (c.Cut(), *(c.Pass(),) * 8),
}
"""The moments at which people talk while they play. The headline is the mean over these."""
SHOWDOWN = (
    *MOMENTS["pares?"],
    *(c.Declare(seat=seat, holds=False) for seat in (1, 2, 3, 4)),
    *(c.Declare(seat=seat, holds=False) for seat in (1, 2, 3, 4)),
    *(c.Pass(),) * 4,
)
SHOWN = ("7 6 5 4", "7 6 5 4", "R 6 5 1", "R 7 4 1")
AFTERWARDS: dict[str, tuple[c.Call, ...]] = {
    "showdown": SHOWDOWN,
    "count": (
        *SHOWDOWN,
        *(c.ShowHand(seat=i, cards=parse_hand(hand)) for i, hand in enumerate(SHOWN, start=1)),
    ),
}
"""Moments at which lances are claimed and stones corrected by word, apart from the headline."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One call cut out of a recording, and the table at which it was said."""

    state: State
    spoken: Spoken
    sound: Floats


def excerpts(dealt: Deal, recording: Recording, lexicon: Lexicon) -> Iterator[Excerpt]:
    """Every call of a deal by itself, at a table that stands where the deal stands."""
    said = zip(dealt.spoken, recording.lines, strict=True)
    for (spoken, line), state in zip(said, states(dealt, lexicon), strict=False):
        first, last = (round(at * RATE) for at in (line.start - MARGIN, line.end + MARGIN))
        yield Excerpt(state, spoken, recording.sound[max(0, first) : last])


def states(dealt: Deal, lexicon: Lexicon) -> Iterator[State]:
    """The state of the table before each call of a deal, and after the last one."""
    state = new_table(lexicon).state
    yield state
    for spoken in dealt.spoken:
        for event in spoken.events:
            state = apply(state, event)
        yield state


def state_after(said: Sequence[c.Call], lexicon: Lexicon) -> State:
    """The state of a new table after these calls."""
    state = new_table(lexicon).state
    for call in said:
        state = decide(state, call).state
    return state


def heard_at(
    state: State, wav: Path, recogniser: Recogniser, lexicon: Lexicon
) -> tuple[Heard, ...]:
    """What the ear of a table in this state hears in a recording. Raises AudioError."""
    attend(recogniser, lexicon, lambda: state)
    return tuple(transcribe(wav, recogniser))


def happened(state: State, heard: Sequence[Heard], lexicon: Lexicon) -> tuple[Event, ...]:
    """What these utterances cause at a table in this state.

    An excerpt has no journal. So it ends at "corrige", or at a stated place in the deal ("vamos a
    pares"), because what was said before decides where the table stands then.
    """
    table = new_table(lexicon)
    table.state = state
    events: list[Event] = []
    for utterance in heard:
        for outcome in table.propose(utterance):
            if not isinstance(outcome, Accepted):
                continue
            events += telling(outcome.events)
            if isinstance(outcome.call, Command | c.Place):
                return tuple(events)
            for event in outcome.events:
                table.state = apply(table.state, event)
    return tuple(events)
