"""Random deals as people play them: legal calls in turn, in words that have one reading."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.language.lexicon import Lexicon
from assistant.language.lexicon.text import words_of
from assistant.messages import Accepted, CardsSeen, Heard, Message, batches
from assistant.rules import calls as c
from assistant.rules.cards import Hand, format_hand, parse_hand
from assistant.rules.engine import decide, legal_calls, missing_hands, open_game, to_speak
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.events import Event, SeatInferred
from assistant.rules.hands import value
from assistant.rules.history import number
from assistant.rules.phases import DECLARING, Lance, Phase
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.table.table import Table
from scripts.lab.rendering.wordings import Wordings

SEATS = ("Norte", "Oeste", "Sur", "Este")
DECK = tuple(rank for rank in "RCS7654321" for _ in range(4))
BETS = (2, 2, 2, 2, 2, 3, 4, 5, 5, 6, 8, 10, 15, 20)
RAISES = (2, 2, 3, 4, 5, 5, 10)
LONGEST = 80
TRIES = 12
"""Wordings that are tried for a call before another call is made."""
HABITS: dict[type[c.Call], tuple[float, float]] = {
    # how often each call is made without a pending bet, and with one
    c.Mus: (4, 0),
    c.Cut: (5, 0),
    c.Pass: (6, 0.5),
    c.Bet: (4, 0),
    c.Ordago: (0.15, 0.4),
    c.Accept: (0, 4),
    c.Refuse: (0, 4),
    c.Raise: (0, 1.5),
}


class StuckError(Exception):
    """A deal that found no call with one reading. Another seed gives another deal."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One call: who said which words, and the events that they must cause."""

    seat: int
    words: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A whole deal: its calls, the hands shown, and the stones and juegos at its end."""

    spoken: tuple[Spoken, ...]
    shown: tuple[tuple[int, Hand], ...]
    stones: tuple[int, ...]
    juegos: tuple[int, ...]

    def script(self) -> str:
        """The deal as a ``.mus`` script with its expected stones."""
        a, b = self.stones
        lines = [f"seats: {' '.join(SEATS)}", "mano: 1"]
        lines += [f"{spoken.seat}: {spoken.words}" for spoken in self.spoken]
        lines += [f"cards {seat}: {format_hand(hand)}" for seat, hand in self.shown]
        return "\n".join([*lines, f"expect: A={a} B={b}", ""])


def deal(seed: int, lexicon: Lexicon, wordings: Wordings) -> Deal:
    """Play one deal. The same seed gives the same deal. Raises StuckError."""
    rng = random.Random(seed)
    table = new_table(lexicon)
    cards = rng.sample(DECK, 4 * len(SEATS))
    hands = tuple(parse_hand(" ".join(cards[i : i + 4])) for i in range(0, len(cards), 4))
    spoken: list[Spoken] = []
    while table.state.phase not in (Phase.SHOWDOWN, Phase.COUNT, Phase.OVER):
        if len(spoken) > LONGEST:
            raise StuckError(f"deal {seed} does not end")
        spoken.append(_speak(table, hands, wordings, rng))
    shown = tuple((seat, hands[seat - 1]) for seat in missing_hands(table.state))
    if shown:
        take(table, CardsSeen(shown))
    return Deal(tuple(spoken), shown, table.state.stones, table.state.juegos)


def new_table(lexicon: Lexicon) -> Table:
    """A table of the default rules before its first call. The first seat is mano."""
    return Table(lexicon, number(open_game(Profile(), SEATS), 0, 0.0))


def take(table: Table, message: Message) -> list[Event]:
    """The events of a message, applied to the table; empty if it moves nothing."""
    records = batches(table.propose(message), table.seq, 0.0)
    table.commit(records)
    return [record.event for record in records]


def telling(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events without those that only name the presumed speaker."""
    return tuple(event for event in events if not isinstance(event, SeatInferred))


def _speak(table: Table, hands: tuple[Hand, ...], wordings: Wordings, rng: random.Random) -> Spoken:
    """One call of the next speaker, in words that are understood without a seat."""
    state = table.state
    seat = to_speak(state)
    if seat is None:
        raise StuckError("nobody is to speak")
    for _ in range(TRIES):
        call = _chosen(state, seat, hands, rng)
        wanted = events_of(state, call)
        for _ in range(TRIES if wanted else 0):
            words = wordings.draw(call, state.lance, rng)
            heard = Heard(words_of(words))
            outcomes = table.propose(heard)
            happened = [e for o in outcomes if isinstance(o, Accepted) for e in o.events]
            if len(outcomes) == 1 and telling(happened) == wanted:
                take(table, heard)
                return Spoken(seat, words, wanted)
    raise StuckError(f"no wording for what seat {seat} says in {state.phase}")


def events_of(state: State, call: c.Call) -> tuple[Event, ...]:
    """The events that a call would cause now; none if it is not legal."""
    try:
        return telling(decide(state, call).events)
    except (AmbiguousCall, IllegalCall):
        return ()


def _chosen(state: State, seat: int, hands: tuple[Hand, ...], rng: random.Random) -> c.Call:
    """A legal call of this seat, by the habits of the table. Nobody lies about his cards."""
    lance = state.lance
    if state.phase in DECLARING and lance is not None:
        held = value(hands[seat - 1], state.profile)
        holds = held.pares is not None if lance is Lance.PARES else held.juego
        return c.Declare(seat=seat, lance=lance, holds=holds)
    able = [
        one.call for one in legal_calls(state) if one.call.seat == seat and type(one.call) in HABITS
    ]
    able = [call for call in able if not getattr(call, "both", False)]
    weights = [HABITS[type(call)][state.pending is not None] for call in able]
    if not any(weights):
        raise StuckError(f"seat {seat} has nothing to say in {state.phase}")
    (call,) = rng.choices(able, weights)
    if isinstance(call, c.Bet):
        return replace(call, stones=rng.choice(BETS))
    return replace(call, stones=rng.choice(RAISES)) if isinstance(call, c.Raise) else call
