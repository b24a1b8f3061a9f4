"""The speaker of a call, by a voice that the ear knows: evidence beside the turn, never a rule.

No I/O. The rules give a call of an unknown speaker to the player whose turn it is, or to the pair
that can make it. If the voice is likely enough to be another player's, the call is his, provided
that he may make this very call and that it has the same effect. The voice makes no call legal and
none illegal. If voice and turn disagree about stones, the table is asked. docs/who-spoke.md says
where the limits come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.messages import Heard, Word
from assistant.rules.calls import (
    Accept,
    Bet,
    Call,
    Cut,
    Declare,
    Mus,
    Ordago,
    Pass,
    Raise,
    Reenvido,
    Refuse,
)
from assistant.rules.engine import decide
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.events import VOICE, Event, SeatInferred
from assistant.rules.state import State

SPOKEN = (Mus, Cut, Pass, Bet, Raise, Reenvido, Ordago, Accept, Refuse, Declare)
"""Calls that belong to their speaker. Cards may be read aloud by anybody."""
OPENING = (Bet, Raise, Reenvido, Ordago)
"""Calls that stake stones against the other side: whose they are matters most."""
ANSWERS = (Accept, Refuse, Pass)
"""Calls that answer a bet: never said by the player who made it."""
PAUSE = 0.25
"""Seconds of silence after which another person may be speaking, if nothing else tells."""
QUICK = 0.12
"""The same if the ear tells two turns apart. Not after an órdago, which may end the game."""
TURN = 8.0
"""The player whose turn it is: how many times as likely as any other player to speak."""
PLAYS = 0.50
"""The least probability that a voice is a player's. Below it, it says nothing about the speaker."""
OURS = 0.60
"""The same for costly calls: below it, the table is asked first. Of 1,440 calls by enrolled players
1% lie below it; of 360 by bystanders 10%, and more than half if each player has a channel."""
LIKELY = 0.90
"""The least probability among the players, with the turn, at which a voice decides the seat."""
CLEAR = 0.95
"""The same if it gives a bet to the other side. Below it, the table is asked."""


def with_speaker(state: State, call: Call, voice: Sequence[float]) -> Call:
    """The call, with a seat if the voice says another one than the rules would choose.

    ``voice``: the probability of each seat; the rest up to 1 is that of somebody else. It is empty
    if nothing is known, and then the call stays as it is.

    Raises AmbiguousCall if the voice gives a bet to the other side and is not clear enough.
    """
    if call.seat is not None or not isinstance(call, SPOKEN) or len(voice) != len(state.seats):
        return call
    try:
        by_rules = decide(state, call).events
    except IllegalCall:
        return call
    except AmbiguousCall as error:
        seat, share = likeliest(voice, None)
        named = replace(call, seat=seat) if share >= LIKELY else call
        return named if error.code == "who" and named in error.options else call
    turn = next((event.seat for event in by_rules if isinstance(event, SeatInferred)), None)
    seat, share = likeliest(voice, turn)
    if turn is None or seat in (None, turn) or share < LIKELY:
        return call
    own = replace(call, seat=seat)
    if not _makes_the_same_happen(state, own, by_rules):
        return call
    if isinstance(call, OPENING) and share < CLEAR and _are_rivals(state, turn, seat):
        options = (replace(call, seat=turn), own)
        raise AmbiguousCall("who", "The voice is not that of the turn: who said it?", call, options)
    return own


def by_voice(events: Sequence[Event], seat: int) -> tuple[Event, ...]:
    """The events of a call whose seat came from the voice, with a mark before its own event."""
    said = (
        place
        for place, event in enumerate(events)
        if getattr(event, "seat", None) == seat and not getattr(event, "implied", False)
    )
    at = next(said, 0)
    return (*events[:at], SeatInferred(seat, VOICE), *events[at:])


@dataclass(frozen=True, slots=True)
class Breath:
    """The last call of a breath, whose voice it was, and when its words ended.

    ``end``: stream time, in seconds; 0 in a script, which has no times. ``turn``: the ear takes the
    next words for another player's.
    """

    call: Call | None = None
    voice: tuple[float, ...] = ()
    end: float = 0.0
    turn: bool = False

    def after(self, words: Sequence[Word]) -> Breath:
        """This breath after more words, or a new one if a pause came before them."""
        if self.call is None:
            return self
        if self.end and words[0].start - self.end >= PAUSE:
            return Breath()
        return replace(self, end=words[-1].end)

    @property
    def _pause(self) -> float:
        """The shortest silence after which an answer is another player's."""
        return QUICK if self.turn and not isinstance(self.call, Ordago) else PAUSE

    def is_answered_by(
        self, call: Call, voice: Sequence[float], words: Sequence[Word], state: State
    ) -> bool:
        """Whether a call answers a bet of the same breath, and so perhaps of the same speaker."""
        if not isinstance(self.call, OPENING) or not isinstance(call, ANSWERS) or call.seat:
            return False
        if not (words and self.end) or words[0].start - self.end >= self._pause:
            return False
        one, sure_of_one = likeliest(self.voice, None)
        other, sure_of_other = likeliest(voice, None)
        told = one and other and min(sure_of_one, sure_of_other) >= LIKELY
        return not (told and _are_rivals(state, one or 0, other))


def likeliest(voice: Sequence[float], turn: int | None) -> tuple[int | None, float]:
    """The likeliest player, with the turn as evidence, and his probability among the players.

    None, and the probability of that, if it is hardly the voice of any player.
    """
    known = sum(voice)
    if known < PLAYS:
        return None, 1 - known
    weights = {
        seat: share * (TURN if seat == turn else 1.0) for seat, share in enumerate(voice, start=1)
    }
    best = max(weights, key=weights.__getitem__)
    return best, weights[best] / sum(weights.values())


def are_two(voice: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two voices are surely those of two players."""
    one, sure_of_one = likeliest(voice, None)
    another, sure_of_other = likeliest(other, None)
    known = one is not None and another is not None
    return known and one != another and min(sure_of_one, sure_of_other) >= LIKELY


def is_far(heard: Heard, words: Sequence[Word]) -> bool:
    """Whether words may come from outside the table: they are faint, or in no player's voice."""
    voice = heard.voice_of(words)
    return heard.distant or (bool(voice) and sum(voice) < OURS)


def _makes_the_same_happen(state: State, own: Call, by_rules: Sequence[Event]) -> bool:
    """Whether the call is legal for its speaker, and differs from the rules' only in the seat."""
    try:
        own_events = decide(state, own).events
    except (IllegalCall, AmbiguousCall):
        return False
    return _kinds(own_events) == _kinds(by_rules)


def _kinds(events: Sequence[Event]) -> list[tuple[type[Event], bool]]:
    return [
        (type(event), bool(getattr(event, "implied", False)))
        for event in events
        if not isinstance(event, SeatInferred)
    ]


def _are_rivals(state: State, one: int, other: int | None) -> bool:
    return other is not None and state.side_of(one) != state.side_of(other)
